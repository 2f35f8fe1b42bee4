/* A policy and what is asked of it, for the commands of policy-query that ask
 * for decisions. */
#ifndef CLI_QUERY_SESSION_H
#define CLI_QUERY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "cli/finding_options.h"
#include "cli/query.h"
#include "query/explain.h"
#include "query/server.h"

/* Options of all these commands; they begin their tables. */
#define SESSION_OPTIONS QUERY_OPTIONS, {"bool", required_argument, NULL, 'B'}

/* The same of commands that have findings. */
#define FINDINGS_SESSION_OPTIONS \
	{"mls", no_argument, NULL, 'M'}, {"xen", no_argument, NULL, 'X'}, {"help", no_argument, NULL, 'h'}, \
	{"bool", required_argument, NULL, 'B'}, {"max-errors", required_argument, NULL, OPT_MAX_ERRORS}, \
	{"format", required_argument, NULL, OPT_FORMAT}, {"color", optional_argument, NULL, OPT_COLOUR}, \
	{"diagnostics", required_argument, NULL, OPT_DIAGNOSTICS}

struct session {
	struct query_options common;
	struct finding_options findings; /* of commands that have some */
	const char *inputs;              /* what they are about, or NULL */
	VEC(const char *) bools; /* NAME=0|1, as given */
	bool explaining;         /* to be set before: places of the source are wanted */
	struct policy *policy;
	struct server server;
	struct load_kept kept;
	struct sources sources;  /* arguments and files, so that faults have places */
	struct diags diags;
};

#define SESSION_NEW {.common = {.load = {.program = query_program}}, .findings = {.program = query_program}}

/* One of the options above; false when it is none, or was wrong. */
bool session_option(struct session *session, int option);
bool session_finding_option(struct session *session, int option); /* of FINDINGS_SESSION_OPTIONS */

/* Loads the policy and sets the booleans; false after the errors were printed. */
bool session_open(struct session *session, const char *path);
/* Prints the findings and frees all. */
void session_close(struct session *session);
/* The same in the format and to the place that the options say; failed when the
 * findings could not be written, else the status. */
enum query_status session_close_findings(struct session *session, enum query_status status);

/* Names and contexts of the command line, with an error recorded when the policy
 * does not have them; 0 or false then.  The context is the caller's in any case. */
uint32_t session_class(struct session *session, const char *name);
bool session_context(struct session *session, const char *what, const char *text, struct policy_context *ret);

/* For the functions of query/explain.h. */
struct explain_source session_source(const struct session *session);
/* The same for names in a source: loc is where they stand. */
uint32_t session_class_at(struct session *session, const char *name, struct loc loc);
bool session_context_at(struct session *session, const char *text, struct loc loc, struct policy_context *ret);

/* All of a command that takes a policy and a file of questions, whose answers
 * are findings.  usage: what is said when the arguments are others. */
typedef enum query_status session_over(struct session *session, const char *path);
enum query_status session_over_file(int argc, char **argv, const char *usage, session_over *run);

#endif
