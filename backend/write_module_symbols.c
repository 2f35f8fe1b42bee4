/* Roles, types and users of a module and of its branches (policydb-format.md
 * 15.2); the other tables have the form of a kernel policy's. */
#include <string.h>

#include "backend/module_types.h"
#include "backend/write.h"

static void put_length(struct writer *w, const char *name)
{
	put_u32(w, (uint32_t)strlen(name));
}

/* ---- roles ---- */

static void write_role(struct writer *w, const struct module_role *role)
{
	put_length(w, role->name);
	put_u32(w, role->value);
	if (has(w, FEATURE_BOUNDS))
		put_u32(w, role->bounds);
	put_text(w, role->name);
	put_values(w, role->dominates);
	put_type_set(w, &role->types);
	if (!has(w, FEATURE_ROLE_ATTRIBUTES))
		return;
	put_u32(w, role->attribute);
	put_values(w, role->roles);
}

static void write_roles(struct writer *w)
{
	const struct module *module = w->module;
	size_t list = symbols_begin(w, module->roles.n), n = 0;

	for (uint32_t v = 1; v <= module->roles.n; v++) {
		if (!module->roles.at[v].name)
			continue;
		n++;
		write_role(w, &module->roles.at[v]);
	}
	list_end(w, list, n);
}

/* ---- types ---- */

/* primary: the mark of a type, or the type of an alias that has its own value. */
struct type_entry {
	const char *name;
	uint32_t value, primary, flavour, flags, bounds;
	const struct ebitmap *types;  /* or NULL, and then */
	struct module_values members;
};

static uint32_t properties_of(const struct writer *w, const struct type_entry *entry)
{
	uint32_t properties = entry->primary ? PROPERTY_PRIMARY : 0;

	if (entry->flavour == FLAVOUR_ATTRIBUTE)
		properties |= PROPERTY_ATTRIBUTE;
	else if (entry->flavour == FLAVOUR_ALIAS)
		properties |= PROPERTY_ALIAS;
	if (entry->flags & FLAG_PERMISSIVE)
		properties |= PROPERTY_PERMISSIVE;
	if (entry->flags & FLAG_NEVERAUDIT && has(w, FEATURE_NEVERAUDIT_MAP))
		properties |= PROPERTY_NEVERAUDIT;
	return properties;
}

static void write_type(struct writer *w, const struct type_entry *entry)
{
	put_length(w, entry->name);
	put_u32(w, entry->value);
	if (has(w, FEATURE_BOUNDS)) {
		if (has(w, FEATURE_ALIAS_VALUES))
			put_u32(w, entry->primary);
		put_u32(w, properties_of(w, entry));
		put_u32(w, entry->bounds);
	} else {
		put_u32(w, entry->primary);
		put_u32(w, entry->flavour);
		if (has(w, FEATURE_PERMISSIVE_MAP))
			put_u32(w, entry->flags & ~(uint32_t)FLAG_NEVERAUDIT);
	}
	if (entry->types)
		put_ebitmap(w, entry->types);
	else
		put_values(w, entry->members);
	put_text(w, entry->name);
}

static uint32_t flags_of(const struct module *module, uint32_t value)
{
	const struct policy_type *type = &module->policy->types.at[value];

	if (type->kind == POLICY_ATTRIBUTE)
		return (type->expand ? FLAG_EXPAND : 0) | (ebitmap_test(&module->unexpanded, value - 1) ? FLAG_KEEP : 0);
	return (type->permissive ? FLAG_PERMISSIVE : 0) | (type->neveraudit ? FLAG_NEVERAUDIT : 0);
}

static size_t write_primary_types(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t n = 0;

	for (uint32_t v = 1; v <= policy->types.n; v++) {
		const struct policy_type *type = &policy->types.at[v];
		uint32_t flavour = type->kind == POLICY_ATTRIBUTE ? FLAVOUR_ATTRIBUTE : FLAVOUR_TYPE;

		if (type->kind == POLICY_GAP)
			continue;
		n++;
		write_type(w, &(struct type_entry){type->name, v, 1, flavour, flags_of(w->module, v), type->bounds,
						   &type->types, {0}});
	}
	return n;
}

static size_t write_type_aliases(struct writer *w)
{
	const struct policy *policy = w->policy;
	const struct module *module = w->module;

	for (uint32_t i = 0; i < policy->type_aliases.n; i++)
		write_type(w, &(struct type_entry){.name = policy->type_aliases.at[i].name,
						   .value = policy->type_aliases.at[i].value});
	for (uint32_t i = 0; i < module->aliases.n; i++) {
		struct module_alias alias = module->aliases.at[i];

		write_type(w, &(struct type_entry){.name = policy->types.at[alias.value].name, .value = alias.value,
						   .primary = alias.type, .flavour = FLAVOUR_ALIAS});
	}
	return (size_t)policy->type_aliases.n + module->aliases.n;
}

static void write_types(struct writer *w)
{
	size_t list = symbols_begin(w, w->policy->types.n), n;

	n = write_primary_types(w);
	n += write_type_aliases(w);
	list_end(w, list, n);
}

/* ---- users ---- */

static void write_user(struct writer *w, const struct module_user *user)
{
	put_length(w, user->name);
	put_u32(w, user->value);
	if (has(w, FEATURE_BOUNDS))
		put_u32(w, user->bounds);
	put_text(w, user->name);
	put_role_set(w, &user->roles);
	if (has(w, FEATURE_LEVELS_AS_WRITTEN)) {
		put_written_range(w, &user->range);
		put_written_level(w, &user->level);
	} else if (has(w, FEATURE_MLS)) {
		put_plain_range(w, &user->range);
		put_plain_level(w, &user->level);
	}
}

static void write_users(struct writer *w)
{
	const struct module *module = w->module;
	size_t list = symbols_begin(w, module->users.n), n = 0;

	for (uint32_t v = 1; v <= module->users.n; v++) {
		if (!module->users.at[v].name)
			continue;
		n++;
		write_user(w, &module->users.at[v]);
	}
	list_end(w, list, n);
}

void write_module_symbols(struct writer *w)
{
	static void (*const tables[MODULE_TABLES])(struct writer *w) = {
		write_common_table, write_class_table, write_roles, write_types,
		write_users, write_bool_table, write_level_table, write_category_table,
	};

	for (int i = 0; i < MODULE_TABLES; i++)
		tables[i](w);
}

/* ---- a branch ---- */

static void write_no_symbols(struct writer *w)
{
	put_u32(w, 0);
	put_u32(w, 0);
}

static void write_branch_types(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, 0);
	put_u32(w, decl->types.n);
	for (uint32_t i = 0; i < decl->types.n; i++) {
		const struct module_type *type = &decl->types.at[i];
		uint32_t flavour = type->attribute ? FLAVOUR_ATTRIBUTE : FLAVOUR_TYPE;

		write_type(w, &(struct type_entry){w->policy->types.at[type->value].name, type->value, 1, flavour, 0,
						   type->bounds, NULL, type->types});
	}
}

void write_branch_symbols(struct writer *w, const struct module_decl *decl)
{
	write_no_symbols(w); /* commons */
	write_no_symbols(w); /* classes */
	put_u32(w, 0);
	put_u32(w, decl->roles.n);
	for (uint32_t i = 0; i < decl->roles.n; i++)
		write_role(w, &decl->roles.at[i]);
	write_branch_types(w, decl);
	put_u32(w, 0);
	put_u32(w, decl->users.n);
	for (uint32_t i = 0; i < decl->users.n; i++)
		write_user(w, &decl->users.at[i]);
	write_no_symbols(w); /* booleans */
	write_no_symbols(w); /* sensitivities */
	write_no_symbols(w); /* categories */
}
