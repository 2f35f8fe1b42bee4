/* neverallow: no allow rule may grant what is never allowed.
 *
 * Needs the expanded rules and c->neverallows; leaves findings.  Most
 * neverallows are kept, so the first question is asked of each rule of a class
 * alone: does it give a permission, has its source a type of the sources, its
 * target one of the targets?  The answers for a value are worked out once for
 * each neverallow.  Only for a class with a rule that answers yes are the
 * pairs worked out, source by source, a row of targets at a time.
 *
 * Facts: language.md 14.1; `{ self T }` checks T as well, and `{ T -self }`
 * with no types in T checks nothing (18, 1 and 2). */
#include "ir/neverallow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/text.h"

/* Counting what is not reported ends after this many words: about a second. */
#define WORK_LIMIT (UINT64_C(1) << 30)

static bool has_type_of(const struct checker *k, uint32_t value, const struct ebitmap *set)
{
	const struct policy_type *type = &k->policy->types.at[value];

	return type->kind == POLICY_TYPE ? ebitmap_test(set, value - 1) : ebitmap_intersects(&type->types, set);
}

static bool hits(const struct checker *k, uint8_t *known, uint32_t value, const struct ebitmap *set)
{
	if (!known[value])
		known[value] = has_type_of(k, value, set) ? 2 : 1;
	return known[value] == 2;
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

static bool rule_violates(const struct checker *k, const struct access_rule *r)
{
	const struct neverallow *n = k->n;

	if (!hits(k, k->source_hits, r->source, &n->sources))
		return false;
	if (hits(k, k->target_hits, r->target, &n->targets) && (!n->not_self || reaches_other(k, r)))
		return true;
	return n->self && !n->not_self && reaches_self(k, r);
}

static bool class_violates(const struct checker *k)
{
	const struct access_table *allow = &k->access.allow;

	for (uint32_t i = allow->start[k->class]; i < allow->start[k->class + 1]; i++) {
		const struct access_rule *r = &allow->rules.at[i];

		if (r->data & k->perms && rule_violates(k, r))
			return true;
	}
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

static void note_conditions(struct checker *k, uint32_t target)
{
	const struct policy_class *class = &k->policy->classes.at[k->class];

	for (uint32_t i = 0; i < k->base.n; i++) {
		const struct access_rule *r = k->base.at[i];
		struct buffer perms = {0}, cond = {0};

		if (!r->place || !rule_reaches(k, r, target))
			continue;
		text_perms(&perms, class, r->data & k->perms);
		text_cond(&cond, k->policy, &k->policy->conds.at[access_cond(r->place)]);
		diag_note(k->c->diags, LOC_NONE, "`%s` is granted while `%s` is %s", text_of(&perms), text_of(&cond),
			  r->place & 1 ? "false" : "true");
		buffer_free(&perms);
		buffer_free(&cond);
	}
}

void explain(struct checker *k, uint32_t source, uint32_t target, uint32_t perms, bool xperm)
{
	if (k->explained++ < NEVERALLOW_ORIGINS)
		note_origins(k->c, source + 1, target + 1, k->class, perms, xperm);
	note_conditions(k, target);
}

static void plain_report(struct checker *k, uint32_t source, uint32_t target)
{
	const struct policy_class *class = &k->policy->classes.at[k->class];
	struct buffer text = {0};
	uint32_t perms = 0;

	for (uint32_t i = 0; i < k->base.n; i++) {
		if (rule_reaches(k, k->base.at[i], target))
			perms |= k->base.at[i]->data & k->perms;
	}
	text_perms(&text, class, perms);
	diag_error(k->c->diags, "neverallow", k->n->loc, "neverallow violated: allow `%s` `%s`:`%s` %s",
		   type_text(k, source), type_text(k, target), class->name, text_of(&text));
	buffer_free(&text);
	explain(k, source, target, perms, false);
}

static void report_row(struct checker *k, uint32_t source, report_pair report)
{
	row_for_each(&k->access, k->row, target) {
		if (k->reported < NEVERALLOW_REPORT) {
			k->reported++;
			report(k, source, target);
		} else {
			k->more++;
		}
	}
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

static void check_class(struct checker *k, find_targets find, report_pair report)
{
	if (!class_violates(k))
		return;
	access_class_open(&k->allow, &k->access, &k->access.allow, k->class);
	access_class_open(&k->xallow, &k->access, &k->access.xallow, k->class);
	ebitmap_for_each(&k->n->sources, source) {
		find_base(k, source);
		if (!k->base.n)
			continue;
		find(k, source);
		report_row(k, source, report);
		if (k->more && (k->work += (uint64_t)(k->base.n + 64) * k->access.nwords) > WORK_LIMIT)
			return;
	}
}

static void check_one(struct checker *k, const struct neverallow *n)
{
	size_t nvalues = (size_t)k->policy->types.n + 1;

	k->n = n;
	k->reported = 0;
	k->more = 0;
	memset(k->source_hits, 0, nvalues);
	memset(k->target_hits, 0, nvalues);
	if (n->xperm)
		xperm_prepare(k);
	for (uint32_t i = 0; i < n->nclasses; i++) {
		k->class = n->classes[i];
		k->perms = n->perms[i];
		check_class(k, n->xperm ? xperm_targets : plain_targets, n->xperm ? xperm_report : plain_report);
	}
	if (k->more)
		diag_error(k->c->diags, n->xperm ? "neverallowxperm" : "neverallow", n->loc,
			   "violated by %s%" PRIu64 " more pairs of types",
			   k->work > WORK_LIMIT ? "at least " : "", k->more);
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
	for (uint32_t i = 0; i < c->neverallows.n; i++)
		check_one(&k, &c->neverallows.at[i]);
	free(k.source_hits);
	free(k.target_hits);
	free(k.row);
	vec_free(&k.base);
	vec_free(&k.records);
	access_class_free(&k.allow);
	access_class_free(&k.xallow);
	access_free(&k.access);
}
