/* Private to backend/: a module looked at as a policy. */
#ifndef BACKEND_MODULE_VIEW_H
#define BACKEND_MODULE_VIEW_H

#include "base/arena.h"
#include "ir/module.h"
#include "ir/policy.h"

/* The policy of the module with the names of its roles and users.  It borrows
 * from the module, and is not for policy_free(). */
void module_view(struct policy *ret_view, const struct module *module, struct arena *arena);

#endif
