/* What the parts of the module filler share: module_fill.c has symbols and
 * scopes, fill_rules.c statements, fill_sets.c sets.  Private to ir/. */
#ifndef IR_FILL_H
#define IR_FILL_H

#include "ir/internal.h"
#include "ir/module.h"

/* What one branch gathers before it is laid out in the module. */
struct fill_block {
	VEC(struct module_rule) rules;
	VEC(struct module_cond) conds;
	VEC(struct module_role_trans) role_trans;
	VEC(struct module_role_allow) role_allows;
	VEC(struct module_filename_trans) filename_trans;
	VEC(struct module_range_trans) range_trans;
	VEC(struct module_type) types;
	VEC(struct module_role) roles;
	VEC(struct module_user) users;
	struct ebitmap required[MODULE_TABLES], declared[MODULE_TABLES]; /* its own */
	uint32_t *perms; /* by class value - 1: required masks; NULL: none, or those of the block around it */
};

struct fill {
	struct compile *c;
	struct module *m;
	struct fill_block *blocks; /* by block */
	uint32_t *values[SYM_KINDS]; /* by symbol index; of an alias that of its primary */
	uint32_t ntypes, nbools, nroles, nusers, nsens, ncats;
	struct module_type_set *type_sets; /* by set; types.at NULL: not worked out */
};

/* A copy in the module's arena, as the at and n of a list. */
#define fill_list(f, to, list) \
	((to)->n = (list)->n, (to)->at = arena_copy(&(f)->m->arena, (list)->at, (list)->n * sizeof *(list)->at))

uint32_t fill_value(const struct fill *f, enum symbol_kind kind, atom_t name);

/* ---- fill_sets.c ---- */

struct module_values fill_bits(struct fill *f, const struct ebitmap *values);
struct module_type_set fill_types(struct fill *f, struct ast_names names);
struct module_role_set fill_roles(struct fill *f, struct ast_names names);
struct module_values fill_classes(struct fill *f, struct ast_names names); /* none given: process */
struct module_level fill_level(struct fill *f, const struct ast_level_expr *expr);
struct module_range fill_range(struct fill *f, const struct ast_range *range);

/* ---- fill_rules.c ---- */

void fill_rules(struct fill *f);

#endif
