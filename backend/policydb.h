/* struct policy to the bytes that a kernel loads, and back. */
#ifndef BACKEND_POLICYDB_H
#define BACKEND_POLICYDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/places.h"
#include "ir/policy.h"

/* Lowest and highest version of a target. */
uint32_t policydb_oldest(enum policy_target target);
uint32_t policydb_newest(enum policy_target target);
bool policydb_version_known(enum policy_target target, uint32_t version);
/* The lowest version that can hold extended permission rules, or those in
 * conditionals; 0 when no version of the target can. */
uint32_t policydb_xperms_since(enum policy_target target, bool conditional);

/* Something in a policy that not every version can hold. */
struct policydb_need {
	uint32_t version;      /* the first that can; 0: none of the target */
	uint32_t n;            /* how much of it there is */
	const char *what;      /* "extended permissions" */
	enum place_kind place; /* where it may stand in the source */
};

enum { POLICYDB_MAX_NEEDS = 24 };

/* All of them, the highest version first, before it those that no version has;
 * returns how many.  What has no meaning does not count: names of attributes,
 * type sets of constraints. */
uint32_t policydb_needs(const struct policy *policy, struct policydb_need ret_needs[POLICYDB_MAX_NEEDS]);

/* Appends the image at the version.  What the version cannot hold is an
 * error, or is dropped with a warning or silently (policydb-format.md 12). */
bool policydb_write(const struct policy *policy, uint32_t version, struct buffer *image, struct diags *diags);

/* Bytes to struct policy, for images of unknown origin: nothing outside of the
 * image is read, no more memory is taken than a small multiple of its size, and
 * no input makes it run away.  NULL when an error was recorded; it names path
 * and the byte.  The result is the caller's (policy_free); ret_version, if
 * given, gets the version of the image.
 *
 * Reading refuses what struct policy cannot hold: a count or length beyond the
 * image, a set that is not canonical, a value or name that two symbols share, a
 * value outside its table, a permission slot left open, a key that occurs twice,
 * a row of the attribute map that is none.  It establishes the orders of
 * ir/policy.h and puts together what an image may hold in parts; conditional
 * states and enabled bits are not kept.  Values that refer to symbols are taken
 * as they stand, so what was only read goes to policy_validate() or
 * policy_free(), and nowhere else. */
struct policy *policydb_read(const void *image, size_t size, const char *path, uint32_t *ret_version,
			     struct diags *diags);

/* May this policy be used?  Records an error for each thing that libsepol would
 * refuse in an image of the version, and a warning for what only the kernel
 * does; each names the object.  True: no error, and then
 *
 * - each value that a rule, transition, context, alias, bound, constraint or
 *   conditional refers to is within its table and is a symbol, no gap; the bits
 *   of all sets are;
 * - results of type rules and filename transitions, sources and targets of type
 *   rules, types of contexts, bounds of types are types, no attributes;
 * - expressions are well-formed and their stacks bounded;
 * - contexts are valid, and without MLS there are no levels at all.
 *
 * Not promised: chains of bounds may be loops, which libsepol takes and the
 * kernel does not; an order between the levels of users' ranges. */
bool policy_validate(const struct policy *policy, uint32_t version, struct diags *diags);

/* Reads the image back through libsepol.  Records an error when it refuses the
 * image; when the installed library does not know the version, a warning. */
bool policydb_verify(const struct buffer *image, struct diags *diags);

#endif
