/* Roles, types, users, booleans, levels, categories (policydb-format.md 5.5 to 5.10). */
#include <string.h>

#include "backend/read.h"

enum { PROPERTY_PRIMARY = 1, PROPERTY_ATTRIBUTE = 2 };

/* So many values may have no entry, and so many more for each entry: attributes
 * have none before version 20.  What is allowed must not hang on the size of the
 * image, for bytes behind the policy are not written again. */
enum { GAPS = 4096, GAPS_EACH = 4 };

/* ---- any table ---- */

void table_begin(struct reader *r, struct table *table, const char *what, size_t entry_size)
{
	*table = (struct table){.what = what};
	atoms_init(&table->names);
	table->nprim = get_u32(r);
	table->n = get_count(r, entry_size);
	if (r->failed) {
		table->nprim = 0;
	} else if (table->nprim > POLICY_MAX_SYMBOLS || table->nprim > GAPS + (uint64_t)table->n * GAPS_EACH) {
		refuse(r, "%s values up to %u", what, (unsigned)table->nprim);
		table->nprim = 0;
	}
}

void table_end(struct table *table)
{
	atoms_free(&table->names);
}

const char *table_name(struct reader *r, struct table *table, uint32_t len)
{
	const char *name = get_text(r, len);
	uint32_t n = table->names.n;

	if (r->failed)
		return name;
	atom_intern(&table->names, name, len);
	if (table->names.n == n)
		refuse(r, "%s `%s` twice", table->what, name);
	return name;
}

bool table_value(struct reader *r, const struct table *table, const char *name, uint32_t value, const char *taken)
{
	if (r->failed)
		return false;
	if (!value || value > table->nprim)
		refuse(r, "%s `%s` has the value %u of 1 to %u", table->what, name, (unsigned)value,
		       (unsigned)table->nprim);
	else if (taken)
		refuse(r, "%s `%s` has the value %u of `%s`", table->what, name, (unsigned)value, taken);
	return !r->failed;
}

/* ---- roles ---- */

static void read_role(struct reader *r, struct table *table)
{
	uint32_t len = get_u32(r), value = get_u32(r);
	uint32_t bounds = can(r, FEATURE_BOUNDS) ? get_u32(r) : 0;
	const char *name = table_name(r, table, len);
	struct policy_role *role;

	if (!table_value(r, table, name, value, taken_by(&r->policy->roles, value)))
		return;
	role = &r->policy->roles.at[value];
	role->name = name;
	role->bounds = bounds;
	get_set(r, &role->dominates);
	get_set(r, &role->types);
}

static void read_roles(struct reader *r)
{
	struct table table;

	table_begin(r, &table, "role", 8 + 2 * SET_SIZE);
	table_symbols(r, &table, &r->policy->roles);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_role(r, &table);
	table_end(&table);
}

/* ---- types ---- */

static void add_type(struct reader *r, struct table *table, const char *name, uint32_t value, uint32_t properties,
		     uint32_t bounds)
{
	struct policy_type *type;

	if (!table_value(r, table, name, value, taken_by(&r->policy->types, value)))
		return;
	type = &r->policy->types.at[value];
	type->name = name;
	type->kind = properties & PROPERTY_ATTRIBUTE ? POLICY_ATTRIBUTE : POLICY_TYPE;
	type->bounds = bounds;
	if (bounds && type->kind == POLICY_ATTRIBUTE)
		refuse(r, "attribute `%s` has bounds", name);
}

static void read_type(struct reader *r, struct table *table, alias_vec *aliases)
{
	uint32_t len = get_u32(r), value = get_u32(r), properties = get_u32(r);
	uint32_t bounds = can(r, FEATURE_BOUNDS) ? get_u32(r) : 0;
	uint32_t known = PROPERTY_PRIMARY | (can(r, FEATURE_ATTRIBUTE_NAMES) ? PROPERTY_ATTRIBUTE : 0);
	const char *name = table_name(r, table, len);

	if (r->failed)
		return;
	if (properties & ~known || properties == PROPERTY_ATTRIBUTE)
		refuse(r, "type `%s` has the properties 0x%x", name, (unsigned)properties);
	else if (properties)
		add_type(r, table, name, value, properties, bounds);
	else if (bounds)
		refuse(r, "alias `%s` has bounds", name);
	else
		*vec_push(aliases) = (struct policy_alias){name, value};
}

static void read_types(struct reader *r)
{
	alias_vec aliases = {0};
	struct table table;

	table_begin(r, &table, "type", 12);
	table_symbols(r, &table, &r->policy->types);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_type(r, &table, &aliases);
	table_end(&table);
	keep_aliases(r, &r->policy->type_aliases, &aliases);
	vec_free(&aliases);
}

/* ---- users ---- */

static void read_user(struct reader *r, struct table *table)
{
	uint32_t len = get_u32(r), value = get_u32(r);
	uint32_t bounds = can(r, FEATURE_BOUNDS) ? get_u32(r) : 0;
	const char *name = table_name(r, table, len);
	struct policy_user *user;

	if (!table_value(r, table, name, value, taken_by(&r->policy->users, value)))
		return;
	user = &r->policy->users.at[value];
	user->name = name;
	user->bounds = bounds;
	get_set(r, &user->roles);
	if (!can(r, FEATURE_MLS))
		return;
	get_range(r, &user->range);
	get_level(r, &user->level);
}

static void read_users(struct reader *r)
{
	struct table table;

	table_begin(r, &table, "user", 8 + SET_SIZE);
	table_symbols(r, &table, &r->policy->users);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_user(r, &table);
	table_end(&table);
}

/* ---- booleans ---- */

static bool read_tunable_flag(struct reader *r, const char *name)
{
	uint32_t flags = get_u32(r);

	if (!r->failed && flags > 1)
		refuse(r, "boolean `%s` has the flags 0x%x", name, (unsigned)flags);
	return flags;
}

static void read_bool(struct reader *r, struct table *table)
{
	uint32_t value = get_u32(r), state = get_u32(r), len = get_u32(r);
	const char *name = table_name(r, table, len);

	if (!table_value(r, table, name, value, taken_by(&r->policy->bools, value)))
		return;
	if (state > 1)
		refuse(r, "boolean `%s` has the state %u", name, (unsigned)state);
	r->policy->bools.at[value] = (struct policy_bool){name, state};
	if (can(r, FEATURE_TUNABLES))
		r->module->tunables.at[value] = read_tunable_flag(r, name);
}

void read_bool_table(struct reader *r)
{
	struct table table;

	table_begin(r, &table, "boolean", 12);
	table_symbols(r, &table, &r->policy->bools);
	if (r->module)
		table_symbols(r, &table, &r->module->tunables);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_bool(r, &table);
	table_end(&table);
}

/* ---- levels ---- */

/* The format counts the aliases of levels and categories among their values,
 * we do not. */
#define drop_unused_values(symbols) \
	do { \
		while ((symbols)->n && !(symbols)->at[(symbols)->n].name) \
			(symbols)->n--; \
	} while (0)

struct level_alias { struct policy_alias alias; struct ebitmap cats; };

struct level_table {
	struct table table;
	VEC(struct level_alias) aliases;
};

static void read_level(struct reader *r, struct level_table *levels)
{
	uint32_t len = get_u32(r), is_alias = get_u32(r);
	const char *name = table_name(r, &levels->table, len);
	uint32_t value = get_u32(r);
	struct ebitmap *cats;

	if (!r->failed && is_alias > 1)
		refuse(r, "sensitivity `%s` has the alias mark %u", name, (unsigned)is_alias);
	if (r->failed)
		return;
	if (is_alias) {
		struct level_alias *alias = vec_push(&levels->aliases);

		alias->alias = (struct policy_alias){name, value};
		cats = &alias->cats;
	} else {
		if (!table_value(r, &levels->table, name, value, taken_by(&r->policy->sens, value)))
			return;
		r->policy->sens.at[value].name = name;
		cats = &r->policy->sens.at[value].cats;
	}
	get_set(r, cats);
}

/* An alias repeats the level that it stands for. */
static void keep_level_aliases(struct reader *r, const struct level_table *levels)
{
	alias_vec aliases = {0};

	for (uint32_t i = 0; i < levels->aliases.n && !r->failed; i++) {
		const struct level_alias *alias = &levels->aliases.at[i];
		uint32_t value = alias->alias.value;

		if (!value || value > r->policy->sens.n ||
		    !ebitmap_equal(&alias->cats, &r->policy->sens.at[value].cats))
			refuse(r, "alias `%s` is not the level that it stands for", alias->alias.name);
		*vec_push(&aliases) = alias->alias;
	}
	keep_aliases(r, &r->policy->sens_aliases, &aliases);
	vec_free(&aliases);
}

void read_level_table(struct reader *r)
{
	struct level_table levels = {0};

	table_begin(r, &levels.table, "sensitivity", 8 + LEVEL_SIZE);
	table_symbols(r, &levels.table, &r->policy->sens);
	for (uint32_t i = 0; i < levels.table.n && !r->failed; i++)
		read_level(r, &levels);
	drop_unused_values(&r->policy->sens);
	keep_level_aliases(r, &levels);
	for (uint32_t i = 0; i < levels.aliases.n; i++)
		ebitmap_free(&levels.aliases.at[i].cats);
	vec_free(&levels.aliases);
	table_end(&levels.table);
}

/* ---- categories ---- */

static void read_category(struct reader *r, struct table *table, alias_vec *aliases)
{
	uint32_t len = get_u32(r), value = get_u32(r), is_alias = get_u32(r);
	const char *name = table_name(r, table, len);

	if (!r->failed && is_alias > 1)
		refuse(r, "category `%s` has the alias mark %u", name, (unsigned)is_alias);
	if (r->failed)
		return;
	if (is_alias)
		*vec_push(aliases) = (struct policy_alias){name, value};
	else if (table_value(r, table, name, value, taken_by(&r->policy->cats, value)))
		r->policy->cats.at[value].name = name;
}

void read_category_table(struct reader *r)
{
	alias_vec aliases = {0};
	struct table table;

	table_begin(r, &table, "category", 12);
	table_symbols(r, &table, &r->policy->cats);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_category(r, &table, &aliases);
	table_end(&table);
	drop_unused_values(&r->policy->cats);
	keep_aliases(r, &r->policy->cat_aliases, &aliases);
	vec_free(&aliases);
}

void read_symbol_tables(struct reader *r)
{
	static const struct {
		const char *name;
		void (*read)(struct reader *r);
	} tables[] = {
		{"commons", read_common_table}, {"classes", read_class_table}, {"roles", read_roles},
		{"types", read_types}, {"users", read_users}, {"booleans", read_bool_table},
		{"sensitivities", read_level_table}, {"categories", read_category_table},
	};

	for (uint32_t i = 0; i < r->features->symbols && !r->failed; i++) {
		r->section = tables[i].name;
		tables[i].read(r);
	}
}
