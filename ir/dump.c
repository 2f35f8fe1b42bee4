/* The dump of a policy: one statement a line, to be compared and searched.
 *
 * The form is that of policy.conf as far as it goes.  Symbols come in the order
 * of their values, all other lists as struct policy has them.  A name is
 * `@VALUE` where there is none.  In order:
 *
 *	target selinux; mls; handle_unknown deny;     (a line each)
 *	policycap NAME;
 *	common NAME { PERM... };
 *	class NAME [inherits COMMON] { PERM... };     own permissions only
 *	default_user|_role|_type|_range CLASS VALUE;
 *	sensitivity NAME [alias { NAME... }]; category NAME [alias { NAME... }];
 *	level SENS[:CATS];
 *	attribute NAME; expandattribute NAME true;
 *	type NAME [alias { NAME... }];
 *	typeattribute TYPE ATTRIBUTE...;
 *	typebounds PARENT CHILD; permissive TYPE; neveraudit TYPE;
 *	bool NAME true|false;
 *	role NAME [types { TYPE... }]; rolebounds PARENT CHILD;
 *	roledominates NAME { ROLE... };               if more than itself
 *	user NAME roles { ROLE... } [level LEVEL range RANGE]; userbounds PARENT CHILD;
 *	[mls]constrain CLASS { PERM... } (EXPR); [mls]validatetrans CLASS (EXPR);
 *	the rules (dump_rules.c) and the labels (dump_labels.c)
 *
 * In constraints, a set of types is as it was written (attributes kept) where
 * the policy knows that, else it is the expanded one. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/access.h"
#include "ir/dump.h"
#include "ir/ir.h"
#include "ir/names.h"

static void put_name(struct buffer *b, const char *name, uint32_t value)
{
	if (name)
		text_put(b, name);
	else
		text_printf(b, "@%u", value);
}

void dump_type(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->types.n ? p->types.at[value].name : NULL, value);
}

void dump_role(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->roles.n ? p->roles.at[value].name : NULL, value);
}

void dump_user(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->users.n ? p->users.at[value].name : NULL, value);
}

void dump_class(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->classes.n ? p->classes.at[value].name : NULL, value);
}

static void put_cat(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->cats.n ? p->cats.at[value].name : NULL, value);
}

static void put_sens(struct buffer *b, const struct policy *p, uint32_t value)
{
	put_name(b, value && value <= p->sens.n ? p->sens.at[value].name : NULL, value);
}

static void put_braced(struct buffer *b, const struct policy *p, const struct ebitmap *set, dump_name put)
{
	text_put(b, "{");
	ebitmap_for_each(set, bit) {
		text_put(b, " ");
		put(b, p, bit + 1);
	}
	text_put(b, " }");
}

void dump_set(struct buffer *b, const struct policy *p, const struct ebitmap *set, dump_name put)
{
	uint32_t first = ebitmap_first(set);

	if (first != EBITMAP_NONE && first == ebitmap_last(set))
		put(b, p, first + 1);
	else
		put_braced(b, p, set, put);
}

/* ---- levels ---- */

/* As statements have it: with blanks around the dash. */
void dump_range(struct buffer *b, const struct policy *p, const struct policy_range *range)
{
	text_level(b, p, &range->low);
	if (policy_level_equal(&range->low, &range->high))
		return;
	text_put(b, " - ");
	text_level(b, p, &range->high);
}

/* ---- symbols ---- */

static void put_head(struct buffer *b, const struct policy *p)
{
	text_printf(b, "target %s;\n", p->target == POLICY_XEN ? "xen" : "selinux");
	if (p->mls)
		text_put(b, "mls;\n");
	text_printf(b, "handle_unknown %s;\n", text_unknown(p->handle_unknown));
	ebitmap_for_each(&p->capabilities, bit) {
		text_put(b, "policycap ");
		put_name(b, capability_name(bit), bit);
		text_put(b, ";\n");
	}
}

static void put_perm_names(struct buffer *b, const char *const *perms, uint32_t from, uint32_t n)
{
	text_put(b, " {");
	for (uint32_t i = from; i < n && i < POLICY_MAX_PERMS; i++) {
		text_put(b, " ");
		put_name(b, perms[i], i + 1);
	}
	text_put(b, " }");
}

static void put_class(struct buffer *b, const struct policy *p, uint32_t v)
{
	const struct policy_class *class = &p->classes.at[v];
	uint32_t inherited = 0;

	text_put(b, "class ");
	dump_class(b, p, v);
	if (class->common && class->common <= p->commons.n) {
		inherited = p->commons.at[class->common].nperms;
		text_printf(b, " inherits %s", p->commons.at[class->common].name);
	}
	if (class->nperms > inherited)
		put_perm_names(b, class->perms, inherited, class->nperms);
	text_put(b, ";\n");
}

static void put_defaults(struct buffer *b, const struct policy *p, uint32_t v)
{
	static const char *const sides[] = {NULL, "source", "target"};
	static const char *const ranges[] = {
		NULL, "source low", "source high", "source low-high",
		"target low", "target high", "target low-high", "glblub",
	};
	const struct policy_class *class = &p->classes.at[v];
	const struct { const char *what; uint8_t side; } defaults[] = {
		{"user", class->default_user}, {"role", class->default_role}, {"type", class->default_type},
	};

	for (int i = 0; i < 3; i++) {
		if (defaults[i].side == 1 || defaults[i].side == 2)
			text_printf(b, "default_%s %s %s;\n", defaults[i].what, class->name, sides[defaults[i].side]);
	}
	if (class->default_range && class->default_range < sizeof ranges / sizeof *ranges)
		text_printf(b, "default_range %s %s;\n", class->name, ranges[class->default_range]);
}

static void put_classes(struct buffer *b, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->commons.n; v++) {
		text_put(b, "common ");
		put_name(b, p->commons.at[v].name, v);
		put_perm_names(b, p->commons.at[v].perms, 0, p->commons.at[v].nperms);
		text_put(b, ";\n");
	}
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_class(b, p, v);
	for (uint32_t v = 1; v <= p->classes.n; v++)
		put_defaults(b, p, v);
}

/* The aliases of each value, for symbols that have many. */
struct aliases {
	const struct policy_alias *at;
	uint32_t *first, *next; /* by value, by alias: index + 1 */
};

static void aliases_init(struct aliases *a, const struct policy_alias *at, uint32_t n, uint32_t nvalues)
{
	a->at = at;
	a->first = mem_zalloc((size_t)nvalues + 1, sizeof *a->first);
	a->next = mem_zalloc(n, sizeof *a->next);
	for (uint32_t i = n; i-- > 0;) {
		if (at[i].value > nvalues)
			continue;
		a->next[i] = a->first[at[i].value];
		a->first[at[i].value] = i + 1;
	}
}

static void put_aliases(struct buffer *b, const struct aliases *a, uint32_t value)
{
	if (!a->first[value])
		return;
	text_put(b, " alias {");
	for (uint32_t i = a->first[value]; i; i = a->next[i - 1])
		text_printf(b, " %s", a->at[i - 1].name);
	text_put(b, " }");
}

static void aliases_free(struct aliases *a)
{
	free(a->first);
	free(a->next);
}

static void put_mls(struct buffer *b, const struct policy *p)
{
	struct aliases aliases;

	aliases_init(&aliases, p->sens_aliases.at, p->sens_aliases.n, p->sens.n);
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		text_put(b, "sensitivity ");
		put_sens(b, p, v);
		put_aliases(b, &aliases, v);
		text_put(b, ";\n");
	}
	aliases_free(&aliases);
	aliases_init(&aliases, p->cat_aliases.at, p->cat_aliases.n, p->cats.n);
	for (uint32_t v = 1; v <= p->cats.n; v++) {
		text_put(b, "category ");
		put_cat(b, p, v);
		put_aliases(b, &aliases, v);
		text_put(b, ";\n");
	}
	aliases_free(&aliases);
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		text_put(b, "level ");
		text_level(b, p, &(struct policy_level){v, p->sens.at[v].cats});
		text_put(b, ";\n");
	}
}

static void put_type(struct buffer *b, const struct policy *p, uint32_t v, const struct aliases *aliases)
{
	const struct policy_type *type = &p->types.at[v];

	if (type->kind == POLICY_GAP)
		return;
	text_put(b, type->kind == POLICY_TYPE ? "type " : "attribute ");
	dump_type(b, p, v);
	put_aliases(b, aliases, v);
	text_put(b, ";\n");
	if (type->expand)
		text_printf(b, "expandattribute %s true;\n", type->name);
}

/* Those expanded away are left out, as in an image. */
static void put_type_attributes(struct buffer *b, const struct policy *p)
{
	struct memberships m;

	memberships_init(&m, p);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		if (m.start[v + 1] - m.start[v] < 2)
			continue;
		text_put(b, "typeattribute ");
		dump_type(b, p, v);
		for (uint32_t i = m.start[v]; i < m.start[v + 1]; i++) {
			if (m.at[i] == v)
				continue;
			text_put(b, " ");
			dump_type(b, p, m.at[i]);
		}
		text_put(b, ";\n");
	}
	memberships_free(&m);
}

static void put_bound(struct buffer *b, const struct policy *p, const char *statement, uint32_t parent, uint32_t child,
		      dump_name put)
{
	if (!parent)
		return;
	text_printf(b, "%s ", statement);
	put(b, p, parent);
	text_put(b, " ");
	put(b, p, child);
	text_put(b, ";\n");
}

static void put_types(struct buffer *b, const struct policy *p)
{
	struct aliases aliases;

	aliases_init(&aliases, p->type_aliases.at, p->type_aliases.n, p->types.n);
	for (uint32_t v = 1; v <= p->types.n; v++)
		put_type(b, p, v, &aliases);
	aliases_free(&aliases);
	put_type_attributes(b, p);
	for (uint32_t v = 1; v <= p->types.n; v++)
		put_bound(b, p, "typebounds", p->types.at[v].bounds, v, dump_type);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		if (p->types.at[v].permissive)
			text_printf(b, "permissive %s;\n", p->types.at[v].name);
		if (p->types.at[v].neveraudit)
			text_printf(b, "neveraudit %s;\n", p->types.at[v].name);
	}
}

static void put_bools(struct buffer *b, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->bools.n; v++)
		text_printf(b, "bool %s %s;\n", p->bools.at[v].name, p->bools.at[v].state ? "true" : "false");
}

static bool dominates_others(const struct policy_role *role, uint32_t v)
{
	return ebitmap_count(&role->dominates) > ebitmap_test(&role->dominates, v - 1);
}

static void put_roles(struct buffer *b, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->roles.n; v++) {
		const struct policy_role *role = &p->roles.at[v];

		if (!role->name)
			continue;
		text_printf(b, "role %s", role->name);
		if (!ebitmap_empty(&role->types)) {
			text_put(b, " types ");
			put_braced(b, p, &role->types, dump_type);
		}
		text_put(b, ";\n");
		put_bound(b, p, "rolebounds", role->bounds, v, dump_role);
		if (!dominates_others(role, v))
			continue;
		text_printf(b, "roledominates %s ", role->name);
		put_braced(b, p, &role->dominates, dump_role);
		text_put(b, ";\n");
	}
}

static void put_users(struct buffer *b, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->users.n; v++) {
		const struct policy_user *user = &p->users.at[v];

		text_put(b, "user ");
		dump_user(b, p, v);
		text_put(b, " roles ");
		put_braced(b, p, &user->roles, dump_role);
		if (p->mls) {
			text_put(b, " level ");
			text_level(b, p, &user->level);
			text_put(b, " range ");
			dump_range(b, p, &user->range);
		}
		text_put(b, ";\n");
		put_bound(b, p, "userbounds", user->bounds, v, dump_user);
	}
}

/* ---- constraints ---- */

struct constraint_text { const struct policy *policy; const struct policy_constraint *constraint; };

static const char *const operators[] = {
	[CEXPR_EQ] = "==", [CEXPR_NEQ] = "!=", [CEXPR_DOM] = "dom", [CEXPR_DOMBY] = "domby", [CEXPR_INCOMP] = "incomp",
};

static const char *operator_text(uint32_t op)
{
	return op && op < sizeof operators / sizeof *operators ? operators[op] : "?";
}

static char attribute_letter(uint32_t attr)
{
	return attr & CEXPR_USER ? 'u' : attr & CEXPR_ROLE ? 'r' : 't';
}

/* Source, target, or the process of a validatetrans. */
static char context_digit(uint32_t attr)
{
	return attr & CEXPR_XTARGET ? '3' : attr & CEXPR_TARGET ? '2' : '1';
}

static void put_comparison(struct buffer *b, const struct policy_cexpr *e)
{
	static const struct { uint32_t attr; const char *left, *right; } levels[] = {
		{CEXPR_L1L2, "l1", "l2"}, {CEXPR_L1H2, "l1", "h2"}, {CEXPR_H1L2, "h1", "l2"},
		{CEXPR_H1H2, "h1", "h2"}, {CEXPR_L1H1, "l1", "h1"}, {CEXPR_L2H2, "l2", "h2"},
	};
	const char *op = operator_text(e->op);
	char letter = attribute_letter(e->attr);

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		if (e->attr == levels[i].attr) {
			text_printf(b, "%s %s %s", levels[i].left, op, levels[i].right);
			return;
		}
	}
	text_printf(b, "%c1 %s %c2", letter, op, letter);
}

void dump_term(struct buffer *b, const struct policy *p, const struct policy_cexpr *e)
{
	dump_name put = e->attr & CEXPR_USER ? dump_user : e->attr & CEXPR_ROLE ? dump_role : dump_type;
	const struct ebitmap *names = ebitmap_empty(&e->type_set) ? &e->names : &e->type_set;

	if (e->kind == CEXPR_ATTR) {
		put_comparison(b, e);
		return;
	}
	text_printf(b, "%c%c %s ", attribute_letter(e->attr), context_digit(e->attr), operator_text(e->op));
	dump_set(b, p, names, put);
}

static void put_operand(struct buffer *b, const void *data, uint32_t i)
{
	const struct constraint_text *t = data;

	dump_term(b, t->policy, &t->constraint->expr[i]);
}

void dump_expression(struct buffer *b, const struct policy *p, const struct policy_constraint *c)
{
	static const struct expr_node kinds[] = {
		[CEXPR_NOT] = {"not ", 1, 0}, [CEXPR_AND] = {"and", 2, 0}, [CEXPR_OR] = {"or", 2, 0},
		[CEXPR_ATTR] = {NULL, 0, 0}, [CEXPR_NAMES] = {NULL, 0, 0},
	};
	struct expr_node *nodes = mem_alloc(c->nexpr * sizeof *nodes);

	for (uint32_t i = 0; i < c->nexpr; i++) {
		uint32_t kind = c->expr[i].kind;

		nodes[i] = kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	}
	text_put(b, "(");
	text_infix(b, nodes, c->nexpr, put_operand, &(struct constraint_text){p, c});
	text_put(b, ")");
	free(nodes);
}

static bool compares_levels(const struct policy_constraint *c)
{
	for (uint32_t i = 0; i < c->nexpr; i++) {
		if (c->expr[i].kind == CEXPR_ATTR && c->expr[i].attr >= CEXPR_L1L2)
			return true;
	}
	return false;
}

static void put_constraint(struct buffer *b, const struct policy *p, uint32_t class, const struct policy_constraint *c,
			   const char *statement)
{
	text_printf(b, "%s%s ", compares_levels(c) ? "mls" : "", statement);
	dump_class(b, p, class);
	text_put(b, " ");
	if (c->perms) {
		text_perms(b, &p->classes.at[class], c->perms);
		text_put(b, " ");
	}
	dump_expression(b, p, c);
	text_put(b, ";\n");
}

static void put_constraints(struct buffer *b, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->classes.n; v++) {
		const struct policy_class *class = &p->classes.at[v];

		for (uint32_t i = 0; i < class->constraints.n; i++)
			put_constraint(b, p, v, &class->constraints.at[i], "constrain");
		for (uint32_t i = 0; i < class->validatetrans.n; i++)
			put_constraint(b, p, v, &class->validatetrans.at[i], "validatetrans");
	}
}

void ir_dump(const struct policy *policy, struct buffer *out)
{
	put_head(out, policy);
	put_classes(out, policy);
	put_mls(out, policy);
	put_types(out, policy);
	put_bools(out, policy);
	put_roles(out, policy);
	put_users(out, policy);
	put_constraints(out, policy);
	dump_rules(out, policy);
	dump_labels(out, policy);
}
