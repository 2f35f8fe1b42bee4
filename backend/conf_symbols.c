/* The declarations of policy.conf. */
#include <stdlib.h>

#include "backend/text_out.h"
#include "base/memory.h"

/* Of a statement that is split, so that a line stays readable. */
enum { LINE_LIST = 600 };

/* ---- classes, SIDs, access vectors, defaults ---- */

void conf_put_classes(struct text_out *t)
{
	for (uint32_t v = 1; v <= t->policy->classes.n; v++) {
		say(t, "class ");
		say_name(t, &t->classes, v);
		say(t, "\n");
	}
}

void conf_put_sids(struct text_out *t)
{
	uint32_t n = sid_count(t->policy);

	if (!n)
		text_fail(t, "a policy without initial SIDs");
	for (uint32_t sid = 1; sid <= n; sid++) {
		say(t, "sid ");
		say(t, sid_name(t->policy, sid).at);
		say(t, "\n");
	}
}

static void put_perm_names(struct text_out *t, const char *const *perms, uint32_t from, uint32_t n)
{
	say(t, " {");
	for (uint32_t i = from; i < n && i < POLICY_MAX_PERMS; i++) {
		say(t, " ");
		say(t, perms[i]);
	}
	say(t, " }");
}

static void put_common(struct text_out *t, const struct policy_common *common)
{
	if (!common->nperms)
		text_fail(t, "common `%s` without permissions", common->name);
	say(t, "common ");
	say(t, common->name);
	put_perm_names(t, common->perms, 0, common->nperms);
	say(t, "\n");
}

static void put_access_vector(struct text_out *t, uint32_t v)
{
	const struct policy *p = t->policy;
	const struct policy_class *class = &p->classes.at[v];
	bool inherits = class->common && class->common <= p->commons.n;
	uint32_t inherited = inherits ? p->commons.at[class->common].nperms : 0;

	if (!inherits && !class->nperms)
		return;
	say(t, "class ");
	say_name(t, &t->classes, v);
	if (inherits) {
		say(t, " inherits ");
		say(t, p->commons.at[class->common].name);
	}
	if (class->nperms > inherited)
		put_perm_names(t, class->perms, inherited, class->nperms);
	say(t, "\n");
}

void conf_put_access_vectors(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->commons.n; v++)
		if (p->commons.at[v].name)
			put_common(t, &p->commons.at[v]);
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_access_vector(t, v);
}

static void put_default(struct text_out *t, const char *statement, uint32_t class, const char *value)
{
	if (!value)
		return;
	say(t, statement);
	say(t, " { ");
	say_name(t, &t->classes, class);
	say(t, " } ");
	say(t, value);
	say(t, ";\n");
}

static const char *side(uint8_t value)
{
	return value == 1 ? "source" : value == 2 ? "target" : NULL;
}

void conf_put_defaults(struct text_out *t)
{
	static const char *const ranges[] = {
		NULL, "source low", "source high", "source low-high",
		"target low", "target high", "target low-high", "glblub",
	};
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "default_user", v, side(p->classes.at[v].default_user));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "default_role", v, side(p->classes.at[v].default_role));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_default(t, "default_type", v, side(p->classes.at[v].default_type));
	for (uint32_t v = 1; v <= p->classes.n; v++)
		if (p->classes.at[v].default_range < sizeof ranges / sizeof *ranges)
			put_default(t, "default_range", v, ranges[p->classes.at[v].default_range]);
}

/* ---- MLS ---- */

/* `KIND NAME [alias { A... }];` for all of a kind, each with its aliases. */
static void put_with_aliases(struct text_out *t, const struct text_table *table, const struct policy_alias *at, uint32_t n)
{
	uint32_t *start = mem_zalloc((size_t)table->n + 2, sizeof *start);
	const char **names = mem_alloc(((size_t)n + 1) * sizeof *names);

	for (uint32_t i = 0; i < n; i++)
		if (at[i].value <= table->n)
			start[at[i].value]++;
	for (uint32_t v = 1; v <= table->n + 1; v++)
		start[v] += start[v - 1];
	for (uint32_t i = n; i-- > 0;)
		if (at[i].value <= table->n)
			names[--start[at[i].value]] = at[i].name;
	for (uint32_t v = 1; v <= table->n; v++) {
		bool many = start[v + 1] - start[v] > 1;

		say(t, table->what);
		say(t, " ");
		say_name(t, table, v);
		if (start[v + 1] > start[v])
			say(t, many ? " alias {" : " alias");
		for (uint32_t i = start[v]; i < start[v + 1]; i++) {
			say(t, " ");
			say(t, names[i]);
		}
		say(t, many ? " };\n" : ";\n");
	}
	free(start);
	free(names);
}

void conf_put_mls(struct text_out *t)
{
	const struct policy *p = t->policy;

	put_with_aliases(t, &t->sens, p->sens_aliases.at, p->sens_aliases.n);
	say(t, "dominance {");
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		say(t, " ");
		say_name(t, &t->sens, v);
	}
	say(t, " }\n");
	put_with_aliases(t, &t->cats, p->cat_aliases.at, p->cat_aliases.n);
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		say(t, "level ");
		say_name(t, &t->sens, v);
		say(t, ebitmap_empty(&p->sens.at[v].cats) ? "" : ":");
		say_categories(t, &p->sens.at[v].cats);
		say(t, ";\n");
	}
}

/* ---- bounds by name ---- */

/* `a.b` is bounded by `a`; source says no other bounds of roles and users. */
static void check_bounds(struct text_out *t, const struct text_table *table, uint32_t v, uint32_t bounds, bool explicit)
{
	const char *name = table->names[v], *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : 0;

	if (bounds) {
		const char *parent = name_of(t, table, bounds);

		if (dot && (strlen(parent) != len || memcmp(parent, name, len)))
			text_fail(t, "%s `%s` bounded by `%s`", table->what, name, parent);
		else if (!dot && !explicit)
			text_lose(t, "%s `%s` bounded by `%s`", table->what, name, parent);
		return;
	}
	if (dot && !table_has(table, arena_strndup(&t->arena, name, len)))
		text_fail(t, "%s `%s` without its parent", table->what, name);
}

/* ---- types ---- */

void conf_put_empty_sets(struct text_out *t)
{
	if (t->empty_type_is_new)
		text_printf(t->out, "attribute %s;\n", t->empty_type);
	if (t->empty_role)
		text_printf(t->out, "attribute_role %s;\n", t->empty_role);
}

static void put_attributes(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.declared[i];

		if (p->types.at[v].kind != POLICY_ATTRIBUTE)
			continue;
		text_printf(t->out, "attribute %s;\n", t->types.names[v]);
		if (p->types.at[v].expand)
			text_printf(t->out, "expandattribute %s true;\n", t->types.names[v]);
	}
	conf_put_empty_sets(t);
}

static void put_bools(struct text_out *t)
{
	for (uint32_t i = 0; i < t->bools.norder; i++) {
		uint32_t v = t->bools.declared[i];

		text_printf(t->out, "bool %s %s;\n", t->bools.names[v], t->policy->bools.at[v].state ? "true" : "false");
	}
}

static void put_type_aliases(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < p->type_aliases.n; i++) {
		say(t, "typealias ");
		say_name(t, &t->types, p->type_aliases.at[i].value);
		say(t, " alias ");
		say(t, p->type_aliases.at[i].name);
		say(t, ";\n");
	}
}

/* The attributes of each type, sorted by name: those of v are at[start[v]] to
 * at[start[v + 1] - 1]. */
struct type_attributes {
	uint32_t *start;
	uint32_t *at;
};

static void type_attributes_init(const struct text_out *t, struct type_attributes *a)
{
	const struct policy *p = t->policy;
	uint32_t n = p->types.n, *next;

	a->start = mem_zalloc((size_t)n + 2, sizeof *a->start);
	for (uint32_t v = 1; v <= n; v++)
		if (p->types.at[v].kind == POLICY_ATTRIBUTE)
			ebitmap_for_each(&p->types.at[v].types, bit)
				if (bit < n)
					a->start[bit + 2]++;
	for (uint32_t v = 1; v <= n + 1; v++)
		a->start[v] += a->start[v - 1];
	a->at = mem_alloc(((size_t)a->start[n + 1] + 1) * sizeof *a->at);
	next = mem_alloc(((size_t)n + 2) * sizeof *next);
	memcpy(next, a->start, ((size_t)n + 2) * sizeof *next);
	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i];

		if (p->types.at[v].kind == POLICY_ATTRIBUTE)
			ebitmap_for_each(&p->types.at[v].types, bit)
				if (bit < n)
					a->at[next[bit + 1]++] = v;
	}
	free(next);
}

void conf_put_type_attributes(struct text_out *t)
{
	struct type_attributes a;

	type_attributes_init(t, &a);
	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i];

		if (a.start[v] == a.start[v + 1])
			continue;
		say(t, "typeattribute ");
		say(t, t->types.names[v]);
		for (uint32_t k = a.start[v]; k < a.start[v + 1]; k++) {
			say(t, k > a.start[v] ? "," : "");
			say(t, " ");
			say(t, t->types.names[a.at[k]]);
		}
		say(t, ";\n");
	}
	free(a.start);
	free(a.at);
}

static void put_type_flags(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < t->types.norder; i++)
		if (p->types.at[t->types.order[i]].permissive)
			text_printf(t->out, "permissive %s;\n", t->types.names[t->types.order[i]]);
	for (uint32_t i = 0; i < t->types.norder; i++)
		if (p->types.at[t->types.order[i]].neveraudit)
			text_printf(t->out, "neveraudit %s;\n", t->types.names[t->types.order[i]]);
}

static void put_type_bounds(struct text_out *t)
{
	const struct policy *p = t->policy;

	for (uint32_t i = 0; i < t->types.norder; i++) {
		uint32_t v = t->types.order[i], bounds = p->types.at[v].bounds;

		if (p->types.at[v].kind != POLICY_TYPE)
			continue;
		check_bounds(t, &t->types, v, bounds, true);
		if (bounds)
			text_printf(t->out, "typebounds %s %s;\n", name_of(t, &t->types, bounds), t->types.names[v]);
	}
}

void conf_put_types(struct text_out *t)
{
	put_attributes(t);
	put_bools(t);
	for (uint32_t i = 0; i < t->types.norder; i++)
		if (t->policy->types.at[t->types.declared[i]].kind == POLICY_TYPE)
			text_printf(t->out, "type %s;\n", t->types.names[t->types.declared[i]]);
	put_type_aliases(t);
	put_type_bounds(t);
	conf_put_type_attributes(t);
	put_type_flags(t);
}

/* ---- roles and users ---- */

enum { OBJECT_R = 1 }; /* every reader knows it */

static void put_role_types(struct text_out *t, uint32_t role)
{
	uint32_t n, *types = set_by_name(&t->types, &t->policy->roles.at[role].types, &n);
	size_t start = t->out->n;

	for (uint32_t i = 0; i < n; i++) {
		if (!i || t->out->n - start > LINE_LIST) {
			say(t, i ? " };\n" : "");
			start = t->out->n;
			text_printf(t->out, "role %s types {", t->roles.names[role]);
		}
		say(t, " ");
		say(t, t->types.names[types[i]]);
	}
	say(t, n ? " };\n" : "");
	free(types);
}

static void check_role(struct text_out *t, uint32_t v)
{
	const struct policy_role *role = &t->policy->roles.at[v];
	uint32_t n = ebitmap_count(&role->dominates);

	check_bounds(t, &t->roles, v, role->bounds, false);
	if (n > 1 || (n == 1 && !ebitmap_test(&role->dominates, v - 1)))
		text_fail(t, "role `%s` dominates other roles", role->name);
}

void conf_put_roles(struct text_out *t)
{
	for (uint32_t i = 0; i < t->roles.norder; i++) {
		uint32_t v = t->roles.declared[i];

		check_role(t, v);
		if (v != OBJECT_R)
			text_printf(t->out, "role %s;\n", t->roles.names[v]);
	}
	for (uint32_t i = 0; i < t->roles.norder; i++)
		if (t->roles.order[i] != OBJECT_R)
			put_role_types(t, t->roles.order[i]);
}

static void put_user_roles(struct text_out *t, const struct policy_user *user)
{
	bool many = ebitmap_first(&user->roles) != ebitmap_last(&user->roles);

	if (ebitmap_empty(&user->roles)) {
		say(t, t->empty_role);
		return;
	}
	say(t, many ? "{ " : "");
	say_set(t, &t->roles, &user->roles);
	say(t, many ? " }" : "");
}

void conf_put_users(struct text_out *t)
{
	for (uint32_t i = 0; i < t->users.norder; i++) {
		uint32_t v = t->users.declared[i];
		const struct policy_user *user = &t->policy->users.at[v];

		check_bounds(t, &t->users, v, user->bounds, false);
		say(t, "user ");
		say(t, t->users.names[v]);
		say(t, " roles ");
		put_user_roles(t, user);
		if (t->policy->mls) {
			say(t, " level ");
			say_level(t, &user->level);
			say(t, " range ");
			say_range(t, &user->range);
		}
		say(t, ";\n");
	}
}
