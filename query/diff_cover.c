/* What one side grants and the other does not, said in few statements.
 *
 * Each cell comes from a rule that only this side has.  So rules are tried in
 * turn, those with the most pairs first: as a whole; for those of its sources
 * that gain all its targets; for those of its targets that all its sources gain.
 * What is left is put together by equal sources and targets; so is all of it
 * when no steps are left for the turns. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/text.h"
#include "query/diff.h"

/* That all targets of a rule are in excess for a source, with mask. */
struct hit { uint32_t rule, source; uint64_t mask; };

struct cover {
	struct differ *d;
	struct excess *excess;
	const matrix_rules *rules;
	const struct matrix_form *form;
	uint32_t *row_of;    /* by source: row, or NONE */
	uint64_t *dense;     /* masks of the row at hand, by target */
	VEC(struct hit) hits;
	uint64_t *whole;     /* by rule: mask that all pairs have in excess */
	uint32_t *order;     /* rules, those with the most pairs first */
};

static void report(struct cover *c, struct grant g, const struct ebitmap *sources, const struct ebitmap *targets,
		   uint64_t mask)
{
	struct buffer b = {0};
	struct ebitmap copy[2] = {0};

	c->form->put_perms(&b, c->form->data, mask);
	g.perms = keep_text(c->d, &b);
	buffer_free(&b);
	differ_spend(c->d, STEPS_KEPT + STEPS_KEPT / 4 * ((uint64_t)sources->n + targets->n));
	ebitmap_copy(&copy[0], sources);
	ebitmap_copy(&copy[1], targets);
	g.sources = set_intern(c->d, &copy[0]); /* moves sets: sources, targets are gone */
	g.targets = set_intern(c->d, &copy[1]);
	g.section = c->form->section;
	g.side = c->excess->side;
	g.word = c->form->word;
	g.class = c->form->class;
	*vec_push(&c->d->grants) = g;
}

/* ---- marking ---- */

static struct row *row_of(const struct cover *c, uint32_t source)
{
	return c->row_of[source] == NONE ? NULL : &c->excess->rows.at[c->row_of[source]];
}

/* The part of mask that is still left in the area; with mark it is taken. */
static uint64_t left_in(struct cover *c, const struct ebitmap *sources, const struct ebitmap *targets, uint64_t mask,
			bool mark)
{
	uint64_t left = 0;

	ebitmap_for_each(sources, source) {
		struct row *row = row_of(c, source);

		differ_spend(c->d, 1 + (row ? row->n : 0));
		for (uint32_t i = 0; row && i < row->n; i++) {
			struct cell *cell = &c->excess->cells.at[row->first + i];

			if (!(cell->left & mask) || !ebitmap_test(targets, cell->target))
				continue;
			left |= cell->left & mask;
			if (mark)
				cell->left &= ~mask;
		}
	}
	return left;
}

/* Reports an area all of which has the mask in excess, unless it is known. */
static void report_area(struct cover *c, const struct matrix_rule *r, const struct ebitmap *sources,
			const struct ebitmap *targets, uint64_t mask, bool whole)
{
	uint64_t left = left_in(c, sources, targets, mask, true);
	struct grant g = {.source_hint = r->source_value, .target_hint = r->target_value, .partial = !whole};

	if (left)
		report(c, g, sources, targets, whole ? mask : left);
}

/* ---- rules as a whole, and for some sources ---- */

static void load_row(struct cover *c, const struct row *row, bool load)
{
	differ_spend(c->d, row->n);
	for (uint32_t i = 0; i < row->n; i++) {
		const struct cell *cell = &c->excess->cells.at[row->first + i];

		c->dense[cell->target] = load ? cell->mask : 0;
	}
}

static void find_hits(struct cover *c, const struct row *row)
{
	struct differ *d = c->d;
	enum side side = c->excess->side;

	load_row(c, row, true);
	for (uint32_t i = d->start[side][row->source]; i < d->start[side][row->source + 1]; i++) {
		uint32_t set = d->members[side][i];

		for (uint32_t r = matrix_find(c->rules, set); r < c->rules->n && c->rules->at[r].source == set; r++) {
			const struct ebitmap *targets = &d->sets.at[c->rules->at[r].target];
			uint64_t mask = c->rules->at[r].mask, n = 1;

			for (uint32_t t = ebitmap_first(targets); t != EBITMAP_NONE && mask; t = ebitmap_next(targets, t), n++)
				mask &= c->dense[t];
			differ_spend(d, mask ? n + STEPS_KEPT : n);
			if (mask)
				*vec_push(&c->hits) = (struct hit){r, row->source, mask};
		}
	}
	load_row(c, row, false);
}

static int by_rule(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	if (x->mask != y->mask)
		return x->mask < y->mask ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static void find_whole(struct cover *c)
{
	for (uint32_t i = 0; i < c->hits.n;) {
		uint32_t rule = c->hits.at[i].rule, n = 0;
		uint64_t mask = UINT64_MAX;

		for (; i < c->hits.n && c->hits.at[i].rule == rule; i++, n++)
			mask &= c->hits.at[i].mask;
		if (n == ebitmap_count(&c->d->sets.at[c->rules->at[rule].source]))
			c->whole[rule] = mask;
	}
}

/* ---- types with themselves ---- */

static bool is_self(const struct cover *c, const struct matrix_rule *r)
{
	const struct ebitmap *set = &c->d->sets.at[r->source];

	return r->source == r->target && ebitmap_first(set) == ebitmap_last(set);
}

static int by_mask(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->mask != y->mask)
		return x->mask < y->mask ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static void mark_self(struct cover *c, uint32_t type, uint64_t mask)
{
	struct row *row = row_of(c, type);

	for (uint32_t i = 0; row && i < row->n; i++) {
		if (c->excess->cells.at[row->first + i].target == type)
			c->excess->cells.at[row->first + i].left &= ~mask;
	}
}

/* `self` of an attribute came here as a rule for each type. */
static void report_self(struct cover *c)
{
	VEC(struct hit) own = {0};

	for (uint32_t i = 0; i < c->hits.n; i++) {
		if (is_self(c, &c->rules->at[c->hits.at[i].rule]))
			*vec_push(&own) = c->hits.at[i];
	}
	if (own.n)
		qsort(own.at, own.n, sizeof *own.at, by_mask);
	for (uint32_t i = 0; i < own.n;) {
		uint64_t mask = own.at[i].mask;
		struct ebitmap types = {0};

		for (; i < own.n && own.at[i].mask == mask; i++) {
			ebitmap_set(&types, own.at[i].source);
			mark_self(c, own.at[i].source, mask);
		}
		report(c, (struct grant){.self = true}, &types, &types, mask);
		ebitmap_free(&types);
	}
	vec_free(&own);
}

/* ---- the turns ---- */

static void report_whole(struct cover *c)
{
	for (uint32_t i = 0; c->d->budget && i < c->rules->n; i++) {
		const struct matrix_rule *r = &c->rules->at[c->order[i]];

		if (c->whole[c->order[i]])
			report_area(c, r, &c->d->sets.at[r->source], &c->d->sets.at[r->target], c->whole[c->order[i]], true);
	}
}

/* The first hit of a rule; hits are by rule. */
static uint32_t first_hit(const struct cover *c, uint32_t rule)
{
	uint32_t low = 0, high = c->hits.n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->hits.at[middle].rule < rule)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void report_some_sources(struct cover *c)
{
	for (uint32_t i = 0; c->d->budget && i < c->rules->n; i++) {
		uint32_t rule = c->order[i];
		const struct matrix_rule *r = &c->rules->at[rule];

		for (uint32_t h = first_hit(c, rule); h < c->hits.n && c->hits.at[h].rule == rule;) {
			uint64_t mask = c->hits.at[h].mask;
			struct ebitmap sources = {0};

			for (; h < c->hits.n && c->hits.at[h].rule == rule && c->hits.at[h].mask == mask; h++)
				ebitmap_set(&sources, c->hits.at[h].source);
			report_area(c, r, &sources, &c->d->sets.at[r->target], mask, false);
			ebitmap_free(&sources);
		}
	}
}

/* By target of the rule: what all its sources have in excess.  False: nothing. */
static bool find_columns(struct cover *c, const struct matrix_rule *r, uint64_t *masks)
{
	struct ebitmap live = {0}, next = {0};
	bool any = true;

	ebitmap_copy(&live, &c->d->sets.at[r->target]);
	ebitmap_for_each(&live, target)
		masks[target] = r->mask;
	ebitmap_for_each(&c->d->sets.at[r->source], source) {
		const struct row *row = row_of(c, source);

		any = row != NULL;
		if (!any)
			break;
		load_row(c, row, true);
		ebitmap_free(&next);
		differ_spend(c->d, 2 * (uint64_t)live.n);
		ebitmap_for_each(&live, target) {
			masks[target] &= c->dense[target];
			if (masks[target])
				ebitmap_set(&next, target);
		}
		load_row(c, row, false);
		ebitmap_copy(&live, &next);
		any = !ebitmap_empty(&live);
		if (!any)
			break;
	}
	ebitmap_free(&live);
	ebitmap_free(&next);
	return any;
}

/* Targets with one mask at a time; clears masks. */
static void report_columns(struct cover *c, const struct matrix_rule *r, const struct ebitmap *sources,
			   const struct ebitmap *targets, uint64_t *masks)
{
	ebitmap_for_each(targets, target) {
		uint64_t mask = masks[target];
		struct ebitmap same = {0};

		if (!mask)
			continue;
		differ_spend(c->d, targets->n * UINT64_C(64));
		for (uint32_t t = target; t != EBITMAP_NONE; t = ebitmap_next(targets, t)) {
			if (masks[t] != mask)
				continue;
			ebitmap_set(&same, t);
			masks[t] = 0;
		}
		report_area(c, r, sources, &same, mask, false);
		ebitmap_free(&same);
	}
}

static void report_some_targets(struct cover *c)
{
	uint64_t *masks = mem_zalloc((size_t)c->d->ntypes + 1, sizeof *masks);
	struct ebitmap sources = {0}, targets = {0};

	for (uint32_t i = 0; c->d->budget && i < c->rules->n; i++) {
		const struct matrix_rule *r = &c->rules->at[c->order[i]];

		ebitmap_copy(&sources, &c->d->sets.at[r->source]);
		ebitmap_copy(&targets, &c->d->sets.at[r->target]);
		if (left_in(c, &sources, &targets, r->mask, false) && find_columns(c, r, masks))
			report_columns(c, r, &sources, &targets, masks);
	}
	ebitmap_free(&sources);
	ebitmap_free(&targets);
	free(masks);
}

/* ---- the rest ---- */

/* Targets that a source has with one mask. */
struct rest { uint64_t mask; uint32_t targets, source; };

typedef VEC(struct rest) rests;

static int by_left(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->left != y->left)
		return x->left < y->left ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static void add_rests(struct cover *c, const struct row *row, rests *ret)
{
	VEC(struct cell) cells = {0};

	for (uint32_t i = 0; i < row->n; i++) {
		if (c->excess->cells.at[row->first + i].left)
			*vec_push(&cells) = c->excess->cells.at[row->first + i];
	}
	if (cells.n)
		qsort(cells.at, cells.n, sizeof *cells.at, by_left);
	for (uint32_t i = 0; i < cells.n;) {
		struct rest rest = {.mask = cells.at[i].left, .source = row->source};
		struct ebitmap targets = {0};

		for (; i < cells.n && cells.at[i].left == rest.mask; i++)
			ebitmap_set(&targets, cells.at[i].target);
		rest.targets = set_intern(c->d, &targets);
		*vec_push(ret) = rest;
	}
	vec_free(&cells);
}

static int by_targets(const void *a, const void *b)
{
	const struct rest *x = a, *y = b;

	if (x->targets != y->targets)
		return x->targets < y->targets ? -1 : 1;
	if (x->mask != y->mask)
		return x->mask < y->mask ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static void report_rest(struct cover *c)
{
	rests list = {0};

	for (uint32_t i = 0; i < c->excess->rows.n; i++)
		add_rests(c, &c->excess->rows.at[i], &list);
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, by_targets);
	for (uint32_t i = 0; i < list.n;) {
		struct rest rest = list.at[i];
		struct ebitmap sources = {0};

		for (; i < list.n && list.at[i].targets == rest.targets && list.at[i].mask == rest.mask; i++)
			ebitmap_set(&sources, list.at[i].source);
		report(c, (struct grant){.partial = true}, &sources, &c->d->sets.at[rest.targets], rest.mask);
		ebitmap_free(&sources);
	}
	vec_free(&list);
}

/* ---- all ---- */

struct sized { uint64_t pairs; uint32_t rule; };

static int by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->pairs != y->pairs)
		return x->pairs > y->pairs ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static uint32_t *order_rules(const struct cover *c)
{
	struct sized *sized = mem_alloc(((size_t)c->rules->n + 1) * sizeof *sized);
	uint32_t *order = mem_alloc(((size_t)c->rules->n + 1) * sizeof *order);

	for (uint32_t i = 0; i < c->rules->n; i++) {
		const struct matrix_rule *r = &c->rules->at[i];
		uint64_t sources = ebitmap_count(&c->d->sets.at[r->source]);

		sized[i] = (struct sized){sources * ebitmap_count(&c->d->sets.at[r->target]), i};
	}
	qsort(sized, c->rules->n, sizeof *sized, by_size);
	for (uint32_t i = 0; i < c->rules->n; i++)
		order[i] = sized[i].rule;
	free(sized);
	return order;
}

static void index_rows(struct cover *c)
{
	for (uint32_t t = 0; t < c->d->ntypes; t++)
		c->row_of[t] = NONE;
	for (uint32_t i = 0; i < c->excess->rows.n; i++)
		c->row_of[c->excess->rows.at[i].source] = i;
}

void rules_report(struct differ *d, enum side side, const matrix_rules *rules, const struct matrix_form *form)
{
	struct buffer b = {0};

	d->diff->by_rule |= rules->n > 0;
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct matrix_rule *r = &rules->at[i];

		b.n = 0;
		form->put_perms(&b, form->data, r->mask);
		*vec_push(&d->grants) = (struct grant){
			.section = form->section, .side = side, .word = form->word, .class = form->class,
			.perms = keep_text(d, &b), .sources = r->source, .targets = r->target,
			.source_hint = r->source_value, .target_hint = r->target_value,
		};
	}
	buffer_free(&b);
}

void excess_report(struct differ *d, struct excess *excess, const matrix_rules *rules, const struct matrix_form *form)
{
	struct cover c = {.d = d, .excess = excess, .rules = rules, .form = form};

	if (!excess->rows.n)
		return;
	c.row_of = mem_alloc(((size_t)d->ntypes + 1) * sizeof *c.row_of);
	c.dense = mem_zalloc((size_t)d->ntypes + 1, sizeof *c.dense);
	c.whole = mem_zalloc((size_t)rules->n + 1, sizeof *c.whole);
	c.order = order_rules(&c);
	index_rows(&c);
	for (uint32_t i = 0; d->budget && i < excess->rows.n; i++)
		find_hits(&c, &excess->rows.at[i]);
	if (c.hits.n)
		qsort(c.hits.at, c.hits.n, sizeof *c.hits.at, by_rule);
	find_whole(&c);
	report_self(&c);
	report_whole(&c);
	report_some_sources(&c);
	report_some_targets(&c);
	report_rest(&c);
	free(c.row_of);
	free(c.dense);
	free(c.whole);
	free(c.order);
	vec_free(&c.hits);
}
