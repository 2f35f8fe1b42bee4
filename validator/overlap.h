/* Whether two expressions match one path, shown by such a path.  Private to
 * validator/. */
#ifndef VALIDATOR_OVERLAP_H
#define VALIDATOR_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#include "validator/lines.h"

/* The bytes that an expression matches one after the other: each byte of it, or
 * class, or dot, is a position, and follow says which may come next. */
enum { OVERLAP_POSITIONS = 64 };

struct positions {
	uint32_t n;
	uint64_t first, last; /* positions, as bits */
	bool nullable;        /* the empty text matches */
	uint64_t follow[OVERLAP_POSITIONS];
	uint64_t bytes[OVERLAP_POSITIONS][2]; /* of ASCII, as bits */
};

/* False for an expression that is not plain (regex_plain()) or too long. */
bool positions_of(struct span regex, struct positions *ret);

/* A shortest path that both match, with a NUL behind it; none as well when the
 * search takes too many steps. */
enum { OVERLAP_PATH = 128 };
bool overlap_find(const struct positions *a, const struct positions *b, char ret_path[OVERLAP_PATH]);

#endif
