#include "security/nodes.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- addresses as points ---- */

static uint32_t word_of(const unsigned char bytes[4])
{
	uint32_t word;

	memcpy(&word, bytes, sizeof word);
	return be32toh(word);
}

static struct point point_of(const unsigned char bytes[16])
{
	uint64_t words[2];

	memcpy(words, bytes, sizeof words);
	return (struct point){be64toh(words[0]), be64toh(words[1])};
}

static struct point point_and(struct point a, struct point b)
{
	return (struct point){a.high & b.high, a.low & b.low};
}

static bool point_equal(struct point a, struct point b)
{
	return a.high == b.high && a.low == b.low;
}

/* ---- building ---- */

/* Whether no bit of a mask stands behind one that is missing. */
static bool is_prefix(struct point mask)
{
	uint64_t high = ~mask.high, low = ~mask.low;

	return mask.low ? !high && !(low & (low + 1)) : !(high & (high + 1));
}

struct network { struct point address, mask; };

static struct network network_of(const struct policy_node *node, uint32_t width)
{
	if (width == 16)
		return (struct network){point_of(node->address), point_of(node->mask)};
	/* A word has all high bits zero, and every mask asks for them. */
	return (struct network){{0, word_of(node->address)}, {UINT64_MAX, ~(uint64_t)UINT32_MAX | word_of(node->mask)}};
}

void node_table_init(struct node_table *t, const struct policy_node *nodes, uint32_t n, uint32_t width)
{
	static const struct interval empty = {{0, 1}, {0, 0}};
	struct interval *intervals = mem_alloc((size_t)n * sizeof *intervals);

	*t = (struct node_table){0};
	for (uint32_t i = 0; i < n; i++) {
		struct network net = network_of(&nodes[i], width);

		intervals[i] = empty;
		if (!point_equal(point_and(net.address, net.mask), net.address))
			continue; /* no address under the mask is it */
		if (is_prefix(net.mask)) {
			intervals[i].first = net.address;
			intervals[i].last = (struct point){net.address.high | ~net.mask.high, net.address.low | ~net.mask.low};
			continue;
		}
		if (!t->odd)
			t->odd = mem_alloc((size_t)(n - i) * sizeof *t->odd);
		t->odd[t->nodd++] = (struct odd_node){net.address, net.mask, i};
	}
	if (width == 16)
		interval_map_init(&t->map, intervals, n);
	else
		interval_map_init32(&t->map, intervals, n);
	free(intervals);
}

void node_table_free(struct node_table *t)
{
	interval_map_free(&t->map);
	free(t->odd);
	*t = (struct node_table){0};
}

size_t node_table_memory(const struct node_table *t)
{
	return interval_map_memory(&t->map) + t->nodd * sizeof *t->odd;
}

/* ---- looking up ---- */

/* found: what the map says. */
static uint32_t first_of(const struct node_table *t, struct point address, uint32_t found)
{
	for (uint32_t i = 0; i < t->nodd && t->odd[i].record < found; i++)
		if (point_equal(point_and(address, t->odd[i].mask), t->odd[i].address))
			return t->odd[i].record;
	return found;
}

uint32_t node_table_find4(const struct node_table *table, const unsigned char address[4])
{
	uint32_t word = word_of(address);

	return first_of(table, (struct point){0, word}, interval_map_find32(&table->map, word));
}

uint32_t node_table_find6(const struct node_table *table, const unsigned char address[16])
{
	struct point point = point_of(address);

	return first_of(table, point, interval_map_find(&table->map, point));
}
