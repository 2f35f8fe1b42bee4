/* The value of --kernel. */
#ifndef CLI_KERNEL_OPTION_H
#define CLI_KERNEL_OPTION_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/source.h"
#include "kernel/profile.h"

/* Fills a zeroed profile from a file, or from the profile of that name that was
 * installed or is in the source tree; false when an error was recorded.
 * kernel_profile_free() in any case. */
bool kernel_load(struct kernel_profile *ret_profile, const char *name, struct sources *sources, struct diags *diags);

#endif
