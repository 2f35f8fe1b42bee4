/* Whether constraints and validatetrans rules hold, and which terms decide it.
 *
 * As the kernel does (constraint_expr_eval): an expression that is none, is
 * deeper than CEXPR_MAX_DEPTH, or asks for a third context that is not there
 * does not hold.  third is the context of the process in a validatetrans,
 * else NULL.  The contexts must have values of the policy. */
#ifndef SECURITY_CONSTRAINT_H
#define SECURITY_CONSTRAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ir/policy.h"

/* Whether one role dominates another.  object_r does not dominate even itself:
 * of an image's object_r the kernel and libsepol take the number alone. */
bool role_dominates(const struct policy *policy, uint32_t role, uint32_t other);

bool constraint_holds(const struct policy *policy, const struct policy_constraint *constraint,
		      const struct policy_context *source, const struct policy_context *target,
		      const struct policy_context *third);

/* A node of the expression, by its index. */
struct constraint_term {
	bool value;
	bool decides;  /* the whole is what it is because of this one */
	uint32_t left; /* and, or: the first operand; the second one, or the only one, is the node before */
};

/* The same answer, with what each of the constraint->nexpr nodes came to.  Of a
 * constraint that does not hold the deciding leaves are those of which at least
 * one must change; an expression that is none has no deciding node. */
bool constraint_explain(const struct policy *policy, const struct policy_constraint *constraint,
			const struct policy_context *source, const struct policy_context *target,
			const struct policy_context *third, struct constraint_term *ret_terms);

/* What the two sides of a leaf are: "l1 is `s0`, l2 is `s1:c0`", "t1 is `app_t`".
 * The leaf itself is written by dump_term() of ir/dump.h. */
void constraint_put_values(struct buffer *b, const struct policy *policy, const struct policy_cexpr *leaf,
			   const struct policy_context *source, const struct policy_context *target,
			   const struct policy_context *third);

#endif
