/* Differences of small policies; what no source can say. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "query/query.h"

void suite_query(void);

static const char head[] =
	"class file\n"
	"class process\n"
	"sid kernel\n"
	"class file { read write ioctl }\n"
	"class process { fork }\n"
	"attribute a; attribute b;\n"
	"type x, a; type y, a; type z, b;\n"
	"bool one true; bool two false;\n"
	"allow x y:process fork;\n";

static const char middle[] =
	"role r; role r types { x y z };\n"
	"user u roles r;\n";

static const char tail[] =
	"sid kernel u:r:x\n"
	"portcon tcp 80 u:r:x\n"
	"portcon tcp 1-1023 u:r:y\n";

static void put(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

/* Constraints have their place behind users, other rules before. */
static struct policy *compile(const char *rules)
{
	bool constraints = !strncmp(rules, "constrain", 9);
	static const struct ir_options options = {.target = POLICY_SELINUX};
	struct sources sources = {0};
	struct diags diags = {0};
	struct buffer text = {0};
	struct policy *policy;
	struct atoms atoms;
	struct ast ast;

	put(&text, head);
	put(&text, constraints ? "" : rules);
	put(&text, middle);
	put(&text, constraints ? rules : "");
	put(&text, tail);
	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	parse_policy(&ast, &sources, sources_add(&sources, "test", (const char *)text.at, text.n, &diags), &atoms, &diags);
	policy = ir_compile(&ast, &sources, &atoms, &options, &diags, NULL, NULL);
	if (!policy)
		diags_print(&diags, &sources, "test", 0, stderr);
	ast_free(&ast);
	atoms_free(&atoms);
	buffer_free(&text);
	diags_free(&diags);
	sources_free(&sources);
	return policy;
}

/* The changes, `+`/`-` and text, are those of the list, which ends with NULL. */
static void expect(const char *before, const char *after, const char *const *changes)
{
	struct policy *p = compile(before), *q = compile(after);
	struct diff diff = {0};
	uint32_t n = 0;

	CU_ASSERT_FATAL(p && q);
	query_diff(p, q, &diff);
	for (; changes[n]; n++) {
		const struct diff_change *change = n < diff.changes.n ? &diff.changes.at[n] : NULL;
		bool same = change && (changes[n][0] == '+') == change->added && !strcmp(changes[n] + 1, change->text);

		if (!same)
			fprintf(stderr, "expected %s\ngot      %s\n", changes[n], change ? change->text : "nothing");
		CU_ASSERT(same);
	}
	CU_ASSERT_EQUAL(n, diff.changes.n);
	diff_free(&diff);
	policy_free(p);
	policy_free(q);
}

#define EXPECT(before, after, ...) expect(before, after, (const char *const[]){__VA_ARGS__, NULL})
#define EQUAL(before, after) expect(before, after, (const char *const[]){NULL})

static void test_equal_access(void)
{
	EQUAL("allow a a:file read;", "allow a x:file read; allow x y:file read; allow y y:file read;");
	EQUAL("allow a z:file read;", "allow a z:file read; allow x z:file read;");
	EQUAL("allow b b:file read;", "allow z self:file read;");
	EQUAL("dontaudit a z:file { read write };", "dontaudit a z:file read; dontaudit x z:file write; dontaudit y z:file write;");
}

static void test_rules_as_written(void)
{
	EXPECT("", "allow a b:file { read write };", "+allow a b:file { read write };");
	EXPECT("allow a b:file { read write };", "allow a b:file read;", "-allow a b:file write;");
	EXPECT("allow a b:file read;", "allow x b:file read;", "-allow y b:file read;");
	EXPECT("", "allow a self:file read;", "+allow a self:file read;");
	EXPECT("", "allow a b:{ file process } *;", "+allow a b:file { ioctl read write };", "+allow a b:process fork;");
	EXPECT("", "allow x { y z }:file read; allow x y:file write;", "+allow x y:file { read write };",
	       "+allow x z:file read;");
}

static void test_equal_conditionals(void)
{
	EQUAL("if (one && two) { allow x z:file read; }", "if (two && one) { allow x z:file read; }");
	EQUAL("if (one) { allow x z:file read; }", "if (!one) { } else { allow x z:file read; }");
	EQUAL("if (one == two) { allow x z:file read; }", "if (one ^ two) { } else { allow x z:file read; }");
	EQUAL("if (one) { allow x z:file read; }", "if (one || (two && !two)) { allow x z:file read; }");
	EQUAL("if (one) { allow x z:file { read write }; }",
	      "if (one) { allow x z:file read; } if (one) { allow x z:file write; }");
	/* Granted anyway. */
	EQUAL("allow a z:file read; if (one) { allow x z:file read; }", "allow a z:file read;");
}

static void test_conditionals(void)
{
	EXPECT("if (one) { allow x z:file read; }", "if (two) { allow x z:file read; }",
	       "-allow x z:file read; [ one ]:True", "+allow x z:file read; [ two ]:True");
	EXPECT("if (one) { allow x z:file read; }", "if (!one) { allow x z:file read; }",
	       "-allow x z:file read; [ one ]:True", "+allow x z:file read; [ one ]:False");
	EXPECT("if (one) { allow x z:file read; }", "allow x z:file read;", "-allow x z:file read; [ one ]:True",
	       "+allow x z:file read;");
	EXPECT("if (one) { type_transition x z:process y; }", "", "-type_transition x z:process y; [ one ]:True");
}

static void test_xperms(void)
{
	EQUAL("allowxperm x z:file ioctl { 1 2 3 };", "allowxperm x z:file ioctl { 1 2 }; allowxperm x b:file ioctl 3;");
	EQUAL("allowxperm x z:file ioctl { 0x100-0x1ff 0x200 };",
	      "allowxperm x z:file ioctl { 0x100-0x180 }; allowxperm x z:file ioctl { 0x181-0x200 };");
	EXPECT("allowxperm x z:file ioctl { 1-9 };", "allowxperm x z:file ioctl { 1-4 6-10 };",
	       "-allowxperm x z:file ioctl 0x0005;", "+allowxperm x z:file ioctl 0x000a;");
}

static void test_more_than_64_blocks(void)
{
	struct buffer rules = {0};
	struct policy *p, *q;
	struct diff diff;

	for (int i = 0; i < 150; i++) {
		char line[80];
		int n = snprintf(line, sizeof line, "allowxperm %s z:file ioctl 0x%x;\n", i % 2 ? "x" : "y", 2 * i);

		buffer_put(&rules, line, (size_t)n);
	}
	buffer_put(&rules, "", 1);
	p = compile("");
	q = compile((const char *)rules.at);
	CU_ASSERT_FATAL(p && q);
	query_diff(p, q, &diff);
	CU_ASSERT(diff.changes.n >= 2 && diff.added[DIFF_ALLOWXPERM] == diff.changes.n);
	diff_free(&diff);
	query_diff(q, q, &diff);
	CU_ASSERT_EQUAL(diff.changes.n, 0);
	diff_free(&diff);
	policy_free(p);
	policy_free(q);
	buffer_free(&rules);
}

static uint64_t pairs_of(const struct diff *diff)
{
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < diff->changes.n; i++)
		pairs += diff->changes.at[i].pairs;
	return pairs;
}

/* However few steps there are, what is new is reported, and only that: some
 * pairs at least; with enough steps as if nobody counted them. */
static void check_steps(const char *before, const char *after, uint64_t least)
{
	enum { MOST = 10000 };
	struct policy *p = compile(before), *q = compile(after);
	uint64_t steps = 0;
	bool by_rule = true;

	CU_ASSERT_FATAL(p && q);
	for (; by_rule && steps < MOST; steps++) {
		struct diff diff;

		query_diff_within(p, q, steps, &diff);
		by_rule = diff.by_rule;
		/* As written, a rule may have gone that others stand for now. */
		CU_ASSERT((by_rule && *before) || (!diff.removed[DIFF_ALLOW] && !diff.removed[DIFF_ALLOWXPERM]));
		CU_ASSERT(by_rule || pairs_of(&diff) >= least);
		CU_ASSERT(by_rule ? diff.changes.n > 0 : (diff.changes.n > 0) == (least > 0));
		diff_free(&diff);
		query_diff_within(q, q, steps, &diff);
		CU_ASSERT(!diff.changes.n && !diff.by_rule);
		diff_free(&diff);
	}
	CU_ASSERT(steps > 1 && steps < MOST);
	for (uint64_t more = steps; more < steps + 500; more++) {
		struct diff diff;

		query_diff_within(p, q, more, &diff);
		CU_ASSERT(!diff.by_rule && (diff.changes.n > 0) == (least > 0) && pairs_of(&diff) >= least);
		diff_free(&diff);
	}
	policy_free(p);
	policy_free(q);
}

static void test_few_steps(void)
{
	check_steps("", "allow a a:file read; allow y z:file { read write }; allow z a:file write;", 7);
	check_steps("", "allow a a:file read; allow a a:file write; if (one) { allow a z:file read; }", 6);
	check_steps("", "allowxperm a z:file ioctl { 1-9 }; allowxperm x z:file ioctl { 5-12 };", 2);
	check_steps("allow a a:file read;", "allow x a:file read; allow y a:file read; allow a y:file read;", 0);
}

static void test_constraints(void)
{
	EQUAL("constrain file read (u1 == u2 and r1 == r2);", "constrain file read (r1 == r2 and u1 == u2);");
	EQUAL("constrain file read (u1 == u2 or t1 == { x y });", "constrain file read (not (t1 != a and u1 != u2));");
	EQUAL("constrain file { read write } (u1 == u2);",
	      "constrain file read (u1 == u2); constrain file write (u1 == u2);");
	EQUAL("constrain file read (u1 == u2 and (r1 == r2 and t1 == x));",
	      "constrain file read ((t1 == x and u1 == u2) and r1 == r2);");
}

static void test_constraint_changes(void)
{
	EXPECT("constrain file read (u1 == u2);", "constrain file { read write } (u1 == u2);",
	       "+constrain file write (u1 == u2);");
	EXPECT("constrain file read (u1 == u2);", "constrain file read (u1 != u2);", "-constrain file read (u1 == u2);",
	       "+constrain file read (u1 != u2);");
	EXPECT("constrain file read (t1 == x or t1 == y);", "constrain file read (t1 == x and t1 == y);",
	       "-constrain file read (t1 == x or t1 == y);", "+constrain file read (t1 == x and t1 == y);");
}

/* Of overlapping ports the first counts; a source cannot have this order. */
static void test_port_order(void)
{
	struct policy *p = compile(""), *q = compile("");
	struct policy_port first;
	struct diff diff;

	CU_ASSERT_FATAL(p && q && q->ports.n == 2);
	first = q->ports.at[0];
	q->ports.at[0] = q->ports.at[1];
	q->ports.at[1] = first;
	query_diff(p, q, &diff);
	CU_ASSERT_EQUAL(diff.added[DIFF_PORTS], 1);
	CU_ASSERT_EQUAL(diff.removed[DIFF_PORTS], 1);
	CU_ASSERT_EQUAL(diff.changes.n, 2);
	diff_free(&diff);
	policy_free(p);
	policy_free(q);
}

static void test_rules_by_alias_and_errors(void)
{
	struct policy *p = compile("typealias z alias old_z; allow x z:file read;");
	struct rule_query query = {.kinds = QUERY_ALLOW, .target = "old_z", .target_direct = true};
	struct diags diags = {0};
	struct buffer lines = {0};
	uint32_t n;

	CU_ASSERT_FATAL(p != NULL);
	CU_ASSERT(query_rules(p, &query, &lines, &n, &diags));
	CU_ASSERT_EQUAL(n, 1);
	query.source = "nobody";
	CU_ASSERT(!query_rules(p, &query, &lines, &n, &diags));
	CU_ASSERT_EQUAL(diags.errors, 1);
	buffer_free(&lines);
	diags_free(&diags);
	policy_free(p);
}

void suite_query(void)
{
	CU_pSuite suite = CU_add_suite("query", NULL, NULL);

	CU_add_test(suite, "rules that say the same", test_equal_access);
	CU_add_test(suite, "rules as written", test_rules_as_written);
	CU_add_test(suite, "conditionals that say the same", test_equal_conditionals);
	CU_add_test(suite, "conditionals that differ", test_conditionals);
	CU_add_test(suite, "extended permissions", test_xperms);
	CU_add_test(suite, "more blocks of values than a matrix has", test_more_than_64_blocks);
	CU_add_test(suite, "few steps for a comparison", test_few_steps);
	CU_add_test(suite, "constraints that say the same", test_constraints);
	CU_add_test(suite, "constraints that differ", test_constraint_changes);
	CU_add_test(suite, "order of ports", test_port_order);
	CU_add_test(suite, "filters of rules", test_rules_by_alias_and_errors);
}
