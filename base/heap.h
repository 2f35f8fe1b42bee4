/* Where malloc() gets its memory from. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

/* Lets the heap grow in huge pages: once, the first thing that a program does.
 * A run is over in milliseconds, and faults of small pages are half of them.
 * Where this cannot be had, all is as it was. */
void heap_in_huge_pages(void);

#endif
