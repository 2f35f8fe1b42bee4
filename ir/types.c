/* Types: attributes' members, bounds, flags (language.md 9.9, 9.10, 9.17). */
#include <string.h>

#include "base/buffer.h"
#include "ir/internal.h"
#include "ir/member.h"
#include "ir/nest.h"
#include "ir/text.h"

enum { MAX_LOOP = 10 }; /* attributes told of a loop */

/* ---- members of attributes ---- */

static void add_global_member(struct compile *c, const struct symbol *type, const struct symbol *attr)
{
	if (ebitmap_empty(&c->types[attr->value].global_types))
		*vec_push(&c->members_set) = attr->value;
	ebitmap_set(&c->types[attr->value].global_types, type->value - 1);
}

static void add_member(struct compile *c, const struct symbol *type, const struct symbol *attr, uint32_t block)
{
	if (block == AST_GLOBAL)
		add_global_member(c, type, attr);
	if (c->live[block] && attr->live && type->live)
		ebitmap_set(&c->policy->types.at[attr->value].types, type->value - 1);
}

/* An attribute named in `type t, a;` or `typeattribute t a;`: declared before. */
static const struct symbol *use_attribute(struct compile *c, struct ast_names attrs, atom_t item, uint32_t block)
{
	const struct symbol *named = symbol_find(c, SYM_TYPE, item);
	struct loc loc;
	const struct symbol *s;

	if (named && named->first <= attrs.begin) {
		s = symbol_use_item(c, SYM_TYPE, attrs, item, block);
	} else {
		loc = item_loc(c, attrs, item);
		s = symbol_use_earlier(c, SYM_TYPE, (struct ast_name){item, loc.begin}, block);
	}
	if (!s || s->flavour == FLAVOUR_ATTRIBUTE)
		return s;
	diag_error(c->diags, "type-as-attribute", item_loc(c, attrs, item),
		   "`%s` is a type, and an attribute must stand here", name_text(c, item));
	return NULL;
}

static void add_to_attributes(struct compile *c, nestings *nested, const struct symbol *member, struct ast_names attrs,
			      uint32_t block)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, attrs, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *attr = use_attribute(c, attrs, set.items[i] & ~AST_MINUS, block);

		if (!attr || !attr->value || !member->value)
			continue;
		if (member->flavour == FLAVOUR_PLAIN)
			add_member(c, member, attr, block);
		else if ((block == AST_GLOBAL || c->live[block]) && attr->live && member->live)
			*vec_push(nested) = (struct nesting){member->value, attr->value,
				item_loc(c, attrs, set.items[i] & ~AST_MINUS), block == AST_GLOBAL};
	}
}

static void gather_members(struct compile *c, nestings *nested)
{
	for (uint32_t i = 0; i < c->ast->types.n; i++) {
		const struct ast_type *a = &c->ast->types.at[i];
		const struct symbol *s = symbol_find(c, SYM_TYPE, a->name.atom);

		if (s && s->flavour == FLAVOUR_PLAIN)
			add_to_attributes(c, nested, s, a->attrs, a->block);
	}
	for (uint32_t i = 0; i < c->ast->typeattributes.n; i++) {
		const struct ast_typeattribute *a = &c->ast->typeattributes.at[i];
		const struct symbol *s = symbol_use_earlier(c, SYM_TYPE, a->name, a->block);

		if (s)
			add_to_attributes(c, nested, s, a->attrs, a->block);
	}
}

static void absorb_global(void *data, const struct nesting *pair)
{
	struct compile *c = data;

	if (ebitmap_empty(&c->types[pair->outer].global_types))
		*vec_push(&c->members_set) = pair->outer;
	ebitmap_or(&c->types[pair->outer].global_types, &c->types[pair->inner].global_types);
}

static void absorb(void *data, const struct nesting *pair)
{
	struct compile *c = data;

	if (pair->global)
		absorb_global(c, pair);
	if (pair->outer <= c->policy->types.n && pair->inner <= c->policy->types.n)
		ebitmap_or(&c->policy->types.at[pair->outer].types, &c->policy->types.at[pair->inner].types);
}

static void report_loop(void *data, const struct nesting *pair, const uint32_t *path, uint32_t n)
{
	struct compile *c = data;
	const struct symbols *table = &c->symbols[SYM_TYPE];
	const char **names = arena_zalloc(&c->arena, table->nvalues + 1, sizeof *names);
	uint32_t shown = n < MAX_LOOP ? n : MAX_LOOP;
	struct buffer text = {0};

	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].flavour == FLAVOUR_ATTRIBUTE)
			names[table->at.at[i].value] = name_text(c, table->at.at[i].name);
	for (uint32_t i = 1; i < shown; i++)
		text_printf(&text, "`%s`, which holds ", names[path[i]]);
	diag_error(c->diags, "attribute-loop", pair->loc, "attribute `%s` is a member of itself: it holds %s%s`%s`",
		   names[pair->inner], text_of(&text), shown < n ? "others, which hold " : "", names[pair->inner]);
	for (uint32_t i = 0; i + 1 < shown; i++)
		diag_note(c->diags, membership_loc(c, path[i + 1], path[i]), "`%s` is in `%s` by this statement",
			  names[path[i + 1]], names[path[i]]);
	buffer_free(&text);
}

/* ---- memberships of one module ---- */

static const struct symbol *primary_of(const struct compile *c, atom_t name)
{
	const struct symbol *s = symbol_find(c, SYM_TYPE, name);

	return s && s->flavour == FLAVOUR_ALIAS ? &c->symbols[SYM_TYPE].at.at[s->primary] : s;
}

static void add_global_members(struct compile *c, atom_t member, struct ast_names attrs)
{
	const struct symbol *s = primary_of(c, member);
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, attrs, &one);

	for (uint32_t i = 0; i < set.n && s && s->value; i++) {
		const struct symbol *attr = symbol_find(c, SYM_TYPE, set.items[i] & ~AST_MINUS);

		if (!attr || !attr->value || attr->flavour != FLAVOUR_ATTRIBUTE)
			continue;
		if (s->flavour == FLAVOUR_PLAIN)
			add_global_member(c, s, attr);
		else
			*vec_push(&c->nested) = (struct nesting){s->value, attr->value, LOC_NONE, true};
	}
}

/* Loops have been reported. */
static void ignore_loop(void *data, const struct nesting *pair, const uint32_t *path, uint32_t n)
{
	(void)data;
	(void)pair;
	(void)path;
	(void)n;
}

static void gather_global_members(struct compile *c, uint32_t root)
{
	const struct ast *ast = c->ast;
	const struct nest_actions actions = {absorb_global, ignore_loop, c};

	c->nested.n = 0;
	for (uint32_t i = 0; i < ast->types.n; i++)
		if (ast->types.at[i].block == root)
			add_global_members(c, ast->types.at[i].name.atom, ast->types.at[i].attrs);
	for (uint32_t i = 0; i < ast->typeattributes.n; i++)
		if (ast->typeattributes.at[i].block == root)
			add_global_members(c, ast->typeattributes.at[i].name.atom, ast->typeattributes.at[i].attrs);
	if (c->nested.n)
		nest_resolve(&c->nested, c->symbols[SYM_TYPE].nvalues, &actions);
}

void use_memberships(struct compile *c, uint32_t block)
{
	if (c->memberships_of == module_of(c, block))
		return;
	c->memberships_of = module_of(c, block);
	while (c->members_set.n)
		ebitmap_free(&c->types[c->members_set.at[--c->members_set.n]].global_types);
	gather_global_members(c, ast_root(c->ast, block));
}

/* ---- flags ---- */

/* Some statements act on a symbol of a live block even from a block that is
 * off; existing policies rely on it, so it is kept, with a warning. */
static void warn_dead_effect(struct compile *c, struct loc loc, uint32_t block, const char *statement)
{
	if (!c->live[block])
		diag_warning(c->diags, "effect-of-disabled-block", loc,
			     "%s stands in an optional block that is off, and takes effect all the same", statement);
}

static void set_expand(struct compile *c, const struct symbol *attr, bool expand)
{
	if (attr->live)
		c->policy->types.at[attr->value].expand = expand;
}

/* first: of each symbol the first statement. */
static void lower_expandattribute(struct compile *c, const struct ast_expandattribute *a, const struct ast_expandattribute **first)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, a->attrs, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		const struct symbol *s = set.items[i] & AST_MINUS ? NULL : symbol_use_item(c, SYM_TYPE, a->attrs, item, a->block);
		const struct ast_expandattribute **before;

		if (set.items[i] & AST_MINUS)
			diag_error(c->diags, "set-form", a->loc, "expandattribute takes a list of attributes only");
		if (s && s->flavour != FLAVOUR_ATTRIBUTE) {
			diag_error(c->diags, "type-as-attribute", item_loc(c, a->attrs, item),
				   "`%s` is a type, and an attribute must stand here", name_text(c, item));
			continue;
		}
		if (!s)
			continue;
		if (s->live)
			warn_dead_effect(c, a->loc, a->block, "expandattribute");
		before = &first[symbol_index(c, s)];
		if (!*before) {
			*before = a;
			set_expand(c, s, a->value);
		} else if ((*before)->value != a->value) {
			diag_source_warning(c->diags, "expandattribute-conflict", a->loc,
				     "attribute `%s` is set to be expanded and not to be: it is kept", name_text(c, item));
			diag_note(c->diags, (*before)->loc, "the other statement is here");
			set_expand(c, s, false);
		}
	}
}

static void lower_expandattributes(struct compile *c)
{
	const struct ast_expandattribute **first = arena_zalloc(&c->arena, c->symbols[SYM_TYPE].at.n, sizeof *first);

	for (uint32_t i = 0; i < c->ast->expandattributes.n; i++) {
		const struct ast_expandattribute *a = &c->ast->expandattributes.at[i];

		if (a->attrs.id & AST_SET && (c->ast->sets.at[a->attrs.id & ~AST_SET].star ||
					     c->ast->sets.at[a->attrs.id & ~AST_SET].complement))
			diag_error(c->diags, "set-form", a->loc, "expandattribute takes a list of attributes only");
		else
			lower_expandattribute(c, a, first);
	}
}

static void lower_permissives(struct compile *c)
{
	for (uint32_t i = 0; i < c->ast->permissives.n; i++) {
		const struct ast_permissive *a = &c->ast->permissives.at[i];
		const char *statement = a->neveraudit ? "neveraudit" : "permissive";
		const struct symbol *s = symbol_use(c, SYM_TYPE, a->name, a->block);

		if (s && s->flavour == FLAVOUR_ATTRIBUTE)
			diag_error(c->diags, "attribute-as-type", ast_name_loc(c->atoms, a->name),
				   "`%s` is an attribute; %s takes a type", name_text(c, a->name.atom), statement);
		if (!s || s->flavour == FLAVOUR_ATTRIBUTE || !s->live)
			continue;
		warn_dead_effect(c, a->loc, a->block, statement);
		if (a->neveraudit)
			c->policy->types.at[s->value].neveraudit = true;
		else
			c->policy->types.at[s->value].permissive = true;
	}
}

/* ---- bounds ---- */

/* What one statement says; those of one child are a list. */
struct bound { uint32_t parent, block; struct loc loc; uint32_t next; };

struct bounds {
	VEC(struct bound) list; /* [0] is unused */
	uint32_t *of;           /* by child: index into list, or 0 */
};

static const struct symbol *use_plain_type(struct compile *c, struct ast_name name, uint32_t block)
{
	const struct symbol *s = symbol_use(c, SYM_TYPE, name, block);

	if (!s || s->flavour == FLAVOUR_PLAIN)
		return s;
	diag_error(c->diags, "attribute-as-type", ast_name_loc(c->atoms, name), "`%s` is an attribute and has no bounds",
		   name_text(c, name.atom));
	return NULL;
}

/* Two parents conflict when their statements can act together: both live, or
 * of one block, be it on or off. */
static const struct bound *find_conflict(const struct compile *c, const struct bounds *b, uint32_t child,
					 uint32_t parent, uint32_t block)
{
	for (uint32_t i = b->of[child]; i; i = b->list.at[i].next) {
		const struct bound *other = &b->list.at[i];

		if (other->parent != parent && (other->block == block || (c->live[other->block] && c->live[block])))
			return other;
	}
	return NULL;
}

static void set_bound(struct compile *c, struct bounds *b, const struct symbol *parent, const struct symbol *child,
		      struct loc loc, uint32_t block)
{
	const struct bound *other;

	if (!parent->value || !child->value)
		return;
	other = find_conflict(c, b, child->value, parent->value, block);
	if (other) {
		diag_error(c->diags, "bounds-conflict", loc, "type `%s` already has another parent", name_text(c, child->name));
		diag_note(c->diags, other->loc, "the other parent is given here");
		return;
	}
	*vec_push(&b->list) = (struct bound){parent->value, block, loc, b->of[child->value]};
	b->of[child->value] = b->list.n - 1;
	if (c->live[block] && parent->live && child->live)
		c->policy->types.at[child->value].bounds = parent->value;
}

/* `type a.b` implies `typebounds a a.b`. */
static void bound_dotted_types(struct compile *c, struct bounds *bounds)
{
	for (uint32_t i = 0; i < c->ast->types.n; i++) {
		const struct ast_type *a = &c->ast->types.at[i];
		const struct symbol *child = symbol_find(c, SYM_TYPE, a->name.atom), *parent;
		struct ast_name name = {.begin = a->name.begin};

		if (!child || child->flavour != FLAVOUR_PLAIN || !has_dot(c, a->name.atom))
			continue;
		name.atom = dotted_parent(c, a->name.atom);
		parent = symbol_find(c, SYM_TYPE, name.atom);
		if (!parent || parent->flavour != FLAVOUR_PLAIN || (!parent->declared && c->form == COMPILE_POLICY) ||
		    !symbol_in_module(c, parent, a->block))
			diag_error(c->diags, "orphan", ast_name_loc(c->atoms, a->name),
				   "type `%s` has no parent: what stands before its last dot is no type", name_text(c, a->name.atom));
		else if (symbol_use(c, SYM_TYPE, name, a->block))
			set_bound(c, bounds, parent, child, a->loc, a->block);
	}
}

static void lower_typebounds(struct compile *c)
{
	struct bounds bounds = {.of = arena_zalloc(&c->arena, c->symbols[SYM_TYPE].nvalues + 1, sizeof *bounds.of)};

	*vec_push(&bounds.list) = (struct bound){0};
	bound_dotted_types(c, &bounds);
	for (uint32_t i = 0; i < c->ast->typebounds.n; i++) {
		const struct ast_typebounds *a = &c->ast->typebounds.at[i];
		const struct symbol *parent = use_plain_type(c, a->parent, a->block);
		uint32_t one;
		struct ast_set set = ast_set_of(c->ast, a->children, &one);

		for (uint32_t k = 0; k < set.n; k++) {
			struct loc loc = item_loc(c, a->children, set.items[k] & ~AST_MINUS);
			struct ast_name name = {set.items[k] & ~AST_MINUS, loc.begin};
			const struct symbol *child = use_plain_type(c, name, a->block);

			if (parent && child)
				set_bound(c, &bounds, parent, child, a->loc, a->block);
		}
	}
	vec_free(&bounds.list);
}

void lower_types(struct compile *c)
{
	nestings nested = {0};
	const struct nest_actions actions = {absorb, report_loop, c};

	gather_members(c, &nested);
	nest_resolve(&nested, c->symbols[SYM_TYPE].nvalues, &actions);
	vec_free(&nested);
	lower_expandattributes(c);
	lower_permissives(c);
	lower_typebounds(c);
}

/* ---- hierarchy (language.md 14.3) ---- */

/* A module alone is judged by all names that it declares or requires. */
static bool is_there(const struct compile *c, const struct symbol *s)
{
	return s->live || c->form == COMPILE_MODULE;
}

static void check_parent(struct compile *c, const struct symbol *s)
{
	const struct symbol *parent;

	if (!is_there(c, s) || !has_dot(c, s->name))
		return;
	parent = symbol_find(c, s->kind, dotted_parent(c, s->name));
	if (!parent || !is_there(c, parent) || parent->flavour != s->flavour)
		diag_error(c->diags, "orphan", s->loc, "%s `%s` has no parent: what stands before its last dot is no %s",
			   symbol_kind_text(s), name_text(c, s->name), symbol_kind_text(s));
	else if (s->kind == SYM_TYPE)
		diag_error(c->diags, "dotted-attribute", s->loc,
			   "attribute `%s` cannot be bounded by `%s`: no kernel reads bounds of an attribute",
			   name_text(c, s->name), name_text(c, parent->name));
}

void check_hierarchy(struct compile *c)
{
	static const uint8_t kinds[] = {SYM_ROLE, SYM_USER, SYM_TYPE};

	for (uint32_t k = 0; k < sizeof kinds; k++)
		for (uint32_t i = 1; i < c->symbols[kinds[k]].at.n; i++) {
			const struct symbol *s = &c->symbols[kinds[k]].at.at[i];

			if (kinds[k] != SYM_TYPE || s->flavour == FLAVOUR_ATTRIBUTE)
				check_parent(c, s);
		}
}
