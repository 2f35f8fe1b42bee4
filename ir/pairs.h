/* A map from two numbers to one: open addressing, for sets that are asked far
 * more often than they grow. */
#ifndef IR_PAIRS_H
#define IR_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct pair { uint64_t key; uint32_t value; };

struct pairs {
	struct pair *at; /* key 0: a free slot */
	uint32_t n, slots;
};

/* a must not be 0. */
static inline uint64_t pair_key(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

/* NULL when there is none.  Good until the next pairs_put(). */
uint32_t *pairs_get(const struct pairs *pairs, uint64_t key);
/* The value of a key, 0 when it is new. */
uint32_t *pairs_put(struct pairs *pairs, uint64_t key);
void pairs_free(struct pairs *pairs);

#endif
