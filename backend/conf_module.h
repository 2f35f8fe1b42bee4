/* Private to the writer of module source: what its files share. */
#ifndef BACKEND_CONF_MODULE_H
#define BACKEND_CONF_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/module_text.h"

/* ---- conf_module_require.c ---- */

/* The require statement of a branch.  What the global block has is left out, and
 * what a branch uses from optional blocks around it is required: a module does not
 * say any more which branches stood in which. */
void put_requirements(struct module_text *m, const struct module_decl *decl, bool needs_one);

/* ---- conf_module_symbols.c ---- */

/* What a branch declares and says of symbols; users stand last. */
void put_declarations(struct module_text *m, const struct module_decl *decl, const char *indent);
void put_module_users(struct module_text *m, const struct module_decl *decl, const char *indent);

/* ---- conf_module_rules.c ---- */

void put_statements(struct module_text *m, const struct module_decl *decl, const char *indent);
void put_module_roles(struct module_text *m, const struct module_role_set *set);
void put_module_types(struct module_text *m, const struct module_type_set *set, const char *self);
void put_module_level(struct module_text *m, const struct module_level *level);

#endif
