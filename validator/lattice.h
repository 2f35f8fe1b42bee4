/* The levels of a policy that matter, and who is cleared for what, as a graph. */
#ifndef VALIDATOR_LATTICE_H
#define VALIDATOR_LATTICE_H

#include "base/buffer.h"
#include "ir/policy.h"

/* Appends a graph in the language of Graphviz.  Nodes are, for each
 * sensitivity, the level without categories and the one with all that go with
 * it, and the levels of users; an edge leads from a level to the next ones that
 * dominate it.  Users of one range share a box, which leads from its low to its
 * high level.  The policy is MLS. */
void lattice_dot(const struct policy *policy, struct buffer *out);

#endif
