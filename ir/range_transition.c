/* Range transitions: sources, targets and classes multiplied out, equal ones
 * merged, contradicting ones reported (language.md 9.18). */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/member.h"
#include "ir/mls.h"

/* One (source, target, class) and the statement that it comes from. */
struct entry { uint32_t source, target, class, rule; };

struct range_rules {
	const struct ast_range_trans *ast;
	struct policy_range *ranges; /* by statement */
	bool *reported;              /* by statement */
	VEC(struct entry) entries;
};

static bool same_key(const struct entry *a, const struct entry *b)
{
	return a->source == b->source && a->target == b->target && a->class == b->class;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_entries(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int order = compare_numbers(a->source, b->source);

	if (!order)
		order = compare_numbers(a->target, b->target);
	if (!order)
		order = compare_numbers(a->class, b->class);
	return order ? order : compare_numbers(a->rule, b->rule);
}

/* The classes of a statement; without any it means process. */
static bool rule_classes(struct compile *c, const struct ast_range_trans *a, struct class_list *ret_classes)
{
	if (a->classes.id != ATOM_NONE) {
		*ret_classes = classes_of(c, a->classes, a->block);
		return ret_classes->n != 0;
	}
	if (!process_class_in(c, a->block)) {
		diag_error(c->diags, "unknown-class", a->loc,
			   "a range_transition without a class is about class `process`, which is not declared");
		return false;
	}
	*ret_classes = (struct class_list){&c->process_class, 1};
	return true;
}

static void lower_rule(struct compile *c, struct range_rules *r, uint32_t rule)
{
	const struct ast_range_trans *a = &r->ast[rule];
	struct operand sources, targets;
	struct class_list classes = {0};
	bool good;

	good = check_type_set(c, a->sources, a->block, 0);
	good &= check_type_set(c, a->targets, a->block, 0);
	good &= rule_classes(c, a, &classes);
	if (!c->live[a->block]) {
		mls_range_names(c, &a->range, a->block);
		return;
	}
	good &= mls_range(c, &a->range, a->block, &r->ranges[rule]);
	if (!good)
		return;
	sources = type_operand(c, a->sources);
	targets = type_operand(c, a->targets);
	for (uint32_t s = 0; s < sources.n; s++)
		for (uint32_t t = 0; t < targets.n; t++)
			for (uint32_t k = 0; k < classes.n; k++)
				*vec_push(&r->entries) =
					(struct entry){sources.at[s], targets.at[t], classes.at[k], rule};
}

/* ---- conflicts ---- */

static void note_members(struct compile *c, const struct ast_range_trans *a, const struct entry *e, struct noted *noted)
{
	note_membership(c, a->sources, e->source, noted);
	note_membership(c, a->targets, e->target, noted);
}

/* One report for each later statement, however many pairs it contradicts. */
static void report_conflict(struct compile *c, struct range_rules *r, const struct entry *first, const struct entry *later)
{
	const struct ast_range_trans *a = &r->ast[first->rule], *b = &r->ast[later->rule];
	const struct policy *p = c->policy;
	struct noted noted = {0};

	if (r->reported[later->rule])
		return;
	r->reported[later->rule] = true;
	diag_error(c->diags, "range-transition-conflict", b->loc,
		   "range transition of `%s` on `%s` (class `%s`) to `%s`, but an earlier statement gives `%s`",
		   p->types.at[later->source].name, p->types.at[later->target].name, p->classes.at[later->class].name,
		   mls_range_text(c, &r->ranges[later->rule]), mls_range_text(c, &r->ranges[first->rule]));
	note_members(c, b, later, &noted);
	diag_note(c->diags, a->loc, "the earlier range_transition is here");
	note_members(c, a, first, &noted);
}

/* Entries are sorted, those of one key in source order: keeps the first of
 * each key. */
static uint32_t merge_entries(struct compile *c, struct range_rules *r)
{
	struct entry *at = r->entries.at;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->entries.n; i++) {
		if (!n || !same_key(&at[n - 1], &at[i]))
			at[n++] = at[i];
		else if (!policy_range_equal(&r->ranges[at[n - 1].rule], &r->ranges[at[i].rule]))
			report_conflict(c, r, &at[n - 1], &at[i]);
	}
	return n;
}

void lower_range_transitions(struct compile *c)
{
	uint32_t nrules = c->ast->range_trans.n, n;
	struct range_rules r = {.ast = c->ast->range_trans.at};
	struct policy *p = c->policy;

	if (!c->options->mls || !nrules)
		return; /* without MLS: refused by mls_declare() */
	r.ranges = mem_zalloc(nrules, sizeof *r.ranges);
	r.reported = mem_zalloc(nrules, sizeof *r.reported);
	for (uint32_t i = 0; i < nrules; i++)
		lower_rule(c, &r, i);
	if (r.entries.n)
		qsort(r.entries.at, r.entries.n, sizeof *r.entries.at, compare_entries);
	n = merge_entries(c, &r);
	p->range_trans.at = arena_zalloc(&p->arena, n, sizeof *p->range_trans.at);
	p->range_trans.n = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct entry *e = &r.entries.at[i];
		struct policy_range_trans *to = &p->range_trans.at[i];

		to->source = e->source;
		to->target = e->target;
		to->class = e->class;
		policy_range_copy(&to->range, &r.ranges[e->rule]);
	}
	for (uint32_t i = 0; i < nrules; i++)
		policy_range_free(&r.ranges[i]);
	vec_free(&r.entries);
	free(r.ranges);
	free(r.reported);
}
