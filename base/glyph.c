#include "base/glyph.h"

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

struct glyph glyph_at(const char *s, size_t n)
{
	size_t len = character_len(s, n);

	if (*s == '\t')
		return (struct glyph){1, TAB_COLUMNS, false};
	if (!len)
		return (struct glyph){1, ESCAPE_COLUMNS, true};
	return (struct glyph){len, 1, false};
}

const char *glyph_before(const char *begin, const char *at)
{
	for (size_t n = 4; n > 1; n--) {
		if ((size_t)(at - begin) >= n && character_len(at - n, n) == n)
			return at - n;
	}
	return at - 1;
}

static void glyph_put(struct buffer *out, const char *s, struct glyph glyph)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)*s;
	char escape[ESCAPE_COLUMNS] = {'\\', 'x', hex[byte >> 4], hex[byte & 15]};

	if (glyph.escaped)
		buffer_put(out, escape, sizeof escape);
	else
		buffer_put(out, s, glyph.len);
}

static void put_all(struct buffer *out, const char *s, size_t n, bool tabs)
{
	while (n) {
		struct glyph glyph = glyph_at(s, n);

		glyph.escaped |= *s == '\t' && !tabs;
		glyph_put(out, s, glyph);
		s += glyph.len;
		n -= glyph.len;
	}
}

void glyph_put_text(struct buffer *out, const char *s, size_t n)
{
	put_all(out, s, n, false);
}

void glyph_put_line(struct buffer *out, const char *s, size_t n)
{
	put_all(out, s, n, true);
}
