/* policy-compile --link: a base and modules to one policy. */
#ifndef CLI_LINK_H
#define CLI_LINK_H

#include "base/diag.h"
#include "base/source.h"
#include "cli/options.h"
#include "cli/stats.h"
#include "ir/policy.h"

/* The linked policy; NULL when an error was recorded. */
struct policy *link_inputs(const struct options *options, struct sources *sources, struct diags *diags,
			   struct stats *stats);

#endif
