/* Sets of small integers: types of an attribute, roles of a user, categories
 * of a level.
 *
 * The words lie in one block; word i holds the members (first + i) * 64 to
 * (first + i) * 64 + 63.  The form is canonical: the first and the last word
 * are not zero, and an empty set has no words (all fields 0).  So equal sets
 * are equal memory, and the highest member is found without a search.
 *
 * A zeroed struct ebitmap is the empty set.  Functions that change a set may
 * move its words; out of memory ends the process. */
#ifndef EBITMAP_EBITMAP_H
#define EBITMAP_EBITMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ebitmap {
	uint64_t *words; /* owned */
	uint32_t first;  /* index of words[0] among all words */
	uint32_t n;      /* words */
};

/* No member: what the searches return when they find none. */
#define EBITMAP_NONE UINT32_MAX

void ebitmap_free(struct ebitmap *e); /* leaves the empty set */
void ebitmap_copy(struct ebitmap *to, const struct ebitmap *from); /* frees what to held */

void ebitmap_set(struct ebitmap *e, uint32_t bit);
void ebitmap_clear(struct ebitmap *e, uint32_t bit);
void ebitmap_set_range(struct ebitmap *e, uint32_t low, uint32_t high); /* both inclusive */

void ebitmap_or(struct ebitmap *to, const struct ebitmap *from);     /* to |= from */
void ebitmap_and(struct ebitmap *to, const struct ebitmap *from);    /* to &= from */
void ebitmap_andnot(struct ebitmap *to, const struct ebitmap *from); /* to &= ~from */
void ebitmap_xor(struct ebitmap *to, const struct ebitmap *from);
void ebitmap_complement(struct ebitmap *e, uint32_t size); /* within 0 .. size - 1 */

bool ebitmap_equal(const struct ebitmap *a, const struct ebitmap *b);
bool ebitmap_subset(const struct ebitmap *sub, const struct ebitmap *of);
bool ebitmap_intersects(const struct ebitmap *a, const struct ebitmap *b);
uint32_t ebitmap_count(const struct ebitmap *e);
uint64_t ebitmap_hash(const struct ebitmap *e);
int ebitmap_compare(const struct ebitmap *a, const struct ebitmap *b); /* a total order */

static inline bool ebitmap_empty(const struct ebitmap *e)
{
	return e->n == 0;
}

static inline bool ebitmap_test(const struct ebitmap *e, uint32_t bit)
{
	uint32_t word = bit / 64 - e->first;

	return word < e->n && e->words[word] >> bit % 64 & 1;
}

uint32_t ebitmap_first(const struct ebitmap *e);                /* or EBITMAP_NONE */
uint32_t ebitmap_last(const struct ebitmap *e);                 /* or EBITMAP_NONE */
uint32_t ebitmap_next(const struct ebitmap *e, uint32_t after); /* or EBITMAP_NONE */

/* Members in ascending order; the set must not change meanwhile. */
#define ebitmap_for_each(e, bit) \
	for (uint32_t bit = ebitmap_first(e); bit != EBITMAP_NONE; bit = ebitmap_next(e, bit))

#endif
