/* Lines of label files, and what is told of expressions without matching them. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include <CUnit/CUnit.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/source.h"
#include "validator/constraint_possible.h"
#include "validator/fc.h"
#include "validator/fc_paths.h"
#include "validator/lines.h"
#include "validator/overlap.h"
#include "validator/regex.h"

void suite_files(void);

static struct sources sources;
static struct diags diags;

static int tear_down(void)
{
	sources_free(&sources);
	diags_free(&diags);
	return 0;
}

/* ---- lines ---- */

static const struct source *text(const char *bytes)
{
	return sources_add(&sources, "text", bytes, strlen(bytes), &diags);
}

static void expect_span(struct span span, const char *want, uint32_t offset)
{
	CU_ASSERT(span_is(span, want));
	CU_ASSERT_EQUAL(span.loc.begin, offset);
	CU_ASSERT_EQUAL(span.loc.end, offset + strlen(want));
}

static void test_lines(void)
{
	const struct source *source = text("one\n\n two \r\nthree");
	uint32_t base = source->base;
	struct lines lines;
	struct span line;

	lines_begin(&lines, source);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	expect_span(line, "one", base);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	expect_span(line, "", base + 4);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	expect_span(line, " two \r", base + 5);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	expect_span(line, "three", base + 12);
	CU_ASSERT(!lines_next(&lines, &line));
	CU_ASSERT(!lines_next(&lines, &line));
}

/* Lines go on where they were when a further file is loaded. */
static void test_lines_while_loading(void)
{
	const struct source *source = text("a\nb\n");
	uint32_t base = source->base;
	struct lines lines;
	struct span line;

	lines_begin(&lines, source);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	for (int i = 0; i < 40; i++)
		text("more");
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	expect_span(line, "b", base + 2);
	CU_ASSERT(!lines_next(&lines, &line));
}

static void test_comments(void)
{
	struct lines lines;
	struct span line;

	lines_begin(&lines, text("# a\n\t # b\n \t\r\n\n\tx # y\n#"));
	CU_ASSERT_FATAL(lines_next_words(&lines, &line));
	CU_ASSERT(span_is(line, "\tx # y"));
	CU_ASSERT(!lines_next_words(&lines, &line));
	lines_begin(&lines, text(""));
	CU_ASSERT(!lines_next_words(&lines, &line));
}

static void test_words(void)
{
	const struct source *source = text("\v/a\f\t--\r c  d \r\n");
	struct span words[3];
	struct lines lines;
	struct span line;

	lines_begin(&lines, source);
	CU_ASSERT_FATAL(lines_next(&lines, &line));
	CU_ASSERT_EQUAL(line_words(&line, words, 3), 3);
	expect_span(words[0], "/a", source->base + 1);
	expect_span(words[1], "--", source->base + 5);
	expect_span(words[2], "c", source->base + 9);
	expect_span(line, "d", source->base + 12);
	CU_ASSERT_EQUAL(line_words(&line, words, 3), 1);
	CU_ASSERT_EQUAL(line_words(&line, words, 3), 0);
	CU_ASSERT_EQUAL(line.len, 0);
}

static void test_ascii(void)
{
	CU_ASSERT_EQUAL(span_ascii((struct span){"abc", 3, LOC_NONE}), 3);
	CU_ASSERT_EQUAL(span_ascii((struct span){"a\xc3\xa4", 3, LOC_NONE}), 1);
	CU_ASSERT_EQUAL(span_ascii((struct span){"", 0, LOC_NONE}), 0);
}

/* ---- expressions ---- */

static bool compiles(const char *regex, uint32_t len)
{
	size_t offset;
	int error;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)regex, len, PCRE2_DOTALL, &error, &offset, NULL);

	pcre2_code_free(code);
	return code != NULL;
}

static const char *const plain[] = {
	"/", "/.*", "/a(/.*)?", "/a\\.b", "/[a-z0-9_]+", "/[^/]+", "/(a|b(c|d)*)?x", "/[-a]", "/[a-]", "/a\\-b", "(/a)+", "()", "/a||b",
	"/[a.*?]", "/[,.:]", "/[^:]",
};
static const char *const not_plain[] = {
	"*", "/a**", "/a++", "/a*?", "(", ")", "/a)", "(/a", "/[", "/[]", "/[]a]", "/[z-a]", "/[:a:]", "/[.a.]", "/[=a=]", "/[a-z-9]", "/[[:alpha:]]", "/[\\d]", "/a\\", "/\\d",
	"/(?:a)", "(*UTF)a", "/a{2}", "/a{", "^/a", "/a$", "|*", "(*", "/\xc3\xa4", "/[a-\xff]",
};

static void test_plain(void)
{
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		CU_ASSERT(regex_plain(plain[i], (uint32_t)strlen(plain[i])));
		CU_ASSERT(compiles(plain[i], (uint32_t)strlen(plain[i])));
	}
	for (size_t i = 0; i < sizeof not_plain / sizeof *not_plain; i++)
		CU_ASSERT(!regex_plain(not_plain[i], (uint32_t)strlen(not_plain[i])));
}

/* What is called plain compiles, whatever the bytes. */
static void test_plain_random(void)
{
	static const char bytes[] = "//aazZ09.*+?()[]|\\-^$,_{}:# \x80=";
	const char *seed_text = getenv("SEED");
	uint64_t state = seed_text ? strtoull(seed_text, NULL, 0) : 20260101;
	uint32_t good = 0;

	for (int round = 0; round < 300000; round++) {
		char regex[16];
		uint32_t len;

		state = state * 6364136223846793005u + 1442695040888963407u;
		len = 1 + (uint32_t)(state >> 59) % 14;
		for (uint32_t i = 0; i < len; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			regex[i] = bytes[(state >> 33) % (sizeof bytes - 1)];
		}
		if (!regex_plain(regex, len))
			continue;
		good++;
		if (compiles(regex, len))
			continue;
		printf("\nplain, and does not compile: `%.*s` (seed %s)\n", (int)len, regex, seed_text ? seed_text : "20260101");
		CU_FAIL("see above");
		return;
	}
	CU_ASSERT(good > 10000);
}

static void expect_fixed(const char *regex, const char *fixed, bool literal)
{
	struct arena arena = {0};
	struct fc_entry entry = {.regex = {regex, (uint32_t)strlen(regex), LOC_NONE}};

	fc_regex_fixed(&arena, &entry);
	if (entry.fixed_len != strlen(fixed) || memcmp(entry.fixed, fixed, entry.fixed_len) || entry.literal != literal) {
		printf("\n`%s`: fixed `%.*s`, literal %d\n", regex, (int)entry.fixed_len, entry.fixed, entry.literal);
		CU_FAIL("see above");
	}
	arena_free(&arena);
}

static void test_fixed(void)
{
	expect_fixed("/srv/app", "/srv/app", true);
	expect_fixed("/srv/app\\.conf", "/srv/app.conf", true);
	expect_fixed("/srv/a\\-b\\_c", "/srv/a-b_c", true);
	expect_fixed("/srv/app.conf", "/srv/app", false);
	expect_fixed("/srv/app(/.*)?", "/srv/app", false);
	expect_fixed("/srv/apps?", "/srv/app", false);
	expect_fixed("/srv/apps*", "/srv/app", false);
	expect_fixed("/srv/apps{0,1}", "/srv/app", false);
	expect_fixed("/srv/app\\.?", "/srv/app", false);
	expect_fixed("/srv/apps+", "/srv/apps", false);
	expect_fixed("/srv/\\d", "/srv/", false);
	expect_fixed("/srv/a\\", "/srv/a", false);
	expect_fixed("(/srv)?/a", "", false);
	expect_fixed("/a|/b", "", false);
	expect_fixed("/a[|]b", "/a", false);
	expect_fixed("/a[]|]b", "/a", false);
	expect_fixed("/a[[:alpha:]|]b", "/a", false);
	expect_fixed("/a(b|c)", "/a", false);
	expect_fixed("/a\\Q[\\E|/b", "", false);
	expect_fixed("/a(?#()|/b", "", false);
	expect_fixed("/a(?:b)", "/a", false);
}

static void test_matches(void)
{
	struct label_run run = {.diags = &diags};
	struct span span = {"/a(/.*)?", 8, LOC_NONE}, broken = {"/[", 2, LOC_NONE};
	struct regex *regex = regex_new(&run, span);

	CU_ASSERT_FATAL(regex != NULL);
	CU_ASSERT(regex_matches(regex, "/a", 2));
	CU_ASSERT(regex_matches(regex, "/a/b\nc", 6));
	CU_ASSERT(!regex_matches(regex, "/ab", 3));
	CU_ASSERT(!regex_matches(regex, "/x/a", 4));
	regex_free(regex);
	CU_ASSERT_EQUAL(diags.errors, 0);
	CU_ASSERT(!regex_new(&run, broken));
	CU_ASSERT_EQUAL(diags.errors, 1);
}

/* ---- two expressions ---- */

static struct span span_of(const char *text)
{
	return (struct span){text, (uint32_t)strlen(text), LOC_NONE};
}

static void expect_overlap(const char *a, const char *b, const char *want)
{
	struct positions left, right;
	char path[OVERLAP_PATH] = "";

	CU_ASSERT_FATAL(positions_of(span_of(a), &left) && positions_of(span_of(b), &right));
	CU_ASSERT_EQUAL(overlap_find(&left, &right, path), want != NULL);
	CU_ASSERT_STRING_EQUAL(path, want ? want : "");
}

static void test_overlap(void)
{
	struct positions positions;
	char many[OVERLAP_POSITIONS + 2];

	expect_overlap("/opt/[^/]+/bin(/.*)?", "/opt/tool/.*", "/opt/tool/bin");
	expect_overlap("/a(/.*)?", "/b(/.*)?", NULL);
	expect_overlap("/a(b|c)*d", "/ac+d", "/acd");
	expect_overlap("/a?", "/b?", "/");
	expect_overlap("/[a-f]+", "/[e-z]", "/e");
	expect_overlap("/[^a]", "/[ab]", "/b");
	expect_overlap("/x\\.y", "/x.y", "/x.y");
	expect_overlap("(/a)+", "/a/a/a", "/a/a/a");
	CU_ASSERT(!positions_of(span_of("/a{2}"), &positions));
	memset(many, 'a', sizeof many - 1);
	many[sizeof many - 1] = '\0';
	CU_ASSERT(!positions_of(span_of(many), &positions));
}

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

static void random_regex(char *ret, uint32_t depth)
{
	static const char *const atoms[] = {"a", "b", "/", ".", "[ab]", "[^a]", "[/b]"};
	uint32_t n = 1 + random_below(3);

	for (uint32_t i = 0; i < n; i++) {
		if (depth < 2 && !random_below(4)) {
			char inner[200] = "";

			random_regex(inner, depth + 1);
			sprintf(ret + strlen(ret), "(%s)", inner);
		} else {
			strcat(ret, atoms[random_below(sizeof atoms / sizeof *atoms)]);
		}
		strcat(ret, (const char *const[]){"", "", "", "*", "+", "?"}[random_below(6)]);
		if (depth && i + 1 < n && !random_below(3))
			strcat(ret, "|");
	}
}

/* Some text of up to four bytes that both match. */
static bool have_short_text(const struct regex *a, const struct regex *b)
{
	for (uint32_t len = 0, count = 1; len <= 4; len++, count *= 3) {
		for (uint32_t i = 0; i < count; i++) {
			char text[5];
			uint32_t rest = i;

			for (uint32_t j = 0; j < len; j++, rest /= 3)
				text[j] = "ab/"[rest % 3];
			if (regex_matches(a, text, len) && regex_matches(b, text, len))
				return true;
		}
	}
	return false;
}

/* A path that is found matches both, as PCRE2 sees it, and what has a short one is found. */
static void test_overlap_random(void)
{
	const char *seed = getenv("SEED");
	struct label_run run = {.diags = &diags};

	random_state = seed ? strtoull(seed, NULL, 0) : 20260102;
	for (int round = 0; round < 2000; round++) {
		char a[1000] = "", b[1000] = "", path[OVERLAP_PATH];
		struct positions left, right;
		struct regex *x, *y;
		bool found, good;

		random_regex(a, 0);
		random_regex(b, 0);
		if (!positions_of(span_of(a), &left) || !positions_of(span_of(b), &right))
			continue;
		found = overlap_find(&left, &right, path);
		x = regex_new(&run, span_of(a));
		y = regex_new(&run, span_of(b));
		good = found ? regex_matches(x, path, strlen(path)) && regex_matches(y, path, strlen(path)) : !have_short_text(x, y);
		regex_free(x);
		regex_free(y);
		if (good)
			continue;
		printf("\n`%s` and `%s`: %s (seed %s)\n", a, b, found ? path : "no path", seed ? seed : "20260102");
		CU_FAIL("see above");
		return;
	}
}

/* ---- paths ---- */

static void test_paths(void)
{
	struct fc_paths paths;

	fc_paths_init(&paths);
	CU_ASSERT_EQUAL(fc_paths_find(&paths, "", 0), 0);
	CU_ASSERT_EQUAL(fc_paths_find(&paths, "/a", 2), 0);
	*fc_paths_add(&paths, "/a", 2) = 7;
	*fc_paths_add(&paths, "", 0) = 8;
	CU_ASSERT_EQUAL(fc_paths_find(&paths, "/abc", 2), 7);
	CU_ASSERT_EQUAL(fc_paths_find(&paths, "", 0), 8);
	CU_ASSERT_EQUAL(fc_paths_find(&paths, "/abc", 3), 0);
	fc_paths_free(&paths);

	CU_ASSERT_EQUAL(path_parent("/a/bc", 5), 2);
	CU_ASSERT_EQUAL(path_parent("/a/", 3), 2);
	CU_ASSERT_EQUAL(path_parent("/a", 2), 0);
	CU_ASSERT_EQUAL(path_parent("a", 1), 0);
	CU_ASSERT_EQUAL(path_parent("", 0), 0);
}

/* ---- constraints of which parts are known ---- */

/* l2 == h2, t1 == 1: unknown, true, false. */
static struct policy_cexpr l2h2 = {.kind = CEXPR_ATTR, .attr = CEXPR_L2H2, .op = CEXPR_EQ};
static struct policy_cexpr t1 = {.kind = CEXPR_NAMES, .attr = CEXPR_TYPE, .op = CEXPR_EQ};

static bool possible(const struct policy_cexpr *expr, uint32_t n, uint32_t source_type, bool range)
{
	struct policy policy = {0};
	const struct policy_context source = {.type = source_type};
	struct policy_context target = {.type = 1, .range = {.low = {.sens = 1}, .high = {.sens = range ? 2 : 1}}};
	const struct partial_context s = {&source, source_type ? KNOWN_TYPE : 0}, t = {&target, KNOWN_ALL};
	struct policy_constraint c = {.expr = (struct policy_cexpr *)expr, .nexpr = n};

	return constraint_possible(&policy, &c, &s, &t, NULL);
}

static void test_possible(void)
{
	const struct policy_cexpr not = {.kind = CEXPR_NOT}, and = {.kind = CEXPR_AND}, or = {.kind = CEXPR_OR};

	ebitmap_set(&t1.names, 0);
	CU_ASSERT(possible(&l2h2, 1, 0, false));
	CU_ASSERT(!possible(&l2h2, 1, 0, true));
	CU_ASSERT(possible(&t1, 1, 0, true));
	CU_ASSERT(possible(&t1, 1, 1, true));
	CU_ASSERT(!possible(&t1, 1, 2, true));
	CU_ASSERT(possible((struct policy_cexpr[]){l2h2, t1, or}, 3, 0, true));
	CU_ASSERT(!possible((struct policy_cexpr[]){l2h2, t1, or}, 3, 2, true));
	CU_ASSERT(!possible((struct policy_cexpr[]){l2h2, t1, and}, 3, 0, true));
	CU_ASSERT(possible((struct policy_cexpr[]){l2h2, t1, and}, 3, 0, false));
	CU_ASSERT(possible((struct policy_cexpr[]){l2h2, not}, 2, 0, true));
	CU_ASSERT(!possible((struct policy_cexpr[]){l2h2, not}, 2, 0, false));
	CU_ASSERT(possible((struct policy_cexpr[]){t1, not}, 2, 0, true));
	ebitmap_free(&t1.names);
}

void suite_files(void)
{
	CU_pSuite suite = CU_add_suite("files", NULL, tear_down);

	CU_add_test(suite, "lines", test_lines);
	CU_add_test(suite, "lines while files are loaded", test_lines_while_loading);
	CU_add_test(suite, "comments", test_comments);
	CU_add_test(suite, "words", test_words);
	CU_add_test(suite, "bytes outside of ASCII", test_ascii);
	CU_add_test(suite, "plain expressions", test_plain);
	CU_add_test(suite, "plain expressions, random", test_plain_random);
	CU_add_test(suite, "what is fixed in an expression", test_fixed);
	CU_add_test(suite, "matching", test_matches);
	CU_add_test(suite, "paths of two expressions", test_overlap);
	CU_add_test(suite, "paths of two expressions, random", test_overlap_random);
	CU_add_test(suite, "paths", test_paths);
	CU_add_test(suite, "constraints of which parts are known", test_possible);
}
