#include "validator/label_files.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "validator/android.h"
#include "validator/app_contexts.h"
#include "validator/collect.h"
#include "validator/fc.h"
#include "validator/label_contexts.h"
#include "validator/label_kind.h"
#include "validator/login_contexts.h"

static const struct label_kind kinds[] = {
#define KIND(name, patterns, family, role) {name, patterns, false, label_check_##family, #family, role},
#define KIND_NAMED(name, patterns, family, role) {name, patterns, true, label_check_##family, #family, role},
#define KIND_SKIPPED(name, patterns) {name, patterns, false, NULL, "", 0},
#include "validator/kinds.def"
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const struct label_kind *label_kind_named(const char *name)
{
	for (uint32_t i = 0; i < KINDS; i++)
		if (kinds[i].check && !strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

bool label_kind_known(const char *name)
{
	return label_kind_named(name) != NULL;
}

bool label_kind_at(uint32_t i, const char **ret_name, const char **ret_patterns)
{
	if (i >= KINDS)
		return false;
	*ret_name = kinds[i].name;
	*ret_patterns = kinds[i].patterns;
	return true;
}

/* The end of a path with as many components as the pattern has; the whole path
 * when it has no more than that, NULL when it has fewer. */
static const char *path_tail(const char *path, const char *pattern)
{
	const char *at = path + strlen(path);

	for (const char *p = pattern; p; p = strchr(p + 1, '/')) {
		if (at == path)
			return NULL;
		at--;
		while (at > path && at[-1] != '/')
			at--;
	}
	return at;
}

static bool pattern_matches(const char *pattern, const char *path)
{
	const char *tail = path_tail(path, pattern);

	return tail && !fnmatch(pattern, tail, FNM_PATHNAME | FNM_PERIOD);
}

static bool kind_matches(const struct label_kind *kind, const char *path)
{
	char pattern[64];

	for (const char *p = kind->patterns; *p;) {
		size_t len = strcspn(p, "|");

		if (len < sizeof pattern) {
			memcpy(pattern, p, len);
			pattern[len] = '\0';
			if (pattern_matches(pattern, path))
				return true;
		}
		p += len + (p[len] == '|');
	}
	return false;
}

const struct label_kind *label_kind_of(const char *path, bool named)
{
	for (uint32_t i = 0; i < KINDS; i++)
		if ((named || !kinds[i].named_only) && kind_matches(&kinds[i], path))
			return &kinds[i];
	return NULL;
}

const struct label_kind *label_kind_companion(const struct label_kind *kind, uint32_t *at, const char **ret_suffix)
{
	size_t len = strlen(kind->name);

	while (*at < KINDS) {
		const struct label_kind *k = &kinds[(*at)++];

		if (k->check && !strncmp(k->name, kind->name, len) && k->name[len] == '.') {
			*ret_suffix = k->name + len;
			return k;
		}
	}
	return NULL;
}

const struct source *label_source(const struct label_run *run, const struct label_file *file)
{
	return &run->sources->files.at[file->source];
}

/* ---- the run ---- */

/* Files of one set and one family side by side, in the order in which they were
 * given. */
static int compare_files(const void *a, const void *b)
{
	const struct label_file *x = a, *y = b;
	int family = strcmp(x->kind->family, y->kind->family);

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (family)
		return family;
	return x->order < y->order ? -1 : 1;
}

void label_list_check(struct label_run *run, struct label_list *list)
{
	struct label_file *files = list->files.at;
	uint32_t n = list->files.n;

	if (n)
		qsort(files, n, sizeof *files, compare_files);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (files[next].set != files[i].set || files[next].kind->check != files[i].kind->check)
				break;
		files[i].kind->check(run, &files[i], next - i);
	}
}

void label_files_check(const char *const *paths, uint32_t npaths, const struct label_options *options,
		       const struct label_policy *policies, uint32_t npolicies, struct sources *sources,
		       struct diags *diags, struct label_result *ret_result)
{
	struct label_contexts contexts;
	struct label_list list = {0};
	struct label_run run = {
		.sources = sources, .diags = diags, .options = options, .policies = policies,
		.npolicies = npolicies, .contexts = &contexts, .result = ret_result,
	};

	*ret_result = (struct label_result){0};
	label_contexts_init(&contexts, npolicies);
	label_collect(&run, paths, npaths, &list);
	for (uint32_t i = 0; i < list.files.n; i++)
		*vec_push(&ret_result->files) = list.files.at[i].source;
	label_list_check(&run, &list);
	vec_free(&list.files);
	label_contexts_free(&contexts);
}

void label_result_free(struct label_result *result)
{
	vec_free(&result->files);
	vec_free(&result->matches);
	free(result->looked_up);
}
