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
	for (uint32_t i = m->alias_start[decl->id]; i < m->alias_start[decl->id + 1]; i++)
		use(&used->types, m->aliases[i].value);
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

/* For a reader who adds the requirements of classes by other means, there is
 * only a line that names the classes. */
static void put_class_names(struct module_text *m, const struct module_decl *decl)
{
	say(&m->t, "# class");
	ebitmap_for_each(&decl->required.tables[MODULE_CLASSES], bit) {
		if (!module_required_perms(m->module, decl, bit + 1))
			continue;
		say(&m->t, " ");
		say_name(&m->t, &m->t.classes, bit + 1);
	}
	say(&m->t, "\n");
}

static uint32_t put_classes(struct module_text *m, const struct module_decl *decl)
{
	uint32_t n = 0;

	ebitmap_for_each(&decl->required.tables[MODULE_CLASSES], bit) {
		uint32_t mask = module_required_perms(m->module, decl, bit + 1);

		if (!mask)
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

/* What a require statement says for a symbol. */
static const char *require_word(const struct module *module, enum module_table table, uint32_t value)
{
	switch (table) {
	case MODULE_TYPES:
		return is_attribute(module, value) ? "attribute" : "type";
	case MODULE_ROLES:
		return is_role_attribute(module, value) ? "attribute_role" : "role";
	case MODULE_USERS:
		return "user";
	case MODULE_SENS:
		return "sensitivity";
	default:
		return "category";
	}
}

static void put_any_class(struct module_text *m, const struct module_decl *decl)
{
	uint32_t class = ebitmap_first(&decl->required.tables[MODULE_CLASSES]) + 1;

	if (!class || m->module->base || !m->module->policy->classes.at[class].nperms)
		return;
	text_printf(m->t.out, "class %s %s;\n", name_of(&m->t, &m->t.classes, class),
		    m->module->policy->classes.at[class].perms[0]);
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
	const struct text_table *tables[MODULE_TABLES] = {
		[MODULE_TYPES] = &m->t.types, [MODULE_ROLES] = &m->t.roles, [MODULE_USERS] = &m->t.users,
		[MODULE_SENS] = &m->t.sens, [MODULE_CATS] = &m->t.cats,
	};

	for (int table = 0; table < MODULE_TABLES; table++) {
		uint32_t bit = tables[table] ? ebitmap_first(&decl->required.tables[table]) : EBITMAP_NONE;

		if (bit == EBITMAP_NONE)
			continue;
		text_printf(m->t.out, "%s %s;\n", require_word(m->module, (enum module_table)table, bit + 1),
			    name_of(&m->t, tables[table], bit + 1));
		return;
	}
	put_any_class(m, decl);
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
	struct used used = {0};
	size_t start, behind;
	uint32_t n = 0;

	if (decl != m->global) {
		use_conds(&used, decl);
		use_rules(&used, &decl->rules);
		use_role_rules(&used, decl);
		use_transitions(&used, decl);
		use_symbols(&used, decl);
		use_aliases(m, &used, decl);
	}
	if (m->apart)
		put_class_names(m, decl);
	start = m->t.out->n;
	say(&m->t, "require {\n");
	behind = m->t.out->n;
	if (!m->apart)
		n = put_classes(m, decl);
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
