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
static bool keep(struct avc *avc, const struct entry *entry)
{
	if (pthread_mutex_trylock(&avc->lock))
		return false;
	keep_locked(avc, entry);
	pthread_mutex_unlock(&avc->lock);
	return true;
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

static inline uintptr_t untraced(const struct avc_thread *thread)
{
#ifdef AVC_NO_TRACE
	(void)thread;
	return UINTPTR_MAX;
#else
	return atomic_load_explicit(&thread->untraced, memory_order_acquire);
#endif
}

static inline void put_event(struct ring *ring, uint64_t pair, uint32_t what, uint32_t requested)
{
	struct trace_event *event = ring_next(ring);

	if (event_begins_block(event))
		ring_begin_block(ring, pair, what, requested);
	else
		ring_put(ring, event, pair, what, requested);
}

static void trace(struct avc_thread *thread, const struct request *check, uint32_t denied, uint32_t flags)
{
	uint32_t class_id = check->class_id <= UINT16_MAX ? check->class_id : 0;

	if (untraced(thread))
		return;
	flags |= (denied ? TRACE_DENIED : 0) | (check->number >= 0 ? TRACE_NUMBER : 0);
	put_event(&thread->ring, table_pair(check->source, check->target), class_id | flags, check->requested);
	if (flags & (TRACE_DENIED | TRACE_NUMBER))
		put_event(&thread->ring, (uint64_t)denied << 32 | (check->number & 0xffff), TRACE_DETAIL, 0);
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

static bool keep_decision(const struct avc_thread *thread, const struct request *check, uint64_t generation,
			  const struct avc_decision *decision)
{
	return keep(thread->avc, &(struct entry){
		.generation = generation, .decision = decision,
		.key = {table_pair(check->source, check->target), check->class_id, ~decision->granted | decision->auditallow},
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
	if (!keep_decision(thread, check, generation, ret))
		count(&thread->counts.uncached);
	return TRACE_MISS;
}

static uint32_t look_up(struct avc_thread *thread, const struct request *check, struct avc_decision *ret)
{
	const struct table *table;
	uint32_t i;

	section_begin();
	table = present_table(&present_view(thread->avc)->decisions);
	i = table_find(table, table_pair(check->source, check->target), check->class_id);
	if (i != TABLE_NONE)
		*ret = *table_decision(table, i);
	section_end(thread->avc);
	return i != TABLE_NONE ? 0 : decide(thread, check, ret);
}

/* The rest of a check that was looked up in vain. */
__attribute__((noinline)) static int has_perm(struct avc_thread *thread, uint64_t pair, uint32_t class_id,
					      uint32_t requested, void *data)
{
	const struct request check = {(avc_sid)(pair >> 32), (avc_sid)pair, class_id, requested, 0, -1, data};
	struct avc_decision decision;
	uint32_t flags = look_up(thread, &check, &decision);

	return conclude(thread, &check, &decision, flags, true);
}

/* ---- the fast path ---- */

/* It calls nothing, so that it saves few registers; what is left to do is begun
 * anew elsewhere. */

/* Whether the thread has been in a section before: the first one makes it known to
 * liburcu, which is a call. */
static inline bool is_known(void)
{
#ifdef _LGPL_SOURCE
	return URCU_TLS(urcu_bp_reader) != NULL;
#else
	return true;
#endif
}

/* Known and not traced, in one test. */
static inline bool is_plain(const struct avc_thread *thread)
{
#ifdef _LGPL_SOURCE
	return ((uintptr_t)URCU_TLS(urcu_bp_reader) & untraced(thread)) != 0;
#else
	return untraced(thread) != 0;
#endif
}

/* What the cache does not simply grant to a thread that is known. */
static inline uint32_t look_for_rest(const struct avc_thread *thread, uint64_t pair, uint32_t class_id, uint32_t requested)
{
	uint32_t rest;

	if (!is_known())
		__builtin_unreachable(); /* leaves the call out */
	section_begin();
	rest = table_rest(present_table(&present_view(thread->avc)->decisions), pair, class_id, requested);
	section_end(thread->avc);
	return rest;
}

__attribute__((noinline)) static int trace_first(struct ring *ring, uint64_t pair, uint32_t class_id, uint32_t requested)
{
	ring_begin_block(ring, pair, class_id, requested);
	return 0;
}

static inline int trace_granted(struct ring *ring, uint64_t pair, uint32_t class_id, uint32_t requested)
{
	struct trace_event *event = ring_next(ring);

	if (!likely(!event_begins_block(event)))
		return trace_first(ring, pair, class_id, requested);
	ring_put(ring, event, pair, class_id, requested);
	return 0;
}

/* The check that an object manager makes all the time: all that is asked for is
 * granted, and nothing of it to be audited. */
int avc_has_perm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, uint32_t requested,
		 void *data)
{
	uint64_t pair = table_pair(source, target);

	count(&thread->counts.lookups);
	if (likely(is_plain(thread))) {
		if (likely(!look_for_rest(thread, pair, class_id, requested)))
			return 0;
	} else if (is_known()) {
		if (likely(!look_for_rest(thread, pair, class_id, requested)))
			return trace_granted(&thread->ring, pair, class_id, requested);
	}
	return has_perm(thread, pair, class_id, requested, data);
}

/* ---- the others ---- */

int avc_has_perm_noaudit(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
			 uint32_t requested, struct avc_decision *ret_decision)
{
	const struct request check = {source, target, class_id, requested, 0, -1, NULL};
	struct avc_decision decision;
	uint32_t flags;

	count(&thread->counts.lookups);
	flags = look_up(thread, &check, &decision);
	if (ret_decision)
		*ret_decision = decision;
	return conclude(thread, &check, &decision, flags, false);
}

/* ---- extended permissions ---- */

static bool keep_xperms(const struct avc_thread *thread, const struct request *check, uint64_t generation,
			const struct xperms *xperms)
{
	return keep(thread->avc, &(struct entry){
		.generation = generation, .xperms = xperms,
		.key = {table_pair(check->source, check->target),
			xperm_key(check->class_id, check->kind, (uint8_t)(check->number >> 8)), UINT32_MAX},
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
	if (!keep_decision(thread, check, generation, ret) || !keep_xperms(thread, check, generation, ret_xperms))
		count(&thread->counts.uncached);
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
