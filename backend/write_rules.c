/* The access vector table and the conditional list (policydb-format.md 6, 7). */
#include "backend/write.h"

enum { RULE_SIZE = 12, XPERM_RULE_SIZE = 42 };
enum { ENABLED = 0x8000 };

static unsigned char *store_xperms(unsigned char *p, const struct policy_xperms *xperms)
{
	*p++ = xperms->specified;
	*p++ = xperms->driver;
	for (int i = 0; i < 8; i++)
		p = store_u32(p, xperms->perms[i]);
	return p;
}

static size_t rules_size(const policy_rules *rules)
{
	size_t size = 0;

	for (uint32_t i = 0; i < rules->n; i++)
		size += rules->at[i].kind & AV_X ? XPERM_RULE_SIZE : RULE_SIZE;
	return size;
}

static void write_compact(struct writer *w, const policy_rules *rules, bool enabled)
{
	const struct policy_xperms *xperms = w->policy->xperms.at;
	uint32_t flags = enabled ? ENABLED : 0;
	unsigned char *p = store_begin(w->image, 4 + rules_size(rules));

	p = store_u32(p, rules->n);
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *rule = &rules->at[i];

		p = store_u16(p, rule->source);
		p = store_u16(p, rule->target);
		p = store_u16(p, rule->class);
		p = store_u16(p, rule->kind | flags);
		if (rule->kind & AV_X)
			p = store_xperms(p, &xperms[rule->data]);
		else
			p = store_u32(p, rule->data);
	}
	store_end(w->image, p);
}

/* No reader takes an empty table: better no image than one that does not load. */
static void refuse_empty(struct writer *w)
{
	if (w->failed)
		return;
	diag_error(w->diags, "no-rules", LOC_NONE, "no access vector rule is left to write at version %u",
		   (unsigned)w->features->version);
	w->failed = true;
}

void write_avtab(struct writer *w)
{
	size_t n = w->policy->rules.n;

	if (has(w, FEATURE_AVTAB_COMPACT))
		write_compact(w, &w->policy->rules, false);
	else
		n = write_expanded(w, &w->policy->rules, true, false);
	if (n == 0)
		refuse_empty(w);
}

static void write_branch(struct writer *w, const policy_rules *rules, bool enabled)
{
	if (has(w, FEATURE_AVTAB_COMPACT))
		write_compact(w, rules, enabled);
	else
		write_expanded(w, rules, false, enabled);
}

void write_conditionals(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->conds.n);
	for (uint32_t i = 0; i < policy->conds.n && !w->failed; i++) {
		const struct policy_cond *cond = &policy->conds.at[i];
		bool state = policy_cond_state(policy, cond);

		put_u32(w, state);
		put_u32(w, cond->nexpr);
		for (uint32_t e = 0; e < cond->nexpr; e++) {
			put_u32(w, cond->expr[e].kind);
			put_u32(w, cond->expr[e].kind == COND_BOOL ? cond->expr[e].boolean : 0);
		}
		write_branch(w, &cond->yes, state);
		write_branch(w, &cond->no, !state);
	}
}
