#include "tests/ask.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { OBJECT_R = 1 };

static uint64_t next(struct ask *ask)
{
	uint64_t z = ask->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint32_t ask_below(struct ask *ask, uint32_t n)
{
	return (uint32_t)(next(ask) % n);
}

bool ask_rounds(const char *test, int rounds, bool (*check)(struct ask *ask))
{
	const char *given = getenv("TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : 1;

	for (int i = 0; i < rounds; i++) {
		struct ask ask = {.state = seed};

		if (!check(&ask)) {
			fprintf(stderr, "%s: TEST_SEED=%llu\n", test, (unsigned long long)seed);
			return false;
		}
		seed = ask.state;
	}
	return true;
}

void ask_init(struct ask *ask, const struct policy *policy, uint64_t seed)
{
	*ask = (struct ask){.policy = policy, .state = seed};
	ask->roles_of_type = mem_zalloc((size_t)policy->types.n + 1, sizeof *ask->roles_of_type);
	ask->users_of_role = mem_zalloc((size_t)policy->roles.n + 1, sizeof *ask->users_of_role);
	ask->types = mem_alloc((size_t)policy->types.n * sizeof *ask->types);
	for (uint32_t v = 1; v <= policy->types.n; v++)
		if (policy->types.at[v].kind == POLICY_TYPE)
			ask->types[ask->ntypes++] = v;
	for (uint32_t v = 1; v <= policy->users.n; v++)
		ebitmap_for_each(&policy->users.at[v].roles, role)
			ebitmap_set(&ask->users_of_role[role + 1], v - 1);
	for (uint32_t v = OBJECT_R + 1; v <= policy->roles.n; v++) {
		if (ebitmap_empty(&ask->users_of_role[v]))
			continue;
		ebitmap_for_each(&policy->roles.at[v].types, type)
			ebitmap_set(&ask->roles_of_type[type + 1], v - 1);
	}
}

void ask_free(struct ask *ask)
{
	for (uint32_t v = 1; v <= ask->policy->types.n; v++)
		ebitmap_free(&ask->roles_of_type[v]);
	for (uint32_t v = 1; v <= ask->policy->roles.n; v++)
		ebitmap_free(&ask->users_of_role[v]);
	free(ask->roles_of_type);
	free(ask->users_of_role);
	free(ask->types);
}

/* A member of a set that is not empty, plus 1. */
static uint32_t pick(struct ask *ask, const struct ebitmap *set)
{
	uint32_t skip = ask_below(ask, ebitmap_count(set)), bit = ebitmap_first(set);

	while (skip--)
		bit = ebitmap_next(set, bit);
	return bit + 1;
}

uint32_t ask_type(struct ask *ask)
{
	return ask->types[ask_below(ask, ask->ntypes)];
}

uint32_t ask_class(struct ask *ask)
{
	return 1 + ask_below(ask, ask->policy->classes.n);
}

static bool pick_type(struct ask *ask, uint32_t value, uint32_t *ret_type)
{
	const struct policy_type *t = &ask->policy->types.at[value];

	if (t->kind == POLICY_ATTRIBUTE && ebitmap_empty(&t->types))
		return false;
	*ret_type = t->kind == POLICY_ATTRIBUTE ? pick(ask, &t->types) : value;
	return true;
}

static const struct policy_rule *pick_rule(struct ask *ask)
{
	const struct policy *policy = ask->policy;
	uint32_t conds = policy->conds.n;

	/* Conditional rules are few, and want a share of the questions. */
	if (conds && !ask_below(ask, 5)) {
		const struct policy_cond *cond = &policy->conds.at[ask_below(ask, conds)];
		const policy_rules *rules = cond->yes.n ? &cond->yes : &cond->no;

		if (rules->n)
			return &rules->at[ask_below(ask, rules->n)];
	}
	return policy->rules.n ? &policy->rules.at[ask_below(ask, policy->rules.n)] : NULL;
}

bool ask_rule(struct ask *ask, uint32_t *ret_source, uint32_t *ret_target, uint32_t *ret_class)
{
	const struct policy_rule *rule = pick_rule(ask);

	if (!rule)
		return false;
	*ret_class = rule->class;
	return pick_type(ask, rule->source, ret_source) && pick_type(ask, rule->target, ret_target);
}

static uint32_t pick_user(struct ask *ask, uint32_t role)
{
	return role == OBJECT_R ? 1 + ask_below(ask, ask->policy->users.n) : pick(ask, &ask->users_of_role[role]);
}

/* Some of the categories that a level may have more than the low one. */
static void pick_level(struct ask *ask, const struct policy_range *range, struct policy_level *ret)
{
	policy_level_copy(ret, &range->low);
	ret->sens = range->low.sens + ask_below(ask, range->high.sens - range->low.sens + 1);
	ebitmap_for_each(&range->high.cats, cat)
		if (!ask_below(ask, 64) && ebitmap_test(&ask->policy->sens.at[ret->sens].cats, cat))
			ebitmap_set(&ret->cats, cat);
}

static void pick_range(struct ask *ask, const struct policy_range *user, struct policy_range *ret)
{
	switch (ask_below(ask, 5)) {
	case 0:
		policy_range_copy(ret, user);
		break;
	case 1:
		pick_level(ask, user, &ret->low);
		policy_level_copy(&ret->high, &user->high);
		break;
	case 2:
		pick_level(ask, user, &ret->low);
		policy_level_copy(&ret->high, &ret->low);
		break;
	case 3:
		policy_level_copy(&ret->low, &user->low);
		pick_level(ask, user, &ret->high);
		break;
	default:
		policy_level_copy(&ret->low, &user->low);
		policy_level_copy(&ret->high, &user->low);
		break;
	}
}

void ask_context(struct ask *ask, uint32_t type, bool object, struct policy_context *ret)
{
	const struct policy *policy = ask->policy;
	uint32_t role = object || ebitmap_empty(&ask->roles_of_type[type]) ? OBJECT_R
									   : pick(ask, &ask->roles_of_type[type]);
	uint32_t user = pick_user(ask, role);

	*ret = (struct policy_context){.user = user, .role = role, .type = type};
	if (policy->mls)
		pick_range(ask, &policy->users.at[user].range, &ret->range);
}

void ask_question(struct ask *ask, struct question *ret)
{
	uint32_t source, target, class;

	if (!ask_below(ask, 2) || !ask_rule(ask, &source, &target, &class)) {
		source = ask_type(ask);
		target = ask_type(ask);
		class = ask_class(ask);
	}
	ask_context(ask, source, false, &ret->source);
	ask_context(ask, target, ask_below(ask, 10) < 7, &ret->target);
	ret->class = class;
}

void question_free(struct question *question)
{
	policy_context_free(&question->source);
	policy_context_free(&question->target);
}
