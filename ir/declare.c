/* Declare: every symbol of every block, with its scope (language.md 7, 9.1).
 *
 * Needs nothing; leaves c->symbols filled, classes and commons of the policy
 * complete, requirements recorded. */
#include <string.h>

#include "base/buffer.h"
#include "ir/internal.h"
#include "ir/names.h"
#include "ir/text.h"

static struct loc loc_of(const struct compile *c, struct ast_name name)
{
	return ast_name_loc(c->atoms, name);
}

bool has_dot(const struct compile *c, atom_t name)
{
	return memchr(name_text(c, name), '.', atom_len(c->atoms, name)) != NULL;
}

atom_t dotted_parent(const struct compile *c, atom_t name)
{
	const char *text = name_text(c, name);
	const char *dot = memrchr(text, '.', atom_len(c->atoms, name));

	return dot ? atom_find(c->atoms, text, (size_t)(dot - text)) : ATOM_NONE;
}

/* ---- classes ---- */

static void declare_classes(struct compile *c)
{
	const struct ast *ast = c->ast;
	struct policy *p = c->policy;

	for (uint32_t i = 0; i < ast->classes.n; i++) {
		struct symbol *s = symbol_declare(c, SYM_CLASS, FLAVOUR_PLAIN, ast->classes.at[i].name, AST_GLOBAL);

		if (s)
			s->value = ++p->classes.n;
	}
	if (p->classes.n > POLICY_MAX_SYMBOLS) {
		diag_error(c->diags, "too-many-classes", LOC_NONE, "%u classes, the limit is %u", p->classes.n,
			   POLICY_MAX_SYMBOLS);
		c->fatal = true;
	}
	require_classes(c);
	p->classes.at = arena_zalloc(&p->arena, p->classes.n + 1, sizeof *p->classes.at);
	c->class_perms = arena_zalloc(&c->arena, (size_t)c->symbols[SYM_CLASS].nvalues + 1, sizeof *c->class_perms);
	c->class_names = arena_zalloc(&c->arena, (size_t)c->symbols[SYM_CLASS].nvalues + 1, sizeof *c->class_names);
	for (uint32_t i = 1; i < c->symbols[SYM_CLASS].at.n; i++) {
		const struct symbol *s = &c->symbols[SYM_CLASS].at.at[i];

		c->class_names[s->value] = s->name;
		if (s->value <= p->classes.n)
			p->classes.at[s->value].name = keep_name(c, s->name);
	}
}

/* Adds the permissions of a list behind the n that are there; the new count. */
static uint32_t add_perms(struct compile *c, struct ast_names names, const char *owner, uint32_t n, atom_t *perms)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i];
		struct loc loc;
		uint32_t k = 0;

		while (k < n && perms[k] != item)
			k++;
		if (k < n) {
			loc = item_loc(c, names, item);
			diag_error(c->diags, "duplicate-permission", loc, "permission `%s` is already defined for `%s`",
				   name_text(c, item), owner);
		} else if (n == POLICY_MAX_PERMS) {
			loc = item_loc(c, names, item);
			diag_error(c->diags, "too-many-permissions", loc, "`%s` has more than %d permissions", owner,
				   POLICY_MAX_PERMS);
			break;
		} else {
			perms[n++] = item;
		}
	}
	return n;
}

static void keep_perms(struct compile *c, const atom_t *perms, uint32_t n, const char **ret_names)
{
	for (uint32_t i = 0; i < n; i++)
		ret_names[i] = keep_name(c, perms[i]);
}

static void declare_commons(struct compile *c)
{
	struct policy *p = c->policy;

	p->commons.at = arena_zalloc(&p->arena, c->ast->commons.n + 1, sizeof *p->commons.at);
	for (uint32_t i = 0; i < c->ast->commons.n; i++) {
		const struct ast_common *a = &c->ast->commons.at[i];
		struct symbol *s = symbol_declare(c, SYM_COMMON, FLAVOUR_PLAIN, a->name, AST_GLOBAL);
		atom_t perms[POLICY_MAX_PERMS];
		struct policy_common *common;

		if (!s)
			continue;
		s->value = ++p->commons.n;
		common = &p->commons.at[s->value];
		common->name = keep_name(c, a->name.atom);
		common->nperms = add_perms(c, a->perms, common->name, 0, perms);
		keep_perms(c, perms, common->nperms, common->perms);
	}
}

/* The inherited permissions come first; their count. */
static uint32_t inherit(struct compile *c, const struct ast_av *a, struct policy_class *class, atom_t *perms)
{
	const struct symbol *s = symbol_use_earlier(c, SYM_COMMON, a->inherits, AST_GLOBAL);
	const struct policy_common *common;

	if (!s)
		return 0;
	class->common = s->value;
	common = &c->policy->commons.at[s->value];
	for (uint32_t i = 0; i < common->nperms; i++)
		perms[i] = atom_find(c->atoms, common->perms[i], strlen(common->perms[i]));
	return common->nperms;
}

static void declare_access_vectors(struct compile *c)
{
	const struct ast_av **first = arena_zalloc(&c->arena, c->policy->classes.n + 1, sizeof *first);

	for (uint32_t i = 0; i < c->ast->avs.n; i++) {
		const struct ast_av *a = &c->ast->avs.at[i];
		const struct symbol *s = symbol_use(c, SYM_CLASS, a->name, AST_GLOBAL);
		struct policy_class *class;
		atom_t *perms;

		if (!s)
			continue;
		if (first[s->value]) {
			diag_error(c->diags, "duplicate-access-vector", loc_of(c, a->name),
				   "class `%s` already has its permissions", name_text(c, a->name.atom));
			diag_note(c->diags, first[s->value]->loc, "the first definition is here");
			continue;
		}
		first[s->value] = a;
		class = &c->policy->classes.at[s->value];
		perms = c->class_perms[s->value];
		if (a->inherits.atom)
			class->nperms = inherit(c, a, class, perms);
		class->nperms = add_perms(c, a->perms, class->name, class->nperms, perms);
		keep_perms(c, perms, class->nperms, class->perms);
	}
}

static void declare_sids(struct compile *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->ast->sids.n; i++) {
		struct symbol *s = symbol_declare(c, SYM_SID, FLAVOUR_PLAIN, c->ast->sids.at[i].name, AST_GLOBAL);

		if (s)
			s->value = ++n;
	}
}

/* The field of a class that a default statement sets. */
static uint8_t *default_field(struct policy_class *class, enum ast_default_kind kind)
{
	switch (kind) {
	case AST_DEFAULT_USER:
		return &class->default_user;
	case AST_DEFAULT_ROLE:
		return &class->default_role;
	case AST_DEFAULT_TYPE:
		return &class->default_type;
	case AST_DEFAULT_RANGE:
		break;
	}
	return &class->default_range;
}

/* The last words of a default statement. */
static const char *default_text(const struct ast_default *a)
{
	static const char *const ranges[] = {
		"", "source low", "source high", "source low-high", "target low", "target high", "target low-high", "glblub",
	};

	if (a->kind == AST_DEFAULT_RANGE)
		return ranges[a->value < sizeof ranges / sizeof ranges[0] ? a->value : 0];
	return a->value == 1 ? "source" : "target";
}

static void report_default(struct compile *c, const char *class, const struct ast_default *now,
			   const struct ast_default *before)
{
	static const char *const names[] = {"user", "role", "type", "range"};

	diag_error(c->diags, "default-conflict", now->loc, "the default_%s of class `%s` is `%s` here, and was `%s` before",
		   names[now->kind], class, default_text(now), default_text(before));
	diag_note(c->diags, before->loc, "the other statement is here");
}

void lower_defaults(struct compile *c)
{
	enum { KINDS = AST_DEFAULT_RANGE + 1 };
	const struct ast_default **last = arena_zalloc(&c->arena, (size_t)(c->policy->classes.n + 1) * KINDS, sizeof *last);

	for (uint32_t i = 0; i < c->ast->defaults.n; i++) {
		const struct ast_default *a = &c->ast->defaults.at[i];
		struct class_list classes = classes_of(c, a->classes, AST_GLOBAL);

		for (uint32_t k = 0; k < classes.n; k++) {
			struct policy_class *class = &c->policy->classes.at[classes.at[k]];
			const struct ast_default **before = &last[classes.at[k] * KINDS + a->kind];

			if (*before && (*before)->value != a->value)
				report_default(c, class->name, a, *before);
			*before = a;
			*default_field(class, a->kind) = a->value;
		}
	}
}

static void report_capability(struct compile *c, struct ast_name name)
{
	const char *known[64];
	struct buffer list = {0};
	uint32_t n = 0;

	while (n < sizeof known / sizeof known[0] && (known[n] = capability_name(n)) != NULL) {
		text_printf(&list, "%s`%s`", n ? ", " : "", known[n]);
		n++;
	}
	diag_error(c->diags, "unknown-capability", loc_of(c, name), "unknown policy capability `%s`",
		   name_text(c, name.atom));
	if (!suggest_text(c, name.atom, known, n)) {
		diag_note(c->diags, LOC_NONE, "the ones known are %s", text_of(&list));
		diag_hint(c->diags, "a policy for newer kernels may need a newer compiler");
	}
	buffer_free(&list);
}

static void declare_capabilities(struct compile *c)
{
	for (uint32_t i = 0; i < c->ast->policycaps.n; i++) {
		struct ast_name name = c->ast->policycaps.at[i].name;
		uint32_t bit;

		if (!capability_find(name_text(c, name.atom), &bit))
			ebitmap_set(&c->policy->capabilities, bit);
		else
			report_capability(c, name);
	}
}

/* ---- symbols of blocks ---- */

static void declare_type(struct compile *c, const struct ast_type *a)
{
	const struct symbol *s = refuse_self(c, a->name) ? NULL : symbol_declare(c, SYM_TYPE, FLAVOUR_PLAIN, a->name, a->block);

	if (s)
		declare_aliases(c, s, a->aliases, a->block);
}

/* Types and attributes share their names, so they are taken in the order of
 * the source: of two declarations the second one is wrong. */
static void declare_types(struct compile *c)
{
	const struct ast *ast = c->ast;
	uint32_t t = 0, a = 0;

	while (t < ast->types.n || a < ast->attributes.n) {
		if (a == ast->attributes.n ||
		    (t < ast->types.n && ast->types.at[t].loc.begin < ast->attributes.at[a].loc.begin)) {
			declare_type(c, &ast->types.at[t++]);
			continue;
		}
		if (!refuse_self(c, ast->attributes.at[a].name))
			symbol_declare(c, SYM_TYPE, FLAVOUR_ATTRIBUTE, ast->attributes.at[a].name, ast->attributes.at[a].block);
		a++;
	}
}

/* After the requirements: the type may be one that the block requires. */
static void declare_typealiases(struct compile *c)
{
	for (uint32_t i = 0; i < c->ast->typealiases.n; i++) {
		const struct ast_typealias *a = &c->ast->typealiases.at[i];
		const struct symbol *s = symbol_use_earlier(c, SYM_TYPE, a->name, a->block);

		if (!s)
			continue;
		if (s->flavour == FLAVOUR_ATTRIBUTE) {
			diag_error(c->diags, "attribute-as-type", loc_of(c, a->name), "`%s` is an attribute and cannot have an alias",
				   name_text(c, a->name.atom));
			continue;
		}
		declare_aliases(c, s, a->aliases, a->block);
	}
}

static void declare_roles(struct compile *c)
{
	const struct ast *ast = c->ast;
	atom_t object_r = atom_intern(c->atoms, "object_r", strlen("object_r"));
	struct symbol *s = symbol_declare(c, SYM_ROLE, FLAVOUR_PLAIN, (struct ast_name){object_r, 0}, AST_GLOBAL);
	uint32_t r = 0, a = 0;

	s->loc = LOC_NONE;
	for (uint32_t m = 1; m < ast->modules.n; m++)
		symbol_declare(c, SYM_ROLE, FLAVOUR_PLAIN, (struct ast_name){object_r, 0}, ast->modules.at[m].root);
	while (r < ast->roles.n || a < ast->attribute_roles.n) {
		if (a == ast->attribute_roles.n ||
		    (r < ast->roles.n && ast->roles.at[r].loc.begin < ast->attribute_roles.at[a].loc.begin)) {
			symbol_declare(c, SYM_ROLE, FLAVOUR_PLAIN, ast->roles.at[r].name, ast->roles.at[r].block);
			r++;
		} else {
			symbol_declare(c, SYM_ROLE, FLAVOUR_ATTRIBUTE, ast->attribute_roles.at[a].name, ast->attribute_roles.at[a].block);
			a++;
		}
	}
}

static void declare_bools(struct compile *c)
{
	for (uint32_t i = 0; i < c->ast->bools.n; i++) {
		const struct ast_bool *a = &c->ast->bools.at[i];

		refuse_dot(c, a->name, a->tunable ? "tunable" : "boolean");
		symbol_declare(c, SYM_BOOL, a->tunable ? FLAVOUR_TUNABLE : FLAVOUR_PLAIN, a->name, a->block);
	}
}

static void declare_users(struct compile *c)
{
	for (uint32_t i = 0; i < c->ast->users.n; i++)
		symbol_declare(c, SYM_USER, FLAVOUR_PLAIN, c->ast->users.at[i].name, c->ast->users.at[i].block);
}

/* ---- requirements ---- */

static void declare_requirements(struct compile *c)
{
	static const struct { uint8_t kind, flavour; } required[] = {
		[AST_REQUIRE_ROLE] = {SYM_ROLE, FLAVOUR_PLAIN},
		[AST_REQUIRE_ATTRIBUTE_ROLE] = {SYM_ROLE, FLAVOUR_ATTRIBUTE},
		[AST_REQUIRE_TYPE] = {SYM_TYPE, FLAVOUR_PLAIN},
		[AST_REQUIRE_ATTRIBUTE] = {SYM_TYPE, FLAVOUR_ATTRIBUTE},
		[AST_REQUIRE_USER] = {SYM_USER, FLAVOUR_PLAIN},
		[AST_REQUIRE_BOOL] = {SYM_BOOL, FLAVOUR_PLAIN},
		[AST_REQUIRE_TUNABLE] = {SYM_BOOL, FLAVOUR_TUNABLE},
		[AST_REQUIRE_SENSITIVITY] = {SYM_SENS, FLAVOUR_PLAIN},
		[AST_REQUIRE_CATEGORY] = {SYM_CAT, FLAVOUR_PLAIN},
	};

	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];

		if (!may_require(c, a->block))
			diag_error(c->diags, "require-in-else", loc_of(c, a->name),
				   "an else branch cannot require anything: it is taken when the optional is not");
		if (a->kind != AST_REQUIRE_CLASS)
			symbol_require(c, required[a->kind].kind, required[a->kind].flavour, a->name, a->block);
	}
}

void declare(struct compile *c)
{
	declare_classes(c);
	declare_commons(c);
	declare_access_vectors(c);
	require_permissions(c);
	declare_sids(c);
	declare_capabilities(c);
	mls_declare(c);
	declare_types(c);
	declare_roles(c);
	declare_bools(c);
	declare_users(c);
	declare_requirements(c);
	if (c->form == COMPILE_MODULE && c->options->mls)
		declare_required_mls(c);
	check_base_requirements(c);
	declare_typealiases(c);
}
