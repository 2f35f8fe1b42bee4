/* Roles: members of role attributes, types of roles, bounds (language.md 9.11). */
#include <stdlib.h>

#include "base/buffer.h"
#include "ir/internal.h"
#include "ir/nest.h"
#include "ir/text.h"

enum { MAX_LOOP = 10 }; /* attributes told of a loop */

/* ---- members of role attributes ----
 *
 * The else branch of an optional within one that is off can give members to a
 * role attribute that is in no block that is on.  Its rules about that attribute
 * are about those members, as in libsepol; types it does not give them. */

static const struct symbol *use_role_attribute(struct compile *c, struct ast_names attrs, atom_t item, uint32_t block)
{
	struct loc loc = item_loc(c, attrs, item);
	const struct symbol *s = symbol_use_earlier(c, SYM_ROLE, (struct ast_name){item, loc.begin}, block);

	if (!s || s->flavour == FLAVOUR_ATTRIBUTE)
		return s;
	diag_error(c->diags, "role-as-attribute", loc, "`%s` is a role, and a role attribute must stand here",
		   name_text(c, item));
	return NULL;
}

static void add_to_attributes(struct compile *c, nestings *nested, const struct symbol *member, struct ast_names attrs,
			      uint32_t block)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, attrs, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		const struct symbol *attr = use_role_attribute(c, attrs, item, block);

		if (!attr || !c->live[block] || (member->flavour == FLAVOUR_PLAIN && !member->live))
			continue;
		if (member->flavour == FLAVOUR_PLAIN)
			ebitmap_set(&c->roles[attr->value].members, member->value - 1);
		else
			*vec_push(nested) = (struct nesting){member->value, attr->value,
				item_loc(c, attrs, item), false};
	}
}

static void absorb(void *data, const struct nesting *pair)
{
	struct compile *c = data;

	ebitmap_or(&c->roles[pair->outer].members, &c->roles[pair->inner].members);
}

static const char *role_name(const struct compile *c, uint32_t value)
{
	const struct symbols *table = &c->symbols[SYM_ROLE];
	uint32_t i = 1;

	while (table->at.at[i].value != value)
		i++;
	return name_text(c, table->at.at[i].name);
}

static void report_loop(void *data, const struct nesting *pair, const uint32_t *path, uint32_t n)
{
	struct compile *c = data;

	uint32_t shown = n < MAX_LOOP ? n : MAX_LOOP;
	struct buffer text = {0};

	for (uint32_t i = 1; i < shown; i++)
		text_printf(&text, "`%s`, which holds ", role_name(c, path[i]));
	diag_error(c->diags, "role-attribute-loop", pair->loc, "role attribute `%s` is a member of itself: it holds %s%s`%s`",
		   role_name(c, pair->inner), text_of(&text), shown < n ? "others, which hold " : "",
		   role_name(c, pair->inner));
	buffer_free(&text);
}

static void gather_members(struct compile *c)
{
	nestings nested = {0};
	const struct nest_actions actions = {absorb, report_loop, c};

	for (uint32_t i = 0; i < c->ast->roles.n; i++) {
		const struct ast_role *a = &c->ast->roles.at[i];
		const struct symbol *s = symbol_find(c, SYM_ROLE, a->name.atom);

		if (s && s->flavour == FLAVOUR_PLAIN)
			add_to_attributes(c, &nested, s, a->attrs, a->block);
	}
	for (uint32_t i = 0; i < c->ast->roleattributes.n; i++) {
		const struct ast_roleattribute *a = &c->ast->roleattributes.at[i];
		const struct symbol *s = symbol_use_earlier(c, SYM_ROLE, a->name, a->block);

		if (s)
			add_to_attributes(c, &nested, s, a->attrs, a->block);
	}
	nest_resolve(&nested, c->symbols[SYM_ROLE].nvalues, &actions);
	vec_free(&nested);
}

/* ---- types of roles ---- */

/* All statements for one role in one block are one set: what one subtracts is
 * gone whichever other adds it.  Blocks are worked out apart and united. */
struct role_types { uint32_t role, block; struct ast_names types; };

static int compare_role_types(const void *x, const void *y)
{
	const struct role_types *a = x, *b = y;

	if (a->role != b->role)
		return a->role < b->role ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return a->types.begin < b->types.begin ? -1 : a->types.begin > b->types.begin;
}

static void add_group(struct compile *c, const struct role_types *group, uint32_t n, bool global_only, struct ebitmap *types)
{
	struct ebitmap plus = {0}, minus = {0};

	for (uint32_t i = 0; i < n; i++)
		type_parts(c, group[i].types, global_only, &plus, &minus);
	ebitmap_andnot(&plus, &minus);
	ebitmap_or(types, &plus);
	ebitmap_free(&plus);
	ebitmap_free(&minus);
}

static void add_types(struct compile *c, const struct role_types *group, uint32_t n)
{
	uint32_t role = group->role;
	struct ebitmap types = {0};

	if (group->block == AST_GLOBAL)
		add_group(c, group, n, true, &c->roles[role].direct_types);
	if (!c->live[group->block])
		return;
	add_group(c, group, n, false, &types);
	if (role <= c->policy->roles.n)
		ebitmap_or(&c->policy->roles.at[role].types, &types);
	ebitmap_for_each(&c->roles[role].members, member)
		ebitmap_or(&c->policy->roles.at[member + 1].types, &types);
	ebitmap_free(&types);
}

static void gather_types(struct compile *c)
{
	VEC(struct role_types) list = {0};

	for (uint32_t i = 0; i < c->ast->role_types.n; i++) {
		const struct ast_role_types *a = &c->ast->role_types.at[i];
		const struct symbol *s = symbol_use(c, SYM_ROLE, a->name, a->block);
		bool good = check_type_set(c, a->types, a->block, 0);

		if (s && s->value && good && (s->live || !c->live[a->block]))
			*vec_push(&list) = (struct role_types){s->value, a->block, a->types};
	}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, compare_role_types);
	for (uint32_t i = 0, end; i < list.n; i = end) {
		for (end = i + 1; end < list.n && list.at[end].role == list.at[i].role &&
		     list.at[end].block == list.at[i].block; end++)
			;
		add_types(c, &list.at[i], end - i);
	}
	vec_free(&list);
	/* object_r goes with every type without being told. */
	ebitmap_free(&c->policy->roles.at[1].types);
}

static void bound_roles(struct compile *c)
{
	const struct symbols *table = &c->symbols[SYM_ROLE];

	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i], *parent;

		if (!s->live || s->flavour != FLAVOUR_PLAIN || !has_dot(c, s->name))
			continue;
		parent = symbol_find(c, SYM_ROLE, dotted_parent(c, s->name));
		if (parent && parent->live && parent->flavour == FLAVOUR_PLAIN)
			c->policy->roles.at[s->value].bounds = parent->value;
	}
}

void lower_roles(struct compile *c)
{
	gather_members(c);
	gather_types(c);
	bound_roles(c);
}
