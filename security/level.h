/* The algebra of levels and ranges.
 *
 * A level dominates another when its sensitivity is not lower and its
 * categories include the other's; levels are a lattice.  A range is what lies
 * between two levels of which the high one dominates the low one.
 * policy_level_equal() and policy_level_dominates() are in ir/policy.h. */
#ifndef SECURITY_LEVEL_H
#define SECURITY_LEVEL_H

#include <stdbool.h>

#include "ir/policy.h"

enum level_relation { LEVEL_EQ, LEVEL_DOM, LEVEL_DOMBY, LEVEL_INCOMP };

enum level_relation level_compare(const struct policy_level *a, const struct policy_level *b); /* a REL b */
const char *level_relation_name(enum level_relation relation); /* `eq`, `dom`, `domby`, `incomp` */

/* Whether the policy knows the level: a sensitivity of its, with no category
 * that does not go with it. */
bool level_valid(const struct policy *policy, const struct policy_level *level);

/* Greatest lower and least upper bound.  ret_level is zeroed or a level that
 * is overwritten; it may be a or b. */
void level_glb(const struct policy_level *a, const struct policy_level *b, struct policy_level *ret_level);
void level_lub(const struct policy_level *a, const struct policy_level *b, struct policy_level *ret_level);

bool range_contains(const struct policy_range *outer, const struct policy_range *inner);
/* Whether some level is in both; both are ranges as above. */
bool range_overlaps(const struct policy_range *a, const struct policy_range *b);

/* What default_range glblub makes of two ranges: sensitivities that both have,
 * and of the categories of the lows, and of the highs, those in both.  False,
 * and nothing done, when no sensitivity is in both.  The kernel's rule
 * (mls_context_glblub); the result is not always the meet of the ranges. */
bool range_glblub(const struct policy_range *a, const struct policy_range *b, struct policy_range *ret_range);

#endif
