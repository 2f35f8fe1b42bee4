#include "query/near_rules.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_attribute(const struct policy *p, uint32_t value)
{
	return p->types.at[value].kind == POLICY_ATTRIBUTE && p->types.at[value].name;
}

static bool is_about(const struct policy *p, uint32_t value, uint32_t type)
{
	return value == type || ebitmap_test(&p->types.at[value].types, type - 1);
}

static uint32_t size_of(const struct policy *p, uint32_t attribute)
{
	return ebitmap_count(&p->types.at[attribute].types);
}

/* Of two rules of one attribute the first is kept. */
static void keep(const struct policy *p, const struct policy_rule **list, const struct policy_rule *rule, bool source)
{
	uint32_t attribute = source ? rule->source : rule->target;

	for (size_t i = 0; i < NEAR_RULES; i++) {
		const struct policy_rule *other = list[i];

		if (other && (source ? other->source : other->target) == attribute)
			return;
		if (!other || size_of(p, attribute) < size_of(p, source ? other->source : other->target)) {
			list[i] = rule;
			if (!other)
				return;
			rule = other;
			attribute = source ? rule->source : rule->target;
		}
	}
}

/* Rules are sorted by class. */
static uint32_t first_of_class(const policy_rules *rules, uint32_t class)
{
	uint32_t low = 0, high = rules->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rules->at[middle].class < class)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void near_rules_find(const struct policy *policy, uint32_t source, uint32_t target, uint32_t class, uint32_t perms,
		     struct near_rules *ret_rules)
{
	const policy_rules *rules = &policy->rules;

	*ret_rules = (struct near_rules){0};
	for (uint32_t i = first_of_class(rules, class); i < rules->n && rules->at[i].class == class; i++) {
		const struct policy_rule *rule = &rules->at[i];
		bool about_source, about_target;

		if (rule->kind != AV_ALLOWED || (rule->data & perms) != perms)
			continue;
		about_source = is_about(policy, rule->source, source);
		about_target = is_about(policy, rule->target, target);
		if (about_target && !about_source && is_attribute(policy, rule->source))
			keep(policy, ret_rules->source, rule, true);
		else if (about_source && !about_target && is_attribute(policy, rule->target))
			keep(policy, ret_rules->target, rule, false);
	}
}
