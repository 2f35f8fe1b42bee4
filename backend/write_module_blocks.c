/* Blocks of a module, their branches and rules, and what those require and
 * declare (policydb-format.md 15.3). */
#include "backend/module_needs.h"
#include "backend/write.h"

/* ---- rules ---- */

static void write_xperms(struct writer *w, const struct policy_xperms *xperms)
{
	buffer_u8(w->image, xperms->specified);
	buffer_u8(w->image, xperms->driver);
	for (int i = 0; i < 8; i++)
		put_u32(w, xperms->perms[i]);
}

static void write_rules(struct writer *w, const module_rules *rules)
{
	put_u32(w, rules->n);
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct module_rule *rule = &rules->at[i];

		put_u32(w, rule->kind);
		put_u32(w, rule->flags);
		put_type_set(w, &rule->sources);
		put_type_set(w, &rule->targets);
		put_u32(w, rule->perms.n);
		for (uint32_t p = 0; p < rule->perms.n; p++) {
			put_u32(w, rule->perms.at[p].class);
			put_u32(w, rule->perms.at[p].data);
		}
		if (rule->kind & MODULE_X)
			write_xperms(w, rule->xperms);
	}
}

/* ---- conditionals ---- */

static void write_conds(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, decl->conds.n);
	for (uint32_t i = 0; i < decl->conds.n; i++) {
		const struct module_cond *cond = &decl->conds.at[i];
		const struct policy_cond state = {.expr = cond->expr, .nexpr = cond->nexpr};

		put_u32(w, policy_cond_state(w->policy, &state));
		put_u32(w, cond->nexpr);
		for (uint32_t e = 0; e < cond->nexpr; e++) {
			put_u32(w, cond->expr[e].kind);
			put_u32(w, cond->expr[e].boolean);
		}
		write_rules(w, &cond->yes);
		write_rules(w, &cond->no);
		if (has(w, FEATURE_TUNABLES))
			put_u32(w, cond->tunable);
	}
}

/* ---- transitions and role allows ---- */

static void write_role_trans(struct writer *w, const struct module_decl *decl)
{
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < decl->role_trans.n; i++) {
		const struct module_role_trans *trans = &decl->role_trans.at[i];

		if (!has(w, FEATURE_ROLE_TRANS_CLASS) && !is_only(trans->classes, w->process))
			continue;
		n++;
		put_role_set(w, &trans->roles);
		put_type_set(w, &trans->types);
		if (has(w, FEATURE_ROLE_TRANS_CLASS))
			put_values(w, trans->classes);
		put_u32(w, trans->result);
	}
	list_end(w, list, n);
}

static void write_allows(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, decl->role_allows.n);
	for (uint32_t i = 0; i < decl->role_allows.n; i++) {
		put_role_set(w, &decl->role_allows.at[i].from);
		put_role_set(w, &decl->role_allows.at[i].to);
	}
}

static void write_filename_trans(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, decl->filename_trans.n);
	for (uint32_t i = 0; i < decl->filename_trans.n; i++) {
		const struct module_filename_trans *trans = &decl->filename_trans.at[i];

		put_string(w, trans->name);
		put_type_set(w, &trans->sources);
		put_type_set(w, &trans->targets);
		put_u32(w, trans->class);
		put_u32(w, trans->result);
		if (has(w, FEATURE_TYPE_RULE_SELF))
			put_u32(w, trans->self ? MODULE_RULE_SELF : 0);
	}
}

static void write_range_trans(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, decl->range_trans.n);
	for (uint32_t i = 0; i < decl->range_trans.n; i++) {
		const struct module_range_trans *trans = &decl->range_trans.at[i];

		put_type_set(w, &trans->sources);
		put_type_set(w, &trans->targets);
		put_values(w, trans->classes);
		put_written_range(w, &trans->range);
	}
}

/* ---- what a branch requires and declares ---- */

static void put_permissions(struct writer *w, uint32_t mask)
{
	uint32_t bits[POLICY_MAX_PERMS], n = 0;

	for (; mask; mask &= mask - 1)
		bits[n++] = (uint32_t)__builtin_ctz(mask);
	put_members(w, bits, n, 0);
}

static void write_scope_index(struct writer *w, const struct module_symbols *symbols)
{
	for (int i = 0; i < MODULE_TABLES; i++)
		put_ebitmap(w, &symbols->tables[i]);
	put_u32(w, symbols->perms.n);
	for (uint32_t i = 0; i < symbols->perms.n; i++)
		put_permissions(w, symbols->perms.at[i]);
}

/* ---- branches and blocks ---- */

static void write_decl(struct writer *w, const struct module_decl *decl)
{
	put_u32(w, decl->id);
	put_u32(w, decl->enabled);
	write_conds(w, decl);
	write_rules(w, &decl->rules);
	write_role_trans(w, decl);
	write_allows(w, decl);
	if (has(w, FEATURE_FILENAME_TRANS))
		write_filename_trans(w, decl);
	if (has(w, FEATURE_LEVELS_AS_WRITTEN))
		write_range_trans(w, decl);
	write_scope_index(w, &decl->required);
	write_scope_index(w, &decl->declared);
	write_branch_symbols(w, decl);
}

void write_blocks(struct writer *w)
{
	const struct module *module = w->module;

	put_u32(w, module->blocks.n);
	for (uint32_t b = 0; b < module->blocks.n; b++) {
		put_u32(w, module->blocks.at[b].decls.n);
		for (uint32_t i = 0; i < module->blocks.at[b].decls.n; i++)
			write_decl(w, &module->blocks.at[b].decls.at[i]);
	}
}
