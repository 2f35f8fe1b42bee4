/* What the passes of ir/ share: the compile, its symbols, and how names and
 * sets are looked up.  Private to ir/. */
#ifndef IR_INTERNAL_H
#define IR_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ebitmap/ebitmap.h"
#include "ir/ir.h"
#include "ir/nest.h"
#include "ir/pairs.h"
#include "ir/policy.h"
#include "parser/ast.h"

/* ---- symbols ---- */

enum symbol_kind {
	SYM_COMMON, SYM_CLASS, SYM_SID, SYM_TYPE, SYM_ROLE, SYM_USER, SYM_BOOL, SYM_SENS, SYM_CAT, SYM_KINDS
};

/* Types and roles: PLAIN or ATTRIBUTE; bools: PLAIN or TUNABLE; types,
 * sensitivities, categories: also ALIAS. */
enum symbol_flavour { FLAVOUR_PLAIN, FLAVOUR_ATTRIBUTE, FLAVOUR_TUNABLE, FLAVOUR_ALIAS };

struct symbol {
	atom_t name;
	uint8_t kind;     /* enum symbol_kind */
	uint8_t flavour;  /* enum symbol_flavour */
	bool declared;    /* somewhere; else only required */
	bool global;      /* declared or required in AST_GLOBAL: visible in all blocks of the first module */
	bool live;        /* declared in a live block; set by resolve */
	bool required;    /* somewhere */
	struct loc loc;   /* of its name in the first declaration, else the first requirement */
	uint32_t block;   /* that of loc */
	uint32_t first;   /* offset of the first declaration or requirement */
	uint32_t primary; /* ALIAS: index of what it stands for */
	uint32_t scopes;  /* blocks that declare or require it: index into compile.scopes, or 0 */
	/* In struct policy, from 1.  Of types and roles every declared symbol has
	 * one: live types and attributes (live roles) first, in the order of the
	 * source, then what has no place in the policy: those of dead blocks and
	 * role attributes.  An alias has that of its primary. */
	uint32_t value;
};

struct scope {
	uint32_t block;
	bool declares; /* else requires */
	uint32_t next; /* or 0 */
};

/* A name that is unknown or out of scope: its finding, and the place of the
 * use seen last; and its uses, which are counted in the end. */
struct faulty_name { uint32_t finding, last; };
struct faulty_use { uint32_t finding, begin; };

struct symbols {
	VEC(struct symbol) at;  /* [0] is unused */
	uint32_t *by_atom;      /* atom to index, 0: no such symbol */
	uint32_t nvalues;       /* highest value given, dead ones included */
};

/* ---- by value, beside struct policy ---- */

struct role_info {              /* roles and role attributes */
	struct ebitmap members;       /* attribute: its roles in live blocks, nested ones resolved */
	struct ebitmap direct_types;  /* by `role R types` of the global block, attributes expanded */
};

struct user_info {
	struct ebitmap direct_roles;  /* of the global block's `roles`, attributes not expanded */
};

struct type_info {
	struct ebitmap global_types;  /* attribute: members made in the outermost block of one module */
};

/* A neverallow with its sets worked out.  The pairs to check are sources x
 * targets, plus (s, s) for each source when self, less every (s, s) when
 * not_self. */
struct neverallow {
	struct loc loc;
	struct ast_names source_names, target_names; /* as written; for messages */
	struct ebitmap sources, targets; /* types */
	bool self, not_self;
	uint32_t *classes, *perms;       /* nclasses pairs: class value and mask; in the arena */
	uint32_t nclasses;
	bool xperm;                      /* then perms holds the base permission, ioctl or nlmsg */
	bool nlmsg;
	struct ebitmap values;           /* of a neverallowxperm: 0 .. 0xffff */
};

/* What is compiled. */
enum compile_form {
	COMPILE_POLICY, /* a monolithic policy, or a base alone */
	COMPILE_MODULE, /* a module alone: what it requires is taken to be there, and all blocks to be off */
	COMPILE_LINK,   /* a base and modules; a name is visible where its own module declares or requires it */
};

struct compile {
	enum compile_form form;
	struct module *module;   /* to be filled as well, or NULL */
	const struct ast *ast;
	const struct sources *sources;
	struct atoms *atoms;
	const struct ir_options *options;
	struct diags *diags;
	struct arena arena;      /* what dies with the compile */
	struct policy *policy;   /* the result under construction */

	struct symbols symbols[SYM_KINDS];
	VEC(struct scope) scopes;
	struct pairs scope_of;    /* COMPILE_LINK: (scope_key(symbol), block) to the offset of the name there */
	struct pairs declared_in; /* COMPILE_LINK: (scope_key(symbol), module): that module declares it */
	struct pairs reported_perms; /* (permission, module and class): reported, see sets.c */
	struct pairs known_perms; /* COMPILE_LINK: (module, class value) to the mask of the permissions it requires */
	uint32_t memberships_of;  /* the module that c->types[].global_types is about, see types.c */
	VEC(uint32_t) members_set; /* its attributes in global_types */
	nestings nested;           /* scratch for it */
	struct pairs reported;    /* (name, module and kind) to an index in faulty_names + 1, see scope.c */
	VEC(struct faulty_name) faulty_names;
	VEC(struct faulty_use) faulty_uses;
	bool *live;              /* by block */
	bool fatal;              /* an error after which no pass can run */
	atom_t self;             /* the name `self`, or ATOM_NONE where the source has none */
	uint32_t process_class;  /* value of class process, or 0 */

	struct role_info *roles; /* by value, symbols[SYM_ROLE].nvalues + 1 */
	struct user_info *users;
	struct type_info *types;
	atom_t *class_names;     /* by class value */
	atom_t (*class_perms)[POLICY_MAX_PERMS]; /* by class value: names of its permissions */
	VEC(struct neverallow) neverallows;
	struct set_memo *memo;   /* sets already worked out, see sets.c */
	struct cond_info *conds; /* by ast cond, see conds.c */
	struct assembly *assembly; /* rules until they are sorted, see assemble.c */
	VEC(struct policy_xperms) xperms; /* of the AV_X rules in the assembly */
	struct { uint32_t begin, end, next; } last_set; /* item_loc(): the set it last looked at, and the end of the item */
	struct origin_index *origins; /* made when the first message wants it, see origin.c */
	struct member_index *members; /* the same, see member.c */
	uint32_t searches;            /* for near names, see suggest.c */
};

/* ---- scope.c: finding names ---- */

/* The symbol of that name, aliases as themselves; NULL when there is none. */
struct symbol *symbol_find(const struct compile *c, enum symbol_kind kind, atom_t name);

/* Declares a name in a block.  A second declaration is an error (check
 * "duplicate-declaration", with the first place) unless the kind allows it
 * (roles and users); NULL then. */
struct symbol *symbol_declare(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block);

/* A name used in a block: finds it, resolves an alias to its primary, checks
 * that it is visible there.  Otherwise NULL, with an error: check
 * "unknown-type" and so on, or "not-in-scope"; once per name, with the number
 * of further uses (count_faulty_uses()). */
struct symbol *symbol_use(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block);
/* The same for one item of a set. */
struct symbol *symbol_use_item(struct compile *c, enum symbol_kind kind, struct ast_names names, atom_t item,
			       uint32_t block);

/* The same for a requirement.  The flavour must be that of the declaration
 * (check "flavour-mismatch"), but bools and tunables pass for each other. */
struct symbol *symbol_require(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block);

/* Like symbol_use() for the statements that want the name declared (or
 * required) earlier in the source: else check "declared-later". */
struct symbol *symbol_use_earlier(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block);

/* For the one name that a statement cannot do without: false, with an error
 * (check "not-in-policy"), when the block is on and the symbol is in no block
 * that is on.  The else branch of an optional within one that is off sees such. */
bool symbol_in_policy(struct compile *c, const struct symbol *s, struct ast_name name, uint32_t block);

/* Whether a statement of the block may name the symbol. */
bool symbol_visible(const struct compile *c, const struct symbol *s, uint32_t block);

/* ---- suggest.c: hints of the last finding about a name that was not found ---- */

#define ANY_BLOCK UINT32_MAX

/* Near names among those that the block sees, or ANY_BLOCK. */
void suggest_symbol(struct compile *c, enum symbol_kind kind, const char *text, size_t len, uint32_t block);
void suggest_perm(struct compile *c, uint32_t class, atom_t perm);
bool suggest_text(struct compile *c, atom_t name, const char *const *names, uint32_t n); /* near ones of a list; whether there are any */

/* Where an item of a set stands.  A search of the text: for messages, and for
 * the few statements that want the order of single names. */
struct loc item_loc(struct compile *c, struct ast_names names, atom_t item);

static inline uint32_t module_of(const struct compile *c, uint32_t block)
{
	return c->ast->blocks.at[block].module;
}

/* Whether the module of a block declares or requires the symbol anywhere. */
bool symbol_in_module(const struct compile *c, const struct symbol *s, uint32_t block);
bool symbol_declared_in(const struct compile *c, const struct symbol *s, uint32_t block);

/* The name of a block's module for messages: "the base" or "module `m`". */
const char *module_text(struct compile *c, uint32_t block);

static inline uint32_t symbol_index(const struct compile *c, const struct symbol *s)
{
	return (uint32_t)(s - c->symbols[s->kind].at.at);
}

/* A copy of the name that lives as long as the policy. */
const char *keep_name(struct compile *c, atom_t name);

/* ---- alias.c ---- */

/* Declares the aliases of a type, sensitivity or category: a list of names. */
void declare_aliases(struct compile *c, const struct symbol *primary, struct ast_names aliases, uint32_t block);
/* Names that mean something else: errors. */
void refuse_dot(struct compile *c, struct ast_name name, const char *what);
bool refuse_self(struct compile *c, struct ast_name name); /* true when it is `self` */

const char *symbol_kind_text(const struct symbol *s); /* "type", "attribute", ... */

void count_faulty_uses(struct compile *c); /* once, when all is reported */

void symbols_init(struct compile *c);
void symbols_free(struct compile *c);

static inline const char *name_text(const struct compile *c, atom_t name)
{
	return atom_text(c->atoms, name);
}

/* ---- sets.c: the value of a set ---- */

struct class_list { uint32_t *at; uint32_t n; }; /* class values without repeats, in the order written */

/* The classes of a set; unknown ones are reported (check "unknown-class"), as
 * are the forms that are none of a class set.  Good as long as the compile.
 * Classes that are only required have values as well, behind those of the
 * policy, and are left out in a block that is on. */
struct class_list classes_of(struct compile *c, struct ast_names names, uint32_t block);

/* By class value, also of a class that is only required (require.c): */
uint32_t class_nperms(const struct compile *c, uint32_t class);
const char *class_text(const struct compile *c, uint32_t class);
uint32_t perm_bit(const struct compile *c, uint32_t class, atom_t name); /* or 0 */
/* False when the module of the block has been told of the permission before. */
bool perm_is_new(struct compile *c, uint32_t class, atom_t perm, uint32_t block);
/* The mask of the permissions that statements of the block's module may name. */
uint32_t known_perms(const struct compile *c, uint32_t class, uint32_t block);

/* Class process, which statements without a class mean, or 0. */
uint32_t process_class_in(const struct compile *c, uint32_t block);

/* The mask of a permission set in a class: `*` all declared, `~` the declared
 * ones less these; in a module, of those that it requires.  Permissions that
 * the class does not have, or the module does not require, are reported (check
 * "unknown-permission") and left out: then false. */
bool perms_of(struct compile *c, struct ast_names names, uint32_t class, uint32_t block, uint32_t *ret_mask);

/* What a type set may hold besides names, braces and `-`. */
enum { SET_SELF = 1, SET_STAR = 2, SET_NOT_SELF = 4 }; /* self; `*` and `~`; `-self` and `~self` */

/* Checks the names of a type set and its form; what is not allowed is an error. */
bool check_type_set(struct compile *c, struct ast_names names, uint32_t block, unsigned allowed);

/* Which of SET_SELF and SET_NOT_SELF a checked set says; ~self is both. */
unsigned type_set_self(const struct compile *c, struct ast_names names);

/* Checks the names of a role set (plain names, attributes included). */
bool check_role_set(struct compile *c, struct ast_names names, uint32_t block);

/* The values a rule is stored under.  Good as long as the compile. */
struct operand { const uint16_t *at; uint32_t n; };

/* For access-vector rules: attributes stay as they are, unless expanded away
 * or the set has a subtraction (language.md 13.3).  self is left out. */
struct operand rule_operand(struct compile *c, struct ast_names names);
/* For all others: types only.  With global_only as types_of(). */
struct operand type_operand(struct compile *c, struct ast_names names);

void sets_init(struct compile *c); /* once all symbols have values and attributes their types */
void sets_free(struct compile *c);

/* Types of a type set: attributes expanded (with the memberships of all live
 * blocks, or of the global block only), subtraction done, `*` and `~` over all
 * live types.  self is left out.  Names must have been checked. */
void types_of(struct compile *c, struct ast_names names, bool global_only, struct ebitmap *ret_types);

/* The same in two parts: adds the plain members to plus, the subtracted ones to
 * minus. */
void type_parts(struct compile *c, struct ast_names names, bool global_only, struct ebitmap *plus,
		struct ebitmap *minus);

/* Roles of a role set, role attributes replaced by their members. */
void roles_of(struct compile *c, struct ast_names names, struct ebitmap *ret_roles);

/* ---- the other passes, in their order (see compile.c) ---- */

void declare(struct compile *c);           /* declare.c: every symbol of every block */
void require_classes(struct compile *c);   /* require.c: classes that modules require, */
void require_permissions(struct compile *c); /* with permissions; in a base both must be there */
void check_base_requirements(struct compile *c); /* require.c: what only a base can declare */
void declare_required_mls(struct compile *c); /* mls_declare.c: COMPILE_MODULE */
void resolve(struct compile *c);           /* resolve.c: c->live */
/* Whether a requirement of a block may be: in an else branch it only says what is
 * seen, and in text from people nothing does. */
static inline bool may_require(const struct compile *c, uint32_t block)
{
	return !c->ast->blocks.at[block].is_else || c->ast->modules.at[module_of(c, block)].from_image;
}

/* What an ast_require asks for: its kind, its symbol (or NULL), and whether it is there. */
enum symbol_kind require_kind(const struct ast_require *a);
const struct symbol *required_symbol(const struct compile *c, const struct ast_require *a);
bool requirement_met(const struct compile *c, const struct ast_require *a);
const char *require_kind_text(const struct ast_require *a); /* optional.c: "type", "role attribute", ... */
void report_optionals(struct compile *c);  /* optional.c: which blocks are off, and why */
/* Whether a role or user lives only because a live block requires it (language.md 11.2). */
bool symbol_is_revived(const struct compile *c, const struct symbol *s);
void number(struct compile *c);            /* number.c: values, and the arrays of struct policy */
void lower_types(struct compile *c);       /* types.c: attributes' types, aliases, bounds, flags */
/* Makes global_types that of the block's module: where statements of one module
 * are compared, attributes have the members that its outermost block makes. */
void use_memberships(struct compile *c, uint32_t block);
void lower_roles(struct compile *c);       /* roles.c: attributes' roles, roles' types */
void lower_users(struct compile *c);       /* users.c */
void lower_defaults(struct compile *c);    /* declare.c */
void lower_conds(struct compile *c);       /* conds.c */
void assembly_init(struct compile *c);     /* assemble.c */
void assembly_free(struct compile *c);
void lower_av_rules(struct compile *c);    /* rules.c: access vectors and neverallow */
void lower_xperm_rules(struct compile *c); /* xrules.c: extended permissions */
void lower_te_rules(struct compile *c);    /* terules.c: type_transition, _member, _change */
void lower_filename_trans(struct compile *c); /* filename.c */
void lower_role_rules(struct compile *c);     /* role_rules.c: role allow, role_transition */
void check_hierarchy(struct compile *c);   /* types.c: dotted names have their parents */

/* The parent that a dotted name implies: everything before the last dot, or
 * ATOM_NONE for a name without a dot or whose parent's name is no atom. */
bool has_dot(const struct compile *c, atom_t name);
atom_t dotted_parent(const struct compile *c, atom_t name);

/* ---- conds.c ---- */

/* What became of a conditional of the source. */
enum cond_fate {
	COND_GONE,    /* wrong, in a block that is off, or without rules */
	COND_NODE,    /* a node of the policy */
	COND_TUNABLE, /* one branch is unconditional, the other gone */
};

struct cond_info {
	uint8_t fate;  /* enum cond_fate */
	bool swapped;  /* COND_NODE: its first branch is the node's no list */
	bool taken_else; /* COND_TUNABLE: which branch is left */
	uint32_t node; /* index into policy->conds */
};

/* Where the rules of a place go: dropped, unconditional (node UINT32_MAX), or
 * into one list of a node. */
struct destination { bool dropped; uint32_t node; bool no; };
struct destination destination_of(const struct compile *c, ast_place_t place);

/* ---- rules.c: what access-vector and extended permission rules share ---- */

/* The type sets of a rule: names, and the forms that its kind allows. */
bool check_rule_sets(struct compile *c, struct ast_names sources, struct ast_names targets, uint32_t block, bool never);

/* Appends to c->neverallows; masks belong to classes. */
struct neverallow *add_neverallow(struct compile *c, struct loc loc, struct ast_names sources, struct ast_names targets,
				  struct class_list classes, const uint32_t *masks);

/* The set of values that an extended permission rule without error lists (xrules.c). */
void xrule_values(const struct ast_xrule *a, struct ebitmap *ret_values);
/* Appends its records to c->xperms; from where. */
uint32_t xrule_records(struct compile *c, const struct ast_xrule *a);

/* The result of a type rule: one type; else NULL with an error (terules.c). */
const struct symbol *te_result(struct compile *c, const struct ast_terule *a);

/* ---- assemble.c: rules as they come from the source ---- */

/* Adds one rule to those of a destination.  data as in struct policy_rule; of
 * an AV_X rule an index into c->xperms. */
void add_rule(struct compile *c, struct destination to, enum policy_av_kind kind, uint32_t source, uint32_t target,
	      uint32_t class, uint32_t data);

/* Sorts what add_rule() gathered, merges equal keys, fills the rules and the
 * lists of the conditionals of the policy. */
void assemble_rules(struct compile *c);

/* ---- mls.c ---- */

/* A level or range in use (language.md 9.5): names, categories allowed with the
 * sensitivity, dominance.  False with an error recorded.  Without -M any level
 * is an error (check "mls-disabled"), recorded here. */
bool mls_level(struct compile *c, const struct ast_level_expr *expr, uint32_t block, struct policy_level *ret_level);
bool mls_range(struct compile *c, const struct ast_range *expr, uint32_t block, struct policy_range *ret_range);
/* Text of a level or range for messages, in the arena. */
const char *mls_level_text(struct compile *c, const struct policy_level *level);
const char *mls_range_text(struct compile *c, const struct policy_range *range);

void mls_declare(struct compile *c);           /* sensitivities, dominance, categories, levels */
void mls_check_declared(struct compile *c);    /* each sensitivity has its level */
void lower_range_transitions(struct compile *c);

/* ---- constraint.c, context.c, labels.c ---- */

void lower_constraints(struct compile *c);

/* A context of the global block, valid by language.md 10.1; false with an error
 * for each reason (check "invalid-context" and the unknown-... ones). */
bool context_of(struct compile *c, const struct ast_context *ast, struct policy_context *ret_context);

void lower_labels(struct compile *c); /* language.md 10: SIDs to InfiniBand, and Xen's */

/* ---- neverallow.c, bounds.c ---- */

void check_neverallows(struct compile *c);  /* language.md 14.1, 14.2; over c->policy and c->neverallows */
void check_bounds(struct compile *c);       /* language.md 14.3 */

/* ---- places.c, places_mls.c ---- */

void find_places(struct compile *c, struct policy_places *ret_places); /* of the finished policy */
void find_mls_places(struct compile *c, struct policy_places *places);
void place_list_init(struct policy_places *places, place_list *list, uint32_t n); /* all unknown */

/* ---- module_fill.c: c->module, once all is checked ---- */

void fill_module(struct compile *c);

/* ---- origin.c: which statements made a rule ---- */

/* Adds notes to the last finding for each live source rule (allow, or
 * allowxperm when xperm) that gives any of the permissions on the class to the
 * pair of types, and for how the types come into it; the first ones only. */
void note_origins(struct compile *c, uint32_t source, uint32_t target, uint32_t class, uint32_t perms, bool xperm);
void origins_free(struct compile *c);

#endif
