#include "backend/features.h"

#include <stddef.h>

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
