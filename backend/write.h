/* Private to the policydb writer: what its files share. */
#ifndef BACKEND_WRITE_H
#define BACKEND_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/features.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "ir/module.h"
#include "ir/policy.h"

struct expander;

struct writer {
	const struct policy *policy; /* of the module, if there is one */
	const struct module *module; /* or NULL */
	const struct features *features;
	struct buffer *image;
	struct diags *diags;
	uint32_t process;          /* value of the class of processes, 0 if there is none */
	struct expander *expander; /* where rules cannot name attributes, else NULL */
	bool failed;               /* an error was recorded: the image is of no use */
};

static inline bool has(const struct writer *w, enum feature feature)
{
	return w->features->has & feature;
}

/* ---- put.c: building blocks (4) ---- */

void put_u32(struct writer *w, uint32_t v);
void put_string(struct writer *w, const char *text); /* length and bytes */
void put_text(struct writer *w, const char *text);   /* bytes alone */
void put_ebitmap(struct writer *w, const struct ebitmap *set);
/* An ebitmap from ascending members; the member `first` is bit 0. */
void put_members(struct writer *w, const uint32_t *members, size_t n, uint32_t first);
void put_level(struct writer *w, const struct policy_level *level);
void put_range(struct writer *w, const struct policy_range *range);
void put_context(struct writer *w, const struct policy_context *context);

/* A list whose length is known at its end: list_begin() leaves room for it. */
size_t list_begin(struct writer *w);
void list_end(struct writer *w, size_t list, size_t n);

/* Records an error when the image outgrows what its format can count. */
void check_size(struct writer *w);

/* For records by the ten thousand: reserve, store, and set the buffer's end. */
static inline unsigned char *store_u16(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)v;
	p[1] = (unsigned char)(v >> 8);
	return p + 2;
}

static inline unsigned char *store_u32(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)v;
	p[1] = (unsigned char)(v >> 8);
	p[2] = (unsigned char)(v >> 16);
	p[3] = (unsigned char)(v >> 24);
	return p + 4;
}

static inline unsigned char *store_u64(unsigned char *p, uint64_t v)
{
	return store_u32(store_u32(p, (uint32_t)v), (uint32_t)(v >> 32));
}

static inline unsigned char *store_begin(struct buffer *b, size_t n)
{
	buffer_reserve(b, n);
	return b->at + b->n;
}

static inline void store_end(struct buffer *b, const unsigned char *p)
{
	b->n = (size_t)(p - b->at);
}

/* ---- downgrade.c: what the version cannot hold (12) ---- */

void check_downgrade(struct writer *w);

/* ---- the sections, in their order (2.4) ---- */

void write_symbol_tables(struct writer *w);    /* write_symbols.c */
void write_common_table(struct writer *w);
void write_class_table(struct writer *w);
void write_bool_table(struct writer *w);
void write_level_table(struct writer *w);
void write_category_table(struct writer *w);
/* The head of a table; returns its list, for list_end(). */
size_t symbols_begin(struct writer *w, uint32_t nprim);
void write_avtab(struct writer *w);            /* write_rules.c */
void write_conditionals(struct writer *w);
void write_role_transitions(struct writer *w); /* write_transitions.c */
void write_role_allows(struct writer *w);
void write_filename_transitions(struct writer *w);
void write_ocontexts(struct writer *w);        /* write_labels.c */
void write_genfs(struct writer *w);
void write_range_transitions(struct writer *w);
void write_attribute_map(struct writer *w);    /* write_attributes.c */

/* ---- modules (15) ---- */

static inline void put_values(struct writer *w, struct module_values values)
{
	put_members(w, values.at, values.n, 1);
}

void put_type_set(struct writer *w, const struct module_type_set *set); /* write_module_sets.c */
void put_role_set(struct writer *w, const struct module_role_set *set);
void put_written_level(struct writer *w, const struct module_level *level);
void put_written_range(struct writer *w, const struct module_range *range);
/* The same in the form of a kernel policy. */
void put_plain_level(struct writer *w, const struct module_level *level);
void put_plain_range(struct writer *w, const struct module_range *range);

void write_module_symbols(struct writer *w); /* write_module_symbols.c: the eight tables of the module */
void write_branch_symbols(struct writer *w, const struct module_decl *decl);
void write_blocks(struct writer *w);         /* write_module_blocks.c */

/* ---- expand.c: rules before attributes (6.3) ---- */

struct expander *expander_new(const struct policy *policy);
void expander_free(struct expander *x); /* NULL is fine */

/* A list of rules with its length, attributes replaced by their types.  Merged:
 * the kinds of one key share an entry.  Returns the number of entries. */
size_t write_expanded(struct writer *w, const policy_rules *rules, bool merged, bool enabled);

#endif
