/* Constraints: constrain, mlsconstrain, validatetrans, mlsvalidatetrans
 * (language.md 9.7).
 *
 * An expression is worked out once for its statement and copied for each of
 * the classes, since each constraint of the policy owns its sets. */
#include <stdlib.h>

#include "ir/internal.h"

/* A constraint of one class, waiting for its place in the class. */
struct pending {
	uint32_t class, perms;
	bool transition;
	uint32_t statement;
};

struct constraints {
	VEC(struct pending) pending; /* in source order */
	struct policy_cexpr **expr;  /* by statement; NULL where it is not used */
};

/* ---- expressions ---- */

static const char *names_kind(uint32_t attr)
{
	return attr & CEXPR_USER ? "u" : attr & CEXPR_ROLE ? "r" : "t";
}

static bool check_form(struct compile *c, const struct ast_constraint *a, const struct ast_cexpr *e)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, e->names, &one);
	bool plain = !set.star && !set.complement;

	if (e->attr & CEXPR_XTARGET && !a->transition) {
		diag_error(c->diags, "constraint-third-context", (struct loc){e->begin, e->begin + 2},
			   "`%s3`, the process that relabels, exists only in validatetrans and mlsvalidatetrans",
			   names_kind(e->attr));
		diag_hint(c->diags, "in other constraints `%s1` and `%s2` compare with names, and `%s1` with `%s2`",
			  names_kind(e->attr), names_kind(e->attr), names_kind(e->attr), names_kind(e->attr));
		return false;
	}
	for (uint32_t i = 0; i < set.n; i++)
		plain &= !(set.items[i] & AST_MINUS);
	if (!plain)
		diag_error(c->diags, "set-form", (struct loc){e->names.begin, e->names.begin + 1},
			   "the names in a constraint must be listed: `*`, `~` and `-` are not allowed");
	return plain;
}

static bool add_user(struct compile *c, const struct ast_cexpr *e, atom_t item, struct policy_cexpr *to)
{
	uint32_t begin = item_loc(c, e->names, item).begin;
	const struct symbol *s = symbol_use_earlier(c, SYM_USER, (struct ast_name){item, begin}, AST_GLOBAL);

	if (!s || !s->live)
		return false;
	ebitmap_set(&to->names, s->value - 1);
	return true;
}

static void warn_empty(struct compile *c, const struct ast_cexpr *e, atom_t item)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, e->names, &one);

	diag_warning(c->diags, "empty-attribute", item_loc(c, e->names, item), "role attribute `%s` has no roles%s",
		     name_text(c, item),
		     set.n > 1 ? ": it adds none to the others" : e->op == CEXPR_EQ ? ": the comparison is never true"
										    : ": the comparison is always true");
}

static bool add_role(struct compile *c, const struct ast_cexpr *e, atom_t item, struct policy_cexpr *to)
{
	const struct symbol *s = symbol_use_item(c, SYM_ROLE, e->names, item, AST_GLOBAL);
	const struct ebitmap *members;

	if (!s || !s->live)
		return false;
	if (s->flavour != FLAVOUR_ATTRIBUTE) {
		ebitmap_set(&to->names, s->value - 1);
		return true;
	}
	if (c->module) { /* modules may add members */
		ebitmap_set(&to->names, s->value - 1);
		return true;
	}
	members = &c->roles[s->value].members;
	if (ebitmap_empty(members))
		warn_empty(c, e, item);
	ebitmap_or(&to->names, members);
	return true;
}

static bool add_type(struct compile *c, const struct ast_cexpr *e, atom_t item, struct policy_cexpr *to)
{
	const struct symbol *s = symbol_use_item(c, SYM_TYPE, e->names, item, AST_GLOBAL);

	if (!s || !s->live)
		return false;
	if (!c->module && s->flavour == FLAVOUR_ATTRIBUTE)
		ebitmap_or(&to->names, &c->policy->types.at[s->value].types);
	else if (!c->module)
		ebitmap_set(&to->names, s->value - 1);
	ebitmap_set(&to->type_set, s->value - 1);
	return true;
}

static bool lower_names(struct compile *c, const struct ast_constraint *a, const struct ast_cexpr *e,
			struct policy_cexpr *to)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, e->names, &one);
	bool good = true;

	if (!check_form(c, a, e))
		return false;
	for (uint32_t i = 0; i < set.n; i++) {
		if (e->attr & CEXPR_USER)
			good &= add_user(c, e, set.items[i], to);
		else if (e->attr & CEXPR_ROLE)
			good &= add_role(c, e, set.items[i], to);
		else
			good &= add_type(c, e, set.items[i], to);
	}
	return good;
}

/* The operands that wait on the stack of an evaluation; the parser has seen to
 * it that operators find theirs. */
static bool check_depth(struct compile *c, const struct ast_constraint *a)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < a->nexpr; i++) {
		switch (a->expr[i].kind) {
		case AST_CEXPR_NOT:
			break;
		case AST_CEXPR_AND:
		case AST_CEXPR_OR:
			depth--;
			break;
		default:
			if (++depth <= CEXPR_MAX_DEPTH)
				break;
			diag_error(c->diags, "constraint-depth", (struct loc){a->expr[i].begin, a->expr[i].begin + 1},
				   "the expression nests too deep: %d values wait for their operators here, the limit is %d",
				   CEXPR_MAX_DEPTH + 1, CEXPR_MAX_DEPTH);
			return false;
		}
	}
	return true;
}

static struct policy_cexpr *lower_expression(struct compile *c, const struct ast_constraint *a, bool *ret_good)
{
	struct policy_cexpr *expr = arena_zalloc(&c->arena, a->nexpr, sizeof *expr);

	*ret_good = check_depth(c, a);
	for (uint32_t i = 0; i < a->nexpr; i++) {
		const struct ast_cexpr *e = &a->expr[i];

		expr[i].kind = e->kind;
		expr[i].attr = e->attr;
		expr[i].op = e->op;
		if (e->kind == AST_CEXPR_NAMES)
			*ret_good &= lower_names(c, a, e, &expr[i]);
	}
	return expr;
}

static struct policy_cexpr *copy_expression(struct policy *p, const struct policy_cexpr *from, uint32_t n)
{
	struct policy_cexpr *to = arena_zalloc(&p->arena, n, sizeof *to);

	for (uint32_t i = 0; i < n; i++) {
		to[i].kind = from[i].kind;
		to[i].attr = from[i].attr;
		to[i].op = from[i].op;
		ebitmap_copy(&to[i].names, &from[i].names);
		ebitmap_copy(&to[i].type_set, &from[i].type_set);
	}
	return to;
}

/* ---- statements ---- */

/* The permissions of a class; false when it gets no constraint. */
static bool constraint_perms(struct compile *c, const struct ast_constraint *a, uint32_t class, uint32_t *ret_perms)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, a->perms, &one);
	struct loc loc = {a->perms.begin, a->perms.begin + 1};

	if (!perms_of(c, a->perms, class, AST_GLOBAL, ret_perms))
		return false;
	if (*ret_perms)
		return true;
	if (set.complement)
		diag_source_warning(c->diags, "no-permissions", loc,
			     "`~` leaves no permission of class `%s`: the constraint is left out for it",
			     c->policy->classes.at[class].name);
	else
		diag_error(c->diags, "no-permissions", loc, "class `%s` has no permissions to constrain",
			   c->policy->classes.at[class].name);
	return false;
}

static void lower_constraint(struct compile *c, struct constraints *list, uint32_t statement)
{
	const struct ast_constraint *a = &c->ast->constraints.at[statement];
	struct class_list classes = classes_of(c, a->classes, AST_GLOBAL);
	bool good;

	list->expr[statement] = lower_expression(c, a, &good);
	for (uint32_t i = 0; i < classes.n; i++) {
		struct pending pending = {.class = classes.at[i], .transition = a->transition, .statement = statement};

		if (!a->transition && !constraint_perms(c, a, pending.class, &pending.perms))
			continue;
		if (good)
			*vec_push(&list->pending) = pending;
	}
}

static void count_constraints(struct policy *p, const struct constraints *list)
{
	for (uint32_t i = 0; i < list->pending.n; i++) {
		struct policy_class *class = &p->classes.at[list->pending.at[i].class];

		if (list->pending.at[i].transition)
			class->validatetrans.n++;
		else
			class->constraints.n++;
	}
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		struct policy_class *class = &p->classes.at[v];

		class->constraints.at = arena_zalloc(&p->arena, class->constraints.n, sizeof *class->constraints.at);
		class->validatetrans.at = arena_zalloc(&p->arena, class->validatetrans.n, sizeof *class->validatetrans.at);
		class->constraints.n = class->validatetrans.n = 0;
	}
}

/* The constraints of a class stand last declared first. */
static void place_constraints(struct compile *c, const struct constraints *list)
{
	count_constraints(c->policy, list);
	for (uint32_t i = list->pending.n; i-- > 0;) {
		const struct pending *pending = &list->pending.at[i];
		struct policy_class *class = &c->policy->classes.at[pending->class];
		uint32_t nexpr = c->ast->constraints.at[pending->statement].nexpr;
		struct policy_constraint *to = pending->transition ? &class->validatetrans.at[class->validatetrans.n++]
								   : &class->constraints.at[class->constraints.n++];

		to->perms = pending->perms;
		to->nexpr = nexpr;
		to->expr = copy_expression(c->policy, list->expr[pending->statement], nexpr);
	}
}

static void free_expressions(const struct compile *c, struct constraints *list)
{
	for (uint32_t i = 0; i < c->ast->constraints.n; i++) {
		struct policy_cexpr *expr = list->expr[i];

		for (uint32_t k = 0; expr && k < c->ast->constraints.at[i].nexpr; k++) {
			ebitmap_free(&expr[k].names);
			ebitmap_free(&expr[k].type_set);
		}
	}
}

void lower_constraints(struct compile *c)
{
	uint32_t n = c->ast->constraints.n;
	struct constraints list = {.expr = arena_zalloc(&c->arena, n, sizeof *list.expr)};

	for (uint32_t i = 0; i < n; i++)
		if (c->options->mls || !c->ast->constraints.at[i].mls) /* else refused by mls_declare() */
			lower_constraint(c, &list, i);
	place_constraints(c, &list);
	free_expressions(c, &list);
	vec_free(&list.pending);
}
