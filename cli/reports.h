/* What policy-compile tells on request: which optional blocks are off, which
 * version the policy needs, what a kernel would make of it. */
#ifndef CLI_REPORTS_H
#define CLI_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "cli/options.h"
#include "ir/places.h"
#include "ir/policy.h"
#include "kernel/profile.h"

struct reports {
	struct policy_places places;
	struct kernel_profile kernel;
};

/* Loads the files that the reports need, and has the compile note what they
 * need.  With a kernel, what all kernels may refuse is judged by that one, and
 * the version is one that it reads.  False when an error was recorded;
 * reports_free() in any case. */
bool reports_init(struct reports *reports, struct options *options, struct sources *sources, struct diags *diags);
void reports_free(struct reports *reports);

/* Records the findings on a policy of the version. */
void reports_make(const struct reports *reports, const struct options *options, const struct policy *policy,
		  uint32_t version, struct diags *diags);

#endif
