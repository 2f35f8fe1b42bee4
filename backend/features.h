/* What each version of the policydb format can hold (policydb-format.md 2.2,
 * 3.1, 3.2), of kernel policies and of modules.  Readers and writers ask for a feature; only the table knows
 * version numbers. */
#ifndef BACKEND_FEATURES_H
#define BACKEND_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/policy.h"

enum feature {
	FEATURE_BOOLS = 1 << 0,               /* conditional list */
	FEATURE_MLS = 1 << 1,                 /* ranges in contexts and users, range transitions */
	FEATURE_VALIDATETRANS = 1 << 2,
	FEATURE_AVTAB_COMPACT = 1 << 3,       /* 16-bit keys, one kind an entry, attributes */
	FEATURE_ATTRIBUTE_MAP = 1 << 4,
	FEATURE_RANGE_TRANS_CLASS = 1 << 5,
	FEATURE_CAPABILITIES = 1 << 6,
	FEATURE_PERMISSIVE_MAP = 1 << 7,      /* module: a flag of types */
	FEATURE_BOUNDS = 1 << 8,              /* and properties in place of the primary flag */
	FEATURE_ATTRIBUTE_NAMES = 1 << 9,
	FEATURE_FILENAME_TRANS = 1 << 10,
	FEATURE_ROLE_TRANS_CLASS = 1 << 11,
	FEATURE_DEFAULTS = 1 << 12,           /* default user, role, range */
	FEATURE_DEFAULT_TYPE = 1 << 13,
	FEATURE_CONSTRAINT_NAMES = 1 << 14,   /* type sets as written */
	FEATURE_XPERMS = 1 << 15,
	FEATURE_GLBLUB = 1 << 16,
	FEATURE_COMPRESSED_FILENAME_TRANS = 1 << 17,
	FEATURE_COND_XPERMS = 1 << 18,
	FEATURE_NEVERAUDIT_MAP = 1 << 19,     /* module: a flag of types */
	FEATURE_WIDE_IOMEM = 1 << 20,         /* Xen: 64-bit I/O memory */

	/* Of modules only. */
	FEATURE_LEVELS_AS_WRITTEN = 1 << 21,  /* in users, and in range transitions, which blocks have */
	FEATURE_ALIAS_VALUES = 1 << 22,       /* aliases with values of their own beside properties */
	FEATURE_ROLE_ATTRIBUTES = 1 << 23,
	FEATURE_TUNABLES = 1 << 24,
	FEATURE_TYPE_RULE_SELF = 1 << 25,     /* self in type rules and filename transitions */
	FEATURE_NESTED_ATTRIBUTES = 1 << 26,  /* attributes as members of attributes */
};

struct features {
	uint8_t target;    /* enum policy_target */
	uint8_t version;
	uint8_t symbols;   /* symbol tables: the first so many of section 5 */
	uint8_t ocontexts; /* kinds: the first so many of section 9 */
	uint32_t has;      /* of enum feature */
};

/* NULL: the target has no such version. */
const struct features *features_find(enum policy_target target, uint32_t version);
/* The same for modules, which have no target. */
const struct features *features_of_module(bool base, uint32_t version);

/* The lowest version of the target that has the feature; 0 if none has. */
uint32_t features_since(enum policy_target target, enum feature feature);
/* The same for so many lists of labels. */
uint32_t features_labels_since(enum policy_target target, uint32_t ocontexts);
/* The same for modules: what only a base has counts for any. */
uint32_t features_module_since(enum feature feature);
uint32_t features_module_labels_since(uint32_t ocontexts);

#endif
