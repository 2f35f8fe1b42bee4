/* Which loops: the fastest that the machine can run, or those that EBITMAP_SIMD
 * names. */
#include "ebitmap/words.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 2 };

struct levels {
	const struct words *at[LEVELS_MAX]; /* slowest first */
	uint32_t n;
};

static struct levels find_levels(void)
{
	struct levels levels = {{&words_scalar}, 1};

#ifndef DISABLE_SIMD
#ifdef __x86_64__
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
		levels.at[levels.n++] = &words_avx2;
#endif
#ifdef __aarch64__
	levels.at[levels.n++] = &words_neon;
#endif
#endif
	return levels;
}

const struct words *words_level(uint32_t i)
{
	struct levels levels = find_levels();

	return i < levels.n ? levels.at[i] : NULL;
}

#ifndef DISABLE_SIMD

static bool find_subset(const uint64_t *sub, const uint64_t *of, uint32_t n)
{
	return words_use()->subset(sub, of, n);
}

const struct words *_Atomic words_chosen;
ebitmap_question *_Atomic ebitmap_words_subset = find_subset;

/* A name that is not among the levels leaves the choice to the machine. */
const struct words *words_find(void)
{
	struct levels levels = find_levels();
	const struct words *words = levels.at[levels.n - 1];
	const char *wanted = getenv("EBITMAP_SIMD");

	for (uint32_t i = 0; wanted && i < levels.n; i++) {
		if (!strcmp(wanted, levels.at[i]->name))
			words = levels.at[i];
	}
	words_choose(words);
	return words;
}

void words_choose(const struct words *words)
{
	atomic_store_explicit(&words_chosen, words, memory_order_relaxed);
	atomic_store_explicit(&ebitmap_words_subset, words ? words->subset : find_subset, memory_order_relaxed);
}

#else

void words_choose(const struct words *words)
{
	(void)words;
}

bool ebitmap_words_subset(const uint64_t *sub, const uint64_t *of, uint32_t n)
{
	return words_scalar.subset(sub, of, n);
}

#endif
