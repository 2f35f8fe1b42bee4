/* Entries that never win, as far as it can be proven: a later one matches all
 * that is below a directory, and all paths of the entry are below it.  A path
 * without special bytes wins over every expression, so it is never one of
 * them. */
#include "validator/fc.h"
#include "validator/fc_paths.h"

/* By type: a directory, and the entry that matches all below it, plus 1. */
struct covers {
	struct fc_paths types[FC_TYPES];
};

/* The directory below which an entry matches everything. */
static bool covered_dir(const struct fc_entry *entry, uint32_t *ret_len)
{
	struct span tail = span_part(entry->regex, entry->fixed_end, entry->regex.len - entry->fixed_end);
	uint32_t len = entry->fixed_len;

	if (!len || (!span_is(tail, "(/.*)?") && !span_is(tail, ".*")))
		return false;
	*ret_len = entry->fixed[len - 1] == '/' ? len - 1 : len;
	return true;
}

static uint32_t find_cover(const struct covers *covers, const struct fc_entry *entry)
{
	uint32_t len = entry->fixed_len, found;

	while (len) {
		len = path_parent(entry->fixed, len);
		found = fc_paths_find(&covers->types[FC_ANY], entry->fixed, len);
		if (!found && entry->type)
			found = fc_paths_find(&covers->types[entry->type], entry->fixed, len);
		if (found)
			return found;
	}
	return 0;
}

static void report(struct fc_set *set, const struct fc_entry *entry, const struct fc_entry *cover)
{
	struct diags *diags = set->run->diags;

	diag_warning(diags, "fc-shadowed", entry->regex.loc,
		     "`%.*s` labels no file: a later line matches all that it matches", SPAN_ARGS(entry->regex));
	diag_note(diags, cover->regex.loc, "of the expressions that match, the last one wins");
	diag_hint(diags, "move the line behind the other, or remove it");
}

static void check_role(struct fc_set *set, enum fc_role role)
{
	struct covers covers;
	uint32_t len;

	for (uint32_t t = 0; t < FC_TYPES; t++)
		fc_paths_init(&covers.types[t]);
	for (uint32_t i = set->entries.n; i; i--) {
		struct fc_entry *entry = &set->entries.at[i - 1];
		uint32_t cover;

		if (entry->role != role || entry->broken || entry->literal)
			continue;
		cover = find_cover(&covers, entry);
		entry->shadowed = cover != 0;
		if (cover)
			report(set, entry, &set->entries.at[cover - 1]);
		if (covered_dir(entry, &len))
			*fc_paths_add(&covers.types[entry->type], entry->fixed, len) = i;
	}
	for (uint32_t t = 0; t < FC_TYPES; t++)
		fc_paths_free(&covers.types[t]);
}

void fc_check_shadowed(struct fc_set *set)
{
	for (enum fc_role role = FC_BASE; role <= FC_LOCAL; role++)
		check_role(set, role);
}
