/* The rules of a module in CIL, as they were written.  A rule on several types
 * is one for each of them. */
#include <string.h>

#include "backend/cil_module.h"

/* ---- rules ---- */

static const char *keyword(uint32_t kind)
{
	switch (kind) {
	case MODULE_ALLOW:
		return "(allow ";
	case MODULE_AUDITALLOW:
		return "(auditallow ";
	case MODULE_DONTAUDIT:
		return "(dontaudit ";
	case MODULE_NEVERALLOW:
		return "(neverallow ";
	case MODULE_TRANSITION:
		return "(typetransition ";
	case MODULE_MEMBER:
		return "(typemember ";
	case MODULE_CHANGE:
		return "(typechange ";
	case MODULE_XALLOW:
		return "(allowx ";
	case MODULE_XAUDITALLOW:
		return "(auditallowx ";
	case MODULE_XDONTAUDIT:
		return "(dontauditx ";
	default:
		return "(neverallowx ";
	}
}

/* What a rule says of a class, behind the types. */
static void put_perms(struct cil_module *c, const struct module_rule *rule, struct module_perms perms)
{
	struct text_out *t = &c->m.t;
	struct ebitmap values = {0};

	if (rule->kind & MODULE_X) {
		xperm_values(rule->xperms, &values);
		say(t, rule->xperms->specified == XPERM_NLMSG ? " (nlmsg " : " (ioctl ");
	} else {
		say(t, rule->kind & MODULE_AV ? " (" : " ");
	}
	say_name(t, &t->classes, perms.class);
	if (rule->kind & MODULE_TE) {
		say(t, " ");
		say_name(t, &t->types, perms.data);
		say(t, ")\n");
		return;
	}
	say(t, " (");
	if (rule->kind & MODULE_X)
		say_values(t, &values);
	else
		say_perms(t, perms.class, perms.data);
	say(t, ")))\n");
	ebitmap_free(&values);
}

static void put_rule_on(struct cil_module *c, const struct module_rule *rule, const char *source, const char *target,
			const char *indent)
{
	for (uint32_t i = 0; i < rule->perms.n; i++) {
		if (rule->kind & MODULE_AV && !declared_perms(c->m.t.policy, rule->perms.at[i].class, rule->perms.at[i].data))
			continue;
		say(&c->m.t, indent);
		say(&c->m.t, keyword(rule->kind));
		say(&c->m.t, source);
		say(&c->m.t, " ");
		say(&c->m.t, target);
		put_perms(c, rule, rule->perms.at[i]);
	}
}

static bool has_targets(const struct module_rule *rule)
{
	return !type_set_empty(&rule->targets) && !(rule->flags & MODULE_RULE_NOTSELF);
}

/* A rule about no type says nothing. */
static bool says_nothing(const struct module_rule *rule)
{
	return type_set_empty(&rule->sources) || (type_set_empty(&rule->targets) && !rule->flags);
}

/* `~self` and `{ * -self }` are notself, which is all there is. */
static bool check_rule(struct cil_module *c, const struct module_rule *rule)
{
	if (rule->kind == MODULE_AUDITDENY)
		text_fail_at(&c->m.t, rule->loc, "an auditdeny rule");
	else if (rule->flags & MODULE_RULE_NOTSELF && (rule->targets.types.n || rule->targets.negset.n))
		text_fail_at(&c->m.t, rule->loc, "a neverallow rule on some types and not on self");
	else
		return true;
	return false;
}

enum { MARKED = MODULE_ALLOW | MODULE_XALLOW | MODULE_NEVERALLOW | MODULE_XNEVERALLOW };

/* secilc takes no marks in conditionals.  CIL has no quote within quotes: a file
 * with one in its name has no marks. */
static bool put_mark(struct cil_module *c, const struct module_rule *rule)
{
	struct place place;

	if (!c->marks || c->in_cond || !(rule->kind & MARKED) || rule->loc.begin == LOC_NONE.begin)
		return false;
	place = place_of(c->marks, &c->cursor, rule->loc.begin);
	if (memchr(place.file, '"', place.file_len))
		return false;
	text_printf(c->m.t.out, ";;* lmx %u \"%.*s\"\n", place.line, (int)place.file_len, place.file);
	return true;
}

static void put_rule(struct cil_module *c, const struct module_rule *rule, const char *indent)
{
	struct cil_names sources = cil_types(c, &rule->sources), targets = {0};
	bool marked;

	if (has_targets(rule))
		targets = cil_types(c, &rule->targets);
	marked = put_mark(c, rule); /* behind the attributes that the sets may have made */
	for (uint32_t s = 0; s < sources.n; s++) {
		for (uint32_t t = 0; t < targets.n; t++)
			put_rule_on(c, rule, cil_name(c, &sources, s), cil_name(c, &targets, t), indent);
		if (rule->flags)
			put_rule_on(c, rule, cil_name(c, &sources, s), rule->flags & MODULE_RULE_SELF ? "self" : "notself", indent);
	}
	if (marked)
		say(&c->m.t, ";;* lme\n");
}

static void put_rules(struct cil_module *c, const module_rules *rules, const char *indent)
{
	for (uint32_t i = 0; i < rules->n; i++)
		if (!says_nothing(&rules->at[i]) && check_rule(c, &rules->at[i]))
			put_rule(c, &rules->at[i], indent);
}

/* ---- conditionals ---- */

/* No attribute can be declared in a conditional. */
static void name_sets(struct cil_module *c, const module_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		if (says_nothing(&rules->at[i]))
			continue;
		cil_types(c, &rules->at[i].sources);
		if (!type_set_empty(&rules->at[i].targets))
			cil_types(c, &rules->at[i].targets);
	}
}

/* CIL has no branches without rules. */
static void put_branch(struct cil_module *c, const char *name, const module_rules *rules)
{
	size_t start = c->m.t.out->n, behind;

	cil_line(c, "    (%s\n", name);
	behind = c->m.t.out->n;
	put_rules(c, rules, is_global(c) ? "        " : "            ");
	if (c->m.t.out->n == behind)
		c->m.t.out->n = start;
	else
		cil_line(c, "    )\n");
}

static void put_cond(struct cil_module *c, const struct module_cond *cond)
{
	struct text_out *t = &c->m.t;
	size_t start, behind;
	bool tunable = false;

	for (uint32_t i = 0; i < cond->nexpr; i++)
		if (cond->expr[i].kind == COND_BOOL)
			tunable |= c->m.module->tunables.at[cond->expr[i].boolean];
	name_sets(c, &cond->yes);
	name_sets(c, &cond->no);
	start = t->out->n;
	cil_line(c, tunable ? "(tunableif " : "(booleanif ");
	put_condition(t, &(struct policy_cond){.expr = cond->expr, .nexpr = cond->nexpr}, t->out);
	say(t, "\n");
	behind = t->out->n;
	c->in_cond = true;
	put_branch(c, "true", &cond->yes);
	put_branch(c, "false", &cond->no);
	c->in_cond = false;
	if (t->out->n == behind) {
		t->out->n = start;
		return;
	}
	cil_line(c, ")\n");
	for (uint32_t i = 0; i < cond->nexpr; i++)
		if (cond->expr[i].kind == COND_BOOL)
			ebitmap_set(&c->used_bools, cond->expr[i].boolean - 1);
}

/* ---- transitions and role allows ---- */

static void put_role_trans(struct cil_module *c, const struct module_role_trans *trans)
{
	struct text_out *t = &c->m.t;
	struct cil_names roles, types;

	if (type_set_empty(&trans->types))
		return;
	roles = cil_roles(c, &trans->roles);
	types = cil_types(c, &trans->types);
	for (uint32_t r = 0; r < roles.n; r++)
		for (uint32_t i = 0; i < types.n; i++)
			for (uint32_t k = 0; k < trans->classes.n; k++)
				cil_line(c, "(roletransition %s %s %s %s)\n", cil_name(c, &roles, r), cil_name(c, &types, i),
					 name_of(t, &t->classes, trans->classes.at[k]), name_of(t, &t->roles, trans->result));
}

static void put_role_allow(struct cil_module *c, const struct module_role_allow *allow)
{
	struct cil_names from = cil_roles(c, &allow->from), to = cil_roles(c, &allow->to);

	for (uint32_t i = 0; i < from.n; i++)
		for (uint32_t k = 0; k < to.n; k++)
			cil_line(c, "(roleallow %s %s)\n", cil_name(c, &from, i), cil_name(c, &to, k));
}

static void put_filename_trans_on(struct cil_module *c, const struct module_filename_trans *trans, const char *source,
				  const char *target)
{
	struct text_out *t = &c->m.t;

	cil_line(c, "(typetransition %s %s %s \"%s\" %s)\n", source, target, name_of(t, &t->classes, trans->class),
		 trans->name, name_of(t, &t->types, trans->result));
}

static void put_filename_trans(struct cil_module *c, const struct module_filename_trans *trans)
{
	struct cil_names sources, targets;

	if (type_set_empty(&trans->sources) || (type_set_empty(&trans->targets) && !trans->self))
		return;
	if (strpbrk(trans->name, "\"\n"))
		text_fail(&c->m.t, "a type transition for the name `%s`", trans->name);
	sources = cil_types(c, &trans->sources);
	targets = type_set_empty(&trans->targets) ? (struct cil_names){0} : cil_types(c, &trans->targets);
	for (uint32_t s = 0; s < sources.n; s++) {
		for (uint32_t i = 0; i < targets.n; i++)
			put_filename_trans_on(c, trans, cil_name(c, &sources, s), cil_name(c, &targets, i));
		if (trans->self)
			put_filename_trans_on(c, trans, cil_name(c, &sources, s), "self");
	}
}

static void put_range_trans(struct cil_module *c, const struct module_range_trans *trans)
{
	struct text_out *t = &c->m.t;
	struct cil_names sources, targets;

	if (type_set_empty(&trans->sources) || type_set_empty(&trans->targets))
		return;
	sources = cil_types(c, &trans->sources);
	targets = cil_types(c, &trans->targets);
	for (uint32_t s = 0; s < sources.n; s++)
		for (uint32_t i = 0; i < targets.n; i++)
			for (uint32_t k = 0; k < trans->classes.n; k++) {
				cil_line(c, "(rangetransition %s %s %s ", cil_name(c, &sources, s), cil_name(c, &targets, i),
					 name_of(t, &t->classes, trans->classes.at[k]));
				cil_put_range(c, &trans->range);
				say(t, ")\n");
			}
}

void cil_put_statements(struct cil_module *c)
{
	const struct module_decl *decl = c->decl;

	put_rules(c, &decl->rules, c->indent);
	for (uint32_t i = 0; i < decl->conds.n; i++)
		put_cond(c, &decl->conds.at[i]);
	for (uint32_t i = 0; i < decl->role_trans.n; i++)
		put_role_trans(c, &decl->role_trans.at[i]);
	for (uint32_t i = 0; i < decl->role_allows.n; i++)
		put_role_allow(c, &decl->role_allows.at[i]);
	for (uint32_t i = 0; i < decl->filename_trans.n; i++)
		put_filename_trans(c, &decl->filename_trans.at[i]);
	for (uint32_t i = 0; c->m.t.policy->mls && i < decl->range_trans.n; i++)
		put_range_trans(c, &decl->range_trans.at[i]);
}
