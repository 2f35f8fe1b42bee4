/* From offsets to lines: newlines counted and `#line` marks found, when
 * somebody asks. */
#include "base/source.h"

#include <string.h>

/* A `#line` mark: the line behind it has this number, in this file. */
struct mark {
	const char *begin, *end; /* its line, without the newline */
	uint32_t number;
	const char *file;        /* NULL: as before */
	uint32_t file_len;
};

static const char mark_word[] = "#line ";
enum { MARK_WORD = sizeof mark_word - 1 };

static uint32_t count_newlines(const char *p, const char *end)
{
	uint32_t n = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		n++;
	}
	return n;
}

static const char *line_begin(const char *text, const char *at)
{
	const char *newline = memrchr(text, '\n', (size_t)(at - text));

	return newline ? newline + 1 : text;
}

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

static uint32_t add_saturating(uint32_t a, uint32_t b)
{
	return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* Past the quoted token at p, or past the quote when it starts none: a path
 * begins with a slash, a file name is not empty and has no slash. */
static const char *skip_quoted(const char *p, const char *end)
{
	const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));

	if (!close || close == p + 1)
		return p + 1;
	if (p[1] != '/' && memchr(p + 1, '/', (size_t)(close - p - 1)))
		return p + 1;
	return close + 1;
}

static const char *skip_path(const char *p, const char *end)
{
	while (p < end && *p != ' ' && *p != '\t' && *p != '\r' && *p != '\f')
		p++;
	return p;
}

/* Where the comment of a line begins, or its end.  A `#` in a quoted string
 * or in a path begins none; neither goes on in a second line. */
static const char *comment_begin(const char *p, const char *end)
{
	while (p < end && *p != '#') {
		if (*p == '"')
			p = skip_quoted(p, end);
		else if (*p == '/')
			p = skip_path(p, end);
		else
			p++;
	}
	return p;
}

/* `#line N` or `#line N "FILE"`, exactly, with nothing behind. */
static bool parse_mark(const char *p, const char *end, struct mark *mark)
{
	uint64_t number = 0;

	if (end - p <= MARK_WORD || memcmp(p, mark_word, MARK_WORD))
		return false;
	p += MARK_WORD;
	if (*p < '0' || *p > '9')
		return false;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		number = number * 10 + (uint64_t)(*p - '0');
		if (number > UINT32_MAX)
			number = UINT32_MAX;
	}
	mark->number = (uint32_t)number;
	mark->file = NULL;
	mark->file_len = 0;
	if (p == end)
		return true;
	if (end - p < 3 || p[0] != ' ' || p[1] != '"' || end[-1] != '"')
		return false;
	mark->file = p + 2;
	mark->file_len = (uint32_t)(end - 1 - mark->file);
	return true;
}

/* The last mark in the lines from begin to end. */
static bool find_mark(const char *begin, const char *end, struct mark *mark)
{
	const char *limit = end, *hash;

	while ((hash = memrchr(begin, '#', (size_t)(end - begin)))) {
		end = hash;
		if (limit - hash <= MARK_WORD || memcmp(hash, mark_word, MARK_WORD))
			continue;
		mark->begin = line_begin(begin, hash);
		mark->end = line_end(hash, limit);
		if (parse_mark(comment_begin(mark->begin, mark->end), mark->end, mark))
			return true;
		end = mark->begin;
	}
	return false;
}

static struct place first_place(const struct source *source)
{
	return (struct place){
		.file = source->path,
		.file_len = (uint32_t)strlen(source->path),
		.line = source->row,
		.source = source,
		.row = source->row,
		.text = source->text,
		.text_len = (uint32_t)(line_end(source->text, source->text + source->size) - source->text),
	};
}

/* Moves to the line of `at`, which is behind the line of the place. */
static void advance(struct place *place, const char *at)
{
	const struct source *source = place->source;
	const char *from = place->text, *begin = line_begin(from, at);
	uint32_t rows = count_newlines(from, begin);
	struct mark mark;
	bool found = find_mark(from, begin, &mark);

	place->row = add_saturating(place->row, rows);
	if (found)
		place->line = add_saturating(mark.number, count_newlines(mark.end + 1, begin));
	else
		place->line = add_saturating(place->line, rows);
	while (found && !mark.file)
		found = find_mark(from, mark.begin, &mark);
	if (found) {
		place->file = mark.file;
		place->file_len = mark.file_len;
	}
	place->text = begin;
	place->text_len = (uint32_t)(line_end(at, source->text + source->size) - begin);
}

struct place place_of(const struct sources *sources, struct place_cursor *cursor, uint32_t offset)
{
	const struct source *source = source_at(sources, offset);
	struct place place = cursor->last;
	const char *at = source_text(sources, offset);

	if (!source)
		return (struct place){.file = "", .text = ""};
	if (place.source != source || at < place.text)
		place = first_place(source);
	if (at > place.text + place.text_len)
		advance(&place, at);
	cursor->last = place;
	place.col = (uint32_t)(at - place.text) + 1;
	return place;
}
