/* The policydb writer: worked bytes, every version read back by libsepol, and
 * what a version cannot hold. */
#include <CUnit/CUnit.h>
#include <sepol/policydb.h>
#include <string.h>

#include "backend/features.h"
#include "backend/policydb.h"
#include "tests/backend_fixture.h"
#include "tests/suites.h"

/* ---- features ---- */

static void test_versions(void)
{
	CU_ASSERT_EQUAL(policydb_oldest(POLICY_SELINUX), 15);
	CU_ASSERT_EQUAL(policydb_newest(POLICY_SELINUX), 35);
	CU_ASSERT_EQUAL(policydb_oldest(POLICY_XEN), 24);
	CU_ASSERT_EQUAL(policydb_newest(POLICY_XEN), 30);
	for (uint32_t v = 0; v < 40; v++) {
		CU_ASSERT_EQUAL(policydb_version_known(POLICY_SELINUX, v), v >= 15 && v <= 35);
		CU_ASSERT_EQUAL(policydb_version_known(POLICY_XEN, v), v == 24 || v == 30);
	}
	CU_ASSERT_EQUAL(features_since(POLICY_SELINUX, FEATURE_XPERMS), 30);
	CU_ASSERT_EQUAL(features_since(POLICY_XEN, FEATURE_XPERMS), 0);
	CU_ASSERT_EQUAL(features_since(POLICY_XEN, FEATURE_FILENAME_TRANS), 30);
}

static void test_unknown_version(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false), *xen = fixture_small(POLICY_XEN, false);

	expect_error(policy, 14, "unknown-version");
	expect_error(policy, 36, "unknown-version");
	expect_error(xen, 25, "unknown-version");
	expect_error(xen, 33, "unknown-version");
	policy_free(policy);
	policy_free(xen);
}

/* ---- bytes ---- */

static void test_header(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);
	struct run run;

	policy->handle_unknown = POLICY_UNKNOWN_ALLOW;
	ebitmap_set(&policy->capabilities, 0);
	ebitmap_set(&policy->capabilities, 1);
	run = run_good(policy, 33, 0);
	CU_ASSERT(run_starts_with_hex(&run, "8cff7cf9 08000000 5345204c696e7578"
					"21000000 05000000 08000000 09000000"
					"40000000 40000000 01000000 00000000 0300000000000000" EMPTY_SET));
	run_end(&run);
	policy_free(policy);
}

static void test_xen_header(void)
{
	struct policy *policy = fixture_small(POLICY_XEN, false);
	struct run run = run_good(policy, 24, 0);

	CU_ASSERT(run_starts_with_hex(&run, "8cff7cf9 08000000 58656e466c61736b"
					"18000000 00000000 08000000 05000000" EMPTY_SET EMPTY_SET));
	run_end(&run);
	policy_free(policy);
}

static void test_maps_of_newest(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	policy->types.at[TA].permissive = true;
	policy->types.at[TB].neveraudit = true;
	run = run_good(policy, 35, 0);
	CU_ASSERT(run_starts_with_hex(&run, "8cff7cf9 08000000 5345204c696e7578"
					"23000000 00000000 08000000 09000000" EMPTY_SET
					"40000000 40000000 01000000 00000000 0800000000000000"
					"40000000 40000000 01000000 00000000 2000000000000000"));
	run_end(&run);
	policy_free(policy);
}

static void test_entries(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_AUDITDENY, 0xfffffffc});
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_TRANSITION, TC});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_FUNCTION, 0x89, {0x1ffff}});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {0, 0, 0, 0, 0x30000}});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_NLMSG, 0, {0x10000}});
	run = run_at(policy, 33);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000"
					"0300050001000100 01000000"
					"0300050001000400 fcffffff"
					"0300050001001000 04000000"
					"0300050001000001 0189 ffff0100 00000000 00000000 00000000"
					"00000000 00000000 00000000 00000000"
					"0300050001000001 0200 00000000 00000000 00000000 00000000"
					"00000300 00000000 00000000 00000000"
					"0300050001000001 0300 00000100"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_constraint(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);
	struct policy_class *class = &policy->classes.at[C1];
	struct policy_constraint constraint = {P1, fixture_zeroed(policy, 3, sizeof *constraint.expr), 3};
	struct run run;

	constraint.expr[0] = (struct policy_cexpr){.kind = CEXPR_ATTR, .attr = CEXPR_L1L2, .op = CEXPR_DOM};
	constraint.expr[1] = fixture_type_names();
	constraint.expr[2] = (struct policy_cexpr){.kind = CEXPR_OR};
	ADD(policy, &class->constraints, constraint);
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 03000000 04000000 20000000 03000000 05000000 04000000 01000000"
					"40000000 40000000 01000000 00000000 1c00000000000000"
					"40000000 40000000 01000000 00000000 0a00000000000000" EMPTY_SET "00000000"
					"03000000 00000000 00000000"), 1);
	run_end(&run);
	run = run_good(policy, 28, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "05000000 04000000 01000000"
					"40000000 40000000 01000000 00000000 1c00000000000000"
					"03000000 00000000 00000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_conditional(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	fixture_add_cond(policy);
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 01000000 04000000"
					"01000000 02000000 01000000 01000000 02000000 00000000 04000000 00000000"
					"01000000 0300050001000180 01000000"
					"01000000 0300040001000100 01000000"), 1);
	run_end(&run);
	run = run_good(policy, 19, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 05000000 03000000 05000000 01000000 01000080 01000000"
					"01000000 05000000 03000000 04000000 01000000 01000000 01000000"), 1);
	run_end(&run);
	policy->bools.at[B2].state = true;
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 00000000 04000000 01000000 02000000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 0300040001000180 01000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_symbols(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);
	struct run run = run_good(policy, 33, 0);

	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 01000000 02000000 01000000 02000000 02000000 6673"
					"04000000 01000000 72656164 05000000 02000000 696f63746c"), 1);
	/* class file: only its own permission, numbered behind the inherited ones */
	CU_ASSERT_EQUAL(run_count_hex(&run, "04000000 02000000 02000000 03000000 01000000 00000000 66696c65 6673"
					"06000000 03000000 617070656e64"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "08000000 01000000 00000000 6f626a6563745f72" EMPTY_SET EMPTY_SET), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "02000000 03000000 00000000 7262"
					"40000000 40000000 01000000 00000000 0400000000000000"
					"40000000 40000000 01000000 00000000 0400000000000000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 07000000"
					"02000000 01000000 01000000 00000000 7464"
					"02000000 02000000 03000000 00000000 6131"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 03000000 00000000 00000000 74616c696173"), 1);
	/* levels and categories count their aliases */
	CU_ASSERT_EQUAL(run_count_hex(&run, "03000000 03000000 02000000 00000000 7330 01000000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "03000000 01000000 6c6f77 01000000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "05000000 01000000 01000000 6669727374"), 1);
	run_end(&run);
	policy_free(policy);
}

/* Below 24 attributes are gaps and an alias is what is not primary. */
static void test_types_of_old(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run = run_good(policy, 23, 0);

	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 05000000"
					"02000000 01000000 01000000 7464"
					"02000000 03000000 01000000 7461"
					"02000000 04000000 01000000 7463"
					"02000000 05000000 01000000 7462"
					"06000000 03000000 00000000 74616c696173"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_nameless_attribute(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	policy->types.at[A2].name = NULL;
	run = run_at(policy, 33);
	CU_ASSERT(run.ok && run_has_text(&run, "@attr0006"));
	run_end(&run);
	policy_free(policy);
}

static void test_filename_trans(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	fixture_add_filename_trans(policy);
	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"zz", TC, FILE_CLASS, TA, {0}});
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 02000000 6e6d 04000000 02000000 02000000"
					"40000000 40000000 01000000 00000000 1000000000000000 03000000"
					"40000000 40000000 01000000 00000000 0c00000000000000 05000000"), 1);
	run_end(&run);
	run = run_good(policy, 32, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "03000000"
					"02000000 6e6d 05000000 04000000 02000000 03000000"
					"02000000 6e6d 03000000 04000000 02000000 05000000"
					"02000000 6e6d 04000000 04000000 02000000 05000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_range(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);
	struct policy_range range = {{1, SET(1)}, {2, SET(1, 2)}};
	struct run run;

	ADD(policy, &policy->range_trans, (struct policy_range_trans){TA, TB, FILE_CLASS, range});
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 03000000 05000000 02000000 02000000 01000000 02000000"
					"40000000 40000000 01000000 00000000 0100000000000000"
					"40000000 40000000 01000000 00000000 0300000000000000"), 1);
	run_end(&run);
	policy_free(policy);
}

#define ROW(bits) "40000000 40000000 01000000 00000000" bits "00000000000000"

static void test_attribute_map(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run = run_good(policy, 33, 0);

	CU_ASSERT_EQUAL(run_count_hex(&run, ROW("01") ROW("02") ROW("06") ROW("28") ROW("32") ROW("20")), 1);
	run_end(&run);
	policy->types.at[A2].expand = true;
	run = run_good(policy, 33, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, ROW("01") ROW("02") ROW("06") ROW("08") ROW("12") EMPTY_SET), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_labels(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	fixture_add_labels(policy);
	run = run_good(policy, 31, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "7f000001 ffffffff 01000000 01000000 05000000 01000000 00000000" EMPTY_SET), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "fe80000000000000 01000000 ffff0000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 02000000 6d6c78345f30"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "02000000 04000000 70726f63 02000000 04000000 2f6e6574 02000000"), 1);
	run_end(&run);
	policy_free(policy);
}

/* ---- every version ---- */

static void test_all_versions(void)
{
	struct policy *plain = fixture_full(POLICY_SELINUX, false), *mls = fixture_full(POLICY_SELINUX, true);

	for (uint32_t v = 15; v <= 35; v++) {
		expect_good(plain, v, (v < 16) + (v < 25));
		if (v >= 19)
			expect_good(mls, v, v < 25);
	}
	policy_free(plain);
	policy_free(mls);
}

static void test_xen_versions(void)
{
	struct policy *plain = fixture_full(POLICY_XEN, false), *mls = fixture_full(POLICY_XEN, true);

	expect_good(plain, 24, 1);
	expect_good(plain, 30, 0);
	expect_good(mls, 24, 1);
	expect_good(mls, 30, 0);
	policy_free(plain);
	policy_free(mls);
}

/* ---- before attributes ---- */

static void test_expanded(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	policy->rules.n = 0;
	ADD(policy, &policy->rules, (struct policy_rule){A1, TB, C1, AV_AUDITDENY, 0xfffffffe});
	ADD(policy, &policy->rules, (struct policy_rule){A1, A2, C1, AV_ALLOWED, P1});
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_ALLOWED, P2});
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_AUDITALLOW, P1});
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_TRANSITION, TC});
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_MEMBER, TA});
	ADD(policy, &policy->rules, (struct policy_rule){TA, A2, C1, AV_AUDITDENY, 0xfffffffd});
	run = run_good(policy, 19, 0);
	/* what is in both lists has one entry, rules of types another */
	CU_ASSERT_EQUAL(run_count_hex(&run, "07000000 03000000 05000000 01000000 07000000 03000000 fcffffff 01000000"
					"06000000 03000000 05000000 01000000 30000000 04000000 03000000"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 03000000 04000000 01000000 05000000 01000000 fdffffff"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "06000000 05000000 05000000 01000000 05000000 01000000 feffffff"), 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "05000000 05000000 04000000 01000000 01000000 01000000"), 1);
	run_end(&run);
	policy_free(policy);
}

/* In a conditional every kind of a key stands alone, and occurs once. */
static void test_expanded_conditional(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct policy_cond *cond = fixture_add_cond(policy);
	struct run run;

	cond->yes.n = 0;
	ADD(policy, &cond->yes, (struct policy_rule){A1, TB, C1, AV_ALLOWED, P1});
	ADD(policy, &cond->yes, (struct policy_rule){TB, TB, C1, AV_ALLOWED, P2});
	ADD(policy, &cond->yes, (struct policy_rule){TB, TB, C1, AV_AUDITALLOW, P2});
	run = run_good(policy, 19, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "04000000 00000000 03000000"
					"05000000 03000000 05000000 01000000 01000080 01000000"
					"05000000 05000000 05000000 01000000 01000080 03000000"
					"05000000 05000000 05000000 01000000 02000080 02000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_no_rules(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);

	policy->rules.at[0] = (struct policy_rule){TA, A1, C1, AV_ALLOWED, P1};
	ebitmap_free(&policy->types.at[A1].types);
	expect_good(policy, 20, 0);
	expect_error(policy, 19, "no-rules");
	policy->rules.n = 0;
	expect_error(policy, 33, "no-rules");
	policy_free(policy);
}

/* ---- downgrades: errors ---- */

static void test_no_mls(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);

	expect_error(policy, 18, "unsupported-feature");
	expect_good(policy, 19, 0);
	policy_free(policy);
}

static void test_no_xperms(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false), *xen = fixture_small(POLICY_XEN, false);
	struct policy_xperms xperms = {XPERM_IOCTL_DRIVER, 0, {1}};

	fixture_add_xperm_rule(policy, &policy->rules, xperms);
	fixture_add_xperm_rule(xen, &xen->rules, xperms);
	expect_error(policy, 29, "unsupported-feature");
	expect_good(policy, 30, 0);
	expect_error(xen, 24, "unsupported-feature");
	expect_error(xen, 30, "unsupported-feature");
	policy_free(policy);
	policy_free(xen);
}

static void test_no_cond_xperms(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	fixture_add_xperm_rule(policy, &fixture_add_cond(policy)->yes, (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {1}});
	expect_error(policy, 29, "unsupported-feature");
	expect_error(policy, 33, "unsupported-feature");
	run = run_good(policy, 34, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "02000000 0300050001000180 01000000 0300050001000081 0200 01000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_no_wide_iomem(void)
{
	struct policy *policy = fixture_small(POLICY_XEN, false);
	struct run run;

	ADD(policy, &policy->iomems, (struct policy_xen_span){0x1000, 0x100000000, fixture_context(policy, OBJECT_R, TB)});
	expect_error(policy, 24, "unsupported-feature");
	run = run_good(policy, 30, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 0010000000000000 0000000001000000 01000000"), 1);
	run_end(&run);
	policy_free(policy);
}

/* ---- downgrades: dropped with a warning ---- */

static void test_drop_bools(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);

	fixture_add_cond(policy);
	expect_good(policy, 15, 1);
	expect_good(policy, 16, 0);
	policy_free(policy);
}

static void test_drop_permissive(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	policy->types.at[TA].permissive = policy->types.at[TB].permissive = true;
	run = run_good(policy, 22, 1);
	CU_ASSERT_STRING_EQUAL(run.diags.list.at[0].check, "dropped-feature");
	CU_ASSERT_STRING_EQUAL(run.diags.list.at[0].text, "version 22 has no permissive types: 2 dropped");
	run_end(&run);
	expect_good(policy, 23, 0);
	policy_free(policy);
}

static void test_drop_neveraudit(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);

	policy->types.at[TA].neveraudit = true;
	expect_good(policy, 34, 1);
	expect_good(policy, 35, 0);
	policy_free(policy);
}

static void test_drop_filename_trans(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);

	expect_good(policy, 24, 0);
	fixture_add_filename_trans(policy);
	expect_good(policy, 24, 1);
	expect_good(policy, 25, 0);
	policy_free(policy);
}

static void test_drop_role_trans(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	ADD(policy, &policy->role_trans, (struct policy_role_trans){RA, TB, PROCESS, RB});
	expect_good(policy, 25, 0);
	ADD(policy, &policy->role_trans, (struct policy_role_trans){RA, TB, FILE_CLASS, RA});
	run = run_good(policy, 25, 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 02000000 05000000 03000000 00000000"), 1);
	run_end(&run);
	run = run_good(policy, 26, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "02000000 02000000 05000000 03000000 04000000"
					"02000000 05000000 02000000 02000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_drop_range_trans(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);
	struct policy_range range = {{2, {0}}, {2, {0}}};
	struct run run;

	ADD(policy, &policy->range_trans, (struct policy_range_trans){TA, TB, PROCESS, range});
	expect_good(policy, 20, 0);
	ADD(policy, &policy->range_trans, (struct policy_range_trans){TA, TB, FILE_CLASS, range});
	run = run_good(policy, 20, 1);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 03000000 05000000 01000000 02000000" EMPTY_SET), 1);
	run_end(&run);
	expect_good(policy, 21, 0);
	policy_free(policy);
}

static void test_drop_glblub(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, true);

	policy->classes.at[DIR_CLASS].default_range = DEFAULT_RANGE_GLBLUB;
	expect_good(policy, 26, 0); /* all defaults go, silently */
	expect_good(policy, 27, 1);
	expect_good(policy, 31, 1);
	expect_good(policy, 32, 0);
	policy_free(policy);
}

/* ---- downgrades: silent ---- */

/* So many bytes more at the version than without the change made to b. */
static void expect_growth(const struct policy *a, const struct policy *b, uint32_t version, size_t bytes)
{
	struct run before = run_good(a, version, 0), after = run_good(b, version, 0);

	CU_ASSERT_EQUAL(after.image.n - before.image.n, bytes);
	run_end(&before);
	run_end(&after);
}

static void test_silent_defaults(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run;

	policy->classes.at[PROCESS].default_user = 1;
	policy->classes.at[PROCESS].default_role = 2;
	policy->classes.at[PROCESS].default_type = 2;
	expect_good(policy, 26, 0);
	run = run_good(policy, 27, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 02000000 00000000 03000000 03000000"), 1);
	run_end(&run);
	run = run_good(policy, 28, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "01000000 02000000 00000000 02000000 03000000 03000000"), 1);
	run_end(&run);
	policy_free(policy);
}

static void test_silent_header_and_bounds(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false), *more = fixture_small(POLICY_SELINUX, false);

	ebitmap_set(&more->capabilities, 1);
	more->types.at[TB].bounds = TA;
	expect_growth(policy, more, 21, 0);
	expect_growth(policy, more, 22, 12);
	expect_growth(policy, more, 23, 12);
	policy_free(policy);
	policy_free(more);
}

static void test_silent_validatetrans(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false), *more = fixture_small(POLICY_SELINUX, false);

	fixture_add_constraint(more, 0, true);
	expect_growth(policy, more, 18, 0);
	expect_growth(policy, more, 19, 4 + 4 + 12 + 24);
	expect_growth(policy, more, 28, 4 + 4 + 12 + 24);
	expect_growth(policy, more, 29, 4 + 4 + 12 + 24 + 24 + 12 + 4);
	policy_free(policy);
	policy_free(more);
}

static void test_silent_labels(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false), *xen = fixture_small(POLICY_XEN, false);
	struct run run;

	fixture_add_labels(policy);
	fixture_add_xen_labels(xen);
	run = run_good(policy, 16, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "fe80000000000000"), 0);
	run_end(&run);
	run = run_good(policy, 17, 0);
	CU_ASSERT_EQUAL(run_count_hex(&run, "fe80000000000000"), 1);
	run_end(&run);
	run = run_good(policy, 30, 0);
	CU_ASSERT_FALSE(run_has_text(&run, "mlx4_0"));
	run_end(&run);
	run = run_good(xen, 24, 0);
	CU_ASSERT_FALSE(run_has_text(&run, "/soc"));
	run_end(&run);
	run = run_good(xen, 30, 0);
	CU_ASSERT(run_has_text(&run, "/soc"));
	run_end(&run);
	policy_free(policy);
	policy_free(xen);
}

/* ---- the second opinion ---- */

static void test_verify_refuses(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run = run_good(policy, 33, 0);
	struct diags diags = {0};

	run.image.n = 100;
	CU_ASSERT_FALSE(policydb_verify(&run.image, &diags));
	CU_ASSERT_EQUAL(diags.errors, 1);
	run.image.n = 3;
	CU_ASSERT_FALSE(policydb_verify(&run.image, &diags));
	CU_ASSERT_EQUAL(diags.errors, 2);
	CU_ASSERT_EQUAL(diags.warnings, 0);
	diags_free(&diags);
	run_end(&run);
	policy_free(policy);
}

static void test_verify_too_new(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct run run = run_at(policy, 33);
	struct diags diags = {0};

	buffer_set_u32(&run.image, 16, (uint32_t)sepol_policy_kern_vers_max() + 1);
	CU_ASSERT(policydb_verify(&run.image, &diags));
	CU_ASSERT_EQUAL(diags.errors, 0);
	CU_ASSERT_EQUAL(diags.warnings, 1);
	diags_free(&diags);
	run_end(&run);
	policy_free(policy);
}

void suite_backend(void)
{
	CU_pSuite suite = CU_add_suite("backend", NULL, NULL);

	CU_add_test(suite, "versions", test_versions);
	CU_add_test(suite, "unknown version", test_unknown_version);
	CU_add_test(suite, "header", test_header);
	CU_add_test(suite, "Xen header", test_xen_header);
	CU_add_test(suite, "maps of the newest version", test_maps_of_newest);
	CU_add_test(suite, "entries", test_entries);
	CU_add_test(suite, "constraint", test_constraint);
	CU_add_test(suite, "conditional", test_conditional);
	CU_add_test(suite, "symbols", test_symbols);
	CU_add_test(suite, "types of old versions", test_types_of_old);
	CU_add_test(suite, "attribute without name", test_nameless_attribute);
	CU_add_test(suite, "filename transitions", test_filename_trans);
	CU_add_test(suite, "range", test_range);
	CU_add_test(suite, "attribute map", test_attribute_map);
	CU_add_test(suite, "labels", test_labels);
	CU_add_test(suite, "all versions", test_all_versions);
	CU_add_test(suite, "Xen versions", test_xen_versions);
	CU_add_test(suite, "expanded rules", test_expanded);
	CU_add_test(suite, "expanded conditional", test_expanded_conditional);
	CU_add_test(suite, "no rules", test_no_rules);
	CU_add_test(suite, "error: MLS", test_no_mls);
	CU_add_test(suite, "error: xperms", test_no_xperms);
	CU_add_test(suite, "error: xperms in a conditional", test_no_cond_xperms);
	CU_add_test(suite, "error: wide iomem", test_no_wide_iomem);
	CU_add_test(suite, "warning: booleans", test_drop_bools);
	CU_add_test(suite, "warning: permissive", test_drop_permissive);
	CU_add_test(suite, "warning: neveraudit", test_drop_neveraudit);
	CU_add_test(suite, "warning: filename transitions", test_drop_filename_trans);
	CU_add_test(suite, "warning: role transitions", test_drop_role_trans);
	CU_add_test(suite, "warning: range transitions", test_drop_range_trans);
	CU_add_test(suite, "warning: glblub", test_drop_glblub);
	CU_add_test(suite, "silent: defaults", test_silent_defaults);
	CU_add_test(suite, "silent: capabilities, bounds", test_silent_header_and_bounds);
	CU_add_test(suite, "silent: validatetrans, type sets", test_silent_validatetrans);
	CU_add_test(suite, "silent: labels", test_silent_labels);
	CU_add_test(suite, "verify refuses", test_verify_refuses);
	CU_add_test(suite, "verify: too new", test_verify_too_new);
}
