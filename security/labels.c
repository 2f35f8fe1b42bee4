#include "security/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/names.h"

enum { PROTOCOLS = 4, PAGES = 256, PAGE_PORTS = 256, PORTS = PAGES * PAGE_PORTS };

static const uint8_t protocols[PROTOCOLS] = {6, 17, 33, 132};

/* Ports of one protocol: pages of 256 with the record of each port, plus 1.
 * Pages that are alike are one, so those without a record cost nothing. */
struct port_table {
	uint16_t pages[PAGES]; /* numbers of pages in records */
	uint32_t *records;
	uint32_t npages;
};

/* An address as it stands in memory, the rest zero: compared, never ordered. */
struct node_bits { uint64_t half[2]; };

/* Nodes with one mask. */
struct node_group {
	struct node_bits mask;
	uint32_t first; /* record of the lowest number */
};

struct node_slot {
	struct node_bits address;
	uint32_t group, record; /* record UINT32_MAX: free */
};

/* A table of (mask, address), at most a quarter full; of records alike the first one is in it. */
struct node_table {
	const struct policy_node *nodes;
	struct node_group *groups; /* by first */
	uint32_t ngroups;
	struct node_slot *slots;
	uint32_t shift, mask;      /* of the hash; number of slots - 1 */
};

/* Initial SIDs that stand in for a record. */
enum stand_in { FOR_NONE, FOR_PORT, FOR_NODE, FOR_NETIF, FOR_PACKET, FOR_IRQ, FOR_IOPORT, FOR_IOMEM, FOR_DEVICE, STAND_INS };

static const char *const sid_names[STAND_INS] = {
	"unlabeled", "port", "node", "netif", "netmsg", "irq", "ioport", "iomem", "device",
};

struct labels {
	const struct policy *policy;
	struct label stand_ins[STAND_INS];
	struct port_table ports[PROTOCOLS];
	struct node_table nodes, nodes6;
	bool netif_patterns, genfs_patterns;
};

/* ---- initial SIDs ---- */

static const struct policy_context *sid_context(const struct policy *policy, uint32_t sid)
{
	for (uint32_t i = 0; i < policy->sids.n; i++)
		if (policy->sids.at[i].sid == sid)
			return &policy->sids.at[i].context;
	return NULL;
}

static uint32_t sid_number(const struct policy *policy, const char *name)
{
	uint32_t sid = initial_sid_count(policy->target);

	while (sid && strcmp(initial_sid_name(policy->target, sid), name) != 0)
		sid--;
	return sid;
}

/* An initial SID without a context is unlabeled. */
static void find_stand_ins(struct labels *l)
{
	for (int i = 0; i < STAND_INS; i++) {
		const struct policy_context *context = sid_context(l->policy, sid_number(l->policy, sid_names[i]));

		l->stand_ins[i] = context ? (struct label){context, sid_names[i]} : l->stand_ins[FOR_NONE];
	}
}

struct label label_sid(const struct labels *labels, uint32_t sid)
{
	const struct policy_context *context = sid_context(labels->policy, sid);

	return context ? (struct label){context, NULL} : labels->stand_ins[FOR_NONE];
}

static struct label by_record(const struct policy_context *context)
{
	return (struct label){context, NULL};
}

/* ---- ports ---- */

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

/* Earlier records hide later ones. */
static void index_ports(struct port_table *t, const struct policy *policy, uint32_t protocol)
{
	uint32_t *next = mem_alloc((PORTS + 1) * sizeof *next);
	uint32_t *records = mem_zalloc(PORTS, sizeof *records);

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
	for (uint32_t page = 0; page < PAGES; page++)
		t->pages[page] = keep_page(t, records + (size_t)page * PAGE_PORTS);
	free(next);
	free(records);
}

struct label label_port(const struct labels *labels, uint8_t protocol, uint16_t port)
{
	for (uint32_t i = 0; i < PROTOCOLS; i++) {
		const struct port_table *t = &labels->ports[i];
		uint32_t record;

		if (protocols[i] != protocol)
			continue;
		record = t->records[t->pages[port / PAGE_PORTS] * PAGE_PORTS + port % PAGE_PORTS];
		if (record)
			return by_record(&labels->policy->ports.at[record - 1].context);
	}
	return labels->stand_ins[FOR_PORT];
}

/* ---- nodes ---- */

static struct node_bits node_bits(const unsigned char *bytes, uint32_t width)
{
	struct node_bits bits = {{0}};

	memcpy(&bits, bytes, width);
	return bits;
}

static bool same_bits(struct node_bits a, struct node_bits b)
{
	return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

static int compare_masks(const void *a, const void *b)
{
	const struct node_group *x = a, *y = b;
	int masks = memcmp(&x->mask, &y->mask, sizeof x->mask);

	return masks ? masks : (x->first > y->first) - (x->first < y->first);
}

static int compare_groups(const void *a, const void *b)
{
	const struct node_group *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* The slot that has the address under the mask, or a free one. */
static struct node_slot *find_slot(const struct node_table *t, uint32_t group, struct node_bits address)
{
	uint64_t mixed = (address.half[0] + group) * UINT64_C(0x9e3779b97f4a7c15) ^ address.half[1];

	/* The high bits of a product are good. */
	for (uint32_t i = (uint32_t)(mixed * UINT64_C(0xd6e8feb86659fd93) >> t->shift);; i = (i + 1) & t->mask) {
		struct node_slot *slot = &t->slots[i];

		if (slot->record == UINT32_MAX || (slot->group == group && same_bits(slot->address, address)))
			return slot;
	}
}

static void make_slots(struct node_table *t, uint32_t n)
{
	t->shift = 63;
	while ((UINT64_C(1) << (64 - t->shift)) < 4 * (uint64_t)n)
		t->shift--;
	t->mask = (uint32_t)((UINT64_C(1) << (64 - t->shift)) - 1);
	t->slots = mem_alloc(((size_t)t->mask + 1) * sizeof *t->slots);
	for (size_t i = 0; i <= t->mask; i++)
		t->slots[i].record = UINT32_MAX;
}

/* One of each mask, and then the number of the group of each record. */
static void make_groups(struct node_table *t, uint32_t n, uint32_t width, uint32_t *ret_group)
{
	struct node_group *all = mem_alloc((size_t)n * sizeof *all);

	t->groups = mem_alloc((size_t)n * sizeof *t->groups);
	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct node_group){node_bits(t->nodes[i].mask, width), i};
	qsort(all, n, sizeof *all, compare_masks);
	for (uint32_t i = 0; i < n; i++)
		if (!i || !same_bits(all[i].mask, all[i - 1].mask))
			t->groups[t->ngroups++] = all[i];
	qsort(t->groups, t->ngroups, sizeof *t->groups, compare_groups);
	/* A record's group begins with the first record of its mask. */
	for (uint32_t i = 0; i < t->ngroups; i++)
		ret_group[t->groups[i].first] = i;
	for (uint32_t i = 0, first = 0; i < n; i++) {
		first = i && same_bits(all[i].mask, all[i - 1].mask) ? first : all[i].first;
		ret_group[all[i].first] = ret_group[first];
	}
	free(all);
}

static void index_nodes(struct node_table *t, const struct policy_node *nodes, uint32_t n, uint32_t width)
{
	uint32_t *group = mem_alloc((size_t)n * sizeof *group);

	*t = (struct node_table){.nodes = nodes};
	make_groups(t, n, width, group);
	make_slots(t, n);
	for (uint32_t i = 0; i < n; i++) {
		struct node_bits address = node_bits(nodes[i].address, width);
		struct node_slot *slot = find_slot(t, group[i], address);

		if (slot->record == UINT32_MAX)
			*slot = (struct node_slot){address, group[i], i};
	}
	free(group);
}

static struct label find_node(const struct labels *l, const struct node_table *t, struct node_bits address)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < t->ngroups && t->groups[i].first < best; i++) {
		const struct node_bits *mask = &t->groups[i].mask;
		struct node_bits masked = {{address.half[0] & mask->half[0], address.half[1] & mask->half[1]}};
		uint32_t found = find_slot(t, i, masked)->record;

		if (found < best)
			best = found;
	}
	return best == UINT32_MAX ? l->stand_ins[FOR_NODE] : by_record(&t->nodes[best].context);
}

struct label label_node(const struct labels *labels, const unsigned char address[4])
{
	return find_node(labels, &labels->nodes, node_bits(address, 4));
}

struct label label_node6(const struct labels *labels, const unsigned char address[16])
{
	return find_node(labels, &labels->nodes6, node_bits(address, 16));
}

/* ---- names and patterns ---- */

/* `*` is any run of characters, `?` one.  A later star is tried before an
 * earlier one is made longer, so the work is bounded by the product of the
 * lengths. */
static bool pattern_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

struct label label_netif(const struct labels *labels, const char *name, struct label *ret_packet)
{
	for (uint32_t i = 0; i < labels->policy->netifs.n; i++) {
		const struct policy_netif *netif = &labels->policy->netifs.at[i];

		if (labels->netif_patterns ? pattern_matches(netif->name, name) : !strcmp(netif->name, name)) {
			*ret_packet = by_record(&netif->packet);
			return by_record(&netif->interface);
		}
	}
	*ret_packet = labels->stand_ins[FOR_PACKET];
	return labels->stand_ins[FOR_NETIF];
}

struct label label_ibpkey(const struct labels *labels, const unsigned char prefix[8], uint16_t key)
{
	for (uint32_t i = 0; i < labels->policy->ibpkeys.n; i++) {
		const struct policy_ibpkey *p = &labels->policy->ibpkeys.at[i];

		if (!memcmp(p->prefix, prefix, sizeof p->prefix) && p->low <= key && key <= p->high)
			return by_record(&p->context);
	}
	return labels->stand_ins[FOR_NONE];
}

struct label label_ibendport(const struct labels *labels, const char *device, uint8_t port)
{
	for (uint32_t i = 0; i < labels->policy->ibendports.n; i++) {
		const struct policy_ibendport *p = &labels->policy->ibendports.at[i];

		if (p->port == port && !strcmp(p->device, device))
			return by_record(&p->context);
	}
	return labels->stand_ins[FOR_NONE];
}

/* ---- file systems ---- */

/* The index of the record, or UINT32_MAX. */
static uint32_t find_genfs(const struct labels *l, const char *fs, const char *path, uint32_t class)
{
	while (path[0] == '/' && path[1] == '/')
		path++;
	for (uint32_t i = 0; i < l->policy->genfs.n; i++) {
		const struct policy_genfs *g = &l->policy->genfs.at[i];

		if (strcmp(g->fs, fs) != 0 || (g->class && g->class != class))
			continue;
		if (l->genfs_patterns ? pattern_matches(g->path, path) : !strncmp(g->path, path, strlen(g->path)))
			return i;
	}
	return UINT32_MAX;
}

static struct label genfs_label(const struct labels *l, uint32_t record)
{
	return record == UINT32_MAX ? l->stand_ins[FOR_NONE] : by_record(&l->policy->genfs.at[record].context);
}

struct label label_genfs(const struct labels *labels, const char *fs, const char *path, uint32_t class)
{
	return genfs_label(labels, find_genfs(labels, fs, path, class));
}

struct label label_fs(const struct labels *labels, const char *fs, enum label_behaviour *ret_behaviour)
{
	const struct policy *policy = labels->policy;
	uint32_t record;

	for (uint32_t i = 0; i < policy->fs_uses.n; i++) {
		if (!strcmp(policy->fs_uses.at[i].name, fs)) {
			*ret_behaviour = (enum label_behaviour)policy->fs_uses.at[i].behaviour;
			return by_record(&policy->fs_uses.at[i].context);
		}
	}
	record = find_genfs(labels, fs, "/", policy_find_class(policy, "dir"));
	*ret_behaviour = record == UINT32_MAX ? LABEL_NONE : LABEL_GENFS;
	return genfs_label(labels, record);
}

/* ---- Xen ---- */

static struct label find_span(const struct labels *l, const struct policy_xen_span *spans, uint32_t n, uint64_t value,
			      enum stand_in stand_in)
{
	for (uint32_t i = 0; i < n; i++)
		if (spans[i].low <= value && value <= spans[i].high)
			return by_record(&spans[i].context);
	return l->stand_ins[stand_in];
}

struct label label_pirq(const struct labels *labels, uint64_t irq)
{
	return find_span(labels, labels->policy->pirqs.at, labels->policy->pirqs.n, irq, FOR_IRQ);
}

struct label label_ioport(const struct labels *labels, uint64_t port)
{
	return find_span(labels, labels->policy->ioports.at, labels->policy->ioports.n, port, FOR_IOPORT);
}

struct label label_iomem(const struct labels *labels, uint64_t frame)
{
	return find_span(labels, labels->policy->iomems.at, labels->policy->iomems.n, frame, FOR_IOMEM);
}

struct label label_pcidevice(const struct labels *labels, uint64_t device)
{
	return find_span(labels, labels->policy->pcidevices.at, labels->policy->pcidevices.n, device, FOR_DEVICE);
}

struct label label_devicetree(const struct labels *labels, const char *path)
{
	for (uint32_t i = 0; i < labels->policy->devicetrees.n; i++)
		if (!strcmp(labels->policy->devicetrees.at[i].path, path))
			return by_record(&labels->policy->devicetrees.at[i].context);
	return (struct label){0};
}

/* ---- all of them ---- */

static bool has_capability(const struct policy *policy, const char *name)
{
	uint32_t bit;

	return !capability_find(name, &bit) && ebitmap_test(&policy->capabilities, bit);
}

struct labels *labels_new(const struct security *security)
{
	struct labels *l = mem_zalloc(1, sizeof *l);

	l->policy = security_policy(security);
	find_stand_ins(l);
	l->netif_patterns = has_capability(l->policy, "netif_wildcard");
	l->genfs_patterns = has_capability(l->policy, "genfs_seclabel_wildcard");
	for (uint32_t i = 0; i < PROTOCOLS; i++)
		index_ports(&l->ports[i], l->policy, protocols[i]);
	index_nodes(&l->nodes, l->policy->nodes.at, l->policy->nodes.n, 4);
	index_nodes(&l->nodes6, l->policy->nodes6.at, l->policy->nodes6.n, 16);
	return l;
}

void labels_free(struct labels *labels)
{
	if (!labels)
		return;
	for (uint32_t i = 0; i < PROTOCOLS; i++)
		free(labels->ports[i].records);
	free(labels->nodes.slots);
	free(labels->nodes.groups);
	free(labels->nodes6.slots);
	free(labels->nodes6.groups);
	free(labels);
}

size_t labels_memory(const struct labels *labels)
{
	size_t size = sizeof *labels;

	for (uint32_t i = 0; i < PROTOCOLS; i++)
		size += (size_t)labels->ports[i].npages * PAGE_PORTS * sizeof *labels->ports[i].records;
	for (int i = 0; i < 2; i++) {
		const struct node_table *t = i ? &labels->nodes6 : &labels->nodes;

		size += (size_t)t->ngroups * sizeof *t->groups + ((size_t)t->mask + 1) * sizeof *t->slots;
	}
	return size;
}
