/* What a policy has that not every version can hold (policydb-format.md 12).
 *
 * Only what has a meaning counts: names of attributes and the type sets of
 * constraints, which nothing evaluates, are no reason for a version, and rules
 * that name attributes can be written with their types. */
#include "backend/needs.h"

#include <stdlib.h>

#include "backend/policydb.h"

static uint32_t count_mls(const struct policy *p)
{
	return p->mls;
}

static uint32_t count_bools(const struct policy *p)
{
	return p->bools.n + p->conds.n;
}

static uint32_t count_validatetrans(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		n += p->classes.at[v].validatetrans.n;
	return n;
}

static uint32_t count_range_trans(const struct policy *p)
{
	uint32_t n = 0, process = policy_process_class(p);

	for (uint32_t i = 0; i < p->range_trans.n; i++)
		n += p->range_trans.at[i].class != process;
	return n;
}

static uint32_t count_capabilities(const struct policy *p)
{
	return ebitmap_count(&p->capabilities);
}

static uint32_t count_permissive(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->types.n; v++)
		n += p->types.at[v].kind == POLICY_TYPE && p->types.at[v].permissive;
	return n;
}

static uint32_t count_neveraudit(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->types.n; v++)
		n += p->types.at[v].kind == POLICY_TYPE && p->types.at[v].neveraudit;
	return n;
}

static uint32_t count_bounds(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->types.n; v++)
		n += p->types.at[v].bounds != 0;
	for (uint32_t v = 1; v <= p->roles.n; v++)
		n += p->roles.at[v].bounds != 0;
	for (uint32_t v = 1; v <= p->users.n; v++)
		n += p->users.at[v].bounds != 0;
	return n;
}

static uint32_t count_filename_trans(const struct policy *p)
{
	return p->filename_trans.n;
}

static uint32_t count_role_trans(const struct policy *p)
{
	uint32_t n = 0, process = policy_process_class(p);

	for (uint32_t i = 0; i < p->role_trans.n; i++)
		n += p->role_trans.at[i].class != process;
	return n;
}

static uint32_t count_defaults(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		n += p->classes.at[v].default_user || p->classes.at[v].default_role || p->classes.at[v].default_range;
	return n;
}

static uint32_t count_default_type(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		n += p->classes.at[v].default_type != 0;
	return n;
}

static uint32_t count_glblub(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		n += p->classes.at[v].default_range == DEFAULT_RANGE_GLBLUB;
	return n;
}

static uint32_t count_xperm_rules(const policy_rules *rules)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rules->n; i++)
		n += (rules->at[i].kind & AV_X) != 0;
	return n;
}

static uint32_t count_cond_xperms(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->conds.n; i++)
		n += count_xperm_rules(&p->conds.at[i].yes) + count_xperm_rules(&p->conds.at[i].no);
	return n;
}

static uint32_t count_xperms(const struct policy *p)
{
	return count_xperm_rules(&p->rules) + count_cond_xperms(p);
}

static uint32_t count_nodes6(const struct policy *p)
{
	return p->nodes6.n;
}

static uint32_t count_infiniband(const struct policy *p)
{
	return p->ibpkeys.n + p->ibendports.n;
}

static uint32_t count_wide_iomem(const struct policy *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->iomems.n; i++)
		n += p->iomems.at[i].high > UINT32_MAX;
	return n;
}

static uint32_t count_devicetrees(const struct policy *p)
{
	return p->devicetrees.n;
}

/* Held by a feature, or by so many lists of labels. */
enum { SELINUX_NODE6 = 7, SELINUX_INFINIBAND = 9, XEN_DEVICETREE = 6 };

static const struct {
	enum feature feature;
	uint8_t selinux_labels, xen_labels;
	enum place_kind place;
	const char *what;
	uint32_t (*count)(const struct policy *policy);
} uses[] = {
	{FEATURE_BOOLS, 0, 0, PLACE_BOOL, "booleans and conditionals", count_bools},
	{0, SELINUX_NODE6, 0, PLACE_NODE6, "IPv6 nodes", count_nodes6},
	{FEATURE_MLS, 0, 0, PLACE_MLS, "MLS", count_mls},
	{FEATURE_VALIDATETRANS, 0, 0, PLACE_VALIDATETRANS, "validatetrans", count_validatetrans},
	{FEATURE_RANGE_TRANS_CLASS, 0, 0, PLACE_RANGE_TRANS_CLASS, "range transitions of other objects than processes",
	 count_range_trans},
	{FEATURE_CAPABILITIES, 0, 0, PLACE_CAPABILITY, "policy capabilities", count_capabilities},
	{FEATURE_PERMISSIVE_MAP, 0, 0, PLACE_PERMISSIVE, "permissive types", count_permissive},
	{FEATURE_BOUNDS, 0, 0, PLACE_BOUNDS, "bounds", count_bounds},
	{FEATURE_FILENAME_TRANS, 0, 0, PLACE_FILENAME_TRANS, "filename transitions", count_filename_trans},
	{FEATURE_ROLE_TRANS_CLASS, 0, 0, PLACE_ROLE_TRANS_CLASS, "role transitions of other objects than processes",
	 count_role_trans},
	{FEATURE_DEFAULTS, 0, 0, PLACE_DEFAULT, "default users, roles or ranges", count_defaults},
	{FEATURE_DEFAULT_TYPE, 0, 0, PLACE_DEFAULT_TYPE, "default types", count_default_type},
	{FEATURE_XPERMS, 0, 0, PLACE_XPERMS, "extended permissions", count_xperms},
	{0, SELINUX_INFINIBAND, 0, PLACE_INFINIBAND, "InfiniBand labels", count_infiniband},
	{FEATURE_GLBLUB, 0, 0, PLACE_GLBLUB, "`default_range` with `glblub`", count_glblub},
	{FEATURE_COND_XPERMS, 0, 0, PLACE_COND_XPERMS, "extended permissions in conditionals", count_cond_xperms},
	{FEATURE_NEVERAUDIT_MAP, 0, 0, PLACE_NEVERAUDIT, "neveraudit types", count_neveraudit},
	{FEATURE_WIDE_IOMEM, 0, 0, PLACE_WIDE_IOMEM, "I/O memory beyond 32 bits", count_wide_iomem},
	{0, 0, XEN_DEVICETREE, PLACE_DEVICETREE, "device tree labels", count_devicetrees},
};

#define USES (sizeof uses / sizeof uses[0])

_Static_assert(USES <= (size_t)POLICYDB_MAX_NEEDS, "policydb_needs() has room for all");

uint32_t feature_uses(const struct policy *policy, enum feature feature)
{
	for (size_t i = 0; i < USES; i++)
		if (uses[i].feature == feature)
			return uses[i].count(policy);
	return 0;
}

static uint32_t since(enum policy_target target, size_t i)
{
	if (uses[i].feature)
		return features_since(target, uses[i].feature);
	return features_labels_since(target, target == POLICY_XEN ? uses[i].xen_labels : uses[i].selinux_labels);
}

/* Highest first; those that no version has before all. */
static int compare_needs(const void *a, const void *b)
{
	const struct policydb_need *x = a, *y = b;

	if (x->version != y->version)
		return x->version - 1 > y->version - 1 ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

uint32_t policydb_needs(const struct policy *policy, struct policydb_need ret_needs[POLICYDB_MAX_NEEDS])
{
	uint32_t n = 0;

	for (size_t i = 0; i < USES; i++) {
		uint32_t count = uses[i].count(policy);

		if (count)
			ret_needs[n++] = (struct policydb_need){since(policy->target, i), count, uses[i].what, uses[i].place};
	}
	if (n)
		qsort(ret_needs, n, sizeof *ret_needs, compare_needs);
	return n;
}
