/* Statements of all blocks, on or off, for struct module (policydb-format.md
 * 15.3). */
#include "ir/fill.h"

static const uint32_t av_kinds[] = {
	[AST_ALLOW] = MODULE_ALLOW, [AST_AUDITALLOW] = MODULE_AUDITALLOW, [AST_AUDITDENY] = MODULE_AUDITDENY,
	[AST_DONTAUDIT] = MODULE_DONTAUDIT, [AST_NEVERALLOW] = MODULE_NEVERALLOW,
};

static const uint32_t x_kinds[] = {
	[AST_ALLOW] = MODULE_XALLOW, [AST_AUDITALLOW] = MODULE_XAUDITALLOW, [AST_DONTAUDIT] = MODULE_XDONTAUDIT,
	[AST_NEVERALLOW] = MODULE_XNEVERALLOW,
};

static const uint32_t te_kinds[] = {
	[AST_TRANSITION] = MODULE_TRANSITION, [AST_MEMBER] = MODULE_MEMBER, [AST_CHANGE] = MODULE_CHANGE,
};

/* Rules of conditionals stand apart until their branches are complete. */
struct rule_filler {
	struct fill *f;
	struct cond_rules { VEC(struct module_rule) list[2]; } *conds; /* by conditional */
};

static void add_rule_at(struct rule_filler *r, uint32_t block, ast_place_t place, const struct module_rule *rule)
{
	if (place)
		*vec_push(&r->conds[ast_cond_of(place)].list[ast_in_else(place)]) = *rule;
	else
		*vec_push(&r->f->blocks[block].rules) = *rule;
}

/* ~self is self in a set that is complemented. */
static uint32_t self_flags(const struct compile *c, struct ast_names targets)
{
	unsigned self = type_set_self(c, targets);

	if (self & SET_NOT_SELF)
		return MODULE_RULE_NOTSELF;
	return self & SET_SELF ? MODULE_RULE_SELF : 0;
}

static struct module_rule new_rule(struct fill *f, struct loc loc, uint32_t kind, struct ast_names sources,
				   struct ast_names targets, uint32_t nclasses)
{
	struct module_rule rule = {
		.kind = kind,
		.flags = self_flags(f->c, targets),
		.sources = fill_types(f, sources),
		.targets = fill_types(f, targets),
		.loc = loc,
	};

	rule.perms.at = arena_alloc(&f->m->arena, nclasses * sizeof *rule.perms.at + 1);
	return rule;
}

static void fill_av_rules(struct rule_filler *r)
{
	struct compile *c = r->f->c;

	for (uint32_t i = 0; i < c->ast->avrules.n; i++) {
		const struct ast_avrule *a = &c->ast->avrules.at[i];
		struct class_list classes = classes_of(c, a->classes, a->block);
		struct module_rule rule = new_rule(r->f, a->loc, av_kinds[a->kind], a->sources, a->targets, classes.n);

		for (uint32_t k = 0; k < classes.n; k++) {
			uint32_t mask;

			/* A class of which no permission is left is no part of the rule. */
			if (perms_of(c, a->perms, classes.at[k], a->block, &mask) && mask)
				rule.perms.at[rule.perms.n++] = (struct module_perms){classes.at[k], mask};
		}
		if (rule.perms.n)
			add_rule_at(r, a->block, a->place, &rule);
	}
}

static void fill_x_rules(struct rule_filler *r)
{
	struct fill *f = r->f;
	struct compile *c = f->c;

	for (uint32_t i = 0; i < c->ast->xrules.n; i++) {
		const struct ast_xrule *a = &c->ast->xrules.at[i];
		struct ast_names base = {a->operation.atom, a->operation.begin};
		struct class_list classes = classes_of(c, a->classes, a->block);
		struct module_rule rule = new_rule(f, a->loc, x_kinds[a->kind], a->sources, a->targets, classes.n);

		for (uint32_t k = 0; k < classes.n; k++) {
			uint32_t mask;

			perms_of(c, base, classes.at[k], a->block, &mask);
			rule.perms.at[rule.perms.n++] = (struct module_perms){classes.at[k], mask};
		}
		for (uint32_t x = xrule_records(c, a); x < c->xperms.n; x++) {
			rule.xperms = arena_copy(&f->m->arena, &c->xperms.at[x], sizeof c->xperms.at[x]);
			add_rule_at(r, a->block, a->place, &rule);
		}
	}
}

static void add_filename_trans(struct fill *f, const struct ast_terule *a)
{
	struct class_list classes = classes_of(f->c, a->classes, a->block);

	for (uint32_t k = 0; k < classes.n; k++)
		*vec_push(&f->blocks[a->block].filename_trans) = (struct module_filename_trans){
			.name = arena_strndup(&f->m->arena, name_text(f->c, a->filename.atom), atom_len(f->c->atoms, a->filename.atom)),
			.sources = fill_types(f, a->sources),
			.targets = fill_types(f, a->targets),
			.class = classes.at[k],
			.result = fill_value(f, SYM_TYPE, a->result.atom),
			.self = self_flags(f->c, a->targets) != 0,
		};
}

static void fill_te_rules(struct rule_filler *r)
{
	struct fill *f = r->f;
	struct compile *c = f->c;

	for (uint32_t i = 0; i < c->ast->terules.n; i++) {
		const struct ast_terule *a = &c->ast->terules.at[i];
		struct class_list classes;
		struct module_rule rule;

		if (a->filename.atom) {
			add_filename_trans(f, a);
			continue;
		}
		classes = classes_of(c, a->classes, a->block);
		rule = new_rule(f, a->loc, te_kinds[a->kind], a->sources, a->targets, classes.n);
		for (uint32_t k = 0; k < classes.n; k++)
			rule.perms.at[rule.perms.n++] =
				(struct module_perms){classes.at[k], fill_value(f, SYM_TYPE, a->result.atom)};
		add_rule_at(r, a->block, a->place, &rule);
	}
}

static bool is_tunable(const struct fill *f, const struct ast_cond *a)
{
	for (uint32_t i = 0; i < a->nexpr; i++)
		if (a->expr[i].kind == AST_COND_BOOL)
			return symbol_find(f->c, SYM_BOOL, a->expr[i].name.atom)->flavour == FLAVOUR_TUNABLE;
	return false;
}

/* One without rules leaves no trace. */
static void fill_conds(struct rule_filler *r)
{
	struct fill *f = r->f;

	for (uint32_t i = 0; i < f->c->ast->conds.n; i++) {
		const struct ast_cond *a = &f->c->ast->conds.at[i];
		struct cond_rules *rules = &r->conds[i];
		struct module_cond cond = {.nexpr = a->nexpr, .tunable = is_tunable(f, a)};

		if (!rules->list[0].n && !rules->list[1].n)
			continue;
		cond.expr = arena_alloc(&f->m->arena, a->nexpr * sizeof *cond.expr);
		for (uint32_t k = 0; k < a->nexpr; k++)
			cond.expr[k] = (struct policy_cond_expr){
				a->expr[k].kind, a->expr[k].kind == AST_COND_BOOL ? fill_value(f, SYM_BOOL, a->expr[k].name.atom) : 0};
		fill_list(f, &cond.yes, &rules->list[0]);
		fill_list(f, &cond.no, &rules->list[1]);
		vec_free(&rules->list[0]);
		vec_free(&rules->list[1]);
		*vec_push(&f->blocks[a->block].conds) = cond;
	}
}

static void fill_role_rules(struct fill *f)
{
	const struct ast *ast = f->c->ast;

	for (uint32_t i = 0; i < ast->role_allows.n; i++) {
		const struct ast_role_allow *a = &ast->role_allows.at[i];

		*vec_push(&f->blocks[a->block].role_allows) =
			(struct module_role_allow){fill_roles(f, a->from), fill_roles(f, a->to)};
	}
	for (uint32_t i = 0; i < ast->role_trans.n; i++) {
		const struct ast_role_trans *a = &ast->role_trans.at[i];

		*vec_push(&f->blocks[a->block].role_trans) = (struct module_role_trans){
			fill_roles(f, a->roles), fill_types(f, a->types), fill_classes(f, a->classes),
			fill_value(f, SYM_ROLE, a->result.atom)};
	}
}

static void fill_range_transitions(struct fill *f)
{
	for (uint32_t i = 0; i < f->c->ast->range_trans.n; i++) {
		const struct ast_range_trans *a = &f->c->ast->range_trans.at[i];

		*vec_push(&f->blocks[a->block].range_trans) = (struct module_range_trans){
			fill_types(f, a->sources), fill_types(f, a->targets), fill_classes(f, a->classes),
			fill_range(f, &a->range)};
	}
}

void fill_rules(struct fill *f)
{
	struct rule_filler r = {f, arena_zalloc(&f->c->arena, f->c->ast->conds.n, sizeof *r.conds)};

	fill_av_rules(&r);
	fill_x_rules(&r);
	fill_te_rules(&r);
	fill_conds(&r);
	fill_role_rules(f);
	fill_range_transitions(f);
}
