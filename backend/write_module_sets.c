/* Sets and levels of a module, as they were written (policydb-format.md 15.2). */
#include "backend/write.h"

void put_type_set(struct writer *w, const struct module_type_set *set)
{
	put_values(w, set->types);
	put_values(w, set->negset);
	put_u32(w, set->flags);
}

void put_role_set(struct writer *w, const struct module_role_set *set)
{
	put_values(w, set->roles);
	put_u32(w, set->flags);
}

void put_written_level(struct writer *w, const struct module_level *level)
{
	put_u32(w, level->sens);
	put_u32(w, level->cats.n);
	for (uint32_t i = 0; i < level->cats.n; i++) {
		put_u32(w, level->cats.at[i].low);
		put_u32(w, level->cats.at[i].high);
	}
}

void put_written_range(struct writer *w, const struct module_range *range)
{
	put_written_level(w, &range->low);
	put_written_level(w, &range->high);
}

static struct policy_level plain_level(const struct module_level *level)
{
	struct policy_level plain = {.sens = level->sens};

	for (uint32_t i = 0; i < level->cats.n; i++)
		ebitmap_set_range(&plain.cats, level->cats.at[i].low - 1, level->cats.at[i].high - 1);
	return plain;
}

void put_plain_level(struct writer *w, const struct module_level *level)
{
	struct policy_level plain = plain_level(level);

	put_level(w, &plain);
	ebitmap_free(&plain.cats);
}

void put_plain_range(struct writer *w, const struct module_range *range)
{
	struct policy_range plain = {plain_level(&range->low), plain_level(&range->high)};

	put_range(w, &plain);
	policy_range_free(&plain);
}
