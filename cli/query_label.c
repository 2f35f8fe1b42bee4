/* label: the contexts of ports, nodes, interfaces, file systems, devices. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/number.h"
#include "cli/query_session.h"
#include "ir/names.h"
#include "ir/text.h"

/* One question: the words behind its kind, and the labels found. */
struct label_query {
	struct session *session;
	char **word;
	int n;
	struct label label, packet;
	const char *behaviour; /* of a file system */
};

/* ---- words ---- */

static bool wrong(const char *what, const char *value)
{
	query_complain(what, value);
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
	return wrong("the protocols are tcp, udp, dccp and sctp", text);
}

/* ---- kinds ---- */

static bool ask_port(struct label_query *q)
{
	uint64_t port;
	uint8_t protocol;

	if (!parse_protocol(q->word[0], &protocol))
		return false;
	if (!parse_c_number(q->word[1], UINT16_MAX, &port))
		return wrong("a port is a number up to 65535", q->word[1]);
	q->label = label_port(q->session->server.labels, protocol, (uint16_t)port);
	return true;
}

static bool ask_node(struct label_query *q)
{
	unsigned char address[16];

	if (inet_pton(AF_INET, q->word[0], address) == 1)
		q->label = label_node(q->session->server.labels, address);
	else if (inet_pton(AF_INET6, q->word[0], address) == 1)
		q->label = label_node6(q->session->server.labels, address);
	else
		return wrong("a node is an IPv4 or IPv6 address", q->word[0]);
	return true;
}

static bool ask_netif(struct label_query *q)
{
	q->label = label_netif(q->session->server.labels, q->word[0], &q->packet);
	return true;
}

static bool ask_genfs(struct label_query *q)
{
	uint32_t class = 0;

	if (q->word[1][0] != '/')
		return wrong("a path begins with a slash", q->word[1]);
	if (q->n > 2) {
		class = session_class(q->session, q->word[2]);
		if (!class)
			return false;
	}
	q->label = label_genfs(q->session->server.labels, q->word[0], q->word[1], class);
	return true;
}

static bool ask_fs(struct label_query *q)
{
	static const char *const names[] = {
		[LABEL_XATTR] = "xattr", [LABEL_TRANS] = "trans", [LABEL_TASK] = "task", [LABEL_GENFS] = "genfs",
		[LABEL_NONE] = "none",
	};
	enum label_behaviour behaviour;

	q->label = label_fs(q->session->server.labels, q->word[0], &behaviour);
	q->behaviour = behaviour >= LABEL_XATTR && behaviour <= LABEL_NONE ? names[behaviour] : "unknown";
	return true;
}

static bool ask_sid(struct label_query *q)
{
	enum policy_target target = q->session->policy->target;
	uint64_t sid;

	if (!parse_c_number(q->word[0], UINT32_MAX, &sid)) {
		for (sid = initial_sid_count(target); sid; sid--)
			if (!strcmp(initial_sid_name(target, (uint32_t)sid), q->word[0]))
				break;
		if (!sid)
			return wrong("there is no such initial SID", q->word[0]);
	}
	q->label = label_sid(q->session->server.labels, (uint32_t)sid);
	return true;
}

/* The subnet prefix is the first half of an IPv6 address. */
static bool ask_ibpkey(struct label_query *q)
{
	unsigned char address[16];
	uint64_t key;

	if (inet_pton(AF_INET6, q->word[0], address) != 1)
		return wrong("a subnet prefix is written as fe80::", q->word[0]);
	if (!parse_c_number(q->word[1], UINT16_MAX, &key))
		return wrong("a partition key is a number up to 0xffff", q->word[1]);
	q->label = label_ibpkey(q->session->server.labels, address, (uint16_t)key);
	return true;
}

static bool ask_ibendport(struct label_query *q)
{
	uint64_t port;

	if (!parse_c_number(q->word[1], UINT8_MAX, &port))
		return wrong("an end port is a number up to 255", q->word[1]);
	q->label = label_ibendport(q->session->server.labels, q->word[0], (uint8_t)port);
	return true;
}

static bool ask_span(struct label_query *q, struct label (*find)(const struct labels *labels, uint64_t value))
{
	uint64_t value;

	if (!parse_c_number(q->word[0], UINT64_MAX, &value))
		return wrong("this is a number", q->word[0]);
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
	q->label = label_devicetree(q->session->server.labels, q->word[0]);
	return true;
}

static const struct {
	const char *name, *usage;
	int least, most; /* words behind the name */
	bool (*ask)(struct label_query *q);
} kinds[] = {
	{"port", "port tcp|udp|dccp|sctp NUMBER", 2, 2, ask_port},
	{"node", "node ADDRESS", 1, 1, ask_node},
	{"netif", "netif NAME", 1, 1, ask_netif},
	{"genfs", "genfs FS PATH [CLASS]", 2, 3, ask_genfs},
	{"fs", "fs FS", 1, 1, ask_fs},
	{"sid", "sid NAME|NUMBER", 1, 1, ask_sid},
	{"ibpkey", "ibpkey PREFIX KEY", 2, 2, ask_ibpkey},
	{"ibendport", "ibendport DEVICE PORT", 2, 2, ask_ibendport},
	{"pirq", "pirq NUMBER", 1, 1, ask_pirq},
	{"ioport", "ioport NUMBER", 1, 1, ask_ioport},
	{"iomem", "iomem FRAME", 1, 1, ask_iomem},
	{"pcidevice", "pcidevice NUMBER", 1, 1, ask_pcidevice},
	{"devicetree", "devicetree PATH", 1, 1, ask_devicetree},
};

/* ---- printing ---- */

static void put_label(struct buffer *b, const struct session *s, const struct label *label)
{
	b->n = 0;
	text_context(b, s->policy, label->context);
}

static void print_text(const struct label_query *q)
{
	struct buffer b = {0};

	put_label(&b, q->session, &q->label);
	printf("%s", text_of(&b));
	if (q->behaviour)
		printf(" %s", q->behaviour);
	if (q->packet.context) {
		put_label(&b, q->session, &q->packet);
		printf(" %s", text_of(&b));
	}
	/* What no record labels. */
	if (q->label.sid)
		printf(" [sid %s]", q->label.sid);
	putchar('\n');
	buffer_free(&b);
}

static void print_json(const struct label_query *q)
{
	json_t *object = json_new_object();
	struct buffer b = {0};

	put_label(&b, q->session, &q->label);
	json_put(object, "context", json_new_text(text_of(&b), b.n));
	if (q->label.sid)
		json_put_string(object, "sid", q->label.sid);
	if (q->behaviour)
		json_put_string(object, "behaviour", q->behaviour);
	if (q->packet.context) {
		put_label(&b, q->session, &q->packet);
		json_put(object, "packet", json_new_text(text_of(&b), b.n));
	}
	json_print(object, stdout);
	buffer_free(&b);
}

static enum query_status print_label(struct label_query *q)
{
	if (!q->label.context) {
		diag_error(&q->session->diags, "no-label", LOC_NONE, "nothing in the policy labels it");
		return QUERY_EMPTY;
	}
	if (q->session->common.json)
		print_json(q);
	else
		print_text(q);
	return query_finish(QUERY_DONE);
}

static enum query_status ask(struct session *s, char **word, int n)
{
	struct label_query q = {.session = s, .word = word + 1, .n = n - 1};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(word[0], kinds[i].name) != 0)
			continue;
		if (q.n < kinds[i].least || q.n > kinds[i].most)
			return query_complain("the form is label POLICY", kinds[i].usage);
		return kinds[i].ask(&q) ? print_label(&q) : QUERY_FAILED;
	}
	return query_complain("there is no kind of label", word[0]);
}

enum query_status query_label_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "label takes a policy, a kind, and what is labelled", .least = 1, .run = ask,
	};

	return session_main(&command, argc, argv);
}
