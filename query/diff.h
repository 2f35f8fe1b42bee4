/* What the parts of a difference share.  Private to query/.
 *
 * Values of symbols differ between policies, names do not.  So types get common
 * numbers, by name, and each set of types that either policy has is kept once:
 * the sets of two attributes are equal when their numbers are.  Of a pair,
 * [OLD] is the policy before, [NEW] the one after. */
#ifndef QUERY_DIFF_H
#define QUERY_DIFF_H

#include "base/atom.h"
#include "base/buffer.h"
#include "query/query.h"

enum side { OLD, NEW };

#define NONE UINT32_MAX

/* A class that at least one policy has: its value there, or 0. */
struct class_pair { const char *name; uint32_t value[2]; };

/* The permissions of a class pair, numbered in common. */
struct perm_names {
	const char *at[2 * POLICY_MAX_PERMS];
	uint32_t n;
	uint8_t of[2][POLICY_MAX_PERMS]; /* by the policy's number; UINT8_MAX for none */
	bool same;                       /* the policy's numbers are the common ones, on both sides */
};

/* What a rule grants, or part of it, on one side only. */
struct grant {
	enum diff_section section;
	enum side side;
	const char *word, *class, *perms;
	uint32_t sources, targets;         /* sets */
	uint16_t source_hint, target_hint; /* values that stand for them, or 0 */
	bool self;                         /* each source with itself */
	bool partial;                      /* not a rule as it was written */
};

struct differ {
	struct diff *diff;
	const struct policy *p[2];
	struct arena arena;              /* until the comparison ends */

	struct atoms names;              /* of types: atom - 1 is the common number */
	uint32_t ntypes, nwords;
	uint32_t *number[2];             /* by type value; NONE for what is no type */
	VEC(struct ebitmap) sets;        /* of common numbers; 0 is the empty set */
	uint32_t *slots, nslots;         /* hash table: set, or NONE */
	uint32_t *set_of[2];             /* by type value: what it stands for */
	uint32_t *name_of[2];            /* by type value: equal for equal names, 0 for none */
	uint32_t *start[2], *members[2]; /* by common number: the sets of the policy that hold it */
	uint32_t *attribute_of[2];       /* by set: an attribute that stands for it, or 0 */
	uint32_t nnamed;                 /* sets below that have attribute_of */

	VEC(struct class_pair) classes;  /* by name */

	VEC(struct grant) grants;        /* not reported yet */
	bool full, cut;                  /* write long lists in full; one was cut */
	uint64_t budget;                 /* steps that matrices may still take */
};

/* A step is about a word or a cell that is looked at.  The largest differences
 * of real policies take some millions; crafted ones would take years. */
#define DIFFER_STEPS (UINT64_C(1) << 30)
/* Cells of a matrix, both sides. */
#define DIFFER_CELLS (UINT32_C(1) << 23)
/* What takes memory that stays counts more. */
enum { STEPS_KEPT = 64 };

static inline void differ_spend(struct differ *d, uint64_t steps)
{
	d->budget -= steps < d->budget ? steps : d->budget;
}

/* ---- diff_common.c ---- */
void differ_init(struct differ *d, const struct policy *before, const struct policy *after, struct diff *diff);
void differ_free(struct differ *d);
uint32_t set_intern(struct differ *d, struct ebitmap *set); /* takes the set over */
const char *common_name(const struct differ *d, uint32_t type);
/* The types of a role or an attribute, by common number. */
void common_types(const struct differ *d, enum side side, const struct ebitmap *types, struct ebitmap *ret);
void perm_names_init(struct perm_names *names, const struct differ *d, const struct class_pair *class);
uint64_t perm_names_mask(const struct perm_names *names, enum side side, uint32_t mask);

/* ---- diff_text.c ---- */
const char *keep_text(struct differ *d, const struct buffer *text); /* a copy in the arena of the comparison */
void put_common_perms(struct buffer *b, const struct perm_names *names, uint64_t mask);
/* A set of types: by an attribute that stands for it on the side, or one less a
 * few types, or by its names.  hint is a value to try first, or 0. */
void put_types(struct buffer *b, struct differ *d, enum side side, const struct ebitmap *types, uint32_t hint);
/* put writes the statement; it may be called twice, the second time in full. */
typedef void (*put_statement)(struct buffer *b, struct differ *d, const void *data);
void add_change(struct differ *d, enum diff_section section, enum side side, uint64_t pairs, put_statement put,
		const void *data);
void add_text(struct differ *d, enum diff_section section, enum side side, const char *text);

/* ---- diff_lines.c: statements that are equal or not ---- */

/* `HEAD SET TAIL`; entries with equal texts are one, with all their types. */
struct line { const char *head, *tail; uint32_t type; const struct ebitmap *types; bool set; };

struct lines { VEC(struct line) side[2]; };

void line_add(struct lines *l, enum side side, const char *text); /* the text stays */
void line_add_type(struct lines *l, enum side side, const char *head, uint32_t type, const char *tail);
void line_add_types(struct lines *l, enum side side, const char *head, const struct ebitmap *types, const char *tail);
void lines_diff(struct differ *d, struct lines *l, enum diff_section section); /* and frees them */

/* ---- diff_matrix.c: rules of one class, as a matrix of source, target → mask ---- */

struct matrix_rule {
	uint32_t source, target;             /* sets */
	uint16_t source_value, target_value; /* as the rule has them */
	uint64_t mask;
};

typedef VEC(struct matrix_rule) matrix_rules;

/* How a difference of a matrix is written. */
struct matrix_form {
	enum diff_section section;
	const char *word, *class;
	void (*put_perms)(struct buffer *b, const void *data, uint64_t mask);
	const void *data;
};

/* Adds the difference to the grants; sorts the rules.  What base (sorted already; may be
 * NULL) grants on the same side counts for nothing. */
void matrix_diff(struct differ *d, matrix_rules *rules, const matrix_rules *base, const struct matrix_form *form);
/* The first rule with the source or a later one. */
uint32_t matrix_find(const matrix_rules *rules, uint32_t source);

/* ---- diff_cover.c: a difference as few statements ---- */

struct cell { uint32_t target; uint64_t mask, left; }; /* left: not reported yet */
struct row { uint32_t source, first, n; };
/* What one side has and the other lacks. */
struct excess { enum side side; VEC(struct row) rows; VEC(struct cell) cells; };

/* Adds to the grants.  rules: those of the side that the other has not, sorted
 * by source. */
void excess_report(struct differ *d, struct excess *excess, const matrix_rules *rules, const struct matrix_form *form);
/* Adds rules as they are written: where all pairs are too many. */
void rules_report(struct differ *d, enum side side, const matrix_rules *rules, const struct matrix_form *form);

/* ---- diff_grants.c ---- */
/* Reports the grants, `WORD SOURCES TARGETS:CLASSES PERMS;SUFFIX`, and forgets
 * them; those that differ in one part only are one statement. */
void grants_report(struct differ *d, const char *suffix);

/* ---- the sections ---- */
void diff_properties(struct differ *d);
void diff_classes(struct differ *d);
void diff_mls(struct differ *d);
void diff_types(struct differ *d);
void diff_roles_users(struct differ *d);
void diff_constraints(struct differ *d);
void diff_rules(struct differ *d);       /* all of struct policy_rule */
void diff_transitions(struct differ *d); /* by file name, of ranges, of roles; role allows */
void diff_labels(struct differ *d);

#endif
