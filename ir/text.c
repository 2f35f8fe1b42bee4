#include "ir/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void text_perms(struct buffer *b, const struct policy_class *class, uint32_t mask)
{
	text_put(b, "{");
	for (uint32_t i = 0; i < class->nperms && i < POLICY_MAX_PERMS; i++) {
		if (mask >> i & 1 && class->perms[i])
			text_printf(b, " %s", class->perms[i]);
	}
	text_put(b, " }");
}

/* The last value of the run of members that starts here. */
static uint32_t run_end(const struct ebitmap *values, uint32_t at)
{
	while (ebitmap_test(values, at + 1))
		at++;
	return at;
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

/* What an infix form writes around a leaf: an operator, prefixes from the
 * outside in, the leaf, closing parentheses. */
struct leaf {
	const char *op;     /* before the first leaf of a right operand */
	uint32_t prefix;    /* first of a list of nodes, + 1 */
	uint32_t closing;
};

struct infix {
	struct leaf *leaves;   /* by node */
	uint32_t *next;        /* by node: the next prefix, + 1 */
	uint32_t *starts;      /* stack: the first leaf of each operand */
	uint32_t depth;
};

static void add_prefix(struct infix *f, uint32_t leaf, uint32_t node)
{
	f->next[node] = f->leaves[leaf].prefix;
	f->leaves[leaf].prefix = node + 1;
}

/* Outer nodes come later, so each list has them in front.  False when the
 * expression is no expression. */
static bool arrange(struct infix *f, const struct infix_node *nodes, uint32_t n)
{
	uint32_t last = 0; /* the last leaf seen */

	for (uint32_t i = 0; i < n; i++) {
		if (!nodes[i].op) {
			f->starts[f->depth++] = last = i;
			continue;
		}
		if (f->depth < nodes[i].operands)
			return false;
		if (nodes[i].operands == 2) {
			f->leaves[f->starts[--f->depth]].op = nodes[i].op;
			if (i + 1 < n)
				f->leaves[last].closing++;
		}
		if (nodes[i].operands == 1 || i + 1 < n)
			add_prefix(f, f->starts[f->depth - 1], i);
	}
	return f->depth == 1;
}

void text_infix(struct buffer *b, const struct infix_node *nodes, uint32_t n,
		void (*put_leaf)(struct buffer *b, const void *data, uint32_t i), const void *data)
{
	struct infix f = {
		.leaves = mem_zalloc(n, sizeof *f.leaves),
		.next = mem_zalloc(n, sizeof *f.next),
		.starts = mem_zalloc(n, sizeof *f.starts),
	};
	bool good = arrange(&f, nodes, n);

	for (uint32_t i = 0; good && i < n; i++) {
		if (nodes[i].op)
			continue;
		if (f.leaves[i].op)
			text_printf(b, " %s ", f.leaves[i].op);
		for (uint32_t at = f.leaves[i].prefix; at; at = f.next[at - 1])
			text_put(b, nodes[at - 1].operands == 1 ? nodes[at - 1].op : "(");
		put_leaf(b, data, i);
		for (uint32_t k = 0; k < f.leaves[i].closing; k++)
			text_put(b, ")");
	}
	if (!good)
		text_put(b, "?");
	free(f.leaves);
	free(f.next);
	free(f.starts);
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
	static const struct infix_node kinds[] = {
		[COND_BOOL] = {NULL, 0}, [COND_NOT] = {"!", 1}, [COND_OR] = {"||", 2}, [COND_AND] = {"&&", 2},
		[COND_XOR] = {"^", 2}, [COND_EQ] = {"==", 2}, [COND_NEQ] = {"!=", 2},
	};
	struct infix_node *nodes = mem_alloc(cond->nexpr * sizeof *nodes);

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		uint32_t kind = cond->expr[i].kind;

		nodes[i] = kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	}
	text_infix(b, nodes, cond->nexpr, put_bool, &(struct cond_text){policy, cond});
	free(nodes);
}
