#include "ir/origin.h"

#include "base/buffer.h"
#include "ir/text.h"

/* Indexes of the live allow rules (ast->avrules) and allowxperm rules
 * (ast->xrules) by class. */
typedef VEC(uint32_t) index_list;

struct origin_index { index_list *av, *x; };

static void index_class_rules(struct compile *c, index_list *lists, struct ast_names classes, uint32_t block, uint32_t rule)
{
	struct class_list list = classes_of(c, classes, block);

	for (uint32_t i = 0; i < list.n; i++)
		*vec_push(&lists[list.at[i]]) = rule;
}

static struct origin_index *index_of(struct compile *c)
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
			index_class_rules(c, index->av, c->ast->avrules.at[i].classes, c->ast->avrules.at[i].block, i);
	for (uint32_t i = 0; i < c->ast->xrules.n; i++)
		if (c->ast->xrules.at[i].kind == AST_ALLOW && c->live[c->ast->xrules.at[i].block])
			index_class_rules(c, index->x, c->ast->xrules.at[i].classes, c->ast->xrules.at[i].block, i);
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

struct origin_list origins_of_class(struct compile *c, uint32_t class, bool xperm)
{
	const struct origin_index *index = index_of(c);
	const index_list *list = xperm ? &index->x[class] : &index->av[class];

	return (struct origin_list){list->at, list->n};
}

struct origin origin_at(const struct compile *c, uint32_t index, bool xperm)
{
	const struct ast_avrule *a;

	if (xperm) {
		const struct ast_xrule *x = &c->ast->xrules.at[index];

		return (struct origin){x, x->loc, x->sources, x->targets, {x->operation.atom, x->operation.begin}, x->place, x->block};
	}
	a = &c->ast->avrules.at[index];
	return (struct origin){NULL, a->loc, a->sources, a->targets, a->perms, a->place, a->block};
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

uint32_t origin_perms(struct compile *c, const struct origin *o, uint32_t class)
{
	uint32_t mask;

	return !destination_of(c, o->place).dropped && perms_of(c, o->perms, class, o->block, &mask) ? mask : 0;
}

bool origin_has_source(struct compile *c, const struct origin *o, uint32_t source)
{
	return in_operand(type_operand(c, o->sources), source);
}

bool origin_has_target(struct compile *c, const struct origin *o, uint32_t source, uint32_t target)
{
	if (source == target && type_set_self(c, o->targets) & SET_SELF)
		return true;
	return in_operand(type_operand(c, o->targets), target);
}

/* ---- notes ---- */

static void put_condition(struct compile *c, ast_place_t place, struct buffer *text)
{
	struct destination to = destination_of(c, place);

	if (to.node == UINT32_MAX)
		return;
	text_put(text, ", while `");
	text_cond(text, c->policy, &c->policy->conds.at[to.node]);
	text_printf(text, "` is %s", to.no ? "false" : "true");
}

void note_origin(struct compile *c, const struct origin *o, uint32_t source, uint32_t target, const char *what,
		 struct noted *noted)
{
	struct buffer text = {0};

	if (what)
		text_printf(&text, "`%s` is allowed here", what);
	else
		text_put(&text, "it is allowed here");
	put_condition(c, o->place, &text);
	diag_note(c->diags, o->loc, "%s", text_of(&text));
	buffer_free(&text);
	note_membership(c, o->sources, source, noted);
	if (source != target || !(type_set_self(c, o->targets) & SET_SELF))
		note_membership(c, o->targets, target, noted);
}

void note_origins(struct compile *c, uint32_t source, uint32_t target, uint32_t class, uint32_t perms, bool xperm)
{
	struct origin_list list;
	struct noted noted = {0};
	uint32_t n = 0;

	if (c->diags->dropping)
		return;
	list = origins_of_class(c, class, xperm);
	for (uint32_t i = 0; i < list.n; i++) {
		struct origin o = origin_at(c, list.at[i], xperm);

		if (!(origin_perms(c, &o, class) & perms) || !origin_has_source(c, &o, source) ||
		    !origin_has_target(c, &o, source, target))
			continue;
		if (n++ < MAX_ORIGIN_NOTES)
			note_origin(c, &o, source, target, NULL, &noted);
	}
	if (n > MAX_ORIGIN_NOTES)
		diag_note(c->diags, LOC_NONE, "%u more rules allow it", n - MAX_ORIGIN_NOTES);
}
