/* The rules of a class on both sides, as effective masks by source and target.
 *
 * The matrix is never built.  Rules that say the same of the same sets are on
 * both sides and prove nothing.  Of the others, those that say the same of
 * attributes whose types differ can make a difference only where the types
 * differ.  So there is an area of sources and targets for each, and only in the
 * areas are masks worked out, a source at a time.
 *
 * With thousands of large attributes that is more than anybody waits for.  So
 * steps are counted, and when they are spent the rules that prove something are
 * what is reported, as they stand. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/diff.h"

struct area { uint32_t sources, targets; }; /* sets */

struct matrix {
	struct differ *d;
	const matrix_rules *rules, *base;
	matrix_rules odd[2];       /* what the other side has not, by source */
	VEC(struct area) areas;
	uint64_t *targets;         /* of the source at hand: a dense set */
	uint32_t *words, nwords;   /* its words that are not empty */
	uint64_t *masks[2], *base_masks[2]; /* by target */
	struct excess excess[2];
	bool given_up;
};

/* ---- what is odd ---- */

static int by_sets(const void *a, const void *b)
{
	const struct matrix_rule *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return x->mask < y->mask ? -1 : x->mask > y->mask;
}

static bool is_sorted(const matrix_rules *rules)
{
	for (uint32_t i = 1; i < rules->n; i++) {
		if (by_sets(&rules->at[i - 1], &rules->at[i]) > 0)
			return false;
	}
	return true;
}

static void find_odd(struct matrix *m)
{
	const matrix_rules *r = m->rules;
	uint32_t i = 0, j = 0;

	while (i < r[OLD].n || j < r[NEW].n) {
		int order = i == r[OLD].n ? 1 : j == r[NEW].n ? -1 : by_sets(&r[OLD].at[i], &r[NEW].at[j]);

		if (order < 0)
			*vec_push(&m->odd[OLD]) = r[OLD].at[i];
		if (order > 0)
			*vec_push(&m->odd[NEW]) = r[NEW].at[j];
		i += order <= 0;
		j += order >= 0;
	}
}

/* ---- areas ---- */

/* An odd rule by its names. */
struct said { uint32_t source, target; const struct matrix_rule *rule; };

typedef VEC(struct said) sayings;

static int by_names(const void *a, const void *b)
{
	const struct said *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return x->rule->mask < y->rule->mask ? -1 : x->rule->mask > y->rule->mask;
}

static void list_sayings(const struct matrix *m, enum side side, sayings *ret)
{
	const uint32_t *names = m->d->name_of[side];

	for (uint32_t i = 0; i < m->odd[side].n; i++) {
		const struct matrix_rule *r = &m->odd[side].at[i];

		*vec_push(ret) = (struct said){names[r->source_value], names[r->target_value], r};
	}
	if (ret->n)
		qsort(ret->at, ret->n, sizeof *ret->at, by_names);
}

static void add_area(struct matrix *m, uint32_t sources, uint32_t targets)
{
	if (sources && targets)
		*vec_push(&m->areas) = (struct area){sources, targets};
}

typedef void (*set_operation)(struct ebitmap *to, const struct ebitmap *from);

static uint32_t combine(struct differ *d, uint32_t a, uint32_t b, set_operation operation)
{
	struct ebitmap set = {0};

	ebitmap_copy(&set, &d->sets.at[a]);
	operation(&set, &d->sets.at[b]);
	return set_intern(d, &set);
}

/* Both sides say the same, of other types. */
static void add_areas(struct matrix *m, const struct matrix_rule *a, const struct matrix_rule *b)
{
	struct differ *d = m->d;

	add_area(m, combine(d, a->source, b->source, ebitmap_xor), combine(d, a->target, b->target, ebitmap_or));
	add_area(m, combine(d, a->source, b->source, ebitmap_and), combine(d, a->target, b->target, ebitmap_xor));
}

static int by_area(const void *a, const void *b)
{
	const struct area *x = a, *y = b;

	if (x->sources != y->sources)
		return x->sources < y->sources ? -1 : 1;
	return x->targets < y->targets ? -1 : x->targets > y->targets;
}

/* One area for each set of sources. */
static void merge_areas(struct matrix *m)
{
	uint32_t n = 0;

	if (!m->areas.n)
		return;
	qsort(m->areas.at, m->areas.n, sizeof *m->areas.at, by_area);
	for (uint32_t i = 0; i < m->areas.n;) {
		uint32_t sources = m->areas.at[i].sources, last = NONE;
		struct ebitmap targets = {0};

		for (; i < m->areas.n && m->areas.at[i].sources == sources; i++) {
			if (m->areas.at[i].targets != last)
				ebitmap_or(&targets, &m->d->sets.at[m->areas.at[i].targets]);
			last = m->areas.at[i].targets;
		}
		m->areas.at[n++] = (struct area){sources, set_intern(m->d, &targets)};
	}
	m->areas.n = n;
}

static void find_areas(struct matrix *m)
{
	sayings said[2] = {0};
	uint32_t i = 0, j = 0;

	list_sayings(m, OLD, &said[OLD]);
	list_sayings(m, NEW, &said[NEW]);
	while (i < said[OLD].n || j < said[NEW].n) {
		int order = i == said[OLD].n ? 1 : j == said[NEW].n ? -1 : by_names(&said[OLD].at[i], &said[NEW].at[j]);

		if (!order)
			add_areas(m, said[OLD].at[i].rule, said[NEW].at[j].rule);
		else if (order < 0)
			add_area(m, said[OLD].at[i].rule->source, said[OLD].at[i].rule->target);
		else
			add_area(m, said[NEW].at[j].rule->source, said[NEW].at[j].rule->target);
		i += order <= 0;
		j += order >= 0;
	}
	vec_free(&said[OLD]);
	vec_free(&said[NEW]);
	merge_areas(m);
}

/* ---- masks of a source ---- */

uint32_t matrix_find(const matrix_rules *rules, uint32_t source)
{
	uint32_t low = 0, high = rules->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rules->at[middle].source < source)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool find_targets(struct matrix *m, uint32_t source)
{
	struct differ *d = m->d;

	for (uint32_t i = 0; i < m->nwords; i++)
		m->targets[m->words[i]] = 0;
	m->nwords = 0;
	for (uint32_t i = 0; i < m->areas.n; i++) {
		const struct ebitmap *targets = &d->sets.at[m->areas.at[i].targets];

		if (!ebitmap_test(&d->sets.at[m->areas.at[i].sources], source))
			continue;
		differ_spend(d, targets->n);
		for (uint32_t k = 0; k < targets->n; k++) {
			if (!targets->words[k])
				continue;
			if (!m->targets[targets->first + k])
				m->words[m->nwords++] = targets->first + k;
			m->targets[targets->first + k] |= targets->words[k];
		}
	}
	differ_spend(d, m->areas.n);
	return m->nwords > 0;
}

static void add_mask(const struct matrix *m, uint64_t *masks, const struct ebitmap *set, uint64_t mask)
{
	for (uint32_t i = 0; i < m->nwords; i++) {
		uint32_t word = m->words[i] - set->first;
		uint64_t bits = word < set->n ? set->words[word] & m->targets[m->words[i]] : 0;

		differ_spend(m->d, 1 + (uint32_t)__builtin_popcountll(bits));
		for (; bits; bits &= bits - 1)
			masks[m->words[i] * 64 + (uint32_t)__builtin_ctzll(bits)] |= mask;
	}
}

static void find_masks(const struct matrix *m, enum side side, const matrix_rules *rules, uint32_t source, uint64_t *masks)
{
	const struct differ *d = m->d;

	for (uint32_t i = 0; i < m->nwords; i++)
		memset(&masks[m->words[i] * 64], 0, 64 * sizeof *masks);
	for (uint32_t i = d->start[side][source]; i < d->start[side][source + 1]; i++) {
		uint32_t set = d->members[side][i];

		for (uint32_t r = matrix_find(rules, set); d->budget && r < rules->n && rules->at[r].source == set; r++)
			add_mask(m, masks, &d->sets.at[rules->at[r].target], rules->at[r].mask);
	}
}

/* ---- what differs ---- */

static void add_cell(struct excess *excess, uint32_t source, uint32_t target, uint64_t mask)
{
	struct row *row = excess->rows.n ? &excess->rows.at[excess->rows.n - 1] : NULL;

	if (!mask)
		return;
	if (!row || row->source != source) {
		row = vec_push(&excess->rows);
		*row = (struct row){.source = source, .first = excess->cells.n};
	}
	row->n++;
	*vec_push(&excess->cells) = (struct cell){target, mask, mask};
}

static void compare_target(struct matrix *m, uint32_t source, uint32_t target)
{
	uint64_t before = m->masks[OLD][target], after = m->masks[NEW][target];

	if (before == after)
		return;
	if (m->base) {
		add_cell(&m->excess[OLD], source, target, before & ~after & ~m->base_masks[OLD][target]);
		add_cell(&m->excess[NEW], source, target, after & ~before & ~m->base_masks[NEW][target]);
	} else {
		add_cell(&m->excess[OLD], source, target, before & ~after);
		add_cell(&m->excess[NEW], source, target, after & ~before);
	}
}

static void compare_source(struct matrix *m, uint32_t source)
{
	if (!find_targets(m, source))
		return;
	differ_spend(m->d, 64 * (uint64_t)m->nwords);
	for (enum side side = OLD; side <= NEW; side++) {
		find_masks(m, side, &m->rules[side], source, m->masks[side]);
		if (m->base)
			find_masks(m, side, &m->base[side], source, m->base_masks[side]);
	}
	for (uint32_t i = 0; m->d->budget && i < m->nwords; i++) {
		for (uint64_t bits = m->targets[m->words[i]]; bits; bits &= bits - 1)
			compare_target(m, source, m->words[i] * 64 + (uint32_t)__builtin_ctzll(bits));
	}
}

static void compare(struct matrix *m)
{
	struct differ *d = m->d;
	struct ebitmap sources = {0};
	size_t size = (size_t)d->nwords * 64;

	for (uint32_t i = 0; i < m->areas.n; i++)
		ebitmap_or(&sources, &d->sets.at[m->areas.at[i].sources]);
	m->targets = mem_zalloc(d->nwords, sizeof *m->targets);
	m->words = mem_alloc(d->nwords * sizeof *m->words);
	for (enum side side = OLD; side <= NEW; side++) {
		m->masks[side] = mem_alloc(size * sizeof(uint64_t));
		m->base_masks[side] = mem_alloc(size * sizeof(uint64_t));
	}
	ebitmap_for_each(&sources, source) {
		compare_source(m, source);
		m->given_up = !d->budget || m->excess[OLD].cells.n + m->excess[NEW].cells.n > DIFFER_CELLS;
		if (m->given_up)
			break;
	}
	for (enum side side = OLD; side <= NEW; side++) {
		free(m->masks[side]);
		free(m->base_masks[side]);
	}
	free(m->targets);
	free(m->words);
	ebitmap_free(&sources);
}

void matrix_diff(struct differ *d, matrix_rules *rules, const matrix_rules *base, const struct matrix_form *form)
{
	struct matrix m = {
		.d = d, .rules = rules, .base = base,
		.excess = {{.side = OLD, .rows = {0}, .cells = {0}}, {.side = NEW, .rows = {0}, .cells = {0}}},
	};

	for (enum side side = OLD; side <= NEW; side++) {
		if (!is_sorted(&rules[side]))
			qsort(rules[side].at, rules[side].n, sizeof *rules[side].at, by_sets);
	}
	find_odd(&m);
	if (m.odd[OLD].n || m.odd[NEW].n) {
		find_areas(&m);
		compare(&m);
	}
	for (enum side side = OLD; side <= NEW; side++) {
		if (m.given_up)
			rules_report(d, side, &m.odd[side], form);
		else
			excess_report(d, &m.excess[side], &m.odd[side], form);
		vec_free(&m.excess[side].rows);
		vec_free(&m.excess[side].cells);
		vec_free(&m.odd[side]);
	}
	vec_free(&m.areas);
}
