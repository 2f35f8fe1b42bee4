/* parser/: what is accepted and what not (language.md 5, 6, 19), what the AST
 * holds, and how parsing goes on after an error. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

void suite_parser(void);

/* A small policy, in the parts that statements are put between. */
#define CLASSES "class c1 class file class process\n"
#define SIDS "sid kernel\n"
#define COMMONS "common cm { x y }\n"
#define AVS "class c1 { p1 p2 ioctl } class file { read ioctl } class process inherits cm\n"
#define MLS \
	"sensitivity s0; sensitivity s1; dominance { s0 s1 } category c0; category c1; level s0:c0.c1; level s1;\n" \
	"mlsconstrain file read ( l1 dom l2 );\n"
#define TE "type ta; type tb; attribute a1; role ra; bool b1 true;\n"
#define USERS "user ua roles ra;\n"
#define SID_CONTEXTS "sid kernel ua:ra:ta\n"
#define HEAD CLASSES SIDS COMMONS AVS
#define TAIL USERS SID_CONTEXTS

struct fixture {
	struct sources sources;
	struct atoms atoms;
	struct diags diags;
	struct ast ast;
	bool ok;
};

static void parse(struct fixture *f, const char *text)
{
	const struct source *source;

	memset(f, 0, sizeof *f);
	atoms_init(&f->atoms);
	lexer_intern_keywords(&f->atoms);
	ast_init(&f->ast);
	source = sources_add(&f->sources, "test", text, strlen(text), &f->diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(source);
	f->ok = parse_policy(&f->ast, &f->sources, source, &f->atoms, &f->diags);
	CU_ASSERT_EQUAL(f->ok, f->diags.errors == 0);
}

static void finish(struct fixture *f)
{
	ast_free(&f->ast);
	diags_free(&f->diags);
	atoms_free(&f->atoms);
	sources_free(&f->sources);
}

static const char *text_of(const struct fixture *f, atom_t atom)
{
	return atom_text(&f->atoms, atom);
}

static bool is_named(const struct fixture *f, struct ast_name name, const char *text)
{
	return !strcmp(text_of(f, name.atom), text) &&
	       !strncmp(source_text(&f->sources, name.begin), text, strlen(text));
}

/* A set as one would write it, one space between its parts. */
static const char *show_set(const struct fixture *f, struct ast_names names, char *text, size_t size)
{
	uint32_t one;
	struct ast_set set = ast_set_of(&f->ast, names, &one);
	size_t len = (size_t)snprintf(text, size, "%s%s", set.star ? "*" : "", set.complement ? "~" : "");

	for (uint32_t i = 0; i < set.n && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s%s", i ? " " : "",
					set.items[i] & AST_MINUS ? "-" : "", text_of(f, set.items[i] & ~AST_MINUS));
	return text;
}

#define CHECK_SET(f, names, expected) \
	do { \
		char set_text[200]; \
		CU_ASSERT_STRING_EQUAL(show_set(f, names, set_text, sizeof set_text), expected); \
	} while (0)

/* ---- accept and reject ---- */

static void report_case(const struct fixture *f, const char *text, const char *expected)
{
	fprintf(stderr, "\n  <%s>: expected %s\n", text, expected);
	diags_print(&f->diags, &f->sources, "test", 5, stderr);
}

static void check_policy(const char *policy, const char *text, const char *check)
{
	struct fixture f;
	bool good;

	parse(&f, policy);
	if (check)
		good = f.diags.errors == 1 && f.diags.list.n && !strcmp(f.diags.list.at[0].check, check);
	else
		good = f.ok;
	if (!good)
		report_case(&f, text, check ? check : "no error");
	CU_ASSERT_TRUE(good);
	finish(&f);
}

/* check: the only error; NULL: none. */
static void check_between(const char *before, const char *text, const char *after, const char *check)
{
	struct buffer b = {0};

	buffer_put(&b, before, strlen(before));
	buffer_put(&b, text, strlen(text));
	buffer_put(&b, "\n", 1);
	buffer_put(&b, after, strlen(after) + 1);
	check_policy((const char *)b.at, text, check);
	buffer_free(&b);
}

struct variant {
	const char *text, *check;
};

static void check_variants(const char *before, const struct variant *variants, size_t n, const char *after)
{
	for (size_t i = 0; i < n; i++)
		check_between(before, variants[i].text, after, variants[i].check);
}

#define CHECK_VARIANTS(before, variants, after) \
	check_variants(before, variants, sizeof(variants) / sizeof *(variants), after)

static void test_section_7(void)
{
	static const struct variant variants[] = {
#include "tests/parser_te.def"
	};

	CHECK_VARIANTS(HEAD TE, variants, TAIL);
}

static void test_constraints(void)
{
	static const struct variant variants[] = {
#include "tests/parser_constraints.def"
	};

	CHECK_VARIANTS(HEAD TE USERS, variants, SID_CONTEXTS);
}

#define CONTEXT "ua:ra:ta"

static void test_labels(void)
{
	static const struct variant variants[] = {
#include "tests/parser_labels.def"
	};

	CHECK_VARIANTS(HEAD TE TAIL, variants, "");
}

static void test_sections(void)
{
	check_policy(HEAD TE TAIL, "whole", NULL);
	check_policy(HEAD MLS TE TAIL, "whole with MLS", NULL);
	check_policy("", "empty", "missing-section");
	check_policy("# nothing\n", "comment only", "missing-section");
	check_policy(";", "lone ;", "syntax");
	check_policy(HEAD TAIL, "no type enforcement", "missing-section");
	check_policy(HEAD ";" TAIL, "`;` is type enforcement", NULL);
	check_policy(SIDS COMMONS AVS TE TAIL, "no classes", "missing-section");
	check_policy(CLASSES COMMONS AVS TE TAIL, "no SIDs", "missing-section");
	check_policy(CLASSES SIDS COMMONS TE TAIL, "no access vectors", "missing-section");
	check_policy(HEAD TE SID_CONTEXTS, "no users", "missing-section");
	check_policy(HEAD TE USERS, "no contexts", "missing-section");
	check_policy(CLASSES "type x;" SIDS COMMONS AVS TE TAIL, "early type", "section-order");
	check_policy(CLASSES "portcon tcp 1 " CONTEXT " " SIDS COMMONS AVS TE TAIL, "early port", "section-order");
	check_policy(HEAD USERS TE TAIL, "early user", "section-order");
	check_policy(HEAD TE USERS TE SID_CONTEXTS, "late types", "section-order");
	check_policy(HEAD TE "class x\n" TAIL, "late class", "section-order");
	check_policy(HEAD "default_user c1 source;" TE TAIL, "defaults", NULL);
	check_policy(HEAD TE "default_user c1 source;" TAIL, "late default", "section-order");
	check_policy(CLASSES ";" SIDS COMMONS AVS TE TAIL, "; after classes", "syntax");
	check_policy(HEAD "; class x { y }" TE TAIL, "; after access vector", "syntax");
	check_policy(HEAD TE USERS ";" SID_CONTEXTS, "; after users", "syntax");
}

static void test_mls_part(void)
{
	static const char s[] = "sensitivity s0;", l[] = "level s0;";
	static const struct variant variants[] = {
		{"dominance s0 level s0; mlsconstrain file read l1 dom l2;", NULL},
		{"dominance { s0 } level s0; mlsvalidatetrans file ( l1 dom l2 );", NULL},
		{"level s0; mlsconstrain file read l1 dom l2;", "missing-section"},
		{"dominance { s0 } mlsconstrain file read l1 dom l2;", "missing-section"},
		{"dominance { s0 } level s0;", "missing-section"},
		{"", "missing-section"},
		{"dominance { s0 } dominance { s0 } level s0; mlsconstrain file read l1 dom l2;", "section-order"},
		{"dominance { s0 } level s0; category c0; mlsconstrain file read l1 dom l2;", "section-order"},
		{"dominance { s0 }; level s0; mlsconstrain file read l1 dom l2;", "syntax"},
		{"dominance { s0 } level s0:; mlsconstrain file read l1 dom l2;", "syntax"},
		{"dominance { } level s0; mlsconstrain file read l1 dom l2;", "syntax"},
	};
	char before[500];

	snprintf(before, sizeof before, "%s%s", HEAD, s);
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		check_between(before, variants[i].text, TE TAIL, variants[i].check);
	check_between(HEAD, l, TE TAIL, "missing-section");
	check_between(HEAD MLS TE, "user x roles ra level s0 range s0;", TAIL, NULL);
	check_between(HEAD MLS TE, "user x roles ra level s0:c0 range s0:c0 - s1:c0,c1;", TAIL, NULL);
	check_between(HEAD MLS TE, "user x roles ra level s0;", TAIL, "syntax");
	check_between(HEAD MLS TE, "user x roles ra level s0 range s0:c0-s1:c0;", TAIL, "syntax");
	check_between(HEAD MLS TE, "user x roles ra level s0 range s0- s1;", TAIL, "syntax");
}

static void test_defaults(void)
{
	static const struct variant variants[] = {
		{"default_user { c1 file } source; default_role c1 target; default_type c1 target;", NULL},
		{"default_range c1 source low; default_range c1 target low-high; default_range c1 glblub;", NULL},
		{"default_range c1 source low - high;", "syntax"},
		{"default_range c1 source;", "syntax"},
		{"default_user c1 glblub;", "syntax"},
		{"default_user c1 source", "syntax"},
	};

	CHECK_VARIANTS(HEAD, variants, "\n" TE TAIL);
}

static void test_module_source(void)
{
	struct fixture f;

	check_policy("# a module\nmodule m 1.0;\nrequire { type t; }\nallow t t:c p;\n", "module", "module-source");
	check_policy("module t1 2;", "module with a keyword", "module-source");
	parse(&f, "module m 1.0; type x; bad bad");
	CU_ASSERT_EQUAL(f.ast.types.n, 0);
	finish(&f);
}

/* ---- what the AST holds ---- */

static void test_ast_declarations(void)
{
	struct fixture f;

	parse(&f, HEAD "default_range c1 target high; default_range c1 glblub; default_role file source;" MLS TE TAIL);
	CU_ASSERT_TRUE_FATAL(f.ok);
	CU_ASSERT_EQUAL_FATAL(f.ast.classes.n, 3);
	CU_ASSERT_TRUE(is_named(&f, f.ast.classes.at[1].name, "file"));
	CU_ASSERT_EQUAL_FATAL(f.ast.avs.n, 3);
	CHECK_SET(&f, f.ast.avs.at[0].perms, "p1 p2 ioctl");
	CU_ASSERT_EQUAL(f.ast.avs.at[0].inherits.atom, ATOM_NONE);
	CU_ASSERT_TRUE(is_named(&f, f.ast.avs.at[2].inherits, "cm"));
	CU_ASSERT_EQUAL(f.ast.avs.at[2].perms.id, ATOM_NONE);
	CHECK_SET(&f, f.ast.commons.at[0].perms, "x y");
	CU_ASSERT_EQUAL_FATAL(f.ast.defaults.n, 3);
	CU_ASSERT_EQUAL(f.ast.defaults.at[0].value, 5);
	CU_ASSERT_EQUAL(f.ast.defaults.at[1].value, 7);
	CU_ASSERT_EQUAL(f.ast.defaults.at[2].value, 1);
	CU_ASSERT_EQUAL(f.ast.defaults.at[2].kind, AST_DEFAULT_ROLE);
	CHECK_SET(&f, f.ast.dominances.at[0].order, "s0 s1");
	CU_ASSERT_EQUAL_FATAL(f.ast.levels.n, 2);
	CU_ASSERT_TRUE(is_named(&f, f.ast.levels.at[0].level.sens, "s0"));
	CHECK_SET(&f, f.ast.levels.at[0].level.cats, "c0.c1");
	CU_ASSERT_EQUAL(f.ast.levels.at[1].level.cats.id, ATOM_NONE);
	CU_ASSERT_EQUAL(f.ast.sids.n, 1);
	CU_ASSERT_EQUAL(f.ast.sid_contexts.n, 1);
	finish(&f);
}

static void test_ast_rules(void)
{
	static const char rules[] = "neverallow { ta { tb } -a1 } ~self:{ c1 } *;\n"
				    "type_transition ta a1 -tb:c1 tb \"a b\";\n"
				    "auditallowxperm ta tb:c1 ioctl ~{ 1 2-0x10 };\n"
				    "role rb, x, y; role_transition ra ta:process rb;";
	char text[1000];
	struct fixture f;
	const struct ast_xrule *x;

	snprintf(text, sizeof text, "%s%s%s%s", HEAD, TE, rules, TAIL);
	parse(&f, text);
	CU_ASSERT_TRUE_FATAL(f.ok);
	CU_ASSERT_EQUAL(f.ast.avrules.at[0].kind, AST_NEVERALLOW);
	CU_ASSERT_EQUAL(f.ast.avrules.at[0].place, 0);
	CHECK_SET(&f, f.ast.avrules.at[0].sources, "ta tb -a1");
	CHECK_SET(&f, f.ast.avrules.at[0].targets, "~self");
	CU_ASSERT_EQUAL(f.ast.avrules.at[0].classes.id, f.ast.classes.at[0].name.atom); /* one name in braces */
	CHECK_SET(&f, f.ast.avrules.at[0].perms, "*");
	CU_ASSERT_EQUAL(f.ast.avrules.at[0].loc.end - f.ast.avrules.at[0].loc.begin, strcspn(rules, "\n"));
	CHECK_SET(&f, f.ast.terules.at[0].targets, "a1 -tb");
	CU_ASSERT_STRING_EQUAL(text_of(&f, f.ast.terules.at[0].filename.atom), "a b");
	CU_ASSERT_EQUAL(*source_text(&f.sources, f.ast.terules.at[0].filename.begin), '"');
	x = &f.ast.xrules.at[0];
	CU_ASSERT_TRUE(x->kind == AST_AUDITALLOW && x->complement && x->nranges == 2);
	CU_ASSERT_TRUE(x->ranges[0].low == 1 && x->ranges[0].high == 1);
	CU_ASSERT_TRUE(x->ranges[1].low == 2 && x->ranges[1].high == 16);
	CHECK_SET(&f, f.ast.roles.at[1].attrs, "x y");
	CHECK_SET(&f, f.ast.role_trans.at[0].classes, "process");
	finish(&f);
}

static void test_ast_blocks(void)
{
	struct fixture f;
	const struct ast_block *b;

	parse(&f, HEAD TE "optional { require { type x, y; class c1 p1; } allow x y:c1 p1; optional { type z; } }\n"
			  "else { if (b1) { allow ta tb:c1 p1; } else { dontaudit ta tb:c1 p1; } type q; }\n"
			  "optional { type w; user uu roles r; }" TAIL);
	CU_ASSERT_TRUE_FATAL(f.ok);
	CU_ASSERT_EQUAL_FATAL(f.ast.blocks.n, 5);
	b = f.ast.blocks.at;
	CU_ASSERT_TRUE(b[1].parent == 0 && b[1].other == 3 && !b[1].is_else);
	CU_ASSERT_TRUE(b[2].parent == 1 && b[2].other == 0 && !b[2].is_else);
	CU_ASSERT_TRUE(b[3].parent == 0 && b[3].other == 1 && b[3].is_else);
	CU_ASSERT_TRUE(b[4].parent == 0 && b[4].other == 0);
	CU_ASSERT_EQUAL(*source_text(&f.sources, b[3].loc.begin), '{');
	CU_ASSERT_EQUAL(*source_text(&f.sources, b[3].loc.end - 1), '}');
	CU_ASSERT_EQUAL_FATAL(f.ast.requires.n, 3);
	CU_ASSERT_TRUE(f.ast.requires.at[1].block == 1 && f.ast.requires.at[1].kind == AST_REQUIRE_TYPE);
	CU_ASSERT_TRUE(is_named(&f, f.ast.requires.at[1].name, "y"));
	CHECK_SET(&f, f.ast.requires.at[2].perms, "p1");
	CU_ASSERT_EQUAL_FATAL(f.ast.avrules.n, 3);
	CU_ASSERT_TRUE(f.ast.avrules.at[0].block == 1 && f.ast.avrules.at[0].place == 0);
	CU_ASSERT_TRUE(f.ast.avrules.at[1].block == 3 && f.ast.avrules.at[1].place == ast_in_cond(0, false));
	CU_ASSERT_TRUE(f.ast.avrules.at[2].block == 3 && f.ast.avrules.at[2].place == ast_in_cond(0, true));
	CU_ASSERT_EQUAL(f.ast.conds.at[0].block, 3);
	CU_ASSERT_EQUAL(*source_text(&f.sources, f.ast.conds.at[0].loc.begin), 'i');
	CU_ASSERT_EQUAL(*source_text(&f.sources, f.ast.conds.at[0].loc.end - 1), '}');
	CU_ASSERT_EQUAL(f.ast.types.at[f.ast.types.n - 2].block, 3);
	CU_ASSERT_EQUAL(f.ast.users.at[0].block, 4);
	finish(&f);
}

static void check_condition(const char *condition, const char *expected)
{
	static const char *const ops[] = {"", "", "!", "|", "&", "^", "=", "#"};
	char text[1000], shown[200] = "";
	struct fixture f;
	size_t len = 0;

	snprintf(text, sizeof text, "%s%sif %s { }\n%s", HEAD, TE, condition, TAIL);
	parse(&f, text);
	CU_ASSERT_TRUE_FATAL(f.ok);
	for (uint32_t i = 0; i < f.ast.conds.at[0].nexpr && len < sizeof shown; i++) {
		const struct ast_cond_expr *e = &f.ast.conds.at[0].expr[i];

		len += (size_t)snprintf(shown + len, sizeof shown - len, "%s",
					e->kind == AST_COND_BOOL ? text_of(&f, e->name.atom) : ops[e->kind]);
	}
	CU_ASSERT_STRING_EQUAL(shown, expected);
	finish(&f);
}

static void test_conditions(void)
{
	check_condition("a", "a");
	check_condition("a or b xor c and d == e", "abcde=&^|");
	check_condition("a == b and c xor d or e", "ab=c&d^e|");
	check_condition("!b == c", "bc=!");
	check_condition("!b && c", "b!c&");
	check_condition("(!b) == c", "b!c=");
	check_condition("a != b == c", "ab#c=");
	check_condition("a && b && c", "ab&c&");
	check_condition("a && (b && c)", "abc&&");
	check_condition("a == !b == c", "abc=!=");
}

static void test_ast_constraints(void)
{
	struct fixture f;
	const struct ast_constraint *c;

	parse(&f, HEAD TE USERS "constrain { c1 file } ~p1 ( not u1 != u2 or t2 == { ta a1 } and h1 domby h2 );\n"
				"validatetrans file ( r3 == ra );" SID_CONTEXTS);
	CU_ASSERT_TRUE_FATAL(f.ok);
	CU_ASSERT_EQUAL_FATAL(f.ast.constraints.n, 2);
	c = &f.ast.constraints.at[0];
	CHECK_SET(&f, c->classes, "c1 file");
	CHECK_SET(&f, c->perms, "~p1");
	CU_ASSERT_EQUAL_FATAL(c->nexpr, 6);
	CU_ASSERT_TRUE(c->expr[0].kind == AST_CEXPR_ATTR && c->expr[0].attr == 1 && c->expr[0].op == 2);
	CU_ASSERT_EQUAL(c->expr[1].kind, AST_CEXPR_NOT);
	CU_ASSERT_TRUE(c->expr[2].kind == AST_CEXPR_NAMES && c->expr[2].attr == (4 | 8) && c->expr[2].op == 1);
	CHECK_SET(&f, c->expr[2].names, "ta a1");
	CU_ASSERT_TRUE(c->expr[3].kind == AST_CEXPR_ATTR && c->expr[3].attr == 256 && c->expr[3].op == 4);
	CU_ASSERT_EQUAL(c->expr[4].kind, AST_CEXPR_AND);
	CU_ASSERT_EQUAL(c->expr[5].kind, AST_CEXPR_OR);
	c = &f.ast.constraints.at[1];
	CU_ASSERT_TRUE(c->transition && !c->mls && c->perms.id == ATOM_NONE);
	CU_ASSERT_TRUE(c->expr[0].attr == (2 | 16));
	finish(&f);
}

static void test_ast_labels(void)
{
	struct fixture f;
	const struct ast_context *c;

	parse(&f, HEAD MLS TE USERS "sid kernel ua:ra:ta:s0:c0,c1 - s1\n"
				    "genfscon proc /x -- ua:ra:ta genfscon proc \"/a b\" -d ua:ra:ta\n"
				    "portcon tcp 1-0x50 ua:ra:ta netifcon eth0 ua:ra:ta ub:rb:tb\n"
				    "nodecon fe80::/10 ua:ra:ta iomemcon 0x100000000 ua:ra:ta");
	CU_ASSERT_TRUE_FATAL(f.ok);
	c = &f.ast.sid_contexts.at[0].context;
	CU_ASSERT_TRUE(is_named(&f, c->user, "ua") && is_named(&f, c->role, "ra") && is_named(&f, c->type, "ta"));
	CU_ASSERT_TRUE(c->has_range && is_named(&f, c->range.low.sens, "s0") && is_named(&f, c->range.high.sens, "s1"));
	CHECK_SET(&f, c->range.low.cats, "c0 c1");
	CU_ASSERT_EQUAL(c->range.loc.end, c->loc.end);
	CU_ASSERT_STRING_EQUAL(text_of(&f, f.ast.genfs.at[0].kind.atom), "-");
	CU_ASSERT_FALSE(f.ast.genfs.at[0].context.has_range);
	CU_ASSERT_STRING_EQUAL(text_of(&f, f.ast.genfs.at[1].path.atom), "/a b");
	CU_ASSERT_STRING_EQUAL(text_of(&f, f.ast.genfs.at[1].kind.atom), "d");
	CU_ASSERT_TRUE(f.ast.ports.at[0].ports.low == 1 && f.ast.ports.at[0].ports.high == 80);
	CU_ASSERT_TRUE(is_named(&f, f.ast.netifs.at[0].interface.user, "ua"));
	CU_ASSERT_TRUE(is_named(&f, f.ast.netifs.at[0].packet.user, "ub"));
	CU_ASSERT_TRUE(f.ast.nodes.at[0].ipv6 && !f.ast.nodes.at[0].mask.atom);
	CU_ASSERT_EQUAL(f.ast.xens.at[0].span.high, 0x100000000);
	finish(&f);
}

static void test_set_ids(void)
{
	struct ast ast;
	uint32_t items[] = {5, 6, 7}, id;

	ast_init(&ast);
	CU_ASSERT_EQUAL(ast_set_id(&ast, items, 1, false, false), 5);
	id = ast_set_id(&ast, items, 2, false, false);
	CU_ASSERT_EQUAL(id, AST_SET | 0);
	CU_ASSERT_NOT_EQUAL(ast_set_id(&ast, items, 3, false, false), id);
	CU_ASSERT_NOT_EQUAL(ast_set_id(&ast, items, 2, false, true), id);
	CU_ASSERT_EQUAL(ast_set_id(&ast, (uint32_t[]){5, 6}, 2, false, false), id);
	CU_ASSERT_EQUAL(ast_set_id(&ast, NULL, 0, true, false), ast_set_id(&ast, NULL, 0, true, false));
	CU_ASSERT_TRUE(ast_set_id(&ast, (uint32_t[]){AST_MINUS | 5}, 1, false, false) & AST_SET);
	for (uint32_t i = 0; i < 20000; i++)
		ast_set_id(&ast, (uint32_t[]){i, i + 1}, 2, false, true);
	CU_ASSERT_EQUAL(ast_set_id(&ast, items, 2, false, false), id);
	CU_ASSERT_EQUAL(ast.sets.at[id & ~AST_SET].n, 2);
	ast_free(&ast);
}

static void check_place(struct fixture *f, uint32_t from, uint32_t within, const char *name, int64_t expected)
{
	struct loc loc =
		ast_find_name(&f->sources, &f->atoms, from, within, atom_intern(&f->atoms, name, strlen(name)));

	if (expected < 0) {
		CU_ASSERT_FALSE(loc_known(loc));
		return;
	}
	CU_ASSERT_EQUAL(loc.begin, from + expected);
	CU_ASSERT_EQUAL(loc.end, loc.begin + strlen(name));
}

static void test_places(void)
{
	static const char set[] = "{ a-b xb # b\n a.b -b }";
	struct fixture f;
	uint32_t begin;

	parse(&f, "neverallow { a-b xb # b\n a.b -b } x:y z;");
	begin = f.ast.avrules.at[0].sources.begin;
	check_place(&f, begin, sizeof set, "a-b", 2);
	check_place(&f, begin, sizeof set, "b", strstr(set, "-b }") + 1 - set);
	check_place(&f, begin, sizeof set, "a.b", strstr(set, "a.b") - set);
	check_place(&f, begin, sizeof set, "a", -1);
	check_place(&f, begin, sizeof set, "absent", -1);
	check_place(&f, begin, 6, "xb", -1);
	check_place(&f, begin, 7, "xb", 6);
	check_place(&f, begin, 1000000, "z", (int64_t)sizeof set + 4);
	check_place(&f, UINT32_MAX - 1, 1, "z", -1);
	finish(&f);
}

/* ---- recovery ---- */

/* The errors as "line:column check" in one line, and how many types were
 * declared after all. */
static void check_recovery(const char *text, const char *expected, uint32_t types)
{
	struct fixture f;
	char shown[500] = "";
	struct place_cursor cursor = {0};
	size_t len = 0;

	parse(&f, text);
	for (uint32_t i = 0; i < f.diags.list.n && len < sizeof shown; i++) {
		const struct diag *d = &f.diags.list.at[i];
		struct place place = place_of(&f.sources, &cursor, d->loc.begin);

		if (d->severity == SEV_ERROR)
			len += (size_t)snprintf(shown + len, sizeof shown - len, "%s%u:%u %s", len ? ", " : "",
						place.row, place.col, d->check);
	}
	CU_ASSERT_STRING_EQUAL(shown, expected);
	CU_ASSERT_EQUAL(f.ast.types.n, types);
	if (strcmp(shown, expected) != 0 || f.ast.types.n != types) {
		report_case(&f, text, expected);
		fprintf(stderr, "%u types, not %u\n", f.ast.types.n, types);
	}
	finish(&f);
}

#define ONE_LINE "class c sid s class c { p } "

static void test_recovery(void)
{
	check_recovery(ONE_LINE "type a;\ntype b c;\ntype d;\ntype e f;\ntype g;\nrole r;" TAIL,
		       "2:8 syntax, 4:8 syntax", 3);
	/* the `;` is missing: go on at the next line */
	check_recovery(ONE_LINE "type a\ntype b;\nallow a b:c p\ntype d;" TAIL, "2:1 syntax, 4:1 syntax", 2);
	/* the `}` of a set is missing */
	check_recovery(ONE_LINE "type a;\nallow { a b\nallow a b:c p;\ntype d;" TAIL, "3:1 syntax", 2);
	check_recovery(ONE_LINE "type a;\nallow { a b;\ntype d;" TAIL, "2:12 syntax", 2);
	/* inside of a block */
	check_recovery(ONE_LINE "optional {\ntype a;\ntype b c;\ntype d;\n}\ntype e;" TAIL, "3:8 syntax", 3);
	check_recovery(ONE_LINE "optional {\ntype a b }\ntype e;" TAIL, "2:8 syntax", 1);
	/* a broken head takes its block along */
	check_recovery(ONE_LINE "if (b &&) {\nallow a b:c p;\n} else {\nallow a b:c p;\n}\ntype e;" TAIL, "1:37 syntax",
		       1);
	check_recovery(ONE_LINE "if b { } else x { allow { a b }:c p; }\ntype e;" TAIL, "1:43 syntax", 1);
	/* in requirements */
	check_recovery(ONE_LINE "optional { require {\ntype x y;\nclass c p;\n} type a; }\ntype e;" TAIL, "2:8 syntax",
		       2);
	/* a block that does not end */
	check_recovery(ONE_LINE "if b {\ntype a;\ntype c;\nrole r;" TAIL, "2:1 misplaced-statement, 6:1 syntax", 2);
	check_recovery(ONE_LINE "optional {\ntype a;\n", "3:1 syntax", 1);
	check_recovery(ONE_LINE "type a;\n}\ntype b;" TAIL, "2:1 syntax", 2);
}

static void test_keyword_names(void)
{
	check_recovery(ONE_LINE "type t1;\nattribute dom;\ntype b;\n" TAIL,
		       "1:34 keyword-as-name, 2:11 keyword-as-name", 1);
	check_recovery("class c sid s class c { p\nrange\nq }\ntype a;" TAIL, "2:1 keyword-as-name", 1);
	check_recovery(ONE_LINE "type a;\nallow a fork if;\ntype b;" TAIL, "2:14 syntax", 2);
}

static void test_macro_calls(void)
{
	check_recovery(ONE_LINE "type a;\nfiles_read(a_t, { b; c })\ntype b;\nx(y) x(z)\n" TAIL,
		       "2:1 unexpanded-macro, 4:1 unexpanded-macro, 4:6 unexpanded-macro", 2);
	check_recovery(ONE_LINE "type a;\nfiles_read(a_t\nallow a b:c p;\ntype b;" TAIL, "2:1 unexpanded-macro", 2);
	check_recovery(ONE_LINE "optional { x(y); }\ntype b;" TAIL, "1:40 unexpanded-macro", 1);
	check_recovery("class c sid s\nx(y)\nclass c { p } type a;" TAIL, "2:1 unexpanded-macro", 1);
	check_recovery(ONE_LINE "type a;\nalow a b:c p;\ntype b;" TAIL, "2:1 syntax", 2);
}

static void test_skipped(void)
{
	struct fixture f;

	parse(&f, ONE_LINE "type a;\ntype lost, x # comment\n y \"q\" z;\ntype b;" TAIL);
	CU_ASSERT_EQUAL(f.diags.errors, 1);
	CU_ASSERT_TRUE(ast_was_skipped(&f.ast, atom_find(&f.atoms, "lost", 4)));
	CU_ASSERT_TRUE(ast_was_skipped(&f.ast, atom_find(&f.atoms, "z", 1)));
	CU_ASSERT_FALSE(ast_was_skipped(&f.ast, atom_find(&f.atoms, "a", 1)));
	CU_ASSERT_FALSE(ast_was_skipped(&f.ast, atom_find(&f.atoms, "b", 1)));
	finish(&f);
}

/* ---- limits ---- */

static void repeat(struct buffer *b, const char *text, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		buffer_put(b, text, strlen(text));
}

static void check_nested(const char *before, const char *open, const char *middle, const char *close, const char *after,
			 uint32_t n, const char *check)
{
	struct buffer b = {0};

	repeat(&b, before, 1);
	repeat(&b, open, n);
	repeat(&b, middle, 1);
	repeat(&b, close, n);
	buffer_put(&b, after, strlen(after) + 1);
	check_policy((const char *)b.at, open, check);
	buffer_free(&b);
}

static void test_nesting(void)
{
	static const uint32_t depths[] = {200, 1000, 100000};

	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
		uint32_t n = depths[i];
		const char *check = n > PARSE_MAX_DEPTH ? "nesting-depth" : NULL;

		check_nested(HEAD TE "allow { ", "{ ", "ta", "} ", "} ta:c1 p1;\n" TAIL, n, check);
		check_nested(HEAD TE "allowxperm ta tb:c1 ioctl { ", "{ ", "1", "} ", "};\n" TAIL, n, check);
		check_nested(HEAD TE "if ", "(", "b1", ")", "{ }\n" TAIL, n, check);
		check_nested(HEAD TE "if ", "!", "b1", "", "{ }\n" TAIL, n, check);
		check_nested(HEAD TE "if ", "b1 or b1 xor b1 and b1 == (", "b1", ")", "{ }\n" TAIL, n, check);
		check_nested(HEAD TE USERS "constrain c1 p1 ", "(", "u1 == u2", ")", ";\n" SID_CONTEXTS, n, check);
		check_nested(HEAD TE USERS "constrain c1 p1 ", "not u1 == u2 or not (", "u1 == u2", ")",
			     ";\n" SID_CONTEXTS, n / 2, n > PARSE_MAX_DEPTH ? "nesting-depth" : NULL);
		check_nested(HEAD TE, "optional { type x; ", "", "}\n", TAIL, n, check);
		check_nested(HEAD TE, "optional { type x; } else { ", ";", "}\n", TAIL, n, check);
		check_nested(HEAD TE "if b1 ", "or b1 ", "{ }", "", "\n" TAIL, n, NULL);
		check_nested(HEAD TE "type x", ", a1", ";", "", "\n" TAIL, n, NULL);
	}
}

static void test_many_errors(void)
{
	enum { ERRORS = 100000 };
	struct buffer b = {0};
	struct fixture f;

	repeat(&b, ONE_LINE, 1);
	repeat(&b, "type a b; allow { x;\n", ERRORS);
	buffer_put(&b, TAIL, sizeof TAIL);
	parse(&f, (const char *)b.at);
	CU_ASSERT_EQUAL(f.diags.errors, 2 * ERRORS);
	CU_ASSERT_EQUAL(f.ast.users.n, 1);
	finish(&f);
	buffer_free(&b);
}

/* Two files end in one AST. */
static void test_two_files(void)
{
	struct fixture f;
	static const char second[] = HEAD TE "optional { type x; }" TAIL;
	const struct source *source;

	parse(&f, HEAD TE "optional { type y; }" TAIL);
	source = sources_add(&f.sources, "second", second, strlen(second), &f.diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(source);
	CU_ASSERT_TRUE(parse_policy(&f.ast, &f.sources, source, &f.atoms, &f.diags));
	CU_ASSERT_EQUAL(f.ast.types.n, 6);
	CU_ASSERT_EQUAL(f.ast.types.at[5].block, 2);
	CU_ASSERT_TRUE(f.ast.types.at[5].loc.begin > source->base);
	finish(&f);
}

void suite_parser(void)
{
	CU_pSuite suite = CU_add_suite("parser", NULL, NULL);

	CU_add_test(suite, "section 7", test_section_7);
	CU_add_test(suite, "constraints", test_constraints);
	CU_add_test(suite, "labels", test_labels);
	CU_add_test(suite, "sections", test_sections);
	CU_add_test(suite, "MLS part", test_mls_part);
	CU_add_test(suite, "defaults", test_defaults);
	CU_add_test(suite, "module source", test_module_source);
	CU_add_test(suite, "AST of declarations", test_ast_declarations);
	CU_add_test(suite, "AST of rules", test_ast_rules);
	CU_add_test(suite, "AST of blocks", test_ast_blocks);
	CU_add_test(suite, "conditions", test_conditions);
	CU_add_test(suite, "AST of constraints", test_ast_constraints);
	CU_add_test(suite, "AST of labels", test_ast_labels);
	CU_add_test(suite, "set ids", test_set_ids);
	CU_add_test(suite, "places", test_places);
	CU_add_test(suite, "recovery", test_recovery);
	CU_add_test(suite, "keywords as names", test_keyword_names);
	CU_add_test(suite, "macro calls", test_macro_calls);
	CU_add_test(suite, "skipped text", test_skipped);
	CU_add_test(suite, "nesting", test_nesting);
	CU_add_test(suite, "many errors", test_many_errors);
	CU_add_test(suite, "two files", test_two_files);
}
