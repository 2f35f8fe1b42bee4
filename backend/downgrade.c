/* What a policy has and the version asked for has not: the table of
 * policydb-format.md 12.  The writer drops silently what is not listed here. */
#include "backend/write.h"

static uint32_t count_mls(const struct writer *w)
{
	return w->policy->mls;
}

static uint32_t count_xperm_rules(const policy_rules *rules)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rules->n; i++)
		n += (rules->at[i].kind & AV_X) != 0;
	return n;
}

static uint32_t count_cond_xperms(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->policy->conds.n; i++)
		n += count_xperm_rules(&w->policy->conds.at[i].yes) + count_xperm_rules(&w->policy->conds.at[i].no);
	return n;
}

static uint32_t count_xperms(const struct writer *w)
{
	return count_xperm_rules(&w->policy->rules) + count_cond_xperms(w);
}

static uint32_t count_wide_iomem(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->policy->iomems.n; i++)
		n += w->policy->iomems.at[i].high > UINT32_MAX;
	return n;
}

static uint32_t count_bools(const struct writer *w)
{
	return w->policy->bools.n + w->policy->conds.n;
}

static uint32_t count_permissive(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= w->policy->types.n; v++)
		n += w->policy->types.at[v].kind == POLICY_TYPE && w->policy->types.at[v].permissive;
	return n;
}

static uint32_t count_neveraudit(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= w->policy->types.n; v++)
		n += w->policy->types.at[v].kind == POLICY_TYPE && w->policy->types.at[v].neveraudit;
	return n;
}

static uint32_t count_filename_trans(const struct writer *w)
{
	return w->policy->filename_trans.n;
}

static uint32_t count_role_trans(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->policy->role_trans.n; i++)
		n += w->policy->role_trans.at[i].class != w->process;
	return n;
}

static uint32_t count_range_trans(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->policy->range_trans.n; i++)
		n += w->policy->range_trans.at[i].class != w->process;
	return n;
}

static uint32_t count_glblub(const struct writer *w)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v <= w->policy->classes.n; v++)
		n += w->policy->classes.at[v].default_range == DEFAULT_RANGE_GLBLUB;
	return n;
}

static const struct loss {
	enum feature feature;
	uint32_t given; /* asked only of versions that have these */
	bool error;
	const char *what;
	uint32_t (*count)(const struct writer *w);
} losses[] = {
	{FEATURE_MLS, 0, true, "MLS", count_mls},
	{FEATURE_XPERMS, 0, true, "extended permissions", count_xperms},
	{FEATURE_COND_XPERMS, FEATURE_XPERMS, true, "extended permissions in conditionals", count_cond_xperms},
	{FEATURE_WIDE_IOMEM, 0, true, "I/O memory beyond 32 bits", count_wide_iomem},
	{FEATURE_BOOLS, 0, false, "booleans and conditionals", count_bools},
	{FEATURE_PERMISSIVE_MAP, 0, false, "permissive types", count_permissive},
	{FEATURE_NEVERAUDIT_MAP, 0, false, "neveraudit types", count_neveraudit},
	{FEATURE_FILENAME_TRANS, 0, false, "filename transitions", count_filename_trans},
	{FEATURE_ROLE_TRANS_CLASS, 0, false, "role transitions of other objects than processes", count_role_trans},
	{FEATURE_RANGE_TRANS_CLASS, FEATURE_MLS, false, "range transitions of other objects than processes",
	 count_range_trans},
	{FEATURE_GLBLUB, FEATURE_DEFAULTS, false, "`default_range` with `glblub`", count_glblub},
};

static void report_error(struct writer *w, const struct loss *loss)
{
	uint32_t since = features_since(w->policy->target, loss->feature);

	diag_error(w->diags, "unsupported-feature", LOC_NONE, "version %u has no %s", (unsigned)w->features->version,
		   loss->what);
	if (since)
		diag_hint(w->diags, "version %u is the first with it", since);
	else
		diag_hint(w->diags, "no version for this target has it");
	w->failed = true;
}

void check_downgrade(struct writer *w)
{
	for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
		const struct loss *loss = &losses[i];
		uint32_t n;

		if (has(w, loss->feature) || (w->features->has & loss->given) != loss->given)
			continue;
		n = loss->count(w);
		if (n && loss->error)
			report_error(w, loss);
		else if (n)
			diag_warning(w->diags, "dropped-feature", LOC_NONE, "version %u has no %s: %u dropped",
				     (unsigned)w->features->version, loss->what, n);
	}
}
