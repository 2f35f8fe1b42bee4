#include <stdlib.h>
#include <string.h>

#include "ir/text.h"
#include "query/diff.h"

void line_add(struct lines *l, enum side side, const char *text)
{
	*vec_push(&l->side[side]) = (struct line){.head = text, .tail = ""};
}

void line_add_type(struct lines *l, enum side side, const char *head, uint32_t type, const char *tail)
{
	*vec_push(&l->side[side]) = (struct line){.head = head, .tail = tail, .type = type, .set = true};
}

void line_add_types(struct lines *l, enum side side, const char *head, const struct ebitmap *types, const char *tail)
{
	*vec_push(&l->side[side]) = (struct line){.head = head, .tail = tail, .types = types, .set = true};
}

static int compare(const struct line *x, const struct line *y)
{
	int order = x->head == y->head ? 0 : strcmp(x->head, y->head);

	return order ? order : strcmp(x->tail, y->tail);
}

static int by_text(const void *a, const void *b)
{
	return compare(a, b);
}

/* A run of entries with one text. */
struct run { const struct line *line; uint32_t next; struct ebitmap types; };

static struct run take_run(const struct lines *l, enum side side, uint32_t at)
{
	const struct line *line = l->side[side].at;
	struct run run = {.next = at};

	if (at == l->side[side].n)
		return run;
	run.line = &line[at];
	for (; run.next < l->side[side].n && !compare(&line[run.next], run.line); run.next++) {
		if (line[run.next].types)
			ebitmap_or(&run.types, line[run.next].types);
		else if (line[run.next].set)
			ebitmap_set(&run.types, line[run.next].type);
	}
	return run;
}

struct statement { const struct line *line; enum side side; struct ebitmap types; };

static void put_line(struct buffer *b, struct differ *d, const void *data)
{
	const struct statement *s = data;

	text_put(b, s->line->head);
	if (s->line->set)
		put_types(b, d, s->side, &s->types, 0);
	text_put(b, s->line->tail);
}

/* What run has and other, if there is any, has not. */
static void report(struct differ *d, enum diff_section section, enum side side, const struct run *run,
		   const struct run *other)
{
	struct statement s = {.line = run->line, .side = side};

	if (!run->line->set && other)
		return;
	ebitmap_copy(&s.types, &run->types);
	if (other)
		ebitmap_andnot(&s.types, &other->types);
	if (!run->line->set || !ebitmap_empty(&s.types))
		add_change(d, section, side, ebitmap_count(&s.types), put_line, &s);
	ebitmap_free(&s.types);
}

void lines_diff(struct differ *d, struct lines *l, enum diff_section section)
{
	uint32_t at[2] = {0};

	for (enum side side = OLD; side <= NEW; side++) {
		if (l->side[side].n)
			qsort(l->side[side].at, l->side[side].n, sizeof *l->side[side].at, by_text);
	}
	while (at[OLD] < l->side[OLD].n || at[NEW] < l->side[NEW].n) {
		struct run before = take_run(l, OLD, at[OLD]), after = take_run(l, NEW, at[NEW]);
		int order = !before.line ? 1 : !after.line ? -1 : compare(before.line, after.line);

		if (order <= 0) {
			report(d, section, OLD, &before, order ? NULL : &after);
			at[OLD] = before.next;
		}
		if (order >= 0) {
			report(d, section, NEW, &after, order ? NULL : &before);
			at[NEW] = after.next;
		}
		ebitmap_free(&before.types);
		ebitmap_free(&after.types);
	}
	vec_free(&l->side[OLD]);
	vec_free(&l->side[NEW]);
}
