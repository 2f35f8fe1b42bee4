/* Constraints, by class and normal form of the expression.
 *
 * The normal form is a hash.  `or` is written with `and` and `not` (De Morgan),
 * `!=` as a negated `==`; operands of `and` have no order and do not nest.  Type
 * sets count by their types: two policies that say the same of an attribute
 * whose types differ have the same constraint all the same, since the
 * difference is one of memberships; so a second hash goes by what is written. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "query/diff.h"
#include "query/text.h"

struct hash { uint64_t a, b; };

/* A subexpression: a comparison, or a sum of the hashes of what `and` joins. */
struct term { struct hash sum; bool joined, negated; };

struct item {
	struct hash meant, written;
	uint64_t perms;
	const struct policy_constraint *constraint;
	bool matched;
};

typedef VEC(struct item) items;

/* ---- hashing ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 31;
}

static struct hash hash_mix(struct hash h, uint64_t v)
{
	return (struct hash){mix(h.a, v), mix(h.b + 0x51, v * UINT64_C(0xd6e8feb86659fd93))};
}

static struct hash hash_sum(struct hash x, struct hash y)
{
	return (struct hash){x.a + y.a, x.b + y.b};
}

static struct hash hash_name(const char *name)
{
	struct hash h = {1, 2};

	for (; name && *name; name++)
		h = hash_mix(h, (unsigned char)*name);
	return hash_mix(h, 0x100);
}

static const char *name_of(const struct policy *p, uint32_t attr, uint32_t value)
{
	if (attr & CEXPR_USER)
		return value <= p->users.n ? p->users.at[value].name : NULL;
	if (attr & CEXPR_ROLE)
		return value <= p->roles.n ? p->roles.at[value].name : NULL;
	return value <= p->types.n ? p->types.at[value].name : NULL;
}

static struct term comparison(const struct policy *p, const struct policy_cexpr *e, bool written)
{
	bool negated = e->op == CEXPR_NEQ;
	struct hash h = hash_mix((struct hash){3, 4}, e->kind);

	h = hash_mix(hash_mix(h, e->attr), negated ? CEXPR_EQ : e->op);
	if (e->kind == CEXPR_NAMES) {
		const struct ebitmap *names = written && !ebitmap_empty(&e->type_set) ? &e->type_set : &e->names;
		struct hash sum = {0, 0};

		ebitmap_for_each(names, bit)
			sum = hash_sum(sum, hash_name(name_of(p, e->attr, bit + 1)));
		h = hash_mix(hash_mix(h, sum.a), sum.b);
	}
	return (struct term){.sum = h, .negated = negated};
}

static struct hash term_hash(struct term t)
{
	return hash_mix(hash_mix(hash_mix((struct hash){5, 6}, t.sum.a), t.sum.b), (uint64_t)(t.joined * 2 + t.negated));
}

static struct hash part_hash(struct term t)
{
	return t.joined && !t.negated ? t.sum : term_hash(t);
}

static struct term join(struct term x, struct term y, bool is_or)
{
	x.negated ^= is_or;
	y.negated ^= is_or;
	return (struct term){.sum = hash_sum(part_hash(x), part_hash(y)), .joined = true, .negated = is_or};
}

static struct hash expression_hash(const struct policy *p, const struct policy_constraint *c, bool written)
{
	struct term *stack = mem_alloc(((size_t)c->nexpr + 1) * sizeof *stack);
	struct hash h = {0, 0};
	uint32_t depth = 0;

	for (uint32_t i = 0; i < c->nexpr; i++) {
		const struct policy_cexpr *e = &c->expr[i];

		if (e->kind == CEXPR_ATTR || e->kind == CEXPR_NAMES) {
			stack[depth++] = comparison(p, e, written);
		} else if (e->kind == CEXPR_NOT && depth) {
			stack[depth - 1].negated ^= 1;
		} else if (depth > 1) {
			stack[depth - 2] = join(stack[depth - 2], stack[depth - 1], e->kind == CEXPR_OR);
			depth--;
		}
	}
	if (depth)
		h = term_hash(stack[depth - 1]);
	free(stack);
	return h;
}

/* ---- items of a class ---- */

static int compare_hash(struct hash x, struct hash y)
{
	if (x.a != y.a)
		return x.a < y.a ? -1 : 1;
	return x.b < y.b ? -1 : x.b > y.b;
}

static int by_meaning(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_hash(x->meant, y->meant);

	return order ? order : compare_hash(x->written, y->written);
}

static int by_writing(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare_hash(x->written, y->written);

	return order ? order : compare_hash(x->meant, y->meant);
}

static void merge_equal(items *list)
{
	uint32_t n = 0;

	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_meaning);
	for (uint32_t i = 0; i < list->n; i++) {
		if (n && !compare_hash(list->at[n - 1].meant, list->at[i].meant))
			list->at[n - 1].perms |= list->at[i].perms;
		else
			list->at[n++] = list->at[i];
	}
	list->n = n;
}

static void add_item(struct differ *d, enum side side, const struct policy_constraint *c, uint64_t perms, items *ret)
{
	*vec_push(ret) = (struct item){
		.meant = expression_hash(d->p[side], c, false), .written = expression_hash(d->p[side], c, true),
		.perms = perms, .constraint = c,
	};
}

/* ---- comparing ---- */

struct statement {
	enum diff_section section;
	enum side side;
	const char *word, *class, *perms, *expression;
};

typedef VEC(struct statement) statements;

struct class_diff {
	struct differ *d;
	const struct class_pair *pair;
	struct perm_names perms;
	enum diff_section section;
	items side[2];
	statements *found;
};

static bool compares_levels(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++) {
		if (c->expr[i].kind == CEXPR_ATTR && c->expr[i].attr >= CEXPR_L1L2)
			return true;
	}
	return false;
}

static void report(struct class_diff *k, enum side side, const struct item *item, uint64_t perms)
{
	bool levels = compares_levels(item->constraint), constrain = k->section == DIFF_CONSTRAINTS;
	struct buffer b = {0};
	struct statement s = {.section = k->section, .side = side, .class = k->pair->name, .perms = ""};

	s.word = constrain ? levels ? "mlsconstrain" : "constrain" : levels ? "mlsvalidatetrans" : "validatetrans";
	if (constrain) {
		put_common_perms(&b, &k->perms, perms);
		text_put(&b, " ");
		s.perms = keep_text(k->d, &b);
	}
	b.n = 0;
	dump_expression(&b, k->d->p[side], item->constraint);
	s.expression = keep_text(k->d, &b);
	buffer_free(&b);
	*vec_push(k->found) = s;
}

/* The same expression on both sides. */
static void match(struct class_diff *k, struct item *before, struct item *after)
{
	before->matched = after->matched = true;
	if (before->perms & ~after->perms)
		report(k, OLD, before, before->perms & ~after->perms);
	if (after->perms & ~before->perms)
		report(k, NEW, after, after->perms & ~before->perms);
}

typedef int (*item_order)(const void *a, const void *b);

static void match_all(struct class_diff *k, item_order order, bool written)
{
	items *side = k->side;

	for (int s = 0; s < 2; s++) {
		if (side[s].n)
			qsort(side[s].at, side[s].n, sizeof *side[s].at, order);
	}
	for (uint32_t i = 0, j = 0; i < side[OLD].n && j < side[NEW].n;) {
		struct item *x = &side[OLD].at[i], *y = &side[NEW].at[j];
		int o = written ? compare_hash(x->written, y->written) : compare_hash(x->meant, y->meant);

		if (x->matched || y->matched) {
			i += x->matched;
			j += y->matched;
			continue;
		}
		if (!o)
			match(k, x, y);
		i += o <= 0;
		j += o >= 0;
	}
}

static void compare_class(struct class_diff *k)
{
	merge_equal(&k->side[OLD]);
	merge_equal(&k->side[NEW]);
	match_all(k, by_meaning, false);
	match_all(k, by_writing, true);
	for (enum side side = OLD; side <= NEW; side++) {
		for (uint32_t i = 0; i < k->side[side].n; i++) {
			if (!k->side[side].at[i].matched)
				report(k, side, &k->side[side].at[i], k->side[side].at[i].perms);
		}
		vec_free(&k->side[side]);
	}
}

static int but_class(const void *a, const void *b)
{
	const struct statement *x = a, *y = b;
	int order = (int)x->section - (int)y->section;

	order = order ? order : (int)x->side - (int)y->side;
	order = order ? order : strcmp(x->perms, y->perms);
	return order ? order : strcmp(x->expression, y->expression);
}

static int by_statement(const void *a, const void *b)
{
	int order = but_class(a, b);

	return order ? order : strcmp(((const struct statement *)a)->class, ((const struct statement *)b)->class);
}

struct merged { const struct statement *s; const char **classes; uint32_t n; };

static void put_merged(struct buffer *b, struct differ *d, const void *data)
{
	const struct merged *m = data;

	(void)d;
	text_put(b, m->s->word);
	text_put(b, " ");
	put_names(b, m->classes, m->n);
	text_put(b, " ");
	text_put(b, m->s->perms);
	text_put(b, m->s->expression);
	text_put(b, ";");
}

/* What differs in the class only is one statement, as it is mostly written. */
static void report_all(struct differ *d, statements *found)
{
	VEC(const char *) classes = {0};

	if (found->n)
		qsort(found->at, found->n, sizeof *found->at, by_statement);
	for (uint32_t i = 0; i < found->n;) {
		struct merged m = {.s = &found->at[i]};

		classes.n = 0;
		for (; i < found->n && !but_class(m.s, &found->at[i]); i++)
			*vec_push(&classes) = found->at[i].class;
		m.classes = classes.at;
		m.n = classes.n;
		add_change(d, m.s->section, m.s->side, 0, put_merged, &m);
	}
	vec_free(&classes);
	vec_free(found);
}

void diff_constraints(struct differ *d)
{
	statements found = {0};

	for (uint32_t i = 0; i < d->classes.n; i++) {
		const struct class_pair *pair = &d->classes.at[i];
		struct class_diff constrain = {.d = d, .pair = pair, .section = DIFF_CONSTRAINTS, .found = &found};
		struct class_diff validate = constrain;

		perm_names_init(&constrain.perms, d, pair);
		validate.section = DIFF_VALIDATETRANS;
		for (enum side side = OLD; side <= NEW; side++) {
			const struct policy_class *class = &d->p[side]->classes.at[pair->value[side]];

			for (uint32_t n = 0; pair->value[side] && n < class->constraints.n; n++) {
				const struct policy_constraint *c = &class->constraints.at[n];
				uint64_t perms = perm_names_mask(&constrain.perms, side, c->perms);

				/* An image may constrain what the class does not have. */
				if (perms)
					add_item(d, side, c, perms, &constrain.side[side]);
			}
			for (uint32_t n = 0; pair->value[side] && n < class->validatetrans.n; n++)
				add_item(d, side, &class->validatetrans.at[n], 0, &validate.side[side]);
		}
		compare_class(&constrain);
		compare_class(&validate);
	}
	report_all(d, &found);
}
