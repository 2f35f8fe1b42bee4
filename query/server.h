/* A policy as the security server of a kernel that loaded it: what the
 * questions of the command line are asked of. */
#ifndef QUERY_SERVER_H
#define QUERY_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"
#include "security/decide.h"
#include "security/labels.h"
#include "security/security.h"

struct server {
	const struct policy *policy;
	struct security *security;
	struct decider *decider;
	struct bool_state *state; /* to be set as one likes */
	struct labels *labels;
};

void server_open(struct server *ret_server, const struct policy *policy); /* which must outlive it */
void server_close(struct server *server);

/* The answer to one line of the query language of tests/kernel/init.c, as a
 * kernel in permissive mode gives it; without a newline, appended.  The line is
 * cut into its words.  False when it is blank or a comment, with no answer.
 *
 *   access SOURCE TARGET CLASS              allowed, auditallow, auditdeny, flags (hex)
 *   context CONTEXT                         the context as the kernel writes it
 *   create SOURCE TARGET CLASS [NAME]       the context of a new object
 *   member, relabel SOURCE TARGET CLASS     the context of a member, of a change
 *   validatetrans OLD NEW CLASS TASK        ok
 *   class CLASS                             its number, then NUMBER:PERMISSION...
 *   bool NAME                               active and pending value
 *   setbool NAME 0|1                        ok
 *
 * or "error ERRNO", "error not-a-query".  A NAME may have %XX for a byte and +
 * for a blank, as selinuxfs takes it. */
struct buffer;
bool server_answer(struct server *server, char *line, struct buffer *ret_answer);

#endif
