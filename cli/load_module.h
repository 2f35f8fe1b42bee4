/* A binary module from the bytes of a file, alone or in a package. */
#ifndef CLI_LOAD_MODULE_H
#define CLI_LOAD_MODULE_H

#include <stdint.h>

#include "backend/package.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "ir/module.h"

/* The bytes begin as a module or a package does.  Read and validated; NULL when
 * an error was recorded, else the caller's (module_free).  ret_version gets the
 * version of the module; ret_package, if given, the parts of the package, which
 * point into the bytes, or none. */
struct module *load_module(const char *path, const struct buffer *file, uint32_t *ret_version,
			   struct package *ret_package, struct diags *diags);

#endif
