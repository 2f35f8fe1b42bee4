/* struct module to the bytes of a module image, and back (policydb-format.md 15). */
#ifndef BACKEND_MODULE_H
#define BACKEND_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "ir/module.h"
#include "ir/places.h"

/* Versions of the format, all of them between are known. */
uint32_t module_oldest(void);
uint32_t module_newest(void);

/* What in a module not every version can hold, as policydb_needs() tells it. */
uint32_t module_needs(const struct module *module, struct policydb_need ret_needs[POLICYDB_MAX_NEEDS]);

/* Appends the image at the version.  What the module would not be the same
 * without is an error, other things that the version cannot hold are dropped with
 * a warning; both name the version needed, and the place when places has one
 * (NULL: none are known).  What is written can be read again. */
bool module_write(const struct module *module, uint32_t version, const struct policy_places *places,
		  struct buffer *image, struct diags *diags);

/* Bytes to struct module, as policydb_read() does it for policies, with the
 * same promises: nothing outside of the image is read, memory is bounded by a
 * small multiple of its size.  NULL when an error was recorded; it names path
 * and the byte.  ret_version, if given, gets the version of the image.
 *
 * Besides what policydb_read() refuses: symbols of a kind that no branch can
 * have, symbols of a branch whose name and value are those of two symbols.
 * Flags and bounds of an alias are given to its type.  What was only read goes
 * to module_validate() or module_free(), and nowhere else. */
struct module *module_read(const void *image, size_t size, const char *path, uint32_t *ret_version,
			   struct diags *diags);

/* May this module be used?  Records an error for each thing that libsepol would
 * refuse in an image of the version; each names the object, and path.  True: no
 * error, and then
 *
 * - there is a global block, with one branch or more; ids of branches are
 *   1 to module_decls(), each once, and so are those in scopes;
 * - each value in a symbol, rule, set, label or requirement is a symbol's;
 * - members, results and bounds that must be types are no attributes;
 * - flags, kinds and expressions are well-formed;
 * - each scope has the name of a symbol of its table, and no two of them the same.
 *
 * Not promised: that each symbol has a scope. */
bool module_validate(const struct module *module, uint32_t version, const char *path, struct diags *diags);

#endif
