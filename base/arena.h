/* Bump allocation for the things of one compile, or of one policy, that all
 * die together.  Nothing is freed singly. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	char *next, *end;           /* free part of the newest block */
	size_t total;               /* bytes in all blocks */
};

/* A zeroed struct arena is empty and ready. */
void *arena_alloc(struct arena *arena, size_t size);  /* 8-aligned, not zeroed */
void *arena_zalloc(struct arena *arena, size_t n, size_t size);
void *arena_copy(struct arena *arena, const void *from, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t len); /* adds the NUL */
void arena_free(struct arena *arena); /* leaves it empty and ready */

#endif
