/* Changes as text. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/text.h"
#include "query/diff.h"
#include "query/text.h"

/* Longer lists of names are cut short where people read them. */
enum { LIST_MAX = 12 };
/* An attribute less this many types is still better than a list. */
enum { EXCEPT_MAX = 3 };

const char *keep_text(struct differ *d, const struct buffer *text)
{
	return arena_strndup(&d->arena, (const char *)text->at, text->n);
}

void put_common_perms(struct buffer *b, const struct perm_names *names, uint64_t mask)
{
	const char *list[2 * POLICY_MAX_PERMS];
	uint32_t n = 0;

	for (; mask; mask &= mask - 1)
		list[n++] = names->at[__builtin_ctzll(mask)];
	put_names(b, list, n);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_list(struct buffer *b, struct differ *d, const struct ebitmap *types)
{
	uint32_t n = 0, total = ebitmap_count(types), show;
	const char **names = mem_alloc(((size_t)total + 1) * sizeof *names);

	ebitmap_for_each(types, type)
		names[n++] = common_name(d, type);
	if (d->full || total <= LIST_MAX) {
		put_names(b, names, n);
	} else {
		d->cut = true;
		show = LIST_MAX - 2;
		qsort(names, n, sizeof *names, by_name);
		text_put(b, "{");
		for (uint32_t i = 0; i < show; i++)
			text_printf(b, " %s", names[i]);
		text_printf(b, " ... %u more }", n - show);
	}
	free(names);
}

/* `ATTRIBUTE`, or `{ ATTRIBUTE -TYPE... }` when little is missing. */
static bool put_by_attribute(struct buffer *b, struct differ *d, enum side side, const struct ebitmap *types,
			     uint32_t value)
{
	const struct ebitmap *all = &d->sets.at[d->set_of[side][value]];
	const char *name = d->p[side]->types.at[value].name;
	struct ebitmap missing = {0};
	uint32_t n;

	if (!name || !ebitmap_subset(types, all))
		return false;
	ebitmap_copy(&missing, all);
	ebitmap_andnot(&missing, types);
	n = ebitmap_count(&missing);
	if (!n) {
		text_put(b, name);
	} else if (n <= EXCEPT_MAX && ebitmap_count(types) > 2 * n + 1) {
		text_printf(b, "{ %s", name);
		ebitmap_for_each(&missing, type)
			text_printf(b, " -%s", common_name(d, type));
		text_put(b, " }");
	} else {
		name = NULL;
	}
	ebitmap_free(&missing);
	return name != NULL;
}

static uint32_t find_attribute(struct differ *d, enum side side, const struct ebitmap *types)
{
	uint32_t at = (uint32_t)ebitmap_hash(types) & (d->nslots - 1);

	for (; d->slots[at] != NONE; at = (at + 1) & (d->nslots - 1)) {
		if (ebitmap_equal(&d->sets.at[d->slots[at]], types))
			return d->slots[at] < d->nnamed ? d->attribute_of[side][d->slots[at]] : 0;
	}
	return 0;
}

void put_types(struct buffer *b, struct differ *d, enum side side, const struct ebitmap *types, uint32_t hint)
{
	uint32_t first = ebitmap_first(types), attribute;

	if (hint && put_by_attribute(b, d, side, types, hint))
		return;
	if (first != EBITMAP_NONE && first == ebitmap_last(types)) {
		text_put(b, common_name(d, first));
		return;
	}
	attribute = find_attribute(d, side, types);
	if (!attribute || !put_by_attribute(b, d, side, types, attribute))
		put_list(b, d, types);
}

static const char *text_in_full(struct differ *d, put_statement put, const void *data)
{
	struct buffer b = {0};
	const char *text;

	d->full = true;
	put(&b, d, data);
	d->full = false;
	text = arena_strndup(&d->diff->arena, (const char *)b.at, b.n);
	buffer_free(&b);
	return text;
}

void add_change(struct differ *d, enum diff_section section, enum side side, uint64_t pairs, put_statement put,
		const void *data)
{
	struct diff_change *change = vec_push(&d->diff->changes);
	struct buffer b = {0};

	d->cut = false;
	put(&b, d, data);
	*change = (struct diff_change){.section = section, .added = side == NEW, .pairs = pairs};
	change->text = change->full = arena_strndup(&d->diff->arena, (const char *)b.at, b.n);
	if (d->cut)
		change->full = text_in_full(d, put, data);
	(side == NEW ? d->diff->added : d->diff->removed)[section]++;
	buffer_free(&b);
}

static void put_plain(struct buffer *b, struct differ *d, const void *data)
{
	(void)d;
	text_put(b, data);
}

void add_text(struct differ *d, enum diff_section section, enum side side, const char *text)
{
	add_change(d, section, side, 0, put_plain, text);
}
