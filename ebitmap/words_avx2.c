/* AVX2, and POPCNT, which every processor with it has. */
#include "ebitmap/words.h"

#if defined __x86_64__ && !defined DISABLE_SIMD

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define vec_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define vec_store(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define vec_or _mm256_or_si256
#define vec_and _mm256_and_si256
#define vec_andnot(a, b) _mm256_andnot_si256(b, a)
#define vec_xor _mm256_xor_si256
#define vec_is_zero(v) _mm256_testz_si256(v, v)

typedef __m256i vec;
enum { VEC_WORDS = 4 };

#include "ebitmap/words.inc"

TARGET static inline __attribute__((always_inline)) uint64_t bits_at(const uint64_t *a, const uint64_t *b, size_t i)
{
	return (uint64_t)_mm_popcnt_u64(b ? a[i] ^ b[i] : a[i]);
}

/* Bits of a, or bits in which a and b differ.  POPCNT takes a word in less than
 * a cycle: no shuffle of nibbles is faster at the lengths of sets. */
TARGET static inline __attribute__((always_inline)) uint32_t sum(const uint64_t *a, const uint64_t *b, size_t n)
{
	uint64_t even = 0, odd = 0; /* one sum alone would wait for itself */
	size_t i = 0;

	for (; n - i >= 4; i += 4) {
		even += bits_at(a, b, i) + bits_at(a, b, i + 2);
		odd += bits_at(a, b, i + 1) + bits_at(a, b, i + 3);
	}
	for (; i < n; i++)
		even += bits_at(a, b, i);
	return (uint32_t)(even + odd);
}

TARGET static uint32_t count(const uint64_t *words, uint32_t n)
{
	return sum(words, NULL, n);
}

TARGET static uint32_t distance(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	return sum(a, b, n);
}

const struct words words_avx2 = {"avx2", subset, intersects, or, and, andnot, xor, count, distance};

#else
typedef int words_avx2_is_not_for_this_machine;
#endif
