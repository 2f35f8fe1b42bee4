/* Texts of contexts and their numbers: read by any thread, added to with the
 * lock.  A number is given out only when all that belongs to it can be read. */
#include <string.h>

#include "avc/internal.h"
#include "base/memory.h"

enum { FIRST_SLOTS = 256 };

/* By text: hash << 32 | sid, 0 is free.  At most half full. */
struct sid_index {
	struct sid_index *next;
	uint32_t mask;
	_Atomic uint64_t slots[];
};

/* FNV-1a: texts are short, and this is no hot path. */
static uint32_t text_hash(const char *text, size_t len)
{
	uint32_t hash = 2166136261;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619;
	return hash;
}

static struct sid_index *index_new(uint32_t slots)
{
	struct sid_index *index = mem_zalloc(1, sizeof *index + slots * sizeof *index->slots);

	index->mask = slots - 1;
	return index;
}

static void index_add(struct sid_index *index, uint32_t hash, avc_sid sid)
{
	uint32_t i = hash & index->mask;

	while (atomic_load_explicit(&index->slots[i], memory_order_relaxed))
		i = (i + 1) & index->mask;
	atomic_store_explicit(&index->slots[i], (uint64_t)hash << 32 | sid, memory_order_release);
}

void sids_init(struct sids *sids, uint32_t max)
{
	sids->max = max < SID_CHUNK * SID_CHUNKS - 1 ? max : SID_CHUNK * SID_CHUNKS - 1;
	atomic_init(&sids->index, index_new(FIRST_SLOTS));
}

void sids_free(struct sids *sids)
{
	struct sid_index *next, *index = atomic_load_explicit(&sids->index, memory_order_relaxed);

	free(index);
	for (index = sids->retired; index; index = next) {
		next = index->next;
		free(index);
	}
	for (uint32_t i = 0; i < SID_CHUNKS; i++)
		free(atomic_load_explicit(&sids->chunks[i], memory_order_relaxed));
	arena_free(&sids->arena);
}

const char *sids_text(const struct sids *sids, avc_sid sid)
{
	if (!sid || sid > atomic_load_explicit(&sids->n, memory_order_acquire))
		return NULL;
	return atomic_load_explicit(&sids->chunks[sid / SID_CHUNK], memory_order_acquire)[sid % SID_CHUNK];
}

avc_sid sids_find(const struct sids *sids, const char *text, size_t len)
{
	const struct sid_index *index = atomic_load_explicit(&sids->index, memory_order_acquire);
	uint32_t hash = text_hash(text, len);

	for (uint32_t i = hash & index->mask;; i = (i + 1) & index->mask) {
		uint64_t slot = atomic_load_explicit(&index->slots[i], memory_order_acquire);
		const char *there;

		if (!slot)
			return 0;
		if (slot >> 32 != hash)
			continue;
		there = sids_text(sids, (avc_sid)slot);
		if (there && !strncmp(there, text, len) && !there[len])
			return (avc_sid)slot;
	}
}

avc_sid sids_next(const struct sids *sids)
{
	uint32_t n = atomic_load_explicit(&sids->n, memory_order_relaxed);

	return n < sids->max ? n + 1 : 0;
}

/* The smaller ones may still be searched; together they are smaller than this. */
static struct sid_index *grown_index(struct sids *sids, struct sid_index *index)
{
	struct sid_index *grown = index_new((index->mask + 1) * 2);

	for (uint32_t i = 0; i <= index->mask; i++) {
		uint64_t slot = atomic_load_explicit(&index->slots[i], memory_order_relaxed);

		if (slot)
			index_add(grown, (uint32_t)(slot >> 32), (avc_sid)slot);
	}
	atomic_store_explicit(&sids->index, grown, memory_order_release);
	index->next = sids->retired;
	sids->retired = index;
	return grown;
}

void sids_add(struct sids *sids, const char *text, size_t len)
{
	struct sid_index *index = atomic_load_explicit(&sids->index, memory_order_relaxed);
	avc_sid sid = sids_next(sids);
	const char **chunk = atomic_load_explicit(&sids->chunks[sid / SID_CHUNK], memory_order_relaxed);

	if (!chunk) {
		chunk = mem_zalloc(SID_CHUNK, sizeof *chunk);
		atomic_store_explicit(&sids->chunks[sid / SID_CHUNK], chunk, memory_order_release);
	}
	chunk[sid % SID_CHUNK] = arena_strndup(&sids->arena, text, len);
	atomic_store_explicit(&sids->n, sid, memory_order_release);
	if (sid > index->mask / 2)
		index = grown_index(sids, index);
	index_add(index, text_hash(text, len), sid);
}
