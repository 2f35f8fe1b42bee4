/* Include in setrans.conf: a path, or a pattern of the shell for many. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "validator/setrans.h"

static char *text_of_span(struct span span)
{
	char *text = mem_alloc((size_t)span.len + 1);

	memcpy(text, span.text, span.len);
	text[span.len] = '\0';
	return text;
}

static const char *current_path(const struct setrans *s)
{
	return s->run->sources->files.at[s->stack.at[s->stack.n - 1].source].path;
}

/* ---- where it is ---- */

/* Bytes of a path that are its directory, without the last slash. */
static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* How much of a directory is before the tree in which a path is absolute: in
 * `/tmp/root/etc/selinux/mls` the path `/etc/selinux/mls/x.conf` is below
 * `/tmp/root`. */
static bool find_root(const char *directory, size_t len, const char *path, size_t *ret_root)
{
	for (size_t tail = directory_len(path); tail; tail--) {
		if (path[tail] != '/' || tail > len || memcmp(directory + len - tail, path, tail) != 0)
			continue;
		*ret_root = len - tail;
		return true;
	}
	return false;
}

/* Puts the root of the tree that the file is in before the path; false when it is
 * in no tree that the path is of. */
static bool put_root(const struct setrans *s, const char *path, struct buffer *to)
{
	const char *current = current_path(s);
	char *real;
	size_t root = 0;
	bool found = find_root(current, directory_len(current), path, &root);

	if (found) {
		buffer_put(to, current, root);
		return true;
	}
	real = realpath(current, NULL);
	found = real && find_root(real, directory_len(real), path, &root);
	if (found)
		buffer_put(to, real, root);
	free(real);
	return found;
}

/* The pattern as it is to be opened here.  The daemon looks for a relative one in
 * its working directory, which is the root; we, beside the file.  False when the
 * daemon may find another file. */
static bool locate(struct setrans *s, struct span line, const char *path, struct buffer *ret_path)
{
	size_t len = strrchr(current_path(s), '/') ? directory_len(current_path(s)) + 1 : 0;
	bool sure = true;

	if (path[0] == '/') {
		sure = put_root(s, path, ret_path);
	} else {
		diag_warning(s->run->diags, "setrans-include", line.loc,
			     "the path is relative, and the translation daemon looks for it in its working directory, `/`");
		buffer_put(ret_path, current_path(s), len);
	}
	buffer_put(ret_path, path, strlen(path) + 1);
	return sure;
}

static void report_none(struct setrans *s, struct span path, const char *pattern, bool sure)
{
	struct diags *diags = s->run->diags;

	if (!sure) {
		diag_warning(diags, "setrans-include", path.loc,
			     "no file matches `%s`, and this one is not in the directory of a policy where it belongs", pattern);
		return;
	}
	diag_error(diags, "setrans-include", path.loc, "no file matches `%s`", pattern);
	diag_hint(diags, "the translation daemon gives the whole file up for it, and does not start");
}

/* ---- what it leads to ---- */

static void note_chain(struct setrans *s, uint32_t from)
{
	for (uint32_t i = s->stack.n - 1; i > from; i--)
		diag_note(s->run->diags, s->stack.at[i].include, "the file of that line is included here");
}

/* Whether the file is being read already. */
static bool check_loop(struct setrans *s, struct span line, uint32_t source)
{
	uint32_t i = 0;

	while (i < s->stack.n && s->stack.at[i].source != source)
		i++;
	if (i == s->stack.n)
		return true;
	diag_error(s->run->diags, "setrans-include-loop", line.loc, "`%s` includes itself%s",
		   s->run->sources->files.at[source].path, i + 1 < s->stack.n ? ", through others" : "");
	note_chain(s, i);
	diag_hint(s->run->diags, "the translation daemon opens it again and again, or gives the whole file up");
	return false;
}

/* Loads a file once; false when it cannot be read. */
static bool open_file(struct setrans *s, const char *path, uint32_t *ret_source)
{
	struct label_run *run = s->run;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	for (uint32_t i = 0; i < s->files.n; i++) {
		if (s->files.at[i].device == st.st_dev && s->files.at[i].inode == st.st_ino) {
			*ret_source = s->files.at[i].source;
			return true;
		}
	}
	if (!sources_load(run->sources, path, run->diags))
		return false;
	*ret_source = run->sources->files.n - 1;
	*vec_push(&s->files) = (struct setrans_file){st.st_dev, st.st_ino, *ret_source};
	*vec_push(&run->result->files) = *ret_source;
	return true;
}

/* The first file was opened by whoever calls; so that it is known when it is
 * included. */
static void know_first(struct setrans *s)
{
	struct stat st;

	if (!s->files.n && !stat(current_path(s), &st))
		*vec_push(&s->files) = (struct setrans_file){st.st_dev, st.st_ino, s->stack.at[0].source};
}

static void include_file(struct setrans *s, struct span line, const char *path)
{
	uint32_t source;

	if (s->includes == SETRANS_FILES) {
		if (!s->exhausted)
			diag_error(s->run->diags, "setrans-include", line.loc, "more than %d files are included; the rest is not read",
				   SETRANS_FILES);
		s->exhausted = true;
		return;
	}
	s->includes++;
	if (!open_file(s, path, &source))
		diag_error(s->run->diags, "setrans-include", line.loc, "cannot open `%s`, or it is no file", path);
	else if (check_loop(s, line, source))
		setrans_read(s, source, line.loc);
}

void setrans_include(struct setrans *s, struct span line, struct span path)
{
	char *text = text_of_span(path);
	struct buffer pattern = {0};
	glob_t found;
	bool sure;

	if (s->run->options->no_includes) {
		free(text);
		return;
	}
	know_first(s);
	if (s->stack.n == SETRANS_DEPTH) {
		diag_error(s->run->diags, "setrans-include", line.loc, "files are included more than %d deep", SETRANS_DEPTH - 1);
		free(text);
		return;
	}
	sure = locate(s, line, text, &pattern);
	if (glob((const char *)pattern.at, GLOB_ERR, NULL, &found))
		report_none(s, path, (const char *)pattern.at, sure);
	else
		for (size_t i = 0; i < found.gl_pathc; i++)
			include_file(s, line, found.gl_pathv[i]);
	globfree(&found);
	buffer_free(&pattern);
	free(text);
}
