/* Constraints of classes (policydb-format.md 13.3). */
#include <stdio.h>

#include "backend/validate.h"

static bool one_of(uint32_t bits, uint32_t all)
{
	return bits && !(bits & (bits - 1)) && !(bits & ~all);
}

static void check_no_type_set(struct validator *v, const struct policy_cexpr *expr)
{
	if (!ebitmap_empty(&expr->type_set) || !ebitmap_empty(&expr->type_negset) || expr->type_flags)
		invalid(v, "a set of types where there is none");
}

static void check_names(struct validator *v, const struct policy_cexpr *expr, bool transition)
{
	uint32_t what = expr->attr & (CEXPR_USER | CEXPR_ROLE | CEXPR_TYPE), whose = expr->attr & ~what;

	if (!one_of(what, what) || (whose && whose != CEXPR_TARGET && whose != CEXPR_XTARGET)) {
		invalid(v, "names of the attribute 0x%x", (unsigned)expr->attr);
		return;
	}
	if (whose == CEXPR_XTARGET && !transition)
		invalid(v, "the context of a transition outside of one");
	if (expr->op != CEXPR_EQ && expr->op != CEXPR_NEQ)
		invalid(v, "names with the operator %u", (unsigned)expr->op);
	if (what == CEXPR_USER)
		check_set(v, OF_USERS, &expr->names, "user");
	else if (what == CEXPR_ROLE)
		check_set(v, OF_ROLES, &expr->names, "role");
	else
		check_set(v, OF_TYPES, &expr->names, "type");
	if (what != CEXPR_TYPE) {
		check_no_type_set(v, expr);
		return;
	}
	check_set(v, OF_TYPES, &expr->type_set, "type");
	check_set(v, OF_TYPES, &expr->type_negset, "type");
	if (expr->type_flags > 2)
		invalid(v, "a set of types with the flags %u", (unsigned)expr->type_flags);
}

static void check_comparison(struct validator *v, const struct policy_cexpr *expr)
{
	uint32_t levels = CEXPR_L1L2 | CEXPR_L1H2 | CEXPR_H1L2 | CEXPR_H1H2 | CEXPR_L1H1 | CEXPR_L2H2;

	if (!one_of(expr->attr, levels | CEXPR_USER | CEXPR_ROLE | CEXPR_TYPE))
		invalid(v, "a comparison of the attribute 0x%x", (unsigned)expr->attr);
	if (expr->op < CEXPR_EQ || expr->op > CEXPR_INCOMP)
		invalid(v, "a comparison with the operator %u", (unsigned)expr->op);
	else if (expr->op > CEXPR_NEQ && expr->attr & (CEXPR_USER | CEXPR_TYPE))
		invalid(v, "users or types that dominate");
}

/* How many values a step takes from the stack; it leaves one. */
static bool check_step(struct validator *v, const struct policy_cexpr *expr, bool transition, uint32_t *ret_takes)
{
	*ret_takes = 0;
	switch (expr->kind) {
	case CEXPR_NAMES:
		check_names(v, expr, transition);
		return true;
	case CEXPR_ATTR:
		check_comparison(v, expr);
		return true;
	case CEXPR_NOT:
		*ret_takes = 1;
		break;
	case CEXPR_AND:
	case CEXPR_OR:
		*ret_takes = 2;
		break;
	default:
		invalid(v, "an expression of the kind %u", (unsigned)expr->kind);
		return false;
	}
	if (expr->attr || expr->op)
		invalid(v, "a connective with attribute or operator");
	return true;
}

static void check_expression(struct validator *v, const struct policy_constraint *constraint, bool transition)
{
	uint32_t depth = 0, takes;

	for (uint32_t i = 0; i < constraint->nexpr; i++) {
		if (!check_step(v, &constraint->expr[i], transition, &takes))
			return;
		if (takes > depth) {
			invalid(v, "an operator without operands");
			return;
		}
		depth = depth - takes + 1;
		if (depth > CEXPR_MAX_DEPTH) {
			invalid(v, "an expression more than %d deep", CEXPR_MAX_DEPTH);
			return;
		}
	}
	if (depth != 1)
		invalid(v, "%s", depth ? "an expression of several values" : "no expression");
}

static void describe_constraint(const struct validator *v, char *text)
{
	snprintf(text, OBJECT_TEXT, "class `%s`, %s %u", v->name, v->kind, (unsigned)v->index + 1);
}

static void about_constraint(struct validator *v, const char *kind, const char *class, uint32_t i)
{
	about(v, kind, class, i);
	v->describe = describe_constraint;
}

static void validate_class(struct validator *v, const struct policy_class *class)
{
	for (uint32_t i = 0; i < class->constraints.n; i++) {
		about_constraint(v, "constraint", class->name, i);
		if (!(class->constraints.at[i].perms & permission_mask(class)))
			invalid(v, "none of the permissions 0x%08x is declared", (unsigned)class->constraints.at[i].perms);
		check_expression(v, &class->constraints.at[i], false);
	}
	for (uint32_t i = 0; i < class->validatetrans.n; i++) {
		about_constraint(v, "validatetrans", class->name, i);
		if (class->validatetrans.at[i].perms)
			invalid(v, "permissions 0x%08x", (unsigned)class->validatetrans.at[i].perms);
		check_expression(v, &class->validatetrans.at[i], true);
	}
}

void validate_constraints(struct validator *v)
{
	v->check = "invalid-constraint";
	for (uint32_t value = 1; value <= v->policy->classes.n; value++)
		if (v->policy->classes.at[value].name)
			validate_class(v, &v->policy->classes.at[value]);
}
