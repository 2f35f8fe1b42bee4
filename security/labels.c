#include "security/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/names.h"
#include "security/internal.h"
#include "security/interval_map.h"
#include "security/nodes.h"
#include "security/ports.h"

enum { PROTOCOLS = 4 };

static const uint8_t protocols[PROTOCOLS] = {6, 17, 33, 132};

/* Initial SIDs that stand in for a record. */
enum stand_in { FOR_NONE, FOR_PORT, FOR_NODE, FOR_NETIF, FOR_PACKET, FOR_IRQ, FOR_IOPORT, FOR_IOMEM, FOR_DEVICE, STAND_INS };

static const char *const sid_names[STAND_INS] = {
	"unlabeled", "port", "node", "netif", "netmsg", "irq", "ioport", "iomem", "device",
};

/* Records of one file system, the longer paths first. */
struct genfs_group { uint32_t begin, end; };

/* Lists of Xen. */
enum span_list { PIRQS, IOPORTS, IOMEMS, PCIDEVICES, SPANS };

struct labels {
	const struct policy *policy;
	struct label stand_ins[STAND_INS];
	struct port_table ports[PROTOCOLS];
	struct node_table nodes, nodes6;
	struct name_table netifs, fs_uses; /* number of the record, plus 1 */
	struct name_table genfs;           /* number of the group, plus 1 */
	struct genfs_group *groups;
	uint32_t ngroups;
	uint32_t dir; /* the class */
	struct interval_map ibpkeys, spans[SPANS];
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

static uint32_t find_netif(const struct labels *l, const char *name)
{
	if (!l->netif_patterns)
		return name_table_find(&l->netifs, name, strlen(name));
	for (uint32_t i = 0; i < l->policy->netifs.n; i++)
		if (pattern_matches(l->policy->netifs.at[i].name, name))
			return i + 1;
	return 0;
}

struct label label_netif(const struct labels *labels, const char *name, struct label *ret_packet)
{
	uint32_t record = find_netif(labels, name);

	if (!record) {
		*ret_packet = labels->stand_ins[FOR_PACKET];
		return labels->stand_ins[FOR_NETIF];
	}
	*ret_packet = by_record(&labels->policy->netifs.at[record - 1].packet);
	return by_record(&labels->policy->netifs.at[record - 1].interface);
}

/* ---- InfiniBand ---- */

static struct point ibpkey_point(const unsigned char prefix[8], uint32_t key)
{
	uint64_t word;

	memcpy(&word, prefix, sizeof word);
	return (struct point){word, key};
}

struct label label_ibpkey(const struct labels *labels, const unsigned char prefix[8], uint16_t key)
{
	uint32_t record = interval_map_find(&labels->ibpkeys, ibpkey_point(prefix, key));

	return record == INTERVAL_NONE ? labels->stand_ins[FOR_NONE] : by_record(&labels->policy->ibpkeys.at[record].context);
}

/* A walk: a machine has a few devices, and policies name as many. */
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

/* The index of the record, or UINT32_MAX.  The records of the file system are
 * gone through: any of them may be the beginning of the path. */
static uint32_t find_genfs(const struct labels *l, const char *fs, const char *path, uint32_t class)
{
	uint32_t number = name_table_find(&l->genfs, fs, strlen(fs));

	if (!number)
		return UINT32_MAX;
	while (path[0] == '/' && path[1] == '/')
		path++;
	for (uint32_t i = l->groups[number - 1].begin; i < l->groups[number - 1].end; i++) {
		const struct policy_genfs *g = &l->policy->genfs.at[i];

		if (g->class && g->class != class)
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
	uint32_t record = name_table_find(&labels->fs_uses, fs, strlen(fs));

	if (record) {
		const struct policy_fs_use *use = &labels->policy->fs_uses.at[record - 1];

		*ret_behaviour = (enum label_behaviour)use->behaviour;
		return by_record(&use->context);
	}
	record = find_genfs(labels, fs, "/", labels->dir);
	*ret_behaviour = record == UINT32_MAX ? LABEL_NONE : LABEL_GENFS;
	return genfs_label(labels, record);
}

/* ---- Xen ---- */

static const struct policy_xen_span *spans_of(const struct policy *policy, enum span_list list, uint32_t *ret_n)
{
	switch (list) {
	case PIRQS: *ret_n = policy->pirqs.n; return policy->pirqs.at;
	case IOPORTS: *ret_n = policy->ioports.n; return policy->ioports.at;
	case IOMEMS: *ret_n = policy->iomems.n; return policy->iomems.at;
	default: *ret_n = policy->pcidevices.n; return policy->pcidevices.at;
	}
}

static struct label find_span(const struct labels *l, enum span_list list, uint64_t value, enum stand_in stand_in)
{
	uint32_t n, record = interval_map_find(&l->spans[list], (struct point){0, value});

	return record == INTERVAL_NONE ? l->stand_ins[stand_in] : by_record(&spans_of(l->policy, list, &n)[record].context);
}

struct label label_pirq(const struct labels *labels, uint64_t irq)
{
	return find_span(labels, PIRQS, irq, FOR_IRQ);
}

struct label label_ioport(const struct labels *labels, uint64_t port)
{
	return find_span(labels, IOPORTS, port, FOR_IOPORT);
}

struct label label_iomem(const struct labels *labels, uint64_t frame)
{
	return find_span(labels, IOMEMS, frame, FOR_IOMEM);
}

struct label label_pcidevice(const struct labels *labels, uint64_t device)
{
	return find_span(labels, PCIDEVICES, device, FOR_DEVICE);
}

/* A walk, as `policy-query label` is all that asks. */
struct label label_devicetree(const struct labels *labels, const char *path)
{
	for (uint32_t i = 0; i < labels->policy->devicetrees.n; i++)
		if (!strcmp(labels->policy->devicetrees.at[i].path, path))
			return by_record(&labels->policy->devicetrees.at[i].context);
	return (struct label){0};
}

/* ---- building ---- */

static bool has_capability(const struct policy *policy, const char *name)
{
	uint32_t bit;

	return !capability_find(name, &bit) && ebitmap_test(&policy->capabilities, bit);
}

static void index_names(struct labels *l)
{
	const struct policy *policy = l->policy;

	name_table_init(&l->netifs, policy->netifs.n);
	for (uint32_t i = 0; i < policy->netifs.n; i++)
		name_table_add(&l->netifs, policy->netifs.at[i].name, i + 1);
	name_table_init(&l->fs_uses, policy->fs_uses.n);
	for (uint32_t i = 0; i < policy->fs_uses.n; i++)
		name_table_add(&l->fs_uses, policy->fs_uses.at[i].name, i + 1);
}

static void index_genfs(struct labels *l)
{
	const struct policy_genfs *at = l->policy->genfs.at;
	uint32_t n = l->policy->genfs.n;

	for (uint32_t i = 0; i < n; i++)
		l->ngroups += !i || strcmp(at[i].fs, at[i - 1].fs) != 0;
	l->groups = mem_alloc(l->ngroups * sizeof *l->groups);
	name_table_init(&l->genfs, l->ngroups);
	l->ngroups = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!i || strcmp(at[i].fs, at[i - 1].fs) != 0) {
			l->groups[l->ngroups++].begin = i;
			name_table_add(&l->genfs, at[i].fs, l->ngroups);
		}
		l->groups[l->ngroups - 1].end = i + 1;
	}
}

static void index_ibpkeys(struct labels *l)
{
	uint32_t n = l->policy->ibpkeys.n;
	struct interval *intervals = mem_alloc((size_t)n * sizeof *intervals);

	for (uint32_t i = 0; i < n; i++) {
		const struct policy_ibpkey *key = &l->policy->ibpkeys.at[i];

		intervals[i] = (struct interval){ibpkey_point(key->prefix, key->low), ibpkey_point(key->prefix, key->high)};
	}
	interval_map_init(&l->ibpkeys, intervals, n);
	free(intervals);
}

static void index_spans(struct labels *l, enum span_list list)
{
	uint32_t n;
	const struct policy_xen_span *spans = spans_of(l->policy, list, &n);
	struct interval *intervals = mem_alloc((size_t)n * sizeof *intervals);

	for (uint32_t i = 0; i < n; i++)
		intervals[i] = (struct interval){{0, spans[i].low}, {0, spans[i].high}};
	interval_map_init(&l->spans[list], intervals, n);
	free(intervals);
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
	index_names(l);
	index_genfs(l);
	index_ibpkeys(l);
	for (enum span_list list = 0; list < SPANS; list++)
		index_spans(l, list);
	l->dir = policy_find_class(l->policy, "dir");
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
	free(labels->netifs.slots);
	free(labels->fs_uses.slots);
	free(labels->genfs.slots);
	free(labels->groups);
	interval_map_free(&labels->ibpkeys);
	for (int i = 0; i < SPANS; i++)
		interval_map_free(&labels->spans[i]);
	free(labels);
}

static size_t name_table_memory(const struct name_table *table)
{
	return ((size_t)table->mask + 1) * sizeof *table->slots;
}

size_t labels_memory(const struct labels *labels)
{
	size_t size = sizeof *labels;

	for (uint32_t i = 0; i < PROTOCOLS; i++)
		size += port_table_memory(&labels->ports[i]);
	size += node_table_memory(&labels->nodes) + node_table_memory(&labels->nodes6);
	size += name_table_memory(&labels->netifs) + name_table_memory(&labels->fs_uses) + name_table_memory(&labels->genfs);
	size += labels->ngroups * sizeof *labels->groups + interval_map_memory(&labels->ibpkeys);
	for (int i = 0; i < SPANS; i++)
		size += interval_map_memory(&labels->spans[i]);
	return size;
}
