/* Permissions that read or write, are allowed to somebody, and that no MLS
 * constraint covers. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/text.h"
#include "validator/policy_internal.h"

enum { OF_LEVELS = CEXPR_L1L2 | CEXPR_L1H2 | CEXPR_H1L2 | CEXPR_H1H2 | CEXPR_L1H1 | CEXPR_L2H2 };

/* The policy does not say which constraint was written as mlsconstrain: one
 * that compares levels is meant. */
static bool compares_levels(const struct policy_constraint *constraint)
{
	for (uint32_t i = 0; i < constraint->nexpr; i++)
		if (constraint->expr[i].kind == CEXPR_ATTR && constraint->expr[i].attr & OF_LEVELS)
			return true;
	return false;
}

static uint32_t constrained_perms(const struct policy_class *class)
{
	uint32_t perms = 0;

	for (uint32_t i = 0; i < class->constraints.n; i++)
		if (compares_levels(&class->constraints.at[i]))
			perms |= class->constraints.at[i].perms;
	return perms;
}

struct gap { uint32_t read, write, constrained; };

static struct gap gap_of(const struct policy_run *run, uint32_t class)
{
	const struct policy_class *k = &run->policy->classes.at[class];
	struct gap gap = {.constrained = constrained_perms(k)};
	uint32_t open;

	permission_map_masks(run->map, k, &gap.read, &gap.write);
	open = run->granted[class] & ~gap.constrained;
	gap.read &= open;
	gap.write &= open;
	return gap;
}

/* Another class that inherits the same common and has a constraint on some of
 * the permissions; 0: there is none. */
static uint32_t sibling_of(const struct policy *p, uint32_t class, uint32_t perms)
{
	const struct policy_class *k = &p->classes.at[class];
	uint32_t inherited = k->common ? (1ULL << p->commons.at[k->common].nperms) - 1 : 0;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		if (v != class && p->classes.at[v].name && k->common && p->classes.at[v].common == k->common &&
		    constrained_perms(&p->classes.at[v]) & perms & inherited)
			return v;
	return 0;
}

/* A class with a gap; those with equal gaps are told as one. */
struct finding { uint32_t class, sibling; struct gap gap; bool told; };

static bool are_alike(const struct policy *p, const struct finding *a, const struct finding *b)
{
	return p->classes.at[a->class].common && p->classes.at[a->class].common == p->classes.at[b->class].common &&
	       a->sibling == b->sibling && a->gap.read == b->gap.read && a->gap.write == b->gap.write;
}

enum { SHOWN_CLASSES = 64 };

/* Names of the classes that are told with the first one. */
static uint32_t list_alike(struct policy_run *run, struct finding *first, struct finding *end)
{
	struct name_list names;

	name_list_start(&names, &run->right, SHOWN_CLASSES);
	for (struct finding *f = first; f < end; f++) {
		if (f->told || (f != first && !are_alike(run->policy, first, f)))
			continue;
		f->told = true;
		name_list_add(&names, run->policy->classes.at[f->class].name);
	}
	name_list_text(&names);
	return names.n;
}

static void note_sibling(struct policy_run *run, const struct finding *f)
{
	const struct policy *p = run->policy;
	const struct policy_class *sibling = &p->classes.at[f->sibling];

	run->left.n = 0;
	text_perms(&run->left, sibling, constrained_perms(sibling) & (f->gap.read | f->gap.write));
	diag_note(run->diags, place_class(run->places, f->sibling),
		  "class `%s`, which shares the common `%s`, has MLS constraints on `%s`", sibling->name,
		  p->commons.at[sibling->common].name, text_of(&run->left));
}

static void report_gap(struct policy_run *run, struct finding *first, struct finding *end)
{
	uint32_t n = list_alike(run, first, end);

	run->left.n = 0;
	text_perms(&run->left, &run->policy->classes.at[first->class], first->gap.read | first->gap.write);
	diag_warning(run->diags, "mls-constraint-gap", place_class(run->places, first->class),
		     "rules allow `%s` of class%s %s, which no MLS constraint covers", text_of(&run->left), n == 1 ? "" : "es",
		     text_of(&run->right));
	if (first->sibling)
		note_sibling(run, first);
	diag_hint(run->diags, "data flows through them between levels unchecked; add what is missing to the constraints");
}

/* Classes with a gap, of those with an MLS constraint or a relative that has
 * one; of the others when related is false. */
static uint32_t find_gaps(const struct policy_run *run, bool related, struct finding *ret)
{
	const struct policy *p = run->policy;
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->classes.n; v++) {
		struct finding f = {.class = v};

		if (!p->classes.at[v].name || !run->granted[v])
			continue;
		f.gap = gap_of(run, v);
		if (!(f.gap.read | f.gap.write))
			continue;
		f.sibling = sibling_of(p, v, f.gap.read | f.gap.write);
		if (related == (f.sibling || f.gap.constrained))
			ret[n++] = f;
	}
	return n;
}

void check_constraint_gaps(struct policy_run *run)
{
	struct finding *found = mem_zalloc(run->policy->classes.n, sizeof *found);
	uint32_t n = find_gaps(run, true, found);

	for (uint32_t i = 0; i < n; i++)
		if (!found[i].told)
			report_gap(run, &found[i], found + n);
	free(found);
}

/* Of a class without any MLS constraint, and without relatives that have one,
 * it may be meant so: one finding for all of them. */
void check_unconstrained_classes(struct policy_run *run)
{
	struct finding *found = mem_zalloc(run->policy->classes.n, sizeof *found);
	uint32_t n = find_gaps(run, false, found);
	struct name_list names;

	name_list_start(&names, &run->left, SHOWN_CLASSES);
	for (uint32_t i = 0; i < n; i++)
		name_list_add(&names, run->policy->classes.at[found[i].class].name);
	if (n)
		diag_remark(run->diags, "mls-class-unconstrained", place_class(run->places, found[0].class),
			     "rules allow reading or writing in %u class%s without any MLS constraint: %s", (unsigned)n,
			     n == 1 ? "" : "es", name_list_text(&names));
	free(found);
}
