/* Who may give files a label, as far as rules and constraints of a policy tell
 * without asking who runs.  Private to validator/. */
#ifndef VALIDATOR_RELABEL_H
#define VALIDATOR_RELABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

enum relabel_class {
	RELABEL_FILE, RELABEL_DIR, RELABEL_LNK_FILE, RELABEL_CHR_FILE, RELABEL_BLK_FILE, RELABEL_SOCK_FILE,
	RELABEL_FIFO_FILE
};
enum { RELABEL_CLASSES = RELABEL_FIFO_FILE + 1 };

struct relabel {
	const struct policy *policy;
	uint32_t classes[RELABEL_CLASSES];  /* values; 0: the policy has no such class, or no relabelto in it */
	uint32_t masks[RELABEL_CLASSES];    /* of relabelto */
	VEC(const struct policy_rule *) rules[RELABEL_CLASSES]; /* that allow it, conditional ones as well */
};

void relabel_init(struct relabel *relabel, const struct policy *policy);
void relabel_free(struct relabel *relabel);

/* What stands in the way of a label. */
enum relabel_obstacle {
	RELABEL_POSSIBLE,   /* nothing that can be proven */
	RELABEL_FORBIDDEN,  /* a constraint holds for no process at all */
	RELABEL_NOBODY,     /* for each type that may relabel to the label's type, a constraint does not hold */
	RELABEL_CREATED,    /* files get another level when they are created, and a validatetrans keeps it */
};

struct relabel_reason {
	const struct policy_constraint *constraint; /* one that does not hold */
	const struct policy_range_trans *created;   /* RELABEL_CREATED */
	struct ebitmap exempt;                      /* RELABEL_CREATED: types for which the rule can hold */
};

/* ret_reason is zeroed, or NULL when only the answer is wanted; free its set. */
enum relabel_obstacle relabel_obstacle(const struct relabel *relabel, enum relabel_class class,
				       const struct policy_context *label, struct relabel_reason *ret_reason);

#endif
