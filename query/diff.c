#include <stdlib.h>
#include <string.h>

#include "query/diff.h"

static const struct { const char *key, *title; unsigned words; } sections[] = {
#define SECTION(id, key, title, words) {key, title, words},
#include "query/sections.def"
#undef SECTION
};

const char *diff_section_key(enum diff_section section)
{
	return sections[section].key;
}

const char *diff_section_title(enum diff_section section)
{
	return sections[section].title;
}

/* The length of the first words of a text. */
static size_t subject(const char *text, unsigned words)
{
	size_t n = 0;

	for (; words; words--) {
		n += strcspn(text + n, " ");
		if (words > 1 && text[n])
			n++;
	}
	return n;
}

static int by_section(const void *a, const void *b)
{
	const struct diff_change *x = a, *y = b;
	size_t nx, ny;
	int order;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	nx = subject(x->full, sections[x->section].words);
	ny = subject(y->full, sections[y->section].words);
	order = memcmp(x->full, y->full, nx < ny ? nx : ny);
	if (order || nx != ny)
		return order ? order : nx < ny ? -1 : 1;
	return x->added != y->added ? (int)x->added - (int)y->added : strcmp(x->full, y->full);
}

void query_diff_within(const struct policy *before, const struct policy *after, uint64_t steps, struct diff *ret_diff)
{
	struct differ d;

	differ_init(&d, before, after, ret_diff);
	d.budget = steps;
	diff_properties(&d);
	diff_classes(&d);
	diff_mls(&d);
	diff_types(&d);
	diff_roles_users(&d);
	diff_constraints(&d);
	diff_rules(&d);
	diff_transitions(&d);
	diff_labels(&d);
	differ_free(&d);
	if (ret_diff->changes.n)
		qsort(ret_diff->changes.at, ret_diff->changes.n, sizeof *ret_diff->changes.at, by_section);
}

void query_diff(const struct policy *before, const struct policy *after, struct diff *ret_diff)
{
	query_diff_within(before, after, DIFFER_STEPS, ret_diff);
}

void diff_free(struct diff *diff)
{
	arena_free(&diff->arena);
	vec_free(&diff->changes);
}
