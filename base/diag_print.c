/* Findings for people: sorted, each with its source line and a caret. */
#include "base/diag.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

enum {
	LINE_COLUMNS = 160,   /* longer lines are cut */
	BEFORE_COLUMNS = 60,  /* what is kept of them before the caret */
	ELLIPSIS_COLUMNS = 3,
	TAB_COLUMNS = 8,
	ESCAPE_COLUMNS = 4,
	GUTTER_DIGITS = 5,
};

struct printer {
	const struct diags *diags;
	const char *program;
	struct place *places; /* by index in diags->list */
	struct buffer text;   /* of one finding */
};

static void put(struct printer *p, const char *text)
{
	buffer_put(&p->text, text, strlen(text));
}

static void put_byte(struct printer *p, char byte)
{
	buffer_u8(&p->text, (unsigned char)byte);
}

static void put_repeated(struct printer *p, char byte, uint32_t n)
{
	while (n--)
		put_byte(p, byte);
}

static void put_number(struct printer *p, uint32_t number, int width)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%*" PRIu32, width, number);
	put(p, digits);
}

/* ---- characters ---- */

/* Bytes of the UTF-8 character at s; 0 for what is none, and for controls. */
static size_t character_len(const char *s, size_t n)
{
	const unsigned char *c = (const unsigned char *)s;
	size_t len = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;

	if (c[0] < 0x80)
		return c[0] >= 0x20 && c[0] != 0x7f;
	if (c[0] < 0xc2 || c[0] > 0xf4 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	}
	/* No C1 controls, longer forms than needed, surrogates, numbers over
	 * 0x10ffff. */
	if ((c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	    (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
		return 0;
	return len;
}

/* One character as it is shown. */
struct glyph {
	size_t len;       /* bytes */
	uint32_t columns;
	bool escaped;
};

static struct glyph glyph_at(const char *s, size_t n)
{
	size_t len = character_len(s, n);

	if (*s == '\t')
		return (struct glyph){1, TAB_COLUMNS, false};
	if (!len)
		return (struct glyph){1, ESCAPE_COLUMNS, true};
	return (struct glyph){len, 1, false};
}

static void put_glyph(struct printer *p, const char *s, struct glyph glyph)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)*s;
	char escape[ESCAPE_COLUMNS] = {'\\', 'x', hex[byte >> 4], hex[byte & 15]};

	if (glyph.escaped)
		buffer_put(&p->text, escape, sizeof escape);
	else
		buffer_put(&p->text, s, glyph.len);
}

/* Text with everything but printable characters escaped, tabs as well. */
static void put_text(struct printer *p, const char *s, size_t n)
{
	while (n) {
		struct glyph glyph = glyph_at(s, n);

		glyph.escaped |= *s == '\t';
		put_glyph(p, s, glyph);
		s += glyph.len;
		n -= glyph.len;
	}
}

/* ---- the source line ---- */

/* The part of a line that is shown. */
struct window {
	const char *begin, *end;
	bool cut_before, cut_after;
};

/* The end of what fits into the columns. */
static const char *fit(const char *s, const char *end, uint32_t columns)
{
	while (s < end) {
		struct glyph glyph = glyph_at(s, (size_t)(end - s));

		if (glyph.columns > columns)
			break;
		columns -= glyph.columns;
		s += glyph.len;
	}
	return s;
}

static const char *back_one(const char *begin, const char *at)
{
	for (size_t n = 4; n > 1; n--) {
		if ((size_t)(at - begin) >= n && character_len(at - n, n) == n)
			return at - n;
	}
	return at - 1;
}

static const char *fit_back(const char *begin, const char *at, uint32_t columns)
{
	while (at > begin) {
		const char *before = back_one(begin, at);
		struct glyph glyph = glyph_at(before, (size_t)(at - before));

		if (glyph.columns > columns)
			break;
		columns -= glyph.columns;
		at = before;
	}
	return at;
}

/* Looks at the shown part only: a line may be as long as a file. */
static struct window window_around(const struct place *place)
{
	const char *begin = place->text, *end = begin + place->text_len;
	struct window w = {.begin = begin, .end = end};
	uint32_t columns = LINE_COLUMNS;

	if (fit(begin, end, columns) == end)
		return w;
	w.begin = fit_back(begin, begin + place->col - 1, BEFORE_COLUMNS);
	w.cut_before = w.begin > begin;
	if (w.cut_before)
		columns -= ELLIPSIS_COLUMNS;
	if (fit(w.begin, end, columns) == end)
		return w;
	w.end = fit(w.begin, end, columns - ELLIPSIS_COLUMNS);
	w.cut_after = true;
	return w;
}

static void put_gutter(struct printer *p, const struct place *place, bool number)
{
	char digits[24];
	int width = snprintf(digits, sizeof digits, "%" PRIu32, place->line);

	if (width < GUTTER_DIGITS)
		width = GUTTER_DIGITS;
	if (number)
		put_number(p, place->line, width);
	else
		put_repeated(p, ' ', (uint32_t)width);
}

static void put_line(struct printer *p, const struct place *place, struct window w)
{
	put_gutter(p, place, true);
	put(p, w.begin == w.end ? " |" : " | ");
	if (w.cut_before)
		put(p, "...");
	for (const char *s = w.begin; s < w.end;) {
		struct glyph glyph = glyph_at(s, (size_t)(w.end - s));

		put_glyph(p, s, glyph);
		s += glyph.len;
	}
	put(p, w.cut_after ? "...\n" : "\n");
}

static void put_caret(struct printer *p, const struct place *place, struct window w, uint32_t len)
{
	const char *from = place->text + place->col - 1;
	const char *to = len < (size_t)(w.end - from) ? from + len : w.end;
	const char *s = w.begin;

	put_gutter(p, place, false);
	put(p, w.cut_before ? " |    " : " | ");
	while (s < from) {
		struct glyph glyph = glyph_at(s, (size_t)(w.end - s));

		if (s + glyph.len > from)
			break;
		if (*s == '\t')
			put_byte(p, '\t');
		else
			put_repeated(p, ' ', glyph.columns);
		s += glyph.len;
	}
	put_byte(p, '^');
	for (bool first = true; s < to; first = false) {
		struct glyph glyph = glyph_at(s, (size_t)(w.end - s));

		if (*s == '\t' && !first)
			put_byte(p, '\t');
		else if (*s != '\t')
			put_repeated(p, '~', glyph.columns - first);
		s += glyph.len;
	}
	put_byte(p, '\n');
}

static bool is_marked(const struct place *place)
{
	const char *path = place->source->path;

	return place->line != place->row || place->file_len != strlen(path) ||
	       memcmp(place->file, path, place->file_len) != 0;
}

static void put_source(struct printer *p, const struct place *place, struct loc loc)
{
	struct window w = window_around(place);

	put_line(p, place, w);
	put_caret(p, place, w, loc.end > loc.begin ? loc.end - loc.begin : 1);
	if (is_marked(place)) {
		put_gutter(p, place, false);
		put(p, " = in ");
		put_text(p, place->source->path, strlen(place->source->path));
		put_byte(p, ':');
		put_number(p, place->row, 0);
		put_byte(p, '\n');
	}
}

/* ---- findings ---- */

static void put_entry(struct printer *p, uint32_t index)
{
	static const char *const names[] = {
		[SEV_HINT] = "hint", [SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error",
	};
	const struct diag *d = &p->diags->list.at[index];
	const struct place *place = &p->places[index];

	if (place->source) {
		put_text(p, place->file, place->file_len);
		put_byte(p, ':');
		put_number(p, place->line, 0);
		put_byte(p, ':');
		put_number(p, place->col, 0);
		put(p, ": ");
	} else if (d->severity >= SEV_WARNING) {
		put(p, p->program);
		put(p, ": ");
	} else {
		put(p, "    ");
	}
	put(p, names[d->severity]);
	put(p, ": ");
	put_text(p, d->text, strlen(d->text));
	if (d->check) {
		put(p, " [");
		put(p, d->check);
		put_byte(p, ']');
	}
	put_byte(p, '\n');
	if (place->source)
		put_source(p, place, d->loc);
}

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
	return order ? order : strcmp(a->text, b->text);
}

static int compare_repeats(const void *left, const void *right)
{
	const struct diag *a = *(const struct diag *const *)left, *b = *(const struct diag *const *)right;
	int order = compare_content(a, b);

	return order ? order : COMPARE(a->order, b->order);
}

struct order {
	const struct diag **at;
	uint32_t n;
	uint32_t repeated_errors, repeated_warnings; /* left out */
};

static struct order order_findings(const struct diags *diags)
{
	struct order order = {.at = mem_zalloc(diags->list.n, sizeof *order.at)};
	uint32_t n = 0;

	for (uint32_t i = 0; i < diags->list.n; i++) {
		if (diags->list.at[i].severity >= SEV_WARNING)
			order.at[n++] = &diags->list.at[i];
	}
	qsort(order.at, n, sizeof *order.at, compare_repeats);
	for (uint32_t i = 0; i < n; i++) {
		const struct diag *d = order.at[i];

		if (!order.n || compare_content(order.at[order.n - 1], d))
			order.at[order.n++] = d;
		else if (d->severity == SEV_ERROR)
			order.repeated_errors++;
		else
			order.repeated_warnings++;
	}
	qsort(order.at, order.n, sizeof *order.at, compare_order);
	return order;
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

static void print_finding(struct printer *p, const struct diag *d, FILE *out)
{
	uint32_t index = (uint32_t)(d - p->diags->list.at);

	p->text.n = 0;
	for (uint32_t i = 0; i <= d->nnotes; i++)
		put_entry(p, index + i);
	fwrite(p->text.at, 1, p->text.n, out);
}

static void print_count(const char *before, uint32_t n, const char *word, FILE *out)
{
	fprintf(out, "%s%" PRIu32 " %s%s", before, n, word, n == 1 ? "" : "s");
}

static void print_more(const char *program, uint32_t n, const char *word, FILE *out)
{
	if (n)
		fprintf(out, "%s: %" PRIu32 " more %s%s not shown\n", program, n, word, n == 1 ? "" : "s");
}

void diags_print(const struct diags *diags, const struct sources *sources, const char *program,
		 uint32_t max_errors, FILE *out)
{
	struct order order = order_findings(diags);
	struct printer printer = {.diags = diags, .program = program, .places = find_places(diags, sources)};
	uint32_t errors = diags->errors - order.repeated_errors, shown_errors = 0;
	uint32_t warnings = diags->warnings - order.repeated_warnings, shown_warnings = 0;

	for (uint32_t i = 0; i < order.n; i++) {
		uint32_t *shown = order.at[i]->severity == SEV_ERROR ? &shown_errors : &shown_warnings;

		if (shown == &shown_errors && max_errors && shown_errors == max_errors)
			continue;
		++*shown;
		print_finding(&printer, order.at[i], out);
	}
	if (errors || warnings)
		fprintf(out, "%s: ", program);
	if (errors)
		print_count("", errors, "error", out);
	if (warnings)
		print_count(errors ? ", " : "", warnings, "warning", out);
	if (errors || warnings)
		fputc('\n', out);
	print_more(program, errors - shown_errors, "error", out);
	print_more(program, warnings - shown_warnings, "warning", out);
	buffer_free(&printer.text);
	free(printer.places);
	free(order.at);
}
