#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/query.h"
#include "query/query.h"

struct diff_options {
	struct query_options common;
	bool summary, full;
	const char *paths[2];
};

static uint64_t pairs_of(const struct diff *diff, enum diff_section section, bool added)
{
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < diff->changes.n; i++) {
		if (diff->changes.at[i].section == section && diff->changes.at[i].added == added)
			pairs += diff->changes.at[i].pairs;
	}
	return pairs;
}

/* ---- text ---- */

static void print_heading(const struct diff *diff, enum diff_section section)
{
	printf("%s (%u added, %u removed)\n", diff_section_title(section), diff->added[section], diff->removed[section]);
}

static void print_text(const struct diff *diff, const struct diff_options *o)
{
	uint32_t at = 0;

	for (int s = 0; s < DIFF_SECTIONS; s++) {
		if (!diff->added[s] && !diff->removed[s])
			continue;
		if (at && !o->summary)
			putchar('\n');
		print_heading(diff, (enum diff_section)s);
		for (; at < diff->changes.n && diff->changes.at[at].section == (enum diff_section)s; at++) {
			const struct diff_change *change = &diff->changes.at[at];

			if (!o->summary)
				printf("%c %s\n", change->added ? '+' : '-', o->full ? change->full : change->text);
		}
	}
}

/* Standard output has the changes only. */
static void note_by_rule(void)
{
	fprintf(stderr, "%s: note: the rules differ in too many pairs of types to compare them all by meaning; of some "
			"classes they are listed as they are written, also those that others imply\n", query_program);
}

/* ---- JSON ---- */

static json_t *json_changes(const struct diff *diff, enum diff_section section)
{
	json_t *changes = json_new_array();

	for (uint32_t i = 0; i < diff->changes.n; i++) {
		const struct diff_change *change = &diff->changes.at[i];
		json_t *value;

		if (change->section != section)
			continue;
		value = json_new_object();
		json_put_string(value, "change", change->added ? "added" : "removed");
		json_put(value, "statement", json_new_text(change->full, strlen(change->full)));
		if (change->pairs)
			json_put(value, "pairs", json_integer((json_int_t)change->pairs));
		json_add(changes, value);
	}
	return changes;
}

static json_t *json_section(const struct diff *diff, enum diff_section section, bool summary)
{
	uint64_t added = pairs_of(diff, section, true), removed = pairs_of(diff, section, false);
	json_t *value = json_new_object();

	json_put_string(value, "section", diff_section_key(section));
	json_put_number(value, "added", diff->added[section]);
	json_put_number(value, "removed", diff->removed[section]);
	if (added || removed) {
		json_put(value, "pairs_added", json_integer((json_int_t)added));
		json_put(value, "pairs_removed", json_integer((json_int_t)removed));
	}
	if (!summary)
		json_put(value, "changes", json_changes(diff, section));
	return value;
}

static void print_json(const struct diff *diff, const struct diff_options *o)
{
	json_t *report = json_new_object(), *sections = json_new_array();

	json_put_string(report, "old", o->paths[0]);
	json_put_string(report, "new", o->paths[1]);
	json_put(report, "equal", json_boolean(!diff->changes.n));
	if (diff->by_rule)
		json_put(report, "by_rule", json_true());
	for (int s = 0; s < DIFF_SECTIONS; s++) {
		if (diff->added[s] || diff->removed[s])
			json_add(sections, json_section(diff, (enum diff_section)s, o->summary));
	}
	json_put(report, "sections", sections);
	json_print(report, stdout);
}

/* ---- the command ---- */

static enum query_status run(const struct diff_options *o)
{
	enum query_status status = QUERY_FAILED;
	uint32_t version;
	struct policy *before = load_policy(o->paths[0], &o->common.load, &version);
	struct policy *after = load_policy(o->paths[1], &o->common.load, &version);

	if (before && after) {
		struct diff diff;

		query_diff(before, after, &diff);
		if (diff.by_rule && !o->common.json)
			note_by_rule();
		(o->common.json ? print_json : print_text)(&diff, o);
		status = query_finish(diff.changes.n ? QUERY_EMPTY : QUERY_DONE);
		diff_free(&diff);
	}
	policy_free(before);
	policy_free(after);
	return status;
}

enum query_status query_diff_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		QUERY_OPTIONS,
		{"summary", no_argument, NULL, 'S'},
		{"full", no_argument, NULL, 'F'},
		{0},
	};
	struct diff_options o = {.common = {.load = {.program = query_program}}};
	int option;

	while ((option = getopt_long(argc, argv, "Mh", long_options, NULL)) != -1) {
		if (option == 'S')
			o.summary = true;
		else if (option == 'F')
			o.full = true;
		else if (!query_option(&o.common, option))
			return QUERY_FAILED;
	}
	if (argc - optind != 2)
		return query_complain("diff takes two policies", NULL);
	o.paths[0] = argv[optind];
	o.paths[1] = argv[optind + 1];
	if (!strcmp(o.paths[0], "-") && !strcmp(o.paths[1], "-"))
		return query_complain("only one policy can be standard input", NULL);
	return run(&o);
}
