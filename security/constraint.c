#include "security/constraint.h"

#include "ir/dump.h"
#include "ir/text.h"
#include "security/internal.h"
#include "security/level.h"

/* The contexts of a question: source, target, and that of a validatetrans. */
struct contexts {
	const struct policy *policy;
	const struct policy_context *source, *target, *third;
};

/* ---- leaves ---- */

enum outcome { FALSE, TRUE, NO_LEAF };

struct level_pair { const struct policy_level *left, *right; };

/* The levels that a leaf compares; NULL when it compares none. */
static struct level_pair levels_of(const struct contexts *c, uint32_t attr)
{
	const struct policy_range *source = &c->source->range, *target = &c->target->range;

	switch (attr) {
	case CEXPR_L1L2: return (struct level_pair){&source->low, &target->low};
	case CEXPR_L1H2: return (struct level_pair){&source->low, &target->high};
	case CEXPR_H1L2: return (struct level_pair){&source->high, &target->low};
	case CEXPR_H1H2: return (struct level_pair){&source->high, &target->high};
	case CEXPR_L1H1: return (struct level_pair){&source->low, &source->high};
	case CEXPR_L2H2: return (struct level_pair){&target->low, &target->high};
	default: return (struct level_pair){NULL, NULL};
	}
}

static enum outcome compare_levels(struct level_pair levels, uint32_t op)
{
	const struct policy_level *a = levels.left, *b = levels.right;

	switch (op) {
	case CEXPR_EQ: return policy_level_equal(a, b);
	case CEXPR_NEQ: return !policy_level_equal(a, b);
	case CEXPR_DOM: return policy_level_dominates(a, b);
	case CEXPR_DOMBY: return policy_level_dominates(b, a);
	case CEXPR_INCOMP: return level_compare(a, b) == LEVEL_INCOMP;
	default: return NO_LEAF;
	}
}

bool role_dominates(const struct policy *policy, uint32_t role, uint32_t other)
{
	return role != OBJECT_R && ebitmap_test(&policy->roles.at[role].dominates, other - 1);
}

static enum outcome compare_roles(const struct policy *policy, uint32_t a, uint32_t b, uint32_t op)
{
	switch (op) {
	case CEXPR_EQ: return a == b;
	case CEXPR_NEQ: return a != b;
	case CEXPR_DOM: return role_dominates(policy, a, b);
	case CEXPR_DOMBY: return role_dominates(policy, b, a);
	case CEXPR_INCOMP: return !role_dominates(policy, a, b) && !role_dominates(policy, b, a);
	default: return NO_LEAF;
	}
}

static enum outcome compare_values(uint32_t a, uint32_t b, uint32_t op)
{
	return op == CEXPR_EQ ? a == b : op == CEXPR_NEQ ? a != b : NO_LEAF;
}

static enum outcome eval_comparison(const struct contexts *c, const struct policy_cexpr *e)
{
	struct level_pair levels;

	switch (e->attr) {
	case CEXPR_USER: return compare_values(c->source->user, c->target->user, e->op);
	case CEXPR_ROLE: return compare_roles(c->policy, c->source->role, c->target->role, e->op);
	case CEXPR_TYPE: return compare_values(c->source->type, c->target->type, e->op);
	default: levels = levels_of(c, e->attr); return levels.left ? compare_levels(levels, e->op) : NO_LEAF;
	}
}

/* Whose user, role or type a leaf with names asks for. */
static const struct policy_context *context_of(const struct contexts *c, uint32_t attr)
{
	return attr & CEXPR_TARGET ? c->target : attr & CEXPR_XTARGET ? c->third : c->source;
}

static uint32_t value_of(const struct policy_context *context, uint32_t attr)
{
	return attr & CEXPR_USER ? context->user : attr & CEXPR_ROLE ? context->role : context->type;
}

static enum outcome eval_names(const struct contexts *c, const struct policy_cexpr *e)
{
	const struct policy_context *context = context_of(c, e->attr);
	bool among;

	if (!context || !(e->attr & (CEXPR_USER | CEXPR_ROLE | CEXPR_TYPE)))
		return NO_LEAF;
	among = ebitmap_test(&e->names, value_of(context, e->attr) - 1);
	return e->op == CEXPR_EQ ? among : e->op == CEXPR_NEQ ? !among : NO_LEAF;
}

static enum outcome eval_leaf(const struct contexts *c, const struct policy_cexpr *e)
{
	return e->kind == CEXPR_ATTR ? eval_comparison(c, e) : e->kind == CEXPR_NAMES ? eval_names(c, e) : NO_LEAF;
}

/* ---- the whole ---- */

/* The stack is a word, the top in its lowest bit. */
bool constraint_holds(const struct policy *policy, const struct policy_constraint *constraint,
		      const struct policy_context *source, const struct policy_context *target,
		      const struct policy_context *third)
{
	struct contexts c = {policy, source, target, third};
	uint32_t stack = 0, depth = 0, top;
	enum outcome outcome;

	for (const struct policy_cexpr *e = constraint->expr, *end = e + constraint->nexpr; e < end; e++) {
		switch (e->kind) {
		case CEXPR_NOT:
			if (depth < 1)
				return false;
			stack ^= 1;
			break;
		case CEXPR_AND:
		case CEXPR_OR:
			if (depth < 2)
				return false;
			top = stack & 1;
			stack >>= 1;
			depth--;
			if (e->kind == CEXPR_AND)
				stack &= ~1u | top;
			else
				stack |= top;
			break;
		default:
			outcome = eval_leaf(&c, e);
			if (outcome == NO_LEAF || depth == CEXPR_MAX_DEPTH)
				return false;
			stack = stack << 1 | outcome;
			depth++;
		}
	}
	return depth == 1 && stack & 1;
}

/* ---- explained ---- */

/* Fills values and left operands; false when it is no expression. */
static bool eval_terms(const struct contexts *c, const struct policy_constraint *constraint,
		       struct constraint_term *terms)
{
	uint32_t stack[CEXPR_MAX_DEPTH], depth = 0;
	enum outcome outcome;

	for (uint32_t i = 0; i < constraint->nexpr; i++) {
		uint32_t kind = constraint->expr[i].kind, operands = kind == CEXPR_NOT ? 1 : 2;

		terms[i] = (struct constraint_term){0};
		if (kind != CEXPR_NOT && kind != CEXPR_AND && kind != CEXPR_OR) {
			outcome = eval_leaf(c, &constraint->expr[i]);
			if (outcome == NO_LEAF || depth == CEXPR_MAX_DEPTH)
				return false;
			terms[i].value = outcome;
			stack[depth++] = i;
			continue;
		}
		if (depth < operands)
			return false;
		depth -= operands;
		terms[i].left = stack[depth];
		if (kind == CEXPR_NOT)
			terms[i].value = !terms[i - 1].value;
		else if (kind == CEXPR_AND)
			terms[i].value = terms[terms[i].left].value && terms[i - 1].value;
		else
			terms[i].value = terms[terms[i].left].value || terms[i - 1].value;
		stack[depth++] = i;
	}
	return depth == 1;
}

/* From the whole down: of an `and` or `or` those operands decide that have its
 * value.  Operands stand before their operator. */
static void mark_deciding(const struct policy_constraint *constraint, struct constraint_term *terms)
{
	terms[constraint->nexpr - 1].decides = true;
	for (uint32_t i = constraint->nexpr; i-- > 0;) {
		uint32_t kind = constraint->expr[i].kind;

		if (!terms[i].decides)
			continue;
		if (kind == CEXPR_NOT) {
			terms[i - 1].decides = true;
		} else if (kind == CEXPR_AND || kind == CEXPR_OR) {
			terms[i - 1].decides = terms[i - 1].value == terms[i].value;
			terms[terms[i].left].decides = terms[terms[i].left].value == terms[i].value;
		}
	}
}

bool constraint_explain(const struct policy *policy, const struct policy_constraint *constraint,
			const struct policy_context *source, const struct policy_context *target,
			const struct policy_context *third, struct constraint_term *ret_terms)
{
	struct contexts c = {policy, source, target, third};

	if (!eval_terms(&c, constraint, ret_terms)) {
		for (uint32_t i = 0; i < constraint->nexpr; i++)
			ret_terms[i] = (struct constraint_term){0};
		return false;
	}
	mark_deciding(constraint, ret_terms);
	return ret_terms[constraint->nexpr - 1].value;
}

/* ---- text ---- */

static void put_value(struct buffer *b, const struct contexts *c, uint32_t attr, char digit,
		      const struct policy_context *context)
{
	uint32_t value = value_of(context, attr);

	text_printf(b, "%c%c is `", attr & CEXPR_USER ? 'u' : attr & CEXPR_ROLE ? 'r' : 't', digit);
	if (attr & CEXPR_USER)
		dump_user(b, c->policy, value);
	else if (attr & CEXPR_ROLE)
		dump_role(b, c->policy, value);
	else
		dump_type(b, c->policy, value);
	text_put(b, "`");
}

static void put_levels(struct buffer *b, const struct contexts *c, uint32_t attr)
{
	static const struct { uint32_t attr; const char *left, *right; } names[] = {
		{CEXPR_L1L2, "l1", "l2"}, {CEXPR_L1H2, "l1", "h2"}, {CEXPR_H1L2, "h1", "l2"},
		{CEXPR_H1H2, "h1", "h2"}, {CEXPR_L1H1, "l1", "h1"}, {CEXPR_L2H2, "l2", "h2"},
	};
	struct level_pair levels = levels_of(c, attr);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i].attr != attr)
			continue;
		text_printf(b, "%s is `", names[i].left);
		text_level(b, c->policy, levels.left);
		text_printf(b, "`, %s is `", names[i].right);
		text_level(b, c->policy, levels.right);
		text_put(b, "`");
	}
}

void constraint_put_values(struct buffer *b, const struct policy *policy, const struct policy_cexpr *leaf,
			   const struct policy_context *source, const struct policy_context *target,
			   const struct policy_context *third)
{
	struct contexts c = {policy, source, target, third};
	const struct policy_context *context = context_of(&c, leaf->attr);
	char digit = leaf->attr & CEXPR_TARGET ? '2' : leaf->attr & CEXPR_XTARGET ? '3' : '1';

	if (leaf->kind == CEXPR_NAMES) {
		if (context)
			put_value(b, &c, leaf->attr, digit, context);
	} else if (leaf->attr >= CEXPR_L1L2) {
		put_levels(b, &c, leaf->attr);
	} else {
		put_value(b, &c, leaf->attr, '1', source);
		text_put(b, ", ");
		put_value(b, &c, leaf->attr, '2', target);
	}
}
