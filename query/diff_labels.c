/* Labels: statements that one side has and the other has not; and where the
 * first match counts, those that changed places with one they overlap. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "query/diff.h"

static const struct { const char *word; enum diff_section section; } words[] = {
	{"sid", DIFF_SIDS}, {"fs_use_xattr", DIFF_FS_USES}, {"fs_use_trans", DIFF_FS_USES}, {"fs_use_task", DIFF_FS_USES},
	{"genfscon", DIFF_GENFS}, {"portcon", DIFF_PORTS}, {"netifcon", DIFF_NETIFS}, {"nodecon", DIFF_NODES},
	{"ibpkeycon", DIFF_IBPKEYS}, {"ibendportcon", DIFF_IBENDPORTS},
};

static enum diff_section section_of(const char *statement)
{
	size_t n = strcspn(statement, " ");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strlen(words[i].word) == n && !strncmp(words[i].word, statement, n))
			return words[i].section;
	}
	return DIFF_XEN;
}

/* ---- order ---- */

/* A label that the first match decides: ports, nodes, partition keys. */
struct span { const char *text; uint32_t old_place; unsigned char low[16], high[16]; uint32_t kind; };

typedef VEC(struct span) spans;

static void put_u32(unsigned char *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(v >> (24 - 8 * i));
}

static void span_port(struct span *s, const struct policy_port *port)
{
	s->kind = port->protocol;
	put_u32(s->low, port->low);
	put_u32(s->high, port->high);
}

static void span_node(struct span *s, const struct policy_node *node, uint32_t kind)
{
	s->kind = kind;
	for (int i = 0; i < 16; i++) {
		s->low[i] = node->address[i] & node->mask[i];
		s->high[i] = node->address[i] | (unsigned char)~node->mask[i];
	}
}

static void span_key(struct span *s, const struct policy_ibpkey *key)
{
	memcpy(s->low, key->prefix, 8);
	memcpy(s->high, key->prefix, 8);
	put_u32(s->low + 8, key->low);
	put_u32(s->high + 8, key->high);
}

static bool overlap(const struct span *a, const struct span *b)
{
	return a->kind == b->kind && memcmp(a->low, b->high, 16) <= 0 && memcmp(b->low, a->high, 16) <= 0;
}

/* The statements of one kind, in the order of an image. */
struct label_list { VEC(const char *) text[2]; };

static struct span span_at(const struct policy *p, enum diff_section section, uint32_t i)
{
	struct span s = {0};

	if (section == DIFF_PORTS)
		span_port(&s, &p->ports.at[i]);
	else if (section == DIFF_IBPKEYS)
		span_key(&s, &p->ibpkeys.at[i]);
	else if (i < p->nodes.n)
		span_node(&s, &p->nodes.at[i], 4);
	else
		span_node(&s, &p->nodes6.at[i - p->nodes.n], 6);
	return s;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct span *)a)->text, ((const struct span *)b)->text);
}

/* Those that both sides have, in the new order. */
static void list_common(const struct label_list *l, const struct policy *p, enum diff_section section, spans *ret)
{
	spans old = {0};

	for (uint32_t i = 0; i < l->text[OLD].n; i++)
		*vec_push(&old) = (struct span){.text = l->text[OLD].at[i], .old_place = i};
	if (old.n)
		qsort(old.at, old.n, sizeof *old.at, by_text);
	for (uint32_t i = 0; old.n && i < l->text[NEW].n; i++) {
		struct span s = span_at(p, section, i), *found;

		s.text = l->text[NEW].at[i];
		found = bsearch(&s, old.at, old.n, sizeof *old.at, by_text);
		if (!found)
			continue;
		s.old_place = found->old_place;
		*vec_push(ret) = s;
	}
	vec_free(&old);
}

static void report_order(struct differ *d, enum diff_section section, const struct span *first, const struct span *then)
{
	struct buffer b = {0};

	text_printf(&b, "%s before %s", first->text, then->text);
	add_text(d, section, NEW, text_of(&b));
	b.n = 0;
	text_printf(&b, "%s before %s", then->text, first->text);
	add_text(d, section, OLD, text_of(&b));
	buffer_free(&b);
}

/* More places to compare than any real policy has are left alone after that. */
enum { ORDER_MAX = 1 << 24 };

static void diff_order(struct differ *d, const struct label_list *l, enum diff_section section)
{
	uint32_t compared = 0, highest = 0;
	spans list = {0};

	list_common(l, d->p[NEW], section, &list);
	for (uint32_t i = 0; i < list.n; i++) {
		const struct span *s = &list.at[i];

		if (s->old_place >= highest) {
			highest = s->old_place;
			continue;
		}
		for (uint32_t k = 0; k < i && compared < ORDER_MAX; k++, compared++) {
			if (list.at[k].old_place > s->old_place && overlap(&list.at[k], s))
				report_order(d, section, &list.at[k], s);
		}
	}
	vec_free(&list);
}

/* ---- all ---- */

/* Cuts the text into its lines. */
static void split(char *text, struct label_list *lists, enum side side)
{
	for (char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		*vec_push(&lists[section_of(line)].text[side]) = line;
	}
}

/* When only one policy is MLS, that one line says more than all ranges would. */
static char *labels_of(struct differ *d, const struct policy *p)
{
	struct policy view = *p;
	struct buffer b = {0};
	char *text;

	view.mls = d->p[OLD]->mls && d->p[NEW]->mls;
	dump_labels(&b, &view);
	text = arena_strndup(&d->arena, (const char *)b.at, b.n);
	buffer_free(&b);
	return text;
}

void diff_labels(struct differ *d)
{
	struct label_list *lists = mem_zalloc(DIFF_SECTIONS, sizeof *lists);

	for (enum side side = OLD; side <= NEW; side++)
		split(labels_of(d, d->p[side]), lists, side);
	for (int section = DIFF_SIDS; section < DIFF_SECTIONS; section++) {
		struct label_list *l = &lists[section];
		struct lines lines = {0};

		for (enum side side = OLD; side <= NEW; side++) {
			for (uint32_t i = 0; i < l->text[side].n; i++)
				line_add(&lines, side, l->text[side].at[i]);
		}
		lines_diff(d, &lines, (enum diff_section)section);
		if (section == DIFF_PORTS || section == DIFF_NODES || section == DIFF_IBPKEYS)
			diff_order(d, l, (enum diff_section)section);
		vec_free(&l->text[OLD]);
		vec_free(&l->text[NEW]);
	}
	free(lists);
}
