/* What replay keeps of a log, and how it judges it. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/json_out.h"
#include "base/vec.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "query/audit.h"

struct entry {
	struct audit_record record;
	struct loc loc; /* of the record in the log */
};

/* Records of one kind with the same contexts and class. */
struct group {
	const struct entry *first; /* in the log */
	uint32_t n, permissive;
	/* For people; NULL where the kind has none.  raw: see struct audit_record. */
	char *source, *target, *class, *context, *raw[2];
	VEC(char *) perms;         /* each once, in order of the log; ioctl and nlmsg with their number */
	uint32_t more_perms;       /* not kept */
	VEC(char *) comms;
};

/* Of a group; a log may say anything. */
enum { MAX_COMMS = 3, MAX_PERMS = 200 };

enum verdict { VERDICT_DENIED, VERDICT_ALLOWED, VERDICT_NOT_JUDGED };

/* A judgement; what is denied, and why something was not judged, has become a
 * finding of the session. */
struct judgement {
	enum verdict verdict;
	struct buffer text;  /* VERDICT_ALLOWED: what is allowed, in words */
	struct answer access; /* of kinds that have permissions */
};

void replay_judge(struct session *session, const struct group *group, struct judgement *ret_judgement);
void judgement_free(struct judgement *judgement);

/* `2 denials, 1 of them in permissive mode, by `app`` */
void group_put_count(struct buffer *b, const struct group *group);

#endif
