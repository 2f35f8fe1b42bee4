/* Entries for files that cannot be given a label: those of proc have the ones
 * that genfscon statements say, and refuse others. */
#include <string.h>

#include "ir/policy.h"
#include "validator/fc.h"

static bool has_genfs(const struct policy *policy, const char *fs)
{
	for (uint32_t i = 0; i < policy->genfs.n; i++)
		if (!strcmp(policy->genfs.at[i].fs, fs))
			return true;
	return false;
}

static bool is_below(const struct fc_entry *entry, const char *dir)
{
	uint32_t len = (uint32_t)strlen(dir);

	if (entry->fixed_len < len || memcmp(entry->fixed, dir, len))
		return false;
	if (entry->fixed_len > len)
		return entry->fixed[len] == '/';
	return entry->literal || entry->regex.text[entry->fixed_end] == '(';
}

static void check_policy(struct fc_set *set, const struct policy *policy)
{
	struct diags *diags = set->run->diags;

	if (!has_genfs(policy, "proc"))
		return;
	for (uint32_t i = 0; i < set->entries.n; i++) {
		const struct fc_entry *entry = &set->entries.at[i];

		if (entry->broken || entry->context == FC_WRONG || entry->context == FC_NO_CONTEXT || !is_below(entry, "/proc"))
			continue;
		diag_warning(diags, "fc-proc", entry->regex.loc, "the label has no effect: files of `/proc` cannot be given one");
		diag_hint(diags, "write `genfscon proc` in the policy, and `<<none>>` here");
	}
}

void fc_check_genfs(struct fc_set *set)
{
	for (uint32_t i = 0; i < set->run->npolicies; i++) {
		set->run->diags->under = set->run->policies[i].name;
		check_policy(set, security_policy(set->run->policies[i].security));
	}
	set->run->diags->under = NULL;
}
