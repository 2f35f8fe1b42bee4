#include "validator/label_contexts.h"

#include <string.h>

#include "security/level.h"
#include "validator/label_kind.h"

void label_contexts_init(struct label_contexts *contexts, uint32_t npolicies)
{
	*contexts = (struct label_contexts){.npolicies = npolicies};
	atoms_init(&contexts->texts);
	*vec_push(&contexts->right) = false; /* of no text */
	for (uint32_t i = 0; i < npolicies; i++)
		*vec_push(&contexts->at) = (struct policy_context){0};
}

void label_contexts_free(struct label_contexts *contexts)
{
	for (uint32_t i = 0; i < contexts->at.n; i++)
		policy_context_free(&contexts->at.at[i]);
	vec_free(&contexts->at);
	vec_free(&contexts->right);
	policy_context_free(&contexts->scratch);
	policy_range_free(&contexts->range);
	ebitmap_free(&contexts->level.cats);
	atoms_free(&contexts->texts);
}

static void report(struct label_run *run, uint32_t policy, struct span text)
{
	run->diags->under = run->policies[policy].name;
	context_faults_report(run->policies[policy].security, &run->contexts->faults, text.loc, run->diags);
	run->diags->under = NULL;
}

/* Judges a text under all policies; context is NULL when only the findings are
 * wanted. */
static bool judge(struct label_run *run, struct span text, struct policy_context *context)
{
	struct label_contexts *c = run->contexts;
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		struct policy_context *read = context ? &context[i] : &c->scratch;

		right &= context_parse(run->policies[i].security, text.text, text.len, read, &c->faults);
		report(run, i, text);
	}
	return right;
}

static void add_context(struct label_run *run, struct span text)
{
	struct label_contexts *c = run->contexts;
	uint32_t first = c->at.n;

	for (uint32_t i = 0; i < run->npolicies; i++)
		*vec_push(&c->at) = (struct policy_context){0};
	*vec_push(&c->right) = false;
	c->right.at[c->right.n - 1] = judge(run, text, &c->at.at[first]);
}

/* Doubts are told at the first use of a text, faults at each. */
uint32_t label_context(struct label_run *run, struct span text)
{
	struct label_contexts *c = run->contexts;
	uint32_t n = c->texts.n, context = atom_intern(&c->texts, text.text, text.len);

	if (context == n)
		add_context(run, text);
	else if (!c->right.at[context])
		judge(run, text, NULL);
	return c->right.at[context] ? context : 0;
}

const struct policy_context *label_context_at(const struct label_run *run, uint32_t context, uint32_t policy)
{
	return &run->contexts->at.at[context * run->npolicies + policy];
}

static uint32_t find_attribute(const struct security *security, const char *name, size_t len)
{
	uint32_t value = security_find(security, SECURITY_TYPE, name, len);

	return value && security_policy(security)->types.at[value].kind == POLICY_ATTRIBUTE ? value : 0;
}

/* The type has one of the attributes, or the policy has none of them. */
static bool has_attribute(const struct security *security, uint32_t type, const char *attributes)
{
	bool known = false;

	for (const char *name = attributes; *name;) {
		size_t len = strcspn(name, " ");
		uint32_t attribute = find_attribute(security, name, len);

		if (attribute && policy_type_matches(security_policy(security), type, attribute))
			return true;
		known |= attribute != 0;
		name += len + (name[len] == ' ');
	}
	return !known;
}

bool label_attribute_known(const struct label_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->npolicies; i++)
		if (!find_attribute(run->policies[i].security, name, strlen(name)))
			return false;
	return true;
}

static bool require_attribute(struct label_run *run, uint32_t policy, uint32_t type, struct span text,
			      const char *attributes, const char *check)
{
	const struct security *security = run->policies[policy].security;

	if (has_attribute(security, type, attributes))
		return true;
	run->diags->under = run->policies[policy].name;
	diag_error(run->diags, check, text.loc, "the type `%s` has %s `%s`",
		   security_policy(security)->types.at[type].name,
		   strchr(attributes, ' ') ? "none of the attributes" : "no attribute", attributes);
	run->diags->under = NULL;
	return false;
}

bool label_context_attribute(struct label_run *run, uint32_t context, struct span text, const char *attributes,
			     const char *check)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++)
		right &= require_attribute(run, i, label_context_at(run, context, i)->type, text, attributes, check);
	return right;
}

bool label_type_attribute(struct label_run *run, struct span type, const char *attributes, const char *check)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		uint32_t value = security_find(run->policies[i].security, SECURITY_TYPE, type.text, type.len);

		right &= require_attribute(run, i, value, type, attributes, check);
	}
	return right;
}

uint32_t label_context_count(const struct label_run *run)
{
	return run->contexts->texts.n;
}

/* A fault that is found outside of a context, in the words of contexts. */
static void report_fault(struct label_run *run, uint32_t policy, struct span text, enum context_fault_kind kind, uint32_t a,
			 uint32_t b)
{
	struct context_faults *faults = &run->contexts->faults;

	*faults = (struct context_faults){
		.n = 1, .text = text.text, .len = text.len,
		.low = &run->contexts->range.low, .high = &run->contexts->range.high,
	};
	faults->at[0] = (struct context_fault){.kind = kind, .end = text.len, .a = a, .b = b};
	report(run, policy, text);
}

static uint32_t find(const struct label_run *run, uint32_t policy, enum security_kind kind, struct span name)
{
	return security_find(run->policies[policy].security, kind, name.text, name.len);
}

bool label_name(struct label_run *run, enum security_kind kind, struct span text)
{
	static const enum context_fault_kind unknown[SECURITY_KINDS] = {
		[SECURITY_USER] = FAULT_USER_UNKNOWN, [SECURITY_ROLE] = FAULT_ROLE_UNKNOWN,
		[SECURITY_TYPE] = FAULT_TYPE_UNKNOWN, [SECURITY_SENS] = FAULT_SENS_UNKNOWN,
		[SECURITY_CAT] = FAULT_CAT_UNKNOWN,
	};
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		const struct policy *policy = security_policy(run->policies[i].security);
		uint32_t value = find(run, i, kind, text);
		bool attribute = kind == SECURITY_TYPE && value && policy->types.at[value].kind == POLICY_ATTRIBUTE;

		if (value && !attribute)
			continue;
		report_fault(run, i, text, attribute ? FAULT_TYPE_ATTRIBUTE : unknown[kind], value, 0);
		right = false;
	}
	return right;
}

bool label_role_type(struct label_run *run, struct span role, struct span type)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		const struct policy *policy = security_policy(run->policies[i].security);
		uint32_t a = find(run, i, SECURITY_ROLE, role), b = find(run, i, SECURITY_TYPE, type);

		if (ebitmap_test(&policy->roles.at[a].types, b - 1))
			continue;
		report_fault(run, i, type, FAULT_TYPE_OF_ROLE, a, b);
		right = false;
	}
	return right;
}

bool label_user_range(struct label_run *run, struct span user, struct span range)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		const struct policy *policy = security_policy(run->policies[i].security);
		uint32_t value = find(run, i, SECURITY_USER, user);
		struct policy_range *read = &run->contexts->range;

		if (!range_parse(run->policies[i].security, range.text, range.len, read, &run->contexts->faults)) {
			report(run, i, range);
			right = false;
			continue;
		}
		report(run, i, range);
		if (range_contains(&policy->users.at[value].range, read))
			continue;
		report_fault(run, i, range, FAULT_RANGE_OF_USER, value, 0);
		right = false;
	}
	return right;
}

bool label_range(struct label_run *run, struct span text)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		right &= range_parse(run->policies[i].security, text.text, text.len, &run->contexts->range,
				     &run->contexts->faults);
		report(run, i, text);
	}
	return right;
}

bool label_level(struct label_run *run, struct span text)
{
	bool right = true;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		right &= level_parse(run->policies[i].security, text.text, text.len, &run->contexts->level,
				     &run->contexts->faults);
		report(run, i, text);
	}
	return right;
}
