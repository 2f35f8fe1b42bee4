/* Findings for what shows test results: JUnit XML, which has no standard.  The
 * elements and attributes here are those that Jenkins and GitLab read.
 *
 * A suite is a file, or what else was looked at.  Each finding in it is a test
 * case, for readers show one failure of a case only; an error is a failure, a
 * warning is text of a case that passes.  A suite without findings is one case
 * that passes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/findings.h"
#include "base/glyph.h"
#include "base/memory.h"

struct entry {
	const char *suite; /* its name */
	uint32_t len;
	const struct diag *finding; /* NULL: the suite was looked at */
	uint32_t order;
};

struct report {
	const struct diags *diags;
	const struct findings *findings;
	const struct diag_style *style;
	struct entry *entries; /* by suite */
	uint32_t n;
	struct buffer out;
};

/* ---- XML ---- */

static void put(struct report *r, const char *text)
{
	buffer_put(&r->out, text, strlen(text));
}

static void put_number(struct report *r, const char *before, uint32_t number, const char *behind)
{
	char text[16];

	snprintf(text, sizeof text, "%" PRIu32, number);
	put(r, before);
	put(r, text);
	put(r, behind);
}

/* What XML 1.0 cannot hold is escaped as everywhere in messages (glyph.h), but
 * for U+FFFE and U+FFFF, which are printable there and no characters here. */
static void put_escaped(struct report *r, const char *text, size_t len)
{
	struct buffer shown = {0};

	glyph_put_text(&shown, text, len);
	for (size_t i = 0; i < shown.n; i++) {
		const unsigned char *p = shown.at + i;
		bool noncharacter = shown.n - i >= 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;

		if (noncharacter) {
			put(r, p[2] == 0xbe ? "\\ufffe" : "\\uffff");
			i += 2;
		} else if (*p == '&') {
			put(r, "&amp;");
		} else if (*p == '<') {
			put(r, "&lt;");
		} else if (*p == '>') {
			put(r, "&gt;");
		} else if (*p == '"') {
			put(r, "&quot;");
		} else {
			buffer_put(&r->out, p, 1);
		}
	}
	buffer_free(&shown);
}

static void put_text(struct report *r, const char *text)
{
	put_escaped(r, text, strlen(text));
}

/* NAME="VALUE" with a blank before it. */
static void put_attribute(struct report *r, const char *name, const char *value, size_t len)
{
	put(r, " ");
	put(r, name);
	put(r, "=\"");
	put_escaped(r, value, len);
	put(r, "\"");
}

/* ---- cases ---- */

static const struct place *place_of_diag(const struct report *r, const struct diag *d)
{
	return &r->findings->places[d - r->diags->list.at];
}

/* The finding and what belongs to it, as lines of text. */
static void put_details(struct report *r, const struct diag *d)
{
	for (uint32_t i = 0; i <= d->nnotes; i++) {
		const struct diag *one = &d[i];
		const struct place *place = place_of_diag(r, one);

		if (place->source) {
			put_escaped(r, place->file, place->file_len);
			put_number(r, ":", place->line, ":");
			put_number(r, "", place->col, ": ");
		}
		put(r, !i ? "" : one->severity == SEV_HINT ? "hint: " : "note: ");
		put_text(r, one->text);
		put(r, "\n");
	}
	if (d->again)
		put_number(r, "note: further uses: ", d->again, "\n");
}

static void put_case_name(struct report *r, const struct diag *d)
{
	const struct place *place = place_of_diag(r, d);

	put(r, " name=\"");
	if (place->source) {
		put_number(r, "", place->line, ":");
		put_number(r, "", place->col, ": ");
	}
	put_text(r, d->text);
	put(r, "\"");
	if (!place->source)
		return;
	put_attribute(r, "file", place->file, place->file_len);
	put_number(r, " line=\"", place->line, "\"");
}

static void put_finding(struct report *r, const struct entry *e)
{
	const struct diag *d = e->finding;
	bool failed = d->severity == SEV_ERROR;

	put(r, "    <testcase");
	put_attribute(r, "classname", e->suite, e->len);
	put_case_name(r, d);
	put(r, failed ? ">\n      <failure" : ">\n      <system-out>");
	if (failed) {
		put_attribute(r, "type", d->check, strlen(d->check));
		put_attribute(r, "message", d->text, strlen(d->text));
		put(r, ">");
	} else {
		put(r, finding_level(d));
		put(r, " [");
		put_text(r, d->check);
		put(r, "] ");
	}
	put_details(r, d);
	put(r, failed ? "</failure>\n" : "</system-out>\n");
	put(r, "    </testcase>\n");
}

static void put_passed(struct report *r, const struct entry *e)
{
	put(r, "    <testcase");
	put_attribute(r, "classname", e->suite, e->len);
	put_attribute(r, "name", e->suite, e->len);
	put(r, "/>\n");
}

/* ---- suites ---- */

static int compare_suites(const struct entry *a, const struct entry *b)
{
	int order = memcmp(a->suite, b->suite, a->len < b->len ? a->len : b->len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_suites(a, b);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void add(struct report *r, const char *suite, size_t len, const struct diag *finding)
{
	r->entries[r->n] = (struct entry){suite, (uint32_t)len, finding, r->n};
	r->n++;
}

static void gather(struct report *r)
{
	const struct diag_style *style = r->style;

	r->entries = mem_zalloc((size_t)style->ninputs + r->findings->n, sizeof *r->entries);
	for (uint32_t i = 0; i < style->ninputs; i++)
		add(r, style->inputs[i], strlen(style->inputs[i]), NULL);
	for (uint32_t i = 0; i < r->findings->n; i++) {
		const struct diag *d = r->findings->at[i];
		const struct place *place = place_of_diag(r, d);
		const char *input = finding_input(style, d);

		if (place->source)
			add(r, place->file, place->file_len, d);
		else
			add(r, input ? input : style->program, strlen(input ? input : style->program), d);
	}
	if (r->n)
		qsort(r->entries, r->n, sizeof *r->entries, compare_entries);
}

struct counts { uint32_t cases, failures; };

/* Of the n entries of a suite; those that say only that it was looked at come
 * first, and count as one case when nothing follows. */
static struct counts count(const struct entry *entries, uint32_t n)
{
	struct counts counts = {0};

	for (uint32_t i = 0; i < n; i++) {
		if (!entries[i].finding)
			continue;
		counts.cases++;
		counts.failures += entries[i].finding->severity == SEV_ERROR;
	}
	if (!counts.cases)
		counts.cases = 1;
	return counts;
}

static uint32_t suite_size(const struct report *r, uint32_t first)
{
	uint32_t n = 1;

	while (first + n < r->n && !compare_suites(&r->entries[first], &r->entries[first + n]))
		n++;
	return n;
}

static void put_counts(struct report *r, struct counts counts)
{
	put_number(r, " tests=\"", counts.cases, "\"");
	put_number(r, " failures=\"", counts.failures, "\" errors=\"0\"");
}

static void put_suite(struct report *r, const struct entry *entries, uint32_t n)
{
	bool passed = true;

	put(r, "  <testsuite");
	put_attribute(r, "name", entries[0].suite, entries[0].len);
	put_counts(r, count(entries, n));
	put(r, ">\n");
	for (uint32_t i = 0; i < n; i++) {
		passed &= !entries[i].finding;
		if (entries[i].finding)
			put_finding(r, &entries[i]);
	}
	if (passed)
		put_passed(r, &entries[0]);
	put(r, "  </testsuite>\n");
}

/* Errors over the limit fail as one case. */
static void put_more(struct report *r, uint32_t errors)
{
	if (!errors)
		return;
	put(r, "  <testsuite");
	put_attribute(r, "name", "not shown", strlen("not shown"));
	put_counts(r, (struct counts){1, 1});
	put(r, ">\n    <testcase classname=\"not shown\" name=\"further errors\">\n");
	put_number(r, "      <failure type=\"not-shown\" message=\"", errors, " more\"></failure>\n");
	put(r, "    </testcase>\n  </testsuite>\n");
}

void findings_print_junit(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			  FILE *out)
{
	struct report r = {.diags = diags, .findings = findings, .style = style};
	struct counts all = {findings->more_errors > 0, findings->more_errors > 0};
	uint32_t n;

	gather(&r);
	for (uint32_t i = 0; i < r.n; i += n) {
		struct counts counts = count(&r.entries[i], n = suite_size(&r, i));

		all.cases += counts.cases;
		all.failures += counts.failures;
	}
	put(&r, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	put_attribute(&r, "name", style->program, strlen(style->program));
	put_counts(&r, all);
	put(&r, ">\n");
	for (uint32_t i = 0; i < r.n; i += n)
		put_suite(&r, &r.entries[i], n = suite_size(&r, i));
	put_more(&r, findings->more_errors);
	put(&r, "</testsuites>\n");
	fwrite(r.out.at, 1, r.out.n, out);
	buffer_free(&r.out);
	free(r.entries);
}
