/* Why an access is granted or denied: the rules behind it, or what is missing. */
#ifndef QUERY_EXPLAIN_H
#define QUERY_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/vec.h"
#include "ir/kept.h"
#include "ir/places.h"
#include "query/server.h"

/* What knows where things stand in the source of a policy; both NULL of a binary. */
struct explain_source {
	struct ir_kept *rules;
	const struct policy_places *places;
};

enum reason_kind {
	REASON_RULE,       /* grants */
	REASON_XPERM,      /* an extended permission: a rule that lists it */
	REASON_NO_RULE,
	REASON_BOOLEAN,    /* a rule that would grant is off */
	REASON_NO_XPERM,   /* the rules of extended permissions leave it out */
	REASON_CONSTRAINT, /* does not hold */
	REASON_ROLE,       /* no rule allows the change of role */
	REASON_BOUNDS,     /* the parent type may not */
	REASON_UNKNOWN,    /* the policy has no such class or permission */
	REASON_TRANSITION, /* a validatetrans that does not hold */
	REASON_TERM,       /* of a constraint: a comparison that decides, with its values */
	REASON_WAY_OUT,
	REASON_PLACE,      /* of the rule before: a statement behind it */
};

struct reason {
	enum reason_kind kind;
	uint32_t depth;   /* more than that of the reason it belongs to */
	uint32_t perms;   /* those asked for that it is about */
	struct loc loc;
	const char *text; /* in the arena */
};

/* A question about permissions of a class that the policy has. */
struct explain_question {
	const struct policy_context *source, *target;
	uint32_t class, perms;
	/* An extended permission: base is one of enum xperm_base, or 0 for none, and
	 * perms is then the permission itself. */
	uint32_t base;
	uint16_t number;
};

struct explanation {
	struct arena arena;
	VEC(struct reason) reasons;
	struct decision decision; /* xperms do not show in it */
	uint32_t granted;         /* of the permissions asked for */
};

/* ret is zeroed; free it in any case. */
void explain_access(const struct server *server, const struct explain_source *source,
		    const struct explain_question *question, struct explanation *ret);
/* Why decide_transition() says no: the validatetrans statement of that index. */
void explain_transition(const struct server *server, const struct explain_source *source,
			const struct policy_context *before, const struct policy_context *after, uint32_t class,
			const struct policy_context *task, uint32_t failed, struct explanation *ret);
void explanation_free(struct explanation *explanation);

/* A name for programs: "rule", "no-rule", "boolean"... */
const char *reason_name(enum reason_kind kind);
/* Permissions as text: `read`, `{ read write }`. */
struct buffer;
void explain_put_perms(struct buffer *b, const struct policy_class *class, uint32_t perms);

#endif
