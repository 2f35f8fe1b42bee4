/* Bounds: what a child has, its parent must have.
 *
 * Needs the expanded rules and the bounds of types, roles and users; leaves
 * findings.  Each link is checked on its own.  Of a type every allow rule that
 * names it as source counts, attributes and conditionals too; a target that is
 * bounded itself is replaced by its parent before the parent's rules are asked.
 *
 * Facts: language.md 14.3.  Extended permissions are not bounded by the
 * language, so what exceeds there is a warning, as is a chain that the kernel
 * will not follow. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/access.h"
#include "ir/internal.h"
#include "ir/text.h"

enum {
	KERNEL_MAX_PARENTS = 3, /* the kernel refuses a policy with one more */
	MAX_NAMED = 8,          /* names in one message; the rest is counted */
};

static struct loc symbol_loc(const struct compile *c, enum symbol_kind kind, const char *name)
{
	const struct symbol *s = NULL;
	atom_t atom = name && c->atoms ? atom_find(c->atoms, name, strlen(name)) : ATOM_NONE;

	if (atom != ATOM_NONE && c->symbols[kind].by_atom)
		s = symbol_find(c, kind, atom);
	return s ? s->loc : LOC_NONE;
}

/* ---- depth, for types, roles and users alike ---- */

struct chain {
	enum symbol_kind kind;
	const char *what;
	uint32_t n;            /* highest value */
	uint32_t *parents;     /* by value, or 0 */
	const char **names;
};

static void chain_init(struct chain *ch, enum symbol_kind kind, const char *what, uint32_t n)
{
	ch->kind = kind;
	ch->what = what;
	ch->n = n;
	ch->parents = mem_zalloc((size_t)n + 1, sizeof *ch->parents);
	ch->names = mem_zalloc((size_t)n + 1, sizeof *ch->names);
}

static void chain_free(struct chain *ch)
{
	free(ch->parents);
	free(ch->names);
}

/* `a`, its parent, and so on: links of them, as `a` in `b` in `c`. */
static void put_chain(struct buffer *b, const struct chain *ch, uint32_t v, uint32_t links)
{
	text_printf(b, "`%s`", ch->names[v]);
	for (uint32_t i = 0; i < links && i < MAX_NAMED; i++) {
		v = ch->parents[v];
		text_printf(b, " in `%s`", ch->names[v]);
	}
	if (links > MAX_NAMED)
		text_put(b, " ...");
}

static void report_depth(struct compile *c, const struct chain *ch, uint32_t v, uint32_t links, bool loop)
{
	struct buffer text = {0};

	put_chain(&text, ch, v, links);
	diag_warning(c->diags, "bounds-depth", symbol_loc(c, ch->kind, ch->names[v]),
		     loop ? "bounds of the %s `%s` form a loop: %s; the kernel refuses the policy"
			  : "the %s `%s` is bounded too deep for the kernel, which refuses the policy: %s",
		     ch->what, ch->names[v], text_of(&text));
	buffer_free(&text);
}

static uint32_t loop_length(const struct chain *ch, uint32_t v)
{
	uint32_t links = 1;

	for (uint32_t at = ch->parents[v]; at != v; at = ch->parents[at])
		links++;
	return links;
}

/* Each value is walked over once: seen[v] is the walk that came by. */
static void check_loops(struct compile *c, const struct chain *ch)
{
	uint32_t *seen = mem_zalloc((size_t)ch->n + 1, sizeof *seen);

	for (uint32_t v = 1; v <= ch->n; v++) {
		uint32_t at = v;

		while (at && !seen[at]) {
			seen[at] = v;
			at = ch->parents[at];
		}
		if (at && seen[at] == v)
			report_depth(c, ch, at, loop_length(ch, at), true);
	}
	free(seen);
}

/* Reports the first of a chain that is too deep; what is below it is implied,
 * as is what leads into a loop. */
static void check_depths(struct compile *c, const struct chain *ch)
{
	for (uint32_t v = 1; v <= ch->n; v++) {
		uint32_t links = 0, at = v;

		while (ch->parents[at] && links <= KERNEL_MAX_PARENTS) {
			at = ch->parents[at];
			links++;
		}
		if (links > KERNEL_MAX_PARENTS && !ch->parents[at])
			report_depth(c, ch, v, links, false);
	}
}

static void check_chain(struct compile *c, struct chain *ch)
{
	check_loops(c, ch);
	check_depths(c, ch);
	chain_free(ch);
}

static uint32_t parent_in(uint32_t parent, uint32_t n)
{
	return parent <= n ? parent : 0;
}

static void check_kernel_limits(struct compile *c)
{
	const struct policy *p = c->policy;
	struct chain ch;

	chain_init(&ch, SYM_TYPE, "type", p->types.n);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		ch.parents[v] = parent_in(p->types.at[v].bounds, p->types.n);
		ch.names[v] = p->types.at[v].name;
	}
	check_chain(c, &ch);
	chain_init(&ch, SYM_ROLE, "role", p->roles.n);
	for (uint32_t v = 1; v <= p->roles.n; v++) {
		ch.parents[v] = parent_in(p->roles.at[v].bounds, p->roles.n);
		ch.names[v] = p->roles.at[v].name;
	}
	check_chain(c, &ch);
	chain_init(&ch, SYM_USER, "user", p->users.n);
	for (uint32_t v = 1; v <= p->users.n; v++) {
		ch.parents[v] = parent_in(p->users.at[v].bounds, p->users.n);
		ch.names[v] = p->users.at[v].name;
	}
	check_chain(c, &ch);
}

/* ---- roles and users ---- */

typedef const char *(*name_of)(const struct policy *p, uint32_t value);

/* Reports what a child's set has and its parent's has not. */
static void check_subset(struct compile *c, enum symbol_kind kind, const char *child, const char *parent,
			 const struct ebitmap *has, const struct ebitmap *may, name_of name)
{
	struct ebitmap excess = {0};
	struct buffer text = {0};
	bool role = kind == SYM_ROLE;
	uint32_t named = 0;

	ebitmap_copy(&excess, has);
	ebitmap_andnot(&excess, may);
	ebitmap_for_each(&excess, bit) {
		if (named == MAX_NAMED)
			break;
		text_printf(&text, "%s`%s`", named++ ? ", " : "", name(c->policy, bit + 1));
	}
	if (ebitmap_count(&excess) > named)
		text_printf(&text, " and %u more", ebitmap_count(&excess) - named);
	if (named)
		diag_error(c->diags, "bounds", symbol_loc(c, kind, child), "%s `%s` exceeds its parent `%s` by the %s %s",
			   role ? "role" : "user", child, parent, role ? "types" : "roles", text_of(&text));
	buffer_free(&text);
	ebitmap_free(&excess);
}

static const char *type_name(const struct policy *p, uint32_t value)
{
	return value <= p->types.n ? p->types.at[value].name : "?";
}

static const char *role_name(const struct policy *p, uint32_t value)
{
	return value <= p->roles.n ? p->roles.at[value].name : "?";
}

static void check_roles(struct compile *c)
{
	const struct policy *p = c->policy;

	for (uint32_t v = 1; v <= p->roles.n; v++) {
		const struct policy_role *child = &p->roles.at[v], *parent;

		if (!child->bounds || child->bounds > p->roles.n)
			continue;
		parent = &p->roles.at[child->bounds];
		check_subset(c, SYM_ROLE, child->name, parent->name, &child->types, &parent->types, type_name);
	}
}

static void check_users(struct compile *c)
{
	const struct policy *p = c->policy;

	for (uint32_t v = 1; v <= p->users.n; v++) {
		const struct policy_user *child = &p->users.at[v], *parent;

		if (!child->bounds || child->bounds > p->users.n)
			continue;
		parent = &p->users.at[child->bounds];
		check_subset(c, SYM_USER, child->name, parent->name, &child->roles, &parent->roles, role_name);
	}
}

/* ---- types ---- */

/* Permissions by target, for one child and its parent in one class. */
struct masks {
	uint32_t may;     /* parent: unconditional, or in both branches of a conditional */
	uint32_t yes, no; /* parent: in the branches of the conditional at hand */
	uint32_t any;     /* parent: wherever */
	uint32_t has;     /* child: wherever */
	uint32_t missing; /* of the child's */
};

/* The targets of a rule on which the parent lacks the same: one finding. */
struct lacking { struct ebitmap targets; uint32_t missing; };

struct bounds_checker {
	struct compile *c;
	const struct policy *policy;
	struct access access;
	struct access_class allow, xallow; /* the class under check */
	uint32_t child, parent;            /* values */
	access_rules child_rules, parent_rules, child_records, parent_records;
	struct masks *masks;               /* by target value */
	struct lacking lacking;
};

/* Calls f for each type that the target of a rule stands for. */
static void for_targets(struct bounds_checker *k, const struct access_rule *r,
			void (*f)(struct bounds_checker *k, const struct access_rule *r, uint32_t target))
{
	const struct policy_type *type = &k->policy->types.at[r->target];

	if (type->kind == POLICY_TYPE) {
		f(k, r, r->target);
		return;
	}
	ebitmap_for_each(&type->types, bit)
		f(k, r, bit + 1);
}

static uint32_t bound_of(const struct bounds_checker *k, uint32_t target)
{
	uint32_t parent = k->policy->types.at[target].bounds;

	return parent && parent <= k->policy->types.n ? parent : target;
}

static void forget(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	(void)r;
	memset(&k->masks[target], 0, sizeof k->masks[target]);
	memset(&k->masks[bound_of(k, target)], 0, sizeof k->masks[target]);
}

static void forget_branches(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	(void)r;
	k->masks[target].yes = k->masks[target].no = 0;
}

static void add_may(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	struct masks *m = &k->masks[target];

	m->any |= r->data;
	if (!r->place)
		m->may |= r->data;
}

static void add_branch(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	struct masks *m = &k->masks[target];

	*(r->place & 1 ? &m->no : &m->yes) |= r->data;
	m->may |= m->yes & m->no;
}

static void add_missing(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	const struct masks *parent = &k->masks[bound_of(k, target)];
	uint32_t may = parent->may;

	if (r->place)
		may |= r->place & 1 ? parent->no : parent->yes;
	k->masks[target].has |= r->data;
	k->masks[target].missing |= r->data & ~may;
}

/* Rules in the order of their places, the unconditional ones first. */
static int by_place(const void *a, const void *b)
{
	const struct access_rule *x = *(const struct access_rule *const *)a, *y = *(const struct access_rule *const *)b;

	return x->place != y->place ? (x->place < y->place ? -1 : 1) : (x > y) - (x < y);
}

static void sort_by_place(access_rules *rules)
{
	if (rules->n)
		qsort(rules->at, rules->n, sizeof *rules->at, by_place);
}

/* Calls f for the targets of the rules in either branch of the conditional of
 * rule *i, and moves *i behind them. */
static void for_cond(struct bounds_checker *k, const access_rules *rules, uint32_t cond, uint32_t *i,
		     void (*f)(struct bounds_checker *k, const struct access_rule *r, uint32_t target))
{
	for (; *i < rules->n && access_cond(rules->at[*i]->place) == cond; ++*i)
		for_targets(k, rules->at[*i], f);
}

static uint32_t unconditional(const access_rules *rules)
{
	uint32_t i = 0;

	while (i < rules->n && !rules->at[i]->place)
		i++;
	return i;
}

/* What the parent has whatever the booleans say. */
static void find_may(struct bounds_checker *k)
{
	const access_rules *rules = &k->parent_rules;

	for (uint32_t i = 0; i < rules->n; i++)
		for_targets(k, rules->at[i], add_may);
	for (uint32_t i = unconditional(rules); i < rules->n;) {
		uint32_t cond = access_cond(rules->at[i]->place), again = i;

		for_cond(k, rules, cond, &i, add_branch);
		for_cond(k, rules, cond, &again, forget_branches);
	}
}

/* The child's conditionals beside the parent's, both ascending. */
static void find_missing(struct bounds_checker *k)
{
	const access_rules *child = &k->child_rules, *parent = &k->parent_rules;
	uint32_t i = 0, p = unconditional(parent);

	for (uint32_t n = unconditional(child); i < n; i++)
		for_targets(k, child->at[i], add_missing);
	while (i < child->n) {
		uint32_t cond = access_cond(child->at[i]->place), again;

		while (p < parent->n && access_cond(parent->at[p]->place) < cond)
			p++;
		again = p;
		for_cond(k, parent, cond, &p, add_branch);
		for_cond(k, child, cond, &i, add_missing);
		for_cond(k, parent, cond, &again, forget_branches);
	}
}

static void note_target_bound(const struct bounds_checker *k, uint32_t target)
{
	uint32_t bound = bound_of(k, target);

	if (bound != target)
		diag_note(k->c->diags, LOC_NONE, "`%s` is bounded by `%s`, so `%s` needs it on `%s`",
			  type_name(k->policy, target), type_name(k->policy, bound), type_name(k->policy, k->parent),
			  type_name(k->policy, bound));
}

/* The statements that make the bound; a dotted name makes it, too. */
static void note_typebounds(struct bounds_checker *k)
{
	const struct compile *c = k->c;
	const char *child = type_name(k->policy, k->child), *parent = type_name(k->policy, k->parent);
	uint32_t named = 0;

	if (c->diags->dropping)
		return;
	for (uint32_t i = 0; c->ast && i < c->ast->typebounds.n; i++) {
		const struct ast_typebounds *st = &c->ast->typebounds.at[i];
		uint32_t one;
		struct ast_set set = ast_set_of(c->ast, st->children, &one);

		for (uint32_t item = 0; c->live[st->block] && item < set.n && !named; item++) {
			const struct symbol *s = symbol_find(c, SYM_TYPE, set.items[item] & ~AST_MINUS);

			if (s && s->value == k->child) {
				diag_note(c->diags, st->loc, "`%s` is bounded here", child);
				named++;
			}
		}
	}
	if (!named && c->ast && c->ast->types.n)
		diag_note(c->diags, symbol_loc(c, SYM_TYPE, parent), "`%s` is its parent, as the name `%s` says", parent, child);
}

static void gather_lacking(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	struct masks *m = &k->masks[target];

	(void)r;
	if (!m->missing || (k->lacking.missing && m->missing != k->lacking.missing))
		return;
	k->lacking.missing = m->missing;
	m->missing = 0;
	ebitmap_set(&k->lacking.targets, target - 1);
}

static void put_targets(const struct bounds_checker *k, struct buffer *text)
{
	uint32_t n = ebitmap_count(&k->lacking.targets), named = 0;

	text_put(text, n > 1 ? "{ " : "");
	ebitmap_for_each(&k->lacking.targets, bit) {
		if (named++ == MAX_NAMED)
			break;
		text_printf(text, "%s`%s`", named > 1 ? " " : "", type_name(k->policy, bit + 1));
	}
	if (n > MAX_NAMED)
		text_printf(text, " and %u more", n - MAX_NAMED);
	text_put(text, n > 1 ? " }" : "");
}

static void note_target_bounds(const struct bounds_checker *k)
{
	uint32_t looked = 0;

	ebitmap_for_each(&k->lacking.targets, bit) {
		if (looked++ == MAX_NAMED)
			break;
		note_target_bound(k, bit + 1);
	}
}

static void report_lacking(struct bounds_checker *k, uint32_t class)
{
	const char *child = type_name(k->policy, k->child);
	uint32_t target = ebitmap_first(&k->lacking.targets) + 1;
	struct buffer text = {0};

	put_targets(k, &text);
	text_printf(&text, ":`%s` ", k->policy->classes.at[class].name);
	text_perms(&text, &k->policy->classes.at[class], k->lacking.missing);
	diag_error(k->c->diags, "bounds", symbol_loc(k->c, SYM_TYPE, child),
		   "type `%s` exceeds its parent `%s`: allow `%s` %s", child, type_name(k->policy, k->parent), child,
		   text_of(&text));
	buffer_free(&text);
	note_origins(k->c, k->child, target, class, k->lacking.missing, false);
	note_typebounds(k);
	note_target_bounds(k);
	diag_hint(k->c->diags, "allow the parent the same, or take it away from the child");
}

static void report_missing(struct bounds_checker *k, const struct access_rule *r)
{
	for (;;) {
		k->lacking.missing = 0;
		for_targets(k, r, gather_lacking);
		if (!k->lacking.missing)
			return;
		report_lacking(k, r->class);
		ebitmap_free(&k->lacking.targets);
	}
}

/* ---- extended permissions of types ---- */

/* The values that records leave to a pair: all, when there is none for it.
 * Conditional ones count as if always on. */
static void values_of(const struct bounds_checker *k, const access_rules *records, uint32_t target, bool nlmsg,
		      struct ebitmap *ret_values)
{
	bool limited = false;

	for (uint32_t i = 0; i < records->n; i++) {
		const struct policy_xperms *x = &k->policy->xperms.at[records->at[i]->data];

		if ((x->specified == XPERM_NLMSG) != nlmsg ||
		    !policy_type_matches(k->policy, target, records->at[i]->target))
			continue;
		limited = true;
		xperm_values(x, ret_values);
	}
	if (!limited)
		ebitmap_set_range(ret_values, 0, 0xffff);
}

static void check_values(struct bounds_checker *k, uint32_t class, uint32_t target, bool nlmsg)
{
	const char *operation = nlmsg ? "nlmsg" : "ioctl", *child = type_name(k->policy, k->child);
	uint32_t mask = policy_find_perm(&k->policy->classes.at[class], operation);
	struct ebitmap has = {0}, may = {0};
	struct buffer text = {0};

	if (!(k->masks[target].has & k->masks[bound_of(k, target)].any & mask))
		return;
	values_of(k, &k->child_records, target, nlmsg, &has);
	values_of(k, &k->parent_records, bound_of(k, target), nlmsg, &may);
	ebitmap_andnot(&has, &may);
	if (!ebitmap_empty(&has)) {
		text_values(&text, &has, MAX_NAMED);
		diag_warning(k->c->diags, "bounds-xperm", symbol_loc(k->c, SYM_TYPE, child),
			     "type `%s` exceeds its parent `%s`: allowxperm `%s` `%s`:`%s` %s %s", child,
			     type_name(k->policy, k->parent), child, type_name(k->policy, target),
			     k->policy->classes.at[class].name, operation, text_of(&text));
		note_origins(k->c, k->child, target, class, mask, true);
		note_typebounds(k);
		note_target_bound(k, target);
	}
	buffer_free(&text);
	ebitmap_free(&has);
	ebitmap_free(&may);
}

static void check_records(struct bounds_checker *k, const struct access_rule *r, uint32_t target)
{
	check_values(k, r->class, target, false);
	check_values(k, r->class, target, true);
	k->masks[target].has = 0; /* once for each target */
}

/* ---- all of it ---- */

static void check_class(struct bounds_checker *k, uint32_t class)
{
	const access_rules *child = &k->child_rules, *parent = &k->parent_rules;
	bool records;

	access_rules_of(&k->access, &k->allow, k->child, &k->child_rules);
	if (!child->n)
		return;
	access_rules_of(&k->access, &k->allow, k->parent, &k->parent_rules);
	sort_by_place(&k->child_rules);
	sort_by_place(&k->parent_rules);
	find_may(k);
	find_missing(k);
	for (uint32_t i = 0; i < child->n; i++)
		report_missing(k, child->at[i]);
	access_class_open(&k->xallow, &k->access, &k->access.xallow, class);
	access_rules_of(&k->access, &k->xallow, k->child, &k->child_records);
	access_rules_of(&k->access, &k->xallow, k->parent, &k->parent_records);
	records = k->parent_records.n; /* else the parent has all values */
	for (uint32_t i = 0; records && i < child->n; i++)
		for_targets(k, child->at[i], check_records);
	for (uint32_t i = 0; i < child->n; i++)
		for_targets(k, child->at[i], forget);
	for (uint32_t i = 0; i < parent->n; i++)
		for_targets(k, parent->at[i], forget);
}

static void find_children(const struct policy *p, uint32_t *children, uint32_t *ret_n)
{
	*ret_n = 0;
	for (uint32_t v = 1; v <= p->types.n; v++) {
		if (p->types.at[v].kind == POLICY_TYPE && p->types.at[v].bounds && p->types.at[v].bounds <= p->types.n)
			children[(*ret_n)++] = v;
	}
}

static void check_children(struct bounds_checker *k, const uint32_t *children, uint32_t n)
{
	access_init(&k->access, k->policy);
	k->masks = mem_zalloc((size_t)k->policy->types.n + 1, sizeof *k->masks);
	for (uint32_t class = 1; class <= k->policy->classes.n; class++) {
		if (k->access.allow.start[class] == k->access.allow.start[class + 1])
			continue;
		access_class_open(&k->allow, &k->access, &k->access.allow, class);
		for (uint32_t i = 0; i < n; i++) {
			k->child = children[i];
			k->parent = k->policy->types.at[k->child].bounds;
			check_class(k, class);
		}
	}
	free(k->masks);
	vec_free(&k->child_rules);
	vec_free(&k->parent_rules);
	vec_free(&k->child_records);
	vec_free(&k->parent_records);
	access_class_free(&k->allow);
	access_class_free(&k->xallow);
	access_free(&k->access);
}

static void check_types(struct compile *c)
{
	struct bounds_checker k = {.c = c, .policy = c->policy};
	uint32_t *children = mem_alloc(((size_t)c->policy->types.n + 1) * sizeof *children), n;

	find_children(c->policy, children, &n);
	if (n)
		check_children(&k, children, n);
	free(children);
}

void check_bounds(struct compile *c)
{
	check_kernel_limits(c);
	check_users(c);
	check_roles(c);
	check_types(c);
}
