/* Range transitions that no process can make.
 *
 * The kernel works out the whole new context and refuses it (EINVAL) when it is
 * not valid: the user stays, the role and the type may change with
 * role_transition and type_transition.  So there must be a user with a role for
 * the old type, whose new role has the new type, and whose range holds the new
 * one.  Objects of object_r are never asked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "security/level.h"
#include "validator/policy_internal.h"

enum { DEFAULT_OF_TARGET = 2 };

/* ---- the new context ---- */

/* Types that a process of the transition may get; those of conditional rules
 * for both values of their conditions. */
typedef VEC(uint32_t) type_list;

static int compare_rule(const void *key, const void *at)
{
	const struct policy_rule *a = key, *b = at;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Whether a list has a type_transition for it, which is added. */
static bool add_type(type_list *types, const policy_rules *rules, const struct policy_rule *key)
{
	const struct policy_rule *found = rules->n ? bsearch(key, rules->at, rules->n, sizeof *key, compare_rule) : NULL;

	if (found)
		*vec_push(types) = found->data;
	return found != NULL;
}

static void new_types(const struct policy *p, const struct policy_range_trans *t, type_list *ret_types)
{
	struct policy_rule key = {
		.source = (uint16_t)t->source, .target = (uint16_t)t->target, .class = (uint16_t)t->class, .kind = AV_TRANSITION,
	};

	if (add_type(ret_types, &p->rules, &key))
		return;
	*vec_push(ret_types) = p->classes.at[t->class].default_type == DEFAULT_OF_TARGET ? t->target : t->source;
	for (uint32_t i = 0; i < p->conds.n; i++) {
		add_type(ret_types, &p->conds.at[i].yes, &key);
		add_type(ret_types, &p->conds.at[i].no, &key);
	}
}

static uint32_t new_role(const struct policy *p, const struct policy_range_trans *t, uint32_t role)
{
	for (uint32_t i = 0; i < p->role_trans.n; i++) {
		const struct policy_role_trans *r = &p->role_trans.at[i];

		if (r->role == role && r->type == t->target && r->class == t->class)
			return r->result;
	}
	return role;
}

/* Processes, and sockets, which the kernel labels as their process. */
static bool keeps_role(const struct policy *p, uint32_t class)
{
	static const char socket[] = "socket";
	const struct policy_class *k = &p->classes.at[class];
	size_t len = strlen(k->name), ending = sizeof socket - 1;

	if (k->default_user == DEFAULT_OF_TARGET || k->default_role == DEFAULT_OF_TARGET)
		return false; /* of the target, which is likely an object */
	return class == policy_process_class(p) || k->default_role ||
	       (len >= ending && !strcmp(k->name + len - ending, socket));
}

/* ---- who can make it ---- */

/* How far a user comes, from the least to the most. */
enum reach { REACH_NO_SOURCE, REACH_NO_ROLE, REACH_NO_TYPE, REACH_NO_RANGE, REACH_ALL };

struct reached { enum reach reach; uint32_t role, type; };

static struct reached reach_of(const struct policy *p, const struct policy_range_trans *t, const type_list *types,
			       const struct policy_user *user)
{
	struct reached best = {REACH_NO_SOURCE, 0, 0};

	ebitmap_for_each(&user->roles, bit) {
		uint32_t role = bit + 1, next;

		if (!ebitmap_test(&p->roles.at[role].types, t->source - 1))
			continue;
		next = new_role(p, t, role);
		for (uint32_t i = 0; i < types->n; i++) {
			struct reached one = {REACH_ALL, next, types->at[i]};

			if (!ebitmap_test(&user->roles, next - 1))
				one.reach = REACH_NO_ROLE;
			else if (!ebitmap_test(&p->roles.at[next].types, types->at[i] - 1))
				one.reach = REACH_NO_TYPE;
			else if (!range_contains(&user->range, &t->range))
				one.reach = REACH_NO_RANGE;
			if (one.reach > best.reach)
				best = one;
		}
	}
	return best;
}

static bool is_reachable(const struct policy *p, const struct policy_range_trans *t)
{
	type_list types = {0};
	bool reachable = false;

	new_types(p, t, &types);
	for (uint32_t v = 1; v <= p->users.n && !reachable; v++)
		reachable = p->users.at[v].name && reach_of(p, t, &types, &p->users.at[v]).reach == REACH_ALL;
	vec_free(&types);
	return reachable;
}

/* ---- reports ---- */

static void note_user(struct policy_run *run, uint32_t user, struct reached r)
{
	const struct policy *p = run->policy;
	const char *name = p->users.at[user].name;
	struct loc loc = place_user(run->places, user);

	if (r.reach == REACH_NO_RANGE)
		diag_note(run->diags, loc, "user `%s` has role `%s` for it, but its range is `%s`", name,
			  p->roles.at[r.role].name, run_range(run, &run->left, &p->users.at[user].range));
	else if (r.reach == REACH_NO_TYPE)
		diag_note(run->diags, loc, "user `%s` would have role `%s`, which does not have type `%s`", name,
			  p->roles.at[r.role].name, p->types.at[r.type].name);
	else
		diag_note(run->diags, loc, "user `%s` would get role `%s`, which it does not have", name,
			  p->roles.at[r.role].name);
}

/* Why not, of the users that have the source type. */
static uint32_t note_users(struct policy_run *run, const struct policy_range_trans *t)
{
	const struct policy *p = run->policy;
	type_list types = {0};
	uint32_t n = 0;

	new_types(p, t, &types);
	for (uint32_t v = 1; v <= p->users.n; v++) {
		struct reached r = {REACH_NO_SOURCE, 0, 0};

		if (p->users.at[v].name)
			r = reach_of(p, t, &types, &p->users.at[v]);
		if (r.reach != REACH_NO_SOURCE && n++ < SHOWN_NOTES)
			note_user(run, v, r);
	}
	if (n > SHOWN_NOTES)
		diag_note(run->diags, LOC_NONE, "and %u more users", (unsigned)(n - SHOWN_NOTES));
	vec_free(&types);
	return n;
}

/* The first of those of one statement; n are unreachable. */
static void report(struct policy_run *run, uint32_t index, uint32_t n)
{
	const struct policy *p = run->policy;
	const struct policy_range_trans *t = &p->range_trans.at[index];
	char more[48] = "";

	if (n > 1)
		snprintf(more, sizeof more, ", nor for %u more pair%s of types", (unsigned)(n - 1), n == 2 ? "" : "s");
	diag_error(run->diags, "range-transition-unreachable", place_range_trans(run->places, index),
		   "no user can make the range_transition of `%s` on `%s` (class `%s`) to `%s`%s", p->types.at[t->source].name,
		   p->types.at[t->target].name, p->classes.at[t->class].name, run_range(run, &run->left, &t->range), more);
	if (!note_users(run, t))
		diag_note(run->diags, LOC_NONE, "no user has a role with type `%s`", p->types.at[t->source].name);
	diag_hint(run->diags, "the kernel refuses the new context, and the process is not run");
}

/* Whether two transitions are told as one: of one statement, or in an image of
 * one source, class and range. */
static bool is_alike(const struct policy_run *run, uint32_t a, uint32_t b)
{
	const struct policy_range_trans *x = &run->policy->range_trans.at[a], *y = &run->policy->range_trans.at[b];
	struct loc first = place_range_trans(run->places, a), second = place_range_trans(run->places, b);

	if (loc_known(first) && loc_known(second))
		return first.begin == second.begin;
	return x->source == y->source && x->class == y->class && policy_range_equal(&x->range, &y->range);
}

void check_range_transitions(struct policy_run *run)
{
	const struct policy *p = run->policy;
	struct { uint32_t index, n; } *found = mem_zalloc(p->range_trans.n, sizeof *found);
	uint32_t nfound = 0;

	for (uint32_t i = 0; i < p->range_trans.n; i++) {
		uint32_t at = 0;

		if (!keeps_role(p, p->range_trans.at[i].class) || is_reachable(p, &p->range_trans.at[i]))
			continue;
		while (at < nfound && !is_alike(run, found[at].index, i))
			at++;
		if (at == nfound) {
			found[nfound].index = i;
			found[nfound++].n = 0;
		}
		found[at].n++;
	}
	for (uint32_t i = 0; i < nfound; i++)
		report(run, found[i].index, found[i].n);
	free(found);
}
