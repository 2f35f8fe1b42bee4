#include "query/query.h"

/* All that is counted by a walk over rules, symbols and constraints. */
struct tally {
	uint32_t permissions;
	uint32_t classes, users, bools, types, attributes, permissives, typebounds, neveraudits, roles, defaults;
	uint32_t rules[16]; /* by bit of enum policy_av_kind */
	uint32_t filename_trans;
	uint32_t constraints, mlsconstraints, validatetrans, mlsvalidatetrans;
};

/* One of them may be of the kind `mls...`: those that compare levels. */
static bool compares_levels(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++) {
		if (c->expr[i].kind == CEXPR_ATTR && c->expr[i].attr >= CEXPR_L1L2)
			return true;
	}
	return false;
}

/* As they are declared: those of a common once, of a class its own. */
static void tally_permissions(struct tally *t, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->commons.n; v++)
		t->permissions += p->commons.at[v].nperms;
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		const struct policy_class *class = &p->classes.at[v];
		uint32_t inherited = class->common ? p->commons.at[class->common].nperms : 0;

		t->permissions += class->nperms - inherited;
	}
}

static void tally_classes(struct tally *t, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		const struct policy_class *class = &p->classes.at[v];

		t->classes += class->name != NULL;
		for (uint32_t i = 0; i < class->constraints.n; i++)
			*(compares_levels(&class->constraints.at[i]) ? &t->mlsconstraints : &t->constraints) += 1;
		for (uint32_t i = 0; i < class->validatetrans.n; i++)
			*(compares_levels(&class->validatetrans.at[i]) ? &t->mlsvalidatetrans : &t->validatetrans) += 1;
		t->defaults += !!class->default_user + !!class->default_role + !!class->default_type + !!class->default_range;
	}
}

static void tally_symbols(struct tally *t, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->types.n; v++) {
		const struct policy_type *type = &p->types.at[v];

		t->types += type->kind == POLICY_TYPE;
		t->attributes += type->kind == POLICY_ATTRIBUTE && type->name;
		t->permissives += type->permissive;
		t->neveraudits += type->neveraudit;
		t->typebounds += type->kind == POLICY_TYPE && type->bounds;
	}
	for (uint32_t v = 1; v <= p->roles.n; v++)
		t->roles += p->roles.at[v].name != NULL;
	for (uint32_t v = 1; v <= p->users.n; v++)
		t->users += p->users.at[v].name != NULL;
	for (uint32_t v = 1; v <= p->bools.n; v++)
		t->bools += p->bools.at[v].name != NULL;
}

static void tally_rules(struct tally *t, const policy_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++)
		t->rules[rules->at[i].kind ? __builtin_ctz(rules->at[i].kind) : 15]++;
}

static void tally_policy(struct tally *t, const struct policy *p)
{
	tally_permissions(t, p);
	tally_classes(t, p);
	tally_symbols(t, p);
	tally_rules(t, &p->rules);
	for (uint32_t i = 0; i < p->conds.n; i++) {
		tally_rules(t, &p->conds.at[i].yes);
		tally_rules(t, &p->conds.at[i].no);
	}
	for (uint32_t i = 0; i < p->filename_trans.n; i++)
		t->filename_trans += ebitmap_count(&p->filename_trans.at[i].sources);
}

static uint32_t of_kind(const struct tally *t, enum policy_av_kind kind)
{
	return t->rules[__builtin_ctz((unsigned)kind)];
}

enum targets { BOTH, SELINUX, XEN };

uint32_t query_info(const struct policy *p, struct query_count ret_counts[QUERY_MAX_COUNTS])
{
	struct tally t = {0};
	uint32_t n = 0;

	tally_policy(&t, p);
	const struct { const char *key, *title; uint32_t n; enum targets targets; } rows[] = {
		{"classes", "Classes", t.classes, BOTH},
		{"permissions", "Permissions", t.permissions, BOTH},
		{"sensitivities", "Sensitivities", p->sens.n, BOTH},
		{"categories", "Categories", p->cats.n, BOTH},
		{"types", "Types", t.types, BOTH},
		{"attributes", "Attributes", t.attributes, BOTH},
		{"users", "Users", t.users, BOTH},
		{"roles", "Roles", t.roles, BOTH},
		{"booleans", "Booleans", t.bools, BOTH},
		{"conditionals", "Conditionals", p->conds.n, BOTH},
		{"allow", "Allow", of_kind(&t, AV_ALLOWED), BOTH},
		{"auditallow", "Auditallow", of_kind(&t, AV_AUDITALLOW), BOTH},
		{"dontaudit", "Dontaudit", of_kind(&t, AV_AUDITDENY), BOTH},
		{"type_transition", "Type_trans", of_kind(&t, AV_TRANSITION) + t.filename_trans, BOTH},
		{"type_change", "Type_change", of_kind(&t, AV_CHANGE), BOTH},
		{"type_member", "Type_member", of_kind(&t, AV_MEMBER), BOTH},
		{"range_transition", "Range_trans", p->range_trans.n, BOTH},
		{"role_allow", "Role allow", p->role_allows.n, BOTH},
		{"role_transition", "Role_trans", p->role_trans.n, BOTH},
		{"constraints", "Constraints", t.constraints, BOTH},
		{"validatetrans", "Validatetrans", t.validatetrans, BOTH},
		{"mls_constraints", "MLS constrain", t.mlsconstraints, BOTH},
		{"mls_validatetrans", "MLS val. trans", t.mlsvalidatetrans, BOTH},
		{"permissive_types", "Permissives", t.permissives, BOTH},
		{"neveraudit_types", "Neveraudits", t.neveraudits, BOTH},
		{"capabilities", "Polcap", ebitmap_count(&p->capabilities), BOTH},
		{"defaults", "Defaults", t.defaults, BOTH},
		{"typebounds", "Typebounds", t.typebounds, BOTH},
		{"allowxperm", "Allowxperm", of_kind(&t, AV_XALLOWED), SELINUX},
		{"auditallowxperm", "Auditallowxperm", of_kind(&t, AV_XAUDITALLOW), SELINUX},
		{"dontauditxperm", "Dontauditxperm", of_kind(&t, AV_XDONTAUDIT), SELINUX},
		{"initial_sids", "Initial SIDs", p->sids.n, BOTH},
		{"fs_use", "Fs_use", p->fs_uses.n, SELINUX},
		{"genfscon", "Genfscon", p->genfs.n, SELINUX},
		{"portcon", "Portcon", p->ports.n, SELINUX},
		{"netifcon", "Netifcon", p->netifs.n, SELINUX},
		{"nodecon", "Nodecon", p->nodes.n + p->nodes6.n, SELINUX},
		{"ibpkeycon", "Ibpkeycon", p->ibpkeys.n, SELINUX},
		{"ibendportcon", "Ibendportcon", p->ibendports.n, SELINUX},
		{"pirqcon", "Pirqcon", p->pirqs.n, XEN},
		{"ioportcon", "Ioportcon", p->ioports.n, XEN},
		{"iomemcon", "Iomemcon", p->iomems.n, XEN},
		{"pcidevicecon", "Pcidevicecon", p->pcidevices.n, XEN},
		{"devicetreecon", "Devicetreecon", p->devicetrees.n, XEN},
	};
	_Static_assert(sizeof rows / sizeof *rows <= QUERY_MAX_COUNTS, "room for all");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].targets == (p->target == POLICY_XEN ? SELINUX : XEN))
			continue;
		ret_counts[n++] = (struct query_count){rows[i].key, rows[i].title, rows[i].n};
	}
	return n;
}

const char *query_target_name(const struct policy *p)
{
	return p->target == POLICY_XEN ? "xen" : "selinux";
}
