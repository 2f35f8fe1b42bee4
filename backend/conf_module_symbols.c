/* The declarations of module source, block by block. */
#include "backend/conf_module.h"

enum { OBJECT_R = 1 };

/* ---- types ---- */

static void put_types(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	const struct policy *policy = m->module->policy;

	ebitmap_for_each(&decl->declared.tables[MODULE_TYPES], bit) {
		const struct policy_type *type = &policy->types.at[bit + 1];

		if (type->kind != POLICY_GAP)
			text_printf(m->t.out, "%s%s %s;\n", indent, type->kind == POLICY_ATTRIBUTE ? "attribute" : "type",
				    type->name);
	}
}

static void put_aliases(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	for (uint32_t i = m->alias_start[decl->id]; i < m->alias_start[decl->id + 1]; i++)
		text_printf(m->t.out, "%stypealias %s alias %s;\n", indent, name_of(&m->t, &m->t.types, m->aliases[i].value),
			    m->aliases[i].name);
}

/* What the entry of a type says, wherever it was said: where it is visible. */
static void put_type_marks(struct module_text *m, uint32_t value, const char *indent)
{
	const struct policy_type *type = &m->module->policy->types.at[value];
	struct buffer *out = m->t.out;

	if (type->permissive)
		text_printf(out, "%spermissive %s;\n", indent, type->name);
	if (type->neveraudit)
		text_printf(out, "%sneveraudit %s;\n", indent, type->name);
	if (type->expand)
		text_printf(out, "%sexpandattribute %s true;\n", indent, type->name);
	if (ebitmap_test(&m->module->unexpanded, value - 1))
		text_printf(out, "%sexpandattribute %s false;\n", indent, type->name);
	if (type->bounds)
		text_printf(out, "%stypebounds %s %s;\n", indent, name_of(&m->t, &m->t.types, type->bounds), type->name);
}

static void put_marks(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	const struct policy *policy = m->module->policy;

	if (decl == m->global) {
		for (uint32_t v = 1; v <= policy->types.n; v++)
			if (m->type_homes[v] == decl->id)
				put_type_marks(m, v, indent);
		return;
	}
	ebitmap_for_each(&decl->declared.tables[MODULE_TYPES], bit)
		if (m->type_homes[bit + 1] == decl->id)
			put_type_marks(m, bit + 1, indent);
	ebitmap_for_each(&decl->required.tables[MODULE_TYPES], bit)
		if (m->type_homes[bit + 1] == decl->id && !ebitmap_test(&decl->declared.tables[MODULE_TYPES], bit))
			put_type_marks(m, bit + 1, indent);
}

/* What an optional block adds. */
static void put_members(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	const struct text_table *types = &m->t.types;

	for (uint32_t i = 0; i < decl->types.n; i++) {
		const struct module_type *type = &decl->types.at[i];

		for (uint32_t k = 0; k < type->types.n; k++)
			text_printf(m->t.out, "%stypeattribute %s %s;\n", indent, name_of(&m->t, types, type->types.at[k]),
				    name_of(&m->t, types, type->value));
		if (type->bounds)
			text_printf(m->t.out, "%stypebounds %s %s;\n", indent, name_of(&m->t, types, type->bounds),
				    name_of(&m->t, types, type->value));
	}
}

/* ---- booleans ---- */

static void put_bools(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	ebitmap_for_each(&decl->declared.tables[MODULE_BOOLS], bit)
		text_printf(m->t.out, "%s%s %s %s;\n", indent, m->module->tunables.at[bit + 1] ? "tunable" : "bool",
			    name_of(&m->t, &m->t.bools, bit + 1), m->module->policy->bools.at[bit + 1].state ? "true" : "false");
}

/* ---- roles ---- */

static void put_roles(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	ebitmap_for_each(&decl->declared.tables[MODULE_ROLES], bit)
		if (bit + 1 != OBJECT_R)
			text_printf(m->t.out, "%s%s %s;\n", indent, m->module->roles.at[bit + 1].attribute ? "attribute_role" : "role",
				    name_of(&m->t, &m->t.roles, bit + 1));
}

static void put_role(struct module_text *m, const struct module_role *role, const char *indent)
{
	for (uint32_t i = 0; i < role->roles.n; i++)
		text_printf(m->t.out, "%sroleattribute %s %s;\n", indent, name_of(&m->t, &m->t.roles, role->roles.at[i]),
			    role->name);
	if (type_set_empty(&role->types) || role->value == OBJECT_R)
		return;
	text_printf(m->t.out, "%srole %s types ", indent, role->name);
	put_module_types(m, &role->types, NULL);
	say(&m->t, ";\n");
}

static void put_all_roles(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	const struct module *module = m->module;

	for (uint32_t v = 1; decl == m->global && v <= module->roles.n; v++)
		if (module->roles.at[v].name)
			put_role(m, &module->roles.at[v], indent);
	for (uint32_t i = 0; i < decl->roles.n; i++)
		put_role(m, &decl->roles.at[i], indent);
}

void put_declarations(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	put_types(m, decl, indent);
	put_bools(m, decl, indent);
	put_aliases(m, decl, indent);
	if (decl == m->global)
		conf_put_type_attributes(&m->t);
	put_members(m, decl, indent);
	put_marks(m, decl, indent);
	put_roles(m, decl, indent);
	put_all_roles(m, decl, indent);
}

/* ---- users ---- */

static void put_user(struct module_text *m, const struct module_user *user, const char *indent)
{
	text_printf(m->t.out, "%suser %s roles ", indent, user->name);
	put_module_roles(m, &user->roles);
	if (m->module->policy->mls && user->level.sens) {
		say(&m->t, " level ");
		put_module_level(m, &user->level);
		say(&m->t, " range ");
		put_module_level(m, &user->range.low);
		say(&m->t, " - ");
		put_module_level(m, &user->range.high);
	}
	say(&m->t, ";\n");
}

void put_module_users(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	if (decl == m->global)
		ebitmap_for_each(&decl->declared.tables[MODULE_USERS], bit)
			put_user(m, &m->module->users.at[bit + 1], indent);
	for (uint32_t i = 0; i < decl->users.n; i++)
		put_user(m, &decl->users.at[i], indent);
}
