/* What the files of security/ share.  Private to it. */
#ifndef SECURITY_INTERNAL_H
#define SECURITY_INTERNAL_H

#include "ir/policy.h"
#include "security/security.h"

/* object_r: what no process runs in; no role or user is asked for it. */
enum { OBJECT_R = 1 };

struct name_slot {
	const char *name; /* NULL: free */
	uint32_t len, hash, value;
};

/* Open addressing, at most half full. */
struct name_table {
	struct name_slot *slots;
	uint32_t mask; /* number of slots - 1 */
};

struct security {
	const struct policy *policy;
	struct name_table names[SECURITY_KINDS];
};

#endif
