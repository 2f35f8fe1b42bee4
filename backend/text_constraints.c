/* Constraints as text.
 *
 * An image holds a class's constraints last declared first, so they are written
 * from the end.  What compares levels goes among the MLS declarations, as
 * mlsconstrain or mlsvalidatetrans; in policy.conf these come before the users,
 * so one that names a user as well is a plain constraint, which may compare
 * levels too.
 *
 * A set of types is written as it stood in the source where that still means
 * the same types, else as these types.  A set that is empty (a role attribute
 * without roles made it) has no spelling of its own: it is written as the name
 * of an attribute without members, declared for the purpose if there is none.
 * Of the three kinds only one of types shows in the policy.  policy.conf has no
 * such thing for users; an empty set of roles is the same: it never matches. */
#include <stdlib.h>

#include "backend/text_out.h"
#include "base/memory.h"

/* ---- name sets ---- */

enum set_form { SET_EMPTY, SET_NAMES, SET_AS_WRITTEN };

/* The types that a set as written stands for in what we write: CIL loses the
 * members of attributes that are expanded away. */
static void expand_set(const struct text_out *t, const struct ebitmap *set, struct ebitmap *ret_types)
{
	const struct policy *p = t->policy;

	ebitmap_for_each(set, bit) {
		uint32_t v = bit + 1;

		if (v > p->types.n || p->types.at[v].kind == POLICY_GAP)
			continue;
		if (p->types.at[v].kind == POLICY_TYPE)
			ebitmap_set(ret_types, bit);
		else if (!t->cil || !p->types.at[v].expand)
			ebitmap_or(ret_types, &p->types.at[v].types);
	}
}

static enum set_form form_of(const struct text_out *t, const struct policy_cexpr *e)
{
	struct ebitmap types = {0};
	bool same;

	if (e->attr & CEXPR_TYPE && !ebitmap_empty(&e->type_set)) {
		if (t->unlinked)
			return SET_AS_WRITTEN;
		expand_set(t, &e->type_set, &types);
		same = ebitmap_equal(&types, &e->names);
		ebitmap_free(&types);
		if (same)
			return SET_AS_WRITTEN;
	}
	return ebitmap_empty(&e->names) ? SET_EMPTY : SET_NAMES;
}

/* ---- where a constraint stands ---- */

static bool compares_levels(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++)
		if (c->expr[i].kind == CEXPR_ATTR && c->expr[i].attr >= CEXPR_L1L2)
			return true;
	return false;
}

static bool names_users(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++)
		if (c->expr[i].kind == CEXPR_NAMES && c->expr[i].attr & CEXPR_USER && !ebitmap_empty(&c->expr[i].names))
			return true;
	return false;
}

typedef bool (*constraint_visit)(struct text_out *t, uint32_t class, const struct policy_constraint *c, bool validate,
				 void *data);

/* All that mean anything, in the order of the text; until one visit says false. */
static void each_constraint(struct text_out *t, constraint_visit visit, void *data)
{
	const struct policy *p = t->policy;

	for (int validate = 0; validate < 2; validate++) {
		for (uint32_t v = 1; v <= p->classes.n; v++) {
			const struct policy_class *class = &p->classes.at[v];
			const struct policy_constraint *at = validate ? class->validatetrans.at : class->constraints.at;

			for (uint32_t i = validate ? class->validatetrans.n : class->constraints.n; i-- > 0;)
				if ((validate || declared_perms(p, v, at[i].perms)) && !visit(t, v, &at[i], validate, data))
					return;
		}
	}
}

/* The section of MLS declarations of policy.conf is not whole without a
 * constraint. */
static bool is_mls_constraint(struct text_out *t, uint32_t class, const struct policy_constraint *c, bool validate,
			      void *data)
{
	(void)t, (void)class, (void)validate;
	if (compares_levels(c) && !names_users(c))
		*(bool *)data = true;
	return !*(bool *)data;
}

/* Which section is written; whether any constraint will do in that of MLS; has
 * it got one. */
struct placement { bool mls, any, found; };

static bool stands_in_mls(const struct text_out *t, const struct placement *p, const struct policy_constraint *c)
{
	if (!t->policy->mls)
		return false;
	if (t->cil)
		return compares_levels(c);
	return !names_users(c) && (compares_levels(c) || p->any);
}

/* ---- one constraint ---- */

static const char *const conf_operators[] = {
	[CEXPR_EQ] = "==", [CEXPR_NEQ] = "!=", [CEXPR_DOM] = "dom", [CEXPR_DOMBY] = "domby", [CEXPR_INCOMP] = "incomp",
};
static const char *const cil_operators[] = {
	[CEXPR_EQ] = "eq", [CEXPR_NEQ] = "neq", [CEXPR_DOM] = "dom", [CEXPR_DOMBY] = "domby", [CEXPR_INCOMP] = "incomp",
};

/* `A op B` or `(op A B`. */
static void put_left(struct text_out *t, const char *left, uint32_t op)
{
	const char *word = op >= CEXPR_EQ && op <= CEXPR_INCOMP ? (t->cil ? cil_operators : conf_operators)[op] : "?";

	say(t, t->cil ? "(" : left);
	say(t, t->cil ? word : " ");
	say(t, t->cil ? " " : word);
	say(t, t->cil ? left : "");
	say(t, " ");
}

static char letter_of(uint32_t attr)
{
	return attr & CEXPR_USER ? 'u' : attr & CEXPR_ROLE ? 'r' : 't';
}

static void put_comparison(struct text_out *t, const struct policy_cexpr *e)
{
	static const struct { uint32_t attr; const char *left, *right; } levels[] = {
		{CEXPR_L1L2, "l1", "l2"}, {CEXPR_L1H2, "l1", "h2"}, {CEXPR_H1L2, "h1", "l2"},
		{CEXPR_H1H2, "h1", "h2"}, {CEXPR_L1H1, "l1", "h1"}, {CEXPR_L2H2, "l2", "h2"},
	};
	char left[] = {letter_of(e->attr), '1', 0}, right[] = {letter_of(e->attr), '2', 0};

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		if (e->attr != levels[i].attr)
			continue;
		put_left(t, levels[i].left, e->op);
		say(t, levels[i].right);
		return;
	}
	put_left(t, left, e->op);
	say(t, right);
}

static void put_braced(struct text_out *t, const struct text_table *table, const struct ebitmap *set)
{
	bool many = ebitmap_first(set) != ebitmap_last(set);

	if (many)
		say(t, t->cil ? "(" : "{ ");
	say_set(t, table, set);
	if (many)
		say(t, t->cil ? ")" : " }");
}

static void put_names(struct text_out *t, const struct policy_cexpr *e)
{
	enum set_form form = form_of(t, e);
	const struct text_table *table = e->attr & CEXPR_USER ? &t->users : e->attr & CEXPR_ROLE ? &t->roles : &t->types;
	const char *empty = e->attr & CEXPR_USER ? t->empty_user : e->attr & CEXPR_ROLE ? t->empty_role : t->empty_type;
	char left[] = {letter_of(e->attr), e->attr & CEXPR_XTARGET ? '3' : e->attr & CEXPR_TARGET ? '2' : '1', 0};

	if (form == SET_EMPTY && !empty) {
		empty = t->empty_role;
		*left = 'r';
	}
	put_left(t, left, e->op);
	if (form == SET_EMPTY)
		say(t, empty ? empty : "?");
	else
		put_braced(t, table, form == SET_NAMES ? &e->names : &e->type_set);
}

struct expr_data { struct text_out *t; const struct policy_constraint *constraint; };

/* The buffer is that of t. */
static void put_leaf(struct buffer *b, const void *data, uint32_t i)
{
	const struct expr_data *d = data;
	const struct policy_cexpr *e = &d->constraint->expr[i];

	(void)b;
	if (e->kind == CEXPR_ATTR)
		put_comparison(d->t, e);
	else
		put_names(d->t, e);
	say(d->t, d->t->cil ? ")" : "");
}

static void put_expression(struct text_out *t, const struct policy_constraint *c)
{
	static const struct expr_node conf[] = {
		[CEXPR_NOT] = {"not ", 1, EXPR_WRAP}, [CEXPR_AND] = {"and", 2, 0}, [CEXPR_OR] = {"or", 2, 0},
		[CEXPR_ATTR] = {NULL, 0, 0}, [CEXPR_NAMES] = {NULL, 0, 0},
	};
	static const struct expr_node cil[] = {
		[CEXPR_NOT] = {"not", 1, 0}, [CEXPR_AND] = {"and", 2, 0}, [CEXPR_OR] = {"or", 2, 0},
		[CEXPR_ATTR] = {NULL, 0, 0}, [CEXPR_NAMES] = {NULL, 0, 0},
	};
	struct expr_node *nodes = mem_alloc(((size_t)c->nexpr + 1) * sizeof *nodes);
	struct expr_data data = {t, c};
	bool binary;

	for (uint32_t i = 0; i < c->nexpr; i++) {
		uint32_t kind = c->expr[i].kind <= CEXPR_NAMES ? c->expr[i].kind : 0;

		nodes[i] = t->cil ? cil[kind] : conf[kind];
	}
	if (t->cil) {
		text_prefix(t->out, nodes, c->nexpr, put_leaf, &data);
	} else {
		binary = c->nexpr && nodes[c->nexpr - 1].operands == 2;
		say(t, binary ? "(" : "");
		text_infix(t->out, nodes, c->nexpr, put_leaf, &data);
		say(t, binary ? ")" : "");
	}
	free(nodes);
}

static bool put_constraint(struct text_out *t, uint32_t class, const struct policy_constraint *c, bool validate,
			   void *data)
{
	struct placement *p = data;

	if (stands_in_mls(t, p, c) != p->mls)
		return true;
	p->found = true;
	say(t, t->cil ? "(" : "");
	say(t, p->mls ? "mls" : "");
	say(t, validate ? "validatetrans " : "constrain ");
	say(t, t->cil && !validate ? "(" : "");
	say_name(t, &t->classes, class);
	if (!validate) {
		say(t, t->cil ? " (" : " { ");
		say_perms(t, class, c->perms);
		say(t, t->cil ? "))" : " }");
	}
	say(t, " ");
	put_expression(t, c);
	say(t, t->cil ? ")\n" : ";\n");
	return true;
}

/* A constraint on no permission: it is read, and makes nothing. */
static void put_no_constraint(struct text_out *t)
{
	const struct policy *p = t->policy;
	uint32_t v = 1;

	while (v <= p->classes.n && !p->classes.at[v].nperms)
		v++;
	if (v > p->classes.n) {
		text_fail(t, "an MLS policy without a permission");
		return;
	}
	say(t, "mlsconstrain ");
	say_name(t, &t->classes, v);
	say(t, " ~{ ");
	say_perms(t, v, UINT32_MAX);
	say(t, " } (l1 == l2);\n");
}

void say_constraints(struct text_out *t, bool mls)
{
	struct placement p = {.mls = mls};
	bool found = false;

	if (!t->cil && t->policy->mls) {
		each_constraint(t, is_mls_constraint, &found);
		p.any = !found;
	}
	each_constraint(t, put_constraint, &p);
	if (mls && !t->cil && !p.found)
		put_no_constraint(t);
}

/* ---- names for empty sets ---- */

static void name_empty_type(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < t->types.norder; i++) {
		const struct policy_type *type = &p->types.at[t->types.order[i]];

		if (type->kind == POLICY_ATTRIBUTE && ebitmap_empty(&type->types)) {
			t->empty_type = t->types.names[t->types.order[i]];
			return;
		}
	}
	t->empty_type = unused_name(t, &t->types, "no_types");
	t->empty_type_is_new = true;
	diag_warning(t->diags, "attribute-added", LOC_NONE,
		     "a constraint names an empty set of types; attribute `%s` is added to write it", t->empty_type);
}

static void name_empty_role(struct text_out *t)
{
	if (!t->empty_role)
		t->empty_role = unused_name(t, &t->roles, "no_roles");
}

static void name_empty_user(struct text_out *t)
{
	if (!t->cil)
		name_empty_role(t);
	else if (!t->empty_user)
		t->empty_user = unused_name(t, &t->users, "no_users");
}

static bool name_empty_sets_of(struct text_out *t, uint32_t class, const struct policy_constraint *c, bool validate,
			       void *data)
{
	(void)class, (void)validate, (void)data;
	for (uint32_t i = 0; i < c->nexpr; i++) {
		const struct policy_cexpr *e = &c->expr[i];

		if (e->kind != CEXPR_NAMES || form_of(t, e) != SET_EMPTY)
			continue;
		if (e->attr & CEXPR_USER)
			name_empty_user(t);
		else if (e->attr & CEXPR_ROLE)
			name_empty_role(t);
		else if (!t->empty_type)
			name_empty_type(t);
	}
	return true;
}

void name_empty_sets(struct text_out *t)
{
	each_constraint(t, name_empty_sets_of, NULL);
}

void name_empty_users(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->users.n; v++)
		if (p->users.at[v].name && ebitmap_empty(&p->users.at[v].roles))
			name_empty_role(t);
}
