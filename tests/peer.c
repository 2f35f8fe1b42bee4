#include "tests/peer.h"

#include <string.h>

#include <sepol/debug.h>
#include <sepol/policydb/conditional.h>
#include <sepol/policydb/policydb.h>
#include <sepol/policydb/services.h>
#include <sepol/policydb/sidtab.h>

static policydb_t policydb;
static sidtab_t sidtab;

int peer_load(const void *image, size_t size)
{
	struct policy_file file;

	sepol_debug(0);
	policy_file_init(&file);
	file.type = PF_USE_MEMORY;
	file.data = (char *)(uintptr_t)image;
	file.len = size;
	return !policydb_init(&policydb) && !policydb_read(&policydb, &file, 0) && !evaluate_conds(&policydb) &&
	       !sepol_set_policydb(&policydb) && !sepol_sidtab_init(&sidtab) && !sepol_set_sidtab(&sidtab);
}

void peer_free(void)
{
	sepol_sidtab_destroy(&sidtab);
	policydb_destroy(&policydb);
}

uint32_t peer_sid(const char *context)
{
	sepol_security_id_t sid;

	return sepol_context_to_sid(context, strlen(context) + 1, &sid) ? 0 : sid;
}

int peer_forget(void)
{
	sepol_sidtab_destroy(&sidtab);
	return !sepol_sidtab_init(&sidtab);
}

int peer_access(uint32_t source, uint32_t target, uint32_t class, struct peer_decision *ret)
{
	struct sepol_av_decision decision;

	if (sepol_compute_av(source, target, (sepol_security_class_t)class, 0, &decision))
		return 0;
	*ret = (struct peer_decision){decision.allowed, decision.auditallow, decision.auditdeny};
	return 1;
}

int peer_set_bool(const char *name, int on)
{
	cond_bool_datum_t *datum = hashtab_search(policydb.p_bools.table, (hashtab_key_t)(uintptr_t)name);

	if (!datum)
		return 0;
	datum->state = on;
	return !evaluate_conds(&policydb);
}

uint32_t peer_port_record(uint8_t protocol, uint16_t port)
{
	uint32_t n = 1;

	for (const ocontext_t *c = policydb.ocontexts[OCON_PORT]; c; c = c->next, n++)
		if (c->u.port.protocol == protocol && c->u.port.low_port <= port && port <= c->u.port.high_port)
			return n;
	return 0;
}

uint32_t peer_node_record(const unsigned char *address, uint32_t width)
{
	uint32_t words[4], n = 1;

	memcpy(words, address, width);
	for (const ocontext_t *c = policydb.ocontexts[width == 4 ? OCON_NODE : OCON_NODE6]; c; c = c->next, n++) {
		const uint32_t *want = width == 4 ? &c->u.node.addr : c->u.node6.addr;
		const uint32_t *mask = width == 4 ? &c->u.node.mask : c->u.node6.mask;
		uint32_t i = 0;

		while (i < width / 4 && want[i] == (words[i] & mask[i]))
			i++;
		if (i == width / 4)
			return n;
	}
	return 0;
}
