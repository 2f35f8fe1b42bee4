/* Questions about a policy: what it holds, which rules match, how two differ.
 *
 * All lists come sorted, and name things as policy source does. */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/module.h"
#include "ir/policy.h"

/* ---- info: counts, as seinfo has them ---- */

struct query_count {
	const char *key, *title; /* for programs, for people */
	uint32_t n;
};

enum { QUERY_MAX_COUNTS = 48 };

/* Those that the target has; returns how many. */
uint32_t query_info(const struct policy *policy, struct query_count ret_counts[QUERY_MAX_COUNTS]);
/* The same of a module: symbols that it declares, and those that it only
 * requires; statements as they are written.  Rows of titles with blanks in front
 * belong to the row before. */
uint32_t query_module_info(const struct module *module, struct query_count ret_counts[QUERY_MAX_COUNTS]);
const char *query_target_name(const struct policy *policy);

/* ---- rules: those that match ---- */

enum query_kind {
	QUERY_ALLOW = 1 << 0, QUERY_AUDITALLOW = 1 << 1, QUERY_DONTAUDIT = 1 << 2,
	QUERY_ALLOWXPERM = 1 << 3, QUERY_AUDITALLOWXPERM = 1 << 4, QUERY_DONTAUDITXPERM = 1 << 5,
	QUERY_TYPE_TRANSITION = 1 << 6, QUERY_TYPE_MEMBER = 1 << 7, QUERY_TYPE_CHANGE = 1 << 8,
	QUERY_ROLE_ALLOW = 1 << 9, QUERY_ROLE_TRANSITION = 1 << 10,
	QUERY_RANGE_TRANSITION = 1 << 11,
	QUERY_ROLE_KINDS = QUERY_ROLE_ALLOW | QUERY_ROLE_TRANSITION,
};

/* A filter that is NULL, or a list that is empty, lets all pass. */
typedef VEC(const char *) query_names;

struct rule_query {
	uint32_t kinds;         /* of enum query_kind; kinds of roles are not mixed with others */
	/* Types or attributes; roles for the kinds of roles (the target of a
	 * role_transition is a type).  A rule matches when it is about a type that
	 * the name stands for; with direct only when it says the name itself. */
	const char *source, *target;
	bool source_direct, target_direct;
	const char *result;     /* type, role or range that a transition leads to */
	query_names classes;    /* any of them */
	query_names perms;      /* any of them; for xperm rules `ioctl` or `nlmsg` */
	bool all_perms;         /* all of perms */
	query_names bools;      /* conditional on any of them */
};

/* Appends the rules that match, one a line, in the form of sesearch, by kind,
 * source, target and class.  False, with an error recorded, when a filter names
 * what the policy does not have. */
bool query_rules(const struct policy *policy, const struct rule_query *query, struct buffer *ret_lines,
		 uint32_t *ret_n, struct diags *diags);

/* ---- diff: by meaning ---- */

/* What a statement that differs is about, in the order of a report; the table
 * of names is in query/sections.def. */
enum diff_section {
#define SECTION(id, key, title, words) DIFF_##id,
#include "query/sections.def"
#undef SECTION
	DIFF_SECTIONS
};

struct diff_change {
	enum diff_section section;
	bool added;           /* only in the new policy, else only in the old one */
	const char *text;     /* a statement, or the part of one that differs */
	const char *full;     /* the same with long lists of names in full */
	uint64_t pairs;       /* rules: pairs of source and target type; else 0 */
};

struct diff {
	struct arena arena;
	VEC(struct diff_change) changes; /* by section and subject, removed before added, text */
	uint32_t added[DIFF_SECTIONS], removed[DIFF_SECTIONS];
	bool by_rule; /* some rules were too many pairs to compare by meaning: those listed may be implied by others */
};

/* Equal policies leave no changes.  What has no meaning is not compared: the
 * order and numbers of symbols, how rules are grouped or whether others imply
 * them, the form of expressions, attributes that are gone from an image. */
void query_diff(const struct policy *before, const struct policy *after, struct diff *ret_diff);
/* With another number of steps for comparing rules than is usual; for tests. */
void query_diff_within(const struct policy *before, const struct policy *after, uint64_t steps, struct diff *ret_diff);
void diff_free(struct diff *diff);
const char *diff_section_key(enum diff_section section);
const char *diff_section_title(enum diff_section section);

#endif
