/* Tables of decisions. */
#include <string.h>
#include <sys/mman.h>

#include "avc/internal.h"
#include "base/memory.h"

/* Large tables are looked into all over: with pages of this size the processor
 * seldom has to find out where one is. */
enum { HUGE_PAGE = 2 << 20 };

/* A mapping, so that the test of what checks write can make it read-only. */
static void map(struct table *header, size_t size)
{
	bool huge = size >= HUGE_PAGE;
	void *mapping;

	header->size = huge ? (size + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE : size;
	mapping = mmap(NULL, header->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapping == MAP_FAILED)
		mem_exhausted();
	header->mapping = mapping;
	if (huge)
		madvise(mapping, header->size, MADV_HUGEPAGE); /* where there are none, it goes without */
}

struct table *table_new(uint32_t slots, uint32_t rest_size)
{
	size_t keys = sizeof(struct table) + slots * sizeof(struct table_key);
	struct table header = {.mask = slots - 1, .rest_size = rest_size}, *table;
	uintptr_t at;

	map(&header, keys + (size_t)slots * rest_size);
	at = (uintptr_t)header.mapping;
	if (header.size >= HUGE_PAGE)
		at = (at + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	table = (struct table *)at;
	*table = header;
	table->rests = (unsigned char *)table + keys;
	return table;
}

void table_free(struct table *table)
{
	if (table)
		munmap(table->mapping, table->size);
}

void tables_free(struct table *list)
{
	while (list) {
		struct table *next = list->next;

		table_free(list);
		list = next;
	}
}

bool table_full(const struct table *table)
{
	return table->n > table->mask / 2;
}

/* Whoever finds the pair finds the rest of the entry. */
void table_add(struct table *table, const struct table_key *key, const void *rest)
{
	uint64_t pair = atomic_load_explicit(&key->pair, memory_order_relaxed);
	uint32_t i = table_start(table, pair, key->key);

	while (atomic_load_explicit(&table->keys[i].pair, memory_order_relaxed))
		i = (i + 1) & table->mask;
	memcpy(table->rests + (size_t)i * table->rest_size, rest, table->rest_size);
	table->keys[i].key = key->key;
	table->keys[i].noisy = key->noisy;
	atomic_store_explicit(&table->keys[i].pair, pair, memory_order_release);
	table->n++;
}

struct table *table_grown(const struct table *table)
{
	struct table *grown = table_new((table->mask + 1) * 2, table->rest_size);

	for (uint32_t i = 0; i <= table->mask; i++)
		if (atomic_load_explicit(&table->keys[i].pair, memory_order_relaxed))
			table_add(grown, &table->keys[i], table->rests + (size_t)i * table->rest_size);
	return grown;
}
