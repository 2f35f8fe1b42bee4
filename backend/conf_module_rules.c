/* The rules of module source, as they were written. */
#include "backend/conf_module.h"
#include "ir/text.h"

/* ---- sets ---- */

static void put_names(struct module_text *m, const struct text_table *table, struct module_values values, const char *sign)
{
	for (uint32_t i = 0; i < values.n; i++) {
		say(&m->t, " ");
		say(&m->t, sign);
		say_name(&m->t, table, values.at[i]);
	}
}

/* self: a further member, or NULL. */
void put_module_types(struct module_text *m, const struct module_type_set *set, const char *self)
{
	uint32_t n = set->types.n + set->negset.n + (self != NULL);

	if (set->flags == MODULE_SET_STAR) {
		if (n)
			text_fail(&m->t, "a set of all types and others");
		say(&m->t, "*");
		return;
	}
	say(&m->t, set->flags == MODULE_SET_COMPLEMENT ? "~" : "");
	if (n == 1 && !set->negset.n) {
		say(&m->t, self ? self : name_of(&m->t, &m->t.types, set->types.at[0]));
		return;
	}
	say(&m->t, "{");
	put_names(m, &m->t.types, set->types, "");
	put_names(m, &m->t.types, set->negset, "-");
	say(&m->t, self ? " " : "");
	say(&m->t, self ? self : "");
	say(&m->t, " }");
}

void put_module_roles(struct module_text *m, const struct module_role_set *set)
{
	if (set->flags == MODULE_SET_STAR) {
		say(&m->t, "*");
		return;
	}
	if (set->roles.n == 1 && !set->flags) {
		say_name(&m->t, &m->t.roles, set->roles.at[0]);
		return;
	}
	say(&m->t, set->flags == MODULE_SET_COMPLEMENT ? "~{" : "{");
	put_names(m, &m->t.roles, set->roles, "");
	say(&m->t, " }");
}

static void put_classes(struct module_text *m, struct module_values classes)
{
	if (classes.n == 1) {
		say_name(&m->t, &m->t.classes, classes.at[0]);
		return;
	}
	say(&m->t, "{");
	put_names(m, &m->t.classes, classes, "");
	say(&m->t, " }");
}

/* ---- levels ---- */

void put_module_level(struct module_text *m, const struct module_level *level)
{
	struct text_out *t = &m->t;

	say_name(t, &t->sens, level->sens);
	for (uint32_t i = 0; i < level->cats.n; i++) {
		struct module_cats span = level->cats.at[i];

		say(t, i ? "," : ":");
		say_name(t, &t->cats, span.low);
		if (span.high == span.low)
			continue;
		say(t, ".");
		say_name(t, &t->cats, span.high);
	}
}

/* ---- rules ---- */

static const char *keyword(uint32_t kind)
{
	switch (kind) {
	case MODULE_ALLOW:
		return "allow ";
	case MODULE_AUDITALLOW:
		return "auditallow ";
	case MODULE_AUDITDENY:
		return "auditdeny ";
	case MODULE_DONTAUDIT:
		return "dontaudit ";
	case MODULE_TRANSITION:
		return "type_transition ";
	case MODULE_MEMBER:
		return "type_member ";
	case MODULE_CHANGE:
		return "type_change ";
	case MODULE_NEVERALLOW:
		return "neverallow ";
	case MODULE_XALLOW:
		return "allowxperm ";
	case MODULE_XAUDITALLOW:
		return "auditallowxperm ";
	case MODULE_XDONTAUDIT:
		return "dontauditxperm ";
	default:
		return "neverallowxperm ";
	}
}

static const char *self_of(uint32_t flags)
{
	return flags & MODULE_RULE_SELF ? "self" : flags & MODULE_RULE_NOTSELF ? "-self" : NULL;
}

static void put_head(struct module_text *m, const struct module_rule *rule, const char *indent)
{
	say(&m->t, indent);
	say(&m->t, keyword(rule->kind));
	put_module_types(m, &rule->sources, NULL);
	say(&m->t, " ");
	put_module_types(m, &rule->targets, self_of(rule->flags));
	say(&m->t, ":");
}

/* The end of the run of classes with the same data as the one at i. */
static uint32_t run_end(const struct module_rule *rule, uint32_t i)
{
	uint32_t end = i + 1;

	while (end < rule->perms.n && rule->perms.at[end].data == rule->perms.at[i].data)
		end++;
	return end;
}

static void put_run(struct module_text *m, const struct module_rule *rule, uint32_t i, uint32_t end)
{
	if (end == i + 1) {
		say_name(&m->t, &m->t.classes, rule->perms.at[i].class);
		return;
	}
	say(&m->t, "{");
	for (; i < end; i++) {
		say(&m->t, " ");
		say_name(&m->t, &m->t.classes, rule->perms.at[i].class);
	}
	say(&m->t, " }");
}

static void put_type_rule(struct module_text *m, const struct module_rule *rule, const char *indent)
{
	for (uint32_t i = 0, end; i < rule->perms.n; i = end) {
		end = run_end(rule, i);
		put_head(m, rule, indent);
		put_run(m, rule, i, end);
		say(&m->t, " ");
		say_name(&m->t, &m->t.types, rule->perms.at[i].data);
		say(&m->t, ";\n");
	}
}

static void put_perms(struct module_text *m, struct module_perms perms)
{
	uint32_t mask = declared_perms(m->t.policy, perms.class, perms.data);
	bool many = mask & (mask - 1);

	say(&m->t, many ? " { " : " ");
	say_perms(&m->t, perms.class, mask);
	say(&m->t, many ? " };\n" : ";\n");
}

/* A mask means other permissions in each class, so each has a rule. */
static void put_av_rule(struct module_text *m, const struct module_rule *rule, const char *indent)
{
	for (uint32_t i = 0; i < rule->perms.n; i++) {
		struct module_perms perms = rule->perms.at[i];

		if (!declared_perms(m->t.policy, perms.class, perms.data))
			continue;
		put_head(m, rule, indent);
		say_name(&m->t, &m->t.classes, perms.class);
		put_perms(m, perms);
	}
}

static void put_xperm_rule(struct module_text *m, const struct module_rule *rule, const char *indent)
{
	struct ebitmap values = {0};

	xperm_values(rule->xperms, &values);
	if (ebitmap_empty(&values) || !rule->perms.n)
		return;
	put_head(m, rule, indent);
	say(&m->t, "{");
	for (uint32_t i = 0; i < rule->perms.n; i++) {
		say(&m->t, " ");
		say_name(&m->t, &m->t.classes, rule->perms.at[i].class);
	}
	say(&m->t, rule->xperms->specified == XPERM_NLMSG ? " } nlmsg { " : " } ioctl { ");
	say_values(&m->t, &values);
	say(&m->t, " };\n");
	ebitmap_free(&values);
}

/* A rule about no type says nothing. */
static void put_rules(struct module_text *m, const module_rules *rules, const char *indent)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct module_rule *rule = &rules->at[i];

		if (type_set_empty(&rule->sources) || (type_set_empty(&rule->targets) && !rule->flags))
			continue;
		if (rule->kind & MODULE_TE)
			put_type_rule(m, rule, indent);
		else if (rule->kind & MODULE_AV)
			put_av_rule(m, rule, indent);
		else
			put_xperm_rule(m, rule, indent);
	}
}

static void put_conds(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	for (uint32_t i = decl->conds.n; i-- > 0;) {
		const struct module_cond *cond = &decl->conds.at[i];

		if (!cond->yes.n && !cond->no.n)
			continue;
		text_printf(m->t.out, "%sif (", indent);
		put_condition(&m->t, &(struct policy_cond){.expr = cond->expr, .nexpr = cond->nexpr}, m->t.out);
		say(&m->t, ") {\n");
		put_rules(m, &cond->yes, "\t");
		if (cond->no.n)
			text_printf(m->t.out, "%s} else {\n", indent);
		put_rules(m, &cond->no, "\t");
		text_printf(m->t.out, "%s}\n", indent);
	}
}

/* ---- transitions and role allows ---- */

static bool is_process(const struct module_text *m, struct module_values classes)
{
	return classes.n == 1 && !strcmp(m->t.classes.names[classes.at[0]], "process");
}

static void put_role_rules(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	for (uint32_t i = decl->role_trans.n; i-- > 0;) {
		const struct module_role_trans *trans = &decl->role_trans.at[i];

		if (type_set_empty(&trans->types) || !trans->classes.n)
			continue;
		text_printf(m->t.out, "%srole_transition ", indent);
		put_module_roles(m, &trans->roles);
		say(&m->t, " ");
		put_module_types(m, &trans->types, NULL);
		if (!is_process(m, trans->classes)) {
			say(&m->t, ":");
			put_classes(m, trans->classes);
		}
		say(&m->t, " ");
		say_name(&m->t, &m->t.roles, trans->result);
		say(&m->t, ";\n");
	}
	for (uint32_t i = decl->role_allows.n; i-- > 0;) {
		text_printf(m->t.out, "%sallow ", indent);
		put_module_roles(m, &decl->role_allows.at[i].from);
		say(&m->t, " ");
		put_module_roles(m, &decl->role_allows.at[i].to);
		say(&m->t, ";\n");
	}
}

static void put_filename_trans(struct module_text *m, const struct module_filename_trans *trans, const char *indent)
{
	if (type_set_empty(&trans->sources) || (type_set_empty(&trans->targets) && !trans->self))
		return;
	if (strpbrk(trans->name, "\"/"))
		text_fail(&m->t, "a type transition for the name `%s`", trans->name);
	text_printf(m->t.out, "%stype_transition ", indent);
	put_module_types(m, &trans->sources, NULL);
	say(&m->t, " ");
	put_module_types(m, &trans->targets, trans->self ? "self" : NULL);
	say(&m->t, ":");
	say_name(&m->t, &m->t.classes, trans->class);
	say(&m->t, " ");
	say_name(&m->t, &m->t.types, trans->result);
	text_printf(m->t.out, " \"%s\";\n", trans->name);
}

static void put_range_trans(struct module_text *m, const struct module_range_trans *trans, const char *indent)
{
	if (type_set_empty(&trans->sources) || type_set_empty(&trans->targets) || !trans->classes.n)
		return;
	text_printf(m->t.out, "%srange_transition ", indent);
	put_module_types(m, &trans->sources, NULL);
	say(&m->t, " ");
	put_module_types(m, &trans->targets, NULL);
	say(&m->t, ":");
	put_classes(m, trans->classes);
	say(&m->t, " ");
	put_module_level(m, &trans->range.low);
	say(&m->t, " - ");
	put_module_level(m, &trans->range.high);
	say(&m->t, ";\n");
}

/* Compilers leave all but the rules in the reverse of their order. */
void put_statements(struct module_text *m, const struct module_decl *decl, const char *indent)
{
	put_rules(m, &decl->rules, indent);
	put_conds(m, decl, indent);
	put_role_rules(m, decl, indent);
	for (uint32_t i = decl->filename_trans.n; i-- > 0;)
		put_filename_trans(m, &decl->filename_trans.at[i], indent);
	for (uint32_t i = decl->range_trans.n; i-- > 0;)
		put_range_trans(m, &decl->range_trans.at[i], indent);
}
