/* The options of module-compile: checkmodule's, and those about findings. */
#ifndef CLI_MODULE_OPTIONS_H
#define CLI_MODULE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/finding_options.h"
#include "ir/ir.h"

struct module_options {
	struct ir_options ir;
	const char *input, *output; /* output NULL: check only */
	bool module;                /* -m: no base */
	bool binary;                /* input is a binary module */
	bool conf, cil;             /* output is its source; is CIL */
	bool marks;                 /* CIL with the lines of rules */
	bool unknown_given;         /* -U with anything but deny */
	uint32_t version;           /* 0: the lowest that holds the module without a loss */
	bool report_version;
	struct finding_options findings;
	bool show_version, show_help;
};

/* False, with a message: exit with status 1. */
bool module_options_parse(struct module_options *options, int argc, char **argv);
void module_options_free(struct module_options *options);

#endif
