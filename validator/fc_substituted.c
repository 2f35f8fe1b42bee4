/* Entries whose paths are looked up under another name (file_contexts.subs_dist(5)).
 *
 * A lookup goes through file_contexts.subs, then through file_contexts.subs_dist;
 * in each the last line that names the path or a directory above it replaces
 * that part. */
#include <string.h>

#include "base/buffer.h"
#include "validator/fc.h"
#include "validator/fc_paths.h"

struct subs {
	struct fc_paths from[2];  /* FC_SUBS, FC_SUBS_DIST: path to line, plus 1; the last line of a path */
	struct fc_paths to;       /* what lookups come to */
	struct fc_paths above_to; /* and the directories above */
};

static uint32_t list_of(uint8_t role)
{
	return role == FC_SUBS ? 0 : 1;
}

/* Of the lines that stand for a path or for a directory above it, the last one, plus 1. */
static uint32_t find_sub(const struct fc_paths *from, const char *path, uint32_t len)
{
	uint32_t best = 0;

	for (;;) {
		uint32_t found = fc_paths_find(from, path, len);

		if (found > best)
			best = found;
		if (!len)
			return best;
		len = path_parent(path, len);
	}
}

/* `/` is the empty text, as in the map. */
static uint32_t path_len(struct span path)
{
	return path.len == 1 ? 0 : path.len;
}

static void report_dead_sub(struct fc_set *set, const struct fc_sub *sub, const struct fc_sub *other)
{
	struct diags *diags = set->run->diags;

	diag_warning(diags, "fc-substitution-dead", sub->from.loc, "`%.*s` is never substituted by this line",
		     SPAN_ARGS(sub->from));
	diag_note(diags, other->from.loc, "this line comes later and is tried first");
	if (!span_equal(sub->from, other->from))
		diag_hint(diags, "put the longer path behind the shorter one");
}

static void fill(struct fc_set *set, struct subs *subs)
{
	for (uint32_t i = set->subs.n; i; i--) {
		const struct fc_sub *sub = &set->subs.at[i - 1];
		struct fc_paths *from = &subs->from[list_of(sub->role)];
		uint32_t later = find_sub(from, sub->from.text, path_len(sub->from)), len = path_len(sub->to);

		if (later)
			report_dead_sub(set, sub, &set->subs.at[later - 1]);
		else
			*fc_paths_add(from, sub->from.text, path_len(sub->from)) = i;
		*fc_paths_add(&subs->to, sub->to.text, len) = i;
		while (len) {
			len = path_parent(sub->to.text, len);
			*fc_paths_add(&subs->above_to, sub->to.text, len) = i;
		}
	}
}

/* Some substitution leads to the path, to what is above it, or perhaps below. */
static bool is_reached(const struct subs *subs, const char *path, uint32_t len)
{
	return fc_paths_find(&subs->above_to, path, len) || find_sub(&subs->to, path, len);
}

/* How much of what is fixed is a whole path for sure: all, or up to the last slash. */
static uint32_t whole_len(const struct fc_entry *entry)
{
	struct span tail = span_part(entry->regex, entry->fixed_end, entry->regex.len - entry->fixed_end);

	if (entry->literal || span_starts(tail, "(/"))
		return entry->fixed_len;
	return path_parent(entry->fixed, entry->fixed_len);
}

/* Where a lookup of the path ends. */
static void substitute(const struct fc_set *set, const struct fc_paths *from, struct buffer *path)
{
	uint32_t found = find_sub(from, (const char *)path->at, (uint32_t)path->n);
	const struct fc_sub *sub;
	struct buffer result = {0};

	if (!found)
		return;
	sub = &set->subs.at[found - 1];
	buffer_put(&result, sub->to.text, path_len(sub->to));
	buffer_put(&result, path->at + path_len(sub->from), path->n - path_len(sub->from));
	buffer_free(path);
	*path = result;
}

static void check_entry(struct fc_set *set, const struct subs *subs, const struct fc_entry *entry)
{
	struct diags *diags = set->run->diags;
	uint32_t len = whole_len(entry), found = 0, list;
	struct buffer target = {0};
	struct span path = {entry->fixed, len, LOC_NONE};

	for (list = 0; list < 2 && !found; list++)
		found = find_sub(&subs->from[list], entry->fixed, len);
	if (!found || is_reached(subs, entry->fixed, len))
		return;
	buffer_put(&target, entry->fixed, len);
	substitute(set, &subs->from[0], &target);
	substitute(set, &subs->from[1], &target);
	diag_warning(diags, "fc-substituted", entry->regex.loc, "`%.*s` matches no file: lookups of `%.*s`%s become `%.*s`",
		     SPAN_ARGS(entry->regex), SPAN_ARGS(path), entry->literal ? "" : " and below",
		     (int)target.n, target.n ? (const char *)target.at : "");
	diag_note(diags, set->subs.at[found - 1].from.loc, "by this substitution");
	diag_hint(diags, "write the entry for `%.*s`", (int)target.n, target.n ? (const char *)target.at : "");
	buffer_free(&target);
}

static void subs_init(struct subs *subs)
{
	fc_paths_init(&subs->from[0]);
	fc_paths_init(&subs->from[1]);
	fc_paths_init(&subs->to);
	fc_paths_init(&subs->above_to);
}

static void subs_free(struct subs *subs)
{
	fc_paths_free(&subs->from[0]);
	fc_paths_free(&subs->from[1]);
	fc_paths_free(&subs->to);
	fc_paths_free(&subs->above_to);
}

void fc_check_substituted(struct fc_set *set)
{
	struct subs subs;

	if (!set->subs.n)
		return;
	subs_init(&subs);
	fill(set, &subs);
	for (uint32_t i = 0; i < set->entries.n; i++) {
		const struct fc_entry *entry = &set->entries.at[i];

		if (!entry->broken && entry->role != FC_TEMPLATE && entry->fixed_len)
			check_entry(set, &subs, entry);
	}
	subs_free(&subs);
}

void fc_substitute(const struct fc_set *set, struct buffer *path)
{
	struct subs subs;

	subs_init(&subs);
	for (uint32_t i = 0; i < set->subs.n; i++) {
		const struct fc_sub *sub = &set->subs.at[i];

		*fc_paths_add(&subs.from[list_of(sub->role)], sub->from.text, path_len(sub->from)) = i + 1;
	}
	substitute(set, &subs.from[0], path);
	substitute(set, &subs.from[1], path);
	subs_free(&subs);
}
