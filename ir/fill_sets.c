/* Sets as they are written, by value: for struct module. */
#include <string.h>

#include "ir/fill.h"

struct module_values fill_bits(struct fill *f, const struct ebitmap *values)
{
	struct module_values list = {NULL, 0};
	uint32_t *at = arena_alloc(&f->m->arena, ebitmap_count(values) * sizeof *at + 1);

	ebitmap_for_each(values, bit)
		at[list.n++] = bit + 1;
	list.at = at;
	return list;
}

static uint32_t set_flags(const struct ast_set *set)
{
	return set->star ? MODULE_SET_STAR : set->complement ? MODULE_SET_COMPLEMENT : 0;
}

static struct module_type_set work_out_types(struct fill *f, struct ast_names names)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, names, &one);
	struct ebitmap plus = {0}, minus = {0};
	struct module_type_set types;

	for (uint32_t i = 0; i < set.n; i++) {
		uint32_t value = fill_value(f, SYM_TYPE, set.items[i] & ~AST_MINUS);

		if (value) /* self is in the flags of its rule */
			ebitmap_set(set.items[i] & AST_MINUS ? &minus : &plus, value - 1);
	}
	types = (struct module_type_set){fill_bits(f, &plus), fill_bits(f, &minus), set_flags(&set)};
	ebitmap_free(&plus);
	ebitmap_free(&minus);
	return types;
}

struct module_type_set fill_types(struct fill *f, struct ast_names names)
{
	struct module_type_set *memo;

	if (!(names.id & AST_SET))
		return work_out_types(f, names);
	memo = &f->type_sets[names.id & ~AST_SET];
	if (!memo->types.at)
		*memo = work_out_types(f, names);
	return *memo;
}

struct module_role_set fill_roles(struct fill *f, struct ast_names names)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, names, &one);
	struct ebitmap roles = {0};
	struct module_role_set result;

	for (uint32_t i = 0; i < set.n; i++)
		ebitmap_set(&roles, fill_value(f, SYM_ROLE, set.items[i]) - 1);
	result = (struct module_role_set){fill_bits(f, &roles), set_flags(&set)};
	ebitmap_free(&roles);
	return result;
}

struct module_values fill_classes(struct fill *f, struct ast_names names)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, names, &one);
	struct ebitmap classes = {0};
	struct module_values result;

	for (uint32_t i = 0; i < set.n; i++)
		ebitmap_set(&classes, fill_value(f, SYM_CLASS, set.items[i]) - 1);
	if (!names.id)
		ebitmap_set(&classes, f->c->process_class - 1);
	result = fill_bits(f, &classes);
	ebitmap_free(&classes);
	return result;
}

/* One category, or low.high. */
static struct module_cats category_span(const struct fill *f, atom_t item)
{
	const char *text = name_text(f->c, item), *dot = strchr(text, '.');
	atom_t low, high;

	if (!dot || symbol_find(f->c, SYM_CAT, item)) {
		uint32_t value = fill_value(f, SYM_CAT, item);

		return (struct module_cats){value, value};
	}
	low = atom_find(f->c->atoms, text, (size_t)(dot - text));
	high = atom_find(f->c->atoms, dot + 1, strlen(dot + 1));
	return (struct module_cats){fill_value(f, SYM_CAT, low), fill_value(f, SYM_CAT, high)};
}

struct module_level fill_level(struct fill *f, const struct ast_level_expr *expr)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, expr->cats, &one);
	struct module_level level = {.sens = fill_value(f, SYM_SENS, expr->sens.atom)};

	level.cats.at = arena_alloc(&f->m->arena, set.n * sizeof *level.cats.at + 1);
	for (uint32_t i = 0; i < set.n; i++)
		level.cats.at[level.cats.n++] = category_span(f, set.items[i]);
	return level;
}

struct module_range fill_range(struct fill *f, const struct ast_range *range)
{
	struct module_range result = {.low = fill_level(f, &range->low)};

	result.high = range->high.sens.atom ? fill_level(f, &range->high) : result.low;
	return result;
}
