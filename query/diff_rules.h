/* Between diff_rules.c and diff_xperms.c. */
#ifndef QUERY_DIFF_RULES_H
#define QUERY_DIFF_RULES_H

#include "query/diff.h"

typedef VEC(const struct policy_rule *) rule_refs;

/* The extended permission rules among those of one class pair. */
void diff_xperms(struct differ *d, uint32_t class, const rule_refs *refs);

#endif
