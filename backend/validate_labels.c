/* Levels, contexts and labelling records (policydb-format.md 13.5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/validate.h"
#include "base/memory.h"
#include "ir/names.h"

enum { OBJECT_R = 1, MAX_DEVICE_NAME = 63, MAX_PORT = 65535 };

/* ---- levels ---- */

bool check_level(struct validator *v, const struct policy_level *level, const char *role)
{
	bool ok;

	if (!v->policy->mls) {
		ok = !level->sens && ebitmap_empty(&level->cats);
		if (!ok)
			invalid(v, "a %s, and the policy is not MLS", role);
		return ok;
	}
	ok = check_value(v, OF_SENS, level->sens, role);
	return check_set(v, OF_CATS, &level->cats, "category") && ok;
}

static bool has_cats(const struct policy *policy, const struct policy_level *level)
{
	return ebitmap_contains(&policy->sens.at[level->sens].cats, &level->cats, policy->cats.n - 1);
}

const char *range_fault(const struct policy *policy, const struct policy_range *range)
{
	if (!has_cats(policy, &range->low))
		return "the low level has a category that its sensitivity has not";
	if (!has_cats(policy, &range->high))
		return "the high level has a category that its sensitivity has not";
	if (!policy_level_dominates(&range->high, &range->low))
		return "the high level does not dominate the low level";
	return NULL;
}

/* ---- contexts ---- */

static void check_authorised(struct validator *v, const struct policy_context *context)
{
	const struct policy_role *role = &v->policy->roles.at[context->role];
	const struct policy_user *user = &v->policy->users.at[context->user];

	if (!ebitmap_test(&role->types, context->type - 1))
		invalid(v, "role `%s` has no type `%s`", role->name, v->policy->types.at[context->type].name);
	if (!ebitmap_test(&user->roles, context->role - 1))
		invalid(v, "user `%s` has no role `%s`", user->name, role->name);
}

static void check_range(struct validator *v, const struct policy_context *context)
{
	const struct policy_range *range = &context->range;
	const char *fault = range_fault(v->policy, range);
	const struct policy_user *user = &v->policy->users.at[context->user];

	if (fault)
		invalid(v, "%s", fault);
	else if (context->role != OBJECT_R && !(policy_level_dominates(&range->low, &user->range.low) &&
						policy_level_dominates(&user->range.high, &range->high)))
		invalid(v, "the range is not within that of user `%s`", user->name);
}

static void check_context(struct validator *v, const struct policy_context *context)
{
	bool ok = check_value(v, OF_USERS, context->user, "user"), levels;

	ok &= check_value(v, OF_ROLES, context->role, "role");
	ok &= check_type(v, context->type, "type");
	levels = check_level(v, &context->range.low, "low level");
	levels &= check_level(v, &context->range.high, "high level");
	if (ok && context->role != OBJECT_R)
		check_authorised(v, context);
	if (ok && levels && v->policy->mls)
		check_range(v, context);
}

/* ---- SELinux ---- */

/* Xen's own policy has one more than libsepol takes. */
static void validate_sids(struct validator *v)
{
	const struct policy *policy = v->policy;
	uint32_t count = initial_sid_count(policy->target);

	for (uint32_t i = 0; i < policy->sids.n; i++) {
		uint32_t sid = policy->sids.at[i].sid;

		about(v, "initial SID", initial_sid_name(policy->target, sid), i);
		if (!sid || (sid > count && policy->target != POLICY_XEN))
			invalid(v, "the number %u is not in 1 to %u", (unsigned)sid, (unsigned)count);
		else if (sid > count)
			diag_warning(v->diags, "too-many-sids", LOC_NONE,
				     "initial SID number %u: some readers refuse a policy with more than %u", (unsigned)sid,
				     (unsigned)count);
		check_context(v, &policy->sids.at[i].context);
	}
}

static void validate_ports(struct validator *v)
{
	for (uint32_t i = 0; i < v->policy->ports.n; i++) {
		const struct policy_port *port = &v->policy->ports.at[i];

		about(v, "port", NULL, i);
		if (port->low > port->high)
			invalid(v, "low %u above high %u", (unsigned)port->low, (unsigned)port->high);
		if (port->high > MAX_PORT)
			invalid(v, "%u above %d", (unsigned)port->high, MAX_PORT);
		if (port->protocol > UINT8_MAX)
			invalid(v, "protocol %u above %d", (unsigned)port->protocol, UINT8_MAX);
		if (!port->low)
			kernel_refuses(v, "port 0");
		check_context(v, &port->context);
	}
}

static void check_device_name(struct validator *v, const char *name)
{
	size_t len = strlen(name);

	if (len > MAX_DEVICE_NAME)
		invalid(v, "a name of %zu bytes, over %d", len, MAX_DEVICE_NAME);
}

static void validate_netifs(struct validator *v)
{
	for (uint32_t i = 0; i < v->policy->netifs.n; i++) {
		about(v, "network interface", v->policy->netifs.at[i].name, i);
		check_device_name(v, v->policy->netifs.at[i].name);
		check_context(v, &v->policy->netifs.at[i].interface);
		check_context(v, &v->policy->netifs.at[i].packet);
	}
}

static void validate_nodes(struct validator *v)
{
	for (uint32_t i = 0; i < v->policy->nodes.n; i++) {
		about(v, "IPv4 node", NULL, i);
		check_context(v, &v->policy->nodes.at[i].context);
	}
	for (uint32_t i = 0; i < v->policy->nodes6.n; i++) {
		about(v, "IPv6 node", NULL, i);
		check_context(v, &v->policy->nodes6.at[i].context);
	}
}

static void validate_fs_uses(struct validator *v)
{
	for (uint32_t i = 0; i < v->policy->fs_uses.n; i++) {
		const struct policy_fs_use *use = &v->policy->fs_uses.at[i];

		about(v, "fs_use", use->name, i);
		if (use->behaviour < 1 || use->behaviour > 3)
			invalid(v, "behaviour %u is not in 1 to 3", (unsigned)use->behaviour);
		check_context(v, &use->context);
	}
}

static void validate_infiniband(struct validator *v)
{
	for (uint32_t i = 0; i < v->policy->ibpkeys.n; i++) {
		const struct policy_ibpkey *key = &v->policy->ibpkeys.at[i];

		about(v, "InfiniBand key", NULL, i);
		if (key->low > key->high || key->high > UINT16_MAX)
			invalid(v, "%u to %u is not within 0 to %d", (unsigned)key->low, (unsigned)key->high, UINT16_MAX);
		check_context(v, &key->context);
	}
	for (uint32_t i = 0; i < v->policy->ibendports.n; i++) {
		const struct policy_ibendport *end = &v->policy->ibendports.at[i];

		about(v, "InfiniBand port of", end->device, i);
		check_device_name(v, end->device);
		if (end->port < 1 || end->port > UINT8_MAX)
			invalid(v, "port %u is not in 1 to %d", (unsigned)end->port, UINT8_MAX);
		check_context(v, &end->context);
	}
}

/* ---- Xen ---- */

static void validate_spans(struct validator *v, const char *kind, const struct policy_xen_span *spans, uint32_t n,
			   uint64_t max)
{
	for (uint32_t i = 0; i < n; i++) {
		about(v, kind, NULL, i);
		if (spans[i].low > spans[i].high)
			invalid(v, "low 0x%llx above high 0x%llx", (unsigned long long)spans[i].low,
				(unsigned long long)spans[i].high);
		if (spans[i].high > max)
			invalid(v, "0x%llx is more than version %u can hold", (unsigned long long)spans[i].high,
				(unsigned)v->features->version);
		check_context(v, &spans[i].context);
	}
}

static void validate_xen(struct validator *v)
{
	const struct policy *policy = v->policy;
	uint64_t max_memory = v->features->has & FEATURE_WIDE_IOMEM ? UINT64_MAX : UINT32_MAX;

	validate_spans(v, "interrupt", policy->pirqs.at, policy->pirqs.n, UINT32_MAX);
	validate_spans(v, "I/O port", policy->ioports.at, policy->ioports.n, UINT32_MAX);
	validate_spans(v, "I/O memory", policy->iomems.at, policy->iomems.n, max_memory);
	validate_spans(v, "PCI device", policy->pcidevices.at, policy->pcidevices.n, UINT32_MAX);
	for (uint32_t i = 0; i < policy->devicetrees.n; i++) {
		about(v, "device tree", policy->devicetrees.at[i].path, i);
		check_context(v, &policy->devicetrees.at[i].context);
	}
}

void validate_labels(struct validator *v)
{
	v->check = "invalid-label";
	validate_sids(v);
	validate_ports(v);
	validate_netifs(v);
	validate_nodes(v);
	validate_fs_uses(v);
	validate_infiniband(v);
	validate_xen(v);
}

/* ---- genfs ---- */

static void describe_genfs(const struct validator *v, char *text)
{
	const struct policy_genfs *genfs = v->of;

	snprintf(text, OBJECT_TEXT, "genfs `%.80s` `%.200s`", genfs->fs, genfs->path);
}

static void about_genfs(struct validator *v, const struct policy_genfs *genfs)
{
	v->of = genfs;
	v->describe = describe_genfs;
}

static bool same_path(const struct policy_genfs *a, const struct policy_genfs *b)
{
	return strcmp(a->fs, b->fs) == 0 && strcmp(a->path, b->path) == 0;
}

/* By file system, path and class. */
static int compare_genfs(const void *a, const void *b)
{
	const struct policy_genfs *left = *(const struct policy_genfs *const *)a;
	const struct policy_genfs *right = *(const struct policy_genfs *const *)b;
	int order = strcmp(left->fs, right->fs);

	if (!order)
		order = strcmp(left->path, right->path);
	return order ? order : (left->class > right->class) - (left->class < right->class);
}

/* Class 0, any kind of file, is first of its path and overlaps the second. */
static void check_genfs_keys(struct validator *v)
{
	uint32_t n = v->policy->genfs.n;
	const struct policy_genfs **sorted = mem_alloc(n * sizeof *sorted);

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &v->policy->genfs.at[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_genfs);
	for (uint32_t i = 1; i < n; i++) {
		const struct policy_genfs *last = sorted[i - 1], *genfs = sorted[i];

		if (!same_path(last, genfs) || (last->class && last->class != genfs->class))
			continue;
		about_genfs(v, genfs);
		invalid(v, "two entries for the same");
	}
	free(sorted);
}

void validate_genfs(struct validator *v)
{
	v->check = "invalid-label";
	for (uint32_t i = 0; i < v->policy->genfs.n; i++) {
		const struct policy_genfs *genfs = &v->policy->genfs.at[i];

		about_genfs(v, genfs);
		if (genfs->class)
			check_value(v, OF_CLASSES, genfs->class, "class");
		check_context(v, &genfs->context);
	}
	check_genfs_keys(v);
}
