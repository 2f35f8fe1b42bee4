/* Security contexts as statements write them (language.md 10.1).
 *
 * Validity counts direct associations only: `role R types` and `user U roles`
 * of the global block, not what comes through a role attribute or an optional
 * block. */
#include "ir/internal.h"

enum { OBJECT_R = 1 };

static struct loc loc_of(const struct compile *c, struct ast_name name)
{
	return ast_name_loc(c->atoms, name);
}

static const char *name_of(const struct compile *c, struct ast_name name)
{
	return name_text(c, name.atom);
}

/* A user, role or type; NULL with an error. */
static const struct symbol *part_of(struct compile *c, enum symbol_kind kind, struct ast_name name)
{
	const struct symbol *s = symbol_use(c, kind, name, AST_GLOBAL);

	if (!s || !s->live)
		return NULL;
	if (s->flavour != FLAVOUR_ATTRIBUTE)
		return s;
	diag_error(c->diags, "invalid-context", loc_of(c, name), "`%s` is %s, and a context needs a %s", name_of(c, name),
		   kind == SYM_ROLE ? "a role attribute" : "an attribute", kind == SYM_ROLE ? "role" : "type");
	return NULL;
}

static bool check_role_of_user(struct compile *c, const struct ast_context *a, const struct symbol *user,
			       const struct symbol *role)
{
	if (ebitmap_test(&c->users[user->value].direct_roles, role->value - 1))
		return true;
	diag_error(c->diags, "invalid-context", loc_of(c, a->role), "user `%s` does not have role `%s`",
		   name_of(c, a->user), name_of(c, a->role));
	if (ebitmap_test(&c->policy->users.at[user->value].roles, role->value - 1))
		diag_hint(c->diags, "the role comes through a role attribute or an optional block, which does not count here");
	return false;
}

static bool check_type_of_role(struct compile *c, const struct ast_context *a, const struct symbol *role,
			       const struct symbol *type)
{
	bool direct = ebitmap_test(&c->roles[role->value].direct_types, type->value - 1);
	bool in_policy = ebitmap_test(&c->policy->roles.at[role->value].types, type->value - 1);

	if (direct && in_policy)
		return true;
	diag_error(c->diags, "invalid-context", loc_of(c, a->type), "role `%s` does not have type `%s`",
		   name_of(c, a->role), name_of(c, a->type));
	if (direct)
		diag_hint(c->diags, "an optional block puts the type into an attribute that is subtracted from the role's types");
	else if (in_policy)
		diag_hint(c->diags, "the type comes through a role attribute or an optional block, which does not count here");
	return false;
}

static bool check_range_of_user(struct compile *c, const struct ast_context *a, const struct symbol *user,
				const struct policy_range *range)
{
	const struct policy_range *allowed = &c->policy->users.at[user->value].range;

	if (!allowed->low.sens)
		return false; /* the range of the user is wrong, which has been reported */
	if (policy_level_dominates(&range->low, &allowed->low) && policy_level_dominates(&allowed->high, &range->high))
		return true;
	diag_error(c->diags, "invalid-context", a->range.loc, "range `%s` is not within that of user `%s`, which is `%s`",
		   mls_range_text(c, range), name_of(c, a->user), mls_range_text(c, allowed));
	return false;
}

/* The range, which must be there with -M, and not without. */
static bool range_of(struct compile *c, const struct ast_context *a, struct policy_range *ret_range)
{
	if (a->has_range)
		return mls_range(c, &a->range, AST_GLOBAL, ret_range);
	if (!c->options->mls)
		return true;
	diag_error(c->diags, "level-missing", a->loc, "the context has no level, which a policy with MLS needs");
	return false;
}

bool context_of(struct compile *c, const struct ast_context *ast, struct policy_context *ret_context)
{
	const struct symbol *user = part_of(c, SYM_USER, ast->user);
	const struct symbol *role = part_of(c, SYM_ROLE, ast->role);
	const struct symbol *type = part_of(c, SYM_TYPE, ast->type);
	struct policy_context context = {0};
	bool ranged = range_of(c, ast, &context.range);
	bool good = user && role && type && ranged;

	if (role && role->value != OBJECT_R) {
		if (user)
			good &= check_role_of_user(c, ast, user, role);
		if (type)
			good &= check_type_of_role(c, ast, role, type);
		if (user && ranged && c->options->mls)
			good &= check_range_of_user(c, ast, user, &context.range);
	}
	if (!good) {
		policy_range_free(&context.range);
		return false;
	}
	context.user = user->value;
	context.role = role->value;
	context.type = type->value;
	*ret_context = context;
	return true;
}
