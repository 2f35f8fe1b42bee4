#include "ir/pairs.h"

#include <stdlib.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

static uint32_t slot_of(const struct pairs *pairs, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)((h ^ h >> 29) >> 16) & (pairs->slots - 1);

	while (pairs->at[i].key && pairs->at[i].key != key)
		i = (i + 1) & (pairs->slots - 1);
	return i;
}

static void grow(struct pairs *pairs)
{
	struct pair *old = pairs->at;
	uint32_t n = pairs->slots;

	if (n > UINT32_MAX / 4)
		mem_exhausted();
	pairs->slots = n ? n * 2 : FIRST_SLOTS;
	pairs->at = mem_zalloc(pairs->slots, sizeof *pairs->at);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].key)
			pairs->at[slot_of(pairs, old[i].key)] = old[i];
	free(old);
}

uint32_t *pairs_get(const struct pairs *pairs, uint64_t key)
{
	struct pair *pair;

	if (!pairs->n)
		return NULL;
	pair = &pairs->at[slot_of(pairs, key)];
	return pair->key ? &pair->value : NULL;
}

uint32_t *pairs_put(struct pairs *pairs, uint64_t key)
{
	struct pair *pair;

	if (pairs->n >= pairs->slots / 4 * 3)
		grow(pairs);
	pair = &pairs->at[slot_of(pairs, key)];
	if (!pair->key) {
		pair->key = key;
		pairs->n++;
	}
	return &pair->value;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->at);
	*pairs = (struct pairs){0};
}
