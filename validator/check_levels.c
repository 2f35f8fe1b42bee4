/* Sensitivities, categories and levels that nothing has.
 *
 * A level is in use when the range of a user holds it: somebody can be cleared
 * for it.  So is one of a label or of a range transition. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/text.h"
#include "security/level.h"
#include "validator/policy_internal.h"

struct usage {
	const struct policy *policy;
	struct ebitmap sens;  /* values - 1 */
	struct ebitmap cats;  /* at any sensitivity */
	struct ebitmap *at;   /* by sensitivity: categories in use with it */
	struct ebitmap given; /* categories in some level statement */
};

static void use_level(struct usage *u, const struct policy_level *level)
{
	ebitmap_set(&u->sens, level->sens - 1);
	ebitmap_or(&u->cats, &level->cats);
	ebitmap_or(&u->at[level->sens], &level->cats);
}

/* Every level between low and high: categories of high, as far as the
 * sensitivity has them. */
static void use_range(struct usage *u, const struct policy_range *range)
{
	use_level(u, &range->low);
	use_level(u, &range->high);
	for (uint32_t s = range->low.sens + 1; s < range->high.sens; s++)
		ebitmap_set(&u->sens, s - 1);
	for (uint32_t s = range->low.sens; s <= range->high.sens; s++) {
		struct ebitmap cats = {0};

		ebitmap_copy(&cats, &range->high.cats);
		ebitmap_and(&cats, &u->policy->sens.at[s].cats);
		ebitmap_or(&u->at[s], &cats);
		ebitmap_free(&cats);
	}
}

#define USE_LABELS(u, list, member) \
	do { \
		for (uint32_t i_ = 0; i_ < (list).n; i_++) \
			use_range(u, &(list).at[i_].member.range); \
	} while (0)

static void use_labels(struct usage *u)
{
	const struct policy *p = u->policy;

	USE_LABELS(u, p->sids, context);
	USE_LABELS(u, p->fs_uses, context);
	USE_LABELS(u, p->ports, context);
	USE_LABELS(u, p->netifs, interface);
	USE_LABELS(u, p->netifs, packet);
	USE_LABELS(u, p->nodes, context);
	USE_LABELS(u, p->nodes6, context);
	USE_LABELS(u, p->ibpkeys, context);
	USE_LABELS(u, p->ibendports, context);
	USE_LABELS(u, p->genfs, context);
	USE_LABELS(u, p->pirqs, context);
	USE_LABELS(u, p->ioports, context);
	USE_LABELS(u, p->iomems, context);
	USE_LABELS(u, p->pcidevices, context);
	USE_LABELS(u, p->devicetrees, context);
}

static void find_usage(struct usage *u)
{
	const struct policy *p = u->policy;

	u->at = mem_zalloc((size_t)p->sens.n + 1, sizeof *u->at);
	for (uint32_t v = 1; v <= p->sens.n; v++)
		ebitmap_or(&u->given, &p->sens.at[v].cats);
	for (uint32_t v = 1; v <= p->users.n; v++)
		if (p->users.at[v].name)
			use_range(u, &p->users.at[v].range);
	for (uint32_t i = 0; i < p->range_trans.n; i++)
		use_range(u, &p->range_trans.at[i].range);
	use_labels(u);
}

static void usage_free(struct usage *u)
{
	for (uint32_t v = 0; v <= u->policy->sens.n; v++)
		ebitmap_free(&u->at[v]);
	free(u->at);
	ebitmap_free(&u->sens);
	ebitmap_free(&u->cats);
	ebitmap_free(&u->given);
}

/* ---- reports ---- */

/* Categories as a level writes them: `c1.c5,c9`. */
static const char *cats_text(struct policy_run *run, const struct ebitmap *cats)
{
	struct policy_level level = {1, *cats};
	const char *text = run_level(run, &run->left, &level), *colon = text;

	while (*colon && *colon != ':')
		colon++;
	return *colon ? colon + 1 : text;
}

static void report_sens(struct policy_run *run, const struct usage *u)
{
	const struct policy *p = run->policy;

	for (uint32_t v = 1; v <= p->sens.n; v++) {
		if (!p->sens.at[v].name || ebitmap_test(&u->sens, v - 1))
			continue;
		diag_warning(run->diags, "sensitivity-unused", place_sens(run->places, v),
			     "nothing has sensitivity `%s`: no user's range holds it, nor has a label or range_transition it",
			     p->sens.at[v].name);
		if (loc_known(place_level(run->places, v)))
			diag_note(run->diags, place_level(run->places, v), "its level is declared here");
	}
}

/* One finding for all of them, at the first one. */
static void report_cats(struct policy_run *run, const char *check, const struct ebitmap *cats, const char *what)
{
	uint32_t n = ebitmap_count(cats);

	if (!n)
		return;
	diag_warning(run->diags, check, place_cat(run->places, ebitmap_first(cats) + 1), "categor%s `%s`: %s",
		     n == 1 ? "y" : "ies", cats_text(run, cats), what);
}

static void report_levels(struct policy_run *run, const struct usage *u)
{
	const struct policy *p = run->policy;

	for (uint32_t v = 1; v <= p->sens.n; v++) {
		struct ebitmap unused = {0};

		if (!ebitmap_test(&u->sens, v - 1))
			continue; /* said of the sensitivity */
		ebitmap_copy(&unused, &p->sens.at[v].cats);
		ebitmap_and(&unused, &u->cats); /* the others are used nowhere, which is said of them */
		ebitmap_andnot(&unused, &u->at[v]);
		if (!ebitmap_empty(&unused)) {
			struct policy_level level = {v, unused};

			diag_remark(run->diags, "level-unused", place_level(run->places, v),
				     "nothing has sensitivity `%s` with `%s`, which its level allows",
				     p->sens.at[v].name, cats_text(run, &level.cats));
		}
		ebitmap_free(&unused);
	}
}

void check_unused_levels(struct policy_run *run)
{
	const struct policy *p = run->policy;
	struct usage u = {.policy = p};
	struct ebitmap unused = {0}, alone = {0};

	find_usage(&u);
	report_sens(run, &u);
	for (uint32_t v = 1; v <= p->cats.n; v++) {
		if (!p->cats.at[v].name)
			continue;
		if (!ebitmap_test(&u.given, v - 1))
			ebitmap_set(&alone, v - 1);
		else if (!ebitmap_test(&u.cats, v - 1))
			ebitmap_set(&unused, v - 1);
	}
	report_cats(run, "category-unassociated", &alone, "in no level statement, so no context can have it");
	report_cats(run, "category-unused", &unused, "in the range of no user, in no label and no range_transition");
	report_levels(run, &u);
	ebitmap_free(&alone);
	ebitmap_free(&unused);
	usage_free(&u);
}
