/* Attributes that are members of attributes, of types and of roles alike. */
#ifndef IR_NEST_H
#define IR_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "base/vec.h"

/* `inner` is named as a member of `outer`, both attributes by value. */
struct nesting {
	uint32_t inner, outer;
	struct loc loc;
	bool global; /* in the global block */
};

typedef VEC(struct nesting) nestings;

struct nest_actions {
	/* outer takes in the members of inner, which are complete */
	void (*absorb)(void *data, const struct nesting *pair);
	/* pair->inner is a member of itself; path: outermost first, from pair->inner to pair->outer */
	void (*loop)(void *data, const struct nesting *pair, const uint32_t *path, uint32_t n);
	void *data;
};

/* Visits every pair once, inner ones first.  Values are 1 .. nvalues. */
void nest_resolve(const nestings *pairs, uint32_t nvalues, const struct nest_actions *actions);

#endif
