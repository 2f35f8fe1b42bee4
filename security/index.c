#include "security/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* While the index is built. */
struct builder {
	const struct policy *policy;
	struct rule_index *index;
	uint32_t *numbers;  /* of attributes by value, plus 1; 0: in no rule */
	struct fill *rows, *columns;
};

/* ---- tables ---- */

static uint32_t hash_key(uint32_t key)
{
	key *= UINT32_C(0x9e3779b1);
	return key ^ key >> 15;
}

static struct rule_slot *table_slot(const struct rule_table *table, uint32_t key)
{
	uint32_t i = hash_key(key) & table->mask;

	while (table->slots[i].key && table->slots[i].key != key)
		i = (i + 1) & table->mask;
	return &table->slots[i];
}

static void table_init(struct rule_table *table, uint32_t size)
{
	table->slots = mem_zalloc(size, sizeof *table->slots);
	table->mask = size - 1;
	table->n = 0;
}

static void table_grow(struct rule_table *table)
{
	struct rule_table old = *table;

	table_init(table, (old.mask + 1) * 2);
	table->n = old.n;
	for (uint32_t i = 0; i <= old.mask; i++)
		if (old.slots[i].key)
			*table_slot(table, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

/* The slot of a key, new when it is not there. */
static struct rule_slot *table_add(struct rule_table *table, uint32_t class, uint32_t symbol)
{
	struct rule_slot *slot;

	if (table->n >= (table->mask + 1) / 2)
		table_grow(table);
	slot = table_slot(table, class << 16 | symbol);
	if (!slot->key) {
		slot->key = class << 16 | symbol;
		table->n++;
	}
	return slot;
}

struct rule_row index_find(const struct rule_table *table, uint32_t class, uint32_t symbol)
{
	return table_slot(table, class << 16 | symbol)->row;
}

/* ---- building ---- */

static bool is_attribute(const struct builder *b, uint32_t value)
{
	return b->policy->types.at[value].kind == POLICY_ATTRIBUTE;
}

typedef void (*builder_rule)(struct builder *b, const struct policy_rule *rule, uint32_t list);

static void each_of(struct builder *b, const policy_rules *rules, uint32_t list, builder_rule visit)
{
	for (uint32_t i = 0; i < rules->n; i++)
		visit(b, &rules->at[i], list);
}

static void each_rule(struct builder *b, builder_rule visit)
{
	const struct policy *policy = b->policy;

	each_of(b, &policy->rules, 0, visit);
	for (uint32_t i = 0; i < policy->conds.n; i++) {
		each_of(b, &policy->conds.at[i].yes, list_of(i, false), visit);
		each_of(b, &policy->conds.at[i].no, list_of(i, true), visit);
	}
}

static void number_symbol(struct builder *b, uint32_t value)
{
	if (is_attribute(b, value) && !b->numbers[value])
		b->numbers[value] = ++b->index->nattrs;
}

static void number_attributes(struct builder *b, const struct policy_rule *rule, uint32_t list)
{
	(void)list;
	number_symbol(b, rule->source);
	number_symbol(b, rule->target);
}

/* A source attribute with a type as target goes into the column of the type. */
static struct rule_slot *slot_of(struct builder *b, const struct policy_rule *rule, bool *ret_attr)
{
	struct rule_index *index = b->index;
	bool column = is_attribute(b, rule->source) && !is_attribute(b, rule->target);

	*ret_attr = column || is_attribute(b, rule->target);
	return column ? table_add(&index->columns, rule->class, rule->target)
		      : table_add(&index->rows, rule->class, rule->source);
}

static void count_rule(struct builder *b, const struct policy_rule *rule, uint32_t list)
{
	bool attr;
	struct rule_row *row = &slot_of(b, rule, &attr)->row;

	(void)list;
	b->index->nrefs++;
	if (attr)
		row->nattrs++;
	else
		row->ntypes++;
}

/* Where the next ref of a row goes; by slot. */
struct fill { uint32_t attr, type; };

static struct fill *place_rows(struct rule_table *table, uint32_t *begin)
{
	struct fill *fill = mem_zalloc((size_t)table->mask + 1, sizeof *fill);

	for (uint32_t i = 0; i <= table->mask; i++) {
		struct rule_row *row = &table->slots[i].row;

		row->begin = *begin;
		fill[i] = (struct fill){*begin, *begin + row->nattrs};
		*begin += row->nattrs + row->ntypes;
	}
	return fill;
}

static void fill_rule(struct builder *b, const struct policy_rule *rule, uint32_t list)
{
	struct rule_index *index = b->index;
	bool attr;
	struct rule_slot *slot = slot_of(b, rule, &attr);
	bool column = attr && !is_attribute(b, rule->target);
	struct fill *fill = column ? &b->columns[slot - index->columns.slots] : &b->rows[slot - index->rows.slots];
	uint32_t other = column ? b->numbers[rule->source] - 1 : attr ? b->numbers[rule->target] - 1 : rule->target;

	index->refs[attr ? fill->attr++ : fill->type++] =
		(struct rule_ref){(uint16_t)other, rule->kind, list, rule->data};
}

static int compare_refs(const void *a, const void *b)
{
	const struct rule_ref *x = a, *y = b;

	return x->other != y->other ? (x->other > y->other) - (x->other < y->other)
				    : (x->list > y->list) - (x->list < y->list);
}

/* A list is sorted, so only rows of several lists are not. */
static void sort_types(struct rule_index *index, const struct rule_row *row)
{
	struct rule_ref *refs = index->refs + row->begin + row->nattrs;

	for (uint32_t i = 1; i < row->ntypes; i++) {
		if (refs[i - 1].other > refs[i].other) {
			qsort(refs, row->ntypes, sizeof *refs, compare_refs);
			return;
		}
	}
}

static void fill_rows(struct builder *b)
{
	struct rule_index *index = b->index;
	uint32_t begin = 0;

	index->refs = mem_alloc((size_t)index->nrefs * sizeof *index->refs);
	b->rows = place_rows(&index->rows, &begin);
	b->columns = place_rows(&index->columns, &begin);
	each_rule(b, fill_rule);
	for (uint32_t i = 0; i <= index->rows.mask; i++)
		sort_types(index, &index->rows.slots[i].row);
	free(b->rows);
	free(b->columns);
}

/* ---- what a class has of source attributes ---- */

static bool names_attribute(const struct builder *b, const struct rule_slot *slot)
{
	return slot->key && is_attribute(b, slot->key & 0xffff);
}

static void list_attributes(struct builder *b)
{
	struct rule_index *index = b->index;
	const struct rule_table *rows = &index->rows;
	uint32_t begin = 0;

	index->classes = mem_zalloc((size_t)b->policy->classes.n + 1, sizeof *index->classes);
	for (uint32_t i = 0; i <= rows->mask; i++)
		index->classes[rows->slots[i].key >> 16].n += names_attribute(b, &rows->slots[i]);
	for (uint32_t v = 1; v <= b->policy->classes.n; v++) {
		index->classes[v].begin = begin;
		begin += index->classes[v].n;
		index->classes[v].n = 0;
	}
	index->nattr_rows = begin;
	index->attr_rows = mem_alloc((size_t)begin * sizeof *index->attr_rows);
	for (uint32_t i = 0; i <= rows->mask; i++) {
		const struct rule_slot *slot = &rows->slots[i];
		struct class_rows *class = &index->classes[slot->key >> 16];

		if (names_attribute(b, slot))
			index->attr_rows[class->begin + class->n++] =
				(struct attr_row){b->numbers[slot->key & 0xffff] - 1, slot->row};
	}
}

static void list_types(struct builder *b)
{
	struct rule_index *index = b->index;
	const struct policy *policy = b->policy;

	index->width = (index->nattrs + 63) / 64;
	index->attrs = mem_zalloc(((size_t)policy->types.n + 1) * index->width, sizeof *index->attrs);
	index->attr_values = mem_zalloc(index->nattrs, sizeof *index->attr_values);
	for (uint32_t v = 1; v <= policy->types.n; v++) {
		uint32_t number = b->numbers[v] - 1;

		if (!b->numbers[v])
			continue;
		index->attr_values[number] = v;
		ebitmap_for_each(&policy->types.at[v].types, type)
			index->attrs[(size_t)(type + 1) * index->width + number / 64] |= UINT64_C(1) << number % 64;
	}
}

enum { FIRST_SLOTS = 1024 };

void index_init(struct rule_index *index, const struct policy *policy)
{
	struct builder b = {.policy = policy, .index = index};

	*index = (struct rule_index){0};
	table_init(&index->rows, FIRST_SLOTS);
	table_init(&index->columns, FIRST_SLOTS);
	b.numbers = mem_zalloc((size_t)policy->types.n + 1, sizeof *b.numbers);
	each_rule(&b, number_attributes);
	each_rule(&b, count_rule);
	fill_rows(&b);
	list_attributes(&b);
	list_types(&b);
	free(b.numbers);
}

void index_free(struct rule_index *index)
{
	free(index->refs);
	free(index->rows.slots);
	free(index->columns.slots);
	free(index->attr_rows);
	free(index->classes);
	free(index->attrs);
	free(index->attr_values);
	*index = (struct rule_index){0};
}

size_t index_memory(const struct rule_index *index, const struct policy *policy)
{
	return (size_t)index->nrefs * sizeof *index->refs +
	       ((size_t)index->rows.mask + index->columns.mask + 2) * sizeof *index->rows.slots +
	       (size_t)index->nattr_rows * sizeof *index->attr_rows +
	       ((size_t)policy->classes.n + 1) * sizeof *index->classes +
	       ((size_t)policy->types.n + 1) * index->width * sizeof *index->attrs +
	       index->nattrs * sizeof *index->attr_values;
}

