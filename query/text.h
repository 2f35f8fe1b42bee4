/* Pieces of rules as text, for rules and differences.  Private to query/. */
#ifndef QUERY_TEXT_H
#define QUERY_TEXT_H

#include "base/buffer.h"
#include "ebitmap/ebitmap.h"
#include "ir/policy.h"

/* Names in order; one stands alone, more in braces. */
void put_names(struct buffer *b, const char **names, uint32_t n); /* sorts names */

/* Permissions of a class; AUDITDENY masks are to be inverted by the caller. */
void put_perms(struct buffer *b, const struct policy_class *class, uint32_t mask);

/* Extended permissions with their kind: `ioctl { 0x0001 0x8900-0x89ff }`. */
void put_xperms(struct buffer *b, uint8_t specified, const struct ebitmap *values);

/* A rule up to its semicolon. */
void put_rule(struct buffer *b, const struct policy *p, const struct policy_rule *r);

#endif
