/* libsepol's ebitmaps under names of their own: its functions and its struct
 * have the names of ours. */
#ifndef BENCH_PEER_SET_H
#define BENCH_PEER_SET_H

#include <stdbool.h>
#include <stdint.h>

struct peer_set;

struct peer_set *peer_set_new(void);
void peer_set_free(struct peer_set *set);
void peer_set_add(struct peer_set *set, uint32_t bit);

bool peer_set_contains(const struct peer_set *a, const struct peer_set *b); /* b within a */
bool peer_set_equal(const struct peer_set *a, const struct peer_set *b);
uint32_t peer_set_count(const struct peer_set *set);
/* The result is made and freed. */
bool peer_set_and(const struct peer_set *a, const struct peer_set *b);
bool peer_set_or(const struct peer_set *a, const struct peer_set *b);

/* As mls_level_isvalid() was until Linux 3.8: each bit of b is looked up in the
 * list of a, from its head. */
bool peer_set_contains_bits(const struct peer_set *a, const struct peer_set *b, uint32_t last_bit);

#endif
