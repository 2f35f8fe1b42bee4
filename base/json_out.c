#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/glyph.h"
#include "base/memory.h"

static json_t *got(json_t *value)
{
	if (!value)
		mem_exhausted();
	return value;
}

json_t *json_new_object(void)
{
	return got(json_object());
}

json_t *json_new_array(void)
{
	return got(json_array());
}

static json_t *take_buffer(struct buffer *b)
{
	json_t *value = got(json_stringn(b->n ? (const char *)b->at : "", b->n));

	buffer_free(b);
	return value;
}

json_t *json_new_text(const char *text, size_t n)
{
	struct buffer b = {0};

	glyph_put_text(&b, text, n);
	return take_buffer(&b);
}

json_t *json_new_lines(const char *text, size_t n)
{
	const char *end = text + n, *newline;
	struct buffer b = {0};

	while ((newline = memchr(text, '\n', (size_t)(end - text)))) {
		glyph_put_line(&b, text, (size_t)(newline - text));
		buffer_u8(&b, '\n');
		text = newline + 1;
	}
	glyph_put_line(&b, text, (size_t)(end - text));
	return take_buffer(&b);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		mem_exhausted();
}

void json_put_string(json_t *object, const char *key, const char *text)
{
	json_put(object, key, json_new_lines(text, strlen(text)));
}

void json_put_number(json_t *object, const char *key, uint32_t number)
{
	json_put(object, key, got(json_integer(number)));
}

void json_add(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		mem_exhausted();
}

void json_print(json_t *value, FILE *out)
{
	char *text = json_dumps(value, JSON_COMPACT);

	if (!text)
		mem_exhausted();
	fputs(text, out);
	fputc('\n', out);
	free(text);
	json_decref(value);
}
