/* Sets of module source in CIL: `{ a -b }` is an attribute of its own,
 *
 *	(typeattribute app_typeattr_1)
 *	(expandtypeattribute (app_typeattr_1) true)
 *	(typeattributeset app_typeattr_1 (and (a) (not (b))))
 *
 * which is expanded away, as linkers do with such a set. */
#include "backend/cil_module.h"

/* ---- sets ---- */

static void put_members(struct cil_module *c, const struct text_table *table, struct module_values values)
{
	text_put(&c->set_text, "(");
	for (uint32_t i = 0; i < values.n; i++) {
		text_put(&c->set_text, i ? " " : "");
		text_put(&c->set_text, name_of(&c->m.t, table, values.at[i]));
	}
	text_put(&c->set_text, ")");
}

static void put_difference(struct cil_module *c, const struct text_table *table, const struct module_type_set *set)
{
	text_put(&c->set_text, set->negset.n ? "(and " : "");
	if (set->flags == MODULE_SET_STAR)
		text_put(&c->set_text, "(all)");
	else
		put_members(c, table, set->types);
	if (!set->negset.n)
		return;
	text_put(&c->set_text, " (not ");
	put_members(c, table, set->negset);
	text_put(&c->set_text, "))");
}

static void put_set(struct cil_module *c, const struct text_table *table, const struct module_type_set *set)
{
	if (set->flags == MODULE_SET_COMPLEMENT && !set->types.n) {
		text_put(&c->set_text, "(all)");
		return;
	}
	text_put(&c->set_text, set->flags == MODULE_SET_COMPLEMENT ? "(not " : "");
	put_difference(c, table, set);
	text_put(&c->set_text, set->flags == MODULE_SET_COMPLEMENT ? ")" : "");
}

/* Equal sets of a branch have one name. */
static const char *name_set(struct cil_module *c, const struct text_table *table, const struct module_type_set *set)
{
	uint32_t before = c->sets.n;
	struct buffer name = {0};
	const char *made;
	atom_t atom;

	c->set_text.n = 0;
	text_put(&c->set_text, table->what);
	put_set(c, table, set);
	atom = atom_intern(&c->sets, text_of(&c->set_text), c->set_text.n);
	text_printf(&name, "%s_%sattr_%u", c->name, table->what, c->nsets + atom);
	made = arena_strndup(&c->m.arena, text_of(&name), name.n);
	buffer_free(&name);
	if (atom < before)
		return made;
	cil_line(c, "(%sattribute %s)\n", table->what, made);
	if (table == &c->m.t.types)
		cil_line(c, "(expandtypeattribute (%s) true)\n", made);
	cil_line(c, "(%sattributeset %s ", table->what, made);
	say(&c->m.t, atom_text(&c->sets, atom) + strlen(table->what));
	say(&c->m.t, ")\n");
	return made;
}

struct cil_names cil_types(struct cil_module *c, const struct module_type_set *set)
{
	struct cil_names names = {.table = &c->m.t.types, .values = set->types, .n = set->types.n};

	if (!set->negset.n && !set->flags)
		return names;
	names.made = name_set(c, names.table, set);
	names.n = 1;
	return names;
}

struct cil_names cil_roles(struct cil_module *c, const struct module_role_set *set)
{
	struct cil_names names = {.table = &c->m.t.roles, .values = set->roles, .n = set->roles.n};

	if (!set->flags)
		return names;
	names.made = name_set(c, names.table, &(struct module_type_set){.types = set->roles, .flags = set->flags});
	names.n = 1;
	return names;
}

const char *cil_name(struct cil_module *c, const struct cil_names *names, uint32_t i)
{
	return names->made ? names->made : name_of(&c->m.t, names->table, names->values.at[i]);
}

/* ---- levels ---- */

void cil_put_level(struct cil_module *c, const struct module_level *level)
{
	struct text_out *t = &c->m.t;

	say(t, "(");
	say_name(t, &t->sens, level->sens);
	for (uint32_t i = 0; i < level->cats.n; i++) {
		struct module_cats span = level->cats.at[i];

		say(t, i ? " " : " (");
		say(t, span.high == span.low ? "" : "(range ");
		say_name(t, &t->cats, span.low);
		if (span.high == span.low)
			continue;
		say(t, " ");
		say_name(t, &t->cats, span.high);
		say(t, ")");
	}
	say(t, level->cats.n ? "))" : ")");
}

void cil_put_range(struct cil_module *c, const struct module_range *range)
{
	say(&c->m.t, "(");
	cil_put_level(c, &range->low);
	say(&c->m.t, " ");
	cil_put_level(c, &range->high);
	say(&c->m.t, ")");
}
