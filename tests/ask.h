/* Random questions about a policy, for comparisons and measurements: the same
 * seed gives the same questions. */
#ifndef TESTS_ASK_H
#define TESTS_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

struct ask {
	const struct policy *policy;
	uint64_t state;
	struct ebitmap *roles_of_type; /* by type: roles - 1, without object_r */
	struct ebitmap *users_of_role; /* by role: users - 1 */
	uint32_t *types, ntypes;       /* those that are no attributes */
};

/* policy must outlive it, and needs a type, a user and a class. */
void ask_init(struct ask *ask, const struct policy *policy, uint64_t seed);
void ask_free(struct ask *ask);

/* Checks with one seed after the other, the first from TEST_SEED in the environment, until
 * one fails: its seed is told.  A check may take numbers only, there is no policy. */
bool ask_rounds(const char *test, int rounds, bool (*check)(struct ask *ask));

uint32_t ask_below(struct ask *ask, uint32_t n); /* 0 .. n - 1; n > 0 */
uint32_t ask_type(struct ask *ask);
uint32_t ask_class(struct ask *ask);
/* Types and class of a rule, an attribute being one of its types; false when it
 * picked one without types. */
bool ask_rule(struct ask *ask, uint32_t *ret_source, uint32_t *ret_target, uint32_t *ret_class);

/* A valid context with the type; of an object with object_r, else with a role
 * that has the type where there is one.  ret is the caller's (policy_context_free). */
void ask_context(struct ask *ask, uint32_t type, bool object, struct policy_context *ret);

struct question {
	struct policy_context source, target;
	uint32_t class;
};

/* Half of the questions are about a rule, so that the answer is not always no. */
void ask_question(struct ask *ask, struct question *ret);
void question_free(struct question *question);

#endif
