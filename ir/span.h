/* Ranges of numbers that must not collide: ports of a protocol, keys of a
 * subnet, memory of a device.  Names collide as ranges of one number.
 *
 * Order matters: the first entry that matches gives the label, so each range
 * is judged by those before it. */
#ifndef IR_SPAN_H
#define IR_SPAN_H

#include <stdint.h>

struct span {
	uint64_t group;     /* ranges of different groups never collide */
	uint64_t low, high; /* both inclusive, low <= high */
};

#define SPAN_NONE UINT32_MAX

/* Indices of earlier ranges of the group, or SPAN_NONE. */
struct span_verdict {
	uint32_t same;    /* the first with the same bounds */
	uint32_t around;  /* one that this range lies in */
	uint32_t across;  /* one that overlaps, neither lying in the other; not looked for when around is set */
	uint32_t overlap; /* one that has any number in common */
};

/* In O(n log n) steps. */
void spans_judge(const struct span *spans, uint32_t n, struct span_verdict *ret_verdicts);

#endif
