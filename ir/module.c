#include "ir/module.h"

#include <stdlib.h>

#include "base/memory.h"

struct module *module_new(void)
{
	struct module *module = mem_zalloc(1, sizeof *module);

	module->policy = policy_new();
	return module;
}

static void free_symbols(struct module_symbols *symbols)
{
	for (int i = 0; i < MODULE_TABLES; i++)
		ebitmap_free(&symbols->tables[i]);
}

static void free_block(struct module_block *block)
{
	for (uint32_t i = 0; i < block->decls.n; i++) {
		free_symbols(&block->decls.at[i].required);
		free_symbols(&block->decls.at[i].declared);
	}
}

void module_free(struct module *module)
{
	if (!module)
		return;
	for (uint32_t i = 0; i < module->blocks.n; i++)
		free_block(&module->blocks.at[i]);
	ebitmap_free(&module->unexpanded);
	policy_free(module->policy);
	arena_free(&module->arena);
	free(module);
}

uint32_t module_decls(const struct module *module)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < module->blocks.n; i++)
		n += module->blocks.at[i].decls.n;
	return n;
}

static uint32_t perms_in(const struct module_decl *decl, uint32_t class)
{
	return class <= decl->required.perms.n ? decl->required.perms.at[class - 1] : 0;
}

uint32_t module_required_perms(const struct module *module, const struct module_decl *decl, uint32_t class)
{
	const struct module_decl *global = &module->blocks.at[0].decls.at[0];
	uint32_t nperms = module->policy->classes.at[class].nperms, mask;

	if (module->base || !ebitmap_test(&decl->required.tables[MODULE_CLASSES], class - 1))
		return 0;
	mask = perms_in(decl, class);
	if (decl != global && ebitmap_test(&global->required.tables[MODULE_CLASSES], class - 1))
		mask &= ~perms_in(global, class);
	return nperms < POLICY_MAX_PERMS ? mask & ((UINT32_C(1) << nperms) - 1) : mask;
}
