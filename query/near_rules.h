/* Rules that grant what is asked for to a neighbour: what an attribute would
 * give to a type that lacks a rule.  Private to query/. */
#ifndef QUERY_NEAR_RULES_H
#define QUERY_NEAR_RULES_H

#include <stdint.h>

#include "ir/policy.h"

enum { NEAR_RULES = 2 };

/* Rules of the smallest attributes, those first, that grant all of the
 * permissions and miss one side only. */
struct near_rules {
	const struct policy_rule *source[NEAR_RULES]; /* the source type is not in its attribute; NULL behind the last */
	const struct policy_rule *target[NEAR_RULES]; /* the target type is not */
};

/* Unconditional rules only. */
void near_rules_find(const struct policy *policy, uint32_t source, uint32_t target, uint32_t class, uint32_t perms,
		     struct near_rules *ret_rules);

#endif
