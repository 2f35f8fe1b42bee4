/* optimise (-O): rules that others cover go, without a change of what is
 * allowed, audited or silenced.
 *
 * Needs the expanded rules; leaves fewer of them.  A rule is covered, bit by
 * bit, by the rules of its class and kind whose source and target stand for at
 * least its types: the type itself or an attribute of it, or an attribute that
 * has all types of the attribute.  A conditional rule is covered by
 * unconditional ones, those of its own key too, and by others of its branch.
 * Of rules that cover each other (attributes with the same types) the last
 * stays.  A conditional with nothing left goes.
 *
 * Rules are taken source by source in each class.  What the supersets of a
 * source have is first gathered by target, so that a rule asks only for the
 * supersets of its target.  Facts: language.md 15.1. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "ir/access.h"
#include "ir/internal.h"

/* What covers a target: permissions by kind, and whether there is any rule. */
enum { ALLOWED, AUDITALLOW, AUDITDENY, KINDS };

struct cover {
	uint32_t bits[KINDS];
	uint32_t seen; /* mask of kinds */
};

/* The rules of one class and source are a group; groups are found by key. */
struct group { uint32_t class, source, begin, end; };

struct groups {
	VEC(struct group) at;
	uint32_t *slots; /* open addressing: index into at, + 1 */
	uint32_t mask;
};

typedef VEC(struct policy_xperms) xperm_list;

struct optimiser {
	struct policy *policy;
	/* By value: the values that stand for at least its types, itself among
	 * them: supersets.at[start[v]] on. */
	VEC(uint16_t) supersets;
	uint32_t *start;
	/* Groups of the unconditional rules, and of the list at hand. */
	struct groups unconditional, local;
	/* By target: what other sources have, and what the source itself has. */
	struct cover *others, *own;
	VEC(uint16_t) touched;             /* targets with anything in others or own */
	VEC(struct policy_rule *) records; /* the extended permission rules of all supersets */
	xperm_list xperms;                 /* one for each AV_X rule, while they change */
	uint8_t *is_superset;              /* by value: of the target at hand */
};

/* ---- supersets ---- */

static void add_superset(struct optimiser *o, uint32_t value)
{
	*vec_push(&o->supersets) = (uint16_t)value;
}

static bool covers_attribute(const struct policy *p, uint32_t value, const struct policy_type *attribute)
{
	static const struct ebitmap none = {0};
	const struct policy_type *t = &p->types.at[value];

	return t->kind == POLICY_ATTRIBUTE && ebitmap_subset(attribute->expand ? &none : &attribute->types,
							     t->expand ? &none : &t->types);
}

/* Those of an attribute are among the attributes of its first type; an
 * attribute without types is in all. */
static void add_attribute_supersets(struct optimiser *o, const struct memberships *m, uint32_t value)
{
	const struct policy *p = o->policy;
	const struct policy_type *attribute = &p->types.at[value];
	uint32_t first = attribute->expand ? EBITMAP_NONE : ebitmap_first(&attribute->types);

	if (first == EBITMAP_NONE) {
		for (uint32_t v = 1; v <= p->types.n; v++) {
			if (covers_attribute(p, v, attribute))
				add_superset(o, v);
		}
		return;
	}
	for (uint32_t i = m->start[first + 1]; i < m->start[first + 2]; i++) {
		if (covers_attribute(p, m->at[i], attribute))
			add_superset(o, m->at[i]);
	}
}

/* Only for the values that rules name. */
static void mark_used(const policy_rules *rules, uint8_t *used)
{
	for (uint32_t i = 0; i < rules->n; i++)
		used[rules->at[i].source] = used[rules->at[i].target] = 1;
}

static uint8_t *used_values(const struct policy *p)
{
	uint8_t *used = mem_zalloc((size_t)p->types.n + 1, 1);

	mark_used(&p->rules, used);
	for (uint32_t i = 0; i < p->conds.n; i++) {
		mark_used(&p->conds.at[i].yes, used);
		mark_used(&p->conds.at[i].no, used);
	}
	return used;
}

static void find_supersets(struct optimiser *o)
{
	const struct policy *p = o->policy;
	uint8_t *used = used_values(p);
	struct memberships m;

	memberships_init(&m, p);
	o->start = mem_zalloc((size_t)p->types.n + 2, sizeof *o->start);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		o->start[v] = o->supersets.n;
		if (used[v] && p->types.at[v].kind == POLICY_ATTRIBUTE)
			add_attribute_supersets(o, &m, v);
		for (uint32_t i = m.start[v]; used[v] && i < m.start[v + 1]; i++)
			add_superset(o, m.at[i]);
	}
	o->start[p->types.n + 1] = o->supersets.n;
	memberships_free(&m);
	free(used);
}

/* ---- groups ---- */

static uint32_t slot_of(const struct groups *g, uint32_t class, uint32_t source)
{
	uint64_t h = ((uint64_t)class << 16 | source) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t i = (uint32_t)(h >> 32) & g->mask;

	while (g->slots[i]) {
		const struct group *at = &g->at.at[g->slots[i] - 1];

		if (at->class == class && at->source == source)
			break;
		i = (i + 1) & g->mask;
	}
	return i;
}

static const struct group *group_find(const struct groups *g, uint32_t class, uint32_t source)
{
	uint32_t slot = g->mask ? g->slots[slot_of(g, class, source)] : 0;

	return slot ? &g->at.at[slot - 1] : NULL;
}

static void groups_find(struct groups *g, const policy_rules *rules)
{
	uint32_t nslots = 16;

	g->at.n = 0;
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *r = &rules->at[i];
		struct group *last = g->at.n ? &g->at.at[g->at.n - 1] : NULL;

		if (!last || last->class != r->class || last->source != r->source)
			*vec_push(&g->at) = (struct group){r->class, r->source, i, i + 1};
		else
			last->end = i + 1;
	}
	while (nslots < g->at.n * 2)
		nslots *= 2;
	if (nslots > g->mask + 1) {
		free(g->slots);
		g->slots = mem_alloc(nslots * sizeof *g->slots);
		g->mask = nslots - 1;
	}
	memset(g->slots, 0, ((size_t)g->mask + 1) * sizeof *g->slots);
	for (uint32_t i = 0; i < g->at.n; i++)
		g->slots[slot_of(g, g->at.at[i].class, g->at.at[i].source)] = i + 1;
}

static void groups_free(struct groups *g)
{
	vec_free(&g->at);
	free(g->slots);
}

/* ---- one group of rules ---- */

static uint32_t kind_index(const struct policy_rule *r)
{
	return r->kind == AV_ALLOWED ? ALLOWED : r->kind == AV_AUDITALLOW ? AUDITALLOW : AUDITDENY;
}

/* The permissions that a rule is about: for AUDITDENY those it silences. */
static uint32_t bits_of(const struct policy_rule *r)
{
	return r->kind == AV_AUDITDENY ? ~r->data : r->data;
}

static void add_cover(struct optimiser *o, struct cover *by_target, const struct policy_rule *r)
{
	struct cover *c = &by_target[r->target];

	c->bits[kind_index(r)] |= bits_of(r);
	c->seen |= 1u << kind_index(r);
	*vec_push(&o->touched) = r->target;
}

static void gather_rules(struct optimiser *o, struct cover *by_target, policy_rules *rules, const struct group *g)
{
	for (uint32_t i = g->begin; i < g->end; i++) {
		struct policy_rule *r = &rules->at[i];

		if (r->kind & AV_AV)
			add_cover(o, by_target, r);
		else if (r->kind & AV_X)
			*vec_push(&o->records) = r;
	}
}

/* Gathers what the supersets of a source have in a class, by target.  apart:
 * what the source itself has goes to own. */
static void gather(struct optimiser *o, const struct groups *groups, policy_rules *rules, uint32_t class,
		   uint32_t source, bool apart)
{
	for (uint32_t i = o->start[source]; i < o->start[source + 1]; i++) {
		uint32_t value = o->supersets.at[i];
		const struct group *g = group_find(groups, class, value);

		if (g)
			gather_rules(o, apart && value == source ? o->own : o->others, rules, g);
	}
}

static void forget(struct optimiser *o)
{
	for (uint32_t i = 0; i < o->touched.n; i++) {
		o->others[o->touched.at[i]] = (struct cover){0};
		o->own[o->touched.at[i]] = (struct cover){0};
	}
	o->touched.n = 0;
	o->records.n = 0;
}

/* Clears what is covered; true when nothing is left of the rule. */
static bool cover_rule(struct optimiser *o, struct policy_rule *r)
{
	uint32_t kind = kind_index(r), covered = 0, seen = 0, bits;

	for (uint32_t i = o->start[r->target]; i < o->start[r->target + 1]; i++) {
		uint32_t target = o->supersets.at[i];

		covered |= o->others[target].bits[kind];
		seen |= o->others[target].seen;
		if (target == r->target)
			continue;
		covered |= o->own[target].bits[kind];
		seen |= o->own[target].seen;
	}
	if (!(seen >> kind & 1))
		return false;
	bits = bits_of(r) & ~covered;
	r->data = r->kind == AV_AUDITDENY ? ~bits : bits;
	if (o->own[r->target].seen >> kind & 1)
		o->own[r->target].bits[kind] = bits;
	return !bits;
}

/* Clears from x what y allows; true when nothing is left. */
static bool cover_values(struct policy_xperms *x, const struct policy_xperms *y)
{
	uint32_t left = 0;

	if (x->specified == XPERM_IOCTL_FUNCTION && y->specified == XPERM_IOCTL_DRIVER)
		return y->perms[x->driver / 32] >> x->driver % 32 & 1;
	if (x->specified != y->specified || (x->specified != XPERM_IOCTL_DRIVER && x->driver != y->driver))
		return false;
	for (int i = 0; i < 8; i++)
		left |= x->perms[i] &= ~y->perms[i];
	return !left;
}

static void mark_supersets(struct optimiser *o, uint32_t target, uint8_t mark)
{
	for (uint32_t i = o->start[target]; i < o->start[target + 1]; i++)
		o->is_superset[o->supersets.at[i]] = mark;
}

/* The same for an extended permission rule; same_key: records of its own key
 * count as well. */
static bool cover_record(struct optimiser *o, const struct policy_rule *r, bool same_key)
{
	bool gone = false;

	mark_supersets(o, r->target, 1);
	for (uint32_t i = 0; i < o->records.n && !gone; i++) {
		const struct policy_rule *by = o->records.at[i];

		if (by->kind != r->kind || !o->is_superset[by->target])
			continue;
		if (!same_key && by->source == r->source && by->target == r->target)
			continue;
		gone = cover_values(&o->xperms.at[r->data], &o->xperms.at[by->data]);
	}
	mark_supersets(o, r->target, 0);
	return gone;
}

/* A rule that is gone has kind 0 until its list is packed. */
static void cover_group(struct optimiser *o, policy_rules *rules, const struct group *g, bool same_key)
{
	for (uint32_t i = g->begin; i < g->end; i++) {
		struct policy_rule *r = &rules->at[i];
		bool gone = false;

		if (r->kind & AV_AV)
			gone = cover_rule(o, r);
		else if (r->kind & AV_X)
			gone = cover_record(o, r, same_key);
		if (gone)
			r->kind = 0;
	}
}

/* ---- lists ---- */

static void pack(policy_rules *rules)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rules->n; i++) {
		if (rules->at[i].kind)
			rules->at[n++] = rules->at[i];
	}
	rules->n = n;
}

/* Covers the rules of a list by others of it. */
static void cover_within(struct optimiser *o, struct groups *groups, policy_rules *rules)
{
	for (uint32_t i = 0; i < groups->at.n; i++) {
		const struct group *g = &groups->at.at[i];

		gather(o, groups, rules, g->class, g->source, true);
		cover_group(o, rules, g, false);
		forget(o);
	}
	pack(rules);
}

/* Covers the rules of a branch by the unconditional ones. */
static void cover_by_unconditional(struct optimiser *o, policy_rules *rules)
{
	groups_find(&o->local, rules);
	for (uint32_t i = 0; i < o->local.at.n; i++) {
		const struct group *g = &o->local.at.at[i];

		gather(o, &o->unconditional, &o->policy->rules, g->class, g->source, false);
		cover_group(o, rules, g, true);
		forget(o);
	}
	pack(rules);
}

static void optimise_branch(struct optimiser *o, policy_rules *rules)
{
	cover_by_unconditional(o, rules);
	groups_find(&o->local, rules);
	cover_within(o, &o->local, rules);
}

static void optimise_conds(struct optimiser *o)
{
	struct policy *p = o->policy;
	uint32_t n = 0;

	groups_find(&o->unconditional, &p->rules);
	for (uint32_t i = 0; i < p->conds.n; i++) {
		struct policy_cond *cond = &p->conds.at[i];

		optimise_branch(o, &cond->yes);
		optimise_branch(o, &cond->no);
		if (cond->yes.n || cond->no.n)
			p->conds.at[n++] = *cond;
	}
	p->conds.n = n;
}

/* ---- extended permissions: rules may share one; while they change, each has its own ---- */

/* Gives each rule a copy of its record. */
static void copy_records(policy_rules *rules, const struct policy_xperms *from, xperm_list *to)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		struct policy_rule *r = &rules->at[i];

		if (!(r->kind & AV_X))
			continue;
		*vec_push(to) = from[r->data];
		r->data = to->n - 1;
	}
}

static void copy_all_records(struct policy *p, const struct policy_xperms *from, xperm_list *to)
{
	copy_records(&p->rules, from, to);
	for (uint32_t i = 0; i < p->conds.n; i++) {
		copy_records(&p->conds.at[i].yes, from, to);
		copy_records(&p->conds.at[i].no, from, to);
	}
}

/* Leaves those of the rules that are left. */
static void keep_records(struct policy *p, const xperm_list *changed)
{
	xperm_list kept = {0};

	copy_all_records(p, changed->at, &kept);
	p->xperms.at = arena_copy(&p->arena, kept.at, kept.n * sizeof *kept.at);
	p->xperms.n = kept.n;
	vec_free(&kept);
}

void policy_optimise(struct policy *policy)
{
	struct optimiser o = {.policy = policy};
	size_t nvalues = (size_t)policy->types.n + 1;

	find_supersets(&o);
	copy_all_records(policy, policy->xperms.at, &o.xperms);
	o.others = mem_zalloc(nvalues, sizeof *o.others);
	o.own = mem_zalloc(nvalues, sizeof *o.own);
	o.is_superset = mem_zalloc(nvalues, 1);
	groups_find(&o.unconditional, &policy->rules);
	cover_within(&o, &o.unconditional, &policy->rules);
	optimise_conds(&o);
	keep_records(policy, &o.xperms);
	groups_free(&o.unconditional);
	groups_free(&o.local);
	free(o.start);
	free(o.others);
	free(o.own);
	free(o.is_superset);
	vec_free(&o.supersets);
	vec_free(&o.touched);
	vec_free(&o.records);
	vec_free(&o.xperms);
}
