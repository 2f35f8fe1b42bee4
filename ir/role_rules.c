/* Role allows and role transitions (language.md 9.11). */
#include <stdlib.h>

#include "ir/internal.h"
#include "ir/member.h"

/* ---- allow R1 R2 ---- */

static int compare_allows(const void *x, const void *y)
{
	const struct policy_role_allow *a = x, *b = y;

	if (a->role != b->role)
		return a->role < b->role ? -1 : 1;
	return a->result < b->result ? -1 : a->result > b->result;
}

static void lower_role_allows(struct compile *c)
{
	VEC(struct policy_role_allow) list = {0};
	struct policy *p = c->policy;

	for (uint32_t i = 0; i < c->ast->role_allows.n; i++) {
		const struct ast_role_allow *a = &c->ast->role_allows.at[i];
		bool from_good = check_role_set(c, a->from, a->block), to_good = check_role_set(c, a->to, a->block);
		struct ebitmap from = {0}, to = {0};

		if (!from_good || !to_good || !c->live[a->block])
			continue;
		roles_of(c, a->from, &from);
		roles_of(c, a->to, &to);
		ebitmap_for_each(&from, role)
			ebitmap_for_each(&to, result)
				*vec_push(&list) = (struct policy_role_allow){role + 1, result + 1};
		ebitmap_free(&from);
		ebitmap_free(&to);
	}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, compare_allows);
	p->role_allows.at = arena_alloc(&p->arena, list.n * sizeof *list.at);
	for (uint32_t i = 0; i < list.n; i++)
		if (!i || compare_allows(&list.at[i - 1], &list.at[i]))
			p->role_allows.at[p->role_allows.n++] = list.at[i];
	vec_free(&list);
}

/* ---- role_transition ---- */

/* One transition with the statement that made it. */
struct transition {
	struct policy_role_trans t;
	const struct ast_role_trans *from;
};

typedef VEC(struct transition) transitions;

static int compare_keys(const struct policy_role_trans *a, const struct policy_role_trans *b)
{
	if (a->role != b->role)
		return a->role < b->role ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return a->class < b->class ? -1 : a->class > b->class;
}

static int compare_transitions(const void *x, const void *y)
{
	const struct transition *a = x, *b = y;
	int order = compare_keys(&a->t, &b->t);

	return order ? order : a->from->loc.begin < b->from->loc.begin ? -1 : a->from->loc.begin > b->from->loc.begin;
}

/* Of a symbol by value, be it in the policy or not. */
static const char *symbol_name(const struct compile *c, enum symbol_kind kind, uint32_t value)
{
	const struct symbols *table = &c->symbols[kind];

	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].value == value && table->at.at[i].flavour != FLAVOUR_ALIAS)
			return name_text(c, table->at.at[i].name);
	return "?";
}

/* Says by which role attribute of a statement a role comes into it. */
static void note_role(struct compile *c, const struct transition *t)
{
	uint32_t one, role = t->t.role;
	struct ast_set set = ast_set_of(c->ast, t->from->roles, &one);
	const struct symbol *through = NULL;

	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_ROLE, set.items[i] & ~AST_MINUS);

		if (s && s->value == role)
			return;
		if (s && s->flavour == FLAVOUR_ATTRIBUTE && ebitmap_test(&c->roles[s->value].members, role - 1))
			through = s;
	}
	if (through)
		diag_note(c->diags, item_loc(c, t->from->roles, through->name), "`%s` comes in by the role attribute `%s`",
			  symbol_name(c, SYM_ROLE, role), name_text(c, through->name));
}

static void note_statements(struct compile *c, const struct transition *before, const struct transition *now)
{
	struct noted noted = {0};

	note_role(c, now);
	note_membership(c, now->from->types, now->t.type, &noted);
	diag_note(c->diags, before->from->loc, "the other statement is here, with the result `%s`",
		  symbol_name(c, SYM_ROLE, before->t.result));
	note_role(c, before);
	note_membership(c, before->from->types, before->t.type, &noted);
}

/* A key that two statements of a module give, be it with one result, is an
 * error, also in blocks that are off: here roles are as written, types by the
 * memberships of its outermost block. */
static bool check_repeats(struct compile *c, const transitions *list)
{
	const struct ast_role_trans *reported = NULL;

	for (uint32_t i = 1; i < list->n; i++) {
		const struct transition *before = &list->at[i - 1], *now = &list->at[i];

		if (before->from == now->from || compare_keys(&before->t, &now->t) || reported == now->from ||
		    module_of(c, before->from->block) != module_of(c, now->from->block))
			continue;
		reported = now->from;
		diag_error(c->diags, "duplicate-role-transition", now->from->loc,
			   "there already is a role_transition of `%s` on `%s`:`%s`", symbol_name(c, SYM_ROLE, now->t.role),
			   symbol_name(c, SYM_TYPE, now->t.type), c->policy->classes.at[now->t.class].name);
		note_statements(c, before, now);
	}
	return !reported;
}

/* After role attributes are expanded an overlap is fine when both agree. */
static void keep_transitions(struct compile *c, const transitions *list)
{
	const struct ast_role_trans *reported = NULL;
	struct policy *p = c->policy;

	p->role_trans.at = arena_alloc(&p->arena, list->n * sizeof *p->role_trans.at);
	for (uint32_t i = 0; i < list->n; i++) {
		const struct transition *now = &list->at[i];

		if (!i || compare_keys(&list->at[i - 1].t, &now->t)) {
			p->role_trans.at[p->role_trans.n++] = now->t;
		} else if (list->at[i - 1].t.result != now->t.result && reported != now->from) {
			reported = now->from;
			diag_error(c->diags, "role-transition-conflict", now->from->loc,
				   "conflicting role_transition of `%s` on `%s`:`%s`: the result is `%s`, and elsewhere `%s`",
				   p->roles.at[now->t.role].name, p->types.at[now->t.type].name,
				   p->classes.at[now->t.class].name, p->roles.at[now->t.result].name,
				   p->roles.at[list->at[i - 1].t.result].name);
			note_statements(c, &list->at[i - 1], now);
		}
	}
}

static struct class_list trans_classes(struct compile *c, const struct ast_role_trans *a)
{
	if (a->classes.id)
		return classes_of(c, a->classes, a->block);
	if (process_class_in(c, a->block))
		return (struct class_list){&c->process_class, 1};
	diag_error(c->diags, "unknown-class", a->loc, "role_transition means class `process`, which is not declared");
	return (struct class_list){0};
}

/* The new role must be one role. */
static const struct symbol *result_of(struct compile *c, const struct ast_role_trans *a)
{
	const struct symbol *s = symbol_use(c, SYM_ROLE, a->result, a->block);

	if (!s || s->flavour == FLAVOUR_PLAIN)
		return s;
	diag_error(c->diags, "attribute-as-role", ast_name_loc(c->atoms, a->result),
		   "`%s` is a role attribute, and the new role must be a role", name_text(c, a->result.atom));
	return NULL;
}

static void add_transitions(transitions *list, const struct ebitmap *roles, const struct ebitmap *types,
			    struct class_list classes, uint32_t result, const struct ast_role_trans *from)
{
	ebitmap_for_each(roles, role)
		ebitmap_for_each(types, type)
			for (uint32_t i = 0; i < classes.n; i++)
				*vec_push(list) = (struct transition){
					.t = {role + 1, type + 1, classes.at[i], result}, .from = from};
}

/* Roles and role attributes by their own values. */
static void roles_as_written(struct compile *c, struct ast_names names, struct ebitmap *roles)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_ROLE, set.items[i] & ~AST_MINUS);

		if (s && s->value)
			ebitmap_set(roles, s->value - 1);
	}
}

static void lower_role_transitions(struct compile *c)
{
	transitions written = {0}, live = {0};

	for (uint32_t i = 0; i < c->ast->role_trans.n; i++) {
		const struct ast_role_trans *a = &c->ast->role_trans.at[i];
		bool roles_good = check_role_set(c, a->roles, a->block);
		bool types_good = check_type_set(c, a->types, a->block, 0);
		struct class_list classes = trans_classes(c, a);
		const struct symbol *result = result_of(c, a);
		struct ebitmap roles = {0}, types = {0};

		if (!roles_good || !types_good || !result)
			continue;
		roles_as_written(c, a->roles, &roles);
		use_memberships(c, a->block);
		types_of(c, a->types, true, &types);
		add_transitions(&written, &roles, &types, classes, result->value, a);
		if (c->live[a->block]) {
			roles_of(c, a->roles, &roles);
			types_of(c, a->types, false, &types);
			if (!ebitmap_empty(&roles) && !ebitmap_empty(&types) && symbol_in_policy(c, result, a->result, a->block))
				add_transitions(&live, &roles, &types, classes, result->value, a);
		}
		ebitmap_free(&roles);
		ebitmap_free(&types);
	}
	if (written.n)
		qsort(written.at, written.n, sizeof *written.at, compare_transitions);
	if (live.n)
		qsort(live.at, live.n, sizeof *live.at, compare_transitions);
	if (check_repeats(c, &written))
		keep_transitions(c, &live);
	vec_free(&written);
	vec_free(&live);
}

void lower_role_rules(struct compile *c)
{
	lower_role_allows(c);
	lower_role_transitions(c);
}
