/* Filename transitions, in both forms (policydb-format.md 8). */
#include <stdlib.h>
#include <string.h>

#include "backend/read.h"

typedef struct policy_filename_trans trans;

/* The same name as the last one, as a rule, when an image is sorted. */
static const char *take_name(struct reader *r, uint32_t len, const char *last)
{
	if (last && len <= left(r) && strlen(last) == len && memcmp(last, r->at, len) == 0) {
		get_bytes(r, len);
		return last;
	}
	return get_text(r, len);
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_key(const trans *a, const trans *b)
{
	int order = a->name == b->name ? 0 : strcmp(a->name, b->name);

	if (!order)
		order = compare_u32(a->target, b->target);
	return order ? order : compare_u32(a->class, b->class);
}

static int compare_trans(const void *a, const void *b)
{
	int order = compare_key(a, b);

	return order ? order : compare_u32(((const trans *)a)->result, ((const trans *)b)->result);
}

/* ---- by key, from version 33 on ---- */

typedef VEC(trans) trans_vec;

enum { KEY_SIZE = 16, RESULT_SIZE = SET_SIZE + 4 };

static const char *read_key(struct reader *r, trans_vec *all, const char *last)
{
	uint32_t len = get_u32(r), target, class, n;
	const char *name = take_name(r, len, last);

	target = get_u32(r);
	class = get_u32(r);
	n = get_count(r, RESULT_SIZE);
	if (!r->failed && !n)
		refuse(r, "a transition for `%s` without result", name);
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		trans *t = vec_push(all);

		*t = (trans){.name = name, .target = target, .class = class};
		get_set(r, &t->sources);
		t->result = get_u32(r);
	}
	return name;
}

static void sort_transitions(trans_vec *all)
{
	for (uint32_t i = 1; i < all->n; i++) {
		if (compare_trans(&all->at[i - 1], &all->at[i]) > 0) {
			qsort(all->at, all->n, sizeof *all->at, compare_trans);
			return;
		}
	}
}

/* A key has one record, its results differ, and no source has two. */
static void check_keys(struct reader *r, const trans_vec *all, uint32_t nkeys)
{
	struct ebitmap sources = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < all->n && !r->failed; i++) {
		const trans *t = &all->at[i];
		bool same = i && compare_key(t - 1, t) == 0;

		if (!same) {
			ebitmap_free(&sources);
			n++;
		}
		if (same && t->result == t[-1].result)
			refuse(r, "the transition for `%s`, target %u, class %u has the result %u twice", t->name,
			       (unsigned)t->target, (unsigned)t->class, (unsigned)t->result);
		if (ebitmap_intersects(&sources, &t->sources))
			refuse(r, "the transition for `%s`, target %u, class %u has a source with two results", t->name,
			       (unsigned)t->target, (unsigned)t->class);
		ebitmap_or(&sources, &t->sources);
	}
	ebitmap_free(&sources);
	if (!r->failed && n != nkeys)
		refuse(r, "%u transitions for %u names, targets and classes", (unsigned)nkeys, (unsigned)n);
}

static void read_compressed(struct reader *r, trans_vec *all)
{
	uint32_t n = get_count(r, KEY_SIZE + RESULT_SIZE);
	const char *name = NULL;

	for (uint32_t i = 0; i < n && !r->failed; i++)
		name = read_key(r, all, name);
	if (r->failed)
		return;
	sort_transitions(all);
	check_keys(r, all, n);
}

/* ---- by source, before ---- */

struct entry {
	trans trans; /* without sources */
	uint32_t source, order;
};

typedef VEC(struct entry) entry_vec;

static int compare_source(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int order = compare_key(&left->trans, &right->trans);

	if (!order)
		order = compare_u32(left->source, right->source);
	return order ? order : compare_u32(left->order, right->order);
}

static int compare_result(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int order = compare_trans(&left->trans, &right->trans);

	return order ? order : compare_u32(left->source, right->source);
}

static void read_entry(struct reader *r, entry_vec *entries)
{
	uint32_t len = get_u32(r), n = entries->n;
	struct entry entry = {.order = n};

	entry.trans.name = take_name(r, len, n ? entries->at[n - 1].trans.name : NULL);
	entry.source = get_u32(r);
	entry.trans.target = get_u32(r);
	entry.trans.class = get_u32(r);
	entry.trans.result = get_u32(r);
	if (!entry.source || entry.source > POLICY_MAX_SYMBOLS)
		refuse(r, "a transition for `%s` with the source %u", entry.trans.name, (unsigned)entry.source);
	*vec_push(entries) = entry;
}

/* Of several entries for one source the first counts: compilers wrote such,
 * and all readers take them so. */
static void drop_repeats(entry_vec *entries)
{
	uint32_t n = 0;

	qsort(entries->at, entries->n, sizeof *entries->at, compare_source);
	for (uint32_t i = 0; i < entries->n; i++) {
		const struct entry *entry = &entries->at[i], *last = n ? &entries->at[n - 1] : NULL;

		if (!last || entry->source != last->source || compare_key(&entry->trans, &last->trans))
			entries->at[n++] = *entry;
	}
	entries->n = n;
}

/* The sources of entries that are sorted by them. */
static void make_sources(struct reader *r, struct ebitmap *ret_sources, const struct entry *entries, uint32_t n)
{
	uint32_t first = (entries[0].source - 1) / 64, last = (entries[n - 1].source - 1) / 64;

	if (!make_set(r, ret_sources, first, last))
		return;
	for (uint32_t i = 0; i < n; i++)
		ebitmap_set(ret_sources, entries[i].source - 1);
}

static void group_entries(struct reader *r, const entry_vec *entries, trans_vec *all)
{
	for (uint32_t i = 0, end; i < entries->n && !r->failed; i = end) {
		const struct entry *entry = &entries->at[i];
		trans *t = vec_push(all);

		for (end = i + 1; end < entries->n; end++)
			if (compare_trans(&entry->trans, &entries->at[end].trans))
				break;
		*t = entry->trans;
		make_sources(r, &t->sources, entry, end - i);
	}
}

static void read_by_source(struct reader *r, trans_vec *all)
{
	uint32_t n = get_count(r, 20);
	entry_vec entries = {0};

	for (uint32_t i = 0; i < n && !r->failed; i++)
		read_entry(r, &entries);
	if (!r->failed && entries.n) {
		drop_repeats(&entries);
		qsort(entries.at, entries.n, sizeof *entries.at, compare_result);
		group_entries(r, &entries, all);
	}
	vec_free(&entries);
}

void read_filename_transitions(struct reader *r)
{
	trans_vec all = {0};

	if (can(r, FEATURE_COMPRESSED_FILENAME_TRANS))
		read_compressed(r, &all);
	else
		read_by_source(r, &all);
	r->policy->filename_trans.n = all.n;
	r->policy->filename_trans.at = arena_copy(&r->policy->arena, all.at, all.n * sizeof *all.at);
	vec_free(&all);
}
