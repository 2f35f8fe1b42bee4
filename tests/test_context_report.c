/* Every fault of a context in words: where, the text, the check, the hints. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/text.h"
#include "security/context.h"
#include "tests/security_fixture.h"

void suite_context_report(void);

static struct policy *policies[2]; /* without MLS, and with it */
static struct security *securities[2];

static int set_up(void)
{
	for (int mls = 0; mls < 2; mls++) {
		policies[mls] = security_fixture(mls);
		if (!policies[mls])
			return 1;
		securities[mls] = security_new(policies[mls]);
	}
	return 0;
}

static int tear_down(void)
{
	for (int mls = 0; mls < 2; mls++) {
		security_free(securities[mls]);
		policy_free(policies[mls]);
	}
	return 0;
}

/* `BEGIN-END TEXT [CHECK]`, a note or hint behind it in parentheses. */
static void put_findings(struct buffer *b, const struct diags *diags)
{
	for (uint32_t i = 0; i < diags->list.n; i++) {
		const struct diag *d = &diags->list.at[i];

		if (d->check)
			text_printf(b, "%s%u-%u %s [%s]", b->n ? "\n" : "", d->loc.begin, d->loc.end, d->text, d->check);
		else
			text_printf(b, " (%s)", d->text);
	}
}

enum what { PLAIN, MLS, LEVEL };

static void judge(enum what what, const char *text, struct loc loc, struct diags *diags)
{
	const struct security *security = securities[what != PLAIN];
	static struct context_faults faults;
	struct policy_context context = {0};
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1); /* no NUL: nothing may rely on one */

	memcpy(copy, text, len);
	if (what == LEVEL)
		level_parse(security, copy, len, &context.range.low, &faults);
	else
		context_parse(security, copy, len, &context, &faults);
	context_faults_report(security, &faults, loc, diags);
	policy_context_free(&context);
	free(copy);
}

static void expect(enum what what, const char *text, const char *want)
{
	struct diags diags = {0};
	struct buffer b = {0};

	judge(what, text, (struct loc){0, (uint32_t)strlen(text)}, &diags);
	put_findings(&b, &diags);
	if (strcmp(text_of(&b), want)) {
		printf("\n`%s`:\n%s\nexpected:\n%s\n", text, text_of(&b), want);
		CU_FAIL("see above");
	}
	buffer_free(&b);
	diags_free(&diags);
}

static void test_fields(void)
{
	expect(MLS, "",
	       "0-0 the user of the context is empty [context-field-empty]"
	       " (a context is `user:role:type:level`)\n"
	       "0-0 the context has no role [context-field-missing] (a context is `user:role:type:level`)");
	expect(MLS, "sys_u:sys_r",
	       "11-11 the context has no type [context-field-missing] (a context is `user:role:type:level`)");
	expect(MLS, "sys_u:sys_r:kern_t",
	       "18-18 the context has no level, which a policy with MLS needs [level-missing]"
	       " (the lowest is `s0`)");
	expect(MLS, "sys_u:sys_r:kern_t:",
	       "19-19 a level begins with a sensitivity, and none stands here [level-empty]");
	expect(PLAIN, "sys_u:sys_r:kern_t:s0",
	       "19-21 a level is given, and the policy has no MLS [level-unwanted]");
	expect(MLS, "sys_x:sts_r:sys_z:s9",
	       "0-5 unknown user `sys_x` [unknown-user] (did you mean `sys_u`?)\n"
	       "6-11 unknown role `sts_r` [unknown-role] (did you mean `sys_r`?)\n"
	       "12-17 unknown type `sys_z` [unknown-type]\n"
	       "18-20 unknown sensitivity `s9` [unknown-sensitivity] (the highest sensitivity is `s2`)");
	expect(MLS, "sys_u:kern_t:app_t:s0",
	       "6-12 unknown role `kern_t` [unknown-role] (`kern_t` is a type)");
	expect(MLS, "sys_u:kern_t:s0",
	       "6-6 the context has no role: `kern_t` is a type [context-field-missing]"
	       " (a context is `user:role:type:level`)");
	expect(MLS, "sys_r:kern_t:s0",
	       "0-0 the context has no user: `sys_r` is a role [context-field-missing]"
	       " (a context is `user:role:type:level`)");
	expect(MLS, "sys_u:sys_r:s0:c1",
	       "12-12 the context has no type: `s0:c1` is a level [context-field-missing]"
	       " (a context is `user:role:type:level`)");
	expect(PLAIN, "sys_u:kern_t",
	       "6-6 the context has no role: `kern_t` is a type [context-field-missing]"
	       " (a context is `user:role:type`)");
	expect(MLS, "sys_u:sys_r:domain:s0",
	       "12-18 `domain` is an attribute, and a context needs a type [attribute-as-type]");
	expect(MLS, "sys_u:sys_r: app_t:s0",
	       "12-13 a blank stands in the text, and no context or level has one [context-blank]");
	expect(MLS, "sys_u:sys_r:app_t:s0\t",
	       "20-21 the control character 0x09 stands in the text, and no context or level has one [context-blank]");
}

static void test_association(void)
{
	expect(MLS, "staff_u:sys_r:app_t:s0:c1",
	       "8-13 user `staff_u` does not have role `sys_r` [context-role] (roles of `staff_u`: `staff_r`)");
	expect(MLS, "staff_u:staff_r:kern_t:s0:c1",
	       "16-22 role `staff_r` does not have type `kern_t` [context-type]"
	       " (roles that have `kern_t`: `sys_r`)");
	expect(MLS, "staff_u:staff_r:data_t:s0:c1",
	       "16-22 role `staff_r` does not have type `data_t` [context-type]"
	       " (no role has `data_t`; files and other objects have the role `object_r`)");
	expect(MLS, "staff_u:staff_r:app_t:s0",
	       "22-24 range `s0` is not within that of user `staff_u`, which is `s0:c1-s1:c0,c1` [context-range]"
	       " (the low level of the range is too low: it lacks category `c1`)");
	expect(MLS, "staff_u:staff_r:app_t:s0:c1-s1:c1,c2",
	       "22-36 range `s0:c1-s1:c1,c2` is not within that of user `staff_u`, which is `s0:c1-s1:c0,c1` [context-range]"
	       " (the high level of the user is too low: it lacks category `c2`)");
}

static void test_levels(void)
{
	expect(MLS, "sys_u:object_r:data_t:s3",
	       "22-24 unknown sensitivity `s3` [unknown-sensitivity] (the highest sensitivity is `s2`)");
	expect(MLS, "sys_u:object_r:data_t:s0-",
	       "25-25 a level begins with a sensitivity, and none stands here [level-empty]");
	expect(MLS, "sys_u:object_r:data_t:s0-s1-s2",
	       "25-30 unknown sensitivity `s1-s2` [unknown-sensitivity]"
	       " (a range is two levels with one `-` between)");
	expect(MLS, "sys_u:object_r:data_t:s0,s1",
	       "22-27 unknown sensitivity `s0,s1` [unknown-sensitivity]"
	       " (a range is two levels with one `-` between)");
	expect(MLS, "sys_u:object_r:data_t:SystemLow-SystemHigh",
	       "22-31 `SystemLow` is no sensitivity: a translated name cannot stand for a level here [level-translated]"
	       " (write the level that setrans.conf translates; the sensitivities are `s0` to `s2`)\n"
	       "32-42 `SystemHigh` is no sensitivity: a translated name cannot stand for a level here [level-translated]"
	       " (write the level that setrans.conf translates; the sensitivities are `s0` to `s2`)");
	expect(MLS, "sys_u:object_r:data_t:Hihg",
	       "22-26 unknown sensitivity `Hihg` [unknown-sensitivity] (did you mean `High`?)");
	expect(MLS, "sys_u:object_r:data_t:s1-s0",
	       "22-27 the high level `s0` does not dominate the low level `s1`: sensitivity `s1` is above `s0` [invalid-range]"
	       " (the low level stands first: write `s0-s1`)");
	expect(MLS, "sys_u:object_r:data_t:s0:c1-s1:c0",
	       "22-33 the high level `s1:c0` does not dominate the low level `s0:c1`: it lacks category `c1` [invalid-range]");
	expect(MLS, "sys_u:object_r:data_t:s0:c3",
	       "25-27 category `c3` cannot go with sensitivity `s0` [invalid-level]"
	       " (the most that it can have is `s0:c0.c2`)");
	expect(MLS, "sys_u:object_r:data_t:s0-s1:c0,c2.c5",
	       "31-36 category `c5` cannot go with sensitivity `s1` [invalid-level]"
	       " (the most that it can have is `s1:c0.c4`)");
	expect(LEVEL, "s0-s1",
	       "2-5 a range stands where one level is wanted [range-for-level]");
}

static void test_categories(void)
{
	expect(MLS, "sys_u:object_r:data_t:s0:c1-c2",
	       "28-30 `c2` behind `-` is no level but a category [category-as-level]"
	       " (for both categories write `c1,c2`, for all from one to the other `c1.c2`)");
	expect(MLS, "sys_u:object_r:data_t:s0:c1-c2,c3",
	       "28-33 `c2,c3` behind `-` is no level but a category [category-as-level]"
	       " (for both categories write `c1,c2`, for all from one to the other `c1.c2`)");
	expect(MLS, "sys_u:object_r:data_t:c1",
	       "22-24 a level begins with a sensitivity, and `c1` is a category [category-as-level]"
	       " (write `s0:c1`)");
	expect(MLS, "sys_u:object_r:data_t:s0:",
	       "25-25 a category is missing behind `:` [category-empty]"
	       " (a level without categories ends with its sensitivity)");
	expect(MLS, "sys_u:object_r:data_t:s0:c1,",
	       "28-28 a category is missing behind `,` [category-empty]");
	expect(MLS, "sys_u:object_r:data_t:s0:c6,blue,rde",
	       "25-27 unknown category `c6` [unknown-category] (the last category is `c5`)\n"
	       "28-32 unknown category `blue` [unknown-category]\n"
	       "33-36 unknown category `rde` [unknown-category] (did you mean `red`?)");
	expect(MLS, "sys_u:object_r:data_t:s0:110,1",
	       "25-28 `110` is no category: the letter is missing [category-number]"
	       " (`c110` does not exist either: the last category is `c5`)\n"
	       "29-30 `1` is no category: the letter is missing [category-number] (did you mean `c1`?)");
	expect(MLS, "sys_u:object_r:data_t:s0:c0.s1",
	       "28-30 `s1` is a sensitivity, and a category must stand here [level-as-category]"
	       " (a range of levels has a `-`, a range of categories a `.`)");
	expect(MLS, "sys_u:object_r:data_t:s0-s1:c1-c2",
	       "28-33 `c1-c2` is no category: a `-` stands only between two levels, once [category-dash]"
	       " (for both categories write `c1,c2`, for all from one to the other `c1.c2`) (libsepol ignores what follows the `-`, kernels refuse it)");
	expect(MLS, "sys_u:object_r:data_t:s0:c0:c1",
	       "25-30 `c0:c1` is no category: a `:` stands only before the first one [category-colon]"
	       " (between categories write `,`)");
	expect(MLS, "sys_u:object_r:data_t:s0:c0.c1.c2",
	       "25-33 the category range `c0.c1.c2` has more than one `.` [category-dots]"
	       " (all from the first to the last are `c0.c2`)");
	expect(MLS, "sys_u:object_r:data_t:s0:c2.c1",
	       "25-30 category range `c2.c1` runs backwards [reversed-range]"
	       " (write `c1.c2`; kernels and libsepol refuse it as it stands)");
	expect(MLS, "sys_u:object_r:data_t:s0:c1.red",
	       "25-31 category range `c1.red` has one category, and needs two [category-range-of-one]"
	       " (write `c1`; kernels and libsepol refuse it as it stands)");
	expect(MLS, "sys_u:object_r:data_t:s1:c0,c0.c2",
	       "28-33 category `c0` is in the level already [category-twice]");
}

/* A place that is not the text is marked whole; no place is none. */
static void test_places(void)
{
	struct diags diags = {0};

	judge(MLS, "sys_u:sys_r:kern_t:s9", (struct loc){100, 150}, &diags);
	judge(MLS, "sys_u:sys_r:kern_t:s9", LOC_NONE, &diags);
	judge(MLS, "sys_u:sys_r:kern_t:s9", (struct loc){100, 121}, &diags);
	CU_ASSERT_EQUAL_FATAL(diags.list.n, 6);
	CU_ASSERT_EQUAL(diags.list.at[0].loc.begin, 100);
	CU_ASSERT_EQUAL(diags.list.at[0].loc.end, 150);
	CU_ASSERT_FALSE(loc_known(diags.list.at[2].loc));
	CU_ASSERT_EQUAL(diags.list.at[4].loc.begin, 119);
	CU_ASSERT_EQUAL(diags.list.at[4].loc.end, 121);
	diags_free(&diags);
}

/* Of a context that is no text there are no parts to mark. */
static void test_values(void)
{
	static struct context_faults faults;
	struct policy_context context = {.user = 99, .role = 1, .type = 1, .range = {{.sens = 1}, {.sens = 3}}};
	struct diags diags = {0};
	struct buffer b = {0};

	ebitmap_set(&context.range.low.cats, 5);
	CU_ASSERT_FALSE(context_validate(securities[1], &context, &faults));
	context_faults_report(securities[1], &faults, (struct loc){7, 9}, &diags);
	put_findings(&b, &diags);
	CU_ASSERT_STRING_EQUAL(text_of(&b),
			       "7-9 the user of the context is none of the policy's [context-value]\n"
			       "7-9 category `c5` cannot go with sensitivity `s0` [invalid-level] "
			       "(the most that it can have is `s0:c0.c2`)\n"
			       "7-9 the high level `s2` does not dominate the low level `s0:c5`: it lacks category `c5` "
			       "[invalid-range]");
	policy_context_free(&context);
	buffer_free(&b);
	diags_free(&diags);
}

/* Lists of names end somewhere, and so do faults. */
static void test_many(void)
{
	struct diags diags = {0};
	struct buffer b = {0};

	text_put(&b, "sys_u:object_r:data_t:s0:x");
	for (int i = 1; i < CONTEXT_KEEP + 5; i++)
		text_put(&b, ",x");
	judge(MLS, text_of(&b), LOC_NONE, &diags);
	CU_ASSERT_EQUAL(diags.errors, CONTEXT_KEEP);
	CU_ASSERT_STRING_EQUAL(diags.list.at[diags.list.n - 1].text, "5 further faults of this text are not listed");
	buffer_free(&b);
	diags_free(&diags);
}

void suite_context_report(void)
{
	CU_pSuite suite = CU_add_suite("context report", set_up, tear_down);

	CU_add_test(suite, "fields", test_fields);
	CU_add_test(suite, "association", test_association);
	CU_add_test(suite, "levels", test_levels);
	CU_add_test(suite, "categories", test_categories);
	CU_add_test(suite, "places", test_places);
	CU_add_test(suite, "values", test_values);
	CU_add_test(suite, "many", test_many);
}
