/* Role, filename and range transitions, role allows (policydb-format.md 8, 10.2). */
#include <string.h>

#include "backend/write.h"

void write_role_transitions(struct writer *w)
{
	const struct policy *policy = w->policy;
	bool with_class = has(w, FEATURE_ROLE_TRANS_CLASS);
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < policy->role_trans.n; i++) {
		const struct policy_role_trans *trans = &policy->role_trans.at[i];

		if (!with_class && trans->class != w->process)
			continue;
		n++;
		put_u32(w, trans->role);
		put_u32(w, trans->type);
		put_u32(w, trans->result);
		if (with_class)
			put_u32(w, trans->class);
	}
	list_end(w, list, n);
}

void write_role_allows(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->role_allows.n);
	for (uint32_t i = 0; i < policy->role_allows.n; i++) {
		put_u32(w, policy->role_allows.at[i].role);
		put_u32(w, policy->role_allows.at[i].result);
	}
}

/* ---- filename transitions ---- */

static bool same_key(const struct policy_filename_trans *a, const struct policy_filename_trans *b)
{
	return a->target == b->target && a->class == b->class &&
	       (a->name == b->name || strcmp(a->name, b->name) == 0);
}

/* The results of one key, from record i on; returns the record behind them. */
static uint32_t write_results(struct writer *w, uint32_t i)
{
	const struct policy_filename_trans *trans = w->policy->filename_trans.at, *key = &trans[i];
	size_t list, n = 0;

	put_string(w, key->name);
	put_u32(w, key->target);
	put_u32(w, key->class);
	list = list_begin(w);
	for (; i < w->policy->filename_trans.n && same_key(&trans[i], key); i++) {
		if (ebitmap_empty(&trans[i].sources))
			continue;
		put_ebitmap(w, &trans[i].sources);
		put_u32(w, trans[i].result);
		n++;
	}
	list_end(w, list, n);
	return i;
}

static void write_compressed(struct writer *w)
{
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < w->policy->filename_trans.n;) {
		if (ebitmap_empty(&w->policy->filename_trans.at[i].sources)) {
			i++;
			continue;
		}
		i = write_results(w, i);
		n++;
	}
	list_end(w, list, n);
}

static void write_by_source(struct writer *w)
{
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < w->policy->filename_trans.n && !w->failed; i++) {
		const struct policy_filename_trans *trans = &w->policy->filename_trans.at[i];

		ebitmap_for_each(&trans->sources, bit) {
			put_string(w, trans->name);
			put_u32(w, bit + 1);
			put_u32(w, trans->target);
			put_u32(w, trans->class);
			put_u32(w, trans->result);
			n++;
		}
		check_size(w);
	}
	list_end(w, list, n);
}

void write_filename_transitions(struct writer *w)
{
	if (has(w, FEATURE_COMPRESSED_FILENAME_TRANS))
		write_compressed(w);
	else
		write_by_source(w);
}

void write_range_transitions(struct writer *w)
{
	const struct policy *policy = w->policy;
	bool with_class = has(w, FEATURE_RANGE_TRANS_CLASS);
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < policy->range_trans.n; i++) {
		const struct policy_range_trans *trans = &policy->range_trans.at[i];

		if (!with_class && trans->class != w->process)
			continue;
		n++;
		put_u32(w, trans->source);
		put_u32(w, trans->target);
		if (with_class)
			put_u32(w, trans->class);
		put_range(w, &trans->range);
	}
	list_end(w, list, n);
}
