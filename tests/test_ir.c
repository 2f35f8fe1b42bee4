/* The passes of ir/, over small policies in source: what struct policy holds. */
#include <CUnit/Basic.h>

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "tests/suites.h"

static const char head[] =
	"class c1\nclass file\nclass process\nsid kernel\n"
	"class c1 { p1 p2 ioctl }\nclass file { read ioctl }\nclass process { transition }\n";
static const char tail[] = "user ua roles ra;\nsid kernel ua:ra:ta\n";
static const char types[] =
	"attribute a1; attribute a2; type ta; type tb; type tc;\n"
	"bool b1 true; bool b2 false; bool b3 false;\n"
	"role ra; role ra types { ta tb tc };\nallow ta tb:c1 p1;\n";

/* A source in the making, its findings, and what came of it. */
struct bench {
	struct ir_options options;
	struct buffer text;
	struct sources sources;
	struct diags diags;
	struct policy *policy;
};

static void put(struct bench *b, const char *text)
{
	buffer_put(&b->text, text, strlen(text));
}

static void run(struct bench *b)
{
	const struct source *source = sources_add(&b->sources, "test.conf", (const char *)b->text.at, b->text.n, &b->diags);
	struct atoms atoms;
	struct ast ast;

	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	parse_policy(&ast, &b->sources, source, &atoms, &b->diags);
	b->policy = ir_compile(&ast, &b->sources, &atoms, &b->options, &b->diags, NULL, NULL);
	ast_free(&ast);
	atoms_free(&atoms);
}

static void compile(struct bench *b, const char *te)
{
	memset(b, 0, sizeof *b);
	put(b, head);
	put(b, types);
	put(b, te);
	put(b, tail);
	run(b);
}

static void clean(struct bench *b)
{
	policy_free(b->policy);
	diags_free(&b->diags);
	sources_free(&b->sources);
	buffer_free(&b->text);
}

static uint32_t type_value(const struct policy *p, const char *name)
{
	for (uint32_t v = 1; v <= p->types.n; v++)
		if (!strcmp(p->types.at[v].name, name))
			return v;
	return 0;
}

static uint32_t class_value(const struct policy *p, const char *name)
{
	for (uint32_t v = 1; v <= p->classes.n; v++)
		if (!strcmp(p->classes.at[v].name, name))
			return v;
	return 0;
}

static const struct policy_rule *find_in(const struct policy *p, const policy_rules *rules, const char *source,
					 const char *target, const char *class, enum policy_av_kind kind)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *r = &rules->at[i];

		if (r->kind == kind && r->source == type_value(p, source) && r->target == type_value(p, target) &&
		    r->class == class_value(p, class))
			return r;
	}
	return NULL;
}

static const struct policy_rule *find(const struct policy *p, const char *source, const char *target, const char *class,
				      enum policy_av_kind kind)
{
	return find_in(p, &p->rules, source, target, class, kind);
}

/* The number of findings with that check name. */
static unsigned found(const struct bench *b, const char *check)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < b->diags.list.n; i++)
		n += b->diags.list.at[i].check && !strcmp(b->diags.list.at[i].check, check);
	return n;
}

/* ---- optional blocks ---- */

static void test_mutual_requirement(void)
{
	struct bench b;

	compile(&b, "optional { require { type x2; } type x1; allow x1 x2:c1 p1; }\n"
		    "optional { require { type x1; } type x2; allow x2 x1:c1 p1; }\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "x1", "x2", "c1", AV_ALLOWED));
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "x2", "x1", "c1", AV_ALLOWED));
	clean(&b);
}

static void test_inner_else(void)
{
	struct bench b;

	compile(&b, "optional { require { type nope; } type lost;\n"
		    "  optional { require { type ta; } allow ta tb:c1 p2; } else { allow ta tc:c1 p2; }\n"
		    "}\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_EQUAL(type_value(b.policy, "lost"), 0);
	CU_ASSERT_EQUAL(find(b.policy, "ta", "tb", "c1", AV_ALLOWED)->data, 1);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "ta", "tc", "c1", AV_ALLOWED));
	clean(&b);
}

/* Each block needs the type of the one before; the first one's is missing. */
static void test_long_chain(void)
{
	enum { LINKS = 20000 };
	struct bench b = {0};
	char text[128];

	put(&b, head);
	put(&b, types);
	for (int i = LINKS; i-- > 0;) {
		snprintf(text, sizeof text, "optional { require { type x%d; } type x%d; allow x%d ta:c1 p1; }\n", i, i + 1, i);
		put(&b, text);
	}
	put(&b, tail);
	run(&b);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_EQUAL(b.policy->types.n, 5);
	CU_ASSERT_EQUAL(b.policy->rules.n, 1);
	clean(&b);
}

static void test_effects_of_dead_blocks(void)
{
	struct bench b;

	compile(&b, "optional { require { type nope; } permissive ta; typeattribute ta a1; }\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_TRUE(b.policy->types.at[type_value(b.policy, "ta")].permissive);
	CU_ASSERT_TRUE(ebitmap_empty(&b.policy->types.at[type_value(b.policy, "a1")].types));
	CU_ASSERT_EQUAL(found(&b, "effect-of-disabled-block"), 1);
	clean(&b);
}

/* ---- symbols ---- */

static void test_numbers(void)
{
	struct bench b;

	compile(&b, "optional { require { type nope; } type dead; role dead_r; }\nattribute_role all_r;\nrole rb, all_r;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_STRING_EQUAL(b.policy->roles.at[1].name, "object_r");
	CU_ASSERT_EQUAL(b.policy->roles.n, 3);
	CU_ASSERT_EQUAL(b.policy->types.n, 5);
	CU_ASSERT_EQUAL(b.policy->types.at[1].kind, POLICY_TYPE);
	CU_ASSERT_EQUAL(b.policy->types.at[5].kind, POLICY_ATTRIBUTE);
	clean(&b);
}

static void test_nested_attributes(void)
{
	struct bench b;

	compile(&b, "attribute a3; typeattribute a1 a2; typeattribute a2 a3; typeattribute tb a1;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_TRUE(ebitmap_test(&b.policy->types.at[type_value(b.policy, "a3")].types, type_value(b.policy, "tb") - 1));
	clean(&b);
	compile(&b, "attribute a3; typeattribute a1 a2; typeattribute a2 a3; typeattribute a3 a1;\n");
	CU_ASSERT_PTR_NULL(b.policy);
	CU_ASSERT_EQUAL(found(&b, "attribute-loop"), 1);
	clean(&b);
}

/* What one statement of a block subtracts is gone for all of them. */
static void test_role_types_are_one_set(void)
{
	struct bench b;

	compile(&b, "role rb; role rb types { ta tb }; role rb types { tc -tb };\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_FALSE(ebitmap_test(&b.policy->roles.at[3].types, type_value(b.policy, "tb") - 1));
	CU_ASSERT_TRUE(ebitmap_test(&b.policy->roles.at[3].types, type_value(b.policy, "tc") - 1));
	clean(&b);
}

/* ---- rules ---- */

static void test_masks_merge(void)
{
	struct bench b;

	compile(&b, "allow ta tb:c1 p2;\ndontaudit ta tb:c1 p1; dontaudit ta tb:c1 p2;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_EQUAL(find(b.policy, "ta", "tb", "c1", AV_ALLOWED)->data, 3);
	CU_ASSERT_EQUAL(find(b.policy, "ta", "tb", "c1", AV_AUDITDENY)->data, 0xfffffffc);
	CU_ASSERT_EQUAL(b.policy->rules.n, 2);
	clean(&b);
}

static void test_self(void)
{
	struct bench b;

	compile(&b, "typeattribute ta a1; typeattribute tb a1;\nallow a1 { self tc }:file read;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "ta", "ta", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "tb", "tc", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NULL(find(b.policy, "ta", "tb", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NULL(find(b.policy, "a1", "tc", "file", AV_ALLOWED));
	clean(&b);
}

static void test_attributes_stay(void)
{
	struct bench b;

	compile(&b, "typeattribute ta a1; typeattribute ta a2; typeattribute tb a2; expandattribute a2 true;\n"
		    "allow a1 tc:file read; allow a2 tc:file ioctl; allow { a2 -ta } tc:c1 p2;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "a1", "tc", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NULL(find(b.policy, "a2", "tc", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "tb", "tc", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NULL(find(b.policy, "ta", "tc", "c1", AV_ALLOWED));
	clean(&b);
}

/* A repeated key of one class must not cost the other classes. */
static void test_repeated_type_rule(void)
{
	struct bench b;

	compile(&b, "type_transition ta tb:file tc; type_transition ta tb:{ c1 file } tc;\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "ta", "tb", "c1", AV_TRANSITION));
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "ta", "tb", "file", AV_TRANSITION));
	clean(&b);
}

/* ---- conditionals ---- */

static void test_equivalent_conditions_merge(void)
{
	struct bench b;

	compile(&b, "if (b1 && b2) { allow ta tb:file read; }\nif (b2 && b1) { allow ta tc:file read; }\n"
		    "if (!(b1 && b2)) { allow tb tc:file read; }\nif (b1 || b2) { allow tc tc:file read; }\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_EQUAL_FATAL(b.policy->conds.n, 2);
	CU_ASSERT_EQUAL(b.policy->conds.at[0].yes.n, 2);
	CU_ASSERT_PTR_NOT_NULL(find_in(b.policy, &b.policy->conds.at[0].no, "tb", "tc", "file", AV_ALLOWED));
	clean(&b);
}

static void test_tunables_vanish(void)
{
	struct bench b;

	compile(&b, "tunable t_on true;\nif (t_on) { allow ta tb:file read; } else { allow ta tc:file read; }\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
	CU_ASSERT_EQUAL(b.policy->conds.n, 0);
	CU_ASSERT_EQUAL(b.policy->bools.n, 3);
	CU_ASSERT_PTR_NOT_NULL(find(b.policy, "ta", "tb", "file", AV_ALLOWED));
	CU_ASSERT_PTR_NULL(find(b.policy, "ta", "tc", "file", AV_ALLOWED));
	clean(&b);
}

/* ---- findings ---- */

static void test_unknown_name_once(void)
{
	struct bench b;

	compile(&b, "allow nope tb:c1 p1; allow nope tc:c1 p1; allow ta nope2:c1 p1;\n");
	CU_ASSERT_PTR_NULL(b.policy);
	CU_ASSERT_EQUAL(found(&b, "unknown-type"), 2);
	clean(&b);
}

/* What a statement that did not parse may have declared is not missed. */
static void test_no_cascade(void)
{
	struct bench b;

	compile(&b, "type hidden : oops;\nallow hidden tb:c1 p1;\nallow other tb:c1 p1;\n");
	CU_ASSERT_PTR_NULL(b.policy);
	CU_ASSERT_EQUAL(found(&b, "syntax"), 1);
	CU_ASSERT_EQUAL(found(&b, "unknown-type"), 1);
	clean(&b);
}

/* A hundred thousand names that nobody declared, in one set. */
static void test_many_errors(void)
{
	struct bench b = {0};
	char text[32];

	put(&b, head);
	put(&b, types);
	put(&b, "allow {");
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof text, " n%d", i);
		put(&b, text);
	}
	put(&b, " } tb:c1 p1;\n");
	put(&b, tail);
	run(&b);
	CU_ASSERT_PTR_NULL(b.policy);
	CU_ASSERT_EQUAL(b.diags.errors, 100000);
	CU_ASSERT_EQUAL(b.diags.list.n, DIAG_KEEP);
	clean(&b);
}

/* Each name again for the source of the first rule, not of the last: which
 * rule it repeats, and so whether the result is another, is known of all. */
static void test_many_filename_repeats(void)
{
	enum { REPEATS = 1000 };
	struct bench b = {0};
	char text[200];

	put(&b, head);
	put(&b, types);
	for (int i = 0; i < REPEATS; i++) {
		snprintf(text, sizeof text,
			 "type_transition ta { tb self }:file tc \"n%d\";\ntype_transition tc { tb ta }:file tb \"n%d\";\n"
			 "type_transition ta %s:file tc \"n%d\";\n",
			 i, i, i % 2 ? "self" : "tb", i);
		put(&b, text);
	}
	put(&b, tail);
	diags_set(&b.diags, "duplicate-filename-transition", DIAG_DEMOTED);
	run(&b);
	CU_ASSERT_PTR_NOT_NULL(b.policy);
	CU_ASSERT_EQUAL(b.diags.errors, 0);
	CU_ASSERT_EQUAL(found(&b, "duplicate-filename-transition"), REPEATS);
	clean(&b);
}

static void test_same_source_same_result(void)
{
	static const char te[] = "typeattribute tb a1; allow a1 tc:file read; if (b1) { allow ta tc:file read; }\n";
	struct buffer dumps[2] = {0};

	for (int i = 0; i < 2; i++) {
		struct bench b;

		compile(&b, te);
		CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
		ir_dump(b.policy, &dumps[i]);
		clean(&b);
	}
	CU_ASSERT_EQUAL_FATAL(dumps[0].n, dumps[1].n);
	CU_ASSERT_EQUAL(memcmp(dumps[0].at, dumps[1].at, dumps[0].n), 0);
	buffer_free(&dumps[0]);
	buffer_free(&dumps[1]);
}

/* Two orders of the same statements, and of what they declare. */
static void test_canonical(void)
{
	static const char *const orders[] = {
		"type tx; type ty; attribute a8; attribute a9; typeattribute ty a9; bool bx true; bool by false;\n"
		"role rx; role ry; role rx types tx; role ry types ty; allow rx ry; allow ry rx;\n"
		"if (bx && by) { allow tx ty:c1 p1; } if (by && bx) { allow ty tx:c1 p2; } if (by) { allow ty ty:c1 p1; }\n"
		"allow tx a9:file read; allowxperm tx ty:c1 ioctl { 0x1-0x2 0x300-0x4ff };\n"
		"type_transition tx ty:file ta \"n\"; type_transition ty tx:file tb \"m\"; role_transition rx ty ry; typealias tx alias z1;\n",
		"bool by false; bool bx true; attribute a9; type ty, a9; type tx; attribute a8; typealias tx alias z1;\n"
		"role ry; role rx; allow ry rx; allow rx ry; role ry types ty; role rx types tx; role_transition rx ty ry;\n"
		"if (by) { allow ty ty:c1 p1; } if (by && bx) { allow ty tx:c1 p2; } if (bx && by) { allow tx ty:c1 p1; }\n"
		"type_transition ty tx:file tb \"m\"; type_transition tx ty:file ta \"n\";\n"
		"allowxperm tx ty:c1 ioctl { 0x300-0x4ff 0x1-0x2 }; allow tx a9:file read;\n",
	};
	struct buffer dumps[2] = {0};

	for (int i = 0; i < 2; i++) {
		struct bench b = {.options.canonical = true};

		put(&b, head);
		put(&b, types);
		put(&b, orders[i]);
		put(&b, tail);
		run(&b);
		CU_ASSERT_PTR_NOT_NULL_FATAL(b.policy);
		ir_dump(b.policy, &dumps[i]);
		clean(&b);
	}
	CU_ASSERT_EQUAL_FATAL(dumps[0].n, dumps[1].n);
	CU_ASSERT_EQUAL(memcmp(dumps[0].at, dumps[1].at, dumps[0].n), 0);
	buffer_free(&dumps[0]);
	buffer_free(&dumps[1]);
}

void suite_ir(void)
{
	CU_pSuite s = CU_add_suite("ir", NULL, NULL);

	CU_add_test(s, "blocks that need each other stay", test_mutual_requirement);
	CU_add_test(s, "else of a block within a block that is off", test_inner_else);
	CU_add_test(s, "a long chain of requirements", test_long_chain);
	CU_add_test(s, "effects of blocks that are off", test_effects_of_dead_blocks);
	CU_add_test(s, "numbers of symbols", test_numbers);
	CU_add_test(s, "attributes in attributes", test_nested_attributes);
	CU_add_test(s, "types of a role are one set", test_role_types_are_one_set);
	CU_add_test(s, "masks merge", test_masks_merge);
	CU_add_test(s, "self", test_self);
	CU_add_test(s, "when attributes stay", test_attributes_stay);
	CU_add_test(s, "repeated type rule", test_repeated_type_rule);
	CU_add_test(s, "equivalent conditions merge", test_equivalent_conditions_merge);
	CU_add_test(s, "tunables vanish", test_tunables_vanish);
	CU_add_test(s, "an unknown name is reported once", test_unknown_name_once);
	CU_add_test(s, "no errors after an error", test_no_cascade);
	CU_add_test(s, "many errors", test_many_errors);
	CU_add_test(s, "many repeated filename transitions", test_many_filename_repeats);
	CU_add_test(s, "same source, same result", test_same_source_same_result);
	CU_add_test(s, "--canonical", test_canonical);
}
