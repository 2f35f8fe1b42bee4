/* Where levels, range transitions and constraints stand. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/internal.h"

static void find_levels(const struct compile *c, struct policy_places *places)
{
	place_list_init(places, &places->levels, c->policy->sens.n);
	for (uint32_t i = 0; i < c->ast->levels.n; i++) {
		const struct ast_level *a = &c->ast->levels.at[i];
		const struct symbol *s = symbol_find(c, SYM_SENS, a->level.sens.atom);

		if (s && s->flavour == FLAVOUR_ALIAS)
			s = &c->symbols[SYM_SENS].at.at[s->primary];
		if (s && s->value && s->value <= places->levels.n)
			places->levels.at[s->value] = a->loc;
	}
}

/* ---- range transitions ---- */

/* One of the policy by its key, to be found. */
struct keyed { uint32_t source, target, class, index; };

static int compare_keys(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return (a->class > b->class) - (a->class < b->class);
}

static struct keyed *sort_range_trans(const struct policy *p)
{
	struct keyed *keys = mem_zalloc(p->range_trans.n, sizeof *keys);

	for (uint32_t i = 0; i < p->range_trans.n; i++) {
		const struct policy_range_trans *t = &p->range_trans.at[i];

		keys[i] = (struct keyed){t->source, t->target, t->class, i};
	}
	qsort(keys, p->range_trans.n, sizeof *keys, compare_keys);
	return keys;
}

static void note_statement(struct compile *c, struct policy_places *places, const struct keyed *keys,
			   const struct ast_range_trans *a)
{
	struct operand sources = type_operand(c, a->sources), targets = type_operand(c, a->targets);
	struct class_list classes = {&c->process_class, 1};

	if (a->classes.id != ATOM_NONE)
		classes = classes_of(c, a->classes, a->block);
	for (uint32_t s = 0; s < sources.n; s++) {
		for (uint32_t t = 0; t < targets.n; t++) {
			for (uint32_t k = 0; k < classes.n; k++) {
				struct keyed key = {sources.at[s], targets.at[t], classes.at[k], 0};
				const struct keyed *found =
					bsearch(&key, keys, c->policy->range_trans.n, sizeof key, compare_keys);

				if (found && !loc_known(places->range_trans.at[found->index + 1]))
					places->range_trans.at[found->index + 1] = a->loc;
			}
		}
	}
}

static void find_range_trans(struct compile *c, struct policy_places *places)
{
	struct keyed *keys;

	place_list_init(places, &places->range_trans, c->policy->range_trans.n);
	if (!c->policy->range_trans.n)
		return;
	keys = sort_range_trans(c->policy);
	for (uint32_t i = 0; i < c->ast->range_trans.n; i++)
		if (c->live[c->ast->range_trans.at[i].block])
			note_statement(c, places, keys, &c->ast->range_trans.at[i]);
	free(keys);
}

/* ---- constraints ---- */

static void init_constraints(const struct compile *c, struct policy_places *places)
{
	uint32_t n = c->policy->classes.n;

	places->constraints.n = places->validatetrans.n = n;
	places->constraints.at = arena_zalloc(&places->arena, (size_t)n + 1, sizeof *places->constraints.at);
	places->validatetrans.at = arena_zalloc(&places->arena, (size_t)n + 1, sizeof *places->validatetrans.at);
	for (uint32_t v = 1; v <= n; v++) {
		place_list_init(places, &places->constraints.at[v], c->policy->classes.at[v].constraints.n);
		place_list_init(places, &places->validatetrans.at[v], c->policy->classes.at[v].validatetrans.n);
	}
}

/* A class has its constraints in the order that constraint.c gives them: the
 * last one of the source first, without those that leave no permission. */
static void find_constraints(struct compile *c, struct policy_places *places)
{
	uint32_t *next = mem_zalloc((size_t)c->policy->classes.n + 1, 2 * sizeof *next);

	init_constraints(c, places);
	for (uint32_t i = c->ast->constraints.n; i-- > 0 && !c->options->canonical;) {
		const struct ast_constraint *a = &c->ast->constraints.at[i];
		struct class_list classes = classes_of(c, a->classes, AST_GLOBAL);

		for (uint32_t k = 0; k < classes.n; k++) {
			uint32_t class = classes.at[k], perms, *count = &next[2 * class + a->transition];
			place_list *list = a->transition ? &places->validatetrans.at[class] : &places->constraints.at[class];

			if (!a->transition && (!perms_of(c, a->perms, class, AST_GLOBAL, &perms) || !perms))
				continue;
			if (++*count <= list->n)
				list->at[*count] = a->loc;
		}
	}
	free(next);
}

void find_mls_places(struct compile *c, struct policy_places *places)
{
	find_levels(c, places);
	find_range_trans(c, places);
	find_constraints(c, places);
}
