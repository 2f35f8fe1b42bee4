/* Entries whose order decides against the more specific one.
 *
 * Of two expressions that match one path the later one wins.  Tools that sort
 * file_contexts put the expression with more fixed text behind; where the one
 * with less is behind, and both match a path, that is told with the path. */
#include <string.h>

#include "base/atom.h"
#include "validator/fc.h"
#include "validator/fc_paths.h"
#include "validator/overlap.h"

/* For one set of files: bytes and pairs that are looked at, and pairs whose
 * automata are walked.  Files made by people stay far below. */
enum { MAX_LOOKS = 1000000000, MAX_PAIRS = 5000 };

struct order {
	struct fc_set *set;
	struct fc_paths last; /* what is fixed: the last entry with it, plus 1 */
	VEC(uint32_t) before; /* by entry: the one before with the same text, plus 1 */
	uint32_t looks, pairs;
};

static bool takes_part(const struct fc_entry *entry, enum fc_role role)
{
	return entry->role == role && !entry->broken && !entry->literal && entry->fixed_len;
}

static void report(struct order *o, const struct fc_entry *entry, const struct fc_entry *later, const char *path)
{
	struct diags *diags = o->set->run->diags;

	diag_warning(diags, "fc-order", entry->regex.loc, "`%.*s` loses to a later line that fixes less, as for `%s`",
		     SPAN_ARGS(entry->regex), path);
	diag_note(diags, later->regex.loc, "this one wins there: `%.*s`", SPAN_ARGS(later->context_text));
	diag_hint(diags, "put this line behind the other, unless it is meant so");
}

/* Another label for some path; what is covered altogether is told elsewhere. */
static bool decides(struct order *o, const struct fc_entry *entry, const struct fc_entry *later)
{
	char path[OVERLAP_PATH];
	struct positions a, b;
	size_t len;

	if (!fc_types_meet(entry->type, later->type) || span_equal(entry->context_text, later->context_text) ||
	    o->pairs++ >= MAX_PAIRS || !positions_of(entry->regex, &a) || !positions_of(later->regex, &b) ||
	    !overlap_find(&a, &b, path))
		return false;
	len = strlen(path);
	if (!len || strstr(path, "//") || (len > 1 && path[len - 1] == '/'))
		return false;
	report(o, entry, later, path);
	return true;
}

/* The later entries whose fixed text is a part of this one's. */
static void check_entry(struct order *o, uint32_t i, enum fc_role role)
{
	const struct fc_entry *entries = o->set->entries.at, *entry = &entries[i];

	for (uint32_t len = entry->fixed_len; len-- && o->looks < MAX_LOOKS;) {
		uint32_t later = len ? fc_paths_find(&o->last, entry->fixed, len) : 0;

		o->looks += len;
		for (; later > i + 1 && o->looks++ < MAX_LOOKS; later = o->before.at[later - 1])
			if (takes_part(&entries[later - 1], role) && decides(o, entry, &entries[later - 1]))
				return;
	}
}

static void check_role(struct order *o, enum fc_role role)
{
	const struct fc_entry *entries = o->set->entries.at;
	uint32_t n = o->set->entries.n;

	fc_paths_init(&o->last);
	o->before.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *last;

		*vec_push(&o->before) = 0;
		if (!takes_part(&entries[i], role))
			continue;
		last = fc_paths_add(&o->last, entries[i].fixed, entries[i].fixed_len);
		o->before.at[i] = *last;
		*last = i + 1;
	}
	for (uint32_t i = 0; i < n; i++)
		if (takes_part(&entries[i], role) && !entries[i].shadowed)
			check_entry(o, i, role);
	fc_paths_free(&o->last);
}

void fc_check_order(struct fc_set *set)
{
	struct order o = {.set = set};

	/* The build of Android sorts, so the order of its sources means nothing. */
	if (set->android)
		return;
	for (enum fc_role role = FC_BASE; role <= FC_LOCAL; role++)
		check_role(&o, role);
	vec_free(&o.before);
}
