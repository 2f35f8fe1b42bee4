/* The rules of a policy by what a decision asks for.  Private to security/.
 *
 * A decision for source type S and target type T wants the rules (s, t) of a
 * class where s is S or an attribute of S, and t likewise.  Going through all
 * pairs of attributes, as the kernel does, takes hundreds of look-ups of which
 * nearly all find nothing.  Here the rules of a class lie in rows by what they
 * name:
 *
 *   row (class, S)    targets that are attributes, then targets that are types
 *   row (class, a)    the same for a source attribute: its target attributes
 *   column (class, T) sources that are attributes
 *
 * So a decision looks at one row, one column, and the rows of those source
 * attributes that S has.  Attributes in rules have numbers of their own, and
 * each type a set of them, one cache line in most policies. */
#ifndef SECURITY_INDEX_H
#define SECURITY_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"

/* Which list a rule is from: 0 the unconditional one, 1 + 2i the true branch of
 * conditional i, 2 + 2i its false branch. */
static inline uint32_t list_of(uint32_t cond, bool no)
{
	return 1 + 2 * cond + no;
}

struct rule_ref {
	uint16_t other; /* what the row or column leaves open: a type, or the number of an attribute */
	uint16_t kind;  /* enum policy_av_kind */
	uint32_t list;
	uint32_t data;
};

struct rule_row {
	uint32_t begin;    /* in refs */
	uint32_t nattrs;   /* refs to attributes */
	uint32_t ntypes;   /* then refs to types, sorted by type */
};

struct rule_slot {
	uint32_t key; /* class << 16 | symbol, 0: free */
	struct rule_row row;
};

/* Open addressing. */
struct rule_table {
	struct rule_slot *slots;
	uint32_t mask, n;
};

struct attr_row { uint32_t attr; struct rule_row row; };
struct class_rows { uint32_t begin, n; }; /* in attr_rows */

struct rule_index {
	struct rule_ref *refs;
	uint32_t nrefs;
	struct rule_table rows, columns;
	struct attr_row *attr_rows;  /* of source attributes with target attributes */
	uint32_t nattr_rows;
	struct class_rows *classes;  /* by value */
	uint64_t *attrs;             /* by type: a set of attribute numbers, width words each */
	uint32_t width;
	uint32_t *attr_values;       /* by number */
	uint32_t nattrs;
};

void index_init(struct rule_index *index, const struct policy *policy);
void index_free(struct rule_index *index);
size_t index_memory(const struct rule_index *index, const struct policy *policy);

/* Empty when there is none. */
struct rule_row index_find(const struct rule_table *table, uint32_t class, uint32_t symbol);

static inline const uint64_t *index_attrs(const struct rule_index *index, uint32_t type)
{
	return index->attrs + (size_t)type * index->width;
}

static inline bool attrs_test(const uint64_t *attrs, uint32_t attr)
{
	return attrs[attr / 64] >> attr % 64 & 1;
}

/* The first of the refs to types of a row that names the type, or the end. */
static inline uint32_t row_search(const struct rule_index *index, const struct rule_row *row, uint32_t type)
{
	uint32_t low = row->begin + row->nattrs, n = row->ntypes;

	while (n > 1) {
		uint32_t half = n / 2;

		/* Those equal to the type are wanted from the first on. */
		low = index->refs[low + half - 1].other < type ? low + half : low;
		n -= half;
	}
	return n && index->refs[low].other < type ? low + 1 : low;
}

/* What to do with a rule; source and target are what it names, a type or an
 * attribute. */
typedef void (*rule_visit)(void *data, const struct rule_ref *ref, uint32_t source, uint32_t target);

static inline void visit_attrs(const struct rule_index *index, const struct rule_row *row, const uint64_t *attrs,
			       uint32_t source, uint32_t target, rule_visit visit, void *data)
{
	for (uint32_t i = row->begin; i < row->begin + row->nattrs; i++) {
		const struct rule_ref *ref = &index->refs[i];

		if (attrs_test(attrs, ref->other))
			visit(data, ref, source ? source : index->attr_values[ref->other],
			      target ? target : index->attr_values[ref->other]);
	}
}

/* Visits the rules of a class that are about two types, whatever their kind and
 * list.  The class has a value of the policy's.  Inline, so that what is done
 * with a rule becomes a part of the loops. */
__attribute__((always_inline)) static inline void index_visit(const struct rule_index *index, uint32_t source,
							      uint32_t target, uint32_t class, rule_visit visit, void *data)
{
	const uint64_t *source_attrs = index_attrs(index, source), *target_attrs = index_attrs(index, target);
	const struct class_rows *rows = &index->classes[class];
	/* Both at first: the memory of the one comes while the other is looked for. */
	struct rule_row row = index_find(&index->rows, class, source), column = index_find(&index->columns, class, target);
	uint32_t at, end = row.begin + row.nattrs + row.ntypes;

	__builtin_prefetch(&index->refs[row.begin]);
	__builtin_prefetch(&index->refs[column.begin]);
	__builtin_prefetch(target_attrs);
	__builtin_prefetch(source_attrs);
	at = row_search(index, &row, target);
	visit_attrs(index, &row, target_attrs, source, 0, visit, data);
	for (; at < end && index->refs[at].other == target; at++)
		visit(data, &index->refs[at], source, target);
	visit_attrs(index, &column, source_attrs, 0, target, visit, data);
	for (uint32_t i = rows->begin; i < rows->begin + rows->n; i++) {
		const struct attr_row *attr = &index->attr_rows[i];

		if (attrs_test(source_attrs, attr->attr))
			visit_attrs(index, &attr->row, target_attrs, index->attr_values[attr->attr], 0, visit, data);
	}
}

#endif
