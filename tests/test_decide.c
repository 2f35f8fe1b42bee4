/* Decisions: random policies against a slow and obvious reference, and one
 * small policy by hand.  The TEST_SEED of a failure repeats it. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "security/context.h"
#include "security/decide.h"
#include "tests/ask.h"
#include "tests/security_fixture.h"

void suite_decide(void);

/* ---- random policies ---- */

enum { TYPES = 24, FIRST_ATTRIBUTE = 15, CLASSES = 3, BOOLS = 3, CONDS = 4, XPERMS = 40, ROLES = 4, TRANSITIONS = 400, ROUNDS = 60, QUESTIONS = 200 };

static uint32_t any_value(struct ask *ask)
{
	return 1 + ask_below(ask, TYPES);
}

static uint16_t any_kind(struct ask *ask)
{
	static const uint16_t kinds[] = {AV_ALLOWED, AV_ALLOWED, AV_AUDITALLOW, AV_AUDITDENY,
					 AV_XALLOWED, AV_XAUDITALLOW, AV_XDONTAUDIT, AV_TRANSITION};

	return kinds[ask_below(ask, sizeof kinds / sizeof *kinds)];
}

static void add_rules(struct ask *ask, struct policy *p, policy_rules *list, uint32_t n)
{
	list->at = arena_zalloc(&p->arena, n, sizeof *list->at);
	for (list->n = 0; list->n < n; list->n++) {
		struct policy_rule *r = &list->at[list->n];

		r->kind = any_kind(ask);
		r->source = (uint16_t)any_value(ask);
		r->target = (uint16_t)any_value(ask);
		if (r->kind == AV_TRANSITION) {
			r->source = (uint16_t)(1 + r->source % (FIRST_ATTRIBUTE - 1));
			r->target = (uint16_t)(1 + r->target % (FIRST_ATTRIBUTE - 1));
		}
		r->class = (uint16_t)(1 + ask_below(ask, CLASSES));
		r->data = r->kind & AV_X              ? ask_below(ask, XPERMS)
			  : r->kind == AV_TRANSITION  ? 1 + ask_below(ask, FIRST_ATTRIBUTE - 1)
			  : r->kind == AV_AUDITDENY   ? ~(UINT32_C(1) << ask_below(ask, 8))
						      : UINT32_C(1) << ask_below(ask, 8);
	}
}

static void add_symbols(struct ask *ask, struct policy *p)
{
	p->classes.n = CLASSES;
	p->classes.at = arena_zalloc(&p->arena, CLASSES + 1, sizeof *p->classes.at);
	for (uint32_t v = 1; v <= CLASSES; v++) {
		p->classes.at[v].name = v == 1 ? "process" : "file";
		p->classes.at[v].nperms = 8;
	}
	p->types.n = TYPES;
	p->types.at = arena_zalloc(&p->arena, TYPES + 1, sizeof *p->types.at);
	for (uint32_t v = 1; v <= TYPES; v++) {
		struct policy_type *t = &p->types.at[v];

		t->kind = v < FIRST_ATTRIBUTE ? POLICY_TYPE : POLICY_ATTRIBUTE;
		t->name = "name";
		for (uint32_t type = 1; v >= FIRST_ATTRIBUTE && type < FIRST_ATTRIBUTE; type++)
			if (!ask_below(ask, 3))
				ebitmap_set(&t->types, type - 1);
		if (v < FIRST_ATTRIBUTE && v > 1 && !ask_below(ask, 6))
			t->bounds = 1 + ask_below(ask, v - 1); /* an earlier one: no loop */
		t->permissive = !ask_below(ask, 8);
	}
}

static void add_conds(struct ask *ask, struct policy *p)
{
	p->bools.n = BOOLS;
	p->bools.at = arena_zalloc(&p->arena, BOOLS + 1, sizeof *p->bools.at);
	for (uint32_t v = 1; v <= BOOLS; v++)
		p->bools.at[v] = (struct policy_bool){"name", ask_below(ask, 2)};
	p->conds.n = CONDS;
	p->conds.at = arena_zalloc(&p->arena, CONDS, sizeof *p->conds.at);
	for (uint32_t i = 0; i < CONDS; i++) {
		struct policy_cond *c = &p->conds.at[i];

		c->nexpr = 3;
		c->expr = arena_zalloc(&p->arena, c->nexpr, sizeof *c->expr);
		c->expr[0] = (struct policy_cond_expr){COND_BOOL, 1 + ask_below(ask, BOOLS)};
		c->expr[1] = (struct policy_cond_expr){COND_BOOL, 1 + ask_below(ask, BOOLS)};
		c->expr[2].kind = COND_OR + ask_below(ask, COND_NEQ - COND_OR + 1);
		add_rules(ask, p, &c->yes, ask_below(ask, 30));
		add_rules(ask, p, &c->no, ask_below(ask, 30));
	}
}

static void add_xperms(struct ask *ask, struct policy *p)
{
	p->xperms.n = XPERMS;
	p->xperms.at = arena_zalloc(&p->arena, XPERMS, sizeof *p->xperms.at);
	for (uint32_t i = 0; i < XPERMS; i++) {
		p->xperms.at[i].specified = (uint8_t)(1 + ask_below(ask, 3));
		p->xperms.at[i].driver = (uint8_t)ask_below(ask, 4);
		for (int bit = 0; bit < 3; bit++)
			p->xperms.at[i].perms[0] |= UINT32_C(1) << ask_below(ask, 6);
	}
}

/* Some of one key more than once: the first counts. */
static void add_transitions(struct ask *ask, struct policy *p)
{
	p->mls = true;
	p->role_trans.n = ask_below(ask, TRANSITIONS);
	p->role_trans.at = arena_zalloc(&p->arena, p->role_trans.n, sizeof *p->role_trans.at);
	for (uint32_t i = 0; i < p->role_trans.n; i++)
		p->role_trans.at[i] = (struct policy_role_trans){1 + ask_below(ask, ROLES), 1 + ask_below(ask, FIRST_ATTRIBUTE - 1),
								 1 + ask_below(ask, CLASSES), 1 + ask_below(ask, ROLES)};
	p->range_trans.n = ask_below(ask, TRANSITIONS);
	p->range_trans.at = arena_zalloc(&p->arena, p->range_trans.n, sizeof *p->range_trans.at);
	for (uint32_t i = 0; i < p->range_trans.n; i++) {
		struct policy_range_trans *t = &p->range_trans.at[i];

		t->source = 1 + ask_below(ask, FIRST_ATTRIBUTE - 1);
		t->target = 1 + ask_below(ask, FIRST_ATTRIBUTE - 1);
		t->class = 1 + ask_below(ask, CLASSES);
		t->range.low.sens = t->range.high.sens = 1 + i; /* which rule it was */
	}
}

static struct policy *random_policy(struct ask *ask)
{
	struct policy *p = policy_new();

	add_symbols(ask, p);
	add_transitions(ask, p);
	add_xperms(ask, p);
	add_rules(ask, p, &p->rules, ask_below(ask, 150));
	add_conds(ask, p);
	return p;
}

/* ---- the reference: every rule is looked at ---- */

struct reference {
	const struct policy *p;
	bool bools[BOOLS + 1];
	uint32_t source, target, class;
};

static bool cond_holds(const struct reference *r, const struct policy_cond *c)
{
	bool a = r->bools[c->expr[0].boolean], b = r->bools[c->expr[1].boolean];

	switch (c->expr[2].kind) {
	case COND_OR: return a || b;
	case COND_AND: return a && b;
	case COND_EQ: return a == b;
	default: return a != b;
	}
}

typedef void (*reference_visit)(const struct reference *r, const struct policy_rule *rule, void *data);

static void visit_list(const struct reference *r, const policy_rules *list, reference_visit visit, void *data)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const struct policy_rule *rule = &list->at[i];

		if (rule->class == r->class && policy_type_matches(r->p, r->source, rule->source) &&
		    policy_type_matches(r->p, r->target, rule->target))
			visit(r, rule, data);
	}
}

static void visit_rules(const struct reference *r, reference_visit visit, void *data)
{
	visit_list(r, &r->p->rules, visit, data);
	for (uint32_t i = 0; i < r->p->conds.n; i++) {
		const struct policy_cond *c = &r->p->conds.at[i];

		visit_list(r, cond_holds(r, c) ? &c->yes : &c->no, visit, data);
	}
}

static void see_av(const struct reference *r, const struct policy_rule *rule, void *data)
{
	struct decision *d = data;

	(void)r;
	if (rule->kind == AV_ALLOWED)
		d->allowed |= rule->data;
	if (rule->kind == AV_AUDITALLOW)
		d->auditallow |= rule->data;
	if (rule->kind == AV_AUDITDENY)
		d->auditdeny &= rule->data;
}

static struct decision reference_access(struct reference r, uint32_t depth)
{
	struct decision d = {.auditdeny = UINT32_MAX};
	uint32_t source_bounds = r.p->types.at[r.source].bounds, target_bounds = r.p->types.at[r.target].bounds;

	visit_rules(&r, see_av, &d);
	if (source_bounds && depth == 4) {
		d.allowed = 0;
	} else if (source_bounds) {
		struct reference parent = r;

		parent.source = source_bounds;
		parent.target = target_bounds ? target_bounds : r.target;
		d.allowed &= reference_access(parent, depth + 1).allowed;
	}
	return d;
}

/* Without a rule a process keeps its role, and anything else has object_r. */
static uint32_t reference_role(const struct reference *r, uint32_t role)
{
	for (uint32_t i = 0; i < r->p->role_trans.n; i++) {
		const struct policy_role_trans *t = &r->p->role_trans.at[i];

		if (t->role == role && t->type == r->target && t->class == r->class)
			return t->result;
	}
	return r->class == 1 ? role : 1;
}

/* Without a rule there is no sensitivity, as the source has none. */
static uint32_t reference_sens(const struct reference *r)
{
	for (uint32_t i = 0; i < r->p->range_trans.n; i++) {
		const struct policy_range_trans *t = &r->p->range_trans.at[i];

		if (t->source == r->source && t->target == r->target && t->class == r->class)
			return t->range.low.sens;
	}
	return 0;
}

/* The answers for one number of one kind, without drivers in between. */
struct number { enum xperm_base base; uint32_t number; bool ruled, allowed, auditallow, dontaudit; bool base_ruled, driver_ruled; };

static void see_number(const struct reference *r, const struct policy_rule *rule, void *data)
{
	struct number *n = data;
	const struct policy_xperms *x;
	uint32_t driver = n->number >> 8;
	bool in;

	if (!(rule->kind & AV_X))
		return;
	x = &r->p->xperms.at[rule->data];
	n->ruled = true;
	n->base_ruled |= (x->specified == XPERM_NLMSG) == (n->base == XPERM_BASE_NLMSG);
	n->driver_ruled |= x->specified == XPERM_IOCTL_DRIVER ? xperm_test(x->perms, (uint8_t)driver) : x->driver == driver;
	if ((x->specified == XPERM_NLMSG) != (n->base == XPERM_BASE_NLMSG))
		return;
	in = x->specified == XPERM_IOCTL_DRIVER ? xperm_test(x->perms, (uint8_t)driver)
						: x->driver == driver && xperm_test(x->perms, (uint8_t)n->number);
	n->allowed |= in && rule->kind == AV_XALLOWED;
	n->auditallow |= in && rule->kind == AV_XAUDITALLOW;
	n->dontaudit |= in && rule->kind == AV_XDONTAUDIT;
}

/* ---- the comparison ---- */

struct round {
	struct reference r;
	struct decider *decider;
	struct bool_state *state;
};

static bool check_access(const struct round *round)
{
	const struct reference *r = &round->r;
	struct policy_context source = {1, 1, r->source, {{0}, {0}}}, target = {1, 1, r->target, {{0}, {0}}};
	struct decision want = reference_access(*r, 0), got;

	if (r->p->types.at[r->source].permissive)
		want.flags = DECISION_PERMISSIVE;
	decide_access(round->decider, round->state, &source, &target, r->class, &got);
	return got.allowed == want.allowed && got.auditallow == want.auditallow && got.auditdeny == want.auditdeny &&
	       got.flags == want.flags;
}

static bool check_transitions(const struct round *round, uint32_t role)
{
	const struct reference *r = &round->r;
	struct policy_context source = {1, role, r->source, {{0}, {0}}}, target = {1, 1, r->target, {{0}, {0}}}, made;
	bool good;

	compute_context(round->decider, round->state, AV_TRANSITION, &source, &target, r->class, NULL, &made);
	good = made.role == reference_role(r, role) && made.range.low.sens == reference_sens(r);
	policy_context_free(&made);
	return good;
}

static bool check_number(const struct round *round, enum xperm_base base, uint16_t number)
{
	const struct reference *r = &round->r;
	struct number n = {.base = base, .number = number};
	struct xperm_decision d;
	uint8_t low = (uint8_t)number;

	visit_rules(r, see_number, &n);
	decide_xperms(round->decider, round->state, r->source, r->target, r->class, base, (uint8_t)(number >> 8), &d);
	return xperm_test(d.allowed, low) == n.allowed && xperm_test(d.auditallow, low) == n.auditallow &&
	       xperm_test(d.dontaudit, low) == n.dontaudit &&
	       decide_xperm(round->decider, round->state, r->source, r->target, r->class, base, number) ==
		       (!n.ruled || (n.base_ruled && n.driver_ruled && n.allowed));
}

static bool check_question(struct ask *ask, struct round *round)
{
	struct reference *r = &round->r;

	r->source = 1 + ask_below(ask, FIRST_ATTRIBUTE - 1);
	r->target = 1 + ask_below(ask, FIRST_ATTRIBUTE - 1);
	r->class = 1 + ask_below(ask, CLASSES);
	if (!ask_below(ask, 10)) {
		uint32_t boolean = 1 + ask_below(ask, BOOLS);

		r->bools[boolean] = !r->bools[boolean];
		bool_state_set(round->state, boolean, r->bools[boolean]);
	}
	return check_access(round) && check_transitions(round, 1 + ask_below(ask, ROLES)) &&
	       check_number(round, 1 + ask_below(ask, 2), (uint16_t)(ask_below(ask, 4) << 8 | ask_below(ask, 6)));
}

static bool check_policy(struct ask *ask)
{
	struct policy *policy = random_policy(ask);
	struct security *security = security_new(policy);
	struct round round = {.r = {.p = policy}};
	bool good = true;

	round.decider = decider_new(security);
	round.state = bool_state_new(round.decider);
	for (uint32_t v = 1; v <= BOOLS; v++)
		round.r.bools[v] = policy->bools.at[v].state;
	for (int i = 0; i < QUESTIONS && good; i++)
		good = check_question(ask, &round);
	if (!good)
		printf("\nsource %u, target %u, class %u\n", round.r.source, round.r.target, round.r.class);
	bool_state_free(round.state);
	decider_free(round.decider);
	security_free(security);
	policy_free(policy);
	return good;
}

static void test_random(void)
{
	if (!ask_rounds("test_decide", ROUNDS, check_policy))
		CU_FAIL("differs from the reference");
}

/* ---- states of booleans ---- */

static const char small[] =
	"class file\nclass process\nsid kernel\n"
	"class file { read write }\nclass process { transition dyntransition fork }\n"
	"type a; type b; type c; bool one true; bool two false;\n"
	"role r; role q; role r types { a b c }; role q types { a b c };\n"
	"allow a b:process { transition dyntransition fork }; allow r q;\n"
	"if (one && !two) { allow a b:file read; } else { allow a b:file write; }\n"
	"type_transition a b:file c; type_transition a b:file a \"name\";\n"
	"if (one) { type_transition a b:process c; }\n"
	"user u roles { r q };\n"
	"sid kernel u:r:a\n";

struct fixture {
	struct policy *policy;
	struct security *security;
	struct decider *decider;
	struct bool_state *state;
};

static struct fixture *open_fixture(struct fixture *f)
{
	f->policy = security_compile(small, false);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->policy);
	f->security = security_new(f->policy);
	f->decider = decider_new(f->security);
	f->state = bool_state_new(f->decider);
	return f;
}

static void close_fixture(struct fixture *f)
{
	bool_state_free(f->state);
	decider_free(f->decider);
	security_free(f->security);
	policy_free(f->policy);
}

static uint32_t allowed(const struct fixture *f, const struct bool_state *state, const char *source, const char *target,
			uint32_t class)
{
	struct policy_context s = {0}, t = {0};
	struct decision d;

	CU_ASSERT(context_parse(f->security, source, strlen(source), &s, NULL));
	CU_ASSERT(context_parse(f->security, target, strlen(target), &t, NULL));
	decide_access(f->decider, state, &s, &t, class, &d);
	return d.allowed;
}

static void test_states(void)
{
	struct fixture f;
	struct bool_state *copy = bool_state_copy(open_fixture(&f)->state);

	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 1), 1);
	bool_state_set(copy, 2, true);
	CU_ASSERT(bool_state_get(copy, 2) && !bool_state_get(f.state, 2));
	CU_ASSERT(!bool_state_cond(copy, 0) && bool_state_cond(f.state, 0));
	CU_ASSERT_EQUAL(allowed(&f, copy, "u:r:a", "u:r:b", 1), 2);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 1), 1);
	bool_state_free(copy);
	close_fixture(&f);
}

static void test_roles(void)
{
	struct fixture f;

	open_fixture(&f);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 2), 7);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:q:b", 2), 7);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:q:a", "u:r:b", 2), 4);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:q:a", "u:r:b", 1), 1);
	close_fixture(&f);
}

/* A class that the policy does not have. */
static void test_unknown(void)
{
	struct fixture f;

	open_fixture(&f);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 0), 0);
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 3), 0);
	f.policy->handle_unknown = POLICY_UNKNOWN_ALLOW;
	CU_ASSERT_EQUAL(allowed(&f, f.state, "u:r:a", "u:r:b", 0), UINT32_MAX);
	close_fixture(&f);
}

static uint32_t computed_type(const struct fixture *f, enum policy_av_kind kind, uint32_t class, const char *name)
{
	struct policy_context s = {1, 2, 1, {{0}, {0}}}, t = {1, 2, 2, {{0}, {0}}}, ret;

	compute_context(f->decider, f->state, kind, &s, &t, class, name, &ret);
	policy_context_free(&ret);
	return ret.type;
}

static void test_compute(void)
{
	struct fixture f;

	open_fixture(&f);
	CU_ASSERT_EQUAL(computed_type(&f, AV_TRANSITION, 1, NULL), 3);
	CU_ASSERT_EQUAL(computed_type(&f, AV_TRANSITION, 1, "name"), 1);
	CU_ASSERT_EQUAL(computed_type(&f, AV_TRANSITION, 1, "nam"), 3);
	CU_ASSERT_EQUAL(computed_type(&f, AV_MEMBER, 1, "name"), 2);
	CU_ASSERT_EQUAL(computed_type(&f, AV_TRANSITION, 2, NULL), 3);
	bool_state_set(f.state, 1, false);
	CU_ASSERT_EQUAL(computed_type(&f, AV_TRANSITION, 2, NULL), 1);
	close_fixture(&f);
}

void suite_decide(void)
{
	CU_pSuite suite = CU_add_suite("decide", NULL, NULL);

	CU_add_test(suite, "random policies", test_random);
	CU_add_test(suite, "states of booleans", test_states);
	CU_add_test(suite, "changes of role", test_roles);
	CU_add_test(suite, "unknown class", test_unknown);
	CU_add_test(suite, "new contexts", test_compute);
}
