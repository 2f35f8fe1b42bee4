/* One question about a label, as label and expect ask it. */
#ifndef CLI_LABEL_QUERY_H
#define CLI_LABEL_QUERY_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/source.h"
#include "cli/query_session.h"

enum {
	LABEL_WORDS = 4, /* at most, with the kind */
	LABEL_ALL = -1,
};

struct label_query {
	struct session *session;
	const char *word[LABEL_WORDS]; /* the kind first */
	struct loc loc[LABEL_WORDS];   /* where they stand; LOC_NONE: nowhere */
	int n;
	struct label label, packet;    /* the answer; the packet of a netif */
	const char *behaviour;         /* of a file system, or NULL */
	const char *wrong;             /* what is wrong with a word, or LABEL_ALL */
	int wrong_word;
};

/* False when there is no such question: then wrong says why, or is NULL and an
 * error was recorded.  What has no label is an answer, with a context of NULL. */
bool label_ask(struct label_query *query);
/* `CONTEXT`, and behind it the behaviour or the context of packets. */
void label_put(struct buffer *b, const struct label_query *query);

#endif
