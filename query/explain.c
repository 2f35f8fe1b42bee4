#include "query/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "query/near_rules.h"
#include "query/text.h"
#include "query/ways.h"
#include "security/constraint.h"
#include "security/level.h"

struct explainer {
	const struct server *server;
	const struct policy *policy;
	const struct explain_source *source;
	struct explanation *to;
	uint32_t depth;
};

/* ---- words ---- */

const char *reason_name(enum reason_kind kind)
{
	static const char *const names[] = {
		[REASON_RULE] = "rule", [REASON_XPERM] = "xperm-rule", [REASON_NO_RULE] = "no-rule",
		[REASON_BOOLEAN] = "boolean", [REASON_NO_XPERM] = "no-xperm", [REASON_CONSTRAINT] = "constraint",
		[REASON_ROLE] = "role", [REASON_BOUNDS] = "bounds", [REASON_UNKNOWN] = "unknown",
		[REASON_TRANSITION] = "validatetrans", [REASON_TERM] = "term", [REASON_WAY_OUT] = "way-out",
		[REASON_PLACE] = "place",
	};

	return names[kind];
}

void explain_put_perms(struct buffer *b, const struct policy_class *class, uint32_t perms)
{
	put_perms(b, class, perms);
}

__attribute__((format(printf, 6, 7)))
static void give(struct explainer *x, enum reason_kind kind, uint32_t depth, uint32_t perms, struct loc loc, const char *fmt,
		 ...)
{
	va_list args, again;
	char *text;
	int n;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	text = arena_alloc(&x->to->arena, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(args);
	va_end(again);
	*vec_push(&x->to->reasons) = (struct reason){kind, x->depth + depth, perms, loc, text};
}

static void put_pair(struct buffer *b, const struct policy *p, const struct explain_question *q)
{
	text_put(b, "`");
	dump_type(b, p, q->source->type);
	text_put(b, "` `");
	dump_type(b, p, q->target->type);
	text_put(b, "`:`");
	dump_class(b, p, q->class);
	text_put(b, "`");
}

/* ---- rules ---- */

struct found_rules {
	VEC(struct rule_found) all;
};

static void keep_rule(void *data, const struct rule_found *found)
{
	struct found_rules *rules = data;

	*vec_push(&rules->all) = *found;
}

/* Unconditional ones first, then by what they name; a key occurs once in a list. */
static int compare_found(const void *a, const void *b)
{
	const struct rule_found *x = a, *y = b;
	uint32_t left[] = {x->cond + 1, x->no, x->rule.source, x->rule.target, x->rule.kind, x->rule.data};
	uint32_t right[] = {y->cond + 1, y->no, y->rule.source, y->rule.target, y->rule.kind, y->rule.data};

	for (size_t i = 0; i < sizeof left / sizeof *left; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

static void find_rules(const struct explainer *x, const struct explain_question *q, struct found_rules *ret)
{
	decide_find_rules(x->server->decider, x->server->state, q->source->type, q->target->type, q->class, keep_rule, ret);
	if (ret->all.n)
		qsort(ret->all.at, ret->all.n, sizeof *ret->all.at, compare_found);
}

static void put_rule_found(struct buffer *b, const struct policy *p, const struct rule_found *found)
{
	put_rule(b, p, &found->rule);
	text_put(b, ";");
	if (found->cond == DECIDE_ALWAYS)
		return;
	text_put(b, " [ ");
	text_cond(b, p, &p->conds.at[found->cond]);
	text_put(b, found->no ? " ]:False" : " ]:True");
}

/* The statements of the source behind the rules that were just given. */
static void give_places(struct explainer *x, const struct explain_question *q, uint32_t perms, bool xperm)
{
	struct diags notes = {0};

	if (!x->source->rules)
		return;
	diag_error(&notes, "no-label", LOC_NONE, "%s", ""); /* notes need a finding */
	ir_note_rules(x->source->rules, &notes, q->source->type, q->target->type, q->class, perms, xperm);
	for (uint32_t i = 1; i < notes.list.n; i++)
		give(x, REASON_PLACE, 1, perms, notes.list.at[i].loc, "%s", notes.list.at[i].text);
	diags_free(&notes);
}

static void give_granting(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	struct found_rules rules = {0};
	struct buffer b = {0};

	find_rules(x, q, &rules);
	for (uint32_t i = 0; i < rules.all.n; i++) {
		const struct rule_found *found = &rules.all.at[i];

		if (found->rule.kind != AV_ALLOWED || !found->active || !(found->rule.data & perms))
			continue;
		b.n = 0;
		put_rule_found(&b, x->policy, found);
		give(x, REASON_RULE, 0, found->rule.data & perms, LOC_NONE, "%s", text_of(&b));
	}
	give_places(x, q, perms, false);
	buffer_free(&b);
	vec_free(&rules.all);
}

/* ---- booleans ---- */

/* Those of a conditional, each once. */
enum { MAX_SWITCHES = 8 };

struct switches { uint32_t n, at[COND_MAX_DEPTH * 4]; };

static struct switches switches_of(const struct policy_cond *cond)
{
	struct switches all = {0};

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		uint32_t k = 0;

		if (cond->expr[i].kind != COND_BOOL)
			continue;
		while (k < all.n && all.at[k] != cond->expr[i].boolean)
			k++;
		if (k == all.n && all.n < sizeof all.at / sizeof *all.at)
			all.at[all.n++] = cond->expr[i].boolean;
	}
	return all;
}

static void put_states(struct buffer *b, const struct explainer *x, const struct switches *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		text_printf(b, "%s`%s` is %s", i ? ", " : "", x->policy->bools.at[all->at[i]].name,
			    bool_state_get(x->server->state, all->at[i]) ? "on" : "off");
}

static uint32_t bits_in(uint32_t set)
{
	uint32_t n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

static bool turns_on(struct explainer *x, const struct rule_found *found, const struct switches *all, uint32_t set)
{
	struct bool_state *state = bool_state_copy(x->server->state);
	bool on;

	for (uint32_t i = 0; i < all->n; i++)
		if (set >> i & 1)
			bool_state_set(state, all->at[i], !bool_state_get(state, all->at[i]));
	on = bool_state_cond(state, found->cond) != found->no;
	bool_state_free(state);
	return on;
}

/* The fewest booleans that turn the rule on, the first such set; 0 when there is
 * none, or there are too many to try. */
static uint32_t fewest(struct explainer *x, const struct rule_found *found, const struct switches *all)
{
	uint32_t best = 0;

	for (uint32_t set = 1; all->n <= MAX_SWITCHES && set < UINT32_C(1) << all->n; set++)
		if ((!best || bits_in(set) < bits_in(best)) && turns_on(x, found, all, set))
			best = set;
	return best;
}

static void give_switch(struct explainer *x, const struct rule_found *found, const struct switches *all, uint32_t perms)
{
	uint32_t set = fewest(x, found, all);
	struct buffer b = {0};

	for (uint32_t i = 0; i < all->n; i++)
		if (set >> i & 1)
			text_printf(&b, "%s`%s` %s", b.n ? ", " : "", x->policy->bools.at[all->at[i]].name,
				    bool_state_get(x->server->state, all->at[i]) ? "off" : "on");
	if (b.n)
		give(x, REASON_WAY_OUT, 1, perms, LOC_NONE, "turn %s", text_of(&b));
	buffer_free(&b);
}

/* Returns the permissions that rules which are off would give. */
static uint32_t give_switched_off(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	struct found_rules rules = {0};
	struct buffer b = {0};
	uint32_t given = 0;

	find_rules(x, q, &rules);
	for (uint32_t i = 0; i < rules.all.n; i++) {
		const struct rule_found *found = &rules.all.at[i];
		uint32_t lacking = found->rule.data & perms;
		struct switches all;

		if (found->rule.kind != AV_ALLOWED || found->active || !lacking)
			continue;
		all = switches_of(&x->policy->conds.at[found->cond]);
		given |= lacking;
		b.n = 0;
		text_put(&b, "this rule is off: ");
		put_rule_found(&b, x->policy, found);
		text_put(&b, "; ");
		put_states(&b, x, &all);
		give(x, REASON_BOOLEAN, 0, lacking, LOC_NONE, "%s", text_of(&b));
		give_switch(x, found, &all, lacking);
	}
	if (given)
		give_places(x, q, given, false);
	buffer_free(&b);
	vec_free(&rules.all);
	return given;
}

/* ---- constraints ---- */

struct levels { const struct policy_level *left, *right; const char *left_name, *right_name; };

static struct levels levels_of(const struct policy_cexpr *leaf, const struct policy_context *s, const struct policy_context *t)
{
	switch (leaf->attr) {
	case CEXPR_L1L2: return (struct levels){&s->range.low, &t->range.low, "l1", "l2"};
	case CEXPR_L1H2: return (struct levels){&s->range.low, &t->range.high, "l1", "h2"};
	case CEXPR_H1L2: return (struct levels){&s->range.high, &t->range.low, "h1", "l2"};
	case CEXPR_H1H2: return (struct levels){&s->range.high, &t->range.high, "h1", "h2"};
	case CEXPR_L1H1: return (struct levels){&s->range.low, &s->range.high, "l1", "h1"};
	case CEXPR_L2H2: return (struct levels){&t->range.low, &t->range.high, "l2", "h2"};
	default: return (struct levels){0};
	}
}

/* The nearest levels that make a comparison hold, one side changed. */
static void put_levels_wanted(struct buffer *b, const struct policy *p, struct levels l, uint32_t op)
{
	struct policy_level left = {0}, right = {0};

	switch (op) {
	case CEXPR_EQ:
		policy_level_copy(&left, l.right);
		policy_level_copy(&right, l.left);
		break;
	case CEXPR_DOM:
		level_lub(l.left, l.right, &left);
		level_glb(l.left, l.right, &right);
		break;
	case CEXPR_DOMBY:
		level_glb(l.left, l.right, &left);
		level_lub(l.left, l.right, &right);
		break;
	default: return;
	}
	text_printf(b, "%s `", l.left_name);
	text_level(b, p, &left);
	text_printf(b, "`, or %s `", l.right_name);
	text_level(b, p, &right);
	text_put(b, "`");
	ebitmap_free(&left.cats);
	ebitmap_free(&right.cats);
}

static void put_names_wanted(struct buffer *b, const struct policy *p, const struct policy_cexpr *leaf)
{
	const char *side = leaf->attr & CEXPR_XTARGET ? "3" : leaf->attr & CEXPR_TARGET ? "2" : "1";

	if (leaf->op != CEXPR_EQ)
		return;
	if (leaf->attr & CEXPR_USER) {
		text_printf(b, "u%s of ", side);
		dump_set(b, p, &leaf->names, dump_user);
	} else if (leaf->attr & CEXPR_ROLE) {
		text_printf(b, "r%s of ", side);
		dump_set(b, p, &leaf->names, dump_role);
	} else {
		text_printf(b, "t%s of ", side);
		dump_set(b, p, ebitmap_empty(&leaf->type_set) ? &leaf->names : &leaf->type_set, dump_type);
	}
}

static void give_way_out(struct explainer *x, const struct policy_cexpr *leaf, const struct policy_context *s,
			 const struct policy_context *t, uint32_t perms)
{
	struct buffer b = {0};
	struct levels levels = levels_of(leaf, s, t);

	if (leaf->kind == CEXPR_NAMES)
		put_names_wanted(&b, x->policy, leaf);
	else if (levels.left)
		put_levels_wanted(&b, x->policy, levels, leaf->op);
	if (b.n)
		give(x, REASON_WAY_OUT, 2, perms, LOC_NONE, "it would hold with %s", text_of(&b));
	buffer_free(&b);
}

static bool compares_levels(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++)
		if (c->expr[i].kind == CEXPR_ATTR && c->expr[i].attr >= CEXPR_L1L2)
			return true;
	return false;
}

/* Below a `not` a term has to fail: then no way out is given. */
static void give_terms(struct explainer *x, const struct policy_constraint *c, const struct policy_context *s,
		       const struct policy_context *t, const struct policy_context *third, uint32_t perms)
{
	struct constraint_term *terms = mem_zalloc(c->nexpr, sizeof *terms);
	struct buffer b = {0};

	constraint_explain(x->policy, c, s, t, third, terms);
	for (uint32_t i = 0; i < c->nexpr; i++) {
		const struct policy_cexpr *leaf = &c->expr[i];

		if (!terms[i].decides || (leaf->kind != CEXPR_ATTR && leaf->kind != CEXPR_NAMES))
			continue;
		b.n = 0;
		dump_term(&b, x->policy, leaf);
		text_put(&b, terms[i].value ? " holds: " : " does not hold: ");
		constraint_put_values(&b, x->policy, leaf, s, t, third);
		give(x, REASON_TERM, 1, perms, LOC_NONE, "%s", text_of(&b));
		if (!terms[i].value)
			give_way_out(x, leaf, s, t, perms);
	}
	b.n = 0;
	put_ways(&b, x->policy, c, terms);
	if (b.n)
		give(x, REASON_WAY_OUT, 1, perms, LOC_NONE, "the whole holds with %s", text_of(&b));
	buffer_free(&b);
	free(terms);
}

static void put_statement(struct buffer *b, const struct policy *p, uint32_t class, const struct policy_constraint *c,
			  const char *word)
{
	text_printf(b, "%s%s ", compares_levels(c) ? "mls" : "", word);
	dump_class(b, p, class);
	if (c->perms) {
		text_put(b, " ");
		text_perms(b, &p->classes.at[class], c->perms);
	}
	text_put(b, " ");
	dump_expression(b, p, c);
	text_put(b, ";");
}

/* The permissions asked for that constraints deny. */
static void give_constraints(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	const struct policy_class *class = &x->policy->classes.at[q->class];
	struct buffer b = {0};

	for (uint32_t i = 0; i < class->constraints.n; i++) {
		const struct policy_constraint *c = &class->constraints.at[i];

		if (!(c->perms & perms) || constraint_holds(x->policy, c, q->source, q->target, NULL))
			continue;
		b.n = 0;
		put_statement(&b, x->policy, q->class, c, "constrain");
		give(x, REASON_CONSTRAINT, 0, c->perms & perms, place_constraint(x->source->places, q->class, false, i),
		     "this does not hold: %s", text_of(&b));
		give_terms(x, c, q->source, q->target, NULL, c->perms & perms);
	}
	buffer_free(&b);
}

void explain_transition(const struct server *server, const struct explain_source *source,
			const struct policy_context *before, const struct policy_context *after, uint32_t class,
			const struct policy_context *task, uint32_t failed, struct explanation *ret)
{
	struct explainer x = {.server = server, .policy = server->policy, .source = source, .to = ret};
	const struct policy_constraint *c = &server->policy->classes.at[class].validatetrans.at[failed];
	struct buffer b = {0};

	put_statement(&b, x.policy, class, c, "validatetrans");
	give(&x, REASON_TRANSITION, 0, 0, place_constraint(source->places, class, true, failed), "this does not hold: %s",
	     text_of(&b));
	give_terms(&x, c, before, after, task, 0);
	buffer_free(&b);
}

/* ---- roles and bounds ---- */

static void give_role(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	const struct policy *p = x->policy;

	perms &= decide_role_perms(x->server->decider, q->class);
	if (!perms || decide_role_allowed(x->server->decider, q->source->role, q->target->role))
		return;
	give(x, REASON_ROLE, 0, perms, LOC_NONE, "no rule allows the change of role: allow %s %s;",
	     p->roles.at[q->source->role].name, p->roles.at[q->target->role].name);
}

static void explain_denied(struct explainer *x, const struct explain_question *q, uint32_t perms);

/* The same question about the parents. */
static void give_bounds(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	const struct policy *p = x->policy;
	uint32_t parent = p->types.at[q->source->type].bounds, target_parent = p->types.at[q->target->type].bounds;
	struct policy_context source = *q->source, target = *q->target;
	struct explain_question up = *q;
	struct decision decision;

	source.type = parent;
	if (target_parent)
		target.type = target_parent;
	up.source = &source;
	up.target = &target;
	decide_access(x->server->decider, x->server->state, &source, &target, q->class, &decision);
	perms &= ~decision.allowed;
	if (!perms)
		return;
	give(x, REASON_BOUNDS, 0, perms, place_type(x->source->places, q->source->type),
	     "`%s` is bounded by `%s`, which may not do it to `%s`", p->types.at[q->source->type].name, p->types.at[parent].name,
	     p->types.at[target.type].name);
	if (x->depth >= 4)
		return; /* a loop, which no kernel loads */
	x->depth++;
	explain_denied(x, &up, perms);
	x->depth--;
}

/* ---- no rule ---- */

static void put_wanted(struct buffer *b, const struct policy *p, const char *word, const struct explain_question *q)
{
	text_printf(b, "%s %s %s:%s ", word, p->types.at[q->source->type].name,
		    q->source->type == q->target->type ? "self" : p->types.at[q->target->type].name, p->classes.at[q->class].name);
}

static void give_near(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	const struct policy_type *types = x->policy->types.at;
	struct near_rules near;

	near_rules_find(x->policy, q->source->type, q->target->type, q->class, perms, &near);
	for (int i = 0; i < NEAR_RULES && near.source[i]; i++)
		give(x, REASON_WAY_OUT, 1, perms, LOC_NONE, "types of `%s` may do it to `%s`", types[near.source[i]->source].name,
		     types[near.source[i]->target].name);
	for (int i = 0; i < NEAR_RULES && near.target[i]; i++)
		give(x, REASON_WAY_OUT, 1, perms, LOC_NONE, "it may do it to types of `%s`", types[near.target[i]->target].name);
}

static void give_no_rule(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	struct buffer b = {0};

	put_pair(&b, x->policy, q);
	give(x, REASON_NO_RULE, 0, perms, LOC_NONE, "no rule allows it to %s", text_of(&b));
	b.n = 0;
	put_wanted(&b, x->policy, "allow", q);
	put_perms(&b, &x->policy->classes.at[q->class], perms);
	give(x, REASON_WAY_OUT, 1, perms, LOC_NONE, "this rule would: %s;", text_of(&b));
	give_near(x, q, perms);
	buffer_free(&b);
}

/* ---- access ---- */

static void explain_denied(struct explainer *x, const struct explain_question *q, uint32_t perms)
{
	struct decision types;
	uint32_t lacking;

	decide_by_types(x->server->decider, x->server->state, q->source->type, q->target->type, q->class, &types);
	lacking = perms & ~types.allowed;
	if (lacking) {
		uint32_t none = lacking & ~give_switched_off(x, q, lacking);

		if (none)
			give_no_rule(x, q, none);
	}
	give_constraints(x, q, perms);
	give_role(x, q, perms);
	if (x->policy->types.at[q->source->type].bounds)
		give_bounds(x, q, perms & types.allowed);
}

static void explain_xperm(struct explainer *x, const struct explain_question *q)
{
	struct found_rules rules = {0};
	struct buffer b = {0};
	bool granted = decide_xperm(x->server->decider, x->server->state, q->source->type, q->target->type, q->class,
				    (enum xperm_base)q->base, q->number);
	uint32_t n = 0;

	find_rules(x, q, &rules);
	for (uint32_t i = 0; i < rules.all.n; i++) {
		const struct rule_found *found = &rules.all.at[i];

		if (found->rule.kind != AV_XALLOWED || !found->active ||
		    (x->policy->xperms.at[found->rule.data].specified == XPERM_NLMSG) != (q->base == XPERM_BASE_NLMSG))
			continue;
		b.n = 0;
		put_rule_found(&b, x->policy, found);
		if (granted) {
			struct ebitmap values = {0};

			xperm_values(&x->policy->xperms.at[found->rule.data], &values);
			if (ebitmap_test(&values, q->number))
				give(x, REASON_XPERM, 0, q->perms, LOC_NONE, "%s", text_of(&b));
			ebitmap_free(&values);
		} else {
			give(x, REASON_NO_XPERM, 0, q->perms, LOC_NONE, "0x%04x is not in: %s", q->number, text_of(&b));
		}
		n++;
	}
	if (!granted) {
		if (!n)
			give(x, REASON_NO_XPERM, 0, q->perms, LOC_NONE,
			     "there are rules of extended permissions for the pair, and none that allows 0x%04x", q->number);
		b.n = 0;
		put_wanted(&b, x->policy, "allowxperm", q);
		give(x, REASON_WAY_OUT, 1, q->perms, LOC_NONE, "this rule would: %s%s 0x%04x;", text_of(&b),
		     q->base == XPERM_BASE_NLMSG ? "nlmsg" : "ioctl", q->number);
		x->to->granted = 0;
	} else {
		give_places(x, q, q->perms, true);
	}
	buffer_free(&b);
	vec_free(&rules.all);
}

void explain_access(const struct server *server, const struct explain_source *source,
		    const struct explain_question *question, struct explanation *ret)
{
	struct explainer x = {.server = server, .policy = server->policy, .source = source, .to = ret};
	uint32_t denied;

	decide_access(server->decider, server->state, question->source, question->target, question->class, &ret->decision);
	ret->granted = question->perms & ret->decision.allowed;
	denied = question->perms & ~ret->decision.allowed;
	if (ret->granted)
		give_granting(&x, question, ret->granted);
	if (ret->granted && question->base)
		explain_xperm(&x, question);
	if (denied)
		explain_denied(&x, question, denied);
}

void explanation_free(struct explanation *explanation)
{
	vec_free(&explanation->reasons);
	arena_free(&explanation->arena);
	*explanation = (struct explanation){0};
}
