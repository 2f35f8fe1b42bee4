#include "ir/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct policy *policy_new(void)
{
	return mem_zalloc(1, sizeof(struct policy));
}

/* ---- freeing: the arena goes as a whole, the words of sets one by one ---- */

void policy_range_free(struct policy_range *range)
{
	ebitmap_free(&range->low.cats);
	ebitmap_free(&range->high.cats);
}

void policy_context_free(struct policy_context *context)
{
	policy_range_free(&context->range);
}

static void free_constraint(struct policy_constraint *constraint)
{
	for (uint32_t i = 0; i < constraint->nexpr; i++) {
		ebitmap_free(&constraint->expr[i].names);
		ebitmap_free(&constraint->expr[i].type_set);
		ebitmap_free(&constraint->expr[i].type_negset);
	}
}

static void free_class(struct policy_class *class)
{
	for (uint32_t i = 0; i < class->constraints.n; i++)
		free_constraint(&class->constraints.at[i]);
	for (uint32_t i = 0; i < class->validatetrans.n; i++)
		free_constraint(&class->validatetrans.at[i]);
}

static void free_symbols(struct policy *policy)
{
	for (uint32_t v = 1; v <= policy->classes.n; v++)
		free_class(&policy->classes.at[v]);
	for (uint32_t v = 1; v <= policy->roles.n; v++) {
		ebitmap_free(&policy->roles.at[v].dominates);
		ebitmap_free(&policy->roles.at[v].types);
	}
	for (uint32_t v = 1; v <= policy->types.n; v++)
		ebitmap_free(&policy->types.at[v].types);
	for (uint32_t v = 1; v <= policy->users.n; v++) {
		ebitmap_free(&policy->users.at[v].roles);
		policy_range_free(&policy->users.at[v].range);
		ebitmap_free(&policy->users.at[v].level.cats);
	}
	for (uint32_t v = 1; v <= policy->sens.n; v++)
		ebitmap_free(&policy->sens.at[v].cats);
}

#define FREE_CONTEXTS(list) \
	do { \
		for (uint32_t i = 0; i < (list).n; i++) \
			policy_context_free(&(list).at[i].context); \
	} while (0)

static void free_labels(struct policy *policy)
{
	FREE_CONTEXTS(policy->sids);
	FREE_CONTEXTS(policy->fs_uses);
	FREE_CONTEXTS(policy->ports);
	FREE_CONTEXTS(policy->nodes);
	FREE_CONTEXTS(policy->nodes6);
	FREE_CONTEXTS(policy->ibpkeys);
	FREE_CONTEXTS(policy->ibendports);
	FREE_CONTEXTS(policy->genfs);
	FREE_CONTEXTS(policy->pirqs);
	FREE_CONTEXTS(policy->ioports);
	FREE_CONTEXTS(policy->iomems);
	FREE_CONTEXTS(policy->pcidevices);
	FREE_CONTEXTS(policy->devicetrees);
	for (uint32_t i = 0; i < policy->netifs.n; i++) {
		policy_context_free(&policy->netifs.at[i].interface);
		policy_context_free(&policy->netifs.at[i].packet);
	}
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	ebitmap_free(&policy->capabilities);
	free_symbols(policy);
	for (uint32_t i = 0; i < policy->filename_trans.n; i++)
		ebitmap_free(&policy->filename_trans.at[i].sources);
	for (uint32_t i = 0; i < policy->range_trans.n; i++)
		policy_range_free(&policy->range_trans.at[i].range);
	free_labels(policy);
	arena_free(&policy->arena);
	free(policy);
}

/* ---- types ---- */

static const struct policy_type *type_at(const struct policy *policy, uint32_t type)
{
	return type && type <= policy->types.n ? &policy->types.at[type] : NULL;
}

void policy_types_of(const struct policy *policy, uint32_t type, struct ebitmap *ret_types)
{
	const struct policy_type *t = type_at(policy, type);

	if (t && t->kind == POLICY_ATTRIBUTE)
		ebitmap_or(ret_types, &t->types);
	else if (t && t->kind == POLICY_TYPE)
		ebitmap_set(ret_types, type - 1);
}

bool policy_type_matches(const struct policy *policy, uint32_t type, uint32_t rule_type)
{
	const struct policy_type *t = type_at(policy, rule_type);

	if (!type || !t)
		return false;
	return type == rule_type || (t->kind == POLICY_ATTRIBUTE && ebitmap_test(&t->types, type - 1));
}

/* ---- levels ---- */

void policy_level_copy(struct policy_level *to, const struct policy_level *from)
{
	to->sens = from->sens;
	ebitmap_copy(&to->cats, &from->cats);
}

bool policy_level_equal(const struct policy_level *a, const struct policy_level *b)
{
	return a->sens == b->sens && ebitmap_equal(&a->cats, &b->cats);
}

bool policy_level_dominates(const struct policy_level *a, const struct policy_level *b)
{
	return a->sens >= b->sens && ebitmap_subset(&b->cats, &a->cats);
}

void policy_range_copy(struct policy_range *to, const struct policy_range *from)
{
	policy_level_copy(&to->low, &from->low);
	policy_level_copy(&to->high, &from->high);
}

bool policy_range_equal(const struct policy_range *a, const struct policy_range *b)
{
	return policy_level_equal(&a->low, &b->low) && policy_level_equal(&a->high, &b->high);
}

/* ---- conditionals ---- */

static bool apply(uint32_t kind, bool a, bool b)
{
	switch (kind) {
	case COND_OR:
		return a || b;
	case COND_AND:
		return a && b;
	case COND_EQ:
		return a == b;
	default: /* COND_XOR, COND_NEQ */
		return a != b;
	}
}

/* An expression that is none is false; the checks of a policy refuse it. */
bool policy_cond_state(const struct policy *policy, const struct policy_cond *cond)
{
	bool stack[COND_MAX_DEPTH];
	uint32_t depth = 0;

	for (uint32_t i = 0; i < cond->nexpr; i++) {
		const struct policy_cond_expr *e = &cond->expr[i];

		if (e->kind == COND_BOOL) {
			if (depth == COND_MAX_DEPTH || !e->boolean || e->boolean > policy->bools.n)
				return false;
			stack[depth++] = policy->bools.at[e->boolean].state;
		} else if (e->kind == COND_NOT) {
			if (!depth)
				return false;
			stack[depth - 1] = !stack[depth - 1];
		} else {
			if (depth < 2 || e->kind < COND_OR || e->kind > COND_NEQ)
				return false;
			depth--;
			stack[depth - 1] = apply(e->kind, stack[depth - 1], stack[depth]);
		}
	}
	return depth == 1 && stack[0];
}

/* Gaps have no name. */
#define FIND(symbols, wanted) \
	for (uint32_t v = 1; v <= (symbols).n; v++) \
		if ((symbols).at[v].name && !strcmp((symbols).at[v].name, (wanted))) \
			return v

uint32_t policy_find_class(const struct policy *policy, const char *name)
{
	FIND(policy->classes, name);
	return 0;
}

uint32_t policy_find_type(const struct policy *policy, const char *name)
{
	FIND(policy->types, name);
	for (uint32_t i = 0; i < policy->type_aliases.n; i++)
		if (!strcmp(policy->type_aliases.at[i].name, name))
			return policy->type_aliases.at[i].value;
	return 0;
}

uint32_t policy_find_role(const struct policy *policy, const char *name)
{
	FIND(policy->roles, name);
	return 0;
}

uint32_t policy_find_bool(const struct policy *policy, const char *name)
{
	FIND(policy->bools, name);
	return 0;
}

uint32_t policy_find_perm(const struct policy_class *class, const char *name)
{
	for (uint32_t i = 0; i < class->nperms; i++)
		if (class->perms[i] && !strcmp(class->perms[i], name))
			return UINT32_C(1) << i;
	return 0;
}

uint32_t policy_process_class(const struct policy *policy)
{
	return policy_find_class(policy, policy->target == POLICY_XEN ? "domain" : "process");
}
