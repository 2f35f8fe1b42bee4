/* ebitmap-sets IMAGE...: the sets of a policy (types of attributes and roles,
 * roles of users, categories of sensitivities and users), each with each,
 * with the loops of each level and with the scalar ones.  Exit status 1 when
 * two differ. */
#include <stdio.h>
#include <stdlib.h>

#include "backend/policydb.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/vec.h"
#include "ebitmap/words.h"

/* Each with each of so many is a second's work. */
enum { SETS_MAX = 800 };

typedef VEC(const struct ebitmap *) set_vec;

static void collect(set_vec *sets, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->sens.n; v++)
		*vec_push(sets) = &p->sens.at[v].cats;
	for (uint32_t v = 1; v <= p->users.n; v++) {
		*vec_push(sets) = &p->users.at[v].roles;
		*vec_push(sets) = &p->users.at[v].range.low.cats;
		*vec_push(sets) = &p->users.at[v].range.high.cats;
	}
	for (uint32_t v = 1; v <= p->roles.n; v++)
		*vec_push(sets) = &p->roles.at[v].types;
	for (uint32_t v = 1; v <= p->types.n && sets->n < SETS_MAX; v++) {
		if (!ebitmap_empty(&p->types.at[v].types))
			*vec_push(sets) = &p->types.at[v].types;
	}
}

/* All that two sets give. */
struct answers {
	struct ebitmap changed[4];
	uint32_t count, distance;
	bool contains, intersects;
};

static void ask(struct answers *ret, const struct words *level, const struct ebitmap *a, const struct ebitmap *b)
{
	static void (*const changes[])(struct ebitmap *, const struct ebitmap *) = {
		ebitmap_or, ebitmap_and, ebitmap_andnot, ebitmap_xor,
	};

	words_choose(level);
	for (int i = 0; i < 4; i++) {
		ebitmap_copy(&ret->changed[i], a);
		changes[i](&ret->changed[i], b);
	}
	ret->count = ebitmap_count(a);
	ret->distance = ebitmap_distance(a, b);
	ret->contains = ebitmap_contains(a, b, EBITMAP_NONE);
	ret->intersects = ebitmap_intersects(a, b);
}

static bool same(const struct answers *one, const struct answers *other)
{
	for (int i = 0; i < 4; i++) {
		if (!ebitmap_equal(&one->changed[i], &other->changed[i]))
			return false;
	}
	return one->count == other->count && one->distance == other->distance && one->contains == other->contains &&
	       one->intersects == other->intersects;
}

static bool compare(const char *path, const struct policy *policy)
{
	struct answers scalar = {0}, answers = {0};
	const struct words *level;
	uint32_t differ = 0, widest = 0;
	set_vec sets = {0};

	collect(&sets, policy);
	for (uint32_t i = 0; i < sets.n * sets.n; i++) {
		const struct ebitmap *a = sets.at[i / sets.n], *b = sets.at[i % sets.n];

		widest = a->n > widest ? a->n : widest;
		ask(&scalar, words_level(0), a, b);
		for (uint32_t l = 1; (level = words_level(l)); l++) {
			ask(&answers, level, a, b);
			differ += !same(&scalar, &answers);
		}
	}
	words_choose(NULL);
	for (int i = 0; i < 4; i++) {
		ebitmap_free(&scalar.changed[i]);
		ebitmap_free(&answers.changed[i]);
	}
	printf("%s: %u sets of up to %u words, each with each: %u differ; fastest level %s\n", path, sets.n, widest, differ,
	       words_use()->name);
	vec_free(&sets);
	return !differ;
}

static bool check(const char *path)
{
	struct diags diags = {0};
	struct policy *policy = NULL;
	unsigned char *at = NULL;
	FILE *f = fopen(path, "rb");
	long size = -1;
	uint32_t version;
	bool ok = false;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size < 0) {
		perror(path);
	} else {
		rewind(f);
		at = mem_alloc((size_t)size + 1);
		size = (long)fread(at, 1, (size_t)size, f);
		policy = policydb_read(at, (size_t)size, path, &version, &diags);
	}
	if (policy)
		ok = compare(path, policy);
	diags_print(&diags, NULL, "ebitmap-sets", 0, stderr);
	policy_free(policy);
	diags_free(&diags);
	free(at);
	if (f)
		fclose(f);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	if (!ok)
		fputs("usage: ebitmap-sets IMAGE...\n", stderr);
	for (int i = 1; i < argc; i++)
		ok &= check(argv[i]);
	return !ok;
}
