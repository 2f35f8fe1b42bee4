/* Where the things of a policy stand: the first statement in force of each
 * kind, and the declarations of its symbols. */
#include "ir/places.h"

#include <stdlib.h>
#include <string.h>

#include "ir/internal.h"
#include "ir/mls.h"
#include "ir/names.h"

/* ---- asking ---- */

struct loc place_first(const struct policy_places *places, enum place_kind kind)
{
	return places ? places->first[kind] : LOC_NONE;
}

static struct loc loc_at(const place_list *list, uint32_t i)
{
	return i && i <= list->n ? list->at[i] : LOC_NONE;
}

struct loc place_class(const struct policy_places *places, uint32_t class)
{
	return places ? loc_at(&places->classes, class) : LOC_NONE;
}

struct loc place_type(const struct policy_places *places, uint32_t type)
{
	return places ? loc_at(&places->types, type) : LOC_NONE;
}

struct loc place_role(const struct policy_places *places, uint32_t role)
{
	return places ? loc_at(&places->roles, role) : LOC_NONE;
}

struct loc place_user(const struct policy_places *places, uint32_t user)
{
	return places ? loc_at(&places->users, user) : LOC_NONE;
}

struct loc place_sens(const struct policy_places *places, uint32_t sens)
{
	return places ? loc_at(&places->sens, sens) : LOC_NONE;
}

struct loc place_cat(const struct policy_places *places, uint32_t cat)
{
	return places ? loc_at(&places->cats, cat) : LOC_NONE;
}

struct loc place_level(const struct policy_places *places, uint32_t sens)
{
	return places ? loc_at(&places->levels, sens) : LOC_NONE;
}

struct loc place_range_trans(const struct policy_places *places, uint32_t index)
{
	return places ? loc_at(&places->range_trans, index + 1) : LOC_NONE;
}

struct loc place_constraint(const struct policy_places *places, uint32_t class, bool transition, uint32_t index)
{
	if (!places || class > places->constraints.n || !places->constraints.n)
		return LOC_NONE;
	return loc_at(transition ? &places->validatetrans.at[class] : &places->constraints.at[class], index + 1);
}

struct loc place_capability(const struct policy_places *places, uint32_t bit)
{
	return places ? loc_at(&places->capabilities, bit + 1) : LOC_NONE;
}

struct place_name place_sid(const struct policy_places *places, uint32_t sid)
{
	if (places && sid && sid <= places->sids.n)
		return places->sids.at[sid];
	return (struct place_name){NULL, LOC_NONE};
}

void policy_places_free(struct policy_places *places)
{
	arena_free(&places->arena);
	*places = (struct policy_places){0};
}

/* ---- symbols ---- */

void place_list_init(struct policy_places *places, place_list *list, uint32_t n)
{
	list->n = n;
	list->at = arena_alloc(&places->arena, ((size_t)n + 1) * sizeof *list->at);
	for (uint32_t i = 0; i <= n; i++)
		list->at[i] = LOC_NONE;
}

static struct loc declaration_of(const struct compile *c, enum symbol_kind kind, const char *name)
{
	atom_t atom = name ? atom_find(c->atoms, name, strlen(name)) : ATOM_NONE;
	const struct symbol *s = atom ? symbol_find(c, kind, atom) : NULL;

	return s ? s->loc : LOC_NONE;
}

/* Values may have changed since symbols got them, so by name. */
#define find_declarations(c, places, list, kind, symbols) \
	do { \
		place_list_init(places, list, (symbols)->n); \
		for (uint32_t v_ = 1; v_ <= (symbols)->n; v_++) \
			(list)->at[v_] = declaration_of(c, kind, (symbols)->at[v_].name); \
	} while (0)

static void find_classes(const struct compile *c, struct policy_places *places)
{
	find_declarations(c, places, &places->classes, SYM_CLASS, &c->policy->classes);
	for (uint32_t i = 0; i < c->ast->avs.n; i++) {
		struct ast_name name = c->ast->avs.at[i].name;
		const struct symbol *s = symbol_find(c, SYM_CLASS, name.atom);

		if (s && s->value && s->value <= places->classes.n)
			places->classes.at[s->value] = ast_name_loc(c->atoms, name);
	}
}

static void find_capabilities(const struct compile *c, struct policy_places *places)
{
	uint32_t n = 0, bit;

	while (capability_name(n))
		n++;
	place_list_init(places, &places->capabilities, n);
	for (uint32_t i = c->ast->policycaps.n; i-- > 0;)
		if (!capability_find(atom_text(c->atoms, c->ast->policycaps.at[i].name.atom), &bit))
			places->capabilities.at[bit + 1] = ast_name_loc(c->atoms, c->ast->policycaps.at[i].name);
}

static void find_sids(const struct compile *c, struct policy_places *places)
{
	const struct symbols *table = &c->symbols[SYM_SID];
	uint32_t n = 0;

	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].value > n)
			n = table->at.at[i].value;
	places->sids.n = n;
	places->sids.at = arena_alloc(&places->arena, ((size_t)n + 1) * sizeof *places->sids.at);
	for (uint32_t i = 0; i <= n; i++)
		places->sids.at[i] = (struct place_name){NULL, LOC_NONE};
	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];
		const char *name = arena_strndup(&places->arena, atom_text(c->atoms, s->name), atom_len(c->atoms, s->name));

		if (s->value)
			places->sids.at[s->value] = (struct place_name){name, s->loc};
	}
}

/* ---- first statements ---- */

/* A struct module keeps all blocks, whichever are on. */
static bool in_force(const struct compile *c, uint32_t block)
{
	return c->live[block] || c->module;
}

static void note(struct policy_places *places, enum place_kind kind, struct loc loc)
{
	if (loc.begin < places->first[kind].begin)
		places->first[kind] = loc;
}

/* Whether a list of classes, or process without one, has another class than process. */
static bool has_other_class(struct compile *c, struct ast_names classes, uint32_t block)
{
	struct class_list list;

	if (!classes.id)
		return false;
	list = classes_of(c, classes, block);
	for (uint32_t i = 0; i < list.n; i++)
		if (list.at[i] != c->process_class)
			return true;
	return false;
}

static void find_declared(struct compile *c, struct policy_places *places)
{
	const struct ast *ast = c->ast;

	for (uint32_t i = 0; i < ast->bools.n; i++)
		if (in_force(c, ast->bools.at[i].block) && !ast->bools.at[i].tunable)
			note(places, PLACE_BOOL, ast->bools.at[i].loc);
	note(places, PLACE_MLS, mls_first_statement(ast));
	for (uint32_t i = 0; i < ast->constraints.n; i++)
		if (ast->constraints.at[i].transition)
			note(places, PLACE_VALIDATETRANS, ast->constraints.at[i].loc);
	for (uint32_t i = 0; i < ast->policycaps.n; i++)
		note(places, PLACE_CAPABILITY, ast->policycaps.at[i].loc);
	for (uint32_t i = 0; i < ast->permissives.n; i++)
		note(places, ast->permissives.at[i].neveraudit ? PLACE_NEVERAUDIT : PLACE_PERMISSIVE,
		     ast->permissives.at[i].loc);
	for (uint32_t i = 0; i < ast->typebounds.n; i++)
		if (in_force(c, ast->typebounds.at[i].block))
			note(places, PLACE_BOUNDS, ast->typebounds.at[i].loc);
	for (uint32_t i = 0; i < ast->defaults.n; i++) {
		const struct ast_default *a = &ast->defaults.at[i];

		note(places, a->kind == AST_DEFAULT_TYPE ? PLACE_DEFAULT_TYPE : PLACE_DEFAULT, a->loc);
		if (a->kind == AST_DEFAULT_RANGE && a->value == DEFAULT_RANGE_GLBLUB)
			note(places, PLACE_GLBLUB, a->loc);
	}
}

/* Bounds come from dotted names, too. */
static void find_bounds(const struct compile *c, struct policy_places *places)
{
	const struct policy *p = c->policy;

	for (uint32_t v = 1; v <= p->types.n; v++)
		if (p->types.at[v].bounds && has_dot(c, atom_find(c->atoms, p->types.at[v].name, strlen(p->types.at[v].name))))
			note(places, PLACE_BOUNDS, places->types.at[v]);
	for (uint32_t v = 1; v <= p->roles.n; v++)
		if (p->roles.at[v].bounds)
			note(places, PLACE_BOUNDS, places->roles.at[v]);
	for (uint32_t v = 1; v <= p->users.n; v++)
		if (p->users.at[v].bounds)
			note(places, PLACE_BOUNDS, places->users.at[v]);
}

static void find_rules(struct compile *c, struct policy_places *places)
{
	const struct ast *ast = c->ast;

	for (uint32_t i = 0; i < ast->terules.n; i++)
		if (in_force(c, ast->terules.at[i].block) && ast->terules.at[i].filename.atom)
			note(places, PLACE_FILENAME_TRANS, ast->terules.at[i].loc);
	for (uint32_t i = 0; i < ast->role_trans.n; i++)
		if (in_force(c, ast->role_trans.at[i].block) && has_other_class(c, ast->role_trans.at[i].classes, ast->role_trans.at[i].block))
			note(places, PLACE_ROLE_TRANS_CLASS, ast->role_trans.at[i].loc);
	for (uint32_t i = 0; i < ast->range_trans.n; i++)
		if (in_force(c, ast->range_trans.at[i].block) && has_other_class(c, ast->range_trans.at[i].classes, ast->range_trans.at[i].block))
			note(places, PLACE_RANGE_TRANS_CLASS, ast->range_trans.at[i].loc);
	for (uint32_t i = 0; i < ast->xrules.n; i++) {
		const struct ast_xrule *a = &ast->xrules.at[i];
		struct destination to = destination_of(c, a->place);

		if (!in_force(c, a->block) || (!c->module && (a->kind == AST_NEVERALLOW || to.dropped)))
			continue;
		note(places, PLACE_XPERMS, a->loc);
		if (c->module ? a->place != 0 : to.node != UINT32_MAX)
			note(places, PLACE_COND_XPERMS, a->loc);
		if (!strcmp(atom_text(c->atoms, a->operation.atom), "nlmsg"))
			note(places, PLACE_NLMSG, a->loc);
	}
}

static bool names_attribute(const struct compile *c, enum symbol_kind kind, struct ast_name name)
{
	const struct symbol *s = symbol_find(c, kind, name.atom);

	return s && s->flavour == FLAVOUR_ATTRIBUTE;
}

/* What only a module says, as a policy has it worked out. */
static void find_unresolved(struct compile *c, struct policy_places *places)
{
	const struct ast *ast = c->ast;

	for (uint32_t i = 0; i < ast->terules.n; i++)
		if (type_set_self(c, ast->terules.at[i].targets))
			note(places, PLACE_TYPE_RULE_SELF, ast->terules.at[i].loc);
	for (uint32_t i = 0; i < ast->range_trans.n; i++)
		note(places, PLACE_RANGE_TRANS, ast->range_trans.at[i].loc);
	for (uint32_t i = 0; i < ast->attribute_roles.n; i++)
		note(places, PLACE_ROLE_ATTRIBUTE, ast->attribute_roles.at[i].loc);
	for (uint32_t i = 0; i < ast->requires.n; i++)
		if (ast->requires.at[i].kind == AST_REQUIRE_ATTRIBUTE_ROLE)
			note(places, PLACE_ROLE_ATTRIBUTE, ast_name_loc(c->atoms, ast->requires.at[i].name));
	for (uint32_t i = 0; i < ast->typeattributes.n; i++)
		if (names_attribute(c, SYM_TYPE, ast->typeattributes.at[i].name))
			note(places, PLACE_NESTED_ATTRIBUTE, ast->typeattributes.at[i].loc);
	for (uint32_t i = 0; i < ast->types.n; i++)
		if (has_dot(c, ast->types.at[i].name.atom))
			note(places, PLACE_BOUNDS, ast->types.at[i].loc);
}

static void find_labels(const struct compile *c, struct policy_places *places)
{
	const struct ast *ast = c->ast;

	for (uint32_t i = 0; i < ast->nodes.n; i++)
		if (ast->nodes.at[i].ipv6)
			note(places, PLACE_NODE6, ast->nodes.at[i].loc);
	if (ast->ibpkeys.n)
		note(places, PLACE_INFINIBAND, ast->ibpkeys.at[0].loc);
	if (ast->ibendports.n)
		note(places, PLACE_INFINIBAND, ast->ibendports.at[0].loc);
	for (uint32_t i = 0; i < ast->xens.n; i++) {
		if (ast->xens.at[i].kind == AST_DEVICETREE)
			note(places, PLACE_DEVICETREE, ast->xens.at[i].loc);
		else if (ast->xens.at[i].kind == AST_IOMEM && ast->xens.at[i].span.high > UINT32_MAX)
			note(places, PLACE_WIDE_IOMEM, ast->xens.at[i].loc);
	}
	for (uint32_t i = 0; i < ast->ports.n; i++)
		if (!ast->ports.at[i].ports.low)
			note(places, PLACE_PORT_ZERO, ast->ports.at[i].loc);
	for (uint32_t i = 0; i < ast->genfs.n; i++)
		if (strchr(atom_text(c->atoms, ast->genfs.at[i].path.atom), '*'))
			note(places, PLACE_GENFS_PATTERN, ast->genfs.at[i].loc);
	for (uint32_t i = 0; i < ast->netifs.n; i++)
		if (strpbrk(atom_text(c->atoms, ast->netifs.at[i].name.atom), "*?"))
			note(places, PLACE_NETIF_PATTERN, ast->netifs.at[i].loc);
}

void find_places(struct compile *c, struct policy_places *ret_places)
{
	const struct policy *p = c->policy;

	for (uint32_t i = 0; i < PLACE_KINDS; i++)
		ret_places->first[i] = LOC_NONE;
	find_classes(c, ret_places);
	find_declarations(c, ret_places, &ret_places->types, SYM_TYPE, &p->types);
	find_declarations(c, ret_places, &ret_places->roles, SYM_ROLE, &p->roles);
	find_declarations(c, ret_places, &ret_places->users, SYM_USER, &p->users);
	find_declarations(c, ret_places, &ret_places->sens, SYM_SENS, &p->sens);
	find_declarations(c, ret_places, &ret_places->cats, SYM_CAT, &p->cats);
	find_mls_places(c, ret_places);
	find_capabilities(c, ret_places);
	find_sids(c, ret_places);
	find_declared(c, ret_places);
	find_bounds(c, ret_places);
	find_rules(c, ret_places);
	if (c->module)
		find_unresolved(c, ret_places);
	find_labels(c, ret_places);
}
