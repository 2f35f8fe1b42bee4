/* libpolicy-avc: an access vector cache over SELinux policies, for object
 * managers in user space.
 *
 * It holds one policy or several; with several, access is granted only where
 * all of them grant it.  Any number of threads ask without a lock: a check that
 * the cache answers reads memory that nobody writes, and writes only what
 * belongs to its thread.  Policies and booleans change meanwhile; a check is
 * answered by the policies of before or of after, never by a mixture of both.
 *
 * Functions that can fail return 0, or a negative errno value.  Structures and
 * strings that are passed in are copied.  See policy-avc(3). */
#ifndef POLICY_AVC_H
#define POLICY_AVC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct avc;        /* the cache; all threads share it */
struct avc_thread; /* what belongs to one thread */

/* A security context, as a number: good for the life of the cache, also across
 * reloads.  0 is none. */
typedef uint32_t avc_sid;

/* ---- opening ---- */

enum { AVC_MAX_POLICIES = 8, AVC_MAX_PERMS = 32 };

/* A binary policy: bytes in memory, or when bytes is NULL the file at path.
 * Beside bytes, path is a name for messages. */
struct avc_image {
	const char *path;
	const void *bytes;
	size_t size;
};

/* A class as the object manager numbers it: the class of an array's element i
 * is i + 1, its permission j is bit 1 << j.  Names end with a NULL. */
struct avc_class {
	const char *name;
	const char *perms[AVC_MAX_PERMS + 1];
};

/* What an audit callback is told. */
struct avc_event {
	const char *source, *target, *class_name; /* texts */
	avc_sid source_sid, target_sid;
	uint32_t class_id;
	uint32_t requested;
	uint32_t denied;  /* of them, what no rule grants; 0: all granted, and to be audited */
	bool refused;     /* the caller was told no; not so when the type or the cache is permissive */
	int number;       /* extended permission, or -1 */
	void *data;       /* of the check */
};

typedef void (*avc_audit)(void *callback_data, const struct avc_event *event);
/* The policies or booleans are other ones now: what was derived from earlier
 * decisions (open connections, mapped windows) wants a new check. */
typedef void (*avc_changed)(void *callback_data, uint64_t generation);

struct avc_options {
	const struct avc_class *classes; /* NULL: numbered as in the first policy when it is opened */
	uint32_t nclasses;
	avc_audit audit;       /* NULL: nothing is told */
	avc_changed changed;   /* or NULL */
	void *callback_data;   /* for both */
	bool permissive;       /* nothing is refused, but told; see avc_set_permissive() */
	uint32_t max_entries;  /* cached decisions, 0: 262,144; when there are so many the cache begins anew */
	uint32_t max_sids;     /* 0: 1,048,576; at most 4,194,303 */
	uint32_t trace_events; /* a thread's ring, 0: 1,024; rounded up to a power of two, at least 128 */
};

/* options may be NULL.  On failure *ret_error, if given, gets a text that is
 * the caller's to free(), or NULL.  -EINVAL for a policy that cannot be read, is
 * not valid, or wants unknown classes refused and lacks one. */
int avc_open(struct avc **ret_avc, const struct avc_image *images, uint32_t nimages, const struct avc_options *options,
	     char **ret_error);
/* All threads must have been freed.  NULL is fine. */
void avc_close(struct avc *avc);

/* Each thread that asks makes one for itself and frees it before it ends. */
struct avc_thread *avc_thread_new(struct avc *avc); /* NULL: no memory */
void avc_thread_free(struct avc_thread *thread);    /* NULL is fine */

/* ---- contexts and classes ---- */

/* -EINVAL: not a valid context under every policy; -ENOSPC: max_sids reached. */
int avc_context_to_sid(struct avc_thread *thread, const char *context, avc_sid *ret_sid);
/* The text as it was first given, good for the life of the cache; NULL for a
 * number that is no sid. */
const char *avc_sid_to_context(struct avc_thread *thread, avc_sid sid);

/* Numbers of names; 0 when there is none. */
uint32_t avc_class_id(const struct avc *avc, const char *name);
uint32_t avc_perm_bit(const struct avc *avc, uint32_t class_id, const char *name);

/* ---- checks ---- */

/* What the policies say together, cached. */
struct avc_decision {
	uint32_t allowed;    /* not refused: granted, or the type or the cache is permissive */
	uint32_t granted;    /* by rules */
	uint32_t auditallow; /* to be audited when granted */
	uint32_t auditdeny;  /* to be audited when not granted */
};

/* 0, or -EACCES when one of the requested permissions is refused.  The audit
 * callback runs before it returns, in this thread, and gets data; it may make
 * checks, but neither reload nor set booleans.  A sid, class or permission that is
 * none, or whose context a new policy finds invalid, is denied, and audited. */
int avc_has_perm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, uint32_t requested,
		 void *data);
/* The same without audit; ret_decision may be NULL. */
int avc_has_perm_noaudit(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
			 uint32_t requested, struct avc_decision *ret_decision);

/* For a permission that has numbered operations: requested (`ioctl`, `nlmsg`)
 * first, then the number within it. */
enum avc_xperm { AVC_IOCTL = 1, AVC_NLMSG = 2 };

int avc_has_xperm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, uint32_t requested,
		  enum avc_xperm kind, uint16_t number, void *data);

/* The context of a thing that source makes in target; name is its last path
 * component or NULL.  -EINVAL also when the policies do not agree on it. */
int avc_compute_create(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, const char *name,
		       avc_sid *ret_sid);

/* ---- changes ---- */

/* Other policies in place of those there are.  On failure nothing changes, and
 * ret_error is as for avc_open().  When it returns, nothing from before is left in the
 * cache or looked at, so checks that begin then are answered by the new policies; a
 * check that began before may have its answer already, and return or be audited a little
 * later.  Booleans get the defaults of the new policies.  Not from a callback. */
int avc_reload(struct avc *avc, const struct avc_image *images, uint32_t nimages, char **ret_error);

/* All at once, in each policy that has them.  -ENOENT and nothing changes when
 * no policy has one of them.  Returns as avc_reload() does. */
int avc_set_bools(struct avc *avc, const char *const *names, const bool *values, uint32_t n);
int avc_get_bool(struct avc_thread *thread, const char *name, bool *ret_value); /* of the first policy that has it */

void avc_set_permissive(struct avc *avc, bool permissive);

/* Grows with each change; for whoever keeps decisions of its own. */
uint64_t avc_generation(const struct avc *avc);

/* ---- watching ---- */

struct avc_stats {
	uint64_t lookups, misses; /* of all threads, ended ones as well; hits are the difference */
	uint64_t denials;         /* refused checks */
	uint64_t uncached;        /* misses that were not kept: another thread was changing the cache */
	uint32_t entries, slots;  /* of the cache of decisions now */
	uint32_t sids;
	uint32_t resets;          /* times that it was full */
	uint64_t generation;
};

void avc_stats(struct avc *avc, struct avc_stats *ret_stats);

enum avc_trace_format { AVC_TRACE_TEXT, AVC_TRACE_JSON };

/* While tracing is on each thread keeps its last checks in a ring of its own. */
void avc_trace(struct avc *avc, bool on);
/* Writes the checks made since the last call, thread by thread, the older first;
 * checks go on meanwhile.  What a ring could not hold is counted, a check that was
 * denied or has a number twice.  A time is that of the clock CLOCK_MONOTONIC, taken
 * for every 64th of those. */
int avc_trace_write(struct avc *avc, FILE *out, enum avc_trace_format format);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
