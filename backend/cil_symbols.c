/* The declarations of CIL. */
#include <stdlib.h>

#include "backend/text_out.h"
#include "base/memory.h"

/* `(KIND NAME)` for all of a table, by value or by name. */
static void declare(struct text_out *t, const struct text_table *table, bool by_name)
{
	for (uint32_t i = 0; i < (by_name ? table->norder : table->n); i++)
		text_printf(t->out, "(%s %s)\n", table->what, name_of(t, table, by_name ? table->order[i] : i + 1));
}

/* `(KINDorder (NAME...))`. */
static void put_order(struct text_out *t, const struct text_table *table)
{
	text_printf(t->out, "(%sorder (", table->what);
	for (uint32_t v = 1; v <= table->n; v++) {
		say(t, v > 1 ? " " : "");
		say_name(t, table, v);
	}
	say(t, "))\n");
}

/* ---- classes and SIDs ---- */

static void put_perm_names(struct text_out *t, const char *const *perms, uint32_t from, uint32_t n)
{
	say(t, "(");
	for (uint32_t i = from; i < n && i < POLICY_MAX_PERMS; i++) {
		say(t, i > from ? " " : "");
		say(t, perms[i]);
	}
	say(t, "))\n");
}

static uint32_t common_of(const struct policy *p, uint32_t class)
{
	return p->classes.at[class].common <= p->commons.n ? p->classes.at[class].common : 0;
}

void cil_put_classes(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->classes.n; v++) {
		uint32_t common = common_of(p, v);

		text_printf(t->out, "(class %s ", name_of(t, &t->classes, v));
		put_perm_names(t, p->classes.at[v].perms, common ? p->commons.at[common].nperms : 0, p->classes.at[v].nperms);
	}
	put_order(t, &t->classes);
	for (uint32_t v = 1; v <= p->classes.n; v++)
		if (common_of(p, v))
			text_printf(t->out, "(classcommon %s %s)\n", name_of(t, &t->classes, v),
				    p->commons.at[common_of(p, v)].name);
	for (uint32_t v = 1; v <= p->commons.n; v++) {
		if (!p->commons.at[v].name)
			continue;
		text_printf(t->out, "(common %s ", p->commons.at[v].name);
		put_perm_names(t, p->commons.at[v].perms, 0, p->commons.at[v].nperms);
	}
}

void cil_put_sids(struct text_out *t)
{
	uint32_t n = sid_count(t->policy);

	for (uint32_t sid = 1; sid <= n; sid++)
		text_printf(t->out, "(sid %s)\n", sid_name(t->policy, sid).at);
	say(t, "(sidorder (");
	for (uint32_t sid = 1; sid <= n; sid++) {
		say(t, sid > 1 ? " " : "");
		say(t, sid_name(t->policy, sid).at);
	}
	say(t, "))\n");
}

/* ---- defaults ---- */

static void put_default(struct text_out *t, const char *statement, uint32_t class, const char *value)
{
	if (value)
		text_printf(t->out, "(%s %s %s)\n", statement, name_of(t, &t->classes, class), value);
}

static const char *side(uint8_t value)
{
	return value == 1 ? "source" : value == 2 ? "target" : NULL;
}

void cil_put_defaults(struct text_out *t)
{
	static const char *const ranges[] = {
		NULL, "source low", "source high", "source low-high",
		"target low", "target high", "target low-high", "glblub",
	};
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "defaultuser", v, side(p->classes.at[v].default_user));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "defaultrole", v, side(p->classes.at[v].default_role));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "defaulttype", v, side(p->classes.at[v].default_type));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		if (p->classes.at[v].default_range < sizeof ranges / sizeof *ranges)
			put_default(t, "defaultrange", v, ranges[p->classes.at[v].default_range]);
}

/* ---- MLS ---- */

/* `(KINDalias A)`, then `(KINDaliasactual A NAME)`. */
static void put_aliases(struct text_out *t, const struct text_table *table, const struct policy_alias *at, uint32_t n)
{
	struct policy_alias *sorted = aliases_by_name(at, n);

	for (uint32_t i = 0; i < n; i++)
		text_printf(t->out, "(%salias %s)\n", table->what, sorted[i].name);
	for (uint32_t i = 0; i < n; i++)
		text_printf(t->out, "(%saliasactual %s %s)\n", table->what, sorted[i].name,
			    name_of(t, table, sorted[i].value));
	free(sorted);
}

/* CIL always has levels: a policy without MLS has one, which nothing shows. */
static void put_one_level(struct text_out *t)
{
	say(t, "(mls false)\n"
	       "(sensitivity s0)\n"
	       "(sensitivityorder (s0))\n"
	       "(level systemlow (s0))\n");
}

void cil_put_mls(struct text_out *t)
{
	const struct policy *p = t->policy;

	if (!p->mls) {
		put_one_level(t);
		return;
	}
	say(t, "(mls true)\n");
	declare(t, &t->sens, false);
	put_order(t, &t->sens);
	put_aliases(t, &t->sens, p->sens_aliases.at, p->sens_aliases.n);
	if (p->cats.n) {
		declare(t, &t->cats, false);
		put_order(t, &t->cats);
		put_aliases(t, &t->cats, p->cat_aliases.at, p->cat_aliases.n);
	}
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		if (ebitmap_empty(&p->sens.at[v].cats))
			continue;
		text_printf(t->out, "(sensitivitycategory %s (", name_of(t, &t->sens, v));
		say_categories(t, &p->sens.at[v].cats);
		say(t, "))\n");
	}
}

/* ---- types ---- */

static void mark(const struct policy *p, bool *used, uint32_t value)
{
	if (value <= p->types.n)
		used[value] = true;
}

static void mark_rules(const struct policy *p, const policy_rules *rules, bool *used)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		mark(p, used, rules->at[i].source);
		mark(p, used, rules->at[i].target);
	}
}

/* secilc drops attributes that no rule names, and rules on those without types,
 * unless it is told to leave them. */
static void keep_attributes(struct text_out *t)
{
	const struct policy *p = t->policy;
	bool *used = mem_zalloc((size_t)p->types.n + 1, sizeof *used);

	mark_rules(p, &p->rules, used);
	for (uint32_t i = 0; i < p->conds.n; i++) {
		mark_rules(p, &p->conds.at[i].yes, used);
		mark_rules(p, &p->conds.at[i].no, used);
	}
	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i];
		const struct policy_type *type = &p->types.at[v];

		if (type->kind == POLICY_ATTRIBUTE && (!used[v] || type->expand || ebitmap_empty(&type->types)))
			text_printf(t->out, "(expandtypeattribute (%s) false)\n", t->types.names[v]);
	}
	free(used);
}

void cil_put_empty_sets(struct text_out *t)
{
	if (t->empty_type_is_new)
		text_printf(t->out, "(typeattribute %s)\n(expandtypeattribute (%s) false)\n", t->empty_type, t->empty_type);
	if (t->empty_role)
		text_printf(t->out, "(roleattribute %s)\n", t->empty_role);
	if (t->empty_user)
		text_printf(t->out, "(userattribute %s)\n", t->empty_user);
}

static void put_attributes(struct text_out *t)
{
	for (uint32_t i = 0; i < t->types.norder; i++)
		if (t->policy->types.at[t->types.order[i]].kind == POLICY_ATTRIBUTE)
			text_printf(t->out, "(typeattribute %s)\n", t->types.names[t->types.order[i]]);
	cil_put_empty_sets(t);
}

static void put_bools(struct text_out *t)
{
	for (uint32_t i = 0; i < t->bools.norder; i++) {
		uint32_t v = t->bools.order[i];

		text_printf(t->out, "(boolean %s %s)\n", t->bools.names[v], t->policy->bools.at[v].state ? "true" : "false");
	}
}

/* Those expanded away have no types in an image. */
static void put_attribute_sets(struct text_out *t)
{
	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i];
		const struct policy_type *type = &t->policy->types.at[v];

		if (type->kind != POLICY_ATTRIBUTE || type->expand || ebitmap_empty(&type->types))
			continue;
		text_printf(t->out, "(typeattributeset %s (", t->types.names[v]);
		say_set(t, &t->types, &type->types);
		say(t, "))\n");
	}
}

/* `(STATEMENT PARENT CHILD)`. */
static void put_bound(struct text_out *t, const char *statement, const struct text_table *table, uint32_t v,
		      uint32_t bounds)
{
	if (bounds)
		text_printf(t->out, "(%s %s %s)\n", statement, name_of(t, table, bounds), table->names[v]);
}

static void put_type_flags(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < t->types.norder; i++)
		if (p->types.at[t->types.order[i]].permissive)
			text_printf(t->out, "(typepermissive %s)\n", t->types.names[t->types.order[i]]);
	for (uint32_t i = 0; i < t->types.norder; i++)
		if (p->types.at[t->types.order[i]].neveraudit)
			text_printf(t->out, "(typeneveraudit %s)\n", t->types.names[t->types.order[i]]);
}

void cil_put_types(struct text_out *t)
{
	const struct policy *p = t->policy;

	put_attributes(t);
	put_bools(t);
	for (uint32_t i = 0; i < t->types.norder; i++)
		if (p->types.at[t->types.order[i]].kind == POLICY_TYPE)
			text_printf(t->out, "(type %s)\n", t->types.names[t->types.order[i]]);
	put_aliases(t, &t->types, p->type_aliases.at, p->type_aliases.n);
	for (uint32_t i = 0; i < t->types.norder; i++)
		put_bound(t, "typebounds", &t->types, t->types.order[i], p->types.at[t->types.order[i]].bounds);
	put_attribute_sets(t);
	keep_attributes(t);
	put_type_flags(t);
}

/* ---- roles and users ---- */

enum { OBJECT_R = 1 };

static void put_role_types(struct text_out *t, uint32_t role)
{
	uint32_t n, *types = set_by_name(&t->types, &t->policy->roles.at[role].types, &n);

	for (uint32_t i = 0; i < n; i++) {
		say(t, "(roletype ");
		say(t, t->roles.names[role]);
		say(t, " ");
		say(t, t->types.names[types[i]]);
		say(t, ")\n");
	}
	free(types);
}

/* What the kernel takes for granted CIL wants to be told. */
static void put_object_types(struct text_out *t)
{
	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i];

		if (t->policy->types.at[v].kind != POLICY_TYPE)
			continue;
		say(t, "(roletype object_r ");
		say(t, t->types.names[v]);
		say(t, ")\n");
	}
}

void cil_put_roles(struct text_out *t)
{
	declare(t, &t->roles, true);
	for (uint32_t i = 0; i < t->roles.norder; i++)
		put_bound(t, "rolebounds", &t->roles, t->roles.order[i], t->policy->roles.at[t->roles.order[i]].bounds);
	for (uint32_t i = 0; i < t->roles.norder; i++)
		if (t->roles.order[i] != OBJECT_R)
			put_role_types(t, t->roles.order[i]);
	put_object_types(t);
}

static void put_user_roles(struct text_out *t, uint32_t user)
{
	struct ebitmap roles = {0};
	uint32_t n, *sorted;

	ebitmap_copy(&roles, &t->policy->users.at[user].roles);
	ebitmap_set(&roles, OBJECT_R - 1);
	sorted = set_by_name(&t->roles, &roles, &n);
	for (uint32_t i = 0; i < n; i++)
		text_printf(t->out, "(userrole %s %s)\n", t->users.names[user], t->roles.names[sorted[i]]);
	free(sorted);
	ebitmap_free(&roles);
}

static void put_user_level(struct text_out *t, uint32_t user)
{
	text_printf(t->out, "(userlevel %s ", t->users.names[user]);
	if (t->policy->mls)
		say_level(t, &t->policy->users.at[user].level);
	else
		say(t, "systemlow");
	say(t, ")\n");
}

static void put_user_range(struct text_out *t, uint32_t user)
{
	text_printf(t->out, "(userrange %s ", t->users.names[user]);
	if (t->policy->mls)
		say_range(t, &t->policy->users.at[user].range);
	else
		say(t, "(systemlow systemlow)");
	say(t, ")\n");
}

void cil_put_users(struct text_out *t)
{
	const struct text_table *users = &t->users;

	declare(t, users, true);
	for (uint32_t i = 0; i < users->norder; i++)
		put_bound(t, "userbounds", users, users->order[i], t->policy->users.at[users->order[i]].bounds);
	for (uint32_t i = 0; i < users->norder; i++)
		put_user_roles(t, users->order[i]);
	for (uint32_t i = 0; i < users->norder; i++)
		put_user_level(t, users->order[i]);
	for (uint32_t i = 0; i < users->norder; i++)
		put_user_range(t, users->order[i]);
}
