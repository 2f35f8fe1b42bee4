/* Grants as statements.  A type that goes takes one access from each domain that
 * had it through attributes: that is one statement with many sources.  A rule
 * that was written for several classes is one again. */
#include <stdlib.h>
#include <string.h>

#include "ir/text.h"
#include "query/diff.h"
#include "query/text.h"

typedef VEC(const char *) names;

/* ---- keys: all parts but one ---- */

static int compare_number(uint32_t x, uint32_t y)
{
	return x < y ? -1 : x > y;
}

/* Rules as they were written, and those of types with themselves, stay apart. */
static int compare_common(const struct grant *x, const struct grant *y)
{
	int order = compare_number(x->section, y->section);

	order = order ? order : compare_number(x->side, y->side);
	order = order ? order : compare_number(x->self, y->self);
	return order ? order : strcmp(x->perms, y->perms);
}

static int but_sources(const void *a, const void *b)
{
	const struct grant *x = a, *y = b;
	int order = compare_common(x, y);

	order = order ? order : compare_number(y->partial, x->partial);
	order = order ? order : compare_number(x->targets, y->targets);
	return order ? order : strcmp(x->class, y->class);
}

static int but_targets(const void *a, const void *b)
{
	const struct grant *x = a, *y = b;
	int order = compare_common(x, y);

	order = order ? order : compare_number(y->partial, x->partial);
	order = order ? order : compare_number(x->sources, y->sources);
	return order ? order : strcmp(x->class, y->class);
}

static int but_class(const void *a, const void *b)
{
	const struct grant *x = a, *y = b;
	int order = compare_common(x, y);

	order = order ? order : compare_number(x->sources, y->sources);
	return order ? order : compare_number(x->targets, y->targets);
}

/* ---- merging of types ---- */

/* Partial grants that differ in their sources (or targets) only are one. */
static void merge_types(struct differ *d, int (*order)(const void *, const void *), bool of_sources)
{
	uint32_t n = 0;

	qsort(d->grants.at, d->grants.n, sizeof *d->grants.at, order);
	for (uint32_t i = 0; i < d->grants.n;) {
		struct grant g = d->grants.at[i];
		struct ebitmap types = {0};
		uint32_t first = i++;

		if (g.partial && !g.self) {
			while (i < d->grants.n && !order(&g, &d->grants.at[i]))
				i++;
		}
		for (uint32_t k = first; i - first > 1 && k < i; k++)
			ebitmap_or(&types, &d->sets.at[of_sources ? d->grants.at[k].sources : d->grants.at[k].targets]);
		if (i - first > 1 && of_sources) {
			g.sources = set_intern(d, &types);
			g.source_hint = 0;
		} else if (i - first > 1) {
			g.targets = set_intern(d, &types);
			g.target_hint = 0;
		}
		d->grants.at[n++] = g;
	}
	d->grants.n = n;
}

/* ---- statements ---- */

struct statement { const struct grant *grant; const char *suffix; const char **classes; uint32_t nclasses; };

static void put_grant(struct buffer *b, struct differ *d, const void *data)
{
	const struct statement *s = data;
	const struct grant *g = s->grant;

	text_put(b, g->word);
	text_put(b, " ");
	put_types(b, d, g->side, &d->sets.at[g->sources], g->source_hint);
	text_put(b, " ");
	if (g->self)
		text_put(b, "self");
	else
		put_types(b, d, g->side, &d->sets.at[g->targets], g->target_hint);
	text_put(b, ":");
	put_names(b, s->classes, s->nclasses);
	text_put(b, " ");
	text_put(b, g->perms);
	text_put(b, ";");
	text_put(b, s->suffix);
}

static void report(struct differ *d, struct statement *s)
{
	const struct grant *g = s->grant;
	uint64_t pairs = ebitmap_count(&d->sets.at[g->sources]);

	if (!g->self)
		pairs *= ebitmap_count(&d->sets.at[g->targets]);
	add_change(d, g->section, g->side, pairs * s->nclasses, put_grant, s);
}

void grants_report(struct differ *d, const char *suffix)
{
	names classes = {0};

	if (!d->grants.n)
		return;
	merge_types(d, but_sources, true);
	merge_types(d, but_targets, false);
	qsort(d->grants.at, d->grants.n, sizeof *d->grants.at, but_class);
	for (uint32_t i = 0; i < d->grants.n;) {
		struct statement s = {.grant = &d->grants.at[i], .suffix = suffix};

		classes.n = 0;
		for (; i < d->grants.n && !but_class(s.grant, &d->grants.at[i]); i++)
			*vec_push(&classes) = d->grants.at[i].class;
		s.classes = classes.at;
		s.nclasses = classes.n;
		report(d, &s);
	}
	d->grants.n = 0;
	vec_free(&classes);
}
