/* --stats: how long each pass took, what the policy holds. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stdint.h>
#include <stdio.h>

#include "base/source.h"
#include "ir/policy.h"

enum { STATS_MAX_PASSES = 24 };

struct stats {
	double last; /* processor seconds when the last pass ended */
	uint32_t n;
	struct { const char *name; double seconds; } passes[STATS_MAX_PASSES];
};

void stats_start(struct stats *stats);
/* The pass that ends now; an ir_pass_hook, so data is a struct stats. */
void stats_pass(void *data, const char *name);
/* policy may be NULL: then times only. */
void stats_print(const struct stats *stats, const struct policy *policy, const struct sources *sources, FILE *out);

#endif
