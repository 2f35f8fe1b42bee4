/* From a level to its name and back: it must be the same level. */
#include "base/buffer.h"
#include "ir/policy.h"
#include "ir/text.h"
#include "security/context.h"
#include "validator/setrans.h"

/* The text as the kernel writes it. */
static uint32_t canonical(struct setrans *s, struct span raw)
{
	const struct security *security = s->run->policies[0].security;
	struct policy_range range = {0};
	struct buffer text = {0};
	uint32_t level;

	range_parse(security, raw.text, raw.len, &range, NULL);
	text_range(&text, security_policy(security), &range);
	level = atom_intern(&s->levels, (const char *)text.at, text.n);
	policy_range_free(&range);
	buffer_free(&text);
	return level;
}

static bool is_level(const struct setrans *s, uint32_t level, struct span raw)
{
	return raw.len == atom_len(&s->levels, level) && span_is(raw, atom_text(&s->levels, level));
}

static bool same_place(const struct setrans_entry *a, const struct setrans_entry *b)
{
	return a->raw.loc.begin == b->raw.loc.begin;
}

static void check_canonical(struct setrans *s, struct setrans_entry *entry)
{
	if (s->base || is_level(s, entry->level, entry->raw))
		return;
	entry->hidden = true;
	diag_warning(s->run->diags, "setrans-canonical", entry->raw.loc,
		     "`%.*s` is never shown: kernels write this level `%s`", SPAN_ARGS(entry->name),
		     atom_text(&s->levels, entry->level));
	diag_hint(s->run->diags, "write it so, too");
}

static void report_again(struct setrans *s, const struct setrans_entry *entry, const struct setrans_entry *first)
{
	diag_warning(s->run->diags, "setrans-second-name", entry->name.loc, "`%s` has the name `%.*s` already",
		     atom_text(&s->levels, entry->level), SPAN_ARGS(entry->name));
	diag_note(s->run->diags, first->name.loc, "here");
}

/* In any domain: the first that has the name counts. */
static void check_name(struct setrans *s, const struct setrans_entry *entry)
{
	struct diags *diags = s->run->diags;
	uint32_t name = atom_intern(&s->names, entry->name.text, entry->name.len);
	const struct setrans_entry *first;

	while (s->by_name.n <= name)
		*vec_push(&s->by_name) = 0;
	if (!s->by_name.at[name]) {
		s->by_name.at[name] = s->entries.n + 1;
		return;
	}
	first = &s->entries.at[s->by_name.at[name] - 1];
	if (first->level == entry->level) {
		if (first->domain == entry->domain && !first->hidden && !entry->hidden && !same_place(first, entry))
			report_again(s, entry, first);
		return;
	}
	diag_error(diags, "setrans-ambiguous", entry->name.loc, "`%.*s` is the name of two levels: `%s` there, `%s` here",
		   SPAN_ARGS(entry->name), atom_text(&s->levels, first->level), atom_text(&s->levels, entry->level));
	diag_note(diags, first->name.loc, "the first one is here");
	diag_hint(diags, "what is given the name gets the first level, and what has the second is shown by the name");
}

static void check_level(struct setrans *s, const struct setrans_entry *entry)
{
	struct diags *diags = s->run->diags;
	const struct setrans_entry *first;

	while (s->by_level.n <= entry->level)
		*vec_push(&s->by_level) = 0;
	if (entry->hidden)
		return;
	first = s->by_level.at[entry->level] ? &s->entries.at[s->by_level.at[entry->level] - 1] : NULL;
	if (!first || first->domain != entry->domain) {
		s->by_level.at[entry->level] = s->entries.n + 1;
		return;
	}
	/* Of the same name check_name() tells.  Behind Base further names are for
	 * what people may write: the daemon's examples have them. */
	if (s->base || span_equal(first->name, entry->name))
		return;
	diag_warning(diags, "setrans-second-name", entry->name.loc, "`%.*s` is never shown: `%s` has the name `%.*s` already",
		     SPAN_ARGS(entry->name), atom_text(&s->levels, entry->level), SPAN_ARGS(first->name));
	diag_note(diags, first->name.loc, "here");
}

void setrans_add(struct setrans *s, struct span raw, struct span name)
{
	struct setrans_entry entry = {.raw = raw, .name = name, .level = canonical(s, raw), .domain = s->domain};

	check_canonical(s, &entry);
	check_name(s, &entry);
	check_level(s, &entry);
	*vec_push(&s->entries) = entry;
}

/* Modifiers may have many names for the same categories, not the other way
 * around. */
void setrans_add_word(struct setrans *s, struct span raw, struct span name)
{
	struct diags *diags = s->run->diags;
	struct setrans_entry entry = {.raw = raw, .name = name, .domain = s->domain};
	struct setrans_entry *first;
	struct buffer key = {0};
	uint32_t word;

	buffer_u32(&key, s->group);
	buffer_put(&key, name.text, name.len);
	word = atom_intern(&s->words, (const char *)key.at, key.n);
	buffer_free(&key);
	while (s->by_word.n <= word)
		*vec_push(&s->by_word) = (struct setrans_entry){0};
	first = &s->by_word.at[word];
	if (!first->domain) {
		*first = entry;
		return;
	}
	if (same_place(first, &entry))
		return;
	if (span_equal(first->raw, raw))
		diag_warning(diags, "setrans-second-name", name.loc, "the modifier `%.*s` is there already", SPAN_ARGS(name));
	else
		diag_error(diags, "setrans-ambiguous", name.loc, "the modifier `%.*s` has two meanings: `%.*s` there, `%.*s` here",
			   SPAN_ARGS(name), SPAN_ARGS(first->raw), SPAN_ARGS(raw));
	diag_note(diags, first->name.loc, "the first one is here");
}
