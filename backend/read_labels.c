/* Labelling records and genfs (policydb-format.md 9, 10.1). */
#include <stdlib.h>
#include <string.h>

#include "backend/read.h"

static void read_sids(struct reader *r)
{
	get_list(r, &r->policy->sids, 4 + context_size(r));
	for (uint32_t i = 0; i < r->policy->sids.n && !r->failed; i++) {
		r->policy->sids.at[i].sid = get_u32(r);
		get_context(r, &r->policy->sids.at[i].context);
	}
}

/* ---- SELinux ---- */

static void read_file_systems(struct reader *r)
{
	uint32_t n = get_u32(r);

	if (n)
		refuse(r, "%u labels of file systems by name, a kind that is no longer", (unsigned)n);
}

static void read_ports(struct reader *r)
{
	get_list(r, &r->policy->ports, 12 + context_size(r));
	for (uint32_t i = 0; i < r->policy->ports.n && !r->failed; i++) {
		struct policy_port *port = &r->policy->ports.at[i];

		port->protocol = get_u32(r);
		port->low = get_u32(r);
		port->high = get_u32(r);
		get_context(r, &port->context);
	}
}

static void read_netifs(struct reader *r)
{
	get_list(r, &r->policy->netifs, 4 + 2 * context_size(r));
	for (uint32_t i = 0; i < r->policy->netifs.n && !r->failed; i++) {
		struct policy_netif *netif = &r->policy->netifs.at[i];

		netif->name = get_text(r, get_u32(r));
		get_context(r, &netif->interface);
		get_context(r, &netif->packet);
	}
}

static void read_node_list(struct reader *r, struct policy_node *nodes, uint32_t n, size_t address_size)
{
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		const unsigned char *p = get_bytes(r, 2 * address_size);

		if (!p)
			return;
		memcpy(nodes[i].address, p, address_size);
		memcpy(nodes[i].mask, p + address_size, address_size);
		get_context(r, &nodes[i].context);
	}
}

static void read_nodes(struct reader *r)
{
	get_list(r, &r->policy->nodes, 8 + context_size(r));
	read_node_list(r, r->policy->nodes.at, r->policy->nodes.n, 4);
}

static void read_nodes6(struct reader *r)
{
	get_list(r, &r->policy->nodes6, 32 + context_size(r));
	read_node_list(r, r->policy->nodes6.at, r->policy->nodes6.n, 16);
}

static void read_fs_uses(struct reader *r)
{
	get_list(r, &r->policy->fs_uses, 8 + context_size(r));
	for (uint32_t i = 0; i < r->policy->fs_uses.n && !r->failed; i++) {
		struct policy_fs_use *use = &r->policy->fs_uses.at[i];

		use->behaviour = get_u32(r);
		use->name = get_text(r, get_u32(r));
		get_context(r, &use->context);
	}
}

static void read_ibpkeys(struct reader *r)
{
	get_list(r, &r->policy->ibpkeys, 16 + context_size(r));
	for (uint32_t i = 0; i < r->policy->ibpkeys.n && !r->failed; i++) {
		struct policy_ibpkey *key = &r->policy->ibpkeys.at[i];
		const unsigned char *p = get_bytes(r, sizeof key->prefix);

		if (!p)
			return;
		memcpy(key->prefix, p, sizeof key->prefix);
		key->low = get_u32(r);
		key->high = get_u32(r);
		get_context(r, &key->context);
	}
}

static void read_ibendports(struct reader *r)
{
	get_list(r, &r->policy->ibendports, 8 + context_size(r));
	for (uint32_t i = 0; i < r->policy->ibendports.n && !r->failed; i++) {
		struct policy_ibendport *end = &r->policy->ibendports.at[i];
		uint32_t len = get_u32(r);

		end->port = get_u32(r);
		end->device = get_text(r, len);
		get_context(r, &end->context);
	}
}

/* ---- Xen ---- */

/* One number, or two. */
static void read_narrow_spans(struct reader *r, struct policy_xen_span *spans, uint32_t n, bool pair)
{
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		spans[i].low = spans[i].high = get_u32(r);
		if (pair)
			spans[i].high = get_u32(r);
		get_context(r, &spans[i].context);
	}
}

static void read_wide_spans(struct reader *r, struct policy_xen_span *spans, uint32_t n)
{
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		const unsigned char *p = get_bytes(r, 16);

		if (!p)
			return;
		spans[i].low = load_u64(p);
		spans[i].high = load_u64(p + 8);
		get_context(r, &spans[i].context);
	}
}

static void read_pirqs(struct reader *r)
{
	get_list(r, &r->policy->pirqs, 4 + context_size(r));
	read_narrow_spans(r, r->policy->pirqs.at, r->policy->pirqs.n, false);
}

static void read_ioports(struct reader *r)
{
	get_list(r, &r->policy->ioports, 8 + context_size(r));
	read_narrow_spans(r, r->policy->ioports.at, r->policy->ioports.n, true);
}

static void read_iomems(struct reader *r)
{
	bool wide = can(r, FEATURE_WIDE_IOMEM);

	get_list(r, &r->policy->iomems, (wide ? 16 : 8) + context_size(r));
	if (wide)
		read_wide_spans(r, r->policy->iomems.at, r->policy->iomems.n);
	else
		read_narrow_spans(r, r->policy->iomems.at, r->policy->iomems.n, true);
}

static void read_pcidevices(struct reader *r)
{
	get_list(r, &r->policy->pcidevices, 4 + context_size(r));
	read_narrow_spans(r, r->policy->pcidevices.at, r->policy->pcidevices.n, false);
}

static void read_devicetrees(struct reader *r)
{
	get_list(r, &r->policy->devicetrees, 4 + context_size(r));
	for (uint32_t i = 0; i < r->policy->devicetrees.n && !r->failed; i++) {
		r->policy->devicetrees.at[i].path = get_text(r, get_u32(r));
		get_context(r, &r->policy->devicetrees.at[i].context);
	}
}

struct kind {
	const char *name;
	void (*read)(struct reader *r);
};

void read_ocontexts(struct reader *r)
{
	static const struct kind selinux[] = {
		{"initial SIDs", read_sids}, {"file systems", read_file_systems}, {"ports", read_ports},
		{"network interfaces", read_netifs}, {"IPv4 nodes", read_nodes}, {"fs_use", read_fs_uses},
		{"IPv6 nodes", read_nodes6}, {"InfiniBand keys", read_ibpkeys}, {"InfiniBand ports", read_ibendports},
	};
	static const struct kind xen[] = {
		{"initial SIDs", read_sids}, {"interrupts", read_pirqs}, {"I/O ports", read_ioports},
		{"I/O memory", read_iomems}, {"PCI devices", read_pcidevices}, {"device tree", read_devicetrees},
	};
	const struct kind *kinds = r->policy->target == POLICY_XEN ? xen : selinux;

	for (uint32_t i = 0; i < r->features->ocontexts && !r->failed; i++) {
		r->section = kinds[i].name;
		kinds[i].read(r);
	}
}

/* ---- genfs ---- */

/* An entry, and what its place among the paths of its file system is by. */
struct entry {
	struct policy_genfs genfs;
	uint32_t len, order;
};

typedef VEC(struct entry) entries;

static int compare_entries(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int order = left->genfs.fs == right->genfs.fs ? 0 : strcmp(left->genfs.fs, right->genfs.fs);

	if (order)
		return order;
	if (left->len != right->len)
		return left->len > right->len ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static void read_paths(struct reader *r, const char *fs, entries *all)
{
	uint32_t n = get_count(r, 8 + context_size(r));

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		struct entry *entry = vec_push(all);

		*entry = (struct entry){.genfs = {.fs = fs}, .len = get_u32(r), .order = all->n};
		entry->genfs.path = get_text(r, entry->len);
		entry->genfs.class = get_u32(r);
		get_context(r, &entry->genfs.context);
	}
}

static void sort_entries(entries *all)
{
	for (uint32_t i = 1; i < all->n; i++) {
		if (compare_entries(&all->at[i - 1], &all->at[i]) > 0) {
			qsort(all->at, all->n, sizeof *all->at, compare_entries);
			return;
		}
	}
}

static void keep_entries(struct policy *policy, const entries *all)
{
	policy->genfs.n = all->n;
	policy->genfs.at = arena_alloc(&policy->arena, all->n * sizeof *policy->genfs.at);
	for (uint32_t i = 0; i < all->n; i++)
		policy->genfs.at[i] = all->at[i].genfs;
}

void read_genfs(struct reader *r)
{
	uint32_t n = get_count(r, 8);
	struct table names = {.what = "file system"};
	entries all = {0};

	atoms_init(&names.names);
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		const char *fs = table_name(r, &names, get_u32(r));

		read_paths(r, fs, &all);
	}
	table_end(&names);
	sort_entries(&all);
	keep_entries(r->policy, &all);
	vec_free(&all);
}
