/* validator/: the checks of policies that no source can trip, and what values a
 * constraint can have, against all contexts of a small policy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CUnit/CUnit.h>

#include "base/diag.h"
#include "base/memory.h"
#include "ir/dump.h"
#include "security/constraint.h"
#include "tests/security_fixture.h"
#include "tests/suites.h"
#include "validator/constraint_values.h"
#include "validator/policy_checks.h"

/* Every level may have every category, so that levels relate in every way. */
static const char source[] =
	"class file\nclass process\nsid kernel\nclass file { read write relabelto }\nclass process { transition }\n"
	"sensitivity s0;\nsensitivity s1;\ndominance { s0 s1 }\ncategory c0;\n"
	"level s0:c0;\nlevel s1:c0;\n"
	"mlsconstrain file read (l1 dom l2);\n"
	"attribute a1;\ntype ta, a1;\ntype tb, a1;\ntype tc;\n"
	"role ra;\nrole rb;\nrole ra types { ta tb tc };\nrole rb types ta;\n"
	"allow ta tb:file read;\n"
	"user ua roles { ra rb } level s0 range s0 - s1:c0;\nuser ub roles ra level s0 range s0;\n"
	"sid kernel ua:ra:ta:s0\n";

static char *findings_of(const struct policy *policy)
{
	struct sources sources = {0};
	struct diags diags = {0};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	policy_checks_run(policy, NULL, NULL, &diags);
	diags_print(&diags, &sources, "prog", 0, out);
	fclose(out);
	diags_free(&diags);
	return text;
}

static bool finds(const struct policy *policy, const char *expected)
{
	char *text = findings_of(policy);
	bool good = !strcmp(text, expected);

	if (!good)
		fprintf(stderr, "expected:\n%s\nfound:\n%s\n", expected, text);
	free(text);
	return good;
}

/* A source whose users are wrong does not compile; an image may have them. */
static void test_users(void)
{
	struct policy *policy = security_compile(source, true);
	struct policy_user *user;

	CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
	CU_ASSERT_TRUE(finds(policy, ""));
	user = &policy->users.at[2];
	ebitmap_set(&user->level.cats, 0);
	CU_ASSERT_TRUE(finds(policy,
		"prog: error: the default level `s0:c0` of user `ub` is not within its range `s0` [level-outside-range]\n"
		"prog: 1 error\n"));
	ebitmap_clear(&user->level.cats, 0);
	user->range.low.sens = 2;
	CU_ASSERT_TRUE(finds(policy,
		"prog: error: the high level `s0` of user `ub` does not dominate its low level `s1` [invalid-range]\n"
		"prog: 1 error\n"));
	user->range.low.sens = 1;
	ebitmap_clear(&policy->sens.at[1].cats, 0);
	ebitmap_set(&user->range.high.cats, 0);
	CU_ASSERT_TRUE(finds(policy,
		"prog: error: the high level `s0:c0` of user `ub` has a category that does not go with its sensitivity [invalid-level]\n"
		"    hint: sensitivity `s0` has the categories of `s0`\n"
		"prog: 1 error\n"));
	policy_free(policy);
}

/* ---- what values a constraint can have ---- */

enum { CONTEXTS_MAX = 2 * 3 * 3 * 64, EXPR_MAX = 15 };

static uint64_t state;

static uint32_t random_below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

static void random_names(struct policy_cexpr *e, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (random_below(2))
			ebitmap_set(&e->names, i);
}

static void random_leaf(const struct policy *p, struct policy_cexpr *e, bool transition)
{
	static const uint32_t symbols[] = {CEXPR_USER, CEXPR_ROLE, CEXPR_TYPE};
	uint32_t symbol = symbols[random_below(3)];

	e->op = CEXPR_EQ + random_below(2);
	switch (random_below(4)) {
	case 0:
		e->kind = CEXPR_ATTR;
		e->attr = symbol;
		if (symbol == CEXPR_ROLE)
			e->op = CEXPR_EQ + random_below(5);
		return;
	case 1:
		e->kind = CEXPR_NAMES;
		e->attr = symbol | (random_below(2) ? CEXPR_TARGET : 0);
		if (transition && random_below(2))
			e->attr = symbol | CEXPR_XTARGET;
		random_names(e, symbol == CEXPR_USER ? p->users.n : symbol == CEXPR_ROLE ? p->roles.n : p->types.n);
		return;
	default:
		e->kind = CEXPR_ATTR;
		e->attr = (uint32_t)CEXPR_L1L2 << random_below(6);
		e->op = CEXPR_EQ + random_below(5);
	}
}

/* Postfix of a random form. */
static uint32_t random_expression(const struct policy *p, struct policy_cexpr *expr, bool transition)
{
	uint32_t n = 0, depth = 0, want = 1 + random_below(EXPR_MAX - 1);

	memset(expr, 0, EXPR_MAX * sizeof *expr);
	while (n < want || depth != 1) {
		bool full = depth == CEXPR_MAX_DEPTH || EXPR_MAX - n <= depth;

		if (depth > 1 && (full || random_below(2))) {
			expr[n++].kind = random_below(2) ? CEXPR_AND : CEXPR_OR;
			depth--;
		} else if (depth && !full && !random_below(4)) {
			expr[n++].kind = CEXPR_NOT;
		} else if (full) {
			break;
		} else {
			random_leaf(p, &expr[n++], transition);
			depth++;
		}
	}
	return n;
}

static uint32_t all_contexts(const struct policy *p, struct policy_context *ret)
{
	struct policy_range ranges[64];
	uint32_t n = 0, nranges = 0, nsets = 1U << p->cats.n, nlevels = p->sens.n * nsets;

	for (uint32_t l = 0; l < nlevels * nlevels; l++) {
		struct policy_range range = {{1 + l / nlevels / nsets, {0}}, {1 + l % nlevels / nsets, {0}}};

		for (uint32_t cat = 0; cat < p->cats.n; cat++) {
			if (l / nlevels % nsets >> cat & 1)
				ebitmap_set(&range.low.cats, cat);
			if (l % nlevels % nsets >> cat & 1)
				ebitmap_set(&range.high.cats, cat);
		}
		if (policy_level_dominates(&range.high, &range.low))
			ranges[nranges++] = range;
		else
			policy_range_free(&range);
	}
	for (uint32_t u = 1; u <= p->users.n; u++)
		for (uint32_t r = 1; r <= p->roles.n; r++)
			for (uint32_t t = 1; t <= p->types.n; t++)
				for (uint32_t i = 0; p->types.at[t].kind == POLICY_TYPE && i < nranges; i++) {
					ret[n] = (struct policy_context){u, r, t, {{0}, {0}}};
					policy_range_copy(&ret[n++].range, &ranges[i]);
				}
	for (uint32_t i = 0; i < nranges; i++)
		policy_range_free(&ranges[i]);
	return n;
}

/* Tries pairs of contexts; a third one of each kind that leaves can ask for. */
static struct constraint_values try_contexts(const struct policy *p, const struct policy_constraint *constraint,
					     const struct policy_context *contexts, uint32_t n, bool transition)
{
	struct constraint_values values = {false, false};
	uint32_t kinds = p->users.n * p->roles.n * 3, step = n / kinds;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			for (uint32_t c = 0; c < (transition ? kinds : 1); c++) {
				const struct policy_context *third = transition ? &contexts[c * step] : NULL;

				if (constraint_holds(p, constraint, &contexts[a], &contexts[b], third))
					values.can_hold = true;
				else
					values.can_fail = true;
				if (values.can_hold && values.can_fail)
					return values;
			}
	return values;
}

/* One expression in both ways; whether it has one value only. */
static bool compare_ways(struct policy *p, const struct level_patterns *patterns, const struct policy_context *contexts,
			 uint32_t n)
{
	bool transition = random_below(4) == 0;
	struct policy_cexpr expr[EXPR_MAX];
	struct policy_constraint constraint = {1, expr, random_expression(p, expr, transition)};
	struct constraint_values got = constraint_values_of(p, patterns, &constraint);
	struct constraint_values right = try_contexts(p, &constraint, contexts, n, transition);
	bool same = got.can_hold == right.can_hold && got.can_fail == right.can_fail;

	if (!same) {
		struct buffer text = {0};

		dump_expression(&text, p, &constraint);
		fprintf(stderr, "%.*s: holds %d, fails %d; by trying %d, %d\n", (int)text.n, (const char *)text.at,
			got.can_hold, got.can_fail, right.can_hold, right.can_fail);
		buffer_free(&text);
	}
	CU_ASSERT_TRUE(same);
	for (uint32_t i = 0; i < EXPR_MAX; i++)
		ebitmap_free(&expr[i].names);
	return !(right.can_hold && right.can_fail);
}

static void test_values(void)
{
	enum { EXPRESSIONS = 500 };
	const char *given = getenv("TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
	struct policy *policy = security_compile(source, true);
	struct policy_context *contexts = mem_zalloc(CONTEXTS_MAX, sizeof *contexts);
	struct level_patterns patterns;
	uint32_t n, constant = 0, failures = CU_get_number_of_failures();

	CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
	state = (seed * 2654435761u) | 1;
	for (uint32_t r = 1; r <= policy->roles.n; r++) /* rb dominates ra */
		ebitmap_set(&policy->roles.at[r].dominates, r - 1);
	ebitmap_set(&policy->roles.at[3].dominates, 1);
	n = all_contexts(policy, contexts);
	level_patterns_init(&patterns, policy);
	for (uint32_t i = 0; i < EXPRESSIONS; i++)
		constant += compare_ways(policy, &patterns, contexts, n);
	CU_ASSERT_TRUE(constant >= 20); /* of one value; else little was compared */
	if (constant < 20 || CU_get_number_of_failures() > failures)
		fprintf(stderr, "test_policy_checks: TEST_SEED=%llu, %u expressions with one value\n", (unsigned long long)seed,
			(unsigned)constant);
	level_patterns_free(&patterns);
	for (uint32_t i = 0; i < n; i++)
		policy_context_free(&contexts[i]);
	free(contexts);
	policy_free(policy);
}

void suite_policy_checks(void)
{
	CU_pSuite suite = CU_add_suite("policy_checks", NULL, NULL);

	CU_add_test(suite, "users of an image", test_users);
	CU_add_test(suite, "values of constraints", test_values);
}
