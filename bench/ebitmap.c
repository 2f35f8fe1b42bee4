/* ebitmap: operations on sets against libsepol's, and the check of a level's
 * categories against the bit by bit one that kernels had before 3.8.
 * Prints nanoseconds, the least of the runs, which alternate. */
#include "ebitmap/ebitmap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/peer_set.h"
#include "ebitmap/words.h"

enum { RUNS = 300, RUN_NS = 50000 };

struct sets {
	struct ebitmap small, large; /* small is within large */
	struct ebitmap same;         /* as small, in other memory */
	struct peer_set *their_small, *their_large, *their_same;
	uint32_t size;
};

/* ---- the operations ---- */

/* Does it so many times; what it gives is used, or nothing would be left of it. */
typedef uint64_t operation(struct sets *s, uint32_t times);

#define OPERATION(name, result) \
	static uint64_t name(struct sets *s, uint32_t times) \
	{ \
		uint64_t sum = 0; \
\
		while (times--) { \
			sum += (result); \
			__asm__ volatile("" ::: "memory"); \
		} \
		return sum; \
	}

/* What a subset test cannot do without: an AND and an OR for each word. */
static inline bool plain_loop(const uint64_t *sub, const uint64_t *of, uint32_t n)
{
	uint64_t left = 0;

	for (uint32_t i = 0; i < n; i++)
		left |= sub[i] & ~of[i];
	return !left;
}

static uint32_t change(struct sets *s, void (*op)(struct ebitmap *, const struct ebitmap *))
{
	struct ebitmap result = {0};
	uint32_t n;

	ebitmap_copy(&result, &s->small);
	op(&result, &s->large);
	n = result.n;
	ebitmap_free(&result);
	return n;
}

OPERATION(plain_contains, plain_loop(s->small.words, s->large.words, s->small.n))
OPERATION(bit_by_bit, peer_set_contains_bits(s->their_large, s->their_small, s->size - 1))
OPERATION(ours_contains, ebitmap_contains(&s->large, &s->small, s->size - 1))
OPERATION(theirs_contains, peer_set_contains(s->their_large, s->their_small))
OPERATION(ours_equal, ebitmap_equal(&s->small, &s->same))
OPERATION(theirs_equal, peer_set_equal(s->their_small, s->their_same))
OPERATION(ours_count, ebitmap_count(&s->small))
OPERATION(theirs_count, peer_set_count(s->their_small))
OPERATION(ours_and, change(s, ebitmap_and))
OPERATION(theirs_and, peer_set_and(s->their_small, s->their_large))
OPERATION(ours_or, change(s, ebitmap_or))
OPERATION(theirs_or, peer_set_or(s->their_small, s->their_large))

/* ---- measuring ---- */

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_of(operation *op, struct sets *s, uint32_t times)
{
	double start = now_ns();
	uint64_t sum = op(s, times);

	__asm__ volatile("" : : "r"(sum));
	return (now_ns() - start) / times;
}

struct measured {
	operation *op;
	uint32_t times; /* in a run */
	double ns;
};

static void measure(struct measured *list, uint32_t n, struct sets *s)
{
	for (uint32_t i = 0; i < n; i++) {
		list[i].times = 1;
		while ((list[i].ns = time_of(list[i].op, s, list[i].times)) * list[i].times < RUN_NS)
			list[i].times *= 2;
	}
	for (uint32_t run = 0; run < RUNS; run++) {
		for (uint32_t i = 0; i < n; i++) {
			double ns = time_of(list[i].op, s, list[i].times);

			if (ns < list[i].ns)
				list[i].ns = ns;
		}
	}
}

/* ---- the sets ---- */

static void add(struct sets *s, uint32_t bit, bool small)
{
	ebitmap_set(&s->large, bit);
	peer_set_add(s->their_large, bit);
	if (!small)
		return;
	ebitmap_set(&s->small, bit);
	peer_set_add(s->their_small, bit);
	peer_set_add(s->their_same, bit);
}

/* The large one: all, or a bit in every 96.  The small one lacks a bit of it,
 * not the last. */
static void make(struct sets *s, uint32_t size, bool dense)
{
	uint32_t step = dense ? 1 : 96;

	*s = (struct sets){.size = size, .their_small = peer_set_new(), .their_large = peer_set_new(),
			   .their_same = peer_set_new()};
	for (uint32_t bit = 0; bit < size; bit += step)
		add(s, bit, bit != step || size <= 2 * step);
	ebitmap_copy(&s->same, &s->small);
}

static void drop(struct sets *s)
{
	ebitmap_free(&s->small);
	ebitmap_free(&s->large);
	ebitmap_free(&s->same);
	peer_set_free(s->their_small);
	peer_set_free(s->their_large);
	peer_set_free(s->their_same);
}

static void table(uint32_t size, bool dense)
{
	static const struct {
		const char *name;
		operation *ours, *theirs;
	} rows[] = {
		{"contains", ours_contains, theirs_contains}, {"equal", ours_equal, theirs_equal},
		{"count", ours_count, theirs_count}, {"and", ours_and, theirs_and}, {"or", ours_or, theirs_or},
	};
	struct sets s;

	make(&s, size, dense);
	for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct measured list[] = {{.op = rows[i].ours}, {.op = rows[i].theirs}, {.op = plain_contains}, {.op = bit_by_bit}};

		measure(list, i ? 2 : 4, &s);
		printf("%5u %-6s %-8s %8.1f ns %9.1f ns %7.1f x", (unsigned)size, dense ? "dense" : "sparse", rows[i].name,
		       list[0].ns, list[1].ns, list[1].ns / list[0].ns);
		if (!i)
			printf("   loop %.1f ns, %.2f x; bit by bit %.1f ns, %.0f x", list[2].ns, list[0].ns / list[2].ns,
			       list[3].ns, list[3].ns / list[0].ns);
		putchar('\n');
	}
	drop(&s);
}

int main(void)
{
	static const uint32_t sizes[] = {1, 16, 256, 1024, 5000};

	printf("level %s\n%28s %9s\n", words_use()->name, "ours", "libsepol");
	for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		table(sizes[i], true);
		if (sizes[i] > 16)
			table(sizes[i], false);
	}
	return 0;
}
