/* Which entries match a path, and which of them wins.
 *
 * libselinux takes the entry that is the path itself, the last such line;
 * without one, the last line whose expression matches.  .homedirs counts as
 * lines behind the file, .local as lines behind that. */
#include <stdlib.h>
#include <string.h>

#include "validator/fc.h"
#include "validator/regex.h"

static bool matches_path(struct fc_set *set, const struct fc_entry *entry, const char *path, size_t len)
{
	struct regex *regex;
	bool matches;

	if (entry->broken || entry->role == FC_TEMPLATE)
		return false;
	if (entry->literal)
		return entry->fixed_len == len && !memcmp(entry->fixed, path, len);
	if (entry->fixed_len > len || memcmp(entry->fixed, path, entry->fixed_len))
		return false;
	regex = regex_new(set->run, entry->regex);
	matches = regex && regex_matches(regex, path, len);
	regex_free(regex);
	return matches;
}

/* Looks at the entries of one sort from the last to the first; taken: types of
 * files, as bits, for which there is a winner. */
static void find(struct fc_set *set, const char *path, bool literal, uint32_t *taken)
{
	const uint32_t all = (1u << FC_TYPES) - 1;
	size_t len = strlen(path);

	for (uint32_t i = set->entries.n; i; i--) {
		const struct fc_entry *entry = &set->entries.at[i - 1];
		uint32_t types = entry->type ? 1u << entry->type : all;
		bool wins = (types & ~*taken & ~1u) != 0;

		if (entry->literal != literal || !matches_path(set, entry, path, len))
			continue;
		*vec_push(&set->run->result->matches) = (struct label_match){
			.loc = entry->regex.loc,
			.context = entry->context_text.text,
			.context_len = entry->context_text.len,
			.types = fc_type_name(entry->type),
			.wins = wins,
			.why = !wins ? "those above are taken before it"
			       : literal ? "it is the path itself, which is taken before expressions"
			       : "of the expressions that match the last one is taken",
		};
		*taken |= types;
	}
}

void fc_explain_path(struct fc_set *set, const char *path)
{
	struct label_result *result = set->run->result;
	struct buffer looked_up = {0};
	uint32_t taken = 0;

	buffer_put(&looked_up, path, strlen(path));
	fc_substitute(set, &looked_up);
	buffer_u8(&looked_up, '\0');
	find(set, (const char *)looked_up.at, true, &taken);
	find(set, (const char *)looked_up.at, false, &taken);
	/* Of several sets the last one that substitutes tells. */
	if (strcmp((const char *)looked_up.at, path) != 0) {
		free(result->looked_up);
		result->looked_up = (char *)looked_up.at;
	} else {
		buffer_free(&looked_up);
	}
}
