/* Labels as text, so that compiling the text gives the order that the image has:
 * of the records that match, the first gives the label.  An image has file
 * systems and interfaces last declared first; SIDs go by their numbers.  (secilc
 * puts most kinds into an order of its own.) */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>

#include "backend/text_out.h"
#include "base/memory.h"
#include "ir/names.h"
#include "ir/span.h"

enum { GENFS_WILDCARD = 11 }; /* capability (language.md 9.8) */

static void put_word(struct text_out *t, const char *word)
{
	say(t, " ");
	say(t, word);
}

/* The keyword; CIL's where it differs. */
static void begin(struct text_out *t, const char *conf, const char *cil)
{
	say(t, t->cil ? "(" : "");
	say(t, t->cil && cil ? cil : conf);
}

static void end(struct text_out *t)
{
	say(t, t->cil ? ")\n" : "\n");
}

static void put_number(struct text_out *t, uint64_t n, bool hex)
{
	if (hex)
		text_printf(t->out, "0x%" PRIx64, n);
	else
		text_printf(t->out, "%" PRIu64, n);
}

/* ` 1`, ` 1-2`, ` (1 2)`. */
static void put_span(struct text_out *t, uint64_t low, uint64_t high, bool hex)
{
	bool many = low != high;

	say(t, many && t->cil ? " (" : " ");
	put_number(t, low, hex);
	if (!many)
		return;
	say(t, t->cil ? " " : "-");
	put_number(t, high, hex);
	say(t, t->cil ? ")" : "");
}

static int compare_sids(const void *a, const void *b)
{
	const struct policy_sid *x = *(const struct policy_sid *const *)a, *y = *(const struct policy_sid *const *)b;

	return (x->sid > y->sid) - (x->sid < y->sid);
}

static void put_sids(struct text_out *t)
{
	const struct policy *p = t->policy;
	const struct policy_sid **sorted = mem_alloc(((size_t)p->sids.n + 1) * sizeof *sorted);

	for (uint32_t i = 0; i < p->sids.n; i++)
		sorted[i] = &p->sids.at[i];
	qsort(sorted, p->sids.n, sizeof *sorted, compare_sids);
	for (uint32_t i = 0; i < p->sids.n; i++) {
		begin(t, "sid", "sidcontext");
		put_word(t, sid_name(p, sorted[i]->sid).at);
		say_context(t, &sorted[i]->context);
		end(t);
	}
	free(sorted);
}

static void put_fs_uses(struct text_out *t)
{
	static const char *const behaviours[] = {NULL, "xattr", "trans", "task"};
	const struct policy *p = t->policy;

	for (uint32_t i = p->fs_uses.n; i-- > 0;) {
		const struct policy_fs_use *u = &p->fs_uses.at[i];

		if (!u->behaviour || u->behaviour > 3 || (!t->cil && !conf_is_fs_name(u->name, u->behaviour == 1))) {
			text_fail(t, "fs_use behaviour %u of file system `%s`", u->behaviour, u->name);
			continue;
		}
		begin(t, "fs_use_", "fsuse ");
		say(t, behaviours[u->behaviour]);
		put_word(t, u->name);
		say_context(t, &u->context);
		say(t, t->cil ? "" : ";");
		end(t);
	}
}

/* ---- genfscon ---- */

static const struct { const char *class, *conf, *cil; } file_kinds[] = {
	{"file", "--", "file"},      {"dir", "-d", "dir"},         {"chr_file", "-c", "char"},
	{"blk_file", "-b", "block"}, {"fifo_file", "-p", "pipe"},  {"lnk_file", "-l", "symlink"},
	{"sock_file", "-s", "socket"},
};

const char *cil_file_kind(const char *conf, size_t len)
{
	for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
		if (len == strlen(file_kinds[i].conf) && !memcmp(file_kinds[i].conf, conf, len))
			return file_kinds[i].cil;
	return NULL;
}

/* NULL: not one of them. */
static const char *file_kind(struct text_out *t, uint32_t class)
{
	const char *name = name_of(t, &t->classes, class);

	for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
		if (!strcmp(file_kinds[i].class, name))
			return t->cil ? file_kinds[i].cil : file_kinds[i].conf;
	return NULL;
}

/* With the capability a compiler puts `*` behind each path: it is taken off. */
static size_t path_length(const struct text_out *t, const char *path)
{
	size_t len = strlen(path);

	if (!ebitmap_test(&t->policy->capabilities, GENFS_WILDCARD))
		return len;
	return len && path[len - 1] == '*' ? len - 1 : 0;
}

/* In quotes, unless it has one itself. */
static bool put_path(struct text_out *t, const char *path, size_t len)
{
	bool quoted = !memchr(path, '"', len);

	if (!len || memchr(path, '\n', len) || (!t->cil && *path != '/'))
		return false;
	if (!quoted && (t->cil || strcspn(path, " \t\r\f") < len))
		return false;
	say(t, quoted ? " \"" : " ");
	buffer_put(t->out, path, len);
	say(t, quoted ? "\"" : "");
	return true;
}

static void put_genfs_entry(struct text_out *t, const struct policy_genfs *g)
{
	const char *kind = g->class ? file_kind(t, g->class) : "";

	if (!kind || (!t->cil && !conf_is_fs_name(g->fs, true))) {
		text_fail(t, "genfscon of file system `%s` for class `%s`", g->fs,
			  g->class ? name_of(t, &t->classes, g->class) : "all");
		return;
	}
	begin(t, "genfscon", NULL);
	put_word(t, g->fs);
	if (!put_path(t, g->path, path_length(t, g->path)))
		text_fail(t, "genfscon of file system `%s` for path `%s`", g->fs, g->path);
	if (*kind)
		put_word(t, kind);
	say_context(t, &g->context);
	end(t);
}

static void put_genfs(struct text_out *t)
{
	for (uint32_t i = 0; i < t->policy->genfs.n; i++)
		put_genfs_entry(t, &t->policy->genfs.at[i]);
}

/* ---- network ---- */

static const char *protocol_name(uint32_t protocol)
{
	switch (protocol) {
	case 6: return "tcp";
	case 17: return "udp";
	case 33: return "dccp";
	case 132: return "sctp";
	default: return NULL;
	}
}

/* Which ports lie in a range before them, and so never match: source may not
 * have them.  free() it. */
static struct span_verdict *judge_ports(const struct policy *p)
{
	struct span *spans = mem_alloc(((size_t)p->ports.n + 1) * sizeof *spans);
	struct span_verdict *verdicts = mem_zalloc((size_t)p->ports.n + 1, sizeof *verdicts);

	for (uint32_t i = 0; i < p->ports.n; i++)
		spans[i] = (struct span){p->ports.at[i].protocol, p->ports.at[i].low, p->ports.at[i].high};
	spans_judge(spans, p->ports.n, verdicts);
	free(spans);
	return verdicts;
}

static void put_ports(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct span_verdict *verdicts = judge_ports(p);

	for (uint32_t i = 0; i < p->ports.n; i++) {
		const struct policy_port *port = &p->ports.at[i];
		const char *protocol = protocol_name(port->protocol);

		if (!protocol || port->low > port->high) {
			text_fail(t, "ports %u-%u of protocol %u", port->low, port->high, port->protocol);
			continue;
		}
		if (verdicts[i].around != SPAN_NONE) {
			text_lose(t, "%s ports %u-%u, which lie in a range before them and so never match", protocol,
				  port->low, port->high);
			continue;
		}
		begin(t, "portcon", NULL);
		put_word(t, protocol);
		put_span(t, port->low, port->high, false);
		say_context(t, &port->context);
		end(t);
	}
	free(verdicts);
}

static void put_netifs(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = p->netifs.n; i-- > 0;) {
		if (!t->cil && !conf_is_interface_name(p->netifs.at[i].name))
			text_fail(t, "a network interface named `%s`", p->netifs.at[i].name);
		begin(t, "netifcon", NULL);
		put_word(t, p->netifs.at[i].name);
		say_context(t, &p->netifs.at[i].interface);
		say_context(t, &p->netifs.at[i].packet);
		end(t);
	}
}

static void put_address(struct text_out *t, const unsigned char *bytes, int family)
{
	char text[INET6_ADDRSTRLEN] = "?";

	inet_ntop(family, bytes, text, sizeof text);
	say(t, t->cil ? " (" : " ");
	say(t, text);
	say(t, t->cil ? ")" : "");
}

static void put_nodes(struct text_out *t, const struct policy_node *nodes, uint32_t n, int family)
{
	for (uint32_t i = 0; i < n; i++) {
		begin(t, "nodecon", NULL);
		put_address(t, nodes[i].address, family);
		put_address(t, nodes[i].mask, family);
		say_context(t, &nodes[i].context);
		end(t);
	}
}

static void put_infiniband(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < p->ibpkeys.n; i++) {
		const struct policy_ibpkey *key = &p->ibpkeys.at[i];
		unsigned char address[16] = {0};
		char text[INET6_ADDRSTRLEN] = "?";

		memcpy(address, key->prefix, sizeof key->prefix);
		inet_ntop(AF_INET6, address, text, sizeof text);
		begin(t, "ibpkeycon", NULL);
		put_word(t, text);
		put_span(t, key->low, key->high, false);
		say_context(t, &key->context);
		end(t);
	}
	for (uint32_t i = 0; i < p->ibendports.n; i++) {
		begin(t, "ibendportcon", NULL);
		put_word(t, p->ibendports.at[i].device);
		put_span(t, p->ibendports.at[i].port, p->ibendports.at[i].port, false);
		say_context(t, &p->ibendports.at[i].context);
		end(t);
	}
}

/* ---- Xen ---- */

static void put_xen_spans(struct text_out *t, const char *statement, const struct policy_xen_span *spans, uint32_t n,
			  bool hex)
{
	for (uint32_t i = 0; i < n; i++) {
		begin(t, statement, NULL);
		put_span(t, spans[i].low, spans[i].high, hex);
		say_context(t, &spans[i].context);
		end(t);
	}
}

static void put_xen(struct text_out *t)
{
	const struct policy *p = t->policy;

	put_xen_spans(t, "pirqcon", p->pirqs.at, p->pirqs.n, false);
	put_xen_spans(t, "ioportcon", p->ioports.at, p->ioports.n, true);
	put_xen_spans(t, "iomemcon", p->iomems.at, p->iomems.n, true);
	put_xen_spans(t, "pcidevicecon", p->pcidevices.at, p->pcidevices.n, true);
	for (uint32_t i = 0; i < p->devicetrees.n; i++) {
		const char *path = p->devicetrees.at[i].path;

		begin(t, "devicetreecon", NULL);
		if (!put_path(t, path, strlen(path)))
			text_fail(t, "a device tree path `%s`", path);
		say_context(t, &p->devicetrees.at[i].context);
		end(t);
	}
}

void say_labels(struct text_out *t)
{
	const struct policy *p = t->policy;

	put_sids(t);
	put_fs_uses(t);
	put_genfs(t);
	put_ports(t);
	put_netifs(t);
	put_nodes(t, p->nodes.at, p->nodes.n, AF_INET);
	put_nodes(t, p->nodes6.at, p->nodes6.n, AF_INET6);
	put_xen(t);
	put_infiniband(t);
}
