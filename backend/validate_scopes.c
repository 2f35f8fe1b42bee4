/* Who declares and who requires a name (policydb-format.md 15.4, 15.6). */
#include <stdlib.h>
#include <string.h>

#include "backend/validate.h"
#include "base/atom.h"
#include "base/memory.h"

static const char *const table_names[MODULE_TABLES] = {
	"common", "class", "role", "type", "user", "boolean", "sensitivity", "category",
};

static void add_name(struct atoms *atoms, const char *name)
{
	if (name)
		atom_intern(atoms, name, strlen(name));
}

#define add_symbols(atoms, symbols) \
	do { \
		for (uint32_t v_ = 1; v_ <= (symbols)->n; v_++) \
			add_name(atoms, (symbols)->at[v_].name); \
	} while (0)

#define add_aliases(atoms, aliases) \
	do { \
		for (uint32_t i_ = 0; i_ < (aliases)->n; i_++) \
			add_name(atoms, (aliases)->at[i_].name); \
	} while (0)

static void add_names(struct atoms *atoms, const struct policy *policy, enum module_table table)
{
	switch (table) {
	case MODULE_COMMONS:
		add_symbols(atoms, &policy->commons);
		break;
	case MODULE_CLASSES:
		add_symbols(atoms, &policy->classes);
		break;
	case MODULE_ROLES:
		add_symbols(atoms, &policy->roles);
		break;
	case MODULE_TYPES:
		add_symbols(atoms, &policy->types);
		add_aliases(atoms, &policy->type_aliases);
		break;
	case MODULE_USERS:
		add_symbols(atoms, &policy->users);
		break;
	case MODULE_BOOLS:
		add_symbols(atoms, &policy->bools);
		break;
	case MODULE_SENS:
		add_symbols(atoms, &policy->sens);
		add_aliases(atoms, &policy->sens_aliases);
		break;
	default:
		add_symbols(atoms, &policy->cats);
		add_aliases(atoms, &policy->cat_aliases);
	}
}

static void check_scope(struct validator *v, const struct module_scope *scope, uint32_t ndecls)
{
	if (scope->kind != MODULE_REQUIRED && scope->kind != MODULE_DECLARED)
		invalid(v, "a scope of the kind %u", (unsigned)scope->kind);
	if (!scope->decls.n)
		invalid(v, "no branch requires or declares it");
	for (uint32_t i = 0; i < scope->decls.n; i++)
		if (!scope->decls.at[i] || scope->decls.at[i] > ndecls)
			invalid(v, "in branch %u of 1 to %u", (unsigned)scope->decls.at[i], (unsigned)ndecls);
}

static void validate_table(struct validator *v, enum module_table table, uint32_t ndecls)
{
	struct atoms symbols;
	bool *seen; /* by atom */

	if (!v->module->scopes[table].n)
		return;
	atoms_init(&symbols);
	add_names(&symbols, v->policy, table);
	seen = mem_zalloc(symbols.n, sizeof *seen);
	for (uint32_t i = 0; i < v->module->scopes[table].n; i++) {
		const struct module_scope *scope = &v->module->scopes[table].at[i];
		atom_t name = atom_find(&symbols, scope->name, strlen(scope->name));

		about(v, table_names[table], scope->name, i);
		if (!name)
			invalid(v, "a scope, and no such symbol");
		else if (seen[name])
			invalid(v, "two scopes");
		seen[name] = true;
		check_scope(v, scope, ndecls);
	}
	free(seen);
	atoms_free(&symbols);
}

void validate_scopes(struct validator *v)
{
	uint32_t ndecls = module_decls(v->module);

	v->check = "invalid-scope";
	for (int table = 0; table < MODULE_TABLES; table++)
		validate_table(v, (enum module_table)table, ndecls);
}
