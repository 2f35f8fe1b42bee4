/* What the Linux kernel wants beyond what libsepol does (policydb-format.md 14). */
#include <stdlib.h>
#include <string.h>

#include "backend/validate.h"
#include "base/memory.h"

static void check_process(struct validator *v)
{
	about(v, "class", "process", 0);
	for (uint32_t value = 1; value <= v->policy->classes.n; value++) {
		const struct policy_class *class = &v->policy->classes.at[value];

		if (!class->name || strcmp(class->name, "process") != 0)
			continue;
		if (!policy_find_perm(class, "transition") || !policy_find_perm(class, "dyntransition"))
			kernel_refuses(v, "not both of the permissions `transition` and `dyntransition`");
		return;
	}
	kernel_refuses(v, "is not declared");
}

static void check_dense(struct validator *v, enum value_table table)
{
	const struct values *values = &v->values[table];

	/* A run of gaps is one finding. */
	for (uint32_t first = ebitmap_first(&values->gaps), last; first != EBITMAP_NONE;
	     first = ebitmap_next(&values->gaps, last)) {
		for (last = first; ebitmap_test(&values->gaps, last + 1);)
			last++;
		about(v, values->what, NULL, first);
		if (last == first)
			kernel_refuses(v, "not declared, but values go up to %u", (unsigned)values->n);
		else
			kernel_refuses(v, "neither this nor those up to %u are declared, but values go up to %u",
				       (unsigned)last + 1, (unsigned)values->n);
	}
}

/* ---- role transitions: each key once ---- */

static int compare_role_trans(const struct policy_role_trans *a, const struct policy_role_trans *b)
{
	int order = compare_u32(a->role, b->role);

	if (!order)
		order = compare_u32(a->type, b->type);
	return order ? order : compare_u32(a->class, b->class);
}

static int compare_pointers(const void *a, const void *b)
{
	const struct policy_role_trans *left = *(const struct policy_role_trans *const *)a;
	const struct policy_role_trans *right = *(const struct policy_role_trans *const *)b;
	int order = compare_role_trans(left, right);

	return order ? order : (left > right) - (left < right);
}

static void check_role_trans(struct validator *v)
{
	uint32_t n = v->policy->role_trans.n;
	const struct policy_role_trans *all = v->policy->role_trans.at;
	const struct policy_role_trans **sorted = mem_alloc(n * sizeof *sorted);

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &all[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_pointers);
	for (uint32_t i = 1; i < n; i++) {
		if (compare_role_trans(sorted[i - 1], sorted[i]) != 0)
			continue;
		about(v, "role transition", NULL, (uint32_t)(sorted[i] - all));
		kernel_refuses(v, "the same role, type and class as role transition %u",
			       (unsigned)(sorted[i - 1] - all) + 1);
	}
	free(sorted);
}

void validate_kernel_needs(struct validator *v)
{
	if (v->policy->target != POLICY_SELINUX)
		return;
	check_process(v);
	check_dense(v, OF_CLASSES);
	check_dense(v, OF_BOOLS);
	check_role_trans(v);
}
