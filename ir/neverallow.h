/* What neverallow.c and neverallowxperm.c share.  Private to them. */
#ifndef IR_NEVERALLOW_H
#define IR_NEVERALLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/access.h"
#include "ir/internal.h"

enum {
	NEVERALLOW_REPORT = 100,   /* pairs reported of one neverallow; the rest is counted */
	NEVERALLOW_ORIGINS = 1000, /* pairs in all whose rules are looked up in the source */
};

struct checker {
	struct compile *c;
	const struct policy *policy;
	struct access access;
	struct access_class allow, xallow; /* the class under check */

	const struct neverallow *n; /* the one under check */
	/* By value: whether it has a source (target) of the neverallow; 0 not yet
	 * known, 1 no, 2 yes. */
	uint8_t *source_hits, *target_hits;
	uint32_t xdrivers[8];  /* drivers with a value that is never allowed */
	uint32_t class, perms; /* the pair of the neverallow under check */

	access_rules base, records; /* of one source: allow rules with one of perms; allowxperm rules of the kind */
	uint64_t *row;

	uint32_t reported, explained;
	uint64_t more; /* violating pairs not reported */
	uint64_t work; /* words gone over to count those */
};

/* Leaves in k->row the types that the source must not reach in the class, but
 * does, by the rules in k->base. */
typedef void (*find_targets)(struct checker *k, uint32_t source);
/* Records the finding for one pair (bits, not values). */
typedef void (*report_pair)(struct checker *k, uint32_t source, uint32_t target);

/* Clears from a row what is no target of the neverallow for this source. */
void keep_targets(const struct checker *k, uint64_t *row, uint32_t source);

/* Notes which statements grant the pair, and under which conditions. */
void explain(struct checker *k, uint32_t source, uint32_t target, uint32_t perms, bool xperm);

/* neverallowxperm.c */
void xperm_prepare(struct checker *k); /* for k->n */
void xperm_targets(struct checker *k, uint32_t source);
void xperm_report(struct checker *k, uint32_t source, uint32_t target);

static inline const char *type_text(const struct checker *k, uint32_t bit)
{
	return k->policy->types.at[bit + 1].name;
}

static inline bool rule_reaches(const struct checker *k, const struct access_rule *r, uint32_t target)
{
	return policy_type_matches(k->policy, target + 1, r->target);
}

#endif
