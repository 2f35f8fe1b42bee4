/* Pieces of a policy as text, for messages and for dumps.  Private to ir/. */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include <stdint.h>

#include "base/buffer.h"
#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

void text_put(struct buffer *b, const char *text);
void text_printf(struct buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The text gathered so far, ended by a NUL that is not counted. */
const char *text_of(struct buffer *b);

/* `{ read write }`; bits that the class does not have are left out. */
void text_perms(struct buffer *b, const struct policy_class *class, uint32_t mask);

/* Extended permissions as ranges: `{ 0x5401 0x8900-0x89ff }`.  After max ranges
 * `...` stands for the rest; 0 is no limit. */
void text_values(struct buffer *b, const struct ebitmap *values, uint32_t max);
/* All the values that a record lists, added to a set of 0 .. 0xffff. */
void xperm_values(const struct policy_xperms *x, struct ebitmap *ret_values);

/* A postfix expression, written as infix.  Each node is a leaf (op NULL), or
 * takes one or two operands; put_leaf writes leaf i. */
struct infix_node { const char *op; uint8_t operands; };

void text_infix(struct buffer *b, const struct infix_node *nodes, uint32_t n,
		void (*put_leaf)(struct buffer *b, const void *data, uint32_t i), const void *data);

/* The expression of a conditional: `b1 && !b2`. */
void text_cond(struct buffer *b, const struct policy *policy, const struct policy_cond *cond);

#endif
