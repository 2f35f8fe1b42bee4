/* Users that no login leads to.
 *
 * A line of seusers is `LOGIN:USER` or `LOGIN:USER:RANGE`; whether it is right is
 * for the check of that file.  The users of initial SIDs are those of the kernel
 * and of what it starts. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "validator/lines.h"
#include "validator/policy_checks.h"

static void mark_user(const struct policy *policy, bool *used, const char *name, size_t len)
{
	for (uint32_t v = 1; v <= policy->users.n; v++) {
		const char *known = policy->users.at[v].name;

		if (known && strlen(known) == len && !memcmp(known, name, len))
			used[v] = true;
	}
}

static void mark_logins(const struct policy *policy, bool *used, const struct source *seusers)
{
	struct lines lines;
	struct span line;

	lines_begin(&lines, seusers);
	while (lines_next_words(&lines, &line)) {
		const char *end = line.text + line.len, *user = memchr(line.text, ':', line.len), *range;

		if (!user++)
			continue;
		range = memchr(user, ':', (size_t)(end - user));
		line = span_trim(span_part(line, (uint32_t)(user - line.text), (uint32_t)((range ? range : end) - user)));
		mark_user(policy, used, line.text, line.len);
	}
}

void policy_check_logins(const struct policy *policy, const struct policy_places *places, const struct source *seusers,
			 struct diags *diags)
{
	bool *used = mem_zalloc((size_t)policy->users.n + 1, sizeof *used);

	mark_logins(policy, used, seusers);
	for (uint32_t i = 0; i < policy->sids.n; i++)
		used[policy->sids.at[i].context.user] = true;
	for (uint32_t v = 1; v <= policy->users.n; v++) {
		if (!policy->users.at[v].name || used[v])
			continue;
		diag_remark(diags, "user-without-login", place_user(places, v),
			     "no login leads to user `%s`, and no initial SID has it", policy->users.at[v].name);
		diag_note(diags, LOC_NONE, "logins are in `%s`", seusers->path);
	}
	free(used);
}
