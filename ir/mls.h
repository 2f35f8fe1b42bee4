/* What the MLS files of ir/ share with each other: names in levels. */
#ifndef IR_MLS_H
#define IR_MLS_H

#include "ir/internal.h"

/* The first statement that only a policy with MLS may have, or LOC_NONE. */
struct loc mls_first_statement(const struct ast *ast);

/* A sensitivity by its name or alias; NULL with an error. */
const struct symbol *mls_sensitivity(struct compile *c, struct ast_name name, uint32_t block);

/* Adds the categories and category ranges of a list; false with an error for
 * each item that is none. */
bool mls_categories(struct compile *c, struct ast_names names, uint32_t block, struct ebitmap *ret_cats);

/* Whether all names of a range exist and are visible. */
bool mls_range_names(struct compile *c, const struct ast_range *expr, uint32_t block);

#endif
