/* lexer/: language.md 4, row by row. */
#include <CUnit/CUnit.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lexer/lexer.h"

void suite_lexer(void);

static const char *const token_names[] = {
#define KEYWORD(name, text) #name,
#define TOKEN(name, text) #name,
#include "lexer/tokens.def"
#undef KEYWORD
#undef TOKEN
};

enum { SHOWN = 4000 };

struct scan {
	struct sources sources;
	struct atoms atoms;
	struct diags diags;
	char shown[SHOWN]; /* tokens as "NAME(text)" or the character, between spaces */
	size_t len;
};

static void show(struct scan *s, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(s->shown + s->len, SHOWN - s->len, fmt, args);
	va_end(args);
	s->len = n > 0 && s->len + (size_t)n < SHOWN ? s->len + (size_t)n : SHOWN - 1;
}

static void show_token(struct scan *s, int token, union token_value value)
{
	const char *gap = s->len ? " " : "";

	if (token == TOKEN_NUMBER)
		show(s, "%sNUMBER(%llu)", gap, (unsigned long long)value.number);
	else if (token <= TOKEN_BEFORE_FIRST)
		show(s, token == TOKEN_BEFORE_FIRST ? "%s?" : "%s%c", gap, token);
	else if (token >= TOKEN_PATH && token <= TOKEN_NETIFNAME)
		show(s, "%s%s(%s)", gap, token_names[token - TOKEN_BEFORE_FIRST - 1], atom_text(&s->atoms, value.atom));
	else
		show(s, "%s%s", gap, token_names[token - TOKEN_BEFORE_FIRST - 1]);
}

static void scan_begin(struct scan *s)
{
	memset(s, 0, sizeof *s);
	atoms_init(&s->atoms);
	lexer_intern_keywords(&s->atoms);
}

static void scan_end(struct scan *s)
{
	diags_free(&s->diags);
	atoms_free(&s->atoms);
	sources_free(&s->sources);
}

/* Scans the text to its end; checks that all text is as it was. */
static void scan_text(struct scan *s, const char *text, size_t size)
{
	const struct source *source = sources_add(&s->sources, "test", text, size, &s->diags);
	struct lexer *lexer;
	union token_value value;
	struct loc loc = {0, 0};
	uint32_t end;
	int token;

	CU_ASSERT_PTR_NOT_NULL_FATAL(source);
	lexer = lexer_new(source, &s->atoms, &s->diags);
	end = source->base;
	s->len = 0;
	s->shown[0] = '\0';
	while ((token = lexer_next(lexer, &value, &loc)) != TOKEN_EOF) {
		CU_ASSERT_TRUE(loc.begin >= end && loc.begin < loc.end);
		end = loc.end;
		show_token(s, token, value);
	}
	CU_ASSERT_EQUAL(loc.begin, source->base + source->size);
	CU_ASSERT_EQUAL(lexer_next(lexer, &value, &loc), TOKEN_EOF); /* and stays there */
	lexer_free(lexer);
	CU_ASSERT_EQUAL(memcmp(source->text, text, size), 0);
}

static void check_tokens(const char *text, const char *expected)
{
	struct scan s;

	scan_begin(&s);
	scan_text(&s, text, strlen(text));
	CU_ASSERT_STRING_EQUAL(s.shown, expected);
	if (strcmp(s.shown, expected) != 0)
		fprintf(stderr, "\n  <%s>: <%s>, not <%s>\n", text, s.shown, expected);
	CU_ASSERT_EQUAL(s.diags.errors, 0);
	scan_end(&s);
}

/* Tokens, and the errors as "check: text" in lines. */
static void check_errors(const char *text, const char *tokens, const char *expected)
{
	struct scan s;
	char errors[1000] = "";
	size_t len = 0;

	scan_begin(&s);
	scan_text(&s, text, strlen(text));
	CU_ASSERT_STRING_EQUAL(s.shown, tokens);
	for (uint32_t i = 0; i < s.diags.list.n; i++) {
		const struct diag *d = &s.diags.list.at[i];

		if (d->severity == SEV_ERROR && len < sizeof errors)
			len += (size_t)snprintf(errors + len, sizeof errors - len, "%u %s: %s\n", d->loc.begin,
						d->check, d->text);
	}
	CU_ASSERT_STRING_EQUAL(errors, expected);
	if (strcmp(errors, expected) != 0)
		fprintf(stderr, "\n  <%s>:\n%sinstead of\n%s", text, errors, expected);
	scan_end(&s);
}

static void test_keywords(void)
{
	struct atoms atoms;
	uint32_t n = TOKEN_GLBLUB - TOKEN_BEFORE_FIRST;

	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	CU_ASSERT_EQUAL(atoms.n, 2 * n + 1);
	CU_ASSERT_EQUAL(atom_find(&atoms, "common", 6), 1);
	CU_ASSERT_EQUAL(atom_find(&atoms, "glblub", 6), n);
	CU_ASSERT_EQUAL(atom_find(&atoms, "COMMON", 6), n + 1);
	CU_ASSERT_EQUAL(atom_find(&atoms, "LOW-HIGH", 8), n + TOKEN_LOW_HIGH - TOKEN_BEFORE_FIRST);
	atoms_free(&atoms);

	check_tokens("allow ALLOW Allow allow_ aallow",
		     "ALLOW ALLOW IDENTIFIER(Allow) IDENTIFIER(allow_) IDENTIFIER(aallow)");
	check_tokens("low-high low - high low-highx t1 T1 t4",
		     "LOW_HIGH LOW - HIGH IDENTIFIER(low-highx) T1 T1 IDENTIFIER(t4)");
	check_tokens("self fscon tcp ioctl", "IDENTIFIER(self) IDENTIFIER(fscon) IDENTIFIER(tcp) IDENTIFIER(ioctl)");
	check_tokens("!= == !x", "NOTEQUAL EQUAL NOT IDENTIFIER(x)");
	check_tokens("== != && || ! ^ eq and or not xor", "EQUAL NOTEQUAL AND OR NOT XOR EQ AND OR NOT XOR");
}

static void test_names(void)
{
	check_tokens("a a.b a..b a. .a a.-b a-b a_ a1.2",
		     "IDENTIFIER(a) IDENTIFIER(a.b) IDENTIFIER(a) . . IDENTIFIER(b) "
		     "IDENTIFIER(a) . . IDENTIFIER(a) IDENTIFIER(a.-b) "
		     "IDENTIFIER(a-b) IDENTIFIER(a_) IDENTIFIER(a1.2)");
	check_tokens("s0-s1 s0 -s1 s0- s1 c0.c3 c0 . c3",
		     "IDENTIFIER(s0-s1) IDENTIFIER(s0) - IDENTIFIER(s1) IDENTIFIER(s0-) "
		     "IDENTIFIER(s1) IDENTIFIER(c0.c3) IDENTIFIER(c0) . IDENTIFIER(c3)");
	check_tokens("{a -b}~*:c;", "{ IDENTIFIER(a) - IDENTIFIER(b) } ~ * : IDENTIFIER(c) ;");
	check_tokens("[x](y),", "[ IDENTIFIER(x) ] ( IDENTIFIER(y) ) ,");
	check_tokens("9p 123abc 0x 12 0x1F", "FILESYSTEM(9p) FILESYSTEM(123abc) FILESYSTEM(0x) NUMBER(12) NUMBER(31)");
	check_tokens("eth* c1* *eth e?h_0 9_a ** *", "NETIFNAME(eth*) NETIFNAME(c1*) NETIFNAME(*eth) NETIFNAME(e?h_0) "
						     "NETIFNAME(9_a) NETIFNAME(**) *");
	check_tokens("a123456789012345* a1234567890123456*",
		     "IDENTIFIER(a123456789012345) * IDENTIFIER(a1234567890123456) *");
	check_tokens("a12345678901234*", "NETIFNAME(a12345678901234*)");
}

static void test_paths(void)
{
	check_tokens("/ /a;b /a#b /\"x", "PATH(/) PATH(/a;b) PATH(/a#b) PATH(/\"x)");
	check_tokens("\"/a b;\" \"/\" \"a b\" \"x;y\"", "QPATH(/a b;) QPATH(/) FILENAME(a b) FILENAME(x;y)");
}

static void test_addresses(void)
{
	check_tokens("1.2.3.4 1.2.3.4/32 1.2.3.4 / 32 255.255.255.255",
		     "IPV4_ADDR(1.2.3.4) IPV4_CIDR(1.2.3.4/32) IPV4_ADDR(1.2.3.4) PATH(/) NUMBER(32) "
		     "IPV4_ADDR(255.255.255.255)");
	check_tokens("1.2 1. 1.2.3.4.5 1234.1.1.1", "VERSION(1.2) VERSION(1.) VERSION(1.2.3.4.5) VERSION(1234.1.1.1)");
	check_tokens(":: ::1 fe80:: fe80::/10 ::ffff:1.2.3.4", "IPV6_ADDR(::) IPV6_ADDR(::1) IPV6_ADDR(fe80::) "
							       "IPV6_CIDR(fe80::/10) IPV6_ADDR(::ffff:1.2.3.4)");
	check_tokens("ace:bad:face ace : bad : face_t a:b u:r:t",
		     "IPV6_ADDR(ace:bad:face) IDENTIFIER(ace) : IDENTIFIER(bad) : IDENTIFIER(face_t) "
		     "IDENTIFIER(a) : IDENTIFIER(b) IDENTIFIER(u) : IDENTIFIER(r) : IDENTIFIER(t)");
	check_tokens("ace:bad:face_t", "?"); /* the parser says more */
}

static void test_numbers(void)
{
	check_tokens(
		"0 00 010 0777 10 0x0 0xffffffff 0xABCDEF",
		"NUMBER(0) NUMBER(0) NUMBER(8) NUMBER(511) NUMBER(10) NUMBER(0) NUMBER(4294967295) NUMBER(11259375)");
	check_tokens("80-90 18446744073709551615 0xffffffffffffffff",
		     "NUMBER(80) - NUMBER(90) NUMBER(18446744073709551615) NUMBER(18446744073709551615)");
	check_errors("08 1", "NUMBER(0) NUMBER(1)",
		     "0 bad-number: `08` starts with 0 and so is octal, which has no digit 8\n");
	check_errors("18446744073709551616;", "NUMBER(0) ;", "0 number-too-large: number does not fit 64 bits\n");
	check_errors("0x10000000000000000", "NUMBER(0)", "0 number-too-large: number does not fit 64 bits\n");
}

static void test_blank(void)
{
	check_tokens("", "");
	check_tokens("\n \t\f\n", "");
	check_tokens("# comment", "");
	check_tokens("#", "");
	check_tokens("a#b\nc#\n#\n#d", "IDENTIFIER(a) IDENTIFIER(c)");
	check_tokens("#line 3 \"x\"\na #line 4\n#line 5 \"y\" trailing\nb", "IDENTIFIER(a) IDENTIFIER(b)");
	check_tokens("a # \xe2\x80\x93 \xff \r\nb", "IDENTIFIER(a) IDENTIFIER(b)");
}

static void test_bad_bytes(void)
{
	check_errors("a @@ b", "IDENTIFIER(a) IDENTIFIER(b)", "2 unrecognized-character: unrecognized character `@`\n");
	check_errors("'a'\n'b'", "IDENTIFIER(a) IDENTIFIER(b)",
		     "0 unrecognized-character: unrecognized character `'`\n"
		     "4 unrecognized-character: unrecognized character `'`\n");
	check_errors("\xe2\x80\x9c"
		     "a\xe2\x80\x9d",
		     "IDENTIFIER(a)", "0 unrecognized-character: unrecognized character U+201C, a typographic quote\n");
	check_errors("\xef\xbb\xbf"
		     "a",
		     "IDENTIFIER(a)", "0 unrecognized-character: unrecognized character U+FEFF, a byte order mark\n");
	check_errors("a\xff", "IDENTIFIER(a)", "1 unrecognized-character: unrecognized byte 0xFF\n");
	check_errors("a\xe2\x80", "IDENTIFIER(a)", "1 unrecognized-character: unrecognized byte 0xE2\n");
	check_errors("\x01", "", "0 unrecognized-character: unrecognized character U+0001\n");
	check_errors("a\vb", "IDENTIFIER(a) IDENTIFIER(b)",
		     "1 unrecognized-character: unrecognized character U+000B\n");
	check_errors("a & b", "IDENTIFIER(a) AND IDENTIFIER(b)",
		     "2 unrecognized-character: unrecognized character `&`: the operator is `&&`\n");
	check_errors("?", "", "0 unrecognized-character: unrecognized character `?`\n");
	check_errors("_a", "IDENTIFIER(a)", "0 unrecognized-character: unrecognized character `_`\n");
}

static void test_quotes(void)
{
	check_errors("\"\" a", "FILENAME() IDENTIFIER(a)",
		     "0 bad-file-name: a quoted file name has one character or more\n");
	check_errors("\"a/b\"", "FILENAME(a/b)",
		     "0 bad-file-name: a quoted file name contains no `/`, and a quoted path starts with one\n");
	check_errors("\"a; b", "FILENAME(\"a) ; IDENTIFIER(b)",
		     "0 bad-file-name: a quoted file name ends on its own line\n");
	check_errors("\";", "FILENAME(\") ;", "0 bad-file-name: a quoted file name ends on its own line\n");
}

static void test_carriage_returns(void)
{
	check_errors("a\r\nb\r\n\r\nc\r\n", "IDENTIFIER(a) IDENTIFIER(b) IDENTIFIER(c)",
		     "1 unrecognized-character: the file has CRLF line ends\n");
	check_errors("a\rb\rc", "IDENTIFIER(a) IDENTIFIER(b) IDENTIFIER(c)",
		     "1 unrecognized-character: unrecognized character U+000D\n");
	check_errors("/a\r\nb", "PATH(/a) IDENTIFIER(b)", "2 unrecognized-character: the file has CRLF line ends\n");
}

/* Every pair of bytes, in front of a name: the scan ends, the text is whole. */
static void test_all_bytes(void)
{
	struct scan s;
	char text[] = "??a?? ";

	scan_begin(&s);
	for (int first = 1; first < 256; first++) {
		for (int second = 1; second < 256; second += 2) {
			text[0] = text[3] = (char)first;
			text[1] = text[4] = (char)second;
			scan_text(&s, text, strlen(text));
			sources_free(&s.sources);
		}
	}
	scan_end(&s);
}

/* Upstream's limits on lines and tokens are none here. */
static void test_long_tokens(void)
{
	enum { LONG = 100000 };
	char *text = mem_alloc(LONG + 3);
	struct scan s;

	memset(text, 'x', LONG);
	memcpy(text + LONG, " ;", 3);
	scan_begin(&s);
	scan_text(&s, text, LONG + 2);
	CU_ASSERT_EQUAL(s.diags.errors, 0);
	CU_ASSERT_EQUAL(atom_len(&s.atoms, s.atoms.n - 1), LONG);
	text[0] = '#';
	scan_text(&s, text, LONG + 2);
	CU_ASSERT_STRING_EQUAL(s.shown, "");
	scan_end(&s);
	free(text);
}

static void test_locations(void)
{
	struct scan s;
	const struct source *source;
	struct lexer *lexer;
	union token_value value;
	struct loc loc;

	scan_begin(&s);
	sources_add(&s.sources, "first", "12345", 5, &s.diags);
	source = sources_add(&s.sources, "second", "  allow\n\"f\" ", 12, &s.diags);
	CU_ASSERT_PTR_NOT_NULL_FATAL(source);
	lexer = lexer_new(source, &s.atoms, &s.diags);
	CU_ASSERT_EQUAL(lexer_next(lexer, &value, &loc), TOKEN_ALLOW);
	CU_ASSERT_EQUAL(loc.begin, source->base + 2);
	CU_ASSERT_EQUAL(loc.end, source->base + 7);
	CU_ASSERT_EQUAL(lexer_next(lexer, &value, &loc), TOKEN_FILENAME);
	CU_ASSERT_EQUAL(loc.begin, source->base + 8);
	CU_ASSERT_EQUAL(loc.end, source->base + 11);
	CU_ASSERT_STRING_EQUAL(atom_text(&s.atoms, value.atom), "f");
	lexer_free(lexer); /* in the middle: the text is whole again */
	CU_ASSERT_EQUAL(memcmp(source->text, "  allow\n\"f\" ", 12), 0);
	lexer_free(NULL);
	scan_end(&s);
}

void suite_lexer(void)
{
	CU_pSuite suite = CU_add_suite("lexer", NULL, NULL);

	CU_add_test(suite, "keywords", test_keywords);
	CU_add_test(suite, "names", test_names);
	CU_add_test(suite, "paths", test_paths);
	CU_add_test(suite, "addresses", test_addresses);
	CU_add_test(suite, "numbers", test_numbers);
	CU_add_test(suite, "blank", test_blank);
	CU_add_test(suite, "bad bytes", test_bad_bytes);
	CU_add_test(suite, "quotes", test_quotes);
	CU_add_test(suite, "carriage returns", test_carriage_returns);
	CU_add_test(suite, "all bytes", test_all_bytes);
	CU_add_test(suite, "long tokens", test_long_tokens);
	CU_add_test(suite, "locations", test_locations);
}
