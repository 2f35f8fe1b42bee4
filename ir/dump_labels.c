/* The labels of a dump (see dump.c), in the order of an image:
 *
 *	sid NAME CONTEXT;
 *	fs_use_xattr|_trans|_task NAME CONTEXT;
 *	genfscon FS "PATH" [-KIND] CONTEXT;
 *	portcon PROTOCOL LOW[-HIGH] CONTEXT;
 *	netifcon NAME CONTEXT CONTEXT;
 *	nodecon ADDRESS MASK CONTEXT;
 *	ibpkeycon PREFIX LOW[-HIGH] CONTEXT; ibendportcon DEVICE PORT CONTEXT;
 *	pirqcon N CONTEXT; ioportcon|iomemcon LOW[-HIGH] CONTEXT;
 *	pcidevicecon N CONTEXT; devicetreecon "PATH" CONTEXT;
 *
 * IPv6 addresses are written with all their groups. */
#include <inttypes.h>
#include <string.h>

#include "ir/dump.h"
#include "ir/names.h"

/* ` USER:ROLE:TYPE[:RANGE]`. */
static void put_context(struct buffer *b, const struct policy *p, const struct policy_context *c)
{
	text_put(b, " ");
	dump_user(b, p, c->user);
	text_put(b, ":");
	dump_role(b, p, c->role);
	text_put(b, ":");
	dump_type(b, p, c->type);
	if (!p->mls)
		return;
	text_put(b, ":");
	dump_range(b, p, &c->range);
}

/* The end of most statements. */
static void put_end(struct buffer *b, const struct policy *p, const struct policy_context *c)
{
	put_context(b, p, c);
	text_put(b, ";\n");
}

static void put_span(struct buffer *b, uint64_t low, uint64_t high)
{
	text_printf(b, " %" PRIu64, low);
	if (high != low)
		text_printf(b, "-%" PRIu64, high);
}

static void put_hex_span(struct buffer *b, uint64_t low, uint64_t high)
{
	text_printf(b, " 0x%" PRIx64, low);
	if (high != low)
		text_printf(b, "-0x%" PRIx64, high);
}

static void put_sids(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->sids.n; i++) {
		const char *name = initial_sid_name(p->target, p->sids.at[i].sid);

		if (name)
			text_printf(b, "sid %s", name);
		else
			text_printf(b, "sid @%u", p->sids.at[i].sid);
		put_end(b, p, &p->sids.at[i].context);
	}
}

static void put_fs_uses(struct buffer *b, const struct policy *p)
{
	static const char *const behaviours[] = {"@0", "xattr", "trans", "task"};

	for (uint32_t i = 0; i < p->fs_uses.n; i++) {
		const struct policy_fs_use *u = &p->fs_uses.at[i];

		text_printf(b, "fs_use_%s %s", behaviours[u->behaviour < 4 ? u->behaviour : 0], u->name);
		put_end(b, p, &u->context);
	}
}

static void put_kind(struct buffer *b, const struct policy *p, uint32_t class)
{
	static const char kinds[][2][10] = {
		{"file", "-"}, {"dir", "d"}, {"chr_file", "c"}, {"blk_file", "b"},
		{"fifo_file", "p"}, {"lnk_file", "l"}, {"sock_file", "s"},
	};

	if (!class)
		return;
	text_put(b, " -");
	for (size_t i = 0; class <= p->classes.n && i < sizeof kinds / sizeof *kinds; i++) {
		if (!strcmp(p->classes.at[class].name, kinds[i][0])) {
			text_put(b, kinds[i][1]);
			return;
		}
	}
	dump_class(b, p, class);
}

static void put_genfs(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->genfs.n; i++) {
		const struct policy_genfs *g = &p->genfs.at[i];

		text_printf(b, "genfscon %s \"%s\"", g->fs, g->path);
		put_kind(b, p, g->class);
		put_end(b, p, &g->context);
	}
}

static void put_ports(struct buffer *b, const struct policy *p)
{
	static const struct { uint32_t number; const char *name; } protocols[] = {
		{6, "tcp"}, {17, "udp"}, {33, "dccp"}, {132, "sctp"},
	};

	for (uint32_t i = 0; i < p->ports.n; i++) {
		const struct policy_port *port = &p->ports.at[i];
		const char *name = NULL;

		for (size_t k = 0; k < sizeof protocols / sizeof *protocols; k++) {
			if (protocols[k].number == port->protocol)
				name = protocols[k].name;
		}
		if (name)
			text_printf(b, "portcon %s", name);
		else
			text_printf(b, "portcon @%u", port->protocol);
		put_span(b, port->low, port->high);
		put_end(b, p, &port->context);
	}
}

static void put_netifs(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->netifs.n; i++) {
		text_printf(b, "netifcon %s", p->netifs.at[i].name);
		put_context(b, p, &p->netifs.at[i].interface);
		put_end(b, p, &p->netifs.at[i].packet);
	}
}

/* Groups of an IPv6 address, n of the eight. */
static void put_groups(struct buffer *b, const unsigned char *bytes, int n)
{
	for (int i = 0; i < n; i++)
		text_printf(b, "%s%x", i ? ":" : "", (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1]);
}

static void put_address(struct buffer *b, const unsigned char *bytes, bool ipv6)
{
	if (ipv6)
		put_groups(b, bytes, 8);
	else
		text_printf(b, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

static void put_nodes(struct buffer *b, const struct policy *p, const struct policy_node *nodes, uint32_t n, bool ipv6)
{
	for (uint32_t i = 0; i < n; i++) {
		text_put(b, "nodecon ");
		put_address(b, nodes[i].address, ipv6);
		text_put(b, " ");
		put_address(b, nodes[i].mask, ipv6);
		put_end(b, p, &nodes[i].context);
	}
}

static void put_infiniband(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->ibpkeys.n; i++) {
		text_put(b, "ibpkeycon ");
		put_groups(b, p->ibpkeys.at[i].prefix, 4);
		text_put(b, "::");
		put_hex_span(b, p->ibpkeys.at[i].low, p->ibpkeys.at[i].high);
		put_end(b, p, &p->ibpkeys.at[i].context);
	}
	for (uint32_t i = 0; i < p->ibendports.n; i++) {
		text_printf(b, "ibendportcon %s %u", p->ibendports.at[i].device, p->ibendports.at[i].port);
		put_end(b, p, &p->ibendports.at[i].context);
	}
}

static void put_spans(struct buffer *b, const struct policy *p, const char *statement,
		      const struct policy_xen_span *spans, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		text_put(b, statement);
		put_hex_span(b, spans[i].low, spans[i].high);
		put_end(b, p, &spans[i].context);
	}
}

static void put_xen(struct buffer *b, const struct policy *p)
{
	put_spans(b, p, "pirqcon", p->pirqs.at, p->pirqs.n);
	put_spans(b, p, "ioportcon", p->ioports.at, p->ioports.n);
	put_spans(b, p, "iomemcon", p->iomems.at, p->iomems.n);
	put_spans(b, p, "pcidevicecon", p->pcidevices.at, p->pcidevices.n);
	for (uint32_t i = 0; i < p->devicetrees.n; i++) {
		text_printf(b, "devicetreecon \"%s\"", p->devicetrees.at[i].path);
		put_end(b, p, &p->devicetrees.at[i].context);
	}
}

void dump_labels(struct buffer *b, const struct policy *p)
{
	put_sids(b, p);
	put_fs_uses(b, p);
	put_genfs(b, p);
	put_ports(b, p);
	put_netifs(b, p);
	put_nodes(b, p, p->nodes.at, p->nodes.n, false);
	put_nodes(b, p, p->nodes6.at, p->nodes6.n, true);
	put_infiniband(b, p);
	put_xen(b, p);
}
