/* What it takes for a constraint to hold that does not.  Private to query/. */
#ifndef QUERY_WAYS_H
#define QUERY_WAYS_H

#include "base/buffer.h"
#include "security/constraint.h"

/* Appends the sets of comparisons of which one is enough, `a and b, or c`.
 * Nothing when each deciding comparison is enough by itself, or there are too
 * many sets. */
void put_ways(struct buffer *b, const struct policy *policy, const struct policy_constraint *constraint,
	      const struct constraint_term *terms);

#endif
