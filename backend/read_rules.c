/* The access vector table and the conditionals (policydb-format.md 6, 7). */
#include "backend/read.h"

enum { RULE_SIZE = 12, XPERMS_SIZE = 34, OLD_RULE_SIZE = 24, CONDITIONAL_SIZE = 16, EXPRESSION_SIZE = 8 };
enum { ENABLED = 0x8000, ALL_KINDS = AV_AV | AV_TE | AV_X };
#define ENABLED_OLD UINT32_C(0x80000000)

/* ---- entries of one rule each ---- */

static bool check_kind(struct reader *r, uint32_t kind)
{
	if (!kind || kind & (kind - 1) || kind & ~(uint32_t)ALL_KINDS)
		refuse(r, "a rule of the kind 0x%04x", (unsigned)kind);
	else if (kind & AV_X && !can(r, FEATURE_XPERMS))
		refuse(r, "a rule of extended permissions, which version %u has not", (unsigned)r->features->version);
	return !r->failed;
}

/* Returns its index. */
static uint32_t read_xperms(struct reader *r)
{
	const unsigned char *p = get_bytes(r, XPERMS_SIZE);
	struct policy_xperms *xperms;

	if (!p)
		return 0;
	xperms = vec_push(&r->xperms);
	xperms->specified = p[0];
	xperms->driver = p[1];
	for (int i = 0; i < 8; i++)
		xperms->perms[i] = load_u32(p + 2 + 4 * i);
	return r->xperms.n - 1;
}

static void read_rule(struct reader *r, struct policy_rule *rule)
{
	const unsigned char *p = get_bytes(r, RULE_SIZE - 4);
	uint32_t kind;

	if (!p)
		return;
	kind = load_u16(p + 6) & ~(uint32_t)ENABLED;
	if (!check_kind(r, kind))
		return;
	*rule = (struct policy_rule){
		.source = (uint16_t)load_u16(p),
		.target = (uint16_t)load_u16(p + 2),
		.class = (uint16_t)load_u16(p + 4),
		.kind = (uint16_t)kind,
		.data = kind & AV_X ? read_xperms(r) : get_u32(r),
	};
}

static void read_compact(struct reader *r, policy_rules *rules)
{
	uint32_t n = get_count(r, RULE_SIZE);

	rules->at = arena_alloc(&r->policy->arena, (size_t)n * sizeof *rules->at);
	while (rules->n < n && !r->failed)
		read_rule(r, &rules->at[rules->n++]);
}

/* ---- entries before version 20: several rules of one key ---- */

typedef VEC(struct policy_rule) rule_vec;

/* In the order of their data. */
static const uint16_t old_kinds[] = {
	AV_ALLOWED, AV_AUDITDENY, AV_AUDITALLOW, AV_TRANSITION, AV_CHANGE, AV_MEMBER,
};

enum { OLD_KINDS = sizeof old_kinds / sizeof old_kinds[0] };

static bool check_old_entry(struct reader *r, uint32_t count, uint32_t kinds, const struct policy_rule *key,
			    const unsigned char *p)
{
	if (!kinds || kinds & ~(uint32_t)(AV_AV | AV_TE) || (kinds & AV_AV && kinds & AV_TE))
		refuse(r, "a rule of the kinds 0x%08x", (unsigned)kinds);
	else if (count != 4 + (uint32_t)__builtin_popcount(kinds))
		refuse(r, "a rule of %u words for the kinds 0x%08x", (unsigned)count, (unsigned)kinds);
	else if (key->source != load_u32(p) || key->target != load_u32(p + 4) || key->class != load_u32(p + 8))
		refuse(r, "a rule with a value above %u", (unsigned)UINT16_MAX);
	return !r->failed;
}

static void read_old_entry(struct reader *r, rule_vec *rules)
{
	uint32_t count = get_u32(r), kinds;
	const unsigned char *p = get_bytes(r, 16);
	struct policy_rule rule;

	if (!p)
		return;
	rule = (struct policy_rule){(uint16_t)load_u32(p), (uint16_t)load_u32(p + 4), (uint16_t)load_u32(p + 8), 0, 0};
	kinds = load_u32(p + 12) & ~ENABLED_OLD;
	if (!check_old_entry(r, count, kinds, &rule, p))
		return;
	for (uint32_t i = 0; i < OLD_KINDS; i++) {
		if (!(kinds & old_kinds[i]))
			continue;
		rule.kind = old_kinds[i];
		rule.data = get_u32(r);
		*vec_push(rules) = rule;
	}
}

static void read_old(struct reader *r, policy_rules *rules)
{
	uint32_t n = get_count(r, OLD_RULE_SIZE);
	rule_vec all = {0};

	for (uint32_t i = 0; i < n && !r->failed; i++)
		read_old_entry(r, &all);
	rules->n = all.n;
	rules->at = arena_copy(&r->policy->arena, all.at, all.n * sizeof *all.at);
	vec_free(&all);
}

/* ---- the table ---- */

static void read_rules(struct reader *r, policy_rules *rules)
{
	if (can(r, FEATURE_AVTAB_COMPACT))
		read_compact(r, rules);
	else
		read_old(r, rules);
}

void read_avtab(struct reader *r)
{
	read_rules(r, &r->policy->rules);
	if (!r->failed && !r->policy->rules.n)
		refuse(r, "no rules");
	sort_rules(r, &r->policy->rules, false);
}

/* ---- conditionals ---- */

/* Of one condition several entries may have a key: all of them hold. */
static void read_branch(struct reader *r, policy_rules *rules)
{
	read_rules(r, rules);
	sort_rules(r, rules, true);
}

static void read_conditional(struct reader *r, struct policy_cond *cond)
{
	uint32_t state = get_u32(r);

	if (state > 1)
		refuse(r, "a conditional with the state %u", (unsigned)state);
	cond->nexpr = get_count(r, EXPRESSION_SIZE);
	cond->expr = arena_zalloc(&r->policy->arena, cond->nexpr, sizeof *cond->expr);
	for (uint32_t i = 0; i < cond->nexpr; i++) {
		cond->expr[i].kind = get_u32(r);
		cond->expr[i].boolean = get_u32(r);
	}
	read_branch(r, &cond->yes);
	read_branch(r, &cond->no);
}

void read_conditionals(struct reader *r)
{
	get_list(r, &r->policy->conds, CONDITIONAL_SIZE);
	for (uint32_t i = 0; i < r->policy->conds.n && !r->failed; i++)
		read_conditional(r, &r->policy->conds.at[i]);
}
