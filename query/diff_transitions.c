#include <stdlib.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "query/diff.h"

#define FOR_SIDES(side) for (enum side side = OLD; side <= NEW; side++)

/* ` TARGET:CLASS `. */
static void put_target(struct buffer *b, const struct policy *p, uint32_t target, uint32_t class)
{
	b->n = 0;
	text_put(b, " ");
	dump_target(b, p, target, class);
}

static void diff_filenames(struct differ *d)
{
	size_t most = (size_t)d->p[OLD]->filename_trans.n + d->p[NEW]->filename_trans.n + 1;
	struct ebitmap *sources = mem_zalloc(most, sizeof *sources), *next = sources;
	struct lines lines = {0};
	struct buffer b = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t i = 0; i < p->filename_trans.n; i++) {
			const struct policy_filename_trans *t = &p->filename_trans.at[i];

			put_target(&b, p, t->target, t->class);
			dump_type(&b, p, t->result);
			text_printf(&b, " \"%s\";", t->name);
			common_types(d, side, &t->sources, next);
			line_add_types(&lines, side, "type_transition ", next++, keep_text(d, &b));
		}
	}
	lines_diff(d, &lines, DIFF_TYPE_TRANSITION);
	while (next > sources)
		ebitmap_free(--next);
	free(sources);
	buffer_free(&b);
}

static void diff_ranges(struct differ *d)
{
	struct lines lines = {0};
	struct buffer b = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t i = 0; i < p->range_trans.n; i++) {
			const struct policy_range_trans *t = &p->range_trans.at[i];

			put_target(&b, p, t->target, t->class);
			dump_range(&b, p, &t->range);
			text_put(&b, ";");
			line_add_type(&lines, side, "range_transition ", d->number[side][t->source], keep_text(d, &b));
		}
	}
	lines_diff(d, &lines, DIFF_RANGE_TRANSITION);
	buffer_free(&b);
}

/* The type may be an attribute in an image. */
static void add_role_trans(struct differ *d, struct lines *lines, enum side side, const struct policy_role_trans *t,
			   struct buffer *b)
{
	const struct policy *p = d->p[side];
	const char *head;

	b->n = 0;
	text_put(b, "role_transition ");
	dump_role(b, p, t->role);
	text_put(b, " ");
	head = keep_text(d, b);
	b->n = 0;
	text_put(b, ":");
	dump_class(b, p, t->class);
	text_put(b, " ");
	dump_role(b, p, t->result);
	text_put(b, ";");
	line_add_types(lines, side, head, &d->sets.at[d->set_of[side][t->type]], keep_text(d, b));
}

static void diff_role_rules(struct differ *d)
{
	struct lines transitions = {0}, allows = {0};
	struct buffer b = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t i = 0; i < p->role_trans.n; i++)
			add_role_trans(d, &transitions, side, &p->role_trans.at[i], &b);
		for (uint32_t i = 0; i < p->role_allows.n; i++) {
			b.n = 0;
			dump_role_allow(&b, p, &p->role_allows.at[i]);
			text_put(&b, ";");
			line_add(&allows, side, keep_text(d, &b));
		}
	}
	lines_diff(d, &transitions, DIFF_ROLE_TRANSITION);
	lines_diff(d, &allows, DIFF_ROLE_ALLOW);
	buffer_free(&b);
}

void diff_transitions(struct differ *d)
{
	diff_filenames(d);
	diff_ranges(d);
	diff_role_rules(d);
}
