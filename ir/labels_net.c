/* The network: ports, interfaces, InfiniBand (language.md 10.4, 10.5, 10.7). */
#include <arpa/inet.h>
#include <string.h>

#include "ir/labels.h"

enum { MAX_PORT = 0xffff, MAX_PKEY = 0xffff, MAX_IB_PORT = 255, MAX_DEVICE_NAME = 63 };

/* ---- ports ---- */

static const struct { const char *lower, *upper; uint32_t number; } protocols[] = {
	{"tcp", "TCP", 6}, {"udp", "UDP", 17}, {"dccp", "DCCP", 33}, {"sctp", "SCTP", 132},
};

/* 0 with an error when there is none of that name. */
static uint32_t protocol_number(struct compile *c, struct ast_name name)
{
	static const char *const known[] = {"tcp", "udp", "dccp", "sctp"};
	const char *text = name_text(c, name.atom);

	for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
		if (!strcmp(text, protocols[i].lower) || !strcmp(text, protocols[i].upper))
			return protocols[i].number;
	diag_error(c->diags, "unknown-protocol", ast_name_loc(c->atoms, name), "unknown protocol `%s`", text);
	if (!suggest_text(c, name.atom, known, sizeof known / sizeof known[0]))
		diag_hint(c->diags, "the protocols are tcp, udp, dccp and sctp");
	return 0;
}

static const char *protocol_name(uint64_t number)
{
	for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
		if (protocols[i].number == number)
			return protocols[i].lower;
	return "";
}

/* The first match wins, so what an earlier entry covers is out of reach. */
static void report_hidden(struct compile *c, const struct label_entries *e, uint32_t i, const char *what)
{
	const struct span *s = &e->spans.at[i], *around = &e->spans.at[e->verdicts[i].around];

	diag_error(c->diags, "hidden-label", e->locs.at[i],
		   "%s %s lies within %s, which is labelled before: its own label would never be used", what,
		   label_span_text(s->low, s->high).at, label_span_text(around->low, around->high).at);
	diag_note(c->diags, e->locs.at[e->verdicts[i].around], "the earlier label is given here");
	diag_hint(c->diags, "the first match counts: put the narrower range before the wider one");
}

static void warn_across(struct compile *c, const struct label_entries *e, uint32_t i)
{
	const struct span *s = &e->spans.at[i], *across = &e->spans.at[e->verdicts[i].across];
	uint64_t low = s->low > across->low ? s->low : across->low;
	uint64_t high = s->high < across->high ? s->high : across->high;

	diag_warning(c->diags, "port-overlap", e->locs.at[i],
		     "%s ports %s and %s overlap: %s takes the label that is given first", protocol_name(s->group),
		     label_span_text(s->low, s->high).at, label_span_text(across->low, across->high).at,
		     label_span_text(low, high).at);
	diag_note(c->diags, e->locs.at[e->verdicts[i].across], "the earlier label is given here");
}

static void check_ports(struct compile *c, struct label_entries *e)
{
	label_entries_judge(e);
	for (uint32_t i = 0; i < e->spans.n; i++) {
		const struct span *s = &e->spans.at[i];

		if (e->verdicts[i].same != SPAN_NONE)
			label_report_duplicate(c, e, i, protocol_name(s->group), label_span_text(s->low, s->high).at);
		else if (e->verdicts[i].around != SPAN_NONE)
			report_hidden(c, e, i, protocol_name(s->group));
		else if (e->verdicts[i].across != SPAN_NONE)
			warn_across(c, e, i);
	}
}

static void warn_port_zero(struct compile *c, uint32_t begin)
{
	diag_warning(c->diags, "port-zero", label_number_loc(c, begin), "port 0: recent kernels refuse a policy that labels it");
}

void lower_ports(struct compile *c)
{
	uint32_t n = c->ast->ports.n;
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "portcon", c->ast->ports.at[0].loc))
		return;
	p->ports.at = arena_zalloc(&p->arena, n, sizeof *p->ports.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_port *a = &c->ast->ports.at[i];
		struct policy_port *to = &p->ports.at[p->ports.n];
		uint32_t protocol = protocol_number(c, a->protocol);
		bool fits = label_span_fits(c, &a->ports, MAX_PORT, "port");

		if (fits && protocol)
			label_entries_add(&entries, (struct span){protocol, a->ports.low, a->ports.high}, a->loc);
		if (fits && !a->ports.low)
			warn_port_zero(c, a->ports.low_begin);
		if (!context_of(c, &a->context, &to->context))
			continue;
		to->protocol = protocol;
		to->low = (uint32_t)a->ports.low;
		to->high = (uint32_t)a->ports.high;
		p->ports.n++;
	}
	check_ports(c, &entries);
	label_entries_free(&entries);
}

/* ---- interfaces and devices ---- */

static void check_name_length(struct compile *c, struct ast_name name, const char *what)
{
	if (atom_len(c->atoms, name.atom) > MAX_DEVICE_NAME)
		diag_error(c->diags, "name-too-long", ast_name_loc(c->atoms, name),
			   "the name of the %s is longer than %d bytes", what, MAX_DEVICE_NAME);
}

static bool lower_netif(struct compile *c, const struct ast_netif *a, struct policy_netif *to)
{
	bool interface = context_of(c, &a->interface, &to->interface);
	bool packet = context_of(c, &a->packet, &to->packet);

	to->name = keep_name(c, a->name.atom);
	if (interface && !packet)
		policy_context_free(&to->interface);
	if (packet && !interface)
		policy_context_free(&to->packet);
	return interface && packet;
}

static void reverse(struct policy_netif *at, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		struct policy_netif other = at[n - 1 - i];

		at[n - 1 - i] = at[i];
		at[i] = other;
	}
}

/* An image has them last first. */
void lower_netifs(struct compile *c)
{
	uint32_t n = c->ast->netifs.n;
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "netifcon", c->ast->netifs.at[0].loc))
		return;
	p->netifs.at = arena_zalloc(&p->arena, n, sizeof *p->netifs.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_netif *a = &c->ast->netifs.at[i];

		check_name_length(c, a->name, "interface");
		label_entries_add(&entries, (struct span){.group = a->name.atom}, a->loc);
		p->netifs.n += lower_netif(c, a, &p->netifs.at[p->netifs.n]);
	}
	reverse(p->netifs.at, p->netifs.n);
	label_names_judge(c, &entries, "network interface");
	label_entries_free(&entries);
}

/* ---- InfiniBand ---- */

/* A subnet is the high half of an IPv6 address whose low half is zero. */
static bool parse_subnet(struct compile *c, struct ast_name prefix, unsigned char *ret_subnet)
{
	static const unsigned char zero[8];
	unsigned char address[16];

	if (inet_pton(AF_INET6, name_text(c, prefix.atom), address) != 1) {
		diag_error(c->diags, "invalid-address", ast_name_loc(c->atoms, prefix), "`%s` is no subnet prefix",
			   name_text(c, prefix.atom));
		return false;
	}
	if (memcmp(address + 8, zero, sizeof zero)) {
		diag_error(c->diags, "invalid-address", ast_name_loc(c->atoms, prefix),
			   "the low 64 bits of the subnet prefix `%s` must be 0", name_text(c, prefix.atom));
		return false;
	}
	memcpy(ret_subnet, address, 8);
	return true;
}

static void check_pkeys(struct compile *c, struct label_entries *e)
{
	label_entries_judge(e);
	for (uint32_t i = 0; i < e->spans.n; i++) {
		const struct span *s = &e->spans.at[i];

		if (e->verdicts[i].same != SPAN_NONE)
			label_report_duplicate(c, e, i, "partition key", label_span_text(s->low, s->high).at);
		else if (e->verdicts[i].around != SPAN_NONE)
			report_hidden(c, e, i, "partition key");
	}
}

void lower_ibpkeys(struct compile *c)
{
	uint32_t n = c->ast->ibpkeys.n;
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "ibpkeycon", c->ast->ibpkeys.at[0].loc))
		return;
	p->ibpkeys.at = arena_zalloc(&p->arena, n, sizeof *p->ibpkeys.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_ibpkey *a = &c->ast->ibpkeys.at[i];
		struct policy_ibpkey *to = &p->ibpkeys.at[p->ibpkeys.n];
		bool good = parse_subnet(c, a->prefix, to->prefix);
		uint64_t subnet;

		good &= label_span_fits(c, &a->pkeys, MAX_PKEY, "partition key");
		memcpy(&subnet, to->prefix, sizeof subnet);
		if (good)
			label_entries_add(&entries, (struct span){subnet, a->pkeys.low, a->pkeys.high}, a->loc);
		if (!context_of(c, &a->context, &to->context))
			continue;
		to->low = (uint32_t)a->pkeys.low;
		to->high = (uint32_t)a->pkeys.high;
		p->ibpkeys.n++;
	}
	check_pkeys(c, &entries);
	label_entries_free(&entries);
}

static bool check_ib_port(struct compile *c, const struct ast_span *port)
{
	if (!label_span_fits(c, port, MAX_IB_PORT, "InfiniBand port"))
		return false;
	if (port->low)
		return true;
	diag_error(c->diags, "port-zero", label_number_loc(c, port->low_begin), "InfiniBand ports begin at 1");
	return false;
}

static void check_ib_repeats(struct compile *c, struct label_entries *e)
{
	label_entries_judge(e);
	for (uint32_t i = 0; i < e->spans.n; i++) {
		const struct span *s = &e->spans.at[i];

		if (e->verdicts[i].same == SPAN_NONE)
			continue;
		diag_error(c->diags, "duplicate-label", e->locs.at[i],
			   "port %s of InfiniBand device `%s` is labelled a second time",
			   label_span_text(s->low, s->high).at, name_text(c, (atom_t)s->group));
		diag_note(c->diags, e->locs.at[e->verdicts[i].same], "the first label is given here");
	}
}

void lower_ibendports(struct compile *c)
{
	uint32_t n = c->ast->ibendports.n;
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "ibendportcon", c->ast->ibendports.at[0].loc))
		return;
	p->ibendports.at = arena_zalloc(&p->arena, n, sizeof *p->ibendports.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_ibendport *a = &c->ast->ibendports.at[i];
		struct policy_ibendport *to = &p->ibendports.at[p->ibendports.n];

		check_name_length(c, a->device, "device");
		if (check_ib_port(c, &a->port))
			label_entries_add(&entries, (struct span){a->device.atom, a->port.low, a->port.low}, a->loc);
		if (!context_of(c, &a->context, &to->context))
			continue;
		to->device = keep_name(c, a->device.atom);
		to->port = (uint32_t)a->port.low;
		p->ibendports.n++;
	}
	check_ib_repeats(c, &entries);
	label_entries_free(&entries);
}
