/* One question about access, as access, expect and replay ask it: names are
 * looked up, the reasons found. */
#ifndef CLI_QUERY_ANSWER_H
#define CLI_QUERY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vec.h"
#include "cli/query_session.h"
#include "query/explain.h"

struct answer {
	struct policy_context source, target;
	const char *class_name;
	uint32_t class;             /* 0: the policy has none of the name */
	VEC(const char *) allowed, denied; /* names, as they were asked for */
	uint32_t shown;             /* permissions that were asked for; all when none was named */
	struct decision decision;
	struct explanation why;     /* reasons only */
};

/* words: source, target, class, permissions.  A permission may be
 * `ioctl:0x5401` or `nlmsg:0x10`, one extended permission.  None: all that the
 * class has are shown, and only what is allowed counts.  With the session's
 * explaining, the reasons are found.  False when a context was not valid or a
 * number was not one, with errors recorded. */
bool answer_access(struct session *session, char **words, int n, struct answer *ret);

/* The same with the contexts parsed already; they are the answer's from then on. */
bool answer_question(struct session *session, const struct policy_context *source, const struct policy_context *target,
		     const char *class_name, char **perms, int nperms, struct loc loc, struct answer *ret);
void answer_free(struct answer *answer);

/* Of the permissions that the policy has, those that the kernel never asks for;
 * a user-space object manager may. */
uint32_t answer_unchecked(const struct session *session, const struct answer *answer);

void answer_print_lists(const struct answer *answer, FILE *out);
void answer_print_reasons(const struct session *session, const struct answer *answer, FILE *out);
void answer_print_json(const struct session *session, const struct answer *answer, bool explain, FILE *out);
/* Adds the reasons to the last finding, as notes and hints: those why something
 * is denied, or those why something is allowed. */
void answer_note_reasons(struct session *session, const struct answer *answer, bool denied);

#endif
