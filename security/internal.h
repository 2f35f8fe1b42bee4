/* What the files of security/ share.  Private to it. */
#ifndef SECURITY_INTERNAL_H
#define SECURITY_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

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

/* Room for as many names. */
void name_table_init(struct name_table *table, uint32_t names);
/* The name is kept, not copied; NULL is none.  Of equal names the first counts. */
void name_table_add(struct name_table *table, const char *name, uint32_t value);
/* The value of a name, or 0. */
uint32_t name_table_find(const struct name_table *table, const char *text, size_t len);

struct security {
	const struct policy *policy;
	struct name_table names[SECURITY_KINDS];
};

#endif
