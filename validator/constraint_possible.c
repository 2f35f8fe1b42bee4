#include "validator/constraint_possible.h"

#include "security/constraint.h"

/* What values an expression can have. */
enum { CAN_BE_FALSE = 1, CAN_BE_TRUE = 2, CAN_BE_BOTH = 3 };

enum { MAX_STACK = 32 };

struct question {
	const struct policy *policy;
	const struct partial_context *source, *target, *third;
};

static unsigned part_of(uint32_t attr)
{
	return attr & CEXPR_USER ? KNOWN_USER : attr & CEXPR_ROLE ? KNOWN_ROLE : KNOWN_TYPE;
}

static bool is_known(const struct partial_context *context, unsigned part)
{
	return !context || (context->known & part) == part;
}

static bool leaf_known(const struct question *q, const struct policy_cexpr *e)
{
	if (e->kind == CEXPR_NAMES)
		return is_known(e->attr & CEXPR_TARGET ? q->target : e->attr & CEXPR_XTARGET ? q->third : q->source,
				part_of(e->attr));
	switch (e->attr) {
	case CEXPR_L1H1: return is_known(q->source, KNOWN_RANGE);
	case CEXPR_L2H2: return is_known(q->target, KNOWN_RANGE);
	case CEXPR_USER:
	case CEXPR_ROLE:
	case CEXPR_TYPE: return is_known(q->source, part_of(e->attr)) && is_known(q->target, part_of(e->attr));
	default: return is_known(q->source, KNOWN_RANGE) && is_known(q->target, KNOWN_RANGE);
	}
}

/* A leaf that is known decides as a constraint of its own would. */
static unsigned leaf_values(const struct question *q, const struct policy_cexpr *e)
{
	struct policy_cexpr leaf = *e;
	struct policy_constraint alone = {.expr = &leaf, .nexpr = 1};

	if (!leaf_known(q, e))
		return CAN_BE_BOTH;
	return constraint_holds(q->policy, &alone, q->source->context, q->target->context,
				q->third ? q->third->context : NULL) ? CAN_BE_TRUE : CAN_BE_FALSE;
}

static unsigned not_values(unsigned a)
{
	return (a & CAN_BE_FALSE ? CAN_BE_TRUE : 0u) | (a & CAN_BE_TRUE ? CAN_BE_FALSE : 0u);
}

static unsigned and_values(unsigned a, unsigned b)
{
	return (a & b & CAN_BE_TRUE) | ((a | b) & CAN_BE_FALSE);
}

bool constraint_possible(const struct policy *policy, const struct policy_constraint *constraint,
			 const struct partial_context *source, const struct partial_context *target,
			 const struct partial_context *third)
{
	const struct question q = {policy, source, target, third};
	unsigned stack[MAX_STACK];
	uint32_t depth = 0;

	for (uint32_t i = 0; i < constraint->nexpr; i++) {
		const struct policy_cexpr *e = &constraint->expr[i];

		switch (e->kind) {
		case CEXPR_NOT:
			if (!depth)
				return true;
			stack[depth - 1] = not_values(stack[depth - 1]);
			break;
		case CEXPR_AND:
		case CEXPR_OR:
			if (depth < 2)
				return true;
			depth--;
			if (e->kind == CEXPR_AND)
				stack[depth - 1] = and_values(stack[depth - 1], stack[depth]);
			else
				stack[depth - 1] = not_values(and_values(not_values(stack[depth - 1]), not_values(stack[depth])));
			break;
		default:
			if (depth == MAX_STACK)
				return true;
			stack[depth++] = leaf_values(&q, e);
		}
	}
	return depth != 1 || (stack[0] & CAN_BE_TRUE);
}
