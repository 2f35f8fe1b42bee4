#include "security/ready_constraint.h"

#include <stdlib.h>

#include "base/memory.h"
#include "security/constraint.h"
#include "security/level.h"

/* Not equal is the other way round, and domby is dom from the other side. */
enum leaf_kind {
	LEAF_NONE, LEAF_NAMES, LEAF_SAME, LEAF_ROLE_DOM, LEAF_ROLE_INCOMP, LEAF_LEVEL_SAME, LEAF_LEVEL_DOM, LEAF_LEVEL_INCOMP
};

/* Where a value or level is: in the source, or in the target with that bit. */
enum operand {
	OPERAND_USER = offsetof(struct policy_context, user),
	OPERAND_ROLE = offsetof(struct policy_context, role),
	OPERAND_TYPE = offsetof(struct policy_context, type),
	OPERAND_LOW = offsetof(struct policy_context, range.low),
	OPERAND_HIGH = offsetof(struct policy_context, range.high),
	OPERAND_TARGET = 0x80,
};
_Static_assert(sizeof(struct policy_context) <= OPERAND_TARGET, "an offset fits beside the bit");

/* ---- leaves ---- */

static const struct { uint8_t left, right; } level_operands[] = {
	{OPERAND_LOW, OPERAND_TARGET | OPERAND_LOW},                   /* CEXPR_L1L2 */
	{OPERAND_LOW, OPERAND_TARGET | OPERAND_HIGH},                  /* CEXPR_L1H2 */
	{OPERAND_HIGH, OPERAND_TARGET | OPERAND_LOW},                  /* CEXPR_H1L2 */
	{OPERAND_HIGH, OPERAND_TARGET | OPERAND_HIGH},                 /* CEXPR_H1H2 */
	{OPERAND_LOW, OPERAND_HIGH},                                   /* CEXPR_L1H1 */
	{OPERAND_TARGET | OPERAND_LOW, OPERAND_TARGET | OPERAND_HIGH}, /* CEXPR_L2H2 */
};

static void swap8(uint8_t *a, uint8_t *b)
{
	uint8_t kept = *a;

	*a = *b;
	*b = kept;
}

static void swap32(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;

	*a = *b;
	*b = kept;
}

/* False when there is none of the kind for the operator. */
static bool set_operator(struct ready_leaf *leaf, uint32_t op, enum leaf_kind same, enum leaf_kind dom, enum leaf_kind incomp)
{
	switch (op) {
	case CEXPR_NEQ: swap32(&leaf->on_true, &leaf->on_false); /* fallthrough */
	case CEXPR_EQ: leaf->kind = same; return true;
	case CEXPR_DOMBY: swap8(&leaf->left, &leaf->right); /* fallthrough */
	case CEXPR_DOM: leaf->kind = dom; return dom != LEAF_NONE;
	case CEXPR_INCOMP: leaf->kind = incomp; return incomp != LEAF_NONE;
	default: return false;
	}
}

static bool make_comparison(struct ready_leaf *leaf, const struct policy_cexpr *e)
{
	switch (e->attr) {
	case CEXPR_USER:
		leaf->left = OPERAND_USER;
		leaf->right = OPERAND_TARGET | OPERAND_USER;
		return set_operator(leaf, e->op, LEAF_SAME, LEAF_NONE, LEAF_NONE);
	case CEXPR_ROLE:
		leaf->left = OPERAND_ROLE;
		leaf->right = OPERAND_TARGET | OPERAND_ROLE;
		return set_operator(leaf, e->op, LEAF_SAME, LEAF_ROLE_DOM, LEAF_ROLE_INCOMP);
	case CEXPR_TYPE:
		leaf->left = OPERAND_TYPE;
		leaf->right = OPERAND_TARGET | OPERAND_TYPE;
		return set_operator(leaf, e->op, LEAF_SAME, LEAF_NONE, LEAF_NONE);
	default: break;
	}
	for (uint32_t i = 0; i < sizeof level_operands / sizeof *level_operands; i++) {
		if (e->attr != (uint32_t)CEXPR_L1L2 << i)
			continue;
		leaf->left = level_operands[i].left;
		leaf->right = level_operands[i].right;
		return set_operator(leaf, e->op, LEAF_LEVEL_SAME, LEAF_LEVEL_DOM, LEAF_LEVEL_INCOMP);
	}
	return false;
}

static bool make_names(struct ready_leaf *leaf, const struct policy_cexpr *e)
{
	if (!(e->attr & (CEXPR_USER | CEXPR_ROLE | CEXPR_TYPE)) || (e->attr & CEXPR_XTARGET && !(e->attr & CEXPR_TARGET)))
		return false;
	leaf->left = e->attr & CEXPR_USER ? OPERAND_USER : e->attr & CEXPR_ROLE ? OPERAND_ROLE : OPERAND_TYPE;
	if (e->attr & CEXPR_TARGET)
		leaf->left |= OPERAND_TARGET;
	leaf->words = e->names.words;
	leaf->first = e->names.first;
	leaf->nwords = e->names.n;
	return set_operator(leaf, e->op, LEAF_NAMES, LEAF_NONE, LEAF_NONE);
}

/* False when a kernel takes it for no leaf. */
static bool make_leaf(struct ready_leaf *leaf, const struct policy_cexpr *e)
{
	return e->kind == CEXPR_ATTR ? make_comparison(leaf, e) : e->kind == CEXPR_NAMES && make_names(leaf, e);
}

/* ---- expressions ---- */

static bool is_operator(const struct policy_cexpr *e)
{
	return e->kind == CEXPR_NOT || e->kind == CEXPR_AND || e->kind == CEXPR_OR;
}

/* While the constraints are gone through; of a node of an expression. */
struct node {
	uint32_t first;             /* the node that its operand begins with: a leaf */
	uint32_t leaf;              /* of a leaf, its number */
	uint32_t on_true, on_false;
};

/* Whether it is an expression as constraint_holds() takes it, apart from its
 * leaves.  Sets first, and numbers the leaves. */
static bool find_operands(const struct policy_constraint *constraint, uint32_t leaf, struct node *nodes)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < constraint->nexpr; i++) {
		const struct policy_cexpr *e = &constraint->expr[i];
		uint32_t operands = !is_operator(e) ? 0 : e->kind == CEXPR_NOT ? 1 : 2;

		if (depth < operands || (!operands && depth == CEXPR_MAX_DEPTH))
			return false;
		depth += 1 - operands;
		if (!operands)
			nodes[i].leaf = leaf++;
		nodes[i].first = operands ? nodes[i - 1].first : i;
		if (operands == 2)
			nodes[i].first = nodes[nodes[i].first - 1].first;
	}
	return depth == 1;
}

/* From the last node, the whole, to its operands. */
static bool make_leaves(struct ready_constraints *ready, const struct policy_constraint *constraint, struct node *nodes)
{
	uint32_t last = constraint->nexpr - 1;

	nodes[last].on_true = READY_HOLDS;
	nodes[last].on_false = READY_FAILS;
	for (uint32_t i = last + 1; i-- > 0;) {
		const struct policy_cexpr *e = &constraint->expr[i];
		struct node *right = i ? &nodes[i - 1] : NULL, *left;

		if (!is_operator(e)) {
			struct ready_leaf *leaf = &ready->leaves[nodes[i].leaf];

			*leaf = (struct ready_leaf){.on_true = nodes[i].on_true, .on_false = nodes[i].on_false};
			if (!make_leaf(leaf, e))
				return false;
			continue;
		}
		right->on_true = e->kind == CEXPR_NOT ? nodes[i].on_false : nodes[i].on_true;
		right->on_false = e->kind == CEXPR_NOT ? nodes[i].on_true : nodes[i].on_false;
		if (e->kind == CEXPR_NOT)
			continue;
		left = &nodes[right->first - 1];
		left->on_true = e->kind == CEXPR_OR ? nodes[i].on_true : nodes[right->first].leaf;
		left->on_false = e->kind == CEXPR_OR ? nodes[right->first].leaf : nodes[i].on_false;
	}
	return true;
}

/* The first leaf is the first to look at. */
static uint32_t make_ready(struct ready_constraints *ready, const struct policy_constraint *constraint)
{
	uint32_t begin = ready->nleaves;
	struct node *nodes = mem_alloc((size_t)constraint->nexpr * sizeof *nodes);
	bool good = find_operands(constraint, begin, nodes) && make_leaves(ready, constraint, nodes);

	for (uint32_t i = 0; good && i < constraint->nexpr; i++)
		ready->nleaves += !is_operator(&constraint->expr[i]);
	free(nodes);
	return good ? begin : READY_FAILS;
}

/* ---- all of them ---- */

void ready_constraints_init(struct ready_constraints *ready, const struct policy *policy)
{
	size_t nleaves = 0;

	*ready = (struct ready_constraints){.classes = mem_zalloc((size_t)policy->classes.n + 1, sizeof *ready->classes)};
	for (uint32_t v = 1; v <= policy->classes.n; v++) {
		const struct policy_class *class = &policy->classes.at[v];

		ready->classes[v] = (struct ready_class){ready->nconstraints, class->constraints.n};
		ready->nconstraints += class->constraints.n;
		for (uint32_t i = 0; i < class->constraints.n; i++)
			for (uint32_t k = 0; k < class->constraints.at[i].nexpr; k++)
				nleaves += !is_operator(&class->constraints.at[i].expr[k]);
	}
	ready->constraints = mem_alloc((size_t)ready->nconstraints * sizeof *ready->constraints);
	ready->leaves = mem_alloc(nleaves * sizeof *ready->leaves);
	for (uint32_t v = 1; v <= policy->classes.n; v++) {
		const struct policy_class *class = &policy->classes.at[v];

		for (uint32_t i = 0; i < class->constraints.n; i++)
			ready->constraints[ready->classes[v].begin + i] =
				(struct ready_constraint){class->constraints.at[i].perms, make_ready(ready, &class->constraints.at[i])};
	}
}

void ready_constraints_free(struct ready_constraints *ready)
{
	free(ready->classes);
	free(ready->constraints);
	free(ready->leaves);
	*ready = (struct ready_constraints){0};
}

size_t ready_constraints_memory(const struct ready_constraints *ready, const struct policy *policy)
{
	return ((size_t)policy->classes.n + 1) * sizeof *ready->classes + ready->nconstraints * sizeof *ready->constraints +
	       ready->nleaves * sizeof *ready->leaves;
}

/* ---- evaluation ---- */

/* Source and target. */
struct pair { const struct policy_context *contexts[2]; };

static const void *operand_of(const struct pair *pair, uint8_t operand)
{
	return (const char *)pair->contexts[operand / OPERAND_TARGET] + operand % OPERAND_TARGET;
}

static uint32_t value_of(const struct pair *pair, uint8_t operand)
{
	return *(const uint32_t *)operand_of(pair, operand);
}

static bool among(const struct ready_leaf *leaf, uint32_t value)
{
	uint32_t word = (value - 1) / 64 - leaf->first;

	return word < leaf->nwords && leaf->words[word] >> (value - 1) % 64 & 1;
}

static bool is_true(const struct policy *policy, const struct ready_leaf *leaf, const struct pair *pair)
{
	const void *left = operand_of(pair, leaf->left), *right = operand_of(pair, leaf->right);
	uint32_t role, other;

	switch (leaf->kind) {
	case LEAF_NAMES: return among(leaf, value_of(pair, leaf->left));
	case LEAF_SAME: return value_of(pair, leaf->left) == value_of(pair, leaf->right);
	case LEAF_LEVEL_SAME: return policy_level_equal(left, right);
	case LEAF_LEVEL_DOM: return policy_level_dominates(left, right);
	case LEAF_LEVEL_INCOMP: return level_compare(left, right) == LEVEL_INCOMP;
	default: break;
	}
	role = value_of(pair, leaf->left);
	other = value_of(pair, leaf->right);
	return leaf->kind == LEAF_ROLE_DOM ? role_dominates(policy, role, other)
					   : !role_dominates(policy, role, other) && !role_dominates(policy, other, role);
}

bool ready_constraint_holds(const struct ready_constraints *ready, const struct policy *policy,
			    const struct ready_constraint *constraint, const struct policy_context *source,
			    const struct policy_context *target)
{
	const struct pair pair = {{source, target}};
	uint32_t at = constraint->begin;

	while (at < READY_FAILS) {
		const struct ready_leaf *leaf = &ready->leaves[at];

		at = is_true(policy, leaf, &pair) ? leaf->on_true : leaf->on_false;
	}
	return at == READY_HOLDS;
}
