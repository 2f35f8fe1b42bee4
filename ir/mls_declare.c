/* Sensitivities, their dominance, categories, and what `level` statements allow
 * (language.md 9.4).
 *
 * Part of declare: leaves the symbols, with their values, and the MLS arrays of
 * the policy complete.  Without -M it declares nothing. */
#include "ir/mls.h"

static struct loc earlier(struct loc a, struct loc b)
{
	return a.begin <= b.begin ? a : b;
}

struct loc mls_first_statement(const struct ast *ast)
{
	struct loc first = LOC_NONE;

	if (ast->sensitivities.n)
		first = earlier(first, ast->sensitivities.at[0].loc);
	if (ast->dominances.n)
		first = earlier(first, ast->dominances.at[0].loc);
	if (ast->categories.n)
		first = earlier(first, ast->categories.at[0].loc);
	if (ast->levels.n)
		first = earlier(first, ast->levels.at[0].loc);
	/* The MLS section comes before the other constraints. */
	if (ast->constraints.n && ast->constraints.at[0].mls)
		first = earlier(first, ast->constraints.at[0].loc);
	if (ast->range_trans.n)
		first = earlier(first, ast->range_trans.at[0].loc);
	return first;
}

static void refuse_mls(struct compile *c)
{
	struct loc first = mls_first_statement(c->ast);

	if (!loc_known(first))
		return;
	diag_error(c->diags, "mls-disabled", first, "the policy has MLS statements, but is compiled without MLS");
	diag_hint(c->diags, "compile it with -M");
}

/* ---- names ---- */

/* The index of the new symbol, or 0. */
static uint32_t declare_name(struct compile *c, enum symbol_kind kind, struct ast_name name, struct ast_names aliases)
{
	const struct symbol *s;
	uint32_t index;

	refuse_dot(c, name, kind == SYM_SENS ? "sensitivity" : "category");
	s = symbol_declare(c, kind, FLAVOUR_PLAIN, name, AST_GLOBAL);
	if (!s)
		return 0;
	index = symbol_index(c, s);
	declare_aliases(c, s, aliases, AST_GLOBAL);
	return index;
}

static uint32_t declare_sensitivities(struct compile *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->ast->sensitivities.n; i++) {
		const struct ast_sensitivity *a = &c->ast->sensitivities.at[i];

		n += declare_name(c, SYM_SENS, a->name, a->aliases) != 0;
	}
	return n;
}

static uint32_t declare_categories(struct compile *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->ast->categories.n; i++) {
		const struct ast_category *a = &c->ast->categories.at[i];
		uint32_t index = declare_name(c, SYM_CAT, a->name, a->aliases);

		if (index)
			c->symbols[SYM_CAT].at.at[index].value = ++n;
	}
	return n;
}

/* ---- values ---- */

/* Gives the listed sensitivities their values; how many there are.  More of such
 * statements than one are an error already. */
static uint32_t order_listed(struct compile *c, struct ast_names order, uint32_t n, bool more)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, order, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		struct symbol *s = symbol_use_item(c, SYM_SENS, order, item, AST_GLOBAL);

		if (!s)
			continue;
		if (s->value && more)
			continue;
		if (s->value)
			diag_error(c->diags, "dominance-repeated", item_loc(c, order, item),
				   "sensitivity `%s` stands in the dominance order more than once", name_text(c, s->name));
		else
			s->value = ++n;
	}
	return n;
}

/* Values by dominance; what the statement forgot comes last. */
static void order_sensitivities(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_SENS];
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->ast->dominances.n; i++)
		n = order_listed(c, c->ast->dominances.at[i].order, n, i > 0);
	for (uint32_t i = 1; i < table->at.n; i++) {
		struct symbol *s = &table->at.at[i];

		if (s->flavour == FLAVOUR_ALIAS || s->value)
			continue;
		s->value = ++n;
		if (!c->ast->dominances.n)
			continue;
		diag_error(c->diags, "dominance-missing", c->ast->dominances.at[0].loc,
			   "sensitivity `%s` is missing from the dominance order", name_text(c, s->name));
		diag_note(c->diags, s->loc, "`%s` is declared here", name_text(c, s->name));
		diag_hint(c->diags, "`dominance` names every sensitivity once, the lowest first");
	}
}

/* Aliases take the values of what they stand for; the number of them. */
static uint32_t value_aliases(struct compile *c, enum symbol_kind kind, struct policy_alias **ret_aliases)
{
	struct symbols *table = &c->symbols[kind];
	uint32_t n = 0;

	*ret_aliases = arena_zalloc(&c->policy->arena, table->at.n, sizeof **ret_aliases);
	for (uint32_t i = 1; i < table->at.n; i++) {
		struct symbol *s = &table->at.at[i];

		if (s->flavour != FLAVOUR_ALIAS)
			continue;
		s->value = table->at.at[s->primary].value;
		(*ret_aliases)[n++] = (struct policy_alias){keep_name(c, s->name), s->value};
	}
	return n;
}

static void fill_policy(struct compile *c, uint32_t nsens, uint32_t ncats)
{
	struct policy *p = c->policy;

	p->sens.at = arena_zalloc(&p->arena, (size_t)nsens + 1, sizeof *p->sens.at);
	p->sens.n = c->symbols[SYM_SENS].nvalues = nsens;
	p->cats.at = arena_zalloc(&p->arena, (size_t)ncats + 1, sizeof *p->cats.at);
	p->cats.n = c->symbols[SYM_CAT].nvalues = ncats;
	for (uint32_t i = 1; i < c->symbols[SYM_SENS].at.n; i++) {
		const struct symbol *s = &c->symbols[SYM_SENS].at.at[i];

		if (s->flavour != FLAVOUR_ALIAS)
			p->sens.at[s->value].name = keep_name(c, s->name);
	}
	for (uint32_t i = 1; i < c->symbols[SYM_CAT].at.n; i++) {
		const struct symbol *s = &c->symbols[SYM_CAT].at.at[i];

		if (s->flavour != FLAVOUR_ALIAS)
			p->cats.at[s->value].name = keep_name(c, s->name);
	}
	p->sens_aliases.n = value_aliases(c, SYM_SENS, &p->sens_aliases.at);
	p->cat_aliases.n = value_aliases(c, SYM_CAT, &p->cat_aliases.at);
}

/* ---- level statements ---- */

/* A further statement for a sensitivity is an error when the one before gave
 * it categories; otherwise it adds its own, as in the reference compiler. */
static void lower_levels(struct compile *c)
{
	const struct ast_level **first = arena_zalloc(&c->arena, (size_t)c->policy->sens.n + 1, sizeof *first);

	for (uint32_t i = 0; i < c->ast->levels.n; i++) {
		const struct ast_level *a = &c->ast->levels.at[i];
		const struct symbol *s = mls_sensitivity(c, a->level.sens, AST_GLOBAL);
		struct ebitmap *cats;

		if (!s)
			continue;
		cats = &c->policy->sens.at[s->value].cats;
		if (!ebitmap_empty(cats)) {
			diag_error(c->diags, "duplicate-level", a->loc, "the categories of sensitivity `%s` are already set",
				   name_text(c, s->name));
			diag_note(c->diags, first[s->value]->loc, "the first level statement is here");
			continue;
		}
		first[s->value] = a;
		/* Then nobody knows what it meant to allow. */
		if (!mls_categories(c, a->level.cats, AST_GLOBAL, cats) && c->policy->cats.n)
			ebitmap_set_range(cats, 0, c->policy->cats.n - 1);
	}
}

void mls_declare(struct compile *c)
{
	uint32_t nsens, ncats;

	if (!c->options->mls) {
		refuse_mls(c);
		return;
	}
	nsens = declare_sensitivities(c);
	order_sensitivities(c);
	ncats = declare_categories(c);
	fill_policy(c, nsens, ncats);
	lower_levels(c);
}

static void value_required(struct compile *c, enum symbol_kind kind)
{
	struct symbols *table = &c->symbols[kind];

	for (uint32_t i = 1; i < table->at.n; i++)
		table->at.at[i].value = ++table->nvalues;
}

/* A module alone does not know their order; values only tell them apart. */
void declare_required_mls(struct compile *c)
{
	value_required(c, SYM_SENS);
	value_required(c, SYM_CAT);
}

void mls_check_declared(struct compile *c)
{
	struct ebitmap seen = {0};

	if (!c->options->mls)
		return;
	for (uint32_t i = 0; i < c->ast->levels.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_SENS, c->ast->levels.at[i].level.sens.atom);

		if (s)
			ebitmap_set(&seen, s->value);
	}
	for (uint32_t i = 1; i < c->symbols[SYM_SENS].at.n; i++) {
		const struct symbol *s = &c->symbols[SYM_SENS].at.at[i];

		if (s->declared && s->flavour == FLAVOUR_PLAIN && !ebitmap_test(&seen, s->value))
			diag_error(c->diags, "sensitivity-without-level", s->loc, "sensitivity `%s` has no level statement",
				   name_text(c, s->name));
	}
	ebitmap_free(&seen);
}
