/* Access-vector rules (language.md 9.13) and neverallow. */
#include "ir/internal.h"

static const uint8_t av_kinds[] = {
	[AST_ALLOW] = AV_ALLOWED, [AST_AUDITALLOW] = AV_AUDITALLOW, [AST_AUDITDENY] = AV_AUDITDENY,
	[AST_DONTAUDIT] = AV_AUDITDENY,
};

static bool is_complement(const struct compile *c, struct ast_names names)
{
	return names.id & AST_SET && c->ast->sets.at[names.id & ~AST_SET].complement;
}

static bool is_star(const struct compile *c, struct ast_names names)
{
	return names.id & AST_SET && c->ast->sets.at[names.id & ~AST_SET].star;
}

/* The mask of a rule in one class; 0 when the rule does not speak of it. */
static uint32_t rule_mask(struct compile *c, const struct ast_avrule *a, uint32_t class, bool *good)
{
	uint32_t mask;

	if (!perms_of(c, a->perms, class, a->block, &mask)) {
		*good = false;
		return 0;
	}
	if (!mask && is_complement(c, a->perms))
		diag_source_warning(c->diags, "no-permissions", a->loc, "no permission of class `%s` is left in this rule",
			     class_text(c, class));
	if (!mask && is_star(c, a->perms)) {
		diag_error(c->diags, "no-permissions", a->loc, "class `%s` has no permissions",
			   class_text(c, class));
		*good = false;
	}
	return mask;
}

/* Class and mask of each class of the rule that has any; false on an error. */
static bool rule_masks(struct compile *c, const struct ast_avrule *a, struct class_list classes, uint32_t *masks)
{
	bool good = true;

	for (uint32_t i = 0; i < classes.n; i++)
		masks[i] = rule_mask(c, a, classes.at[i], &good);
	return good;
}

bool check_rule_sets(struct compile *c, struct ast_names sources, struct ast_names targets, uint32_t block, bool never)
{
	bool good = check_type_set(c, sources, block, never ? SET_STAR : 0);

	return check_type_set(c, targets, block, never ? SET_SELF | SET_STAR | SET_NOT_SELF : SET_SELF) && good;
}

static void add_product(struct compile *c, struct destination to, enum policy_av_kind kind, struct operand sources,
			struct operand targets, uint32_t class, uint32_t data)
{
	for (uint32_t s = 0; s < sources.n; s++)
		for (uint32_t t = 0; t < targets.n; t++)
			add_rule(c, to, kind, sources.at[s], targets.at[t], class, data);
}

static void add_av_rule(struct compile *c, const struct ast_avrule *a, struct class_list classes, const uint32_t *masks)
{
	struct destination to = destination_of(c, a->place);
	bool self = type_set_self(c, a->targets) & SET_SELF;
	struct operand sources, targets;

	if (to.dropped)
		return;
	sources = self ? type_operand(c, a->sources) : rule_operand(c, a->sources);
	targets = self ? type_operand(c, a->targets) : rule_operand(c, a->targets);
	for (uint32_t i = 0; i < classes.n; i++) {
		uint32_t data = a->kind == AST_DONTAUDIT ? ~masks[i] : masks[i];

		if (!masks[i])
			continue;
		add_product(c, to, av_kinds[a->kind], sources, targets, classes.at[i], data);
		for (uint32_t s = 0; self && s < sources.n; s++)
			add_rule(c, to, av_kinds[a->kind], sources.at[s], sources.at[s], classes.at[i], data);
	}
}

struct neverallow *add_neverallow(struct compile *c, struct loc loc, struct ast_names sources, struct ast_names targets,
				  struct class_list classes, const uint32_t *masks)
{
	unsigned self = type_set_self(c, targets);
	struct neverallow *n = vec_push(&c->neverallows);

	*n = (struct neverallow){
		.loc = loc,
		.source_names = sources,
		.target_names = targets,
		.self = self == SET_SELF,
		.not_self = self & SET_NOT_SELF,
		.classes = classes.at,
		.perms = arena_copy(&c->arena, masks, classes.n * sizeof *masks),
		.nclasses = classes.n,
	};
	types_of(c, sources, false, &n->sources);
	types_of(c, targets, false, &n->targets);
	return n;
}

void lower_av_rules(struct compile *c)
{
	uint32_t *masks = arena_alloc(&c->arena, ((size_t)c->symbols[SYM_CLASS].nvalues + 1) * sizeof *masks);

	for (uint32_t i = 0; i < c->ast->avrules.n; i++) {
		const struct ast_avrule *a = &c->ast->avrules.at[i];
		bool good = check_rule_sets(c, a->sources, a->targets, a->block, a->kind == AST_NEVERALLOW);
		struct class_list classes = classes_of(c, a->classes, a->block);

		if (a->kind == AST_DONTAUDIT && is_complement(c, a->perms))
			diag_source_warning(c->diags, "dontaudit-complement", a->loc,
				     "`~` in a dontaudit silences denials that nobody thought of");
		good &= rule_masks(c, a, classes, masks);
		if (!good || !c->live[a->block])
			continue;
		if (a->kind == AST_NEVERALLOW)
			add_neverallow(c, a->loc, a->sources, a->targets, classes, masks);
		else
			add_av_rule(c, a, classes, masks);
	}
}
