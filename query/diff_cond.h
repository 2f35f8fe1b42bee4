/* Conditionals by what their expressions mean. */
#ifndef QUERY_DIFF_COND_H
#define QUERY_DIFF_COND_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/policy.h"

/* negated: the expression is the opposite of the group's normal form. */
struct cond_ref { const struct policy_cond *cond; bool negated; };

/* The conditionals of both policies that have one meaning, or the opposite. */
struct cond_group { const struct cond_ref *at[2]; uint32_t n[2]; };

/* Calls for each group; policies name booleans, their values do not count. */
void cond_groups(const struct policy *const *p, void (*call)(void *data, const struct cond_group *group), void *data);

#endif
