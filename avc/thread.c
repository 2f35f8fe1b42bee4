/* What belongs to threads: counts and trace rings. */
#include <stdlib.h>
#include <string.h>

#include "avc/internal.h"

enum { COUNTS = 4 };

static uint64_t load(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void add_counts(uint64_t sum[COUNTS], const struct counts *counts)
{
	sum[0] += load(&counts->lookups);
	sum[1] += load(&counts->misses);
	sum[2] += load(&counts->denials);
	sum[3] += load(&counts->uncached);
}

/* With the lock. */
static void set_traced(struct avc_thread *thread, bool on)
{
	if (on && !thread->ring.events)
		ring_init(&thread->ring, thread->avc->trace_events);
	atomic_store_explicit(&thread->untraced, on ? 0 : UINTPTR_MAX, memory_order_release);
}

struct avc_thread *avc_thread_new(struct avc *avc)
{
	struct avc_thread *thread = aligned_alloc(CACHE_LINE, sizeof *thread);

	if (!thread)
		return NULL;
	memset(thread, 0, sizeof *thread);
	thread->avc = avc;
	pthread_mutex_lock(&avc->lock);
	thread->id = ++avc->thread_ids;
	thread->next = avc->threads;
	thread->link = &avc->threads;
	if (thread->next)
		thread->next->link = &thread->next;
	avc->threads = thread;
	set_traced(thread, avc->tracing);
	pthread_mutex_unlock(&avc->lock);
	return thread;
}

void avc_thread_free(struct avc_thread *thread)
{
	if (!thread)
		return;
	pthread_mutex_lock(&thread->avc->lock);
	*thread->link = thread->next;
	if (thread->next)
		thread->next->link = thread->link;
	add_counts(thread->avc->ended, &thread->counts);
	pthread_mutex_unlock(&thread->avc->lock);
	ring_free(&thread->ring);
	free(thread);
}

void avc_stats(struct avc *avc, struct avc_stats *ret_stats)
{
	const struct table *table;
	const struct view *view;
	uint64_t sum[COUNTS];

	pthread_mutex_lock(&avc->lock);
	memcpy(sum, avc->ended, sizeof sum);
	for (const struct avc_thread *thread = avc->threads; thread; thread = thread->next)
		add_counts(sum, &thread->counts);
	view = atomic_load_explicit(&avc->view, memory_order_relaxed);
	table = atomic_load_explicit(&view->decisions, memory_order_relaxed);
	*ret_stats = (struct avc_stats){
		.lookups = sum[0], .misses = sum[1], .denials = sum[2], .uncached = sum[3],
		.entries = table->n, .slots = table->mask + 1, .sids = atomic_load_explicit(&avc->sids.n, memory_order_relaxed),
		.resets = avc->resets, .generation = view->generation,
	};
	pthread_mutex_unlock(&avc->lock);
}

void avc_trace(struct avc *avc, bool on)
{
	pthread_mutex_lock(&avc->lock);
	avc->tracing = on;
	for (struct avc_thread *thread = avc->threads; thread; thread = thread->next)
		set_traced(thread, on);
	pthread_mutex_unlock(&avc->lock);
}
