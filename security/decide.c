/* Access vectors and extended permissions. */
#include "security/decide.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "security/decider.h"

/* ---- the decider ---- */

/* The kernel knows its sockets by the names of its own classes; all of those
 * that end so, of any version, are in security/sockets.def. */
static bool is_socket(const char *name)
{
	static const char *const names[] = {
#define SOCKET(name) #name,
#include "security/sockets.def"
#undef SOCKET
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void find_classes(struct decider *d)
{
	const struct policy *policy = d->policy;

	d->process = policy_process_class(policy);
	if (d->process && policy->target == POLICY_SELINUX)
		d->transition_perms = policy_find_perm(&policy->classes.at[d->process], "transition") |
				      policy_find_perm(&policy->classes.at[d->process], "dyntransition");
	for (uint32_t v = 1; v <= policy->classes.n; v++)
		if (policy->classes.at[v].name && is_socket(policy->classes.at[v].name))
			ebitmap_set(&d->sockets, v);
}

static void index_roles(struct decider *d)
{
	const struct policy *policy = d->policy;

	d->role_allows = mem_zalloc((size_t)policy->roles.n + 1, sizeof *d->role_allows);
	for (uint32_t i = 0; i < policy->role_allows.n; i++) {
		const struct policy_role_allow *allow = &policy->role_allows.at[i];

		ebitmap_set(&d->role_allows[allow->role], allow->result);
	}
}

static void index_transitions(struct decider *d)
{
	const struct policy *policy = d->policy;
	struct interval *points = mem_alloc((size_t)policy->role_trans.n * sizeof *points);

	for (uint32_t i = 0; i < policy->role_trans.n; i++) {
		const struct policy_role_trans *t = &policy->role_trans.at[i];

		points[i].first = points[i].last = transition_point(t->role, t->type, t->class);
	}
	interval_map_init(&d->role_trans, points, policy->role_trans.n);
	points = mem_resize(points, (size_t)policy->range_trans.n * sizeof *points);
	for (uint32_t i = 0; i < policy->range_trans.n; i++) {
		const struct policy_range_trans *t = &policy->range_trans.at[i];

		points[i].first = points[i].last = transition_point(t->source, t->target, t->class);
	}
	interval_map_init(&d->range_trans, points, policy->range_trans.n);
	free(points);
}

struct decider *decider_new(const struct security *security)
{
	struct decider *d = mem_zalloc(1, sizeof *d);

	d->security = security;
	d->policy = security_policy(security);
	index_init(&d->index, d->policy);
	find_classes(d);
	index_roles(d);
	index_transitions(d);
	ready_constraints_init(&d->constraints, d->policy);
	return d;
}

void decider_free(struct decider *decider)
{
	if (!decider)
		return;
	for (uint32_t v = 1; v <= decider->policy->roles.n; v++)
		ebitmap_free(&decider->role_allows[v]);
	free(decider->role_allows);
	ebitmap_free(&decider->sockets);
	ready_constraints_free(&decider->constraints);
	interval_map_free(&decider->role_trans);
	interval_map_free(&decider->range_trans);
	index_free(&decider->index);
	free(decider);
}

size_t decider_memory(const struct decider *decider)
{
	size_t roles = ((size_t)decider->policy->roles.n + 1) * sizeof *decider->role_allows;

	for (uint32_t v = 1; v <= decider->policy->roles.n; v++)
		roles += decider->role_allows[v].n * sizeof(uint64_t);
	return sizeof *decider + roles + interval_map_memory(&decider->role_trans) +
	       interval_map_memory(&decider->range_trans) +
	       ready_constraints_memory(&decider->constraints, decider->policy) + index_memory(&decider->index, decider->policy);
}

/* ---- access ---- */

struct av_visit { const unsigned char *active; struct decision *decision; };

static void add_av(void *data, const struct rule_ref *ref, uint32_t source, uint32_t target)
{
	const struct av_visit *v = data;

	(void)source;
	(void)target;
	if (!v->active[ref->list])
		return;
	switch (ref->kind) {
	case AV_ALLOWED: v->decision->allowed |= ref->data; break;
	case AV_AUDITALLOW: v->decision->auditallow |= ref->data; break;
	case AV_AUDITDENY: v->decision->auditdeny &= ref->data; break; /* its zeros are dontaudit rules */
	default: break;
	}
}

static const struct decision nothing = {.auditdeny = UINT32_MAX};

static bool class_known(const struct decider *d, uint32_t class)
{
	return class && class <= d->policy->classes.n;
}

void decide_by_types(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		     uint32_t target_type, uint32_t class, struct decision *ret)
{
	struct av_visit visit = {state->active, ret};

	*ret = nothing;
	if (class_known(decider, class))
		index_visit(&decider->index, source_type, target_type, class, add_av, &visit);
}

struct find_visit {
	const struct bool_state *state;
	uint32_t class;
	rule_found_fn found;
	void *data;
};

static void tell_rule(void *data, const struct rule_ref *ref, uint32_t source, uint32_t target)
{
	const struct find_visit *v = data;
	struct rule_found found = {
		.rule = {(uint16_t)source, (uint16_t)target, (uint16_t)v->class, ref->kind, ref->data},
		.cond = ref->list ? (ref->list - 1) / 2 : DECIDE_ALWAYS,
		.no = ref->list && (ref->list - 1) % 2,
		.active = v->state->active[ref->list],
	};

	v->found(v->data, &found);
}

void decide_find_rules(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		       uint32_t target_type, uint32_t class, rule_found_fn found, void *data)
{
	struct find_visit visit = {state, class, found, data};

	if (class_known(decider, class))
		index_visit(&decider->index, source_type, target_type, class, tell_rule, &visit);
}

/* Of one permission set several constraints may speak; each takes its own away. */
static uint32_t constrain(const struct decider *d, const struct policy_context *source,
			  const struct policy_context *target, uint32_t class, uint32_t allowed)
{
	const struct ready_class *c = &d->constraints.classes[class];

	for (uint32_t i = c->begin; i < c->begin + c->n && allowed; i++) {
		const struct ready_constraint *constraint = &d->constraints.constraints[i];

		if (constraint->perms & allowed && !ready_constraint_holds(&d->constraints, d->policy, constraint, source, target))
			allowed &= ~constraint->perms;
	}
	return allowed;
}

uint32_t decide_role_perms(const struct decider *decider, uint32_t class)
{
	return class && class == decider->process ? decider->transition_perms : 0;
}

bool decide_role_allowed(const struct decider *decider, uint32_t from, uint32_t to)
{
	return from == to || ebitmap_test(&decider->role_allows[from], to);
}

/* A child type may do what its parent may, to the parent of the target when it
 * has one.  A kernel loads no chain of more than four parents. */
enum { MAX_PARENTS = 4 };

static uint32_t allowed_of(const struct decider *d, const struct bool_state *state, const struct policy_context *source,
			   const struct policy_context *target, uint32_t class, uint32_t parents, struct decision *ret);

static uint32_t bound(const struct decider *d, const struct bool_state *state, const struct policy_context *source,
		      const struct policy_context *target, uint32_t class, uint32_t parents)
{
	/* They share their sets with the contexts that they are copies of. */
	struct policy_context parent = *source, parent_target = *target;
	struct decision decision;

	if (parents == MAX_PARENTS)
		return 0;
	parent.type = d->policy->types.at[source->type].bounds;
	if (d->policy->types.at[target->type].bounds)
		parent_target.type = d->policy->types.at[target->type].bounds;
	return allowed_of(d, state, &parent, &parent_target, class, parents + 1, &decision);
}

static uint32_t allowed_of(const struct decider *d, const struct bool_state *state, const struct policy_context *source,
			   const struct policy_context *target, uint32_t class, uint32_t parents, struct decision *ret)
{
	decide_by_types(d, state, source->type, target->type, class, ret);
	ret->allowed = constrain(d, source, target, class, ret->allowed);
	if (ret->allowed & decide_role_perms(d, class) && !decide_role_allowed(d, source->role, target->role))
		ret->allowed &= ~d->transition_perms;
	if (ret->allowed && d->policy->types.at[source->type].bounds)
		ret->allowed &= bound(d, state, source, target, class, parents);
	return ret->allowed;
}

static uint32_t flags_of(const struct policy_type *type)
{
	return (type->permissive ? DECISION_PERMISSIVE : 0) | (type->neveraudit ? DECISION_NEVERAUDIT : 0);
}

void decide_access(const struct decider *decider, const struct bool_state *state, const struct policy_context *source,
		   const struct policy_context *target, uint32_t class, struct decision *ret)
{
	uint32_t flags = flags_of(&decider->policy->types.at[source->type]);

	if (flags == (DECISION_PERMISSIVE | DECISION_NEVERAUDIT)) {
		*ret = (struct decision){.allowed = UINT32_MAX};
	} else if (class_known(decider, class)) {
		allowed_of(decider, state, source, target, class, 0, ret);
	} else {
		*ret = nothing;
		if (decider->policy->handle_unknown == POLICY_UNKNOWN_ALLOW)
			ret->allowed = UINT32_MAX;
	}
	ret->flags = flags;
	if (flags & DECISION_NEVERAUDIT)
		ret->auditallow = ret->auditdeny = 0;
}

/* ---- extended permissions ---- */

struct xperm_visit {
	const struct policy *policy;
	const unsigned char *active;
	struct xperm_drivers *drivers;
	struct xperm_decision *decision;
	enum xperm_base base;
	uint8_t driver;
};

static void set_bit(uint32_t set[8], uint8_t bit)
{
	set[bit / 32] |= UINT32_C(1) << bit % 32;
}

static void or_set(uint32_t to[8], const uint32_t from[8])
{
	for (int i = 0; i < 8; i++)
		to[i] |= from[i];
}

/* Rules of any kind: a dontauditxperm alone makes the numbers count, too. */
static void add_drivers(void *data, const struct rule_ref *ref, uint32_t source, uint32_t target)
{
	const struct xperm_visit *v = data;
	const struct policy_xperms *x;

	(void)source;
	(void)target;
	if (!(ref->kind & AV_X) || !v->active[ref->list])
		return;
	x = &v->policy->xperms.at[ref->data];
	v->drivers->bases |= x->specified == XPERM_NLMSG ? XPERM_BASE_NLMSG : XPERM_BASE_IOCTL;
	if (x->specified == XPERM_IOCTL_DRIVER)
		or_set(v->drivers->drivers, x->perms);
	else
		set_bit(v->drivers->drivers, x->driver);
}

void decide_xperm_drivers(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
			  uint32_t target_type, uint32_t class, struct xperm_drivers *ret)
{
	struct xperm_visit visit = {.policy = decider->policy, .active = state->active, .drivers = ret};

	memset(ret, 0, sizeof *ret);
	if (class_known(decider, class))
		index_visit(&decider->index, source_type, target_type, class, add_drivers, &visit);
}

static bool concerns(const struct xperm_visit *v, const struct policy_xperms *x)
{
	if ((x->specified == XPERM_NLMSG) != (v->base == XPERM_BASE_NLMSG))
		return false;
	return x->specified == XPERM_IOCTL_DRIVER ? xperm_test(x->perms, v->driver) : x->driver == v->driver;
}

static void add_functions(void *data, const struct rule_ref *ref, uint32_t source, uint32_t target)
{
	static const uint32_t all[8] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX,
					UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
	const struct xperm_visit *v = data;
	const struct policy_xperms *x;
	const uint32_t *perms;

	(void)source;
	(void)target;
	if (!(ref->kind & AV_X) || !v->active[ref->list])
		return;
	x = &v->policy->xperms.at[ref->data];
	if (!concerns(v, x))
		return;
	perms = x->specified == XPERM_IOCTL_DRIVER ? all : x->perms;
	or_set(ref->kind == AV_XALLOWED      ? v->decision->allowed
	       : ref->kind == AV_XAUDITALLOW ? v->decision->auditallow
					     : v->decision->dontaudit,
	       perms);
}

void decide_xperms(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		   uint32_t target_type, uint32_t class, enum xperm_base base, uint8_t driver,
		   struct xperm_decision *ret)
{
	struct xperm_visit visit = {.policy = decider->policy, .active = state->active, .decision = ret,
				    .base = base, .driver = driver};

	memset(ret, 0, sizeof *ret);
	if (class_known(decider, class))
		index_visit(&decider->index, source_type, target_type, class, add_functions, &visit);
}

bool decide_xperm(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		  uint32_t target_type, uint32_t class, enum xperm_base base, uint16_t number)
{
	struct xperm_drivers drivers;
	struct xperm_decision decision;

	decide_xperm_drivers(decider, state, source_type, target_type, class, &drivers);
	if (!drivers.bases)
		return true;
	if (!(drivers.bases & base) || !xperm_test(drivers.drivers, (uint8_t)(number >> 8)))
		return false;
	decide_xperms(decider, state, source_type, target_type, class, base, (uint8_t)(number >> 8), &decision);
	return xperm_test(decision.allowed, (uint8_t)number);
}
