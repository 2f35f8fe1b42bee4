/* A leaf of an expression asks for users, for roles, for types or for levels.
 * For each of these four the combinations of answers that its leaves can give
 * at once are few, though contexts are many: symbols that all leaves treat
 * alike are one.  Then each combination of the four is tried. */
#include "validator/constraint_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "security/constraint.h"

enum {
	MAX_LEAVES = 64,        /* bits of an answer */
	MAX_KINDS = 64,         /* of symbols that leaves tell apart */
	MAX_ANSWERS = 4096,     /* of one of the four */
	MAX_TRIES = 1 << 20,
};

enum dimension { USERS, ROLES, TYPES, LEVELS, DIMENSIONS };

/* The answers, as a set of words of leaves. */
struct answers {
	VEC(uint64_t) at;
	bool too_many;
};

struct analysis {
	const struct policy *policy;
	const struct level_patterns *patterns;
	const struct policy_constraint *constraint;
	const struct policy_cexpr *leaves[MAX_LEAVES];
	uint32_t nleaves;
	struct answers answers[DIMENSIONS];
};

static void add_answer(struct answers *answers, uint64_t answer)
{
	for (uint32_t i = 0; i < answers->at.n; i++)
		if (answers->at.at[i] == answer)
			return;
	if (answers->at.n == MAX_ANSWERS)
		answers->too_many = true;
	else
		*vec_push(&answers->at) = answer;
}

/* ---- levels ---- */

enum { SENS = 4, CATS = 4, REL_EQ = 1, REL_DOM = 2, REL_DOMBY = 4, REL_INCOMP = 8, REL_BITS = 4 };

struct small_level { unsigned sens, cats; };
struct small_range { struct small_level low, high; };

static bool dominates(struct small_level a, struct small_level b)
{
	return a.sens >= b.sens && !(b.cats & ~a.cats);
}

/* The relations that are true of two levels; equal ones dominate each other. */
static uint32_t relations(struct small_level a, struct small_level b)
{
	bool dom = dominates(a, b), domby = dominates(b, a);

	if (!dom && !domby)
		return REL_INCOMP;
	return (dom && domby ? REL_EQ : 0) | (dom ? REL_DOM : 0) | (domby ? REL_DOMBY : 0);
}

/* In the order of the CEXPR_ bits from CEXPR_L1L2 on. */
static uint32_t pattern_of(struct small_range a, struct small_range b)
{
	return relations(a.low, b.low) | relations(a.low, b.high) << REL_BITS | relations(a.high, b.low) << 2 * REL_BITS |
	       relations(a.high, b.high) << 3 * REL_BITS | relations(a.low, a.high) << 4 * REL_BITS |
	       relations(b.low, b.high) << 5 * REL_BITS;
}

static uint32_t all_ranges(const struct policy *policy, struct small_range *ret)
{
	unsigned sens = policy->sens.n < SENS ? policy->sens.n : SENS, cats = policy->cats.n < CATS ? policy->cats.n : CATS;
	uint32_t n = 0, nlevels = sens << cats;

	for (uint32_t l = 0; l < nlevels; l++) {
		for (uint32_t h = 0; h < nlevels; h++) {
			struct small_range range = {{l >> cats, l & ((1U << cats) - 1)}, {h >> cats, h & ((1U << cats) - 1)}};

			if (dominates(range.high, range.low))
				ret[n++] = range;
		}
	}
	return n;
}

void level_patterns_init(struct level_patterns *patterns, const struct policy *policy)
{
	enum { LEVELS_MAX = SENS << CATS };
	struct small_range *ranges = mem_zalloc((size_t)LEVELS_MAX * LEVELS_MAX, sizeof *ranges);
	uint8_t *seen = mem_zalloc((size_t)1 << (6 * REL_BITS - 3), 1);
	uint32_t n = all_ranges(policy, ranges);

	*patterns = (struct level_patterns){0};
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++) {
			uint32_t pattern = pattern_of(ranges[a], ranges[b]);

			if (seen[pattern / 8] & 1U << pattern % 8)
				continue;
			seen[pattern / 8] |= (uint8_t)(1U << pattern % 8);
			*vec_push(&patterns->at) = pattern;
		}
	}
	free(seen);
	free(ranges);
}

void level_patterns_free(struct level_patterns *patterns)
{
	vec_free(&patterns->at);
}

static bool level_leaf(const struct policy_cexpr *leaf, uint32_t pattern)
{
	uint32_t pair = 0, is;

	while (leaf->attr != (uint32_t)CEXPR_L1L2 << pair)
		pair++;
	is = pattern >> pair * REL_BITS;
	switch (leaf->op) {
	case CEXPR_EQ: return is & REL_EQ;
	case CEXPR_NEQ: return !(is & REL_EQ);
	case CEXPR_DOM: return is & REL_DOM;
	case CEXPR_DOMBY: return is & REL_DOMBY;
	default: return is & REL_INCOMP;
	}
}

static enum dimension dimension_of(const struct policy_cexpr *leaf)
{
	return leaf->attr & CEXPR_USER ? USERS : leaf->attr & CEXPR_ROLE ? ROLES : leaf->attr & CEXPR_TYPE ? TYPES : LEVELS;
}

static void find_level_answers(struct analysis *a)
{
	for (uint32_t i = 0; i < a->patterns->at.n; i++) {
		uint64_t answer = 0;

		for (uint32_t k = 0; k < a->nleaves; k++)
			if (dimension_of(a->leaves[k]) == LEVELS && level_leaf(a->leaves[k], a->patterns->at.at[i]))
				answer |= 1ULL << k;
		add_answer(&a->answers[LEVELS], answer);
	}
}

/* ---- users, roles, types ---- */

static bool is_symbol(const struct policy *p, enum dimension d, uint32_t value)
{
	switch (d) {
	case USERS: return p->users.at[value].name != NULL;
	case ROLES: return p->roles.at[value].name != NULL;
	default: return p->types.at[value].kind == POLICY_TYPE;
	}
}

static uint32_t symbol_count(const struct policy *p, enum dimension d)
{
	return d == USERS ? p->users.n : d == ROLES ? p->roles.n : p->types.n;
}

/* The leaves that ask whether the symbol of one context is among names. */
struct places_of_leaves { uint64_t first, second, third, compare; };

static struct places_of_leaves sort_leaves(const struct analysis *a, enum dimension d)
{
	struct places_of_leaves of = {0};

	for (uint32_t k = 0; k < a->nleaves; k++) {
		const struct policy_cexpr *leaf = a->leaves[k];

		if (dimension_of(leaf) != d)
			continue;
		if (leaf->kind == CEXPR_ATTR)
			of.compare |= 1ULL << k;
		else if (leaf->attr & CEXPR_XTARGET)
			of.third |= 1ULL << k;
		else if (leaf->attr & CEXPR_TARGET)
			of.second |= 1ULL << k;
		else
			of.first |= 1ULL << k;
	}
	return of;
}

/* What the leaves with names would say of a symbol, in whichever context. */
static uint64_t names_answer(const struct analysis *a, enum dimension d, uint32_t value)
{
	uint64_t answer = 0;

	for (uint32_t k = 0; k < a->nleaves; k++) {
		const struct policy_cexpr *leaf = a->leaves[k];

		if (dimension_of(leaf) == d && leaf->kind == CEXPR_NAMES &&
		    ebitmap_test(&leaf->names, value - 1) == (leaf->op == CEXPR_EQ))
			answer |= 1ULL << k;
	}
	return answer;
}

/* Symbols that are treated alike. */
struct kind { uint64_t answer; uint32_t example, n; };
struct kinds { struct kind at[MAX_KINDS]; uint32_t n; bool too_many; };

static void find_kinds(const struct analysis *a, enum dimension d, struct kinds *kinds)
{
	kinds->n = 0;
	kinds->too_many = false;
	for (uint32_t v = 1; v <= symbol_count(a->policy, d); v++) {
		uint32_t i = 0;
		uint64_t answer;

		if (!is_symbol(a->policy, d, v))
			continue;
		answer = names_answer(a, d, v);
		while (i < kinds->n && kinds->at[i].answer != answer)
			i++;
		if (i == MAX_KINDS) {
			kinds->too_many = true;
			return;
		}
		if (i == kinds->n)
			kinds->at[kinds->n++] = (struct kind){answer, v, 0};
		kinds->at[i].n++;
	}
}

static bool compare_values(const struct policy *p, uint32_t op, uint32_t x, uint32_t y)
{
	switch (op) {
	case CEXPR_EQ: return x == y;
	case CEXPR_NEQ: return x != y;
	case CEXPR_DOM: return role_dominates(p, x, y);
	case CEXPR_DOMBY: return role_dominates(p, y, x);
	default: return !role_dominates(p, x, y) && !role_dominates(p, y, x);
	}
}

/* The answer of the leaves that compare the symbols of the two contexts. */
static uint64_t compare_answer(const struct analysis *a, uint64_t leaves, uint32_t x, uint32_t y)
{
	uint64_t answer = 0;

	for (uint32_t k = 0; k < a->nleaves; k++)
		if (leaves >> k & 1 && compare_values(a->policy, a->leaves[k]->op, x, y))
			answer |= 1ULL << k;
	return answer;
}

static void add_with_third(struct answers *answers, const struct places_of_leaves *of, const struct kinds *kinds,
			   uint64_t answer)
{
	if (!of->third)
		add_answer(answers, answer);
	for (uint32_t i = 0; of->third && i < kinds->n; i++)
		add_answer(answers, answer | (kinds->at[i].answer & of->third));
}

/* Role dominance is of each pair of roles its own. */
static void find_role_pairs(struct analysis *a, const struct places_of_leaves *of, const struct kinds *kinds)
{
	uint32_t n = symbol_count(a->policy, ROLES);

	if ((uint64_t)n * n > MAX_TRIES) {
		a->answers[ROLES].too_many = true;
		return;
	}
	for (uint32_t x = 1; x <= n; x++) {
		for (uint32_t y = 1; y <= n; y++) {
			if (!is_symbol(a->policy, ROLES, x) || !is_symbol(a->policy, ROLES, y))
				continue;
			add_with_third(&a->answers[ROLES], of, kinds,
				       (names_answer(a, ROLES, x) & of->first) | (names_answer(a, ROLES, y) & of->second) |
					       compare_answer(a, of->compare, x, y));
		}
	}
}

static void find_symbol_answers(struct analysis *a, enum dimension d)
{
	struct places_of_leaves of = sort_leaves(a, d);
	struct answers *answers = &a->answers[d];
	struct kinds kinds;

	if (!(of.first | of.second | of.third | of.compare)) {
		add_answer(answers, 0);
		return;
	}
	find_kinds(a, d, &kinds);
	answers->too_many = kinds.too_many;
	if (d == ROLES && of.compare) {
		find_role_pairs(a, &of, &kinds);
		return;
	}
	for (uint32_t i = 0; i < kinds.n && !answers->too_many; i++) {
		for (uint32_t k = 0; k < kinds.n; k++) {
			uint64_t names = (kinds.at[i].answer & of.first) | (kinds.at[k].answer & of.second);
			uint32_t x = kinds.at[i].example, y = kinds.at[k].example;

			if (i != k) {
				add_with_third(answers, &of, &kinds, names | compare_answer(a, of.compare, x, y));
				continue;
			}
			add_with_third(answers, &of, &kinds, names | compare_answer(a, of.compare, x, x));
			if (kinds.at[i].n > 1) /* two of a kind: x and another, which is like no value */
				add_with_third(answers, &of, &kinds, names | compare_answer(a, of.compare, x, 0));
		}
	}
}

/* ---- the whole ---- */

static bool find_leaves(struct analysis *a)
{
	for (uint32_t i = 0; i < a->constraint->nexpr; i++) {
		const struct policy_cexpr *e = &a->constraint->expr[i];

		if (e->kind != CEXPR_ATTR && e->kind != CEXPR_NAMES)
			continue;
		if (a->nleaves == MAX_LEAVES)
			return false;
		a->leaves[a->nleaves++] = e;
	}
	return true;
}

/* The expression is one: loading has seen to that. */
static bool evaluate(const struct analysis *a, uint64_t answer)
{
	uint64_t stack = 0;
	uint32_t leaf = 0;

	for (uint32_t i = 0; i < a->constraint->nexpr; i++) {
		switch (a->constraint->expr[i].kind) {
		case CEXPR_NOT:
			stack ^= 1;
			break;
		case CEXPR_AND:
			stack = (stack >> 1 & ~1ULL) | (stack >> 1 & stack & 1);
			break;
		case CEXPR_OR:
			stack = stack >> 1 | (stack & 1);
			break;
		default:
			stack = stack << 1 | (answer >> leaf++ & 1);
		}
	}
	return stack & 1;
}

static struct constraint_values try_all(const struct analysis *a)
{
	const struct answers *d = a->answers;
	struct constraint_values values = {false, false};

	for (uint32_t u = 0; u < d[USERS].at.n; u++)
		for (uint32_t r = 0; r < d[ROLES].at.n; r++)
			for (uint32_t t = 0; t < d[TYPES].at.n; t++)
				for (uint32_t l = 0; l < d[LEVELS].at.n; l++) {
					if (evaluate(a, d[USERS].at.at[u] | d[ROLES].at.at[r] | d[TYPES].at.at[t] |
								d[LEVELS].at.at[l]))
						values.can_hold = true;
					else
						values.can_fail = true;
					if (values.can_hold && values.can_fail)
						return values;
				}
	return values;
}

/* The levels of a policy without MLS have one pattern. */
static bool find_answers(struct analysis *a)
{
	uint64_t tries = 1;

	for (int d = USERS; d <= TYPES; d++)
		find_symbol_answers(a, (enum dimension)d);
	find_level_answers(a);
	for (int d = USERS; d < DIMENSIONS; d++) {
		if (a->answers[d].too_many || !a->answers[d].at.n)
			return false;
		tries *= a->answers[d].at.n;
		if (tries > MAX_TRIES)
			return false;
	}
	return true;
}

struct constraint_values constraint_values_of(const struct policy *policy, const struct level_patterns *patterns,
					      const struct policy_constraint *constraint)
{
	struct analysis a = {.policy = policy, .patterns = patterns, .constraint = constraint};
	struct constraint_values values = {true, true};

	if (find_leaves(&a) && find_answers(&a))
		values = try_all(&a);
	for (int d = USERS; d < DIMENSIONS; d++)
		vec_free(&a.answers[d].at);
	return values;
}
