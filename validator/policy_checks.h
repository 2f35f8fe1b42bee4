/* The MLS part of a policy: what is valid and yet of no use, or leaves a gap.
 *
 * Loading a policy has checked what a kernel would refuse: contexts of all
 * labels, levels of range transitions, and of a source all levels.  Here are
 * the checks of the rest, one function each, in a table. */
#ifndef VALIDATOR_POLICY_CHECKS_H
#define VALIDATOR_POLICY_CHECKS_H

#include "base/diag.h"
#include "base/source.h"
#include "ir/places.h"
#include "ir/policy.h"
#include "validator/permission_map.h"

/* Records the findings; places is NULL for a policy without source.  The map is
 * used, and must be there, when policy_checks_want_map() says so. */
void policy_checks_run(const struct policy *policy, const struct policy_places *places,
		       const struct permission_map *map, struct diags *diags);
/* The users that nobody has: by a file that maps logins to users (seusers). */
void policy_check_logins(const struct policy *policy, const struct policy_places *places, const struct source *seusers,
			 struct diags *diags);
/* An image: that its handle_unknown is the one required. */
void policy_check_unknown(const char *path, const struct policy *policy, enum policy_unknown required,
			  struct diags *diags);
bool policy_checks_want_map(const struct policy *policy);

#endif
