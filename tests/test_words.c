/* Each level of the loops against the scalar one, and the choice among them. */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ebitmap/words.h"

void suite_words(void);

enum { WORDS_MAX = 133, OFFSETS = 8, ROUNDS = 400 };

/* splitmix64 */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void fill(uint64_t *state, uint64_t *words, uint32_t n)
{
	uint64_t shape = random_next(state) % 5;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t word = random_next(state);

		switch (shape) {
		case 0: words[i] = 0; break;
		case 1: words[i] = UINT64_MAX; break;
		case 2: words[i] = word; break;
		case 3: words[i] = word % 8 ? 0 : UINT64_C(1) << word / 8 % 64; break; /* sparse */
		default: words[i] = i < n / 2 ? 0 : word & random_next(state); break; /* skewed */
		}
	}
}

/* ---- one level against the scalar one ---- */

struct pair {
	uint64_t a[WORDS_MAX + OFFSETS], b[WORDS_MAX + OFFSETS];
};

static bool same_questions(const struct words *level, const uint64_t *a, const uint64_t *b, uint32_t n)
{
	if (level->count(a, n) != words_scalar.count(a, n) || level->distance(a, b, n) != words_scalar.distance(a, b, n))
		return false;
	return n < EBITMAP_MANY || (level->subset(a, b, n) == words_scalar.subset(a, b, n) &&
				    level->intersects(a, b, n) == words_scalar.intersects(a, b, n));
}

/* All of the memory is compared: a loop stays within its words. */
static bool same_changes(const struct words *level, const struct pair *pair, uint32_t at, uint32_t from, uint32_t n)
{
	void (*const ours[])(uint64_t *, const uint64_t *, uint32_t) = {level->or, level->and, level->andnot, level->xor};
	void (*const scalar[])(uint64_t *, const uint64_t *, uint32_t) = {
		words_scalar.or, words_scalar.and, words_scalar.andnot, words_scalar.xor,
	};

	for (uint32_t op = 0; op < 4; op++) {
		struct pair one = *pair, other = *pair;

		ours[op](one.a + at, one.b + from, n);
		scalar[op](other.a + at, other.b + from, n);
		if (memcmp(&one, &other, sizeof one))
			return false;
		ours[op](one.a + at, one.a + at, n); /* the same words */
		scalar[op](other.a + at, other.a + at, n);
		if (memcmp(&one, &other, sizeof one))
			return false;
	}
	return true;
}

/* A subset but for one bit, and sets that meet in one bit, wherever that is. */
static bool finds_each_bit(const struct words *level, uint64_t *a, uint64_t *b, uint32_t n)
{
	if (n < EBITMAP_MANY)
		return true;
	memset(a, 0, n * sizeof *a);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t bit = UINT64_C(1) << i * 7 % 64;

		a[i] = bit;
		memset(b, 0xff, n * sizeof *b);
		b[i] = ~bit;
		if (level->subset(a, b, n) || level->intersects(a, b, n))
			return false;
		b[i] = UINT64_MAX;
		if (!level->subset(a, b, n) || !level->intersects(a, b, n))
			return false;
		a[i] = 0;
	}
	return true;
}

static bool round_passes(const struct words *level, uint64_t *state)
{
	struct pair pair;
	uint32_t n = (uint32_t)(random_next(state) % (WORDS_MAX + 1));
	uint32_t at = (uint32_t)(random_next(state) % OFFSETS), from = (uint32_t)(random_next(state) % OFFSETS);

	fill(state, pair.a, WORDS_MAX + OFFSETS);
	fill(state, pair.b, WORDS_MAX + OFFSETS);
	if (random_next(state) % 2) {
		for (uint32_t i = 0; i < n; i++)
			pair.a[at + i] &= pair.b[from + i];
	}
	return same_questions(level, pair.a + at, pair.b + from, n) && same_changes(level, &pair, at, from, n) &&
	       finds_each_bit(level, pair.a + at, pair.b + from, n);
}

static void test_levels(void)
{
	const char *given = getenv("TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
	const struct words *level;

	for (uint32_t l = 0; (level = words_level(l)); l++) {
		uint64_t state = seed;
		uint32_t i = 0;

		while (i < ROUNDS && round_passes(level, &state))
			i++;
		if (i < ROUNDS)
			fprintf(stderr, "test_words: round %u of level %s failed, TEST_SEED=%llu\n", i, level->name,
				(unsigned long long)seed);
		CU_ASSERT_EQUAL(i, ROUNDS);
	}
}

/* The scalar loops against the meaning, a bit at a time. */
static void test_scalar(void)
{
	uint64_t state = 1, a[9], b[9];

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t count = 0, distance = 0;
		bool subset = true, intersects = false;

		fill(&state, a, 9);
		fill(&state, b, 9);
		for (uint32_t bit = 0; bit < 9 * 64; bit++) {
			bool in_a = a[bit / 64] >> bit % 64 & 1, in_b = b[bit / 64] >> bit % 64 & 1;

			count += in_a;
			distance += in_a != in_b;
			subset &= !in_a || in_b;
			intersects |= in_a && in_b;
		}
		CU_ASSERT_EQUAL(words_scalar.count(a, 9), count);
		CU_ASSERT_EQUAL(words_scalar.distance(a, b, 9), distance);
		CU_ASSERT_EQUAL(words_scalar.subset(a, b, 9), subset);
		CU_ASSERT_EQUAL(words_scalar.intersects(a, b, 9), intersects);
	}
}

/* ---- the choice ---- */

static const struct words *use_with(const char *simd)
{
	setenv("EBITMAP_SIMD", simd, 1);
	words_choose(NULL);
	return words_use();
}

static void test_choice(void)
{
	const char *given = getenv("EBITMAP_SIMD");
	char *kept = given ? strdup(given) : NULL;
	const struct words *level, *best, *fastest = NULL;

	unsetenv("EBITMAP_SIMD");
	words_choose(NULL);
	best = words_use();
	CU_ASSERT_PTR_EQUAL(words_level(0), &words_scalar);
	for (uint32_t l = 0; (level = words_level(l)); l++) {
		CU_ASSERT_PTR_EQUAL(use_with(level->name), level);
		fastest = level;
	}
	CU_ASSERT_PTR_EQUAL(best, fastest);
	CU_ASSERT_PTR_EQUAL(use_with("none of them"), best);
	CU_ASSERT_PTR_EQUAL(use_with(""), best);
	if (kept)
		setenv("EBITMAP_SIMD", kept, 1);
	free(kept);
	words_choose(NULL);
}

static void *first_use(void *result)
{
	struct ebitmap a = {0}, b = {0};

	ebitmap_set_range(&a, 0, 1023);
	ebitmap_set_range(&b, 1, 1023);
	*(bool *)result = ebitmap_contains(&a, &b, 1023) && !ebitmap_contains(&b, &a, 1023) && ebitmap_count(&b) == 1023;
	ebitmap_free(&a);
	ebitmap_free(&b);
	return NULL;
}

static void test_threads(void)
{
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	bool results[THREADS] = {false};

	words_choose(NULL);
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, first_use, &results[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_TRUE(results[i]);
	}
}

void suite_words(void)
{
	CU_pSuite suite = CU_add_suite("words", NULL, NULL);

	CU_add_test(suite, "scalar loops, bit by bit", test_scalar);
	CU_add_test(suite, "levels against the scalar one", test_levels);
	CU_add_test(suite, "choice by the environment", test_choice);
	CU_add_test(suite, "first use by many threads", test_threads);
}
