/* Findings for people, each with its source line and a caret. */
#include "base/findings.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/glyph.h"

enum {
	LINE_COLUMNS = 160,   /* longer lines are cut */
	BEFORE_COLUMNS = 60,  /* what is kept of them before the caret */
	ELLIPSIS_COLUMNS = 3,
	GUTTER_DIGITS = 5,
};

struct printer {
	const struct diags *diags;
	const struct findings *findings;
	const struct diag_style *style;
	struct buffer text; /* of one finding */
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

/* ---- colour ---- */

static const char bold[] = "\033[1m", green[] = "\033[1;32m", plain[] = "\033[0m";

static const char *colour_of(enum severity severity)
{
	static const char *const colours[] = {
		[SEV_HINT] = "\033[1;36m", [SEV_NOTE] = "\033[1;36m", [SEV_REMARK] = "\033[1;36m",
		[SEV_WARNING] = "\033[1;35m", [SEV_ERROR] = "\033[1;31m",
	};

	return colours[severity];
}

static void colour(struct printer *p, const char *escape)
{
	if (p->style->colour)
		put(p, escape);
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

static const char *fit_back(const char *begin, const char *at, uint32_t columns)
{
	while (at > begin) {
		const char *before = glyph_before(begin, at);
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
	glyph_put_line(&p->text, w.begin, (size_t)(w.end - w.begin));
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
	colour(p, green);
	put_byte(p, '^');
	for (bool first = true; s < to; first = false) {
		struct glyph glyph = glyph_at(s, (size_t)(w.end - s));

		if (*s == '\t' && !first)
			put_byte(p, '\t');
		else if (*s != '\t')
			put_repeated(p, '~', glyph.columns - first);
		s += glyph.len;
	}
	colour(p, plain);
	put_byte(p, '\n');
}

static void put_source(struct printer *p, const struct place *place, struct loc loc)
{
	struct window w = window_around(place);

	put_line(p, place, w);
	put_caret(p, place, w, loc.end > loc.begin ? loc.end - loc.begin : 1);
	if (place_is_marked(place)) {
		put_gutter(p, place, false);
		put(p, " = in ");
		glyph_put_text(&p->text, place->source->path, strlen(place->source->path));
		put_byte(p, ':');
		put_number(p, place->row, 0);
		put_byte(p, '\n');
	}
}

/* ---- findings ---- */

static void put_place(struct printer *p, const struct diag *d, const struct place *place)
{
	if (place->source) {
		colour(p, bold);
		glyph_put_text(&p->text, place->file, place->file_len);
		put_byte(p, ':');
		put_number(p, place->line, 0);
		put_byte(p, ':');
		put_number(p, place->col, 0);
		put_byte(p, ':');
		colour(p, plain);
		put_byte(p, ' ');
	} else if (d->severity >= SEV_REMARK) {
		put(p, p->style->program);
		put(p, ": ");
	} else {
		put(p, "    ");
	}
}

static void put_severity(struct printer *p, enum severity severity)
{
	static const char *const names[] = {
		[SEV_HINT] = "hint", [SEV_NOTE] = "note", [SEV_REMARK] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error",
	};

	colour(p, colour_of(severity));
	put(p, names[severity]);
	put_byte(p, ':');
	colour(p, plain);
	put_byte(p, ' ');
}

static void put_entry(struct printer *p, uint32_t index)
{
	const struct diag *d = &p->diags->list.at[index];
	const struct place *place = &p->findings->places[index];

	put_place(p, d, place);
	put_severity(p, d->severity);
	glyph_put_text(&p->text, d->text, strlen(d->text));
	if (d->check) {
		put(p, " [");
		put(p, d->check);
		put_byte(p, ']');
	}
	put_byte(p, '\n');
	if (place->source)
		put_source(p, place, d->loc);
}

static void put_again(struct printer *p, uint32_t again)
{
	if (!again)
		return;
	put(p, "    ");
	put_severity(p, SEV_NOTE);
	put(p, "and ");
	put_number(p, again, 0);
	put(p, again == 1 ? " more use\n" : " more uses\n");
}

static void print_finding(struct printer *p, const struct diag *d, FILE *out)
{
	uint32_t index = (uint32_t)(d - p->diags->list.at);

	p->text.n = 0;
	for (uint32_t i = 0; i <= d->nnotes; i++)
		put_entry(p, index + i);
	put_again(p, d->again);
	fwrite(p->text.at, 1, p->text.n, out);
}

/* ---- counts ---- */

static void print_count(const char *before, uint32_t n, const char *word, FILE *out)
{
	fprintf(out, "%s%" PRIu32 " %s%s", before, n, word, n == 1 ? "" : "s");
}

static void print_more(const char *program, uint32_t n, const char *word, FILE *out)
{
	if (n)
		fprintf(out, "%s: %" PRIu32 " more %s%s not shown\n", program, n, word, n == 1 ? "" : "s");
}

static void print_counts(const struct findings *f, const char *program, FILE *out)
{
	if (!f->errors && !f->warnings)
		return;
	fprintf(out, "%s: ", program);
	if (f->errors)
		print_count("", f->errors, "error", out);
	if (f->warnings)
		print_count(f->errors ? ", " : "", f->warnings, "warning", out);
	fputc('\n', out);
	print_more(program, f->more_errors, "error", out);
	print_more(program, f->more_warnings, "warning", out);
}

void findings_print_text(const struct diags *diags, const struct findings *findings, const struct diag_style *style,
			 FILE *out)
{
	struct printer printer = {.diags = diags, .findings = findings, .style = style};

	for (uint32_t i = 0; i < findings->n; i++)
		print_finding(&printer, findings->at[i], out);
	print_counts(findings, style->program, out);
	buffer_free(&printer.text);
}
