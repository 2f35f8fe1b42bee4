/* Entries of home directories that cover more than these.
 *
 * genhomedircon fills the template with what the account data says; an empty
 * or relative home directory leaves an expression for the whole file system. */
#include "validator/fc.h"

/* The first component of all paths that match is fixed. */
static bool has_root(const struct fc_entry *entry)
{
	uint32_t i = 1;

	if (entry->fixed_len < 2 || entry->fixed[0] != '/')
		return false;
	while (i < entry->fixed_len && entry->fixed[i] != '/')
		i++;
	if (i < entry->fixed_len)
		return true;
	return entry->literal || span_starts(span_part(entry->regex, entry->fixed_end,
						       entry->regex.len - entry->fixed_end), "(/");
}

void fc_check_homedirs(struct fc_set *set)
{
	struct diags *diags = set->run->diags;

	for (uint32_t i = 0; i < set->entries.n; i++) {
		const struct fc_entry *entry = &set->entries.at[i];

		if (entry->role != FC_HOMEDIRS || entry->broken || has_root(entry))
			continue;
		diag_error(diags, "fc-home-everything", entry->regex.loc,
			   "`%.*s` is for no home directory: its first component is not fixed, so it covers `/etc` and all "
			   "the rest", SPAN_ARGS(entry->regex));
		diag_hint(diags, "an account has an empty or relative home directory: correct it, or leave it out, "
			  "and make the file anew");
	}
}
