/* Statements and parts of them as a dump has them (see dump.c). */
#ifndef IR_DUMP_H
#define IR_DUMP_H

#include <stdint.h>

#include "ir/policy.h"
#include "ir/text.h"

/* Names of values; `@VALUE` for a gap or what has no name. */
void dump_type(struct buffer *b, const struct policy *p, uint32_t value);
void dump_role(struct buffer *b, const struct policy *p, uint32_t value);
void dump_user(struct buffer *b, const struct policy *p, uint32_t value);
void dump_class(struct buffer *b, const struct policy *p, uint32_t value);

/* `{ a b }`; a set with one member is that name alone. */
typedef void (*dump_name)(struct buffer *b, const struct policy *p, uint32_t value);
void dump_set(struct buffer *b, const struct policy *p, const struct ebitmap *set, dump_name put);

/* As statements have it: `s0 - s1:c0`. */
void dump_range(struct buffer *b, const struct policy *p, const struct policy_range *range);

/* A comparison of a constraint: `l1 dom l2`, `t1 == { app_t web_t }`. */
void dump_term(struct buffer *b, const struct policy *p, const struct policy_cexpr *e);
/* The expression of a constraint, in parentheses. */
void dump_expression(struct buffer *b, const struct policy *p, const struct policy_constraint *c);

/* `SOURCE TARGET:CLASS `, what most rules begin with; and without the source. */
void dump_triple(struct buffer *b, const struct policy *p, uint32_t source, uint32_t target, uint32_t class);
void dump_target(struct buffer *b, const struct policy *p, uint32_t target, uint32_t class);
/* Up to the semicolon. */
void dump_role_trans(struct buffer *b, const struct policy *p, const struct policy_role_trans *t);
void dump_role_allow(struct buffer *b, const struct policy *p, const struct policy_role_allow *a);

void dump_rules(struct buffer *b, const struct policy *p);
void dump_labels(struct buffer *b, const struct policy *p);

#endif
