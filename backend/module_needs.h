/* Private to backend/: what a module has that a version cannot hold. */
#ifndef BACKEND_MODULE_NEEDS_H
#define BACKEND_MODULE_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/features.h"
#include "base/diag.h"
#include "ir/module.h"
#include "ir/places.h"

/* Does the set hold the class and nothing else?  class 0: there is none. */
static inline bool is_only(struct module_values classes, uint32_t class)
{
	return !classes.n || (classes.n == 1 && classes.at[0] == class);
}

/* Records an error for what the module would not be the same without, and a
 * warning for what will be dropped; false: there was an error. */
bool module_check_downgrade(const struct module *module, const struct features *features,
			    const struct policy_places *places, struct diags *diags);

#endif
