/* Access vector rules for versions whose tables know types only
 * (policydb-format.md 6.3).
 *
 * The rules of one class and one source type are added up in an array by
 * target, then written: memory grows with the types, not with the product of
 * attributes that makes millions of entries of a large policy. */
#include <stdlib.h>

#include "backend/write.h"
#include "base/memory.h"
#include "base/vec.h"

enum { KINDS = 6 };
#define ENABLED_OLD UINT32_C(0x80000000)
/* The entries that one target can need: each kind alone, or two with their
 * kinds merged, which is less. */
enum { HEAD_SIZE = 20, MAX_TARGET_SIZE = KINDS * (HEAD_SIZE + 4) };

/* In the order of the data of an entry. */
static const uint16_t kinds[KINDS] = {
	AV_ALLOWED, AV_AUDITDENY, AV_AUDITALLOW, AV_TRANSITION, AV_CHANGE, AV_MEMBER,
};

struct cell {
	uint32_t kinds; /* those that data holds; 0: the cell is not in use */
	uint32_t data[KINDS];
};

/* Rules of one class that name one source, in the chain of a source type. */
struct span {
	const struct policy_rule *begin, *end;
	uint32_t next; /* index + 1 */
};

struct expander {
	uint32_t ntypes;
	size_t *begin;     /* by value: first member in members */
	uint16_t *members; /* of attributes; a type is its own */
	struct cell *cells; /* by target */
	uint64_t *targets;  /* bits: values of the cells in use */
	uint32_t ntargets;
	uint32_t *chains;   /* by source: index + 1 of the first span */
	uint64_t *sources;  /* bits: values that have a chain */
	uint32_t nwords;    /* of either */
	VEC(struct span) spans;
};

static void mark(uint64_t *bits, uint32_t value)
{
	bits[value / 64] |= UINT64_C(1) << value % 64;
}

/* Takes the lowest value out of a word of bits. */
static uint32_t take_lowest(uint64_t *bits, uint32_t word)
{
	uint32_t value = word * 64 + (uint32_t)__builtin_ctzll(bits[word]);

	bits[word] &= bits[word] - 1;
	return value;
}

static void list_members(struct expander *x, const struct policy *policy)
{
	size_t total = 0;

	for (uint32_t v = 1; v <= x->ntypes; v++)
		total += policy->types.at[v].kind == POLICY_ATTRIBUTE ? ebitmap_count(&policy->types.at[v].types) : 1;
	x->members = mem_alloc(total * sizeof *x->members);
	total = 0;
	for (uint32_t v = 1; v <= x->ntypes; v++) {
		x->begin[v] = total;
		if (policy->types.at[v].kind == POLICY_TYPE)
			x->members[total++] = (uint16_t)v;
		if (policy->types.at[v].kind != POLICY_ATTRIBUTE)
			continue;
		ebitmap_for_each(&policy->types.at[v].types, bit)
			if (bit < x->ntypes)
				x->members[total++] = (uint16_t)(bit + 1);
	}
	x->begin[x->ntypes + 1] = total;
}

struct expander *expander_new(const struct policy *policy)
{
	struct expander *x = mem_zalloc(1, sizeof *x);
	size_t n = (size_t)policy->types.n + 2;

	x->ntypes = policy->types.n;
	x->begin = mem_zalloc(n, sizeof *x->begin);
	x->cells = mem_zalloc(n, sizeof *x->cells);
	x->chains = mem_zalloc(n, sizeof *x->chains);
	x->nwords = (uint32_t)(n / 64 + 1);
	x->targets = mem_zalloc(x->nwords, sizeof *x->targets);
	x->sources = mem_zalloc(x->nwords, sizeof *x->sources);
	list_members(x, policy);
	return x;
}

void expander_free(struct expander *x)
{
	if (!x)
		return;
	free(x->begin);
	free(x->members);
	free(x->cells);
	free(x->targets);
	free(x->chains);
	free(x->sources);
	vec_free(&x->spans);
	free(x);
}

/* ---- rules of a class, by source type ---- */

static void chain_span(struct expander *x, uint32_t source, const struct policy_rule *begin,
		       const struct policy_rule *end)
{
	struct span *span = vec_push(&x->spans);

	mark(x->sources, source);
	*span = (struct span){begin, end, x->chains[source]};
	x->chains[source] = x->spans.n;
}

static void chain_class(struct expander *x, const struct policy_rule *rule, const struct policy_rule *end)
{
	while (rule < end) {
		const struct policy_rule *begin = rule;
		uint32_t source = rule->source;

		while (rule < end && rule->source == source)
			rule++;
		if (source > x->ntypes)
			continue;
		for (size_t i = x->begin[source]; i < x->begin[source + 1]; i++)
			chain_span(x, x->members[i], begin, rule);
	}
}

/* ---- adding up ---- */

static uint32_t slot_of(uint16_t kind)
{
	uint32_t slot = 0;

	while (slot < KINDS && kinds[slot] != kind)
		slot++;
	return slot;
}

static void add_data(struct cell *cell, uint32_t slot, uint32_t data)
{
	if (!(cell->kinds & kinds[slot]))
		cell->data[slot] = data;
	else if (kinds[slot] == AV_AUDITDENY)
		cell->data[slot] &= data;
	else if (kinds[slot] & AV_AV)
		cell->data[slot] |= data;
	cell->kinds |= kinds[slot];
}

static void add_rule(struct expander *x, const struct policy_rule *rule)
{
	uint32_t slot = slot_of(rule->kind);

	if (slot == KINDS || rule->target > x->ntypes)
		return;
	for (size_t i = x->begin[rule->target]; i < x->begin[rule->target + 1]; i++) {
		uint32_t target = x->members[i];

		if (!x->cells[target].kinds) {
			mark(x->targets, target);
			x->ntargets++;
		}
		add_data(&x->cells[target], slot, rule->data);
	}
}

static void add_source(struct expander *x, uint32_t source)
{
	for (uint32_t i = x->chains[source]; i; i = x->spans.at[i - 1].next) {
		const struct span *span = &x->spans.at[i - 1];

		for (const struct policy_rule *rule = span->begin; rule < span->end; rule++)
			add_rule(x, rule);
	}
}

/* ---- writing ---- */

struct key { uint32_t source, target, class, flags; };

static unsigned char *store_entry(unsigned char *p, const struct key *key, const struct cell *cell, uint32_t mask)
{
	unsigned char *count = p;
	uint32_t n = 4;

	p = store_u32(p + 4, key->source);
	p = store_u32(p, key->target);
	p = store_u32(p, key->class);
	p = store_u32(p, mask | key->flags);
	for (uint32_t slot = 0; slot < KINDS; slot++) {
		if (!(mask & kinds[slot]))
			continue;
		p = store_u32(p, cell->data[slot]);
		n++;
	}
	store_u32(count, n);
	return p;
}

static size_t store_merged(unsigned char **p, const struct key *key, const struct cell *cell)
{
	size_t n = 0;

	if (cell->kinds & AV_AV) {
		*p = store_entry(*p, key, cell, cell->kinds & AV_AV);
		n++;
	}
	if (cell->kinds & AV_TE) {
		*p = store_entry(*p, key, cell, cell->kinds & AV_TE);
		n++;
	}
	return n;
}

static size_t store_single(unsigned char **p, const struct key *key, const struct cell *cell)
{
	size_t n = 0;

	for (uint32_t slot = 0; slot < KINDS; slot++) {
		if (!(cell->kinds & kinds[slot]))
			continue;
		*p = store_entry(*p, key, cell, kinds[slot]);
		n++;
	}
	return n;
}

static size_t write_targets(struct writer *w, struct key key, bool merged)
{
	struct expander *x = w->expander;
	unsigned char *p = store_begin(w->image, (size_t)x->ntargets * MAX_TARGET_SIZE);
	size_t n = 0;

	for (uint32_t word = 0; word < x->nwords; word++) {
		while (x->targets[word]) {
			struct cell *cell;

			key.target = take_lowest(x->targets, word);
			cell = &x->cells[key.target];
			n += merged ? store_merged(&p, &key, cell) : store_single(&p, &key, cell);
			cell->kinds = 0;
		}
	}
	x->ntargets = 0;
	store_end(w->image, p);
	return n;
}

/* The chained rules, by source and target: the order that a reader gives them. */
static size_t write_sources(struct writer *w, struct key key, bool merged)
{
	struct expander *x = w->expander;
	size_t n = 0;

	for (uint32_t word = 0; word < x->nwords; word++) {
		while (x->sources[word]) {
			key.source = take_lowest(x->sources, word);
			add_source(x, key.source);
			x->chains[key.source] = 0;
			n += write_targets(w, key, merged);
			check_size(w);
			if (w->failed)
				return n;
		}
	}
	x->spans.n = 0;
	return n;
}

size_t write_expanded(struct writer *w, const policy_rules *rules, bool merged, bool enabled)
{
	const struct policy_rule *rule = rules->at, *end = rules->at + rules->n;
	size_t list = list_begin(w), n = 0;

	while (rule < end && !w->failed) {
		const struct policy_rule *begin = rule;
		struct key key = {.class = rule->class, .flags = enabled ? ENABLED_OLD : 0};

		while (rule < end && rule->class == key.class)
			rule++;
		chain_class(w->expander, begin, rule);
		n += write_sources(w, key, merged);
	}
	list_end(w, list, n);
	return n;
}
