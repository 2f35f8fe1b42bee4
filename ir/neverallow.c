/* neverallow: no allow rule may grant what is never allowed.
 *
 * Needs the expanded rules and c->neverallows; leaves findings.  Most
 * neverallows are kept, so the first question is asked of the rules of a class
 * alone: do those of a source give a permission, has it a type of the sources,
 * the target of one of them one of the targets?  The answers for a value are worked out once for
 * each neverallow.  Only for a class with a rule that answers yes are the
 * pairs worked out, source by source, a row of targets at a time.
 *
 * Facts: language.md 14.1; `{ self T }` checks T as well, and `{ T -self }`
 * with no types in T checks nothing (18, 1 and 2). */
#include "ir/neverallow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Pairs are told apart and counted for this many steps, all neverallows
 * together: some seconds. */
#define WORK_LIMIT (UINT64_C(1) << 27)

static bool has_type_of(const struct checker *k, uint32_t value, const struct ebitmap *set)
{
	const struct policy_type *type = &k->policy->types.at[value];

	return type->kind == POLICY_TYPE ? ebitmap_test(set, value - 1) : ebitmap_intersects(&type->types, set);
}

static inline bool hits(const struct checker *k, uint8_t *known, uint32_t value, const struct ebitmap *set)
{
	if (!known[value])
		known[value] = has_type_of(k, value, set) ? 2 : 1;
	return known[value] == 2;
}

bool neverallow_has_source(const struct checker *k, uint32_t value)
{
	return hits(k, k->source_hits, value, &k->n->sources);
}

bool neverallow_has_target(const struct checker *k, uint32_t value)
{
	return hits(k, k->target_hits, value, &k->n->targets);
}

/* The types of a value, as bits in ascending order. */
static uint32_t first_type(const struct checker *k, uint32_t value)
{
	const struct policy_type *type = &k->policy->types.at[value];

	return type->kind == POLICY_TYPE ? value - 1 : ebitmap_first(&type->types);
}

static uint32_t next_type(const struct checker *k, uint32_t value, uint32_t after)
{
	const struct policy_type *type = &k->policy->types.at[value];

	return type->kind == POLICY_TYPE ? EBITMAP_NONE : ebitmap_next(&type->types, after);
}

/* Whether a rule gives one of the sources access to itself. */
static bool reaches_self(const struct checker *k, const struct access_rule *r)
{
	for (uint32_t s = first_type(k, r->source); s != EBITMAP_NONE; s = next_type(k, r->source, s)) {
		if (ebitmap_test(&k->n->sources, s) && rule_reaches(k, r, s))
			return true;
	}
	return false;
}

/* The first members of a set among the types of a value, two at most. */
static uint32_t first_two(const struct checker *k, uint32_t value, const struct ebitmap *set, uint32_t ret_bits[2])
{
	uint32_t n = 0;

	for (uint32_t t = first_type(k, value); t != EBITMAP_NONE && n < 2; t = next_type(k, value, t)) {
		if (ebitmap_test(set, t))
			ret_bits[n++] = t;
	}
	return n;
}

/* Whether a rule gives one of the sources access to one of the targets that is
 * another type.  Two of one side and one of the other make such a pair. */
static bool reaches_other(const struct checker *k, const struct access_rule *r)
{
	uint32_t s[2], t[2];
	uint32_t ns = first_two(k, r->source, &k->n->sources, s);
	uint32_t nt = first_two(k, r->target, &k->n->targets, t);

	return ns && nt && (ns + nt > 2 || s[0] != t[0]);
}

/* Whether a rule, whose source has one of the sources, reaches what these must not. */
static bool rule_violates(const struct checker *k, const struct access_rule *r)
{
	const struct neverallow *n = k->n;

	if (neverallow_has_target(k, r->target) && (!n->not_self || reaches_other(k, r)))
		return true;
	return n->self && !n->not_self && reaches_self(k, r);
}

static bool run_violates(const struct checker *k, const struct access_run *run)
{
	const struct access_rule *rules = k->access.allow.rules.at;

	for (uint32_t i = run[0].first; i < run[1].first; i++)
		if (rules[i].data & k->perms && rule_violates(k, &rules[i]))
			return true;
	return false;
}

static bool class_violates(const struct checker *k)
{
	const struct access_table *allow = &k->access.allow;
	const struct access_run *run = allow->runs.at + allow->run_start[k->class];
	const struct access_run *end = allow->runs.at + allow->run_start[k->class + 1];
	uint32_t perms = k->perms;

	for (; run < end; run++)
		if (run->data & perms && neverallow_has_source(k, run->source) && run_violates(k, run))
			return true;
	return false;
}

void keep_targets(const struct checker *k, uint64_t *row, uint32_t source)
{
	const struct neverallow *n = k->n;
	bool self = row_test(row, source) && !n->not_self && (n->self || ebitmap_test(&n->targets, source));

	for (uint32_t i = 0; i < k->access.nwords; i++) {
		uint32_t word = i - n->targets.first;

		row[i] &= word < n->targets.n ? n->targets.words[word] : 0;
	}
	row[source / 64] &= ~(UINT64_C(1) << source % 64);
	row[source / 64] |= (uint64_t)self << source % 64;
}

static void plain_targets(struct checker *k, uint32_t source)
{
	row_clear(&k->access, k->row);
	for (uint32_t i = 0; i < k->base.n; i++)
		row_add(&k->access, k->row, k->base.at[i]->target);
	keep_targets(k, k->row, source);
}

/* The rules of k->base are those that give one of the permissions. */
static void find_base(struct checker *k, uint32_t source)
{
	uint32_t kept = 0;

	access_rules_of(&k->access, &k->allow, source + 1, &k->base);
	for (uint32_t i = 0; i < k->base.n; i++) {
		if (k->base.at[i]->data & k->perms)
			k->base.at[kept++] = k->base.at[i];
	}
	k->base.n = kept;
}

/* It takes too long: one pair of each neverallow is enough. */
static bool is_enough(const struct checker *k)
{
	return k->violations.n && k->work > WORK_LIMIT;
}

static void add_row(struct checker *k, uint32_t source)
{
	find_candidates_here(k, source);
	row_for_each(&k->access, k->row, target) {
		add_violation(k, source, target);
		k->work += 1 + k->here.n;
		k->cut = is_enough(k);
		if (k->cut)
			return;
	}
}

static void check_class(struct checker *k, find_targets find)
{
	if (!class_violates(k))
		return;
	if (k->c->diags->errors >= DIAG_KEEP) {
		report_uncounted(k);
		k->cut = true;
		return;
	}
	access_class_open(&k->allow, &k->access, &k->access.allow, k->class);
	if (k->n->xperm)
		access_class_open(&k->xallow, &k->access, &k->access.xallow, k->class);
	find_candidates(k);
	ebitmap_for_each(&k->n->sources, source) {
		find_base(k, source);
		if (!k->base.n)
			continue;
		find(k, source);
		add_row(k, source);
		k->work += (uint64_t)(k->base.n + 8) * k->access.nwords;
		k->cut = is_enough(k);
		if (k->cut)
			return;
	}
}

/* Without a source there are no statements, and finding them is work. */
static bool want_statements(const struct checker *k)
{
	const struct compile *c = k->c;

	return (c->ast->avrules.n || c->ast->xrules.n) && k->work <= WORK_LIMIT;
}

static void check_one(struct checker *k, const struct neverallow *n)
{
	size_t nvalues = (size_t)k->policy->types.n + 1;

	k->n = n;
	k->more = 0;
	k->cut = false;
	k->by_statement = want_statements(k);
	memset(k->source_hits, 0, nvalues);
	memset(k->target_hits, 0, nvalues);
	if (n->xperm)
		xperm_prepare(k);
	memset(k->slots, 0, sizeof k->slots);
	for (uint32_t i = 0; i < n->nclasses && !k->cut; i++) {
		k->class = n->classes[i];
		k->perms = n->perms[i];
		check_class(k, n->xperm ? xperm_targets : plain_targets);
	}
	report_violations(k);
}

void check_neverallows(struct compile *c)
{
	struct checker k = {.c = c, .policy = c->policy};
	size_t nvalues = (size_t)c->policy->types.n + 1;

	if (!c->neverallows.n)
		return;
	access_init(&k.access, c->policy);
	k.source_hits = mem_alloc(nvalues);
	k.target_hits = mem_alloc(nvalues);
	k.row = row_new(&k.access);
	k.unlimited = row_new(&k.access);
	for (uint32_t i = 0; i < c->neverallows.n; i++)
		check_one(&k, &c->neverallows.at[i]);
	free(k.source_hits);
	free(k.target_hits);
	free(k.row);
	free(k.unlimited);
	vec_free(&k.base);
	vec_free(&k.records);
	vec_free(&k.grants);
	vec_free(&k.limits);
	vec_free(&k.here);
	vec_free(&k.ids);
	vec_free(&k.violations);
	access_class_free(&k.allow);
	access_class_free(&k.xallow);
	access_free(&k.access);
}
