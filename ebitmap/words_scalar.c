/* The reference. */
#include "ebitmap/words.h"

static bool subset(const uint64_t *sub, const uint64_t *of, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (sub[i] & ~of[i])
			return false;
	}
	return true;
}

static bool intersects(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (a[i] & b[i])
			return true;
	}
	return false;
}

static void or(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] |= from[i];
}

static void and(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] &= from[i];
}

static void andnot(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] &= ~from[i];
}

static void xor(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] ^= from[i];
}

static uint32_t count(const uint64_t *words, uint32_t n)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += word_count(words[i]);
	return count;
}

static uint32_t distance(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += word_count(a[i] ^ b[i]);
	return count;
}

const struct words words_scalar = {"scalar", subset, intersects, or, and, andnot, xor, count, distance};
