/* Roles, types and users of a module and of its branches (policydb-format.md
 * 15.2); the other tables have the form of a kernel policy's. */
#include <string.h>

#include "backend/module_types.h"
#include "backend/read.h"

/* ---- roles ---- */

static void read_role(struct reader *r, struct table *table, struct module_role *role)
{
	uint32_t len = get_u32(r), attribute = 0;

	role->value = get_u32(r);
	role->bounds = can(r, FEATURE_BOUNDS) ? get_u32(r) : 0;
	role->name = table_name(r, table, len);
	role->dominates = get_values(r);
	get_type_set(r, &role->types);
	if (!can(r, FEATURE_ROLE_ATTRIBUTES))
		return;
	attribute = get_u32(r);
	if (!r->failed && attribute > 1)
		refuse(r, "role `%s` is of the kind %u", role->name, (unsigned)attribute);
	role->attribute = attribute;
	role->roles = get_values(r);
}

enum { ROLE_SIZE = 8 + SET_SIZE + TYPE_SET_SIZE };

static void read_roles(struct reader *r)
{
	struct module *module = r->module;
	struct table table;

	table_begin(r, &table, "role", ROLE_SIZE);
	module->roles.n = table.nprim;
	module->roles.at = arena_zalloc(&module->arena, (size_t)table.nprim + 1, sizeof *module->roles.at);
	for (uint32_t i = 0; i < table.n && !r->failed; i++) {
		struct module_role role = {0};

		read_role(r, &table, &role);
		if (table_value(r, &table, role.name, role.value, taken_by(&module->roles, role.value)))
			module->roles.at[role.value] = role;
	}
	table_end(&table);
}

/* ---- types ---- */

/* An entry as it stands.  An alias has the value of its type, or one of its own,
 * and then its type is primary. */
struct type_entry {
	const char *name;
	uint32_t value, primary, bounds;
	uint32_t flavour, flags;
	struct ebitmap types; /* an attribute's; add_type() takes it over */
};

static void read_properties(struct reader *r, struct type_entry *entry)
{
	uint32_t properties;

	if (can(r, FEATURE_ALIAS_VALUES))
		entry->primary = get_u32(r);
	properties = get_u32(r);
	if (!can(r, FEATURE_ALIAS_VALUES))
		entry->primary = properties & PROPERTY_PRIMARY;
	entry->bounds = get_u32(r);
	if (properties & PROPERTY_ALIAS)
		entry->flavour = FLAVOUR_ALIAS;
	else if (properties & PROPERTY_ATTRIBUTE)
		entry->flavour = FLAVOUR_ATTRIBUTE;
	if (properties & PROPERTY_PERMISSIVE)
		entry->flags |= FLAG_PERMISSIVE;
	if (properties & PROPERTY_NEVERAUDIT)
		entry->flags |= FLAG_NEVERAUDIT;
}

static bool is_alias(const struct type_entry *entry)
{
	return entry->flavour == FLAVOUR_ALIAS || (entry->flavour == FLAVOUR_TYPE && !entry->primary);
}

static void check_type_entry(struct reader *r, const struct type_entry *entry)
{
	if (r->failed)
		return;
	if (entry->flavour > FLAVOUR_ALIAS)
		refuse(r, "type `%s` is of the kind %u", entry->name, (unsigned)entry->flavour);
	else if (entry->flavour == FLAVOUR_ATTRIBUTE ? entry->primary != 1 : entry->flavour == FLAVOUR_TYPE && entry->primary > 1)
		refuse(r, "type `%s` has the primary mark %u", entry->name, (unsigned)entry->primary);
	else if (entry->flags & ~(uint32_t)(FLAG_PERMISSIVE | FLAG_EXPAND | FLAG_KEEP | FLAG_NEVERAUDIT))
		refuse(r, "type `%s` has the flags 0x%x", entry->name, (unsigned)entry->flags);
	else if (!ebitmap_empty(&entry->types) && entry->flavour != FLAVOUR_ATTRIBUTE)
		refuse(r, "type `%s` has types", entry->name);
	else if (entry->bounds && entry->flavour == FLAVOUR_ATTRIBUTE)
		refuse(r, "attribute `%s` has bounds", entry->name);
}

static void read_type_entry(struct reader *r, struct table *table, struct type_entry *entry)
{
	uint32_t len = get_u32(r);

	*entry = (struct type_entry){.value = get_u32(r)};
	if (can(r, FEATURE_BOUNDS)) {
		read_properties(r, entry);
	} else {
		entry->primary = get_u32(r);
		entry->flavour = get_u32(r);
		entry->flags = can(r, FEATURE_PERMISSIVE_MAP) ? get_u32(r) : 0;
	}
	get_set(r, &entry->types);
	entry->name = table_name(r, table, len);
	check_type_entry(r, entry);
}

/* What is said of a type, or by one of its aliases. */
static void give_flags(struct reader *r, uint32_t value, const struct type_entry *entry)
{
	struct policy_type *type = &r->policy->types.at[value];

	type->permissive |= (entry->flags & FLAG_PERMISSIVE) != 0;
	type->neveraudit |= (entry->flags & FLAG_NEVERAUDIT) != 0;
	type->expand |= (entry->flags & FLAG_EXPAND) != 0;
	if (entry->flags & FLAG_KEEP)
		ebitmap_set(&r->module->unexpanded, value - 1);
	if (entry->bounds && type->bounds && type->bounds != entry->bounds)
		refuse(r, "type `%s` has two bounding types", type->name);
	else if (entry->bounds)
		type->bounds = entry->bounds;
}

static void add_type(struct reader *r, struct type_entry *entry)
{
	struct policy_type *type = &r->policy->types.at[entry->value];

	type->name = entry->name;
	if (entry->flavour == FLAVOUR_ALIAS)
		return;
	type->kind = entry->flavour == FLAVOUR_ATTRIBUTE ? POLICY_ATTRIBUTE : POLICY_TYPE;
	type->types = entry->types;
	entry->types = (struct ebitmap){0};
	give_flags(r, entry->value, entry);
}

typedef VEC(struct type_entry) type_entries;

static void keep_alias(struct reader *r, const struct type_entry *entry, alias_vec *plain,
		       struct module_alias *ret_valued, uint32_t *n)
{
	bool valued = entry->flavour == FLAVOUR_ALIAS;
	uint32_t value = valued ? entry->primary : entry->value;

	if (!value || value > r->policy->types.n || r->policy->types.at[value].kind != POLICY_TYPE) {
		refuse(r, "alias `%s` stands for the value %u, which is no type", entry->name, (unsigned)value);
		return;
	}
	give_flags(r, value, entry);
	if (valued)
		ret_valued[(*n)++] = (struct module_alias){entry->value, value};
	else
		*vec_push(plain) = (struct policy_alias){entry->name, value};
}

/* Their types are known when the table is read. */
static void keep_type_aliases(struct reader *r, const type_entries *entries)
{
	struct module *module = r->module;
	alias_vec plain = {0};

	module->aliases.at = arena_alloc(&module->arena, entries->n * sizeof *module->aliases.at);
	for (uint32_t i = 0; i < entries->n && !r->failed; i++)
		keep_alias(r, &entries->at[i], &plain, module->aliases.at, &module->aliases.n);
	keep_aliases(r, &r->policy->type_aliases, &plain);
	vec_free(&plain);
}

static size_t type_size(const struct reader *r)
{
	return (can(r, FEATURE_BOUNDS) ? 16 : 12) + SET_SIZE;
}

static void read_types(struct reader *r)
{
	type_entries aliases = {0};
	struct type_entry entry;
	struct table table;

	table_begin(r, &table, "type", type_size(r));
	table_symbols(r, &table, &r->policy->types);
	for (uint32_t i = 0; i < table.n && !r->failed; i++) {
		read_type_entry(r, &table, &entry);
		if (is_alias(&entry))
			*vec_push(&aliases) = entry;
		/* An alias with the value of its type is the only one that shares a value. */
		if ((!is_alias(&entry) || entry.flavour == FLAVOUR_ALIAS) &&
		    table_value(r, &table, entry.name, entry.value, taken_by(&r->policy->types, entry.value)))
			add_type(r, &entry);
		ebitmap_free(&entry.types);
	}
	table_end(&table);
	keep_type_aliases(r, &aliases);
	vec_free(&aliases);
}

/* ---- users ---- */

static void read_user(struct reader *r, struct table *table, struct module_user *user)
{
	uint32_t len = get_u32(r);

	user->value = get_u32(r);
	user->bounds = can(r, FEATURE_BOUNDS) ? get_u32(r) : 0;
	user->name = table_name(r, table, len);
	get_role_set(r, &user->roles);
	if (can(r, FEATURE_LEVELS_AS_WRITTEN)) {
		get_written_range(r, &user->range);
		get_written_level(r, &user->level);
	} else if (can(r, FEATURE_MLS)) {
		get_plain_range(r, &user->range);
		get_plain_level(r, &user->level);
	}
}

enum { USER_SIZE = 8 + ROLE_SET_SIZE };

static void read_users(struct reader *r)
{
	struct module *module = r->module;
	struct table table;

	table_begin(r, &table, "user", USER_SIZE);
	module->users.n = table.nprim;
	module->users.at = arena_zalloc(&module->arena, (size_t)table.nprim + 1, sizeof *module->users.at);
	for (uint32_t i = 0; i < table.n && !r->failed; i++) {
		struct module_user user = {0};

		read_user(r, &table, &user);
		if (table_value(r, &table, user.name, user.value, taken_by(&module->users, user.value)))
			module->users.at[user.value] = user;
	}
	table_end(&table);
}

void read_module_symbols(struct reader *r)
{
	static const struct {
		const char *name;
		void (*read)(struct reader *r);
	} tables[MODULE_TABLES] = {
		{"commons", read_common_table}, {"classes", read_class_table}, {"roles", read_roles},
		{"types", read_types}, {"users", read_users}, {"booleans", read_bool_table},
		{"sensitivities", read_level_table}, {"categories", read_category_table},
	};

	for (int i = 0; i < MODULE_TABLES && !r->failed; i++) {
		r->section = tables[i].name;
		tables[i].read(r);
	}
}

/* ---- a branch ---- */

/* Its tables have no values of their own: entries have those of the module. */
static void branch_table(struct reader *r, struct table *table, const char *what, size_t entry_size)
{
	*table = (struct table){.what = what};
	atoms_init(&table->names);
	get_u32(r);
	table->n = get_count(r, entry_size);
}

/* Has the module's symbol of the value this name? */
static void check_same(struct reader *r, const struct table *table, const char *name, uint32_t value, const char *other)
{
	if (!r->failed && (!other || strcmp(name, other) != 0))
		refuse(r, "%s `%s` of a branch has the value %u%s%s%s", table->what, name, (unsigned)value,
		       other ? " of `" : ", which is none", other ? other : "", other ? "`" : "");
}

static void read_branch_roles(struct reader *r, struct module_decl *decl)
{
	struct table table;

	branch_table(r, &table, "role", ROLE_SIZE);
	decl->roles.n = table.n;
	decl->roles.at = arena_zalloc(&r->module->arena, table.n, sizeof *decl->roles.at);
	for (uint32_t i = 0; i < table.n && !r->failed; i++) {
		struct module_role *role = &decl->roles.at[i];

		read_role(r, &table, role);
		check_same(r, &table, role->name, role->value, taken_by(&r->module->roles, role->value));
	}
	table_end(&table);
}

/* Is it the name that an alias gives the type of the value? */
static bool is_alias_name(const struct reader *r, const char *name, uint32_t value)
{
	const struct policy *policy = r->policy;

	for (uint32_t i = 0; i < policy->type_aliases.n; i++)
		if (policy->type_aliases.at[i].value == value && strcmp(policy->type_aliases.at[i].name, name) == 0)
			return true;
	return false;
}

static struct module_values set_values(struct reader *r, const struct ebitmap *set)
{
	uint32_t n = ebitmap_count(set), *at = arena_alloc(&r->module->arena, n * sizeof *at), *next = at;

	ebitmap_for_each(set, bit)
		*next++ = bit + 1;
	return (struct module_values){at, n};
}

static void read_branch_type(struct reader *r, struct table *table, struct module_type *type)
{
	struct type_entry entry;
	const char *other;

	read_type_entry(r, table, &entry);
	other = taken_by(&r->policy->types, entry.value);
	if (!r->failed && other && strcmp(entry.name, other) != 0 && is_alias_name(r, entry.name, entry.value))
		other = entry.name;
	check_same(r, table, entry.name, entry.value, other);
	*type = (struct module_type){entry.value, entry.flavour == FLAVOUR_ATTRIBUTE, entry.bounds,
				     set_values(r, &entry.types)};
	ebitmap_free(&entry.types);
}

static void read_branch_types(struct reader *r, struct module_decl *decl)
{
	struct table table;

	branch_table(r, &table, "type", type_size(r));
	decl->types.n = table.n;
	decl->types.at = arena_zalloc(&r->module->arena, table.n, sizeof *decl->types.at);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_branch_type(r, &table, &decl->types.at[i]);
	table_end(&table);
}

static void read_branch_users(struct reader *r, struct module_decl *decl)
{
	struct table table;

	branch_table(r, &table, "user", USER_SIZE);
	decl->users.n = table.n;
	decl->users.at = arena_zalloc(&r->module->arena, table.n, sizeof *decl->users.at);
	for (uint32_t i = 0; i < table.n && !r->failed; i++) {
		struct module_user *user = &decl->users.at[i];

		read_user(r, &table, user);
		check_same(r, &table, user->name, user->value, taken_by(&r->module->users, user->value));
	}
	table_end(&table);
}

static void read_no_symbols(struct reader *r, const char *what)
{
	uint32_t n;

	get_u32(r);
	n = get_u32(r);
	if (n)
		refuse(r, "%u %s in the tables of a branch, which can have none", (unsigned)n, what);
}

void read_branch_symbols(struct reader *r, struct module_decl *decl)
{
	read_no_symbols(r, "commons");
	read_no_symbols(r, "classes");
	read_branch_roles(r, decl);
	read_branch_types(r, decl);
	read_branch_users(r, decl);
	read_no_symbols(r, "booleans");
	read_no_symbols(r, "sensitivities");
	read_no_symbols(r, "categories");
}
