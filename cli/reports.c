#include "cli/reports.h"

#include <stdio.h>
#include <string.h>

#include "backend/policydb.h"
#include "cli/kernel_option.h"

/* ---- versions ---- */

/* Each thing is told of with the place that it first has. */
static void note_need(const struct policydb_need *need, const struct policy_places *places, struct diags *diags)
{
	struct loc loc = place_first(places, need->place);

	if (!need->version)
		diag_note(diags, loc, "no version for this target has %s", need->what);
	else
		diag_note(diags, loc, "version %u: %s%s", need->version, need->what,
			  !loc_known(loc) ? "" : need->n > 1 ? ", first here" : ", here");
}

static void report_version(const struct policy *policy, const struct policy_places *places, struct diags *diags)
{
	struct policydb_need needs[POLICYDB_MAX_NEEDS];
	uint32_t n = policydb_needs(policy, needs), lowest = policydb_oldest(policy->target);
	struct loc loc = n ? place_first(places, needs[0].place) : LOC_NONE;

	if (n && !needs[0].version)
		diag_remark(diags, "version-needed", loc, "no version of the binary policy can hold %s", needs[0].what);
	else if (n && needs[0].version > lowest)
		diag_remark(diags, "version-needed", loc,
			     "the lowest version that holds the policy without a loss is %u, which came with %s",
			     needs[0].version, needs[0].what);
	else
		diag_remark(diags, "version-needed", LOC_NONE, "the lowest version, %u, holds the policy without a loss",
			     lowest);
	for (uint32_t i = 1; i < n; i++)
		note_need(&needs[i], places, diags);
}

/* ---- kernels ---- */

static bool is_asked_for(const struct options *o, const char *check)
{
	for (uint32_t i = 0; i < o->findings.settings.n; i++)
		if (!strcmp(o->findings.settings.at[i].check, check))
			return true;
	return false;
}

static bool writes_image(const struct options *o)
{
	return o->output && !o->conf && !o->cil;
}

/* Whether the writer tells what is lost: then the kernel is not the cause, or the
 * user wants to hear it from there. */
static bool writer_tells(const struct options *o, uint32_t version, uint32_t newest)
{
	return writes_image(o) && (version < newest || is_asked_for(o, "dropped-feature"));
}

static void report_kernel(const struct kernel_profile *profile, const struct options *o, const struct policy *policy,
			  uint32_t version, const struct policy_places *places, struct diags *diags)
{
	struct policydb_need needs[POLICYDB_MAX_NEEDS];
	uint32_t n = policydb_needs(policy, needs);

	kernel_check(profile, policy, version, places, diags);
	if (writer_tells(o, version, profile->newest))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (needs[i].version > profile->newest)
			diag_warning(diags, "kernel-version", place_first(places, needs[i].place),
				     "%s reads policy versions up to %u, and %s came with version %u%s", profile->name,
				     profile->newest, needs[i].what, needs[i].version,
				     writes_image(o) && version < needs[i].version ? ": dropped" : "");
	diags_set(diags, "dropped-feature", DIAG_SILENT); /* one cause, one finding */
}

/* ---- all ---- */

/* The list of symbols that may be missing becomes one of the sources. */
static bool load_allowed(struct options *o, struct sources *sources, struct diags *diags)
{
	const struct source *source;

	if (!o->optional_allowed)
		return true;
	source = sources_load(sources, o->optional_allowed, diags);
	if (source)
		o->ir.optionals_allowed = (struct loc){source->base, source->base + source->size};
	return source != NULL;
}

bool reports_init(struct reports *reports, struct options *options, struct sources *sources, struct diags *diags)
{
	/* Said of kernels in general; the profile speaks for one. */
	static const char *const general[] = {"bounds-depth", "port-zero", "sid-order"};
	bool good = load_allowed(options, sources, diags);

	*reports = (struct reports){0};
	if (options->report_version || options->kernel)
		options->ir.places = &reports->places;
	if (!options->kernel)
		return good;
	for (size_t i = 0; i < sizeof general / sizeof *general; i++)
		diags_set(diags, general[i], DIAG_SILENT);
	if (!kernel_load(&reports->kernel, options->kernel, sources, diags))
		return false;
	/* An image that is only looked at is judged as it is. */
	if (!options->binary || options->output)
		options_limit_version(options, reports->kernel.newest);
	return good;
}

void reports_free(struct reports *reports)
{
	policy_places_free(&reports->places);
	kernel_profile_free(&reports->kernel);
}

void reports_make(const struct reports *reports, const struct options *options, const struct policy *policy,
		  uint32_t version, struct diags *diags)
{
	const struct policy_places *places = options->binary ? NULL : &reports->places;

	if (options->report_version)
		report_version(policy, places, diags);
	if (options->kernel)
		report_kernel(&reports->kernel, options, policy, version, places, diags);
}
