#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

void mem_exhausted(void)
{
	fputs("error: out of memory [memory]\n", stderr);
	exit(1);
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_zalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_resize(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		mem_exhausted();
	return p;
}
