/* NEON, which every 64-bit ARM has. */
#include "ebitmap/words.h"

#if defined __aarch64__ && !defined DISABLE_SIMD

#include <arm_neon.h>

#define TARGET
#define vec_load vld1q_u64
#define vec_store vst1q_u64
#define vec_or vorrq_u64
#define vec_and vandq_u64
#define vec_andnot vbicq_u64
#define vec_xor veorq_u64
#define vec_is_zero(v) (!vmaxvq_u32(vreinterpretq_u32_u64(v)))

typedef uint64x2_t vec;
enum { VEC_WORDS = 2 };

#include "ebitmap/words.inc"

static inline vec add_count(vec sums, vec v)
{
	return vpadalq_u32(sums, vpaddlq_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u64(v)))));
}

static uint32_t count(const uint64_t *words, uint32_t n)
{
	vec sums = vdupq_n_u64(0);
	uint32_t i = 0;

	for (; n - i >= VEC_WORDS; i += VEC_WORDS)
		sums = add_count(sums, vec_load(words + i));
	return (uint32_t)vaddvq_u64(sums) + (i < n ? word_count(words[i]) : 0);
}

static uint32_t distance(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	vec sums = vdupq_n_u64(0);
	uint32_t i = 0;

	for (; n - i >= VEC_WORDS; i += VEC_WORDS)
		sums = add_count(sums, vec_xor(vec_load(a + i), vec_load(b + i)));
	return (uint32_t)vaddvq_u64(sums) + (i < n ? word_count(a[i] ^ b[i]) : 0);
}

const struct words words_neon = {"neon", subset, intersects, or, and, andnot, xor, count, distance};

#else
typedef int words_neon_is_not_for_this_machine;
#endif
