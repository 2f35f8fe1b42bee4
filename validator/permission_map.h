/* What permissions mean for the flow of information; the form of the file is in
 * its own first lines (data/permission-map). */
#ifndef VALIDATOR_PERMISSION_MAP_H
#define VALIDATOR_PERMISSION_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "ir/policy.h"

enum { MEANS_READ = 1, MEANS_WRITE = 2 };

struct meaning {
	const char *class; /* pattern of fnmatch() */
	const char *perm;
	unsigned means;    /* MEANS_READ, MEANS_WRITE or both */
};

struct permission_map {
	struct arena arena;
	VEC(struct meaning) meanings;
};

/* Fills a zeroed map; false when the form is wrong, which is recorded (check
 * "permission-map").  permission_map_free() in any case. */
bool permission_map_parse(struct permission_map *map, const struct source *source, struct diags *diags);
void permission_map_free(struct permission_map *map);

/* The permissions of a class that read, and those that write. */
void permission_map_masks(const struct permission_map *map, const struct policy_class *class, uint32_t *ret_read,
			  uint32_t *ret_write);

#endif
