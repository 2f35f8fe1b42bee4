/* Private to the validator: what its files share.
 *
 * A finding names the object it is about.  The object is set before it is
 * checked, which costs nothing, and put into words when something is wrong. */
#ifndef BACKEND_VALIDATE_H
#define BACKEND_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/features.h"
#include "base/diag.h"
#include "ir/module.h"
#include "ir/policy.h"

enum value_table { OF_CLASSES, OF_ROLES, OF_TYPES, OF_USERS, OF_BOOLS, OF_SENS, OF_CATS, VALUE_TABLES };

/* The values of a table that are symbols. */
struct values {
	const char *what; /* "role" */
	uint32_t n;
	struct ebitmap gaps; /* bit: value - 1 */
};

enum { OBJECT_TEXT = 400 };

struct validator {
	const struct policy *policy;
	const struct module *module; /* or NULL; then policy is of it, with its roles and users */
	const char *path;            /* of a module, for messages */
	const struct features *features;
	struct diags *diags;
	struct values values[VALUE_TABLES];

	/* The object. */
	const char *check; /* of findings about it */
	const char *kind;  /* "user" */
	const char *name;  /* or NULL: its number is told */
	uint32_t index;    /* from 0 */
	/* Or, if given, it writes at most OBJECT_TEXT bytes about the index. */
	void (*describe)(const struct validator *v, char *text);
	const void *of;    /* for describe() */
};

static inline void about(struct validator *v, const char *kind, const char *name, uint32_t index)
{
	v->kind = kind;
	v->name = name;
	v->index = index;
	v->describe = NULL;
}

/* Something about the object is wrong; or right, but the Linux kernel will not
 * have it. */
void invalid(struct validator *v, const char *fmt, ...) DIAG_FMT(2, 3);
void kernel_refuses(struct validator *v, const char *fmt, ...) DIAG_FMT(2, 3);

/* ---- values ---- */

static inline bool is_symbol(const struct validator *v, enum value_table table, uint32_t value)
{
	const struct values *values = &v->values[table];

	return value && value <= values->n && !ebitmap_test(&values->gaps, value - 1);
}

void invalid_value(struct validator *v, enum value_table table, uint32_t value, const char *role);

/* Is the value, which has the role for the object, a symbol? */
static inline bool check_value(struct validator *v, enum value_table table, uint32_t value, const char *role)
{
	if (is_symbol(v, table, value))
		return true;
	invalid_value(v, table, value, role);
	return false;
}

/* ... and no attribute? */
bool check_type(struct validator *v, uint32_t value, const char *role);
bool check_set(struct validator *v, enum value_table table, const struct ebitmap *set, const char *role);

/* A symbol in words, quoted, or its value; text has NAME_TEXT bytes. */
enum { NAME_TEXT = 80 };
const char *value_name(const struct validator *v, enum value_table table, uint32_t value, char *text);

/* ---- small things ---- */

static inline int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* The permissions that are declared. */
static inline uint32_t permission_mask(const struct policy_class *class)
{
	return class->nperms ? UINT32_MAX >> (POLICY_MAX_PERMS - class->nperms) : 0;
}

/* ---- validate_labels.c: levels and contexts ---- */

/* Sensitivity and categories exist; in a policy without MLS there are none. */
bool check_level(struct validator *v, const struct policy_level *level, const char *role);
/* High dominates low, each with categories that its sensitivity may have.
 * Returns NULL or what is wrong. */
const char *range_fault(const struct policy *policy, const struct policy_range *range);

/* The values that are symbols, from the names of the policy. */
void find_all_values(struct validator *v);
void free_all_values(struct validator *v);

/* ---- by subject ---- */

void validate_symbols(struct validator *v);
void validate_levels(struct validator *v);
void validate_constraints(struct validator *v);
void validate_rules(struct validator *v);
void validate_conditionals(struct validator *v);
void validate_transitions(struct validator *v);
void validate_labels(struct validator *v);
void validate_genfs(struct validator *v);
void validate_kernel_needs(struct validator *v); /* validate_kernel.c */

/* ---- modules ---- */

/* The expression, about which v is: a stack that ends with one value. */
void check_condition(struct validator *v, const struct policy_cond_expr *expr, uint32_t n);
/* ---- validate_module.c ---- */
void check_values(struct validator *v, enum value_table table, struct module_values values, const char *role);
void check_written_types(struct validator *v, const struct module_type_set *set, const char *role);
void check_written_roles(struct validator *v, const struct module_role_set *set, const char *role);
void check_written_range(struct validator *v, const struct module_range *range, bool may_be_unset);
void validate_module_symbols(struct validator *v); /* validate_module_symbols.c */
void validate_branch_symbols(struct validator *v, const struct module_decl *decl);
void validate_scopes(struct validator *v);         /* validate_scopes.c */
void validate_blocks(struct validator *v);         /* validate_blocks.c */

#endif
