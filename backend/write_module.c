/* struct module to a module image: header and the order of sections
 * (policydb-format.md 15). */
#include "backend/magic.h"
#include "backend/module.h"
#include "backend/module_needs.h"
#include "backend/write.h"

static void write_header(struct writer *w)
{
	const struct module *module = w->module;

	put_u32(w, MODULE_MAGIC);
	put_string(w, MODULE_IDENTIFIER);
	put_u32(w, module->base ? MODULE_BASE : MODULE_NOT_BASE);
	put_u32(w, w->features->version);
	put_u32(w, (w->policy->mls ? CONFIG_MLS : 0) | w->policy->handle_unknown);
	put_u32(w, w->features->symbols);
	put_u32(w, w->features->ocontexts);
	if (!module->base) {
		put_string(w, module->name);
		put_string(w, module->version);
	}
	if (has(w, FEATURE_CAPABILITIES))
		put_ebitmap(w, &w->policy->capabilities);
}

static void write_scopes(struct writer *w)
{
	for (int table = 0; table < MODULE_TABLES; table++) {
		put_u32(w, w->module->scopes[table].n);
		for (uint32_t i = 0; i < w->module->scopes[table].n; i++) {
			const struct module_scope *scope = &w->module->scopes[table].at[i];

			put_string(w, scope->name);
			put_u32(w, scope->kind);
			put_u32(w, scope->decls.n);
			for (uint32_t d = 0; d < scope->decls.n; d++)
				put_u32(w, scope->decls.at[d]);
		}
	}
}

/* Those of a base of version 5, which blocks cannot have yet: dropped, as it is told. */
static void write_old_range_transitions(struct writer *w)
{
	if (w->module->base && has(w, FEATURE_MLS) && !has(w, FEATURE_LEVELS_AS_WRITTEN))
		put_u32(w, 0);
}

bool module_write(const struct module *module, uint32_t version, const struct policy_places *places,
		  struct buffer *image, struct diags *diags)
{
	struct writer w = {.policy = module->policy, .module = module, .image = image, .diags = diags};
	size_t start = image->n;

	w.features = features_of_module(module->base, version);
	if (!w.features) {
		diag_error(diags, "unknown-version", LOC_NONE, "there is no version %u of the format for modules",
			   (unsigned)version);
		return false;
	}
	if (!module_check_downgrade(module, w.features, places, diags))
		return false;
	w.process = policy_process_class(module->policy);
	write_header(&w);
	write_module_symbols(&w);
	write_blocks(&w);
	write_scopes(&w);
	write_ocontexts(&w);
	write_genfs(&w);
	write_old_range_transitions(&w);
	check_size(&w);
	if (w.failed)
		image->n = start;
	return !w.failed;
}
