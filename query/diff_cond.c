/* The normal form of an expression is its truth table over the booleans that
 * matter, by name, with the sign that makes it false when all are.  With more
 * than MAX_BOOLS booleans it is the expression as it stands. */
#include "query/diff_cond.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

enum { MAX_BOOLS = 10, WORDS = 1 << (MAX_BOOLS - 6) };

/* Bit i of the table: the value when boolean k is bit k of i. */
struct table { const char *names[MAX_BOOLS]; uint32_t n; uint64_t words[WORDS]; };

struct entry { uint64_t hash[2]; int side; struct cond_ref ref; uint32_t index; };

/* ---- hashing ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static void add_number(uint64_t *hash, uint64_t v)
{
	hash[0] = mix(hash[0], v);
	hash[1] = mix(hash[1] + 1, v * UINT64_C(0xd6e8feb86659fd93));
}

static void add_name(uint64_t *hash, const char *name)
{
	for (; *name; name++)
		add_number(hash, (unsigned char)*name);
	add_number(hash, 0x100);
}

/* ---- truth tables ---- */

static const char *bool_name(const struct policy *p, uint32_t value)
{
	return p->bools.at[value].name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* False when there are too many. */
static bool find_bools(struct table *t, const struct policy *p, const struct policy_cond *cond)
{
	for (uint32_t i = 0; i < cond->nexpr; i++) {
		const char *name;
		uint32_t k = 0;

		if (cond->expr[i].kind != COND_BOOL)
			continue;
		name = bool_name(p, cond->expr[i].boolean);
		while (k < t->n && strcmp(t->names[k], name) != 0)
			k++;
		if (k == MAX_BOOLS)
			return false;
		if (k == t->n)
			t->names[t->n++] = name;
	}
	if (t->n)
		qsort(t->names, t->n, sizeof *t->names, by_name);
	return true;
}

/* The 64 values of a boolean in one word of the table. */
static uint64_t column(uint32_t boolean, uint32_t word)
{
	static const uint64_t low[] = {
		UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
		UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000),
	};

	if (boolean < 6)
		return low[boolean];
	return word >> (boolean - 6) & 1 ? UINT64_MAX : 0;
}

static uint64_t variable(const struct table *t, const char *name, uint32_t word)
{
	for (uint32_t k = 0; k < t->n; k++) {
		if (!strcmp(t->names[k], name))
			return column(k, word);
	}
	return 0; /* one that does not matter */
}

static uint64_t apply(uint32_t kind, uint64_t a, uint64_t b)
{
	switch (kind) {
	case COND_OR: return a | b;
	case COND_AND: return a & b;
	case COND_EQ: return ~(a ^ b);
	default: return a ^ b; /* COND_XOR, COND_NEQ */
	}
}

static uint64_t evaluate(const struct table *t, const struct policy *p, const struct policy_cond *cond, uint32_t word)
{
	uint64_t stack[COND_MAX_DEPTH];
	uint32_t depth = 0;

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		uint32_t kind = cond->expr[i].kind;

		if (kind == COND_BOOL && depth < COND_MAX_DEPTH)
			stack[depth++] = variable(t, bool_name(p, cond->expr[i].boolean), word);
		else if (kind == COND_NOT && depth)
			stack[depth - 1] = ~stack[depth - 1];
		else if (depth > 1) {
			stack[depth - 2] = apply(kind, stack[depth - 2], stack[depth - 1]);
			depth--;
		}
	}
	return depth ? stack[0] : 0;
}

static void fill(struct table *t, const struct policy *p, const struct policy_cond *cond)
{
	for (uint32_t w = 0; w < WORDS; w++)
		t->words[w] = evaluate(t, p, cond, w);
}

static bool matters(const struct table *t, uint32_t boolean)
{
	for (uint32_t w = 0; w < WORDS; w++) {
		uint64_t on = column(boolean, w);

		if (boolean >= 6) {
			if (t->words[w] != t->words[w & ~(UINT32_C(1) << (boolean - 6))])
				return true;
		} else if ((t->words[w] & on) >> (1u << boolean) != (t->words[w] & ~on)) {
			return true;
		}
	}
	return false;
}

static void drop_idle(struct table *t, const struct policy *p, const struct policy_cond *cond)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->n; k++) {
		if (matters(t, k))
			t->names[n++] = t->names[k];
	}
	if (n == t->n)
		return;
	t->n = n;
	fill(t, p, cond);
}

static bool hash_table(const struct policy *p, const struct policy_cond *cond, struct entry *ret)
{
	struct table t = {.n = 0};

	if (!find_bools(&t, p, cond))
		return false;
	fill(&t, p, cond);
	drop_idle(&t, p, cond);
	ret->ref.negated = t.words[0] & 1;
	for (uint32_t k = 0; k < t.n; k++)
		add_name(ret->hash, t.names[k]);
	for (uint32_t w = 0; w < WORDS; w++)
		add_number(ret->hash, ret->ref.negated ? ~t.words[w] : t.words[w]);
	return true;
}

static void hash_expression(const struct policy *p, const struct policy_cond *cond, struct entry *ret)
{
	for (uint32_t i = 0; i < cond->nexpr; i++) {
		add_number(ret->hash, 0x1000 + cond->expr[i].kind);
		if (cond->expr[i].kind == COND_BOOL)
			add_name(ret->hash, bool_name(p, cond->expr[i].boolean));
	}
}

/* ---- groups ---- */

static int by_hash(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	for (int i = 0; i < 2; i++) {
		if (x->hash[i] != y->hash[i])
			return x->hash[i] < y->hash[i] ? -1 : 1;
	}
	if (x->side != y->side)
		return x->side - y->side;
	return x->index < y->index ? -1 : x->index > y->index;
}

void cond_groups(const struct policy *const *p, void (*call)(void *data, const struct cond_group *group), void *data)
{
	VEC(struct entry) list = {0};
	struct cond_ref *refs;

	for (int side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < p[side]->conds.n; i++) {
			const struct policy_cond *cond = &p[side]->conds.at[i];
			struct entry entry = {.side = side, .ref = {.cond = cond}, .index = i};

			if (!hash_table(p[side], cond, &entry)) {
				entry.hash[0] = entry.hash[1] = 1;
				hash_expression(p[side], cond, &entry);
			}
			*vec_push(&list) = entry;
		}
	}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, by_hash);
	refs = mem_alloc(((size_t)list.n + 1) * sizeof *refs);
	for (uint32_t i = 0; i < list.n; i++)
		refs[i] = list.at[i].ref;
	for (uint32_t i = 0; i < list.n;) {
		struct cond_group group = {0};
		uint32_t first = i;

		for (; i < list.n && !memcmp(list.at[i].hash, list.at[first].hash, sizeof list.at[i].hash); i++) {
			if (!group.n[list.at[i].side]++)
				group.at[list.at[i].side] = &refs[i];
		}
		call(data, &group);
	}
	vec_free(&list);
	free(refs);
}
