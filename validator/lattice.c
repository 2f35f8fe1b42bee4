#include "validator/lattice.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "ir/text.h"

/* Levels in an order in which none dominates one before it. */
struct lattice {
	const struct policy *policy;
	struct policy_level **at;
	uint32_t n;
	struct policy_level *ends; /* of the sensitivities: two each */
	struct buffer *out;
};

/* A level dominates only those of no higher sensitivity, and of one sensitivity
 * those with fewer categories. */
static int compare_levels(const struct policy_level *a, const struct policy_level *b)
{
	uint32_t na, nb;

	if (a->sens != b->sens)
		return a->sens < b->sens ? -1 : 1;
	na = ebitmap_count(&a->cats);
	nb = ebitmap_count(&b->cats);
	if (na != nb)
		return na < nb ? -1 : 1;
	return ebitmap_compare(&a->cats, &b->cats);
}

static int compare_pointers(const void *left, const void *right)
{
	return compare_levels(*(struct policy_level *const *)left, *(struct policy_level *const *)right);
}

static void gather(struct lattice *l)
{
	const struct policy *p = l->policy;
	uint32_t n = 0;

	l->at = mem_zalloc((size_t)p->sens.n * 2 + (size_t)p->users.n * 3, sizeof *l->at);
	l->ends = mem_zalloc((size_t)p->sens.n * 2, sizeof *l->ends);
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		struct policy_level *ends = &l->ends[(v - 1) * 2];

		ends[0].sens = ends[1].sens = v;
		ends[1].cats = p->sens.at[v].cats; /* shared, not freed */
		l->at[l->n++] = &ends[0];
		l->at[l->n++] = &ends[1];
	}
	for (uint32_t v = 1; v <= p->users.n; v++) {
		struct policy_user *user = &p->users.at[v];

		if (!user->name)
			continue;
		l->at[l->n++] = &user->range.low;
		l->at[l->n++] = &user->range.high;
		l->at[l->n++] = &user->level;
	}
	qsort(l->at, l->n, sizeof *l->at, compare_pointers);
	for (uint32_t i = 0; i < l->n; i++)
		if (!n || compare_levels(l->at[n - 1], l->at[i]))
			l->at[n++] = l->at[i];
	l->n = n;
}

static uint32_t node_of(const struct lattice *l, const struct policy_level *level)
{
	uint32_t low = 0, high = l->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_levels(l->at[middle], level) <= 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void put_nodes(struct lattice *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		text_printf(l->out, "\tl%u [label=\"", (unsigned)i);
		text_level(l->out, l->policy, l->at[i]);
		text_put(l->out, "\"];\n");
	}
}

/* Whether some level lies between two of which the second dominates the first. */
static bool has_between(const struct lattice *l, uint32_t low, uint32_t high)
{
	for (uint32_t i = low + 1; i < high; i++)
		if (policy_level_dominates(l->at[i], l->at[low]) && policy_level_dominates(l->at[high], l->at[i]))
			return true;
	return false;
}

static void put_order(struct lattice *l)
{
	for (uint32_t low = 0; low < l->n; low++)
		for (uint32_t high = low + 1; high < l->n; high++)
			if (policy_level_dominates(l->at[high], l->at[low]) && !has_between(l, low, high))
				text_printf(l->out, "\tl%u -> l%u;\n", (unsigned)low, (unsigned)high);
}

/* The users that have the range of the first one. */
static void put_users(struct lattice *l, uint32_t first)
{
	const struct policy *p = l->policy;
	const struct policy_range *range = &p->users.at[first].range;

	text_printf(l->out, "\tu%u [shape=box, style=filled, fillcolor=\"#e8eef8\", label=\"", (unsigned)first);
	for (uint32_t v = first; v <= p->users.n; v++)
		if (p->users.at[v].name && policy_range_equal(&p->users.at[v].range, range))
			text_printf(l->out, "%s%s", v == first ? "" : "\\n", p->users.at[v].name);
	text_put(l->out, "\"];\n");
	text_printf(l->out, "\tl%u -> u%u [style=dashed, color=\"#4060a0\", constraint=false];\n",
		    (unsigned)node_of(l, &range->low), (unsigned)first);
	text_printf(l->out, "\tu%u -> l%u [style=dashed, color=\"#4060a0\", constraint=false];\n", (unsigned)first,
		    (unsigned)node_of(l, &range->high));
}

static bool seen_before(const struct policy *p, uint32_t user)
{
	for (uint32_t v = 1; v < user; v++)
		if (p->users.at[v].name && policy_range_equal(&p->users.at[v].range, &p->users.at[user].range))
			return true;
	return false;
}

void lattice_dot(const struct policy *policy, struct buffer *out)
{
	struct lattice l = {.policy = policy, .out = out};

	gather(&l);
	text_put(out, "digraph lattice {\n\trankdir=BT;\n\tnode [shape=ellipse];\n");
	put_nodes(&l);
	put_order(&l);
	for (uint32_t v = 1; v <= policy->users.n; v++)
		if (policy->users.at[v].name && !seen_before(policy, v))
			put_users(&l, v);
	text_put(out, "}\n");
	free(l.at);
	free(l.ends);
}
