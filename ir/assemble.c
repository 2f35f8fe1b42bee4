/* Assemble: rules as they come from the statements → sorted lists in which
 * every key occurs once.
 *
 * Each rule is a 64-bit key and its data.  The key holds class, source, target
 * and kind in just the bits that this policy needs, so few passes of a radix
 * sort bring equal keys together; the sort is stable, so the result depends on
 * nothing but the source. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"

struct raw { uint64_t key; uint32_t data, list; };
typedef VEC(struct raw) raws;

struct assembly {
	raws always;      /* unconditional; list is 0 */
	raws conditional; /* list: 2 * node, + 1 for the no list */
	uint32_t nxperms; /* AV_X rules in both; several may share one record of c->xperms */
	unsigned type_bits;
};

enum { KIND_BITS = 4, DIGIT_BITS = 12, DIGITS = (64 + DIGIT_BITS - 1) / DIGIT_BITS, BUCKETS = 1 << DIGIT_BITS };

static const uint16_t kinds[] = {
	AV_ALLOWED, AV_AUDITALLOW, AV_AUDITDENY, AV_TRANSITION, AV_MEMBER, AV_CHANGE, AV_XALLOWED, AV_XAUDITALLOW,
	AV_XDONTAUDIT,
};

/* The place of a kind in that list: kinds are single bits. */
static unsigned kind_index(enum policy_av_kind kind)
{
	unsigned bit = (unsigned)__builtin_ctz(kind);

	return bit < 4 ? bit : bit < 8 ? bit - 1 : bit - 2;
}

void assembly_init(struct compile *c)
{
	uint32_t n = c->policy->types.n;

	c->assembly = mem_zalloc(1, sizeof *c->assembly);
	while (n >> c->assembly->type_bits)
		c->assembly->type_bits++;
	vec_reserve(&c->assembly->always, c->ast->avrules.n * 2);
}

void assembly_free(struct compile *c)
{
	if (!c->assembly)
		return;
	vec_free(&c->assembly->always);
	vec_free(&c->assembly->conditional);
	free(c->assembly);
	c->assembly = NULL;
}

void add_rule(struct compile *c, struct destination to, enum policy_av_kind kind, uint32_t source, uint32_t target,
	      uint32_t class, uint32_t data)
{
	struct assembly *a = c->assembly;
	uint64_t key = (((uint64_t)class << a->type_bits | source) << a->type_bits | target) << KIND_BITS | kind_index(kind);

	if (kind & AV_X)
		a->nxperms++;
	if (to.node == UINT32_MAX)
		*vec_push(&a->always) = (struct raw){key, data, 0};
	else
		*vec_push(&a->conditional) = (struct raw){key, data, to.node * 2 + to.no};
}

static struct policy_rule rule_of(const struct assembly *a, const struct raw *r)
{
	uint64_t key = r->key, mask = (UINT64_C(1) << a->type_bits) - 1;
	struct policy_rule rule = {.data = r->data};

	rule.kind = kinds[key & ((1 << KIND_BITS) - 1)];
	key >>= KIND_BITS;
	rule.target = (uint16_t)(key & mask);
	key >>= a->type_bits;
	rule.source = (uint16_t)(key & mask);
	rule.class = (uint16_t)(key >> a->type_bits);
	return rule;
}

/* ---- sorting ---- */

/* One stable pass over a digit of the key, or of the list number. */
static void scatter(const struct raw *from, struct raw *to, uint32_t n, unsigned shift, bool by_list, uint32_t *start)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t v = by_list ? from[i].list : from[i].key;

		to[start[v >> shift & (BUCKETS - 1)]++] = from[i];
	}
}

/* Turns counts into first places; false when all fall into one bucket. */
static bool counts_to_starts(uint32_t *counts, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t b = 0; b < BUCKETS; b++) {
		uint32_t count = counts[b];

		if (count == n)
			return false;
		counts[b] = sum;
		sum += count;
	}
	return true;
}

static void sort_by(raws *rules, bool by_list, unsigned bits)
{
	uint32_t n = rules->n;
	struct raw *from = rules->at, *to = mem_alloc((size_t)n * sizeof *to);
	uint32_t *counts = mem_alloc(BUCKETS * sizeof *counts);

	for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
		struct raw *swap = from;

		memset(counts, 0, BUCKETS * sizeof *counts);
		for (uint32_t i = 0; i < n; i++)
			counts[(by_list ? from[i].list : from[i].key) >> shift & (BUCKETS - 1)]++;
		if (!counts_to_starts(counts, n))
			continue;
		scatter(from, to, n, shift, by_list, counts);
		from = to;
		to = swap;
	}
	free(counts);
	free(to);
	rules->at = from;
	rules->cap = n;
}

/* ---- merging ---- */

static int compare_heads(const struct policy_xperms *a, const struct policy_xperms *b)
{
	if (a->specified != b->specified)
		return a->specified < b->specified ? -1 : 1;
	return a->driver < b->driver ? -1 : a->driver > b->driver;
}

static int compare_xperms(const void *x, const void *y)
{
	return compare_heads(x, y);
}

/* The records of one key: those with the same head are one. */
static void merge_xperms(struct compile *c, const struct raw *group, uint32_t n, policy_rules *out)
{
	struct policy *p = c->policy;
	struct policy_xperms *x = mem_alloc(n * sizeof *x);

	for (uint32_t i = 0; i < n; i++)
		x[i] = c->xperms.at[group[i].data];
	qsort(x, n, sizeof *x, compare_xperms);
	for (uint32_t i = 0; i < n; i++) {
		struct policy_xperms *last = &p->xperms.at[p->xperms.n - 1];

		if (i && !compare_heads(&x[i - 1], &x[i])) {
			for (int w = 0; w < 8; w++)
				last->perms[w] |= x[i].perms[w];
			continue;
		}
		out->at[out->n] = rule_of(c->assembly, group);
		out->at[out->n++].data = p->xperms.n;
		p->xperms.at[p->xperms.n++] = x[i];
	}
	free(x);
}

/* Without effect, and no reader takes it: every denial is audited anyway. */
static bool audits_all(const struct policy *p, const struct policy_rule *rule)
{
	uint32_t n = p->classes.at[rule->class].nperms;

	return rule->kind == AV_AUDITDENY && n && !(~rule->data << (POLICY_MAX_PERMS - n));
}

/* Masks add up, but a denial is audited only when every rule leaves it so. */
static void merge_masks(struct compile *c, const struct raw *group, uint32_t n, policy_rules *out)
{
	struct policy_rule *rule = &out->at[out->n];

	*rule = rule_of(c->assembly, group);
	for (uint32_t i = 1; i < n; i++) {
		if (rule->kind == AV_AUDITDENY)
			rule->data &= group[i].data;
		else if (rule->kind & AV_AV)
			rule->data |= group[i].data;
	}
	out->n += !audits_all(c->policy, rule);
}

/* Groups of equal key (and list) from sorted rules; out has room for n. */
static void merge(struct compile *c, const struct raw *rules, uint32_t n, policy_rules *out)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && rules[end].key == rules[i].key; end++)
			;
		if (kinds[rules[i].key & ((1 << KIND_BITS) - 1)] & AV_X)
			merge_xperms(c, &rules[i], end - i, out);
		else
			merge_masks(c, &rules[i], end - i, out);
	}
}

static void assemble_conditional(struct compile *c)
{
	const raws *rules = &c->assembly->conditional;
	struct policy *p = c->policy;
	struct policy_rule *room = arena_alloc(&p->arena, rules->n * sizeof *room);

	for (uint32_t i = 0, end; i < rules->n; i = end) {
		struct policy_cond *cond = &p->conds.at[rules->at[i].list / 2];
		policy_rules *out = rules->at[i].list & 1 ? &cond->no : &cond->yes;

		for (end = i + 1; end < rules->n && rules->at[end].list == rules->at[i].list; end++)
			;
		out->at = room;
		merge(c, &rules->at[i], end - i, out);
		room += out->n;
	}
}

static unsigned width(uint32_t n)
{
	unsigned bits = 0;

	while (bits < 32 && n >> bits)
		bits++;
	return bits;
}

void assemble_rules(struct compile *c)
{
	struct assembly *a = c->assembly;
	struct policy *p = c->policy;
	unsigned key_bits = width(p->classes.n) + 2 * a->type_bits + KIND_BITS;

	p->xperms.at = arena_alloc(&p->arena, a->nxperms * sizeof *p->xperms.at);
	sort_by(&a->always, false, key_bits);
	p->rules.at = arena_alloc(&p->arena, a->always.n * sizeof *p->rules.at);
	merge(c, a->always.at, a->always.n, &p->rules);
	sort_by(&a->conditional, false, key_bits);
	sort_by(&a->conditional, true, width(p->conds.n * 2));
	assemble_conditional(c);
	assembly_free(c);
}
