#include "ir/nest.h"

#include <stdlib.h>

#include "base/memory.h"

enum state { NEW, OPEN, DONE };

/* A depth-first walk with a stack of its own: a chain of attributes may be as
 * long as the source. */
struct walk {
	const nestings *pairs;
	const struct nest_actions *actions;
	uint32_t *first, *next; /* by outer attribute, by pair: pair + 1 */
	uint8_t *state;         /* enum state, by attribute */
	VEC(uint32_t) stack;
	VEC(uint32_t) path;     /* the open attributes, outermost first */
};

static void report_loop(const struct walk *w, const struct nesting *pair)
{
	uint32_t start = w->path.n;

	while (start > 0 && w->path.at[start - 1] != pair->inner)
		start--;
	start -= start > 0;
	w->actions->loop(w->actions->data, pair, w->path.at + start, w->path.n - start);
}

static void open_attribute(struct walk *w, uint32_t outer)
{
	w->state[outer] = OPEN;
	*vec_push(&w->path) = outer;
	for (uint32_t i = w->first[outer]; i; i = w->next[i - 1]) {
		const struct nesting *pair = &w->pairs->at[i - 1];

		if (w->state[pair->inner] == NEW)
			*vec_push(&w->stack) = pair->inner;
		else if (w->state[pair->inner] == OPEN)
			report_loop(w, pair);
	}
}

static void close_attribute(struct walk *w, uint32_t outer)
{
	for (uint32_t i = w->first[outer]; i; i = w->next[i - 1])
		w->actions->absorb(w->actions->data, &w->pairs->at[i - 1]);
	w->state[outer] = DONE;
	w->path.n--;
}

static void walk_from(struct walk *w, uint32_t root)
{
	*vec_push(&w->stack) = root;
	while (w->stack.n) {
		uint32_t at = w->stack.at[w->stack.n - 1];

		if (w->state[at] == NEW) {
			open_attribute(w, at);
			continue;
		}
		if (w->state[at] == OPEN)
			close_attribute(w, at);
		w->stack.n--;
	}
}

void nest_resolve(const nestings *pairs, uint32_t nvalues, const struct nest_actions *actions)
{
	struct walk w = {
		.pairs = pairs,
		.actions = actions,
		.first = mem_zalloc((size_t)nvalues + 1, sizeof *w.first),
		.next = mem_zalloc(pairs->n, sizeof *w.next),
		.state = mem_zalloc((size_t)nvalues + 1, sizeof *w.state),
	};

	for (uint32_t i = 0; i < pairs->n; i++) {
		w.next[i] = w.first[pairs->at[i].outer];
		w.first[pairs->at[i].outer] = i + 1;
	}
	for (uint32_t i = 0; i < pairs->n; i++)
		if (w.state[pairs->at[i].outer] == NEW)
			walk_from(&w, pairs->at[i].outer);
	free(w.first);
	free(w.next);
	free(w.state);
	vec_free(&w.stack);
	vec_free(&w.path);
}
