/* The options of policy-compile: checkpolicy's and our own. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/finding_options.h"
#include "ir/ir.h"

struct options {
	struct ir_options ir;
	const char *input, *output; /* output NULL: check only */
	char **inputs;              /* with link, the first one is input */
	uint32_t ninputs;
	bool link;                  /* inputs are a base and modules */
	bool binary;                /* input is a binary policy */
	bool conf, cil;             /* output is policy source, CIL */
	uint32_t version;           /* 0 with binary only: what goes with the input */
	struct finding_options findings;
	const char *optional_allowed; /* file, or NULL */
	const char *kernel;         /* profile, or NULL */
	bool report_version;
	bool version_given, unknown_given;
	bool verify, stats, dump_ir;
	bool show_version, show_help;
};

/* False, with a message: exit with status 1. */
bool options_parse(struct options *options, int argc, char **argv);
/* The version is no newer than this one unless the user chose it. */
void options_limit_version(struct options *options, uint32_t newest);
void options_free(struct options *options);

/* Says on standard error what is wrong with the usage; always false. */
bool usage_error(const char *what, const char *value);

#endif
