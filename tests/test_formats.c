/* base/: levels that the user sets, and findings as text in colour, JSON, SARIF
 * and JUnit.  Whether these are valid is for tests/formats.py. */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/source.h"
#include "checks/checks.h"
#include "tests/suites.h"

struct bed {
	struct sources sources;
	struct diags diags;
	char *printed;
};

static void bed_init(struct bed *bed, const char *path, const char *text, size_t n)
{
	memset(bed, 0, sizeof *bed);
	sources_add(&bed->sources, path, text, n, &bed->diags);
}

static void bed_free(struct bed *bed)
{
	free(bed->printed);
	sources_free(&bed->sources);
	diags_free(&bed->diags);
}

static struct check only_check(uint32_t i)
{
	CU_ASSERT_EQUAL(i, 0);
	return (struct check){
		.name = "c", .level = CHECK_ERROR, .summary = "A thing", .text = "It is {one}.\n", .bad = "bad;\n", .good = "good;\n",
	};
}

static const char *print(struct bed *bed, enum diag_format format, bool colour)
{
	static const char *const inputs[] = {"p.conf", "a&b"};
	const struct diag_style style = {format, colour, "prog", 2, {only_check, 1}, inputs, 2};
	size_t size;
	FILE *out;

	free(bed->printed);
	out = open_memstream(&bed->printed, &size);
	diags_write(&bed->diags, &bed->sources, &style, out);
	fclose(out);
	return bed->printed;
}

static bool prints(struct bed *bed, enum diag_format format, bool colour, const char *expected)
{
	bool good = !strcmp(print(bed, format, colour), expected);

	if (!good)
		fprintf(stderr, "expected:\n%s\nprinted:\n%s\n", expected, bed->printed);
	return good;
}

/* ---- levels ---- */

static void test_levels(void)
{
	struct diags diags = {0};

	diags_set(&diags, "loud", DIAG_ERROR);
	diags_set(&diags, "quiet", DIAG_SILENT);
	diags_set(&diags, "kept", DIAG_WARNING);
	diags_set(&diags, "weak", DIAG_DEMOTED);
	diags_set(&diags, "back", DIAG_SILENT);
	diags_set(&diags, "back", DIAG_DEFAULT);
	diags.werror = true;
	diag_warning(&diags, "loud", LOC_NONE, "1");
	diag_warning(&diags, "quiet", LOC_NONE, "2");
	diag_note(&diags, LOC_NONE, "of 2");
	CU_ASSERT_EQUAL(diag_last(&diags), DIAG_NONE);
	diag_source_warning(&diags, "kept", LOC_NONE, "3");
	diag_error(&diags, "weak", LOC_NONE, "4");
	diag_error(&diags, "quiet", LOC_NONE, "5"); /* errors are never silent */
	diag_warning(&diags, "back", LOC_NONE, "6");
	diag_source_warning(&diags, "other", LOC_NONE, "7");
	diag_remark(&diags, "other", LOC_NONE, "8");
	diag_remark(&diags, "quiet", LOC_NONE, "9");
	diag_remark(&diags, "kept", LOC_NONE, "10");
	diag_remark(&diags, "loud", LOC_NONE, "11");
	CU_ASSERT_EQUAL(diags.errors, 4);
	CU_ASSERT_EQUAL(diags.promoted, 3);
	CU_ASSERT_EQUAL(diags.warnings, 3);
	CU_ASSERT_EQUAL(diags.remarks, 2);
	CU_ASSERT_EQUAL(diags.list.n, 9);
	CU_ASSERT_EQUAL(diags.list.at[0].severity, SEV_ERROR);
	CU_ASSERT_EQUAL(diags.list.at[1].severity, SEV_WARNING);
	CU_ASSERT_EQUAL(diags.list.at[2].severity, SEV_WARNING);
	CU_ASSERT_TRUE(diag_demoted(&diags, "weak"));
	CU_ASSERT_FALSE(diag_demoted(&diags, "loud"));
	CU_ASSERT_FALSE(diag_demoted(&diags, "none"));
	diags_free(&diags);
}

static void test_again(void)
{
	struct diags diags = {0};
	uint32_t first;

	CU_ASSERT_EQUAL(diag_last(&diags), DIAG_NONE);
	diag_error(&diags, "a", LOC_NONE, "a");
	diag_note(&diags, LOC_NONE, "of a");
	first = diag_last(&diags);
	diag_error(&diags, "b", LOC_NONE, "b");
	CU_ASSERT_EQUAL(diag_last(&diags), 2);
	diag_again(&diags, first, 2);
	diag_again(&diags, first, 1);
	diag_again(&diags, DIAG_NONE, 1);
	CU_ASSERT_EQUAL(diags.list.at[0].again, 3);
	CU_ASSERT_EQUAL(diags.list.at[2].again, 0);
	diags_free(&diags);
}

/* ---- formats ---- */

static const char marked[] = "#line 7 \"a b.te\"\n\xc3\xa4x {y} \xff z\n";

static void fill(struct bed *bed)
{
	bed_init(bed, "/p/all.conf", marked, sizeof marked - 1);
	diag_error(&bed->diags, "c", (struct loc){21, 24}, "no {%s}", "y");
	diag_note(&bed->diags, (struct loc){17, 20}, "here");
	diag_note(&bed->diags, LOC_NONE, "why");
	diag_hint(&bed->diags, "write `x`");
	diag_again(&bed->diags, 0, 3);
	diag_warning(&bed->diags, "w", LOC_NONE, "a\x01");
}

static void test_colour(void)
{
	struct bed bed;

	fill(&bed);
	CU_ASSERT_TRUE(prints(&bed, DIAG_TEXT, true,
		"prog: \033[1;35mwarning:\033[0m a\\x01 [w]\n"
		"\033[1ma b.te:7:5:\033[0m \033[1;31merror:\033[0m no {y} [c]\n"
		"    7 | \xc3\xa4x {y} \\xff z\n"
		"      |    \033[1;32m^~~\033[0m\n"
		"      = in /p/all.conf:2\n"
		"\033[1ma b.te:7:1:\033[0m \033[1;36mnote:\033[0m here\n"
		"    7 | \xc3\xa4x {y} \\xff z\n"
		"      | \033[1;32m^~\033[0m\n"
		"      = in /p/all.conf:2\n"
		"    \033[1;36mnote:\033[0m why\n"
		"    \033[1;36mhint:\033[0m write `x`\n"
		"    \033[1;36mnote:\033[0m and 3 more uses\n"
		"prog: 1 error, 1 warning\n"));
	bed_free(&bed);
}

static void test_json(void)
{
	struct bed bed;

	fill(&bed);
	CU_ASSERT_TRUE(prints(&bed, DIAG_JSON, true,
		"{\"level\":\"warning\",\"check\":\"w\",\"message\":\"a\\\\x01\",\"notes\":[],\"hints\":[],\"moreUses\":0}\n"
		"{\"level\":\"error\",\"check\":\"c\",\"message\":\"no {y}\",\"file\":\"a b.te\",\"line\":7,\"column\":5,\"endColumn\":8,"
		"\"source\":\"\xc3\xa4x {y} \\\\xff z\",\"generated\":{\"file\":\"/p/all.conf\",\"line\":2},\"notes\":["
		"{\"message\":\"here\",\"file\":\"a b.te\",\"line\":7,\"column\":1,\"endColumn\":4,\"source\":\"\xc3\xa4x {y} \\\\xff z\","
		"\"generated\":{\"file\":\"/p/all.conf\",\"line\":2}},{\"message\":\"why\"}],\"hints\":[\"write `x`\"],\"moreUses\":3}\n"
		"{\"summary\":{\"errors\":1,\"warnings\":1,\"errorsNotShown\":0,\"warningsNotShown\":0}}\n"));
	bed_free(&bed);
}

static void test_json_limit(void)
{
	struct bed bed;

	bed_init(&bed, "p", "", 0);
	CU_ASSERT_TRUE(prints(&bed, DIAG_JSON, false,
		"{\"summary\":{\"errors\":0,\"warnings\":0,\"errorsNotShown\":0,\"warningsNotShown\":0}}\n"));
	for (int i = 0; i < 5; i++)
		diag_error(&bed.diags, "c", LOC_NONE, "%d", i);
	CU_ASSERT_PTR_NOT_NULL(strstr(print(&bed, DIAG_JSON, false),
		"\"message\":\"1\",\"notes\":[],\"hints\":[],\"moreUses\":0}\n"
		"{\"summary\":{\"errors\":5,\"warnings\":0,\"errorsNotShown\":3,\"warningsNotShown\":0}}\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(print(&bed, DIAG_SARIF, false), "3 more errors not shown"));
	bed_free(&bed);
}

/* The value at a path such as "runs/0/results". */
static json_t *at(json_t *value, const char *path)
{
	char key[64];

	while (value && *path) {
		size_t len = strcspn(path, "/");

		snprintf(key, sizeof key, "%.*s", (int)len, path);
		value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(key, NULL, 10)) : json_object_get(value, key);
		path += len + (path[len] == '/');
	}
	return value;
}

static bool is_text(json_t *log, const char *path, const char *expected)
{
	const char *text = json_string_value(at(log, path));
	bool good = text && !strcmp(text, expected);

	if (!good)
		fprintf(stderr, "%s: %s\n", path, text ? text : "(nothing)");
	return good;
}

static bool is_number(json_t *log, const char *path, json_int_t expected)
{
	return json_is_integer(at(log, path)) && json_integer_value(at(log, path)) == expected;
}

static void test_sarif(void)
{
	struct bed bed;
	json_t *log;

	fill(&bed);
	log = json_loads(print(&bed, DIAG_SARIF, false), 0, NULL);
	CU_ASSERT_TRUE(is_text(log, "version", "2.1.0"));
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/0/message/text", "a\\x01"));
	CU_ASSERT_PTR_NULL(at(log, "runs/0/results/0/locations"));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/ruleIndex", 1));
	CU_ASSERT_TRUE(is_text(log, "runs/0/tool/driver/rules/1/id", "c"));
	CU_ASSERT_TRUE(is_text(log, "runs/0/tool/driver/rules/1/help/text", "It is {{one}}.\n\nBad:\n\nbad;\n\nGood:\n\ngood;\n"));
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/1/message/text", "no {{y}}\nnote: why\nhint: write `x`"));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/occurrenceCount", 4));
	/* The place of the mark, in characters; that in the file itself; the note and its own. */
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/1/locations/0/physicalLocation/artifactLocation/uri", "a%20b.te"));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/locations/0/physicalLocation/region/startLine", 7));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/locations/0/physicalLocation/region/startColumn", 4));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/locations/0/physicalLocation/region/endColumn", 7));
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/1/locations/0/physicalLocation/region/snippet/text", "{y}"));
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/1/relatedLocations/0/physicalLocation/artifactLocation/uri", "file:///p/all.conf"));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/relatedLocations/0/physicalLocation/region/startLine", 2));
	CU_ASSERT_TRUE(is_text(log, "runs/0/results/1/relatedLocations/1/message/text", "here"));
	CU_ASSERT_EQUAL(json_array_size(at(log, "runs/0/results/1/relatedLocations")), 3);
	json_decref(log);
	bed_free(&bed);
}

/* Ends of lines and of the text, and lines that are cut out for their length. */
static void test_sarif_ends(void)
{
	enum { LEN = 70000 };
	char *text = malloc(LEN + 4);
	struct bed bed;
	json_t *log;

	memset(text, 'x', LEN);
	memcpy(text + LEN, "\nab", 4);
	bed_init(&bed, "p", text, LEN + 3);
	diag_error(&bed.diags, "c", (struct loc){LEN - 1, LEN + 2}, "far");
	diag_error(&bed.diags, "c", (struct loc){LEN + 3, LEN + 3}, "end");
	log = json_loads(print(&bed, DIAG_SARIF, false), 0, NULL);
	CU_ASSERT_PTR_NULL(at(log, "runs/0/results/0/locations/0/physicalLocation/region/startColumn"));
	CU_ASSERT_PTR_NULL(at(log, "runs/0/results/0/locations/0/physicalLocation/contextRegion"));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/locations/0/physicalLocation/region/startColumn", 3));
	CU_ASSERT_TRUE(is_number(log, "runs/0/results/1/locations/0/physicalLocation/region/endColumn", 3));
	json_decref(log);
	bed_free(&bed);
	free(text);
}

/* ---- registry ---- */

/* An error with notes, a warning about no place, what XML cannot hold, an error
 * over the limit, and an input with nothing. */
static void test_junit(void)
{
	struct bed bed;

	bed_init(&bed, "p.conf", "one\ntwo\n", 8);
	diag_error(&bed.diags, "c", (struct loc){4, 7}, "`two` <\"\x01\xff\xef\xbf\xbf\">");
	diag_note(&bed.diags, (struct loc){0, 3}, "first");
	diag_hint(&bed.diags, "write 1");
	diag_warning(&bed.diags, "c", LOC_NONE, "a doubt");
	diag_error(&bed.diags, "c", (struct loc){5, 6}, "another");
	diag_error(&bed.diags, "c", (struct loc){6, 7}, "one more");
	CU_ASSERT_TRUE(prints(&bed, DIAG_JUNIT, false,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"prog\" tests=\"5\" failures=\"3\" errors=\"0\">\n"
		"  <testsuite name=\"a&amp;b\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
		"    <testcase classname=\"a&amp;b\" name=\"a&amp;b\"/>\n"
		"  </testsuite>\n"
		"  <testsuite name=\"p.conf\" tests=\"2\" failures=\"2\" errors=\"0\">\n"
		"    <testcase classname=\"p.conf\" name=\"2:1: `two` &lt;&quot;\\x01\\xff\\uffff&quot;&gt;\" file=\"p.conf\" line=\"2\">\n"
		"      <failure type=\"c\" message=\"`two` &lt;&quot;\\x01\\xff\\uffff&quot;&gt;\">"
		"p.conf:2:1: `two` &lt;&quot;\\x01\\xff\\uffff&quot;&gt;\n"
		"p.conf:1:1: note: first\n"
		"hint: write 1\n"
		"</failure>\n"
		"    </testcase>\n"
		"    <testcase classname=\"p.conf\" name=\"2:2: another\" file=\"p.conf\" line=\"2\">\n"
		"      <failure type=\"c\" message=\"another\">p.conf:2:2: another\n</failure>\n"
		"    </testcase>\n"
		"  </testsuite>\n"
		"  <testsuite name=\"prog\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
		"    <testcase classname=\"prog\" name=\"a doubt\">\n"
		"      <system-out>warning [c] a doubt\n</system-out>\n"
		"    </testcase>\n"
		"  </testsuite>\n"
		"  <testsuite name=\"not shown\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
		"    <testcase classname=\"not shown\" name=\"further errors\">\n"
		"      <failure type=\"not-shown\" message=\"1 more\"></failure>\n"
		"    </testcase>\n"
		"  </testsuite>\n"
		"</testsuites>\n"));
	bed_free(&bed);
}

static void test_registry(void)
{
	struct check_table checks = checks_all();
	struct check found;

	CU_ASSERT(checks.n > 100);
	for (uint32_t i = 0; i < checks.n; i++) {
		struct check check = checks.get(i);

		CU_ASSERT(check_find(checks, check.name, &found) && found.name == check.name);
		CU_ASSERT(check.summary[strlen(check.summary) - 1] != '.');
		CU_ASSERT(!check.bad == !check.good);
		CU_ASSERT(!check.demotable || check.level == CHECK_ERROR);
	}
	CU_ASSERT_FALSE(check_find(checks, "nope", &found));
	CU_ASSERT_FALSE(check_find((struct check_table){0}, "syntax", &found));
}

void suite_formats(void)
{
	CU_pSuite suite = CU_add_suite("formats", NULL, NULL);

	CU_add_test(suite, "levels that are set", test_levels);
	CU_add_test(suite, "further uses", test_again);
	CU_add_test(suite, "colour", test_colour);
	CU_add_test(suite, "JSON", test_json);
	CU_add_test(suite, "no findings, and too many", test_json_limit);
	CU_add_test(suite, "SARIF", test_sarif);
	CU_add_test(suite, "SARIF at the ends", test_sarif_ends);
	CU_add_test(suite, "JUnit", test_junit);
	CU_add_test(suite, "the registry", test_registry);
}
