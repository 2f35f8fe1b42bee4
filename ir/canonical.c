/* policy_canonicalise (--canonical): one policy, one image, however its source
 * is ordered.
 *
 * Symbols whose values are free are numbered by name, and every list that is
 * a set is sorted. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/ir.h"
#include "ir/names.h"
#include "ir/span.h"

/* New values by old ones; [0] is 0. */
struct numbering { uint32_t *commons, *types, *roles, *users, *bools; };

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- new values ---- */

/* A symbol on its way to its place. */
enum rank { FIRST, NAMED, NAMED_BEHIND, NAMELESS };

struct slot { const char *name; enum rank rank; uint32_t value; };

static int by_slot(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int by = order(x->rank, y->rank);

	if (!by && x->rank != NAMELESS)
		by = strcmp(x->name, y->name);
	return by ? by : order(x->value, y->value);
}

/* The new values of n symbols; frees the slots. */
static uint32_t *number_slots(struct slot *slots, uint32_t n)
{
	uint32_t *values = mem_zalloc((size_t)n + 1, sizeof *values);

	if (n)
		qsort(slots, n, sizeof *slots, by_slot);
	for (uint32_t i = 0; i < n; i++)
		values[slots[i].value] = i + 1;
	free(slots);
	return values;
}

static void set_slot(struct slot *slots, uint32_t value, const char *name, enum rank rank)
{
	slots[value - 1] = (struct slot){name, name ? rank : NAMELESS, value};
}

static uint32_t *number_commons(const struct policy *p)
{
	struct slot *slots = mem_zalloc(p->commons.n, sizeof *slots);

	for (uint32_t v = 1; v <= p->commons.n; v++)
		set_slot(slots, v, p->commons.at[v].name, NAMED);
	return number_slots(slots, p->commons.n);
}

static uint32_t *number_types(const struct policy *p)
{
	struct slot *slots = mem_zalloc(p->types.n, sizeof *slots);

	for (uint32_t v = 1; v <= p->types.n; v++)
		set_slot(slots, v, p->types.at[v].name, p->types.at[v].kind == POLICY_TYPE ? NAMED : NAMED_BEHIND);
	return number_slots(slots, p->types.n);
}

static uint32_t *number_roles(const struct policy *p)
{
	struct slot *slots = mem_zalloc(p->roles.n, sizeof *slots);

	for (uint32_t v = 1; v <= p->roles.n; v++) /* object_r stays 1 */
		set_slot(slots, v, p->roles.at[v].name, v == 1 ? FIRST : NAMED);
	return number_slots(slots, p->roles.n);
}

static uint32_t *number_users(const struct policy *p)
{
	struct slot *slots = mem_zalloc(p->users.n, sizeof *slots);

	for (uint32_t v = 1; v <= p->users.n; v++)
		set_slot(slots, v, p->users.at[v].name, NAMED);
	return number_slots(slots, p->users.n);
}

static uint32_t *number_bools(const struct policy *p)
{
	struct slot *slots = mem_zalloc(p->bools.n, sizeof *slots);

	for (uint32_t v = 1; v <= p->bools.n; v++)
		set_slot(slots, v, p->bools.at[v].name, NAMED);
	return number_slots(slots, p->bools.n);
}

/* ---- symbols ---- */

/* Moves the symbols of an array by value, at[1] to at[n], to their new slots. */
static void permute(void *at, uint32_t n, size_t size, const uint32_t *values)
{
	char *old = mem_alloc((n + 1) * size), *to = at;

	if (n)
		memcpy(old, at, (n + 1) * size);
	for (uint32_t v = 1; v <= n; v++)
		memcpy(to + values[v] * size, old + v * size, size);
	free(old);
}

static void renumber_set(struct ebitmap *e, const uint32_t *values)
{
	struct ebitmap now = {0};

	ebitmap_for_each(e, bit)
		ebitmap_set(&now, values[bit + 1] - 1);
	ebitmap_free(e);
	*e = now;
}

static int by_cexpr(const struct policy_cexpr *x, const struct policy_cexpr *y)
{
	int by = order(x->kind, y->kind);

	by = by ? by : order(x->attr, y->attr);
	by = by ? by : order(x->op, y->op);
	by = by ? by : ebitmap_compare(&x->names, &y->names);
	by = by ? by : ebitmap_compare(&x->type_set, &y->type_set);
	by = by ? by : ebitmap_compare(&x->type_negset, &y->type_negset);
	return by ? by : order(x->type_flags, y->type_flags);
}

static int by_constraint(const void *a, const void *b)
{
	const struct policy_constraint *x = a, *y = b;
	int by = order(x->perms, y->perms);

	by = by ? by : order(x->nexpr, y->nexpr);
	for (uint32_t i = 0; !by && i < x->nexpr; i++)
		by = by_cexpr(&x->expr[i], &y->expr[i]);
	return by;
}

static void renumber_constraints(struct policy_constraint *at, uint32_t n, const struct numbering *to)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].nexpr; k++) {
			struct policy_cexpr *e = &at[i].expr[k];

			if (e->kind != CEXPR_NAMES)
				continue;
			renumber_set(&e->names, e->attr & CEXPR_TYPE ? to->types : e->attr & CEXPR_ROLE ? to->roles : to->users);
			renumber_set(&e->type_set, to->types);
			renumber_set(&e->type_negset, to->types);
		}
	if (n)
		qsort(at, n, sizeof *at, by_constraint);
}

static int by_alias(const void *a, const void *b)
{
	return strcmp(((const struct policy_alias *)a)->name, ((const struct policy_alias *)b)->name);
}

static void sort_aliases(struct policy *p, const struct numbering *to)
{
	for (uint32_t i = 0; i < p->type_aliases.n; i++)
		p->type_aliases.at[i].value = to->types[p->type_aliases.at[i].value];
	if (p->type_aliases.n)
		qsort(p->type_aliases.at, p->type_aliases.n, sizeof *p->type_aliases.at, by_alias);
	if (p->sens_aliases.n)
		qsort(p->sens_aliases.at, p->sens_aliases.n, sizeof *p->sens_aliases.at, by_alias);
	if (p->cat_aliases.n)
		qsort(p->cat_aliases.at, p->cat_aliases.n, sizeof *p->cat_aliases.at, by_alias);
}

static void renumber_symbols(struct policy *p, const struct numbering *to)
{
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		struct policy_class *class = &p->classes.at[v];

		class->common = to->commons[class->common];
		renumber_constraints(class->constraints.at, class->constraints.n, to);
		renumber_constraints(class->validatetrans.at, class->validatetrans.n, to);
	}
	for (uint32_t v = 1; v <= p->types.n; v++) {
		p->types.at[v].bounds = to->types[p->types.at[v].bounds];
		renumber_set(&p->types.at[v].types, to->types);
	}
	for (uint32_t v = 1; v <= p->roles.n; v++) {
		p->roles.at[v].bounds = to->roles[p->roles.at[v].bounds];
		renumber_set(&p->roles.at[v].dominates, to->roles);
		renumber_set(&p->roles.at[v].types, to->types);
	}
	for (uint32_t v = 1; v <= p->users.n; v++) {
		p->users.at[v].bounds = to->users[p->users.at[v].bounds];
		renumber_set(&p->users.at[v].roles, to->roles);
	}
	permute(p->commons.at, p->commons.n, sizeof *p->commons.at, to->commons);
	permute(p->types.at, p->types.n, sizeof *p->types.at, to->types);
	permute(p->roles.at, p->roles.n, sizeof *p->roles.at, to->roles);
	permute(p->users.at, p->users.n, sizeof *p->users.at, to->users);
	permute(p->bools.at, p->bools.n, sizeof *p->bools.at, to->bools);
	sort_aliases(p, to);
}

/* ---- rules ---- */

/* Rules of one key differ in their records: keep those beside the rule while
 * it is sorted. */
struct sorted_rule { struct policy_rule rule; uint32_t head; };

static int by_rule(const void *a, const void *b)
{
	const struct sorted_rule *x = a, *y = b;
	int by = order(x->rule.class, y->rule.class);

	by = by ? by : order(x->rule.source, y->rule.source);
	by = by ? by : order(x->rule.target, y->rule.target);
	by = by ? by : order(x->rule.kind, y->rule.kind);
	return by ? by : order(x->head, y->head);
}

static void renumber_rules(const struct policy *p, policy_rules *rules, const struct numbering *to)
{
	struct sorted_rule *sorted = mem_alloc(rules->n * sizeof *sorted);

	for (uint32_t i = 0; i < rules->n; i++) {
		struct policy_rule r = rules->at[i];
		const struct policy_xperms *x = r.kind & AV_X ? &p->xperms.at[r.data] : NULL;

		r.source = (uint16_t)to->types[r.source];
		r.target = (uint16_t)to->types[r.target];
		if (r.kind & AV_TE)
			r.data = to->types[r.data];
		sorted[i] = (struct sorted_rule){r, x ? (uint32_t)x->specified << 8 | x->driver : 0};
	}
	if (rules->n)
		qsort(sorted, rules->n, sizeof *sorted, by_rule);
	for (uint32_t i = 0; i < rules->n; i++)
		rules->at[i] = sorted[i].rule;
	free(sorted);
}

static int by_cond(const void *a, const void *b)
{
	const struct policy_cond *x = a, *y = b;
	int by = order(x->nexpr, y->nexpr);

	for (uint32_t i = 0; !by && i < x->nexpr; i++) {
		by = order(x->expr[i].kind, y->expr[i].kind);
		by = by ? by : order(x->expr[i].boolean, y->expr[i].boolean);
	}
	return by;
}

static void renumber_conds(struct policy *p, const struct numbering *to)
{
	for (uint32_t i = 0; i < p->conds.n; i++) {
		struct policy_cond *cond = &p->conds.at[i];

		for (uint32_t k = 0; k < cond->nexpr; k++)
			if (cond->expr[k].kind == COND_BOOL)
				cond->expr[k].boolean = to->bools[cond->expr[k].boolean];
		renumber_rules(p, &cond->yes, to);
		renumber_rules(p, &cond->no, to);
	}
	if (p->conds.n)
		qsort(p->conds.at, p->conds.n, sizeof *p->conds.at, by_cond);
}

static int by_role_trans(const void *a, const void *b)
{
	const struct policy_role_trans *x = a, *y = b;
	int by = order(x->role, y->role);

	by = by ? by : order(x->type, y->type);
	return by ? by : order(x->class, y->class);
}

static int by_role_allow(const void *a, const void *b)
{
	const struct policy_role_allow *x = a, *y = b;
	int by = order(x->role, y->role);

	return by ? by : order(x->result, y->result);
}

static int by_filename_trans(const void *a, const void *b)
{
	const struct policy_filename_trans *x = a, *y = b;
	int by = strcmp(x->name, y->name);

	by = by ? by : order(x->target, y->target);
	by = by ? by : order(x->class, y->class);
	return by ? by : order(x->result, y->result);
}

static int by_range_trans(const void *a, const void *b)
{
	const struct policy_range_trans *x = a, *y = b;
	int by = order(x->source, y->source);

	by = by ? by : order(x->target, y->target);
	return by ? by : order(x->class, y->class);
}

static void renumber_transitions(struct policy *p, const struct numbering *to)
{
	for (uint32_t i = 0; i < p->role_trans.n; i++) {
		struct policy_role_trans *t = &p->role_trans.at[i];

		t->role = to->roles[t->role];
		t->type = to->types[t->type];
		t->result = to->roles[t->result];
	}
	for (uint32_t i = 0; i < p->role_allows.n; i++) {
		struct policy_role_allow *r = &p->role_allows.at[i];

		*r = (struct policy_role_allow){to->roles[r->role], to->roles[r->result]};
	}
	for (uint32_t i = 0; i < p->filename_trans.n; i++) {
		struct policy_filename_trans *t = &p->filename_trans.at[i];

		t->target = to->types[t->target];
		t->result = to->types[t->result];
		renumber_set(&t->sources, to->types);
	}
	for (uint32_t i = 0; i < p->range_trans.n; i++) {
		p->range_trans.at[i].source = to->types[p->range_trans.at[i].source];
		p->range_trans.at[i].target = to->types[p->range_trans.at[i].target];
	}
	if (p->role_trans.n)
		qsort(p->role_trans.at, p->role_trans.n, sizeof *p->role_trans.at, by_role_trans);
	if (p->role_allows.n)
		qsort(p->role_allows.at, p->role_allows.n, sizeof *p->role_allows.at, by_role_allow);
	if (p->filename_trans.n)
		qsort(p->filename_trans.at, p->filename_trans.n, sizeof *p->filename_trans.at, by_filename_trans);
	if (p->range_trans.n)
		qsort(p->range_trans.at, p->range_trans.n, sizeof *p->range_trans.at, by_range_trans);
}

/* ---- labels ---- */

static void renumber_context(struct policy_context *k, const struct numbering *to)
{
	k->user = to->users[k->user];
	k->role = to->roles[k->role];
	k->type = to->types[k->type];
}

#define RENUMBER_CONTEXTS(list, field) \
	do { \
		for (uint32_t i = 0; i < (list).n; i++) \
			renumber_context(&(list).at[i].field, to); \
	} while (0)

static void renumber_labels(struct policy *p, const struct numbering *to)
{
	RENUMBER_CONTEXTS(p->sids, context);
	RENUMBER_CONTEXTS(p->fs_uses, context);
	RENUMBER_CONTEXTS(p->ports, context);
	RENUMBER_CONTEXTS(p->netifs, interface);
	RENUMBER_CONTEXTS(p->netifs, packet);
	RENUMBER_CONTEXTS(p->nodes, context);
	RENUMBER_CONTEXTS(p->nodes6, context);
	RENUMBER_CONTEXTS(p->ibpkeys, context);
	RENUMBER_CONTEXTS(p->ibendports, context);
	RENUMBER_CONTEXTS(p->genfs, context);
	RENUMBER_CONTEXTS(p->pirqs, context);
	RENUMBER_CONTEXTS(p->ioports, context);
	RENUMBER_CONTEXTS(p->iomems, context);
	RENUMBER_CONTEXTS(p->pcidevices, context);
	RENUMBER_CONTEXTS(p->devicetrees, context);
}

static int by_sid(const void *a, const void *b)
{
	return order(((const struct policy_sid *)a)->sid, ((const struct policy_sid *)b)->sid);
}

static int by_genfs(const void *a, const void *b)
{
	const struct policy_genfs *x = a, *y = b;
	int by = strcmp(x->fs, y->fs);

	by = by ? by : order(strlen(y->path), strlen(x->path));
	by = by ? by : strcmp(x->path, y->path);
	return by ? by : order(x->class, y->class);
}

/* Of paths of one length a path has one prefix, but it may match two patterns. */
static bool genfs_order_matters(const struct policy *p)
{
	uint32_t bit;

	return !capability_find("genfs_seclabel_wildcard", &bit) && ebitmap_test(&p->capabilities, bit);
}

/* Narrow ranges before the wide ones around them is the order that means
 * something; where ranges cross, only the source knows which one is first. */
static bool ports_cross(const struct policy *p)
{
	struct span *spans = mem_alloc(p->ports.n * sizeof *spans);
	struct span_verdict *verdicts = mem_alloc(p->ports.n * sizeof *verdicts);
	bool cross = false;

	for (uint32_t i = 0; i < p->ports.n; i++)
		spans[i] = (struct span){p->ports.at[i].protocol, p->ports.at[i].low, p->ports.at[i].high};
	spans_judge(spans, p->ports.n, verdicts);
	for (uint32_t i = 0; i < p->ports.n; i++)
		cross |= verdicts[i].across != SPAN_NONE;
	free(spans);
	free(verdicts);
	return cross;
}

static void sort_all_labels(struct policy *p)
{
	bool keep_ports = ports_cross(p);
	size_t size = p->ports.n * sizeof *p->ports.at;
	struct policy_port *ports = mem_alloc(size);

	if (size)
		memcpy(ports, p->ports.at, size);
	policy_sort_labels(p);
	if (keep_ports)
		memcpy(p->ports.at, ports, size);
	free(ports);
	if (p->sids.n)
		qsort(p->sids.at, p->sids.n, sizeof *p->sids.at, by_sid);
	if (p->genfs.n && !genfs_order_matters(p))
		qsort(p->genfs.at, p->genfs.n, sizeof *p->genfs.at, by_genfs);
}

void policy_canonicalise(struct policy *policy)
{
	struct numbering to = {
		number_commons(policy), number_types(policy), number_roles(policy), number_users(policy), number_bools(policy),
	};

	renumber_rules(policy, &policy->rules, &to);
	renumber_conds(policy, &to);
	renumber_transitions(policy, &to);
	renumber_labels(policy, &to);
	renumber_symbols(policy, &to);
	sort_all_labels(policy);
	free(to.commons);
	free(to.types);
	free(to.roles);
	free(to.users);
	free(to.bools);
}
