/* The declarations of a module in CIL, block by block. */
#include "backend/cil_module.h"

enum { OBJECT_R = 1 };

static bool declares(const struct module_decl *decl, enum module_table table, uint32_t value)
{
	return ebitmap_test(&decl->declared.tables[table], value - 1);
}

/* ---- types ---- */

static void put_types(struct cil_module *c)
{
	const struct policy *policy = c->m.module->policy;

	ebitmap_for_each(&c->decl->declared.tables[MODULE_TYPES], bit) {
		const struct policy_type *type = &policy->types.at[bit + 1];

		if (type->kind == POLICY_GAP)
			continue;
		cil_line(c, "(%s %s)\n", type->kind == POLICY_ATTRIBUTE ? "typeattribute" : "type", type->name);
		if (type->kind == POLICY_TYPE)
			cil_line(c, "(roletype object_r %s)\n", type->name);
	}
}

static void put_aliases(struct cil_module *c)
{
	for (uint32_t i = c->m.alias_start[c->decl->id]; i < c->m.alias_start[c->decl->id + 1]; i++) {
		const struct policy_alias *alias = &c->m.aliases[i];

		cil_line(c, "(typealias %s)\n", alias->name);
		cil_line(c, "(typealiasactual %s %s)\n", alias->name, name_of(&c->m.t, &c->m.t.types, alias->value));
	}
}

static void put_bounds(struct cil_module *c, const struct text_table *table, uint32_t bounds, uint32_t value)
{
	if (bounds)
		cil_line(c, "(%sbounds %s %s)\n", table->what, name_of(&c->m.t, table, bounds), name_of(&c->m.t, table, value));
}

/* What the entry of a type says, wherever it was said: where it is visible. */
static void put_type_marks(struct cil_module *c, uint32_t value)
{
	const struct policy_type *type = &c->m.module->policy->types.at[value];

	if (type->permissive)
		cil_line(c, "(typepermissive %s)\n", type->name);
	if (type->neveraudit)
		cil_line(c, "(typeneveraudit %s)\n", type->name);
	if (type->expand)
		cil_line(c, "(expandtypeattribute (%s) true)\n", type->name);
	if (ebitmap_test(&c->m.module->unexpanded, value - 1))
		cil_line(c, "(expandtypeattribute (%s) false)\n", type->name);
	put_bounds(c, &c->m.t.types, type->bounds, value);
}

static void put_marks(struct cil_module *c)
{
	const struct module_symbols *declared = &c->decl->declared, *required = &c->decl->required;

	if (is_global(c)) {
		for (uint32_t v = 1; v <= c->m.module->policy->types.n; v++)
			if (c->m.type_homes[v] == c->decl->id)
				put_type_marks(c, v);
		return;
	}
	ebitmap_for_each(&declared->tables[MODULE_TYPES], bit)
		if (c->m.type_homes[bit + 1] == c->decl->id)
			put_type_marks(c, bit + 1);
	ebitmap_for_each(&required->tables[MODULE_TYPES], bit)
		if (c->m.type_homes[bit + 1] == c->decl->id && !declares(c->decl, MODULE_TYPES, bit + 1))
			put_type_marks(c, bit + 1);
}

static void put_values(struct cil_module *c, const struct text_table *table, struct module_values values)
{
	for (uint32_t i = 0; i < values.n; i++) {
		say(&c->m.t, i ? " " : "");
		say_name(&c->m.t, table, values.at[i]);
	}
	say(&c->m.t, "))\n");
}

static void put_type_members(struct cil_module *c)
{
	const struct policy *policy = c->m.module->policy;

	for (uint32_t v = 1; is_global(c) && v <= policy->types.n; v++) {
		if (policy->types.at[v].kind != POLICY_ATTRIBUTE || ebitmap_empty(&policy->types.at[v].types))
			continue;
		cil_line(c, "(typeattributeset %s (", policy->types.at[v].name);
		say_set(&c->m.t, &c->m.t.types, &policy->types.at[v].types);
		say(&c->m.t, "))\n");
	}
	for (uint32_t i = 0; i < c->decl->types.n; i++) {
		const struct module_type *type = &c->decl->types.at[i];

		if (type->types.n) {
			cil_line(c, "(typeattributeset %s (", name_of(&c->m.t, &c->m.t.types, type->value));
			put_values(c, &c->m.t.types, type->types);
		}
		put_bounds(c, &c->m.t.types, type->bounds, type->value);
	}
}

/* ---- booleans ---- */

static void put_bools(struct cil_module *c)
{
	ebitmap_for_each(&c->decl->declared.tables[MODULE_BOOLS], bit) {
		const char *name = name_of(&c->m.t, &c->m.t.bools, bit + 1);
		bool tunable = c->m.module->tunables.at[bit + 1];

		if (tunable && !is_global(c))
			text_fail_at(&c->m.t, c->decl->loc, "tunable `%s`, which optional block %u declares", name, c->decl->id);
		cil_line(c, "(%s %s %s)\n", tunable ? "tunable" : "boolean", name,
			 c->m.module->policy->bools.at[bit + 1].state ? "true" : "false");
	}
}

/* ---- roles ---- */

static void put_role_types(struct cil_module *c, const struct module_role *role)
{
	struct cil_names types;

	if (type_set_empty(&role->types) || role->value == OBJECT_R)
		return;
	types = cil_types(c, &role->types);
	for (uint32_t i = 0; i < types.n; i++)
		cil_line(c, "(roletype %s %s)\n", role->name, cil_name(c, &types, i));
}

static void put_role(struct cil_module *c, const struct module_role *role)
{
	bool declared = declares(c->decl, MODULE_ROLES, role->value);

	if (declared && (is_global(c) || !declares(c->m.global, MODULE_ROLES, role->value)))
		cil_line(c, "(%s %s)\n", role->attribute ? "roleattribute" : "role", role->name);
	if (role->dominates.n > 1)
		text_fail(&c->m.t, "role `%s` dominates other roles", role->name);
	if (declared)
		put_bounds(c, &c->m.t.roles, role->bounds, role->value);
	if (role->roles.n) {
		cil_line(c, "(roleattributeset %s (", role->name);
		put_values(c, &c->m.t.roles, role->roles);
	}
	put_role_types(c, role);
}

static void put_roles(struct cil_module *c)
{
	const struct module *module = c->m.module;

	for (uint32_t v = 1; is_global(c) && v <= module->roles.n; v++)
		if (module->roles.at[v].name)
			put_role(c, &module->roles.at[v]);
	for (uint32_t i = 0; i < c->decl->roles.n; i++)
		put_role(c, &c->decl->roles.at[i]);
}

/* ---- users ---- */

/* CIL always has levels; those of a policy without MLS have one name. */
static void put_user_levels(struct cil_module *c, const struct module_user *user)
{
	bool mls = c->m.t.policy->mls;

	cil_line(c, "(userlevel %s ", user->name);
	if (mls)
		cil_put_level(c, &user->level);
	else
		say(&c->m.t, "systemlow");
	say(&c->m.t, ")\n");
	cil_line(c, "(userrange %s ", user->name);
	if (mls)
		cil_put_range(c, &user->range);
	else
		say(&c->m.t, "(systemlow systemlow)");
	say(&c->m.t, ")\n");
}

static void put_user(struct cil_module *c, const struct module_user *user)
{
	struct cil_names roles = cil_roles(c, &user->roles);

	if (!ebitmap_test(&c->users, user->value - 1)) {
		cil_line(c, "(user %s)\n", user->name);
		cil_line(c, "(userrole %s object_r)\n", user->name);
		put_bounds(c, &c->m.t.users, user->bounds, user->value);
		put_user_levels(c, user);
	} else if (!declares(c->m.global, MODULE_USERS, user->value) || c->m.t.policy->mls) {
		text_fail_at(&c->m.t, c->decl->loc, "user `%s`, which optional block %u declares again", user->name, c->decl->id);
	}
	for (uint32_t i = 0; i < roles.n; i++)
		cil_line(c, "(userrole %s %s)\n", user->name, cil_name(c, &roles, i));
}

static void put_users(struct cil_module *c)
{
	if (is_global(c))
		ebitmap_for_each(&c->decl->declared.tables[MODULE_USERS], bit)
			put_user(c, &c->m.module->users.at[bit + 1]);
	for (uint32_t i = 0; i < c->decl->users.n; i++)
		put_user(c, &c->decl->users.at[i]);
}

void cil_put_declarations(struct cil_module *c)
{
	put_types(c);
	put_aliases(c);
	put_bools(c);
	put_type_members(c);
	put_marks(c);
	put_roles(c);
	put_users(c);
}
