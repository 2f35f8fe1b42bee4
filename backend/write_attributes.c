/* The type-attribute map (policydb-format.md 10.3): for each type its
 * attributes, transposed from the types of each attribute in one pass. */
#include <stdlib.h>

#include "backend/write.h"
#include "base/memory.h"

struct rows {
	uint32_t n;
	size_t *end;    /* by value: behind the bits of its row so far */
	uint32_t *bits; /* of all rows */
};

static bool in_map(const struct policy_type *type)
{
	return type->kind == POLICY_TYPE || (type->kind == POLICY_ATTRIBUTE && !type->expand);
}

/* end[v] becomes the begin of row v, bits still empty. */
static void lay_out(struct rows *rows, const struct policy *policy)
{
	size_t total = 0;

	for (uint32_t v = 1; v <= rows->n; v++) {
		if (!in_map(&policy->types.at[v]))
			continue;
		rows->end[v]++;
		if (policy->types.at[v].kind != POLICY_ATTRIBUTE)
			continue;
		ebitmap_for_each(&policy->types.at[v].types, bit)
			if (bit < rows->n)
				rows->end[bit + 1]++;
	}
	for (uint32_t v = 1; v <= rows->n; v++) {
		size_t size = rows->end[v];

		rows->end[v] = total;
		total += size;
	}
	rows->bits = mem_alloc(total * sizeof *rows->bits);
}

/* Values ascend, so the bits of each row do. */
static void fill(struct rows *rows, const struct policy *policy)
{
	for (uint32_t v = 1; v <= rows->n; v++) {
		if (!in_map(&policy->types.at[v]))
			continue;
		rows->bits[rows->end[v]++] = v - 1;
		if (policy->types.at[v].kind != POLICY_ATTRIBUTE)
			continue;
		ebitmap_for_each(&policy->types.at[v].types, bit)
			if (bit < rows->n)
				rows->bits[rows->end[bit + 1]++] = v - 1;
	}
}

void write_attribute_map(struct writer *w)
{
	struct rows rows = {.n = w->policy->types.n};
	size_t begin = 0;

	rows.end = mem_zalloc((size_t)rows.n + 1, sizeof *rows.end);
	lay_out(&rows, w->policy);
	fill(&rows, w->policy);
	buffer_reserve(w->image, (size_t)rows.n * 12);
	for (uint32_t v = 1; v <= rows.n; v++) {
		put_members(w, rows.bits + begin, rows.end[v] - begin, 0);
		begin = rows.end[v];
	}
	free(rows.end);
	free(rows.bits);
}
