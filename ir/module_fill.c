/* Struct module from what the passes have checked: symbols, who declares and
 * requires them, and what each block adds to them (policydb-format.md 15).
 *
 * Values are those that the symbols have already, so that labels and constraints
 * of the policy can stay; what is only required comes behind them. */
#include <string.h>

#include "ir/fill.h"

static const uint8_t kinds[MODULE_TABLES] = {
	[MODULE_COMMONS] = SYM_COMMON, [MODULE_CLASSES] = SYM_CLASS, [MODULE_ROLES] = SYM_ROLE, [MODULE_TYPES] = SYM_TYPE,
	[MODULE_USERS] = SYM_USER, [MODULE_BOOLS] = SYM_BOOL, [MODULE_SENS] = SYM_SENS, [MODULE_CATS] = SYM_CAT,
};

static const char *keep(struct fill *f, atom_t name)
{
	return arena_strndup(&f->m->arena, name_text(f->c, name), atom_len(f->c->atoms, name));
}

uint32_t fill_value(const struct fill *f, enum symbol_kind kind, atom_t name)
{
	const struct symbol *s = symbol_find(f->c, kind, name);

	return s ? f->values[kind][symbol_index(f->c, s)] : 0;
}

/* How many values there are. */
static uint32_t give_values(struct fill *f, enum symbol_kind kind)
{
	const struct symbols *table = &f->c->symbols[kind];
	uint32_t n = table->nvalues, *values = arena_zalloc(&f->c->arena, table->at.n, sizeof *values);

	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].flavour != FLAVOUR_ALIAS)
			values[i] = table->at.at[i].value ? table->at.at[i].value : ++n;
	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].flavour == FLAVOUR_ALIAS)
			values[i] = values[table->at.at[i].primary];
	f->values[kind] = values;
	return n;
}

/* ---- tables ---- */

static void fill_type_table(struct fill *f)
{
	const struct symbols *table = &f->c->symbols[SYM_TYPE];
	struct policy *p = f->c->policy;

	for (uint32_t v = 1; v <= p->types.n; v++)
		ebitmap_free(&p->types.at[v].types);
	p->types.n = f->ntypes;
	p->types.at = arena_zalloc(&p->arena, (size_t)f->ntypes + 1, sizeof *p->types.at);
	p->type_aliases.n = 0;
	p->type_aliases.at = arena_alloc(&p->arena, table->at.n * sizeof *p->type_aliases.at);
	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];
		uint32_t value = f->values[SYM_TYPE][i];

		if (s->flavour == FLAVOUR_ALIAS) {
			p->type_aliases.at[p->type_aliases.n++] = (struct policy_alias){keep(f, s->name), value};
			continue;
		}
		p->types.at[value].name = keep(f, s->name);
		p->types.at[value].kind = s->flavour == FLAVOUR_ATTRIBUTE ? POLICY_ATTRIBUTE : POLICY_TYPE;
	}
}

static void fill_bool_table(struct fill *f)
{
	const struct symbols *table = &f->c->symbols[SYM_BOOL];
	struct policy *p = f->c->policy;

	p->bools.n = f->m->tunables.n = f->nbools;
	p->bools.at = arena_zalloc(&p->arena, (size_t)f->nbools + 1, sizeof *p->bools.at);
	f->m->tunables.at = arena_zalloc(&f->m->arena, (size_t)f->nbools + 1, sizeof *f->m->tunables.at);
	for (uint32_t i = 1; i < table->at.n; i++) {
		p->bools.at[f->values[SYM_BOOL][i]].name = keep(f, table->at.at[i].name);
		f->m->tunables.at[f->values[SYM_BOOL][i]] = table->at.at[i].flavour == FLAVOUR_TUNABLE;
	}
	for (uint32_t i = 0; i < f->c->ast->bools.n; i++)
		p->bools.at[fill_value(f, SYM_BOOL, f->c->ast->bools.at[i].name.atom)].state = f->c->ast->bools.at[i].value;
}

/* In a base all are declared, but for those that an optional block requires in
 * vain. */
static void fill_mls_tables(struct fill *f)
{
	struct policy *p = f->c->policy;
	struct policy_sens *sens = arena_zalloc(&p->arena, (size_t)f->nsens + 1, sizeof *sens);
	struct policy_cat *cats = arena_zalloc(&p->arena, (size_t)f->ncats + 1, sizeof *cats);

	for (uint32_t v = 1; v <= p->sens.n; v++)
		sens[v].cats = p->sens.at[v].cats;
	for (uint32_t i = 1; i < f->c->symbols[SYM_SENS].at.n; i++)
		if (f->c->symbols[SYM_SENS].at.at[i].flavour != FLAVOUR_ALIAS)
			sens[f->values[SYM_SENS][i]].name = keep(f, f->c->symbols[SYM_SENS].at.at[i].name);
	for (uint32_t i = 1; i < f->c->symbols[SYM_CAT].at.n; i++)
		if (f->c->symbols[SYM_CAT].at.at[i].flavour != FLAVOUR_ALIAS)
			cats[f->values[SYM_CAT][i]].name = keep(f, f->c->symbols[SYM_CAT].at.at[i].name);
	p->sens.at = sens;
	p->sens.n = f->nsens;
	p->cats.at = cats;
	p->cats.n = f->ncats;
}

static void drop_rules(struct policy *p)
{
	for (uint32_t i = 0; i < p->filename_trans.n; i++)
		ebitmap_free(&p->filename_trans.at[i].sources);
	for (uint32_t i = 0; i < p->range_trans.n; i++)
		policy_range_free(&p->range_trans.at[i].range);
	p->rules.n = p->conds.n = p->xperms.n = p->role_trans.n = p->role_allows.n = 0;
	p->filename_trans.n = p->range_trans.n = 0;
}

static void drop_roles_and_users(struct policy *p)
{
	for (uint32_t v = 1; v <= p->roles.n; v++) {
		ebitmap_free(&p->roles.at[v].dominates);
		ebitmap_free(&p->roles.at[v].types);
	}
	for (uint32_t v = 1; v <= p->users.n; v++) {
		ebitmap_free(&p->users.at[v].roles);
		policy_range_free(&p->users.at[v].range);
		ebitmap_free(&p->users.at[v].level.cats);
	}
	p->roles.n = p->users.n = 0;
}

static void fill_role_and_user_tables(struct fill *f)
{
	const struct symbols *roles = &f->c->symbols[SYM_ROLE], *users = &f->c->symbols[SYM_USER];
	struct module *m = f->m;

	m->roles.n = f->nroles;
	m->roles.at = arena_zalloc(&m->arena, (size_t)f->nroles + 1, sizeof *m->roles.at);
	for (uint32_t i = 1; i < roles->at.n; i++) {
		struct module_role *to = &m->roles.at[f->values[SYM_ROLE][i]];

		to->name = keep(f, roles->at.at[i].name);
		to->value = f->values[SYM_ROLE][i];
		to->attribute = roles->at.at[i].flavour == FLAVOUR_ATTRIBUTE;
	}
	m->users.n = f->nusers;
	m->users.at = arena_zalloc(&m->arena, (size_t)f->nusers + 1, sizeof *m->users.at);
	for (uint32_t i = 1; i < users->at.n; i++) {
		struct module_user *to = &m->users.at[f->values[SYM_USER][i]];

		to->name = keep(f, users->at.at[i].name);
		to->value = f->values[SYM_USER][i];
	}
}

/* ---- types by block ---- */

/* What one block says of one type, role or user. */
struct type_part { uint32_t block, value, bounds; struct ebitmap members; };
struct role_part { uint32_t block, value; bool declared; struct ebitmap members, types, negset; };
struct user_part { uint32_t block, value; struct ebitmap roles; bool has_level; struct module_range range; struct module_level level; };

/* The part of (block, value) in a list, made when it is not there. */
#define part_of(list, index, in_block, of_value) \
	(*pairs_put(index, pair_key((in_block) + 1, of_value)) \
		 ? &(list)->at[*pairs_get(index, pair_key((in_block) + 1, of_value)) - 1] \
		 : (*vec_push(list) = (__typeof__(*(list)->at)){.block = (in_block), .value = (of_value)}, \
		    *pairs_put(index, pair_key((in_block) + 1, of_value)) = (list)->n, &(list)->at[(list)->n - 1]))

typedef VEC(struct type_part) type_parts_list;

static void add_members(struct fill *f, type_parts_list *list, struct pairs *index, uint32_t block, atom_t member,
			struct ast_names attrs)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, attrs, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		struct type_part *part = part_of(list, index, block, fill_value(f, SYM_TYPE, set.items[i]));

		ebitmap_set(&part->members, fill_value(f, SYM_TYPE, member) - 1);
	}
}

static void add_bounds(struct fill *f, type_parts_list *list, struct pairs *index)
{
	const struct ast *ast = f->c->ast;

	for (uint32_t i = 0; i < ast->types.n; i++) {
		const struct ast_type *a = &ast->types.at[i];

		if (has_dot(f->c, a->name.atom))
			part_of(list, index, a->block, fill_value(f, SYM_TYPE, a->name.atom))->bounds =
				fill_value(f, SYM_TYPE, dotted_parent(f->c, a->name.atom));
	}
	for (uint32_t i = 0; i < ast->typebounds.n; i++) {
		const struct ast_typebounds *a = &ast->typebounds.at[i];
		uint32_t one;
		struct ast_set set = ast_set_of(ast, a->children, &one);

		for (uint32_t k = 0; k < set.n; k++)
			part_of(list, index, a->block, fill_value(f, SYM_TYPE, set.items[k]))->bounds =
				fill_value(f, SYM_TYPE, a->parent.atom);
	}
}

/* The outermost block's part is the type's own entry. */
static void keep_type_parts(struct fill *f, type_parts_list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		struct type_part *part = &list->at[i];
		struct policy_type *type = &f->c->policy->types.at[part->value];

		if (part->block == AST_GLOBAL) {
			type->types = part->members;
			type->bounds = part->bounds;
			continue;
		}
		*vec_push(&f->blocks[part->block].types) = (struct module_type){
			.value = part->value,
			.attribute = type->kind == POLICY_ATTRIBUTE,
			.bounds = part->bounds,
			.types = fill_bits(f, &part->members),
		};
		ebitmap_free(&part->members);
	}
}

static void fill_type_parts(struct fill *f)
{
	const struct ast *ast = f->c->ast;
	type_parts_list list = {0};
	struct pairs index = {0};

	for (uint32_t i = 0; i < ast->types.n; i++)
		add_members(f, &list, &index, ast->types.at[i].block, ast->types.at[i].name.atom, ast->types.at[i].attrs);
	for (uint32_t i = 0; i < ast->typeattributes.n; i++)
		add_members(f, &list, &index, ast->typeattributes.at[i].block, ast->typeattributes.at[i].name.atom,
			    ast->typeattributes.at[i].attrs);
	add_bounds(f, &list, &index);
	keep_type_parts(f, &list);
	vec_free(&list);
	pairs_free(&index);
}

/* These act on the type itself, from any block. */
static void fill_type_flags(struct fill *f)
{
	const struct ast *ast = f->c->ast;
	struct policy *p = f->c->policy;

	for (uint32_t i = 0; i < ast->permissives.n; i++) {
		struct policy_type *type = &p->types.at[fill_value(f, SYM_TYPE, ast->permissives.at[i].name.atom)];

		if (ast->permissives.at[i].neveraudit)
			type->neveraudit = true;
		else
			type->permissive = true;
	}
	for (uint32_t i = 0; i < ast->expandattributes.n; i++) {
		uint32_t one;
		struct ast_set set = ast_set_of(ast, ast->expandattributes.at[i].attrs, &one);

		for (uint32_t k = 0; k < set.n; k++) {
			uint32_t value = fill_value(f, SYM_TYPE, set.items[k]);

			if (ast->expandattributes.at[i].value)
				p->types.at[value].expand = true;
			else
				ebitmap_set(&f->m->unexpanded, value - 1);
		}
	}
	ebitmap_for_each(&f->m->unexpanded, bit) /* where both are said, it is kept */
		p->types.at[bit + 1].expand = false;
}

/* ---- roles by block ---- */

typedef VEC(struct role_part) role_parts_list;

static void add_role_members(struct fill *f, role_parts_list *list, struct pairs *index, uint32_t block, atom_t member,
			     struct ast_names attrs)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, attrs, &one);

	for (uint32_t i = 0; i < set.n; i++)
		ebitmap_set(&part_of(list, index, block, fill_value(f, SYM_ROLE, set.items[i]))->members,
			    fill_value(f, SYM_ROLE, member) - 1);
}

static void add_role_types(struct fill *f, role_parts_list *list, struct pairs *index, const struct ast_role_types *a)
{
	struct role_part *part = part_of(list, index, a->block, fill_value(f, SYM_ROLE, a->name.atom));
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, a->types, &one);

	for (uint32_t i = 0; i < set.n; i++)
		ebitmap_set(set.items[i] & AST_MINUS ? &part->negset : &part->types,
			    fill_value(f, SYM_TYPE, set.items[i] & ~AST_MINUS) - 1);
}

static struct module_values one_value(struct fill *f, uint32_t value)
{
	return (struct module_values){arena_copy(&f->m->arena, &value, sizeof value), 1};
}

static uint32_t role_bounds(const struct fill *f, const char *name)
{
	atom_t atom = atom_find(f->c->atoms, name, strlen(name));

	return has_dot(f->c, atom) ? fill_value(f, SYM_ROLE, dotted_parent(f->c, atom)) : 0;
}

static uint32_t user_bounds(const struct fill *f, const char *name)
{
	atom_t atom = atom_find(f->c->atoms, name, strlen(name));

	return has_dot(f->c, atom) ? fill_value(f, SYM_USER, dotted_parent(f->c, atom)) : 0;
}

static void keep_role_parts(struct fill *f, role_parts_list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		struct role_part *part = &list->at[i];
		struct module_role *own = &f->m->roles.at[part->value];
		struct module_role *to = part->block == AST_GLOBAL ? own : vec_push(&f->blocks[part->block].roles);

		if (to != own)
			*to = (struct module_role){.name = own->name, .value = own->value, .attribute = own->attribute};
		to->types.types = fill_bits(f, &part->types);
		to->types.negset = fill_bits(f, &part->negset);
		to->roles = fill_bits(f, &part->members);
		if (part->declared) {
			to->dominates = one_value(f, part->value);
			to->bounds = role_bounds(f, own->name);
		}
		ebitmap_free(&part->types);
		ebitmap_free(&part->negset);
		ebitmap_free(&part->members);
	}
}

/* A role dominates itself where it is declared; one that is only required does
 * so in its own entry. */
static void fill_role_parts(struct fill *f)
{
	const struct ast *ast = f->c->ast;
	const struct symbols *table = &f->c->symbols[SYM_ROLE];
	role_parts_list list = {0};
	struct pairs index = {0};

	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].global || !table->at.at[i].declared)
			part_of(&list, &index, AST_GLOBAL, f->values[SYM_ROLE][i])->declared = true;
	for (uint32_t i = 0; i < ast->roles.n; i++) {
		const struct ast_role *a = &ast->roles.at[i];

		part_of(&list, &index, a->block, fill_value(f, SYM_ROLE, a->name.atom))->declared = true;
		add_role_members(f, &list, &index, a->block, a->name.atom, a->attrs);
	}
	for (uint32_t i = 0; i < ast->attribute_roles.n; i++)
		part_of(&list, &index, ast->attribute_roles.at[i].block, fill_value(f, SYM_ROLE, ast->attribute_roles.at[i].name.atom))
			->declared = true;
	for (uint32_t i = 0; i < ast->roleattributes.n; i++)
		add_role_members(f, &list, &index, ast->roleattributes.at[i].block, ast->roleattributes.at[i].name.atom,
				 ast->roleattributes.at[i].attrs);
	for (uint32_t i = 0; i < ast->role_types.n; i++)
		add_role_types(f, &list, &index, &ast->role_types.at[i]);
	keep_role_parts(f, &list);
	vec_free(&list);
	pairs_free(&index);
}

/* ---- users by block ---- */

/* The later sensitivity wins, categories add up. */
static void add_level(struct fill *f, struct module_level *to, const struct ast_level_expr *expr, bool has)
{
	struct module_level level = fill_level(f, expr), both = level;

	if (has) {
		both.cats.at = arena_alloc(&f->m->arena, (to->cats.n + level.cats.n) * sizeof *both.cats.at + 1);
		memcpy(both.cats.at, to->cats.at, to->cats.n * sizeof *both.cats.at);
		memcpy(both.cats.at + to->cats.n, level.cats.at, level.cats.n * sizeof *both.cats.at);
		both.cats.n = to->cats.n + level.cats.n;
	}
	*to = both;
}

static void add_user(struct fill *f, struct user_part *part, const struct ast_user *a)
{
	uint32_t one;
	struct ast_set set = ast_set_of(f->c->ast, a->roles, &one);

	for (uint32_t i = 0; i < set.n; i++)
		ebitmap_set(&part->roles, fill_value(f, SYM_ROLE, set.items[i]) - 1);
	if (!a->has_level)
		return;
	add_level(f, &part->level, &a->level, part->has_level);
	add_level(f, &part->range.low, &a->range.low, part->has_level);
	add_level(f, &part->range.high, a->range.high.sens.atom ? &a->range.high : &a->range.low, part->has_level);
	part->has_level = true;
}

static void fill_user_parts(struct fill *f)
{
	VEC(struct user_part) list = {0};
	struct pairs index = {0};

	for (uint32_t i = 0; i < f->c->ast->users.n; i++) {
		const struct ast_user *a = &f->c->ast->users.at[i];

		add_user(f, part_of(&list, &index, a->block, fill_value(f, SYM_USER, a->name.atom)), a);
	}
	for (uint32_t i = 0; i < list.n; i++) {
		struct user_part *part = &list.at[i];
		struct module_user *own = &f->m->users.at[part->value];
		struct module_user *to = part->block == AST_GLOBAL ? own : vec_push(&f->blocks[part->block].users);

		*to = (struct module_user){
			.name = own->name,
			.value = own->value,
			.bounds = user_bounds(f, own->name),
			.roles = {fill_bits(f, &part->roles), 0},
			.range = part->range,
			.level = part->level,
		};
		ebitmap_free(&part->roles);
	}
	vec_free(&list);
	pairs_free(&index);
}

/* ---- scopes ---- */

/* Ids of the blocks that require, then of those that declare a symbol. */
static struct module_values scope_ids(struct fill *f, const struct symbol *s)
{
	struct ebitmap requires = {0}, declares = {0};
	struct module_values ids = {NULL, 0};
	uint32_t *at;

	for (uint32_t i = s->scopes; i; i = f->c->scopes.at[i].next)
		ebitmap_set(f->c->scopes.at[i].declares ? &declares : &requires, f->c->scopes.at[i].block);
	at = arena_alloc(&f->m->arena, (ebitmap_count(&requires) + ebitmap_count(&declares)) * sizeof *at + 1);
	ebitmap_for_each(&requires, block)
		at[ids.n++] = block + 1;
	ebitmap_for_each(&declares, block)
		at[ids.n++] = block + 1;
	ids.at = at;
	ebitmap_free(&requires);
	ebitmap_free(&declares);
	return ids;
}

static void mark_scopes(struct fill *f, enum module_table table, const struct symbol *s, uint32_t value)
{
	for (uint32_t i = s->scopes; i; i = f->c->scopes.at[i].next) {
		struct fill_block *block = &f->blocks[f->c->scopes.at[i].block];

		if (!f->c->scopes.at[i].declares)
			ebitmap_set(&block->required[table], value - 1);
		else if (table != MODULE_ROLES || value != 1)
			ebitmap_set(&block->declared[table], value - 1);
	}
}

static void fill_scopes(struct fill *f)
{
	for (enum module_table t = MODULE_CLASSES; t < MODULE_TABLES; t++) {
		const struct symbols *table = &f->c->symbols[kinds[t]];

		f->m->scopes[t].at = arena_alloc(&f->m->arena, table->at.n * sizeof *f->m->scopes[t].at);
		for (uint32_t i = 1; i < table->at.n; i++) {
			const struct symbol *s = &table->at.at[i];

			mark_scopes(f, t, s, f->values[kinds[t]][i]);
			f->m->scopes[t].at[f->m->scopes[t].n++] = (struct module_scope){
				keep(f, s->name), s->declared ? MODULE_DECLARED : MODULE_REQUIRED, scope_ids(f, s)};
		}
	}
}

static uint32_t *new_perms(struct fill *f)
{
	return arena_zalloc(&f->m->arena, (size_t)f->c->policy->classes.n + 1, sizeof(uint32_t));
}

/* What blocks of a base say of permissions: that all are there. */
static void require_all_perms(struct fill *f)
{
	f->blocks[AST_GLOBAL].perms = new_perms(f);
	for (uint32_t v = 1; v <= f->c->policy->classes.n; v++)
		f->blocks[AST_GLOBAL].perms[v - 1] = known_perms(f->c, v, AST_GLOBAL);
}

static void fill_required_perms(struct fill *f)
{
	for (uint32_t i = 0; i < f->c->ast->requires.n; i++) {
		const struct ast_require *a = &f->c->ast->requires.at[i];
		uint32_t class, one;
		struct ast_set set;

		if (a->kind != AST_REQUIRE_CLASS)
			continue;
		if (!f->blocks[a->block].perms)
			f->blocks[a->block].perms = new_perms(f);
		class = fill_value(f, SYM_CLASS, a->name.atom);
		set = ast_set_of(f->c->ast, a->perms, &one);
		for (uint32_t k = 0; k < set.n; k++)
			f->blocks[a->block].perms[class - 1] |= perm_bit(f->c, class, set.items[k]);
	}
}

/* ---- blocks ---- */

static void require_of_parent(struct fill *f, uint32_t block)
{
	const struct fill_block *parent = &f->blocks[f->c->ast->blocks.at[block].parent];
	struct fill_block *own = &f->blocks[block];

	for (int t = 0; t < MODULE_TABLES; t++)
		ebitmap_or(&own->required[t], &parent->required[t]);
	if (!own->perms)
		own->perms = parent->perms; /* most blocks require no class */
	else
		for (uint32_t v = 0; parent->perms && v < f->c->policy->classes.n; v++)
			own->perms[v] |= parent->perms[v];
}

static void keep_symbols(struct fill *f, struct ebitmap *tables, uint32_t *perms, struct module_symbols *to)
{
	uint32_t n = perms ? f->c->policy->classes.n : 0;

	memcpy(to->tables, tables, sizeof to->tables);
	while (n && !perms[n - 1] && !ebitmap_test(&tables[MODULE_CLASSES], n - 1))
		n--;
	to->perms.n = n;
	to->perms.at = perms;
}

static struct module_decl take_block(struct fill *f, uint32_t block)
{
	struct fill_block *from = &f->blocks[block];
	struct module_decl decl = {.id = block + 1, .loc = f->c->ast->blocks.at[block].loc, .enabled = f->m->base && f->c->live[block]};

	fill_list(f, &decl.conds, &from->conds);
	fill_list(f, &decl.rules, &from->rules);
	fill_list(f, &decl.role_trans, &from->role_trans);
	fill_list(f, &decl.role_allows, &from->role_allows);
	fill_list(f, &decl.filename_trans, &from->filename_trans);
	fill_list(f, &decl.range_trans, &from->range_trans);
	fill_list(f, &decl.types, &from->types);
	fill_list(f, &decl.roles, &from->roles);
	fill_list(f, &decl.users, &from->users);
	keep_symbols(f, from->required, from->perms, &decl.required);
	keep_symbols(f, from->declared, NULL, &decl.declared);
	vec_free(&from->conds);
	vec_free(&from->rules);
	vec_free(&from->role_trans);
	vec_free(&from->role_allows);
	vec_free(&from->filename_trans);
	vec_free(&from->range_trans);
	vec_free(&from->types);
	vec_free(&from->roles);
	vec_free(&from->users);
	return decl;
}

/* Blocks come after those around them, so what these require is complete. */
static void fill_blocks(struct fill *f)
{
	const struct ast *ast = f->c->ast;
	struct module *m = f->m;

	for (uint32_t b = 1; b < ast->blocks.n; b++)
		require_of_parent(f, b);
	m->blocks.at = arena_zalloc(&m->arena, ast->blocks.n, sizeof *m->blocks.at);
	for (uint32_t b = 0; b < ast->blocks.n; b++) {
		struct module_block *to;

		if (ast->blocks.at[b].is_else)
			continue;
		to = &m->blocks.at[m->blocks.n++];
		to->decls.at = arena_zalloc(&m->arena, 2, sizeof *to->decls.at);
		to->decls.at[to->decls.n++] = take_block(f, b);
		if (ast->blocks.at[b].other)
			to->decls.at[to->decls.n++] = take_block(f, ast->blocks.at[b].other);
	}
}

static void fill_init(struct fill *f)
{
	const struct ast *ast = f->c->ast;

	f->blocks = arena_zalloc(&f->c->arena, ast->blocks.n, sizeof *f->blocks);
	f->type_sets = arena_zalloc(&f->c->arena, ast->sets.n, sizeof *f->type_sets);
	give_values(f, SYM_CLASS);
	f->nroles = give_values(f, SYM_ROLE);
	f->ntypes = give_values(f, SYM_TYPE);
	f->nusers = give_values(f, SYM_USER);
	f->nbools = give_values(f, SYM_BOOL);
	f->nsens = give_values(f, SYM_SENS);
	f->ncats = give_values(f, SYM_CAT);
}

static void fill_header(struct fill *f)
{
	const struct ast_module *module = &f->c->ast->modules.at[0];

	f->m->base = !module->is_module;
	if (f->m->base)
		return;
	f->m->name = keep(f, module->name.atom);
	f->m->version = keep(f, module->version);
}

void fill_module(struct compile *c)
{
	struct fill f = {.c = c, .m = c->module};

	fill_header(&f);
	fill_init(&f);
	fill_rules(&f);
	drop_rules(c->policy);
	drop_roles_and_users(c->policy);
	fill_type_table(&f);
	fill_bool_table(&f);
	fill_mls_tables(&f);
	fill_role_and_user_tables(&f);
	fill_type_parts(&f);
	fill_type_flags(&f);
	fill_role_parts(&f);
	fill_user_parts(&f);
	if (f.m->base)
		require_all_perms(&f);
	else
		fill_required_perms(&f);
	fill_scopes(&f);
	fill_blocks(&f);
}
