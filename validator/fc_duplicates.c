/* One path, or one expression, that is specified twice.
 *
 * libselinux refuses a file for it, unless the two are for different types of
 * files.  Between the file and its .local the later one wins on purpose. */
#include <string.h>

#include "base/atom.h"
#include "validator/fc.h"

/* The first entry of each type, plus 1, for one text. */
struct firsts {
	uint32_t by_type[FC_TYPES];
};

struct texts {
	struct atoms atoms;
	VEC(struct firsts) at; /* by atom */
};

static bool same_context(const struct fc_entry *a, const struct fc_entry *b)
{
	return span_equal(a->context_text, b->context_text);
}

static void report(struct fc_set *set, const struct fc_entry *entry, const struct fc_entry *first)
{
	struct diags *diags = set->run->diags;
	struct span path = entry->regex, a = first->context_text, b = entry->context_text;

	if (same_context(entry, first))
		diag_error(diags, "fc-duplicate", path.loc, "`%.*s` is specified again, with the same context",
			   SPAN_ARGS(path));
	else
		diag_error(diags, "fc-duplicate", path.loc, "`%.*s` is specified again: `%.*s` there, `%.*s` here",
			   SPAN_ARGS(path), SPAN_ARGS(a), SPAN_ARGS(b));
	diag_note(diags, first->regex.loc, "it is specified here first%s%s", first->type ? ", for a " : "",
		  first->type ? fc_type_name(first->type) : "");
	if (!span_equal(first->regex, entry->regex))
		diag_hint(diags, "both expressions stand for the path `%.*s`", (int)entry->fixed_len, entry->fixed);
	if (entry->type != first->type)
		diag_hint(diags, "one is for a %s, which the other is for as well; libselinux refuses the two together",
			  fc_type_name(entry->type ? entry->type : first->type));
	else if (same_context(entry, first))
		diag_hint(diags, "one of the two can go");
	else
		diag_hint(diags, "libselinux refuses the two together: remove one");
}

static const struct fc_entry *find_first(const struct fc_set *set, const struct firsts *firsts, uint8_t type)
{
	uint32_t first = UINT32_MAX;

	for (uint8_t t = 0; t < FC_TYPES; t++)
		if (firsts->by_type[t] && fc_types_meet(t, type) && firsts->by_type[t] < first)
			first = firsts->by_type[t];
	return first == UINT32_MAX ? NULL : &set->entries.at[first - 1];
}

static void add_text(struct fc_set *set, struct texts *texts, const char *text, uint32_t len, uint32_t i)
{
	const struct fc_entry *entry = &set->entries.at[i], *first;
	atom_t atom = atom_intern(&texts->atoms, text, len);
	struct firsts *firsts;

	while (texts->at.n <= atom)
		*vec_push(&texts->at) = (struct firsts){{0}};
	firsts = &texts->at.at[atom];
	first = find_first(set, firsts, entry->type);
	if (first)
		report(set, entry, first);
	if (!firsts->by_type[entry->type])
		firsts->by_type[entry->type] = i + 1;
}

static void check_role(struct fc_set *set, enum fc_role role)
{
	struct texts paths = {0}, expressions = {0};

	atoms_init(&paths.atoms);
	atoms_init(&expressions.atoms);
	for (uint32_t i = 0; i < set->entries.n; i++) {
		const struct fc_entry *entry = &set->entries.at[i];

		if (entry->role != role)
			continue;
		if (entry->literal)
			add_text(set, &paths, entry->fixed, entry->fixed_len, i);
		else
			add_text(set, &expressions, entry->regex.text, entry->regex.len, i);
	}
	atoms_free(&paths.atoms);
	atoms_free(&expressions.atoms);
	vec_free(&paths.at);
	vec_free(&expressions.at);
}

void fc_check_duplicates(struct fc_set *set)
{
	for (enum fc_role role = FC_BASE; role <= FC_LOCAL; role++)
		check_role(set, role);
}
