#include "query/query.h"

/* Symbols, by whether the module declares them or only requires them. */
struct scoped { uint32_t declared, required; };

struct tally {
	struct scoped classes, types, attributes, roles, role_attributes, users, bools, tunables, sens, cats;
	uint32_t permissions; /* required */
	uint32_t optionals, elses, conds;
	uint32_t rules[16];   /* by bit of enum module_rule_kind */
	uint32_t filename_trans, range_trans, role_trans, role_allows;
	uint32_t permissives, typebounds;
};

static void add(struct scoped *scoped, bool declared)
{
	*(declared ? &scoped->declared : &scoped->required) += 1;
}

/* ---- symbols ---- */

static void find_declared(const struct module *module, struct ebitmap declared[MODULE_TABLES])
{
	for (uint32_t b = 0; b < module->blocks.n; b++)
		for (uint32_t i = 0; i < module->blocks.at[b].decls.n; i++)
			for (int table = 0; table < MODULE_TABLES; table++)
				ebitmap_or(&declared[table], &module->blocks.at[b].decls.at[i].declared.tables[table]);
}

#define TALLY(scoped, symbols, table) \
	do { \
		for (uint32_t v_ = 1; v_ <= (symbols)->n; v_++) \
			if ((symbols)->at[v_].name) \
				add((scoped), ebitmap_test(&declared[table], v_ - 1)); \
	} while (0)

static void tally_types(struct tally *t, const struct module *module, const struct ebitmap *declared)
{
	const struct policy *p = module->policy;

	for (uint32_t v = 1; v <= p->types.n; v++) {
		const struct policy_type *type = &p->types.at[v];

		if (type->kind == POLICY_GAP)
			continue;
		add(type->kind == POLICY_ATTRIBUTE ? &t->attributes : &t->types, ebitmap_test(declared, v - 1));
		t->permissives += type->permissive;
		t->typebounds += type->bounds != 0;
	}
}

static void tally_roles(struct tally *t, const struct module *module, const struct ebitmap *declared)
{
	/* object_r, of value 1, is in every module. */
	for (uint32_t v = 2; v <= module->roles.n; v++)
		if (module->roles.at[v].name)
			add(module->roles.at[v].attribute ? &t->role_attributes : &t->roles, ebitmap_test(declared, v - 1));
}

static void tally_bools(struct tally *t, const struct module *module, const struct ebitmap *declared)
{
	for (uint32_t v = 1; v <= module->policy->bools.n; v++)
		if (module->policy->bools.at[v].name)
			add(module->tunables.at[v] ? &t->tunables : &t->bools, ebitmap_test(declared, v - 1));
}

static void tally_symbols(struct tally *t, const struct module *module)
{
	struct ebitmap declared[MODULE_TABLES] = {0};
	const struct policy *p = module->policy;

	find_declared(module, declared);
	TALLY(&t->classes, &p->classes, MODULE_CLASSES);
	TALLY(&t->users, &module->users, MODULE_USERS);
	TALLY(&t->sens, &p->sens, MODULE_SENS);
	TALLY(&t->cats, &p->cats, MODULE_CATS);
	tally_types(t, module, &declared[MODULE_TYPES]);
	tally_roles(t, module, &declared[MODULE_ROLES]);
	tally_bools(t, module, &declared[MODULE_BOOLS]);
	for (uint32_t v = 1; v <= p->classes.n; v++)
		t->permissions += p->classes.at[v].nperms;
	for (int table = 0; table < MODULE_TABLES; table++)
		ebitmap_free(&declared[table]);
}

/* ---- statements ---- */

static void tally_rules(struct tally *t, const module_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++)
		t->rules[__builtin_ctz(rules->at[i].kind)]++;
}

static void tally_decl(struct tally *t, const struct module_decl *decl)
{
	tally_rules(t, &decl->rules);
	for (uint32_t i = 0; i < decl->conds.n; i++) {
		tally_rules(t, &decl->conds.at[i].yes);
		tally_rules(t, &decl->conds.at[i].no);
	}
	t->conds += decl->conds.n;
	t->filename_trans += decl->filename_trans.n;
	t->range_trans += decl->range_trans.n;
	t->role_trans += decl->role_trans.n;
	t->role_allows += decl->role_allows.n;
	for (uint32_t i = 0; i < decl->types.n; i++)
		t->typebounds += decl->types.at[i].bounds != 0;
}

static void tally_blocks(struct tally *t, const struct module *module)
{
	for (uint32_t b = 0; b < module->blocks.n; b++) {
		const struct module_block *block = &module->blocks.at[b];

		t->optionals += b > 0;
		t->elses += block->decls.n > 1 ? block->decls.n - 1 : 0;
		for (uint32_t i = 0; i < block->decls.n; i++)
			tally_decl(t, &block->decls.at[i]);
	}
}

static uint32_t of_kind(const struct tally *t, enum module_rule_kind kind)
{
	return t->rules[__builtin_ctz((unsigned)kind)];
}

static uint32_t labels(const struct policy *p)
{
	return p->sids.n + p->fs_uses.n + p->genfs.n + p->ports.n + p->netifs.n + p->nodes.n + p->nodes6.n + p->ibpkeys.n +
	       p->ibendports.n;
}

uint32_t query_module_info(const struct module *module, struct query_count ret_counts[QUERY_MAX_COUNTS])
{
	struct tally t = {0};
	uint32_t n = 0;

	tally_symbols(&t, module);
	tally_blocks(&t, module);
	const struct { const char *key, *title; uint32_t n; bool base; } rows[] = {
		{"classes", "Classes", t.classes.declared, false},
		{"required_classes", "  required", t.classes.required, false},
		{"types", "Types", t.types.declared, false},
		{"required_types", "  required", t.types.required, false},
		{"attributes", "Attributes", t.attributes.declared, false},
		{"required_attributes", "  required", t.attributes.required, false},
		{"roles", "Roles", t.roles.declared, false},
		{"required_roles", "  required", t.roles.required, false},
		{"role_attributes", "Role attrs", t.role_attributes.declared, false},
		{"required_role_attributes", "  required", t.role_attributes.required, false},
		{"users", "Users", t.users.declared, false},
		{"required_users", "  required", t.users.required, false},
		{"booleans", "Booleans", t.bools.declared, false},
		{"required_booleans", "  required", t.bools.required, false},
		{"tunables", "Tunables", t.tunables.declared, false},
		{"required_tunables", "  required", t.tunables.required, false},
		{"permissions", "Permissions", t.permissions, false},
		{"type_aliases", "Type aliases", module->policy->type_aliases.n + module->aliases.n, false},
		{"sensitivities", "Sensitivities", t.sens.declared + t.sens.required, false},
		{"categories", "Categories", t.cats.declared + t.cats.required, false},
		{"optionals", "Optionals", t.optionals, false},
		{"else_branches", "Else branches", t.elses, false},
		{"conditionals", "Conditionals", t.conds, false},
		{"allow", "Allow", of_kind(&t, MODULE_ALLOW), false},
		{"auditallow", "Auditallow", of_kind(&t, MODULE_AUDITALLOW), false},
		{"dontaudit", "Dontaudit", of_kind(&t, MODULE_DONTAUDIT) + of_kind(&t, MODULE_AUDITDENY), false},
		{"neverallow", "Neverallow", of_kind(&t, MODULE_NEVERALLOW), false},
		{"allowxperm", "Allowxperm", of_kind(&t, MODULE_XALLOW), false},
		{"auditallowxperm", "Auditallowxperm", of_kind(&t, MODULE_XAUDITALLOW), false},
		{"dontauditxperm", "Dontauditxperm", of_kind(&t, MODULE_XDONTAUDIT), false},
		{"neverallowxperm", "Neverallowxperm", of_kind(&t, MODULE_XNEVERALLOW), false},
		{"type_transition", "Type_trans", of_kind(&t, MODULE_TRANSITION) + t.filename_trans, false},
		{"type_change", "Type_change", of_kind(&t, MODULE_CHANGE), false},
		{"type_member", "Type_member", of_kind(&t, MODULE_MEMBER), false},
		{"range_transition", "Range_trans", t.range_trans, false},
		{"role_allow", "Role allow", t.role_allows, false},
		{"role_transition", "Role_trans", t.role_trans, false},
		{"permissive_types", "Permissives", t.permissives, false},
		{"typebounds", "Typebounds", t.typebounds, false},
		{"capabilities", "Polcap", ebitmap_count(&module->policy->capabilities), true},
		{"labels", "Labels", labels(module->policy), true},
	};
	_Static_assert(sizeof rows / sizeof *rows <= QUERY_MAX_COUNTS, "room for all");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (module->base || !rows[i].base)
			ret_counts[n++] = (struct query_count){rows[i].key, rows[i].title, rows[i].n};
	return n;
}
