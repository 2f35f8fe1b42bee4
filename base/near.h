/* The names nearest to one that is wrong, for "did you mean".
 *
 * Near is what takes a few slips: a letter too many, too few, another or two
 * swapped; the longer the name, the more of them.  Case counts for nothing, a
 * forgotten ending (`_t`) for one. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stddef.h>
#include <stdint.h>

struct diags;

enum { NEAR_KEPT = 3 };

struct near {
	const char *text; /* the wrong name */
	uint32_t len;
	uint32_t best;    /* slips of the names kept; while there are none, one more than may be */
	uint32_t n;
	const char *names[NEAR_KEPT]; /* the first ones as near as any */
};

void near_init(struct near *near, const char *text, size_t len);
/* Looks at one name, NUL-terminated and kept by the caller; the wrong name
 * itself is never near. */
void near_try(struct near *near, const char *name, size_t len);
/* Adds a hint to the last finding when there is a near name. */
void near_hint(const struct near *near, struct diags *diags);

#endif
