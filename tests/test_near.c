/* The names nearest to a wrong one. */
#include <string.h>

#include <CUnit/CUnit.h>

#include "base/diag.h"
#include "base/near.h"
#include "tests/suites.h"

static struct near search(const char *wrong, const char *const *names, size_t n)
{
	struct near near;

	near_init(&near, wrong, strlen(wrong));
	for (size_t i = 0; i < n; i++)
		near_try(&near, names[i], strlen(names[i]));
	return near;
}

#define NEAR(wrong, ...) \
	search(wrong, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool is_near(const char *wrong, const char *name)
{
	struct near near = search(wrong, &name, 1);

	return near.n == 1 && near.names[0] == name;
}

static void one_slip_of_each_kind(void)
{
	CU_ASSERT(is_near("httpd_t", "htpd_t"));   /* too many */
	CU_ASSERT(is_near("httpd_t", "httpdd_t")); /* too few */
	CU_ASSERT(is_near("httpd_t", "httpf_t"));  /* another */
	CU_ASSERT(is_near("ab", "abc") == false);  /* two letters take none */
	CU_ASSERT(is_near("abc", "acb"));          /* two swapped are one slip, and three letters take one */
	CU_ASSERT(is_near("abc", "cba") == false);
}

static void longer_names_take_more_slips(void)
{
	CU_ASSERT(is_near("abcde", "abcdX"));
	CU_ASSERT(is_near("abcde", "abcXX") == false);
	CU_ASSERT(is_near("abcdef", "abcdXX"));
	CU_ASSERT(is_near("abcdef", "abcXXX") == false);
	CU_ASSERT(is_near("abcdefghij", "abcdefgXXX"));
	CU_ASSERT(is_near("abcdefghij", "abcdefXXXX") == false);
	CU_ASSERT(is_near("abcdefghij", "abcdefghijklm"));
	CU_ASSERT(is_near("abcdefghij", "abcdefghijklmn") == false);
}

static void case_counts_for_nothing(void)
{
	struct near near = NEAR("HTTPD_T", "httpd_tx", "httpd_t", "HTTPD_X");

	CU_ASSERT_EQUAL(near.n, 1);
	CU_ASSERT_EQUAL(near.best, 0);
	CU_ASSERT_STRING_EQUAL(near.names[0], "httpd_t");
}

/* A name may lack its ending or have one too many: one slip, however short it is. */
static void endings(void)
{
	CU_ASSERT(is_near("sshd", "sshd_t"));
	CU_ASSERT(is_near("sshd_t", "sshd"));
	CU_ASSERT(is_near("staff_u", "staff"));
	CU_ASSERT(is_near("ssh", "sshd_t") == false);
	CU_ASSERT(is_near("a", "a_t") == false);
}

static void only_the_nearest_are_kept(void)
{
	struct near near = NEAR("abcdef", "abcdXX", "abcdeX", "abcXef", "abXXef", "Xbcdef", "aXcdef");

	CU_ASSERT_EQUAL(near.best, 1);
	CU_ASSERT_EQUAL_FATAL(near.n, NEAR_KEPT);
	CU_ASSERT_STRING_EQUAL(near.names[0], "abcdeX");
	CU_ASSERT_STRING_EQUAL(near.names[1], "abcXef");
	CU_ASSERT_STRING_EQUAL(near.names[2], "Xbcdef");
}

static void never_the_wrong_name_itself(void)
{
	struct near near = NEAR("abc", "abc", "zzz");

	CU_ASSERT_EQUAL(near.n, 0);
}

static void long_names_are_left_alone(void)
{
	char a[66], b[66];

	memset(a, 'a', sizeof a);
	a[65] = '\0';
	memcpy(b, a, sizeof b);
	b[64] = 'b';
	CU_ASSERT_FALSE(is_near(a, b));
	a[64] = b[64] = '\0'; /* 64 letters */
	b[63] = 'b';
	CU_ASSERT(is_near(a, b));
	CU_ASSERT_FALSE(is_near("abc", a));
}

static void check_hint(struct near near, const char *expected)
{
	struct diags diags = {0};

	diag_error(&diags, "unknown-type", LOC_NONE, "there is no such type");
	near_hint(&near, &diags);
	CU_ASSERT_EQUAL_FATAL(diags.list.n, expected ? 2 : 1);
	if (expected)
		CU_ASSERT_STRING_EQUAL(diags.list.at[1].text, expected);
	diags_free(&diags);
}

static void hints(void)
{
	check_hint(NEAR("abc", "xyz"), NULL);
	check_hint(NEAR("abc", "abd"), "did you mean `abd`?");
	check_hint(NEAR("abc", "abd", "abe"), "did you mean `abd` or `abe`?");
	check_hint(NEAR("abc", "abd", "abe", "abf", "abg"), "did you mean `abd`, `abe` or `abf`?");
}

void suite_near(void)
{
	static const struct { const char *name; void (*run)(void); } tests[] = {
		{"one slip of each kind", one_slip_of_each_kind},
		{"longer names take more slips", longer_names_take_more_slips},
		{"case counts for nothing", case_counts_for_nothing},
		{"endings", endings},
		{"only the nearest are kept", only_the_nearest_are_kept},
		{"never the wrong name itself", never_the_wrong_name_itself},
		{"long names are left alone", long_names_are_left_alone},
		{"hints", hints},
	};
	CU_pSuite suite = CU_add_suite("near", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
