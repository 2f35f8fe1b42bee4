/* Constraints that decide nothing: their expression is always true or always
 * false, or no rule allows what they constrain. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "validator/constraint_values.h"
#include "validator/policy_internal.h"

/* A constraint of a class. */
struct member { uint32_t class, index; bool transition; struct loc loc; };

/* Those that are told as one: of one statement, in an image those with the same
 * expression and permissions of the same names. */
struct group { VEC(struct member) members; };

struct groups { VEC(struct group) at; };

static const struct policy_constraint *constraint_of(const struct policy *p, const struct member *m)
{
	const struct policy_class *k = &p->classes.at[m->class];

	return m->transition ? &k->validatetrans.at[m->index] : &k->constraints.at[m->index];
}

static bool same_leaf(const struct policy_cexpr *a, const struct policy_cexpr *b)
{
	return a->kind == b->kind && a->attr == b->attr && a->op == b->op && ebitmap_equal(&a->names, &b->names);
}

static bool same_expression(const struct policy_constraint *a, const struct policy_constraint *b)
{
	if (a->nexpr != b->nexpr)
		return false;
	for (uint32_t i = 0; i < a->nexpr; i++)
		if (!same_leaf(&a->expr[i], &b->expr[i]))
			return false;
	return true;
}

static bool are_alike(const struct policy *p, const struct member *a, const struct member *b)
{
	if (a->transition != b->transition)
		return false;
	if (loc_known(a->loc) || loc_known(b->loc))
		return a->loc.begin == b->loc.begin;
	return same_expression(constraint_of(p, a), constraint_of(p, b));
}

static void add_member(struct groups *groups, const struct policy *p, struct member m)
{
	uint32_t i = 0;

	while (i < groups->at.n && !are_alike(p, &groups->at.at[i].members.at[0], &m))
		i++;
	if (i == groups->at.n)
		*vec_push(&groups->at) = (struct group){{0}};
	*vec_push(&groups->at.at[i].members) = m;
}

static void groups_free(struct groups *groups)
{
	for (uint32_t i = 0; i < groups->at.n; i++)
		vec_free(&groups->at.at[i].members);
	vec_free(&groups->at);
}

/* All constraints of a policy; those of which wanted says so. */
static void gather(const struct policy_run *run, struct groups *groups,
		   bool (*wanted)(const struct policy_run *run, const struct member *m))
{
	const struct policy *p = run->policy;

	for (uint32_t v = 1; v <= p->classes.n; v++) {
		for (int transition = 0; transition < 2; transition++) {
			uint32_t n = transition ? p->classes.at[v].validatetrans.n : p->classes.at[v].constraints.n;

			for (uint32_t i = n; i-- > 0;) { /* the last one is the first of the source */
				struct member m = {v, i, transition, place_constraint(run->places, v, transition, i)};

				if (!wanted || wanted(run, &m))
					add_member(groups, p, m);
			}
		}
	}
}

/* ---- reports ---- */

static const char *expression_text(struct policy_run *run, const struct policy_constraint *constraint)
{
	enum { LONGEST = 300 };

	run->left.n = 0;
	dump_expression(&run->left, run->policy, constraint);
	if (run->left.n > LONGEST) {
		run->left.n = LONGEST;
		text_put(&run->left, "...");
	}
	return text_of(&run->left);
}

/* "constraint of class `file`". */
static const char *what_text(struct policy_run *run, const struct group *g)
{
	struct name_list names;

	name_list_start(&names, &run->right, SHOWN_NAMES);
	text_put(&run->right, g->members.at[0].transition ? "validatetrans of class" : "constraint of class");
	text_put(&run->right, g->members.at[0].class == g->members.at[g->members.n - 1].class ? " " : "es ");
	for (uint32_t i = 0; i < g->members.n; i++)
		if (!i || g->members.at[i].class != g->members.at[i - 1].class)
			name_list_add(&names, run->policy->classes.at[g->members.at[i].class].name);
	return name_list_text(&names);
}

static void note_perms(struct policy_run *run, const struct group *g, const char *before)
{
	const struct member *m = &g->members.at[0];
	const struct policy_constraint *constraint = constraint_of(run->policy, m);

	if (m->transition)
		return;
	run->left.n = 0;
	text_perms(&run->left, &run->policy->classes.at[m->class], constraint->perms);
	diag_note(run->diags, LOC_NONE, "%s `%s` of class `%s`", before, text_of(&run->left),
		  run->policy->classes.at[m->class].name);
}

/* ---- values ---- */

static void report_true(struct policy_run *run, const struct group *g)
{
	const struct member *m = &g->members.at[0];

	diag_warning(run->diags, "constraint-always-true", m->loc, "the %s is true of all contexts: `%s`",
		     what_text(run, g), expression_text(run, constraint_of(run->policy, m)));
	note_perms(run, g, "it constrains nothing of");
}

static void report_false(struct policy_run *run, const struct group *g)
{
	const struct member *m = &g->members.at[0];

	diag_warning(run->diags, "constraint-always-false", m->loc, "the %s is true of no contexts: `%s`",
		     what_text(run, g), expression_text(run, constraint_of(run->policy, m)));
	note_perms(run, g, "nobody is ever allowed");
}

void check_constraint_values(struct policy_run *run)
{
	struct level_patterns patterns;
	struct groups groups = {0};

	gather(run, &groups, NULL);
	level_patterns_init(&patterns, run->policy);
	for (uint32_t i = 0; i < groups.at.n; i++) {
		const struct group *g = &groups.at.at[i];
		struct constraint_values values =
			constraint_values_of(run->policy, &patterns, constraint_of(run->policy, &g->members.at[0]));

		if (!values.can_fail)
			report_true(run, g);
		else if (!values.can_hold)
			report_false(run, g);
	}
	level_patterns_free(&patterns);
	groups_free(&groups);
}

/* ---- what is reached ---- */

/* A validatetrans is asked when something gets another label. */
static uint32_t relabel_perms(const struct policy_class *class)
{
	uint32_t perms = 0;

	for (uint32_t bit = 0; bit < class->nperms; bit++)
		if (class->perms[bit] && !strcmp(class->perms[bit], "relabelto"))
			perms |= 1U << bit;
	return perms;
}

static bool is_unreached(const struct policy_run *run, const struct member *m)
{
	const struct policy_class *k = &run->policy->classes.at[m->class];
	uint32_t perms = m->transition ? relabel_perms(k) : constraint_of(run->policy, m)->perms;

	return run->granted[m->class] && !(perms & run->granted[m->class]);
}

static void report_unreached(struct policy_run *run, const struct group *g)
{
	const struct member *m = &g->members.at[0];

	diag_remark(run->diags, "constraint-unreached", m->loc, "no rule allows what the %s is about: `%s`",
		     what_text(run, g), expression_text(run, constraint_of(run->policy, m)));
	if (m->transition)
		diag_note(run->diags, LOC_NONE, "it is asked when `relabelto` is");
	else
		note_perms(run, g, "that is,");
}

/* Of a class that no rule names nothing is reached: one finding for all of them. */
static void report_unused_classes(struct policy_run *run)
{
	const struct policy *p = run->policy;
	struct name_list names;
	uint32_t first = 0;

	name_list_start(&names, &run->right, SHOWN_NAMES);
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		if (run->granted[v] || !(p->classes.at[v].constraints.n + p->classes.at[v].validatetrans.n))
			continue;
		first = first ? first : v;
		name_list_add(&names, p->classes.at[v].name);
	}
	if (first)
		diag_remark(run->diags, "constraint-unreached", place_class(run->places, first),
			     "constraints are about class%s %s, of which no rule allows anything", names.n == 1 ? "" : "es",
			     name_list_text(&names));
}

void check_unreached_constraints(struct policy_run *run)
{
	struct groups groups = {0};

	report_unused_classes(run);

	gather(run, &groups, is_unreached);
	for (uint32_t i = 0; i < groups.at.n; i++)
		report_unreached(run, &groups.at.at[i]);
	groups_free(&groups);
}
