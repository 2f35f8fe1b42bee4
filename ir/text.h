/* Pieces of a policy as text: for messages, for dumps, and for the writers of
 * policy.conf and CIL. */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

void text_put(struct buffer *b, const char *text);
void text_printf(struct buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The text gathered so far, ended by a NUL that is not counted. */
const char *text_of(struct buffer *b);

/* The word that a rule of a kind (AV_*) starts with: `allow`; that of AUDITDENY is
 * `dontaudit`. */
const char *text_rule_word(uint32_t kind);

/* `{ read write }`; bits that the class does not have are left out. */
void text_perms(struct buffer *b, const struct policy_class *class, uint32_t mask);

/* Extended permissions as ranges: `{ 0x5401 0x8900-0x89ff }`.  After max ranges
 * `...` stands for the rest; 0 is no limit. */
void text_values(struct buffer *b, const struct ebitmap *values, uint32_t max);
/* All the values that a record lists, added to a set of 0 .. 0xffff. */
void xperm_values(const struct policy_xperms *x, struct ebitmap *ret_values);

/* A node of a postfix expression: a leaf (op NULL), or an operator of one or
 * two operands. */
struct expr_node { const char *op; uint8_t operands, flags; };

enum {
	EXPR_WRAP = 1,  /* infix: the operand of this prefix operator always stands in parentheses */
	EXPR_TIGHT = 2, /* infix: binds tighter than a prefix operator */
};

typedef void (*expr_leaf)(struct buffer *b, const void *data, uint32_t i); /* writes leaf i */

/* `a and !(b or c)`; each operand that has two of its own is in parentheses, the
 * whole is not. */
void text_infix(struct buffer *b, const struct expr_node *nodes, uint32_t n, expr_leaf put_leaf, const void *data);
/* `(and a (not (or b c)))`. */
void text_prefix(struct buffer *b, const struct expr_node *nodes, uint32_t n, expr_leaf put_leaf, const void *data);

/* Levels as the kernel writes them: `s0:c0.c3,c5`; runs of three categories
 * and more with a dot.  A range of one level is that level; the dash of others
 * has no blanks, as in contexts.  A value that the policy has no name for is
 * written `@VALUE`. */
void text_level(struct buffer *b, const struct policy *policy, const struct policy_level *level);
void text_range(struct buffer *b, const struct policy *policy, const struct policy_range *range);
/* `user:role:type`, and the range of a policy with MLS. */
void text_context(struct buffer *b, const struct policy *policy, const struct policy_context *context);

/* `deny`, `reject`, `allow`: the word of handle_unknown; and back, in any case of
 * its letters.  False: it is none of them. */
const char *text_unknown(enum policy_unknown unknown);
bool unknown_of_text(const char *text, enum policy_unknown *ret_unknown);

/* The expression of a conditional: `b1 && !b2`. */
void text_cond(struct buffer *b, const struct policy *policy, const struct policy_cond *cond);

#endif
