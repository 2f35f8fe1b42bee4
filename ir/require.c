/* What modules require of classes, and what no module can declare.
 *
 * Part of declare.  In a module a class has the permissions that it requires
 * for it anywhere, and `*` means those (language.md 12). */
#include "ir/internal.h"

static bool of_base(const struct compile *c, const struct ast_require *a)
{
	return c->form != COMPILE_MODULE && !module_of(c, a->block);
}

/* An else branch is told that it cannot require anything with all the rest. */
static bool is_class_of_module(const struct compile *c, const struct ast_require *a)
{
	return a->kind == AST_REQUIRE_CLASS && !of_base(c, a) && may_require(c, a->block);
}

/* Classes that are required only get values behind those of the policy; of a
 * module alone they are its classes. */
void require_classes(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_CLASS];
	struct policy *p = c->policy;

	table->nvalues = p->classes.n;
	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];
		struct symbol *s;

		if (!is_class_of_module(c, a))
			continue;
		s = symbol_require(c, SYM_CLASS, FLAVOUR_PLAIN, a->name, a->block);
		if (s && !s->value)
			s->value = ++table->nvalues;
	}
	if (c->form == COMPILE_MODULE)
		p->classes.n = table->nvalues;
}

uint32_t class_nperms(const struct compile *c, uint32_t class)
{
	uint32_t n = 0;

	if (class <= c->policy->classes.n)
		return c->policy->classes.at[class].nperms;
	while (n < POLICY_MAX_PERMS && c->class_perms[class][n])
		n++;
	return n;
}

const char *class_text(const struct compile *c, uint32_t class)
{
	return name_text(c, c->class_names[class]);
}

uint32_t perm_bit(const struct compile *c, uint32_t class, atom_t name)
{
	const atom_t *perms = c->class_perms[class];
	uint32_t n = class_nperms(c, class);

	for (uint32_t i = 0; i < n; i++)
		if (perms[i] == name)
			return UINT32_C(1) << i;
	return 0;
}

/* ---- permissions ---- */

static bool check_form(struct compile *c, const struct ast_require *a, const struct ast_set *set)
{
	bool good = !set->star && !set->complement;

	for (uint32_t i = 0; i < set->n; i++)
		good &= !(set->items[i] & AST_MINUS);
	if (!good)
		diag_error(c->diags, "set-form", (struct loc){a->perms.begin, a->perms.begin + 1},
			   "a class is required with a list of permissions");
	return good;
}

/* In a base the class and its permissions must be there: a wrong name is no
 * unmet requirement. */
static void check_base_class(struct compile *c, const struct ast_require *a)
{
	const struct symbol *s = symbol_use(c, SYM_CLASS, a->name, AST_GLOBAL);
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, a->perms, &one);

	if (!s)
		return;
	check_form(c, a, &set);
	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;

		if (perm_bit(c, s->value, item))
			continue;
		diag_error(c->diags, "unknown-permission", item_loc(c, a->perms, item),
			   "permission `%s` is not defined for class `%s`", name_text(c, item), name_text(c, a->name.atom));
		suggest_perm(c, s->value, item);
	}
}

/* A permission of a class that no base declares, or of a module alone. */
static uint32_t add_perm(struct compile *c, const struct ast_require *a, uint32_t class, atom_t item)
{
	uint32_t n = class_nperms(c, class);

	if (n == POLICY_MAX_PERMS) {
		diag_error(c->diags, "too-many-permissions", item_loc(c, a->perms, item), "`%s` has more than %d permissions",
			   class_text(c, class), POLICY_MAX_PERMS);
		return 0;
	}
	c->class_perms[class][n] = item;
	if (class <= c->policy->classes.n) {
		c->policy->classes.at[class].perms[n] = keep_name(c, item);
		c->policy->classes.at[class].nperms++;
	}
	return UINT32_C(1) << n;
}

bool perm_is_new(struct compile *c, uint32_t class, atom_t perm, uint32_t block)
{
	uint32_t nclasses = c->symbols[SYM_CLASS].nvalues + 1;
	uint32_t *told = pairs_put(&c->reported_perms, pair_key(perm, module_of(c, block) * nclasses + class));
	bool is_new = !*told;

	*told = 1;
	return is_new;
}

/* A permission that the base has not is an error also in an optional block, as
 * it is when libsepol links. */
static void report_missing_perm(struct compile *c, const struct ast_require *a, uint32_t class, atom_t item)
{
	diag_error(c->diags, "requirement-unmet", item_loc(c, a->perms, item),
		   "%s requires permission `%s` of class `%s`, which the base does not define", module_text(c, a->block),
		   name_text(c, item), class_text(c, class));
	suggest_perm(c, class, item);
}

static uint32_t require_perm(struct compile *c, const struct ast_require *a, const struct symbol *s, atom_t item)
{
	uint32_t bit = perm_bit(c, s->value, item);

	if (bit)
		return bit;
	if (!s->declared)
		return add_perm(c, a, s->value, item);
	if (perm_is_new(c, s->value, item, a->block))
		report_missing_perm(c, a, s->value, item);
	return 0;
}

static uint32_t require_perms(struct compile *c, const struct ast_require *a, const struct symbol *s)
{
	uint32_t one, mask = 0;
	struct ast_set set = ast_set_of(c->ast, a->perms, &one);

	if (check_form(c, a, &set))
		for (uint32_t i = 0; i < set.n; i++)
			mask |= require_perm(c, a, s, set.items[i]);
	return mask;
}

/* Modules require the same classes over and over: each list is worked out once. */
void require_permissions(struct compile *c)
{
	struct pairs masks = {0};

	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];
		const struct symbol *s;
		uint32_t *mask;

		if (a->kind == AST_REQUIRE_CLASS && of_base(c, a) && may_require(c, a->block))
			check_base_class(c, a);
		if (!is_class_of_module(c, a))
			continue;
		s = symbol_find(c, SYM_CLASS, a->name.atom);
		mask = pairs_put(&masks, pair_key(a->perms.id, s->value));
		if (!*mask)
			*mask = require_perms(c, a, s);
		if (c->form == COMPILE_LINK)
			*pairs_put(&c->known_perms, pair_key(module_of(c, a->block), s->value)) |= *mask;
	}
	pairs_free(&masks);
}

uint32_t known_perms(const struct compile *c, uint32_t class, uint32_t block)
{
	uint32_t n = class_nperms(c, class);
	const uint32_t *known;

	if (c->form != COMPILE_LINK || !module_of(c, block))
		return n == POLICY_MAX_PERMS ? UINT32_MAX : (UINT32_C(1) << n) - 1;
	known = pairs_get(&c->known_perms, pair_key(module_of(c, block), class));
	return known ? *known : 0;
}

uint32_t process_class_in(const struct compile *c, uint32_t block)
{
	if (c->form == COMPILE_LINK && module_of(c, block) && c->process_class &&
	    !pairs_get(&c->known_perms, pair_key(module_of(c, block), c->process_class)))
		return 0;
	return c->process_class;
}

/* ---- sensitivities and categories ---- */

/* Only a base declares them, so one that is missing can never come: an error
 * also in an optional block, as it is when libsepol links. */
void check_base_requirements(struct compile *c)
{
	struct pairs told = {0};

	for (uint32_t i = 0; c->form == COMPILE_LINK && i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];
		const struct symbol *s;
		uint32_t *seen;

		if ((a->kind != AST_REQUIRE_SENSITIVITY && a->kind != AST_REQUIRE_CATEGORY) || of_base(c, a) ||
		    ast_is_root(c->ast, a->block)) /* those are told of with all that is unmet */
			continue;
		s = required_symbol(c, a);
		if (!s || s->declared)
			continue;
		seen = pairs_put(&told, pair_key(a->name.atom, module_of(c, a->block) * SYM_KINDS + s->kind));
		if (!*seen)
			diag_error(c->diags, "requirement-unmet", ast_name_loc(c->atoms, a->name),
				   "%s requires %s `%s`, which the base does not declare", module_text(c, a->block),
				   require_kind_text(a), name_text(c, a->name.atom));
		*seen = 1;
	}
	pairs_free(&told);
}
