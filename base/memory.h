/* Allocation that does not fail: on exhausted memory the process says so and
 * exits with status 1, as every bad input does. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t n, size_t size); /* n * size, zeroed; overflow is exhaustion */
void *mem_resize(void *p, size_t size);
_Noreturn void mem_exhausted(void);

#endif
