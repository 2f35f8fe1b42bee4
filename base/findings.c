#include "base/findings.h"

#include <string.h>

#include "base/memory.h"

/* ---- order ---- */

/* LOC_NONE first. */
static uint32_t place_key(const struct diag *d)
{
	return d->loc.begin + 1;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_order(const void *left, const void *right)
{
	const struct diag *a = *(const struct diag *const *)left, *b = *(const struct diag *const *)right;
	int order = COMPARE(place_key(a), place_key(b));

	return order ? order : COMPARE(a->order, b->order);
}

/* 0 for repeats. */
static int compare_content(const struct diag *a, const struct diag *b)
{
	int order = COMPARE(place_key(a), place_key(b));

	if (!order)
		order = COMPARE(a->loc.end, b->loc.end);
	if (!order)
		order = COMPARE(a->severity, b->severity);
	if (!order)
		order = strcmp(a->check ? a->check : "", b->check ? b->check : "");
	if (!order)
		order = strcmp(a->under ? a->under : "", b->under ? b->under : "");
	return order ? order : strcmp(a->text, b->text);
}

static int compare_repeats(const void *left, const void *right)
{
	const struct diag *a = *(const struct diag *const *)left, *b = *(const struct diag *const *)right;
	int order = compare_content(a, b);

	return order ? order : COMPARE(a->order, b->order);
}

/* Fills at with all findings but the repeats, in their order. */
static void order_findings(struct findings *f, const struct diags *diags)
{
	uint32_t n = 0;

	f->at = mem_zalloc(diags->list.n, sizeof *f->at);
	for (uint32_t i = 0; i < diags->list.n; i++) {
		if (diags->list.at[i].severity >= SEV_REMARK)
			f->at[n++] = &diags->list.at[i];
	}
	qsort(f->at, n, sizeof *f->at, compare_repeats);
	for (uint32_t i = 0; i < n; i++) {
		const struct diag *d = f->at[i];

		if (!f->n || compare_content(f->at[f->n - 1], d))
			f->at[f->n++] = d;
		else if (d->severity == SEV_ERROR)
			f->errors--;
		else if (d->severity == SEV_WARNING)
			f->warnings--;
	}
	qsort(f->at, f->n, sizeof *f->at, compare_order);
}

static void limit_errors(struct findings *f, uint32_t max_errors)
{
	uint32_t n = f->n, errors = 0, warnings = 0;

	f->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool is_error = f->at[i]->severity == SEV_ERROR;

		if (is_error && max_errors && errors == max_errors)
			continue;
		errors += is_error;
		warnings += f->at[i]->severity == SEV_WARNING;
		f->at[f->n++] = f->at[i];
	}
	f->more_errors = f->errors - errors;
	f->more_warnings = f->warnings - warnings;
}

/* The places of all findings and notes, found in one pass over the text. */
static struct place *find_places(const struct diags *diags, const struct sources *sources)
{
	struct place *places = mem_zalloc(diags->list.n, sizeof *places);
	const struct diag **sorted = mem_zalloc(diags->list.n, sizeof *sorted);
	struct place_cursor cursor = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < diags->list.n; i++) {
		if (loc_known(diags->list.at[i].loc))
			sorted[n++] = &diags->list.at[i];
	}
	qsort(sorted, n, sizeof *sorted, compare_order);
	for (uint32_t i = 0; i < n; i++)
		places[sorted[i] - diags->list.at] = place_of(sources, &cursor, sorted[i]->loc.begin);
	free(sorted);
	return places;
}

static struct findings findings_of(const struct diags *diags, const struct sources *sources, uint32_t max_errors)
{
	struct findings f = {.errors = diags->errors, .warnings = diags->warnings};

	order_findings(&f, diags);
	limit_errors(&f, max_errors);
	f.places = find_places(diags, sources);
	return f;
}

static void findings_free(struct findings *findings)
{
	free(findings->places);
	free(findings->at);
	*findings = (struct findings){0};
}

const char *finding_level(const struct diag *d)
{
	return d->severity == SEV_ERROR ? "error" : d->severity == SEV_WARNING ? "warning" : "note";
}

/* ---- places ---- */

bool place_is_marked(const struct place *place)
{
	const char *path = place->source->path;

	return place->line != place->row || place->file_len != strlen(path) ||
	       memcmp(place->file, path, place->file_len) != 0;
}

uint32_t place_len(const struct place *place, struct loc loc)
{
	uint32_t left = place->text_len - (place->col - 1);
	uint32_t len = loc.end > loc.begin ? loc.end - loc.begin : 1;

	return len <= left ? len : left ? left : 1;
}

const char *finding_input(const struct diag_style *style, const struct diag *d)
{
	return d->under ? d->under : style->ninputs == 1 ? style->inputs[0] : NULL;
}

/* ---- formats ---- */

void diags_write(const struct diags *diags, const struct sources *sources, const struct diag_style *style, FILE *out)
{
	static void (*const print[])(const struct diags *, const struct findings *, const struct diag_style *, FILE *) = {
		[DIAG_TEXT] = findings_print_text,
		[DIAG_JSON] = findings_print_json,
		[DIAG_SARIF] = findings_print_sarif,
		[DIAG_JUNIT] = findings_print_junit,
	};
	struct findings findings = findings_of(diags, sources, style->max_errors);

	print[style->format](diags, &findings, style, out);
	findings_free(&findings);
}

void diags_print(const struct diags *diags, const struct sources *sources, const char *program, uint32_t max_errors,
		 FILE *out)
{
	const struct diag_style style = {.program = program, .max_errors = max_errors};

	diags_write(diags, sources, &style, out);
}
