#include "cli/label_query.h"

#include <arpa/inet.h>
#include <string.h>

#include "cli/number.h"
#include "ir/names.h"
#include "ir/text.h"

static bool wrong(struct label_query *q, int word, const char *what)
{
	q->wrong = what;
	q->wrong_word = word;
	return false;
}

static bool parse_protocol(const char *text, uint8_t *ret)
{
	static const struct { const char *name; uint8_t number; } protocols[] = {
		{"tcp", 6}, {"udp", 17}, {"dccp", 33}, {"sctp", 132},
	};

	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
		if (!strcmp(text, protocols[i].name)) {
			*ret = protocols[i].number;
			return true;
		}
	}
	return false;
}

/* ---- kinds ---- */

static bool ask_port(struct label_query *q)
{
	uint64_t port;
	uint8_t protocol;

	if (!parse_protocol(q->word[1], &protocol))
		return wrong(q, 1, "the protocols are tcp, udp, dccp and sctp");
	if (!parse_c_number(q->word[2], UINT16_MAX, &port))
		return wrong(q, 2, "a port is a number up to 65535");
	q->label = label_port(q->session->server.labels, protocol, (uint16_t)port);
	return true;
}

static bool ask_node(struct label_query *q)
{
	unsigned char address[16];

	if (inet_pton(AF_INET, q->word[1], address) == 1)
		q->label = label_node(q->session->server.labels, address);
	else if (inet_pton(AF_INET6, q->word[1], address) == 1)
		q->label = label_node6(q->session->server.labels, address);
	else
		return wrong(q, 1, "a node is an IPv4 or IPv6 address");
	return true;
}

static bool ask_netif(struct label_query *q)
{
	q->label = label_netif(q->session->server.labels, q->word[1], &q->packet);
	return true;
}

static bool ask_genfs(struct label_query *q)
{
	uint32_t class = 0;

	if (q->word[2][0] != '/')
		return wrong(q, 2, "a path begins with a slash");
	if (q->n > 3) {
		class = session_class_at(q->session, q->word[3], q->loc[3]);
		if (!class)
			return false;
	}
	q->label = label_genfs(q->session->server.labels, q->word[1], q->word[2], class);
	return true;
}

static bool ask_fs(struct label_query *q)
{
	static const char *const names[] = {
		[LABEL_XATTR] = "xattr", [LABEL_TRANS] = "trans", [LABEL_TASK] = "task", [LABEL_GENFS] = "genfs",
		[LABEL_NONE] = "none",
	};
	enum label_behaviour behaviour;

	q->label = label_fs(q->session->server.labels, q->word[1], &behaviour);
	q->behaviour = behaviour >= LABEL_XATTR && behaviour <= LABEL_NONE ? names[behaviour] : "unknown";
	return true;
}

static bool ask_sid(struct label_query *q)
{
	enum policy_target target = q->session->policy->target;
	uint64_t sid;

	if (!parse_c_number(q->word[1], UINT32_MAX, &sid)) {
		for (sid = initial_sid_count(target); sid; sid--)
			if (!strcmp(initial_sid_name(target, (uint32_t)sid), q->word[1]))
				break;
		if (!sid)
			return wrong(q, 1, "there is no such initial SID");
	}
	q->label = label_sid(q->session->server.labels, (uint32_t)sid);
	return true;
}

/* The subnet prefix is the first half of an IPv6 address. */
static bool ask_ibpkey(struct label_query *q)
{
	unsigned char address[16];
	uint64_t key;

	if (inet_pton(AF_INET6, q->word[1], address) != 1)
		return wrong(q, 1, "a subnet prefix is written as fe80::");
	if (!parse_c_number(q->word[2], UINT16_MAX, &key))
		return wrong(q, 2, "a partition key is a number up to 0xffff");
	q->label = label_ibpkey(q->session->server.labels, address, (uint16_t)key);
	return true;
}

static bool ask_ibendport(struct label_query *q)
{
	uint64_t port;

	if (!parse_c_number(q->word[2], UINT8_MAX, &port))
		return wrong(q, 2, "an end port is a number up to 255");
	q->label = label_ibendport(q->session->server.labels, q->word[1], (uint8_t)port);
	return true;
}

static bool ask_span(struct label_query *q, struct label (*find)(const struct labels *labels, uint64_t value))
{
	uint64_t value;

	if (!parse_c_number(q->word[1], UINT64_MAX, &value))
		return wrong(q, 1, "this is a number");
	q->label = find(q->session->server.labels, value);
	return true;
}

static bool ask_pirq(struct label_query *q)
{
	return ask_span(q, label_pirq);
}

static bool ask_ioport(struct label_query *q)
{
	return ask_span(q, label_ioport);
}

static bool ask_iomem(struct label_query *q)
{
	return ask_span(q, label_iomem);
}

static bool ask_pcidevice(struct label_query *q)
{
	return ask_span(q, label_pcidevice);
}

static bool ask_devicetree(struct label_query *q)
{
	q->label = label_devicetree(q->session->server.labels, q->word[1]);
	return true;
}

static const struct {
	const char *name, *form;
	int least, most; /* words behind the name */
	bool (*ask)(struct label_query *q);
} kinds[] = {
	{"port", "the form is: label port tcp|udp|dccp|sctp NUMBER", 2, 2, ask_port},
	{"node", "the form is: label node ADDRESS", 1, 1, ask_node},
	{"netif", "the form is: label netif NAME", 1, 1, ask_netif},
	{"genfs", "the form is: label genfs FS PATH [CLASS]", 2, 3, ask_genfs},
	{"fs", "the form is: label fs FS", 1, 1, ask_fs},
	{"sid", "the form is: label sid NAME|NUMBER", 1, 1, ask_sid},
	{"ibpkey", "the form is: label ibpkey PREFIX KEY", 2, 2, ask_ibpkey},
	{"ibendport", "the form is: label ibendport DEVICE PORT", 2, 2, ask_ibendport},
	{"pirq", "the form is: label pirq NUMBER", 1, 1, ask_pirq},
	{"ioport", "the form is: label ioport NUMBER", 1, 1, ask_ioport},
	{"iomem", "the form is: label iomem FRAME", 1, 1, ask_iomem},
	{"pcidevice", "the form is: label pcidevice NUMBER", 1, 1, ask_pcidevice},
	{"devicetree", "the form is: label devicetree PATH", 1, 1, ask_devicetree},
};

/* ---- all ---- */

bool label_ask(struct label_query *q)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(q->word[0], kinds[i].name) != 0)
			continue;
		if (q->n - 1 < kinds[i].least || q->n - 1 > kinds[i].most)
			return wrong(q, LABEL_ALL, kinds[i].form);
		return kinds[i].ask(q);
	}
	return wrong(q, 0, "there is no such kind of label");
}

void label_put(struct buffer *b, const struct label_query *q)
{
	const struct policy *policy = q->session->policy;

	text_context(b, policy, q->label.context);
	if (q->behaviour)
		text_printf(b, " %s", q->behaviour);
	if (q->packet.context) {
		text_put(b, " ");
		text_context(b, policy, q->packet.context);
	}
}
