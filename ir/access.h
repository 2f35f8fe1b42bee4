/* The allow rules of a policy by class and source, for the checks that ask who
 * reaches what.  Private to ir/.
 *
 * A row is a dense set of types, nwords words: bit v - 1 stands for type
 * v, as in the sets of struct policy. */
#ifndef IR_ACCESS_H
#define IR_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/policy.h"

/* For each type the values that rules may name it by: itself and its
 * attributes, ascending.  Attributes and gaps have none. */
struct memberships {
	uint32_t *start; /* by value; of v: at[start[v]] to at[start[v + 1] - 1] */
	uint16_t *at;
};

void memberships_init(struct memberships *m, const struct policy *policy);
void memberships_free(struct memberships *m);

/* One allow or allowxperm rule. */
struct access_rule {
	uint16_t source, target, class;
	uint32_t place; /* 0 unconditional, else access_place() */
	uint32_t data;  /* mask, or index of xperms */
};

static inline uint32_t access_place(uint32_t cond, bool no) { return (cond + 1) << 1 | no; }
static inline uint32_t access_cond(uint32_t place) { return (place >> 1) - 1; }

/* The rules of one class and source, up to those of the next run. */
struct access_run {
	uint32_t first; /* index of the first rule */
	uint32_t data;  /* of all of them together: allow rules: permissions that any gives */
	uint32_t source;
};

/* Rules by class, source, place; class k has those from at[start[k]] on, and
 * the runs from runs.at[run_start[k]] on.  A last run ends the one before. */
struct access_table {
	VEC(struct access_rule) rules;
	VEC(struct access_run) runs;
	uint32_t *start, *run_start;
};

struct access {
	const struct policy *policy;
	struct memberships memberships;
	struct access_table allow, xallow;
	uint32_t nwords; /* of a row */
};

void access_init(struct access *a, const struct policy *policy);
void access_free(struct access *a);

/* The rules of one class by source. */
struct access_class {
	const struct access_table *table;
	uint32_t *run; /* by value: 1 + index of its run, 0 for none */
	uint32_t class;
};

/* Makes a zeroed struct show a class; again for the class it shows is free. */
void access_class_open(struct access_class *k, const struct access *a, const struct access_table *table,
		       uint32_t class);
void access_class_free(struct access_class *k);

/* All rules of a class whose source is a type or one of its attributes. */
typedef VEC(const struct access_rule *) access_rules;
void access_rules_of(const struct access *a, const struct access_class *k, uint32_t type, access_rules *ret_rules);

/* Rows. */
uint64_t *row_new(const struct access *a); /* empty; free() it */
void row_clear(const struct access *a, uint64_t *row);
void row_add(const struct access *a, uint64_t *row, uint32_t value); /* all that a value stands for */
static inline bool row_test(const uint64_t *row, uint32_t bit) { return row[bit / 64] >> bit % 64 & 1; }
uint32_t row_next(const struct access *a, const uint64_t *row, uint32_t from); /* bit from or later, or EBITMAP_NONE */

#define row_for_each(a, row, bit) \
	for (uint32_t bit = row_next(a, row, 0); bit != EBITMAP_NONE; bit = row_next(a, row, bit + 1))

#endif
