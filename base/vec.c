#include "base/vec.h"

#include "base/memory.h"

void *vec_resize(void *at, uint32_t *cap, uint32_t want, size_t size)
{
	if (want > (size_t)-1 / size)
		mem_exhausted();
	*cap = want;
	return mem_resize(at, want * size);
}

void *vec_grow(void *at, uint32_t *cap, size_t size)
{
	if (*cap > UINT32_MAX / 2)
		mem_exhausted();
	return vec_resize(at, cap, *cap ? *cap * 2 : 16, size);
}
