/* What the files that decide share.  Private to security/. */
#ifndef SECURITY_DECIDER_H
#define SECURITY_DECIDER_H

#include "security/decide.h"
#include "security/index.h"

struct decider {
	const struct security *security;
	const struct policy *policy;
	struct rule_index index;
	uint32_t process;          /* class, or 0 */
	uint32_t transition_perms; /* of it: transition and dyntransition */
	struct ebitmap sockets;    /* classes whose new objects take after the process */
	struct ebitmap *role_allows; /* by role: roles - 1 */
};

struct bool_state {
	const struct policy *policy;
	bool *values;          /* by value */
	unsigned char *active; /* by list_of(), and [0] */
};

#endif
