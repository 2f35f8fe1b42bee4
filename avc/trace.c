/* Rings of checks: written by their threads without waiting, copied while they
 * are written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "avc/internal.h"
#include "base/buffer.h"
#include "base/json_out.h"
#include "base/memory.h"
#include "base/vec.h"
#include "ir/text.h"

void ring_init(struct ring *ring, uint32_t events)
{
	size_t size = events * sizeof *ring->events;

	ring->events = aligned_alloc(TRACE_BLOCK_SIZE, size);
	if (!ring->events)
		mem_exhausted();
	memset(ring->events, 0, size);
	ring->times = mem_zalloc(events / TRACE_BLOCK, sizeof *ring->times);
	ring->mask = events / TRACE_BLOCK - 1;
	atomic_store_explicit(&ring->next, ring->events, memory_order_relaxed);
}

void ring_free(struct ring *ring)
{
	free(ring->events);
	free((void *)ring->times);
}

void ring_begin_block(struct ring *ring, uint64_t pair, uint32_t what, uint32_t requested)
{
	uint64_t blocks = atomic_load_explicit(&ring->blocks, memory_order_relaxed), block = blocks & ring->mask;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	atomic_store_explicit(&ring->times[block], (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
			      memory_order_release);
	atomic_store_explicit(&ring->blocks, blocks + 1, memory_order_release);
	ring_put(ring, ring->events + block * TRACE_BLOCK, pair, what, requested);
}

/* ---- copying ---- */

struct trace_record {
	uint32_t thread;
	bool event;
	uint64_t lost; /* when it is none: how many before the next were overwritten */
	uint64_t time; /* nanoseconds; when its block of events began */
	uint64_t pair; /* and so on: as in struct trace_event */
	uint32_t what, requested;
};

typedef VEC(struct trace_record) trace_records;

static uint64_t load(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_acquire);
}

static uint32_t load32(const _Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_acquire);
}

/* Events ever put in.  While a block is being begun the pointer may still be at the
 * end of the one before. */
static uint64_t ring_head(const struct ring *ring)
{
	uint64_t blocks, at, before, into;

	do {
		blocks = load(&ring->blocks);
		at = (uint64_t)(atomic_load_explicit(&ring->next, memory_order_acquire) - ring->events);
	} while (blocks != load(&ring->blocks));
	if (!blocks)
		return 0;
	before = (blocks - 1) * TRACE_BLOCK;
	into = at - ((blocks - 1) & ring->mask) * TRACE_BLOCK;
	return before + (into <= TRACE_BLOCK ? into : 0);
}

static uint64_t ring_size(const struct ring *ring)
{
	return ((uint64_t)ring->mask + 1) * TRACE_BLOCK;
}

static const struct trace_event *ring_event(const struct ring *ring, uint64_t i)
{
	return &ring->events[i % ring_size(ring)];
}

static struct trace_record read_event(const struct ring *ring, uint32_t thread, uint64_t i)
{
	const struct trace_event *event = ring_event(ring, i);

	return (struct trace_record){
		.thread = thread, .event = true, .time = load(&ring->times[i / TRACE_BLOCK & ring->mask]),
		.pair = load(&event->pair), .what = load32(&event->what), .requested = load32(&event->requested),
	};
}

/* The oldest event that the thread, at head, is not yet writing over.  A block's
 * time goes when its first event does. */
static uint64_t oldest(const struct ring *ring, uint64_t head)
{
	return head < ring_size(ring) ? 0 : (head - ring_size(ring)) / TRACE_BLOCK * TRACE_BLOCK + TRACE_BLOCK;
}

/* Where the whole checks end that are before head: the thread may be about to put
 * in the detail of the last one. */
static uint64_t whole_end(const struct ring *ring, uint64_t head)
{
	uint32_t what = head > ring->tail ? load32(&ring_event(ring, head - 1)->what) : TRACE_DETAIL;

	return what & (TRACE_DENIED | TRACE_NUMBER) && !(what & TRACE_DETAIL) ? head - 1 : head;
}

/* What was read and may have been overwritten meanwhile is given up. */
static void copy_ring(struct ring *ring, uint32_t thread, trace_records *ret)
{
	uint64_t head = whole_end(ring, ring_head(ring)), first = oldest(ring, head), kept;
	uint32_t begin = ret->n;

	if (first < ring->tail)
		first = ring->tail;
	*vec_push(ret) = (struct trace_record){.thread = thread};
	for (uint64_t i = first; i < head; i++)
		*vec_push(ret) = read_event(ring, thread, i);
	kept = oldest(ring, ring_head(ring));
	if (kept < first)
		kept = first;
	if (kept > head)
		kept = head;
	for (uint64_t i = kept; i < head; i++)
		ret->at[begin + 1 + (i - kept)] = ret->at[begin + 1 + (i - first)];
	ret->at[begin].lost = kept - ring->tail;
	ret->n = begin + 1 + (uint32_t)(head - kept);
	ring->tail = head;
}

/* ---- writing ---- */

static void put_perms(struct buffer *b, const struct avc_class *class, uint32_t perms)
{
	text_put(b, "{");
	for (uint32_t i = 0; class && i < AVC_MAX_PERMS && class->perms[i]; i++)
		if (perms >> i & 1)
			text_printf(b, " %s", class->perms[i]);
	text_put(b, " }");
}

/* An event and its detail, in words. */
struct trace_line {
	const struct trace_record *record;
	const char *source, *target, *outcome;
	const struct avc_class *class; /* NULL: there is none of that number */
	uint32_t requested, denied, flags, number;
};

static const char *text_or_unknown(const char *text)
{
	return text ? text : "?";
}

static struct trace_line line_of(const struct avc *avc, const struct trace_record *record,
				 const struct trace_record *detail)
{
	uint32_t class_id = record->what & 0xffff;
	struct trace_line line = {
		.record = record, .requested = record->requested, .flags = record->what,
		.source = text_or_unknown(sids_text(&avc->sids, (avc_sid)(record->pair >> 32))),
		.target = text_or_unknown(sids_text(&avc->sids, (avc_sid)record->pair)),
		.class = class_id && class_id <= avc->names.n ? &avc->names.at[class_id - 1] : NULL,
	};

	if (detail) {
		line.denied = (uint32_t)(detail->pair >> 32);
		line.number = detail->pair & 0xffff;
	}
	line.outcome = line.flags & TRACE_REFUSED ? "refused" : line.denied ? "permissive" : "granted";
	return line;
}

static void put_text(struct buffer *b, const struct trace_line *line)
{
	text_printf(b, "%u.%09u thread %u %s %s %s %s ", (unsigned)(line->record->time / 1000000000),
		    (unsigned)(line->record->time % 1000000000), line->record->thread, line->outcome, line->source,
		    line->target, line->class ? line->class->name : "?");
	put_perms(b, line->class, line->requested);
	if (line->flags & TRACE_NUMBER)
		text_printf(b, " 0x%x", line->number);
	if (line->denied) {
		text_put(b, " denied ");
		put_perms(b, line->class, line->denied);
	}
	text_put(b, line->flags & TRACE_MISS ? " miss\n" : "\n");
}

static json_t *perms_json(const struct avc_class *class, uint32_t perms)
{
	json_t *array = json_new_array();

	for (uint32_t i = 0; class && i < AVC_MAX_PERMS && class->perms[i]; i++)
		if (perms >> i & 1)
			json_add(array, json_new_text(class->perms[i], strlen(class->perms[i])));
	return array;
}

static json_t *event_json(const struct trace_line *line)
{
	json_t *object = json_new_object();

	json_put_number(object, "thread", line->record->thread);
	json_put(object, "time", json_integer((json_int_t)line->record->time));
	json_put_string(object, "outcome", line->outcome);
	json_put_string(object, "source", line->source);
	json_put_string(object, "target", line->target);
	json_put_string(object, "class", line->class ? line->class->name : "?");
	json_put(object, "requested", perms_json(line->class, line->requested));
	json_put(object, "denied", perms_json(line->class, line->denied));
	if (line->flags & TRACE_NUMBER)
		json_put_number(object, "number", line->number);
	json_put(object, "cached", json_boolean(!(line->flags & TRACE_MISS)));
	return object;
}

static json_t *lost_json(const struct trace_record *record)
{
	json_t *object = json_new_object();

	json_put_number(object, "thread", record->thread);
	json_put(object, "lost", json_integer((json_int_t)record->lost));
	return object;
}

static void write_event(const struct trace_line *line, FILE *out, enum avc_trace_format format, struct buffer *b)
{
	if (format == AVC_TRACE_JSON) {
		json_print(event_json(line), out);
		return;
	}
	b->n = 0;
	put_text(b, line);
	fwrite(b->at, 1, b->n, out);
}

static void write_lost(const struct trace_record *record, FILE *out, enum avc_trace_format format)
{
	if (format == AVC_TRACE_JSON)
		json_print(lost_json(record), out);
	else
		fprintf(out, "thread %u lost %llu\n", record->thread, (unsigned long long)record->lost);
}

/* A detail whose event was overwritten says nothing. */
static void write_records(const struct avc *avc, const trace_records *records, FILE *out, enum avc_trace_format format)
{
	struct buffer b = {0};

	for (uint32_t i = 0; i < records->n; i++) {
		const struct trace_record *record = &records->at[i], *next = i + 1 < records->n ? record + 1 : NULL;
		bool detailed = next && next->event && next->what & TRACE_DETAIL;
		struct trace_line line;

		if (!record->event && record->lost)
			write_lost(record, out, format);
		if (!record->event || record->what & TRACE_DETAIL)
			continue;
		line = line_of(avc, record, detailed ? next : NULL);
		write_event(&line, out, format, &b);
	}
	buffer_free(&b);
}

int avc_trace_write(struct avc *avc, FILE *out, enum avc_trace_format format)
{
	trace_records records = {0};

	pthread_mutex_lock(&avc->lock);
	for (struct avc_thread *thread = avc->threads; thread; thread = thread->next)
		if (thread->ring.events)
			copy_ring(&thread->ring, thread->id, &records);
	pthread_mutex_unlock(&avc->lock);
	write_records(avc, &records, out, format);
	vec_free(&records);
	return fflush(out) || ferror(out) ? -EIO : 0;
}
