/* What judges one text; a thread has one.  Private to judge*.c. */
#ifndef VALIDATOR_JUDGE_INTERNAL_H
#define VALIDATOR_JUDGE_INTERNAL_H

#include "base/buffer.h"
#include "security/context.h"
#include "validator/judge.h"

struct judge_worker {
	const struct judge *judge;
	struct policy_context context; /* its memory is used again and again */
	struct context_faults faults;
};

enum judge_verdict { VERDICT_GOOD, VERDICT_DOUBT, VERDICT_BAD };

/* Appends what is printed of a text.  Not GOOD: there is something to report. */
enum judge_verdict judge_one(struct judge_worker *worker, const char *text, size_t len, struct buffer *out);
/* Records the findings of a text that is not good, as a line of a file. */
void judge_report(struct judge_worker *worker, enum judge_verdict verdict, const char *name, uint32_t row,
		  const char *text, size_t len);
void judge_worker_free(struct judge_worker *worker);

#endif
