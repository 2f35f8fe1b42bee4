/* Contexts and levels of a small policy: what is right, and every way to be
 * wrong.  tests/contexts.c asks libsepol about many more. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "ir/text.h"
#include "security/context.h"
#include "security/level.h"
#include "tests/security_fixture.h"

void suite_security(void);

static struct policy *policy, *plain; /* with MLS, and without */
static struct security *security, *plain_security;

static int set_up(void)
{
	policy = security_fixture(true);
	plain = security_fixture(false);
	if (!policy || !plain)
		return 1;
	security = security_new(policy);
	plain_security = security_new(plain);
	return 0;
}

static int tear_down(void)
{
	security_free(security);
	security_free(plain_security);
	policy_free(policy);
	policy_free(plain);
	return 0;
}

/* ---- texts that are right ---- */

static void expect_same(const char *what, const char *text, const char *got, const char *want)
{
	if (strcmp(got, want)) {
		printf("\n%s `%s`: `%s`, expected `%s`\n", what, text, got, want);
		CU_FAIL("see above");
	}
}

static void expect_canonical(const struct security *s, const char *text, const char *want)
{
	static struct context_faults faults;
	struct policy_context context = {0};
	struct buffer b = {0};

	CU_ASSERT(context_parse(s, text, strlen(text), &context, &faults));
	CU_ASSERT(context_parse(s, text, strlen(text), &context, NULL));
	CU_ASSERT(context_validate(s, &context, &faults));
	CU_ASSERT_EQUAL(faults.n, 0);
	text_context(&b, security_policy(s), &context);
	expect_same("context", text, text_of(&b), want);
	buffer_free(&b);
	policy_context_free(&context);
}

static void test_canonical(void)
{
	expect_canonical(security, "sys_u:sys_r:app_t:s0", "sys_u:sys_r:app_t:s0");
	expect_canonical(security, "sys_u:sys_r:app_t:s0-s0", "sys_u:sys_r:app_t:s0");
	expect_canonical(security, "sys_u:sys_r:old_t:Low-Top:c5,red", "sys_u:sys_r:app_t:s0-s2:c1,c5");
	expect_canonical(security, "sys_u:sys_r:app_t:s0:c1-s0:red", "sys_u:sys_r:app_t:s0:c1");
	expect_canonical(security, "sys_u:sys_r:app_t:s2:c0.c1", "sys_u:sys_r:app_t:s2:c0,c1");
	expect_canonical(security, "sys_u:sys_r:app_t:s2:c2,c1,c0", "sys_u:sys_r:app_t:s2:c0.c2");
	expect_canonical(security, "sys_u:sys_r:app_t:s2:c0.c2,c4.c5", "sys_u:sys_r:app_t:s2:c0.c2,c4,c5");
	expect_canonical(security, "staff_u:staff_r:app_t:s0:c1-s1:c1", "staff_u:staff_r:app_t:s0:c1-s1:c1");
	/* object_r has every type, every user has it, and the user's range is not asked for. */
	expect_canonical(security, "staff_u:object_r:data_t:s2:c5", "staff_u:object_r:data_t:s2:c5");
	expect_canonical(plain_security, "staff_u:staff_r:app_t", "staff_u:staff_r:app_t");
	expect_canonical(plain_security, "sys_u:object_r:data_t", "sys_u:object_r:data_t");
}

/* ---- texts that are wrong ---- */

/* What is expected of a fault: its kind, and the part of the text marked. */
struct expected { enum context_fault_kind kind; const char *part; };

static void expect_faults(const char *text, bool ok, const struct context_faults *faults, const struct expected *want,
			  uint32_t n)
{
	CU_ASSERT_FALSE(ok);
	CU_ASSERT_EQUAL(faults->n, n);
	for (uint32_t i = 0; i < faults->n && i < n; i++) {
		const struct context_fault *f = &faults->at[i];
		char part[80];

		CU_ASSERT_FATAL(f->begin <= f->end && f->end <= strlen(text));
		snprintf(part, sizeof part, "%.*s", (int)(f->end - f->begin), text + f->begin);
		if (f->kind != want[i].kind)
			printf("\n`%s`: fault %u, expected %u\n", text, f->kind, want[i].kind);
		CU_ASSERT_EQUAL(f->kind, want[i].kind);
		expect_same("fault in", text, part, want[i].part);
	}
}

#define EXPECTED(...) (struct expected[]){__VA_ARGS__}, sizeof((struct expected[]){__VA_ARGS__}) / sizeof(struct expected)

static void expect_bad(const struct security *s, const char *text, const struct expected *want, uint32_t n)
{
	static struct context_faults faults;
	struct policy_context context = {0};
	bool ok = context_parse(s, text, strlen(text), &context, &faults);

	expect_faults(text, ok, &faults, want, n);
	CU_ASSERT_FALSE(context_parse(s, text, strlen(text), &context, NULL));
	policy_context_free(&context);
}

/* The level of a context that is right up to there. */
static void expect_bad_range(const char *range, const struct expected *want, uint32_t n)
{
	static struct context_faults faults;
	struct policy_range read = {0};
	struct buffer b = {0};
	bool ok = range_parse(security, range, strlen(range), &read, &faults);

	expect_faults(range, ok, &faults, want, n);
	policy_range_free(&read);
	text_printf(&b, "sys_u:object_r:data_t:%s", range);
	expect_bad(security, text_of(&b), want, n);
	buffer_free(&b);
}

static void test_fields(void)
{
	expect_bad(security, "", EXPECTED({FAULT_FIELD_EMPTY, ""}, {FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u:sys_r", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u:sys_r:", EXPECTED({FAULT_FIELD_EMPTY, ""}, {FAULT_LEVEL_MISSING, ""}));
	expect_bad(security, "::kern_t:s0", EXPECTED({FAULT_FIELD_EMPTY, ""}, {FAULT_FIELD_EMPTY, ""}));
	expect_bad(security, "sys_u:sys_r:kern_t", EXPECTED({FAULT_LEVEL_MISSING, ""}));
	expect_bad(security, "sys_u:sys_r:kern_t:", EXPECTED({FAULT_LEVEL_EMPTY, ""}));
	expect_bad(plain_security, "sys_u:sys_r:kern_t:", EXPECTED({FAULT_LEVEL_UNWANTED, ""}));
	expect_bad(plain_security, "sys_u:sys_r:kern_t:s0", EXPECTED({FAULT_LEVEL_UNWANTED, "s0"}));
	expect_bad(security, "sys_x:sys_y:sys_z:s9",
		   EXPECTED({FAULT_USER_UNKNOWN, "sys_x"}, {FAULT_ROLE_UNKNOWN, "sys_y"}, {FAULT_TYPE_UNKNOWN, "sys_z"},
			    {FAULT_SENS_UNKNOWN, "s9"}));
	/* A field left out moves the others. */
	expect_bad(security, "sys_u:kern_t:s0", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u:kern_t:s0-s2:c1", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_r:kern_t:s0", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u:sys_r:s0:c1", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(plain_security, "sys_u:kern_t", EXPECTED({FAULT_FIELD_MISSING, ""}));
	expect_bad(plain_security, "sys_u:kern_x",
		   EXPECTED({FAULT_ROLE_UNKNOWN, "kern_x"}, {FAULT_FIELD_MISSING, ""}));
	expect_bad(security, "sys_u:sys_r:domain:s0", EXPECTED({FAULT_TYPE_ATTRIBUTE, "domain"}));
	expect_bad(security, "sys_u:sys_r: app_t:s0", EXPECTED({FAULT_BLANK, " "}));
	expect_bad(security, "sys_u:sys_r:app_t:s0\n", EXPECTED({FAULT_BLANK, "\n"}));
}

static void test_association(void)
{
	expect_bad(security, "staff_u:sys_r:app_t:s0:c1", EXPECTED({FAULT_ROLE_OF_USER, "sys_r"}));
	expect_bad(security, "staff_u:staff_r:kern_t:s0:c1", EXPECTED({FAULT_TYPE_OF_ROLE, "kern_t"}));
	expect_bad(security, "staff_u:staff_r:app_t:s0", EXPECTED({FAULT_RANGE_OF_USER, "s0"}));
	expect_bad(security, "staff_u:staff_r:app_t:s0:c1-s1:c1,c2", EXPECTED({FAULT_RANGE_OF_USER, "s0:c1-s1:c1,c2"}));
	expect_bad(security, "staff_u:sys_r:data_t:s2",
		   EXPECTED({FAULT_ROLE_OF_USER, "sys_r"}, {FAULT_TYPE_OF_ROLE, "data_t"}, {FAULT_RANGE_OF_USER, "s2"}));
	expect_bad(plain_security, "staff_u:sys_r:data_t",
		   EXPECTED({FAULT_ROLE_OF_USER, "sys_r"}, {FAULT_TYPE_OF_ROLE, "data_t"}));
}

static void test_levels(void)
{
	expect_bad_range("s3", EXPECTED({FAULT_SENS_UNKNOWN, "s3"}));
	expect_bad_range("s0,s1", EXPECTED({FAULT_SENS_UNKNOWN, "s0,s1"}));
	expect_bad_range("SystemLow-SystemHigh",
			 EXPECTED({FAULT_LEVEL_TRANSLATED, "SystemLow"}, {FAULT_LEVEL_TRANSLATED, "SystemHigh"}));
	expect_bad_range("Hihg", EXPECTED({FAULT_SENS_UNKNOWN, "Hihg"}));
	expect_bad_range("s0-", EXPECTED({FAULT_LEVEL_EMPTY, ""}));
	expect_bad_range("-s0", EXPECTED({FAULT_LEVEL_EMPTY, ""}));
	expect_bad_range("s0-s1-s2", EXPECTED({FAULT_SENS_UNKNOWN, "s1-s2"}));
	expect_bad_range("s0:c1-c2", EXPECTED({FAULT_SENS_IS_CAT, "c2"}));
	expect_bad_range("s0:c1-c2,c3", EXPECTED({FAULT_SENS_IS_CAT, "c2,c3"}));
	expect_bad_range("s1-s0", EXPECTED({FAULT_RANGE_INVERTED, "s1-s0"}));
	expect_bad_range("s0:c1-s1:c0", EXPECTED({FAULT_RANGE_INVERTED, "s0:c1-s1:c0"}));
	expect_bad_range("s0:c3", EXPECTED({FAULT_CAT_OF_SENS, "c3"}));
	expect_bad_range("s0-s1:c0,c2.c5", EXPECTED({FAULT_CAT_OF_SENS, "c2.c5"}));
}

static void test_categories(void)
{
	expect_bad_range("s0:", EXPECTED({FAULT_CAT_EMPTY, ""}));
	expect_bad_range("s0:c1,", EXPECTED({FAULT_CAT_EMPTY, ""}));
	expect_bad_range("s0:,c1", EXPECTED({FAULT_CAT_EMPTY, ""}));
	expect_bad_range("s0:c0.", EXPECTED({FAULT_CAT_EMPTY, ""}));
	expect_bad_range("s0:.c0", EXPECTED({FAULT_CAT_EMPTY, ""}));
	expect_bad_range("s0:c6,blue", EXPECTED({FAULT_CAT_UNKNOWN, "c6"}, {FAULT_CAT_UNKNOWN, "blue"}));
	expect_bad_range("s0:110,1", EXPECTED({FAULT_CAT_NO_LETTER, "110"}, {FAULT_CAT_NO_LETTER, "1"}));
	expect_bad_range("s0:0.3", EXPECTED({FAULT_CAT_NO_LETTER, "0"}, {FAULT_CAT_NO_LETTER, "3"}));
	expect_bad_range("s0:c0.s1", EXPECTED({FAULT_CAT_IS_SENS, "s1"}));
	expect_bad_range("s0-s1:c1-c2", EXPECTED({FAULT_CAT_DASH, "c1-c2"}));
	expect_bad_range("s0:c0:c1", EXPECTED({FAULT_CAT_COLON, "c0:c1"}));
	expect_bad_range("s0:c0.c1.c2", EXPECTED({FAULT_CAT_DOTS, "c0.c1.c2"}));
	expect_bad_range("s0:c2.c1", EXPECTED({FAULT_CAT_REVERSED, "c2.c1"}));
	expect_bad_range("s0:c1.red", EXPECTED({FAULT_CAT_RANGE_OF_ONE, "c1.red"}));
	expect_bad_range("s0:c0, c1", EXPECTED({FAULT_BLANK, " "}));
}

static void test_doubts(void)
{
	static struct context_faults faults;
	struct policy_level level = {0};

	CU_ASSERT(level_parse(security, "s1:c0,c1.c3,red", 15, &level, &faults));
	CU_ASSERT_EQUAL_FATAL(faults.n, 1);
	CU_ASSERT_EQUAL(faults.at[0].kind, FAULT_CAT_TWICE);
	CU_ASSERT_EQUAL(faults.at[0].begin, 12);
	CU_ASSERT_EQUAL(faults.at[0].a, 2);
	CU_ASSERT_FALSE(level_parse(security, "s0-s1", 5, &level, &faults));
	CU_ASSERT_EQUAL(faults.at[0].kind, FAULT_RANGE_FOR_LEVEL);
	CU_ASSERT_FALSE(level_parse(plain_security, "s0", 2, &level, &faults));
	CU_ASSERT_EQUAL(faults.at[0].kind, FAULT_LEVEL_UNWANTED);
	ebitmap_free(&level.cats);
}

/* More faults than are kept are counted. */
static void test_many_faults(void)
{
	static struct context_faults faults;
	struct policy_range range = {0};
	struct buffer b = {0};

	text_put(&b, "s0:x");
	for (int i = 1; i < CONTEXT_KEEP + 10; i++)
		text_put(&b, ",x");
	CU_ASSERT_FALSE(range_parse(security, text_of(&b), b.n, &range, &faults));
	CU_ASSERT_EQUAL(faults.n, CONTEXT_KEEP);
	CU_ASSERT_EQUAL(faults.more, 10);
	buffer_free(&b);
	policy_range_free(&range);
}

/* ---- values ---- */

static void test_values(void)
{
	static struct context_faults faults;
	struct policy_context context = {0};
	const char *text = "sys_u:sys_r:kern_t:s0-s2:c0.c5";

	CU_ASSERT_FATAL(context_parse(security, text, strlen(text), &context, &faults));
	context.user = policy->users.n + 1;
	context.type = security_find(security, SECURITY_TYPE, "domain", 6);
	CU_ASSERT_FALSE(context_validate(security, &context, &faults));
	CU_ASSERT_EQUAL_FATAL(faults.n, 2);
	CU_ASSERT_EQUAL(faults.at[0].kind, FAULT_VALUE);
	CU_ASSERT_EQUAL(faults.at[0].a, CONTEXT_USER);
	CU_ASSERT_EQUAL(faults.at[1].a, CONTEXT_TYPE);
	context.user = security_find(security, SECURITY_USER, "staff_u", 7);
	context.type = security_find(security, SECURITY_TYPE, "old_t", 5);
	context.range.high.sens = 0;
	CU_ASSERT_FALSE(context_validate(security, &context, &faults));
	CU_ASSERT_EQUAL_FATAL(faults.n, 2);
	CU_ASSERT_EQUAL(faults.at[0].kind, FAULT_ROLE_OF_USER);
	CU_ASSERT_EQUAL(faults.at[1].a, CONTEXT_HIGH);
	context.range.high.sens = 2;
	ebitmap_set(&context.range.low.cats, 6000);
	CU_ASSERT_FALSE(context_validate(security, &context, &faults));
	CU_ASSERT_EQUAL(faults.at[1].kind, FAULT_CAT_OF_SENS);
	policy_context_free(&context);
}

/* ---- levels among each other ---- */

static struct policy_range range_of(const char *text)
{
	struct policy_range range = {0};

	CU_ASSERT(range_parse(security, text, strlen(text), &range, NULL));
	return range;
}

static void expect_level(const struct policy_level *level, const char *want)
{
	struct buffer b = {0};

	text_level(&b, policy, level);
	expect_same("level", want, text_of(&b), want);
	buffer_free(&b);
}

static void expect_relation(const char *left, const char *right, enum level_relation relation, const char *glb,
			    const char *lub)
{
	struct policy_range a = range_of(left), b = range_of(right);
	struct policy_level level = {0};

	CU_ASSERT_EQUAL(level_compare(&a.low, &b.low), relation);
	level_glb(&a.low, &b.low, &level);
	expect_level(&level, glb);
	level_lub(&a.low, &b.low, &level);
	expect_level(&level, lub);
	/* Into one of the two. */
	level_glb(&a.low, &b.low, &a.low);
	expect_level(&a.low, glb);
	level_lub(&b.low, &a.high, &a.high);
	expect_level(&a.high, lub);
	level_lub(&a.low, &b.low, &b.low);
	expect_level(&b.low, right);
	ebitmap_free(&level.cats);
	policy_range_free(&a);
	policy_range_free(&b);
}

static void test_relations(void)
{
	expect_relation("s0:c2,c0", "s0:c0,c2", LEVEL_EQ, "s0:c0,c2", "s0:c0,c2");
	expect_relation("s1:c0.c2", "s0:c1", LEVEL_DOM, "s0:c1", "s1:c0.c2");
	expect_relation("s0:c1", "s1:c0.c2", LEVEL_DOMBY, "s0:c1", "s1:c0.c2");
	expect_relation("s0:c0", "s0:c1", LEVEL_INCOMP, "s0", "s0:c0,c1");
	expect_relation("s1", "s0:c1", LEVEL_INCOMP, "s0", "s1:c1");
	CU_ASSERT_STRING_EQUAL(level_relation_name(LEVEL_DOMBY), "domby");
}

static void expect_ranges(const char *left, const char *right, bool contains, bool overlaps, const char *glblub)
{
	struct policy_range a = range_of(left), b = range_of(right), c = {0};
	struct buffer text = {0};
	bool common = range_glblub(&a, &b, &c);

	CU_ASSERT_EQUAL(range_contains(&a, &b), contains);
	CU_ASSERT_EQUAL(range_overlaps(&a, &b), overlaps);
	CU_ASSERT_EQUAL(range_overlaps(&b, &a), overlaps);
	CU_ASSERT_EQUAL(common, glblub != NULL);
	if (common && glblub) {
		text_range(&text, policy, &c);
		expect_same("glblub of", left, text_of(&text), glblub);
	}
	buffer_free(&text);
	policy_range_free(&a);
	policy_range_free(&b);
	policy_range_free(&c);
}

static void test_ranges(void)
{
	expect_ranges("s0-s2:c0.c5", "s0:c1-s1:c1", true, true, "s0-s1:c1");
	expect_ranges("s0:c1-s1:c1", "s0-s2:c0.c5", false, true, "s0-s1:c1");
	expect_ranges("s0-s1:c1", "s0:c0-s1:c0", false, false, "s0-s1");
	expect_ranges("s0-s1:c0", "s1-s2:c0,c1", false, true, "s1-s1:c0");
	expect_ranges("s0", "s1", false, false, NULL);
}

static void test_level_valid(void)
{
	struct policy_level level = {.sens = 1};

	CU_ASSERT(level_valid(policy, &level));
	ebitmap_set_range(&level.cats, 0, 2);
	CU_ASSERT(level_valid(policy, &level));
	ebitmap_set(&level.cats, 3);
	CU_ASSERT_FALSE(level_valid(policy, &level));
	level.sens = 2;
	CU_ASSERT(level_valid(policy, &level));
	level.sens = 4;
	CU_ASSERT_FALSE(level_valid(policy, &level));
	level.sens = 0;
	CU_ASSERT_FALSE(level_valid(policy, &level));
	ebitmap_free(&level.cats);
}

void suite_security(void)
{
	CU_pSuite suite = CU_add_suite("security", set_up, tear_down);

	CU_add_test(suite, "canonical", test_canonical);
	CU_add_test(suite, "fields", test_fields);
	CU_add_test(suite, "association", test_association);
	CU_add_test(suite, "levels", test_levels);
	CU_add_test(suite, "categories", test_categories);
	CU_add_test(suite, "doubts", test_doubts);
	CU_add_test(suite, "many faults", test_many_faults);
	CU_add_test(suite, "values", test_values);
	CU_add_test(suite, "relations", test_relations);
	CU_add_test(suite, "ranges", test_ranges);
	CU_add_test(suite, "level valid", test_level_valid);
}
