/* Contexts without their user: `role:type` or `role:type:range`, as files of
 * login programs have them.  Private to validator/. */
#ifndef VALIDATOR_PARTIAL_H
#define VALIDATOR_PARTIAL_H

#include "validator/label_kind.h"

struct partial {
	struct span role, type;
	struct span range; /* text NULL: there is none */
};

/* Splits a word at its colons; else an error. */
bool partial_split(struct label_run *run, struct span word, struct partial *ret);
/* Whether all policies have the role with the type, and the range if there is
 * one; else errors. */
bool partial_judge(struct label_run *run, const struct partial *partial);

#endif
