#include "validator/relabel.h"

#include <string.h>

#include "validator/constraint_possible.h"

static const char *const class_names[RELABEL_CLASSES] = {
	"file", "dir", "lnk_file", "chr_file", "blk_file", "sock_file", "fifo_file",
};

/* ---- the rules ---- */

static void find_classes(struct relabel *r)
{
	for (uint32_t value = 1; value <= r->policy->classes.n; value++) {
		const struct policy_class *class = &r->policy->classes.at[value];

		for (uint32_t i = 0; class->name && i < RELABEL_CLASSES; i++) {
			if (strcmp(class->name, class_names[i]) != 0)
				continue;
			r->masks[i] = policy_find_perm(class, "relabelto");
			r->classes[i] = r->masks[i] ? value : 0;
		}
	}
}

static void add_rules(struct relabel *r, const policy_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct policy_rule *rule = &rules->at[i];

		if (rule->kind != AV_ALLOWED)
			continue;
		for (uint32_t c = 0; c < RELABEL_CLASSES; c++)
			if (rule->class == r->classes[c] && rule->data & r->masks[c])
				*vec_push(&r->rules[c]) = rule;
	}
}

void relabel_init(struct relabel *r, const struct policy *policy)
{
	*r = (struct relabel){.policy = policy};
	find_classes(r);
	add_rules(r, &policy->rules);
	for (uint32_t i = 0; i < policy->conds.n; i++) {
		add_rules(r, &policy->conds.at[i].yes);
		add_rules(r, &policy->conds.at[i].no);
	}
}

void relabel_free(struct relabel *r)
{
	for (uint32_t i = 0; i < RELABEL_CLASSES; i++)
		vec_free(&r->rules[i]);
}

/* ---- constraints on relabelto ---- */

/* The first constraint that no process of the type can meet, of any type when
 * it is 0; NULL when there is none. */
static const struct policy_constraint *refusing(const struct relabel *r, enum relabel_class class,
						const struct policy_context *label, uint32_t type)
{
	const struct policy_class *c = &r->policy->classes.at[r->classes[class]];
	const struct policy_context process = {.type = type};
	const struct partial_context source = {&process, type ? KNOWN_TYPE : 0};
	const struct partial_context target = {label, KNOWN_ALL};

	for (uint32_t i = 0; i < c->constraints.n; i++) {
		const struct policy_constraint *constraint = &c->constraints.at[i];

		if (constraint->perms & r->masks[class] &&
		    !constraint_possible(r->policy, constraint, &source, &target, NULL))
			return constraint;
	}
	return NULL;
}

typedef bool type_passes(void *data, uint32_t type);

/* Whether some type that rules allow to relabel to the label's type passes;
 * *ret_any: whether there is a type at all. */
static bool some_relabeler(const struct relabel *r, enum relabel_class class, uint32_t label_type, type_passes *passes,
			   void *data, bool *ret_any)
{
	bool found = false;

	*ret_any = false;
	for (uint32_t i = 0; i < r->rules[class].n && !found; i++) {
		const struct policy_rule *rule = r->rules[class].at[i];
		struct ebitmap types = {0};

		if (!policy_type_matches(r->policy, label_type, rule->target))
			continue;
		policy_types_of(r->policy, rule->source, &types);
		ebitmap_for_each(&types, bit) {
			*ret_any = true;
			found = passes(data, bit + 1);
			if (found)
				break;
		}
		ebitmap_free(&types);
	}
	return found;
}

struct label_question {
	const struct relabel *relabel;
	enum relabel_class class;
	const struct policy_context *label;
	const struct policy_constraint *refusing; /* of the type asked last */
};

static bool passes_constraints(void *data, uint32_t type)
{
	struct label_question *q = data;

	q->refusing = refusing(q->relabel, q->class, q->label, type);
	return !q->refusing;
}

/* ---- levels of new files ---- */

struct change_question {
	const struct policy *policy;
	const struct policy_constraint *rule; /* of validatetrans */
	const struct policy_context *old, *label;
};

/* The rule can hold when a process of the type changes the label. */
static bool passes_change(void *data, uint32_t type)
{
	const struct change_question *q = data;
	const struct policy_context process = {.type = type};
	const struct partial_context source = {q->old, KNOWN_ALL}, target = {q->label, KNOWN_ALL};
	const struct partial_context third = {&process, KNOWN_TYPE};

	return constraint_possible(q->policy, q->rule, &source, &target, &third);
}

static void find_exempt(struct change_question *q, struct ebitmap *ret_types)
{
	for (uint32_t type = 1; type <= q->policy->types.n; type++)
		if (q->policy->types.at[type].kind == POLICY_TYPE && passes_change(q, type))
			ebitmap_set(ret_types, type - 1);
}

/* A validatetrans that nobody who may relabel can meet when the level of a new
 * file is to become that of the label. */
static bool keeps_level(const struct relabel *r, enum relabel_class class, const struct policy_context *label,
			const struct policy_range_trans *created, struct relabel_reason *ret_reason)
{
	const struct policy_class *c = &r->policy->classes.at[r->classes[class]];
	struct policy_context old = *label;
	bool any;

	old.range = created->range;
	for (uint32_t i = 0; i < c->validatetrans.n; i++) {
		struct change_question q = {r->policy, &c->validatetrans.at[i], &old, label};

		if (some_relabeler(r, class, label->type, passes_change, &q, &any) || !any)
			continue;
		if (ret_reason) {
			ret_reason->constraint = q.rule;
			ret_reason->created = created;
			find_exempt(&q, &ret_reason->exempt);
		}
		return true;
	}
	return false;
}

/* New files take their type from the directory, unless a rule says otherwise:
 * only transitions for the directory's own type tell the level of its files. */
static bool is_created_elsewhere(const struct relabel *r, enum relabel_class class, const struct policy_context *label,
				 struct relabel_reason *ret_reason)
{
	for (uint32_t i = 0; i < r->policy->range_trans.n; i++) {
		const struct policy_range_trans *t = &r->policy->range_trans.at[i];

		if (t->class != r->classes[class] || !policy_type_matches(r->policy, label->type, t->target))
			continue;
		if (!policy_range_equal(&t->range, &label->range) && keeps_level(r, class, label, t, ret_reason))
			return true;
	}
	return false;
}

/* ---- all of it ---- */

enum relabel_obstacle relabel_obstacle(const struct relabel *r, enum relabel_class class,
				       const struct policy_context *label, struct relabel_reason *ret_reason)
{
	struct label_question q = {r, class, label, NULL};
	struct relabel_reason none = {0}, *reason = ret_reason ? ret_reason : &none;
	bool any;

	if (!r->classes[class])
		return RELABEL_POSSIBLE;
	reason->constraint = refusing(r, class, label, 0);
	if (reason->constraint)
		return RELABEL_FORBIDDEN;
	if (!some_relabeler(r, class, label->type, passes_constraints, &q, &any) && any) {
		reason->constraint = q.refusing;
		return RELABEL_NOBODY;
	}
	return is_created_elsewhere(r, class, label, ret_reason) ? RELABEL_CREATED : RELABEL_POSSIBLE;
}
