/* Characters of texts and source lines as they are shown: findings show all
 * their texts so, and programs what is not their own. */
#ifndef BASE_GLYPH_H
#define BASE_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum {
	TAB_COLUMNS = 8,
	ESCAPE_COLUMNS = 4, /* \x1b */
};

/* One character as it is shown: a byte that is no printable character of
 * UTF-8, nor a tab, is escaped. */
struct glyph {
	size_t len;       /* bytes */
	uint32_t columns;
	bool escaped;
};

struct glyph glyph_at(const char *s, size_t n);
/* The character before at. */
const char *glyph_before(const char *begin, const char *at);
/* A text with tabs escaped as well. */
void glyph_put_text(struct buffer *out, const char *s, size_t n);
/* A source line: tabs stay. */
void glyph_put_line(struct buffer *out, const char *s, size_t n);

#endif
