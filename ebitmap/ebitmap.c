/* The operations.  Each works on the words where both sets have some, and ends
 * with trim(), which restores the canonical form where it can be lost. */
#include "ebitmap/ebitmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ebitmap/words.h"

static _Noreturn void exhausted(void)
{
	fputs("error: out of memory [memory]\n", stderr);
	exit(1);
}

/* ---- words ---- */

static uint32_t end_of(const struct ebitmap *e)
{
	return e->first + e->n;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The words that a and b both have; none when first >= end. */
struct span {
	uint32_t first, end;
};

static struct span common_span(const struct ebitmap *a, const struct ebitmap *b)
{
	return (struct span){max_u32(a->first, b->first), min_u32(end_of(a), end_of(b))};
}

static void resize(struct ebitmap *e, uint32_t n)
{
	uint64_t *words = realloc(e->words, (size_t)n * sizeof *words);

	if (!words)
		exhausted();
	e->words = words;
	e->n = n;
}

/* Makes room for the words first to end - 1; new ones are zero. */
static void cover(struct ebitmap *e, uint32_t first, uint32_t end)
{
	uint32_t old = e->n, before;

	if (!old) {
		resize(e, end - first);
		memset(e->words, 0, (size_t)e->n * sizeof *e->words);
		e->first = first;
		return;
	}
	first = min_u32(first, e->first);
	end = max_u32(end, end_of(e));
	if (end - first == old)
		return;
	before = e->first - first;
	resize(e, end - first);
	if (before) {
		memmove(e->words + before, e->words, (size_t)old * sizeof *e->words);
		memset(e->words, 0, (size_t)before * sizeof *e->words);
	}
	memset(e->words + before + old, 0, (size_t)(e->n - before - old) * sizeof *e->words);
	e->first = first;
}

/* Keeps only the words of the span, which lies within the set. */
static void keep(struct ebitmap *e, struct span span)
{
	if (span.first >= span.end) {
		ebitmap_free(e);
		return;
	}
	if (span.first > e->first)
		memmove(e->words, e->words + (span.first - e->first),
			(size_t)(span.end - span.first) * sizeof *e->words);
	e->first = span.first;
	e->n = span.end - span.first;
}

static void trim(struct ebitmap *e)
{
	uint32_t low = 0, high = e->n;

	while (high && !e->words[high - 1])
		high--;
	while (low < high && !e->words[low])
		low++;
	if (high - low < e->n)
		keep(e, (struct span){e->first + low, e->first + high});
}

static uint32_t lowest_bit(uint64_t word)
{
	return (uint32_t)__builtin_ctzll(word);
}

/* ---- one set ---- */

void ebitmap_free(struct ebitmap *e)
{
	free(e->words);
	*e = (struct ebitmap){0};
}

void ebitmap_copy(struct ebitmap *to, const struct ebitmap *from)
{
	if (to == from)
		return;
	if (!from->n) {
		ebitmap_free(to);
		return;
	}
	if (to->n != from->n)
		resize(to, from->n);
	memcpy(to->words, from->words, (size_t)from->n * sizeof *to->words);
	to->first = from->first;
}

void ebitmap_make(struct ebitmap *ret, uint32_t first, uint32_t n)
{
	*ret = (struct ebitmap){0};
	if (n)
		cover(ret, first, first + n);
}

void ebitmap_set(struct ebitmap *e, uint32_t bit)
{
	uint32_t word = bit / 64;

	if (word - e->first >= e->n)
		cover(e, word, word + 1);
	e->words[word - e->first] |= (uint64_t)1 << bit % 64;
}

void ebitmap_clear(struct ebitmap *e, uint32_t bit)
{
	uint32_t word = bit / 64 - e->first;

	if (word >= e->n)
		return;
	e->words[word] &= ~((uint64_t)1 << bit % 64);
	if (!e->words[word])
		trim(e);
}

/* Bits low to 63, and 0 to high, of a word. */
static uint64_t from_bit(uint32_t low)
{
	return UINT64_MAX << low % 64;
}

static uint64_t to_bit(uint32_t high)
{
	return UINT64_MAX >> (63 - high % 64);
}

void ebitmap_set_range(struct ebitmap *e, uint32_t low, uint32_t high)
{
	uint32_t first = low / 64, last = high / 64;
	uint64_t *words;

	if (low > high)
		return;
	cover(e, first, last + 1);
	words = e->words + (first - e->first);
	if (first == last) {
		words[0] |= from_bit(low) & to_bit(high);
		return;
	}
	words[0] |= from_bit(low);
	memset(words + 1, 0xff, (size_t)(last - first - 1) * sizeof *words);
	words[last - first] |= to_bit(high);
}

/* ---- two sets ---- */

void ebitmap_or(struct ebitmap *to, const struct ebitmap *from)
{
	uint64_t *words;

	if (!from->n)
		return;
	cover(to, from->first, end_of(from));
	words = to->words + (from->first - to->first);
	if (from->n >= EBITMAP_MANY) {
		words_use()->or(words, from->words, from->n);
		return;
	}
	for (uint32_t i = 0; i < from->n; i++)
		words[i] |= from->words[i];
}

void ebitmap_and(struct ebitmap *to, const struct ebitmap *from)
{
	struct span span = common_span(to, from);
	const uint64_t *words;

	keep(to, span);
	if (!to->n)
		return;
	words = from->words + (span.first - from->first);
	if (to->n >= EBITMAP_MANY) {
		words_use()->and(to->words, words, to->n);
	} else {
		for (uint32_t i = 0; i < to->n; i++)
			to->words[i] &= words[i];
	}
	trim(to);
}

void ebitmap_andnot(struct ebitmap *to, const struct ebitmap *from)
{
	struct span span = common_span(to, from);
	const uint64_t *minus;
	uint64_t *words;
	uint32_t n;

	if (span.first >= span.end)
		return;
	n = span.end - span.first;
	words = to->words + (span.first - to->first);
	minus = from->words + (span.first - from->first);
	if (n >= EBITMAP_MANY) {
		words_use()->andnot(words, minus, n);
	} else {
		for (uint32_t i = 0; i < n; i++)
			words[i] &= ~minus[i];
	}
	trim(to);
}

void ebitmap_xor(struct ebitmap *to, const struct ebitmap *from)
{
	uint64_t *words;

	if (!from->n)
		return;
	cover(to, from->first, end_of(from));
	words = to->words + (from->first - to->first);
	if (from->n >= EBITMAP_MANY) {
		words_use()->xor(words, from->words, from->n);
	} else {
		for (uint32_t i = 0; i < from->n; i++)
			words[i] ^= from->words[i];
	}
	trim(to);
}

void ebitmap_complement(struct ebitmap *e, uint32_t size)
{
	uint32_t words = size / 64 + (size % 64 != 0);

	if (!size) {
		ebitmap_free(e);
		return;
	}
	cover(e, 0, words);
	e->n = words;
	for (uint32_t i = 0; i < words; i++)
		e->words[i] = ~e->words[i];
	e->words[words - 1] &= to_bit(size - 1);
	trim(e);
}

/* ---- questions ---- */

bool ebitmap_equal(const struct ebitmap *a, const struct ebitmap *b)
{
	if (a->n != b->n || a->first != b->first)
		return false;
	if (a->n >= EBITMAP_MANY)
		return !memcmp(a->words, b->words, (size_t)a->n * sizeof *a->words);
	for (uint32_t i = 0; i < a->n; i++) {
		if (a->words[i] != b->words[i])
			return false;
	}
	return true;
}

bool ebitmap_intersects(const struct ebitmap *a, const struct ebitmap *b)
{
	struct span span = common_span(a, b);
	const uint64_t *left, *right;
	uint32_t n;

	if (span.first >= span.end)
		return false;
	n = span.end - span.first;
	left = a->words + (span.first - a->first);
	right = b->words + (span.first - b->first);
	if (n >= EBITMAP_MANY)
		return words_use()->intersects(left, right, n);
	for (uint32_t i = 0; i < n; i++) {
		if (left[i] & right[i])
			return true;
	}
	return false;
}

/* From how many words on an instruction that counts is worth a call. */
enum { MANY_TO_COUNT = 3 };

static uint32_t count_words(const uint64_t *words, uint32_t n)
{
	uint32_t count = 0;

	if (n >= MANY_TO_COUNT)
		return words_use()->count(words, n);
	for (uint32_t i = 0; i < n; i++)
		count += word_count(words[i]);
	return count;
}

uint32_t ebitmap_count(const struct ebitmap *e)
{
	return count_words(e->words, e->n);
}

/* Of words before and after the span, which lies within the set. */
static uint32_t count_outside(const struct ebitmap *e, struct span span)
{
	uint32_t before = span.first - e->first, end = span.end - e->first;

	return count_words(e->words, before) + count_words(e->words + end, e->n - end);
}

uint32_t ebitmap_distance(const struct ebitmap *a, const struct ebitmap *b)
{
	struct span span = common_span(a, b);
	const uint64_t *left, *right;
	uint32_t n;

	if (span.first >= span.end)
		return ebitmap_count(a) + ebitmap_count(b);
	n = span.end - span.first;
	left = a->words + (span.first - a->first);
	right = b->words + (span.first - b->first);
	return words_use()->distance(left, right, n) + count_outside(a, span) + count_outside(b, span);
}

uint64_t ebitmap_hash(const struct ebitmap *e)
{
	const uint64_t k = 0x9e3779b97f4a7c15u;
	uint64_t h = (e->first + 1) * k;

	for (uint32_t i = 0; i < e->n; i++) {
		h = (h ^ e->words[i]) * k;
		h ^= h >> 32;
	}
	return h;
}

/* As numbers: the set with the highest member that the other lacks is more. */
int ebitmap_compare(const struct ebitmap *a, const struct ebitmap *b)
{
	uint32_t n = min_u32(a->n, b->n);

	if (end_of(a) != end_of(b))
		return end_of(a) < end_of(b) ? -1 : 1;
	for (uint32_t i = 1; i <= n; i++) {
		uint64_t left = a->words[a->n - i], right = b->words[b->n - i];

		if (left != right)
			return left < right ? -1 : 1;
	}
	return (a->n > b->n) - (a->n < b->n);
}

/* ---- members ---- */

uint32_t ebitmap_first(const struct ebitmap *e)
{
	return e->n ? e->first * 64 + lowest_bit(e->words[0]) : EBITMAP_NONE;
}

/* The word of after is behind us. */
uint32_t ebitmap_next_word(const struct ebitmap *e, uint32_t after)
{
	uint32_t i;

	if (after == EBITMAP_NONE || !e->n)
		return EBITMAP_NONE;
	if (after / 64 < e->first)
		return ebitmap_first(e);
	for (i = after / 64 - e->first + 1; i < e->n; i++) {
		if (e->words[i])
			return (e->first + i) * 64 + lowest_bit(e->words[i]);
	}
	return EBITMAP_NONE;
}
