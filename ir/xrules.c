/* Extended permission rules (language.md 9.16). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/labels.h"

enum { VALUES = 0x10000, DRIVERS = 256, FUNCTIONS = 256 };

static const uint16_t x_kinds[] = {
	[AST_ALLOW] = AV_XALLOWED, [AST_AUDITALLOW] = AV_XAUDITALLOW, [AST_DONTAUDIT] = AV_XDONTAUDIT,
};

enum { HIGHEST_VALUE = 0xffff };

/* A number, or two with a dash between them. */
static struct loc range_loc(const struct compile *c, const struct ast_xrange *r)
{
	struct loc loc = label_number_loc(c, r->begin), high;
	const char *text = source_text(c->sources, loc.end);
	uint32_t skip = (uint32_t)strspn(text, " \t\n-");

	if (r->low == r->high || !memchr(text, '-', skip))
		return loc;
	high = label_number_loc(c, loc.end + skip);
	return high.end > high.begin ? (struct loc){loc.begin, high.end} : loc;
}

static void report_value(struct compile *c, uint32_t value, const struct ast_xrange *r)
{
	diag_error(c->diags, "xperm-value", range_loc(c, r),
		   "0x%x is above 0xffff, the highest extended permission; its low 16 bits are 0x%x", value,
		   value & HIGHEST_VALUE);
}

/* As a warning, of a value that is too high the low bits count. */
static bool check_range(struct compile *c, const struct ast_xrange *r)
{
	if (r->low > HIGHEST_VALUE || r->high > HIGHEST_VALUE) {
		report_value(c, r->low > HIGHEST_VALUE ? r->low : r->high, r);
		if (!diag_demoted(c->diags, "xperm-value"))
			return false;
	}
	if ((r->low & HIGHEST_VALUE) <= (r->high & HIGHEST_VALUE))
		return true;
	diag_error(c->diags, "reversed-range", range_loc(c, r), "the range 0x%x-0x%x is reversed",
		   r->low & HIGHEST_VALUE, r->high & HIGHEST_VALUE);
	return false;
}

static bool check_values(struct compile *c, const struct ast_xrule *a)
{
	bool good = true;

	for (uint32_t i = 0; i < a->nranges; i++)
		good &= check_range(c, &a->ranges[i]);
	return good;
}

void xrule_values(const struct ast_xrule *a, struct ebitmap *ret_values)
{
	for (uint32_t i = 0; i < a->nranges; i++)
		ebitmap_set_range(ret_values, a->ranges[i].low & HIGHEST_VALUE, a->ranges[i].high & HIGHEST_VALUE);
	if (a->complement)
		ebitmap_complement(ret_values, VALUES);
}

/* The operation is a permission of that name. */
static bool operation_of(struct compile *c, const struct ast_xrule *a, bool *ret_nlmsg)
{
	const char *name = name_text(c, a->operation.atom);

	*ret_nlmsg = !strcmp(name, "nlmsg");
	if (*ret_nlmsg || !strcmp(name, "ioctl"))
		return true;
	diag_error(c->diags, "xperm-operation", ast_name_loc(c->atoms, a->operation),
		   "`%s` has no extended permissions; only ioctl and nlmsg have", name);
	return false;
}

/* ---- records (policydb-format.md 6.2) ---- */

static void set_perm(struct policy_xperms *x, uint32_t bit)
{
	x->perms[bit / 32] |= UINT32_C(1) << bit % 32;
}

static uint32_t *push_record(struct compile *c, uint8_t specified, uint8_t driver)
{
	struct policy_xperms *x = vec_push(&c->xperms);

	*x = (struct policy_xperms){.specified = specified, .driver = driver};
	return x->perms;
}

/* The four words of the value set that one driver's functions lie in. */
static uint32_t copy_functions(const struct ebitmap *values, uint32_t driver, uint32_t perms[8])
{
	uint32_t count = 0;

	for (uint32_t w = 0; w < FUNCTIONS / 64; w++) {
		uint32_t at = driver * (FUNCTIONS / 64) + w - values->first;
		uint64_t word = at < values->n ? values->words[at] : 0;

		perms[w * 2] = (uint32_t)word;
		perms[w * 2 + 1] = (uint32_t)(word >> 32);
		count += (uint32_t)__builtin_popcountll(word);
	}
	return count;
}

/* Appends the records of a value set to c->xperms. */
static void make_records(struct compile *c, const struct ebitmap *values, bool nlmsg)
{
	struct policy_xperms drivers = {.specified = XPERM_IOCTL_DRIVER};
	bool any = false;

	for (uint32_t driver = 0; driver < DRIVERS; driver++) {
		uint32_t perms[8], count = copy_functions(values, driver, perms);

		if (!nlmsg && count == FUNCTIONS) {
			set_perm(&drivers, driver);
			any = true;
		} else if (count) {
			memcpy(push_record(c, nlmsg ? XPERM_NLMSG : XPERM_IOCTL_FUNCTION, (uint8_t)driver), perms, sizeof perms);
		}
	}
	if (any)
		*vec_push(&c->xperms) = drivers;
}

uint32_t xrule_records(struct compile *c, const struct ast_xrule *a)
{
	uint32_t first = c->xperms.n;
	struct ebitmap values = {0};

	xrule_values(a, &values);
	make_records(c, &values, !strcmp(name_text(c, a->operation.atom), "nlmsg"));
	ebitmap_free(&values);
	return first;
}

/* ---- rules ---- */

static void add_pair(struct compile *c, struct destination to, uint16_t kind, uint32_t source, uint32_t target,
		     struct class_list classes, uint32_t first, uint32_t end)
{
	for (uint32_t k = 0; k < classes.n; k++)
		for (uint32_t x = first; x < end; x++)
			add_rule(c, to, kind, source, target, classes.at[k], x);
}

static void check_version(struct compile *c, const struct ast_xrule *a, bool conditional)
{
	const struct ir_limits *limits = &c->options->limits;
	uint32_t since = conditional ? limits->cond_xperms : limits->xperms;

	if (!limits->version || limits->version >= since)
		return;
	diag_error(c->diags, "unsupported-feature", a->loc, "version %u has no extended permissions%s", limits->version,
		   conditional ? " in conditionals" : "");
	if (since == UINT32_MAX)
		diag_hint(c->diags, "no version for this target has them");
	else
		diag_hint(c->diags, "version %u is the first with them", since);
}

static void add_xperm_rule(struct compile *c, const struct ast_xrule *a, struct class_list classes,
			   const struct ebitmap *values, bool nlmsg)
{
	struct destination to = destination_of(c, a->place);
	bool self = type_set_self(c, a->targets) & SET_SELF;
	uint32_t first = c->xperms.n, end;
	struct operand sources, targets;

	if (to.dropped)
		return;
	make_records(c, values, nlmsg);
	end = c->xperms.n;
	sources = self ? type_operand(c, a->sources) : rule_operand(c, a->sources);
	targets = self ? type_operand(c, a->targets) : rule_operand(c, a->targets);
	if (end > first && sources.n && (targets.n || self))
		check_version(c, a, to.node != UINT32_MAX);
	for (uint32_t s = 0; s < sources.n; s++) {
		for (uint32_t t = 0; t < targets.n; t++)
			add_pair(c, to, x_kinds[a->kind], sources.at[s], targets.at[t], classes, first, end);
		if (self)
			add_pair(c, to, x_kinds[a->kind], sources.at[s], sources.at[s], classes, first, end);
	}
}

static void add_neverallow_xperm(struct compile *c, const struct ast_xrule *a, struct class_list classes,
				 const uint32_t *masks, struct ebitmap *values, bool nlmsg)
{
	struct neverallow *n = add_neverallow(c, a->loc, a->sources, a->targets, classes, masks);

	n->xperm = true;
	n->nlmsg = nlmsg;
	n->values = *values;
	*values = (struct ebitmap){0};
}

static void lower_xperm_rule(struct compile *c, const struct ast_xrule *a, uint32_t *masks)
{
	struct class_list classes = classes_of(c, a->classes, a->block);
	struct ast_names base = {a->operation.atom, a->operation.begin};
	struct ebitmap values = {0};
	bool nlmsg, good = operation_of(c, a, &nlmsg);

	good &= check_rule_sets(c, a->sources, a->targets, a->block, a->kind == AST_NEVERALLOW);
	for (uint32_t i = 0; i < classes.n && good; i++)
		good &= perms_of(c, base, classes.at[i], a->block, &masks[i]);
	good &= check_values(c, a);
	if (good && c->live[a->block]) {
		xrule_values(a, &values);
		if (a->kind == AST_NEVERALLOW)
			add_neverallow_xperm(c, a, classes, masks, &values, nlmsg);
		else
			add_xperm_rule(c, a, classes, &values, nlmsg);
	}
	ebitmap_free(&values);
}

void lower_xperm_rules(struct compile *c)
{
	uint32_t *masks = arena_alloc(&c->arena, ((size_t)c->symbols[SYM_CLASS].nvalues + 1) * sizeof *masks);

	for (uint32_t i = 0; i < c->ast->xrules.n; i++)
		lower_xperm_rule(c, &c->ast->xrules.at[i], masks);
}
