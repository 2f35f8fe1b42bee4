/* Levels and ranges in use: in users, contexts and range transitions
 * (language.md 9.5). */
#include "ir/mls.h"

#include <string.h>

#include "base/buffer.h"
#include "ir/dump.h"
#include "ir/text.h"

/* ---- names ---- */

static const struct symbol *find_text(const struct compile *c, enum symbol_kind kind, const char *text, size_t len)
{
	atom_t atom = atom_find(c->atoms, text, len);

	return atom ? symbol_find(c, kind, atom) : NULL;
}

enum { MAX_DASHES = 16 }; /* names with more are no ranges, and costly to try */

/* `s0-s1` is one name to the scanner.  When an unknown name has a sensitivity
 * behind a dash (and, where one is wanted, before it), it is such a range. */
static void hint_glued_range(struct compile *c, atom_t name, uint32_t begin, bool sens_before)
{
	const char *text = name_text(c, name), *end = text + atom_len(c->atoms, name), *dash = text;
	char range[160];

	for (int i = 0; i < MAX_DASHES && (dash = memchr(dash, '-', (size_t)(end - dash))) != NULL; i++, dash++) {
		if (!find_text(c, SYM_SENS, dash + 1, (size_t)(end - dash - 1)))
			continue;
		if (sens_before && !find_text(c, SYM_SENS, text, (size_t)(dash - text)))
			continue;
		ast_spaced_range(c->sources, begin, begin + (uint32_t)(dash - text), !sens_before, range, sizeof range);
		diag_hint(c->diags, "a range needs spaces around its dash: write `%s`", range);
		return;
	}
}

const struct symbol *mls_sensitivity(struct compile *c, struct ast_name name, uint32_t block)
{
	uint32_t errors = c->diags->errors;
	const struct symbol *s = symbol_use(c, SYM_SENS, name, block);

	if (!s && c->diags->errors != errors)
		hint_glued_range(c, name.atom, name.begin, true);
	return s;
}

/* Unknown, and no name of anything. */
static void report_category(struct compile *c, uint32_t begin, const char *text, size_t len, uint32_t block)
{
	diag_error(c->diags, "unknown-category", (struct loc){begin, begin + (uint32_t)len}, "unknown category `%.*s`",
		   (int)len, text);
	suggest_symbol(c, SYM_CAT, text, len, block);
}

/* A category written as len bytes of an item, from an offset.  NULL with an
 * error. */
static const struct symbol *use_category(struct compile *c, struct ast_names names, atom_t item, size_t from, size_t len,
					 uint32_t block)
{
	const char *text = name_text(c, item) + from;
	atom_t atom = atom_find(c->atoms, text, len);
	const struct symbol *s = atom ? symbol_find(c, SYM_CAT, atom) : NULL;
	uint32_t errors = c->diags->errors, begin;

	if (s && symbol_visible(c, s, block))
		return s->flavour == FLAVOUR_ALIAS ? &c->symbols[SYM_CAT].at.at[s->primary] : s;
	begin = item_loc(c, names, item).begin + (uint32_t)from;
	s = NULL;
	if (atom)
		s = symbol_use(c, SYM_CAT, (struct ast_name){atom, begin}, block);
	else
		report_category(c, begin, text, len, block);
	if (!s && c->diags->errors != errors)
		hint_glued_range(c, item, begin - (uint32_t)from, false);
	return s;
}

/* The values that an item of a category list spans: one category, or low.high
 * by order of their values.  Two dots make no range. */
static bool category_span(struct compile *c, struct ast_names names, atom_t item, uint32_t block, uint32_t *ret_low,
			  uint32_t *ret_high)
{
	const char *text = name_text(c, item);
	size_t len = atom_len(c->atoms, item);
	const char *dot = memchr(text, '.', len);
	const struct symbol *low, *high;
	size_t split;

	if (!dot || symbol_find(c, SYM_CAT, item) || memchr(dot + 1, '.', len - (size_t)(dot + 1 - text))) {
		low = use_category(c, names, item, 0, len, block);
		if (!low)
			return false;
		*ret_low = *ret_high = low->value;
		return true;
	}
	split = (size_t)(dot - text);
	low = use_category(c, names, item, 0, split, block);
	high = use_category(c, names, item, split + 1, len - split - 1, block);
	if (!low || !high)
		return false;
	*ret_low = low->value;
	*ret_high = high->value;
	return true;
}

/* A module knows the order of categories only when it is linked, and then it
 * matters in what is on. */
static bool order_known(const struct compile *c, uint32_t block)
{
	return c->form == COMPILE_POLICY || (c->form == COMPILE_LINK && (!module_of(c, block) || c->live[block]));
}

bool mls_categories(struct compile *c, struct ast_names names, uint32_t block, struct ebitmap *ret_cats)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);
	bool good = true;

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		uint32_t low, high;

		if (!category_span(c, names, item, block, &low, &high)) {
			good = false;
		} else if (low > high && order_known(c, block)) {
			diag_error(c->diags, "reversed-range", item_loc(c, names, item),
				   "category range `%s` runs backwards", name_text(c, item));
			good = false;
		} else if (low && low <= high) { /* only required, in a block that is off: no value */
			ebitmap_set_range(ret_cats, low - 1, high - 1);
		}
	}
	return good;
}

static bool level_names(struct compile *c, const struct ast_level_expr *expr, uint32_t block,
			struct policy_level *ret_level)
{
	const struct symbol *s = mls_sensitivity(c, expr->sens, block);
	bool good = mls_categories(c, expr->cats, block, &ret_level->cats);

	if (s)
		ret_level->sens = s->value;
	return s && good;
}

bool mls_range_names(struct compile *c, const struct ast_range *expr, uint32_t block)
{
	struct policy_range range = {0};
	bool good = level_names(c, &expr->low, block, &range.low);

	if (expr->high.sens.atom)
		good &= level_names(c, &expr->high, block, &range.high);
	policy_range_free(&range);
	return good;
}

/* ---- rules ---- */

/* The level statement that says which categories go with a sensitivity. */
static struct loc level_statement(const struct compile *c, uint32_t sens)
{
	for (uint32_t i = 0; i < c->ast->levels.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_SENS, c->ast->levels.at[i].level.sens.atom);

		if (s && s->value == sens)
			return c->ast->levels.at[i].loc;
	}
	return LOC_NONE;
}

/* The item of a category list that brought a category in. */
static struct loc category_loc(struct compile *c, struct ast_names names, uint32_t block, uint32_t cat)
{
	uint32_t one, low, high;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++)
		if (category_span(c, names, set.items[i] & ~AST_MINUS, block, &low, &high) && low <= cat && cat <= high)
			return item_loc(c, names, set.items[i] & ~AST_MINUS);
	return (struct loc){names.begin, names.begin + 1};
}

/* Each category must be among those of the sensitivity's level statement. */
static bool check_association(struct compile *c, const struct ast_level_expr *expr, uint32_t block,
			      const struct policy_level *level)
{
	const struct policy_sens *sens = &c->policy->sens.at[level->sens];
	struct ebitmap wrong = {0};
	struct loc statement;
	uint32_t cat;

	if (ebitmap_subset(&level->cats, &sens->cats))
		return true;
	ebitmap_copy(&wrong, &level->cats);
	ebitmap_andnot(&wrong, &sens->cats);
	cat = ebitmap_first(&wrong) + 1;
	ebitmap_free(&wrong);
	diag_error(c->diags, "invalid-level", category_loc(c, expr->cats, block, cat),
		   "category `%s` cannot go with sensitivity `%s`", c->policy->cats.at[cat].name, sens->name);
	statement = level_statement(c, level->sens);
	if (loc_known(statement))
		diag_note(c->diags, statement, "the categories of `%s` are set here", sens->name);
	return false;
}

/* What a block that is off says is judged by its names only. */
static bool is_live(const struct compile *c, uint32_t block)
{
	return c->form != COMPILE_MODULE && (block == AST_GLOBAL || c->live[block]);
}

static bool level_of(struct compile *c, const struct ast_level_expr *expr, uint32_t block, struct policy_level *ret_level)
{
	if (!level_names(c, expr, block, ret_level))
		return false;
	if (!is_live(c, block))
		return true;
	return ret_level->sens && check_association(c, expr, block, ret_level);
}

static bool check_dominance(struct compile *c, struct loc loc, const struct policy_range *range)
{
	const struct policy_level *low = &range->low, *high = &range->high;
	struct ebitmap missing = {0};

	if (policy_level_dominates(high, low))
		return true;
	if (low->sens > high->sens) {
		diag_error(c->diags, "invalid-range", loc,
			   "the high level `%s` does not dominate the low level `%s`: sensitivity `%s` is above `%s`",
			   mls_level_text(c, high), mls_level_text(c, low), c->policy->sens.at[low->sens].name,
			   c->policy->sens.at[high->sens].name);
		return false;
	}
	ebitmap_copy(&missing, &low->cats);
	ebitmap_andnot(&missing, &high->cats);
	diag_error(c->diags, "invalid-range", loc,
		   "the high level `%s` does not dominate the low level `%s`: it lacks category `%s`",
		   mls_level_text(c, high), mls_level_text(c, low), c->policy->cats.at[ebitmap_first(&missing) + 1].name);
	ebitmap_free(&missing);
	return false;
}

/* Where the whole policy has been refused for its MLS statements, its levels
 * are not refused again. */
static bool mls_wanted(struct compile *c, struct loc loc)
{
	if (c->options->mls)
		return true;
	if (loc_known(mls_first_statement(c->ast)))
		return false;
	diag_error(c->diags, "mls-disabled", loc, "a level is given, but the policy is compiled without MLS");
	diag_hint(c->diags, "compile with -M, or leave the level out");
	return false;
}

bool mls_level(struct compile *c, const struct ast_level_expr *expr, uint32_t block, struct policy_level *ret_level)
{
	struct policy_level level = {0};

	if (!mls_wanted(c, ast_name_loc(c->atoms, expr->sens)))
		return false;
	if (!level_of(c, expr, block, &level)) {
		ebitmap_free(&level.cats);
		return false;
	}
	*ret_level = level;
	return true;
}

bool mls_range(struct compile *c, const struct ast_range *expr, uint32_t block, struct policy_range *ret_range)
{
	struct policy_range range = {0};
	bool good;

	if (!mls_wanted(c, expr->loc))
		return false;
	good = level_of(c, &expr->low, block, &range.low);
	if (expr->high.sens.atom)
		good &= level_of(c, &expr->high, block, &range.high);
	else
		policy_level_copy(&range.high, &range.low);
	if (!good || (is_live(c, block) && !check_dominance(c, expr->loc, &range))) {
		policy_range_free(&range);
		return false;
	}
	*ret_range = range;
	return true;
}

/* ---- text ---- */

static const char *keep_text(struct compile *c, struct buffer *b)
{
	const char *text = arena_strndup(&c->arena, (const char *)b->at, b->n);

	buffer_free(b);
	return text;
}

const char *mls_level_text(struct compile *c, const struct policy_level *level)
{
	struct buffer b = {0};

	text_level(&b, c->policy, level);
	return keep_text(c, &b);
}

const char *mls_range_text(struct compile *c, const struct policy_range *range)
{
	struct buffer b = {0};

	dump_range(&b, c->policy, range);
	return keep_text(c, &b);
}
