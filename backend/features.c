#include "backend/features.h"

#include <stddef.h>

#include "backend/module.h"
#include "backend/policydb.h"

/* Each name is all that the version has. */
#define HAS_16 FEATURE_BOOLS
#define HAS_19 (HAS_16 | FEATURE_MLS | FEATURE_VALIDATETRANS)
#define HAS_20 (HAS_19 | FEATURE_AVTAB_COMPACT | FEATURE_ATTRIBUTE_MAP)
#define HAS_21 (HAS_20 | FEATURE_RANGE_TRANS_CLASS)
#define HAS_22 (HAS_21 | FEATURE_CAPABILITIES)
#define HAS_23 (HAS_22 | FEATURE_PERMISSIVE_MAP)
#define HAS_24 (HAS_23 | FEATURE_BOUNDS | FEATURE_ATTRIBUTE_NAMES)
#define HAS_25 (HAS_24 | FEATURE_FILENAME_TRANS)
#define HAS_26 (HAS_25 | FEATURE_ROLE_TRANS_CLASS)
#define HAS_27 (HAS_26 | FEATURE_DEFAULTS)
#define HAS_28 (HAS_27 | FEATURE_DEFAULT_TYPE)
#define HAS_29 (HAS_28 | FEATURE_CONSTRAINT_NAMES)
#define HAS_30 (HAS_29 | FEATURE_XPERMS)
#define HAS_32 (HAS_30 | FEATURE_GLBLUB)
#define HAS_33 (HAS_32 | FEATURE_COMPRESSED_FILENAME_TRANS)
#define HAS_34 (HAS_33 | FEATURE_COND_XPERMS)
#define HAS_35 (HAS_34 | FEATURE_NEVERAUDIT_MAP)
#define HAS_XEN_30 (HAS_29 | FEATURE_WIDE_IOMEM)

/* By target, then ascending. */
static const struct features table[] = {
	{POLICY_SELINUX, 15, 5, 6, 0},
	{POLICY_SELINUX, 16, 6, 6, HAS_16},
	{POLICY_SELINUX, 17, 6, 7, HAS_16},
	{POLICY_SELINUX, 18, 6, 7, HAS_16},
	{POLICY_SELINUX, 19, 8, 7, HAS_19},
	{POLICY_SELINUX, 20, 8, 7, HAS_20},
	{POLICY_SELINUX, 21, 8, 7, HAS_21},
	{POLICY_SELINUX, 22, 8, 7, HAS_22},
	{POLICY_SELINUX, 23, 8, 7, HAS_23},
	{POLICY_SELINUX, 24, 8, 7, HAS_24},
	{POLICY_SELINUX, 25, 8, 7, HAS_25},
	{POLICY_SELINUX, 26, 8, 7, HAS_26},
	{POLICY_SELINUX, 27, 8, 7, HAS_27},
	{POLICY_SELINUX, 28, 8, 7, HAS_28},
	{POLICY_SELINUX, 29, 8, 7, HAS_29},
	{POLICY_SELINUX, 30, 8, 7, HAS_30},
	{POLICY_SELINUX, 31, 8, 9, HAS_30},
	{POLICY_SELINUX, 32, 8, 9, HAS_32},
	{POLICY_SELINUX, 33, 8, 9, HAS_33},
	{POLICY_SELINUX, 34, 8, 9, HAS_34},
	{POLICY_SELINUX, 35, 8, 9, HAS_35},
	{POLICY_XEN, 24, 8, 5, HAS_24},
	{POLICY_XEN, 30, 8, 6, HAS_XEN_30},
};

enum { ROWS = sizeof table / sizeof table[0] };

const struct features *features_find(enum policy_target target, uint32_t version)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].target == target && table[i].version == version)
			return &table[i];
	return NULL;
}

uint32_t features_since(enum policy_target target, enum feature feature)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].target == target && table[i].has & feature)
			return table[i].version;
	return 0;
}

uint32_t features_labels_since(enum policy_target target, uint32_t ocontexts)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].target == target && ocontexts && table[i].ocontexts >= ocontexts)
			return table[i].version;
	return 0;
}

uint32_t policydb_oldest(enum policy_target target)
{
	size_t i = 0;

	while (i < ROWS - 1 && table[i].target != target)
		i++;
	return table[i].version;
}

uint32_t policydb_newest(enum policy_target target)
{
	size_t i = ROWS - 1;

	while (i > 0 && table[i].target != target)
		i--;
	return table[i].version;
}

bool policydb_version_known(enum policy_target target, uint32_t version)
{
	return features_find(target, version) != NULL;
}

uint32_t policydb_xperms_since(enum policy_target target, bool conditional)
{
	return features_since(target, conditional ? FEATURE_COND_XPERMS : FEATURE_XPERMS);
}

/* ---- modules ---- */

/* The type sets of constraints, names of attributes and booleans are in all. */
#define MODULE_4 (FEATURE_BOOLS | FEATURE_ATTRIBUTE_NAMES | FEATURE_CONSTRAINT_NAMES)
#define MODULE_5 (MODULE_4 | FEATURE_MLS | FEATURE_VALIDATETRANS)
#define MODULE_6 (MODULE_5 | FEATURE_LEVELS_AS_WRITTEN | FEATURE_RANGE_TRANS_CLASS)
#define MODULE_7 (MODULE_6 | FEATURE_CAPABILITIES)
#define MODULE_8 (MODULE_7 | FEATURE_PERMISSIVE_MAP)
#define MODULE_9 (MODULE_8 | FEATURE_BOUNDS)
#define MODULE_10 (MODULE_9 | FEATURE_ALIAS_VALUES)
#define MODULE_11 (MODULE_10 | FEATURE_FILENAME_TRANS)
#define MODULE_12 (MODULE_11 | FEATURE_ROLE_TRANS_CLASS)
#define MODULE_13 (MODULE_12 | FEATURE_ROLE_ATTRIBUTES)
#define MODULE_14 (MODULE_13 | FEATURE_TUNABLES)
#define MODULE_15 (MODULE_14 | FEATURE_DEFAULTS)
#define MODULE_16 (MODULE_15 | FEATURE_DEFAULT_TYPE)
#define MODULE_18 (MODULE_16 | FEATURE_XPERMS)
#define MODULE_20 (MODULE_18 | FEATURE_GLBLUB)
#define MODULE_21 (MODULE_20 | FEATURE_TYPE_RULE_SELF)
#define MODULE_22 (MODULE_21 | FEATURE_COND_XPERMS)
#define MODULE_23 (MODULE_22 | FEATURE_NEVERAUDIT_MAP)
#define MODULE_24 (MODULE_23 | FEATURE_NESTED_ATTRIBUTES)

/* The class of a module that is no base ends early, and there are no labels. */
#define BASE_ONLY (FEATURE_VALIDATETRANS | FEATURE_DEFAULTS | FEATURE_DEFAULT_TYPE)

#define BOTH(version, labels, has) \
	{{POLICY_SELINUX, version, 8, 0, (has) & ~(uint32_t)BASE_ONLY}, {POLICY_SELINUX, version, 8, labels, has}}

/* By version, then whether it is a base. */
static const struct features modules[][2] = {
	BOTH(4, 7, MODULE_4), BOTH(5, 7, MODULE_5), BOTH(6, 7, MODULE_6), BOTH(7, 7, MODULE_7), BOTH(8, 7, MODULE_8),
	BOTH(9, 7, MODULE_9), BOTH(10, 7, MODULE_10), BOTH(11, 7, MODULE_11), BOTH(12, 7, MODULE_12),
	BOTH(13, 7, MODULE_13), BOTH(14, 7, MODULE_14), BOTH(15, 7, MODULE_15), BOTH(16, 7, MODULE_16),
	BOTH(17, 7, MODULE_16), BOTH(18, 7, MODULE_18), BOTH(19, 9, MODULE_18), BOTH(20, 9, MODULE_20),
	BOTH(21, 9, MODULE_21), BOTH(22, 9, MODULE_22), BOTH(23, 9, MODULE_23), BOTH(24, 9, MODULE_24),
};

enum { MODULES = sizeof modules / sizeof modules[0] };

const struct features *features_of_module(bool base, uint32_t version)
{
	uint32_t oldest = modules[0][0].version;

	return version < oldest || version - oldest >= MODULES ? NULL : &modules[version - oldest][base];
}

uint32_t features_module_since(enum feature feature)
{
	for (size_t i = 0; i < MODULES; i++)
		if (modules[i][true].has & feature)
			return modules[i][true].version;
	return 0;
}

uint32_t features_module_labels_since(uint32_t ocontexts)
{
	for (size_t i = 0; i < MODULES; i++)
		if (modules[i][true].ocontexts >= ocontexts)
			return modules[i][true].version;
	return 0;
}

uint32_t module_oldest(void)
{
	return modules[0][true].version;
}

uint32_t module_newest(void)
{
	return modules[MODULES - 1][true].version;
}
