/* The parts of the cache.  Private to avc/.
 *
 * A view is all that a check is answered from: policies with the states of
 * their booleans, and the tables of what they said.  Checks find the present view
 * through one pointer, inside a read-side critical section of RCU; a change
 * makes another view and frees the old one when no check can still see it.  So
 * a check meets one set of policies, and a view's tables hold its answers only.
 *
 * Whoever changes anything shared holds avc->lock.  A check that misses only
 * tries for it: when it is taken, the answer is not kept, this once. */
#ifndef AVC_INTERNAL_H
#define AVC_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

/* The small functions of the read side are meant to be inlined in code whose
 * licence goes with the LGPL, as ours does.  UndefinedBehaviorSanitizer would
 * find in them that liburcu does not align what it says it aligns. */
#ifndef AVC_CALL_URCU
#define _LGPL_SOURCE
#endif
#include <urcu/urcu-bp.h>

#if defined(__SANITIZE_THREAD__)
#define AVC_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AVC_TSAN
#endif
#endif
#ifdef AVC_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#include "avc/policy-avc.h"
#include "base/diag.h"
#include "ir/policy.h"
#include "security/decide.h"
#include "security/security.h"

enum { CACHE_LINE = 64 };

/* ---- tables: decisions by (source, target, class and more) ---- */

/* What most checks want to know is with the key, four keys in a line of the
 * processor's cache; the rest of an entry stands in an array beside them.  The
 * pair is stored last, and an entry never changes while its table is in use. */
struct table_key {
	_Atomic uint64_t pair; /* source sid << 32 | target sid; 0: free */
	uint32_t key;          /* class | more << 16 */
	uint32_t noisy;        /* not granted, or to be audited: a check for others has its answer */
};

/* The rest of entries about extended permissions: of one driver's functions. */
struct xperms {
	bool ruled; /* some rule is about the driver */
	uint32_t allowed[8], granted[8], auditallow[8], dontaudit[8];
};

/* At most half full.  All of it is one mapping. */
struct table {
	uint32_t n;         /* used */
	uint32_t mask;      /* number of keys - 1 */
	uint32_t rest_size; /* bytes of struct avc_decision or struct xperms */
	unsigned char *rests;
	void *mapping;
	size_t size;        /* of the mapping */
	struct table *next; /* in a list of tables out of use */
	_Alignas(CACHE_LINE) struct table_key keys[];
};

#define TABLE_NONE UINT32_MAX

struct table *table_new(uint32_t slots, uint32_t rest_size); /* slots: a power of two */
void table_free(struct table *table);
void tables_free(struct table *list);
struct table *table_grown(const struct table *table); /* another of twice the size with the same entries */
bool table_full(const struct table *table);
/* Copies the entry in; its key is not there yet and there is room. */
void table_add(struct table *table, const struct table_key *key, const void *rest);

static inline uint64_t table_pair(avc_sid source, avc_sid target)
{
	return (uint64_t)source << 32 | target;
}

static inline uint32_t xperm_key(uint32_t class_id, enum avc_xperm kind, uint8_t driver)
{
	return class_id | (uint32_t)kind << 24 | (uint32_t)driver << 16;
}

/* Odd constants with bits well mixed.  The upper half of the product depends on
 * all of the target, and its low bits on the low bits of the source: sids are
 * given out one after the other, and those of one run get places of their own. */
static inline uint32_t table_start(const struct table *table, uint64_t pair, uint32_t key)
{
	uint64_t mixed = (pair ^ key * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);

	return (uint32_t)(mixed >> 32) & table->mask;
}

/* The number of the entry, or TABLE_NONE; also for the pair 0, which is no entry's. */
static inline uint32_t table_find(const struct table *table, uint64_t pair, uint32_t key)
{
	for (uint32_t i = table_start(table, pair, key);; i = (i + 1) & table->mask) {
		uint64_t there = atomic_load_explicit(&table->keys[i].pair, memory_order_acquire);

		if (there == pair && table->keys[i].key == key)
			return pair ? i : TABLE_NONE;
		if (!there)
			return TABLE_NONE;
	}
}

/* Of what is asked for, what an entry does not simply grant: 0 is the answer of most
 * checks, all bits that there is no entry.  The pair is looked at first: a free
 * entry may be about to be filled. */
static inline uint32_t table_rest(const struct table *table, uint64_t pair, uint32_t key, uint32_t requested)
{
	for (uint32_t i = table_start(table, pair, key);; i = (i + 1) & table->mask) {
		const struct table_key *at = &table->keys[i];
		uint64_t there = atomic_load_explicit(&at->pair, memory_order_acquire);

		if (__builtin_expect(!there, 0))
			return UINT32_MAX;
		if (there == pair && at->key == key)
			return requested & at->noisy;
	}
}

static inline const struct avc_decision *table_decision(const struct table *table, uint32_t i)
{
	return (const struct avc_decision *)(const void *)table->rests + i;
}

static inline const struct xperms *table_xperms(const struct table *table, uint32_t i)
{
	return (const struct xperms *)(const void *)table->rests + i;
}

/* ---- sids: texts by number ---- */

enum { SID_CHUNK = 1024, SID_CHUNKS = 4096 };

struct sid_index; /* by text */

struct sids {
	struct arena arena;
	_Atomic uint32_t n;                         /* sids are 1 .. n */
	uint32_t max;
	const char **_Atomic chunks[SID_CHUNKS];    /* the text of sid s: chunks[s / SID_CHUNK][s % SID_CHUNK] */
	struct sid_index *_Atomic index;
	struct sid_index *retired;                  /* smaller ones, until the end */
};

void sids_init(struct sids *sids, uint32_t max);
void sids_free(struct sids *sids);
avc_sid sids_find(const struct sids *sids, const char *text, size_t len); /* or 0; from any thread */
const char *sids_text(const struct sids *sids, avc_sid sid);              /* or NULL; from any thread */
/* The number that the next text will have, 0 when there is no room. */
avc_sid sids_next(const struct sids *sids);
void sids_add(struct sids *sids, const char *text, size_t len); /* with the lock; as sids_next() */

/* ---- engines: one policy each ---- */

/* A class of the cache in the policy. */
struct class_map {
	uint32_t value;               /* 0: the policy does not have it */
	uint32_t nperms;
	uint32_t all;                 /* permissions of the cache */
	uint32_t unknown;             /* permissions of the cache that it does not have */
	uint32_t perms[AVC_MAX_PERMS]; /* by bit of the cache: the policy's mask, or 0 */
	bool same;                    /* all are the same bits */
};

struct engine_context {
	bool valid;
	struct policy_context context;
};

struct engine {
	uint32_t refs; /* views; with the lock */
	struct policy *policy;
	struct security *security;
	struct decider *decider;
	struct class_map *classes; /* by class of the cache - 1 */
	struct engine_context *_Atomic chunks[SID_CHUNKS]; /* by sid, as in struct sids */
};

/* What the cache calls classes and permissions. */
struct class_names {
	struct arena arena;
	struct avc_class *at;
	uint32_t n;
};

void class_names_copy(struct class_names *names, const struct avc_class *classes, uint32_t n);
void class_names_of(struct class_names *names, const struct policy *policy);

/* Reads the image and finds the classes; NULL after an error was recorded. */
struct engine *engine_new(const struct avc_image *image, struct diags *diags);
bool engine_map(struct engine *engine, const struct class_names *names, const char *path, struct diags *diags);
void engine_free(struct engine *engine);
/* Reads the context of a sid; false when it is not valid. */
bool engine_add_context(struct engine *engine, avc_sid sid, const char *text);
const struct engine_context *engine_context(const struct engine *engine, avc_sid sid); /* or NULL: not valid */

/* ---- views ---- */

struct view_policy {
	struct engine *engine;
	struct bool_state *bools;
};

struct view {
	struct table *_Atomic decisions;
	struct table *_Atomic xperms;
	uint64_t generation;
	bool permissive;
	uint32_t n;
	struct view_policy at[AVC_MAX_POLICIES];
};

void view_free(struct view *view); /* with its tables and, when nobody else has them, its engines */
/* Of sids and classes that there are. */
void view_decide(const struct view *view, avc_sid source, avc_sid target, uint32_t class_id, struct avc_decision *ret);
void view_decide_xperms(const struct view *view, avc_sid source, avc_sid target, uint32_t class_id,
			enum avc_xperm kind, uint8_t driver, struct xperms *ret);

/* ---- trace ---- */

/* A check, to be written in no time.  When there is more to say an event with
 * TRACE_DETAIL follows, whose first word is denied << 32 | number. */
struct trace_event {
	_Atomic uint64_t pair;      /* as in the table */
	_Atomic uint32_t what;      /* class | flags */
	_Atomic uint32_t requested;
};

enum {
	TRACE_REFUSED = 1 << 16, TRACE_MISS = 1 << 17, TRACE_DENIED = 1 << 18, TRACE_NUMBER = 1 << 19,
	TRACE_DETAIL = 1 << 20,
};

/* Events that share a time, and their bytes: a block begins at a multiple of these. */
enum { TRACE_BLOCK = 64, TRACE_BLOCK_SIZE = TRACE_BLOCK * sizeof(struct trace_event) };

/* Written by its thread alone, read by whoever holds the lock. */
struct ring {
	struct trace_event *_Atomic next; /* where the next event goes, or the end of a block */
	_Atomic uint64_t blocks;          /* ever begun */
	struct trace_event *events;       /* NULL: never traced */
	_Atomic uint64_t *times;          /* by block */
	uint32_t mask;                    /* number of blocks - 1 */
	uint64_t tail;                    /* events read; with the lock */
};

void ring_init(struct ring *ring, uint32_t events); /* a power of two, at least two blocks */
void ring_free(struct ring *ring);
/* The same for the first event of a block. */
void ring_begin_block(struct ring *ring, uint64_t pair, uint32_t what, uint32_t requested);

static inline struct trace_event *ring_next(const struct ring *ring)
{
	return atomic_load_explicit(&ring->next, memory_order_relaxed);
}

static inline bool event_begins_block(const struct trace_event *event)
{
	return (uintptr_t)event % TRACE_BLOCK_SIZE == 0;
}

/* At ring_next(), within a block.  Whoever reads a word of an event sees that the one
 * before it has been put in: so a reader notices what was written over meanwhile. */
static inline void ring_put(struct ring *ring, struct trace_event *event, uint64_t pair, uint32_t what, uint32_t requested)
{
	atomic_store_explicit(&event->pair, pair, memory_order_release);
	atomic_store_explicit(&event->what, what, memory_order_release);
	atomic_store_explicit(&event->requested, requested, memory_order_release);
	atomic_store_explicit(&ring->next, event + 1, memory_order_release);
}

/* ---- the whole ---- */

struct counts {
	_Atomic uint64_t lookups, misses, denials, uncached;
};

/* Nothing of another thread's is on its lines. */
struct avc_thread {
	_Alignas(CACHE_LINE) struct avc *avc;
	_Atomic uintptr_t untraced; /* all bits, or 0 while tracing is on */
	struct counts counts;       /* written by the thread alone */
	struct ring ring;
	struct avc_thread *next, **link;
	uint32_t id;
};

struct avc {
	/* What checks read, and nobody writes but for a change. */
	struct view *_Atomic view;
	struct class_names names;
	avc_audit audit;
	avc_changed changed;
	void *callback_data;
	uint32_t max_entries, trace_events;

	_Alignas(CACHE_LINE) pthread_mutex_t lock;
	struct sids sids;
	struct avc_thread *threads;
	struct table *retired; /* tables that checks may still see; together smaller than the present ones */
	uint64_t ended[4];     /* counts of threads that ended, as in struct counts */
	uint32_t resets, thread_ids;
	bool tracing;
};

/* A section, in which a thread may look at what the present view leads to, and
 * the wait until all sections are over that have begun.  ThreadSanitizer does not
 * see the one happen before the other, so it is told. */
static inline void section_begin(void)
{
	urcu_bp_read_lock();
}

static inline void section_end(const struct avc *avc)
{
#ifdef AVC_TSAN
	__tsan_release((void *)(uintptr_t)avc);
#endif
	(void)avc;
	urcu_bp_read_unlock();
}

static inline void wait_for_sections(const struct avc *avc)
{
	urcu_bp_synchronize_rcu();
#ifdef AVC_TSAN
	__tsan_acquire((void *)(uintptr_t)avc);
#endif
	(void)avc;
}

/* In a section. */
static inline struct view *present_view(const struct avc *avc)
{
	return atomic_load_explicit(&avc->view, memory_order_acquire);
}

#endif
