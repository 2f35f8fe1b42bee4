/* Role and range transitions, role allows (policydb-format.md 8, 10.2). */
#include "backend/read.h"

void read_role_transitions(struct reader *r)
{
	bool with_class = can(r, FEATURE_ROLE_TRANS_CLASS);

	get_list(r, &r->policy->role_trans, with_class ? 16 : 12);
	for (uint32_t i = 0; i < r->policy->role_trans.n; i++) {
		struct policy_role_trans *trans = &r->policy->role_trans.at[i];

		trans->role = get_u32(r);
		trans->type = get_u32(r);
		trans->result = get_u32(r);
		trans->class = with_class ? get_u32(r) : r->process;
	}
}

void read_role_allows(struct reader *r)
{
	get_list(r, &r->policy->role_allows, 8);
	for (uint32_t i = 0; i < r->policy->role_allows.n; i++) {
		r->policy->role_allows.at[i].role = get_u32(r);
		r->policy->role_allows.at[i].result = get_u32(r);
	}
}

void read_range_transitions(struct reader *r)
{
	bool with_class = can(r, FEATURE_RANGE_TRANS_CLASS);

	get_list(r, &r->policy->range_trans, (with_class ? 12 : 8) + RANGE_SIZE);
	for (uint32_t i = 0; i < r->policy->range_trans.n && !r->failed; i++) {
		struct policy_range_trans *trans = &r->policy->range_trans.at[i];

		trans->source = get_u32(r);
		trans->target = get_u32(r);
		trans->class = with_class ? get_u32(r) : r->process;
		get_range(r, &trans->range);
	}
}
