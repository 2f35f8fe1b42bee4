/* The compile of a policy, kept to ask which statements made its rules. */
#ifndef IR_KEPT_H
#define IR_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/* ir_options.kept gets it.  The AST, the sources, the atoms and the policy must
 * outlive it. */
struct ir_kept;
void ir_kept_free(struct ir_kept *kept); /* NULL is fine */

/* Adds notes to the last finding for each allow statement in force that gives
 * any of the permissions on the class to the pair of types (with xperm each
 * allowxperm statement), and for how the types come into it; the first ones
 * only. */
void ir_note_rules(struct ir_kept *kept, struct diags *diags, uint32_t source, uint32_t target, uint32_t class,
		   uint32_t perms, bool xperm);

#endif
