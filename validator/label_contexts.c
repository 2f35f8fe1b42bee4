#include "validator/label_contexts.h"

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

uint32_t label_context_count(const struct label_run *run)
{
	return run->contexts->texts.n;
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
