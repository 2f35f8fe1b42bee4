/* Rules as text, by kind and then by name:
 *
 *	allow a b:c { p };                    (allow a b (c (p)))
 *	allowxperm a b:c ioctl { 1-2 };       (allowx a b (ioctl c ((range 1 2))))
 *	type_transition a b:c d;              (typetransition a b c d)
 *
 * A rule whose target is its source type says `self`.  A rule that is left with
 * none of the permissions of its class says nothing and is not written.
 *
 * dontaudit lists the permissions that are not audited.  Bits of permissions
 * that a class does not have are set in what dontaudit makes and clear in what
 * auditdeny makes: so policy.conf has the statement that made the rule; CIL has
 * only the first. */
#include <stdlib.h>

#include "backend/text_out.h"
#include "base/memory.h"

/* Kinds in the order of the text. */
static const struct { uint16_t kind; const char *conf, *cil; } kinds[] = {
	{AV_ALLOWED, "allow ", "(allow "},
	{AV_AUDITALLOW, "auditallow ", "(auditallow "},
	{AV_AUDITDENY, "dontaudit ", "(dontaudit "},
	{AV_XALLOWED, "allowxperm ", "(allowx "},
	{AV_XAUDITALLOW, "auditallowxperm ", "(auditallowx "},
	{AV_XDONTAUDIT, "dontauditxperm ", "(dontauditx "},
	{AV_TRANSITION, "type_transition ", "(typetransition "},
	{AV_MEMBER, "type_member ", "(typemember "},
	{AV_CHANGE, "type_change ", "(typechange "},
};

enum { NKINDS = sizeof kinds / sizeof *kinds };

static uint32_t kind_index(uint16_t kind)
{
	uint32_t k = 0;

	while (k < NKINDS && kinds[k].kind != kind)
		k++;
	return k;
}

/* ---- order ---- */

struct sorted_rule {
	uint64_t key;
	uint32_t index;
};

static int compare_rules(const void *a, const void *b)
{
	const struct sorted_rule *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static uint64_t rank_of(const struct text_table *table, uint32_t value)
{
	return value <= table->n ? table->rank[value] : 0;
}

/* Ranks fit in 16 bits, as values do. */
static uint64_t rule_key(const struct text_out *t, const struct policy_rule *r)
{
	uint64_t key = kind_index(r->kind);

	key = key << 16 | rank_of(&t->types, r->source);
	key = key << 16 | rank_of(&t->types, r->target);
	key = key << 16 | rank_of(&t->classes, r->class);
	key <<= 10;
	if (r->kind & AV_X && r->data < t->policy->xperms.n)
		key |= (uint64_t)(t->policy->xperms.at[r->data].specified & 3) << 8 | t->policy->xperms.at[r->data].driver;
	return key;
}

/* free() it. */
static struct sorted_rule *sort_rules(const struct text_out *t, const policy_rules *rules)
{
	struct sorted_rule *sorted = mem_alloc(((size_t)rules->n + 1) * sizeof *sorted);

	for (uint32_t i = 0; i < rules->n; i++)
		sorted[i] = (struct sorted_rule){rule_key(t, &rules->at[i]), i};
	qsort(sorted, rules->n, sizeof *sorted, compare_rules);
	return sorted;
}

/* ---- one rule ---- */

static const char *target_of(struct text_out *t, const struct policy_rule *r)
{
	const struct policy *p = t->policy;

	if (r->target == r->source && !(r->kind & AV_TE) && r->target <= p->types.n &&
	    p->types.at[r->target].kind == POLICY_TYPE)
		return "self";
	return name_of(t, &t->types, r->target);
}

static bool is_auditdeny(const struct text_out *t, const struct policy_rule *r)
{
	return !t->cil && r->kind == AV_AUDITDENY && r->data && declared_perms(t->policy, r->class, r->data) == r->data &&
	       declared_perms(t->policy, r->class, UINT32_MAX) != UINT32_MAX;
}

/* Those that the rule lists. */
static uint32_t listed_perms(const struct text_out *t, const struct policy_rule *r)
{
	return declared_perms(t->policy, r->class, r->kind == AV_AUDITDENY && !is_auditdeny(t, r) ? ~r->data : r->data);
}

/* Up to the class. */
static void put_head(struct text_out *t, const struct policy_rule *r)
{
	uint32_t k = kind_index(r->kind);

	if (is_auditdeny(t, r))
		say(t, "auditdeny ");
	else
		say(t, t->cil ? kinds[k].cil : kinds[k].conf);
	say_name(t, &t->types, r->source);
	say(t, " ");
	say(t, target_of(t, r));
	say(t, t->cil ? " " : ":");
}

static void put_av_rule(struct text_out *t, const struct policy_rule *r)
{
	put_head(t, r);
	say(t, t->cil ? "(" : "");
	say_name(t, &t->classes, r->class);
	say(t, t->cil ? " (" : " { ");
	say_perms(t, r->class, listed_perms(t, r));
	say(t, t->cil ? ")))\n" : " };\n");
}

static void put_type_rule(struct text_out *t, const struct policy_rule *r)
{
	put_head(t, r);
	say_name(t, &t->classes, r->class);
	say(t, " ");
	say_name(t, &t->types, r->data);
	say(t, t->cil ? ")\n" : ";\n");
}

void say_values(struct text_out *t, const struct ebitmap *values)
{
	const char *gap = "";

	for (uint32_t low = ebitmap_first(values), high; low != EBITMAP_NONE; low = ebitmap_next(values, high)) {
		for (high = low; ebitmap_test(values, high + 1); high++)
			;
		if (low == high)
			text_printf(t->out, "%s0x%x", gap, low);
		else if (t->cil)
			text_printf(t->out, "%s(range 0x%x 0x%x)", gap, low, high);
		else
			text_printf(t->out, "%s0x%x-0x%x", gap, low, high);
		gap = " ";
	}
}

static void put_xperm_rule(struct text_out *t, const struct policy_rule *r)
{
	const struct policy_xperms *x = &t->policy->xperms.at[r->data];
	const char *operation = x->specified == XPERM_NLMSG ? "nlmsg" : "ioctl";
	const char *class = name_of(t, &t->classes, r->class);
	struct ebitmap values = {0};

	xperm_values(x, &values);
	if (ebitmap_empty(&values))
		text_fail(t, "an extended permissions rule of `%s` for class `%s` without any value",
			  name_of(t, &t->types, r->source), class);
	put_head(t, r);
	say(t, t->cil ? "(" : class);
	say(t, t->cil ? operation : " ");
	say(t, t->cil ? " " : operation);
	say(t, t->cil ? class : "");
	say(t, t->cil ? " (" : " { ");
	say_values(t, &values);
	say(t, t->cil ? ")))\n" : " };\n");
	ebitmap_free(&values);
}

static bool says_nothing(const struct text_out *t, const struct policy_rule *r)
{
	return r->kind & AV_AV && !listed_perms(t, r);
}

static void put_rule_list(struct text_out *t, const policy_rules *rules, const char *indent)
{
	struct sorted_rule *sorted = sort_rules(t, rules);

	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *r = &rules->at[sorted[i].index];

		if (says_nothing(t, r) || kind_index(r->kind) == NKINDS)
			continue;
		say(t, indent);
		if (r->kind & AV_AV)
			put_av_rule(t, r);
		else if (r->kind & AV_TE)
			put_type_rule(t, r);
		else
			put_xperm_rule(t, r);
	}
	free(sorted);
}

void say_rules(struct text_out *t)
{
	put_rule_list(t, &t->policy->rules, "");
}

/* ---- conditionals ---- */

struct cond_data { struct text_out *t; const struct policy_cond *cond; };

static void put_bool(struct buffer *b, const void *data, uint32_t i)
{
	const struct cond_data *d = data;

	text_put(b, name_of(d->t, &d->t->bools, d->cond->expr[i].boolean));
}

void put_condition(struct text_out *t, const struct policy_cond *cond, struct buffer *out)
{
	static const struct expr_node conf[] = {
		[COND_BOOL] = {NULL, 0, 0}, [COND_NOT] = {"! ", 1, 0}, [COND_OR] = {"||", 2, 0}, [COND_AND] = {"&&", 2, 0},
		[COND_XOR] = {"^", 2, 0}, [COND_EQ] = {"==", 2, EXPR_TIGHT}, [COND_NEQ] = {"!=", 2, EXPR_TIGHT},
	};
	static const struct expr_node cil[] = {
		[COND_BOOL] = {NULL, 0, 0}, [COND_NOT] = {"not", 1, 0}, [COND_OR] = {"or", 2, 0}, [COND_AND] = {"and", 2, 0},
		[COND_XOR] = {"xor", 2, 0}, [COND_EQ] = {"eq", 2, 0}, [COND_NEQ] = {"neq", 2, 0},
	};
	struct cond_data data = {t, cond};
	struct expr_node *nodes = mem_alloc(((size_t)cond->nexpr + 1) * sizeof *nodes);
	bool binary;

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		uint32_t kind = cond->expr[i].kind <= COND_NEQ ? cond->expr[i].kind : 0;

		nodes[i] = t->cil ? cil[kind] : conf[kind];
	}
	if (t->cil) {
		text_prefix(out, nodes, cond->nexpr, put_bool, &data);
	} else {
		binary = cond->nexpr && nodes[cond->nexpr - 1].operands == 2;
		text_put(out, binary ? "(" : "");
		text_infix(out, nodes, cond->nexpr, put_bool, &data);
		text_put(out, binary ? ")" : "");
	}
	free(nodes);
}

struct cond_text {
	size_t at; /* of its expression, in the text of all */
	uint32_t cond;
	const char *expr;
};

static int compare_conds(const void *a, const void *b)
{
	const struct cond_text *x = a, *y = b;
	int order = strcmp(x->expr, y->expr);

	return order ? order : (x->cond > y->cond) - (x->cond < y->cond);
}

static void put_cil_branch(struct text_out *t, const char *name, const policy_rules *rules)
{
	if (!rules->n)
		return;
	text_printf(t->out, "    (%s\n", name);
	put_rule_list(t, rules, "        ");
	say(t, "    )\n");
}

static void put_cond(struct text_out *t, const struct policy_cond *cond, const char *expr)
{
	say(t, t->cil ? "(booleanif " : "if (");
	say(t, expr);
	if (t->cil) {
		say(t, "\n");
		put_cil_branch(t, "true", &cond->yes);
		put_cil_branch(t, "false", &cond->no);
		say(t, ")\n");
		return;
	}
	say(t, ") {\n");
	put_rule_list(t, &cond->yes, "    ");
	if (cond->no.n)
		say(t, "} else {\n");
	put_rule_list(t, &cond->no, "    ");
	say(t, "}\n");
}

/* policy.conf has them in the order of the image, CIL sorted. */
void say_conditionals(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct cond_text *conds = mem_alloc(((size_t)p->conds.n + 1) * sizeof *conds);
	struct buffer exprs = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->conds.n; i++) {
		if (!p->conds.at[i].yes.n && !p->conds.at[i].no.n)
			continue;
		conds[n++] = (struct cond_text){.at = exprs.n, .cond = i};
		put_condition(t, &p->conds.at[i], &exprs);
		buffer_put(&exprs, "", 1);
	}
	for (uint32_t i = 0; i < n; i++)
		conds[i].expr = (const char *)exprs.at + conds[i].at;
	if (t->cil)
		qsort(conds, n, sizeof *conds, compare_conds);
	for (uint32_t i = 0; i < n; i++)
		put_cond(t, &p->conds.at[conds[i].cond], conds[i].expr);
	buffer_free(&exprs);
	free(conds);
}

/* ---- transitions of other kinds ---- */

/* Those of one source, to be sorted. */
struct sorted_transition {
	uint64_t key;
	const char *name;
	uint32_t source, index;
};

static int compare_transitions(const void *a, const void *b)
{
	const struct sorted_transition *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void put_filename_transition(struct text_out *t, const struct policy_filename_trans *f, uint32_t source)
{
	say(t, t->cil ? "(typetransition " : "type_transition ");
	say_name(t, &t->types, source);
	say(t, " ");
	say_name(t, &t->types, f->target);
	say(t, t->cil ? " " : ":");
	say_name(t, &t->classes, f->class);
	say(t, " ");
	if (!t->cil) {
		say_name(t, &t->types, f->result);
		say(t, " ");
	}
	say(t, "\"");
	say(t, f->name);
	say(t, "\"");
	if (t->cil) {
		say(t, " ");
		say_name(t, &t->types, f->result);
	}
	say(t, t->cil ? ")\n" : ";\n");
}

void say_filename_transitions(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct sorted_transition *sorted;
	size_t n = 0;

	for (uint32_t i = 0; i < p->filename_trans.n; i++)
		n += ebitmap_count(&p->filename_trans.at[i].sources);
	sorted = mem_alloc((n + 1) * sizeof *sorted);
	n = 0;
	for (uint32_t i = 0; i < p->filename_trans.n; i++) {
		const struct policy_filename_trans *f = &p->filename_trans.at[i];
		uint64_t rest = rank_of(&t->types, f->target) << 16 | rank_of(&t->classes, f->class);

		if (!*f->name || strpbrk(f->name, "\"\n") || (!t->cil && strchr(f->name, '/')))
			text_fail(t, "a type transition for the name `%s`", f->name);
		ebitmap_for_each(&f->sources, bit)
			sorted[n++] = (struct sorted_transition){rank_of(&t->types, bit + 1) << 32 | rest, f->name, bit + 1, i};
	}
	qsort(sorted, n, sizeof *sorted, compare_transitions);
	for (size_t i = 0; i < n; i++)
		put_filename_transition(t, &p->filename_trans.at[sorted[i].index], sorted[i].source);
	free(sorted);
}

static void put_range_transition(struct text_out *t, const struct policy_range_trans *r)
{
	say(t, t->cil ? "(rangetransition " : "range_transition ");
	say_name(t, &t->types, r->source);
	say(t, " ");
	say_name(t, &t->types, r->target);
	say(t, t->cil ? " " : ":");
	say_name(t, &t->classes, r->class);
	say(t, " ");
	say_range(t, &r->range);
	say(t, t->cil ? ")\n" : ";\n");
}

void say_range_transitions(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct sorted_transition *sorted = mem_alloc(((size_t)p->range_trans.n + 1) * sizeof *sorted);

	if (!p->mls && p->range_trans.n)
		text_lose(t, "range transitions of a policy without MLS");
	for (uint32_t i = 0; p->mls && i < p->range_trans.n; i++) {
		const struct policy_range_trans *r = &p->range_trans.at[i];

		sorted[i] = (struct sorted_transition){
			rank_of(&t->types, r->source) << 32 | rank_of(&t->types, r->target) << 16 | rank_of(&t->classes, r->class),
			"", r->source, i,
		};
	}
	if (p->mls)
		qsort(sorted, p->range_trans.n, sizeof *sorted, compare_transitions);
	for (uint32_t i = 0; p->mls && i < p->range_trans.n; i++)
		put_range_transition(t, &p->range_trans.at[sorted[i].index]);
	free(sorted);
}

void say_role_transitions(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct sorted_transition *sorted = mem_alloc(((size_t)p->role_trans.n + 1) * sizeof *sorted);

	for (uint32_t i = 0; i < p->role_trans.n; i++) {
		const struct policy_role_trans *r = &p->role_trans.at[i];

		sorted[i] = (struct sorted_transition){
			rank_of(&t->roles, r->role) << 32 | rank_of(&t->types, r->type) << 16 | rank_of(&t->classes, r->class),
			"", r->role, i,
		};
	}
	qsort(sorted, p->role_trans.n, sizeof *sorted, compare_transitions);
	for (uint32_t i = 0; i < p->role_trans.n; i++) {
		const struct policy_role_trans *r = &p->role_trans.at[sorted[i].index];

		say(t, t->cil ? "(roletransition " : "role_transition ");
		say_name(t, &t->roles, r->role);
		say(t, " ");
		say_name(t, &t->types, r->type);
		say(t, t->cil ? " " : ":");
		say_name(t, &t->classes, r->class);
		say(t, " ");
		say_name(t, &t->roles, r->result);
		say(t, t->cil ? ")\n" : ";\n");
	}
	free(sorted);
}

void say_role_allows(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct sorted_transition *sorted = mem_alloc(((size_t)p->role_allows.n + 1) * sizeof *sorted);

	for (uint32_t i = 0; i < p->role_allows.n; i++) {
		const struct policy_role_allow *a = &p->role_allows.at[i];

		sorted[i] = (struct sorted_transition){
			rank_of(&t->roles, a->role) << 32 | rank_of(&t->roles, a->result), "", a->role, i,
		};
	}
	qsort(sorted, p->role_allows.n, sizeof *sorted, compare_transitions);
	for (uint32_t i = 0; i < p->role_allows.n; i++) {
		const struct policy_role_allow *a = &p->role_allows.at[sorted[i].index];

		say(t, t->cil ? "(roleallow " : "allow ");
		say_name(t, &t->roles, a->role);
		say(t, " ");
		say_name(t, &t->roles, a->result);
		say(t, t->cil ? ")\n" : ";\n");
	}
	free(sorted);
}
