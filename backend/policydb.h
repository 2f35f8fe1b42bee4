/* struct policy to the bytes that a kernel loads. */
#ifndef BACKEND_POLICYDB_H
#define BACKEND_POLICYDB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/policy.h"

/* Lowest and highest version of a target. */
uint32_t policydb_oldest(enum policy_target target);
uint32_t policydb_newest(enum policy_target target);
bool policydb_version_known(enum policy_target target, uint32_t version);
/* The lowest version that can hold extended permission rules, or those in
 * conditionals; 0 when no version of the target can. */
uint32_t policydb_xperms_since(enum policy_target target, bool conditional);

/* Appends the image at the version.  What the version cannot hold is an
 * error, or is dropped with a warning or silently (policydb-format.md 12). */
bool policydb_write(const struct policy *policy, uint32_t version, struct buffer *image, struct diags *diags);

/* Reads the image back through libsepol.  Records an error when it refuses the
 * image; when the installed library does not know the version, a warning. */
bool policydb_verify(const struct buffer *image, struct diags *diags);

#endif
