/* Blocks of a module, their branches, and what those require and declare
 * (policydb-format.md 15.3). */
#include <stdlib.h>

#include "backend/read.h"

/* ---- conditionals ---- */

enum { COND_SIZE = 16, COND_EXPR_SIZE = 8 };

static void read_conditional(struct reader *r, struct module_cond *cond)
{
	uint32_t state = get_u32(r), flags; /* the state follows from the booleans */

	cond->nexpr = get_count(r, COND_EXPR_SIZE);
	cond->expr = arena_alloc(&r->module->arena, cond->nexpr * sizeof *cond->expr);
	for (uint32_t i = 0; i < cond->nexpr; i++) {
		cond->expr[i].kind = get_u32(r);
		cond->expr[i].boolean = get_u32(r);
	}
	read_written_rules(r, &cond->yes);
	read_written_rules(r, &cond->no);
	flags = can(r, FEATURE_TUNABLES) ? get_u32(r) : 0;
	if (!r->failed && (state > 1 || flags > 1))
		refuse(r, "a conditional with the state %u and the flags 0x%x", (unsigned)state, (unsigned)flags);
	cond->tunable = flags;
}

static void read_conds(struct reader *r, struct module_decl *decl)
{
	get_module_list(r, &decl->conds, COND_SIZE);
	for (uint32_t i = 0; i < decl->conds.n && !r->failed; i++)
		read_conditional(r, &decl->conds.at[i]);
}

/* ---- transitions and role allows ---- */

/* The class that is meant where none can be said. */
static struct module_values process_class(struct reader *r)
{
	if (r->process)
		return (struct module_values){arena_copy(&r->module->arena, &r->process, sizeof r->process), 1};
	refuse(r, "a transition of processes, for which there is no class");
	return (struct module_values){0};
}

static void read_role_trans(struct reader *r, struct module_decl *decl)
{
	bool with_class = can(r, FEATURE_ROLE_TRANS_CLASS);

	get_module_list(r, &decl->role_trans, ROLE_SET_SIZE + TYPE_SET_SIZE + (with_class ? SET_SIZE : 0) + 4);
	for (uint32_t i = 0; i < decl->role_trans.n && !r->failed; i++) {
		struct module_role_trans *trans = &decl->role_trans.at[i];

		get_role_set(r, &trans->roles);
		get_type_set(r, &trans->types);
		trans->classes = with_class ? get_values(r) : process_class(r);
		trans->result = get_u32(r);
	}
}

static void read_allows(struct reader *r, struct module_decl *decl)
{
	get_module_list(r, &decl->role_allows, 2 * ROLE_SET_SIZE);
	for (uint32_t i = 0; i < decl->role_allows.n && !r->failed; i++) {
		get_role_set(r, &decl->role_allows.at[i].from);
		get_role_set(r, &decl->role_allows.at[i].to);
	}
}

static bool read_self(struct reader *r)
{
	uint32_t flags = can(r, FEATURE_TYPE_RULE_SELF) ? get_u32(r) : 0;

	if (!r->failed && flags > MODULE_RULE_SELF)
		refuse(r, "a filename transition with the flags 0x%x", (unsigned)flags);
	return flags;
}

static void read_filename_trans(struct reader *r, struct module_decl *decl)
{
	if (!can(r, FEATURE_FILENAME_TRANS))
		return;
	get_module_list(r, &decl->filename_trans, 12 + 2 * TYPE_SET_SIZE);
	for (uint32_t i = 0; i < decl->filename_trans.n && !r->failed; i++) {
		struct module_filename_trans *trans = &decl->filename_trans.at[i];

		trans->name = get_text(r, get_u32(r));
		get_type_set(r, &trans->sources);
		get_type_set(r, &trans->targets);
		trans->class = get_u32(r);
		trans->result = get_u32(r);
		trans->self = read_self(r);
	}
}

static void read_range_trans(struct reader *r, struct module_decl *decl)
{
	if (!can(r, FEATURE_LEVELS_AS_WRITTEN))
		return;
	get_module_list(r, &decl->range_trans, 2 * TYPE_SET_SIZE + SET_SIZE + WRITTEN_RANGE_SIZE);
	for (uint32_t i = 0; i < decl->range_trans.n && !r->failed; i++) {
		struct module_range_trans *trans = &decl->range_trans.at[i];

		get_type_set(r, &trans->sources);
		get_type_set(r, &trans->targets);
		trans->classes = get_values(r);
		get_written_range(r, &trans->range);
	}
}

static struct module_type_set one_type(struct reader *r, uint32_t value)
{
	return (struct module_type_set){.types = {arena_copy(&r->module->arena, &value, sizeof value), 1}};
}

/* In a base of version 5 they stand behind all else: the global block's. */
void read_old_range_transitions(struct reader *r)
{
	struct module_decl *decl;

	if (can(r, FEATURE_LEVELS_AS_WRITTEN) || !can(r, FEATURE_MLS) || !r->module->base)
		return;
	decl = &r->module->blocks.at[0].decls.at[0];
	r->section = "range transitions";
	get_module_list(r, &decl->range_trans, 8 + RANGE_SIZE);
	for (uint32_t i = 0; i < decl->range_trans.n && !r->failed; i++) {
		struct module_range_trans *trans = &decl->range_trans.at[i];

		trans->sources = one_type(r, get_u32(r));
		trans->targets = one_type(r, get_u32(r));
		trans->classes = process_class(r);
		get_plain_range(r, &trans->range);
	}
}

/* ---- what a branch requires and declares ---- */

static uint32_t read_permission_mask(struct reader *r)
{
	struct ebitmap_nodes nodes = get_nodes(r);
	uint32_t start = 0;
	uint64_t map = nodes.n ? ebitmap_nodes_word(&nodes, 0, &start) : 0;

	if (nodes.n > 1 || start || map > UINT32_MAX)
		refuse(r, "a set of permissions beyond %d", POLICY_MAX_PERMS);
	return (uint32_t)map;
}

static void read_scope_index(struct reader *r, struct module_symbols *symbols)
{
	for (int i = 0; i < MODULE_TABLES; i++)
		get_set(r, &symbols->tables[i]);
	get_module_list(r, &symbols->perms, SET_SIZE);
	for (uint32_t i = 0; i < symbols->perms.n && !r->failed; i++)
		symbols->perms.at[i] = read_permission_mask(r);
}

/* ---- branches and blocks ---- */

static void read_decl(struct reader *r, struct module_decl *decl)
{
	uint32_t enabled;

	decl->loc = LOC_NONE;
	decl->id = get_u32(r);
	enabled = get_u32(r);
	decl->enabled = enabled != 0;
	read_conds(r, decl);
	read_written_rules(r, &decl->rules);
	read_role_trans(r, decl);
	read_allows(r, decl);
	read_filename_trans(r, decl);
	read_range_trans(r, decl);
	read_scope_index(r, &decl->required);
	read_scope_index(r, &decl->declared);
	read_branch_symbols(r, decl);
}

enum { DECL_SIZE = 8 + 4 * 4 + 2 * (MODULE_TABLES * SET_SIZE + 4) + MODULE_TABLES * 8, BLOCK_SIZE = 4 };

static void read_block(struct reader *r, struct module_block *block)
{
	get_module_list(r, &block->decls, DECL_SIZE);
	for (uint32_t i = 0; i < block->decls.n && !r->failed; i++)
		read_decl(r, &block->decls.at[i]);
}

void read_blocks(struct reader *r)
{
	struct module *module = r->module;

	r->section = "blocks";
	get_module_list(r, &module->blocks, BLOCK_SIZE);
	for (uint32_t i = 0; i < module->blocks.n && !r->failed; i++)
		read_block(r, &module->blocks.at[i]);
	if (!r->failed && (!module->blocks.n || !module->blocks.at[0].decls.n))
		refuse(r, "a module without a global block");
}
