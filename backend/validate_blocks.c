/* Branches of a module: statements as they were written, and what is required
 * and declared (policydb-format.md 15.3, 15.6). */
#include <stdio.h>

#include "backend/validate.h"

/* ---- in words ---- */

struct whereabouts {
	const struct module_decl *decl;
	uint32_t cond;      /* from 1; 0: in none */
	const char *branch; /* of the conditional */
};

/* kind and index are those of the object. */
static void describe_statement(const struct validator *v, char *text)
{
	const struct whereabouts *place = v->of;
	char cond[NAME_TEXT] = "";

	if (place->cond)
		snprintf(cond, sizeof cond, "conditional %u, %s branch, ", (unsigned)place->cond, place->branch);
	snprintf(text, OBJECT_TEXT, "branch %u, %s%s %u", (unsigned)place->decl->id, cond, v->kind,
		 (unsigned)v->index + 1);
}

static void about_statement(struct validator *v, const struct whereabouts *place, const char *kind, uint32_t i)
{
	about(v, kind, NULL, i);
	v->describe = describe_statement;
	v->of = place;
}

/* ---- rules ---- */

static bool known_kind(uint32_t kind)
{
	return kind && !(kind & (kind - 1)) && kind & (MODULE_AV | MODULE_TE | MODULE_X);
}

static void check_kind(struct validator *v, const struct module_rule *rule, bool conditional)
{
	uint32_t later = MODULE_X | MODULE_NEVERALLOW;

	if (!known_kind(rule->kind))
		invalid(v, "the kind 0x%x", (unsigned)rule->kind);
	else if (conditional && rule->kind & later && !(v->features->has & FEATURE_COND_XPERMS))
		invalid(v, "module version %u has no such rules in conditionals", (unsigned)v->features->version);
}

static void check_rule_flags(struct validator *v, const struct module_rule *rule)
{
	if (rule->flags != 0 && rule->flags != MODULE_RULE_SELF && rule->flags != MODULE_RULE_NOTSELF)
		invalid(v, "the flags 0x%x", (unsigned)rule->flags);
	else if (rule->flags == MODULE_RULE_SELF && rule->kind & MODULE_TE && !(v->features->has & FEATURE_TYPE_RULE_SELF))
		invalid(v, "`self`, which type rules have from a later version on");
	else if (rule->flags == MODULE_RULE_NOTSELF && !(rule->kind & (MODULE_NEVERALLOW | MODULE_XNEVERALLOW)))
		invalid(v, "`-self` in a rule that is no neverallow");
}

static void check_rule(struct validator *v, const struct module_rule *rule, bool conditional)
{
	check_kind(v, rule, conditional);
	check_rule_flags(v, rule);
	check_written_types(v, &rule->sources, "source type");
	check_written_types(v, &rule->targets, "target type");
	for (uint32_t i = 0; i < rule->perms.n; i++) {
		struct module_perms perms = rule->perms.at[i];

		if (!check_value(v, OF_CLASSES, perms.class, "class"))
			continue;
		if (rule->kind & MODULE_TE)
			check_type(v, perms.data, "result type");
		else if (rule->kind & MODULE_AV && !(perms.data & permission_mask(&v->policy->classes.at[perms.class])))
			invalid(v, "none of the permissions 0x%08x is declared", (unsigned)perms.data);
	}
	if (rule->xperms && (rule->xperms->specified < XPERM_IOCTL_FUNCTION || rule->xperms->specified > XPERM_NLMSG))
		invalid(v, "extended permissions of the kind %u", (unsigned)rule->xperms->specified);
}

static void check_rules(struct validator *v, const module_rules *rules, const struct whereabouts *place)
{
	about_statement(v, place, "rule", 0);
	for (uint32_t i = 0; i < rules->n; i++) {
		v->index = i;
		check_rule(v, &rules->at[i], place->cond);
	}
}

static void check_conds(struct validator *v, const struct module_decl *decl)
{
	const struct whereabouts place = {.decl = decl};

	for (uint32_t i = 0; i < decl->conds.n; i++) {
		const struct module_cond *cond = &decl->conds.at[i];

		v->check = "invalid-rule";
		about_statement(v, &place, "conditional", i);
		check_condition(v, cond->expr, cond->nexpr);
		v->check = "invalid-rule";
		check_rules(v, &cond->yes, &(struct whereabouts){decl, i + 1, "true"});
		check_rules(v, &cond->no, &(struct whereabouts){decl, i + 1, "false"});
	}
}

/* ---- transitions and role allows ---- */

static void check_role_rules(struct validator *v, const struct module_decl *decl)
{
	const struct whereabouts place = {.decl = decl};

	for (uint32_t i = 0; i < decl->role_trans.n; i++) {
		const struct module_role_trans *trans = &decl->role_trans.at[i];

		about_statement(v, &place, "role transition", i);
		check_written_roles(v, &trans->roles, "role");
		check_written_types(v, &trans->types, "type");
		check_values(v, OF_CLASSES, trans->classes, "class");
		check_value(v, OF_ROLES, trans->result, "new role");
	}
	for (uint32_t i = 0; i < decl->role_allows.n; i++) {
		about_statement(v, &place, "role allow", i);
		check_written_roles(v, &decl->role_allows.at[i].from, "role");
		check_written_roles(v, &decl->role_allows.at[i].to, "new role");
	}
}

static void check_transitions(struct validator *v, const struct module_decl *decl)
{
	const struct whereabouts place = {.decl = decl};

	for (uint32_t i = 0; i < decl->filename_trans.n; i++) {
		const struct module_filename_trans *trans = &decl->filename_trans.at[i];

		about_statement(v, &place, "filename transition", i);
		check_written_types(v, &trans->sources, "source type");
		check_written_types(v, &trans->targets, "target type");
		check_value(v, OF_CLASSES, trans->class, "class");
		check_type(v, trans->result, "result type");
	}
	for (uint32_t i = 0; i < decl->range_trans.n; i++) {
		const struct module_range_trans *trans = &decl->range_trans.at[i];

		about_statement(v, &place, "range transition", i);
		check_written_types(v, &trans->sources, "source type");
		check_written_types(v, &trans->targets, "target type");
		check_values(v, OF_CLASSES, trans->classes, "class");
		check_written_range(v, &trans->range, false);
	}
}

/* ---- what a branch requires and declares ---- */

static void check_permissions(struct validator *v, const struct module_symbols *symbols)
{
	if (symbols->perms.n && !ebitmap_empty(&symbols->tables[MODULE_CLASSES]) &&
	    ebitmap_last(&symbols->tables[MODULE_CLASSES]) >= symbols->perms.n)
		invalid(v, "a class and not its permissions");
	for (uint32_t i = 0; i < symbols->perms.n; i++)
		if (check_value(v, OF_CLASSES, i + 1, "class") && symbols->perms.at[i] &&
		    !(symbols->perms.at[i] & permission_mask(&v->policy->classes.at[i + 1])))
			invalid(v, "none of the permissions 0x%08x is one of class `%s`", (unsigned)symbols->perms.at[i],
				v->policy->classes.at[i + 1].name);
}

static void check_symbols(struct validator *v, const struct module_symbols *symbols)
{
	static const struct { enum module_table table; enum value_table values; const char *role; } tables[] = {
		{MODULE_CLASSES, OF_CLASSES, "class"}, {MODULE_ROLES, OF_ROLES, "role"},
		{MODULE_TYPES, OF_TYPES, "type"}, {MODULE_USERS, OF_USERS, "user"},
		{MODULE_BOOLS, OF_BOOLS, "boolean"}, {MODULE_SENS, OF_SENS, "sensitivity"},
		{MODULE_CATS, OF_CATS, "category"},
	};

	if (!ebitmap_empty(&symbols->tables[MODULE_COMMONS]))
		invalid(v, "commons, which no branch can have");
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		check_set(v, tables[i].values, &symbols->tables[tables[i].table], tables[i].role);
	check_permissions(v, symbols);
}

/* ---- branches and blocks ---- */

static void validate_decl(struct validator *v, const struct module_decl *decl)
{
	check_conds(v, decl);
	v->check = "invalid-rule";
	check_rules(v, &decl->rules, &(struct whereabouts){.decl = decl});
	v->check = "invalid-transition";
	check_role_rules(v, decl);
	check_transitions(v, decl);
	v->check = "invalid-scope";
	about(v, "requirements of branch", NULL, decl->id - 1);
	check_symbols(v, &decl->required);
	about(v, "declarations of branch", NULL, decl->id - 1);
	check_symbols(v, &decl->declared);
	validate_branch_symbols(v, decl);
}

static void check_id(struct validator *v, uint32_t id, uint32_t ndecls, struct ebitmap *seen)
{
	about(v, "branch", NULL, id - 1);
	if (!id || id > ndecls)
		invalid(v, "its number is not in 1 to %u", (unsigned)ndecls);
	else if (ebitmap_test(seen, id))
		invalid(v, "two have this number");
	else
		ebitmap_set(seen, id);
}

static void check_block(struct validator *v, const struct module_block *block, uint32_t index, uint32_t ndecls,
			struct ebitmap *seen)
{
	uint32_t enabled = 0;

	for (uint32_t i = 0; i < block->decls.n; i++) {
		check_id(v, block->decls.at[i].id, ndecls, seen);
		enabled += block->decls.at[i].enabled;
	}
	about(v, "block", NULL, index);
	if (enabled > 1)
		invalid(v, "%u of its branches are on", (unsigned)enabled);
}

void validate_blocks(struct validator *v)
{
	const struct module *module = v->module;
	uint32_t ndecls = module_decls(module);
	struct ebitmap seen = {0};

	v->check = "invalid-scope";
	for (uint32_t i = 0; i < module->blocks.n; i++)
		check_block(v, &module->blocks.at[i], i, ndecls, &seen);
	ebitmap_free(&seen);
	for (uint32_t i = 0; i < module->blocks.n; i++)
		for (uint32_t d = 0; d < module->blocks.at[i].decls.n; d++)
			validate_decl(v, &module->blocks.at[i].decls.at[d]);
}
