/* What the checks of a policy share.  Private to validator/. */
#ifndef VALIDATOR_POLICY_INTERNAL_H
#define VALIDATOR_POLICY_INTERNAL_H

#include "base/buffer.h"
#include "validator/policy_checks.h"

struct policy_run {
	const struct policy *policy;
	const struct policy_places *places; /* or NULL */
	const struct permission_map *map;   /* or NULL */
	struct diags *diags;
	uint32_t *granted; /* by class: permissions that some rule allows, conditional ones as well */
	struct buffer left, right; /* pieces of messages */
};

/* Names, levels and ranges in messages; good until the next use of the buffer. */
const char *run_level(const struct policy_run *run, struct buffer *b, const struct policy_level *level);
const char *run_range(const struct policy_run *run, struct buffer *b, const struct policy_range *range);

/* `a`, `b` and 3 more. */
struct name_list { struct buffer *out; uint32_t limit, n, shown; };
void name_list_start(struct name_list *list, struct buffer *out, uint32_t limit);
void name_list_add(struct name_list *list, const char *name);
const char *name_list_text(struct name_list *list);

enum { SHOWN_NAMES = 8, SHOWN_NOTES = 8 };

/* The checks: one function, one row of the table in policy_checks.c. */
void check_user_levels(struct policy_run *run);
void check_unusable_users(struct policy_run *run);
void check_unused_levels(struct policy_run *run);
void check_range_transitions(struct policy_run *run);
void check_constraint_gaps(struct policy_run *run);
void check_unconstrained_classes(struct policy_run *run);
void check_constraint_values(struct policy_run *run);
void check_unreached_constraints(struct policy_run *run);

#endif
