/* Roles, types, users and booleans of a module and of its branches
 * (policydb-format.md 13.2, 15.6). */
#include <string.h>

#include "backend/validate.h"

/* ---- roles ---- */

static void check_role(struct validator *v, const struct module_role *role)
{
	check_values(v, OF_ROLES, role->dominates, "dominated role");
	check_values(v, OF_ROLES, role->roles, "member");
	check_written_types(v, &role->types, "type");
	if (role->bounds)
		check_value(v, OF_ROLES, role->bounds, "bounding role");
}

static void validate_roles(struct validator *v)
{
	const struct module *module = v->module;

	about(v, "role", "object_r", 0);
	if (!module->roles.n || !module->roles.at[1].name || strcmp(module->roles.at[1].name, "object_r") != 0)
		invalid(v, "not the role of value 1");
	for (uint32_t value = 1; value <= module->roles.n; value++) {
		if (!module->roles.at[value].name)
			continue;
		about(v, "role", module->roles.at[value].name, value - 1);
		check_role(v, &module->roles.at[value]);
	}
}

/* ---- types ---- */

static void check_member(struct validator *v, uint32_t value)
{
	if (v->features->has & FEATURE_NESTED_ATTRIBUTES)
		check_value(v, OF_TYPES, value, "member");
	else
		check_type(v, value, "member");
}

static void validate_types(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t value = 1; value <= policy->types.n; value++) {
		const struct policy_type *type = &policy->types.at[value];

		about(v, type->kind == POLICY_ATTRIBUTE ? "attribute" : "type", type->name, value - 1);
		if (type->bounds)
			check_type(v, type->bounds, "bounding type");
		ebitmap_for_each(&type->types, bit)
			check_member(v, bit + 1);
	}
}

/* ---- users ---- */

/* A user that is only required has no levels. */
static void check_user(struct validator *v, const struct module_user *user)
{
	struct module_range level = {user->level, user->level};

	check_written_roles(v, &user->roles, "role");
	if (user->bounds)
		check_value(v, OF_USERS, user->bounds, "bounding user");
	if (!v->policy->mls)
		return;
	check_written_range(v, &user->range, true);
	check_written_range(v, &level, true);
}

static void validate_users(struct validator *v)
{
	for (uint32_t value = 1; value <= v->module->users.n; value++) {
		if (!v->module->users.at[value].name)
			continue;
		about(v, "user", v->module->users.at[value].name, value - 1);
		check_user(v, &v->module->users.at[value]);
	}
}

void validate_module_symbols(struct validator *v)
{
	v->check = "invalid-symbol";
	validate_roles(v);
	validate_types(v);
	validate_users(v);
}

/* ---- a branch ---- */

void validate_branch_symbols(struct validator *v, const struct module_decl *decl)
{
	v->check = "invalid-symbol";
	for (uint32_t i = 0; i < decl->roles.n; i++) {
		about(v, "role", decl->roles.at[i].name, i);
		check_role(v, &decl->roles.at[i]);
	}
	for (uint32_t i = 0; i < decl->types.n; i++) {
		const struct module_type *type = &decl->types.at[i];

		about(v, type->attribute ? "attribute" : "type", v->policy->types.at[type->value].name, i);
		if (type->bounds)
			check_type(v, type->bounds, "bounding type");
		for (uint32_t m = 0; m < type->types.n; m++)
			check_member(v, type->types.at[m]);
	}
	for (uint32_t i = 0; i < decl->users.n; i++) {
		about(v, "user", decl->users.at[i].name, i);
		check_user(v, &decl->users.at[i]);
	}
}
