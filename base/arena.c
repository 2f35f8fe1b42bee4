#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A block is as large as all before it: a small policy has a use for a few
 * kilobytes, and the large ones come to few blocks. */
enum { BLOCK_MIN = 8 * 1024, BLOCK_MAX = 256 * 1024 };

struct arena_block {
	struct arena_block *older;
	max_align_t data[];
};

static void add_block(struct arena *arena, size_t size)
{
	struct arena_block *block = mem_alloc(sizeof *block + size);

	block->older = arena->blocks;
	arena->blocks = block;
	arena->next = (char *)block->data;
	arena->end = arena->next + size;
	arena->total += size;
}

static size_t block_size(const struct arena *arena, size_t wanted)
{
	size_t size = arena->total;

	if (size < BLOCK_MIN)
		size = BLOCK_MIN;
	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	return wanted > size ? wanted : size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	void *p;

	if (size > (size_t)-1 - BLOCK_MAX)
		mem_exhausted();
	size = ((size ? size : 1) + 7) & ~(size_t)7; /* never NULL, also of an empty arena */
	if (size > (size_t)(arena->end - arena->next))
		add_block(arena, block_size(arena, size));
	p = arena->next;
	arena->next += size;
	return p;
}

void *arena_zalloc(struct arena *arena, size_t n, size_t size)
{
	if (size && n > (size_t)-1 / size)
		mem_exhausted();
	return memset(arena_alloc(arena, n * size), 0, n * size);
}

void *arena_copy(struct arena *arena, const void *from, size_t size)
{
	void *p = arena_alloc(arena, size);

	if (size)
		memcpy(p, from, size);
	return p;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void arena_free(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *older = block->older;

		free(block);
		block = older;
	}
	memset(arena, 0, sizeof *arena);
}
