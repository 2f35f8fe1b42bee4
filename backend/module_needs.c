/* What a module has that not every version can hold (policydb-format.md 3.2,
 * 15.5).  Without the first kind it would mean something else, or could not be
 * read again: asking for it at an older version is an error.  The second kind
 * is dropped, which is told. */
#include "backend/module_needs.h"

#include <stdlib.h>

#include "backend/module.h"
#include "backend/needs.h"

/* ---- walking the branches ---- */

typedef uint32_t decl_counter(const struct module *module, const struct module_decl *decl);

static uint32_t count_in_decls(const struct module *module, decl_counter *count)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < module->blocks.n; b++)
		for (uint32_t i = 0; i < module->blocks.at[b].decls.n; i++)
			n += count(module, &module->blocks.at[b].decls.at[i]);
	return n;
}

static uint32_t count_kinds(const module_rules *rules, uint32_t kinds, uint32_t flags)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rules->n; i++)
		n += rules->at[i].kind & kinds && (rules->at[i].flags & flags) == flags;
	return n;
}

static uint32_t count_conditional(const struct module_decl *decl, uint32_t kinds, uint32_t flags)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < decl->conds.n; i++)
		n += count_kinds(&decl->conds.at[i].yes, kinds, flags) + count_kinds(&decl->conds.at[i].no, kinds, flags);
	return n;
}

/* ---- what there is ---- */

static uint32_t count_mls(const struct module *module)
{
	return module->policy->mls;
}

static uint32_t cond_xperms_of(const struct module *module, const struct module_decl *decl)
{
	(void)module;
	return count_conditional(decl, MODULE_X, 0);
}

static uint32_t count_cond_xperms(const struct module *module)
{
	return count_in_decls(module, cond_xperms_of);
}

static uint32_t xperms_of(const struct module *module, const struct module_decl *decl)
{
	return count_kinds(&decl->rules, MODULE_X, 0) + cond_xperms_of(module, decl);
}

static uint32_t count_xperms(const struct module *module)
{
	return count_in_decls(module, xperms_of);
}

static uint32_t selves_of(const struct module *module, const struct module_decl *decl)
{
	uint32_t n = count_kinds(&decl->rules, MODULE_TE, MODULE_RULE_SELF);

	(void)module;
	n += count_conditional(decl, MODULE_TE, MODULE_RULE_SELF);
	for (uint32_t i = 0; i < decl->filename_trans.n; i++)
		n += decl->filename_trans.at[i].self;
	return n;
}

static uint32_t count_selves(const struct module *module)
{
	return count_in_decls(module, selves_of);
}

static uint32_t count_role_attributes(const struct module *module)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= module->roles.n; v++)
		n += module->roles.at[v].attribute;
	return n;
}

static bool is_attribute(const struct module *module, uint32_t value)
{
	return module->policy->types.at[value].kind == POLICY_ATTRIBUTE;
}

static uint32_t nested_attributes_of(const struct module *module, const struct module_decl *decl)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < decl->types.n; i++)
		for (uint32_t t = 0; t < decl->types.at[i].types.n; t++)
			n += is_attribute(module, decl->types.at[i].types.at[t]);
	return n;
}

static uint32_t count_nested_attributes(const struct module *module)
{
	uint32_t n = count_in_decls(module, nested_attributes_of);

	for (uint32_t v = 1; v <= module->policy->types.n; v++)
		ebitmap_for_each(&module->policy->types.at[v].types, bit)
			n += is_attribute(module, bit + 1);
	return n;
}

static uint32_t count_permissive(const struct module *module)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= module->policy->types.n; v++)
		n += module->policy->types.at[v].permissive;
	return n;
}

static uint32_t count_neveraudit(const struct module *module)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= module->policy->types.n; v++)
		n += module->policy->types.at[v].neveraudit;
	return n;
}

static uint32_t filename_trans_of(const struct module *module, const struct module_decl *decl)
{
	(void)module;
	return decl->filename_trans.n;
}

static uint32_t count_filename_trans(const struct module *module)
{
	return count_in_decls(module, filename_trans_of);
}

static uint32_t range_trans_of(const struct module *module, const struct module_decl *decl)
{
	(void)module;
	return decl->range_trans.n;
}

static uint32_t count_range_trans(const struct module *module)
{
	return count_in_decls(module, range_trans_of);
}

static uint32_t other_role_trans_of(const struct module *module, const struct module_decl *decl)
{
	uint32_t n = 0, process = decl->role_trans.n ? policy_process_class(module->policy) : 0;

	for (uint32_t i = 0; i < decl->role_trans.n; i++)
		n += !is_only(decl->role_trans.at[i].classes, process);
	return n;
}

static uint32_t count_role_trans(const struct module *module)
{
	return count_in_decls(module, other_role_trans_of);
}

static uint32_t bounds_of(const struct module *module, const struct module_decl *decl)
{
	uint32_t n = 0;

	(void)module;
	for (uint32_t i = 0; i < decl->types.n; i++)
		n += decl->types.at[i].bounds != 0;
	return n;
}

static uint32_t count_bounds(const struct module *module)
{
	uint32_t n = count_in_decls(module, bounds_of);

	for (uint32_t v = 1; v <= module->policy->types.n; v++)
		n += module->policy->types.at[v].bounds != 0;
	for (uint32_t v = 1; v <= module->roles.n; v++)
		n += module->roles.at[v].bounds != 0;
	for (uint32_t v = 1; v <= module->users.n; v++)
		n += module->users.at[v].bounds != 0;
	return n;
}

static uint32_t count_aliases(const struct module *module)
{
	return module->aliases.n;
}

/* What is of a base alone has the count of policies. */
static uint32_t count_capabilities(const struct module *module)
{
	return ebitmap_count(&module->policy->capabilities);
}

static uint32_t count_validatetrans(const struct module *module)
{
	return feature_uses(module->policy, FEATURE_VALIDATETRANS);
}

static uint32_t count_defaults(const struct module *module)
{
	return feature_uses(module->policy, FEATURE_DEFAULTS);
}

static uint32_t count_default_type(const struct module *module)
{
	return feature_uses(module->policy, FEATURE_DEFAULT_TYPE);
}

static uint32_t count_glblub(const struct module *module)
{
	return feature_uses(module->policy, FEATURE_GLBLUB);
}

static uint32_t count_infiniband(const struct module *module)
{
	return module->policy->ibpkeys.n + module->policy->ibendports.n;
}

enum { INFINIBAND_LABELS = 9 };

static const struct use {
	enum feature feature; /* 0: held by so many lists of labels */
	uint8_t labels;
	bool error;
	enum place_kind place;
	const char *what;
	uint32_t (*count)(const struct module *module);
} uses[] = {
	{FEATURE_MLS, 0, true, PLACE_MLS, "MLS", count_mls},
	{FEATURE_XPERMS, 0, true, PLACE_XPERMS, "extended permissions", count_xperms},
	{FEATURE_COND_XPERMS, 0, true, PLACE_COND_XPERMS, "extended permissions in conditionals", count_cond_xperms},
	{FEATURE_TYPE_RULE_SELF, 0, true, PLACE_TYPE_RULE_SELF, "type rules with `self`", count_selves},
	{FEATURE_ROLE_ATTRIBUTES, 0, true, PLACE_ROLE_ATTRIBUTE, "role attributes", count_role_attributes},
	{FEATURE_NESTED_ATTRIBUTES, 0, true, PLACE_NESTED_ATTRIBUTE, "attributes as members of attributes",
	 count_nested_attributes},
	{FEATURE_ALIAS_VALUES, 0, true, PLACE_KINDS, "aliases of a linked module", count_aliases},
	{FEATURE_VALIDATETRANS, 0, false, PLACE_VALIDATETRANS, "validatetrans", count_validatetrans},
	{FEATURE_LEVELS_AS_WRITTEN, 0, false, PLACE_RANGE_TRANS, "range transitions", count_range_trans},
	{FEATURE_CAPABILITIES, 0, false, PLACE_CAPABILITY, "policy capabilities", count_capabilities},
	{FEATURE_PERMISSIVE_MAP, 0, false, PLACE_PERMISSIVE, "permissive types", count_permissive},
	{FEATURE_BOUNDS, 0, false, PLACE_BOUNDS, "bounds", count_bounds},
	{FEATURE_FILENAME_TRANS, 0, false, PLACE_FILENAME_TRANS, "filename transitions", count_filename_trans},
	{FEATURE_ROLE_TRANS_CLASS, 0, false, PLACE_ROLE_TRANS_CLASS, "role transitions of other objects than processes",
	 count_role_trans},
	{FEATURE_DEFAULTS, 0, false, PLACE_DEFAULT, "default users, roles or ranges", count_defaults},
	{FEATURE_DEFAULT_TYPE, 0, false, PLACE_DEFAULT_TYPE, "default types", count_default_type},
	{0, INFINIBAND_LABELS, false, PLACE_INFINIBAND, "InfiniBand labels", count_infiniband},
	{FEATURE_GLBLUB, 0, false, PLACE_GLBLUB, "`default_range` with `glblub`", count_glblub},
	{FEATURE_NEVERAUDIT_MAP, 0, false, PLACE_NEVERAUDIT, "neveraudit types", count_neveraudit},
};

#define USES (sizeof uses / sizeof uses[0])

_Static_assert(USES <= (size_t)POLICYDB_MAX_NEEDS, "module_needs() has room for all");

static uint32_t since(const struct use *use)
{
	return use->feature ? features_module_since(use->feature) : features_module_labels_since(use->labels);
}

bool module_check_downgrade(const struct module *module, const struct features *features,
			    const struct policy_places *places, struct diags *diags)
{
	bool ok = true;

	for (const struct use *use = uses; use < uses + USES; use++) {
		uint32_t version = since(use), n = features->version < version ? use->count(module) : 0;
		struct loc loc = use->place == PLACE_KINDS ? LOC_NONE : place_first(places, use->place);

		if (n && use->error) {
			diag_error(diags, "unsupported-feature", loc, "module version %u has no %s",
				   (unsigned)features->version, use->what);
			diag_hint(diags, "version %u is the first with it", (unsigned)version);
			ok = false;
		} else if (n) {
			diag_warning(diags, "dropped-feature", loc, "module version %u has no %s: %u dropped",
				     (unsigned)features->version, use->what, (unsigned)n);
		}
	}
	return ok;
}

/* Highest first. */
static int compare_needs(const void *a, const void *b)
{
	const struct policydb_need *x = a, *y = b;

	if (x->version != y->version)
		return x->version > y->version ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

uint32_t module_needs(const struct module *module, struct policydb_need ret_needs[POLICYDB_MAX_NEEDS])
{
	uint32_t n = 0;

	for (const struct use *use = uses; use < uses + USES; use++) {
		uint32_t count = use->count(module);

		if (count)
			ret_needs[n++] = (struct policydb_need){since(use), count, use->what, use->place};
	}
	if (n)
		qsort(ret_needs, n, sizeof *ret_needs, compare_needs);
	return n;
}
