/* A policy from a file, whether binary or source. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/policy.h"

/* The bytes of a file; "-" is standard input. */
bool load_bytes(const char *path, struct buffer *ret, struct diags *diags);

struct load_options {
	const char *program; /* for messages */
	bool mls;            /* source: it is MLS also when nothing in it says so */
	bool xen;            /* source: its target */
};

/* A file that begins as a binary policy does is read and validated, anything
 * else is compiled; neverallow rules are not checked.  "-" is standard input.
 * NULL after the errors were printed.  ret_version gets the version of a binary,
 * 0 for source.  The result is the caller's (policy_free). */
struct policy *load_policy(const char *path, const struct load_options *options, uint32_t *ret_version);

#endif
