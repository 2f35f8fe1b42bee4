#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"

enum {
	MAX_LINKS = 40,
	MAX_TRIES = 100,
	SUFFIX = 6,
	/* Of the name that goes into that of the temporary, so that it fits. */
	NAME_PART = NAME_MAX - SUFFIX - 2,
};

struct output {
	const char *bytes;
	size_t size;
	bool lasting; /* to outlive a crash of the machine */
};

/* Each function here returns 0, or -1 with errno set. */

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size < SSIZE_MAX ? size : SSIZE_MAX);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0) {
			errno = EIO;
			return -1;
		}
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Flushes to the disk, where there is one. */
static int sync_fd(int fd)
{
	int failed;

	do
		failed = fsync(fd);
	while (failed && errno == EINTR);
	return failed && errno != EINVAL && errno != ENOTSUP ? -1 : 0;
}

/* Bytes of the directory part of a path, with its slash. */
static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

static char *concat(const char *a, size_t a_len, const char *b, size_t b_len)
{
	char *text;

	if (b_len > (size_t)-1 - a_len - 1)
		mem_exhausted();
	text = mem_alloc(a_len + b_len + 1);
	memcpy(text, a, a_len);
	memcpy(text + a_len, b, b_len);
	text[a_len + b_len] = '\0';
	return text;
}

/* The file behind the links, existing or not; NULL with errno set. */
static char *follow_links(const char *path)
{
	char *at = concat(path, strlen(path), "", 0);
	char target[PATH_MAX];

	for (int links = 0; links < MAX_LINKS; links++) {
		ssize_t len = readlink(at, target, sizeof target);
		char *next;

		if (len < 0)
			return at; /* no link, or an error that opening will meet again */
		if ((size_t)len == sizeof target)
			break;
		next = concat(at, target[0] == '/' ? 0 : dir_len(at), target, (size_t)len);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

static int random_suffix(char *suffix)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char bytes[SUFFIX];

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return -1;
	for (size_t i = 0; i < sizeof bytes; i++)
		suffix[i] = letters[bytes[i] % 32];
	return 0;
}

/* Creates .NAME.XXXXXX beside the target, with the mode that creating the
 * target would give it (so no mkstemp()).  Its path goes to *ret_path. */
static int open_temporary(const char *target, char **ret_path)
{
	size_t dir = dir_len(target), name = strlen(target + dir);
	size_t size = dir + NAME_MAX + 1;
	char *path = mem_alloc(size), *suffix;
	int len = snprintf(path, size, "%.*s.%.*s.%.*s", (int)dir, target, (int)(name < NAME_PART ? name : NAME_PART),
			   target + dir, SUFFIX, "XXXXXX");

	suffix = path + len - SUFFIX;
	for (int try = 0; try < MAX_TRIES; try++) {
		int fd;

		if (random_suffix(suffix))
			break;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0) {
			*ret_path = path;
			return fd;
		}
		if (errno != EEXIST)
			break;
	}
	free(path);
	return -1;
}

/* Best effort: the rename is done, only a crash could undo it. */
static void sync_directory(const char *target)
{
	size_t len = dir_len(target);
	char *dir = len ? concat(target, len, "", 0) : concat(".", 1, "", 0);
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(dir);
}

/* mode: of the file that is replaced, or -1. */
static int fill(int fd, const struct output *out, long mode)
{
	int failed = (mode >= 0 && fchmod(fd, (mode_t)mode)) || write_all(fd, out->bytes, out->size) ||
		     (out->lasting && sync_fd(fd));
	int error = errno;

	if (close(fd) && !failed)
		return -1;
	errno = error;
	return failed ? -1 : 0;
}

static int replace(const char *target, const struct output *out, long mode)
{
	char *temporary;
	int fd = open_temporary(target, &temporary), failed, error;

	if (fd < 0)
		return -1;
	failed = fill(fd, out, mode) || rename(temporary, target);
	error = errno;
	if (failed)
		unlink(temporary);
	else if (out->lasting)
		sync_directory(target);
	free(temporary);
	errno = error;
	return failed ? -1 : 0;
}

static int write_in_place(const char *path, const struct output *out)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 ? -1 : fill(fd, out, -1);
}

static int write_path(const char *path, const struct output *out)
{
	struct stat st, behind;
	bool exists = !stat(path, &st);
	char *target;
	int failed, error;

	if (exists && !S_ISREG(st.st_mode))
		return write_in_place(path, out);
	target = follow_links(path);
	if (!target)
		return -1;
	/* A link of /proc to a file without a name leads to no place where it
	 * could be replaced. */
	if (exists && (lstat(target, &behind) || behind.st_dev != st.st_dev || behind.st_ino != st.st_ino))
		failed = write_in_place(path, out);
	else
		failed = replace(target, out, exists ? (long)(st.st_mode & 07777) : -1);
	error = errno;
	free(target);
	errno = error;
	return failed;
}

static bool output(const char *path, const struct output *out, struct diags *diags)
{
	bool standard = !strcmp(path, "-");

	if (standard ? write_all(STDOUT_FILENO, out->bytes, out->size) : write_path(path, out)) {
		diag_error(diags, "file-write", LOC_NONE, "cannot write `%s`: %s", standard ? "<stdout>" : path,
			   strerror(errno));
		return false;
	}
	return true;
}

bool output_write(const char *path, const void *bytes, size_t size, struct diags *diags)
{
	return output(path, &(struct output){bytes, size, true}, diags);
}

bool output_write_passing(const char *path, const void *bytes, size_t size, struct diags *diags)
{
	return output(path, &(struct output){bytes, size, false}, diags);
}
