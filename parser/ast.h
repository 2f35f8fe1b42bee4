/* Policy source as it was written: names are atoms, nothing is looked up.
 *
 * Statements stand in one flat array per kind, in source order; each knows its
 * block.  Order between kinds is the order of their locs.  A name set of one
 * plain name is that atom; any other is kept once in `sets`, however often it
 * is written, so what is worked out for a set is worked out once. */
#ifndef PARSER_AST_H
#define PARSER_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"

/* One name and where it stands: {begin, begin + its length}. */
struct ast_name {
	atom_t atom; /* ATOM_NONE: not given */
	uint32_t begin;
};

/* A name set in a statement.  id: ATOM_NONE not given; an atom, for one plain
 * name; else AST_SET | index into sets. */
struct ast_names {
	uint32_t id;
	uint32_t begin; /* first byte of its text */
};

#define AST_SET 0x80000000u
#define AST_MINUS 0x80000000u

struct ast_set {
	const uint32_t *items; /* atoms as written, braces flattened; AST_MINUS | atom when subtracted */
	uint32_t n;
	bool star;       /* `*`; n is 0 */
	bool complement; /* `~` before the rest */
};

/* A block is what stands outside of optionals in one file, or one branch of an
 * optional.  A branch comes after the blocks around it, and all blocks of a
 * module after each other. */
struct ast_block {
	struct loc loc;    /* of the branch with its braces */
	uint32_t parent;   /* that of the outermost block of a module is itself */
	uint32_t other;    /* the optional's other branch, or 0 */
	uint32_t module;   /* index into modules */
	bool is_else;
	bool requires;     /* requires anything itself */
};

/* The outermost block of the first module, which of a compile of several is the
 * base. */
enum { AST_GLOBAL = 0 };

/* The policy, a base, or a module proper: the statements of one file. */
struct ast_module {
	bool is_module;       /* it begins with a `module` statement */
	/* Text of a binary module, which does not know which block stood in which, or
	 * of which block a statement was: else branches may be empty, and say in
	 * `require` what they use; and all blocks see all of the module's names. */
	bool from_image;
	struct loc loc;       /* of that; else LOC_NONE */
	struct ast_name name; /* none in a policy or base, or when the statement is wrong */
	atom_t version;       /* as written */
	uint32_t root;        /* its outermost block */
	const char *path;     /* of its file; good as long as the sources */
};

/* Where a rule stands: 0 outside of conditionals, else cond_place(). */
typedef uint32_t ast_place_t;

static inline ast_place_t ast_in_cond(uint32_t cond, bool in_else)
{
	return (cond + 1) << 1 | in_else;
}
static inline uint32_t ast_cond_of(ast_place_t place) { return (place >> 1) - 1; }
static inline bool ast_in_else(ast_place_t place) { return place & 1; }

/* ---- sections 1 to 6 ---- */

struct ast_class { struct loc loc; struct ast_name name; };
struct ast_sid { struct loc loc; struct ast_name name; };
struct ast_common { struct loc loc; struct ast_name name; struct ast_names perms; };
struct ast_av {
	struct loc loc;
	struct ast_name name;
	struct ast_name inherits; /* or none */
	struct ast_names perms;   /* or none */
};

enum ast_default_kind { AST_DEFAULT_USER, AST_DEFAULT_ROLE, AST_DEFAULT_TYPE, AST_DEFAULT_RANGE };

struct ast_default {
	struct loc loc;
	uint8_t kind;  /* enum ast_default_kind */
	uint8_t value; /* as in the policydb: user, role, type 1 or 2; range 1 .. 7 */
	struct ast_names classes;
};

struct ast_sensitivity { struct loc loc; struct ast_name name; struct ast_names aliases; };
struct ast_category { struct loc loc; struct ast_name name; struct ast_names aliases; };
struct ast_dominance { struct loc loc; struct ast_names order; };

/* A level: sensitivity and a list of categories and category ranges, each one
 * atom (`c1.c5` is one name to the scanner). */
struct ast_level_expr { struct ast_name sens; struct ast_names cats; };
struct ast_range {
	struct loc loc;
	struct ast_level_expr low;
	struct ast_level_expr high; /* high.sens none: only one level was written */
};

struct ast_level { struct loc loc; struct ast_level_expr level; };

/* ---- constraints ---- */

enum ast_cexpr_kind { AST_CEXPR_NOT = 1, AST_CEXPR_AND, AST_CEXPR_OR, AST_CEXPR_ATTR, AST_CEXPR_NAMES };

/* Postfix.  kind, attr and op have the numbers of the policydb
 * (policydb-format.md 5.4). */
struct ast_cexpr {
	uint8_t kind, op;
	uint16_t attr;
	struct ast_names names; /* AST_CEXPR_NAMES */
	uint32_t begin;
};

struct ast_constraint {
	struct loc loc;
	bool mls;       /* mlsconstrain, mlsvalidatetrans */
	bool transition; /* (mls)validatetrans: no perms */
	struct ast_names classes, perms;
	const struct ast_cexpr *expr;
	uint32_t nexpr;
};

/* ---- type enforcement and roles ---- */

struct ast_attribute { struct loc loc; uint32_t block; struct ast_name name; };
struct ast_type { struct loc loc; uint32_t block; struct ast_name name; struct ast_names aliases, attrs; };
struct ast_typealias { struct loc loc; uint32_t block; struct ast_name name; struct ast_names aliases; };
struct ast_typeattribute { struct loc loc; uint32_t block; struct ast_name name; struct ast_names attrs; };
struct ast_expandattribute { struct loc loc; uint32_t block; struct ast_names attrs; bool value; };
struct ast_typebounds { struct loc loc; uint32_t block; struct ast_name parent; struct ast_names children; };
struct ast_bool { struct loc loc; uint32_t block; struct ast_name name; bool value, tunable; };
struct ast_permissive { struct loc loc; uint32_t block; struct ast_name name; bool neveraudit; };
struct ast_policycap { struct loc loc; struct ast_name name; };

enum ast_av_kind { AST_ALLOW, AST_AUDITALLOW, AST_AUDITDENY, AST_DONTAUDIT, AST_NEVERALLOW };

struct ast_avrule {
	struct loc loc;
	uint32_t block;
	ast_place_t place;
	uint32_t kind; /* enum ast_av_kind, also in ast_xrule (AST_AUDITDENY excepted) */
	struct ast_names sources, targets, classes, perms;
};

/* Values of an extended permission rule as written; low == high for a single
 * one.  May be above 0xffff and reversed: judged later. */
struct ast_xrange { uint32_t low, high; uint32_t begin; };

struct ast_xrule {
	struct loc loc;
	uint32_t block;
	ast_place_t place;
	uint32_t kind;
	struct ast_names sources, targets, classes;
	struct ast_name operation;
	const struct ast_xrange *ranges;
	uint32_t nranges;
	bool complement;
};

enum ast_te_kind { AST_TRANSITION, AST_MEMBER, AST_CHANGE };

struct ast_terule {
	struct loc loc;
	uint32_t block;
	ast_place_t place;
	uint32_t kind; /* enum ast_te_kind */
	struct ast_names sources, targets, classes;
	struct ast_name result;
	struct ast_name filename; /* or none; the text without quotes, begin at the quote */
};

struct ast_range_trans {
	struct loc loc;
	uint32_t block;
	struct ast_names sources, targets, classes; /* classes may be none */
	struct ast_range range;
};

struct ast_attribute_role { struct loc loc; uint32_t block; struct ast_name name; };
struct ast_role { struct loc loc; uint32_t block; struct ast_name name; struct ast_names attrs; };
struct ast_role_types { struct loc loc; uint32_t block; struct ast_name name; struct ast_names types; };
struct ast_roleattribute { struct loc loc; uint32_t block; struct ast_name name; struct ast_names attrs; };
struct ast_role_trans {
	struct loc loc;
	uint32_t block;
	struct ast_names roles, types, classes; /* classes may be none */
	struct ast_name result;
};
struct ast_role_allow { struct loc loc; uint32_t block; struct ast_names from, to; };

/* Numbers of the policydb (policydb-format.md 7). */
enum ast_cond_kind {
	AST_COND_BOOL = 1, AST_COND_NOT, AST_COND_OR, AST_COND_AND, AST_COND_XOR, AST_COND_EQ, AST_COND_NE
};

struct ast_cond_expr { uint32_t kind; struct ast_name name; };

struct ast_cond {
	struct loc loc;      /* of the whole statement */
	struct loc expr_loc;
	uint32_t block;
	const struct ast_cond_expr *expr; /* postfix */
	uint32_t nexpr;
};

enum ast_require_kind {
	AST_REQUIRE_CLASS, AST_REQUIRE_ROLE, AST_REQUIRE_ATTRIBUTE_ROLE, AST_REQUIRE_TYPE, AST_REQUIRE_ATTRIBUTE,
	AST_REQUIRE_USER, AST_REQUIRE_BOOL, AST_REQUIRE_TUNABLE, AST_REQUIRE_SENSITIVITY, AST_REQUIRE_CATEGORY
};

/* One per required name. */
struct ast_require {
	uint32_t block;
	uint32_t kind;
	struct ast_name name;
	struct ast_names perms; /* of a class */
};

struct ast_user {
	struct loc loc;
	uint32_t block;
	struct ast_name name;
	struct ast_names roles;
	bool has_level; /* level and range stand together */
	struct ast_level_expr level;
	struct ast_range range;
};

/* ---- labelling ---- */

struct ast_context {
	struct loc loc;
	struct ast_name user, role, type;
	bool has_range;
	struct ast_range range;
};

struct ast_sid_context { struct loc loc; struct ast_name name; struct ast_context context; };
struct ast_fs_use {
	struct loc loc;
	uint32_t behaviour; /* 1 xattr, 2 trans, 3 task */
	struct ast_name name;
	struct ast_context context;
};
struct ast_genfs {
	struct loc loc;
	struct ast_name fs, path;
	struct ast_name kind; /* the letter, or `-`, behind the dash; or none */
	struct ast_context context;
};

/* A number and where it stands; high equals low where one was written. */
struct ast_span { uint64_t low, high; uint32_t low_begin, high_begin; };

struct ast_port { struct loc loc; struct ast_name protocol; struct ast_span ports; struct ast_context context; };
struct ast_netif { struct loc loc; struct ast_name name; struct ast_context interface, packet; };
struct ast_node {
	struct loc loc;
	bool ipv6;
	struct ast_name address; /* with /prefix when mask is none */
	struct ast_name mask;
	struct ast_context context;
};
struct ast_ibpkey { struct loc loc; struct ast_name prefix; struct ast_span pkeys; struct ast_context context; };
struct ast_ibendport {
	struct loc loc;
	struct ast_name device;
	struct ast_span port;
	struct ast_context context;
};

enum ast_xen_kind { AST_PIRQ, AST_IOPORT, AST_IOMEM, AST_PCIDEVICE, AST_DEVICETREE };

struct ast_xen {
	struct loc loc;
	uint32_t kind;
	struct ast_span span; /* all but AST_DEVICETREE */
	struct ast_name path;
	struct ast_context context;
};

/* ---- the whole ---- */

struct ast {
	struct arena arena; /* items of sets, expressions, ranges */
	VEC(struct ast_set) sets;
	uint32_t *set_slots; /* the sets by content, see ast_names_of() */
	uint32_t nset_slots;

	VEC(struct ast_module) modules; /* one from the start, for the first file */
	VEC(struct ast_block) blocks;
	bool incomplete; /* a whole section is missing: what follows from that is not worth reporting */
	VEC(atom_t) skipped_names; /* in text that error recovery passed over; sorted when a file is parsed */

	VEC(struct ast_class) classes;
	VEC(struct ast_sid) sids;
	VEC(struct ast_common) commons;
	VEC(struct ast_av) avs;
	VEC(struct ast_default) defaults;
	VEC(struct ast_sensitivity) sensitivities;
	VEC(struct ast_dominance) dominances;
	VEC(struct ast_category) categories;
	VEC(struct ast_level) levels;
	VEC(struct ast_constraint) constraints;
	VEC(struct ast_attribute) attributes;
	VEC(struct ast_type) types;
	VEC(struct ast_typealias) typealiases;
	VEC(struct ast_typeattribute) typeattributes;
	VEC(struct ast_expandattribute) expandattributes;
	VEC(struct ast_typebounds) typebounds;
	VEC(struct ast_bool) bools;
	VEC(struct ast_permissive) permissives;
	VEC(struct ast_policycap) policycaps;
	VEC(struct ast_avrule) avrules;
	VEC(struct ast_xrule) xrules;
	VEC(struct ast_terule) terules;
	VEC(struct ast_range_trans) range_trans;
	VEC(struct ast_attribute_role) attribute_roles;
	VEC(struct ast_role) roles;
	VEC(struct ast_role_types) role_types;
	VEC(struct ast_roleattribute) roleattributes;
	VEC(struct ast_role_trans) role_trans;
	VEC(struct ast_role_allow) role_allows;
	VEC(struct ast_cond) conds;
	VEC(struct ast_require) requires;
	VEC(struct ast_user) users;
	VEC(struct ast_sid_context) sid_contexts;
	VEC(struct ast_fs_use) fs_uses;
	VEC(struct ast_genfs) genfs;
	VEC(struct ast_port) ports;
	VEC(struct ast_netif) netifs;
	VEC(struct ast_node) nodes;
	VEC(struct ast_ibpkey) ibpkeys;
	VEC(struct ast_ibendport) ibendports;
	VEC(struct ast_xen) xens;
};

void ast_init(struct ast *ast); /* with a module and its outermost block */
void ast_free(struct ast *ast);

/* A further module with its outermost block; its index.  Each file has one of
 * its own, and files are parsed in the order of their modules. */
uint32_t ast_add_module(struct ast *ast);

static inline bool ast_is_root(const struct ast *ast, uint32_t block)
{
	return ast->blocks.at[block].parent == block;
}

/* The outermost block around a block. */
static inline uint32_t ast_root(const struct ast *ast, uint32_t block)
{
	return ast->modules.at[ast->blocks.at[block].module].root;
}

/* The id of a set with these items (struct ast_names); keeps equal ones once. */
uint32_t ast_set_id(struct ast *ast, const uint32_t *items, uint32_t n, bool star, bool complement);

/* A uniform view of a set reference: fills *set, using *one as the item of a
 * plain name.  A set not given is empty. */
static inline struct ast_set ast_set_of(const struct ast *ast, struct ast_names names, uint32_t *one)
{
	if (names.id & AST_SET)
		return ast->sets.at[names.id & ~AST_SET];
	*one = names.id;
	return (struct ast_set){.items = one, .n = names.id != ATOM_NONE};
}

static inline struct loc ast_name_loc(const struct atoms *atoms, struct ast_name name)
{
	return (struct loc){name.begin, name.begin + atom_len(atoms, name.atom)};
}

/* Where a name stands as a whole word outside of comments: its first occurrence
 * that begins in [from, from + within); LOC_NONE when there is none. */
struct loc ast_find_name(const struct sources *sources, const struct atoms *atoms, uint32_t from, uint32_t within,
			 atom_t name);

/* The level range that a word with a dash in it is a part of, with spaces around
 * the dash.  begin: of the word; in_cats: it stands behind the colon of the low
 * level, which is then looked for.  What does not fit is cut. */
void ast_spaced_range(const struct sources *sources, uint32_t begin, uint32_t dash, bool in_cats, char *text, size_t size);

/* Whether a name occurs in text that error recovery passed over: then it may
 * have been declared there, and is not reported as unknown. */
bool ast_was_skipped(const struct ast *ast, atom_t name);

#endif
