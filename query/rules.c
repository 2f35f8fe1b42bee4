#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "query/query.h"
#include "query/text.h"

/* A query against the symbols of one policy. */
struct matcher {
	const struct policy *p;
	const struct rule_query *q;
	bool *sources, *targets, *results; /* by type value; NULL: all match */
	uint32_t source_role, target_role, result_role; /* 0: all match */
	bool *classes;                     /* by value; NULL: all match */
	uint32_t *perms;                   /* by class: those asked for; NULL: all match */
	bool ioctl, nlmsg;                 /* asked for by perms */
	bool *bools;                       /* by value; NULL: all match */
	char *range;                       /* without blanks */
};

/* What matched: a rule, or another record by its index.  Sorted by names. */
struct match {
	uint32_t order[4]; /* kind, then ranks of the names */
	const struct policy_rule *rule;
	const struct policy_cond *cond;
	bool no;           /* of the else branch */
	uint32_t index, source;
};

typedef VEC(struct match) matches;

/* ---- names ---- */

static bool known(uint32_t value, const char *what, const char *check, const char *name, struct diags *diags)
{
	if (value)
		return true;
	diag_error(diags, check, LOC_NONE, "the policy has no %s `%s`", what, name);
	return false;
}

/* By value: those that are about a type which the name stands for. */
static bool match_types(const struct policy *p, const char *name, bool direct, bool **ret, struct diags *diags)
{
	struct ebitmap wanted = {0};
	uint32_t value;

	if (!name)
		return true;
	value = policy_find_type(p, name);
	if (!known(value, "type or attribute", "unknown-type", name, diags))
		return false;
	*ret = mem_zalloc((size_t)p->types.n + 1, sizeof **ret);
	(*ret)[value] = true;
	if (direct)
		return true;
	policy_types_of(p, value, &wanted);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		const struct policy_type *t = &p->types.at[v];

		(*ret)[v] = t->kind == POLICY_TYPE ? ebitmap_test(&wanted, v - 1)
						   : t->kind == POLICY_ATTRIBUTE && ebitmap_intersects(&t->types, &wanted);
	}
	ebitmap_free(&wanted);
	return true;
}

static bool match_role(const struct policy *p, const char *name, uint32_t *ret, struct diags *diags)
{
	if (!name)
		return true;
	*ret = policy_find_role(p, name);
	return known(*ret, "role", "unknown-role", name, diags);
}

static bool match_classes(struct matcher *m, struct diags *diags)
{
	const struct policy *p = m->p;

	if (!m->q->classes.n)
		return true;
	m->classes = mem_zalloc((size_t)p->classes.n + 1, sizeof *m->classes);
	for (uint32_t i = 0; i < m->q->classes.n; i++) {
		uint32_t value = policy_find_class(p, m->q->classes.at[i]);

		if (!known(value, "class", "unknown-class", m->q->classes.at[i], diags))
			return false;
		m->classes[value] = true;
	}
	return true;
}

/* How often a permission occurs; a class that lacks one cannot have all. */
static uint32_t add_perm(struct matcher *m, const char *name)
{
	uint32_t found = 0;

	for (uint32_t v = 1; v <= m->p->classes.n; v++) {
		const struct policy_class *class = &m->p->classes.at[v];
		uint32_t perm = policy_find_perm(class, name);

		m->perms[v] |= perm;
		found += perm != 0;
		if (!perm && m->q->all_perms && m->classes)
			m->classes[v] = false;
	}
	return found;
}

static bool match_perms(struct matcher *m, struct diags *diags)
{
	const query_names *perms = &m->q->perms;

	if (!perms->n)
		return true;
	m->perms = mem_zalloc((size_t)m->p->classes.n + 1, sizeof *m->perms);
	if (m->q->all_perms && !m->classes) {
		m->classes = mem_alloc((size_t)m->p->classes.n + 1);
		memset(m->classes, true, (size_t)m->p->classes.n + 1);
	}
	for (uint32_t i = 0; i < perms->n; i++) {
		m->ioctl |= !strcmp(perms->at[i], "ioctl");
		m->nlmsg |= !strcmp(perms->at[i], "nlmsg");
		if (!known(add_perm(m, perms->at[i]), "permission", "unknown-permission", perms->at[i], diags))
			return false;
	}
	return true;
}

static bool match_bools(struct matcher *m, struct diags *diags)
{
	const struct policy *p = m->p;

	if (!m->q->bools.n)
		return true;
	m->bools = mem_zalloc((size_t)p->bools.n + 1, sizeof *m->bools);
	for (uint32_t i = 0; i < m->q->bools.n; i++) {
		uint32_t value = policy_find_bool(p, m->q->bools.at[i]);

		if (!known(value, "boolean", "unknown-bool", m->q->bools.at[i], diags))
			return false;
		m->bools[value] = true;
	}
	return true;
}

static char *without_blanks(const char *text, size_t n)
{
	char *copy = mem_alloc(n + 1);
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] != ' ')
			copy[used++] = text[i];
	}
	copy[used] = '\0';
	return copy;
}

/* A transition leads to a type, a role or a range. */
static bool match_result(struct matcher *m, struct diags *diags)
{
	const char *result = m->q->result;

	if (!result)
		return true;
	if (m->q->kinds & QUERY_ROLE_KINDS)
		return match_role(m->p, result, &m->result_role, diags);
	if (m->q->kinds & QUERY_RANGE_TRANSITION)
		m->range = without_blanks(result, strlen(result));
	return m->q->kinds == QUERY_RANGE_TRANSITION || match_types(m->p, result, false, &m->results, diags);
}

static bool match_ends(struct matcher *m, struct diags *diags)
{
	const struct rule_query *q = m->q;

	if (!(q->kinds & QUERY_ROLE_KINDS))
		return match_types(m->p, q->source, q->source_direct, &m->sources, diags) &&
		       match_types(m->p, q->target, q->target_direct, &m->targets, diags);
	if (!match_role(m->p, q->source, &m->source_role, diags))
		return false;
	if (q->kinds == QUERY_ROLE_KINDS && q->target) {
		/* Either will do, as roles and types are apart. */
		m->target_role = policy_find_role(m->p, q->target);
		if (m->target_role) {
			m->targets = mem_zalloc((size_t)m->p->types.n + 1, sizeof *m->targets);
			return true;
		}
		m->target_role = UINT32_MAX;
	} else if (q->kinds & QUERY_ROLE_ALLOW) {
		return match_role(m->p, q->target, &m->target_role, diags);
	}
	return match_types(m->p, q->target, q->target_direct, &m->targets, diags);
}

static bool matcher_init(struct matcher *m, const struct policy *p, const struct rule_query *q, struct diags *diags)
{
	*m = (struct matcher){.p = p, .q = q};
	return match_ends(m, diags) && match_classes(m, diags) && match_perms(m, diags) && match_bools(m, diags) &&
	       match_result(m, diags);
}

static void matcher_free(struct matcher *m)
{
	free(m->sources);
	free(m->targets);
	free(m->results);
	free(m->classes);
	free(m->perms);
	free(m->bools);
	free(m->range);
}

/* ---- rules ---- */

static uint32_t kind_of(uint16_t kind)
{
	switch (kind) {
	case AV_ALLOWED: return QUERY_ALLOW;
	case AV_AUDITALLOW: return QUERY_AUDITALLOW;
	case AV_AUDITDENY: return QUERY_DONTAUDIT;
	case AV_TRANSITION: return QUERY_TYPE_TRANSITION;
	case AV_MEMBER: return QUERY_TYPE_MEMBER;
	case AV_CHANGE: return QUERY_TYPE_CHANGE;
	case AV_XALLOWED: return QUERY_ALLOWXPERM;
	case AV_XAUDITALLOW: return QUERY_AUDITALLOWXPERM;
	case AV_XDONTAUDIT: return QUERY_DONTAUDITXPERM;
	default: return 0;
	}
}

static bool triple_matches(const struct matcher *m, uint32_t source, uint32_t target, uint32_t class)
{
	return (!m->sources || m->sources[source]) && (!m->targets || m->targets[target]) &&
	       (!m->classes || m->classes[class]);
}

static bool perms_match(const struct matcher *m, const struct policy_rule *r)
{
	uint32_t data = r->kind == AV_AUDITDENY ? ~r->data : r->data, wanted = m->perms[r->class];

	if (r->kind & AV_X)
		return m->p->xperms.at[r->data].specified == XPERM_NLMSG ? m->nlmsg : m->ioctl;
	return m->q->all_perms ? (data & wanted) == wanted : (data & wanted) != 0;
}

static bool rule_matches(const struct matcher *m, const struct policy_rule *r)
{
	if (!(kind_of(r->kind) & m->q->kinds) || !triple_matches(m, r->source, r->target, r->class))
		return false;
	if (m->perms && (r->kind & AV_TE || !perms_match(m, r)))
		return false;
	return !m->q->result || (r->kind & AV_TE && m->results && m->results[r->data]);
}

static void match_rules(const struct matcher *m, const policy_rules *rules, const struct policy_cond *cond, bool no,
			matches *ret)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *r = &rules->at[i];

		if (rule_matches(m, r))
			*vec_push(ret) = (struct match){
				.order = {kind_of(r->kind), r->source, r->target, r->class},
				.rule = r, .cond = cond, .no = no,
			};
	}
}

static bool cond_matches(const struct matcher *m, const struct policy_cond *cond)
{
	for (uint32_t i = 0; i < cond->nexpr; i++) {
		if (cond->expr[i].kind == COND_BOOL && m->bools[cond->expr[i].boolean])
			return true;
	}
	return false;
}

static void match_conds(const struct matcher *m, matches *ret)
{
	for (uint32_t i = 0; i < m->p->conds.n; i++) {
		const struct policy_cond *cond = &m->p->conds.at[i];

		if (m->bools && !cond_matches(m, cond))
			continue;
		match_rules(m, &cond->yes, cond, false, ret);
		match_rules(m, &cond->no, cond, true, ret);
	}
}

static void match_filename_trans(const struct matcher *m, matches *ret)
{
	for (uint32_t i = 0; i < m->p->filename_trans.n; i++) {
		const struct policy_filename_trans *t = &m->p->filename_trans.at[i];

		if (m->results && !m->results[t->result])
			continue;
		ebitmap_for_each(&t->sources, bit) {
			if (triple_matches(m, bit + 1, t->target, t->class))
				*vec_push(ret) = (struct match){
					.order = {QUERY_TYPE_TRANSITION, bit + 1, t->target, t->class},
					.index = i, .source = bit + 1,
				};
		}
	}
}

static bool range_matches(const struct matcher *m, const struct policy_range *range, struct buffer *scratch)
{
	char *text;
	bool same;

	if (!m->range)
		return true;
	scratch->n = 0;
	dump_range(scratch, m->p, range);
	text = without_blanks((const char *)scratch->at, scratch->n);
	same = !strcmp(text, m->range);
	free(text);
	return same;
}

static void match_range_trans(const struct matcher *m, matches *ret)
{
	struct buffer scratch = {0};

	for (uint32_t i = 0; i < m->p->range_trans.n; i++) {
		const struct policy_range_trans *t = &m->p->range_trans.at[i];

		if (triple_matches(m, t->source, t->target, t->class) && range_matches(m, &t->range, &scratch))
			*vec_push(ret) = (struct match){
				.order = {QUERY_RANGE_TRANSITION, t->source, t->target, t->class}, .index = i,
			};
	}
	buffer_free(&scratch);
}

static bool role_fits(uint32_t wanted, uint32_t role)
{
	return !wanted || wanted == role;
}

static void match_role_rules(const struct matcher *m, matches *ret)
{
	const struct policy *p = m->p;

	for (uint32_t i = 0; m->q->kinds & QUERY_ROLE_ALLOW && !m->classes && i < p->role_allows.n; i++) {
		const struct policy_role_allow *a = &p->role_allows.at[i];

		if (role_fits(m->source_role, a->role) && role_fits(m->target_role, a->result) && !m->result_role)
			*vec_push(ret) = (struct match){.order = {QUERY_ROLE_ALLOW, a->role, a->result}, .index = i};
	}
	for (uint32_t i = 0; m->q->kinds & QUERY_ROLE_TRANSITION && i < p->role_trans.n; i++) {
		const struct policy_role_trans *t = &p->role_trans.at[i];

		if (role_fits(m->source_role, t->role) && role_fits(m->result_role, t->result) &&
		    (!m->targets || m->targets[t->type]) && (!m->classes || m->classes[t->class]))
			*vec_push(ret) = (struct match){
				.order = {QUERY_ROLE_TRANSITION, t->role, t->type, t->class}, .index = i,
			};
	}
}

static void match_all(const struct matcher *m, matches *ret)
{
	const struct rule_query *q = m->q;
	bool unconditional = !q->bools.n;

	if (unconditional)
		match_rules(m, &m->p->rules, NULL, false, ret);
	match_conds(m, ret);
	if (q->kinds & QUERY_TYPE_TRANSITION && unconditional && !q->perms.n)
		match_filename_trans(m, ret);
	if (q->kinds & QUERY_RANGE_TRANSITION && unconditional && !q->perms.n)
		match_range_trans(m, ret);
	if (q->kinds & QUERY_ROLE_KINDS)
		match_role_rules(m, ret);
}

/* ---- order and text ---- */

struct named { const char *name; uint32_t value; };

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static uint32_t *rank(struct named *names, uint32_t n)
{
	uint32_t *ranks = mem_zalloc((size_t)n + 1, sizeof *ranks);

	qsort(names, n, sizeof *names, by_name);
	for (uint32_t i = 0; i < n; i++)
		ranks[names[i].value] = i;
	free(names);
	return ranks;
}

/* The place of each value among the sorted names. */
#define RANKS(symbols, ret) \
	do { \
		struct named *names = mem_alloc(((size_t)(symbols).n + 1) * sizeof *names); \
		for (uint32_t v = 1; v <= (symbols).n; v++) \
			names[v - 1] = (struct named){(symbols).at[v].name ? (symbols).at[v].name : "", v}; \
		(ret) = rank(names, (symbols).n); \
	} while (0)

static int by_order(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	for (int i = 0; i < 4; i++) {
		if (x->order[i] != y->order[i])
			return x->order[i] < y->order[i] ? -1 : 1;
	}
	/* Rules of one list stand in one array, those of a conditional behind. */
	if (x->cond != y->cond)
		return (uintptr_t)x->cond < (uintptr_t)y->cond ? -1 : 1;
	if (x->rule != y->rule)
		return (uintptr_t)x->rule < (uintptr_t)y->rule ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void sort_matches(const struct policy *p, bool roles, matches *list)
{
	uint32_t *types, *classes, *role_ranks;

	RANKS(p->types, types);
	RANKS(p->classes, classes);
	RANKS(p->roles, role_ranks);
	for (uint32_t i = 0; i < list->n; i++) {
		uint32_t *order = list->at[i].order;

		order[1] = roles ? role_ranks[order[1]] : types[order[1]];
		order[2] = order[0] == QUERY_ROLE_ALLOW ? role_ranks[order[2]] : types[order[2]];
		order[3] = order[3] ? classes[order[3]] : 0;
	}
	free(types);
	free(classes);
	free(role_ranks);
	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_order);
}

static void put_other(struct buffer *b, const struct policy *p, const struct match *match)
{
	const struct policy_filename_trans *f;
	const struct policy_range_trans *r;

	switch (match->order[0]) {
	case QUERY_ROLE_ALLOW:
		dump_role_allow(b, p, &p->role_allows.at[match->index]);
		break;
	case QUERY_ROLE_TRANSITION:
		dump_role_trans(b, p, &p->role_trans.at[match->index]);
		break;
	case QUERY_RANGE_TRANSITION:
		r = &p->range_trans.at[match->index];
		text_put(b, "range_transition ");
		dump_triple(b, p, r->source, r->target, r->class);
		dump_range(b, p, &r->range);
		break;
	default:
		f = &p->filename_trans.at[match->index];
		text_put(b, "type_transition ");
		dump_triple(b, p, match->source, f->target, f->class);
		dump_type(b, p, f->result);
		text_printf(b, " \"%s\"", f->name);
	}
}

static void put_match(struct buffer *b, const struct policy *p, const struct match *match)
{
	if (match->rule)
		put_rule(b, p, match->rule);
	else
		put_other(b, p, match);
	text_put(b, ";");
	if (match->cond) {
		text_put(b, " [ ");
		text_cond(b, p, match->cond);
		text_put(b, match->no ? " ]:False" : " ]:True");
	}
	text_put(b, "\n");
}

bool query_rules(const struct policy *policy, const struct rule_query *query, struct buffer *ret_lines, uint32_t *ret_n,
		 struct diags *diags)
{
	matches list = {0};
	struct matcher m;
	bool good = matcher_init(&m, policy, query, diags);

	if (good) {
		match_all(&m, &list);
		sort_matches(policy, (query->kinds & QUERY_ROLE_KINDS) != 0, &list);
	}
	for (uint32_t i = 0; i < list.n; i++)
		put_match(ret_lines, policy, &list.at[i]);
	*ret_n = list.n;
	matcher_free(&m);
	vec_free(&list);
	return good;
}
