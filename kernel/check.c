/* What a kernel would make of a policy: one function for each thing that it
 * looks at when it loads one.
 *
 * Facts: policydb-format.md 14, and the kernel's policydb.c and services.c.
 * What makes it refuse the policy, and what is denied to everybody, is an
 * error; what it leaves out is a warning. */
#include <stdlib.h>
#include <string.h>

#include "ir/names.h"
#include "ir/text.h"
#include "kernel/profile.h"

struct checker {
	const struct kernel_profile *profile;
	const struct policy *policy;
	const struct policy_places *places;
	struct diags *diags;
	uint32_t version;
};

/* ---- the version ---- */

static void check_version(const struct checker *k)
{
	const struct kernel_profile *profile = k->profile;

	if (k->version >= profile->oldest && k->version <= profile->newest)
		return;
	diag_error(k->diags, "kernel-version", LOC_NONE, "%s reads the policy versions %u to %u, and this policy has %u",
		   profile->name, profile->oldest, profile->newest, k->version);
	if (k->version > profile->newest)
		diag_hint(k->diags, "write it with `-c %u`", profile->newest);
}

/* ---- classes and permissions that the kernel checks ---- */

static const char *effect_of(enum policy_unknown unknown)
{
	switch (unknown) {
	case POLICY_UNKNOWN_REJECT: return "it refuses the policy";
	case POLICY_UNKNOWN_ALLOW: return "it allows them to all";
	case POLICY_UNKNOWN_DENY: break;
	}
	return "it denies them to all";
}

static void report_missing(const struct checker *k, const char *check, struct loc loc, const char *text)
{
	enum policy_unknown unknown = k->policy->handle_unknown;

	if (unknown == POLICY_UNKNOWN_ALLOW)
		diag_warning(k->diags, check, loc, "%s; %s", text, effect_of(unknown));
	else
		diag_error(k->diags, check, loc, "%s; %s", text, effect_of(unknown));
}

/* The kernel wants these by name; without them it loads nothing. */
static const char *const process_perms[] = {"transition", "dyntransition"};

enum { PROCESS_PERMS = sizeof process_perms / sizeof process_perms[0] };

static bool is_process_perm(const char *class, const char *perm)
{
	bool found = false;

	for (uint32_t i = 0; i < PROCESS_PERMS && !strcmp(class, "process"); i++)
		found = found || !strcmp(process_perms[i], perm);
	return found;
}

static void check_class(const struct checker *k, const struct kernel_class *known)
{
	uint32_t class = policy_find_class(k->policy, known->name), missing = 0;
	struct buffer text = {0}, perms = {0};

	if (!strcmp(known->name, "process") && !class)
		return; /* check_process() */
	for (uint32_t i = 0; i < known->nperms; i++) {
		if (is_process_perm(known->name, known->perms[i]))
			continue;
		if (class && policy_find_perm(&k->policy->classes.at[class], known->perms[i]))
			continue;
		text_printf(&perms, "%s`%s`", missing++ ? ", " : "", known->perms[i]);
	}
	if (!class) {
		text_printf(&text, "class `%s` of %s is not in the policy, nor are its permissions: %s", known->name,
			    k->profile->name, text_of(&perms));
		report_missing(k, "kernel-missing-class", LOC_NONE, text_of(&text));
	} else if (missing) {
		text_printf(&text, "class `%s` lacks permissions that %s checks: %s", known->name, k->profile->name,
			    text_of(&perms));
		report_missing(k, "kernel-missing-permission", place_class(k->places, class), text_of(&text));
	}
	buffer_free(&text);
	buffer_free(&perms);
}

static void check_classes(const struct checker *k)
{
	if (k->profile->partial)
		return;
	for (uint32_t i = 0; i < k->profile->classes.n; i++)
		check_class(k, &k->profile->classes.at[i]);
}

/* A class that the kernel does not check may be one of a program's; of its own
 * classes all permissions are its own. */
static void check_ignored(const struct checker *k)
{
	struct buffer names = {0};
	uint32_t n = 0;

	if (k->profile->partial || !k->profile->classes.n)
		return;
	for (uint32_t v = 1; v <= k->policy->classes.n; v++) {
		const struct policy_class *class = &k->policy->classes.at[v];
		const struct kernel_class *known = kernel_profile_class(k->profile, class->name);
		struct buffer perms = {0};
		uint32_t nperms = 0;

		if (!known)
			text_printf(&names, "%s`%s`", n++ ? ", " : "", class->name);
		for (uint32_t i = 0; known && i < class->nperms; i++)
			if (class->perms[i] && !kernel_class_has(known, class->perms[i]))
				text_printf(&perms, "%s`%s`", nperms++ ? ", " : "", class->perms[i]);
		if (nperms)
			diag_warning(k->diags, "kernel-ignored-permission", place_class(k->places, v),
				     "class `%s` has permissions that %s never checks: %s", class->name, k->profile->name,
				     text_of(&perms));
		buffer_free(&perms);
	}
	if (n)
		diag_warning(k->diags, "kernel-ignored-class", LOC_NONE,
			     "classes that %s never checks, and leaves to programs: %s", k->profile->name, text_of(&names));
	buffer_free(&names);
}

static void check_process(const struct checker *k)
{
	uint32_t class = policy_find_class(k->policy, "process");

	if (!class) {
		diag_error(k->diags, "kernel-process", LOC_NONE, "%s refuses a policy without class `process`",
			   k->profile->name);
		return;
	}
	for (uint32_t i = 0; i < PROCESS_PERMS; i++)
		if (!policy_find_perm(&k->policy->classes.at[class], process_perms[i]))
			diag_error(k->diags, "kernel-process", place_class(k->places, class),
				   "%s refuses a policy whose class `process` has no permission `%s`", k->profile->name,
				   process_perms[i]);
}

/* ---- capabilities ---- */

static bool is_on(const struct checker *k, const char *name)
{
	uint32_t bit;

	return !capability_find(name, &bit) && ebitmap_test(&k->policy->capabilities, bit);
}

static bool is_lost(const struct checker *k, const char *name)
{
	return is_on(k, name) && !kernel_profile_has_capability(k->profile, name);
}

static const char genfs_wildcard[] = "genfs_seclabel_wildcard";

/* A capability of which check_genfs() has to say more. */
static bool loses_paths(const struct checker *k, const char *capability)
{
	return !strcmp(capability, genfs_wildcard) && k->policy->genfs.n && is_lost(k, capability);
}

static void check_capabilities(const struct checker *k)
{
	ebitmap_for_each(&k->policy->capabilities, bit) {
		const char *name = capability_name(bit);

		if (name && (kernel_profile_has_capability(k->profile, name) || loses_paths(k, name)))
			continue;
		diag_warning(k->diags, "kernel-ignored-capability", place_capability(k->places, bit),
			     "%s does not know policy capability `%s`, and does as if it were off", k->profile->name,
			     name ? name : "without a name");
	}
}

static bool has_asterisk(const char *text)
{
	return strchr(text, '*') != NULL;
}

/* With the capability all paths end in an asterisk, which any other kernel
 * looks for in the path. */
static void check_genfs(const struct checker *k)
{
	uint32_t bit;

	if (!k->policy->genfs.n || capability_find(genfs_wildcard, &bit))
		return;
	if (loses_paths(k, genfs_wildcard)) {
		diag_error(k->diags, "kernel-wildcard", place_capability(k->places, bit),
			   "no genfscon has an effect on %s: with `%s` paths are patterns, and it compares them letter by letter",
			   k->profile->name, genfs_wildcard);
		return;
	}
	for (uint32_t i = 0; i < k->policy->genfs.n && !is_on(k, genfs_wildcard); i++) {
		if (!has_asterisk(k->policy->genfs.at[i].path))
			continue;
		diag_warning(k->diags, "kernel-wildcard", place_first(k->places, PLACE_GENFS_PATTERN),
			     "path `%s` is no pattern: without policy capability `%s` an asterisk stands for itself",
			     k->policy->genfs.at[i].path, genfs_wildcard);
		return;
	}
}

static void check_netif(const struct checker *k)
{
	static const char capability[] = "netif_wildcard";
	bool lost = is_lost(k, capability);

	if (is_on(k, capability) && !lost)
		return;
	for (uint32_t i = 0; i < k->policy->netifs.n; i++) {
		const char *name = k->policy->netifs.at[i].name;

		if (!has_asterisk(name) && !strchr(name, '?'))
			continue;
		if (lost)
			diag_error(k->diags, "kernel-wildcard", place_first(k->places, PLACE_NETIF_PATTERN),
				   "interface `%s` is no pattern on %s, which does not know policy capability `%s`", name,
				   k->profile->name, capability);
		else
			diag_warning(k->diags, "kernel-wildcard", place_first(k->places, PLACE_NETIF_PATTERN),
				     "interface `%s` is no pattern without policy capability `%s`", name, capability);
		return;
	}
}

static void check_netlink_xperms(const struct checker *k)
{
	uint32_t n = 0;

	if (kernel_profile_has_capability(k->profile, "netlink_xperm"))
		return;
	for (uint32_t i = 0; i < k->policy->xperms.n; i++)
		n += k->policy->xperms.at[i].specified == XPERM_NLMSG;
	if (n)
		diag_warning(k->diags, "kernel-ignored-xperm", place_first(k->places, PLACE_NLMSG),
			     "%s does not know extended permissions of netlink messages, and ignores these rules",
			     k->profile->name);
}

/* ---- initial SIDs ---- */

static uint32_t number_of(const struct kernel_profile *profile, const char *name)
{
	for (uint32_t number = 1; number < KERNEL_MAX_SIDS; number++)
		if (profile->sids[number] && !strcmp(profile->sids[number], name))
			return number;
	return 0;
}

static bool has_context(const struct policy *policy, uint32_t sid)
{
	for (uint32_t i = 0; i < policy->sids.n; i++)
		if (policy->sids.at[i].sid == sid)
			return true;
	return false;
}

static void check_sid_names(const struct checker *k)
{
	uint32_t n = k->places ? k->places->sids.n : 0;

	for (uint32_t sid = 1; sid <= n; sid++) {
		struct place_name declared = place_sid(k->places, sid);
		const char *known = sid < KERNEL_MAX_SIDS ? k->profile->sids[sid] : NULL;
		uint32_t number = declared.name ? number_of(k->profile, declared.name) : 0;

		if (!declared.name || (known && !strcmp(known, declared.name)) || (!known && !number))
			continue;
		if (number)
			diag_error(k->diags, "kernel-initial-sid", declared.loc,
				   "initial SID `%s` is number %u here, and %s knows it by number %u", declared.name, sid,
				   k->profile->name, number);
		else
			diag_error(k->diags, "kernel-initial-sid", declared.loc,
				   "initial SID `%s` is number %u, which %s gives to `%s`", declared.name, sid,
				   k->profile->name, known);
	}
}

static void check_sid_contexts(const struct checker *k)
{
	for (uint32_t sid = 1; sid < KERNEL_MAX_SIDS; sid++) {
		const char *name = k->profile->sids[sid];

		/* The kernel gives `init` the context of `kernel` unless the capability is on. */
		if (!name || has_context(k->policy, sid) ||
		    (!strcmp(name, "init") && !is_on(k, "userspace_initial_context")))
			continue;
		diag_warning(k->diags, "kernel-missing-sid", place_sid(k->places, sid).loc,
			     "initial SID `%s`, number %u, has no context, and %s uses it", name, sid, k->profile->name);
		if (strcmp(name, "unlabeled") != 0)
			diag_note(k->diags, LOC_NONE, "the kernel takes the context of `unlabeled` in its place");
		else
			diag_note(k->diags, LOC_NONE, "what has no valid context takes this one, and can be used by nobody without it");
	}
}

/* ---- bounds ---- */

struct bounded {
	const char *what;
	const char *(*name)(const struct policy *policy, uint32_t value);
	uint32_t (*parent)(const struct policy *policy, uint32_t value);
	struct loc (*place)(const struct policy_places *places, uint32_t value);
};

static const char *type_name(const struct policy *p, uint32_t v) { return p->types.at[v].name; }
static uint32_t type_parent(const struct policy *p, uint32_t v) { return p->types.at[v].bounds; }
static const char *role_name(const struct policy *p, uint32_t v) { return p->roles.at[v].name; }
static uint32_t role_parent(const struct policy *p, uint32_t v) { return p->roles.at[v].bounds; }
static const char *user_name(const struct policy *p, uint32_t v) { return p->users.at[v].name; }
static uint32_t user_parent(const struct policy *p, uint32_t v) { return p->users.at[v].bounds; }

/* The parents of a value, no more than max. */
static uint32_t depth_of(const struct checker *k, const struct bounded *b, uint32_t value, uint32_t max)
{
	uint32_t depth = 0;

	for (uint32_t v = b->parent(k->policy, value); v && depth < max; v = b->parent(k->policy, v))
		depth++;
	return depth;
}

static void report_chain(const struct checker *k, const struct bounded *b, uint32_t value, uint32_t parents)
{
	struct buffer chain = {0};
	uint32_t v = value;

	for (uint32_t i = 0; i <= parents; i++, v = b->parent(k->policy, v)) {
		const char *name = b->name(k->policy, v);

		text_printf(&chain, "%s`%s`", i ? " in " : "", name ? name : "?");
	}
	diag_error(k->diags, "kernel-bounds", b->place(k->places, value),
		   "%s refuses a policy with more than %u parents in a row: %s %s", k->profile->name, k->profile->bounds,
		   b->what, text_of(&chain));
	buffer_free(&chain);
}

/* Where chains get too long; those that go on from there, or in a circle, say
 * no more than the first. */
static void check_chains(const struct checker *k, const struct bounded *b, uint32_t n)
{
	uint32_t parents = k->profile->bounds + 1, deeper = 0;
	bool reported = false;

	for (uint32_t v = 1; v <= n; v++) {
		uint32_t depth = depth_of(k, b, v, parents + 1);

		if (depth == parents) {
			report_chain(k, b, v, parents);
			reported = true;
		} else if (depth > parents && !deeper) {
			deeper = v;
		}
	}
	if (deeper && !reported)
		report_chain(k, b, deeper, parents);
}

static void check_bounds(const struct checker *k)
{
	static const struct bounded types = {.what = "type", .name = type_name, .parent = type_parent, .place = place_type};
	static const struct bounded roles = {.what = "role", .name = role_name, .parent = role_parent, .place = place_role};
	static const struct bounded users = {.what = "user", .name = user_name, .parent = user_parent, .place = place_user};

	if (k->profile->bounds == UINT32_MAX)
		return;
	check_chains(k, &types, k->policy->types.n);
	check_chains(k, &roles, k->policy->roles.n);
	check_chains(k, &users, k->policy->users.n);
}

/* ---- labels ---- */

static void check_ports(const struct checker *k)
{
	for (uint32_t i = 0; i < k->policy->ports.n && k->profile->refuses_port_zero; i++) {
		if (k->policy->ports.at[i].low)
			continue;
		diag_error(k->diags, "kernel-port-zero", place_first(k->places, PLACE_PORT_ZERO),
			   "%s refuses a policy that labels port 0", k->profile->name);
		return;
	}
}

void kernel_check(const struct kernel_profile *profile, const struct policy *policy, uint32_t version,
		  const struct policy_places *places, struct diags *diags)
{
	const struct checker k = {profile, policy, places, diags, version};

	check_version(&k);
	check_process(&k);
	check_classes(&k);
	check_ignored(&k);
	check_capabilities(&k);
	check_genfs(&k);
	check_netif(&k);
	check_netlink_xperms(&k);
	check_sid_names(&k);
	check_sid_contexts(&k);
	check_bounds(&k);
	check_ports(&k);
}
