/* Requirements of classes, from a binary module straight into the syntax tree. */
#ifndef IR_MODULE_REQUIRE_H
#define IR_MODULE_REQUIRE_H

#include "base/atom.h"
#include "base/source.h"
#include "ir/module.h"
#include "parser/ast.h"

/* The last module of the tree was parsed, without an error, from the text that
 * module_write_conf_apart() makes of this module, with the requirements of
 * classes left out.  Adds them; their places are in the lines that name the
 * classes. */
void module_require_classes(const struct module *module, const struct source *source, struct atoms *atoms,
			    struct ast *ast);

#endif
