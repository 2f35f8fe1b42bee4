/* The options about findings, which all programs that record some have: which
 * are given, at what level, in which form and where. */
#ifndef CLI_FINDING_OPTIONS_H
#define CLI_FINDING_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct finding_options {
	const char *program; /* for messages */
	enum diag_format format;
	enum colour_mode colour;
	uint32_t max_errors;  /* 0: all */
	const char *diagnostics; /* file for the findings, or NULL */
	VEC(struct diag_setting) settings; /* -W */
	const char *explain; /* the name of a check, or NULL */
	bool list_checks;
};

/* Values of the long options, apart from those of the programs. */
enum {
	OPT_FINDINGS = 1000, OPT_MAX_ERRORS = OPT_FINDINGS, OPT_FORMAT, OPT_COLOUR, OPT_DIAGNOSTICS, OPT_LIST_CHECKS,
	OPT_EXPLAIN
};

/* Rows of a program's table; -W is `W:` in its letters. */
#define FINDING_OPTIONS \
	{"max-errors", required_argument, NULL, OPT_MAX_ERRORS}, {"format", required_argument, NULL, OPT_FORMAT}, \
	{"color", optional_argument, NULL, OPT_COLOUR}, {"diagnostics", required_argument, NULL, OPT_DIAGNOSTICS}, \
	{"list-checks", no_argument, NULL, OPT_LIST_CHECKS}, {"explain", required_argument, NULL, OPT_EXPLAIN}

static inline bool is_finding_option(int option) { return option == 'W' || option >= OPT_FINDINGS; }

/* One of these options with its value; false, with a message, when that is
 * wrong. */
bool finding_option(struct finding_options *options, int option, const char *value);
void finding_options_free(struct finding_options *options);

/* What the options want of the checks. */
void finding_options_apply(const struct finding_options *options, struct diags *diags);

/* Says on standard error what is wrong with the usage; always false. */
bool usage_complain(const char *program, const char *what, const char *value);

#endif
