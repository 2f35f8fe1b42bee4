#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ARENA_BLOCK = 256 * 1024 };

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

void *arena_alloc(struct arena *arena, size_t size)
{
	void *p;

	if (size > (size_t)-1 - ARENA_BLOCK)
		mem_exhausted();
	size = ((size ? size : 1) + 7) & ~(size_t)7; /* never NULL, also of an empty arena */
	if (size > (size_t)(arena->end - arena->next))
		add_block(arena, size > ARENA_BLOCK ? size : ARENA_BLOCK);
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
