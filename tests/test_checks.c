/* The checks of the whole policy, -O, -S and the dump, on small policies made
 * by hand. */
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "ir/internal.h"
#include "tests/suites.h"

/* ---- a small policy ---- */

enum { TA = 1, TB, TC, TD, A1, A2, A3, NTYPES = A3 };
enum { FILE_CLASS = 1, SOCKET_CLASS, NCLASSES = SOCKET_CLASS };
enum { READ = 1, WRITE = 2, IOCTL = 4 };          /* of class file */
enum { SEND = 1, NLMSG = 2, SOCKET_IOCTL = 4 };   /* of class socket */

/* A policy under construction and the compile around it. */
struct fixture {
	struct policy *p;
	struct ast ast;
	struct diags diags;
	struct compile c;
};

static const struct policy_class classes[] = {
	[FILE_CLASS] = {.name = "file", .nperms = 3, .perms = {"read", "write", "ioctl"}},
	[SOCKET_CLASS] = {.name = "socket", .nperms = 3, .perms = {"send", "nlmsg", "ioctl"}},
};

static void *copy(struct fixture *f, const void *from, size_t size)
{
	return arena_copy(&f->p->arena, from, size);
}

static void add_types(struct fixture *f)
{
	static const char *const names[] = {[TA] = "ta", "tb", "tc", "td", "a1", "a2", "a3"};

	f->p->types.n = NTYPES;
	f->p->types.at = arena_zalloc(&f->p->arena, NTYPES + 1, sizeof *f->p->types.at);
	for (uint32_t v = 1; v <= NTYPES; v++) {
		f->p->types.at[v].name = names[v];
		f->p->types.at[v].kind = v < A1 ? POLICY_TYPE : POLICY_ATTRIBUTE;
	}
}

/* Types ta to td and attributes: a1 of ta and tb, a2 of ta, tb and tc, a3 of none. */
static void setup(struct fixture *f)
{
	static const struct policy_bool bools[] = {{0}, {"b1", true}, {"b2", false}};

	memset(f, 0, sizeof *f);
	f->p = policy_new();
	f->c.policy = f->p;
	f->c.ast = &f->ast;
	f->c.diags = &f->diags;
	add_types(f);
	ebitmap_set_range(&f->p->types.at[A1].types, TA - 1, TB - 1);
	ebitmap_set_range(&f->p->types.at[A2].types, TA - 1, TC - 1);
	f->p->classes.n = NCLASSES;
	f->p->classes.at = copy(f, classes, sizeof classes);
	f->p->bools.n = 2;
	f->p->bools.at = copy(f, bools, sizeof bools);
}

static void forget_neverallows(struct fixture *f)
{
	for (uint32_t i = 0; i < f->c.neverallows.n; i++) {
		ebitmap_free(&f->c.neverallows.at[i].sources);
		ebitmap_free(&f->c.neverallows.at[i].targets);
		ebitmap_free(&f->c.neverallows.at[i].values);
	}
	vec_free(&f->c.neverallows);
}

static void teardown(struct fixture *f)
{
	forget_neverallows(f);
	origins_free(&f->c);
	arena_free(&f->c.arena);
	policy_free(f->p);
	diags_free(&f->diags);
}

#define RULES(f, list, ...) \
	set_rules(f, list, (const struct policy_rule[]){__VA_ARGS__}, \
		  sizeof((const struct policy_rule[]){__VA_ARGS__}) / sizeof(struct policy_rule))

static void set_rules(struct fixture *f, policy_rules *list, const struct policy_rule *rules, size_t n)
{
	list->at = copy(f, rules, n * sizeof *rules);
	list->n = (uint32_t)n;
}

/* Conditionals on b1 (the first) and !b2. */
static void add_conds(struct fixture *f)
{
	static const struct policy_cond_expr b1[] = {{COND_BOOL, 1}}, not_b2[] = {{COND_BOOL, 2}, {COND_NOT, 0}};

	f->p->conds.n = 2;
	f->p->conds.at = arena_zalloc(&f->p->arena, 2, sizeof *f->p->conds.at);
	f->p->conds.at[0].expr = copy(f, b1, sizeof b1);
	f->p->conds.at[0].nexpr = 1;
	f->p->conds.at[1].expr = copy(f, not_b2, sizeof not_b2);
	f->p->conds.at[1].nexpr = 2;
}

/* Records: 0 ioctl 0x0512 0x0513; 1 all of driver 5; 2 nlmsg 0x0010; 3 ioctl 0x0601. */
static void add_records(struct fixture *f)
{
	static const struct policy_xperms records[] = {
		{XPERM_IOCTL_FUNCTION, 5, {0x000c0000}},
		{XPERM_IOCTL_DRIVER, 0, {1 << 5}},
		{XPERM_NLMSG, 0, {1 << 16}},
		{XPERM_IOCTL_FUNCTION, 6, {1 << 1}},
	};

	f->p->xperms.n = 4;
	f->p->xperms.at = copy(f, records, sizeof records);
}

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

/* ---- findings ---- */

/* The text of finding i, "" when there are not so many. */
static const char *finding(const struct fixture *f, uint32_t i)
{
	for (uint32_t k = 0; k < f->diags.list.n; k++) {
		if (f->diags.list.at[k].check && !i--)
			return f->diags.list.at[k].text;
	}
	return "";
}

static bool has_note(const struct fixture *f, const char *text)
{
	for (uint32_t i = 0; i < f->diags.list.n; i++) {
		if (!f->diags.list.at[i].check && !strcmp(f->diags.list.at[i].text, text))
			return true;
	}
	return false;
}

static void forget_findings(struct fixture *f)
{
	diags_free(&f->diags);
}

/* The number of errors of all neverallows. */
static uint32_t violations(struct fixture *f)
{
	forget_findings(f);
	check_neverallows(&f->c);
	return f->diags.errors;
}

/* ---- neverallow ---- */

static void neverallow_merges_rules_of_a_pair(void)
{
	struct fixture f;

	setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	forbid(&f, TA, TC, FILE_CLASS, WRITE | IOCTL);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallow violated: allow `ta` `tc`:`file` { write ioctl }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "neverallow");
	CU_ASSERT_EQUAL(f.diags.list.at[0].loc.begin, 10);
	teardown(&f);
}

static void neverallow_kept(void)
{
	struct fixture f;

	setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_AUDITALLOW, WRITE}, {TB, TC, FILE_CLASS, AV_ALLOWED, READ},
	      {TD, TC, FILE_CLASS, AV_ALLOWED, WRITE}, {TA, TC, SOCKET_CLASS, AV_ALLOWED, WRITE});
	forbid(&f, A1, A2, FILE_CLASS, WRITE);
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

/* self is checked beside the other targets, not instead of them. */
static void neverallow_self_and_others(void)
{
	struct fixture f;

	setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	forbid(&f, A2, TC, FILE_CLASS, READ)->self = true;
	CU_ASSERT_EQUAL(violations(&f), 1);
	RULES(&f, &f.p->rules, {A1, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "neverallow violated: allow { `ta` `tb` } self:`file` { read } (2 pairs of types)");
	RULES(&f, &f.p->rules, {TA, TB, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

static void neverallow_not_self(void)
{
	struct fixture f;
	struct neverallow *n;

	setup(&f);
	n = forbid(&f, A2, A2, FILE_CLASS, READ);
	n->not_self = true;
	RULES(&f, &f.p->rules, {TA, TA, FILE_CLASS, AV_ALLOWED, READ}, {TB, TB, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	RULES(&f, &f.p->rules, {TA, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallow violated: allow `ta` `tb`:`file` { read }");
	RULES(&f, &f.p->rules, {A1, A1, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallow violated: allow `ta` `tb`:`file` { read }, and the same for 1 more "
					       "pair of types");
	CU_ASSERT(has_note(&f, "the sources are { `ta` `tb` }, the targets { `ta` `tb` }"));
	ebitmap_free(&n->targets); /* { T -self } with no types in T */
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

static void neverallow_counts_conditional_rules(void)
{
	struct fixture f;

	setup(&f);
	add_conds(&f);
	RULES(&f, &f.p->conds.at[1].no, {TA, TC, FILE_CLASS, AV_ALLOWED, WRITE});
	forbid(&f, TA, TC, FILE_CLASS, WRITE);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT(has_note(&f, "`{ write }` is granted while `!b2` is false"));
	teardown(&f);
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

	setup(&f);
	for (uint32_t v = A1; v <= A2; v++)
		ebitmap_free(&f.p->types.at[v].types);
	use_many_types(&f, 200);
	forbid(&f, 201, 201, FILE_CLASS, READ)->not_self = true;
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallow violated: allow `t` `t`:`file` { read }, and the same for 39799 more "
					       "pairs of types");
	teardown(&f);
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

	setup(&f);
	for (uint32_t v = A1; v <= A2; v++)
		ebitmap_free(&f.p->types.at[v].types);
	use_many_rules(&f, 250);
	forbid(&f, 251, 251, FILE_CLASS, READ);
	CU_ASSERT_EQUAL(violations(&f), 101);
	CU_ASSERT_STRING_EQUAL(finding(&f, 100), "violated by 150 more pairs of types");
	teardown(&f);
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

	setup(&f);
	add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | IOCTL});
	forbid_values(&f, TA, TC, 0x10, 0xffff);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "neverallowxperm violated: allow `ta` `tc`:`file` { ioctl } with no allowxperm rule "
			       "that limits it, so all values are allowed");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "neverallowxperm");
	CU_ASSERT(has_note(&f, "to satisfy it, allow only values like `allowxperm ta tc:file ioctl { 0x0-0xf };`"));
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

/* A record applies whatever attributes it names the pair by. */
static void xperm_records_through_attributes(void)
{
	struct fixture f;

	setup(&f);
	add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {A1, A2, FILE_CLASS, AV_XALLOWED, 0});
	forbid_values(&f, A1, A2, 0x513, 0x5ff);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x513 }");
	forget_neverallows(&f);
	forbid_values(&f, A1, A2, 0x514, 0x5ff);
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

static void xperm_driver_record(void)
{
	struct fixture f;

	setup(&f);
	add_records(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {TA, TC, FILE_CLASS, AV_XALLOWED, 1});
	forbid_values(&f, TA, TC, 0x5fe, 0x601);
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x5fe-0x5ff }");
	forget_neverallows(&f);
	forbid_values(&f, TA, TC, 0x600, 0x6ff);
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

static void xperm_nlmsg_is_apart(void)
{
	struct fixture f;
	struct neverallow *n;

	setup(&f);
	add_records(&f);
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
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "neverallowxperm violated: allowxperm `ta` `tc`:`socket` nlmsg { 0x10 }");
	teardown(&f);
}

#define GRANT {TA, TC, FILE_CLASS, AV_ALLOWED, IOCTL}
#define RECORD {TA, TC, FILE_CLASS, AV_XALLOWED, 0}

static void clear_rules(struct fixture *f)
{
	f->p->rules.n = 0;
	for (uint32_t i = 0; i < f->p->conds.n; i++)
		f->p->conds.at[i].yes.n = f->p->conds.at[i].no.n = 0;
}

static void xperm_conditional_grant(void)
{
	struct fixture f;
	struct policy_cond *conds;

	setup(&f);
	add_records(&f);
	add_conds(&f);
	conds = f.p->conds.at;
	forbid_values(&f, TA, TC, 0, 0xff);
	RULES(&f, &conds[0].yes, GRANT, RECORD); /* the same branch */
	CU_ASSERT_EQUAL(violations(&f), 0);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &conds[0].no, RECORD); /* the other branch */
	CU_ASSERT_EQUAL(violations(&f), 1);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &f.p->rules, RECORD); /* an unconditional record does not limit it */
	CU_ASSERT_EQUAL(violations(&f), 1);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, GRANT);
	RULES(&f, &conds[1].yes, RECORD);
	RULES(&f, &conds[1].no, RECORD); /* one of these is always on */
	CU_ASSERT_EQUAL(violations(&f), 0);
	teardown(&f);
}

static void xperm_unconditional_grant(void)
{
	struct fixture f;
	struct policy_cond *conds;

	setup(&f);
	add_records(&f);
	add_conds(&f);
	conds = f.p->conds.at;
	forbid_values(&f, TA, TC, 0, 0xff);
	RULES(&f, &f.p->rules, GRANT);
	RULES(&f, &conds[0].yes, RECORD);
	CU_ASSERT_EQUAL(violations(&f), 1);
	RULES(&f, &conds[0].no, {A1, A2, FILE_CLASS, AV_XALLOWED, 3});
	CU_ASSERT_EQUAL(violations(&f), 0);
	ebitmap_set(&f.c.neverallows.at[0].values, 0x601); /* a conditional record that allows too much */
	CU_ASSERT_EQUAL(violations(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "neverallowxperm violated: allowxperm `ta` `tc`:`file` ioctl { 0x601 }");
	teardown(&f);
}

/* ---- bounds ---- */

static uint32_t bound_errors(struct fixture *f)
{
	forget_findings(f);
	check_bounds(&f->c);
	return f->diags.errors;
}

static void bounds_of_types(void)
{
	struct fixture f;

	setup(&f);
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &f.p->rules, {TD, TC, FILE_CLASS, AV_ALLOWED, READ}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 2);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "type `tb` exceeds its parent `td`: allow `tb` { `ta` `tb` }:`file` { read write }");
	CU_ASSERT_STRING_EQUAL(finding(&f, 1), "type `tb` exceeds its parent `td`: allow `tb` `tc`:`file` { write }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds");
	CU_ASSERT(has_note(&f, "`tb` is bounded by `td`, so `td` needs it on `td`"));
	RULES(&f, &f.p->rules, {TD, TA, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TD, TC, FILE_CLASS, AV_ALLOWED, READ},
	      {TD, TD, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {A1, A2, FILE_CLASS, AV_ALLOWED, READ | WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "type `tb` exceeds its parent `td`: allow `tb` `tc`:`file` { write }");
	RULES(&f, &f.p->rules, {TC, TB, FILE_CLASS, AV_ALLOWED, READ}, {TB, TC, FILE_CLASS, AV_AUDITALLOW, WRITE});
	CU_ASSERT_EQUAL(bound_errors(&f), 0); /* only what the child does, only allow */
	teardown(&f);
}

static void bounds_and_conditionals(void)
{
	static const struct policy_rule child = {TB, TC, FILE_CLASS, AV_ALLOWED, WRITE};
	static const struct policy_rule parent = {TD, A2, FILE_CLASS, AV_ALLOWED, WRITE};
	struct fixture f;
	struct policy_cond *conds;

	setup(&f);
	add_conds(&f);
	conds = f.p->conds.at;
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &conds[0].yes, child);
	RULES(&f, &f.p->rules, parent);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, child, parent);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, parent);
	RULES(&f, &conds[0].no, child);
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	clear_rules(&f);
	RULES(&f, &conds[0].yes, parent);
	RULES(&f, &f.p->rules, child);
	CU_ASSERT_EQUAL(bound_errors(&f), 1);
	RULES(&f, &conds[0].no, parent); /* both branches */
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	teardown(&f);
}

static void bounds_of_roles_and_users(void)
{
	struct fixture f;

	setup(&f);
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
	CU_ASSERT_STRING_EQUAL(finding(&f, 0), "user `u.x` exceeds its parent `u` by the roles `r`");
	CU_ASSERT_STRING_EQUAL(finding(&f, 1), "role `r.x` exceeds its parent `r` by the types `tb`, `tc`");
	ebitmap_set_range(&f.p->roles.at[1].types, TA - 1, TD - 1);
	ebitmap_set_range(&f.p->users.at[2].roles, 0, 1);
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	teardown(&f);
}

static void bounds_depth(void)
{
	struct fixture f;

	setup(&f);
	f.p->types.at[TD].bounds = TC;
	f.p->types.at[TC].bounds = TB;
	f.p->types.at[TB].bounds = TA;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 0);
	f.p->types.at[A1].kind = POLICY_TYPE; /* a fifth one */
	f.p->types.at[TA].bounds = A1;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "the type `td` is bounded too deep for the kernel, which refuses the policy: "
			       "`td` in `tc` in `tb` in `ta` in `a1`");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds-depth");
	f.p->types.at[A1].bounds = TB;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "bounds of the type `ta` form a loop: `ta` in `a1` in `tb` in `ta`; "
			       "the kernel refuses the policy");
	f.p->types.at[A1].bounds = A1;
	f.p->types.at[TA].bounds = 0;
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	teardown(&f);
}

static void bounds_of_xperms(void)
{
	struct fixture f;

	setup(&f);
	add_records(&f);
	f.p->types.at[TB].bounds = TD;
	RULES(&f, &f.p->rules, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL}, {TB, TC, FILE_CLASS, AV_XALLOWED, 0},
	      {TB, TC, FILE_CLASS, AV_XALLOWED, 3}, {TD, TC, FILE_CLASS, AV_ALLOWED, IOCTL},
	      {TD, TC, FILE_CLASS, AV_XALLOWED, 0});
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 1);
	CU_ASSERT_STRING_EQUAL(finding(&f, 0),
			       "type `tb` exceeds its parent `td`: allowxperm `tb` `tc`:`file` ioctl { 0x601 }");
	CU_ASSERT_STRING_EQUAL(f.diags.list.at[0].check, "bounds-xperm");
	f.p->rules.n = 4; /* a parent without records may all */
	CU_ASSERT_EQUAL(bound_errors(&f), 0);
	CU_ASSERT_EQUAL(f.diags.warnings, 0);
	teardown(&f);
}

/* A finding about a type is placed at the type. */
static void bounds_know_the_place(void)
{
	struct fixture f;
	struct atoms atoms;
	struct symbols *types;
	atom_t tb;

	setup(&f);
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
	teardown(&f);
}

/* ---- optimise ---- */

static void optimise_by_supersets(void)
{
	struct fixture f;
	policy_rules *rules;

	setup(&f);
	rules = &f.p->rules;
	RULES(&f, rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TA, TC, FILE_CLASS, AV_TRANSITION, TB},
	      {TB, TD, FILE_CLASS, AV_ALLOWED, READ}, {A1, TC, FILE_CLASS, AV_ALLOWED, READ | IOCTL},
	      {A2, A2, FILE_CLASS, AV_ALLOWED, READ}, {TA, TC, SOCKET_CLASS, AV_ALLOWED, READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 6);
	CU_ASSERT_EQUAL(rules->at[0].data, WRITE); /* a1 tc and a2 a2 have read */
	CU_ASSERT_EQUAL(rules->at[3].data, IOCTL);
	CU_ASSERT_EQUAL(rules->at[4].data, READ);
	rules->at[0].data = IOCTL;
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 5);
	CU_ASSERT_EQUAL(rules->at[0].kind, AV_TRANSITION);
	teardown(&f);
}

static void optimise_dontaudit(void)
{
	struct fixture f;

	setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)(READ | WRITE)},
	      {TB, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)READ}, {A1, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->rules.n, 2);
	CU_ASSERT_EQUAL(f.p->rules.at[0].data, ~(uint32_t)WRITE);
	CU_ASSERT_EQUAL(f.p->rules.at[1].source, A1);
	teardown(&f);
}

/* Attributes with the same types: one rule must stay. */
static void optimise_equal_attributes(void)
{
	struct fixture f;

	setup(&f);
	ebitmap_set_range(&f.p->types.at[A3].types, TA - 1, TB - 1);
	RULES(&f, &f.p->rules, {A1, TC, FILE_CLASS, AV_ALLOWED, READ}, {A3, TC, FILE_CLASS, AV_ALLOWED, READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->rules.n, 1);
	CU_ASSERT_EQUAL(f.p->rules.at[0].source, A3);
	teardown(&f);
}

static void optimise_conditionals(void)
{
	struct fixture f;
	struct policy_cond *conds;

	setup(&f);
	add_conds(&f);
	conds = f.p->conds.at;
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	RULES(&f, &conds[0].yes, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	RULES(&f, &conds[1].yes, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL},
	      {A1, A2, FILE_CLASS, AV_ALLOWED, IOCTL});
	RULES(&f, &conds[1].no, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->conds.n, 1);
	CU_ASSERT_EQUAL(f.p->conds.at[0].expr[0].boolean, 2);
	CU_ASSERT_EQUAL_FATAL(f.p->conds.at[0].yes.n, 2);
	CU_ASSERT_EQUAL(f.p->conds.at[0].yes.at[0].data, WRITE);
	CU_ASSERT_EQUAL(f.p->conds.at[0].yes.at[1].source, A1);
	CU_ASSERT_EQUAL(f.p->conds.at[0].no.n, 1); /* the other branch covers nothing */
	teardown(&f);
}

static void optimise_records(void)
{
	struct fixture f;
	policy_rules *rules;

	setup(&f);
	add_records(&f);
	f.p->xperms.at[3] = (struct policy_xperms){XPERM_IOCTL_FUNCTION, 5, {0x00180000}};
	rules = &f.p->rules;
	RULES(&f, rules, {TA, TC, FILE_CLASS, AV_XALLOWED, 0}, {TB, TC, FILE_CLASS, AV_XALLOWED, 0},
	      {TD, TC, FILE_CLASS, AV_XALLOWED, 0}, {A1, TC, FILE_CLASS, AV_XALLOWED, 3});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 4);
	CU_ASSERT_EQUAL(f.p->xperms.at[rules->at[0].data].perms[0], 0x00040000);
	CU_ASSERT_EQUAL(f.p->xperms.at[rules->at[2].data].perms[0], 0x000c0000); /* td shared the record */
	f.p->xperms.at[rules->at[3].data] = (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {1 << 5}};
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 2);
	CU_ASSERT_EQUAL(rules->at[0].source, TD);
	CU_ASSERT_EQUAL(rules->at[1].source, A1);
	CU_ASSERT_EQUAL(f.p->xperms.n, 2);
	teardown(&f);
}

/* ---- sort ---- */

static void sort_ports(void)
{
	static const struct policy_port ports[] = {
		{17, 80, 80, {.type = 1}}, {6, 1, 1023, {.type = 2}}, {6, 80, 80, {.type = 3}},
		{6, 443, 443, {.type = 4}}, {6, 80, 80, {.type = 5}},
	};
	static const uint32_t sorted[] = {3, 5, 1, 4, 2};
	struct fixture f;

	setup(&f);
	f.p->ports.n = 5;
	f.p->ports.at = copy(&f, ports, sizeof ports);
	policy_sort_labels(f.p);
	for (int i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(f.p->ports.at[i].context.type, sorted[i]);
	teardown(&f);
}

static void sort_names(void)
{
	static const struct policy_netif netifs[] = {
		{.name = "*"}, {.name = "wlan*"}, {.name = "eth1"}, {.name = "eth*"}, {.name = "eth?"}, {.name = "eth0"},
	};
	static const char *const sorted[] = {"eth0", "eth1", "wlan*", "eth?", "eth*", "*"};
	static const struct policy_fs_use fs_uses[] = {{2, "b", {0}}, {1, "z", {0}}, {2, "a", {0}}};
	struct fixture f;

	setup(&f);
	f.p->netifs.n = 6;
	f.p->netifs.at = copy(&f, netifs, sizeof netifs);
	f.p->fs_uses.n = 3;
	f.p->fs_uses.at = copy(&f, fs_uses, sizeof fs_uses);
	policy_sort_labels(f.p);
	for (int i = 0; i < 6; i++)
		CU_ASSERT_STRING_EQUAL(f.p->netifs.at[i].name, sorted[i]);
	CU_ASSERT_STRING_EQUAL(f.p->fs_uses.at[0].name, "z");
	CU_ASSERT_STRING_EQUAL(f.p->fs_uses.at[1].name, "a");
	teardown(&f);
}

static void sort_nodes(void)
{
	static const struct policy_node nodes[] = {
		{{10, 0, 0, 0}, {255, 0, 0, 0}, {0}},
		{{10, 1, 0, 0}, {255, 255, 0, 0}, {0}},
		{{10, 0, 0, 0}, {255, 255, 0, 0}, {0}},
	};
	struct fixture f;

	setup(&f);
	f.p->nodes.n = 3;
	f.p->nodes.at = copy(&f, nodes, sizeof nodes);
	policy_sort_labels(f.p);
	CU_ASSERT_EQUAL(f.p->nodes.at[0].address[1], 0);
	CU_ASSERT_EQUAL(f.p->nodes.at[1].address[1], 1);
	CU_ASSERT_EQUAL(f.p->nodes.at[2].mask[1], 0);
	teardown(&f);
}

/* ---- dump ---- */

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
	f->p->cats.at = copy(f, cats, sizeof cats);
	f->p->roles.n = 2;
	f->p->roles.at = copy(f, roles, sizeof roles);
	ebitmap_set(&f->p->roles.at[2].types, TA - 1);
	f->p->users.n = 1;
	f->p->users.at = copy(f, users, sizeof users);
	ebitmap_set(&f->p->users.at[1].roles, 1);
	f->p->users.at[1].level.sens = f->p->users.at[1].range.low.sens = f->p->users.at[1].range.high.sens = 1;
	ebitmap_set_range(&f->p->users.at[1].range.high.cats, 0, 2);
	f->p->ports.n = 1;
	f->p->ports.at = copy(f, &port, sizeof port);
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

	setup(&f);
	add_conds(&f);
	add_records(&f);
	add_constraint(&f);
	add_mls(&f);
	f.p->type_aliases.n = 1;
	f.p->type_aliases.at = copy(&f, &alias, sizeof alias);
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
	teardown(&f);
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

	setup(&f);
	add_conds(&f);
	f.p->conds.n = 1;
	f.p->conds.at[0].expr = copy(&f, expr, sizeof expr);
	f.p->conds.at[0].nexpr = sizeof expr / sizeof *expr;
	ir_dump(f.p, &b);
	buffer_put(&b, "", 1);
	CU_ASSERT_PTR_NOT_NULL(strstr((const char *)b.at, "\nif (!(b1 && b2) ^ (b1 == !b2)) {\n}\n"));
	buffer_free(&b);
	teardown(&f);
}

void suite_checks(void)
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
		{"bounds of types", bounds_of_types},
		{"bounds and conditionals", bounds_and_conditionals},
		{"bounds of roles and users", bounds_of_roles_and_users},
		{"bounds too deep or looped", bounds_depth},
		{"bounds and extended permissions", bounds_of_xperms},
		{"bounds know the place of a type", bounds_know_the_place},
		{"optimise by supersets", optimise_by_supersets},
		{"optimise dontaudit", optimise_dontaudit},
		{"optimise equal attributes", optimise_equal_attributes},
		{"optimise conditionals", optimise_conditionals},
		{"optimise extended permissions", optimise_records},
		{"sort ports", sort_ports},
		{"sort names", sort_names},
		{"sort nodes", sort_nodes},
		{"dump of a policy", dump_of_a_policy},
		{"dump of conditions", dump_of_conditions},
	};
	CU_pSuite suite = CU_add_suite("checks", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
