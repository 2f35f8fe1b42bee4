/* What the options of policy-compile and module-compile have in common: those
 * of checkpolicy and checkmodule that mean the same, and those about findings. */
#ifndef CLI_COMPILER_OPTIONS_H
#define CLI_COMPILER_OPTIONS_H

#include "cli/finding_options.h"

enum { DEFAULT_MAX_ERRORS = 20 };

/* Rows of a program's table. */
#define COMPILER_OPTIONS \
	{"binary", no_argument, NULL, 'b'}, {"conf", no_argument, NULL, 'F'}, {"cil", no_argument, NULL, 'C'}, \
	{"handle-unknown", required_argument, NULL, 'U'}, {"mls", no_argument, NULL, 'M'}, \
	{"disable-neverallow", no_argument, NULL, 'N'}, {"output", required_argument, NULL, 'o'}, \
	{"werror", no_argument, NULL, 'E'}, {"version", no_argument, NULL, 'V'}, \
	{"line-marker-for-allow", no_argument, NULL, 'L'}, {"help", no_argument, NULL, 'h'}, FINDING_OPTIONS

#endif
