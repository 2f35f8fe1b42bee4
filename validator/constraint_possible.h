/* What a constraint can come to when only parts of the contexts are known.
 * Private to validator/. */
#ifndef VALIDATOR_CONSTRAINT_POSSIBLE_H
#define VALIDATOR_CONSTRAINT_POSSIBLE_H

#include <stdbool.h>

#include "ir/policy.h"

/* The parts of a context that are known. */
enum { KNOWN_USER = 1, KNOWN_ROLE = 2, KNOWN_TYPE = 4, KNOWN_RANGE = 8, KNOWN_ALL = 15 };

struct partial_context {
	const struct policy_context *context; /* values of the policy where known, else anything */
	unsigned known;
};

/* False when the constraint holds for no context that could stand for the
 * unknown parts; each leaf is taken for itself, so true proves nothing.
 * third is for validatetrans, else NULL. */
bool constraint_possible(const struct policy *policy, const struct policy_constraint *constraint,
			 const struct partial_context *source, const struct partial_context *target,
			 const struct partial_context *third);

#endif
