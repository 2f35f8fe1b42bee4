/* States of booleans, and the conditionals they turn on. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "security/decider.h"

/* An expression that is broken (which no reader lets through) turns off both
 * branches, as in the kernel. */
static int evaluate(const struct bool_state *s, const struct policy_cond *cond)
{
	bool stack[COND_MAX_DEPTH];
	uint32_t n = 0;

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		const struct policy_cond_expr *e = &cond->expr[i];

		if (e->kind == COND_BOOL) {
			if (n == COND_MAX_DEPTH || !e->boolean || e->boolean > s->policy->bools.n)
				return -1;
			stack[n++] = s->values[e->boolean];
			continue;
		}
		if (n < (e->kind == COND_NOT ? 1 : 2))
			return -1;
		n -= e->kind != COND_NOT;
		switch (e->kind) {
		case COND_NOT: stack[n - 1] = !stack[n - 1]; break;
		case COND_OR: stack[n - 1] |= stack[n]; break;
		case COND_AND: stack[n - 1] &= stack[n]; break;
		case COND_XOR:
		case COND_NEQ: stack[n - 1] = stack[n - 1] != stack[n]; break;
		case COND_EQ: stack[n - 1] = stack[n - 1] == stack[n]; break;
		default: return -1;
		}
	}
	return n == 1 ? stack[0] : -1;
}

static void evaluate_cond(struct bool_state *s, uint32_t i)
{
	int result = evaluate(s, &s->policy->conds.at[i]);

	s->active[list_of(i, false)] = result == 1;
	s->active[list_of(i, true)] = result == 0;
}

static struct bool_state *state_new(const struct policy *policy)
{
	struct bool_state *s = mem_zalloc(1, sizeof *s);

	s->policy = policy;
	s->values = mem_zalloc((size_t)policy->bools.n + 1, sizeof *s->values);
	s->active = mem_zalloc(1 + 2 * (size_t)policy->conds.n, 1);
	return s;
}

struct bool_state *bool_state_new(const struct decider *decider)
{
	const struct policy *policy = decider->policy;
	struct bool_state *s = state_new(policy);

	for (uint32_t v = 1; v <= policy->bools.n; v++)
		s->values[v] = policy->bools.at[v].state;
	s->active[0] = true;
	for (uint32_t i = 0; i < policy->conds.n; i++)
		evaluate_cond(s, i);
	return s;
}

struct bool_state *bool_state_copy(const struct bool_state *state)
{
	struct bool_state *s = state_new(state->policy);

	memcpy(s->values, state->values, ((size_t)state->policy->bools.n + 1) * sizeof *s->values);
	memcpy(s->active, state->active, 1 + 2 * (size_t)state->policy->conds.n);
	return s;
}

void bool_state_free(struct bool_state *state)
{
	if (!state)
		return;
	free(state->values);
	free(state->active);
	free(state);
}

bool bool_state_get(const struct bool_state *state, uint32_t boolean)
{
	return state->values[boolean];
}

void bool_state_set(struct bool_state *state, uint32_t boolean, bool on)
{
	if (state->values[boolean] == on)
		return;
	state->values[boolean] = on;
	for (uint32_t i = 0; i < state->policy->conds.n; i++)
		evaluate_cond(state, i);
}

bool bool_state_cond(const struct bool_state *state, uint32_t cond)
{
	return state->active[list_of(cond, false)];
}
