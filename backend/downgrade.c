/* What a policy has and the version asked for has not: the table of
 * policydb-format.md 12.  The writer drops silently what is not listed here. */
#include "backend/needs.h"
#include "backend/write.h"

static const struct loss {
	enum feature feature;
	uint32_t given; /* asked only of versions that have these */
	bool error;
	const char *what;
} losses[] = {
	{FEATURE_MLS, 0, true, "MLS"},
	{FEATURE_XPERMS, 0, true, "extended permissions"},
	{FEATURE_COND_XPERMS, FEATURE_XPERMS, true, "extended permissions in conditionals"},
	{FEATURE_WIDE_IOMEM, 0, true, "I/O memory beyond 32 bits"},
	{FEATURE_BOOLS, 0, false, "booleans and conditionals"},
	{FEATURE_PERMISSIVE_MAP, 0, false, "permissive types"},
	{FEATURE_NEVERAUDIT_MAP, 0, false, "neveraudit types"},
	{FEATURE_FILENAME_TRANS, 0, false, "filename transitions"},
	{FEATURE_ROLE_TRANS_CLASS, 0, false, "role transitions of other objects than processes"},
	{FEATURE_RANGE_TRANS_CLASS, FEATURE_MLS, false, "range transitions of other objects than processes"},
	{FEATURE_GLBLUB, FEATURE_DEFAULTS, false, "`default_range` with `glblub`"},
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
		n = feature_uses(w->policy, loss->feature);
		if (n && loss->error)
			report_error(w, loss);
		else if (n)
			diag_warning(w->diags, "dropped-feature", LOC_NONE, "version %u has no %s: %u dropped",
				     (unsigned)w->features->version, loss->what, n);
	}
}
