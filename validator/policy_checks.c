#include "validator/policy_internal.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/text.h"

enum { NEEDS_MLS = 1, NEEDS_MAP = 2, NEEDS_GRANTED = 4 };

enum { MAX_NAMES = 4 };

static const struct policy_check {
	const char *names[MAX_NAMES]; /* what it reports under */
	void (*run)(struct policy_run *run);
	unsigned needs;
} checks[] = {
	{{"invalid-level", "invalid-range", "level-outside-range"}, check_user_levels, NEEDS_MLS},
	{{"user-unusable"}, check_unusable_users, 0},
	{{"sensitivity-unused", "category-unused", "category-unassociated", "level-unused"}, check_unused_levels, NEEDS_MLS},
	{{"range-transition-unreachable"}, check_range_transitions, NEEDS_MLS},
	{{"mls-constraint-gap"}, check_constraint_gaps, NEEDS_MLS | NEEDS_MAP | NEEDS_GRANTED},
	{{"mls-class-unconstrained"}, check_unconstrained_classes, NEEDS_MLS | NEEDS_MAP | NEEDS_GRANTED},
	{{"constraint-always-true", "constraint-always-false"}, check_constraint_values, 0},
	{{"constraint-unreached"}, check_unreached_constraints, NEEDS_GRANTED},
};

/* Nobody asks for silent ones; errors are never silent. */
static bool is_wanted(const struct policy_check *check, const struct diags *diags)
{
	for (size_t i = 0; i < MAX_NAMES && check->names[i]; i++)
		if (!diag_silenced(diags, check->names[i]))
			return true;
	return false;
}

bool policy_checks_want_map(const struct policy *policy)
{
	return policy->mls;
}

static void add_granted(uint32_t *granted, const policy_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++)
		if (rules->at[i].kind == AV_ALLOWED)
			granted[rules->at[i].class] |= rules->at[i].data;
}

static uint32_t *find_granted(const struct policy *policy)
{
	uint32_t *granted = mem_zalloc((size_t)policy->classes.n + 1, sizeof *granted);

	add_granted(granted, &policy->rules);
	for (uint32_t i = 0; i < policy->conds.n; i++) {
		add_granted(granted, &policy->conds.at[i].yes);
		add_granted(granted, &policy->conds.at[i].no);
	}
	return granted;
}

void policy_checks_run(const struct policy *policy, const struct policy_places *places,
		       const struct permission_map *map, struct diags *diags)
{
	unsigned has = NEEDS_GRANTED | (policy->mls ? NEEDS_MLS : 0) | (map ? NEEDS_MAP : 0);
	struct policy_run run = {
		.policy = policy, .places = places, .map = map, .diags = diags, .granted = find_granted(policy),
	};

	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (!(checks[i].needs & ~has) && is_wanted(&checks[i], diags))
			checks[i].run(&run);
	buffer_free(&run.left);
	buffer_free(&run.right);
	free(run.granted);
}

/* ---- pieces of messages ---- */

const char *run_level(const struct policy_run *run, struct buffer *b, const struct policy_level *level)
{
	b->n = 0;
	text_level(b, run->policy, level);
	return text_of(b);
}

const char *run_range(const struct policy_run *run, struct buffer *b, const struct policy_range *range)
{
	b->n = 0;
	text_range(b, run->policy, range);
	return text_of(b);
}

void name_list_start(struct name_list *list, struct buffer *out, uint32_t limit)
{
	*list = (struct name_list){.out = out, .limit = limit};
	out->n = 0;
}

void name_list_add(struct name_list *list, const char *name)
{
	if (list->n++ >= list->limit)
		return;
	text_printf(list->out, "%s`%s`", list->shown ? ", " : "", name);
	list->shown++;
}

const char *name_list_text(struct name_list *list)
{
	if (list->n > list->shown)
		text_printf(list->out, " and %u more", (unsigned)(list->n - list->shown));
	return text_of(list->out);
}
