/* Network nodes: addresses with masks (language.md 10.6). */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/labels.h"

/* ---- addresses ---- */

static size_t bytes_of(bool ipv6)
{
	return ipv6 ? 16 : 4;
}

static bool parse_address(const char *text, bool ipv6, unsigned char *ret_bytes)
{
	return inet_pton(ipv6 ? AF_INET6 : AF_INET, text, ret_bytes) == 1;
}

/* The bits of a prefix as a mask; false when they are more than there are. */
static bool parse_prefix(const char *text, bool ipv6, unsigned char *ret_mask)
{
	unsigned bits = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		bits = bits * 10 + (unsigned)(*text - '0');
		if (bits > bytes_of(ipv6) * 8)
			return false;
	}
	for (size_t i = 0; i < bytes_of(ipv6); i++) {
		unsigned here = bits > 8 ? 8 : bits;

		ret_mask[i] = (unsigned char)(0xff00u >> here);
		bits -= here;
	}
	return true;
}

static enum node_fault parse_network(const char *text, bool ipv6, struct node_address *node)
{
	const char *slash = strchr(text, '/');
	char address[INET6_ADDRSTRLEN];
	size_t len;

	if (!slash)
		return NODE_BAD_MASK;
	len = (size_t)(slash - text);
	if (len >= sizeof address)
		return NODE_BAD_ADDRESS;
	memcpy(address, text, len);
	address[len] = '\0';
	if (!parse_address(address, ipv6, node->address))
		return NODE_BAD_ADDRESS;
	return parse_prefix(slash + 1, ipv6, node->mask) ? NODE_GOOD : NODE_BAD_MASK;
}

/* Once a bit is 0, all further ones must be. */
static bool has_gap(const unsigned char *mask, bool ipv6)
{
	bool ended = false;

	for (size_t bit = 0; bit < bytes_of(ipv6) * 8; bit++) {
		bool set = mask[bit / 8] >> (7 - bit % 8) & 1;

		if (set && ended)
			return true;
		ended |= !set;
	}
	return false;
}

enum node_fault node_parse(const char *address, const char *mask, bool ipv6, struct node_address *ret_node)
{
	struct node_address node = {0};

	if (!mask) {
		enum node_fault fault = parse_network(address, ipv6, &node);

		if (fault != NODE_GOOD)
			return fault;
	} else if (!parse_address(address, ipv6, node.address)) {
		return NODE_BAD_ADDRESS;
	} else if (!parse_address(mask, ipv6, node.mask)) {
		return NODE_BAD_MASK;
	}
	node.gap = has_gap(node.mask, ipv6);
	for (size_t i = 0; i < bytes_of(ipv6); i++) {
		node.host_bits |= (node.address[i] & ~node.mask[i]) != 0;
		if (!mask)
			node.address[i] &= node.mask[i];
	}
	*ret_node = node;
	return NODE_GOOD;
}

/* The order that existing images have: IPv4 masks are compared as numbers of a
 * little-endian machine, by their last byte first. */
int node_compare_masks(const unsigned char *a, const unsigned char *b, bool ipv6)
{
	if (ipv6)
		return memcmp(b, a, 16);
	for (int i = 3; i >= 0; i--)
		if (a[i] != b[i])
			return a[i] > b[i] ? -1 : 1;
	return 0;
}

/* ---- statements ---- */

struct node {
	struct node_address at;
	const struct ast_node *ast;
	bool good;
	struct policy_context context;
};

static int compare_node_masks(const struct node *a, const struct node *b)
{
	return node_compare_masks(a->at.mask, b->at.mask, a->ast->ipv6);
}

static int compare_source(const struct node *a, const struct node *b)
{
	return a->ast < b->ast ? -1 : a->ast > b->ast;
}

/* Most specific mask first, equal ones as written. */
static int by_mask(const void *a, const void *b)
{
	int order = compare_node_masks(a, b);

	return order ? order : compare_source(a, b);
}

/* Equal nodes side by side. */
static int by_network(const void *va, const void *vb)
{
	const struct node *a = va, *b = vb;
	int order = compare_node_masks(a, b);

	if (!order)
		order = memcmp(a->at.address, b->at.address, sizeof a->at.address);
	return order ? order : compare_source(a, b);
}

static void report_fault(struct compile *c, const struct ast_node *a, enum node_fault fault)
{
	struct ast_name wrong = fault == NODE_BAD_MASK && a->mask.atom ? a->mask : a->address;
	const char *version = a->ipv6 ? "IPv6" : "IPv4";

	if (fault == NODE_BAD_MASK && !a->mask.atom)
		diag_error(c->diags, "invalid-address", ast_name_loc(c->atoms, wrong),
			   "the prefix of `%s` is longer than an %s address", name_text(c, wrong.atom), version);
	else
		diag_error(c->diags, "invalid-address", ast_name_loc(c->atoms, wrong), "`%s` is no %s %s",
			   name_text(c, wrong.atom), version, fault == NODE_BAD_MASK ? "mask" : "address");
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

static void warn_about(struct compile *c, const struct ast_node *a, const struct node_address *node)
{
	struct loc loc = ast_name_loc(c->atoms, a->address);

	if (node->gap)
		diag_source_warning(c->diags, "node-mask", ast_name_loc(c->atoms, a->mask), "the mask `%s` is not contiguous",
			     name_text(c, a->mask.atom));
	if (!a->mask.atom && is_zero(node->mask, sizeof node->mask))
		diag_source_warning(c->diags, "node-mask", loc, "a prefix of 0 matches every address");
	if (node->host_bits)
		diag_source_warning(c->diags, "node-host-bits", loc, "`%s` has bits set outside of its mask: %s",
			     name_text(c, a->address.atom),
			     a->mask.atom ? "no address matches" : "they are cleared");
}

static void check_node_repeats(struct compile *c, struct node *nodes, uint32_t n)
{
	const struct node *first = nodes;

	qsort(nodes, n, sizeof *nodes, by_network);
	for (uint32_t i = 1; i < n; i++) {
		const struct node *node = &nodes[i];

		if (memcmp(first->at.mask, node->at.mask, sizeof node->at.mask) ||
		    memcmp(first->at.address, node->at.address, sizeof node->at.address)) {
			first = node;
			continue;
		}
		diag_error(c->diags, "duplicate-label", node->ast->loc, "network node `%s` is labelled a second time",
			   name_text(c, node->ast->address.atom));
		diag_note(c->diags, first->ast->loc, "the first label is given here");
	}
}

/* The nodes of one IP version, in the order of an image; how many there are. */
static uint32_t lower_version(struct compile *c, bool ipv6, struct policy_node **ret_nodes)
{
	struct policy_node *to = arena_zalloc(&c->policy->arena, c->ast->nodes.n, sizeof *to);
	struct node *nodes = mem_zalloc(c->ast->nodes.n, sizeof *nodes);
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < c->ast->nodes.n; i++) {
		const struct ast_node *a = &c->ast->nodes.at[i];
		const char *mask = a->mask.atom ? name_text(c, a->mask.atom) : NULL;
		enum node_fault fault;

		if (a->ipv6 != ipv6)
			continue;
		fault = node_parse(name_text(c, a->address.atom), mask, ipv6, &nodes[n].at);
		nodes[n].ast = a;
		nodes[n].good = context_of(c, &a->context, &nodes[n].context);
		if (fault == NODE_GOOD) {
			warn_about(c, a, &nodes[n++].at);
			continue;
		}
		report_fault(c, a, fault);
		if (nodes[n].good)
			policy_context_free(&nodes[n].context);
	}
	check_node_repeats(c, nodes, n);
	qsort(nodes, n, sizeof *nodes, by_mask);
	for (uint32_t i = 0; i < n; i++) {
		if (!nodes[i].good)
			continue;
		to[kept].context = nodes[i].context;
		memcpy(to[kept].address, nodes[i].at.address, sizeof to[kept].address);
		memcpy(to[kept].mask, nodes[i].at.mask, sizeof to[kept].mask);
		kept++;
	}
	free(nodes);
	*ret_nodes = to;
	return kept;
}

void lower_nodes(struct compile *c)
{
	struct policy *p = c->policy;

	if (!c->ast->nodes.n || !labels_fit_target(c, POLICY_SELINUX, "nodecon", c->ast->nodes.at[0].loc))
		return;
	p->nodes.n = lower_version(c, false, &p->nodes.at);
	p->nodes6.n = lower_version(c, true, &p->nodes6.at);
}
