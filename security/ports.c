#include "security/ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { PORTS = PORT_PAGES * PAGE_PORTS };

/* next[p]: the first port from p on that has no record yet. */
static uint32_t free_port(uint32_t *next, uint32_t port)
{
	uint32_t at = port;

	while (next[at] != at)
		at = next[at];
	while (next[port] != at) {
		uint32_t step = next[port];

		next[port] = at;
		port = step;
	}
	return at;
}

static uint16_t keep_page(struct port_table *t, const uint32_t *page)
{
	for (uint32_t i = 0; i < t->npages; i++)
		if (!memcmp(t->records + (size_t)i * PAGE_PORTS, page, PAGE_PORTS * sizeof *page))
			return (uint16_t)i;
	t->records = mem_resize(t->records, ((size_t)t->npages + 1) * PAGE_PORTS * sizeof *page);
	memcpy(t->records + (size_t)t->npages * PAGE_PORTS, page, PAGE_PORTS * sizeof *page);
	return (uint16_t)t->npages++;
}

void port_table_init(struct port_table *t, const struct policy *policy, uint32_t protocol)
{
	uint32_t *next = mem_alloc((PORTS + 1) * sizeof *next);
	uint32_t *records = mem_zalloc(PORTS, sizeof *records);

	*t = (struct port_table){0};
	for (uint32_t p = 0; p <= PORTS; p++)
		next[p] = p;
	for (uint32_t i = 0; i < policy->ports.n; i++) {
		const struct policy_port *port = &policy->ports.at[i];

		if (port->protocol != protocol || port->low >= PORTS)
			continue;
		for (uint32_t p = free_port(next, port->low); p <= port->high && p < PORTS; p = free_port(next, p)) {
			records[p] = i + 1;
			next[p] = p + 1;
		}
	}
	for (uint32_t page = 0; page < PORT_PAGES; page++)
		t->pages[page] = keep_page(t, records + (size_t)page * PAGE_PORTS);
	free(next);
	free(records);
}

void port_table_free(struct port_table *t)
{
	free(t->records);
	*t = (struct port_table){0};
}

size_t port_table_memory(const struct port_table *t)
{
	return (size_t)t->npages * PAGE_PORTS * sizeof *t->records;
}
