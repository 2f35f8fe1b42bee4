/* A map from paths to numbers, asked for the directories that a path is in.
 * Private to validator/. */
#ifndef VALIDATOR_FC_PATHS_H
#define VALIDATOR_FC_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atom.h"
#include "base/vec.h"

struct fc_paths {
	struct atoms atoms;
	VEC(uint32_t) values; /* by atom; 0: none */
};

void fc_paths_init(struct fc_paths *paths);
void fc_paths_free(struct fc_paths *paths);
/* The value of a path, to read or to change; good until the next one is added. */
uint32_t *fc_paths_add(struct fc_paths *paths, const char *path, uint32_t len);
uint32_t fc_paths_find(const struct fc_paths *paths, const char *path, uint32_t len); /* or 0 */

/* The length of the directory that a path of this length is in, without a slash
 * at its end: 0 is the root.  For loops from inner to outer. */
uint32_t path_parent(const char *path, uint32_t len);

#endif
