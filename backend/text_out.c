/* What the writers of policy.conf and CIL share: symbols by name, sets, levels,
 * contexts. */
#include "backend/text_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "ir/names.h"

/* ---- findings ---- */

static void fail(struct text_out *t, struct loc loc, const char *fmt, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof text, fmt, args);
	diag_error(t->diags, "not-expressible", loc, "%s cannot say this: %s", t->cil ? "CIL" : "policy source", text);
	t->failed = true;
}

void text_fail(struct text_out *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(t, LOC_NONE, fmt, args);
	va_end(args);
}

void text_fail_at(struct text_out *t, struct loc loc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(t, loc, fmt, args);
	va_end(args);
}

void text_lose(struct text_out *t, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_warning(t->diags, "lost-in-text", LOC_NONE, "%s cannot say this, and it is left out: %s",
		     t->cil ? "CIL" : "policy source", text);
}

/* ---- symbols ---- */

struct named { const char *name; uint32_t value; };

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

/* Needs names and n. */
static void sort_table(struct text_out *t, struct text_table *table)
{
	struct named *sorted = mem_alloc(((size_t)table->n + 1) * sizeof *sorted);

	table->norder = 0;
	for (uint32_t v = 1; v <= table->n; v++)
		if (table->names[v])
			sorted[table->norder++] = (struct named){table->names[v], v};
	if (!t->by_value)
		qsort(sorted, table->norder, sizeof *sorted, compare_named);
	table->order = arena_alloc(&t->arena, table->norder * sizeof *table->order);
	table->declared = arena_alloc(&t->arena, table->norder * sizeof *table->declared);
	table->rank = arena_zalloc(&t->arena, (size_t)table->n + 1, sizeof *table->rank);
	for (uint32_t i = 0; i < table->norder; i++) {
		table->order[i] = sorted[i].value;
		table->rank[sorted[i].value] = i + 1;
	}
	for (uint32_t v = 1, i = 0; v <= table->n; v++)
		if (table->names[v])
			table->declared[i++] = v;
	free(sorted);
}

#define TABLE(t, table, what_, symbols) \
	do { \
		(table)->what = (what_); \
		(table)->n = (symbols)->n; \
		(table)->names = arena_zalloc(&(t)->arena, (size_t)(symbols)->n + 1, sizeof *(table)->names); \
		for (uint32_t v = 1; v <= (symbols)->n; v++) \
			(table)->names[v] = (symbols)->at[v].name; \
		sort_table((t), (table)); \
	} while (0)

/* Images before version 24 have attributes without names. */
static void name_attributes(struct text_out *t)
{
	struct text_table *table = &t->types;
	bool found = false;

	for (uint32_t v = 1; v <= t->policy->types.n; v++) {
		char name[40];

		if (t->policy->types.at[v].kind != POLICY_ATTRIBUTE || table->names[v])
			continue;
		snprintf(name, sizeof name, "unnamed_attribute_%u", v);
		table->names[v] = unused_name(t, table, name);
		found = true;
	}
	if (found)
		sort_table(t, table);
}

void text_out_init(struct text_out *t, const struct policy *policy, enum text_form form, struct buffer *out,
		   struct diags *diags)
{
	*t = (struct text_out){.policy = policy, .out = out, .diags = diags};
	t->cil = form == TEXT_CIL || form >= TEXT_CIL_BASE;
	t->by_value = form == TEXT_MODULE || form == TEXT_CIL_MODULE;
	t->unlinked = form >= TEXT_BASE;
	TABLE(t, &t->classes, "class", &policy->classes);
	TABLE(t, &t->types, "type", &policy->types);
	TABLE(t, &t->roles, "role", &policy->roles);
	TABLE(t, &t->users, "user", &policy->users);
	TABLE(t, &t->bools, "boolean", &policy->bools);
	TABLE(t, &t->sens, "sensitivity", &policy->sens);
	TABLE(t, &t->cats, "category", &policy->cats);
	name_attributes(t);
}

void text_out_free(struct text_out *t)
{
	arena_free(&t->arena);
}

const char *name_of(struct text_out *t, const struct text_table *table, uint32_t value)
{
	if (value && value <= table->n && table->names[value])
		return table->names[value];
	text_fail(t, "%s value %u has no name", table->what, value);
	return "?";
}

bool table_has(const struct text_table *table, const char *name)
{
	uint32_t low = 0, high = table->norder;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(name, table->names[table->order[middle]]);

		if (!order)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool is_type_alias(const struct policy *p, const char *name)
{
	for (uint32_t i = 0; i < p->type_aliases.n; i++)
		if (!strcmp(p->type_aliases.at[i].name, name))
			return true;
	return false;
}

const char *unused_name(struct text_out *t, const struct text_table *table, const char *base)
{
	char name[64];

	snprintf(name, sizeof name, "%s", base);
	for (uint32_t k = 2; table_has(table, name) || is_type_alias(t->policy, name); k++)
		snprintf(name, sizeof name, "%s_%u", base, k);
	return arena_strndup(&t->arena, name, strlen(name));
}

/* ---- sets ---- */

static int compare_ranks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint32_t *set_by_name(const struct text_table *table, const struct ebitmap *set, uint32_t *ret_n)
{
	uint32_t *values = mem_alloc(((size_t)ebitmap_count(set) + 1) * sizeof *values), n = 0;

	ebitmap_for_each(set, bit)
		if (bit < table->n && table->rank[bit + 1])
			values[n++] = table->rank[bit + 1];
	qsort(values, n, sizeof *values, compare_ranks);
	for (uint32_t i = 0; i < n; i++)
		values[i] = table->order[values[i] - 1];
	*ret_n = n;
	return values;
}

void say_set(struct text_out *t, const struct text_table *table, const struct ebitmap *set)
{
	uint32_t n, *values = set_by_name(table, set, &n);

	for (uint32_t i = 0; i < n; i++) {
		say(t, i ? " " : "");
		say(t, table->names[values[i]]);
	}
	free(values);
}

uint32_t declared_perms(const struct policy *policy, uint32_t class, uint32_t mask)
{
	uint32_t nperms = class && class <= policy->classes.n ? policy->classes.at[class].nperms : 0;

	return nperms < POLICY_MAX_PERMS ? mask & ((1u << nperms) - 1) : mask;
}

bool say_perms(struct text_out *t, uint32_t class, uint32_t mask)
{
	uint32_t left = declared_perms(t->policy, class, mask);
	const char *gap = "";

	for (uint32_t i = 0; left; i++, left >>= 1) {
		if (!(left & 1))
			continue;
		say(t, gap);
		say(t, t->policy->classes.at[class].perms[i]);
		gap = " ";
	}
	return *gap;
}

/* ---- levels and contexts ---- */

static uint32_t run_end(const struct ebitmap *set, uint32_t at)
{
	while (ebitmap_test(set, at + 1))
		at++;
	return at;
}

void say_categories(struct text_out *t, const struct ebitmap *cats)
{
	bool first = true;

	for (uint32_t low = ebitmap_first(cats), high; low != EBITMAP_NONE; low = ebitmap_next(cats, high)) {
		high = run_end(cats, low);
		if (high == low + 1)
			high = low; /* a pair is written as two */
		if (!first)
			say(t, t->cil ? " " : ",");
		first = false;
		if (t->cil && high > low)
			say(t, "(range ");
		say_name(t, &t->cats, low + 1);
		if (high == low)
			continue;
		say(t, t->cil ? " " : ".");
		say_name(t, &t->cats, high + 1);
		if (t->cil)
			say(t, ")");
	}
}

void say_level(struct text_out *t, const struct policy_level *level)
{
	bool cats = !ebitmap_empty(&level->cats);

	say(t, t->cil ? "(" : "");
	say_name(t, &t->sens, level->sens);
	if (cats)
		say(t, t->cil ? " (" : ":");
	say_categories(t, &level->cats);
	if (t->cil)
		say(t, cats ? "))" : ")");
}

void say_range(struct text_out *t, const struct policy_range *range)
{
	say(t, t->cil ? "(" : "");
	say_level(t, &range->low);
	say(t, t->cil ? " " : " - ");
	say_level(t, &range->high);
	say(t, t->cil ? ")" : "");
}

static bool is_short_hex(const char *name)
{
	size_t len = strlen(name);

	return len <= 4 && strspn(name, "0123456789abcdefABCDEF") == len;
}

/* Up to four hex digits and a colon, twice, are scanned as an IPv6 address. */
static const char *colon_of(struct text_out *t, const struct policy_context *c)
{
	bool address = is_short_hex(name_of(t, &t->users, c->user)) || is_short_hex(name_of(t, &t->roles, c->role)) ||
		       is_short_hex(name_of(t, &t->types, c->type));

	return address ? " : " : ":";
}

static void put_context_range(struct text_out *t, const struct policy_context *c, const char *colon)
{
	if (t->policy->mls) {
		say(t, colon);
		say_range(t, &c->range);
	} else if (t->cil) {
		say(t, " (systemlow systemlow)"); /* CIL always has levels: cil_put_mls() */
	}
}

void say_context(struct text_out *t, const struct policy_context *context)
{
	const char *colon = t->cil ? " " : colon_of(t, context);

	say(t, t->cil ? " (" : " ");
	say_name(t, &t->users, context->user);
	say(t, colon);
	say_name(t, &t->roles, context->role);
	say(t, colon);
	say_name(t, &t->types, context->type);
	put_context_range(t, context, colon);
	say(t, t->cil ? ")" : "");
}

/* ---- the rest ---- */

void each_capability(struct text_out *t, void (*put_capability)(struct text_out *t, const char *name))
{
	struct named sorted[64];
	uint32_t n = 0;

	ebitmap_for_each(&t->policy->capabilities, bit) {
		if (!capability_name(bit))
			text_fail(t, "policy capability %u, which has no name", bit);
		else if (n < sizeof sorted / sizeof *sorted)
			sorted[n++] = (struct named){capability_name(bit), bit};
	}
	qsort(sorted, n, sizeof *sorted, compare_named);
	for (uint32_t i = 0; i < n; i++)
		put_capability(t, sorted[i].name);
}

static int compare_aliases(const void *a, const void *b)
{
	const struct policy_alias *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct policy_alias *aliases_by_name(const struct policy_alias *at, uint32_t n)
{
	struct policy_alias *sorted = mem_alloc(((size_t)n + 1) * sizeof *sorted);

	if (n)
		memcpy(sorted, at, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_aliases);
	return sorted;
}

uint32_t sid_count(const struct policy *policy)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < policy->sids.n; i++)
		if (policy->sids.at[i].sid > n)
			n = policy->sids.at[i].sid;
	return n;
}

struct sid_name sid_name(const struct policy *policy, uint32_t sid)
{
	const char *known = initial_sid_name(policy->target, sid);
	struct sid_name name;

	if (known)
		snprintf(name.at, sizeof name.at, "%s", known);
	else
		snprintf(name.at, sizeof name.at, "UNKNOWN%u", sid);
	return name;
}
