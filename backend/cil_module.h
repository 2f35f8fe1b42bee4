/* Private to the writer of modules as CIL: what its files share. */
#ifndef BACKEND_CIL_MODULE_H
#define BACKEND_CIL_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/module_text.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/source.h"

struct cil_module {
	struct module_text m;
	const char *name;               /* what the names that it makes begin with */
	const struct sources *marks;    /* or NULL: rules have no lines */
	struct place_cursor cursor;     /* in them */
	bool in_cond;
	/* The branch that is written: */
	const struct module_decl *decl;
	const char *indent;
	struct atoms sets;              /* texts of sets that have got names in it */
	struct ebitmap used_bools;      /* in its conditionals */

	struct buffer set_text;
	uint32_t nsets;                 /* of the branches before */
	struct ebitmap users;           /* bit = value - 1: declared in the branches before */
	bool has_macro;                 /* one without statements is needed */
};

static inline bool is_global(const struct cil_module *c)
{
	return c->decl == c->m.global;
}

/* A line of the branch, with its newline in the format. */
#define cil_line(c, ...) (say(&(c)->m.t, (c)->indent), text_printf((c)->m.t.out, __VA_ARGS__))

/* ---- cil_module_sets.c ---- */

/* What a set of types or roles is named by: its members, or an attribute made
 * for it, which CIL wants for all but plain lists. */
struct cil_names {
	const struct text_table *table;
	struct module_values values;
	const char *made; /* or NULL */
	uint32_t n;
};

/* Writes the declaration of an attribute when the branch has not got it yet. */
struct cil_names cil_types(struct cil_module *c, const struct module_type_set *set);
struct cil_names cil_roles(struct cil_module *c, const struct module_role_set *set);
const char *cil_name(struct cil_module *c, const struct cil_names *names, uint32_t i);

void cil_put_level(struct cil_module *c, const struct module_level *level);
void cil_put_range(struct cil_module *c, const struct module_range *range);

/* ---- cil_module_symbols.c ---- */

/* What the branch declares and says of symbols. */
void cil_put_declarations(struct cil_module *c);

/* ---- cil_module_rules.c ---- */

void cil_put_statements(struct cil_module *c);

/* ---- cil_module_require.c ---- */

/* Behind the statements.  Names what the branch requires, so that a block that
 * requires what is not there is off. */
void cil_put_requirements(struct cil_module *c);

#endif
