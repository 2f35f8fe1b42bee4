/* Private to the writer of module source: what its files share. */
#ifndef BACKEND_CONF_MODULE_H
#define BACKEND_CONF_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/text_out.h"
#include "ir/module.h"

struct module_text {
	struct text_out t;
	const struct module *module;
	const struct module_decl *global;
	bool apart; /* permissions of required classes are left out */
	/* What the global block declares or requires, and so is visible everywhere. */
	struct ebitmap visible[MODULE_TABLES];
	struct policy_alias *aliases; /* all, by the branch that declares them */
	uint32_t *alias_start; /* by id of a branch: where its aliases begin, and by id + 1 where they end */
	uint32_t *type_homes;  /* by value, of what is said of a type beside rules: ids of branches */
};

/* ---- conf_module_require.c ---- */

/* The require statement of a branch.  What the global block has is left out, and
 * what a branch uses from optional blocks around it is required: a module does not
 * say any more which branches stood in which. */
void put_requirements(struct module_text *m, const struct module_decl *decl, bool needs_one);

/* ---- conf_module_symbols.c ---- */

void find_homes(struct module_text *m); /* into aliases, alias_start, type_homes; for free() */
/* What a branch declares and says of symbols; users stand last. */
void put_declarations(struct module_text *m, const struct module_decl *decl, const char *indent);
void put_module_users(struct module_text *m, const struct module_decl *decl, const char *indent);

/* ---- conf_module_rules.c ---- */

void put_statements(struct module_text *m, const struct module_decl *decl, const char *indent);
void put_module_roles(struct module_text *m, const struct module_role_set *set);
void put_module_types(struct module_text *m, const struct module_type_set *set, const char *self);
void put_module_level(struct module_text *m, const struct module_level *level);
/* Whether a set can have a member. */
bool type_set_empty(const struct module_type_set *set);

#endif
