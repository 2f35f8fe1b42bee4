/* struct policy: a policy as the kernel knows it.
 *
 * What `ir` makes of source and what the policydb reader makes of an image; all
 * later stages read it, and it owns all it points to.  Symbols have values
 * from 1, and the symbol of value v is at[v]; at[0] is unused, and n is the
 * highest value.  A bit b of a set of symbols stands for value b + 1.
 * Facts: policydb-format.md; sections are named where they say more. */
#ifndef IR_POLICY_H
#define IR_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ebitmap/ebitmap.h"

enum { POLICY_MAX_PERMS = 32, POLICY_MAX_SYMBOLS = 65535 };

enum policy_target { POLICY_SELINUX, POLICY_XEN };
enum policy_unknown { POLICY_UNKNOWN_DENY = 0, POLICY_UNKNOWN_REJECT = 2, POLICY_UNKNOWN_ALLOW = 4 };

/* An array of symbols by value. */
#define POLICY_SYMBOLS(T) struct { T *at; uint32_t n; }
/* A list of records. */
#define POLICY_LIST(T) struct { T *at; uint32_t n; }

struct policy_level {
	uint32_t sens; /* value; 0 in a policy without MLS */
	struct ebitmap cats;
};

struct policy_range { struct policy_level low, high; };

struct policy_context {
	uint32_t user, role, type;
	struct policy_range range;
};

/* ---- symbols (5) ---- */

struct policy_common {
	const char *name;
	uint32_t nperms;
	const char *perms[POLICY_MAX_PERMS]; /* by value - 1 */
};

enum policy_cexpr_kind { CEXPR_NOT = 1, CEXPR_AND, CEXPR_OR, CEXPR_ATTR, CEXPR_NAMES };
enum policy_cexpr_attr {
	CEXPR_USER = 1, CEXPR_ROLE = 2, CEXPR_TYPE = 4, CEXPR_TARGET = 8, CEXPR_XTARGET = 16,
	CEXPR_L1L2 = 32, CEXPR_L1H2 = 64, CEXPR_H1L2 = 128, CEXPR_H1H2 = 256, CEXPR_L1H1 = 512, CEXPR_L2H2 = 1024
};
enum policy_cexpr_op { CEXPR_EQ = 1, CEXPR_NEQ, CEXPR_DOM, CEXPR_DOMBY, CEXPR_INCOMP };

struct policy_cexpr {
	uint32_t kind, attr, op;
	struct ebitmap names;     /* CEXPR_NAMES: users, roles or types, attributes expanded */
	struct ebitmap type_set;  /* CEXPR_NAMES of types: as written, attributes kept */
	/* The rest of the type set of an image: nothing evaluates it. */
	struct ebitmap type_negset;
	uint32_t type_flags;
};

struct policy_constraint {
	uint32_t perms; /* mask; 0 for validatetrans */
	struct policy_cexpr *expr; /* postfix */
	uint32_t nexpr;
};

enum policy_default_range {
	DEFAULT_RANGE_SOURCE_LOW = 1, DEFAULT_RANGE_SOURCE_HIGH, DEFAULT_RANGE_SOURCE_LOW_HIGH,
	DEFAULT_RANGE_TARGET_LOW, DEFAULT_RANGE_TARGET_HIGH, DEFAULT_RANGE_TARGET_LOW_HIGH, DEFAULT_RANGE_GLBLUB
};

struct policy_class {
	const char *name;
	uint32_t common;    /* value, or 0 */
	uint32_t nperms;    /* inherited ones, then own ones */
	const char *perms[POLICY_MAX_PERMS]; /* by value - 1 */
	POLICY_LIST(struct policy_constraint) constraints;    /* in the order written to an image */
	POLICY_LIST(struct policy_constraint) validatetrans;
	uint8_t default_user, default_role, default_type; /* 0 unset, 1 source, 2 target */
	uint8_t default_range;                            /* 0 unset or enum policy_default_range */
};

struct policy_role {
	const char *name;       /* NULL: a gap */
	uint32_t bounds;        /* parent, or 0 */
	struct ebitmap dominates, types;
};

enum policy_type_kind { POLICY_GAP, POLICY_TYPE, POLICY_ATTRIBUTE };

struct policy_type {
	const char *name;     /* NULL: a gap, or an attribute from an image before version 24 */
	uint8_t kind;         /* enum policy_type_kind */
	bool permissive, neveraudit;
	bool expand;          /* attribute: expanded away, its row of the attribute map is empty */
	uint32_t bounds;      /* type: parent, or 0 */
	struct ebitmap types; /* attribute: its types */
};

/* A further name of a type, sensitivity or category. */
struct policy_alias { const char *name; uint32_t value; };

struct policy_user {
	const char *name;
	uint32_t bounds;
	struct ebitmap roles;
	struct policy_range range;
	struct policy_level level; /* default */
};

struct policy_bool { const char *name; bool state; };
struct policy_sens { const char *name; struct ebitmap cats; };
struct policy_cat { const char *name; };

/* ---- rules (6, 7, 8) ---- */

enum policy_av_kind {
	AV_ALLOWED = 0x0001, AV_AUDITALLOW = 0x0002, AV_AUDITDENY = 0x0004,
	AV_TRANSITION = 0x0010, AV_MEMBER = 0x0020, AV_CHANGE = 0x0040,
	AV_XALLOWED = 0x0100, AV_XAUDITALLOW = 0x0200, AV_XDONTAUDIT = 0x0400,
	AV_AV = AV_ALLOWED | AV_AUDITALLOW | AV_AUDITDENY,
	AV_TE = AV_TRANSITION | AV_MEMBER | AV_CHANGE,
	AV_X = AV_XALLOWED | AV_XAUDITALLOW | AV_XDONTAUDIT,
};

struct policy_rule {
	uint16_t source, target, class; /* source and target: types, or attributes for AV_AV and AV_X */
	uint16_t kind;                  /* one of enum policy_av_kind */
	uint32_t data;                  /* AV_AV: mask (AUDITDENY: of denials to audit); AV_TE: type; AV_X: index into xperms */
};

enum policy_xperm_kind { XPERM_IOCTL_FUNCTION = 1, XPERM_IOCTL_DRIVER = 2, XPERM_NLMSG = 3 };

struct policy_xperms {
	uint8_t specified; /* enum policy_xperm_kind */
	uint8_t driver;
	uint32_t perms[8];
};

/* Rules of a list are sorted by class, source, target, kind (and for AV_X by
 * specified and driver); a key occurs once. */
typedef POLICY_LIST(struct policy_rule) policy_rules;

enum policy_cond_kind { COND_BOOL = 1, COND_NOT, COND_OR, COND_AND, COND_XOR, COND_EQ, COND_NEQ };

enum { COND_MAX_DEPTH = 10, CEXPR_MAX_DEPTH = 5 };

struct policy_cond_expr { uint32_t kind, boolean; };

struct policy_cond {
	struct policy_cond_expr *expr; /* postfix */
	uint32_t nexpr;
	policy_rules yes, no;
};

struct policy_role_trans { uint32_t role, type, class, result; };
struct policy_role_allow { uint32_t role, result; };

/* One (name, target, class, result); sources of one (name, target, class) are
 * disjoint.  Sorted by name, target, class, result. */
struct policy_filename_trans {
	const char *name;
	uint32_t target, class, result;
	struct ebitmap sources;
};

struct policy_range_trans {
	uint32_t source, target, class;
	struct policy_range range;
};

/* ---- labelling (9, 10) ---- */

struct policy_sid { uint32_t sid; struct policy_context context; };
struct policy_fs_use { uint32_t behaviour; const char *name; struct policy_context context; };
struct policy_port { uint32_t protocol, low, high; struct policy_context context; };
struct policy_netif { const char *name; struct policy_context interface, packet; };
/* Bytes in network order; an IPv4 node uses the first four. */
struct policy_node { unsigned char address[16], mask[16]; struct policy_context context; };
struct policy_ibpkey { unsigned char prefix[8]; uint32_t low, high; struct policy_context context; };
struct policy_ibendport { const char *device; uint32_t port; struct policy_context context; };
struct policy_genfs { const char *fs, *path; uint32_t class; struct policy_context context; };

struct policy_xen_span { uint64_t low, high; struct policy_context context; };
struct policy_devicetree { const char *path; struct policy_context context; };

struct policy {
	struct arena arena; /* names, arrays; the words of sets are freed by policy_free() */
	enum policy_target target;
	enum policy_unknown handle_unknown;
	bool mls;
	struct ebitmap capabilities; /* bit n: capability n (language.md 9.8) */

	POLICY_SYMBOLS(struct policy_common) commons;
	POLICY_SYMBOLS(struct policy_class) classes;
	POLICY_SYMBOLS(struct policy_role) roles; /* object_r is 1 */
	POLICY_SYMBOLS(struct policy_type) types; /* types and attributes */
	POLICY_SYMBOLS(struct policy_user) users;
	POLICY_SYMBOLS(struct policy_bool) bools;
	POLICY_SYMBOLS(struct policy_sens) sens;
	POLICY_SYMBOLS(struct policy_cat) cats;
	POLICY_LIST(struct policy_alias) type_aliases, sens_aliases, cat_aliases;

	policy_rules rules; /* unconditional */
	POLICY_LIST(struct policy_cond) conds;
	POLICY_LIST(struct policy_xperms) xperms; /* of all AV_X rules */
	POLICY_LIST(struct policy_role_trans) role_trans;
	POLICY_LIST(struct policy_role_allow) role_allows;
	POLICY_LIST(struct policy_filename_trans) filename_trans;
	POLICY_LIST(struct policy_range_trans) range_trans;

	/* All in the order of an image (policydb-format.md 9.3). */
	POLICY_LIST(struct policy_sid) sids;
	POLICY_LIST(struct policy_fs_use) fs_uses;
	POLICY_LIST(struct policy_port) ports;
	POLICY_LIST(struct policy_netif) netifs;
	POLICY_LIST(struct policy_node) nodes;  /* IPv4 */
	POLICY_LIST(struct policy_node) nodes6;
	POLICY_LIST(struct policy_ibpkey) ibpkeys;
	POLICY_LIST(struct policy_ibendport) ibendports;
	POLICY_LIST(struct policy_genfs) genfs; /* by file system, longer paths first */
	POLICY_LIST(struct policy_xen_span) pirqs, ioports, iomems, pcidevices;
	POLICY_LIST(struct policy_devicetree) devicetrees;
};

struct policy *policy_new(void);
void policy_free(struct policy *policy); /* NULL is fine */

/* The types a value stands for: those of an attribute, or the type itself. */
void policy_types_of(const struct policy *policy, uint32_t type, struct ebitmap *ret_types); /* adds to it */
bool policy_type_matches(const struct policy *policy, uint32_t type, uint32_t rule_type); /* type in rule_type? */

/* The value of a symbol by its name, 0 when the policy has none of it.  A type
 * may also be an attribute, or have the name as an alias. */
uint32_t policy_find_class(const struct policy *policy, const char *name);
uint32_t policy_find_type(const struct policy *policy, const char *name);
uint32_t policy_find_role(const struct policy *policy, const char *name);
uint32_t policy_find_bool(const struct policy *policy, const char *name);
/* A permission as a mask, 0 when the class has none of that name. */
uint32_t policy_find_perm(const struct policy_class *class, const char *name);

/* The class that role and range transitions mean when they name none: `process`,
 * on Xen `domain`; 0 when the policy has no such class. */
uint32_t policy_process_class(const struct policy *policy);

void policy_level_copy(struct policy_level *to, const struct policy_level *from);
bool policy_level_equal(const struct policy_level *a, const struct policy_level *b);
bool policy_level_dominates(const struct policy_level *a, const struct policy_level *b); /* a dom b */
void policy_range_copy(struct policy_range *to, const struct policy_range *from);
bool policy_range_equal(const struct policy_range *a, const struct policy_range *b);
void policy_range_free(struct policy_range *range);
void policy_context_free(struct policy_context *context);

/* The value of a conditional with the booleans' default states. */
bool policy_cond_state(const struct policy *policy, const struct policy_cond *cond);

#endif
