/* Bounds of types, roles and users, on small policies made by hand. */
#include <string.h>

#include <CUnit/CUnit.h>

#include "tests/rules_fixture.h"
#include "tests/suites.h"

static uint32_t bound_errors(struct fixture *f)
{
	diags_free(&f->diags);
	check_bounds(&f->c);
	return f->diags.errors;
}

static void bounds_of_types(void)
{
	struct fixture f;

	rules_setup(&f);
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &f.p->rules, {TD, TC, FILE_CLASS, AV_ALLOWED, READ}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 2);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "type `tb` exceeds its parent `td`: allow `tb` { `ta` `tb` }:`file` { read write }");
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 1), "type `tb` exceeds its parent `td`: allow `tb` `tc`:`file` { write }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds");
	CU_ASSERT(rules_has_note(&f, "`tb` is bounded by `td`, so `td` needs it on `td`"));
	RULES(&f, &f.p->rules, {TD, TA, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TD, TC, FILE_CLASS, AV_ALLOWED, READ},
	      {TD, TD, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "type `tb` exceeds its parent `td`: allow `tb` `tc`:`file` { write }");
	RULES(&f, &f.p->rules, {TC, TB, FILE_CLASS, AV_ALLOWED, READ}, {TB, TC, FILE_CLASS, AV_AUDITALLOW, WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 0); /* only what the child does, only allow */
	rules_teardown(&f);
}

static void bounds_and_conditionals(void)
{
	static const struct policy_rule child = {TB, TC, FILE_CLASS, AV_ALLOWED, WRITE};
	static const struct policy_rule parent = {TD, A2, FILE_CLASS, AV_ALLOWED, WRITE};
	struct fixture f;
	struct policy_cond *conds;

	rules_setup(&f);
	rules_add_conds(&f);
	conds = f.p->conds.at;
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &conds[0].yes, child);
	RULES(&f, &f.p->rules, parent);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, child, parent);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, parent);
	RULES(&f, &conds[0].no, child);
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, parent);
	RULES(&f, &f.p->rules, child);
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	RULES(&f, &conds[0].no, parent); /* both branches */
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	rules_teardown(&f);
}

static void bounds_of_roles_and_users(void)
{
	struct fixture f;

	rules_setup(&f);
	f.p->roles.n = 2;
	f.p->roles.at = arena_zalloc(&f.p->arena, 3, sizeof *f.p->roles.at);
	f.p->roles.at[1].name = "r";
	f.p->roles.at[2].name = "r.x";
	f.p->roles.at[2].bounds = 1;
	ebitmap_set(&f.p->roles.at[1].types, TA - 1);
	ebitmap_set_range(&f.p->roles.at[2].types, TA - 1, TC - 1);
	f.p->users.n = 2;
	f.p->users.at = arena_zalloc(&f.p->arena, 3, sizeof *f.p->users.at);
	f.p->users.at[1].name = "u.x";
	f.p->users.at[1].bounds = 2;
	f.p->users.at[2].name = "u";
	ebitmap_set(&f.p->users.at[1].roles, 0);
	CU_ASSERT_EQUAL(bound_errors(&f), 2);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "user `u.x` exceeds its parent `u` by the roles `r`");
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 1), "role `r.x` exceeds its parent `r` by the types `tb`, `tc`");
	ebitmap_set_range(&f.p->roles.at[1].types, TA - 1, TD - 1);
	ebitmap_set_range(&f.p->users.at[2].roles, 0, 1);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	rules_teardown(&f);
}

static void bounds_depth(void)
{
	struct fixture f;

	rules_setup(&f);
	f.p->types.at[TD].bounds = TC;
	f.p->types.at[TC].bounds = TB;
	f.p->types.at[TB].bounds = TA;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 0);
	f.p->types.at[A1].kind = POLICY_TYPE; /* a fifth one */
	f.p->types.at[TA].bounds = A1;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "the type `td` is bounded too deep for the kernel, which refuses the policy: "
			       "`td` in `tc` in `tb` in `ta` in `a1`");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds-depth");
	f.p->types.at[A1].bounds = TB;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "bounds of the type `ta` form a loop: `ta` in `a1` in `tb` in `ta`; "
			       "the kernel refuses the policy");
	f.p->types.at[A1].bounds = A1;
	f.p->types.at[TA].bounds = 0;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	rules_teardown(&f);
}

static void bounds_of_xperms(void)
{
	struct fixture f;

	rules_setup(&f);
	rules_add_records(&f);
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &f.p->rules, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {TB, TC, FILE_CLASS, AV_XALLOWED, 0},
	      {TB, TC, FILE_CLASS, AV_XALLOWED, 3}, {TD, TC, FILE_CLASS, AV_ALLOWED, IOCTL},
	      {TD, TC, FILE_CLASS, AV_XALLOWED, 0});
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "type `tb` exceeds its parent `td`: allowxperm `tb` `tc`:`file` ioctl { 0x601 }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds-xperm");
	f.p->rules.n = 4; /* a parent without records may all */
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 0);
	rules_teardown(&f);
}

/* A finding about a type is placed at the type. */
static void bounds_know_the_place(void)
{
	struct fixture f;
	struct atoms atoms;
	struct symbols *types;
	atom_t tb;

	rules_setup(&f);
	atoms_init(&atoms);
	tb = atom_intern(&atoms, "tb", 2);
	f.c.atoms = &atoms;
	types = &f.c.symbols[SYM_TYPE];
	types->by_atom = arena_zalloc(&f.c.arena, atoms.n, sizeof *types->by_atom);
	types->by_atom[tb] = 1;
	*vec_push(&types->at) = (struct symbol){0};
	*vec_push(&types->at) = (struct symbol){.name = tb, .loc = {7, 9}, .value = TB};
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &f.p->rules, {TB, TC, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	CU_ASSERT_EQUAL(f.diags.list.at[0].loc.begin, 7);
	vec_free(&types->at);
	atoms_free(&atoms);
	rules_teardown(&f);
}

void suite_bounds(void)
{
	static const struct { const char *name; void (*run)(void); } tests[] = {
		{"bounds of types", bounds_of_types},
		{"bounds and conditionals", bounds_and_conditionals},
		{"bounds of roles and users", bounds_of_roles_and_users},
		{"bounds too deep or looped", bounds_depth},
		{"bounds and extended permissions", bounds_of_xperms},
		{"bounds know the place of a type", bounds_know_the_place},
	};
	CU_pSuite suite = CU_add_suite("bounds", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
