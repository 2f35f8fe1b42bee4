#include "security/interval_map.h"

#include <stdlib.h>

#include "base/memory.h"

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return point_before(y, x) - point_before(x, y);
}

static bool is_empty(const struct interval *i)
{
	return point_before(&i->last, &i->first);
}

/* The point after the last one; false when there is none. */
static bool end_of(const struct interval *i, struct point *ret_end)
{
	*ret_end = (struct point){i->last.high + (i->last.low == UINT64_MAX), i->last.low + 1};
	return ret_end->high || ret_end->low;
}

/* All points where a step may begin, sorted, each once. */
static void make_begins(struct interval_map *map, const struct interval *intervals, uint32_t n)
{
	size_t all = 0, kept = 0;

	map->begins = mem_alloc((2 * (size_t)n + 1) * sizeof *map->begins);
	map->begins[all++] = (struct point){0, 0};
	for (uint32_t i = 0; i < n; i++) {
		if (is_empty(&intervals[i]))
			continue;
		map->begins[all++] = intervals[i].first;
		all += end_of(&intervals[i], &map->begins[all]);
	}
	qsort(map->begins, all, sizeof *map->begins, compare_points);
	for (size_t i = 0; i < all; i++)
		if (!i || point_before(&map->begins[kept - 1], &map->begins[i]))
			map->begins[kept++] = map->begins[i];
	map->n = (uint32_t)kept;
}

/* The step that begins at a point. */
static uint32_t step_at(const struct interval_map *map, const struct point *point)
{
	const struct point *step = bsearch(point, map->begins, map->n, sizeof *step, compare_points);

	return (uint32_t)(step - map->begins);
}

/* next[s]: a step from s on; the end of that chain is the first that no
 * interval has taken yet.  What was gone through is shortened, so that many
 * intervals over the same steps do not go through them again. */
static uint32_t free_step(uint32_t *next, uint32_t step)
{
	while (next[step] != step) {
		next[step] = next[next[step]];
		step = next[step];
	}
	return step;
}

/* Earlier intervals take their steps first. */
static void take_steps(struct interval_map *map, const struct interval *intervals, uint32_t n)
{
	uint32_t *next = mem_alloc(((size_t)map->n + 1) * sizeof *next);

	map->intervals = mem_alloc((size_t)map->n * sizeof *map->intervals);
	for (uint32_t s = 0; s < map->n; s++)
		map->intervals[s] = INTERVAL_NONE;
	for (uint32_t s = 0; s <= map->n; s++)
		next[s] = s;
	for (uint32_t i = 0; i < n; i++) {
		struct point end_point;
		uint32_t end;

		if (is_empty(&intervals[i]))
			continue;
		end = end_of(&intervals[i], &end_point) ? step_at(map, &end_point) : map->n;
		for (uint32_t s = free_step(next, step_at(map, &intervals[i].first)); s < end; s = free_step(next, s)) {
			map->intervals[s] = i;
			next[s] = s + 1;
		}
	}
	free(next);
}

/* Neighbours of one interval become one step. */
static void join_steps(struct interval_map *map)
{
	uint32_t kept = 0;

	for (uint32_t s = 0; s < map->n; s++) {
		if (s && map->intervals[s] == map->intervals[kept - 1])
			continue;
		map->begins[kept] = map->begins[s];
		map->intervals[kept++] = map->intervals[s];
	}
	map->n = kept;
	map->begins = mem_resize(map->begins, kept * sizeof *map->begins);
	map->intervals = mem_resize(map->intervals, kept * sizeof *map->intervals);
}

static uint32_t power_up_to(uint32_t n)
{
	uint32_t power = 1;

	while (power <= n / 2)
		power *= 2;
	return power;
}

void interval_map_init(struct interval_map *map, const struct interval *intervals, uint32_t n)
{
	*map = (struct interval_map){0};
	make_begins(map, intervals, n);
	take_steps(map, intervals, n);
	join_steps(map);
	map->power = power_up_to(map->n);
}

void interval_map_init32(struct interval_map *map, const struct interval *intervals, uint32_t n)
{
	interval_map_init(map, intervals, n);
	/* What is behind the last word has no interval, and is not asked for. */
	if (map->begins[map->n - 1].low > UINT32_MAX)
		map->power = power_up_to(--map->n);
	map->begins32 = mem_alloc(map->n * sizeof *map->begins32);
	for (uint32_t s = 0; s < map->n; s++)
		map->begins32[s] = (uint32_t)map->begins[s].low;
	free(map->begins);
	map->begins = NULL;
}

void interval_map_free(struct interval_map *map)
{
	free(map->begins);
	free(map->begins32);
	free(map->intervals);
	*map = (struct interval_map){0};
}

size_t interval_map_memory(const struct interval_map *map)
{
	return map->n * ((map->begins ? sizeof *map->begins : sizeof *map->begins32) + sizeof *map->intervals);
}
