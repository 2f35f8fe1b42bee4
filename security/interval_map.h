/* Which is the first of a list of intervals that holds a point.  Private to
 * security/.
 *
 * The intervals may overlap; the map is what remains of them when each has
 * lost what an earlier one holds: steps that are sorted and leave no gap. */
#ifndef SECURITY_INTERVAL_MAP_H
#define SECURITY_INTERVAL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of 128 bits: an IPv6 address, or two numbers of which the high one
 * counts first. */
struct point { uint64_t high, low; };
struct interval { struct point first, last; }; /* both in it; empty when last is before first */

#define INTERVAL_NONE UINT32_MAX

struct interval_map {
	struct point *begins; /* of the steps; the first one begins at 0 */
	uint32_t *begins32;   /* the same as words, where all intervals are of words: a quarter of the memory to go through */
	uint32_t *intervals;  /* by step: the number of the interval, or INTERVAL_NONE */
	uint32_t n;
	uint32_t power;       /* the highest power of two up to n */
};

/* In n log n; at most 2n + 1 steps. */
void interval_map_init(struct interval_map *map, const struct interval *intervals, uint32_t n);
/* Of intervals up to {0, UINT32_MAX}, for interval_map_find32(). */
void interval_map_init32(struct interval_map *map, const struct interval *intervals, uint32_t n);
void interval_map_free(struct interval_map *map);
size_t interval_map_memory(const struct interval_map *map);

/* Where there is a type of 128 bits, one subtraction with borrow: the compilers
 * make branches of two comparisons. */
static inline bool point_before(const struct point *a, const struct point *b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;

	return ((wide)a->high << 64 | a->low) < ((wide)b->high << 64 | b->low);
#else
	return a->high < b->high || (a->high == b->high && a->low < b->low);
#endif
}

/* Both: the first `power` steps, or the last, which may overlap; then one half
 * after the other.  Neither the number of turns nor a branch depends on what is
 * asked, so a processor is never wrong about them. */
static inline uint32_t interval_map_find(const struct interval_map *map, struct point point)
{
	const struct point *step = map->begins + map->n - map->power;

	step = point_before(&point, step) ? map->begins : step;
	for (size_t half = map->power / 2; half; half /= 2)
		step = point_before(&point, step + half) ? step : step + half;
	return map->intervals[step - map->begins];
}

static inline uint32_t interval_map_find32(const struct interval_map *map, uint32_t point)
{
	const uint32_t *step = map->begins32 + map->n - map->power;

	step = point < *step ? map->begins32 : step;
	for (size_t half = map->power / 2; half; half /= 2)
		step = point < step[half] ? step : step + half;
	return map->intervals[step - map->begins32];
}

#endif
