/* Access vector, extended permission and type rules: the unconditional ones,
 * then those of conditionals, by the meaning of their expressions. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/text.h"
#include "query/diff_cond.h"
#include "query/diff_rules.h"
#include "query/text.h"

static const struct { uint16_t kind; enum diff_section section; } access_kinds[] = {
	{AV_ALLOWED, DIFF_ALLOW}, {AV_AUDITALLOW, DIFF_AUDITALLOW}, {AV_AUDITDENY, DIFF_DONTAUDIT},
};

enum { ACCESS_KINDS = sizeof access_kinds / sizeof *access_kinds };

/* The unconditional rules of one class and kind. */
struct base { matrix_rules side[2]; };

struct rules_diff {
	struct differ *d;
	struct perm_names *perms; /* by class pair */
	struct base *base;        /* by class pair and access kind */
	struct lines type_rules[3];
	const char *suffix;       /* of the conditional at hand, or "" */
};

/* ---- access vector rules ---- */

static void put_mask(struct buffer *b, const void *data, uint64_t mask)
{
	put_common_perms(b, data, mask);
}

static uint32_t mask_of(const struct rules_diff *r, enum side side, const struct policy_rule *rule)
{
	uint32_t n = r->d->p[side]->classes.at[rule->class].nperms;
	uint32_t all = n >= POLICY_MAX_PERMS ? UINT32_MAX : (UINT32_C(1) << n) - 1;

	return all & (rule->kind == AV_AUDITDENY ? ~rule->data : rule->data);
}

static void collect(const struct rules_diff *r, enum side side, const rule_refs *refs, uint16_t kind,
		    const struct perm_names *perms, matrix_rules *ret)
{
	const uint32_t *set_of = r->d->set_of[side];

	for (uint32_t i = 0; i < refs->n; i++) {
		const struct policy_rule *rule = refs->at[i];

		if (rule->kind == kind)
			*vec_push(ret) = (struct matrix_rule){
				set_of[rule->source], set_of[rule->target], rule->source, rule->target,
				perm_names_mask(perms, side, mask_of(r, side, rule)),
			};
	}
}

/* Unconditional rules stay, as base of the conditional ones. */
static void diff_access(struct rules_diff *r, uint32_t class, const rule_refs *refs, bool conditional)
{
	for (int k = 0; k < ACCESS_KINDS; k++) {
		struct base *base = &r->base[class * ACCESS_KINDS + (uint32_t)k];
		struct matrix_form form = {
			.section = access_kinds[k].section, .word = text_rule_word(access_kinds[k].kind),
			.class = r->d->classes.at[class].name,
			.put_perms = put_mask, .data = &r->perms[class],
		};
		matrix_rules own[2] = {0}, *rules = conditional ? own : base->side;

		collect(r, OLD, &refs[OLD], access_kinds[k].kind, &r->perms[class], &rules[OLD]);
		collect(r, NEW, &refs[NEW], access_kinds[k].kind, &r->perms[class], &rules[NEW]);
		matrix_diff(r->d, rules, conditional ? base->side : NULL, &form);
		vec_free(&own[OLD]);
		vec_free(&own[NEW]);
	}
}

/* ---- type rules ---- */

static const struct { uint16_t kind; enum diff_section section; } type_kinds[] = {
	{AV_TRANSITION, DIFF_TYPE_TRANSITION}, {AV_MEMBER, DIFF_TYPE_MEMBER}, {AV_CHANGE, DIFF_TYPE_CHANGE},
};

static const char *const type_heads[] = {"type_transition ", "type_member ", "type_change "};

static const char *type_tail(struct rules_diff *r, enum side side, const struct policy_rule *rule, struct buffer *b)
{
	const struct policy *p = r->d->p[side];

	b->n = 0;
	text_put(b, " ");
	text_put(b, p->types.at[rule->target].name);
	text_put(b, ":");
	text_put(b, p->classes.at[rule->class].name);
	text_put(b, " ");
	text_put(b, p->types.at[rule->data].name);
	text_put(b, ";");
	text_put(b, r->suffix);
	return keep_text(r->d, b);
}

static void add_type_rules(struct rules_diff *r, enum side side, const rule_refs *refs, struct buffer *b)
{
	for (uint32_t i = 0; i < refs->n; i++) {
		const struct policy_rule *rule = refs->at[i];

		for (int k = 0; rule->kind & AV_TE && k < 3; k++) {
			if (rule->kind == type_kinds[k].kind)
				line_add_type(&r->type_rules[k], side, type_heads[k], r->d->number[side][rule->source],
					      type_tail(r, side, rule, b));
		}
	}
}

/* ---- lists of rules ---- */

static void free_refs(rule_refs *refs)
{
	vec_free(&refs[OLD]);
	vec_free(&refs[NEW]);
}

static int by_class(const void *a, const void *b)
{
	const struct policy_rule *const *x = a, *const *y = b;

	return (*x)->class < (*y)->class ? -1 : (*x)->class > (*y)->class;
}

/* Rules of one list by class, those of value v from at[start[v]]. */
struct by_class { rule_refs refs; uint32_t *start; };

static void by_class_init(struct by_class *k, const struct policy *p, const rule_refs *refs)
{
	*k = (struct by_class){.start = mem_zalloc((size_t)p->classes.n + 2, sizeof *k->start)};
	vec_reserve(&k->refs, refs->n);
	for (uint32_t i = 0; i < refs->n; i++) {
		*vec_push(&k->refs) = refs->at[i];
		k->start[refs->at[i]->class + 1]++;
	}
	if (k->refs.n)
		qsort(k->refs.at, k->refs.n, sizeof *k->refs.at, by_class);
	for (uint32_t v = 0; v <= p->classes.n; v++)
		k->start[v + 1] += k->start[v];
}

static void by_class_free(struct by_class *k)
{
	vec_free(&k->refs);
	free(k->start);
}

/* A view of one class, not to be freed. */
static rule_refs of_class(const struct by_class *k, uint32_t class)
{
	rule_refs none = {0};

	if (!class || !k->refs.n)
		return none;
	return (rule_refs){k->refs.at + k->start[class], k->start[class + 1] - k->start[class], 0};
}

static void diff_lists(struct rules_diff *r, const rule_refs *refs, bool conditional)
{
	struct by_class k[2];
	struct buffer b = {0};

	for (enum side side = OLD; side <= NEW; side++) {
		by_class_init(&k[side], r->d->p[side], &refs[side]);
		add_type_rules(r, side, &refs[side], &b);
	}
	for (uint32_t i = 0; i < r->d->classes.n; i++) {
		const struct class_pair *pair = &r->d->classes.at[i];
		rule_refs of[2] = {of_class(&k[OLD], pair->value[OLD]), of_class(&k[NEW], pair->value[NEW])};

		if (!of[OLD].n && !of[NEW].n)
			continue;
		diff_access(r, i, of, conditional);
		diff_xperms(r->d, i, of);
	}
	grants_report(r->d, r->suffix);
	by_class_free(&k[OLD]);
	by_class_free(&k[NEW]);
	buffer_free(&b);
}

static void diff_unconditional(struct rules_diff *r)
{
	rule_refs refs[2] = {0};

	for (enum side side = OLD; side <= NEW; side++) {
		vec_reserve(&refs[side], r->d->p[side]->rules.n);
		for (uint32_t i = 0; i < r->d->p[side]->rules.n; i++)
			*vec_push(&refs[side]) = &r->d->p[side]->rules.at[i];
	}
	r->suffix = "";
	diff_lists(r, refs, false);
	free_refs(refs);
}

/* ---- conditionals ---- */

/* The rules that hold while the normal form of the group is state. */
static void list_branch(const struct cond_group *group, enum side side, bool state, rule_refs *ret)
{
	for (uint32_t i = 0; i < group->n[side]; i++) {
		const struct cond_ref *ref = &group->at[side][i];
		const policy_rules *rules = state != ref->negated ? &ref->cond->yes : &ref->cond->no;

		for (uint32_t k = 0; k < rules->n; k++)
			*vec_push(ret) = &rules->at[k];
	}
}

/* As sesearch has it, by the expression that the old policy writes. */
static const char *suffix_of(struct rules_diff *r, const struct cond_group *group, bool state)
{
	enum side side = group->n[OLD] ? OLD : NEW;
	const struct cond_ref *ref = &group->at[side][0];
	struct buffer b = {0};
	const char *text;

	text_put(&b, " [ ");
	text_cond(&b, r->d->p[side], ref->cond);
	text_put(&b, state != ref->negated ? " ]:True" : " ]:False");
	text = keep_text(r->d, &b);
	buffer_free(&b);
	return text;
}

static void diff_group(void *data, const struct cond_group *group)
{
	struct rules_diff *r = data;

	for (int state = 0; state < 2; state++) {
		rule_refs refs[2] = {0};

		list_branch(group, OLD, state, &refs[OLD]);
		list_branch(group, NEW, state, &refs[NEW]);
		if (refs[OLD].n || refs[NEW].n) {
			r->suffix = suffix_of(r, group, state);
			diff_lists(r, refs, true);
		}
		free_refs(refs);
	}
}

void diff_rules(struct differ *d)
{
	struct rules_diff r = {
		.d = d,
		.perms = mem_alloc(((size_t)d->classes.n + 1) * sizeof *r.perms),
		.base = mem_zalloc((size_t)d->classes.n + 1, ACCESS_KINDS * sizeof *r.base),
	};

	for (uint32_t i = 0; i < d->classes.n; i++)
		perm_names_init(&r.perms[i], d, &d->classes.at[i]);
	diff_unconditional(&r);
	cond_groups(d->p, diff_group, &r);
	for (int k = 0; k < 3; k++)
		lines_diff(d, &r.type_rules[k], type_kinds[k].section);
	for (uint32_t i = 0; i < d->classes.n * ACCESS_KINDS; i++) {
		vec_free(&r.base[i].side[OLD]);
		vec_free(&r.base[i].side[NEW]);
	}
	free(r.perms);
	free(r.base);
}
