#include "security/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/names.h"
#include "security/nodes.h"
#include "security/ports.h"

enum { PROTOCOLS = 4 };

static const uint8_t protocols[PROTOCOLS] = {6, 17, 33, 132};

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

/* ---- ports and nodes ---- */

struct label label_port(const struct labels *labels, uint8_t protocol, uint16_t port)
{
	for (uint32_t i = 0; i < PROTOCOLS; i++) {
		uint32_t record;

		if (protocols[i] != protocol)
			continue;
		record = port_table_find(&labels->ports[i], port);
		if (record)
			return by_record(&labels->policy->ports.at[record - 1].context);
	}
	return labels->stand_ins[FOR_PORT];
}

struct label label_node(const struct labels *labels, const unsigned char address[4])
{
	uint32_t record = node_table_find4(&labels->nodes, address);

	return record == INTERVAL_NONE ? labels->stand_ins[FOR_NODE] : by_record(&labels->policy->nodes.at[record].context);
}

struct label label_node6(const struct labels *labels, const unsigned char address[16])
{
	uint32_t record = node_table_find6(&labels->nodes6, address);

	return record == INTERVAL_NONE ? labels->stand_ins[FOR_NODE] : by_record(&labels->policy->nodes6.at[record].context);
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
		port_table_init(&l->ports[i], l->policy, protocols[i]);
	node_table_init(&l->nodes, l->policy->nodes.at, l->policy->nodes.n, 4);
	node_table_init(&l->nodes6, l->policy->nodes6.at, l->policy->nodes6.n, 16);
	return l;
}

void labels_free(struct labels *labels)
{
	if (!labels)
		return;
	for (uint32_t i = 0; i < PROTOCOLS; i++)
		port_table_free(&labels->ports[i]);
	node_table_free(&labels->nodes);
	node_table_free(&labels->nodes6);
	free(labels);
}

size_t labels_memory(const struct labels *labels)
{
	size_t size = sizeof *labels + node_table_memory(&labels->nodes) + node_table_memory(&labels->nodes6);

	for (uint32_t i = 0; i < PROTOCOLS; i++)
		size += port_table_memory(&labels->ports[i]);
	return size;
}
