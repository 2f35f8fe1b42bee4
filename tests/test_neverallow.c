/* neverallow and neverallowxperm, on small policies made by hand. */
#include <CUnit/CUnit.h>

#include "tests/rules_fixture.h"
#include "tests/suites.h"

static struct neverallow *forbid(struct fixture *f, uint32_t source, uint32_t target, uint32_t class,
				 uint32_t perms)
{
	struct neverallow *n = vec_push(&f->c.neverallows);

	*n = (struct neverallow){.loc = {10, 20}, .nclasses = 1};
	if (source)
		policy_types_of(f->p, source, &n->sources);
	if (target)
		policy_types_of(f->p, target, &n->targets);
	n->classes = arena_copy(&f->c.arena, &class, sizeof class);
	n->perms = arena_copy(&f->c.arena, &perms, sizeof perms);
	return n;
}

/* The number of errors of all neverallows. */
static uint32_t violations(struct fixture *f)
{
	diags_free(&f->diags);
	check_neverallows(&f->c);
	return f->diags.errors;
}

/* ---- neverallow ---- */

static void neverallow_merges_rules_of_a_pair(void)
{
	struct fixture f;

	rules_setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	forbid(&f, TA, TC, FILE_CLASS, WRITE | IOCTL);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallow violated: allow `ta` `tc`:`file` { write ioctl }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "neverallow");
	CU_ASSERT_EQUAL(f.diags.list.at[0].loc.begin, 10);
	rules_teardown(&f);
}

static void neverallow_kept(void)
{
	struct fixture f;

	rules_setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_AUDITALLOW, WRITE}, {TB, TC, FILE_CLASS, AV_ALLOWED, READ},
	      {TD, TC, FILE_CLASS, AV_ALLOWED, WRITE}, {TA, TC, SOCKET_CLASS, AV_ALLOWED, WRITE});
	forbid(&f, A1, A2, FILE_CLASS, WRITE);
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

/* self is checked beside the other targets, not instead of them. */
static void neverallow_self_and_others(void)
{
	struct fixture f;

	rules_setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	forbid(&f, A2, TC, FILE_CLASS, READ)->self = true;
	CU_ASSERT_EQUAL(violations(&f), 1);
	RULES(&f, &f.p->rules, {A1, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "neverallow violated: allow { `ta` `tb` } self:`file` { read } (2 pairs of types)");
	RULES(&f, &f.p->rules, {TA, TB, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

static void neverallow_not_self(void)
{
	struct fixture f;
	struct neverallow *n;

	rules_setup(&f);
	n = forbid(&f, A2, A2, FILE_CLASS, READ);
	n->not_self = true;
	RULES(&f, &f.p->rules, {TA, TA, FILE_CLASS, AV_ALLOWED, READ}, {TB, TB, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	RULES(&f, &f.p->rules, {TA, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallow violated: allow `ta` `tb`:`file` { read }");
	RULES(&f, &f.p->rules, {A1, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallow violated: allow `ta` `tb`:`file` { read }, and the same for 1 more "
					       "pair of types");
	CU_ASSERT(rules_has_note(&f, "the sources are { `ta` `tb` }, the targets { `ta` `tb` }"));
	ebitmap_free(&n->targets); /* { T -self } with no types in T */
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

static void neverallow_counts_conditional_rules(void)
{
	struct fixture f;

	rules_setup(&f);
	rules_add_conds(&f);
	RULES(&f, &f.p->conds.at[1].no, {TA, TC, FILE_CLASS, AV_ALLOWED, WRITE});
	forbid(&f, TA, TC, FILE_CLASS, WRITE);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT(rules_has_note(&f, "`{ write }` is granted while `!b2` is false"));
	rules_teardown(&f);
}

/* Each of n types may read each. */
static void use_many_types(struct fixture *f, uint32_t n)
{
	f->p->types.at = arena_zalloc(&f->p->arena, n + 2, sizeof *f->p->types.at);
	f->p->types.n = n + 1;
	for (uint32_t v = 1; v <= n; v++)
		f->p->types.at[v] = (struct policy_type){.name = "t", .kind = POLICY_TYPE};
	f->p->types.at[n + 1] = (struct policy_type){.name = "all", .kind = POLICY_ATTRIBUTE};
	ebitmap_set_range(&f->p->types.at[n + 1].types, 0, n - 1);
	RULES(f, &f->p->rules, {(uint16_t)(n + 1), (uint16_t)(n + 1), FILE_CLASS, AV_ALLOWED, READ});
}

/* One rule is one finding, however many pairs it makes. */
static void neverallow_counts_pairs(void)
{
	struct fixture f;

	rules_setup(&f);
	for (uint32_t v = A1; v <= A2; v++)
		ebitmap_free(&f.p->types.at[v].types);
	use_many_types(&f, 200);
	forbid(&f, 201, 201, FILE_CLASS, READ)->not_self = true;
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallow violated: allow `t` `t`:`file` { read }, and the same for 39799 more "
					       "pairs of types");
	rules_teardown(&f);
}

/* Each of n types may read itself, by a rule of its own. */
static void use_many_rules(struct fixture *f, uint32_t n)
{
	struct policy_rule *rules = arena_alloc(&f->p->arena, n * sizeof *rules);

	use_many_types(f, n);
	for (uint32_t i = 0; i < n; i++)
		rules[i] = (struct policy_rule){(uint16_t)(i + 1), (uint16_t)(i + 1), FILE_CLASS, AV_ALLOWED, READ};
	f->p->rules.at = rules;
	f->p->rules.n = n;
}

static void neverallow_counts_the_rest(void)
{
	struct fixture f;

	rules_setup(&f);
	for (uint32_t v = A1; v <= A2; v++)
		ebitmap_free(&f.p->types.at[v].types);
	use_many_rules(&f, 250);
	forbid(&f, 251, 251, FILE_CLASS, READ);
	CU_ASSERT_EQUAL(violations(&f), 101);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 100), "violated by 150 more pairs of types");
	rules_teardown(&f);
}

/* ---- neverallowxperm ---- */

static struct neverallow *forbid_values(struct fixture *f, uint32_t source, uint32_t target, uint32_t low,
					uint32_t high)
{
	struct neverallow *n = forbid(f, source, target, FILE_CLASS, IOCTL);

	n->xperm = true;
	ebitmap_set_range(&n->values, low, high);
	return n;
}

static void xperm_without_record(void)
{
	struct fixture f;

	rules_setup(&f);
	rules_add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | IOCTL});
	forbid_values(&f, TA, TC, 0x10, 0xffff);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "neverallowxperm violated: allow `ta` `tc`:`file` { ioctl } with no allowxperm rule "
			       "that limits it, so all values are allowed");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "neverallowxperm");
	CU_ASSERT(rules_has_note(&f, "to satisfy it, allow only values like `allowxperm ta tc:file ioctl { 0x0-0xf };`"));
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

/* A record applies whatever attributes it names the pair by. */
static void xperm_records_through_attributes(void)
{
	struct fixture f;

	rules_setup(&f);
	rules_add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {A1, A2, FILE_CLASS, AV_XALLOWED, 0});
	forbid_values(&f, A1, A2, 0x513, 0x5ff);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x513 }");
	rules_forget_neverallows(&f);
	forbid_values(&f, A1, A2, 0x514, 0x5ff);
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

static void xperm_driver_record(void)
{
	struct fixture f;

	rules_setup(&f);
	rules_add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {TA, TC, FILE_CLASS, AV_XALLOWED, 1});
	forbid_values(&f, TA, TC, 0x5fe, 0x601);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x5fe-0x5ff }");
	rules_forget_neverallows(&f);
	forbid_values(&f, TA, TC, 0x600, 0x6ff);
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

static void xperm_nlmsg_is_apart(void)
{
	struct fixture f;
	struct neverallow *n;

	rules_setup(&f);
	rules_add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, SOCKET_CLASS, AV_ALLOWED, SOCKET_IOCTL | NLMSG},
	      {TA, TC, SOCKET_CLASS, AV_XALLOWED, 2});
	n = forbid(&f, TA, TC, SOCKET_CLASS, SOCKET_IOCTL);
	n->xperm = true;
	ebitmap_set(&n->values, 7);
	CU_ASSERT_EQUAL(violations(&f), 1);
	n->perms[0] = NLMSG;
	n->nlmsg = true;
	CU_ASSERT_EQUAL(violations(&f), 0);
	ebitmap_set(&n->values, 0x10);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0),
			       "neverallowxperm violated: allowxperm `ta` `tc`:`socket` nlmsg { 0x10 }");
	rules_teardown(&f);
}

#define GRANT {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}
#define RECORD {TA, TC, FILE_CLASS, AV_XALLOWED, 0}

static void xperm_conditional_grant(void)
{
	struct fixture f;
	struct policy_cond *conds;

	rules_setup(&f);
	rules_add_records(&f);
	rules_add_conds(&f);
	conds = f.p->conds.at;
	forbid_values(&f, TA, TC, 0, 0xff);
	RULES(&f, &conds[0].yes, GRANT, RECORD); /* the same branch */
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &conds[0].no, RECORD); /* the other branch */
	CU_ASSERT_EQUAL(violations(&f), 1);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &f.p->rules, RECORD); /* an unconditional record does not limit it */
	CU_ASSERT_EQUAL(violations(&f), 1);
	rules_clear(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &conds[1].yes, RECORD);
	RULES(&f, &conds[1].no, RECORD); /* one of these is always on */
	CU_ASSERT_EQUAL(violations(&f), 0);
	rules_teardown(&f);
}

static void xperm_unconditional_grant(void)
{
	struct fixture f;
	struct policy_cond *conds;

	rules_setup(&f);
	rules_add_records(&f);
	rules_add_conds(&f);
	conds = f.p->conds.at;
	forbid_values(&f, TA, TC, 0, 0xff);
	RULES(&f, &f.p->rules, GRANT);
	RULES(&f, &conds[0].yes, RECORD);
	CU_ASSERT_EQUAL(violations(&f), 1);
	RULES(&f, &conds[0].no, {A1, A2, FILE_CLASS, AV_XALLOWED, 3});
	CU_ASSERT_EQUAL(violations(&f), 0);
	ebitmap_set(&f.c.neverallows.at[0].values, 0x601); /* a conditional record that allows too much */
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(rules_finding(&f, 0), "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x601 }");
	rules_teardown(&f);
}

void suite_neverallow(void)
{
	static const struct { const char *name; void (*run)(void); } tests[] = {
		{"neverallow merges the rules of a pair", neverallow_merges_rules_of_a_pair},
		{"neverallow that is kept", neverallow_kept},
		{"neverallow on self and others", neverallow_self_and_others},
		{"neverallow with -self", neverallow_not_self},
		{"neverallow and conditional rules", neverallow_counts_conditional_rules},
		{"neverallow counts the pairs of a rule", neverallow_counts_pairs},
		{"neverallow counts what it does not report", neverallow_counts_the_rest},
		{"neverallowxperm without a record", xperm_without_record},
		{"neverallowxperm with records through attributes", xperm_records_through_attributes},
		{"neverallowxperm with a driver record", xperm_driver_record},
		{"neverallowxperm keeps nlmsg apart", xperm_nlmsg_is_apart},
		{"neverallowxperm of a conditional grant", xperm_conditional_grant},
		{"neverallowxperm of an unconditional grant", xperm_unconditional_grant},
	};
	CU_pSuite suite = CU_add_suite("neverallow", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
