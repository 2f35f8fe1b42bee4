/* Users: their levels and ranges, and whether anybody can be one. */
#include <stdlib.h>

#include "security/level.h"
#include "validator/policy_internal.h"

/* ---- levels; a source with such faults does not compile, an image may have them ---- */

static bool check_level_of(struct policy_run *run, uint32_t user, const struct policy_level *level, const char *which)
{
	const struct policy *p = run->policy;

	if (level_valid(p, level))
		return true;
	diag_error(run->diags, "invalid-level", place_user(run->places, user),
		   "the %s level `%s` of user `%s` has a category that does not go with its sensitivity", which,
		   run_level(run, &run->left, level), p->users.at[user].name);
	diag_hint(run->diags, "sensitivity `%s` has the categories of `%s`", p->sens.at[level->sens].name,
		  run_level(run, &run->left, &(struct policy_level){level->sens, p->sens.at[level->sens].cats}));
	return false;
}

static void check_user_level(struct policy_run *run, uint32_t user)
{
	const struct policy_user *u = &run->policy->users.at[user];
	struct loc loc = place_user(run->places, user);
	bool good = check_level_of(run, user, &u->range.low, "low");

	good &= check_level_of(run, user, &u->range.high, "high");
	good &= check_level_of(run, user, &u->level, "default");
	if (!good)
		return;
	if (!policy_level_dominates(&u->range.high, &u->range.low)) {
		diag_error(run->diags, "invalid-range", loc, "the high level `%s` of user `%s` does not dominate its low level `%s`",
			   run_level(run, &run->left, &u->range.high), u->name, run_level(run, &run->right, &u->range.low));
		return;
	}
	if (!range_contains(&u->range, &(struct policy_range){u->level, u->level}))
		diag_error(run->diags, "level-outside-range", loc, "the default level `%s` of user `%s` is not within its range `%s`",
			   run_level(run, &run->left, &u->level), u->name, run_range(run, &run->right, &u->range));
}

void check_user_levels(struct policy_run *run)
{
	for (uint32_t v = 1; v <= run->policy->users.n; v++)
		if (run->policy->users.at[v].name)
			check_user_level(run, v);
}

/* ---- who can be a user ---- */

enum { OBJECT_R = 1 };

/* object_r is for objects: no process has it. */
static bool has_domain(const struct policy *p, const struct policy_user *user, uint32_t *ret_roles)
{
	*ret_roles = 0;
	ebitmap_for_each(&user->roles, bit) {
		if (bit + 1 == OBJECT_R || !p->roles.at[bit + 1].name)
			continue;
		++*ret_roles;
		if (!ebitmap_empty(&p->roles.at[bit + 1].types))
			return true;
	}
	return false;
}

void check_unusable_users(struct policy_run *run)
{
	const struct policy *p = run->policy;

	for (uint32_t v = 1; v <= p->users.n; v++) {
		const struct policy_user *user = &p->users.at[v];
		uint32_t roles;

		if (!user->name || has_domain(p, user, &roles))
			continue;
		diag_warning(run->diags, "user-unusable", place_user(run->places, v),
			     roles ? "user `%s` has only roles without types: no process can have it"
				   : "user `%s` has no role for processes: no process can have it", user->name);
		diag_hint(run->diags, roles ? "give one of its roles a type" : "give it a role; `object_r` is for objects only");
	}
}
