/* struct module: what a policy module says (policydb-format.md 15), base or not.
 *
 * What module source and a binary module both become; it owns all it points to.
 * A module is not resolved: its symbols have scopes, and its statements stand in
 * blocks as they were written, with sets of types and roles by name, attributes
 * as themselves, subtracted members and `*` and `~`.
 *
 * What has the same form in a kernel policy stands in `policy`: mls,
 * handle_unknown, capabilities, commons, classes with constraints and defaults,
 * types, booleans, sensitivities, categories, aliases, and labels of all kinds.
 * Its roles and users stand here, and it has no rules. */
#ifndef IR_MODULE_H
#define IR_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

enum module_table {
	MODULE_COMMONS, MODULE_CLASSES, MODULE_ROLES, MODULE_TYPES, MODULE_USERS, MODULE_BOOLS, MODULE_SENS, MODULE_CATS,
	MODULE_TABLES
};

/* ---- sets as they are written ---- */

/* Values from 1, ascending, each once; in the module's arena. */
struct module_values { const uint32_t *at; uint32_t n; };

enum { MODULE_SET_STAR = 1, MODULE_SET_COMPLEMENT = 2 }; /* flags of a set: one of them, or 0 */

struct module_type_set {
	struct module_values types, negset; /* negset: subtracted */
	uint32_t flags;
};

struct module_role_set {
	struct module_values roles;
	uint32_t flags;
};

struct module_cats { uint32_t low, high; }; /* category values, a span as the source has it; equal for one category */

struct module_level {
	uint32_t sens; /* value, or 0: none was given */
	POLICY_LIST(struct module_cats) cats;
};

struct module_range { struct module_level low, high; };

/* ---- symbols ---- */

/* A type's or an attribute's own entry is policy->types.at[value]: kind, flags,
 * bounds, and for an attribute the members that the global block gives it.  Here
 * is what an optional block adds to an attribute, or bounds that it sets. */
struct module_type {
	uint32_t value;
	bool attribute;
	uint32_t bounds;
	struct module_values types; /* attribute: members */
};

/* An alias with a value of its own, as a linker makes them: policy->types.at[value]
 * has its name and no kind.  Others share their type's value, in policy->type_aliases. */
struct module_alias { uint32_t value, type; };

struct module_role {
	const char *name;             /* NULL: a gap */
	uint32_t value;
	bool attribute;
	uint32_t bounds;              /* parent, or 0 */
	struct module_values dominates;
	struct module_type_set types;
	struct module_values roles;   /* attribute: members */
};

struct module_user {
	const char *name;             /* NULL: a gap */
	uint32_t value;
	uint32_t bounds;
	struct module_role_set roles;
	struct module_range range;    /* no sensitivities: required only, or no MLS */
	struct module_level level;    /* default */
};

/* By whom a name is declared or required. */
enum module_scope_kind { MODULE_REQUIRED = 1, MODULE_DECLARED = 2 };

struct module_scope {
	const char *name;             /* of a symbol or an alias */
	uint32_t kind;                /* enum module_scope_kind */
	struct module_values decls;   /* ids, in any order; the declaring one last (15.4) */
};

/* ---- statements ---- */

/* Numbers of the format (15.3). */
enum module_rule_kind {
	MODULE_ALLOW = 0x001, MODULE_AUDITALLOW = 0x002, MODULE_AUDITDENY = 0x004, MODULE_DONTAUDIT = 0x008,
	MODULE_TRANSITION = 0x010, MODULE_MEMBER = 0x020, MODULE_CHANGE = 0x040, MODULE_NEVERALLOW = 0x080,
	MODULE_XALLOW = 0x100, MODULE_XAUDITALLOW = 0x200, MODULE_XDONTAUDIT = 0x400, MODULE_XNEVERALLOW = 0x800,
	MODULE_AV = MODULE_ALLOW | MODULE_AUDITALLOW | MODULE_AUDITDENY | MODULE_DONTAUDIT | MODULE_NEVERALLOW,
	MODULE_TE = MODULE_TRANSITION | MODULE_MEMBER | MODULE_CHANGE,
	MODULE_X = MODULE_XALLOW | MODULE_XAUDITALLOW | MODULE_XDONTAUDIT | MODULE_XNEVERALLOW,
};

enum { MODULE_RULE_SELF = 1, MODULE_RULE_NOTSELF = 2 };

struct module_perms {
	uint32_t class;
	uint32_t data; /* AV: mask, also of a dontaudit what is not audited; TE: type; X: mask of the base permission */
};

struct module_rule {
	uint32_t kind;   /* enum module_rule_kind */
	uint32_t flags;  /* MODULE_RULE_SELF, MODULE_RULE_NOTSELF, beside the targets */
	struct module_type_set sources, targets;
	POLICY_LIST(struct module_perms) perms;
	struct policy_xperms *xperms; /* X kinds; else NULL */
	struct loc loc;  /* of the statement; LOC_NONE in a module that was read */
};

typedef POLICY_LIST(struct module_rule) module_rules;

struct module_cond {
	struct policy_cond_expr *expr; /* postfix */
	uint32_t nexpr;
	bool tunable;
	module_rules yes, no;
};

struct module_role_trans {
	struct module_role_set roles;
	struct module_type_set types;
	struct module_values classes;
	uint32_t result;
};

struct module_role_allow { struct module_role_set from, to; };

struct module_filename_trans {
	const char *name;
	struct module_type_set sources, targets;
	uint32_t class, result;
	bool self;
};

struct module_range_trans {
	struct module_type_set sources, targets;
	struct module_values classes;
	struct module_range range;
};

/* Symbols that a branch requires or declares: bit = value - 1. */
struct module_symbols {
	struct ebitmap tables[MODULE_TABLES];
	POLICY_LIST(uint32_t) perms; /* mask by class value - 1; shorter than the classes, or empty: none */
};

/* One branch of a block: a declaration, in the words of the format. */
struct module_decl {
	uint32_t id;
	struct loc loc; /* with its braces; LOC_NONE in a module that was read */
	bool enabled; /* in a base, as its maker left it; linkers decide anew */
	POLICY_LIST(struct module_cond) conds;
	module_rules rules;
	POLICY_LIST(struct module_role_trans) role_trans;
	POLICY_LIST(struct module_role_allow) role_allows;
	POLICY_LIST(struct module_filename_trans) filename_trans;
	POLICY_LIST(struct module_range_trans) range_trans;
	struct module_symbols required; /* with a copy of what the blocks around require */
	struct module_symbols declared;
	/* What this branch of an optional adds; the global block has none. */
	POLICY_LIST(struct module_type) types;
	POLICY_LIST(struct module_role) roles; /* also those that it declares; names are those of the module's entries */
	POLICY_LIST(struct module_user) users;
};

struct module_block {
	POLICY_LIST(struct module_decl) decls; /* the main branch, then the else branch, if any */
};

/* ---- the whole ---- */

struct module {
	struct arena arena;
	bool base;
	const char *name, *version; /* as written; NULL in a base */
	struct policy *policy;      /* see above; its roles and users are empty */
	POLICY_SYMBOLS(struct module_role) roles; /* object_r is 1 */
	POLICY_SYMBOLS(struct module_user) users;
	POLICY_LIST(struct module_alias) aliases;
	POLICY_SYMBOLS(bool) tunables;            /* by value of the boolean: declared as tunable */
	struct ebitmap unexpanded;  /* bit = value - 1: attributes with `expandattribute false`; true: see policy_type */
	POLICY_LIST(struct module_block) blocks;  /* the global one first, then optionals in source order */
	POLICY_LIST(struct module_scope) scopes[MODULE_TABLES];
};

struct module *module_new(void); /* with an empty policy */
void module_free(struct module *module); /* NULL is fine */

/* How many branches all blocks have: ids are 1 to that. */
uint32_t module_decls(const struct module *module);

/* The permissions of the class that a branch requires and the global block does
 * not; for the global block itself, all that it requires.  0 in a base, where
 * classes are declared. */
uint32_t module_required_perms(const struct module *module, const struct module_decl *decl, uint32_t class);

#endif
