/* The cache's table under the locks that the study of 2004 compared with
 * read-copy-update: a spinlock, and a lock for many readers.  Here only to be
 * measured. */
#ifndef BENCH_LOCKED_H
#define BENCH_LOCKED_H

#include <pthread.h>
#include <stdint.h>

#include "avc/internal.h"

struct locked {
	const struct table *table;
	_Alignas(CACHE_LINE) pthread_spinlock_t spin;
	_Alignas(CACHE_LINE) pthread_rwlock_t rwlock;
};

/* Of a cache's decisions as they are now; it must not change meanwhile. */
void locked_init(struct locked *locked, const struct avc *avc);

/* As avc_has_perm() when the cache has the answer. */
int plain_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
		   uint32_t requested);
int spin_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
		  uint32_t requested);
int rwlock_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target,
		    uint32_t class_id, uint32_t requested);

#endif
