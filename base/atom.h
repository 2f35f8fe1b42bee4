/* Interned names: equal text, equal number.  Atoms are dense from 1, so a
 * table indexed by atom replaces a second hash; 0 is no name. */
#ifndef BASE_ATOM_H
#define BASE_ATOM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef uint32_t atom_t;

enum { ATOM_NONE = 0 };

struct atom_entry {
	const char *text; /* NUL-terminated, in the arena */
	uint32_t len;
	uint32_t hash;
};

struct atoms {
	struct arena text;
	struct atom_entry *entries; /* by atom; [0] is the empty text */
	uint32_t n, cap;            /* atoms given out, counting 0 */
	uint32_t *slots;            /* open addressing: atom, or 0 */
	uint32_t nslots;            /* a power of two */
};

void atoms_init(struct atoms *atoms);
void atoms_free(struct atoms *atoms);
atom_t atom_intern(struct atoms *atoms, const char *text, size_t len);
atom_t atom_find(const struct atoms *atoms, const char *text, size_t len); /* or ATOM_NONE */

static inline const char *atom_text(const struct atoms *atoms, atom_t atom)
{
	return atoms->entries[atom].text;
}

static inline uint32_t atom_len(const struct atoms *atoms, atom_t atom)
{
	return atoms->entries[atom].len;
}

#endif
