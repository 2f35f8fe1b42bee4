/* May a policy be used?  What is checked, by subject, and how it is told. */
#include "backend/validate.h"

#include <stdio.h>
#include <string.h>

#include "backend/policydb.h"
#include "ir/names.h"

enum { MESSAGE_TEXT = 400 };

/* ---- findings ---- */

static void describe(const struct validator *v, char *text)
{
	if (v->describe)
		v->describe(v, text);
	else if (v->name)
		snprintf(text, OBJECT_TEXT, "%s `%s`", v->kind, v->name);
	else
		snprintf(text, OBJECT_TEXT, "%s %u", v->kind, (unsigned)v->index + 1);
}

void invalid(struct validator *v, const char *fmt, ...)
{
	char object[OBJECT_TEXT], text[MESSAGE_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	describe(v, object);
	if (v->path)
		diag_error(v->diags, v->check, LOC_NONE, "`%s`: %s: %s", v->path, object, text);
	else
		diag_error(v->diags, v->check, LOC_NONE, "%s: %s", object, text);
}

void kernel_refuses(struct validator *v, const char *fmt, ...)
{
	char object[OBJECT_TEXT], text[MESSAGE_TEXT];
	va_list args;

	if (v->policy->target != POLICY_SELINUX || v->module)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	describe(v, object);
	diag_warning(v->diags, "kernel-refuses", LOC_NONE, "%s: %s; the kernel will refuse the policy", object, text);
}

/* ---- values ---- */

static const char *name_at(const struct policy *policy, enum value_table table, uint32_t value)
{
	switch (table) {
	case OF_CLASSES:
		return policy->classes.at[value].name;
	case OF_ROLES:
		return policy->roles.at[value].name;
	case OF_TYPES:
		return policy->types.at[value].name;
	case OF_USERS:
		return policy->users.at[value].name;
	case OF_BOOLS:
		return policy->bools.at[value].name;
	case OF_SENS:
		return policy->sens.at[value].name;
	default:
		return policy->cats.at[value].name;
	}
}

const char *value_name(const struct validator *v, enum value_table table, uint32_t value, char *text)
{
	const char *name = value && value <= v->values[table].n ? name_at(v->policy, table, value) : NULL;

	if (name)
		snprintf(text, NAME_TEXT, "`%s`", name);
	else
		snprintf(text, NAME_TEXT, "%u", (unsigned)value);
	return text;
}

void invalid_value(struct validator *v, enum value_table table, uint32_t value, const char *role)
{
	const struct values *values = &v->values[table];

	if (!value)
		invalid(v, "no %s", role);
	else if (value > values->n)
		invalid(v, "%s value %u above %u", role, (unsigned)value, (unsigned)values->n);
	else
		invalid(v, "%s value %u is no %s", role, (unsigned)value, values->what);
}

bool check_type(struct validator *v, uint32_t value, const char *role)
{
	char name[NAME_TEXT];

	if (!check_value(v, OF_TYPES, value, role))
		return false;
	if (v->policy->types.at[value].kind != POLICY_ATTRIBUTE)
		return true;
	invalid(v, "%s %s is an attribute", role, value_name(v, OF_TYPES, value, name));
	return false;
}

bool check_set(struct validator *v, enum value_table table, const struct ebitmap *set, const char *role)
{
	const struct values *values = &v->values[table];

	if (ebitmap_empty(set))
		return true;
	if (ebitmap_last(set) < values->n && !ebitmap_intersects(set, &values->gaps))
		return true;
	ebitmap_for_each(set, bit)
		if (!is_symbol(v, table, bit + 1))
			invalid_value(v, table, bit + 1, role);
	return false;
}

static void find_values(struct validator *v, enum value_table table, const char *what, uint32_t n)
{
	struct values *values = &v->values[table];

	*values = (struct values){.what = what, .n = n};
	for (uint32_t value = 1; value <= n; value++)
		if (!name_at(v->policy, table, value) &&
		    (table != OF_TYPES || v->policy->types.at[value].kind == POLICY_GAP))
			ebitmap_set(&values->gaps, value - 1);
}

void find_all_values(struct validator *v)
{
	const struct policy *policy = v->policy;

	find_values(v, OF_CLASSES, "class", policy->classes.n);
	find_values(v, OF_ROLES, "role", policy->roles.n);
	find_values(v, OF_TYPES, "type", policy->types.n);
	find_values(v, OF_USERS, "user", policy->users.n);
	find_values(v, OF_BOOLS, "boolean", policy->bools.n);
	find_values(v, OF_SENS, "sensitivity", policy->sens.n);
	find_values(v, OF_CATS, "category", policy->cats.n);
}

void free_all_values(struct validator *v)
{
	for (size_t i = 0; i < VALUE_TABLES; i++)
		ebitmap_free(&v->values[i].gaps);
}

/* ---- header ---- */

static void validate_header(struct validator *v)
{
	v->check = "invalid-policy";
	about(v, "policy", NULL, 0);
	v->kind = "policy of version";
	v->index = v->features->version - 1u;
	if (v->policy->mls && !(v->features->has & FEATURE_MLS))
		invalid(v, "MLS, which the version has not");
	ebitmap_for_each(&v->policy->capabilities, bit)
		if (!capability_name(bit))
			invalid(v, "policy capability %u is not known", (unsigned)bit);
}

bool policy_validate(const struct policy *policy, uint32_t version, struct diags *diags)
{
	static void (*const subjects[])(struct validator *v) = {
		validate_header, validate_symbols, validate_levels, validate_constraints, validate_rules,
		validate_conditionals, validate_transitions, validate_labels, validate_genfs, validate_kernel_needs,
	};
	struct validator v = {.policy = policy, .diags = diags};
	uint32_t errors = diags->errors;

	v.features = features_find(policy->target, version);
	if (!v.features) {
		diag_error(diags, "unknown-version", LOC_NONE, "there is no version %u of the format for %s", version,
			   policy->target == POLICY_XEN ? "Xen" : "SELinux");
		return false;
	}
	find_all_values(&v);
	for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		subjects[i](&v);
	free_all_values(&v);
	return diags->errors == errors;
}
