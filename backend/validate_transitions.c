/* Role, filename and range transitions, role allows (policydb-format.md 13.4). */
#include <stdlib.h>

#include "backend/validate.h"
#include "base/memory.h"

static void validate_role_rules(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t i = 0; i < policy->role_trans.n; i++) {
		const struct policy_role_trans *trans = &policy->role_trans.at[i];

		about(v, "role transition", NULL, i);
		check_value(v, OF_ROLES, trans->role, "role");
		check_value(v, OF_TYPES, trans->type, "type");
		check_value(v, OF_CLASSES, trans->class, "class");
		check_value(v, OF_ROLES, trans->result, "new role");
	}
	for (uint32_t i = 0; i < policy->role_allows.n; i++) {
		about(v, "role allow rule", NULL, i);
		check_value(v, OF_ROLES, policy->role_allows.at[i].role, "role");
		check_value(v, OF_ROLES, policy->role_allows.at[i].result, "new role");
	}
}

static void validate_filename_trans(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t i = 0; i < policy->filename_trans.n; i++) {
		const struct policy_filename_trans *trans = &policy->filename_trans.at[i];

		about(v, "filename transition for", trans->name, i);
		check_set(v, OF_TYPES, &trans->sources, "source type");
		check_value(v, OF_TYPES, trans->target, "target type");
		check_value(v, OF_CLASSES, trans->class, "class");
		check_type(v, trans->result, "result type");
	}
}

/* ---- range transitions: each key once ---- */

static int compare_range_trans(const struct policy_range_trans *a, const struct policy_range_trans *b)
{
	int order = compare_u32(a->source, b->source);

	if (!order)
		order = compare_u32(a->target, b->target);
	return order ? order : compare_u32(a->class, b->class);
}

static int compare_pointers(const void *a, const void *b)
{
	const struct policy_range_trans *left = *(const struct policy_range_trans *const *)a;
	const struct policy_range_trans *right = *(const struct policy_range_trans *const *)b;
	int order = compare_range_trans(left, right);

	return order ? order : (left > right) - (left < right);
}

static void check_range_keys(struct validator *v)
{
	uint32_t n = v->policy->range_trans.n;
	const struct policy_range_trans *all = v->policy->range_trans.at;
	const struct policy_range_trans **sorted = mem_alloc(n * sizeof *sorted);

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &all[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_pointers);
	for (uint32_t i = 1; i < n; i++) {
		if (compare_range_trans(sorted[i - 1], sorted[i]) != 0)
			continue;
		about(v, "range transition", NULL, (uint32_t)(sorted[i] - all));
		invalid(v, "the same source, target and class as range transition %u",
			(unsigned)(sorted[i - 1] - all) + 1);
	}
	free(sorted);
}

static void validate_range_trans(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t i = 0; i < policy->range_trans.n; i++) {
		const struct policy_range_trans *trans = &policy->range_trans.at[i];
		bool levels;

		about(v, "range transition", NULL, i);
		check_value(v, OF_TYPES, trans->source, "source type");
		check_value(v, OF_TYPES, trans->target, "target type");
		check_value(v, OF_CLASSES, trans->class, "class");
		if (!policy->mls) {
			invalid(v, "the policy is not MLS");
			continue;
		}
		levels = check_level(v, &trans->range.low, "low level");
		levels &= check_level(v, &trans->range.high, "high level");
		if (levels && range_fault(policy, &trans->range))
			kernel_refuses(v, "%s", range_fault(policy, &trans->range));
	}
	check_range_keys(v);
}

void validate_transitions(struct validator *v)
{
	v->check = "invalid-transition";
	validate_role_rules(v);
	validate_filename_trans(v);
	validate_range_trans(v);
}
