/* policy_sort_labels (-S): labelling records in an order of their own, not of the
 * source.
 *
 * Needs the records in image order; leaves them sorted, equal keys as they
 * were.  SIDs and genfscon stay.  Facts: language.md 15.2. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"

typedef int (*compare)(const void *a, const void *b);

static void merge(char *to, const char *a, size_t na, const char *b, size_t nb, size_t size, compare cmp)
{
	while (na && nb) {
		bool left = cmp(a, b) <= 0;

		memcpy(to, left ? a : b, size);
		to += size;
		if (left) {
			a += size;
			na--;
		} else {
			b += size;
			nb--;
		}
	}
	memcpy(to, na ? a : b, (na + nb) * size);
}

/* A stable merge sort, from runs of one record upwards. */
static void sort(void *records, size_t n, size_t size, compare cmp)
{
	char *at = records, *merged;

	if (n < 2)
		return;
	merged = mem_alloc(n * size);
	for (size_t run = 1; run < n; run *= 2) {
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t na = n - i < run ? n - i : run;
			size_t nb = n - i - na < run ? n - i - na : run;

			merge(merged + i * size, at + i * size, na, at + (i + na) * size, nb, size, cmp);
		}
		memcpy(at, merged, n * size);
	}
	free(merged);
}

#define SORT(list, cmp) sort((list)->at, (list)->n, sizeof *(list)->at, cmp)

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Narrow ranges first, then by their low end. */
static int order_ranges(uint64_t alow, uint64_t ahigh, uint64_t blow, uint64_t bhigh)
{
	int by_width = order(ahigh - alow, bhigh - blow);

	return by_width ? by_width : order(alow, blow);
}

static int by_fs_use(const void *a, const void *b)
{
	const struct policy_fs_use *x = a, *y = b;
	int by_behaviour = order(x->behaviour, y->behaviour);

	return by_behaviour ? by_behaviour : strcmp(x->name, y->name);
}

static int by_port(const void *a, const void *b)
{
	const struct policy_port *x = a, *y = b;
	int by_range = order_ranges(x->low, x->high, y->low, y->high);

	return by_range ? by_range : order(x->protocol, y->protocol);
}

/* Plain names first; then the more before the first wildcard the earlier, and
 * `?` before `*`. */
static int by_netif(const void *a, const void *b)
{
	const char *x = ((const struct policy_netif *)a)->name, *y = ((const struct policy_netif *)b)->name;
	size_t xstem = strcspn(x, "*?"), ystem = strcspn(y, "*?");
	int result = order(x[xstem] != '\0', y[ystem] != '\0');

	if (!result && x[xstem]) {
		result = order(ystem, xstem);
		if (!result)
			result = order((unsigned char)y[ystem], (unsigned char)x[xstem]);
	}
	return result ? result : strcmp(x, y);
}

/* Long masks first. */
static int order_nodes(const struct policy_node *x, const struct policy_node *y, size_t size)
{
	int by_mask = memcmp(y->mask, x->mask, size);

	return by_mask ? by_mask : memcmp(x->address, y->address, size);
}

static int by_node(const void *a, const void *b)
{
	return order_nodes(a, b, 4);
}

static int by_node6(const void *a, const void *b)
{
	return order_nodes(a, b, 16);
}

static int by_ibpkey(const void *a, const void *b)
{
	const struct policy_ibpkey *x = a, *y = b;
	int by_prefix = memcmp(x->prefix, y->prefix, sizeof x->prefix);

	return by_prefix ? by_prefix : order_ranges(x->low, x->high, y->low, y->high);
}

static int by_ibendport(const void *a, const void *b)
{
	const struct policy_ibendport *x = a, *y = b;
	int by_device = strcmp(x->device, y->device);

	return by_device ? by_device : order(x->port, y->port);
}

/* Single values all have the same width: they come by value. */
static int by_span(const void *a, const void *b)
{
	const struct policy_xen_span *x = a, *y = b;

	return order_ranges(x->low, x->high, y->low, y->high);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct policy_devicetree *)a)->path, ((const struct policy_devicetree *)b)->path);
}

void policy_sort_labels(struct policy *policy)
{
	SORT(&policy->fs_uses, by_fs_use);
	SORT(&policy->ports, by_port);
	SORT(&policy->netifs, by_netif);
	SORT(&policy->nodes, by_node);
	SORT(&policy->nodes6, by_node6);
	SORT(&policy->ibpkeys, by_ibpkey);
	SORT(&policy->ibendports, by_ibendport);
	SORT(&policy->pirqs, by_span);
	SORT(&policy->ioports, by_span);
	SORT(&policy->iomems, by_span);
	SORT(&policy->pcidevices, by_span);
	SORT(&policy->devicetrees, by_path);
}
