/* The rules of a module, as they were written (policydb-format.md 15.3). */
#include "backend/read.h"

enum { PERMS_SIZE = 8, XPERMS_SIZE = 34, RULE_SIZE = 12 + 2 * TYPE_SET_SIZE };

static struct policy_xperms *read_xperms(struct reader *r)
{
	const unsigned char *p = get_bytes(r, XPERMS_SIZE);
	struct policy_xperms *xperms;

	if (!p)
		return NULL;
	xperms = arena_alloc(&r->module->arena, sizeof *xperms);
	xperms->specified = p[0];
	xperms->driver = p[1];
	for (uint32_t i = 0; i < 8; i++)
		xperms->perms[i] = load_u32(p + 2 + (size_t)i * 4);
	return xperms;
}

static void read_rule(struct reader *r, struct module_rule *rule)
{
	rule->loc = LOC_NONE;
	rule->kind = get_u32(r);
	rule->flags = get_u32(r);
	get_type_set(r, &rule->sources);
	get_type_set(r, &rule->targets);
	get_module_list(r, &rule->perms, PERMS_SIZE);
	for (uint32_t i = 0; i < rule->perms.n; i++) {
		rule->perms.at[i].class = get_u32(r);
		rule->perms.at[i].data = get_u32(r);
	}
	if (!(rule->kind & MODULE_X))
		return;
	if (!can(r, FEATURE_XPERMS))
		refuse(r, "extended permissions, which version %u has not", (unsigned)r->features->version);
	rule->xperms = read_xperms(r);
}

void read_written_rules(struct reader *r, module_rules *ret_rules)
{
	get_module_list(r, ret_rules, RULE_SIZE);
	for (uint32_t i = 0; i < ret_rules->n && !r->failed; i++)
		read_rule(r, &ret_rules->at[i]);
}
