#include "query/ways.h"

#include <stdbool.h>

#include "ir/dump.h"
#include "ir/text.h"

/* Sets of leaves that must come to hold together, as bits by their index; any one
 * of the sets is enough. */
enum { MAX_WAYS = 16, MAX_NODES = 64 };

struct ways { uint32_t n; uint64_t at[MAX_WAYS]; bool more; };

/* A set that holds another one is no way of its own. */
static void add_way(struct ways *ways, uint64_t way)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < ways->n; i++)
		if ((ways->at[i] & way) == ways->at[i])
			return;
	for (uint32_t i = 0; i < ways->n; i++)
		if ((ways->at[i] & way) != way)
			ways->at[n++] = ways->at[i];
	ways->n = n;
	if (n < MAX_WAYS)
		ways->at[ways->n++] = way;
	else
		ways->more = true;
}

static struct ways either(const struct ways *a, const struct ways *b)
{
	struct ways all = {.more = a->more || b->more};

	for (uint32_t i = 0; i < a->n; i++)
		add_way(&all, a->at[i]);
	for (uint32_t i = 0; i < b->n; i++)
		add_way(&all, b->at[i]);
	return all;
}

static struct ways both(const struct ways *a, const struct ways *b)
{
	struct ways all = {.more = a->more || b->more};

	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < b->n; k++)
			add_way(&all, a->at[i] | b->at[k]);
	return all;
}

/* Below a `not` what holds cannot be told away. */
static struct ways ways_of(const struct policy_constraint *c, const struct constraint_term *terms, uint32_t node)
{
	struct ways a, b;

	if (terms[node].value)
		return (struct ways){.n = 1};
	switch (c->expr[node].kind) {
	case CEXPR_NOT: return (struct ways){0};
	case CEXPR_AND:
	case CEXPR_OR:
		a = ways_of(c, terms, terms[node].left);
		b = ways_of(c, terms, node - 1);
		return c->expr[node].kind == CEXPR_AND ? both(&a, &b) : either(&a, &b);
	default: return (struct ways){.n = 1, .at = {UINT64_C(1) << node}};
	}
}

/* Where a term alone is enough its own hint says so. */
static bool worth_telling(const struct ways *ways)
{
	bool pair = false;

	for (uint32_t i = 0; i < ways->n; i++)
		pair |= (ways->at[i] & (ways->at[i] - 1)) != 0;
	return pair && !ways->more;
}

void put_ways(struct buffer *b, const struct policy *policy, const struct policy_constraint *c,
	      const struct constraint_term *terms)
{
	struct ways ways;

	if (!c->nexpr || c->nexpr > MAX_NODES || !terms[c->nexpr - 1].decides)
		return;
	ways = ways_of(c, terms, c->nexpr - 1);
	if (!worth_telling(&ways))
		return;
	for (uint32_t i = 0; i < ways.n; i++) {
		bool first = true, single = !(ways.at[i] & (ways.at[i] - 1));

		text_printf(b, "%s%s", i ? ", or " : "", single ? "" : "(");
		for (uint32_t node = 0; node < c->nexpr; node++) {
			if (!(ways.at[i] >> node & 1))
				continue;
			text_put(b, first ? "" : " and ");
			dump_term(b, policy, &c->expr[node]);
			first = false;
		}
		text_put(b, single ? "" : ")");
	}
}
