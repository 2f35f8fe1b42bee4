#include "ir/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

void text_put(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

/* Most pieces fit at the first try. */
void text_printf(struct buffer *b, const char *fmt, ...)
{
	va_list args;
	size_t room;
	int len;

	buffer_reserve(b, 128);
	room = b->cap - b->n;
	va_start(args, fmt);
	len = vsnprintf((char *)b->at + b->n, room, fmt, args);
	va_end(args);
	if (len > 0 && (size_t)len >= room) {
		buffer_reserve(b, (size_t)len + 1);
		va_start(args, fmt);
		vsnprintf((char *)b->at + b->n, (size_t)len + 1, fmt, args);
		va_end(args);
	}
	if (len > 0)
		b->n += (size_t)len;
}

const char *text_of(struct buffer *b)
{
	buffer_reserve(b, 1);
	b->at[b->n] = '\0';
	return (const char *)b->at;
}

const char *text_rule_word(uint32_t kind)
{
	switch (kind) {
	case AV_ALLOWED: return "allow";
	case AV_AUDITALLOW: return "auditallow";
	case AV_AUDITDENY: return "dontaudit";
	case AV_TRANSITION: return "type_transition";
	case AV_MEMBER: return "type_member";
	case AV_CHANGE: return "type_change";
	case AV_XALLOWED: return "allowxperm";
	case AV_XAUDITALLOW: return "auditallowxperm";
	case AV_XDONTAUDIT: return "dontauditxperm";
	default: return "?";
	}
}

static void put_word(struct buffer *b, const char *word)
{
	text_put(b, " ");
	text_put(b, word);
}

void text_perms(struct buffer *b, const struct policy_class *class, uint32_t mask)
{
	text_put(b, "{");
	for (uint32_t i = 0; i < class->nperms && i < POLICY_MAX_PERMS; i++) {
		if (mask >> i & 1 && class->perms[i])
			put_word(b, class->perms[i]);
	}
	text_put(b, " }");
}

/* The last of the members that follow bit, a member, without a gap. */
static uint32_t run_end(const struct ebitmap *e, uint32_t bit)
{
	uint32_t word = bit / 64 - e->first;
	uint64_t clear = ~e->words[word] & ~0ULL << bit % 64;

	while (!clear && ++word < e->n)
		clear = ~e->words[word];
	return (e->first + word) * 64 + (clear ? (uint32_t)__builtin_ctzll(clear) : 0) - 1;
}

void text_values(struct buffer *b, const struct ebitmap *values, uint32_t max)
{
	uint32_t ranges = 0, end;

	text_put(b, "{");
	for (uint32_t v = ebitmap_first(values); v != EBITMAP_NONE; v = ebitmap_next(values, end)) {
		if (max && ranges++ == max) {
			text_put(b, " ...");
			break;
		}
		end = run_end(values, v);
		text_printf(b, " 0x%x", v);
		if (end > v)
			text_printf(b, "-0x%x", end);
	}
	text_put(b, " }");
}

void xperm_values(const struct policy_xperms *x, struct ebitmap *ret_values)
{
	for (uint32_t i = 0; i < 256; i++) {
		if (!(x->perms[i / 32] >> i % 32 & 1))
			continue;
		if (x->specified == XPERM_IOCTL_DRIVER)
			ebitmap_set_range(ret_values, i << 8, i << 8 | 0xff);
		else
			ebitmap_set(ret_values, (uint32_t)x->driver << 8 | i);
	}
}

/* What is written around a leaf: what parts it from the leaf before, marks from
 * the outside in, the leaf, closing parentheses. */
struct leaf {
	const char *op;   /* infix: the operator before the first leaf of a right operand */
	uint32_t marks;   /* first of a list, + 1 */
	uint32_t closing;
};

/* A part of the expression: its first and last leaf, and its last node. */
struct operand { uint32_t first, last, root; };

/* Mark 2 i is the operator of node i, 2 i + 1 a parenthesis. */
struct expr {
	const struct expr_node *nodes;
	uint32_t n;
	struct leaf *leaves;   /* by node */
	uint32_t *next;        /* by mark: the next one, + 1 */
	struct operand *stack;
	uint32_t depth;
};

/* Longer ones have no parentheses that the order of evaluation does not ask
 * for: a parser keeps each open one on its stack. */
enum { EXPR_LONG = 200 };

static bool is_binary(const struct expr *x, const struct operand *o)
{
	return x->nodes[o->root].op && x->nodes[o->root].operands == 2;
}

static bool is_prefixed(const struct expr *x, const struct operand *o)
{
	return x->nodes[o->root].op && x->nodes[o->root].operands == 1;
}

/* Outer marks are made later, so each list has them in front. */
static void mark(struct expr *x, uint32_t leaf, uint32_t mark)
{
	x->next[mark] = x->leaves[leaf].marks;
	x->leaves[leaf].marks = mark + 1;
}

static void enclose(struct expr *x, const struct operand *o)
{
	mark(x, o->first, 2 * o->root + 1);
	x->leaves[o->last].closing++;
}

static void arrange_infix(struct expr *x, uint32_t i, struct operand *left, const struct operand *right)
{
	const struct expr_node *node = &x->nodes[i];

	if (!right) {
		if (is_binary(x, left) || node->flags & EXPR_WRAP)
			enclose(x, left);
		mark(x, left->first, 2 * i);
		return;
	}
	if (is_binary(x, left) ? x->n <= EXPR_LONG || x->nodes[left->root].op != node->op
			       : is_prefixed(x, left) && node->flags & EXPR_TIGHT)
		enclose(x, left);
	if (is_binary(x, right))
		enclose(x, right);
	x->leaves[right->first].op = node->op;
}

static void arrange_prefix(struct expr *x, uint32_t i, struct operand *left, const struct operand *right)
{
	mark(x, left->first, 2 * i);
	x->leaves[right ? right->last : left->last].closing++;
}

/* False when the expression is no expression. */
static bool arrange(struct expr *x, bool infix)
{
	for (uint32_t i = 0; i < x->n; i++) {
		struct operand *right = NULL, *left;

		if (!x->nodes[i].op) {
			x->stack[x->depth++] = (struct operand){i, i, i};
			continue;
		}
		if (x->depth < x->nodes[i].operands)
			return false;
		if (x->nodes[i].operands == 2)
			right = &x->stack[--x->depth];
		left = &x->stack[x->depth - 1];
		if (infix)
			arrange_infix(x, i, left, right);
		else
			arrange_prefix(x, i, left, right);
		left->root = i;
		if (right)
			left->last = right->last;
	}
	return x->depth == 1;
}

static void put_leaf_infix(struct buffer *b, const struct expr *x, const struct leaf *leaf)
{
	if (leaf->op) {
		text_put(b, " ");
		text_put(b, leaf->op);
		text_put(b, " ");
	}
	for (uint32_t at = leaf->marks; at; at = x->next[at - 1])
		text_put(b, (at - 1) % 2 ? "(" : x->nodes[(at - 1) / 2].op);
}

static void put_leaf_prefix(struct buffer *b, const struct expr *x, const struct leaf *leaf)
{
	for (uint32_t at = leaf->marks; at; at = x->next[at - 1]) {
		text_put(b, "(");
		text_put(b, x->nodes[(at - 1) / 2].op);
		text_put(b, " ");
	}
}

static void put_expr(struct buffer *b, const struct expr_node *nodes, uint32_t n, expr_leaf put_leaf, const void *data,
		     bool infix)
{
	struct expr x = {
		.nodes = nodes,
		.n = n,
		.leaves = mem_zalloc(n, sizeof *x.leaves),
		.next = mem_zalloc(n, 2 * sizeof *x.next),
		.stack = mem_zalloc(n, sizeof *x.stack),
	};
	bool good = arrange(&x, infix), first = true;

	for (uint32_t i = 0; good && i < n; i++) {
		if (nodes[i].op)
			continue;
		if (infix) {
			put_leaf_infix(b, &x, &x.leaves[i]);
		} else {
			text_put(b, first ? "" : " ");
			put_leaf_prefix(b, &x, &x.leaves[i]);
		}
		first = false;
		put_leaf(b, data, i);
		for (uint32_t k = 0; k < x.leaves[i].closing; k++)
			text_put(b, ")");
	}
	if (!good)
		text_put(b, "?");
	free(x.leaves);
	free(x.next);
	free(x.stack);
}

void text_infix(struct buffer *b, const struct expr_node *nodes, uint32_t n, expr_leaf put_leaf, const void *data)
{
	put_expr(b, nodes, n, put_leaf, data, true);
}

void text_prefix(struct buffer *b, const struct expr_node *nodes, uint32_t n, expr_leaf put_leaf, const void *data)
{
	put_expr(b, nodes, n, put_leaf, data, false);
}

struct cond_text { const struct policy *policy; const struct policy_cond *cond; };

static void put_bool(struct buffer *b, const void *data, uint32_t i)
{
	const struct cond_text *t = data;
	uint32_t boolean = t->cond->expr[i].boolean;

	text_put(b, boolean && boolean <= t->policy->bools.n ? t->policy->bools.at[boolean].name : "?");
}

void text_cond(struct buffer *b, const struct policy *policy, const struct policy_cond *cond)
{
	static const struct expr_node kinds[] = {
		[COND_BOOL] = {NULL, 0, 0}, [COND_NOT] = {"!", 1, 0}, [COND_OR] = {"||", 2, 0}, [COND_AND] = {"&&", 2, 0},
		[COND_XOR] = {"^", 2, 0}, [COND_EQ] = {"==", 2, EXPR_TIGHT}, [COND_NEQ] = {"!=", 2, EXPR_TIGHT},
	};
	struct expr_node *nodes = mem_alloc(cond->nexpr * sizeof *nodes);

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		uint32_t kind = cond->expr[i].kind;

		nodes[i] = kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	}
	text_infix(b, nodes, cond->nexpr, put_bool, &(struct cond_text){policy, cond});
	free(nodes);
}

/* ---- contexts ---- */

static void put_name(struct buffer *b, const char *name, uint32_t value)
{
	if (name)
		text_put(b, name);
	else
		text_printf(b, "@%u", value);
}

#define PUT_SYMBOL(b, symbols, value) \
	put_name(b, (value) && (value) <= (symbols).n ? (symbols).at[value].name : NULL, value)

void text_level(struct buffer *b, const struct policy *policy, const struct policy_level *level)
{
	const char *before = ":";

	PUT_SYMBOL(b, policy->sens, level->sens);
	ebitmap_for_each(&level->cats, cat) {
		uint32_t end = run_end(&level->cats, cat);

		text_put(b, before);
		PUT_SYMBOL(b, policy->cats, cat + 1);
		before = ",";
		if (end - cat < 2)
			continue;
		text_put(b, ".");
		PUT_SYMBOL(b, policy->cats, end + 1);
		cat = end;
	}
}

void text_range(struct buffer *b, const struct policy *policy, const struct policy_range *range)
{
	text_level(b, policy, &range->low);
	if (policy_level_equal(&range->low, &range->high))
		return;
	text_put(b, "-");
	text_level(b, policy, &range->high);
}

void text_context(struct buffer *b, const struct policy *policy, const struct policy_context *context)
{
	PUT_SYMBOL(b, policy->users, context->user);
	text_put(b, ":");
	PUT_SYMBOL(b, policy->roles, context->role);
	text_put(b, ":");
	PUT_SYMBOL(b, policy->types, context->type);
	if (!policy->mls)
		return;
	text_put(b, ":");
	text_range(b, policy, &context->range);
}

static const struct { const char *word; enum policy_unknown value; } unknowns[] = {
	{"deny", POLICY_UNKNOWN_DENY}, {"reject", POLICY_UNKNOWN_REJECT}, {"allow", POLICY_UNKNOWN_ALLOW},
};

const char *text_unknown(enum policy_unknown unknown)
{
	for (size_t i = 0; i < sizeof unknowns / sizeof *unknowns; i++)
		if (unknowns[i].value == unknown)
			return unknowns[i].word;
	return unknowns[0].word;
}

bool unknown_of_text(const char *text, enum policy_unknown *ret_unknown)
{
	for (size_t i = 0; i < sizeof unknowns / sizeof *unknowns; i++) {
		if (strcasecmp(text, unknowns[i].word) != 0)
			continue;
		*ret_unknown = unknowns[i].value;
		return true;
	}
	return false;
}
