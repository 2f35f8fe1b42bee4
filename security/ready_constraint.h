/* Constraints made ready for decisions.  Private to security/.
 *
 * An expression in postfix is evaluated whole, each node a cache line of the
 * policy.  Here only its leaves are kept, in their order, each with the leaf
 * that comes next when it is true and when it is false; so operators cost
 * nothing, and what cannot change the result is not looked at.  The answers are
 * those of constraint_holds() without a third context. */
#ifndef SECURITY_READY_CONSTRAINT_H
#define SECURITY_READY_CONSTRAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"

/* In place of a leaf: the result. */
#define READY_FAILS (UINT32_MAX - 1)
#define READY_HOLDS UINT32_MAX

struct ready_leaf {
	const uint64_t *words; /* names: of the policy's set */
	uint32_t first, nwords;
	uint8_t kind;          /* enum leaf_kind */
	uint8_t left, right;   /* enum operand */
	uint32_t on_true, on_false;
};

struct ready_constraint { uint32_t perms, begin; }; /* begin: a leaf, or a result */
struct ready_class { uint32_t begin, n; };          /* in constraints */

struct ready_constraints {
	struct ready_class *classes; /* by value */
	struct ready_constraint *constraints;
	struct ready_leaf *leaves;
	uint32_t nconstraints, nleaves;
};

void ready_constraints_init(struct ready_constraints *ready, const struct policy *policy);
void ready_constraints_free(struct ready_constraints *ready);
size_t ready_constraints_memory(const struct ready_constraints *ready, const struct policy *policy);

bool ready_constraint_holds(const struct ready_constraints *ready, const struct policy *policy,
			    const struct ready_constraint *constraint, const struct policy_context *source,
			    const struct policy_context *target);

#endif
