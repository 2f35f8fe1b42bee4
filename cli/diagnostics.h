/* Where the findings go, and in which form. */
#ifndef CLI_DIAGNOSTICS_H
#define CLI_DIAGNOSTICS_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/source.h"
#include "cli/finding_options.h"

/* Prints the findings on the inputs as the options say.  False, with a message, when the
 * file for them cannot be written. */
bool print_findings(const struct finding_options *options, const char *const *inputs, uint32_t ninputs,
		    const struct diags *diags, const struct sources *sources);

#endif
