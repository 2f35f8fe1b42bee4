/* Which record labels a port.  Private to security/. */
#ifndef SECURITY_PORTS_H
#define SECURITY_PORTS_H

#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"

enum { PORT_PAGES = 256, PAGE_PORTS = 256 };

/* Ports of one protocol: pages of 256 with the record of each port, plus 1.
 * Pages that are alike are one, so those without a record cost nothing. */
struct port_table {
	uint16_t pages[PORT_PAGES]; /* numbers of pages in records */
	uint32_t *records;
	uint32_t npages;
};

/* Of the protocol's records the first in the policy's list counts. */
void port_table_init(struct port_table *table, const struct policy *policy, uint32_t protocol);
void port_table_free(struct port_table *table);
size_t port_table_memory(const struct port_table *table);

/* The number of the record, plus 1, or 0. */
static inline uint32_t port_table_find(const struct port_table *table, uint16_t port)
{
	return table->records[table->pages[port / PAGE_PORTS] * PAGE_PORTS + port % PAGE_PORTS];
}

#endif
