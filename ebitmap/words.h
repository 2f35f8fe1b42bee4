/* Private to the room: the loops over words, once for each kind of processor.
 *
 * The scalar ones are the reference; the others give the same results.  All
 * take words at any alignment; to and from may be the same words, but not
 * overlap otherwise.
 *
 * Most sets have a word or two.  For them a loop that the compiler sees is
 * faster than any call, so subset() and intersects() are called with at least
 * EBITMAP_MANY words; the others take any n, 0 included. */
#ifndef EBITMAP_WORDS_H
#define EBITMAP_WORDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ebitmap/ebitmap.h"

struct words {
	const char *name; /* as EBITMAP_SIMD has it */
	bool (*subset)(const uint64_t *sub, const uint64_t *of, uint32_t n);
	bool (*intersects)(const uint64_t *a, const uint64_t *b, uint32_t n);
	void (*or)(uint64_t *to, const uint64_t *from, uint32_t n);
	void (*and)(uint64_t *to, const uint64_t *from, uint32_t n);
	void (*andnot)(uint64_t *to, const uint64_t *from, uint32_t n);
	void (*xor)(uint64_t *to, const uint64_t *from, uint32_t n);
	uint32_t (*count)(const uint64_t *words, uint32_t n);
	uint32_t (*distance)(const uint64_t *a, const uint64_t *b, uint32_t n); /* bits that differ */
};


/* Without an instruction that does it: sums of 2, 4, then 8 bits, then of all bytes. */
static inline uint32_t word_count(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555u;
	word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (uint32_t)(word * 0x0101010101010101u >> 56);
}

extern const struct words words_scalar;
#ifndef DISABLE_SIMD
#ifdef __x86_64__
extern const struct words words_avx2; /* and POPCNT */
#endif
#ifdef __aarch64__
extern const struct words words_neon;
#endif
#endif

/* The levels that this machine can run, the slowest first: 0 is the scalar
 * one, NULL comes after the last. */
const struct words *words_level(uint32_t i);

/* Takes another level, or NULL: the one of the environment and the machine
 * again.  For tests. */
void words_choose(const struct words *words);

#ifdef DISABLE_SIMD
static inline const struct words *words_use(void)
{
	return &words_scalar;
}
#else
/* Found once, at the first use.  Threads that get there together find the
 * same, and the tables are constant, so relaxed order is enough. */
extern const struct words *_Atomic words_chosen;
const struct words *words_find(void);

static inline const struct words *words_use(void)
{
	const struct words *words = atomic_load_explicit(&words_chosen, memory_order_relaxed);

	return words ? words : words_find();
}
#endif

#endif
