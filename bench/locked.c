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
	uint32_t i = table_find(table, table_pair(source, target), class_id);

	atomic_store_explicit(&thread->counts.lookups,
			      atomic_load_explicit(&thread->counts.lookups, memory_order_relaxed) + 1, memory_order_relaxed);
	return i != TABLE_NONE && !(requested & ~table->keys[i].quiet) ? 0 : -EACCES;
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
