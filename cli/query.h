/* The commands of policy-query, each in a file of its own. */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include <getopt.h>
#include <stdbool.h>

#include "cli/load.h"

/* For info, EMPTY is not used. */
enum query_status { QUERY_DONE, QUERY_EMPTY, QUERY_FAILED };

extern const char query_program[];

/* Options that all commands have; they begin the tables of the commands. */
#define QUERY_OPTIONS \
	{"mls", no_argument, NULL, 'M'}, {"xen", no_argument, NULL, 'X'}, {"format", required_argument, NULL, 'f'}, \
	{"help", no_argument, NULL, 'h'}

struct query_options { struct load_options load; bool json; };

/* One of the options above; false when it is none, or was wrong. */
bool query_option(struct query_options *options, int option);
/* Says what is wrong, as an error of usage. */
enum query_status query_complain(const char *what, const char *value);
/* Flushes what was printed; failed when it could not be. */
enum query_status query_finish(enum query_status status);

enum query_status query_info_main(int argc, char **argv);
enum query_status query_rules_main(int argc, char **argv);
enum query_status query_diff_main(int argc, char **argv);
enum query_status query_kernel_main(int argc, char **argv);
enum query_status query_access_main(int argc, char **argv);
enum query_status query_create_main(int argc, char **argv);
enum query_status query_member_main(int argc, char **argv);
enum query_status query_relabel_main(int argc, char **argv);
enum query_status query_validatetrans_main(int argc, char **argv);
enum query_status query_label_main(int argc, char **argv);
enum query_status query_expect_main(int argc, char **argv);
enum query_status query_replay_main(int argc, char **argv);
enum query_status query_batch_main(int argc, char **argv);

#endif
