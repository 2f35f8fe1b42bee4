/* Findings for what shows them beside the source: SARIF 2.1.0, an OASIS
 * standard; § are sections of it. */
#include <string.h>

#include "base/buffer.h"
#include "base/findings.h"
#include "base/glyph.h"
#include "base/json_out.h"

enum {
	LINE_MAX_BYTES = 1000,    /* a longer source line is left out */
	COLUMN_MAX_BYTES = 65536, /* and here its columns, which have to be counted */
};

struct log {
	const struct diags *diags;
	const struct findings *findings;
	const struct diag_style *style;
	json_t *rules;       /* those that a result has */
	json_t *rule_places; /* index in rules by name */
};

/* ---- texts ---- */

/* Braces stand for arguments unless they are doubled (§ 3.11.5). */
static void put_message(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		buffer_put(out, text, 1);
		if (*text == '{' || *text == '}')
			buffer_put(out, text, 1);
	}
}

static void put_text(json_t *object, const char *key, struct buffer *text)
{
	json_put(object, key, json_new_lines(text->n ? (const char *)text->at : "", text->n));
	buffer_free(text);
}

static json_t *message_of(const char *text)
{
	json_t *message = json_new_object();
	struct buffer b = {0};

	put_message(&b, text);
	put_text(message, "text", &b);
	return message;
}

/* The finding, and on further lines its notes without a place and its hints. */
static json_t *message_of_finding(const struct log *log, const struct diag *d)
{
	json_t *message = json_new_object();
	struct buffer text = {0};

	put_message(&text, d->text);
	for (uint32_t i = 1; i <= d->nnotes; i++) {
		const struct diag *note = &d[i];
		bool placed = log->findings->places[note - log->diags->list.at].source;

		if (placed)
			continue;
		buffer_put(&text, "\n", 1);
		put_message(&text, note->severity == SEV_HINT ? "hint: " : "note: ");
		put_message(&text, note->text);
	}
	put_text(message, "text", &text);
	return message;
}

/* ---- places ---- */

/* A path as a URI reference: relative ones stay so (§ 3.4.3). */
static json_t *artifact_of(const char *path, size_t n)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+,=@";
	json_t *artifact = json_new_object();
	struct buffer uri = {0};

	if (n && path[0] == '/')
		buffer_put(&uri, "file://", strlen("file://"));
	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)path[i];
		char escape[3] = {'%', hex[byte >> 4], hex[byte & 15]};

		if (byte && strchr(plain, byte))
			buffer_u8(&uri, byte);
		else
			buffer_put(&uri, escape, sizeof escape);
	}
	json_put(artifact, "uri", json_new_text(uri.n ? (const char *)uri.at : "", uri.n));
	buffer_free(&uri);
	return artifact;
}

static uint32_t count_characters(const char *s, size_t n)
{
	uint32_t count = 0;

	while (n) {
		size_t len = glyph_at(s, n).len;

		s += len;
		n -= len;
		count++;
	}
	return count;
}

static json_t *region_of(const struct place *place, struct loc loc, uint32_t line)
{
	const char *from = place->text + place->col - 1;
	uint32_t len = place_len(place, loc), column;
	json_t *region = json_new_object();

	json_put_number(region, "startLine", line);
	if (place->col > COLUMN_MAX_BYTES || len > COLUMN_MAX_BYTES)
		return region;
	column = count_characters(place->text, place->col - 1) + 1;
	json_put_number(region, "startColumn", column);
	if (place->col - 1 + len > place->text_len) { /* the end of a line or of the file */
		json_put_number(region, "endColumn", column);
		return region;
	}
	json_put_number(region, "endColumn", column + count_characters(from, len));
	if (len <= LINE_MAX_BYTES) {
		json_t *snippet = json_new_object();

		json_put(snippet, "text", json_new_lines(from, len));
		json_put(region, "snippet", snippet);
	}
	return region;
}

static json_t *context_of(const struct place *place)
{
	json_t *region = json_new_object(), *snippet = json_new_object();

	json_put_number(region, "startLine", place->line);
	json_put(snippet, "text", json_new_lines(place->text, place->text_len));
	json_put(region, "snippet", snippet);
	return region;
}

static json_t *location_of(const struct place *place, struct loc loc)
{
	json_t *location = json_new_object(), *physical = json_new_object();

	json_put(physical, "artifactLocation", artifact_of(place->file, place->file_len));
	json_put(physical, "region", region_of(place, loc, place->line));
	if (place->text_len <= LINE_MAX_BYTES)
		json_put(physical, "contextRegion", context_of(place));
	json_put(location, "physicalLocation", physical);
	return location;
}

/* A file as a whole: some readers drop a result without a place. */
static json_t *location_of_input(const char *path)
{
	json_t *location = json_new_object(), *physical = json_new_object();

	json_put(physical, "artifactLocation", artifact_of(path, strlen(path)));
	json_put(location, "physicalLocation", physical);
	return location;
}

/* Where the text stands in the file that the compiler read. */
static json_t *generated_location_of(const struct place *place, struct loc loc)
{
	const char *path = place->source->path;
	json_t *location = json_new_object(), *physical = json_new_object();

	json_put(physical, "artifactLocation", artifact_of(path, strlen(path)));
	json_put(physical, "region", region_of(place, loc, place->row));
	json_put(location, "physicalLocation", physical);
	json_put(location, "message", message_of("the place in the generated source"));
	return location;
}

static json_t *related_locations(const struct log *log, const struct diag *d)
{
	uint32_t index = (uint32_t)(d - log->diags->list.at);
	json_t *related = json_new_array();

	for (uint32_t i = index; i <= index + d->nnotes; i++) {
		const struct diag *note = &log->diags->list.at[i];
		const struct place *place = &log->findings->places[i];

		if (!place->source)
			continue;
		if (i > index) {
			json_t *location = location_of(place, note->loc);

			json_put(location, "message", message_of(note->text));
			json_add(related, location);
		}
		if (place_is_marked(place))
			json_add(related, generated_location_of(place, note->loc));
	}
	return related;
}

/* ---- rules and results ---- */

static void put_example(struct buffer *out, const char *title, const char *fence, const char *example)
{
	put_message(out, title);
	put_message(out, fence);
	put_message(out, example);
	put_message(out, fence);
}

static json_t *help_of(const struct check *check)
{
	static const struct { const char *key, *fence; } forms[] = {{"text", ""}, {"markdown", "```\n"}};
	json_t *help = json_new_object();

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct buffer text = {0};

		put_message(&text, *check->text ? check->text : check->summary);
		if (check->bad) {
			put_example(&text, "\nBad:\n\n", forms[i].fence, check->bad);
			put_example(&text, "\nGood:\n\n", forms[i].fence, check->good);
		}
		put_text(help, forms[i].key, &text);
	}
	return help;
}

static json_t *configuration_of(const struct check *check)
{
	json_t *configuration = json_new_object();

	json_put_string(configuration, "level", check->level == CHECK_NOTE ? "note" : check->level == CHECK_WARNING ? "warning" : "error");
	return configuration;
}

static json_t *rule_of(const struct log *log, const struct diag *d)
{
	json_t *rule = json_new_object();
	struct check check;

	json_put_string(rule, "id", d->check);
	if (!check_find(log->style->checks, d->check, &check))
		return rule;
	json_put(rule, "shortDescription", message_of(check.summary));
	json_put(rule, "fullDescription", message_of(*check.text ? check.text : check.summary));
	json_put(rule, "help", help_of(&check));
	json_put(rule, "defaultConfiguration", configuration_of(&check));
	return rule;
}

static uint32_t rule_index(struct log *log, const struct diag *d)
{
	const json_t *known = json_object_get(log->rule_places, d->check);
	uint32_t index = (uint32_t)json_array_size(log->rules);

	if (known)
		return (uint32_t)json_integer_value(known);
	json_add(log->rules, rule_of(log, d));
	json_put_number(log->rule_places, d->check, index);
	return index;
}

static json_t *result_of(struct log *log, const struct diag *d)
{
	const struct place *place = &log->findings->places[d - log->diags->list.at];
	json_t *result = json_new_object(), *related = related_locations(log, d);

	json_put_string(result, "ruleId", d->check);
	json_put_number(result, "ruleIndex", rule_index(log, d));
	json_put_string(result, "level", finding_level(d));
	json_put(result, "message", message_of_finding(log, d));
	if (place->source || finding_input(log->style, d)) {
		json_t *locations = json_new_array();

		json_add(locations, place->source ? location_of(place, d->loc) : location_of_input(finding_input(log->style, d)));
		json_put(result, "locations", locations);
	}
	if (json_array_size(related))
		json_put(result, "relatedLocations", related);
	else
		json_decref(related);
	json_put_number(result, "occurrenceCount", d->again + 1);
	return result;
}

/* ---- the log ---- */

static void notify_more(json_t *notifications, uint32_t n, const char *word)
{
	json_t *notification = json_new_object();
	char text[64];

	snprintf(text, sizeof text, "%u more %s%s not shown", (unsigned)n, word, n == 1 ? "" : "s");
	json_put_string(notification, "level", "note");
	json_put(notification, "message", message_of(text));
	json_add(notifications, notification);
}

static json_t *invocations_of(const struct findings *findings)
{
	json_t *invocations = json_new_array(), *invocation = json_new_object(), *notifications = json_new_array();

	json_put(invocation, "executionSuccessful", json_boolean(!findings->errors));
	if (findings->more_errors)
		notify_more(notifications, findings->more_errors, "error");
	if (findings->more_warnings)
		notify_more(notifications, findings->more_warnings, "warning");
	json_put(invocation, "toolExecutionNotifications", notifications);
	json_add(invocations, invocation);
	return invocations;
}

static json_t *run_of(struct log *log, const char *program)
{
	json_t *run = json_new_object(), *tool = json_new_object(), *driver = json_new_object();
	json_t *results = json_new_array();

	for (uint32_t i = 0; i < log->findings->n; i++)
		json_add(results, result_of(log, log->findings->at[i]));
	json_put_string(driver, "name", program);
	json_put(driver, "rules", log->rules);
	json_put(tool, "driver", driver);
	json_put(run, "tool", tool);
	json_put(run, "invocations", invocations_of(log->findings));
	json_put_string(run, "columnKind", "unicodeCodePoints");
	json_put(run, "results", results);
	return run;
}

void findings_print_sarif(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			  FILE *out)
{
	struct log log = {
		.diags = diags,
		.findings = findings,
		.style = style,
		.rules = json_new_array(),
		.rule_places = json_new_object(),
	};
	json_t *file = json_new_object(), *runs = json_new_array();

	json_put_string(file, "$schema",
			"https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json");
	json_put_string(file, "version", "2.1.0");
	json_add(runs, run_of(&log, style->program));
	json_put(file, "runs", runs);
	json_print(file, out);
	json_decref(log.rule_places);
}
