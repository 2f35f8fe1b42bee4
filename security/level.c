#include "security/level.h"

enum level_relation level_compare(const struct policy_level *a, const struct policy_level *b)
{
	bool dom = policy_level_dominates(a, b), domby = policy_level_dominates(b, a);

	if (dom)
		return domby ? LEVEL_EQ : LEVEL_DOM;
	return domby ? LEVEL_DOMBY : LEVEL_INCOMP;
}

const char *level_relation_name(enum level_relation relation)
{
	static const char *const names[] = {
		[LEVEL_EQ] = "eq", [LEVEL_DOM] = "dom", [LEVEL_DOMBY] = "domby", [LEVEL_INCOMP] = "incomp",
	};

	return names[relation];
}

bool level_valid(const struct policy *policy, const struct policy_level *level)
{
	return level->sens - 1 < policy->sens.n && policy->sens.at[level->sens].name &&
	       ebitmap_contains(&policy->sens.at[level->sens].cats, &level->cats, policy->cats.n - 1);
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* to = a & b, or a | b, where to may be either. */
static void cats_meet(struct ebitmap *to, const struct ebitmap *a, const struct ebitmap *b)
{
	if (to != b)
		ebitmap_copy(to, a);
	ebitmap_and(to, to == b ? a : b);
}

static void cats_join(struct ebitmap *to, const struct ebitmap *a, const struct ebitmap *b)
{
	if (to != b)
		ebitmap_copy(to, a);
	ebitmap_or(to, to == b ? a : b);
}

void level_glb(const struct policy_level *a, const struct policy_level *b, struct policy_level *ret_level)
{
	ret_level->sens = min_u32(a->sens, b->sens);
	cats_meet(&ret_level->cats, &a->cats, &b->cats);
}

void level_lub(const struct policy_level *a, const struct policy_level *b, struct policy_level *ret_level)
{
	ret_level->sens = max_u32(a->sens, b->sens);
	cats_join(&ret_level->cats, &a->cats, &b->cats);
}

bool range_contains(const struct policy_range *outer, const struct policy_range *inner)
{
	return policy_level_dominates(&inner->low, &outer->low) && policy_level_dominates(&outer->high, &inner->high);
}

/* Ranges overlap when the join of their lows is not above the meet of their
 * highs; a join is below a level when both its sides are, and so on. */
bool range_overlaps(const struct policy_range *a, const struct policy_range *b)
{
	return policy_level_dominates(&a->high, &a->low) && policy_level_dominates(&a->high, &b->low) &&
	       policy_level_dominates(&b->high, &a->low) && policy_level_dominates(&b->high, &b->low);
}

bool range_glblub(const struct policy_range *a, const struct policy_range *b, struct policy_range *ret_range)
{
	uint32_t low = max_u32(a->low.sens, b->low.sens), high = min_u32(a->high.sens, b->high.sens);

	if (low > high)
		return false;
	cats_meet(&ret_range->low.cats, &a->low.cats, &b->low.cats);
	cats_meet(&ret_range->high.cats, &a->high.cats, &b->high.cats);
	ret_range->low.sens = low;
	ret_range->high.sens = high;
	return true;
}
