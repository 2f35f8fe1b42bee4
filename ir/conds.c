/* Conditionals: expressions checked, tunables resolved, equivalent ones merged
 * (language.md 9.12). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"

/* Expressions over this many booleans are compared as they are written. */
enum { TABLE_BOOLS = 5 };

/* One conditional in normal form: a trailing `not` taken off, which swaps the
 * branches.  Equivalent ones have equal keys. */
struct key {
	uint32_t bools[TABLE_BOOLS]; /* ascending */
	uint32_t nbools;             /* 0: more than TABLE_BOOLS */
	uint32_t table;              /* bit i: the value when bit k of i is bools[k] */
};

/* Of a conditional without rules only the names are looked at. */
static bool check_expr(struct compile *c, const struct ast_cond *a, bool used)
{
	const struct symbol *flavours[2] = {NULL, NULL}; /* a boolean, a tunable */
	int depth = 0, deepest = 0;
	bool good = true;

	for (uint32_t i = 0; i < a->nexpr; i++) {
		const struct ast_cond_expr *e = &a->expr[i];
		const struct symbol *s;

		if (e->kind != AST_COND_BOOL) {
			depth -= e->kind != AST_COND_NOT;
			continue;
		}
		deepest = ++depth > deepest ? depth : deepest;
		s = symbol_use(c, SYM_BOOL, e->name, a->block);
		good &= s != NULL;
		if (s && (s->declared || c->form == COMPILE_MODULE))
			flavours[s->flavour == FLAVOUR_TUNABLE] = s;
	}
	if (used && deepest > COND_MAX_DEPTH) {
		diag_error(c->diags, "condition-depth", a->expr_loc,
			   "the condition needs a stack of %d values, and kernels have %d", deepest, COND_MAX_DEPTH);
		good = false;
	}
	if (used && flavours[0] && flavours[1]) {
		diag_error(c->diags, "bool-and-tunable", a->expr_loc,
			   "the condition mixes boolean `%s` and tunable `%s`", name_text(c, flavours[0]->name),
			   name_text(c, flavours[1]->name));
		diag_note(c->diags, flavours[0]->loc, "`%s` is decided at run time", name_text(c, flavours[0]->name));
		diag_note(c->diags, flavours[1]->loc, "`%s` is decided at compile time", name_text(c, flavours[1]->name));
		good = false;
	}
	return good;
}

/* ---- values ---- */

static bool apply(uint32_t kind, bool x, bool y)
{
	switch (kind) {
	case COND_OR:
		return x || y;
	case COND_AND:
		return x && y;
	case COND_XOR:
	case COND_NEQ:
		return x != y;
	default:
		return x == y;
	}
}

/* The value of a checked postfix expression; state[b] is that of boolean b. */
static bool evaluate(const struct policy_cond_expr *expr, uint32_t n, const bool *state)
{
	bool stack[COND_MAX_DEPTH];
	int top = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (expr[i].kind == COND_BOOL) {
			stack[top++] = state[expr[i].boolean];
		} else if (expr[i].kind == COND_NOT) {
			stack[top - 1] = !stack[top - 1];
		} else {
			top--;
			stack[top - 1] = apply(expr[i].kind, stack[top - 1], stack[top]);
		}
	}
	return stack[0];
}

static struct policy_cond_expr *lower_expr(struct compile *c, const struct ast_cond *a)
{
	struct policy_cond_expr *expr = arena_alloc(&c->policy->arena, a->nexpr * sizeof *expr);

	for (uint32_t i = 0; i < a->nexpr; i++) {
		const struct symbol *s = a->expr[i].kind == AST_COND_BOOL ? symbol_find(c, SYM_BOOL, a->expr[i].name.atom) : NULL;

		expr[i] = (struct policy_cond_expr){a->expr[i].kind, s ? s->value : 0};
	}
	return expr;
}

/* ---- equivalent conditionals ---- */

static int compare_u32(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* The distinct booleans, ascending; their number, or 0 for more than fit. */
static uint32_t distinct_bools(const struct policy_cond_expr *expr, uint32_t n, uint32_t *bools)
{
	uint32_t nbools = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;

		if (expr[i].kind != COND_BOOL)
			continue;
		while (k < nbools && bools[k] != expr[i].boolean)
			k++;
		if (k == TABLE_BOOLS)
			return 0;
		if (k == nbools)
			bools[nbools++] = expr[i].boolean;
	}
	qsort(bools, nbools, sizeof *bools, compare_u32);
	return nbools;
}

static struct key key_of(const struct policy_cond_expr *expr, uint32_t n, bool *state)
{
	struct key key = {0};

	key.nbools = distinct_bools(expr, n, key.bools);
	if (!key.nbools)
		memset(key.bools, 0, sizeof key.bools);
	for (uint32_t i = 0; key.nbools && i < UINT32_C(1) << key.nbools; i++) {
		for (uint32_t k = 0; k < key.nbools; k++)
			state[key.bools[k]] = i >> k & 1;
		key.table |= (uint32_t)evaluate(expr, n, state) << i;
	}
	return key;
}

/* Nodes by key, to find an equivalent one: open addressing, node + 1. */
struct nodes {
	VEC(struct policy_cond) at;
	VEC(struct key) keys;
	uint32_t *slots, nslots;
};

static uint32_t hash_node(const struct key *key, const struct policy_cond_expr *expr, uint32_t n)
{
	uint64_t h = key->table;

	for (uint32_t k = 0; k < key->nbools; k++)
		h = (h ^ key->bools[k]) * 0x9e3779b97f4a7c15u;
	for (uint32_t i = 0; !key->nbools && i < n; i++)
		h = (h ^ expr[i].kind ^ (uint64_t)expr[i].boolean << 8) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

static bool equivalent(const struct nodes *nodes, uint32_t node, const struct key *key, const struct policy_cond_expr *expr,
		       uint32_t n)
{
	const struct policy_cond *cond = &nodes->at.at[node];

	if (memcmp(&nodes->keys.at[node], key, sizeof *key))
		return false;
	return key->nbools || (cond->nexpr == n && !memcmp(cond->expr, expr, n * sizeof *expr));
}

/* By length, then by the names of the booleans: an order that does not depend on
 * which expression came first. */
static int compare_exprs(const struct policy *p, const struct policy_cond *a, const struct policy_cond_expr *expr, uint32_t n)
{
	if (a->nexpr != n)
		return a->nexpr < n ? -1 : 1;
	for (uint32_t i = 0; i < n; i++) {
		int by;

		if (a->expr[i].kind != expr[i].kind)
			return a->expr[i].kind < expr[i].kind ? -1 : 1;
		by = expr[i].kind == COND_BOOL ?
			strcmp(p->bools.at[a->expr[i].boolean].name, p->bools.at[expr[i].boolean].name) : 0;
		if (by)
			return by;
	}
	return 0;
}

/* Of equivalent expressions the first one is kept, or the least one. */
static void choose_expr(const struct compile *c, struct policy_cond *node, struct policy_cond_expr *expr, uint32_t n)
{
	if (!c->options->canonical || compare_exprs(c->policy, node, expr, n) <= 0)
		return;
	node->expr = expr;
	node->nexpr = n;
}

static uint32_t find_node(const struct compile *c, struct nodes *nodes, struct policy_cond_expr *expr, uint32_t n, bool *state)
{
	struct key key = key_of(expr, n, state);
	uint32_t i = hash_node(&key, expr, n) & (nodes->nslots - 1);

	for (; nodes->slots[i]; i = (i + 1) & (nodes->nslots - 1))
		if (equivalent(nodes, nodes->slots[i] - 1, &key, expr, n)) {
			choose_expr(c, &nodes->at.at[nodes->slots[i] - 1], expr, n);
			return nodes->slots[i] - 1;
		}
	*vec_push(&nodes->at) = (struct policy_cond){.expr = expr, .nexpr = n};
	*vec_push(&nodes->keys) = key;
	nodes->slots[i] = nodes->at.n;
	return nodes->at.n - 1;
}

/* ---- the pass ---- */

/* A conditional without any rule in it leaves no trace. */
static bool *find_used(struct compile *c)
{
	bool *used = arena_zalloc(&c->arena, c->ast->conds.n, sizeof *used);

	for (uint32_t i = 0; i < c->ast->avrules.n; i++)
		if (c->ast->avrules.at[i].place)
			used[ast_cond_of(c->ast->avrules.at[i].place)] = true;
	for (uint32_t i = 0; i < c->ast->xrules.n; i++)
		if (c->ast->xrules.at[i].place)
			used[ast_cond_of(c->ast->xrules.at[i].place)] = true;
	for (uint32_t i = 0; i < c->ast->terules.n; i++)
		if (c->ast->terules.at[i].place)
			used[ast_cond_of(c->ast->terules.at[i].place)] = true;
	return used;
}

static bool is_tunable(const struct compile *c, const struct ast_cond *a)
{
	for (uint32_t i = 0; i < a->nexpr; i++)
		if (a->expr[i].kind == AST_COND_BOOL)
			return symbol_find(c, SYM_BOOL, a->expr[i].name.atom)->flavour == FLAVOUR_TUNABLE;
	return false;
}

static bool bools_in_policy(struct compile *c, const struct ast_cond *a)
{
	bool good = true;

	for (uint32_t i = 0; i < a->nexpr; i++)
		if (a->expr[i].kind == AST_COND_BOOL)
			good &= symbol_in_policy(c, symbol_find(c, SYM_BOOL, a->expr[i].name.atom), a->expr[i].name, a->block);
	return good;
}

static void lower_cond(struct compile *c, const struct ast_cond *a, struct cond_info *info, struct nodes *nodes,
		       const bool *defaults, bool *scratch)
{
	struct policy_cond_expr *expr = lower_expr(c, a);
	uint32_t n = a->nexpr;

	if (is_tunable(c, a)) {
		*info = (struct cond_info){.fate = COND_TUNABLE, .taken_else = !evaluate(expr, n, defaults)};
		return;
	}
	if (!bools_in_policy(c, a))
		return;
	for (; expr[n - 1].kind == COND_NOT; n--)
		info->swapped = !info->swapped;
	info->fate = COND_NODE;
	info->node = find_node(c, nodes, expr, n, scratch);
}

/* Default states of booleans and tunables by value. */
static bool *default_states(struct compile *c)
{
	bool *state = arena_zalloc(&c->arena, c->symbols[SYM_BOOL].nvalues + 1, sizeof *state);

	for (uint32_t i = 0; i < c->ast->bools.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_BOOL, c->ast->bools.at[i].name.atom);

		if (s)
			state[s->value] = c->ast->bools.at[i].value;
	}
	return state;
}

static uint32_t slots_for(uint32_t n)
{
	uint32_t slots = 16;

	while (slots / 2 < n)
		slots *= 2;
	return slots;
}

void lower_conds(struct compile *c)
{
	const bool *used = find_used(c), *defaults = default_states(c);
	bool *scratch = arena_zalloc(&c->arena, c->symbols[SYM_BOOL].nvalues + 1, sizeof *scratch);
	struct nodes nodes = {.nslots = slots_for(c->ast->conds.n)};
	struct policy *p = c->policy;

	nodes.slots = mem_zalloc(nodes.nslots, sizeof *nodes.slots);
	c->conds = arena_zalloc(&c->arena, c->ast->conds.n, sizeof *c->conds);
	for (uint32_t i = 0; i < c->ast->conds.n; i++) {
		const struct ast_cond *a = &c->ast->conds.at[i];

		if (check_expr(c, a, used[i]) && c->live[a->block] && used[i])
			lower_cond(c, a, &c->conds[i], &nodes, defaults, scratch);
	}
	p->conds.n = nodes.at.n;
	p->conds.at = arena_copy(&p->arena, nodes.at.at, nodes.at.n * sizeof *nodes.at.at);
	vec_free(&nodes.at);
	vec_free(&nodes.keys);
	free(nodes.slots);
}

struct destination destination_of(const struct compile *c, ast_place_t place)
{
	const struct cond_info *info;
	bool in_else = ast_in_else(place);

	if (!place)
		return (struct destination){.node = UINT32_MAX};
	info = &c->conds[ast_cond_of(place)];
	switch (info->fate) {
	case COND_NODE:
		return (struct destination){.node = info->node, .no = in_else != info->swapped};
	case COND_TUNABLE:
		return (struct destination){.dropped = in_else != info->taken_else, .node = UINT32_MAX};
	default:
		return (struct destination){.dropped = true};
	}
}
