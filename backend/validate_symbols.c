/* Roles, types, users, their bounds and aliases (policydb-format.md 13.2). */
#include <stdlib.h>
#include <string.h>

#include "backend/validate.h"
#include "base/memory.h"

/* ---- bounds: chains of parents ---- */

enum { KERNEL_MAX_BOUNDS = 4 }; /* so many parents are too many */

struct chains {
	const char *kind;
	uint32_t n;
	uint32_t (*parent)(const struct policy *policy, uint32_t value);
	enum value_table table;
	uint32_t *depth; /* by value: 1 for one without parent; 0 not yet known */
};

#define IN_LOOP UINT32_MAX

static uint32_t parent_of(const struct validator *v, const struct chains *c, uint32_t value)
{
	uint32_t parent = c->parent(v->policy, value);

	return parent <= c->n ? parent : 0;
}

/* The depths of all from value upwards that have none yet. */
static void find_depths(const struct validator *v, struct chains *c, uint32_t value)
{
	uint32_t steps = 0, at, top;

	for (at = value; at && !c->depth[at] && steps <= c->n; at = parent_of(v, c, at))
		steps++;
	top = !at ? 0 : c->depth[at] ? c->depth[at] : IN_LOOP;
	for (at = value; at && !c->depth[at]; at = parent_of(v, c, at))
		c->depth[at] = top == IN_LOOP ? IN_LOOP : top + steps--;
}

static void check_chains(struct validator *v, struct chains c)
{
	char name[NAME_TEXT];

	c.depth = mem_zalloc((size_t)c.n + 1, sizeof *c.depth);
	for (uint32_t value = 1; value <= c.n; value++) {
		if (!c.depth[value])
			find_depths(v, &c, value);
		if (c.depth[value] <= KERNEL_MAX_BOUNDS)
			continue;
		about(v, c.kind, NULL, value - 1);
		v->name = is_symbol(v, c.table, value) ? value_name(v, c.table, value, name) + 1 : NULL;
		if (v->name)
			name[strlen(name) - 1] = '\0';
		if (c.depth[value] == IN_LOOP)
			kernel_refuses(v, "its bounds form a loop");
		else
			kernel_refuses(v, "bounds within bounds, %u deep", (unsigned)c.depth[value] - 1);
	}
	free(c.depth);
}

static uint32_t role_parent(const struct policy *policy, uint32_t value)
{
	return policy->roles.at[value].bounds;
}

static uint32_t type_parent(const struct policy *policy, uint32_t value)
{
	return policy->types.at[value].bounds;
}

static uint32_t user_parent(const struct policy *policy, uint32_t value)
{
	return policy->users.at[value].bounds;
}

static void validate_bounds(struct validator *v)
{
	const struct policy *policy = v->policy;

	check_chains(v, (struct chains){"role", policy->roles.n, role_parent, OF_ROLES, NULL});
	check_chains(v, (struct chains){"type", policy->types.n, type_parent, OF_TYPES, NULL});
	check_chains(v, (struct chains){"user", policy->users.n, user_parent, OF_USERS, NULL});
}

/* ---- roles, types, users ---- */

static void validate_roles(struct validator *v)
{
	const struct policy *policy = v->policy;

	about(v, "role", "object_r", 0);
	if (!policy->roles.n || !policy->roles.at[1].name || strcmp(policy->roles.at[1].name, "object_r") != 0)
		invalid(v, "not the role of value 1");
	for (uint32_t value = 1; value <= policy->roles.n; value++) {
		const struct policy_role *role = &policy->roles.at[value];

		if (!role->name)
			continue;
		about(v, "role", role->name, value - 1);
		check_set(v, OF_ROLES, &role->dominates, "dominated role");
		check_set(v, OF_TYPES, &role->types, "type");
		if (role->bounds && check_value(v, OF_ROLES, role->bounds, "bounding role") &&
		    !ebitmap_subset(&role->types, &policy->roles.at[role->bounds].types))
			kernel_refuses(v, "a type that its bounding role has not");
	}
}

static void validate_types(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t value = 1; value <= policy->types.n; value++) {
		const struct policy_type *type = &policy->types.at[value];

		about(v, type->kind == POLICY_ATTRIBUTE ? "attribute" : "type", type->name, value - 1);
		if (type->kind == POLICY_TYPE && type->bounds)
			check_type(v, type->bounds, "bounding type");
		check_set(v, OF_TYPES, &type->types, "type");
	}
	for (uint32_t i = 0; i < policy->type_aliases.n; i++) {
		uint32_t value = policy->type_aliases.at[i].value;

		about(v, "type alias", policy->type_aliases.at[i].name, i);
		if (check_value(v, OF_TYPES, value, "type") && !policy->types.at[value].name)
			invalid(v, "type value %u has no name of its own", (unsigned)value);
	}
}

static void validate_users(struct validator *v)
{
	const struct policy *policy = v->policy;

	for (uint32_t value = 1; value <= policy->users.n; value++) {
		const struct policy_user *user = &policy->users.at[value];

		if (!user->name)
			continue;
		about(v, "user", user->name, value - 1);
		check_set(v, OF_ROLES, &user->roles, "role");
		check_level(v, &user->range.low, "low level");
		check_level(v, &user->range.high, "high level");
		check_level(v, &user->level, "default level");
		if (user->bounds && check_value(v, OF_USERS, user->bounds, "bounding user") &&
		    !ebitmap_subset(&user->roles, &policy->users.at[user->bounds].roles))
			kernel_refuses(v, "a role that its bounding user has not");
	}
}

void validate_symbols(struct validator *v)
{
	v->check = "invalid-symbol";
	validate_roles(v);
	validate_types(v);
	validate_users(v);
	validate_bounds(v);
}

/* ---- sensitivities and categories ---- */

static void refuse_levels(struct validator *v)
{
	const struct policy *policy = v->policy;

	if (policy->mls || v->module || !(policy->sens.n + policy->cats.n + policy->sens_aliases.n + policy->cat_aliases.n))
		return;
	v->check = "levels-without-mls";
	diag_error(v->diags, v->check, LOC_NONE,
		   "the policy says that it is not MLS, yet it has %u sensitivities and %u categories",
		   (unsigned)policy->sens.n, (unsigned)policy->cats.n);
	v->check = "invalid-symbol";
}

void validate_levels(struct validator *v)
{
	const struct policy *policy = v->policy;

	v->check = "invalid-symbol";
	refuse_levels(v);
	for (uint32_t value = 1; value <= policy->sens.n; value++) {
		about(v, "sensitivity", policy->sens.at[value].name, value - 1);
		check_set(v, OF_CATS, &policy->sens.at[value].cats, "category");
	}
	for (uint32_t i = 0; i < policy->sens_aliases.n; i++) {
		about(v, "sensitivity alias", policy->sens_aliases.at[i].name, i);
		check_value(v, OF_SENS, policy->sens_aliases.at[i].value, "sensitivity");
	}
	for (uint32_t i = 0; i < policy->cat_aliases.n; i++) {
		about(v, "category alias", policy->cat_aliases.at[i].name, i);
		check_value(v, OF_CATS, policy->cat_aliases.at[i].value, "category");
	}
}
