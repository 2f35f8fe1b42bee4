/* AST to struct policy. */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "ir/kept.h"
#include "ir/places.h"
#include "ir/policy.h"
#include "base/buffer.h"
#include "parser/ast.h"

/* What the version to be written cannot hold is best reported where it stands:
 * the lowest versions that have a thing, UINT32_MAX for none. */
struct ir_limits {
	uint32_t version; /* 0: nothing is written */
	uint32_t xperms, cond_xperms;
};

struct module;

struct ir_options {
	enum policy_target target;
	enum policy_unknown handle_unknown;
	bool mls;
	bool no_neverallow;   /* -N: no neverallow, bounds and hierarchy checks */
	bool warnings_are_errors; /* -E: for what the parser's part of checkpolicy warns about */
	struct ir_limits limits;
	bool optimize, sort;  /* -O, -S */
	bool canonical;       /* --canonical, see policy_canonicalise() */
	bool report_optionals; /* check "optional-dropped": each optional block that is off */
	/* Text among the sources that lists what may be missing, `file:symbol` or
	 * `symbol` a line; empty: there is none. */
	struct loc optionals_allowed;
	struct policy_places *places; /* zeroed, gets the places of a policy that compiles; or NULL */
	struct ir_kept **kept;        /* gets what ir_note_rules() wants of a policy that compiles; or NULL */
};

/* One pass as it was timed, for --stats. */
typedef void (*ir_pass_hook)(void *data, const char *pass);

/* Runs the passes over a monolithic policy, or over a base and modules, which are
 * linked: the first module of the AST is the base, and a name is visible where
 * its own module declares or requires it.  NULL when any error was recorded; the
 * result is the caller's (policy_free).  hook, if given, is called after each
 * pass. */
struct policy *ir_compile(const struct ast *ast, const struct sources *sources, struct atoms *atoms,
			  const struct ir_options *options, struct diags *diags, ir_pass_hook hook, void *hook_data);

/* The same for a base or a module alone, to a struct module: a base is tried out
 * as the policy that it makes without modules.  The result is the caller's
 * (module_free); options->places gets the places of all blocks. */
struct module *ir_compile_module(const struct ast *ast, const struct sources *sources, struct atoms *atoms,
				 const struct ir_options *options, struct diags *diags);

/* Removes rules that others make redundant (language.md 15.1). */
void policy_optimise(struct policy *policy);

/* Puts labelling records in an order of their own (language.md 15.2). */
void policy_sort_labels(struct policy *policy);

/* Makes the policy independent of the order of statements in its source: values
 * of types, roles, users, booleans and commons by name, lists sorted.  What has
 * meaning by its order stays: classes, permissions, sensitivities, categories,
 * SIDs, and ports when ranges overlap without one holding the other. */
void policy_canonicalise(struct policy *policy);

/* The policy as text, one statement a line (--dump-ir). */
void ir_dump(const struct policy *policy, struct buffer *out);

#endif
