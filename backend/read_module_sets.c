/* Sets and levels of a module, as they were written (policydb-format.md 15.2). */
#include <string.h>

#include "backend/read.h"

/* ---- sets ---- */

static uint32_t count_members(struct ebitmap_nodes nodes)
{
	uint32_t n = 0, start;

	for (uint32_t i = 0; i < nodes.n; i++)
		n += (uint32_t)__builtin_popcountll(ebitmap_nodes_word(&nodes, i, &start));
	return n;
}

static bool take_budget(struct reader *r, size_t size)
{
	if (size > r->budget) {
		refuse(r, "sets of too many members");
		return false;
	}
	r->budget -= size;
	return true;
}

struct module_values get_values(struct reader *r)
{
	struct ebitmap_nodes nodes = get_nodes(r);
	uint32_t n = count_members(nodes), *at, *next;

	if (!n || !take_budget(r, n * sizeof *at))
		return (struct module_values){0};
	at = next = arena_alloc(&r->module->arena, n * sizeof *at);
	for (uint32_t i = 0; i < nodes.n; i++) {
		uint32_t start;

		for (uint64_t map = ebitmap_nodes_word(&nodes, i, &start); map; map &= map - 1)
			*next++ = start + (uint32_t)__builtin_ctzll(map) + 1;
	}
	return (struct module_values){at, n};
}

void get_type_set(struct reader *r, struct module_type_set *ret_set)
{
	ret_set->types = get_values(r);
	ret_set->negset = get_values(r);
	ret_set->flags = get_u32(r);
}

void get_role_set(struct reader *r, struct module_role_set *ret_set)
{
	ret_set->roles = get_values(r);
	ret_set->flags = get_u32(r);
}

/* ---- levels ---- */

void get_written_level(struct reader *r, struct module_level *ret_level)
{
	ret_level->sens = get_u32(r);
	get_module_list(r, &ret_level->cats, 8);
	for (uint32_t i = 0; i < ret_level->cats.n; i++) {
		ret_level->cats.at[i].low = get_u32(r);
		ret_level->cats.at[i].high = get_u32(r);
	}
}

void get_written_range(struct reader *r, struct module_range *ret_range)
{
	get_written_level(r, &ret_range->low);
	get_written_level(r, &ret_range->high);
}

/* Categories that follow each other are one span. */
static void write_down(struct reader *r, uint32_t sens, const struct ebitmap *cats, struct module_level *ret_level)
{
	VEC(struct module_cats) spans = {0};

	ebitmap_for_each(cats, bit) {
		if (spans.n && spans.at[spans.n - 1].high == bit)
			spans.at[spans.n - 1].high++;
		else
			*vec_push(&spans) = (struct module_cats){bit + 1, bit + 1};
	}
	ret_level->sens = sens;
	ret_level->cats.n = spans.n;
	ret_level->cats.at = arena_copy(&r->module->arena, spans.at, spans.n * sizeof *spans.at);
	vec_free(&spans);
}

void get_plain_level(struct reader *r, struct module_level *ret_level)
{
	struct policy_level level = {0};

	get_level(r, &level);
	write_down(r, level.sens, &level.cats, ret_level);
	ebitmap_free(&level.cats);
}

void get_plain_range(struct reader *r, struct module_range *ret_range)
{
	struct policy_range range = {0};

	get_range(r, &range);
	write_down(r, range.low.sens, &range.low.cats, &ret_range->low);
	write_down(r, range.high.sens, &range.high.cats, &ret_range->high);
	policy_range_free(&range);
}
