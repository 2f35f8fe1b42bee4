/* What the files that decide share.  Private to security/. */
#ifndef SECURITY_DECIDER_H
#define SECURITY_DECIDER_H

#include "security/decide.h"
#include "security/index.h"
#include "security/interval_map.h"
#include "security/ready_constraint.h"

struct decider {
	const struct security *security;
	const struct policy *policy;
	struct rule_index index;
	struct ready_constraints constraints;
	uint32_t process;          /* class, or 0 */
	uint32_t transition_perms; /* of it: transition and dyntransition */
	struct ebitmap sockets;    /* classes whose new objects take after the process */
	struct ebitmap *role_allows; /* by role: roles - 1 */
	struct interval_map role_trans, range_trans; /* each rule one transition_point() */
};

/* What a rule is about: values of a role or type, a type and a class. */
static inline struct point transition_point(uint32_t source, uint32_t target, uint32_t class)
{
	return (struct point){source, (uint64_t)target << 32 | class};
}

struct bool_state {
	const struct policy *policy;
	bool *values;          /* by value */
	unsigned char *active; /* by list_of(), and [0] */
};

#endif
