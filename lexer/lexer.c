#include "lexer/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lexer/internal.h"

static const char *const keywords[] = {
#define KEYWORD(name, text) text,
#define TOKEN(name, text)
#include "lexer/tokens.def"
#undef KEYWORD
#undef TOKEN
};

_Static_assert(sizeof keywords / sizeof *keywords == NKEYWORDS, "the keywords come first among the tokens");

static void intern_upper(struct atoms *atoms, const char *keyword)
{
	char upper[32];
	size_t len = strlen(keyword);

	for (size_t i = 0; i < len && i < sizeof upper; i++)
		upper[i] = (char)toupper((unsigned char)keyword[i]);
	atom_intern(atoms, upper, len);
}

void lexer_intern_keywords(struct atoms *atoms)
{
	for (size_t i = 0; i < NKEYWORDS; i++)
		atom_intern(atoms, keywords[i], strlen(keywords[i]));
	for (size_t i = 0; i < NKEYWORDS; i++)
		intern_upper(atoms, keywords[i]);
}

struct lexer *lexer_new(const struct source *source, struct atoms *atoms, struct diags *diags)
{
	struct lexer *lexer = mem_zalloc(1, sizeof *lexer);

	lexer->source = source;
	lexer->atoms = atoms;
	lexer->diags = diags;
	if (!scanner_open(lexer))
		mem_exhausted();
	return lexer;
}

void lexer_free(struct lexer *lexer)
{
	if (!lexer)
		return;
	scanner_close(lexer);
	free(lexer);
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return (c | 0x20) - 'a' + 10;
}

uint64_t lexer_number(struct lexer *lexer, const char *text, struct loc loc)
{
	unsigned base = 10;
	uint64_t value = 0;
	const char *p = text;

	if (p[0] == '0' && p[1]) {
		base = p[1] == 'x' ? 16 : 8;
		p += base == 16 ? 2 : 1;
	}
	for (; *p; p++) {
		unsigned digit = (unsigned)digit_value(*p);

		if (digit >= base) {
			diag_error(lexer->diags, "bad-number", loc,
				   "`%s` starts with 0 and so is octal, which has no digit %u", text, digit);
			return 0;
		}
		if (value > (UINT64_MAX - digit) / base) {
			diag_error(lexer->diags, "number-too-large", loc, "number does not fit 64 bits");
			return 0;
		}
		value = value * base + digit;
	}
	return value;
}

/* The code point of a well-formed UTF-8 sequence, or 0. */
static uint32_t decode_utf8(const unsigned char *p, const unsigned char *end)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	unsigned more = *p >= 0xf0 && *p < 0xf8 ? 3 : *p >= 0xe0 ? 2 : 1;
	uint32_t code = *p & (0x3fu >> more);

	if (*p < 0xc0 || *p >= 0xf8 || end - p <= (ptrdiff_t)more)
		return 0;
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3fu);
	}
	return code >= least[more] && code <= 0x10ffff ? code : 0;
}

static const char *looks_like(uint32_t code)
{
	switch (code) {
	case 0xfeff:
		return ", a byte order mark";
	case 0xa0:
		return ", a no-break space";
	case 0x2018:
	case 0x2019:
	case 0x201c:
	case 0x201d:
	case 0x201e:
		return ", a typographic quote";
	case 0x2010:
	case 0x2011:
	case 0x2012:
	case 0x2013:
	case 0x2014:
	case 0x2212:
		return ", a typographic dash";
	default:
		return "";
	}
}

static const char *text_at(const struct lexer *lexer, struct loc loc)
{
	return lexer->source->text + (loc.begin - lexer->source->base);
}

/* Where one line ends in CR, all do: one error is enough. */
static bool cr_is_known(struct lexer *lexer)
{
	bool known = lexer->cr_reported;

	lexer->cr_reported = true;
	return known;
}

/* Often what is wrong comes in pairs, as quotes do: one error is enough for a
 * line. */
static bool line_is_known(struct lexer *lexer, struct loc loc)
{
	const char *text = lexer->source->text + lexer->rejected;
	uint32_t now = loc.end - lexer->source->base;
	bool known = lexer->rejected && !memchr(text, '\n', now - lexer->rejected);

	lexer->rejected = now;
	return known;
}

void lexer_reject(struct lexer *lexer, struct loc loc)
{
	static const char check[] = "unrecognized-character";
	const unsigned char *first = (const unsigned char *)text_at(lexer, loc);
	uint32_t code = *first < 0x80 ? *first : decode_utf8(first, first + (loc.end - loc.begin));

	if (line_is_known(lexer, loc) || (code == '\r' && cr_is_known(lexer)))
		return;
	if (code == '&' || code == '|' || code == '=')
		diag_error(lexer->diags, check, loc, "unrecognized character `%c`: the operator is `%c%c`", (int)code,
			   (int)code, (int)code);
	else if (code > ' ' && code < 0x7f)
		diag_error(lexer->diags, check, loc, "unrecognized character `%c`", (int)code);
	else if (code)
		diag_error(lexer->diags, check, loc, "unrecognized character U+%04X%s", code, looks_like(code));
	else
		diag_error(lexer->diags, check, loc, "unrecognized byte 0x%02X", *first);
}

void lexer_reject_quoted(struct lexer *lexer, struct loc loc)
{
	const char *text = text_at(lexer, loc);
	uint32_t len = loc.end - loc.begin;
	const char *fault = "ends on its own line";

	if (len == 2 && text[1] == '"')
		fault = "has one character or more";
	else if (len > 1 && text[len - 1] == '"')
		fault = "contains no `/`, and a quoted path starts with one";
	diag_error(lexer->diags, "bad-file-name", loc, "a quoted file name %s", fault);
}

void lexer_reject_crlf(struct lexer *lexer, struct loc loc)
{
	loc.end = loc.begin + 1;
	if (cr_is_known(lexer))
		return;
	diag_error(lexer->diags, "unrecognized-character", loc, "the file has CRLF line ends");
	diag_hint(lexer->diags, "convert it to LF line ends, for example with dos2unix");
}
