/* A policy from a file, whether binary or source. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "ir/ir.h"
#include "ir/places.h"
#include "ir/policy.h"
#include "parser/ast.h"

enum { LOAD_MAX_ERRORS = 20 }; /* printed of those that keep a policy from being loaded */

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

/* The same from the bytes of the file, with the errors recorded and the text of
 * source kept: ret_places, zeroed before, gets the places of its statements
 * (policy_places_free); a binary has none.  NULL: they are not wanted. */
struct policy *load_from_bytes(const char *path, const struct buffer *file, const struct load_options *options,
			       uint32_t *ret_version, struct policy_places *ret_places, struct sources *sources,
			       struct diags *diags);

/* What answers where the rules of a policy stand in its source. */
struct load_kept {
	struct ir_kept *rules;       /* NULL: of a binary */
	struct policy_places places;
	struct ast ast;
	struct atoms atoms;
};

/* load_policy() with the compile kept, too: ret_kept is zeroed before, and must
 * go before the policy and the sources do. */
struct policy *load_keeping(const char *path, const struct load_options *options, struct load_kept *ret_kept,
			    struct sources *sources);
void load_kept_free(struct load_kept *kept);

#endif
