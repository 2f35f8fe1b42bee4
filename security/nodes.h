/* Which record labels a node of a network.  Private to security/. */
#ifndef SECURITY_NODES_H
#define SECURITY_NODES_H

#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"
#include "security/interval_map.h"

/* A record whose mask has gaps. */
struct odd_node { struct point address, mask; uint32_t record; };

/* A mask without gaps makes an interval of addresses.  The others are gone
 * through, as a kernel goes through all: no policy that we know of has any, and
 * `node-mask` warns of them. */
struct node_table {
	struct interval_map map;
	struct odd_node *odd; /* by record */
	uint32_t nodd;
};

/* width: of an address in bytes, 4 or 16.  Of the records the first that matches counts. */
void node_table_init(struct node_table *table, const struct policy_node *nodes, uint32_t n, uint32_t width);
void node_table_free(struct node_table *table);
size_t node_table_memory(const struct node_table *table);

/* The number of the record, or INTERVAL_NONE. */
uint32_t node_table_find4(const struct node_table *table, const unsigned char address[4]);
uint32_t node_table_find6(const struct node_table *table, const unsigned char address[16]);

#endif
