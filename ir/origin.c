/* Which statements made a rule: found again from the AST when a message wants
 * to know, so that rules need not carry their places (they are many, and
 * messages are few). */
#include "ir/internal.h"

/* Indexes of the live allow rules (ast->avrules) and allowxperm rules
 * (ast->xrules) by class. */
typedef VEC(uint32_t) index_list;

struct origin_index { index_list *av, *x; };

static void index_class_rules(struct compile *c, index_list *lists, struct ast_names classes, uint32_t rule)
{
	struct class_list list = classes_of(c, classes);

	for (uint32_t i = 0; i < list.n; i++)
		*vec_push(&lists[list.at[i]]) = rule;
}

static struct origin_index *origins_of(struct compile *c)
{
	struct origin_index *index = c->origins;
	uint32_t n = c->policy->classes.n + 1;

	if (index)
		return index;
	index = arena_alloc(&c->arena, sizeof *index);
	index->av = arena_zalloc(&c->arena, n, sizeof *index->av);
	index->x = arena_zalloc(&c->arena, n, sizeof *index->x);
	for (uint32_t i = 0; i < c->ast->avrules.n; i++)
		if (c->ast->avrules.at[i].kind == AST_ALLOW && c->live[c->ast->avrules.at[i].block])
			index_class_rules(c, index->av, c->ast->avrules.at[i].classes, i);
	for (uint32_t i = 0; i < c->ast->xrules.n; i++)
		if (c->ast->xrules.at[i].kind == AST_ALLOW && c->live[c->ast->xrules.at[i].block])
			index_class_rules(c, index->x, c->ast->xrules.at[i].classes, i);
	return c->origins = index;
}

void origins_free(struct compile *c)
{
	if (!c->origins)
		return;
	for (uint32_t i = 0; i <= c->policy->classes.n; i++) {
		vec_free(&c->origins->av[i]);
		vec_free(&c->origins->x[i]);
	}
}

static bool in_operand(struct operand list, uint32_t value)
{
	uint32_t low = 0, high = list.n;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (list.at[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list.n && list.at[low] == value;
}

static bool covers(struct compile *c, struct ast_names sources, struct ast_names targets, ast_place_t place,
		   uint32_t source, uint32_t target)
{
	if (destination_of(c, place).dropped || !in_operand(type_operand(c, sources), source))
		return false;
	if (source == target && type_set_self(c, targets) & SET_SELF)
		return true;
	return in_operand(type_operand(c, targets), target);
}

void note_origins(struct compile *c, uint32_t source, uint32_t target, uint32_t class, uint32_t perms, bool xperm)
{
	const struct origin_index *index;
	const index_list *list;

	if (c->diags->dropping)
		return;
	index = origins_of(c);
	list = xperm ? &index->x[class] : &index->av[class];
	for (uint32_t i = 0; i < list->n; i++) {
		const struct ast_avrule *a = xperm ? NULL : &c->ast->avrules.at[list->at[i]];
		const struct ast_xrule *x = xperm ? &c->ast->xrules.at[list->at[i]] : NULL;
		struct ast_names base = x ? (struct ast_names){x->operation.atom, x->operation.begin} : a->perms;
		uint32_t mask;

		if (!perms_of(c, base, class, &mask) || !(mask & perms))
			continue;
		if (x ? covers(c, x->sources, x->targets, x->place, source, target)
		      : covers(c, a->sources, a->targets, a->place, source, target))
			diag_note(c->diags, x ? x->loc : a->loc, "it is allowed here");
	}
}
