/* Files of objects that are no files: x_contexts of the X server,
 * sepgsql_contexts of PostgreSQL, media of removable devices.
 *
 * As libselinux reads them (label_x.c, label_db.c, label_media.c): a line is the
 * kind of the object, its name or a shell pattern, and a context; the first line
 * that matches counts.  A line that is not right is skipped, with a word in the
 * log only. */
#include <string.h>

#include "base/near.h"
#include "validator/app_contexts.h"
#include "validator/first_match.h"
#include "validator/label_kind.h"

struct objects {
	struct label_run *run;
	enum app_object_role role;
	struct first_match match;
};

static const struct { enum app_object_role role; const char *name; } kinds[] = {
	{APP_X, "client"},
	{APP_X, "event"},
	{APP_X, "extension"},
	{APP_X, "poly_property"},
	{APP_X, "poly_selection"},
	{APP_X, "property"},
	{APP_X, "selection"},
	{APP_SEPGSQL, "db_blob"},
	{APP_SEPGSQL, "db_column"},
	{APP_SEPGSQL, "db_database"},
	{APP_SEPGSQL, "db_datatype"},
	{APP_SEPGSQL, "db_exception"},
	{APP_SEPGSQL, "db_language"},
	{APP_SEPGSQL, "db_procedure"},
	{APP_SEPGSQL, "db_schema"},
	{APP_SEPGSQL, "db_sequence"},
	{APP_SEPGSQL, "db_table"},
	{APP_SEPGSQL, "db_tuple"},
	{APP_SEPGSQL, "db_view"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static uint32_t find_kind(struct objects *objects, struct span name)
{
	struct diags *diags = objects->run->diags;
	struct near near;

	near_init(&near, name.text, name.len);
	for (uint32_t i = 0; i < KINDS; i++) {
		if (kinds[i].role != objects->role)
			continue;
		if (span_is(name, kinds[i].name))
			return i;
		near_try(&near, kinds[i].name, strlen(kinds[i].name));
	}
	diag_error(diags, "object-kind", name.loc, "there are no objects of kind `%.*s`", SPAN_ARGS(name));
	near_hint(&near, diags);
	return KINDS;
}

static void read_line(struct objects *objects, struct span line)
{
	struct label_run *run = objects->run;
	uint32_t fields = objects->role == APP_MEDIA ? 2 : 3, n, kind = 0;
	struct span words[3];

	n = line_words(&line, words, fields);
	if (label_macro(run, words[0]))
		return;
	if (n < fields) {
		label_missing(run, words[n - 1], n + 1 < fields ? "name" : "context");
		return;
	}
	label_extra(run, line);
	if (fields == 3)
		kind = find_kind(objects, words[0]);
	label_context(run, words[fields - 1]);
	if (kind < KINDS)
		first_match_add(&objects->match, run, kind, words[fields - 2], objects->role == APP_MEDIA);
}

/* In sepgsql_contexts a comment begins anywhere. */
static struct span without_comment(const struct objects *objects, struct span line)
{
	const char *comment = objects->role == APP_SEPGSQL ? memchr(line.text, '#', line.len) : NULL;

	return comment ? span_part(line, 0, (uint32_t)(comment - line.text)) : line;
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct objects objects = {.run = run, .role = file->kind->role};
	struct lines lines;
	struct span line;

	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&objects, without_comment(&objects, line));
	first_match_free(&objects.match);
}

void label_check_app_objects(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
