#include "bench/peer_set.h"

#include <sepol/policydb/ebitmap.h>
#include <stdio.h>
#include <stdlib.h>

struct peer_set {
	ebitmap_t set;
};

static _Noreturn void exhausted(void)
{
	fputs("error: out of memory [memory]\n", stderr);
	exit(1);
}

struct peer_set *peer_set_new(void)
{
	struct peer_set *set = malloc(sizeof *set);

	if (!set)
		exhausted();
	ebitmap_init(&set->set);
	return set;
}

void peer_set_free(struct peer_set *set)
{
	ebitmap_destroy(&set->set);
	free(set);
}

void peer_set_add(struct peer_set *set, uint32_t bit)
{
	if (ebitmap_set_bit(&set->set, bit, 1))
		exhausted();
}

bool peer_set_contains(const struct peer_set *a, const struct peer_set *b)
{
	return ebitmap_contains(&a->set, &b->set);
}

bool peer_set_equal(const struct peer_set *a, const struct peer_set *b)
{
	return ebitmap_cmp(&a->set, &b->set);
}

uint32_t peer_set_count(const struct peer_set *set)
{
	return ebitmap_cardinality(&set->set);
}

bool peer_set_and(const struct peer_set *a, const struct peer_set *b)
{
	ebitmap_t result;

	if (ebitmap_and(&result, &a->set, &b->set))
		exhausted();
	ebitmap_destroy(&result);
	return true;
}

bool peer_set_or(const struct peer_set *a, const struct peer_set *b)
{
	ebitmap_t result;

	if (ebitmap_or(&result, &a->set, &b->set))
		exhausted();
	ebitmap_destroy(&result);
	return true;
}

bool peer_set_contains_bits(const struct peer_set *a, const struct peer_set *b, uint32_t last_bit)
{
	ebitmap_node_t *node;
	unsigned int bit;

	ebitmap_for_each_positive_bit(&b->set, node, bit) {
		if (bit > last_bit || !ebitmap_get_bit(&a->set, bit))
			return false;
	}
	return true;
}
