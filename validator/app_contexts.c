/* Files that are one context: failsafe_context, initrc_context and others; of
 * libvirt's a second line counts as well.
 *
 * As libselinux (get_failsafe_context), run_init, userhelper and libvirt read
 * them: no comments, and nothing is trimmed at the end of a line. */
#include "validator/app_contexts.h"

#include "ir/policy.h"
#include "validator/partial.h"

static const struct {
	uint32_t lines;   /* that are read */
	bool skips_empty; /* the first line that is not empty counts, with the blanks before it skipped */
	bool partial;     /* without a user */
} forms[] = {
	[APP_FAILSAFE] = {1, false, true},
	[APP_REMOVABLE] = {1, false, false},
	[APP_INITRC] = {1, true, false},
	[APP_USERHELPER] = {1, true, false},
	[APP_VIRTUAL_DOMAIN] = {2, false, false},
	[APP_VIRTUAL_IMAGE] = {2, false, false},
};

/* The user who logs in stands before it, so it needs all else. */
static void check_failsafe(struct label_run *run, struct span line)
{
	struct span word;
	struct partial partial;

	if (!label_only_word(run, line, &word) || !partial_split(run, word, &partial))
		return;
	partial_judge(run, &partial);
	for (uint32_t i = 0; i < run->npolicies && !partial.range.text; i++) {
		if (!security_policy(run->policies[i].security)->mls)
			continue;
		run->diags->under = run->policies[i].name;
		diag_error(run->diags, "level-missing", word.loc, "`%.*s` has no level, which a policy with MLS needs",
			   SPAN_ARGS(word));
		run->diags->under = NULL;
	}
}

static void check_line(struct label_run *run, struct span line, enum app_context_role role)
{
	struct span rest = line, word;

	if (!line_word(&rest, &word)) {
		diag_error(run->diags, "label-file-empty", line.loc, "the line has no context, and no later one is read for it");
	} else if (word.text[0] == '#') {
		diag_error(run->diags, "label-comment", word.loc, "the file has no comments: the line is read as the context");
	} else if (forms[role].partial) {
		check_failsafe(run, line);
	} else {
		if (forms[role].skips_empty)
			line = span_part(line, word.loc.begin - line.loc.begin, line.len - (word.loc.begin - line.loc.begin));
		label_context(run, line);
	}
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	enum app_context_role role = file->kind->role;
	uint32_t n = 0;
	struct lines lines;
	struct span line;

	lines_begin(&lines, label_source(run, file));
	while (lines_next(&lines, &line)) {
		bool empty = !span_trim(line).len;

		if (n < forms[role].lines) {
			/* Without a second context the file just ends. */
			if (!empty || (!n && !forms[role].skips_empty)) {
				n++;
				check_line(run, line, role);
			}
		} else if (!empty) {
			diag_warning(run->diags, "label-line-extra", line.loc, "the line is never read: the %s",
				     n == 1 ? "file has one context" : "file has two contexts");
			return;
		}
	}
	if (!n)
		label_empty(run, file, "context");
}

void label_check_app_contexts(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
