#include "cli/binary.h"

#include <stdio.h>

#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/file.h"
#include "ir/ir.h"

/* Up to here attributes have no names, or rules have lost them: checkpolicy
 * does not raise the version of such an image. */
enum { LAST_KEPT = 23 };

static bool agrees_on_mls(const struct options *o, const struct policy *policy, struct diags *diags)
{
	if (o->ir.mls == policy->mls)
		return true;
	if (policy->mls)
		diag_error(diags, "wrong-mls", LOC_NONE, "%s is an MLS policy, and -M is not given", o->input);
	else
		diag_error(diags, "wrong-mls", LOC_NONE, "%s is no MLS policy, and -M is given", o->input);
	return false;
}

static bool choose_version(const struct options *o, const struct policy *policy, uint32_t image, uint32_t *ret_version,
			   struct diags *diags)
{
	*ret_version = o->version;
	if (image <= LAST_KEPT && o->version > image)
		diag_warning(diags, "version-kept", LOC_NONE,
			     "%s has version %u, and one up to %d is not raised: -c %u is ignored", o->input, image,
			     LAST_KEPT, o->version);
	if (image <= LAST_KEPT && (!o->version || o->version > image))
		*ret_version = image;
	if (!*ret_version)
		*ret_version = o->output ? policydb_newest(policy->target) : image;
	if (policydb_version_known(policy->target, *ret_version))
		return true;
	diag_error(diags, "unknown-version", LOC_NONE, "there is no policy version %u for %s, only %u to %u", *ret_version,
		   policy->target == POLICY_XEN ? "xen" : "selinux", policydb_oldest(policy->target),
		   policydb_newest(policy->target));
	return false;
}

static struct policy *read_image(const struct options *o, uint32_t *ret_version, struct diags *diags,
				 struct stats *stats)
{
	struct policy *policy = NULL;
	struct buffer image = {0};

	if (file_load(o->input, &image, diags)) {
		stats_pass(stats, "load");
		policy = policydb_read(image.at, image.n, o->input, ret_version, diags);
		stats_pass(stats, "read");
	}
	buffer_free(&image);
	return policy;
}

struct policy *binary_read(const struct options *o, uint32_t *ret_version, struct diags *diags, struct stats *stats)
{
	uint32_t version;
	struct policy *policy = read_image(o, &version, diags, stats);
	bool good = policy && policy_validate(policy, version, diags);

	stats_pass(stats, "validate");
	good = good && agrees_on_mls(o, policy, diags);
	good = good && choose_version(o, policy, version, ret_version, diags);
	if (!good) {
		policy_free(policy);
		return NULL;
	}
	if (o->ir.optimize)
		policy_optimise(policy);
	if (o->ir.sort)
		policy_sort_labels(policy);
	if (o->ir.canonical)
		policy_canonicalise(policy);
	stats_pass(stats, "finish");
	return policy;
}
