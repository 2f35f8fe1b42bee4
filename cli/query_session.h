/* A policy and what is asked of it, for the commands of policy-query that ask
 * for decisions. */
#ifndef CLI_QUERY_SESSION_H
#define CLI_QUERY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/near.h"
#include "base/source.h"
#include "base/vec.h"
#include "cli/finding_options.h"
#include "cli/query.h"
#include "kernel/profile.h"
#include "query/explain.h"
#include "query/server.h"

struct session {
	struct query_options common;
	struct finding_options findings; /* of commands that have some */
	const char *inputs;              /* what they are about, or NULL */
	VEC(const char *) bools; /* NAME=0|1, as given */
	const char *kernel;      /* --kernel, or NULL: then the profile is empty */
	struct kernel_profile profile;
	bool explaining;         /* reasons are wanted, with places of the source */
	struct policy *policy;
	struct server server;
	struct load_kept kept;
	struct sources sources;  /* arguments and files, so that faults have places */
	struct diags diags;
};

/* What a command takes behind the policy, and what it does with it. */
struct session_command {
	const char *usage;   /* what is said when the arguments are others */
	int least, most;     /* words; a most of 0 is no limit */
	bool findings;       /* its answers are findings: it has the options about them */
	bool explaining;     /* in any case */
	bool explain_option; /* when it is asked to; such a command has --kernel as well */
	bool kernel_option;  /* it has --kernel; those with findings have it in any case */
	enum query_status (*run)(struct session *session, char **words, int n);
};

/* All of such a command: reads the options, loads the policy, sets the booleans,
 * runs it, prints the findings.  Failed when something of that did, else what
 * run() says. */
enum query_status session_main(const struct session_command *command, int argc, char **argv);

/* Names and contexts of the command line, with an error recorded when the policy
 * does not have them; 0 or false then.  The context is the caller's in any case. */
uint32_t session_class(struct session *session, const char *name);
bool session_context(struct session *session, const char *what, const char *text, struct policy_context *ret);

/* Whether the kernel that was named has a class, or a permission of it, which may
 * be an extended one; perm may be NULL. */
bool session_kernel_has(const struct session *session, const char *class, const char *perm);
/* The same of a kernel that is not known: it may have anything. */
bool session_checks(const struct session *session, const char *class, const char *perm);

/* The names of the policy nearest to one that it does not have. */
void near_class(struct near *ret_near, const struct policy *policy, const char *name);
void near_perm(struct near *ret_near, const struct policy_class *class, const char *name);
void near_bool(struct near *ret_near, const struct policy *policy, const char *name);

/* For the functions of query/explain.h. */
struct explain_source session_source(const struct session *session);
/* The same for names in a source: loc is where they stand. */
uint32_t session_class_at(struct session *session, const char *name, struct loc loc);
bool session_context_at(struct session *session, const char *text, struct loc loc, struct policy_context *ret);

#endif
