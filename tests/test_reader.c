/* The policydb reader and the validator: images written from policies made by
 * hand, whole and with something wrong. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "backend/policydb.h"
#include "tests/backend_fixture.h"
#include "tests/suites.h"

/* ---- reading ---- */

struct reading {
	struct policy *policy; /* NULL: not read, or not valid */
	uint32_t version;
	struct diags diags;
};

static struct reading read_bytes(const void *at, size_t n)
{
	struct reading reading = {0};
	struct policy *policy = policydb_read(at, n, "image", &reading.version, &reading.diags);

	CU_ASSERT_EQUAL(policy == NULL, reading.diags.errors > 0);
	if (policy && policy_validate(policy, reading.version, &reading.diags)) {
		reading.policy = policy;
	} else {
		CU_ASSERT(reading.diags.errors > 0);
		policy_free(policy);
	}
	return reading;
}

static struct reading read_at(const struct policy *policy, uint32_t version)
{
	struct run run = run_at(policy, version);
	struct reading reading = read_bytes(run.image.at, run.image.n);

	run_end(&run);
	return reading;
}

static void reading_end(struct reading *reading)
{
	policy_free(reading->policy);
	diags_free(&reading->diags);
}

static bool says(const struct diags *diags, const char *check, const char *text)
{
	for (uint32_t i = 0; i < diags->list.n; i++)
		if (diags->list.at[i].check && strcmp(diags->list.at[i].check, check) == 0 &&
		    strstr(diags->list.at[i].text, text))
			return true;
	for (uint32_t i = 0; i < diags->list.n; i++)
		fprintf(stderr, "reader: %s, not `%s`\n", diags->list.at[i].text, text);
	return false;
}

/* ---- what was written comes back ---- */

static void expect_same(const struct policy *policy, uint32_t version)
{
	struct run first = run_at(policy, version);
	struct reading reading = read_bytes(first.image.at, first.image.n);

	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	CU_ASSERT_EQUAL(reading.version, version);
	if (reading.policy) {
		struct run second = run_at(reading.policy, version);

		CU_ASSERT_EQUAL(first.image.n, second.image.n);
		CU_ASSERT(first.image.n == second.image.n && memcmp(first.image.at, second.image.at, first.image.n) == 0);
		run_end(&second);
	}
	reading_end(&reading);
	run_end(&first);
}

static void test_round_trip(void)
{
	for (int mls = 0; mls < 2; mls++) {
		struct policy *policy = fixture_full(POLICY_SELINUX, mls);

		for (uint32_t version = mls ? 19 : 15; version <= 35; version++)
			expect_same(policy, version);
		policy_free(policy);
		policy = fixture_full(POLICY_XEN, mls);
		expect_same(policy, 24);
		expect_same(policy, 30);
		policy_free(policy);
	}
}

static void test_xperms(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct policy_cond *cond = fixture_add_cond(policy);

	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_FUNCTION, 0x89, {1}});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {2}});
	expect_same(policy, 30);
	fixture_add_xperm_rule(policy, &cond->yes, (struct policy_xperms){XPERM_NLMSG, 0, {3}});
	expect_same(policy, 34);
	policy_free(policy);
}

/* ---- what struct policy promises ---- */

static void test_symbols(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, true);
	struct reading reading;

	policy->handle_unknown = POLICY_UNKNOWN_ALLOW;
	policy->types.at[TA].permissive = true;
	policy->types.at[TB].neveraudit = true;
	reading = read_at(policy, 35);
	if (reading.policy) {
		const struct policy *p = reading.policy;

		CU_ASSERT(p->mls && p->handle_unknown == POLICY_UNKNOWN_ALLOW && ebitmap_test(&p->capabilities, 2));
		CU_ASSERT(p->types.at[TA].permissive && !p->types.at[TA].neveraudit);
		CU_ASSERT(p->types.at[TB].neveraudit && !p->types.at[TB].permissive);
		CU_ASSERT(p->types.at[TC].bounds == TB && p->types.at[TC].kind == POLICY_TYPE);
		CU_ASSERT(p->types.at[A1].kind == POLICY_ATTRIBUTE && !p->types.at[A1].expand);
		CU_ASSERT(ebitmap_equal(&p->types.at[A1].types, &policy->types.at[A1].types));
		CU_ASSERT(p->type_aliases.n == 1 && p->type_aliases.at[0].value == TA);
		CU_ASSERT(p->sens.n == 2 && p->sens_aliases.n == 1 && p->cats.n == 2 && p->cat_aliases.n == 1);
		CU_ASSERT(p->classes.at[FILE_CLASS].common == 1 && p->classes.at[FILE_CLASS].nperms == 3);
		CU_ASSERT_STRING_EQUAL(p->classes.at[FILE_CLASS].perms[1], "ioctl");
		CU_ASSERT_STRING_EQUAL(p->genfs.at[0].path, "/net");
	}
	reading_end(&reading);
	policy_free(policy);
}

static void test_attributes(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, false);
	struct reading reading = read_at(policy, 23);

	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	if (reading.policy) {
		CU_ASSERT(reading.policy->types.at[A1].kind == POLICY_ATTRIBUTE && !reading.policy->types.at[A1].name);
		CU_ASSERT(ebitmap_equal(&reading.policy->types.at[A2].types, &policy->types.at[A2].types));
	}
	reading_end(&reading);
	reading = read_at(policy, 19);
	CU_ASSERT(reading.policy && reading.policy->types.at[A1].kind == POLICY_GAP);
	reading_end(&reading);
	policy->types.at[A1].expand = true;
	policy->rules.n--;
	reading = read_at(policy, 33);
	CU_ASSERT(reading.policy && reading.policy->types.at[A1].expand && ebitmap_empty(&reading.policy->types.at[A1].types));
	reading_end(&reading);
	policy_free(policy);
}

/* Makes the rules the first n of all with the types, in descending order. */
static void add_descending(struct policy *policy, uint32_t n)
{
	static const uint16_t types[] = {TB, TC, TA, TD};

	policy->rules.n = 0;
	for (uint16_t class = NCLASSES; class >= C1; class--)
		for (uint32_t pair = 0; pair < 16; pair++)
			for (uint16_t kind = AV_AUDITALLOW; kind >= AV_ALLOWED && policy->rules.n < n; kind--)
				ADD(policy, &policy->rules,
				    (struct policy_rule){types[pair / 4], types[pair % 4], class, kind, P1});
}

static uint64_t key_of(const struct policy_rule *rule)
{
	return (uint64_t)rule->class << 48 | (uint64_t)rule->source << 32 | (uint64_t)rule->target << 16 | rule->kind;
}

/* Few rules and many are sorted in ways of their own. */
static void test_order(void)
{
	for (uint32_t n = 2; n <= 128; n *= 2) {
		struct policy *policy = fixture_small(POLICY_SELINUX, false);
		struct reading reading;

		add_descending(policy, n);
		reading = read_at(policy, 33);
		CU_ASSERT_PTR_NOT_NULL(reading.policy);
		if (reading.policy) {
			const policy_rules *rules = &reading.policy->rules;

			CU_ASSERT_EQUAL(rules->n, n);
			for (uint32_t i = 1; i < rules->n; i++)
				CU_ASSERT(key_of(&rules->at[i - 1]) < key_of(&rules->at[i]));
		}
		reading_end(&reading);
		ADD(policy, &policy->rules, policy->rules.at[n / 2]);
		reading = read_at(policy, 33);
		CU_ASSERT(!reading.policy && says(&reading.diags, "bad-image", "two rules of the kind"));
		reading_end(&reading);
		policy_free(policy);
	}
}

/* Entries of one key, where an image may have several. */
static void test_merged(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct policy_cond *cond = fixture_add_cond(policy);
	struct reading reading;

	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {1}});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_FUNCTION, 7, {2}});
	fixture_add_xperm_rule(policy, &policy->rules, (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {4}});
	ADD(policy, &cond->yes, (struct policy_rule){TA, TB, C1, AV_ALLOWED, P2});
	ADD(policy, &cond->no, (struct policy_rule){TA, TB, C1, AV_AUDITDENY, 7});
	ADD(policy, &cond->no, (struct policy_rule){TA, TB, C1, AV_AUDITDENY, 14});
	reading = read_at(policy, 33);
	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	if (reading.policy) {
		const struct policy *p = reading.policy;

		CU_ASSERT_EQUAL(p->rules.n, 3);
		CU_ASSERT_EQUAL(p->xperms.at[p->rules.at[1].data].specified, XPERM_IOCTL_FUNCTION);
		CU_ASSERT_EQUAL(p->xperms.at[p->rules.at[2].data].perms[0], 5);
		CU_ASSERT(p->conds.at[0].yes.n == 1 && p->conds.at[0].yes.at[0].data == (P1 | P2));
		CU_ASSERT(p->conds.at[0].no.n == 2 && p->conds.at[0].no.at[1].data == 6);
	}
	reading_end(&reading);
	policy_free(policy);
}

static void test_genfs(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct policy_context object = fixture_context(policy, OBJECT_R, TB);
	struct reading reading;

	ADD(policy, &policy->genfs, (struct policy_genfs){"proc", "/", 0, object});
	ADD(policy, &policy->genfs, (struct policy_genfs){"proc", "/net", 0, object});
	ADD(policy, &policy->genfs, (struct policy_genfs){"bin", "/", 0, object});
	reading = read_at(policy, 33);
	CU_ASSERT(reading.policy && reading.policy->genfs.n == 3);
	if (reading.policy) {
		CU_ASSERT_STRING_EQUAL(reading.policy->genfs.at[0].fs, "bin");
		CU_ASSERT_STRING_EQUAL(reading.policy->genfs.at[1].path, "/net");
	}
	reading_end(&reading);
	policy_free(policy);
}

/* Of two results for one source the first stays, as all readers have it. */
static void test_old_filename_transitions(void)
{
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct reading reading;

	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"nm", TC, FILE_CLASS, TB, SET(TA, TC)});
	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"nm", TC, FILE_CLASS, TA, SET(TA, TB)});
	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"a", TC, FILE_CLASS, TA, SET(TA)});
	reading = read_at(policy, 25);
	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	if (reading.policy) {
		const struct policy_filename_trans *trans = reading.policy->filename_trans.at;

		CU_ASSERT_EQUAL(reading.policy->filename_trans.n, 3);
		CU_ASSERT_STRING_EQUAL(trans[0].name, "a");
		CU_ASSERT(trans[1].result == TA && ebitmap_count(&trans[1].sources) == 1);
		CU_ASSERT(trans[2].result == TB && ebitmap_count(&trans[2].sources) == 2);
	}
	reading_end(&reading);
	reading = read_at(policy, 33);
	CU_ASSERT(!reading.policy && says(&reading.diags, "bad-image", "a source with two results"));
	reading_end(&reading);
	policy_free(policy);
}

/* ---- damage ---- */

static void test_truncated(void)
{
	for (uint32_t version = 19; version <= 35; version += 16) {
		struct policy *policy = fixture_full(POLICY_SELINUX, true);
		struct run run = run_at(policy, version);

		for (size_t n = 0; n < run.image.n; n++) {
			struct buffer part = {0}; /* with its end at the end of a block */
			struct reading reading;

			buffer_put(&part, run.image.at, n);
			reading = read_bytes(part.at, part.n);
			CU_ASSERT_PTR_NULL(reading.policy);
			CU_ASSERT_EQUAL(reading.diags.errors, 1);
			reading_end(&reading);
			buffer_free(&part);
		}
		run_end(&run);
		policy_free(policy);
	}
}

static void test_trailing(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, false);
	struct run run = run_at(policy, 33);
	struct reading reading;

	buffer_u8(&run.image, 0);
	reading = read_bytes(run.image.at, run.image.n);
	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	CU_ASSERT(says(&reading.diags, "trailing-bytes", "1 bytes behind the policy"));
	reading_end(&reading);
	run_end(&run);
	policy_free(policy);
}

/* Sets a 32-bit word of the image, and wants the reading to fail with the text. */
static void expect_refused(const struct policy *policy, size_t at, uint32_t word, const char *check, const char *text)
{
	struct run run = run_at(policy, 33);
	struct reading reading;

	buffer_set_u32(&run.image, at, word);
	reading = read_bytes(run.image.at, run.image.n);
	CU_ASSERT_PTR_NULL(reading.policy);
	CU_ASSERT(says(&reading.diags, check, text));
	reading_end(&reading);
	run_end(&run);
}

static void test_header(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, true);

	expect_refused(policy, 0, 0xf97cff8d, "bad-image", "a policy module");
	expect_refused(policy, 0, 0x464c457f, "bad-image", "magic number is 0x464c457f");
	expect_refused(policy, 4, 9, "bad-image", "an identifier of 9 bytes");
	expect_refused(policy, 8, 0, "bad-image", "unknown identifier");
	expect_refused(policy, 16, 36, "bad-image", "version 36 is not known");
	expect_refused(policy, 20, 7, "bad-image", "both allowed and rejected");
	expect_refused(policy, 20, 9, "bad-image", "configuration bits");
	expect_refused(policy, 20, 0, "levels-without-mls", "2 sensitivities and 2 categories");
	expect_refused(policy, 28, 7, "bad-image", "8 symbol and 7 label tables");
	expect_refused(policy, 32, 32, "bad-image", "words of 32 bits");
	expect_refused(policy, 36, 128, "bad-image", "ends at bit 64 instead of 128");
	expect_refused(policy, 40, UINT32_MAX, "bad-image", "cannot be in");
	policy_free(policy);
}

/* A set takes the room of all that lies between its members. */
static void test_wide_sets(void)
{
	enum { SETS = 1000 };
	struct policy *policy = fixture_small(POLICY_SELINUX, false);
	struct policy_constraint constraint = {P1, fixture_zeroed(policy, SETS, sizeof *constraint.expr), SETS};
	struct reading reading;

	for (uint32_t i = 0; i < SETS; i++)
		constraint.expr[i] = (struct policy_cexpr){CEXPR_NAMES, CEXPR_TYPE, CEXPR_EQ, SET(1, 65536), {0}, {0}, 0};
	ADD(policy, &policy->classes.at[C1].constraints, constraint);
	reading = read_at(policy, 33);
	CU_ASSERT(!reading.policy && says(&reading.diags, "bad-image", "too far apart"));
	reading_end(&reading);
	policy_free(policy);
}

/* ---- policies that are written and must not be used ---- */

typedef void (*spoil_fn)(struct policy *policy);

static void spoil_source(struct policy *policy) { policy->rules.at[0].source = 9999; }
static void spoil_target(struct policy *policy) { policy->rules.at[0].target = 0; }
static void spoil_class(struct policy *policy) { policy->rules.at[0].class = NCLASSES + 1; }
static void spoil_permissions(struct policy *policy) { policy->rules.at[0].data = 0x100; }
static void spoil_type_source(struct policy *policy) { policy->rules.at[1].source = A1; }
static void spoil_result(struct policy *policy) { policy->rules.at[1].data = A2; }
static void spoil_kind(struct policy *policy) { policy->rules.at[0].kind = 3; }
static void spoil_repeat(struct policy *policy) { policy->rules.at[1] = policy->rules.at[0]; }
static void spoil_boolean(struct policy *policy) { policy->conds.at[0].expr[0].boolean = 3; }
static void spoil_condition(struct policy *policy) { policy->conds.at[0].nexpr = 2; }
static void spoil_operator(struct policy *policy) { policy->conds.at[0].expr[0].kind = COND_NOT; }
static void spoil_role(struct policy *policy) { policy->role_allows.at[0].result = 7; }
static void spoil_role_trans(struct policy *policy) { policy->role_trans.at[0].type = 70; }
static void spoil_filename(struct policy *policy) { policy->filename_trans.at[0].result = A1; }
static void spoil_sources(struct policy *policy) { ebitmap_set(&policy->filename_trans.at[0].sources, 63); }
static void spoil_range(struct policy *policy) { policy->range_trans.at[0].range.high.sens = 3; }
static void spoil_user(struct policy *policy) { policy->sids.at[0].context.user = 2; }
static void spoil_user_role(struct policy *policy) { policy->sids.at[0].context.role = RB; }
static void spoil_role_type(struct policy *policy) { policy->sids.at[0].context.type = TD; }
static void spoil_sid(struct policy *policy) { policy->sids.at[0].sid = 28; }
static void spoil_level(struct policy *policy) { policy->ports.at[0].context.range.low.sens = 2; }
static void spoil_category(struct policy *policy) { ebitmap_set(&policy->sens.at[1].cats, 2); }
static void spoil_port(struct policy *policy) { policy->ports.at[0].low = 100; }
static void spoil_netif(struct policy *policy)
{
	policy->netifs.at[0].name = "a-name-of-a-network-interface-that-is-longer-than-sixty-three-bytes";
}
static void spoil_fs_use(struct policy *policy) { policy->fs_uses.at[0].behaviour = 4; }
static void spoil_ibpkey(struct policy *policy) { policy->ibpkeys.at[0].high = 0x10000; }
static void spoil_ibendport(struct policy *policy) { policy->ibendports.at[0].port = 256; }
static void spoil_genfs(struct policy *policy) { policy->genfs.at[0].path = "/"; }
static void spoil_genfs_class(struct policy *policy) { policy->genfs.at[0].class = 5; }
static void spoil_capability(struct policy *policy) { ebitmap_set(&policy->capabilities, 63); }
static void spoil_bounds(struct policy *policy) { policy->types.at[TC].bounds = A1; }
static void spoil_role_types(struct policy *policy) { ebitmap_set(&policy->roles.at[RA].types, 6); }
static void spoil_object_r(struct policy *policy) { policy->roles.at[OBJECT_R].name = "object_s"; }
static void spoil_alias(struct policy *policy) { policy->type_aliases.at[0].value = 7; }
static void spoil_name(struct policy *policy) { policy->types.at[TA].name = "tb"; }
static void spoil_control(struct policy *policy) { policy->types.at[TA].name = "t\na"; }
static void spoil_common(struct policy *policy) { policy->commons.at[1].perms[1] = "read"; }
static void spoil_constraint(struct policy *policy) { policy->classes.at[C1].constraints.at[0].perms = 0x10; }
static void spoil_names(struct policy *policy)
{
	policy->classes.at[C1].constraints.at[0].expr[0].attr = CEXPR_TYPE | CEXPR_XTARGET;
}
static void spoil_type_set(struct policy *policy)
{
	policy->classes.at[C1].constraints.at[0].expr[0].attr = CEXPR_ROLE;
}
static void spoil_expression(struct policy *policy) { policy->classes.at[C1].constraints.at[0].expr[0].kind = CEXPR_AND; }
static void spoil_default(struct policy *policy) { policy->classes.at[C1].default_role = 3; }
static void spoil_conflict(struct policy *policy)
{
	ADD(policy, &policy->conds.at[0].no, (struct policy_rule){TA, TB, C1, AV_TRANSITION, TC});
}

static const struct {
	spoil_fn spoil;
	const char *check, *text;
} spoiled[] = {
	{spoil_source, "invalid-rule", "allow rule 2 (9999 `tb`:`c1`): source type value 9999 above 6"},
	{spoil_target, "invalid-rule", "allow rule 1 (`ta` 0:`c1`): no target type"},
	{spoil_class, "invalid-rule", "class value 5 above 4"},
	{spoil_permissions, "invalid-rule", "none of the permissions 0x00000100 is declared"},
	{spoil_type_source, "invalid-rule", "source type `a1` is an attribute"},
	{spoil_result, "invalid-rule", "type_transition rule 2 (`ta` `tb`:`c1`): result type `a2` is an attribute"},
	{spoil_kind, "bad-image", "a rule of the kind 0x0003"},
	{spoil_repeat, "bad-image", "two rules of the kind 0x0001"},
	{spoil_boolean, "invalid-rule", "conditional 1: boolean value 3 above 2"},
	{spoil_condition, "invalid-rule", "conditional 1: an expression of several values"},
	{spoil_operator, "invalid-rule", "conditional 1: an operator with"},
	{spoil_conflict, "invalid-rule", "conditional 1, false branch, type_transition rule 2 (`ta` `tb`:`c1`): there is"},
	{spoil_role, "invalid-transition", "role allow rule 1: new role value 7 above 3"},
	{spoil_role_trans, "invalid-transition", "role transition 1: type value 70 above 6"},
	{spoil_filename, "invalid-transition", "filename transition for `nm`: result type `a1` is an attribute"},
	{spoil_sources, "invalid-transition", "filename transition for `nm`: source type value 64 above 6"},
	{spoil_range, "invalid-transition", "range transition 1: high level value 3 above 2"},
	{spoil_user, "invalid-label", "initial SID `kernel`: user value 2 above 1"},
	{spoil_user_role, "invalid-label", "initial SID `kernel`: user `ua` has no role `rb`"},
	{spoil_role_type, "invalid-label", "initial SID `kernel`: role `ra` has no type `td`"},
	{spoil_sid, "invalid-label", "the number 28 is not in 1 to 27"},
	{spoil_level, "invalid-label", "port 1: the high level does not dominate the low level"},
	{spoil_category, "invalid-symbol", "sensitivity `s0`: category value 3 above 2"},
	{spoil_port, "invalid-label", "port 1: low 100 above high 81"},
	{spoil_netif, "invalid-label", "a name of 67 bytes, over 63"},
	{spoil_fs_use, "invalid-label", "fs_use `ext4`: behaviour 4"},
	{spoil_ibpkey, "invalid-label", "InfiniBand key 1: 1 to 65536"},
	{spoil_ibendport, "invalid-label", "InfiniBand port of `mlx4_0`: port 256"},
	{spoil_genfs, "invalid-label", "genfs `proc` `/`: two entries"},
	{spoil_genfs_class, "invalid-label", "genfs `proc` `/net`: class value 5 above 4"},
	{spoil_capability, "invalid-policy", "policy capability 63 is not known"},
	{spoil_bounds, "invalid-symbol", "type `tc`: bounding type `a1` is an attribute"},
	{spoil_role_types, "invalid-symbol", "role `ra`: type value 7 above 6"},
	{spoil_object_r, "invalid-symbol", "role `object_r`: not the role of value 1"},
	{spoil_alias, "invalid-symbol", "type alias `talias`: type value 7 above 6"},
	{spoil_name, "bad-image", "type `tb` twice"},
	{spoil_control, "bad-image", "control character 0x0a"},
	{spoil_common, "bad-image", "permission `read` of `fs` twice"},
	{spoil_constraint, "invalid-constraint", "class `c1`, constraint 1: none of the permissions"},
	{spoil_names, "invalid-constraint", "the context of a transition outside of one"},
	{spoil_type_set, "invalid-constraint", "a set of types where there is none"},
	{spoil_expression, "invalid-constraint", "a connective with attribute"},
	{spoil_default, "bad-image", "class `c1` has the default_role 3"},
};

static void test_spoiled(void)
{
	for (size_t i = 0; i < sizeof spoiled / sizeof spoiled[0]; i++) {
		struct policy *policy = fixture_full(POLICY_SELINUX, true);
		struct reading reading;

		spoiled[i].spoil(policy);
		reading = read_at(policy, 33);
		CU_ASSERT_PTR_NULL(reading.policy);
		CU_ASSERT(says(&reading.diags, spoiled[i].check, spoiled[i].text));
		reading_end(&reading);
		policy_free(policy);
	}
}

/* All that is wrong is told, not the first only. */
static void test_all_findings(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, true);
	struct reading reading;

	spoil_source(policy);
	spoil_port(policy);
	spoil_role(policy);
	reading = read_at(policy, 33);
	CU_ASSERT_EQUAL(reading.diags.errors, 3);
	reading_end(&reading);
	policy_free(policy);
}

/* What only the kernel refuses is a warning. */
static void test_kernel(void)
{
	struct policy *policy = fixture_full(POLICY_SELINUX, true);
	struct reading reading;

	policy->ports.at[0].low = 0;
	policy->types.at[TB].bounds = TC;
	policy->classes.at[PROCESS].name = "proc";
	ADD(policy, &policy->role_trans, (struct policy_role_trans){RA, TB, PROCESS, RB});
	reading = read_at(policy, 33);
	CU_ASSERT_PTR_NOT_NULL(reading.policy);
	CU_ASSERT(says(&reading.diags, "kernel-refuses", "port 1: port 0"));
	CU_ASSERT(says(&reading.diags, "kernel-refuses", "type `tb`: its bounds form a loop"));
	CU_ASSERT(says(&reading.diags, "kernel-refuses", "class `process`: is not declared"));
	CU_ASSERT(says(&reading.diags, "kernel-refuses", "role transition 2: the same"));
	reading_end(&reading);
	policy_free(policy);
}

void suite_reader(void)
{
	CU_pSuite suite = CU_add_suite("reader", NULL, NULL);

	CU_add_test(suite, "what was written comes back", test_round_trip);
	CU_add_test(suite, "extended permissions come back", test_xperms);
	CU_add_test(suite, "symbols", test_symbols);
	CU_add_test(suite, "attributes by version", test_attributes);
	CU_add_test(suite, "order of rules", test_order);
	CU_add_test(suite, "entries of one key", test_merged);
	CU_add_test(suite, "order of genfs", test_genfs);
	CU_add_test(suite, "filename transitions before version 33", test_old_filename_transitions);
	CU_add_test(suite, "cut at every byte", test_truncated);
	CU_add_test(suite, "trailing bytes", test_trailing);
	CU_add_test(suite, "header", test_header);
	CU_add_test(suite, "wide sets", test_wide_sets);
	CU_add_test(suite, "policies that must not be used", test_spoiled);
	CU_add_test(suite, "all findings", test_all_findings);
	CU_add_test(suite, "what the kernel refuses", test_kernel);
}
