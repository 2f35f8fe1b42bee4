/* Lines of which the first one that matches counts.  Private to validator/. */
#ifndef VALIDATOR_FIRST_MATCH_H
#define VALIDATOR_FIRST_MATCH_H

#include "base/vec.h"
#include "validator/label_kind.h"

struct first_match {
	VEC(struct match_line) lines;
};

/* A line of a kind that is for what a shell pattern matches; plain ones are
 * names, or `*` for all.  A warning when an earlier line of the kind matches all
 * of it. */
void first_match_add(struct first_match *match, struct label_run *run, uint32_t kind, struct span pattern, bool plain);
void first_match_free(struct first_match *match);

#endif
