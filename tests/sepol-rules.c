/* The rules of a policy with attributes expanded: dump_rules() of sepol-dump.h. */
#include "sepol-dump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sepol/policydb/conditional.h>

/* libsepol renamed this field of cond_expr_t in 3.6. */
#ifndef COND_BOOL_FIELD
#define COND_BOOL_FIELD bool
#endif

enum { MAX_BOOLS = 12, MAX_STACK = 64 };

/* A rule between two types, and the branch of a conditional it is in. */
struct rule {
	uint32_t group;
	uint16_t source, target, class, kind;
	uint32_t data;
};

struct rules {
	struct rule *all;
	unsigned long n, size, limit;
	char **groups; /* what is printed in front of a rule; NULL for group 0 */
	uint32_t ngroups;
	int too_many;
};

static void *grown(void *old, size_t n, size_t size)
{
	void *p = realloc(old, n * size);

	if (!p)
		abort();
	return p;
}

static void add_rule(struct rules *rules, const avtab_key_t *key, uint32_t group,
		     unsigned int source, unsigned int target, uint32_t data)
{
	struct rule *r;

	if (rules->n >= rules->limit) {
		rules->too_many = 1;
		return;
	}
	if (rules->n == rules->size) {
		rules->size = rules->size ? rules->size * 2 : 1024;
		rules->all = grown(rules->all, rules->size, sizeof *rules->all);
	}
	r = &rules->all[rules->n++];
	r->group = group;
	r->source = (uint16_t)source;
	r->target = (uint16_t)target;
	r->class = key->target_class;
	r->kind = key->specified & (AVTAB_AV | AVTAB_TYPE);
	r->data = data;
}

static void expand_targets(struct rules *rules, const policydb_t *p, const struct avtab_node *node,
			   uint32_t group, unsigned int source)
{
	const avtab_key_t *key = &node->key;
	ebitmap_node_t *bits;
	unsigned int bit;

	if (!p->attr_type_map || !is_attribute(p, key->target_type)) {
		add_rule(rules, key, group, source, key->target_type, node->datum.data);
		return;
	}
	ebitmap_for_each_positive_bit(types_of(p, key->target_type), bits, bit)
		if (!is_attribute(p, bit + 1))
			add_rule(rules, key, group, source, bit + 1, node->datum.data);
}

static void expand(struct rules *rules, const policydb_t *p, const struct avtab_node *node,
		   uint32_t group)
{
	const avtab_key_t *key = &node->key;
	ebitmap_node_t *bits;
	unsigned int bit;

	if (!(key->specified & (AVTAB_AV | AVTAB_TYPE)))
		return; /* xperms: not in the versions that this is for */
	if (!p->attr_type_map || !is_attribute(p, key->source_type)) {
		expand_targets(rules, p, node, group, key->source_type);
		return;
	}
	ebitmap_for_each_positive_bit(types_of(p, key->source_type), bits, bit)
		if (!is_attribute(p, bit + 1))
			expand_targets(rules, p, node, group, bit + 1);
}

/* ---- conditionals: known by the truth table of their expression ---- */

struct expression {
	const char *name[MAX_BOOLS]; /* sorted */
	unsigned int n;
};

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* False when there are too many bools. */
static int collect_bools(const policydb_t *p, const cond_expr_t *e, struct expression *x)
{
	unsigned int i;

	x->n = 0;
	for (; e; e = e->next) {
		const char *name;

		if (e->expr_type != COND_BOOL)
			continue;
		name = p->p_bool_val_to_name[e->COND_BOOL_FIELD - 1];
		for (i = 0; i < x->n && strcmp(x->name[i], name) != 0; i++)
			;
		if (i < x->n)
			continue;
		if (x->n == MAX_BOOLS)
			return 0;
		x->name[x->n++] = name;
	}
	qsort(x->name, x->n, sizeof *x->name, compare_text);
	return 1;
}

static int apply(uint32_t operator, int a, int b)
{
	switch (operator) {
	case COND_OR:
		return a || b;
	case COND_AND:
		return a && b;
	case COND_EQ:
		return a == b;
	default: /* xor and != */
		return a != b;
	}
}

static int value_in_row(const policydb_t *p, const cond_expr_t *e, const struct expression *x,
			unsigned int row)
{
	int stack[MAX_STACK];
	unsigned int depth = 0, i;

	for (; e; e = e->next) {
		if (e->expr_type == COND_BOOL) {
			const char *name = p->p_bool_val_to_name[e->COND_BOOL_FIELD - 1];

			for (i = 0; strcmp(x->name[i], name) != 0; i++)
				;
			if (depth == MAX_STACK)
				abort();
			stack[depth++] = row >> i & 1;
		} else if (e->expr_type == COND_NOT) {
			stack[depth - 1] = !stack[depth - 1];
		} else {
			depth--;
			stack[depth - 1] = apply(e->expr_type, stack[depth - 1], stack[depth]);
		}
	}
	return stack[0];
}

static void write_postfix(FILE *out, const policydb_t *p, const cond_expr_t *e)
{
	for (; e; e = e->next) {
		if (e->expr_type == COND_BOOL)
			fprintf(out, " %s", p->p_bool_val_to_name[e->COND_BOOL_FIELD - 1]);
		else
			fprintf(out, " %" PRIu32, e->expr_type);
	}
}

/* Writes an expression's key: false with all bools false, else negated, which
 * is returned. */
static int write_key(FILE *out, const policydb_t *p, const cond_expr_t *e)
{
	struct expression x;
	unsigned int i, row, digit = 0;
	int negate;

	if (!collect_bools(p, e, &x)) {
		write_postfix(out, p, e);
		return 0;
	}
	negate = value_in_row(p, e, &x, 0);
	for (i = 0; i < x.n; i++)
		fprintf(out, " %s", x.name[i]);
	fputc(' ', out);
	for (row = 0; row < 1U << x.n; row++) {
		digit |= (unsigned int)(value_in_row(p, e, &x, row) ^ negate) << (row % 4);
		if (row % 4 == 3 || row + 1 == 1U << x.n) {
			fprintf(out, "%x", digit);
			digit = 0;
		}
	}
	return negate;
}

static uint32_t group_of(struct rules *rules, const policydb_t *p, const cond_expr_t *e, int branch)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	uint32_t i;

	if (!out)
		abort();
	fputs("if", out);
	branch ^= write_key(out, p, e);
	fprintf(out, " %s: ", branch ? "true" : "false");
	if (fclose(out))
		abort();
	for (i = 1; i < rules->ngroups; i++) {
		if (!strcmp(rules->groups[i], text)) {
			free(text);
			return i;
		}
	}
	rules->groups = grown(rules->groups, rules->ngroups + 1, sizeof *rules->groups);
	rules->groups[rules->ngroups] = text;
	return rules->ngroups++;
}

static void expand_branch(struct rules *rules, const policydb_t *p, const cond_node_t *node, int branch)
{
	const cond_av_list_t *item = branch ? node->true_list : node->false_list;
	uint32_t group;

	if (!item)
		return;
	group = group_of(rules, p, node->expr, branch);
	for (; item; item = item->next)
		expand(rules, p, item->node, group);
}

/* ---- writing ---- */

static int compare_rules(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static void write_rule(FILE *out, const policydb_t *p, const struct rules *rules, const struct rule *r)
{
	fprintf(out, "%srule %x %s %s:%s ", rules->groups[r->group] ? rules->groups[r->group] : "",
		r->kind, p->p_type_val_to_name[r->source - 1],
		p->p_type_val_to_name[r->target - 1], p->p_class_val_to_name[r->class - 1]);
	if (r->kind & AVTAB_TYPE)
		fprintf(out, "%s\n", p->p_type_val_to_name[r->data - 1]);
	else
		fprintf(out, "%08" PRIx32 "\n", r->data);
}

/* Rules that came from several attributes are one: bits add up, those that are
 * audited on denial only while all say so. */
static void write_merged(FILE *out, const policydb_t *p, const struct rules *rules)
{
	unsigned long i, next;

	for (i = 0; i < rules->n; i = next) {
		struct rule r = rules->all[i];

		for (next = i + 1; next < rules->n; next++) {
			if (compare_rules(&r, &rules->all[next]))
				break;
			if (r.kind == AVTAB_AUDITDENY)
				r.data &= rules->all[next].data;
			else if (r.kind & AVTAB_AV)
				r.data |= rules->all[next].data;
		}
		write_rule(out, p, rules, &r);
	}
}

int dump_rules(FILE *out, const policydb_t *p, unsigned long limit)
{
	struct rules rules = { .limit = limit, .ngroups = 1 };
	const struct avtab_node *node;
	const cond_node_t *cond;
	uint32_t i;
	int done;

	rules.groups = grown(NULL, 1, sizeof *rules.groups);
	rules.groups[0] = NULL;
	for (i = 0; i < p->te_avtab.nslot; i++)
		for (node = p->te_avtab.htable[i]; node && !rules.too_many; node = node->next)
			expand(&rules, p, node, 0);
	for (cond = p->cond_list; cond && !rules.too_many; cond = cond->next) {
		expand_branch(&rules, p, cond, 1);
		expand_branch(&rules, p, cond, 0);
	}
	done = !rules.too_many;
	if (done && rules.n) {
		qsort(rules.all, rules.n, sizeof *rules.all, compare_rules);
		write_merged(out, p, &rules);
	}
	for (i = 1; i < rules.ngroups; i++)
		free(rules.groups[i]);
	free(rules.groups);
	free(rules.all);
	return done;
}
