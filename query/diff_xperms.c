/* Extended permissions: values that no rule of a class tells apart are one
 * block, and a block is to the matrix what a permission is.  A matrix has 64; a
 * class with more blocks is compared in turns; when no steps are left for them,
 * rules are compared as they are written. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/text.h"
#include "query/diff_rules.h"
#include "query/text.h"

enum { VALUES = 0x10000, BLOCKS = 64 };

static const struct { uint16_t kind; enum diff_section section; } kinds[] = {
	{AV_XALLOWED, DIFF_ALLOWXPERM}, {AV_XAUDITALLOW, DIFF_AUDITALLOWXPERM}, {AV_XDONTAUDIT, DIFF_DONTAUDITXPERM},
};

/* One rule; its values are a sequence of blocks. */
struct xrule {
	const struct policy_rule *rule;
	enum side side;
	uint32_t source, target; /* sets */
	struct ebitmap values;
};

struct blocks {
	struct differ *d;
	VEC(struct xrule) rules;
	bool nlmsg;
	uint32_t *block_of; /* by value; 0 is in no rule */
	uint32_t n;         /* blocks, counting 0 */
	uint32_t first;     /* of the turn */
};

static bool is_nlmsg(const struct policy *p, const struct policy_rule *rule)
{
	return p->xperms.at[rule->data].specified == XPERM_NLMSG;
}

static void collect(struct blocks *b, const rule_refs *refs, uint16_t kind)
{
	for (enum side side = OLD; side <= NEW; side++) {
		for (uint32_t i = 0; i < refs[side].n; i++) {
			const struct policy_rule *rule = refs[side].at[i];
			const uint32_t *set_of = b->d->set_of[side];
			struct xrule x = {
				.rule = rule, .side = side, .source = set_of[rule->source], .target = set_of[rule->target],
			};

			if (rule->kind != kind || is_nlmsg(b->d->p[side], rule) != b->nlmsg)
				continue;
			xperm_values(&b->d->p[side]->xperms.at[rule->data], &x.values);
			*vec_push(&b->rules) = x;
		}
	}
}

/* Splits each block into what is in values and what is not. */
static void split(struct blocks *b, const struct ebitmap *values, uint32_t *fresh, uint32_t *inside, uint32_t *size)
{
	uint32_t before = b->n;

	differ_spend(b->d, before + 2 * UINT64_C(64) * values->n);
	memset(inside, 0, before * sizeof *inside);
	ebitmap_for_each(values, v)
		inside[b->block_of[v]]++;
	for (uint32_t k = 0; k < before; k++)
		fresh[k] = inside[k] && (k == 0 || inside[k] < size[k]) ? b->n++ : k;
	ebitmap_for_each(values, v) {
		uint32_t old = b->block_of[v];

		if (fresh[old] == old)
			continue;
		b->block_of[v] = fresh[old];
		size[old]--;
		size[fresh[old]]++;
	}
}

static int by_values(const void *a, const void *b)
{
	return ebitmap_compare(*(const struct ebitmap *const *)a, *(const struct ebitmap *const *)b);
}

/* Policies have few sets of values, and use each often. */
static void find_blocks(struct blocks *b)
{
	uint32_t *scratch = mem_zalloc(3 * (VALUES + 1), sizeof *scratch);
	const struct ebitmap **sets = mem_alloc(b->rules.n * sizeof *sets);

	b->block_of = mem_zalloc(VALUES, sizeof *b->block_of);
	b->n = 1;
	scratch[2 * (VALUES + 1)] = VALUES;
	for (uint32_t i = 0; i < b->rules.n; i++)
		sets[i] = &b->rules.at[i].values;
	qsort(sets, b->rules.n, sizeof *sets, by_values);
	for (uint32_t i = 0; b->d->budget && i < b->rules.n; i++) {
		if (!i || !ebitmap_equal(sets[i], sets[i - 1]))
			split(b, sets[i], scratch, scratch + VALUES + 1, scratch + 2 * (VALUES + 1));
	}
	free(sets);
	free(scratch);
}

static uint64_t mask_of(const struct blocks *b, const struct ebitmap *values)
{
	uint64_t mask = 0;

	differ_spend(b->d, UINT64_C(64) * values->n);
	ebitmap_for_each(values, v) {
		uint32_t block = b->block_of[v] - b->first;

		if (block < BLOCKS)
			mask |= UINT64_C(1) << block;
	}
	return mask;
}

static void put_blocks(struct buffer *out, const void *data, uint64_t mask)
{
	const struct blocks *b = data;
	struct ebitmap values = {0};

	for (uint32_t v = 0; v < VALUES; v++) {
		uint32_t block = b->block_of[v] - b->first;

		if (block < BLOCKS && mask >> block & 1)
			ebitmap_set(&values, v);
	}
	put_xperms(out, b->nlmsg ? XPERM_NLMSG : XPERM_IOCTL_FUNCTION, &values);
	ebitmap_free(&values);
}

static void diff_turn(struct blocks *b, const struct matrix_form *form)
{
	matrix_rules rules[2] = {0};

	for (uint32_t i = 0; b->d->budget && i < b->rules.n; i++) {
		const struct xrule *x = &b->rules.at[i];
		uint64_t mask = mask_of(b, &x->values);

		if (mask)
			*vec_push(&rules[x->side]) = (struct matrix_rule){
				x->source, x->target, x->rule->source, x->rule->target, mask,
			};
	}
	if (b->d->budget)
		matrix_diff(b->d, rules, NULL, form);
	vec_free(&rules[OLD]);
	vec_free(&rules[NEW]);
}

/* ---- as written ---- */

static int by_writing(const void *a, const void *b)
{
	const struct xrule *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return ebitmap_compare(&x->values, &y->values);
}

static void report_rule(const struct blocks *b, const struct xrule *x, const struct matrix_form *form)
{
	struct buffer perms = {0};

	b->d->diff->by_rule = true;
	put_xperms(&perms, b->nlmsg ? XPERM_NLMSG : XPERM_IOCTL_FUNCTION, &x->values);
	*vec_push(&b->d->grants) = (struct grant){
		.section = form->section, .side = x->side, .word = form->word, .class = form->class,
		.perms = keep_text(b->d, &perms), .sources = x->source, .targets = x->target,
		.source_hint = x->rule->source, .target_hint = x->rule->target,
	};
	buffer_free(&perms);
}

/* The rules that one side has and the other has not. */
static void diff_written(struct blocks *b, const struct matrix_form *form)
{
	qsort(b->rules.at, b->rules.n, sizeof *b->rules.at, by_writing);
	for (uint32_t i = 0; i < b->rules.n;) {
		const struct xrule *x = &b->rules.at[i];
		bool has[2] = {0};

		for (; i < b->rules.n && !by_writing(x, &b->rules.at[i]); i++)
			has[b->rules.at[i].side] = true;
		if (has[OLD] != has[NEW])
			report_rule(b, x, form);
	}
}

static void diff_kind(struct differ *d, const rule_refs *refs, uint16_t kind, bool nlmsg, struct matrix_form *form)
{
	struct blocks b = {.d = d, .nlmsg = nlmsg};
	uint32_t grants = d->grants.n;

	collect(&b, refs, kind);
	if (b.rules.n) {
		find_blocks(&b);
		form->put_perms = put_blocks;
		form->data = &b;
		for (b.first = 1; d->budget && b.first < b.n; b.first += BLOCKS)
			diff_turn(&b, form);
		if (!d->budget) {
			d->grants.n = grants; /* those of the turns that were */
			diff_written(&b, form);
		}
	}
	for (uint32_t i = 0; i < b.rules.n; i++)
		ebitmap_free(&b.rules.at[i].values);
	vec_free(&b.rules);
	free(b.block_of);
}

static bool has_xperms(const rule_refs *refs)
{
	for (enum side side = OLD; side <= NEW; side++) {
		for (uint32_t i = 0; i < refs[side].n; i++) {
			if (refs[side].at[i]->kind & AV_X)
				return true;
		}
	}
	return false;
}

void diff_xperms(struct differ *d, uint32_t class, const rule_refs *refs)
{
	if (!has_xperms(refs))
		return;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		struct matrix_form form = {
			.section = kinds[k].section, .word = text_rule_word(kinds[k].kind), .class = d->classes.at[class].name,
		};

		diff_kind(d, refs, kinds[k].kind, false, &form);
		diff_kind(d, refs, kinds[k].kind, true, &form);
	}
}
