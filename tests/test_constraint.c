/* Constraints of a small policy: what they come to, and which terms decide. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "security/constraint.h"
#include "security/context.h"
#include "security/ready_constraint.h"
#include "tests/ask.h"
#include "tests/security_fixture.h"

void suite_constraint(void);

enum { MAX_TERMS = 32 };

static struct policy *policy;
static struct security *security;

static int set_up(void)
{
	policy = security_fixture(true);
	if (!policy)
		return 1;
	security = security_new(policy);
	return 0;
}

static int tear_down(void)
{
	security_free(security);
	policy_free(policy);
	return 0;
}

/* The constraint on a permission, or the validatetrans of a class. */
static const struct policy_constraint *find(const char *class, const char *perm)
{
	for (uint32_t v = 1; v <= policy->classes.n; v++) {
		const struct policy_class *c = &policy->classes.at[v];

		if (strcmp(c->name, class))
			continue;
		if (!perm)
			return &c->validatetrans.at[0];
		for (uint32_t i = 0; i < c->constraints.n; i++)
			for (uint32_t k = 0; k < c->nperms; k++)
				if (c->constraints.at[i].perms >> k & 1 && !strcmp(c->perms[k], perm))
					return &c->constraints.at[i];
	}
	return NULL;
}

static void read_context(const char *text, struct policy_context *ret)
{
	*ret = (struct policy_context){0};
	if (text && !context_parse(security, text, strlen(text), ret, NULL)) {
		printf("\n`%s` is not valid\n", text);
		CU_FAIL("see above");
	}
}

/* The leaves that decide, with their values. */
static void put_deciding(struct buffer *b, const struct policy_constraint *c, const struct constraint_term *terms,
			 const struct policy_context *contexts, bool third)
{
	for (uint32_t i = 0; i < c->nexpr; i++) {
		if (!terms[i].decides || (c->expr[i].kind != CEXPR_ATTR && c->expr[i].kind != CEXPR_NAMES))
			continue;
		text_put(b, b->n ? "; " : "");
		dump_term(b, policy, &c->expr[i]);
		text_put(b, terms[i].value ? " yes: " : " no: ");
		constraint_put_values(b, policy, &c->expr[i], &contexts[0], &contexts[1], third ? &contexts[2] : NULL);
	}
}

static void expect(const struct policy_constraint *c, const char *source, const char *target, const char *third,
		   bool holds, const char *deciding)
{
	struct policy_context contexts[3];
	const struct policy_context *process = third ? &contexts[2] : NULL;
	struct constraint_term terms[MAX_TERMS];
	struct buffer b = {0};

	CU_ASSERT_FATAL(c != NULL && c->nexpr <= MAX_TERMS);
	read_context(source, &contexts[0]);
	read_context(target, &contexts[1]);
	read_context(third, &contexts[2]);
	CU_ASSERT_EQUAL(constraint_holds(policy, c, &contexts[0], &contexts[1], process), holds);
	CU_ASSERT_EQUAL(constraint_explain(policy, c, &contexts[0], &contexts[1], process, terms), holds);
	put_deciding(&b, c, terms, contexts, third != NULL);
	if (strcmp(text_of(&b), deciding)) {
		printf("\ndecided by `%s`, expected `%s`\n", text_of(&b), deciding);
		CU_FAIL("see above");
	}
	buffer_free(&b);
	for (int i = 0; i < 3; i++)
		policy_context_free(&contexts[i]);
}

static void test_levels(void)
{
	const struct policy_constraint *c = find("file", "read");

	expect(c, "sys_u:sys_r:app_t:s1", "sys_u:object_r:data_t:s0:c1", NULL, false,
	       "l1 dom l2 no: l1 is `s1`, l2 is `s0:c1`; t1 == kern_t no: t1 is `app_t`");
	expect(c, "sys_u:sys_r:app_t:s1", "sys_u:object_r:data_t:s0", NULL, false,
	       "h1 incomp h2 no: h1 is `s1`, h2 is `s0`; t1 == kern_t no: t1 is `app_t`");
	expect(c, "sys_u:sys_r:kern_t:s1", "sys_u:object_r:data_t:s0", NULL, true, "t1 == kern_t yes: t1 is `kern_t`");
	expect(c, "sys_u:sys_r:app_t:s1-s1:c1", "sys_u:object_r:data_t:s0-s0:c2", NULL, true,
	       "l1 dom l2 yes: l1 is `s1`, l2 is `s0`; h1 incomp h2 yes: h1 is `s1:c1`, h2 is `s0:c2`");
}

static void test_names(void)
{
	const struct policy_constraint *c = find("file", "write");

	expect(c, "sys_u:sys_r:app_t:s1", "sys_u:object_r:app_t:s0", NULL, true,
	       "u1 == u2 yes: u1 is `sys_u`, u2 is `sys_u`; r1 == r2 no: r1 is `sys_r`, r2 is `object_r`; "
	       "t2 == { kern_t data_t } no: t2 is `app_t`");
	expect(c, "sys_u:sys_r:app_t:s1", "sys_u:object_r:data_t:s0", NULL, false,
	       "t2 == { kern_t data_t } yes: t2 is `data_t`");
	expect(c, "sys_u:sys_r:app_t:s1", "staff_u:object_r:data_t:s0", NULL, false,
	       "u1 == u2 no: u1 is `sys_u`, u2 is `staff_u`; t2 == { kern_t data_t } yes: t2 is `data_t`");
}

/* The stack is as deep as it may be, and one deeper. */
static void test_depth(void)
{
	const struct policy_constraint *c = find("process", "fork");
	struct policy_cexpr deeper[MAX_TERMS];
	struct policy_constraint too_deep = {.expr = deeper, .nexpr = c->nexpr + 2};

	expect(c, "sys_u:sys_r:kern_t:s1", "staff_u:staff_r:app_t:s1:c1", NULL, true,
	       "u1 != u2 yes: u1 is `sys_u`, u2 is `staff_u`; t1 != t2 yes: t1 is `kern_t`, t2 is `app_t`; "
	       "r1 != r2 yes: r1 is `sys_r`, r2 is `staff_r`; u1 == sys_u yes: u1 is `sys_u`; "
	       "t1 != domain yes: t1 is `kern_t`");
	CU_ASSERT_EQUAL(c->expr[CEXPR_MAX_DEPTH - 1].kind, CEXPR_NAMES);
	memcpy(deeper + 1, c->expr, c->nexpr * sizeof *deeper);
	deeper[0] = c->expr[0];
	deeper[c->nexpr + 1] = (struct policy_cexpr){.kind = CEXPR_AND};
	expect(&too_deep, "sys_u:sys_r:kern_t:s1", "staff_u:staff_r:app_t:s1:c1", NULL, false, "");
}

static void test_third(void)
{
	const struct policy_constraint *c = find("file", NULL);
	const char *old = "sys_u:object_r:data_t:s0", *new = "sys_u:object_r:data_t:s1";

	expect(c, old, new, "sys_u:sys_r:app_t:s0", true, "t3 == domain yes: t3 is `app_t`");
	expect(c, "sys_u:sys_r:app_t:s0", new, "sys_u:sys_r:kern_t:s0", false,
	       "t3 == domain no: t3 is `kern_t`; r1 domby r2 no: r1 is `sys_r`, r2 is `object_r`");
	/* object_r does not dominate even itself. */
	expect(c, old, new, "sys_u:sys_r:kern_t:s0", false,
	       "t3 == domain no: t3 is `kern_t`; r1 domby r2 no: r1 is `object_r`, r2 is `object_r`");
	expect(c, old, new, NULL, false, "");
}

/* What is no expression does not hold. */
static void test_malformed(void)
{
	struct policy_cexpr leaf = {.kind = CEXPR_ATTR, .attr = CEXPR_L1H1, .op = CEXPR_DOMBY};
	struct policy_cexpr and = {.kind = CEXPR_AND}, not = {.kind = CEXPR_NOT}, other = {.kind = 9};
	struct policy_cexpr user = {.kind = CEXPR_ATTR, .attr = CEXPR_USER, .op = CEXPR_DOM};
	struct policy_cexpr attr = {.kind = CEXPR_ATTR, .attr = CEXPR_L1L2 | CEXPR_L1H1, .op = CEXPR_EQ};
	const char *context = "sys_u:sys_r:kern_t:s1";
	struct { struct policy_cexpr expr[3]; uint32_t n; } bad[] = {
		{{leaf}, 0}, {{and}, 1}, {{not, leaf}, 2}, {{leaf, and}, 2}, {{leaf, leaf}, 2}, {{other}, 1}, {{user}, 1},
		{{attr}, 1},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		expect(&(struct policy_constraint){.expr = bad[i].expr, .nexpr = bad[i].n}, context, context, NULL, false, "");
	expect(&(struct policy_constraint){.expr = (struct policy_cexpr[]){leaf, not, not}, .nexpr = 3}, context, context, NULL,
	       true, "l1 domby h1 yes: l1 is `s1`, h1 is `s1`");
}

/* ---- made ready for decisions ---- */

enum { EXPRESSIONS = 3000, CONTEXTS = 12, MAX_NODES = 24, VALUES = 5 };

static void random_set(struct ask *ask, struct ebitmap *ret_set, uint32_t n)
{
	for (uint32_t i = ask_below(ask, n); i > 0; i--)
		ebitmap_set(ret_set, ask_below(ask, n));
}

/* One that a kernel takes, now and then any. */
static void random_leaf(struct ask *ask, struct policy_cexpr *ret)
{
	bool names = ask_below(ask, 2);

	ret->kind = names ? CEXPR_NAMES : CEXPR_ATTR;
	ret->attr = UINT32_C(1) << ask_below(ask, 3);
	ret->op = CEXPR_EQ + ask_below(ask, ret->attr == CEXPR_ROLE && !names ? 5 : 2);
	if (names && ask_below(ask, 2)) {
		ret->attr |= CEXPR_TARGET;
	} else if (!names && ask_below(ask, 2)) {
		ret->attr = CEXPR_L1L2 << ask_below(ask, 6);
		ret->op = CEXPR_EQ + ask_below(ask, 5);
	}
	switch (ask_below(ask, 100)) {
	case 0: ret->kind = ask_below(ask, 8); break;
	case 1: ret->attr = ask_below(ask, 4096); break;
	case 2: ret->op = ask_below(ask, 7); break;
	default: break;
	}
	random_set(ask, &ret->names, ask_below(ask, 2) ? VALUES : 200);
}

/* Leaves and operators, mostly where there is something for them. */
static void random_expression(struct ask *ask, struct policy_constraint *ret)
{
	uint32_t n = ask_below(ask, MAX_NODES), depth = 0;

	ret->nexpr = 0;
	while (ret->nexpr < n || (depth > 1 && ask_below(ask, 30))) {
		struct policy_cexpr *e = &ret->expr[ret->nexpr++];
		bool full = depth == CEXPR_MAX_DEPTH || ret->nexpr > n;

		*e = (struct policy_cexpr){0};
		if (depth > 1 && (full || ask_below(ask, 2))) {
			e->kind = CEXPR_AND + ask_below(ask, 2);
			depth--;
		} else if (depth && !ask_below(ask, 4)) {
			e->kind = CEXPR_NOT;
		} else if (!ask_below(ask, 60)) {
			e->kind = CEXPR_NOT + ask_below(ask, 3);
		} else {
			random_leaf(ask, e);
			depth++;
		}
	}
}

static void random_level(struct ask *ask, struct policy_level *ret)
{
	ret->sens = 1 + ask_below(ask, 3);
	random_set(ask, &ret->cats, 4);
}

static void random_context(struct ask *ask, struct policy_context *ret)
{
	*ret = (struct policy_context){1 + ask_below(ask, VALUES), 1 + ask_below(ask, VALUES), 1 + ask_below(ask, VALUES), {{0}, {0}}};
	random_level(ask, &ret->range.low);
	random_level(ask, &ret->range.high);
}

static uint32_t ready_differences(const struct policy *p, const struct policy_context *contexts)
{
	const struct policy_constraint *c = &p->classes.at[1].constraints.at[0];
	struct ready_constraints ready;
	uint32_t wrong = 0;

	ready_constraints_init(&ready, p);
	CU_ASSERT_EQUAL_FATAL(ready.nconstraints, 1);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		for (uint32_t k = 0; k < CONTEXTS; k++)
			wrong += ready_constraint_holds(&ready, p, &ready.constraints[0], &contexts[i], &contexts[k]) !=
				 constraint_holds(p, c, &contexts[i], &contexts[k], NULL);
	ready_constraints_free(&ready);
	return wrong;
}

static void test_ready(void)
{
	struct policy_cexpr expr[2 * MAX_NODES];
	struct policy_constraint constraint = {.expr = expr};
	struct policy_class classes[2] = {{.constraints = {&constraint, 1}}, {.constraints = {&constraint, 1}}};
	struct policy_role roles[VALUES + 1] = {{0}};
	struct policy_context contexts[CONTEXTS];
	struct policy p = {.classes = {classes, 1}, .roles = {roles, VALUES}};
	struct ask ask = {.state = 1};
	uint32_t wrong = 0, holds = 0;

	for (uint32_t v = 1; v <= VALUES; v++)
		random_set(&ask, &roles[v].dominates, VALUES);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		random_context(&ask, &contexts[i]);
	for (uint32_t i = 0; i < EXPRESSIONS; i++) {
		random_expression(&ask, &constraint);
		wrong += ready_differences(&p, contexts);
		holds += constraint_holds(&p, &constraint, &contexts[0], &contexts[1], NULL);
		for (uint32_t k = 0; k < constraint.nexpr; k++)
			ebitmap_free(&expr[k].names);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(holds > EXPRESSIONS / 10);
	for (uint32_t v = 1; v <= VALUES; v++)
		ebitmap_free(&roles[v].dominates);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		policy_context_free(&contexts[i]);
}

void suite_constraint(void)
{
	CU_pSuite suite = CU_add_suite("constraint", set_up, tear_down);

	CU_add_test(suite, "levels", test_levels);
	CU_add_test(suite, "names", test_names);
	CU_add_test(suite, "depth", test_depth);
	CU_add_test(suite, "third context", test_third);
	CU_add_test(suite, "malformed", test_malformed);
	CU_add_test(suite, "made ready for decisions", test_ready);
}
