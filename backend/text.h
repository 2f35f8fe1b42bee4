/* struct policy to text that compiles again: policy.conf, or CIL.
 *
 * Rules and sets are sorted by name.  What has an order of its own keeps it:
 * classes, permissions, sensitivities, categories, initial SIDs, constraints,
 * labels.  In policy.conf so have the declarations of types, roles, users and
 * booleans, and conditionals: compiled, it gives the same bytes again.  Of a
 * canonical policy (policy_canonicalise) they are sorted, too.  CIL has them
 * sorted: secilc gives values of its own.
 *
 * What a form cannot say is an error when the policy would mean something else
 * without it, and is left out with a warning otherwise. */
#ifndef BACKEND_TEXT_H
#define BACKEND_TEXT_H

#include <stdbool.h>

#include "backend/package.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "ir/module.h"
#include "ir/policy.h"

/* Append the text; false when an error was recorded. */
bool policy_write_conf(const struct policy *policy, struct buffer *out, struct diags *diags);
bool policy_write_cil(const struct policy *policy, struct buffer *out, struct diags *diags);

/* A valid module as the source that makes it: of a base, policy.conf.  Symbols
 * are declared in the order of their values, statements are as they were written.
 * Optional blocks stand side by side, wherever they stood; each requires what it
 * takes from those around it, which decides the same. */
bool module_write_conf(const struct module *module, struct buffer *out, struct diags *diags);
/* The same for linking: permissions of required classes, which are much of a
 * module and alike in all of a build, are left to module_require_classes(). */
bool module_write_conf_apart(const struct module *module, struct buffer *out, struct diags *diags);
/* The same as CIL, for secilc together with the CIL of the base, or of the modules.
 * With marks, the sources of the module, each allow and neverallow rule has its line,
 * which secilc shows.  CIL has no else branches, no auditdeny, and tunables only outside of optional
 * blocks. */
bool module_write_cil(const struct module *module, const struct sources *marks, struct buffer *out, struct diags *diags);
/* The label files of a package in CIL, to be written behind its module; netfilter
 * contexts are left out, with a warning.  Places of findings are in sections of the
 * path, which are added to the sources. */
bool package_write_cil(const struct package *package, const char *path, bool mls, struct sources *sources,
		       struct buffer *out, struct diags *diags);

#endif
