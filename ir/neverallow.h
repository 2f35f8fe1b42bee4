/* What neverallow*.c share.  Private to them. */
#ifndef IR_NEVERALLOW_H
#define IR_NEVERALLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/access.h"
#include "ir/internal.h"
#include "ir/origin.h"

enum {
	NEVERALLOW_GROUPS = 100, /* violations told apart of one neverallow; the pairs of further ones are counted */
	NEVERALLOW_SLOTS = 256,
};

/* Pairs of types that the same rules allow in one class: one finding. */
struct violation {
	uint32_t *ids; /* of the rules: statements; without a source, indexes into an access table */
	uint32_t nids;
	bool unlimited;      /* of a neverallowxperm: no record limits the pair */
	uint32_t class, perms;
	struct ebitmap values; /* of a neverallowxperm, unless unlimited */
	struct ebitmap sources, targets;
	uint64_t npairs;
	bool all_self;       /* each pair is of one type */
	uint32_t source, target; /* bits of the first pair */
	bool told;           /* together with an earlier one */
};

/* A statement that may have to do with the violations in the class under check. */
struct candidate { uint32_t id; struct origin origin; };

typedef VEC(struct candidate) candidates;

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
	uint64_t *row, *unlimited;  /* targets that violate; those of them that no record limits */

	bool by_statement; /* violations have statements, else rules of the policy */
	candidates grants, limits;         /* allow statements; allowxperm statements with a value that is never allowed */
	candidates here;                   /* those of one source: first the ngrants of grants */
	uint32_t ngrants;
	VEC(uint32_t) ids;                 /* of one pair */
	VEC(struct violation) violations;  /* of one neverallow */
	uint8_t slots[NEVERALLOW_SLOTS];   /* those by hash, open addressing: index + 1 */
	uint64_t more; /* violating pairs of no violation kept */
	bool cut;      /* there may be further pairs */
	uint64_t work; /* steps taken for pairs, of all neverallows */
};

/* Leaves in k->row the types that the source must not reach in the class, but
 * does, by the rules in k->base. */
typedef void (*find_targets)(struct checker *k, uint32_t source);

/* Whether a value has a type of the sources (targets) of the neverallow. */
bool neverallow_has_source(const struct checker *k, uint32_t value);
bool neverallow_has_target(const struct checker *k, uint32_t value);

/* Clears from a row what is no target of the neverallow for this source. */
void keep_targets(const struct checker *k, uint64_t *row, uint32_t source);

/* ---- neverallow_report.c ---- */

void find_candidates(struct checker *k); /* for k->class */
void find_candidates_here(struct checker *k, uint32_t source);
void add_violation(struct checker *k, uint32_t source, uint32_t target); /* bits; of k->base and k->records */
void report_violations(struct checker *k); /* and forgets them */
void report_uncounted(struct checker *k);  /* of a neverallow: that it is violated, no more */

/* ---- neverallowxperm.c ---- */

void xperm_prepare(struct checker *k); /* for k->n */
void xperm_targets(struct checker *k, uint32_t source);
/* Whether a record allows any of the values that are never allowed. */
bool xperm_record_violates(const struct checker *k, const struct access_rule *r);
void xperm_values_of(const struct checker *k, uint32_t target, struct ebitmap *ret_values); /* those, by k->records */

static inline const char *type_text(const struct checker *k, uint32_t bit)
{
	return k->policy->types.at[bit + 1].name;
}

static inline bool rule_reaches(const struct checker *k, const struct access_rule *r, uint32_t target)
{
	return policy_type_matches(k->policy, target + 1, r->target);
}

#endif
