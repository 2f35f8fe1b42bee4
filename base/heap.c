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
	HEAP = 128 * 1024 * 1024, /* taken at once: a page that is never touched costs nothing */
	NO_TRIM = INT32_MAX,      /* what is freed will be wanted again */
	PAD_DEFAULT = 128 * 1024,
};

/* All of the heap, but for the page that malloc() has touched. */
static void advise(uintptr_t first)
{
	uintptr_t begin = (first + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1), end = (uintptr_t)sbrk(0);

	if (first < end && begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

void heap_in_huge_pages(void)
{
	uintptr_t end = (uintptr_t)sbrk(0);
	void *first;

	if (sysconf(_SC_PAGESIZE) != SMALL_PAGE)
		return;
	/* The heap begins with one small page, and the huge ones come at once. */
	sbrk((intptr_t)((0 - end - SMALL_PAGE) & (HUGE_PAGE - 1)));
	mallopt(M_TRIM_THRESHOLD, NO_TRIM);
	mallopt(M_MMAP_THRESHOLD, HUGE_PAGE);
	mallopt(M_TOP_PAD, HEAP);
	first = malloc(1);
	if (first)
		advise((uintptr_t)first);
	else
		mallopt(M_TOP_PAD, PAD_DEFAULT); /* as under a limit of memory */
	free(first);
}

#else

void heap_in_huge_pages(void)
{
}

#endif
