/* Bytes growing at the end: the image of a policy before it is written. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
	unsigned char *at;
	size_t n, cap;
};

void buffer_reserve(struct buffer *b, size_t more); /* room for more bytes behind n */
void buffer_put(struct buffer *b, const void *bytes, size_t n);
void buffer_free(struct buffer *b);

/* Little-endian, whatever the host. */
void buffer_u8(struct buffer *b, uint8_t v);
void buffer_u32(struct buffer *b, uint32_t v);
void buffer_u64(struct buffer *b, uint64_t v);
void buffer_set_u32(struct buffer *b, size_t at, uint32_t v); /* overwrites, at + 4 <= n */

#endif
