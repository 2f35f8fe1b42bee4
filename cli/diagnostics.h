/* Where the findings of policy-compile go, and in which form. */
#ifndef CLI_DIAGNOSTICS_H
#define CLI_DIAGNOSTICS_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/source.h"
#include "cli/options.h"

/* Prints the findings as the options say.  False, with a message, when the
 * file for them cannot be written. */
bool print_findings(const struct options *options, const struct diags *diags, const struct sources *sources);

#endif
