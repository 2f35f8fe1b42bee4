/* Which statements made a rule: found again from the AST when a message wants
 * to know, so that rules need not carry their places (they are many, and
 * messages are few).  Private to ir/. */
#ifndef IR_ORIGIN_H
#define IR_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/internal.h"
#include "ir/member.h"

/* An allow or allowxperm statement. */
struct origin {
	const struct ast_xrule *x; /* of allowxperm; else NULL */
	struct loc loc;
	struct ast_names sources, targets, perms; /* perms: of allowxperm its operation */
	ast_place_t place;
	uint32_t block;
};

/* Indexes of live statements, in source order. */
struct origin_list { const uint32_t *at; uint32_t n; };

struct origin_list origins_of_class(struct compile *c, uint32_t class, bool xperm);
struct origin origin_at(const struct compile *c, uint32_t index, bool xperm);

/* The permissions of a class that it gives, 0 when it stands in a branch that is never taken. */
uint32_t origin_perms(struct compile *c, const struct origin *o, uint32_t class);
bool origin_has_source(struct compile *c, const struct origin *o, uint32_t source);
/* The same for a target of one of its sources. */
bool origin_has_target(struct compile *c, const struct origin *o, uint32_t source, uint32_t target);

/* Notes of the last finding: the place of a statement, with the condition, and
 * how the types come in.  what: what it gives, or NULL. */
void note_origin(struct compile *c, const struct origin *o, uint32_t source, uint32_t target, const char *what,
		 struct noted *noted);

enum { MAX_ORIGIN_NOTES = 10 };

#endif
