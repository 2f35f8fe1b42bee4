#include "bench/locked.h"

#include <errno.h>

void locked_init(struct locked *locked, const struct avc *avc)
{
	const struct view *view = atomic_load(&avc->view);

	locked->table = atomic_load(&view->decisions);
	pthread_spin_init(&locked->spin, PTHREAD_PROCESS_PRIVATE);
	pthread_rwlock_init(&locked->rwlock, NULL);
}

static inline int look_up(const struct table *table, struct avc_thread *thread, avc_sid source, avc_sid target,
			  uint32_t class_id, uint32_t requested)
{
	atomic_store_explicit(&thread->counts.lookups,
			      atomic_load_explicit(&thread->counts.lookups, memory_order_relaxed) + 1, memory_order_relaxed);
	return table_rest(table, table_pair(source, target), class_id, requested) ? -EACCES : 0;
}

int plain_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
		   uint32_t requested)
{
	return look_up(locked->table, thread, source, target, class_id, requested);
}

int spin_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
		  uint32_t requested)
{
	int error;

	pthread_spin_lock(&locked->spin);
	error = look_up(locked->table, thread, source, target, class_id, requested);
	pthread_spin_unlock(&locked->spin);
	return error;
}

int rwlock_has_perm(struct locked *locked, struct avc_thread *thread, avc_sid source, avc_sid target,
		    uint32_t class_id, uint32_t requested)
{
	int error;

	pthread_rwlock_rdlock(&locked->rwlock);
	error = look_up(locked->table, thread, source, target, class_id, requested);
	pthread_rwlock_unlock(&locked->rwlock);
	return error;
}
