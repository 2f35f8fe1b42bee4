/* Paths to files: what is named, what stands in a list, what is found in a
 * tree.  Directories, links and lists may be anything. */
#include "validator/collect.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/memory.h"

enum { MAX_DEPTH = 64 };

/* A file that is there already, to check it once whatever its names. */
struct seen {
	dev_t device;
	ino_t inode;
	const struct label_kind *kind;
};

struct collector {
	struct label_run *run;
	struct label_list *list;
	VEC(struct seen) seen; /* open addressing: kind NULL is free; n unused */
	uint32_t nseen;
	uint32_t nfound;       /* in trees, those seen before as well */
	struct atoms stems;    /* of sets in trees, by number */
};

/* ---- files that were seen ---- */

static uint64_t seen_hash(const struct seen *s)
{
	return ((uint64_t)s->inode * 0x9e3779b97f4a7c15u ^ (uint64_t)s->device) * 0xff51afd7ed558ccdu;
}

static bool seen_put(struct seen *slots, uint32_t nslots, const struct seen *what)
{
	uint32_t i = (uint32_t)(seen_hash(what) >> 32) & (nslots - 1);

	for (; slots[i].kind; i = (i + 1) & (nslots - 1))
		if (slots[i].inode == what->inode && slots[i].device == what->device && slots[i].kind == what->kind)
			return false;
	slots[i] = *what;
	return true;
}

static void seen_grow(struct collector *c)
{
	uint32_t cap = c->seen.cap ? c->seen.cap * 2 : 64;
	struct seen *slots = mem_zalloc(cap, sizeof *slots);

	for (uint32_t i = 0; i < c->seen.cap; i++)
		if (c->seen.at[i].kind)
			seen_put(slots, cap, &c->seen.at[i]);
	free(c->seen.at);
	c->seen.at = slots;
	c->seen.cap = cap;
}

/* False when the file was there before. */
static bool is_new(struct collector *c, const struct stat *st, const struct label_kind *kind)
{
	struct seen what = {st->st_dev, st->st_ino, kind};

	if (c->nseen >= c->seen.cap / 2)
		seen_grow(c);
	if (!seen_put(c->seen.at, c->seen.cap, &what))
		return false;
	c->nseen++;
	return true;
}

/* ---- one file ---- */

static void load(struct collector *c, const char *path, const struct label_kind *kind, uint32_t set)
{
	struct label_run *run = c->run;

	if (!sources_load(run->sources, path, run->diags))
		return;
	*vec_push(&c->list->files) = (struct label_file){
		.kind = kind, .source = run->sources->files.n - 1, .set = set, .order = c->list->files.n,
	};
}

/* libselinux reads further files beside the one that it is given, named for it:
 * so do we when the user names one. */
static void load_companions(struct collector *c, const char *path, const struct label_kind *kind)
{
	const struct label_kind *companion;
	const char *suffix;

	for (uint32_t i = 0; (companion = label_kind_companion(kind, &i, &suffix));) {
		struct buffer name = {0};
		struct stat st;

		buffer_put(&name, path, strlen(path));
		buffer_put(&name, suffix, strlen(suffix) + 1);
		if (!stat((const char *)name.at, &st) && S_ISREG(st.st_mode) && is_new(c, &st, companion))
			load(c, (const char *)name.at, companion, 0);
		buffer_free(&name);
	}
}

static void report_missing(struct label_run *run, const char *path, struct loc loc, int error)
{
	diag_error(run->diags, "file-open", loc, "cannot open `%s`: %s", path, strerror(error));
}

static void report_unknown(struct label_run *run, const char *path)
{
	diag_error(run->diags, "label-file-unknown", LOC_NONE, "`%s` is no label file that is known by its name", path);
	diag_hint(run->diags, "say what it is with --as; --list-kinds lists the kinds");
}

/* ---- trees ---- */

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void walk(struct collector *c, const char *path, uint32_t depth);

/* A file and its companions are a set: what is before their suffix is the same. */
static uint32_t set_of(struct collector *c, const char *path, const struct label_kind *kind)
{
	const char *suffix = strchr(kind->name, '.');
	size_t len = strlen(path), suffix_len = suffix ? strlen(suffix) : 0;

	if (suffix && len > suffix_len && !strcmp(path + len - suffix_len, suffix))
		len -= suffix_len;
	return atom_intern(&c->stems, path, len);
}

static void walk_entry(struct collector *c, const char *path, uint32_t depth)
{
	const struct label_kind *kind;
	struct stat st;

	if (lstat(path, &st))
		return; /* gone since the directory was read */
	if (S_ISDIR(st.st_mode)) {
		walk(c, path, depth + 1);
		return;
	}
	kind = label_kind_of(path, false);
	if (!kind || !kind->check)
		return;
	/* A link to a directory may lead back up; one to a file is that file. */
	if (S_ISLNK(st.st_mode) && stat(path, &st)) {
		report_missing(c->run, path, LOC_NONE, errno);
		return;
	}
	if (!S_ISREG(st.st_mode))
		return;
	c->nfound++;
	if (is_new(c, &st, kind))
		load(c, path, kind, set_of(c, path, kind));
}

static void walk(struct collector *c, const char *path, uint32_t depth)
{
	struct dirent **entries;
	size_t len = strlen(path);
	int n;

	if (depth > MAX_DEPTH) {
		diag_error(c->run->diags, "file-open", LOC_NONE, "cannot open `%s`: it is more than %d directories deep", path,
			   MAX_DEPTH);
		return;
	}
	n = scandir(path, &entries, is_entry, compare_names);
	if (n < 0) {
		report_missing(c->run, path, LOC_NONE, errno);
		return;
	}
	while (len > 1 && path[len - 1] == '/')
		len--;
	for (int i = 0; i < n; i++) {
		struct buffer name = {0};

		buffer_put(&name, path, len);
		if (path[len - 1] != '/')
			buffer_u8(&name, '/');
		buffer_put(&name, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
		walk_entry(c, (const char *)name.at, depth);
		buffer_free(&name);
		free(entries[i]);
	}
	free(entries);
}

/* ---- what the user gave ---- */

static void add_tree(struct collector *c, const char *path)
{
	struct label_run *run = c->run;
	uint32_t known = c->nfound, errors = run->diags->errors;

	walk(c, path, 0);
	if (c->nfound == known && run->diags->errors == errors)
		diag_error(run->diags, "label-files-none", LOC_NONE, "there is no label file below `%s`", path);
}

static void add_named(struct collector *c, const char *path)
{
	const char *as = c->run->options->as;
	const struct label_kind *kind = as ? label_kind_named(as) : label_kind_of(path, true);
	bool standard = !strcmp(path, "-");
	struct stat st;

	if (!standard && stat(path, &st)) {
		report_missing(c->run, path, LOC_NONE, errno);
	} else if (!standard && S_ISDIR(st.st_mode)) {
		add_tree(c, path);
	} else if (!kind) {
		report_unknown(c->run, standard ? "<stdin>" : path);
	} else if (!kind->check) {
		diag_warning(c->run->diags, "label-file-compiled", LOC_NONE,
			     "`%s` is a compiled form, which is not checked", path);
		diag_hint(c->run->diags, "check the text that it is made from");
	} else if (standard || is_new(c, &st, kind)) {
		load(c, path, kind, 0);
		if (!standard)
			load_companions(c, path, kind);
	}
}

/* A line of a list: of all files that a package has, those of a kind. */
static void add_listed(struct collector *c, struct span line)
{
	char *path = mem_alloc(line.len + 1);
	const struct label_kind *kind;
	struct stat st;

	memcpy(path, line.text, line.len);
	path[line.len] = '\0';
	kind = label_kind_of(path, false);
	if (kind && kind->check) {
		if (stat(path, &st))
			report_missing(c->run, path, line.loc, errno);
		else if (S_ISREG(st.st_mode) && is_new(c, &st, kind))
			load(c, path, kind, 0);
	}
	free(path);
}

static void add_list(struct collector *c, const char *path)
{
	struct label_run *run = c->run;
	const struct source *source = sources_load(run->sources, path, run->diags);
	struct lines lines;
	struct span line;

	if (!source)
		return;
	lines_begin(&lines, source);
	while (lines_next(&lines, &line)) {
		line = span_trim(line);
		if (line.len)
			add_listed(c, line);
	}
}

void label_collect(struct label_run *run, const char *const *paths, uint32_t npaths, struct label_list *ret_list)
{
	struct collector c = {.run = run, .list = ret_list};

	atoms_init(&c.stems);
	for (uint32_t i = 0; i < npaths; i++)
		add_named(&c, paths[i]);
	if (run->options->list)
		add_list(&c, run->options->list);
	atoms_free(&c.stems);
	free(c.seen.at);
}
