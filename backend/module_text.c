/* What the writers of modules work out first: what is visible everywhere, and
 * which branch speaks of a type. */
#include "backend/module_text.h"

#include <stdlib.h>

#include "backend/module_view.h"
#include "base/atom.h"
#include "base/memory.h"

/* ---- homes ---- */

/* The branch that declares a name, else one that requires it: the last of its
 * scope.  Without a scope, the global block. */
struct scopes {
	struct atoms names;
	uint32_t *home; /* by atom */
};

static void scopes_init(struct scopes *s, const struct module *module)
{
	uint32_t n = module->scopes[MODULE_TYPES].n;

	atoms_init(&s->names);
	s->home = mem_zalloc((size_t)n + 2, sizeof *s->home);
	for (uint32_t i = 0; i < n; i++) {
		const struct module_scope *scope = &module->scopes[MODULE_TYPES].at[i];
		atom_t name = atom_intern(&s->names, scope->name, strlen(scope->name));

		if (name <= n && scope->decls.n)
			s->home[name] = scope->decls.at[scope->decls.n - 1];
	}
}

static void scopes_free(struct scopes *s)
{
	atoms_free(&s->names);
	free(s->home);
}

static uint32_t home_of(const struct module_text *m, const struct scopes *s, const char *name)
{
	atom_t atom = atom_find(&s->names, name, strlen(name));

	return atom && s->home[atom] ? s->home[atom] : m->global->id;
}

static struct policy_alias alias_at(const struct module *module, uint32_t i)
{
	const struct policy *policy = module->policy;
	uint32_t n = policy->type_aliases.n;

	if (i < n)
		return policy->type_aliases.at[i];
	return (struct policy_alias){policy->types.at[module->aliases.at[i - n].value].name, module->aliases.at[i - n].type};
}

/* Aliases by their branches, those of one in their order. */
static void sort_aliases(struct module_text *m, const struct scopes *s)
{
	uint32_t n = m->module->policy->type_aliases.n + m->module->aliases.n, ndecls = module_decls(m->module);
	uint32_t *next = mem_zalloc((size_t)ndecls + 2, sizeof *next);

	m->aliases = mem_alloc(((size_t)n + 1) * sizeof *m->aliases);
	m->alias_start = mem_zalloc((size_t)ndecls + 2, sizeof *m->alias_start);
	for (uint32_t i = 0; i < n; i++)
		m->alias_start[home_of(m, s, alias_at(m->module, i).name) + 1]++;
	for (uint32_t id = 1; id <= ndecls + 1; id++)
		m->alias_start[id] += m->alias_start[id - 1];
	memcpy(next, m->alias_start, ((size_t)ndecls + 2) * sizeof *next);
	for (uint32_t i = 0; i < n; i++) {
		struct policy_alias alias = alias_at(m->module, i);

		m->aliases[next[home_of(m, s, alias.name)]++] = alias;
	}
	free(next);
}

static void find_homes(struct module_text *m)
{
	const struct policy *policy = m->module->policy;
	struct scopes s;

	scopes_init(&s, m->module);
	sort_aliases(m, &s);
	m->type_homes = mem_zalloc((size_t)policy->types.n + 1, sizeof *m->type_homes);
	for (uint32_t v = 1; v <= policy->types.n; v++) {
		if (ebitmap_test(&m->visible[MODULE_TYPES], v - 1))
			m->type_homes[v] = m->global->id;
		else if (policy->types.at[v].name)
			m->type_homes[v] = home_of(m, &s, policy->types.at[v].name);
	}
	scopes_free(&s);
}

/* ---- the whole ---- */

static void find_visible(struct module_text *m)
{
	for (int i = 0; i < MODULE_TABLES; i++) {
		ebitmap_copy(&m->visible[i], &m->global->required.tables[i]);
		ebitmap_or(&m->visible[i], &m->global->declared.tables[i]);
	}
}

void module_text_init(struct module_text *m, const struct module *module, enum text_form form, struct buffer *out,
		      struct diags *diags)
{
	*m = (struct module_text){.module = module, .global = &module->blocks.at[0].decls.at[0]};
	module_view(&m->view, module, &m->arena);
	text_out_init(&m->t, &m->view, form, out, diags);
	find_visible(m);
	find_homes(m);
}

void module_text_free(struct module_text *m)
{
	for (int i = 0; i < MODULE_TABLES; i++)
		ebitmap_free(&m->visible[i]);
	free(m->aliases);
	free(m->alias_start);
	free(m->type_homes);
	text_out_free(&m->t);
	arena_free(&m->arena);
}
