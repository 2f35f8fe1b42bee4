/* Private to the writers of modules as source and as CIL: what they share. */
#ifndef BACKEND_MODULE_TEXT_H
#define BACKEND_MODULE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/text_out.h"
#include "ir/module.h"

struct module_text {
	struct text_out t;
	const struct module *module;
	const struct module_decl *global;
	struct policy view;  /* the policy of the module, with names of roles and users */
	struct arena arena;
	bool apart;          /* source: permissions of required classes are left out */
	/* What the global block declares or requires, and so is visible everywhere. */
	struct ebitmap visible[MODULE_TABLES];
	struct policy_alias *aliases; /* all, by the branch that declares them */
	uint32_t *alias_start; /* by id of a branch: where its aliases begin, and by id + 1 where they end */
	uint32_t *type_homes;  /* by value, of what is said of a type beside rules: ids of branches */
};

/* The form is one of a module or base; m stays where it is. */
void module_text_init(struct module_text *m, const struct module *module, enum text_form form, struct buffer *out,
		      struct diags *diags);
void module_text_free(struct module_text *m);

/* Whether a set can have a member. */
static inline bool type_set_empty(const struct module_type_set *set)
{
	return !set->types.n && !set->flags;
}

#endif
