#include "validator/lines.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_part(struct span span, uint32_t begin, uint32_t len)
{
	return (struct span){
		.text = span.text + begin,
		.len = len,
		.loc = {span.loc.begin + begin, span.loc.begin + begin + len},
	};
}

struct span span_trim(struct span span)
{
	uint32_t begin = 0, end = span.len;

	while (begin < end && is_blank(span.text[begin]))
		begin++;
	while (end > begin && is_blank(span.text[end - 1]))
		end--;
	return span_part(span, begin, end - begin);
}

bool span_starts(struct span span, const char *text)
{
	size_t len = strlen(text);

	return span.len >= len && !memcmp(span.text, text, len);
}

bool span_is(struct span span, const char *text)
{
	return span.len == strlen(text) && span_starts(span, text);
}

bool span_equal(struct span a, struct span b)
{
	return a.len == b.len && !memcmp(a.text, b.text, a.len);
}

uint32_t span_ascii(struct span span)
{
	uint32_t i = 0;

	while (i < span.len && !((unsigned char)span.text[i] & 0x80))
		i++;
	return i;
}

void lines_begin(struct lines *lines, const struct source *source)
{
	*lines = (struct lines){source->text, source->text + source->size, source->base};
}

bool lines_next(struct lines *lines, struct span *ret_line)
{
	const char *at = lines->at, *newline;
	uint32_t len;

	if (at == lines->end)
		return false;
	newline = memchr(at, '\n', (size_t)(lines->end - at));
	len = (uint32_t)((newline ? newline : lines->end) - at);
	*ret_line = (struct span){at, len, {lines->offset, lines->offset + len}};
	if (newline)
		len++;
	lines->at += len;
	lines->offset += len;
	return true;
}

bool lines_next_words(struct lines *lines, struct span *ret_line)
{
	while (lines_next(lines, ret_line)) {
		uint32_t i = 0;

		while (i < ret_line->len && is_blank(ret_line->text[i]))
			i++;
		if (i < ret_line->len && ret_line->text[i] != '#')
			return true;
	}
	return false;
}

bool line_word(struct span *line, struct span *ret_word)
{
	uint32_t begin = 0, end;

	while (begin < line->len && is_blank(line->text[begin]))
		begin++;
	end = begin;
	while (end < line->len && !is_blank(line->text[end]))
		end++;
	*ret_word = span_part(*line, begin, end - begin);
	*line = span_part(*line, end, line->len - end);
	return end > begin;
}

uint32_t line_words(struct span *line, struct span *ret_words, uint32_t max)
{
	uint32_t n = 0;

	while (n < max && line_word(line, &ret_words[n]))
		n++;
	*line = span_trim(*line);
	return n;
}
