/* base/diag: findings as they are recorded and printed. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/source.h"

void suite_diag(void);

struct bed {
	struct sources sources;
	struct diags diags;
	char *printed;
};

static void bed_init(struct bed *bed, const char *text)
{
	memset(bed, 0, sizeof *bed);
	sources_add(&bed->sources, "p.conf", text, strlen(text), &bed->diags);
}

static void bed_free(struct bed *bed)
{
	free(bed->printed);
	sources_free(&bed->sources);
	diags_free(&bed->diags);
}

static const char *print(struct bed *bed, uint32_t max_errors)
{
	size_t size;
	FILE *out;

	free(bed->printed);
	out = open_memstream(&bed->printed, &size);
	diags_print(&bed->diags, &bed->sources, "prog", max_errors, out);
	fclose(out);
	return bed->printed;
}

/* Prints what differs, which CUnit does not. */
static bool prints(struct bed *bed, uint32_t max_errors, const char *expected)
{
	bool good = !strcmp(print(bed, max_errors), expected);

	if (!good)
		fprintf(stderr, "expected:\n%s\nprinted:\n%s\n", expected, bed->printed);
	return good;
}

/* One error at a span of a text. */
static bool shows(const char *text, struct loc loc, const char *expected)
{
	struct bed bed;
	bool good;

	bed_init(&bed, text);
	diag_error(&bed.diags, "c", loc, "m");
	good = prints(&bed, 0, expected);
	bed_free(&bed);
	return good;
}

static void test_print(void)
{
	struct bed bed;

	bed_init(&bed, "class file\nallow app_t downloads_t:file write;\n");
	CU_ASSERT_TRUE(prints(&bed, 0, ""));
	diag_warning(&bed.diags, "unused-class", (struct loc){6, 10}, "class `%s` is not used", "file");
	diag_error(&bed.diags, "unknown-type", (struct loc){17, 22}, "unknown type `app_t`");
	diag_note(&bed.diags, (struct loc){0, 5}, "classes are here");
	diag_note(&bed.diags, LOC_NONE, "no type is declared");
	diag_hint(&bed.diags, "did you mean `%s`?", "app2_t");
	diag_error(&bed.diags, "file-open", LOC_NONE, "cannot open `x`");
	CU_ASSERT_TRUE(prints(&bed, 0,
		"prog: error: cannot open `x` [file-open]\n"
		"p.conf:1:7: warning: class `file` is not used [unused-class]\n"
		"    1 | class file\n"
		"      |       ^~~~\n"
		"p.conf:2:7: error: unknown type `app_t` [unknown-type]\n"
		"    2 | allow app_t downloads_t:file write;\n"
		"      |       ^~~~~\n"
		"p.conf:1:1: note: classes are here\n"
		"    1 | class file\n"
		"      | ^~~~~\n"
		"    note: no type is declared\n"
		"    hint: did you mean `app2_t`?\n"
		"prog: 2 errors, 1 warning\n"));
	bed_free(&bed);
}

static void test_print_marks(void)
{
	struct bed bed;

	bed_init(&bed, "#line 123456 \"a\033.te\"\ntype x;\n#line 4 \"p.conf\"\ntype y;");
	diag_error(&bed.diags, "c", (struct loc){26, 27}, "m");
	diag_error(&bed.diags, "c", (struct loc){51, 52}, "m"); /* in line 4 of the file, as the mark says */
	CU_ASSERT_TRUE(prints(&bed, 0,
		"a\\x1b.te:123456:6: error: m [c]\n"
		"123456 | type x;\n"
		"       |      ^\n"
		"       = in p.conf:2\n"
		"p.conf:4:6: error: m [c]\n"
		"    4 | type y;\n"
		"      |      ^\n"
		"prog: 2 errors\n"));
	bed_free(&bed);
}

static void test_print_bytes(void)
{
	/* Tabs stay, in both rows. */
	CU_ASSERT_TRUE(shows("\tx\tyy", (struct loc){3, 5},
		"p.conf:1:4: error: m [c]\n    1 | \tx\tyy\n      | \t \t^~\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("a\tb", (struct loc){0, 3},
		"p.conf:1:1: error: m [c]\n    1 | a\tb\n      | ^\t~\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("a\xff\x01z\r\nb", (struct loc){3, 4},
		"p.conf:1:4: error: m [c]\n    1 | a\\xff\\x01z\\x0d\n      |          ^\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("a\r", (struct loc){1, 2},
		"p.conf:1:2: error: m [c]\n    1 | a\\x0d\n      |  ^~~~\nprog: 1 error\n"));
	/* Valid UTF-8, a C1 control, a surrogate. */
	CU_ASSERT_TRUE(shows("\xc3\xa4 \xe2\x82\xac\xc2\x9b\xed\xa0\x80!", (struct loc){11, 12},
		"p.conf:1:12: error: m [c]\n    1 | \xc3\xa4 \xe2\x82\xac\\xc2\\x9b\\xed\\xa0\\x80!\n"
		"      |                        ^\nprog: 1 error\n"));
	/* Ends: of the line, of the text, over several lines, in a character. */
	CU_ASSERT_TRUE(shows("ab\ncd", (struct loc){2, 3},
		"p.conf:1:3: error: m [c]\n    1 | ab\n      |   ^\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("ab\n", (struct loc){3, 3},
		"p.conf:2:1: error: m [c]\n    2 |\n      | ^\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("", (struct loc){0, 1},
		"p.conf:1:1: error: m [c]\n    1 |\n      | ^\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("abc\ncd", (struct loc){1, 6},
		"p.conf:1:2: error: m [c]\n    1 | abc\n      |  ^~\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("\xe2\x82\xac", (struct loc){1, 2},
		"p.conf:1:2: error: m [c]\n    1 | \xe2\x82\xac\n      | ^\nprog: 1 error\n"));
	CU_ASSERT_TRUE(shows("a", (struct loc){900, 901}, /* no such offset: the end of the last file */
		"p.conf:1:2: error: m [c]\n    1 | a\n      |  ^\nprog: 1 error\n"));
}

static void test_print_texts(void)
{
	struct bed bed;

	bed_init(&bed, "");
	diag_error(&bed.diags, "c", LOC_NONE, "a\r\n\tb\x80");
	CU_ASSERT_TRUE(prints(&bed, 0, "prog: error: a\\x0d\\x0a\\x09b\\x80 [c]\nprog: 1 error\n"));
	bed_free(&bed);
	for (int len = 500; len < 600; len++) {
		bed_init(&bed, "");
		diag_error(&bed.diags, "c", LOC_NONE, "%0*d", len, 7);
		CU_ASSERT_EQUAL(strlen(bed.diags.list.at[0].text), (size_t)len);
		CU_ASSERT_EQUAL(bed.diags.list.at[0].text[len - 1], '7');
		bed_free(&bed);
	}
}

/* Where the caret stands must be the byte that was meant. */
static void test_print_long_lines(void)
{
	enum { LEN = 5000 };
	char *text = mem_alloc(LEN + 1);

	for (uint32_t i = 0; i < LEN; i++)
		text[i] = (char)('a' + i % 26);
	text[LEN] = '\0';
	for (uint32_t at = 0; at < LEN; at += 7) {
		struct bed bed;
		char *line, *caret, *line_end;

		bed_init(&bed, text);
		diag_error(&bed.diags, "c", (struct loc){at, at + 1000}, "m");
		print(&bed, 0);
		line = strchr(bed.printed, '\n') + 1;
		line_end = strchr(line, '\n');
		caret = strchr(line_end, '^');
		if (line_end - line > 8 + 160 || line[caret - line_end - 1] != text[at] ||
		    strchr(caret, '\n') - line_end > line_end - line + 1)
			CU_FAIL("caret or cut of a long line");
		bed_free(&bed);
	}
	text[160] = '\0';
	for (uint32_t i = 0; i < 3; i++) { /* just fits; not any more */
		struct bed bed;

		bed_init(&bed, text + (2 - i));
		diag_error(&bed.diags, "c", (struct loc){0, 1}, "m");
		CU_ASSERT_PTR_NULL(strstr(print(&bed, 0), "..."));
		bed_free(&bed);
	}
	free(text);
}

static void test_repeats_and_limits(void)
{
	struct bed bed;

	bed_init(&bed, "type a;\ntype b;\n");
	for (int i = 0; i < 3; i++) {
		diag_error(&bed.diags, "c", (struct loc){13, 14}, "second");
		diag_hint(&bed.diags, "once");
		diag_error(&bed.diags, "c", (struct loc){5, 6}, "first");
		diag_warning(&bed.diags, "c", (struct loc){5, 6}, "first");
		diag_error(&bed.diags, "d", (struct loc){5, 6}, "first");
	}
	CU_ASSERT_EQUAL(bed.diags.errors, 9);
	CU_ASSERT_TRUE(prints(&bed, 0,
		"p.conf:1:6: error: first [c]\n    1 | type a;\n      |      ^\n"
		"p.conf:1:6: warning: first [c]\n    1 | type a;\n      |      ^\n"
		"p.conf:1:6: error: first [d]\n    1 | type a;\n      |      ^\n"
		"p.conf:2:6: error: second [c]\n    2 | type b;\n      |      ^\n"
		"    hint: once\n"
		"prog: 3 errors, 1 warning\n"));
	CU_ASSERT_TRUE(prints(&bed, 1,
		"p.conf:1:6: error: first [c]\n    1 | type a;\n      |      ^\n"
		"p.conf:1:6: warning: first [c]\n    1 | type a;\n      |      ^\n"
		"prog: 3 errors, 1 warning\n"
		"prog: 2 more errors not shown\n"));
	bed_free(&bed);
}

static void test_kept(void)
{
	struct bed bed;
	uint32_t n;

	bed_init(&bed, "");
	for (uint32_t i = 0; i < DIAG_KEEP + 5; i++) {
		diag_warning(&bed.diags, "c", LOC_NONE, "w%u", i);
		diag_note(&bed.diags, LOC_NONE, "of w%u", i);
	}
	CU_ASSERT_EQUAL(bed.diags.warnings, DIAG_KEEP + 5);
	CU_ASSERT_EQUAL(bed.diags.list.n, 2 * DIAG_KEEP);
	bed.diags.werror = true;
	diag_source_warning(&bed.diags, "c", LOC_NONE, "an error behind many warnings");
	diag_hint(&bed.diags, "kept");
	n = bed.diags.list.n;
	CU_ASSERT_EQUAL(bed.diags.errors, 1);
	CU_ASSERT_EQUAL(bed.diags.list.at[n - 2].nnotes, 1);
	CU_ASSERT_EQUAL(bed.diags.list.at[n - 2].severity, SEV_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(print(&bed, 20),
		"prog: error: an error behind many warnings [c]\n    hint: kept\n"
		"prog: 1 error, 10005 warnings\n"
		"prog: 5 more warnings not shown\n"));
	for (uint32_t i = 0; i < DIAG_KEEP; i++)
		diag_error(&bed.diags, "c", LOC_NONE, "e%u", i);
	diag_note(&bed.diags, LOC_NONE, "of none that is kept");
	CU_ASSERT_EQUAL(bed.diags.list.n, n + DIAG_KEEP - 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(print(&bed, 0), "prog: 10001 errors, 10005 warnings\nprog: 1 more error not shown\n"));
	bed_free(&bed);
}

/* A note before any finding, or behind the last one of a finished list. */
static void test_note_alone(void)
{
	struct bed bed;

	bed_init(&bed, "");
	diag_note(&bed.diags, LOC_NONE, "of nothing");
	diag_hint(&bed.diags, "of nothing");
	CU_ASSERT_TRUE(prints(&bed, 0, ""));
	bed_free(&bed);
}

/* The same fault under two policies is two findings; each says under which. */
static void test_under(void)
{
	struct bed bed;

	bed_init(&bed, "x\n");
	for (int i = 0; i < 3; i++) {
		bed.diags.under = i ? "b.33" : "a.33";
		diag_error(&bed.diags, "c", (struct loc){0, 1}, "bad");
		diag_hint(&bed.diags, "mend it");
	}
	CU_ASSERT_TRUE(prints(&bed, 0,
		"p.conf:1:1: error: bad [c]\n    1 | x\n      | ^\n    note: under policy `a.33`\n    hint: mend it\n"
		"p.conf:1:1: error: bad [c]\n    1 | x\n      | ^\n    note: under policy `b.33`\n    hint: mend it\n"
		"prog: 2 errors\n"));
	bed_free(&bed);
}

static void test_move(void)
{
	struct diags more = {0};
	struct bed bed;

	bed_init(&bed, "one\ntwo\n");
	diag_error(&bed.diags, "c", (struct loc){4, 7}, "second");
	diag_warning(&more, "c", (struct loc){0, 3}, "first");
	diag_note(&more, LOC_NONE, "of first");
	diags_move(&bed.diags, &more);
	CU_ASSERT_EQUAL(more.list.n + more.errors + more.warnings, 0);
	diags_free(&more);
	CU_ASSERT_TRUE(prints(&bed, 0,
		"p.conf:1:1: warning: first [c]\n    1 | one\n      | ^~~\n    note: of first\n"
		"p.conf:2:1: error: second [c]\n    2 | two\n      | ^~~\nprog: 1 error, 1 warning\n"));
	bed_free(&bed);
}

/* Lines of a file that is not kept; bytes may be any. */
static void test_excerpt(void)
{
	const struct source *source;
	struct bed bed;

	bed_init(&bed, "");
	CU_ASSERT_PTR_NOT_NULL(sources_add_excerpt(&bed.sources, "big", 7, "seven\neight", 11));
	source = sources_add_excerpt(&bed.sources, "big", UINT32_MAX, "a\0b\n#line 3\nlast", 16);
	diag_error(&bed.diags, "c", (struct loc){source->base + 1, source->base + 2}, "a NUL");
	diag_error(&bed.diags, "c", (struct loc){source[-1].base + 6, source[-1].base + 11}, "in the next line");
	CU_ASSERT_TRUE(prints(&bed, 0,
		"big:8:1: error: in the next line [c]\n    8 | eight\n      | ^~~~~\n"
		"big:4294967295:2: error: a NUL [c]\n4294967295 | a\\x00b\n           |  ^~~~\nprog: 2 errors\n"));
	bed_free(&bed);
}

void suite_diag(void)
{
	CU_pSuite suite = CU_add_suite("diag", NULL, NULL);

	CU_add_test(suite, "printing findings", test_print);
	CU_add_test(suite, "printing behind marks", test_print_marks);
	CU_add_test(suite, "printing odd bytes of a line", test_print_bytes);
	CU_add_test(suite, "printing odd bytes of a text, and long ones", test_print_texts);
	CU_add_test(suite, "printing long lines", test_print_long_lines);
	CU_add_test(suite, "repeats and limits", test_repeats_and_limits);
	CU_add_test(suite, "findings over the limit", test_kept);
	CU_add_test(suite, "notes without a finding", test_note_alone);
	CU_add_test(suite, "findings under several policies", test_under);
	CU_add_test(suite, "findings moved", test_move);
	CU_add_test(suite, "excerpts", test_excerpt);
}
