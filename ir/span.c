#include "ir/span.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* A range as one of the two orders has it: by its low ends, to find the
 * highest end among the ranges that begin early enough; or by its high ends,
 * to find the lowest beginning among those that end late enough. */
struct key {
	uint64_t group, at, other; /* at: the end that the order goes by */
	uint32_t index;
};

/* The ranges in such an order, and over their positions a tree of the best
 * entered so far: leaf i is best[n + i], its parent is at half the index. */
struct order {
	struct key *keys;
	uint32_t *position; /* by index of the range */
	uint32_t *best;     /* position + 1, or 0 */
	uint32_t n;
	bool by_high;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_keys(const void *va, const void *vb)
{
	const struct key *a = va, *b = vb;
	int order = compare(a->group, b->group);

	if (!order)
		order = compare(a->at, b->at);
	if (!order)
		order = compare(a->other, b->other);
	return order ? order : compare(a->index, b->index);
}

static void order_init(struct order *o, const struct span *spans, uint32_t n, bool by_high)
{
	o->n = n;
	o->by_high = by_high;
	o->keys = mem_zalloc(n, sizeof *o->keys);
	o->position = mem_zalloc(n, sizeof *o->position);
	o->best = mem_zalloc((size_t)n * 2, sizeof *o->best);
	for (uint32_t i = 0; i < n; i++)
		o->keys[i] = (struct key){
			.group = spans[i].group,
			.at = by_high ? spans[i].high : spans[i].low,
			.other = by_high ? spans[i].low : spans[i].high,
			.index = i,
		};
	if (n)
		qsort(o->keys, n, sizeof *o->keys, compare_keys);
	for (uint32_t p = 0; p < n; p++)
		o->position[o->keys[p].index] = p;
}

static void order_free(struct order *o)
{
	free(o->keys);
	free(o->position);
	free(o->best);
}

/* The first position whose key is not below (group, at); with after, the first
 * that is above it. */
static uint32_t find(const struct order *o, uint64_t group, uint64_t at, bool after)
{
	uint32_t from = 0, to = o->n;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		int order = compare(o->keys[middle].group, group);

		if (!order)
			order = compare(o->keys[middle].at, at);
		if (order < 0 || (after && !order))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The better of two entries of the tree; the earlier range where they tie. */
static uint32_t better(const struct order *o, uint32_t a, uint32_t b)
{
	const struct key *ka, *kb;

	if (!a || !b)
		return a ? a : b;
	ka = &o->keys[a - 1];
	kb = &o->keys[b - 1];
	if (ka->other == kb->other)
		return ka->index < kb->index ? a : b;
	return (ka->other > kb->other) != o->by_high ? a : b;
}

static void enter(struct order *o, uint32_t index)
{
	uint32_t position = o->position[index];

	for (size_t i = (size_t)o->n + position; i; i /= 2)
		o->best[i] = better(o, o->best[i], position + 1);
}

/* The best among the positions from .. to - 1 that are entered; NULL: none is. */
static const struct key *best_of(const struct order *o, uint32_t from, uint32_t to)
{
	size_t low = (size_t)o->n + from, high = (size_t)o->n + to;
	uint32_t best = 0;

	for (; low < high; low /= 2, high /= 2) {
		if (low & 1)
			best = better(o, best, o->best[low++]);
		if (high & 1)
			best = better(o, best, o->best[--high]);
	}
	return best ? &o->keys[best - 1] : NULL;
}

static bool same_bounds(const struct key *a, const struct key *b)
{
	return a->group == b->group && a->at == b->at && a->other == b->other;
}

/* Equal ranges stand together in either order, the first one first. */
static void find_same(const struct order *by_low, struct span_verdict *verdicts)
{
	const struct key *first = by_low->keys;

	for (uint32_t p = 0; p < by_low->n; p++) {
		const struct key *k = &by_low->keys[p];

		if (!same_bounds(first, k))
			first = k;
		verdicts[k->index].same = first == k ? SPAN_NONE : first->index;
	}
}

/* All of a verdict but `same`, by the ranges entered so far. */
static void judge(const struct order *by_low, const struct order *by_high, const struct span *s, struct span_verdict *v)
{
	uint32_t begin = find(by_low, s->group, 0, false);
	const struct key *k = best_of(by_low, begin, find(by_low, s->group, s->high, true));

	v->around = v->across = v->overlap = SPAN_NONE;
	if (!k || k->other < s->low)
		return;
	v->overlap = k->index;
	k = best_of(by_low, begin, find(by_low, s->group, s->low, true));
	if (k && k->other >= s->high) {
		v->around = k->index;
		return;
	}
	k = best_of(by_low, begin, find(by_low, s->group, s->low, false));
	if (k && k->other >= s->low) {
		v->across = k->index;
		return;
	}
	k = best_of(by_high, find(by_high, s->group, s->high, true), find(by_high, s->group, UINT64_MAX, true));
	if (k && k->other <= s->high)
		v->across = k->index;
}

void spans_judge(const struct span *spans, uint32_t n, struct span_verdict *ret_verdicts)
{
	struct order by_low, by_high;

	order_init(&by_low, spans, n, false);
	order_init(&by_high, spans, n, true);
	find_same(&by_low, ret_verdicts);
	for (uint32_t i = 0; i < n; i++) {
		judge(&by_low, &by_high, &spans[i], &ret_verdicts[i]);
		enter(&by_low, i);
		enter(&by_high, i);
	}
	order_free(&by_low);
	order_free(&by_high);
}
