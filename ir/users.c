/* Users: roles, default level, range, bounds (language.md 9.6). */
#include <stdlib.h>
#include <string.h>

#include "ir/internal.h"
#include "ir/mls.h"

/* What the statements for one user in one block say together. */
struct clearance {
	bool given;
	uint32_t block;
	struct loc loc; /* of the last statement */
	struct policy_level level;
	struct policy_range range;
};

static void clearance_free(struct clearance *k)
{
	ebitmap_free(&k->level.cats);
	policy_range_free(&k->range);
}

/* Statements of one block: the later sensitivity wins, categories add up. */
static void accumulate(struct policy_level *to, const struct policy_level *from)
{
	to->sens = from->sens;
	ebitmap_or(&to->cats, &from->cats);
}

static bool level_in_range(const struct policy_level *level, const struct policy_range *range)
{
	return policy_level_dominates(level, &range->low) && policy_level_dominates(&range->high, level);
}

static void check_level(struct compile *c, const struct clearance *k, const char *user)
{
	if (!level_in_range(&k->level, &k->range))
		diag_error(c->diags, "level-outside-range", k->loc, "the default level `%s` of user `%s` is not within its range `%s`",
			   mls_level_text(c, &k->level), user, mls_range_text(c, &k->range));
}

/* Says whose range has been found wrong; of its names, the place says enough. */
static void note_user(struct compile *c, const struct ast_user *a)
{
	uint32_t last = diag_last(c->diags);
	const struct diag *d = last == DIAG_NONE ? NULL : &c->diags->list.at[last];

	if (d && d->check && !strcmp(d->check, "invalid-range") && d->loc.begin == a->range.loc.begin)
		diag_note(c->diags, ast_name_loc(c->atoms, a->name), "it is the range of user `%s`",
			  name_text(c, a->name.atom));
}

static void add_clearance(struct compile *c, struct clearance *k, const struct ast_user *a, uint32_t block)
{
	struct clearance now = {.given = true, .block = block, .loc = a->loc};
	bool level_good = mls_level(c, &a->level, block, &now.level);

	if (!mls_range(c, &a->range, block, &now.range)) {
		note_user(c, a);
		level_good = false;
	}
	if (!level_good) {
		clearance_free(&now);
		return;
	}
	if (!k->given) {
		*k = now;
	} else if (k->block == block) {
		accumulate(&k->level, &now.level);
		accumulate(&k->range.low, &now.range.low);
		accumulate(&k->range.high, &now.range.high);
		clearance_free(&now);
	} else {
		if (!policy_level_equal(&k->level, &now.level) || !policy_range_equal(&k->range, &now.range)) {
			diag_error(c->diags, "user-level-conflict", a->loc,
				   "user `%s` has another level or range in another block", name_text(c, a->name.atom));
			diag_note(c->diags, k->loc, "here they are `%s` and `%s`", mls_level_text(c, &k->level),
				  mls_range_text(c, &k->range));
		}
		clearance_free(&now);
	}
}

/* In a block that is off only the names count. */
static void check_level_names(struct compile *c, const struct ast_user *a)
{
	struct ebitmap cats = {0};

	mls_sensitivity(c, a->level.sens, a->block);
	mls_categories(c, a->level.cats, a->block, &cats);
	mls_range_names(c, &a->range, a->block);
	ebitmap_free(&cats);
}

static void lower_clearance(struct compile *c, struct clearance *k, const struct symbol *user, const struct ast_user *a)
{
	struct policy_level level = {0};

	if (!c->options->mls) {
		if (a->has_level) {
			mls_level(c, &a->level, a->block, &level);
			ebitmap_free(&level.cats);
		}
	} else if (!a->has_level) {
		diag_error(c->diags, "level-missing", a->loc, "user `%s` has no level and range, and the policy is MLS",
			   name_text(c, a->name.atom));
	} else if (c->live[a->block]) {
		add_clearance(c, k, a, a->block);
	} else {
		check_level_names(c, a);
		if (symbol_is_revived(c, user)) /* this is all that is said of its level */
			add_clearance(c, k, a, AST_GLOBAL);
	}
}

/* The roles named, attributes not expanded: what contexts are judged by. */
static void add_direct_roles(struct compile *c, struct ast_names names, struct ebitmap *roles)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_ROLE, set.items[i] & ~AST_MINUS);

		if (s && s->live && s->flavour == FLAVOUR_PLAIN)
			ebitmap_set(roles, s->value - 1);
	}
}

static void lower_user(struct compile *c, const struct ast_user *a, struct clearance *clearances)
{
	const struct symbol *s = symbol_find(c, SYM_USER, a->name.atom);
	struct ebitmap roles = {0};

	if (!s || !s->value)
		return; /* its declaration was refused */
	lower_clearance(c, &clearances[s->value], s, a);
	check_role_set(c, a->roles, a->block); /* what is good counts, or contexts would be wrong as well */
	if (a->block == AST_GLOBAL)
		add_direct_roles(c, a->roles, &c->users[s->value].direct_roles);
	if (!c->live[a->block])
		return;
	roles_of(c, a->roles, &roles);
	ebitmap_or(&c->policy->users.at[s->value].roles, &roles);
	ebitmap_free(&roles);
}

static void bound_user(struct compile *c, const struct symbol *s)
{
	const struct symbol *parent;

	if (!has_dot(c, s->name))
		return;
	parent = symbol_find(c, SYM_USER, dotted_parent(c, s->name));
	if (parent && parent->live)
		c->policy->users.at[s->value].bounds = parent->value;
}

static void finish_users(struct compile *c, struct clearance *clearances)
{
	const struct symbols *table = &c->symbols[SYM_USER];

	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];
		struct policy_user *user;

		if (!s->live)
			continue;
		user = &c->policy->users.at[s->value];
		bound_user(c, s);
		if (clearances[s->value].given) {
			check_level(c, &clearances[s->value], user->name);
			user->level = clearances[s->value].level;
			user->range = clearances[s->value].range;
			clearances[s->value] = (struct clearance){0};
		}
	}
}

void lower_users(struct compile *c)
{
	uint32_t n = c->symbols[SYM_USER].nvalues;
	struct clearance *clearances = arena_zalloc(&c->arena, n + 1, sizeof *clearances);

	for (uint32_t i = 0; i < c->ast->users.n; i++)
		lower_user(c, &c->ast->users.at[i], clearances);
	finish_users(c, clearances);
	for (uint32_t v = 0; v <= n; v++)
		clearance_free(&clearances[v]);
}
