/* policy_write_cil: CIL that secilc makes the same policy of.
 *
 * The form is that of checkpolicy -C on a binary policy.  Names with dots are
 * names in blocks to CIL: a policy that has any needs secilc -Q. */
#include "backend/text.h"
#include "backend/text_out.h"

static void put_capability(struct text_out *t, const char *name)
{
	text_printf(t->out, "(policycap %s)\n", name);
}

void cil_put_capabilities(struct text_out *t)
{
	each_capability(t, put_capability);
}

void cil_put_head(struct text_out *t)
{
	text_printf(t->out, "(handleunknown %s)\n", text_unknown(t->policy->handle_unknown));
	cil_put_classes(t);
	cil_put_sids(t);
	cil_put_defaults(t);
	cil_put_mls(t);
	say_constraints(t, true);
}

static void put_statements(struct text_out *t)
{
	cil_put_head(t);
	cil_put_capabilities(t);
	cil_put_types(t);
	say_rules(t);
	say_filename_transitions(t);
	say_range_transitions(t);
	say_conditionals(t);
	cil_put_roles(t);
	say_role_transitions(t);
	say_role_allows(t);
	cil_put_users(t);
	say_constraints(t, false);
	say_labels(t);
}

bool policy_write_cil(const struct policy *policy, struct buffer *out, struct diags *diags)
{
	struct text_out t;
	bool good;

	text_out_init(&t, policy, TEXT_CIL, out, diags);
	if (cil_check_names(&t)) {
		name_empty_sets(&t);
		put_statements(&t);
	}
	good = !t.failed;
	text_out_free(&t);
	return good;
}
