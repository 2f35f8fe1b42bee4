/* Private to the policydb reader: what its files share.
 *
 * One cursor.  All bytes come through get_bytes(), which gives them or records the
 * one error of a reading; from then on every further one fails, quietly, and gives
 * zeros.  So a record is read straight on, and loops look at failed. */
#ifndef BACKEND_READ_H
#define BACKEND_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/features.h"
#include "base/atom.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ebitmap/encoding.h"
#include "ir/module.h"
#include "ir/policy.h"

struct reader {
	const unsigned char *begin, *at, *end;
	const char *path;
	const char *section;   /* of the image, for messages */
	const struct features *features;
	struct policy *policy; /* of the module, if there is one */
	struct module *module; /* or NULL */
	struct diags *diags;
	size_t budget;         /* bytes that sets may still take */
	bool failed;

	/* What later sections need and struct policy has no place for. */
	struct ebitmap permissive, neveraudit; /* bit: type value */
	struct atoms commons;                  /* names in the order of the image */
	uint32_t *common_values;               /* by atom; in the policy's arena */
	uint32_t process;                      /* value of the class of processes, or 0 */
	VEC(struct policy_xperms) xperms;
};

static inline bool can(const struct reader *r, enum feature feature)
{
	return r->features->has & feature;
}

/* ---- read.c: the ends of a reading; parts of both headers ---- */

void reader_begin(struct reader *r, const void *image, size_t size, const char *path, struct diags *diags);
void reader_end(struct reader *r);
void read_config(struct reader *r);       /* MLS, handle_unknown; features are known */
void read_table_counts(struct reader *r);

/* ---- get.c: the cursor and the building blocks (4) ---- */

/* Records the error, unless there is one. */
void refuse(struct reader *r, const char *fmt, ...) DIAG_FMT(2, 3);

static inline size_t left(const struct reader *r)
{
	return (size_t)(r->end - r->at);
}

void refuse_end(struct reader *r, size_t len);

/* The next len bytes; NULL once the reading has failed. */
static inline const unsigned char *get_bytes(struct reader *r, size_t len)
{
	const unsigned char *p = r->at;

	if (len > (size_t)(r->end - p)) {
		refuse_end(r, len);
		return NULL;
	}
	r->at = p + len;
	return p;
}

static inline uint32_t load_u16(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t load_u32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load_u64(const unsigned char *p)
{
	return load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

static inline uint32_t get_u32(struct reader *r)
{
	const unsigned char *p = get_bytes(r, 4);

	return p ? load_u32(p) : 0;
}

/* The number of records that follow, each of at least size bytes: so many fit
 * into what is left, or it is 0 and the reading has failed. */
uint32_t get_count(struct reader *r, size_t size);

/* Text of len bytes into the policy's arena, fit for messages: not empty, no
 * control characters.  Never NULL. */
const char *get_text(struct reader *r, uint32_t len);

enum { SET_SIZE = EBITMAP_HEAD_SIZE }; /* of an empty set */

/* The nodes of a set, without fault; none once the reading has failed. */
struct ebitmap_nodes get_nodes(struct reader *r);
void get_set(struct reader *r, struct ebitmap *ret_set);
/* Room for the words first to last, zeroed; the first and the last are to be
 * filled.  Sets can be larger than their nodes: that is what budget bounds. */
bool make_set(struct reader *r, struct ebitmap *ret_set, uint32_t first, uint32_t last);

enum { LEVEL_SIZE = 4 + SET_SIZE, RANGE_SIZE = 8 + SET_SIZE };

void get_level(struct reader *r, struct policy_level *ret_level);
void get_range(struct reader *r, struct policy_range *ret_range);
void get_context(struct reader *r, struct policy_context *ret_context);
size_t context_size(const struct reader *r); /* of the smallest */

/* The members of a set of symbols as values, in the module's arena. */
struct module_values get_values(struct reader *r);

/* A list of the policy, zeroed, so that policy_free() finds what was filled. */
#define get_list(r, list, size) \
	((list)->n = get_count(r, size), \
	 (void)((list)->at = arena_zalloc(&(r)->policy->arena, (list)->n, sizeof *(list)->at)))

/* ---- the sections, in their order (2.4) ---- */

void read_symbol_tables(struct reader *r);    /* read_symbols.c */
void read_class_table(struct reader *r);      /* read_classes.c */
void read_common_table(struct reader *r);
void read_bool_table(struct reader *r);       /* read_symbols.c */
void read_level_table(struct reader *r);
void read_category_table(struct reader *r);
void read_avtab(struct reader *r);            /* read_rules.c */
void read_conditionals(struct reader *r);
void read_role_transitions(struct reader *r); /* read_transitions.c */
void read_role_allows(struct reader *r);
void read_range_transitions(struct reader *r);
void read_filename_transitions(struct reader *r); /* read_filename.c */
void read_ocontexts(struct reader *r);        /* read_labels.c */
void read_genfs(struct reader *r);
void read_attribute_map(struct reader *r);    /* read_attributes.c */

/* ---- read_symbols.c: a table, for the files that read one ---- */

struct table {
	const char *what;  /* "type" */
	uint32_t nprim, n; /* highest value, entries */
	struct atoms names;
};

void table_begin(struct reader *r, struct table *table, const char *what, size_t entry_size);
void table_end(struct table *table);
/* The name of an entry, of len bytes, which no other entry has. */
const char *table_name(struct reader *r, struct table *table, uint32_t len);
/* May the value be that of a new symbol?  taken: the name of the one that has it. */
bool table_value(struct reader *r, const struct table *table, const char *name, uint32_t value, const char *taken);

#define table_symbols(r, table, symbols) \
	((symbols)->n = (table)->nprim, \
	 (void)((symbols)->at = arena_zalloc(&(r)->policy->arena, (size_t)(symbols)->n + 1, sizeof *(symbols)->at)))

typedef VEC(struct policy_alias) alias_vec;

#define keep_aliases(r, list, from) \
	((list)->n = (from)->n, \
	 (void)((list)->at = arena_copy(&(r)->policy->arena, (from)->at, (from)->n * sizeof *(from)->at)))

/* The name of the symbol that has a value already, if any. */
#define taken_by(symbols, value) ((value) <= (symbols)->n ? (symbols)->at[value].name : NULL)

/* ---- modules (15) ---- */

/* A list of the module, zeroed. */
#define get_module_list(r, list, size) \
	((list)->n = get_count(r, size), \
	 (void)((list)->at = arena_zalloc(&(r)->module->arena, (list)->n, sizeof *(list)->at)))

void get_type_set(struct reader *r, struct module_type_set *ret_set); /* read_module_sets.c */
void get_role_set(struct reader *r, struct module_role_set *ret_set);
void get_written_level(struct reader *r, struct module_level *ret_level);
void get_written_range(struct reader *r, struct module_range *ret_range);
/* The same of levels as a kernel policy has them: spans of categories that follow each other. */
void get_plain_level(struct reader *r, struct module_level *ret_level);
void get_plain_range(struct reader *r, struct module_range *ret_range);

enum {
	TYPE_SET_SIZE = 2 * SET_SIZE + 4, ROLE_SET_SIZE = SET_SIZE + 4,
	WRITTEN_LEVEL_SIZE = 8, WRITTEN_RANGE_SIZE = 2 * WRITTEN_LEVEL_SIZE,
};

void read_module_symbols(struct reader *r);  /* read_module_symbols.c: the eight tables of the module */
/* ... and of a branch, which has types, roles and users alone. */
void read_branch_symbols(struct reader *r, struct module_decl *decl);
void read_blocks(struct reader *r);          /* read_module_blocks.c */
void read_written_rules(struct reader *r, module_rules *ret_rules); /* read_module_rules.c */
void read_old_range_transitions(struct reader *r);          /* those behind a base of version 5 */

/* ---- sort_rules.c ---- */

/* Sorts a list and puts together the entries of one key.  Type rules never
 * share a key; others only when merge says that they may. */
void sort_rules(struct reader *r, policy_rules *rules, bool merge);

#endif
