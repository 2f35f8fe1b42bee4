/* Checks: the path that every access takes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "avc/internal.h"
#include "base/buffer.h"
#include "ir/text.h"

#define likely(x) __builtin_expect(!!(x), 1)

static inline void count(_Atomic uint64_t *counter)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_relaxed);
}

static inline const struct table *present_table(struct table *const _Atomic *where)
{
	return atomic_load_explicit(where, memory_order_acquire);
}

/* A check, as its caller put it. */
struct request {
	avc_sid source, target;
	uint32_t class_id, requested;
	enum avc_xperm kind; /* with number, or 0 */
	int number;          /* or -1 */
	void *data;
};

/* ---- misses ---- */

static bool can_be_kept(const struct avc *avc, avc_sid source, avc_sid target, uint32_t class_id)
{
	return sids_text(&avc->sids, source) && sids_text(&avc->sids, target) && class_id &&
	       class_id <= avc->names.n;
}

/* With the lock.  A full cache begins anew: to find out which entries are worth
 * keeping, hits would have to write. */
static struct table *make_room(struct avc *avc, struct table *_Atomic *where)
{
	struct table *table = atomic_load_explicit(where, memory_order_relaxed), *other;

	if (table->n >= avc->max_entries) {
		other = table_new(table->mask + 1, table->rest_size);
		atomic_store_explicit(where, other, memory_order_release);
		avc->resets++;
		wait_for_sections(avc);
		table_free(table);
		tables_free(avc->retired);
		avc->retired = NULL;
		return other;
	}
	if (!table_full(table))
		return table;
	other = table_grown(table);
	atomic_store_explicit(where, other, memory_order_release);
	table->next = avc->retired;
	avc->retired = table;
	return other;
}

/* Of a view, if it is still the present one. */
struct entry {
	uint64_t generation;
	struct table_key key;
	const struct avc_decision *decision; /* or */
	const struct xperms *xperms;
};

static void keep_locked(struct avc *avc, const struct entry *entry)
{
	struct view *view = atomic_load_explicit(&avc->view, memory_order_relaxed);
	uint64_t pair = atomic_load_explicit(&entry->key.pair, memory_order_relaxed);
	struct table *table;

	if (view->generation != entry->generation)
		return;
	table = make_room(avc, entry->xperms ? &view->xperms : &view->decisions);
	if (table_find(table, pair, entry->key.key) != TABLE_NONE)
		return;
	if (entry->xperms)
		table_add(table, &entry->key, entry->xperms);
	else
		table_add(table, &entry->key, entry->decision);
}

/* Not kept while somebody else is changing the cache. */
static void keep(struct avc_thread *thread, const struct entry *entry)
{
	if (pthread_mutex_trylock(&thread->avc->lock)) {
		count(&thread->counts.uncached);
		return;
	}
	keep_locked(thread->avc, entry);
	pthread_mutex_unlock(&thread->avc->lock);
}

/* ---- the answer ---- */

static void tell(const struct avc_thread *thread, const struct request *check, uint32_t denied, bool refused)
{
	const struct avc *avc = thread->avc;
	const char *source = sids_text(&avc->sids, check->source), *target = sids_text(&avc->sids, check->target);
	bool known = check->class_id && check->class_id <= avc->names.n;
	struct avc_event event = {
		.source = source ? source : "", .target = target ? target : "",
		.class_name = known ? avc->names.at[check->class_id - 1].name : "",
		.source_sid = check->source, .target_sid = check->target, .class_id = check->class_id,
		.requested = check->requested, .denied = denied, .refused = refused, .number = check->number,
		.data = check->data,
	};

	avc->audit(avc->callback_data, &event);
}

static inline void trace(struct avc_thread *thread, const struct request *check, uint32_t denied, uint32_t flags)
{
#ifndef AVC_NO_TRACE
	struct ring *ring = atomic_load_explicit(&thread->ring, memory_order_acquire);

	if (likely(!ring))
		return;
	flags |= (denied ? TRACE_DENIED : 0) | (check->number >= 0 ? TRACE_NUMBER : 0);
	ring_put(ring, table_pair(check->source, check->target),
		 (uint64_t)check->requested << 32 | (check->class_id <= UINT16_MAX ? check->class_id << 16 : 0) | flags);
	if (flags & (TRACE_DENIED | TRACE_NUMBER))
		ring_put(ring, (uint64_t)denied << 32 | (check->number & 0xffff), TRACE_DETAIL);
#else
	(void)thread, (void)check, (void)denied, (void)flags;
#endif
}

/* What the decision means for the check; audited when asked for. */
static int conclude(struct avc_thread *thread, const struct request *check, const struct avc_decision *d, uint32_t flags,
		    bool audit)
{
	uint32_t denied = check->requested & ~d->granted;
	bool refused = (check->requested & ~d->allowed) != 0;
	uint32_t told = denied ? denied & d->auditdeny : check->requested & d->auditallow;

	if (refused)
		count(&thread->counts.denials);
	trace(thread, check, denied, flags | (refused ? TRACE_REFUSED : 0));
	if (audit && told && thread->avc->audit)
		tell(thread, check, denied, refused);
	return refused ? -EACCES : 0;
}

/* ---- permissions ---- */

static void keep_decision(struct avc_thread *thread, const struct request *check, uint64_t generation,
			  const struct avc_decision *decision)
{
	keep(thread, &(struct entry){
		.generation = generation, .decision = decision,
		.key = {table_pair(check->source, check->target), check->class_id, decision->granted & ~decision->auditallow},
	});
}

/* About numbers that are none: nothing is granted. */
static uint32_t decide_nothing(const struct avc *avc, struct avc_decision *ret)
{
	section_begin();
	*ret = (struct avc_decision){
		.allowed = present_view(avc)->permissive ? UINT32_MAX : 0, .auditdeny = UINT32_MAX,
	};
	section_end(avc);
	return TRACE_MISS;
}

/* Not in the cache: the result is a flag for the trace. */
static uint32_t decide(struct avc_thread *thread, const struct request *check, struct avc_decision *ret)
{
	struct avc *avc = thread->avc;
	const struct view *view;
	uint64_t generation;

	count(&thread->counts.misses);
	if (!can_be_kept(avc, check->source, check->target, check->class_id))
		return decide_nothing(avc, ret);
	section_begin();
	view = present_view(avc);
	generation = view->generation;
	view_decide(view, check->source, check->target, check->class_id, ret);
	section_end(avc);
	keep_decision(thread, check, generation, ret);
	return TRACE_MISS;
}

static uint32_t look_up(struct avc_thread *thread, const struct request *check, struct avc_decision *ret)
{
	const struct table *table;
	uint32_t i;

	count(&thread->counts.lookups);
	section_begin();
	table = present_table(&present_view(thread->avc)->decisions);
	i = table_find(table, table_pair(check->source, check->target), check->class_id);
	if (i != TABLE_NONE)
		*ret = *table_decision(table, i);
	section_end(thread->avc);
	return i != TABLE_NONE ? 0 : decide(thread, check, ret);
}

int avc_has_perm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, uint32_t requested,
		 void *data)
{
	const struct request check = {source, target, class_id, requested, 0, -1, data};
	struct avc_decision decision;
	const struct table *table;
	uint32_t i, flags = 0;
	bool quiet;

	count(&thread->counts.lookups);
	section_begin();
	table = present_table(&present_view(thread->avc)->decisions);
	i = table_find(table, table_pair(source, target), class_id);
	quiet = i != TABLE_NONE && !(requested & ~table->keys[i].quiet);
	if (!quiet && i != TABLE_NONE)
		decision = *table_decision(table, i);
	section_end(thread->avc);
	if (likely(quiet)) {
		trace(thread, &check, 0, 0);
		return 0;
	}
	if (i == TABLE_NONE)
		flags = decide(thread, &check, &decision);
	return conclude(thread, &check, &decision, flags, true);
}

int avc_has_perm_noaudit(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
			 uint32_t requested, struct avc_decision *ret_decision)
{
	const struct request check = {source, target, class_id, requested, 0, -1, NULL};
	struct avc_decision decision;
	uint32_t flags = look_up(thread, &check, &decision);

	if (ret_decision)
		*ret_decision = decision;
	return conclude(thread, &check, &decision, flags, false);
}

/* ---- extended permissions ---- */

static void keep_xperms(struct avc_thread *thread, const struct request *check, uint64_t generation,
			const struct xperms *xperms)
{
	keep(thread, &(struct entry){
		.generation = generation, .xperms = xperms,
		.key = {table_pair(check->source, check->target),
			xperm_key(check->class_id, check->kind, (uint8_t)(check->number >> 8)), 0},
	});
}

/* Another value must not become a part of a key: it would meet an entry of these. */
static bool kind_known(enum avc_xperm kind)
{
	return kind == AVC_IOCTL || kind == AVC_NLMSG;
}

/* The permission and the functions of its driver, both from one view. */
static uint32_t decide_driver(struct avc_thread *thread, const struct request *check, struct avc_decision *ret,
			      struct xperms *ret_xperms)
{
	struct avc *avc = thread->avc;
	const struct view *view;
	uint64_t generation;

	count(&thread->counts.misses);
	memset(ret_xperms, 0, sizeof *ret_xperms);
	if (!kind_known(check->kind) || !can_be_kept(avc, check->source, check->target, check->class_id)) {
		memset(ret_xperms->allowed, 0xff, sizeof ret_xperms->allowed); /* the decision has the say */
		return decide_nothing(avc, ret);
	}
	section_begin();
	view = present_view(avc);
	generation = view->generation;
	view_decide(view, check->source, check->target, check->class_id, ret);
	view_decide_xperms(view, check->source, check->target, check->class_id, check->kind,
			   (uint8_t)(check->number >> 8), ret_xperms);
	section_end(avc);
	keep_decision(thread, check, generation, ret);
	keep_xperms(thread, check, generation, ret_xperms);
	return TRACE_MISS;
}

/* The decision on the permission, narrowed to the one number: as the kernel's
 * avc_has_extended_perms(). */
static void narrow(const struct xperms *xperms, const struct request *check, struct avc_decision *d)
{
	uint8_t function = (uint8_t)check->number;

	if (!xperm_test(xperms->granted, function))
		d->granted &= ~check->requested;
	if (!xperm_test(xperms->allowed, function))
		d->allowed &= ~check->requested;
	if (xperms->ruled && !xperm_test(xperms->auditallow, function))
		d->auditallow &= ~check->requested;
	if (xperms->ruled && xperm_test(xperms->dontaudit, function))
		d->auditdeny &= ~check->requested;
}

/* Both are looked up in one section, so that they are of one view. */
static bool look_up_both(struct avc_thread *thread, const struct request *check, struct avc_decision *ret,
			 struct xperms *ret_xperms)
{
	uint64_t pair = table_pair(check->source, check->target);
	const struct table *decisions, *xperms;
	const struct view *view;
	uint32_t i, j;

	section_begin();
	view = present_view(thread->avc);
	decisions = present_table(&view->decisions);
	xperms = present_table(&view->xperms);
	i = table_find(decisions, pair, check->class_id);
	j = table_find(xperms, pair, xperm_key(check->class_id, check->kind, (uint8_t)(check->number >> 8)));
	if (i != TABLE_NONE && j != TABLE_NONE) {
		*ret = *table_decision(decisions, i);
		*ret_xperms = *table_xperms(xperms, j);
	}
	section_end(thread->avc);
	return i != TABLE_NONE && j != TABLE_NONE;
}

int avc_has_xperm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, uint32_t requested,
		  enum avc_xperm kind, uint16_t number, void *data)
{
	const struct request check = {source, target, class_id, requested, kind, number, data};
	struct avc_decision decision;
	struct xperms xperms;
	uint32_t flags = 0;

	count(&thread->counts.lookups);
	if (!kind_known(kind) || !look_up_both(thread, &check, &decision, &xperms))
		flags = decide_driver(thread, &check, &decision, &xperms);
	narrow(&xperms, &check, &decision);
	return conclude(thread, &check, &decision, flags, true);
}
