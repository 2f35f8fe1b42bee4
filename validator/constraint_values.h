/* Which values a constraint can have at all.  Private to validator/. */
#ifndef VALIDATOR_CONSTRAINT_VALUES_H
#define VALIDATOR_CONSTRAINT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/policy.h"

/* How the levels of two ranges can relate, all pairs of them together: a bit
 * for each of the six pairs and each relation. */
struct level_patterns { VEC(uint32_t) at; };

/* With as many sensitivities and categories as the policy has, each category
 * with each sensitivity: perhaps more patterns than the policy allows, never
 * fewer. */
void level_patterns_init(struct level_patterns *patterns, const struct policy *policy);
void level_patterns_free(struct level_patterns *patterns);

/* Whether some contexts make the constraint hold, and some make it fail, when
 * each user, role, type and range may go with each other.  Both are true when
 * that would take too long to tell.  So false is certain. */
struct constraint_values { bool can_hold, can_fail; };

struct constraint_values constraint_values_of(const struct policy *policy, const struct level_patterns *patterns,
					      const struct policy_constraint *constraint);

#endif
