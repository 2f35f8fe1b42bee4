#include "tests/backend_fixture.h"

#include <CUnit/CUnit.h>
#include <sepol/policydb.h>
#include <string.h>

#include "backend/policydb.h"

/* ---- a small policy ---- */

void *fixture_zeroed(struct policy *policy, uint32_t n, size_t size)
{
	return arena_zalloc(&policy->arena, n, size);
}

void *fixture_grown(struct policy *policy, const void *at, uint32_t n, size_t size)
{
	void *bigger = fixture_zeroed(policy, n + 1, size);

	if (n)
		memcpy(bigger, at, n * size);
	return bigger;
}

struct ebitmap fixture_set(uint32_t n, const uint32_t *values)
{
	struct ebitmap set = {0};

	for (uint32_t i = 0; i < n; i++)
		ebitmap_set(&set, values[i] - 1);
	return set;
}

struct policy_context fixture_context(const struct policy *policy, uint32_t role, uint32_t type)
{
	uint32_t sens = policy->mls;

	return (struct policy_context){1, role, type, {{sens, {0}}, {sens, {0}}}};
}

static void make_classes(struct policy *policy)
{
	SYMBOLS(policy, commons, 1);
	policy->commons.at[1] = (struct policy_common){"fs", 2, {"read", "ioctl"}};
	SYMBOLS(policy, classes, NCLASSES);
	policy->classes.at[C1] = (struct policy_class){.name = "c1", .nperms = 4, .perms = {"p1", "p2", "ioctl", "nlmsg"}};
	policy->classes.at[FILE_CLASS] =
		(struct policy_class){.name = "file", .common = 1, .nperms = 3, .perms = {"read", "ioctl", "append"}};
	policy->classes.at[DIR_CLASS] =
		(struct policy_class){.name = "dir", .common = 1, .nperms = 2, .perms = {"read", "ioctl"}};
	policy->classes.at[PROCESS] =
		(struct policy_class){.name = "process", .nperms = 2, .perms = {"transition", "dyntransition"}};
	if (policy->target == POLICY_XEN)
		policy->classes.at[PROCESS].name = "domain";
}

static void make_types(struct policy *policy)
{
	SYMBOLS(policy, types, NTYPES);
	policy->types.at[TD] = (struct policy_type){.name = "td", .kind = POLICY_TYPE};
	policy->types.at[A1] = (struct policy_type){.name = "a1", .kind = POLICY_ATTRIBUTE, .types = SET(TA, TB)};
	policy->types.at[A2] = (struct policy_type){.name = "a2", .kind = POLICY_ATTRIBUTE, .types = SET(TC, TB)};
	policy->types.at[TA] = (struct policy_type){.name = "ta", .kind = POLICY_TYPE};
	policy->types.at[TB] = (struct policy_type){.name = "tb", .kind = POLICY_TYPE};
	policy->types.at[TC] = (struct policy_type){.name = "tc", .kind = POLICY_TYPE};
	ADD(policy, &policy->type_aliases, (struct policy_alias){"talias", TA});
}

static void make_levels(struct policy *policy)
{
	SYMBOLS(policy, sens, 2);
	policy->sens.at[1] = (struct policy_sens){"s0", SET(1, 2)};
	policy->sens.at[2] = (struct policy_sens){"s1", SET(1, 2)};
	SYMBOLS(policy, cats, 2);
	policy->cats.at[1] = (struct policy_cat){"cat0"};
	policy->cats.at[2] = (struct policy_cat){"cat1"};
	ADD(policy, &policy->sens_aliases, (struct policy_alias){"low", 1});
	ADD(policy, &policy->cat_aliases, (struct policy_alias){"first", 1});
}

static void make_users(struct policy *policy)
{
	SYMBOLS(policy, roles, NROLES);
	policy->roles.at[OBJECT_R].name = "object_r";
	policy->roles.at[RA] = (struct policy_role){.name = "ra", .types = SET(TA, TB, TC)};
	policy->roles.at[RB] = (struct policy_role){.name = "rb", .types = SET(TA)};
	SYMBOLS(policy, users, 1);
	policy->users.at[1] = (struct policy_user){.name = "ua", .roles = SET(RA)};
	if (policy->mls) {
		policy->users.at[1].range = (struct policy_range){{1, {0}}, {2, SET(1, 2)}};
		policy->users.at[1].level.sens = 1;
	}
}

/* `allow ta tb:c1 p1;` and what must be there. */
struct policy *fixture_small(enum policy_target target, bool mls)
{
	struct policy *policy = policy_new();

	policy->target = target;
	policy->mls = mls;
	make_classes(policy);
	make_types(policy);
	if (mls)
		make_levels(policy);
	make_users(policy);
	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_ALLOWED, P1});
	ADD(policy, &policy->sids, (struct policy_sid){1, fixture_context(policy, RA, TA)});
	return policy;
}

/* if (b1 && !b2) { allow ta tb:c1 p1; } else { allow ta tc:c1 p1; } */
struct policy_cond *fixture_add_cond(struct policy *policy)
{
	static const struct policy_cond_expr expr[] = {{COND_BOOL, B1}, {COND_BOOL, B2}, {COND_NOT, 0}, {COND_AND, 0}};
	struct policy_cond cond = {.nexpr = 4};

	SYMBOLS(policy, bools, NBOOLS);
	policy->bools.at[B1] = (struct policy_bool){"b1", true};
	policy->bools.at[B2] = (struct policy_bool){"b2", false};
	cond.expr = arena_copy(&policy->arena, expr, sizeof expr);
	ADD(policy, &cond.yes, (struct policy_rule){TA, TB, C1, AV_ALLOWED, P1});
	ADD(policy, &cond.no, (struct policy_rule){TA, TC, C1, AV_ALLOWED, P1});
	ADD(policy, &policy->conds, cond);
	return &policy->conds.at[policy->conds.n - 1];
}

void fixture_add_filename_trans(struct policy *policy)
{
	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"nm", TC, FILE_CLASS, TA, SET(TB)});
	ADD(policy, &policy->filename_trans, (struct policy_filename_trans){"nm", TC, FILE_CLASS, TB, SET(TA, TC)});
}

void fixture_add_labels(struct policy *policy)
{
	struct policy_context object = fixture_context(policy, OBJECT_R, TB);

	ADD(policy, &policy->ports, (struct policy_port){6, 80, 81, object});
	ADD(policy, &policy->netifs, (struct policy_netif){"eth0", object, object});
	ADD(policy, &policy->nodes, (struct policy_node){{127, 0, 0, 1}, {255, 255, 255, 255}, object});
	ADD(policy, &policy->nodes6, (struct policy_node){{0xfe, 0x80}, {0xff, 0xff}, object});
	ADD(policy, &policy->fs_uses, (struct policy_fs_use){1, "ext4", object});
	ADD(policy, &policy->ibpkeys, (struct policy_ibpkey){{0xfe, 0x80}, 1, 0xffff, object});
	ADD(policy, &policy->ibendports, (struct policy_ibendport){"mlx4_0", 2, object});
	ADD(policy, &policy->genfs, (struct policy_genfs){"proc", "/net", FILE_CLASS, object});
	ADD(policy, &policy->genfs, (struct policy_genfs){"proc", "/", 0, object});
	ADD(policy, &policy->genfs, (struct policy_genfs){"sysfs", "/", 0, object});
}

void fixture_add_xen_labels(struct policy *policy)
{
	struct policy_context object = fixture_context(policy, OBJECT_R, TB);

	ADD(policy, &policy->pirqs, (struct policy_xen_span){33, 33, object});
	ADD(policy, &policy->ioports, (struct policy_xen_span){0x3f8, 0x3ff, object});
	ADD(policy, &policy->iomems, (struct policy_xen_span){0x1000, 0x1fff, object});
	ADD(policy, &policy->pcidevices, (struct policy_xen_span){0xc800, 0xc800, object});
	ADD(policy, &policy->devicetrees, (struct policy_devicetree){"/soc", object});
}

/* t1 == { a1 tc } */
struct policy_cexpr fixture_type_names(void)
{
	return (struct policy_cexpr){CEXPR_NAMES, CEXPR_TYPE, CEXPR_EQ, SET(TA, TB, TC), SET(A1, TC), {0}, 0};
}

void fixture_add_constraint(struct policy *policy, uint32_t perms, bool validatetrans)
{
	struct policy_class *class = &policy->classes.at[C1];
	struct policy_constraint constraint = {perms, fixture_zeroed(policy, 1, sizeof *constraint.expr), 1};

	constraint.expr[0] = fixture_type_names();
	if (validatetrans)
		ADD(policy, &class->validatetrans, constraint);
	else
		ADD(policy, &class->constraints, constraint);
}

void fixture_add_xperm_rule(struct policy *policy, policy_rules *rules, struct policy_xperms xperms)
{
	ADD(policy, rules, (struct policy_rule){TA, TB, C1, AV_XALLOWED, policy->xperms.n});
	ADD(policy, &policy->xperms, xperms);
}

/* All that every version of the target takes, at least with a warning. */
struct policy *fixture_full(enum policy_target target, bool mls)
{
	struct policy *policy = fixture_small(target, mls);

	ADD(policy, &policy->rules, (struct policy_rule){TA, TB, C1, AV_TRANSITION, TC});
	ADD(policy, &policy->rules, (struct policy_rule){A1, A2, FILE_CLASS, AV_ALLOWED, P1});
	fixture_add_cond(policy);
	fixture_add_constraint(policy, P1, false);
	fixture_add_constraint(policy, 0, true);
	fixture_add_filename_trans(policy);
	ADD(policy, &policy->role_allows, (struct policy_role_allow){RA, RB});
	ADD(policy, &policy->role_trans, (struct policy_role_trans){RA, TB, PROCESS, RB});
	policy->types.at[TC].bounds = TB;
	policy->classes.at[DIR_CLASS].default_range = mls ? DEFAULT_RANGE_TARGET_LOW : 0;
	policy->classes.at[DIR_CLASS].default_user = 1;
	policy->classes.at[DIR_CLASS].default_type = 2;
	ebitmap_set(&policy->capabilities, 2);
	if (mls)
		ADD(policy, &policy->range_trans, (struct policy_range_trans){TA, TB, PROCESS, {{1, {0}}, {2, SET(2)}}});
	if (target == POLICY_XEN)
		fixture_add_xen_labels(policy);
	else
		fixture_add_labels(policy);
	return policy;
}

/* ---- writing, and looking at what came out ---- */

struct run run_at(const struct policy *policy, uint32_t version)
{
	struct run run = {.ok = false};

	run.ok = policydb_write(policy, version, &run.image, &run.diags);
	CU_ASSERT_EQUAL(run.ok, run.diags.errors == 0);
	CU_ASSERT(run.ok || run.image.n == 0);
	return run;
}

void run_end(struct run *run)
{
	buffer_free(&run->image);
	diags_free(&run->diags);
}

static bool sepol_knows(uint32_t version)
{
	return version >= (uint32_t)sepol_policy_kern_vers_min() && version <= (uint32_t)sepol_policy_kern_vers_max();
}

/* libsepol reads the image, or is too old or too new to. */
static bool reads(const struct run *run, uint32_t version)
{
	struct diags diags = {0};
	bool ok = policydb_verify(&run->image, &diags);

	if (!ok)
		diags_print(&diags, NULL, "libsepol", 0, stderr);
	ok = ok && diags.errors == 0 && diags.warnings == !sepol_knows(version);
	diags_free(&diags);
	return ok;
}

/* Writes, and wants so many warnings and an image that libsepol reads. */
struct run run_good(const struct policy *policy, uint32_t version, uint32_t warnings)
{
	struct run run = run_at(policy, version);

	CU_ASSERT(run.ok);
	CU_ASSERT_EQUAL(run.diags.warnings, warnings);
	CU_ASSERT(reads(&run, version));
	return run;
}

void expect_good(const struct policy *policy, uint32_t version, uint32_t warnings)
{
	struct run run = run_good(policy, version, warnings);

	run_end(&run);
}

void expect_error(const struct policy *policy, uint32_t version, const char *check)
{
	struct run run = run_at(policy, version);

	CU_ASSERT_FALSE(run.ok);
	CU_ASSERT_EQUAL(run.diags.errors, 1);
	CU_ASSERT(run.diags.list.n > 0 && strcmp(run.diags.list.at[0].check, check) == 0);
	run_end(&run);
}

static int hex_digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Number of places where the bytes, in hexadecimal with free blanks, stand. */
uint32_t run_count_hex(const struct run *run, const char *hex)
{
	struct buffer bytes = {0};
	uint32_t found = 0;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		buffer_u8(&bytes, (uint8_t)(hex_digit(hex[0]) * 16 + hex_digit(hex[1])));
		hex++;
	}
	for (size_t i = 0; i + bytes.n <= run->image.n; i++)
		found += memcmp(run->image.at + i, bytes.at, bytes.n) == 0;
	buffer_free(&bytes);
	return found;
}

bool run_has_text(const struct run *run, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i + len <= run->image.n; i++)
		if (memcmp(run->image.at + i, text, len) == 0)
			return true;
	return false;
}

bool run_starts_with_hex(const struct run *run, const char *hex)
{
	size_t n = 0;

	for (const char *p = hex; *p; p++)
		n += *p != ' ';
	if (run->image.n < n / 2)
		return false;
	return run_count_hex(&(struct run){.image = {run->image.at, n / 2, 0}}, hex) == 1;
}
