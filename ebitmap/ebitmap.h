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

#include <stdatomic.h>
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

/* So many words are not few: from there on a loop in vectors is worth its call. */
enum { EBITMAP_MANY = 8 };

void ebitmap_free(struct ebitmap *e); /* leaves the empty set */
void ebitmap_copy(struct ebitmap *to, const struct ebitmap *from); /* frees what to held */

/* Room for n words from the word first on, zeroed.  The set is canonical once
 * the first and the last of them have a member. */
void ebitmap_make(struct ebitmap *ret, uint32_t first, uint32_t n);

void ebitmap_set(struct ebitmap *e, uint32_t bit);
void ebitmap_clear(struct ebitmap *e, uint32_t bit);
void ebitmap_set_range(struct ebitmap *e, uint32_t low, uint32_t high); /* both inclusive */

void ebitmap_or(struct ebitmap *to, const struct ebitmap *from);     /* to |= from */
void ebitmap_and(struct ebitmap *to, const struct ebitmap *from);    /* to &= from */
void ebitmap_andnot(struct ebitmap *to, const struct ebitmap *from); /* to &= ~from */
void ebitmap_xor(struct ebitmap *to, const struct ebitmap *from);
void ebitmap_complement(struct ebitmap *e, uint32_t size); /* within 0 .. size - 1 */

bool ebitmap_equal(const struct ebitmap *a, const struct ebitmap *b);
bool ebitmap_intersects(const struct ebitmap *a, const struct ebitmap *b);
uint32_t ebitmap_count(const struct ebitmap *e);
uint32_t ebitmap_distance(const struct ebitmap *a, const struct ebitmap *b); /* members of one alone */
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

uint32_t ebitmap_first(const struct ebitmap *e); /* or EBITMAP_NONE */

static inline uint32_t ebitmap_last(const struct ebitmap *e) /* or EBITMAP_NONE */
{
	return e->n ? (e->first + e->n) * 64 - 1 - (uint32_t)__builtin_clzll(e->words[e->n - 1]) : EBITMAP_NONE;
}

/* For the functions below: the loop over many words that this machine does best
 * (words.h has the choice), and the search from one word to the next. */
typedef bool ebitmap_question(const uint64_t *sub, const uint64_t *of, uint32_t n);
#ifdef DISABLE_SIMD
ebitmap_question ebitmap_words_subset;
#else
extern ebitmap_question *_Atomic ebitmap_words_subset;
#endif
uint32_t ebitmap_next_word(const struct ebitmap *e, uint32_t after);

static inline ebitmap_question *ebitmap_subset_loop(void)
{
#ifdef DISABLE_SIMD
	return ebitmap_words_subset;
#else
	return atomic_load_explicit(&ebitmap_words_subset, memory_order_relaxed);
#endif
}

/* Is b within a, and no member of b above last_bit?  In one pass, as a level
 * asks of its categories.  The bound is inclusive; EBITMAP_NONE is none. */
static inline bool ebitmap_contains(const struct ebitmap *a, const struct ebitmap *b, uint32_t last_bit)
{
	uint32_t n = b->n;
	uint64_t before = (uint32_t)(b->first - a->first); /* words; huge when b begins earlier */
	bool fits = before + n <= a->n;

	/* Branches are most of the time of a short set: here is one for both, unless
	 * the bound lies within the last word of b, or b is empty. */
	if (!(fits & ((uint64_t)(b->first + n) * 64 <= (uint64_t)last_bit + 1))) {
		if (!n)
			return true;
		if (!fits || ebitmap_last(b) > last_bit)
			return false;
	}
	if (n >= EBITMAP_MANY)
		return ebitmap_subset_loop()(b->words, a->words + before, n);
	for (uint32_t i = 0; i < n; i++) {
		if (b->words[i] & ~a->words[before + i])
			return false;
	}
	return true;
}

static inline bool ebitmap_subset(const struct ebitmap *sub, const struct ebitmap *of)
{
	return ebitmap_contains(of, sub, EBITMAP_NONE);
}

/* The lowest member above after, or EBITMAP_NONE.  It is mostly in the same word. */
static inline uint32_t ebitmap_next(const struct ebitmap *e, uint32_t after)
{
	uint32_t word = after / 64 - e->first;
	uint64_t rest;

	if (word >= e->n)
		return ebitmap_next_word(e, after);
	rest = e->words[word] & UINT64_MAX << after % 64 << 1;
	return rest ? after / 64 * 64 + (uint32_t)__builtin_ctzll(rest) : ebitmap_next_word(e, after);
}

/* Members in ascending order; the set must not change meanwhile. */
#define ebitmap_for_each(e, bit) \
	for (uint32_t bit = ebitmap_first(e); bit != EBITMAP_NONE; bit = ebitmap_next(e, bit))

#endif
