/* The symbol tables (policydb-format.md 5). */
#include <stdio.h>
#include <string.h>

#include "backend/write.h"

enum { PROPERTY_PRIMARY = 1, PROPERTY_ATTRIBUTE = 2 };
enum { ROLE_OBJECT_R = 1 };

/* Values without a name are gaps: counted in nprim, not written. */
size_t symbols_begin(struct writer *w, uint32_t nprim)
{
	put_u32(w, nprim);
	return list_begin(w);
}

/* ---- commons and classes ---- */

static void write_permissions(struct writer *w, const char *const *perms, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (!perms[i])
			continue;
		put_u32(w, (uint32_t)strlen(perms[i]));
		put_u32(w, i + 1);
		put_text(w, perms[i]);
	}
}

static uint32_t count_permissions(const char *const *perms, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (uint32_t i = from; i < to; i++)
		n += perms[i] != NULL;
	return n;
}

void write_common_table(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->commons.n), n = 0;

	for (uint32_t v = 1; v <= policy->commons.n; v++) {
		const struct policy_common *common = &policy->commons.at[v];

		if (!common->name)
			continue;
		n++;
		put_u32(w, (uint32_t)strlen(common->name));
		put_u32(w, v);
		put_u32(w, common->nperms);
		put_u32(w, count_permissions(common->perms, 0, common->nperms));
		put_text(w, common->name);
		write_permissions(w, common->perms, 0, common->nperms);
	}
	list_end(w, list, n);
}

static void write_expression(struct writer *w, const struct policy_cexpr *expr)
{
	put_u32(w, expr->kind);
	put_u32(w, expr->attr);
	put_u32(w, expr->op);
	if (expr->kind != CEXPR_NAMES)
		return;
	put_ebitmap(w, &expr->names);
	if (has(w, FEATURE_CONSTRAINT_NAMES)) {
		put_ebitmap(w, &expr->type_set);
		put_ebitmap(w, &expr->type_negset);
		put_u32(w, expr->type_flags);
	}
}

static void write_constraints(struct writer *w, const struct policy_constraint *constraints, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		put_u32(w, constraints[i].perms);
		put_u32(w, constraints[i].nexpr);
		for (uint32_t e = 0; e < constraints[i].nexpr; e++)
			write_expression(w, &constraints[i].expr[e]);
	}
}

static void write_defaults(struct writer *w, const struct policy_class *class)
{
	bool lost = class->default_range == DEFAULT_RANGE_GLBLUB && !has(w, FEATURE_GLBLUB);

	put_u32(w, class->default_user);
	put_u32(w, class->default_role);
	put_u32(w, lost ? 0 : class->default_range);
}

static void write_class(struct writer *w, uint32_t value)
{
	const struct policy_class *class = &w->policy->classes.at[value];
	const struct policy_common *common = class->common ? &w->policy->commons.at[class->common] : NULL;
	uint32_t inherited = common ? common->nperms : 0;

	put_u32(w, (uint32_t)strlen(class->name));
	put_u32(w, common ? (uint32_t)strlen(common->name) : 0);
	put_u32(w, value);
	put_u32(w, class->nperms);
	put_u32(w, count_permissions(class->perms, inherited, class->nperms));
	put_u32(w, class->constraints.n);
	put_text(w, class->name);
	if (common)
		put_text(w, common->name);
	write_permissions(w, class->perms, inherited, class->nperms);
	write_constraints(w, class->constraints.at, class->constraints.n);
	if (has(w, FEATURE_VALIDATETRANS)) {
		put_u32(w, class->validatetrans.n);
		write_constraints(w, class->validatetrans.at, class->validatetrans.n);
	}
	if (has(w, FEATURE_DEFAULTS))
		write_defaults(w, class);
	if (has(w, FEATURE_DEFAULT_TYPE))
		put_u32(w, class->default_type);
}

void write_class_table(struct writer *w)
{
	size_t list = symbols_begin(w, w->policy->classes.n), n = 0;

	for (uint32_t v = 1; v <= w->policy->classes.n; v++) {
		if (!w->policy->classes.at[v].name)
			continue;
		n++;
		write_class(w, v);
	}
	list_end(w, list, n);
}

/* ---- roles, types, users ---- */

/* Every role dominates itself, but object_r, which goes with any type and
 * any user, is written without a set of either kind. */
static void write_role_sets(struct writer *w, uint32_t value, const struct policy_role *role)
{
	struct ebitmap dominates = {0};

	ebitmap_copy(&dominates, &role->dominates);
	if (value != ROLE_OBJECT_R)
		ebitmap_set(&dominates, value - 1);
	put_ebitmap(w, &dominates);
	ebitmap_free(&dominates);
	put_ebitmap(w, value == ROLE_OBJECT_R ? &(struct ebitmap){0} : &role->types);
}

static void write_roles(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->roles.n), n = 0;

	for (uint32_t v = 1; v <= policy->roles.n; v++) {
		const struct policy_role *role = &policy->roles.at[v];

		if (!role->name)
			continue;
		n++;
		put_u32(w, (uint32_t)strlen(role->name));
		put_u32(w, v);
		if (has(w, FEATURE_BOUNDS))
			put_u32(w, role->bounds);
		put_text(w, role->name);
		write_role_sets(w, v, role);
	}
	list_end(w, list, n);
}

static void write_type(struct writer *w, const char *name, uint32_t value, uint32_t properties, uint32_t bounds)
{
	put_u32(w, (uint32_t)strlen(name));
	put_u32(w, value);
	if (has(w, FEATURE_BOUNDS)) {
		put_u32(w, properties);
		put_u32(w, bounds);
	} else {
		put_u32(w, properties & PROPERTY_PRIMARY);
	}
	put_text(w, name);
}

/* An attribute of an old image has lost its name; rules name its value all the
 * same, so it needs one, and a sign that no source may use. */
static void write_attribute(struct writer *w, uint32_t value, const char *name)
{
	char made_up[16];

	if (!name) {
		snprintf(made_up, sizeof made_up, "@attr%04u", (unsigned)value);
		name = made_up;
	}
	write_type(w, name, value, PROPERTY_PRIMARY | PROPERTY_ATTRIBUTE, 0);
}

static void write_types(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->types.n), n = 0;

	for (uint32_t v = 1; v <= policy->types.n; v++) {
		const struct policy_type *type = &policy->types.at[v];

		if (type->kind == POLICY_TYPE && type->name)
			write_type(w, type->name, v, PROPERTY_PRIMARY, type->bounds);
		else if (type->kind == POLICY_ATTRIBUTE && has(w, FEATURE_ATTRIBUTE_NAMES))
			write_attribute(w, v, type->name);
		else
			continue;
		n++;
	}
	for (uint32_t i = 0; i < policy->type_aliases.n; i++, n++)
		write_type(w, policy->type_aliases.at[i].name, policy->type_aliases.at[i].value, 0, 0);
	list_end(w, list, n);
}

static void write_users(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->users.n), n = 0;

	for (uint32_t v = 1; v <= policy->users.n; v++) {
		const struct policy_user *user = &policy->users.at[v];

		if (!user->name)
			continue;
		n++;
		put_u32(w, (uint32_t)strlen(user->name));
		put_u32(w, v);
		if (has(w, FEATURE_BOUNDS))
			put_u32(w, user->bounds);
		put_text(w, user->name);
		put_ebitmap(w, &user->roles);
		if (has(w, FEATURE_MLS)) {
			put_range(w, &user->range);
			put_level(w, &user->level);
		}
	}
	list_end(w, list, n);
}

/* ---- booleans, levels, categories ---- */

void write_bool_table(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->bools.n), n = 0;

	for (uint32_t v = 1; v <= policy->bools.n; v++) {
		if (!policy->bools.at[v].name)
			continue;
		n++;
		put_u32(w, v);
		put_u32(w, policy->bools.at[v].state);
		put_string(w, policy->bools.at[v].name);
		if (has(w, FEATURE_TUNABLES))
			put_u32(w, w->module->tunables.at[v]);
	}
	list_end(w, list, n);
}

static void write_sens(struct writer *w, const char *name, uint32_t value, bool alias)
{
	put_u32(w, (uint32_t)strlen(name));
	put_u32(w, alias);
	put_text(w, name);
	put_u32(w, value);
	put_ebitmap(w, &w->policy->sens.at[value].cats);
}

/* The format counts the aliases of levels and categories among their values. */
void write_level_table(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->sens.n + policy->sens_aliases.n), n = 0;

	for (uint32_t v = 1; v <= policy->sens.n; v++) {
		if (!policy->sens.at[v].name)
			continue;
		n++;
		write_sens(w, policy->sens.at[v].name, v, false);
	}
	for (uint32_t i = 0; i < policy->sens_aliases.n; i++, n++)
		write_sens(w, policy->sens_aliases.at[i].name, policy->sens_aliases.at[i].value, true);
	list_end(w, list, n);
}

static void write_cat(struct writer *w, const char *name, uint32_t value, bool alias)
{
	put_u32(w, (uint32_t)strlen(name));
	put_u32(w, value);
	put_u32(w, alias);
	put_text(w, name);
}

void write_category_table(struct writer *w)
{
	const struct policy *policy = w->policy;
	size_t list = symbols_begin(w, policy->cats.n + policy->cat_aliases.n), n = 0;

	for (uint32_t v = 1; v <= policy->cats.n; v++) {
		if (!policy->cats.at[v].name)
			continue;
		n++;
		write_cat(w, policy->cats.at[v].name, v, false);
	}
	for (uint32_t i = 0; i < policy->cat_aliases.n; i++, n++)
		write_cat(w, policy->cat_aliases.at[i].name, policy->cat_aliases.at[i].value, true);
	list_end(w, list, n);
}

void write_symbol_tables(struct writer *w)
{
	static void (*const tables[])(struct writer *w) = {
		write_common_table, write_class_table, write_roles, write_types,
		write_users, write_bool_table, write_level_table, write_category_table,
	};

	for (uint32_t i = 0; i < w->features->symbols; i++)
		tables[i](w);
}
