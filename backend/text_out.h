/* Private to the writers of policy.conf and CIL: what their files share. */
#ifndef BACKEND_TEXT_OUT_H
#define BACKEND_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "ir/policy.h"
#include "ir/text.h"

enum text_form { TEXT_CONF, TEXT_CIL, TEXT_BASE, TEXT_MODULE, TEXT_CIL_BASE, TEXT_CIL_MODULE };

/* The symbols of a kind: names by value, and values by name. */
struct text_table {
	const char *what;
	const char **names; /* by value; NULL: a gap */
	uint32_t *rank;     /* by value, from 1; 0: a gap */
	uint32_t *order;    /* values, sorted by name; of a module, where it does not matter, by value */
	uint32_t *declared; /* values, in the order of their declarations */
	uint32_t n, norder; /* highest value, values with a name */
};

struct text_out {
	const struct policy *policy;
	struct buffer *out;
	struct diags *diags;
	struct arena arena;
	bool cil, by_value;
	bool unlinked; /* attributes of constraints get members from modules, too */
	bool failed; /* an error was recorded */
	struct text_table classes, types, roles, users, bools, sens, cats;
	/* Declared to have no members, for sets that are empty; NULL: not needed. */
	const char *empty_type, *empty_role, *empty_user;
	bool empty_type_is_new;
};

static inline void say(struct text_out *t, const char *text)
{
	buffer_put(t->out, text, strlen(text));
}

/* ---- text_out.c ---- */

void text_out_init(struct text_out *t, const struct policy *policy, enum text_form form, struct buffer *out,
		   struct diags *diags);
void text_out_free(struct text_out *t);

/* Records an error: the form cannot say this; the second tells where it stands. */
void text_fail(struct text_out *t, const char *fmt, ...) DIAG_FMT(2, 3);
void text_fail_at(struct text_out *t, struct loc loc, const char *fmt, ...) DIAG_FMT(3, 4);
/* Records a warning: the form cannot say this, and it does not matter much. */
void text_lose(struct text_out *t, const char *fmt, ...) DIAG_FMT(2, 3);

/* The name of a value; a value without one is an error. */
const char *name_of(struct text_out *t, const struct text_table *table, uint32_t value);
static inline void say_name(struct text_out *t, const struct text_table *table, uint32_t value)
{
	say(t, name_of(t, table, value));
}

bool table_has(const struct text_table *table, const char *name);
/* A name that no symbol of the table, and no type alias, has. */
const char *unused_name(struct text_out *t, const struct text_table *table, const char *base);

/* Names of a set in their order, with spaces between them. */
void say_set(struct text_out *t, const struct text_table *table, const struct ebitmap *set);
/* Its values in their order; free() it. */
uint32_t *set_by_name(const struct text_table *table, const struct ebitmap *set, uint32_t *ret_n);

/* The permissions of a mask, with spaces between them; false when the class has
 * none of them. */
bool say_perms(struct text_out *t, uint32_t class, uint32_t mask);
/* Permissions of the class that are in a mask. */
uint32_t declared_perms(const struct policy *policy, uint32_t class, uint32_t mask);

void say_level(struct text_out *t, const struct policy_level *level);
void say_range(struct text_out *t, const struct policy_range *range);
void say_categories(struct text_out *t, const struct ebitmap *cats);
void say_context(struct text_out *t, const struct policy_context *context);

/* Calls put_capability for each, sorted by name. */
void each_capability(struct text_out *t, void (*put_capability)(struct text_out *t, const char *name));
/* The aliases of a list, sorted by name; free() it. */
struct policy_alias *aliases_by_name(const struct policy_alias *at, uint32_t n);

/* Initial SIDs from 1 to the highest that has a context. */
uint32_t sid_count(const struct policy *policy);
struct sid_name { char at[24]; };
struct sid_name sid_name(const struct policy *policy, uint32_t sid); /* a known one, or UNKNOWN and the number */

/* ---- text_constraints.c ---- */

/* Finds out which empty sets need a name, those of constraints and the roles of
 * users; before anything is written. */
void name_empty_sets(struct text_out *t);
void name_empty_users(struct text_out *t);
/* The constraints that stand among the MLS declarations, or the other ones. */
void say_constraints(struct text_out *t, bool mls);

/* ---- text_rules.c ---- */

void say_rules(struct text_out *t);
void say_filename_transitions(struct text_out *t);
void say_range_transitions(struct text_out *t);
void say_conditionals(struct text_out *t);
void say_role_transitions(struct text_out *t);
void say_role_allows(struct text_out *t);
/* Extended permissions, with spaces between them. */
void say_values(struct text_out *t, const struct ebitmap *values);
/* The expression of a conditional, in policy.conf without the outer parentheses. */
void put_condition(struct text_out *t, const struct policy_cond *cond, struct buffer *out);

/* ---- text_labels.c ---- */

void say_labels(struct text_out *t);
/* CIL's word for `--` and the like; NULL: it is none. */
const char *cil_file_kind(const char *conf, size_t len);

/* ---- conf.c ---- */

/* Breaks lines behind start that are too long for checkpolicy. */
void conf_break_lines(struct buffer *out, size_t start);
void conf_put_capability(struct text_out *t, const char *name);

/* ---- conf_names.c ---- */

/* Whether the source can spell all names; an error for each that it cannot. */
bool conf_check_names(struct text_out *t);
bool conf_is_name(const char *name); /* of a type; keywords are not looked for */
bool conf_is_fs_name(const char *name, bool xattr);
bool conf_is_interface_name(const char *name);

/* ---- cil_names.c ---- */

bool cil_check_names(struct text_out *t); /* the same */

/* ---- conf_symbols.c, cil_symbols.c: declarations, in their order ---- */

void conf_put_classes(struct text_out *t);
void conf_put_sids(struct text_out *t);
void conf_put_access_vectors(struct text_out *t);
void conf_put_defaults(struct text_out *t);
void conf_put_mls(struct text_out *t);
void conf_put_types(struct text_out *t); /* attributes, booleans, types and what is said of them */
void conf_put_roles(struct text_out *t);
void conf_put_users(struct text_out *t);
void conf_put_type_attributes(struct text_out *t); /* typeattribute statements */
void conf_put_empty_sets(struct text_out *t);      /* declares what name_empty_sets() has named */

void cil_put_empty_sets(struct text_out *t); /* the same */
/* Of a policy and of a base: what stands before types, and then the capabilities. */
void cil_put_head(struct text_out *t);
void cil_put_capabilities(struct text_out *t);
void cil_put_classes(struct text_out *t);
void cil_put_sids(struct text_out *t);
void cil_put_defaults(struct text_out *t);
void cil_put_mls(struct text_out *t);
void cil_put_types(struct text_out *t);
void cil_put_roles(struct text_out *t);
void cil_put_users(struct text_out *t);

#endif
