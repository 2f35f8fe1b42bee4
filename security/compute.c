/* Contexts of new things, and changes of contexts. */
#include <string.h>

#include "security/constraint.h"
#include "security/context.h"
#include "security/decider.h"
#include "security/internal.h"
#include "security/level.h"

/* One question, and what is known of it. */
struct compute {
	const struct decider *d;
	const struct bool_state *state;
	enum policy_av_kind kind;
	const struct policy_context *source, *target;
	uint32_t class;
	const struct policy_class *defaults; /* the class, or NULL */
	bool process; /* the class takes after the process: processes, sockets */
	const char *name;
};

enum { FROM_SOURCE = 1, FROM_TARGET = 2 }; /* of default_user, default_role and default_type */

static uint32_t new_user(const struct compute *c)
{
	if (c->kind == AV_MEMBER || (c->defaults && c->defaults->default_user == FROM_TARGET))
		return c->target->user;
	return c->source->user;
}

static uint32_t transition_role(const struct compute *c)
{
	uint32_t record = interval_map_find(&c->d->role_trans,
					    transition_point(c->source->role, c->target->type, c->class));

	return record == INTERVAL_NONE ? 0 : c->d->policy->role_trans.at[record].result;
}

static uint32_t new_role(const struct compute *c)
{
	uint32_t role = c->kind == AV_TRANSITION ? transition_role(c) : 0;

	if (role)
		return role;
	switch (c->defaults ? c->defaults->default_role : 0) {
	case FROM_SOURCE: return c->source->role;
	case FROM_TARGET: return c->target->role;
	default: return c->process ? c->source->role : OBJECT_R;
	}
}

/* The result of the type rule in force, or 0.  An unconditional one comes first. */
static uint32_t type_rule(const struct compute *c)
{
	const struct rule_index *index = &c->d->index;
	struct rule_row row;
	uint32_t at, end, result = 0;

	if (!c->defaults)
		return 0;
	row = index_find(&index->rows, c->class, c->source->type);
	end = row.begin + row.nattrs + row.ntypes;
	for (at = row_search(index, &row, c->target->type); at < end; at++) {
		const struct rule_ref *ref = &index->refs[at];

		if (ref->other != c->target->type)
			break;
		if (ref->kind != c->kind || !c->state->active[ref->list])
			continue;
		if (!ref->list)
			return ref->data;
		if (!result)
			result = ref->data;
	}
	return result;
}

static int compare_filename(const struct compute *c, const struct policy_filename_trans *t)
{
	int names = strcmp(t->name, c->name);

	if (names)
		return names;
	if (t->target != c->target->type)
		return t->target < c->target->type ? -1 : 1;
	return t->class < c->class ? -1 : t->class > c->class;
}

static uint32_t filename_rule(const struct compute *c)
{
	const struct policy *policy = c->d->policy;
	uint32_t low = 0, high = policy->filename_trans.n;

	if (!c->name)
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_filename(c, &policy->filename_trans.at[middle]) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < policy->filename_trans.n && !compare_filename(c, &policy->filename_trans.at[low]); low++)
		if (ebitmap_test(&policy->filename_trans.at[low].sources, c->source->type - 1))
			return policy->filename_trans.at[low].result;
	return 0;
}

static uint32_t new_type(const struct compute *c)
{
	uint32_t type = filename_rule(c);

	if (!type)
		type = type_rule(c);
	if (type)
		return type;
	switch (c->defaults ? c->defaults->default_type : 0) {
	case FROM_SOURCE: return c->source->type;
	case FROM_TARGET: return c->target->type;
	default: return c->process ? c->source->type : c->target->type;
	}
}

static const struct policy_range *range_rule(const struct compute *c)
{
	uint32_t record = interval_map_find(&c->d->range_trans,
					    transition_point(c->source->type, c->target->type, c->class));

	return record == INTERVAL_NONE ? NULL : &c->d->policy->range_trans.at[record].range;
}

static void set_level(struct policy_range *ret, const struct policy_level *level)
{
	policy_level_copy(&ret->low, level);
	policy_level_copy(&ret->high, level);
}

/* By default_range; false when it is unset. */
static bool default_range(const struct compute *c, struct policy_range *ret, enum compute_result *ret_result)
{
	const struct policy_range *source = &c->source->range, *target = &c->target->range;

	switch (c->defaults ? c->defaults->default_range : 0) {
	case DEFAULT_RANGE_SOURCE_LOW: set_level(ret, &source->low); return true;
	case DEFAULT_RANGE_SOURCE_HIGH: set_level(ret, &source->high); return true;
	case DEFAULT_RANGE_SOURCE_LOW_HIGH: policy_range_copy(ret, source); return true;
	case DEFAULT_RANGE_TARGET_LOW: set_level(ret, &target->low); return true;
	case DEFAULT_RANGE_TARGET_HIGH: set_level(ret, &target->high); return true;
	case DEFAULT_RANGE_TARGET_LOW_HIGH: policy_range_copy(ret, target); return true;
	case DEFAULT_RANGE_GLBLUB:
		if (!range_glblub(source, target, ret))
			*ret_result = COMPUTE_NO_RANGE;
		return true;
	default: return false;
	}
}

static enum compute_result new_range(const struct compute *c, struct policy_range *ret)
{
	enum compute_result result = COMPUTE_VALID;

	if (c->kind == AV_TRANSITION) {
		const struct policy_range *rule = range_rule(c);

		if (rule) {
			policy_range_copy(ret, rule);
			return result;
		}
		if (default_range(c, ret, &result))
			return result;
	}
	if (c->kind != AV_MEMBER && c->process)
		policy_range_copy(ret, &c->source->range);
	else
		set_level(ret, &c->source->range.low);
	return result;
}

enum compute_result compute_context(const struct decider *decider, const struct bool_state *state,
				    enum policy_av_kind kind, const struct policy_context *source,
				    const struct policy_context *target, uint32_t class, const char *name,
				    struct policy_context *ret)
{
	const struct policy *policy = decider->policy;
	struct compute c = {.d = decider, .state = state, .kind = kind, .source = source, .target = target,
			    .class = class, .name = kind == AV_TRANSITION ? name : NULL};
	enum compute_result result = COMPUTE_VALID;

	if (class && class <= policy->classes.n)
		c.defaults = &policy->classes.at[class];
	c.process = class && (class == decider->process || ebitmap_test(&decider->sockets, class));
	*ret = (struct policy_context){.user = new_user(&c), .role = new_role(&c), .type = new_type(&c)};
	if (policy->mls)
		result = new_range(&c, &ret->range);
	if (result == COMPUTE_VALID && !context_validate(decider->security, ret, NULL))
		result = COMPUTE_INVALID;
	return result;
}

bool decide_transition(const struct decider *decider, const struct policy_context *before,
		       const struct policy_context *after, uint32_t class, const struct policy_context *task,
		       uint32_t *ret_failed)
{
	const struct policy_class *c = &decider->policy->classes.at[class];

	for (uint32_t i = 0; i < c->validatetrans.n; i++) {
		if (constraint_holds(decider->policy, &c->validatetrans.at[i], before, after, task))
			continue;
		if (ret_failed)
			*ret_failed = i;
		return false;
	}
	return true;
}
