/* What an image says of classes and permissions that only the kernel knows. */
#include "ir/text.h"
#include "validator/policy_checks.h"

void policy_check_unknown(const char *path, const struct policy *policy, enum policy_unknown required,
			  struct diags *diags)
{
	static const char *const effects[] = {
		[POLICY_UNKNOWN_DENY] = "what only the kernel knows is denied to all",
		[POLICY_UNKNOWN_REJECT] = "a kernel that knows more than the policy does not load it",
		[POLICY_UNKNOWN_ALLOW] = "what only the kernel knows is allowed to all",
	};
	const char *wanted = text_unknown(required);

	if (policy->handle_unknown == required)
		return;
	diag_error(diags, "handle-unknown", LOC_NONE, "handle_unknown of `%s` is `%s`, and `%s` is required", path,
		   text_unknown(policy->handle_unknown), wanted);
	diag_note(diags, LOC_NONE, "%s", effects[policy->handle_unknown]);
	diag_hint(diags, "`policy-compile -U %s` sets it, as `UNK_PERMS = %s` in build.conf of the reference policy and `(handleunknown %s)` "
			 "in CIL do", wanted, wanted, wanted);
}
