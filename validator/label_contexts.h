/* The contexts of all files of a run, each text judged once.  Private to
 * validator/. */
#ifndef VALIDATOR_LABEL_CONTEXTS_H
#define VALIDATOR_LABEL_CONTEXTS_H

#include "base/atom.h"
#include "base/vec.h"
#include "ir/policy.h"
#include "security/context.h"

struct label_contexts {
	struct atoms texts;
	uint32_t npolicies;
	/* By text, those of all policies side by side. */
	VEC(struct policy_context) at;
	VEC(bool) right;              /* by text: under all policies */
	struct policy_context scratch;
	struct policy_range range;
	struct policy_level level;
	struct context_faults faults;
};

void label_contexts_init(struct label_contexts *contexts, uint32_t npolicies);
void label_contexts_free(struct label_contexts *contexts);

#endif
