/* Access vector and type rules, and conditionals (policydb-format.md 13.4). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/validate.h"
#include "base/memory.h"
#include "ir/text.h"

/* ---- in words ---- */

struct whereabouts {
	const policy_rules *rules;
	const char *branch; /* of the conditional, or NULL */
	uint32_t cond;      /* from 0 */
};

static void describe_rule(const struct validator *v, char *text)
{
	const struct whereabouts *place = v->of;
	const struct policy_rule *rule = &place->rules->at[v->index];
	char source[NAME_TEXT], target[NAME_TEXT], class[NAME_TEXT], where[NAME_TEXT] = "";

	if (place->branch)
		snprintf(where, sizeof where, "conditional %u, %s branch, ", (unsigned)place->cond + 1, place->branch);
	snprintf(text, OBJECT_TEXT, "%s%s rule %u (%s %s:%s)", where, text_rule_word(rule->kind), (unsigned)v->index + 1,
		 value_name(v, OF_TYPES, rule->source, source), value_name(v, OF_TYPES, rule->target, target),
		 value_name(v, OF_CLASSES, rule->class, class));
}

/* ---- rules ---- */

/* Old compilers set bits of permissions that are not declared: those do not count. */
static void check_permissions(struct validator *v, const struct policy_rule *rule)
{
	uint32_t perms = rule->kind == AV_AUDITDENY ? ~rule->data : rule->data;

	if (!(perms & permission_mask(&v->policy->classes.at[rule->class])))
		invalid(v, "none of the permissions 0x%08x is declared", (unsigned)perms);
}

static void check_xperms(struct validator *v, const struct policy_rule *rule, bool conditional)
{
	uint32_t specified = v->policy->xperms.at[rule->data].specified;

	if (!(v->features->has & FEATURE_XPERMS))
		invalid(v, "version %u has no extended permissions", (unsigned)v->features->version);
	else if (conditional && !(v->features->has & FEATURE_COND_XPERMS))
		invalid(v, "version %u has no extended permissions in conditionals", (unsigned)v->features->version);
	if (specified < XPERM_IOCTL_FUNCTION || specified > XPERM_NLMSG)
		invalid(v, "extended permissions of the kind %u", (unsigned)specified);
}

static void check_rule(struct validator *v, const struct policy_rule *rule, bool conditional)
{
	bool class = check_value(v, OF_CLASSES, rule->class, "class");

	if (rule->kind & AV_TE) {
		check_type(v, rule->source, "source type");
		check_type(v, rule->target, "target type");
		check_type(v, rule->data, "result type");
		return;
	}
	check_value(v, OF_TYPES, rule->source, "source type");
	check_value(v, OF_TYPES, rule->target, "target type");
	if (rule->kind & AV_X)
		check_xperms(v, rule, conditional);
	else if (class)
		check_permissions(v, rule);
}

static void check_rules(struct validator *v, const struct whereabouts *place)
{
	v->of = place;
	v->describe = describe_rule;
	for (uint32_t i = 0; i < place->rules->n; i++) {
		v->index = i;
		check_rule(v, &place->rules->at[i], place->branch != NULL);
	}
}

void validate_rules(struct validator *v)
{
	v->check = "invalid-rule";
	check_rules(v, &(struct whereabouts){.rules = &v->policy->rules});
}

/* ---- expressions of conditionals ---- */

void check_condition(struct validator *v, const struct policy_cond_expr *expr, uint32_t n)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct policy_cond_expr *e = &expr[i];
		uint32_t takes = e->kind == COND_BOOL ? 0 : e->kind == COND_NOT ? 1 : 2;

		if (e->kind < COND_BOOL || e->kind > COND_NEQ) {
			invalid(v, "an expression of the kind %u", (unsigned)e->kind);
			return;
		}
		if (e->kind == COND_BOOL)
			check_value(v, OF_BOOLS, e->boolean, "boolean");
		else if (e->boolean)
			invalid(v, "an operator with the boolean %u", (unsigned)e->boolean);
		if (takes > depth) {
			invalid(v, "an operator without operands");
			return;
		}
		depth = depth - takes + 1;
		if (depth > COND_MAX_DEPTH) {
			invalid(v, "an expression more than %d deep", COND_MAX_DEPTH);
			return;
		}
	}
	if (depth != 1)
		invalid(v, "%s", depth ? "an expression of several values" : "no expression");
}

/* ---- type rules: a key in one conditional, or outside of all ---- */

struct claim {
	struct whereabouts place;
	uint32_t index; /* of the rule */
};

static const struct policy_rule *claimed(const struct claim *claim)
{
	return &claim->place.rules->at[claim->index];
}

static int compare_keys(const struct policy_rule *a, const struct policy_rule *b)
{
	int order = compare_u32(a->class, b->class);

	if (!order)
		order = compare_u32(a->source, b->source);
	if (!order)
		order = compare_u32(a->target, b->target);
	return order ? order : compare_u32(a->kind, b->kind);
}

static int compare_claims(const void *a, const void *b)
{
	const struct claim *left = a, *right = b;
	int order = compare_keys(claimed(left), claimed(right));

	return order ? order : compare_u32(left->place.cond, right->place.cond);
}

static bool is_unconditional(const policy_rules *rules, const struct policy_rule *rule)
{
	uint32_t low = 0, high = rules->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = compare_keys(&rules->at[middle], rule);

		if (!order)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static uint32_t add_claims(struct claim *claims, const policy_rules *rules, const char *branch, uint32_t cond)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rules->n; i++) {
		if (!(rules->at[i].kind & AV_TE))
			continue;
		if (claims)
			claims[n] = (struct claim){{rules, branch, cond}, i};
		n++;
	}
	return n;
}

static uint32_t list_claims(const struct policy *policy, struct claim *claims)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < policy->conds.n; i++) {
		n += add_claims(claims ? claims + n : NULL, &policy->conds.at[i].yes, "true", i);
		n += add_claims(claims ? claims + n : NULL, &policy->conds.at[i].no, "false", i);
	}
	return n;
}

static void check_claims(struct validator *v)
{
	uint32_t n = list_claims(v->policy, NULL);
	struct claim *claims = mem_alloc(n * sizeof *claims);

	list_claims(v->policy, claims);
	if (n)
		qsort(claims, n, sizeof *claims, compare_claims);
	for (uint32_t i = 0; i < n; i++) {
		const struct claim *claim = &claims[i], *last = i ? claim - 1 : claim;

		v->of = &claim->place;
		v->index = claim->index;
		v->describe = describe_rule;
		if (claim->place.cond != last->place.cond && !compare_keys(claimed(claim), claimed(last)))
			invalid(v, "conditional %u has a rule for the same", (unsigned)last->place.cond + 1);
		if (is_unconditional(&v->policy->rules, claimed(claim)))
			invalid(v, "there is a rule for the same outside of conditionals");
	}
	free(claims);
}

void validate_conditionals(struct validator *v)
{
	v->check = "invalid-rule";
	for (uint32_t i = 0; i < v->policy->conds.n; i++) {
		const struct policy_cond *cond = &v->policy->conds.at[i];

		about(v, "conditional", NULL, i);
		check_condition(v, cond->expr, cond->nexpr);
		check_rules(v, &(struct whereabouts){&cond->yes, "true", i});
		check_rules(v, &(struct whereabouts){&cond->no, "false", i});
	}
	check_claims(v);
}
