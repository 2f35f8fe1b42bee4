/* Common numbers of types, sets, classes and permissions. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/diff.h"

/* ---- sets ---- */

static void slots_fill(struct differ *d, uint32_t nslots)
{
	free(d->slots);
	d->nslots = nslots;
	d->slots = mem_alloc(nslots * sizeof *d->slots);
	memset(d->slots, 0xff, nslots * sizeof *d->slots);
	for (uint32_t i = 0; i < d->sets.n; i++) {
		uint32_t at = (uint32_t)ebitmap_hash(&d->sets.at[i]) & (nslots - 1);

		while (d->slots[at] != NONE)
			at = (at + 1) & (nslots - 1);
		d->slots[at] = i;
	}
}

uint32_t set_intern(struct differ *d, struct ebitmap *set)
{
	uint32_t at = (uint32_t)ebitmap_hash(set) & (d->nslots - 1);

	for (; d->slots[at] != NONE; at = (at + 1) & (d->nslots - 1)) {
		if (!ebitmap_equal(&d->sets.at[d->slots[at]], set))
			continue;
		ebitmap_free(set);
		return d->slots[at];
	}
	d->slots[at] = d->sets.n;
	*vec_push(&d->sets) = *set;
	*set = (struct ebitmap){0};
	if (d->sets.n > d->nslots / 2)
		slots_fill(d, d->nslots * 2);
	return d->sets.n - 1;
}

static void sets_init(struct differ *d)
{
	struct ebitmap empty = {0};

	slots_fill(d, 1u << 14);
	set_intern(d, &empty);
}

/* ---- types ---- */

static void number_types(struct differ *d, enum side side)
{
	const struct policy *p = d->p[side];

	d->number[side] = mem_alloc(((size_t)p->types.n + 1) * sizeof *d->number[side]);
	for (uint32_t v = 0; v <= p->types.n; v++) {
		const char *name = v && p->types.at[v].kind == POLICY_TYPE ? p->types.at[v].name : NULL;

		d->number[side][v] = name ? atom_intern(&d->names, name, strlen(name)) - 1 : NONE;
	}
}

const char *common_name(const struct differ *d, uint32_t type)
{
	return atom_text(&d->names, type + 1);
}

void common_types(const struct differ *d, enum side side, const struct ebitmap *types, struct ebitmap *ret)
{
	ebitmap_for_each(types, bit) {
		if (bit < d->p[side]->types.n && d->number[side][bit + 1] != NONE)
			ebitmap_set(ret, d->number[side][bit + 1]);
	}
}

/* Attributes that are expanded away have no types, as in an image. */
static void find_sets(struct differ *d, enum side side, struct atoms *names)
{
	const struct policy *p = d->p[side];

	d->set_of[side] = mem_zalloc((size_t)p->types.n + 1, sizeof *d->set_of[side]);
	d->name_of[side] = mem_zalloc((size_t)p->types.n + 1, sizeof *d->name_of[side]);
	for (uint32_t v = 1; v <= p->types.n; v++) {
		const struct policy_type *t = &p->types.at[v];
		struct ebitmap set = {0};

		if (t->kind == POLICY_TYPE && t->name)
			ebitmap_set(&set, d->number[side][v]);
		else if (t->kind == POLICY_ATTRIBUTE && !t->expand)
			common_types(d, side, &t->types, &set);
		d->set_of[side][v] = set_intern(d, &set);
		if (t->name)
			d->name_of[side][v] = atom_intern(names, t->name, strlen(t->name));
	}
}

/* Counts the sets of each type or, with fill, lists them; a set once. */
static void add_members(struct differ *d, enum side side, uint32_t *fill)
{
	bool *seen = mem_zalloc(d->sets.n, sizeof *seen);

	for (uint32_t v = 1; v <= d->p[side]->types.n; v++) {
		uint32_t set = d->set_of[side][v];

		if (seen[set])
			continue;
		seen[set] = true;
		ebitmap_for_each(&d->sets.at[set], type) {
			if (fill)
				d->members[side][fill[type]++] = set;
			else
				d->start[side][type + 1]++;
		}
	}
	free(seen);
}

static void find_members(struct differ *d, enum side side)
{
	size_t size = (size_t)d->ntypes + 2;
	uint32_t *fill = mem_alloc(size * sizeof *fill);

	d->start[side] = mem_zalloc(size, sizeof *d->start[side]);
	add_members(d, side, NULL);
	for (size_t i = 1; i < size; i++)
		d->start[side][i] += d->start[side][i - 1];
	d->members[side] = mem_alloc((size_t)d->start[side][size - 1] * sizeof *d->members[side]);
	memcpy(fill, d->start[side], size * sizeof *fill);
	add_members(d, side, fill);
	free(fill);
}

static void name_sets(struct differ *d, enum side side)
{
	d->attribute_of[side] = mem_zalloc(d->sets.n, sizeof *d->attribute_of[side]);
	for (uint32_t v = d->p[side]->types.n; v; v--) {
		const struct policy_type *t = &d->p[side]->types.at[v];

		if (t->kind == POLICY_ATTRIBUTE && t->name && !t->expand)
			d->attribute_of[side][d->set_of[side][v]] = v;
	}
}

/* ---- classes ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct class_pair *)a)->name, ((const struct class_pair *)b)->name);
}

static void add_class(struct differ *d, struct atoms *names, uint32_t *index, enum side side, uint32_t v)
{
	const char *name = d->p[side]->classes.at[v].name;
	atom_t atom = atom_intern(names, name, strlen(name));

	if (index[atom] == NONE) {
		index[atom] = d->classes.n;
		*vec_push(&d->classes) = (struct class_pair){.name = name};
	}
	d->classes.at[index[atom]].value[side] = v;
}

static void pair_classes(struct differ *d)
{
	size_t most = (size_t)d->p[OLD]->classes.n + d->p[NEW]->classes.n + 1;
	uint32_t *index = mem_alloc(most * sizeof *index);
	struct atoms names;

	memset(index, 0xff, most * sizeof *index);
	atoms_init(&names);
	for (enum side side = OLD; side <= NEW; side++) {
		for (uint32_t v = 1; v <= d->p[side]->classes.n; v++) {
			if (d->p[side]->classes.at[v].name)
				add_class(d, &names, index, side, v);
		}
	}
	atoms_free(&names);
	free(index);
	if (d->classes.n)
		qsort(d->classes.at, d->classes.n, sizeof *d->classes.at, by_name);
}

static uint32_t find_perm(struct perm_names *names, const char *name)
{
	for (uint32_t i = 0; i < names->n; i++) {
		if (!strcmp(names->at[i], name))
			return i;
	}
	names->at[names->n] = name;
	return names->n++;
}

void perm_names_init(struct perm_names *names, const struct differ *d, const struct class_pair *pair)
{
	*names = (struct perm_names){.same = true};
	memset(names->of, 0xff, sizeof names->of);
	for (enum side side = OLD; side <= NEW; side++) {
		const struct policy_class *class = &d->p[side]->classes.at[pair->value[side]];

		for (uint32_t i = 0; pair->value[side] && i < class->nperms && i < POLICY_MAX_PERMS; i++) {
			if (class->perms[i])
				names->of[side][i] = (uint8_t)find_perm(names, class->perms[i]);
			names->same &= names->of[side][i] == i;
		}
	}
}

uint64_t perm_names_mask(const struct perm_names *names, enum side side, uint32_t mask)
{
	uint64_t common = 0;

	if (names->same)
		return mask & (names->n >= 32 ? UINT32_MAX : (UINT32_C(1) << names->n) - 1);
	for (; mask; mask &= mask - 1) {
		uint8_t perm = names->of[side][__builtin_ctz(mask)];

		if (perm != UINT8_MAX)
			common |= UINT64_C(1) << perm;
	}
	return common;
}

/* ---- all ---- */

void differ_init(struct differ *d, const struct policy *before, const struct policy *after, struct diff *diff)
{
	struct atoms names;

	*d = (struct differ){.diff = diff, .p = {before, after}};
	*diff = (struct diff){0};
	atoms_init(&d->names);
	atoms_init(&names);
	sets_init(d);
	number_types(d, OLD);
	number_types(d, NEW);
	d->ntypes = d->names.n - 1;
	d->nwords = d->ntypes / 64 + 1;
	find_sets(d, OLD, &names);
	find_sets(d, NEW, &names);
	atoms_free(&names);
	for (enum side side = OLD; side <= NEW; side++) {
		find_members(d, side);
		name_sets(d, side);
	}
	d->nnamed = d->sets.n;
	pair_classes(d);
}

void differ_free(struct differ *d)
{
	for (uint32_t i = 0; i < d->sets.n; i++)
		ebitmap_free(&d->sets.at[i]);
	for (enum side side = OLD; side <= NEW; side++) {
		free(d->number[side]);
		free(d->set_of[side]);
		free(d->name_of[side]);
		free(d->start[side]);
		free(d->members[side]);
		free(d->attribute_of[side]);
	}
	vec_free(&d->sets);
	vec_free(&d->classes);
	vec_free(&d->grants);
	free(d->slots);
	atoms_free(&d->names);
	arena_free(&d->arena);
}
