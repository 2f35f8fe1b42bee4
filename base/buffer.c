#include "base/buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 4096 };

void buffer_reserve(struct buffer *b, size_t more)
{
	size_t cap = b->cap ? b->cap : FIRST_CAPACITY;

	if (more <= b->cap - b->n)
		return;
	if (more > (size_t)-1 / 2 - b->n)
		mem_exhausted();
	while (cap < b->n + more)
		cap *= 2;
	b->at = mem_resize(b->at, cap);
	b->cap = cap;
}

void buffer_put(struct buffer *b, const void *bytes, size_t n)
{
	if (!n)
		return;
	buffer_reserve(b, n);
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
}

void buffer_free(struct buffer *b)
{
	free(b->at);
	*b = (struct buffer){0};
}

static inline void store_u32(unsigned char *at, uint32_t v)
{
	at[0] = (unsigned char)v;
	at[1] = (unsigned char)(v >> 8);
	at[2] = (unsigned char)(v >> 16);
	at[3] = (unsigned char)(v >> 24);
}

void buffer_u8(struct buffer *b, uint8_t v)
{
	buffer_reserve(b, 1);
	b->at[b->n++] = v;
}

void buffer_u32(struct buffer *b, uint32_t v)
{
	buffer_reserve(b, 4);
	store_u32(b->at + b->n, v);
	b->n += 4;
}

void buffer_u64(struct buffer *b, uint64_t v)
{
	buffer_reserve(b, 8);
	store_u32(b->at + b->n, (uint32_t)v);
	store_u32(b->at + b->n + 4, (uint32_t)(v >> 32));
	b->n += 8;
}

void buffer_set_u32(struct buffer *b, size_t at, uint32_t v)
{
	assert(b->n >= 4 && at <= b->n - 4);
	store_u32(b->at + at, v);
}
