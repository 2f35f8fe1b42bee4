#include "validator/partial.h"

#include <string.h>

/* A user of a policy, and no role of it. */
static bool is_user(const struct label_run *run, struct span name)
{
	const struct security *security = run->policies[0].security;

	return security_find(security, SECURITY_USER, name.text, name.len) &&
	       !security_find(security, SECURITY_ROLE, name.text, name.len);
}

bool partial_split(struct label_run *run, struct span word, struct partial *ret)
{
	const char *colon = memchr(word.text, ':', word.len), *second = NULL;
	uint32_t role = colon ? (uint32_t)(colon - word.text) : 0, type;

	if (colon)
		second = memchr(colon + 1, ':', word.len - role - 1);
	type = second ? (uint32_t)(second - word.text) : word.len;
	if (!colon || !role || type == role + 1) {
		diag_error(run->diags, "partial-context", word.loc, "`%.*s` is no context without its user", SPAN_ARGS(word));
		diag_hint(run->diags, "it has a role and a type, `staff_r:staff_t`, and may have a level");
		return false;
	}
	if (second && is_user(run, span_part(word, 0, role))) {
		diag_error(run->diags, "partial-context", span_part(word, 0, role).loc,
			   "the context begins with a user, and that of the login is put before it");
		diag_hint(run->diags, "it begins with a role");
		return false;
	}
	*ret = (struct partial){span_part(word, 0, role), span_part(word, role + 1, type - role - 1), {0}};
	if (second)
		ret->range = span_part(word, type + 1, word.len - type - 1);
	return true;
}

bool partial_judge(struct label_run *run, const struct partial *partial)
{
	bool role = label_name(run, SECURITY_ROLE, partial->role);
	bool type = label_name(run, SECURITY_TYPE, partial->type);
	bool right = role && type && label_role_type(run, partial->role, partial->type);

	return (!partial->range.text || label_range(run, partial->range)) && right;
}
