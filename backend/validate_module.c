/* May a module be used?  What is checked, by subject (policydb-format.md 15.6). */
#include <stdlib.h>

#include "backend/module.h"
#include "backend/module_view.h"
#include "backend/validate.h"
#include "base/arena.h"
#include "ir/names.h"

/* ---- small things ---- */

void check_values(struct validator *v, enum value_table table, struct module_values values, const char *role)
{
	for (uint32_t i = 0; i < values.n; i++)
		check_value(v, table, values.at[i], role);
}

static void check_set_flags(struct validator *v, uint32_t flags, const char *role)
{
	if (flags & ~(uint32_t)(MODULE_SET_STAR | MODULE_SET_COMPLEMENT) ||
	    flags == (MODULE_SET_STAR | MODULE_SET_COMPLEMENT))
		invalid(v, "the set of each %s has the flags 0x%x", role, (unsigned)flags);
}

void check_written_types(struct validator *v, const struct module_type_set *set, const char *role)
{
	check_values(v, OF_TYPES, set->types, role);
	check_values(v, OF_TYPES, set->negset, role);
	check_set_flags(v, set->flags, role);
}

void check_written_roles(struct validator *v, const struct module_role_set *set, const char *role)
{
	check_values(v, OF_ROLES, set->roles, role);
	check_set_flags(v, set->flags, role);
}

static void check_written_level(struct validator *v, const struct module_level *level, bool may_be_unset)
{
	if (!level->sens && may_be_unset)
		return;
	check_value(v, OF_SENS, level->sens, "sensitivity");
	for (uint32_t i = 0; i < level->cats.n; i++) {
		struct module_cats span = level->cats.at[i];

		if (check_value(v, OF_CATS, span.low, "category") && check_value(v, OF_CATS, span.high, "category") &&
		    span.low > span.high)
			invalid(v, "categories from value %u down to %u", (unsigned)span.low, (unsigned)span.high);
	}
}

void check_written_range(struct validator *v, const struct module_range *range, bool may_be_unset)
{
	check_written_level(v, &range->low, may_be_unset);
	check_written_level(v, &range->high, may_be_unset);
}

/* ---- header ---- */

static void validate_header(struct validator *v)
{
	v->check = "invalid-policy";
	about(v, "module of version", NULL, v->features->version - 1u);
	if (v->policy->mls && !(v->features->has & FEATURE_MLS))
		invalid(v, "MLS, which the version has not");
	ebitmap_for_each(&v->policy->capabilities, bit)
		if (!capability_name(bit))
			invalid(v, "policy capability %u is not known", (unsigned)bit);
}

/* ---- roles and users of the module, for its labels ---- */

static void expand_types(const struct policy *policy, struct module_values values, struct ebitmap *set)
{
	for (uint32_t i = 0; i < values.n; i++) {
		if (policy->types.at[values.at[i]].kind == POLICY_ATTRIBUTE)
			ebitmap_or(set, &policy->types.at[values.at[i]].types);
		else
			ebitmap_set(set, values.at[i] - 1);
	}
}

static void expand_type_set(const struct policy *policy, const struct module_type_set *set, struct ebitmap *ret_types)
{
	struct ebitmap negset = {0};

	if (set->flags != MODULE_SET_STAR)
		expand_types(policy, set->types, ret_types);
	else if (policy->types.n)
		ebitmap_set_range(ret_types, 0, policy->types.n - 1);
	if (set->flags == MODULE_SET_COMPLEMENT)
		ebitmap_complement(ret_types, policy->types.n);
	expand_types(policy, set->negset, &negset);
	ebitmap_andnot(ret_types, &negset);
	ebitmap_free(&negset);
}

static void expand_role_set(const struct module *module, const struct module_role_set *set, struct ebitmap *ret_roles)
{
	for (uint32_t i = 0; i < set->roles.n; i++) {
		const struct module_role *role = &module->roles.at[set->roles.at[i]];

		if (!role->attribute)
			ebitmap_set(ret_roles, role->value - 1);
		for (uint32_t m = 0; role->attribute && m < role->roles.n; m++)
			ebitmap_set(ret_roles, role->roles.at[m] - 1);
	}
	if (set->flags == MODULE_SET_STAR && module->roles.n)
		ebitmap_set_range(ret_roles, 0, module->roles.n - 1);
	else if (set->flags == MODULE_SET_COMPLEMENT)
		ebitmap_complement(ret_roles, module->roles.n);
}

static void expand_level(const struct module_level *level, struct policy_level *ret_level)
{
	ret_level->sens = level->sens;
	for (uint32_t i = 0; i < level->cats.n; i++)
		ebitmap_set_range(&ret_level->cats, level->cats.at[i].low - 1, level->cats.at[i].high - 1);
}

/* Symbols are valid. */
static void view_expand(struct policy *view, const struct module *module)
{
	for (uint32_t i = 1; i <= module->roles.n; i++)
		if (module->roles.at[i].name)
			expand_type_set(view, &module->roles.at[i].types, &view->roles.at[i].types);
	for (uint32_t i = 1; i <= module->users.n; i++) {
		if (!module->users.at[i].name)
			continue;
		expand_role_set(module, &module->users.at[i].roles, &view->users.at[i].roles);
		expand_level(&module->users.at[i].range.low, &view->users.at[i].range.low);
		expand_level(&module->users.at[i].range.high, &view->users.at[i].range.high);
	}
}

static void view_end(struct policy *view)
{
	for (uint32_t i = 1; i <= view->roles.n; i++)
		ebitmap_free(&view->roles.at[i].types);
	for (uint32_t i = 1; i <= view->users.n; i++) {
		ebitmap_free(&view->users.at[i].roles);
		policy_range_free(&view->users.at[i].range);
	}
}

/* ---- the whole ---- */

bool module_validate(const struct module *module, uint32_t version, const char *path, struct diags *diags)
{
	static void (*const subjects[])(struct validator *v) = {
		validate_header, validate_module_symbols, validate_levels, validate_constraints, validate_blocks, validate_scopes,
	};
	struct policy view;
	struct validator v = {.policy = &view, .module = module, .path = path, .diags = diags};
	uint32_t errors = diags->errors;
	struct arena arena = {0};

	v.features = features_of_module(module->base, version);
	if (!v.features) {
		diag_error(diags, "unknown-version", LOC_NONE, "there is no version %u of the format for modules",
			   (unsigned)version);
		return false;
	}
	module_view(&view, module, &arena);
	find_all_values(&v);
	for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		subjects[i](&v);
	if (diags->errors == errors) {
		view_expand(&view, module);
		validate_labels(&v);
		validate_genfs(&v);
		view_end(&view);
	}
	free_all_values(&v);
	arena_free(&arena);
	return diags->errors == errors;
}
