/* The input of -b. */
#ifndef CLI_BINARY_H
#define CLI_BINARY_H

#include <stdint.h>

#include "base/diag.h"
#include "cli/options.h"
#include "cli/stats.h"
#include "ir/policy.h"

/* Reads and validates the binary policy that is the input, and does to it what
 * the options ask for.  NULL when an error was recorded; the result is the
 * caller's (policy_free).  ret_version gets the version to write. */
struct policy *binary_read(const struct options *options, uint32_t *ret_version, struct diags *diags, struct stats *stats);

#endif
