#include "base/near.h"

#include <stdbool.h>
#include <string.h>

#include "base/diag.h"

enum {
	LONGEST = 64,  /* longer names are not compared: they are generated, not typed */
	ENDING = 2,    /* `_t`, `_r`, `_u` */
};

static unsigned fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned)c | 0x20 : (unsigned char)c;
}

/* How many slips still make a near name. */
static uint32_t limit_of(size_t len)
{
	return len < 3 ? 0 : len < 6 ? 1 : len < 10 ? 2 : 3;
}

void near_init(struct near *near, const char *text, size_t len)
{
	*near = (struct near){.text = text, .len = (uint32_t)len, .best = limit_of(len) + 1};
	if (len > LONGEST)
		near->best = 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Slips between two names, where two swapped neighbours are one; as soon as
 * they must be more than max, just that.  Three rows of the usual table. */
static uint32_t slips(const char *a, uint32_t na, const char *b, uint32_t nb, uint32_t max)
{
	uint32_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	for (uint32_t j = 0; j <= nb; j++)
		last[j] = j;
	for (uint32_t i = 1; i <= na; i++) {
		uint32_t low = now[0] = i, *free_row = before;

		for (uint32_t j = 1; j <= nb; j++) {
			unsigned x = fold(a[i - 1]), y = fold(b[j - 1]);

			now[j] = least(last[j - 1] + (x != y), least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]))
				now[j] = least(now[j], before[j - 2] + 1);
			low = least(low, now[j]);
		}
		if (low > max)
			return max + 1;
		before = last;
		last = now;
		now = free_row;
	}
	return last[nb];
}

/* Whether the longer name is the shorter one with an ending. */
static bool lacks_ending(const char *longer, size_t nlonger, const char *shorter, size_t nshorter)
{
	return nlonger == nshorter + ENDING && nshorter > 1 && longer[nshorter] == '_' &&
	       !memcmp(longer, shorter, nshorter);
}

static uint32_t distance(const struct near *near, const char *name, size_t len)
{
	uint32_t apart = (uint32_t)(len > near->len ? len - near->len : near->len - len);

	if (lacks_ending(name, len, near->text, near->len) || lacks_ending(near->text, near->len, name, len))
		return near->best < 1 ? UINT32_MAX : 1;
	return apart > near->best ? UINT32_MAX : slips(near->text, near->len, name, (uint32_t)len, near->best);
}

void near_try(struct near *near, const char *name, size_t len)
{
	uint32_t apart;

	if (!near->best && near->n == NEAR_KEPT)
		return;
	if (len > LONGEST || near->len > LONGEST || (len == near->len && !memcmp(name, near->text, len)))
		return;
	apart = distance(near, name, len);
	if (apart < near->best) {
		near->best = apart;
		near->n = 0;
	} else if (apart > near->best || !near->n) {
		return;
	}
	if (near->n < NEAR_KEPT)
		near->names[near->n++] = name;
}

void near_hint(const struct near *near, struct diags *diags)
{
	switch (near->n) {
	case 0:
		return;
	case 1:
		diag_hint(diags, "did you mean `%s`?", near->names[0]);
		return;
	case 2:
		diag_hint(diags, "did you mean `%s` or `%s`?", near->names[0], near->names[1]);
		return;
	default:
		diag_hint(diags, "did you mean `%s`, `%s` or `%s`?", near->names[0], near->names[1], near->names[2]);
	}
}
