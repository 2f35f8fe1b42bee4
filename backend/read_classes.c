/* Commons, classes and their constraints (policydb-format.md 5.1 to 5.4). */
#include <string.h>

#include "backend/read.h"

enum { EXPRESSION_SIZE = 12, CONSTRAINT_SIZE = 8 };

/* ---- permissions ---- */

static bool has_permission(const char *const *perms, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (perms[i] && *perms[i] == *name && strcmp(perms[i], name) == 0)
			return true;
	return false;
}

static void read_permission(struct reader *r, const char *owner, const char **perms, uint32_t from, uint32_t to)
{
	uint32_t len = get_u32(r), value = get_u32(r);
	const char *name = get_text(r, len);

	if (r->failed)
		return;
	if (value <= from || value > to)
		refuse(r, "permission `%s` of `%s` has the value %u of %u to %u", name, owner, (unsigned)value,
		       (unsigned)from + 1, (unsigned)to);
	else if (perms[value - 1])
		refuse(r, "permission `%s` of `%s` has the value %u of `%s`", name, owner, (unsigned)value,
		       perms[value - 1]);
	else if (has_permission(perms, to, name))
		refuse(r, "permission `%s` of `%s` twice", name, owner);
	else
		perms[value - 1] = name;
}

/* Values from + 1 to to, each once: as many entries as slots. */
static void read_permissions(struct reader *r, const char *owner, const char **perms, uint32_t n, uint32_t from,
			     uint32_t to)
{
	if (!r->failed && (to > POLICY_MAX_PERMS || from > to || n != to - from))
		refuse(r, "`%s` has %u permissions of its own and %u inherited ones for %u values", owner, (unsigned)n,
		       (unsigned)from, (unsigned)to);
	for (uint32_t i = 0; i < n && !r->failed; i++)
		read_permission(r, owner, perms, from, to);
}

/* ---- commons ---- */

static void read_common(struct reader *r, struct table *table)
{
	uint32_t len = get_u32(r), value = get_u32(r), nperms = get_u32(r), n = get_u32(r);
	const char *name = table_name(r, table, len);
	struct policy_common *common;

	if (!table_value(r, table, name, value,
			 taken_by(&r->policy->commons, value)))
		return;
	common = &r->policy->commons.at[value];
	common->name = name;
	read_permissions(r, name, common->perms, n, 0, nperms);
	if (!r->failed && !nperms)
		refuse(r, "common `%s` has no permissions", name);
	if (!r->failed)
		common->nperms = nperms;
	r->common_values[table->names.n - 1] = value;
}

/* The names stay until the classes are read. */
void read_common_table(struct reader *r)
{
	struct table table;

	table_begin(r, &table, "common", 16);
	table_symbols(r, &table, &r->policy->commons);
	r->common_values = arena_zalloc(&r->policy->arena, (size_t)table.n + 1, sizeof *r->common_values);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_common(r, &table);
	atoms_free(&r->commons);
	r->commons = table.names;
}

/* ---- constraints ---- */

static void read_expression(struct reader *r, struct policy_cexpr *expr)
{
	expr->kind = get_u32(r);
	expr->attr = get_u32(r);
	expr->op = get_u32(r);
	if (expr->kind != CEXPR_NAMES)
		return;
	get_set(r, &expr->names);
	if (!can(r, FEATURE_CONSTRAINT_NAMES))
		return;
	get_set(r, &expr->type_set);
	get_set(r, &expr->type_negset);
	expr->type_flags = get_u32(r);
}

static void read_constraint(struct reader *r, struct policy_constraint *constraint)
{
	constraint->perms = get_u32(r);
	constraint->nexpr = get_count(r, EXPRESSION_SIZE);
	constraint->expr = arena_zalloc(&r->policy->arena, constraint->nexpr, sizeof *constraint->expr);
	for (uint32_t i = 0; i < constraint->nexpr && !r->failed; i++)
		read_expression(r, &constraint->expr[i]);
}

#define read_constraints(r, list, count) \
	do { \
		uint32_t count_ = (count); \
		(list)->at = arena_zalloc(&(r)->policy->arena, count_, sizeof *(list)->at); \
		(list)->n = count_; \
		for (uint32_t i_ = 0; i_ < count_ && !(r)->failed; i_++) \
			read_constraint((r), &(list)->at[i_]); \
	} while (0)

/* ---- classes ---- */

static uint8_t take_default(struct reader *r, const char *class, const char *what, uint32_t max)
{
	uint32_t value = get_u32(r);

	if (value <= max)
		return (uint8_t)value;
	refuse(r, "class `%s` has the %s %u", class, what, (unsigned)value);
	return 0;
}

static void read_defaults(struct reader *r, struct policy_class *class)
{
	if (can(r, FEATURE_DEFAULTS)) {
		class->default_user = take_default(r, class->name, "default_user", 2);
		class->default_role = take_default(r, class->name, "default_role", 2);
		class->default_range = take_default(r, class->name, "default_range", DEFAULT_RANGE_GLBLUB);
	}
	if (can(r, FEATURE_DEFAULT_TYPE))
		class->default_type = take_default(r, class->name, "default_type", 2);
}

/* Returns the value, or 0. */
static uint32_t read_common_name(struct reader *r, const char *class, uint32_t len)
{
	const char *name = get_text(r, len);
	atom_t atom = r->failed ? ATOM_NONE : atom_find(&r->commons, name, len);

	if (atom)
		return r->common_values[atom];
	refuse(r, "class `%s` inherits `%s`, which is no common", class, name);
	return 0;
}

static void inherit(const struct policy_common *common, struct policy_class *class)
{
	memcpy(class->perms, common->perms, common->nperms * sizeof *class->perms);
}

static void read_class(struct reader *r, struct table *table)
{
	uint32_t len = get_u32(r), common_len = get_u32(r), value = get_u32(r);
	uint32_t nperms = get_u32(r), n = get_u32(r), nconstraints = get_u32(r), inherited = 0;
	const char *name = table_name(r, table, len);
	struct policy_class *class;

	if (!table_value(r, table, name, value,
			 taken_by(&r->policy->classes, value)))
		return;
	class = &r->policy->classes.at[value];
	class->name = name;
	if (common_len)
		class->common = read_common_name(r, name, common_len);
	if (class->common) {
		inherited = r->policy->commons.at[class->common].nperms;
		inherit(&r->policy->commons.at[class->common], class);
	}
	read_permissions(r, name, class->perms, n, inherited, nperms);
	if (!r->failed && nconstraints > left(r) / CONSTRAINT_SIZE)
		refuse(r, "class `%s` has %u constraints, the image only %zu bytes", name, (unsigned)nconstraints, left(r));
	if (r->failed)
		return;
	class->nperms = nperms;
	read_constraints(r, &class->constraints, nconstraints);
	if (can(r, FEATURE_VALIDATETRANS))
		read_constraints(r, &class->validatetrans, get_count(r, CONSTRAINT_SIZE));
	read_defaults(r, class);
}

void read_class_table(struct reader *r)
{
	struct table table;

	table_begin(r, &table, "class", 24);
	table_symbols(r, &table, &r->policy->classes);
	for (uint32_t i = 0; i < table.n && !r->failed; i++)
		read_class(r, &table);
	table_end(&table);
	r->process = policy_process_class(r->policy);
}
