/* The require statements of module source. */
#include "backend/conf_module.h"

/* ---- what a branch uses ---- */

struct used { struct ebitmap types, roles, users, bools; };

static void use(struct ebitmap *set, uint32_t value)
{
	ebitmap_set(set, value - 1);
}

static void use_values(struct ebitmap *set, struct module_values values)
{
	for (uint32_t i = 0; i < values.n; i++)
		use(set, values.at[i]);
}

static void use_types(struct used *used, const struct module_type_set *set)
{
	use_values(&used->types, set->types);
	use_values(&used->types, set->negset);
}

static void use_rules(struct used *used, const module_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct module_rule *rule = &rules->at[i];

		use_types(used, &rule->sources);
		use_types(used, &rule->targets);
		for (uint32_t p = 0; rule->kind & MODULE_TE && p < rule->perms.n; p++)
			use(&used->types, rule->perms.at[p].data);
	}
}

static void use_conds(struct used *used, const struct module_decl *decl)
{
	for (uint32_t i = 0; i < decl->conds.n; i++) {
		const struct module_cond *cond = &decl->conds.at[i];

		for (uint32_t e = 0; e < cond->nexpr; e++)
			if (cond->expr[e].kind == COND_BOOL)
				use(&used->bools, cond->expr[e].boolean);
		use_rules(used, &cond->yes);
		use_rules(used, &cond->no);
	}
}

static void use_role_rules(struct used *used, const struct module_decl *decl)
{
	for (uint32_t i = 0; i < decl->role_trans.n; i++) {
		use_values(&used->roles, decl->role_trans.at[i].roles.roles);
		use_types(used, &decl->role_trans.at[i].types);
		use(&used->roles, decl->role_trans.at[i].result);
	}
	for (uint32_t i = 0; i < decl->role_allows.n; i++) {
		use_values(&used->roles, decl->role_allows.at[i].from.roles);
		use_values(&used->roles, decl->role_allows.at[i].to.roles);
	}
}

static void use_transitions(struct used *used, const struct module_decl *decl)
{
	for (uint32_t i = 0; i < decl->filename_trans.n; i++) {
		use_types(used, &decl->filename_trans.at[i].sources);
		use_types(used, &decl->filename_trans.at[i].targets);
		use(&used->types, decl->filename_trans.at[i].result);
	}
	for (uint32_t i = 0; i < decl->range_trans.n; i++) {
		use_types(used, &decl->range_trans.at[i].sources);
		use_types(used, &decl->range_trans.at[i].targets);
	}
}

static void use_symbols(struct used *used, const struct module_decl *decl)
{
	for (uint32_t i = 0; i < decl->types.n; i++) {
		use(&used->types, decl->types.at[i].value);
		use_values(&used->types, decl->types.at[i].types);
		if (decl->types.at[i].bounds)
			use(&used->types, decl->types.at[i].bounds);
	}
	for (uint32_t i = 0; i < decl->roles.n; i++) {
		use(&used->roles, decl->roles.at[i].value);
		use_types(used, &decl->roles.at[i].types);
		use_values(&used->roles, decl->roles.at[i].roles);
	}
	for (uint32_t i = 0; i < decl->users.n; i++)
		use_values(&used->roles, decl->users.at[i].roles.roles);
}

/* What the aliases that a branch declares stand for. */
static void use_aliases(const struct module_text *m, struct used *used, const struct module_decl *decl)
{
	const struct policy *policy = m->module->policy;
	uint32_t n = policy->type_aliases.n;

	for (uint32_t i = 0; i < n; i++)
		if (m->alias_homes[i] == decl->id)
			use(&used->types, policy->type_aliases.at[i].value);
	for (uint32_t i = 0; i < m->module->aliases.n; i++)
		if (m->alias_homes[n + i] == decl->id)
			use(&used->types, m->module->aliases.at[i].type);
}

enum { OBJECT_R_BIT = 0 };

/* In place: what the branch must require of what it uses. */
static void subtract(const struct module_text *m, const struct module_decl *decl, enum module_table table,
		     struct ebitmap *set)
{
	ebitmap_or(set, &decl->required.tables[table]);
	ebitmap_andnot(set, &decl->declared.tables[table]);
	if (decl != m->global)
		ebitmap_andnot(set, &m->visible[table]);
	if (table == MODULE_ROLES)
		ebitmap_clear(set, OBJECT_R_BIT);
}

/* ---- the text ---- */

/* `type a, b;` of those values that are of the kind. */
static uint32_t put_list(struct module_text *m, const struct text_table *table, const char *what,
			 const struct ebitmap *set, bool (*is_kind)(const struct module *module, uint32_t value))
{
	uint32_t n = 0;

	ebitmap_for_each(set, bit) {
		if (is_kind && !is_kind(m->module, bit + 1))
			continue;
		say(&m->t, n++ ? ", " : what);
		say_name(&m->t, table, bit + 1);
	}
	say(&m->t, n ? ";\n" : "");
	return n;
}

static bool is_attribute(const struct module *module, uint32_t value)
{
	return module->policy->types.at[value].kind == POLICY_ATTRIBUTE;
}

static bool is_type(const struct module *module, uint32_t value)
{
	return !is_attribute(module, value);
}

static bool is_role_attribute(const struct module *module, uint32_t value)
{
	return module->roles.at[value].attribute;
}

static bool is_role(const struct module *module, uint32_t value)
{
	return !module->roles.at[value].attribute;
}

static bool is_tunable(const struct module *module, uint32_t value)
{
	return module->tunables.at[value];
}

static bool is_bool(const struct module *module, uint32_t value)
{
	return !module->tunables.at[value];
}

static uint32_t required_perms(const struct module_decl *decl, uint32_t class)
{
	return class <= decl->required.perms.n ? decl->required.perms.at[class - 1] : 0;
}

/* In a base, classes are declared, and need not be required. */
static uint32_t put_classes(struct module_text *m, const struct module_decl *decl, bool all)
{
	uint32_t n = 0;

	if (m->module->base)
		return 0;
	ebitmap_for_each(&decl->required.tables[MODULE_CLASSES], bit) {
		uint32_t mask = required_perms(decl, bit + 1);

		if (decl != m->global && !all)
			mask &= ~required_perms(m->global, bit + 1);
		if (!declared_perms(m->t.policy, bit + 1, mask))
			continue;
		say(&m->t, "class ");
		say_name(&m->t, &m->t.classes, bit + 1);
		say(&m->t, " { ");
		say_perms(&m->t, bit + 1, mask);
		say(&m->t, " };\n");
		n++;
	}
	return n;
}

static uint32_t put_lists(struct module_text *m, const struct module_decl *decl, struct used *used)
{
	struct ebitmap sens = {0}, cats = {0};
	struct text_out *t = &m->t;
	uint32_t n;

	subtract(m, decl, MODULE_TYPES, &used->types);
	subtract(m, decl, MODULE_ROLES, &used->roles);
	subtract(m, decl, MODULE_USERS, &used->users);
	subtract(m, decl, MODULE_BOOLS, &used->bools);
	subtract(m, decl, MODULE_SENS, &sens);
	subtract(m, decl, MODULE_CATS, &cats);
	n = put_list(m, &t->types, "attribute ", &used->types, is_attribute);
	n += put_list(m, &t->types, "type ", &used->types, is_type);
	n += put_list(m, &t->roles, "attribute_role ", &used->roles, is_role_attribute);
	n += put_list(m, &t->roles, "role ", &used->roles, is_role);
	n += put_list(m, &t->users, "user ", &used->users, NULL);
	n += put_list(m, &t->bools, "tunable ", &used->bools, is_tunable);
	n += put_list(m, &t->bools, "bool ", &used->bools, is_bool);
	n += put_list(m, &t->sens, "sensitivity ", &sens, NULL);
	n += put_list(m, &t->cats, "category ", &cats, NULL);
	ebitmap_free(&sens);
	ebitmap_free(&cats);
	return n;
}

/* Of what the global block requires as well, something: a module's optional
 * block cannot be without. */
static void put_any(struct module_text *m, const struct module_decl *decl)
{
	static const struct { enum module_table table; const char *what; } kinds[] = {
		{MODULE_TYPES, NULL}, {MODULE_ROLES, NULL}, {MODULE_USERS, "user "}, {MODULE_SENS, "sensitivity "},
		{MODULE_CATS, "category "},
	};
	const struct text_table *tables[] = {&m->t.types, &m->t.roles, &m->t.users, &m->t.sens, &m->t.cats};

	if (put_classes(m, decl, true))
		return;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		uint32_t bit = ebitmap_first(&decl->required.tables[kinds[i].table]);
		const char *what = kinds[i].what;

		if (bit == EBITMAP_NONE)
			continue;
		if (kinds[i].table == MODULE_TYPES)
			what = is_attribute(m->module, bit + 1) ? "attribute " : "type ";
		else if (kinds[i].table == MODULE_ROLES)
			what = is_role_attribute(m->module, bit + 1) ? "attribute_role " : "role ";
		text_printf(m->t.out, "%s%s;\n", what, name_of(&m->t, tables[i], bit + 1));
		return;
	}
}

/* A base's global block has no require statement; what it requires is there. */
static void check_base(struct module_text *m, const struct used *used)
{
	if (!ebitmap_empty(&used->types) || !ebitmap_empty(&used->roles) || !ebitmap_empty(&used->users) ||
	    !ebitmap_empty(&used->bools))
		text_fail(&m->t, "a base that requires outside of optional blocks what it does not declare");
}

void put_requirements(struct module_text *m, const struct module_decl *decl, bool needs_one)
{
	size_t start = m->t.out->n, behind;
	struct used used = {0};
	uint32_t n;

	if (decl != m->global) {
		use_conds(&used, decl);
		use_rules(&used, &decl->rules);
		use_role_rules(&used, decl);
		use_transitions(&used, decl);
		use_symbols(&used, decl);
		use_aliases(m, &used, decl);
	}
	say(&m->t, "require {\n");
	behind = m->t.out->n;
	n = put_classes(m, decl, false);
	n += put_lists(m, decl, &used);
	if (!n && needs_one)
		put_any(m, decl);
	if (m->module->base && decl == m->global)
		check_base(m, &used);
	if (m->t.out->n == behind || (m->module->base && decl == m->global))
		m->t.out->n = start;
	else
		say(&m->t, "}\n");
	ebitmap_free(&used.types);
	ebitmap_free(&used.roles);
	ebitmap_free(&used.users);
	ebitmap_free(&used.bools);
}
