/* -O and -S, on small policies made by hand. */
#include <CUnit/CUnit.h>

#include "tests/rules_fixture.h"
#include "tests/suites.h"

/* ---- optimise ---- */

static void optimise_by_supersets(void)
{
	struct fixture f;
	policy_rules *rules;

	rules_setup(&f);
	rules = &f.p->rules;
	RULES(&f, rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TA, TC, FILE_CLASS, AV_TRANSITION, TB},
	      {TB, TD, FILE_CLASS, AV_ALLOWED, READ}, {A1, TC, FILE_CLASS, AV_ALLOWED, READ | IOCTL},
	      {A2, A2, FILE_CLASS, AV_ALLOWED, READ}, {TA, TC, SOCKET_CLASS, AV_ALLOWED, READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 6);
	CU_ASSERT_EQUAL(rules->at[0].data, WRITE); /* a1 tc and a2 a2 have read */
	CU_ASSERT_EQUAL(rules->at[3].data, IOCTL);
	CU_ASSERT_EQUAL(rules->at[4].data, READ);
	rules->at[0].data = IOCTL;
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 5);
	CU_ASSERT_EQUAL(rules->at[0].kind, AV_TRANSITION);
	rules_teardown(&f);
}

static void optimise_dontaudit(void)
{
	struct fixture f;

	rules_setup(&f);
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)(READ | WRITE)},
	      {TB, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)READ}, {A1, TC, FILE_CLASS, AV_AUDITDENY, ~(uint32_t)READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->rules.n, 2);
	CU_ASSERT_EQUAL(f.p->rules.at[0].data, ~(uint32_t)WRITE);
	CU_ASSERT_EQUAL(f.p->rules.at[1].source, A1);
	rules_teardown(&f);
}

/* Attributes with the same types: one rule must stay. */
static void optimise_equal_attributes(void)
{
	struct fixture f;

	rules_setup(&f);
	ebitmap_set_range(&f.p->types.at[A3].types, TA - 1, TB - 1);
	RULES(&f, &f.p->rules, {A1, TC, FILE_CLASS, AV_ALLOWED, READ}, {A3, TC, FILE_CLASS, AV_ALLOWED, READ});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->rules.n, 1);
	CU_ASSERT_EQUAL(f.p->rules.at[0].source, A3);
	rules_teardown(&f);
}

static void optimise_conditionals(void)
{
	struct fixture f;
	struct policy_cond *conds;

	rules_setup(&f);
	rules_add_conds(&f);
	conds = f.p->conds.at;
	RULES(&f, &f.p->rules, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	RULES(&f, &conds[0].yes, {TA, TC, FILE_CLASS, AV_ALLOWED, READ});
	RULES(&f, &conds[1].yes, {TA, TC, FILE_CLASS, AV_ALLOWED, READ | WRITE}, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL},
	      {A1, A2, FILE_CLASS, AV_ALLOWED, IOCTL});
	RULES(&f, &conds[1].no, {TB, TC, FILE_CLASS, AV_ALLOWED, IOCTL});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(f.p->conds.n, 1);
	CU_ASSERT_EQUAL(f.p->conds.at[0].expr[0].boolean, 2);
	CU_ASSERT_EQUAL_FATAL(f.p->conds.at[0].yes.n, 2);
	CU_ASSERT_EQUAL(f.p->conds.at[0].yes.at[0].data, WRITE);
	CU_ASSERT_EQUAL(f.p->conds.at[0].yes.at[1].source, A1);
	CU_ASSERT_EQUAL(f.p->conds.at[0].no.n, 1); /* the other branch covers nothing */
	rules_teardown(&f);
}

static void optimise_records(void)
{
	struct fixture f;
	policy_rules *rules;

	rules_setup(&f);
	rules_add_records(&f);
	f.p->xperms.at[3] = (struct policy_xperms){XPERM_IOCTL_FUNCTION, 5, {0x00180000}};
	rules = &f.p->rules;
	RULES(&f, rules, {TA, TC, FILE_CLASS, AV_XALLOWED, 0}, {TB, TC, FILE_CLASS, AV_XALLOWED, 0},
	      {TD, TC, FILE_CLASS, AV_XALLOWED, 0}, {A1, TC, FILE_CLASS, AV_XALLOWED, 3});
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 4);
	CU_ASSERT_EQUAL(f.p->xperms.at[rules->at[0].data].perms[0], 0x00040000);
	CU_ASSERT_EQUAL(f.p->xperms.at[rules->at[2].data].perms[0], 0x000c0000); /* td shared the record */
	f.p->xperms.at[rules->at[3].data] = (struct policy_xperms){XPERM_IOCTL_DRIVER, 0, {1 << 5}};
	policy_optimise(f.p);
	CU_ASSERT_EQUAL_FATAL(rules->n, 2);
	CU_ASSERT_EQUAL(rules->at[0].source, TD);
	CU_ASSERT_EQUAL(rules->at[1].source, A1);
	CU_ASSERT_EQUAL(f.p->xperms.n, 2);
	rules_teardown(&f);
}

/* ---- sort ---- */

static void sort_ports(void)
{
	static const struct policy_port ports[] = {
		{17, 80, 80, {.type = 1}}, {6, 1, 1023, {.type = 2}}, {6, 80, 80, {.type = 3}},
		{6, 443, 443, {.type = 4}}, {6, 80, 80, {.type = 5}},
	};
	static const uint32_t sorted[] = {3, 5, 1, 4, 2};
	struct fixture f;

	rules_setup(&f);
	f.p->ports.n = 5;
	f.p->ports.at = rules_copy(&f, ports, sizeof ports);
	policy_sort_labels(f.p);
	for (int i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(f.p->ports.at[i].context.type, sorted[i]);
	rules_teardown(&f);
}

static void sort_names(void)
{
	static const struct policy_netif netifs[] = {
		{.name = "*"}, {.name = "wlan*"}, {.name = "eth1"}, {.name = "eth*"}, {.name = "eth?"}, {.name = "eth0"},
	};
	static const char *const sorted[] = {"eth0", "eth1", "wlan*", "eth?", "eth*", "*"};
	static const struct policy_fs_use fs_uses[] = {{2, "b", {0}}, {1, "z", {0}}, {2, "a", {0}}};
	struct fixture f;

	rules_setup(&f);
	f.p->netifs.n = 6;
	f.p->netifs.at = rules_copy(&f, netifs, sizeof netifs);
	f.p->fs_uses.n = 3;
	f.p->fs_uses.at = rules_copy(&f, fs_uses, sizeof fs_uses);
	policy_sort_labels(f.p);
	for (int i = 0; i < 6; i++)
		CU_ASSERT_STRING_EQUAL(f.p->netifs.at[i].name, sorted[i]);
	CU_ASSERT_STRING_EQUAL(f.p->fs_uses.at[0].name, "z");
	CU_ASSERT_STRING_EQUAL(f.p->fs_uses.at[1].name, "a");
	rules_teardown(&f);
}

static void sort_nodes(void)
{
	static const struct policy_node nodes[] = {
		{{10, 0, 0, 0}, {255, 0, 0, 0}, {0}},
		{{10, 1, 0, 0}, {255, 255, 0, 0}, {0}},
		{{10, 0, 0, 0}, {255, 255, 0, 0}, {0}},
	};
	struct fixture f;

	rules_setup(&f);
	f.p->nodes.n = 3;
	f.p->nodes.at = rules_copy(&f, nodes, sizeof nodes);
	policy_sort_labels(f.p);
	CU_ASSERT_EQUAL(f.p->nodes.at[0].address[1], 0);
	CU_ASSERT_EQUAL(f.p->nodes.at[1].address[1], 1);
	CU_ASSERT_EQUAL(f.p->nodes.at[2].mask[1], 0);
	rules_teardown(&f);
}

void suite_optimise(void)
{
	static const struct { const char *name; void (*run)(void); } tests[] = {
		{"optimise by supersets", optimise_by_supersets},
		{"optimise dontaudit", optimise_dontaudit},
		{"optimise equal attributes", optimise_equal_attributes},
		{"optimise conditionals", optimise_conditionals},
		{"optimise extended permissions", optimise_records},
		{"sort ports", sort_ports},
		{"sort names", sort_names},
		{"sort nodes", sort_nodes},
	};
	CU_pSuite suite = CU_add_suite("optimise", NULL, NULL);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
}
