#include "ir/access.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- memberships ---- */

/* Counts that a value names a type or, with fill, notes it. */
static void add_membership(struct memberships *m, uint32_t *fill, uint32_t type, uint32_t value)
{
	if (fill)
		m->at[fill[type]++] = (uint16_t)value;
	else
		m->start[type + 1]++;
}

static void add_memberships(struct memberships *m, uint32_t *fill, const struct policy *policy)
{
	for (uint32_t v = 1; v <= policy->types.n; v++) {
		const struct policy_type *type = &policy->types.at[v];

		if (type->kind == POLICY_TYPE)
			add_membership(m, fill, v, v);
		if (type->kind != POLICY_ATTRIBUTE || type->expand)
			continue;
		ebitmap_for_each(&type->types, bit) {
			if (bit < policy->types.n && policy->types.at[bit + 1].kind == POLICY_TYPE)
				add_membership(m, fill, bit + 1, v);
		}
	}
}

void memberships_init(struct memberships *m, const struct policy *policy)
{
	size_t size = (size_t)policy->types.n + 2;
	uint32_t *fill = mem_alloc(size * sizeof *fill);

	m->start = mem_zalloc(size, sizeof *m->start);
	add_memberships(m, NULL, policy);
	for (size_t v = 1; v < size; v++)
		m->start[v] += m->start[v - 1];
	m->at = mem_alloc(m->start[size - 1] * sizeof *m->at);
	memcpy(fill, m->start, size * sizeof *fill);
	add_memberships(m, fill, policy);
	free(fill);
}

void memberships_free(struct memberships *m)
{
	free(m->start);
	free(m->at);
	*m = (struct memberships){0};
}

/* ---- tables ---- */

static void add_rules(struct access_table *table, const policy_rules *rules, uint16_t kind, uint32_t place)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *r = &rules->at[i];

		if (r->kind == kind)
			*vec_push(&table->rules) = (struct access_rule){r->source, r->target, r->class, place, r->data};
	}
}

static uint32_t key_of(const struct access_rule *r, bool by_class)
{
	return by_class ? r->class : r->source;
}

/* A stable counting sort by source or class; leaves where each key begins. */
static uint32_t *sort_rules(struct access_table *table, uint32_t nkeys, bool by_class)
{
	uint32_t *start = mem_zalloc((size_t)nkeys + 2, sizeof *start);
	uint32_t *fill = mem_alloc(((size_t)nkeys + 2) * sizeof *fill);
	struct access_rule *sorted = mem_alloc(table->rules.n * sizeof *sorted);

	for (uint32_t i = 0; i < table->rules.n; i++)
		start[key_of(&table->rules.at[i], by_class) + 1]++;
	for (uint32_t k = 1; k <= nkeys + 1; k++)
		start[k] += start[k - 1];
	memcpy(fill, start, ((size_t)nkeys + 2) * sizeof *fill);
	for (uint32_t i = 0; i < table->rules.n; i++)
		sorted[fill[key_of(&table->rules.at[i], by_class)]++] = table->rules.at[i];
	free(table->rules.at);
	free(fill);
	table->rules.at = sorted;
	table->rules.cap = table->rules.n;
	return start;
}

/* Many rules have the class and source of the one before. */
static void find_runs(struct access_table *table, uint32_t nclasses)
{
	table->run_start = mem_alloc(((size_t)nclasses + 2) * sizeof *table->run_start);
	for (uint32_t class = 0; class <= nclasses; class++) {
		table->run_start[class] = table->runs.n;
		for (uint32_t i = table->start[class]; i < table->start[class + 1]; i++) {
			const struct access_rule *r = &table->rules.at[i];

			if (i == table->start[class] || r->source != r[-1].source)
				*vec_push(&table->runs) = (struct access_run){.first = i, .source = r->source};
			table->runs.at[table->runs.n - 1].data |= r->data;
		}
	}
	table->run_start[nclasses + 1] = table->runs.n;
	*vec_push(&table->runs) = (struct access_run){.first = table->rules.n};
}

/* The unconditional rules are in order as they are; a table of those alone
 * needs no sorting by source. */
static void table_init(struct access_table *table, const struct policy *policy, uint16_t kind)
{
	uint32_t unconditional;

	add_rules(table, &policy->rules, kind, 0);
	unconditional = table->rules.n;
	for (uint32_t i = 0; i < policy->conds.n; i++) {
		add_rules(table, &policy->conds.at[i].yes, kind, access_place(i, false));
		add_rules(table, &policy->conds.at[i].no, kind, access_place(i, true));
	}
	if (table->rules.n > unconditional)
		free(sort_rules(table, policy->types.n, false));
	table->start = sort_rules(table, policy->classes.n, true);
	find_runs(table, policy->classes.n);
}

static void table_free(struct access_table *table)
{
	vec_free(&table->rules);
	vec_free(&table->runs);
	free(table->start);
	free(table->run_start);
}

void access_init(struct access *a, const struct policy *policy)
{
	*a = (struct access){.policy = policy, .nwords = policy->types.n / 64 + 1};
	memberships_init(&a->memberships, policy);
	table_init(&a->allow, policy, AV_ALLOWED);
	table_init(&a->xallow, policy, AV_XALLOWED);
}

void access_free(struct access *a)
{
	memberships_free(&a->memberships);
	table_free(&a->allow);
	table_free(&a->xallow);
}

/* Enters the runs of the class, or takes them out again: what that costs goes by
 * the runs, not by the types. */
static void mark_runs(struct access_class *k, bool enter)
{
	const struct access_table *table = k->table;

	for (uint32_t i = table->run_start[k->class]; i < table->run_start[k->class + 1]; i++)
		k->run[table->runs.at[i].source] = enter ? i + 1 : 0;
}

void access_class_open(struct access_class *k, const struct access *a, const struct access_table *table,
		       uint32_t class)
{
	if (k->run && k->class == class)
		return;
	if (k->run)
		mark_runs(k, false);
	else
		k->run = mem_zalloc((size_t)a->policy->types.n + 1, sizeof *k->run);
	k->table = table;
	k->class = class;
	mark_runs(k, true);
}

void access_class_free(struct access_class *k)
{
	free(k->run);
}

void access_rules_of(const struct access *a, const struct access_class *k, uint32_t type, access_rules *ret_rules)
{
	const struct memberships *m = &a->memberships;

	ret_rules->n = 0;
	for (uint32_t i = m->start[type]; i < m->start[type + 1]; i++) {
		uint32_t run = k->run[m->at[i]];
		const struct access_run *runs = k->table->runs.at;

		if (!run)
			continue;
		for (uint32_t r = runs[run - 1].first; r < runs[run].first; r++)
			*vec_push(ret_rules) = &k->table->rules.at[r];
	}
}

/* ---- rows ---- */

uint64_t *row_new(const struct access *a)
{
	return mem_zalloc(a->nwords, sizeof(uint64_t));
}

void row_clear(const struct access *a, uint64_t *row)
{
	memset(row, 0, a->nwords * sizeof *row);
}

void row_add(const struct access *a, uint64_t *row, uint32_t value)
{
	const struct policy_type *type = &a->policy->types.at[value];
	const struct ebitmap *types = &type->types;

	if (type->kind == POLICY_TYPE)
		row[(value - 1) / 64] |= UINT64_C(1) << (value - 1) % 64;
	if (type->kind != POLICY_ATTRIBUTE)
		return;
	for (uint32_t i = 0; i < types->n && types->first + i < a->nwords; i++)
		row[types->first + i] |= types->words[i];
}

uint32_t row_next(const struct access *a, const uint64_t *row, uint32_t from)
{
	uint32_t i = from / 64;
	uint64_t word;

	if (i >= a->nwords)
		return EBITMAP_NONE;
	word = row[i] & ~UINT64_C(0) << from % 64;
	while (!word) {
		if (++i == a->nwords)
			return EBITMAP_NONE;
		word = row[i];
	}
	return i * 64 + (uint32_t)__builtin_ctzll(word);
}
