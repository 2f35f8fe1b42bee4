/* What --dump-ir prints, of small policies made by hand. */
#include <string.h>

#include <CUnit/CUnit.h>

#include "base/buffer.h"
#include "tests/rules_fixture.h"
#include "tests/suites.h"

static void add_constraint(struct fixture *f)
{
	struct policy_constraint *constraint = arena_zalloc(&f->p->arena, 1, sizeof *constraint);
	struct policy_cexpr *e = arena_zalloc(&f->p->arena, 6, sizeof *e);

	e[0] = (struct policy_cexpr){.kind = CEXPR_ATTR, .attr = CEXPR_USER, .op = CEXPR_EQ};
	e[1] = (struct policy_cexpr){.kind = CEXPR_NAMES, .attr = CEXPR_TYPE | CEXPR_TARGET, .op = CEXPR_NEQ};
	ebitmap_set_range(&e[1].names, TA - 1, TB - 1);
	e[2] = (struct policy_cexpr){.kind = CEXPR_NOT};
	e[3] = (struct policy_cexpr){.kind = CEXPR_AND};
	e[4] = (struct policy_cexpr){.kind = CEXPR_ATTR, .attr = CEXPR_L1H2, .op = CEXPR_DOM};
	e[5] = (struct policy_cexpr){.kind = CEXPR_OR};
	*constraint = (struct policy_constraint){.perms = READ, .expr = e, .nexpr = 6};
	f->p->classes.at[FILE_CLASS].constraints.at = constraint;
	f->p->classes.at[FILE_CLASS].constraints.n = 1;
}

static void add_mls(struct fixture *f)
{
	static const struct policy_cat cats[] = {{0}, {"c0"}, {"c1"}, {"c2"}, {"c3"}};
	static const struct policy_user users[] = {{0}, {.name = "u"}};
	static const struct policy_role roles[] = {{0}, {.name = "object_r"}, {.name = "r"}};
	static const struct policy_port port = {6, 1, 1023, {.user = 1, .role = 1, .type = TC}};

	f->p->mls = true;
	f->p->sens.n = 1;
	f->p->sens.at = arena_zalloc(&f->p->arena, 2, sizeof *f->p->sens.at);
	f->p->sens.at[1].name = "s0";
	ebitmap_set_range(&f->p->sens.at[1].cats, 0, 3);
	f->p->cats.n = 4;
	f->p->cats.at = rules_copy(f, cats, sizeof cats);
	f->p->roles.n = 2;
	f->p->roles.at = rules_copy(f, roles, sizeof roles);
	ebitmap_set(&f->p->roles.at[2].types, TA - 1);
	f->p->users.n = 1;
	f->p->users.at = rules_copy(f, users, sizeof users);
	ebitmap_set(&f->p->users.at[1].roles, 1);
	f->p->users.at[1].level.sens = f->p->users.at[1].range.low.sens = f->p->users.at[1].range.high.sens = 1;
	ebitmap_set_range(&f->p->users.at[1].range.high.cats, 0, 2);
	f->p->ports.n = 1;
	f->p->ports.at = rules_copy(f, &port, sizeof port);
	f->p->ports.at[0].context.range.low.sens = f->p->ports.at[0].context.range.high.sens = 1;
	ebitmap_set_range(&f->p->ports.at[0].context.range.low.cats, 1, 2);
	ebitmap_set_range(&f->p->ports.at[0].context.range.high.cats, 1, 2);
}

static void dump_of_a_policy(void)
{
	static const char expected[] =
		"target selinux;\n"
		"mls;\n"
		"handle_unknown deny;\n"
		"class file { read write ioctl };\n"
		"class socket { send nlmsg ioctl };\n"
		"sensitivity s0;\n"
		"category c0;\ncategory c1;\ncategory c2;\ncategory c3;\n"
		"level s0:c0.c3;\n"
		"type ta alias { tx };\ntype tb;\ntype tc;\ntype td;\n"
		"attribute a1;\nattribute a2;\nattribute a3;\n"
		"typeattribute ta a1 a2;\ntypeattribute tb a1 a2;\ntypeattribute tc a2;\n"
		"typebounds ta tb;\n"
		"permissive td;\n"
		"bool b1 true;\nbool b2 false;\n"
		"role object_r;\nrole r types { ta };\n"
		"user u roles { r } level s0 range s0 - s0:c0.c2;\n"
		"mlsconstrain file { read } ((u1 == u2 and not t2 != { ta tb }) or l1 dom h2);\n"
		"allow ta tb:file { read write };\n"
		"type_transition ta tb:file tc;\n"
		"allowxperm a1 tb:file ioctl { 0x512-0x513 };\n"
		"if (b1) {\n"
		"\tdontaudit ta a2:file { write };\n"
		"}\n"
		"if (!b2) {\n"
		"} else {\n"
		"\tallow ta a2:socket { nlmsg };\n"
		"}\n"
		"portcon tcp 1-1023 u:object_r:tc:s0:c1,c2;\n";
	static const struct policy_alias alias = {"tx", TA};
	struct fixture f;
	struct buffer b = {0};

	rules_setup(&f);
	rules_add_conds(&f);
	rules_add_records(&f);
	add_constraint(&f);
	add_mls(&f);
	f.p->type_aliases.n = 1;
	f.p->type_aliases.at = rules_copy(&f, &alias, sizeof alias);
	f.p->types.at[TB].bounds = TA;
	f.p->types.at[TD].permissive = true;
	RULES(&f, &f.p->rules, {TA, TB, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TA, TB, FILE_CLASS, AV_TRANSITION, TC},
	      {A1, TB, FILE_CLASS, AV_XALLOWED, 0});
	RULES(&f, &f.p->conds.at[0].yes, {TA, A2, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)WRITE});
	RULES(&f, &f.p->conds.at[1].no, {TA, A2, SOCKET_CLASS, AV_ALLOWED, NLMSG});
	ir_dump(f.p, &b);
	buffer_put(&b, "", 1);
	CU_ASSERT_STRING_EQUAL((const char *)b.at, expected);
	buffer_free(&b);
	rules_teardown(&f);
}

/* Precedence is all in the parentheses. */
static void dump_of_conditions(void)
{
	static const struct policy_cond_expr expr[] = { /* !(b1 && b2) ^ (b1 == !b2) */
		{COND_BOOL, 1}, {COND_BOOL, 2}, {COND_AND, 0}, {COND_NOT, 0}, {COND_BOOL, 1}, {COND_BOOL, 2},
		{COND_NOT, 0}, {COND_EQ, 0}, {COND_XOR, 0},
	};
	struct fixture f;
	struct buffer b = {0};

	rules_setup(&f);
	rules_add_conds(&f);
	f.p->conds.n = 1;
	f.p->conds.at[0].expr = rules_copy(&f, expr, sizeof expr);
	f.p->conds.at[0].nexpr = sizeof expr / sizeof *expr;
	ir_dump(f.p, &b);
	buffer_put(&b, "", 1);
	CU_ASSERT_PTR_NOT_NULL(strstr((const char *)b.at, "\nif (!(b1 && b2) ^ (b1 == !b2)) {\n}\n"));
	buffer_free(&b);
	rules_teardown(&f);
}

void suite_dump(void)
{
	static const struct { const char *name; void (*run)(void); } tests[] = {
		{"dump of a policy", dump_of_a_policy},
		{"dump of conditions", dump_of_conditions},
	};
	CU_pSuite suite = CU_add_suite("dump", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
