#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

enum {
	SMALL_PAGE = 4096, /* with larger ones a huge page is larger than a heap */
	HUGE_PAGE = 2 * 1024 * 1024,
	HEAP = 128 * 1024 * 1024,
	MAPPED = 32 * 1024 * 1024, /* blocks from this on are mapped apart: the most that glibc takes */
	MMAP_MAX = 65536,          /* the default */
};

/* All of the heap but the page in front, which malloc() has touched. */
static void advise(uintptr_t first)
{
	uintptr_t begin = (first + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1), end = (uintptr_t)sbrk(0);

	if (first < end && begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

/* One block as large as the heap is to be: freed, it stays malloc()'s, and pages
 * that nobody touched cost nothing. */
void heap_in_huge_pages(void)
{
	uintptr_t end;
	void *all;

	if (sysconf(_SC_PAGESIZE) != SMALL_PAGE || !mallopt(M_TRIM_THRESHOLD, INT32_MAX))
		return; /* the sanitizers' malloc() has no options */
	mallopt(M_MMAP_THRESHOLD, MAPPED);
	mallopt(M_MMAP_MAX, 0);
	malloc_trim(0); /* linked statically, it has begun before main */
	end = (uintptr_t)sbrk(0);
	/* The header of the block lies in front of the first huge page. */
	sbrk((intptr_t)((0 - end - SMALL_PAGE) & (HUGE_PAGE - 1)));
	all = malloc(HEAP);
	if (all)
		advise((uintptr_t)all);
	free(all);
	mallopt(M_MMAP_MAX, MMAP_MAX);
}

#else

void heap_in_huge_pages(void)
{
}

#endif
