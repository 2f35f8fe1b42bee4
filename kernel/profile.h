/* What a kernel's SELinux knows, and what it would make of a policy.
 *
 * A profile is a text file, form in data/kernels/README; it is read as one of
 * the sources of a run, so that its faults have places. */
#ifndef KERNEL_PROFILE_H
#define KERNEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "ir/places.h"
#include "ir/policy.h"

enum {
	KERNEL_MAX_SIDS = 64, /* numbers below this */
	KERNEL_MAX_PERMS = POLICY_MAX_PERMS,
};

struct kernel_class {
	const char *name;
	const char *perms[KERNEL_MAX_PERMS];
	uint32_t nperms;
};

struct kernel_profile {
	struct arena arena;              /* of the names */
	const char *name;                /* "Linux 6.1" */
	uint32_t oldest, newest;         /* policy versions */
	uint32_t bounds;                 /* parents that a chain may have */
	bool refuses_port_zero;
	bool partial;                    /* the classes are not the kernel's list */
	VEC(struct kernel_class) classes;
	VEC(const char *) capabilities;
	const char *sids[KERNEL_MAX_SIDS]; /* by number; NULL: the kernel does not use it */
};

/* Fills a zeroed profile; false when an error was recorded (check
 * "kernel-profile").  kernel_profile_free() takes it in any case. */
bool kernel_profile_parse(struct kernel_profile *ret_profile, const struct source *source, struct diags *diags);
void kernel_profile_free(struct kernel_profile *profile);

const struct kernel_class *kernel_profile_class(const struct kernel_profile *profile, const char *name); /* or NULL */
bool kernel_class_has(const struct kernel_class *class, const char *perm);
bool kernel_profile_has_capability(const struct kernel_profile *profile, const char *name);

/* Records a finding for each thing that the kernel would refuse, deny or ignore
 * in a policy written at the version.  places may be NULL. */
void kernel_check(const struct kernel_profile *profile, const struct policy *policy, uint32_t version,
		  const struct policy_places *places, struct diags *diags);

/* Fills a zeroed profile from the selinuxfs in a directory: a kernel tells its
 * newest version, capabilities and initial SIDs there, and the classes of the
 * policy that is loaded.  log, when given, is a text of the kernel's messages
 * of that load, which name the classes and permissions that this policy lacks.
 * False when an error was recorded. */
bool kernel_profile_probe(struct kernel_profile *ret_profile, const char *directory, const struct source *log,
			  struct diags *diags);

/* Appends the profile in its text form. */
void kernel_profile_write(const struct kernel_profile *profile, struct buffer *out);

#endif
