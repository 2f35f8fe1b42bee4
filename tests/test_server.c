/* Labels against a walk along the lists, as the kernel does it; lines of audit
 * logs.  The TEST_SEED of a failure repeats it. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "ir/text.h"
#include "query/audit.h"
#include "security/labels.h"
#include "tests/ask.h"

void suite_server(void);

static uint64_t first_seed(void)
{
	const char *given = getenv("TEST_SEED");

	return given ? strtoull(given, NULL, 10) : 1;
}

/* ---- labels ---- */

enum { ROUNDS = 60, PORTS = 40, NODES = 40, QUESTIONS = 300, CROWD = 300 };

static const uint8_t protocols[] = {6, 17, 33, 132};

/* Many in a small space, so that they overlap. */
static void add_ports(struct ask *ask, struct policy *p)
{
	p->ports.n = ask_below(ask, PORTS);
	p->ports.at = arena_zalloc(&p->arena, p->ports.n, sizeof *p->ports.at);
	for (uint32_t i = 0; i < p->ports.n; i++) {
		struct policy_port *port = &p->ports.at[i];

		port->protocol = protocols[ask_below(ask, 4)];
		port->low = ask_below(ask, 4) ? ask_below(ask, CROWD) : 65536 - 1 - ask_below(ask, CROWD);
		port->high = port->low + ask_below(ask, 60);
		if (port->high > 65535)
			port->high = 65535;
	}
}

static void random_bytes(struct ask *ask, unsigned char *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		at[i] = (unsigned char)(ask_below(ask, 3) ? 0 : 1 + ask_below(ask, 2));
}

/* Masks of any form; an address with bits outside of its mask matches nothing. */
static void add_nodes(struct ask *ask, struct policy_node *nodes, uint32_t n, uint32_t width)
{
	for (uint32_t i = 0; i < n; i++) {
		random_bytes(ask, nodes[i].address, width);
		for (uint32_t k = 0; k < width; k++)
			nodes[i].mask[k] = ask_below(ask, 3) ? 0xff : 0;
		for (uint32_t k = 0; k < width && ask_below(ask, 4); k++)
			nodes[i].address[k] &= nodes[i].mask[k];
	}
}

static struct policy *random_policy(struct ask *ask)
{
	struct policy *p = policy_new();

	add_ports(ask, p);
	p->nodes.n = ask_below(ask, NODES);
	p->nodes.at = arena_zalloc(&p->arena, p->nodes.n, sizeof *p->nodes.at);
	add_nodes(ask, p->nodes.at, p->nodes.n, 4);
	p->nodes6.n = ask_below(ask, NODES);
	p->nodes6.at = arena_zalloc(&p->arena, p->nodes6.n, sizeof *p->nodes6.at);
	add_nodes(ask, p->nodes6.at, p->nodes6.n, 16);
	return p;
}

static const struct policy_context *walk_ports(const struct policy *p, uint8_t protocol, uint16_t port)
{
	for (uint32_t i = 0; i < p->ports.n; i++) {
		const struct policy_port *r = &p->ports.at[i];

		if (r->protocol == protocol && r->low <= port && port <= r->high)
			return &r->context;
	}
	return NULL;
}

static const struct policy_context *walk_nodes(const struct policy_node *nodes, uint32_t n, const unsigned char *address,
					       uint32_t width)
{
	for (uint32_t i = 0; i < n; i++) {
		bool same = true;

		for (uint32_t k = 0; k < width; k++)
			same &= (address[k] & nodes[i].mask[k]) == nodes[i].address[k];
		if (same)
			return &nodes[i].context;
	}
	return NULL;
}

static bool check_labels(struct ask *ask, const struct policy *p, const struct labels *labels)
{
	unsigned char address[16];
	uint8_t protocol = protocols[ask_below(ask, 4)];
	uint16_t port = (uint16_t)(ask_below(ask, 2) ? ask_below(ask, CROWD) : 65535 - ask_below(ask, CROWD));

	random_bytes(ask, address, sizeof address);
	return label_port(labels, protocol, port).context == walk_ports(p, protocol, port) &&
	       label_node(labels, address).context == walk_nodes(p->nodes.at, p->nodes.n, address, 4) &&
	       label_node6(labels, address).context == walk_nodes(p->nodes6.at, p->nodes6.n, address, 16);
}

static void test_labels(void)
{
	struct ask ask = {.state = first_seed()};
	uint32_t wrong = 0;

	for (int round = 0; round < ROUNDS && !wrong; round++) {
		uint64_t seed = ask.state;
		struct policy *policy = random_policy(&ask);
		struct security *security = security_new(policy);
		struct labels *labels = labels_new(security);

		for (int i = 0; i < QUESTIONS; i++)
			wrong += !check_labels(&ask, policy, labels);
		if (wrong)
			fprintf(stderr, "test_server: TEST_SEED=%llu\n", (unsigned long long)seed);
		labels_free(labels);
		security_free(security);
		policy_free(policy);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- audit lines ---- */

/* What is read of a line, as one text; empty when it is no denial. */
static void expect_line(const char *line, const char *want)
{
	struct audit_denial d;
	struct audit_span perm;
	struct buffer b = {0};

	if (audit_parse(line, strlen(line), &d)) {
		text_printf(&b, "%.*s %.*s %.*s", (int)d.source.n, d.source.at, (int)d.target.n, d.target.at, (int)d.class.n,
			    d.class.at);
		while (audit_next_perm(&d.perms, &perm))
			text_printf(&b, " %.*s", (int)perm.n, perm.at);
		if (d.has_ioctl)
			text_printf(&b, " 0x%x", d.ioctl);
		text_put(&b, d.permissive ? " permissive " : " ");
		audit_put_value(&b, d.comm);
	}
	if (strcmp(text_of(&b), want) != 0)
		printf("\n`%s`: `%s`, expected `%s`\n", line, text_of(&b), want);
	CU_ASSERT_STRING_EQUAL(text_of(&b), want);
	buffer_free(&b);
}

static void test_audit(void)
{
	expect_line("type=AVC msg=audit(1.2:3): avc:  denied  { read open } for  pid=1 comm=\"my app\" name=\"x y\" "
		    "scontext=u:r:a:s0 tcontext=u:r:b:s0-s1:c0 tclass=file permissive=0",
		    "u:r:a:s0 u:r:b:s0-s1:c0 file read open my app");
	expect_line("[ 1.2] audit: type=1400 audit(1.2:3): avc:  denied  { ioctl } for comm=6D7920617070 ioctlcmd=0x5401 "
		    "scontext=a tcontext=b tclass=c permissive=1\r",
		    "a b c ioctl 0x5401 permissive my app");
	expect_line("avc: denied { ioctl } ioctlcmd=5401 scontext=a tcontext=b tclass=c", "a b c ioctl 0x5401 ");
	expect_line("type=USER_AVC msg=audit(1.2:3): pid=1 msg='avc:  denied  { stop } for uid=0 scontext=a tcontext=b tclass=c'",
		    "a b c stop ");
	expect_line("avc:  denied  { read } for comm=\"unclosed scontext=a tcontext=b tclass=c", "a b c read \"unclosed");
	/* Not upper case, an odd number of digits, no digits at all. */
	expect_line("avc: denied { x } comm=6d79 scontext=a tcontext=b tclass=c", "a b c x 6d79");
	expect_line("avc: denied { x } comm=6D7 scontext=a tcontext=b tclass=c", "a b c x 6D7");
	expect_line("avc: denied { x } comm=httpd scontext=a tcontext=b tclass=c", "a b c x httpd");
	expect_line("avc:  granted  { read } scontext=a tcontext=b tclass=c", "");
	expect_line("avc:  denied  { read scontext=a tcontext=b tclass=c", "");
	expect_line("avc:  denied  { } scontext=a tcontext=b tclass=c", "");
	expect_line("avc:  denied  { read } scontext=a tcontext= tclass=c", "");
	expect_line("avc:  denied  { read } scontext=a tclass=c", "");
	expect_line("avc:", "");
	expect_line("avc: denied", "");
	expect_line("", "");
}

/* Nothing outside of the line is read: sanitizers see to that. */
static void test_audit_random(void)
{
	static const char seed_line[] = "avc:  denied  { read ioctl } for comm=6D79 ioctlcmd=0x5401 scontext=a tcontext=b tclass='c'";
	static const char bytes[] = "avc:denied {}=\"'\\ \n\t0xFF";
	struct ask ask = {.state = first_seed()};
	uint32_t denials = 0;

	for (int i = 0; i < 20000; i++) {
		size_t n = ask_below(&ask, sizeof seed_line);
		char *line = malloc(n ? n : 1);
		struct audit_denial d;

		CU_ASSERT_PTR_NOT_NULL_FATAL(line);
		memcpy(line, seed_line, n);
		for (uint32_t k = ask_below(&ask, 4); n && k; k--)
			line[ask_below(&ask, (uint32_t)n)] = bytes[ask_below(&ask, sizeof bytes)];
		if (audit_parse(line, n, &d)) {
			struct audit_span perm;
			struct buffer b = {0};

			while (audit_next_perm(&d.perms, &perm))
				CU_ASSERT(perm.at >= line && perm.at + perm.n <= line + n);
			audit_put_value(&b, d.comm);
			buffer_free(&b);
			denials++;
		}
		free(line);
	}
	CU_ASSERT(denials > 0);
}

void suite_server(void)
{
	CU_pSuite suite = CU_add_suite("server", NULL, NULL);

	CU_add_test(suite, "labels", test_labels);
	CU_add_test(suite, "audit lines", test_audit);
	CU_add_test(suite, "audit lines, damaged", test_audit_random);
}
