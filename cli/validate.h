/* The commands of mls-validate, each in a file of its own.
 *
 * A command reads its options, loads the policies, records its findings and
 * prints its answers; main() prints the findings. */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "cli/finding_options.h"
#include "cli/load.h"
#include "ir/places.h"
#include "ir/policy.h"

enum validate_status { VALIDATE_GOOD, VALIDATE_FINDINGS, VALIDATE_FAILED };

struct validate_policy {
	const char *path;
	struct policy *policy;
	struct policy_places *places; /* NULL: of a binary */
};

struct validate {
	struct finding_options findings;
	struct load_options load;
	uint32_t threads; /* at least 1 */
	VEC(struct validate_policy) policies; /* those of -p; loaded by validate_load() */
	VEC(const char *) inputs; /* what was looked at, for reports of tests */
	struct sources sources;
	struct diags diags;
};

extern const char validate_program[];

/* Options of the program and so of all commands; they begin the tables of the
 * commands, with VALIDATE_LETTERS. */
enum { OPT_XEN = 500, OPT_COMMAND };
#define VALIDATE_OPTIONS \
	FINDING_OPTIONS, {"policy", required_argument, NULL, 'p'}, {"jobs", required_argument, NULL, 'j'}, \
	{"mls", no_argument, NULL, 'M'}, {"xen", no_argument, NULL, OPT_XEN}, {"help", no_argument, NULL, 'h'}
#define VALIDATE_LETTERS "p:j:MhW:"

/* One of the options above; false when it is none, or was wrong, which has
 * been said. */
bool validate_option(struct validate *v, int option);
/* Says what is wrong, as an error of usage. */
enum validate_status validate_complain(const char *what, const char *value);

enum validate_load { LOAD_GOOD, LOAD_REFUSED, LOAD_UNREADABLE };

/* Loads all policies; there must be one.  What is wrong with one is recorded.
 * places: findings shall point to the statements of source. */
enum validate_load validate_load(struct validate *v, bool places);
/* The policies as findings name them: only where there are several. */
const char *validate_under(const struct validate *v, uint32_t policy);

enum validate_status validate_files_main(struct validate *v, int argc, char **argv);
enum validate_status validate_context_main(struct validate *v, int argc, char **argv);
enum validate_status validate_level_main(struct validate *v, int argc, char **argv);
enum validate_status validate_range_main(struct validate *v, int argc, char **argv);
enum validate_status validate_compare_main(struct validate *v, int argc, char **argv);
enum validate_status validate_policy_main(struct validate *v, int argc, char **argv);
enum validate_status validate_lattice_main(struct validate *v, int argc, char **argv);

#endif
