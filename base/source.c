#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"

enum {
	HUGE_PAGE = 2 * 1024 * 1024,
	READ_CHUNK = 256 * 1024,     /* so that it is still in the cache when searched for NULs */
	FIRST_CAPACITY = 64 * 1024,  /* where the size is not known */
	FILE_MAX = INT32_MAX - 4096, /* flex counts in int */
};

static const uint32_t total_max = UINT32_MAX - 1024 * 1024;

/* Text lies in a block of its own.  A large one is mapped in huge pages, which
 * halves the time of loading: most of it are page faults. */
struct block {
	size_t cap;    /* bytes of text, without the padding */
	size_t mapped; /* 0: from malloc() */
	char text[];
};

static struct block *block_new(size_t cap)
{
	size_t size = sizeof(struct block) + cap + SOURCE_PAD;
	struct block *block;

	if (size < HUGE_PAGE) {
		block = mem_alloc(size);
		block->mapped = 0;
	} else {
		size = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
		block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (block == MAP_FAILED)
			mem_exhausted();
		madvise(block, size, MADV_HUGEPAGE); /* else in small ones */
		block->mapped = size;
	}
	block->cap = cap;
	return block;
}

static void block_free(struct block *block)
{
	if (block->mapped)
		munmap(block, block->mapped);
	else
		free(block);
}

static struct block *block_double(struct block *old, size_t used)
{
	struct block *block = block_new(old->cap * 2);

	memcpy(block->text, old->text, used);
	block_free(old);
	return block;
}

static struct block *block_of(char *text)
{
	return (struct block *)(text - offsetof(struct block, text));
}

static void report_too_large(const char *path, struct diags *diags)
{
	diag_error(diags, "file-too-large", LOC_NONE,
		   "cannot load `%s`: a file may have 2 GiB, all files together 4 GiB", path);
}

static bool check_no_nul(const char *path, const char *text, size_t from, size_t size, struct diags *diags)
{
	const char *nul = memchr(text + from, '\0', size - from);
	uint32_t row = 1;

	if (!nul)
		return true;
	for (const char *p = text; (p = memchr(p, '\n', (size_t)(nul - p))); p++)
		row++;
	diag_error(diags, "nul-byte", LOC_NONE, "`%s` has a NUL byte in line %u", path, row);
	return false;
}

/* The base that the next file gets, and how large it may be. */
static uint32_t next_base(const struct sources *sources, uint32_t *ret_max)
{
	uint32_t base = 0;

	/* The padding is a gap, so that the end of a file is not the begin of
	 * the next. */
	if (sources->files.n) {
		const struct source *last = &sources->files.at[sources->files.n - 1];

		base = last->base + last->size + SOURCE_PAD;
	}
	*ret_max = base > total_max ? 0 : total_max - base;
	if (*ret_max > FILE_MAX)
		*ret_max = FILE_MAX;
	return base;
}

static const struct source *append(struct sources *sources, const char *path, uint32_t row, struct block *block,
				   size_t size)
{
	uint32_t max, base = next_base(sources, &max);
	size_t len = strlen(path);
	char *copy = mem_alloc(len + 1);

	memcpy(copy, path, len + 1);
	memset(block->text + size, 0, SOURCE_PAD);
	*vec_push(&sources->files) = (struct source){
		.path = copy,
		.text = block->text,
		.size = (uint32_t)size,
		.base = base,
		.row = row,
	};
	return &sources->files.at[sources->files.n - 1];
}

/* Reads to the end of the file; NULL with an error recorded. */
static struct block *read_all(int fd, const char *path, size_t expected, uint32_t max, size_t *ret_size,
			      struct diags *diags)
{
	/* One more than expected, so that the end is seen without growing. */
	struct block *block = block_new(expected ? expected + 1 : FIRST_CAPACITY);
	size_t size = 0;

	for (;;) {
		size_t room = block->cap - size;
		ssize_t got = read(fd, block->text + size, room < READ_CHUNK ? room : READ_CHUNK);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			diag_error(diags, "file-read", LOC_NONE, "cannot read `%s`: %s", path, strerror(errno));
			break;
		}
		if (!got) {
			*ret_size = size;
			return block;
		}
		size += (size_t)got;
		if (size > max) {
			report_too_large(path, diags);
			break;
		}
		if (!check_no_nul(path, block->text, size - (size_t)got, size, diags))
			break;
		if (size == block->cap)
			block = block_double(block, size);
	}
	block_free(block);
	return NULL;
}

static struct block *read_fd(int fd, const char *path, uint32_t max, size_t *ret_size, struct diags *diags)
{
	size_t expected = 0;
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		if (st.st_size > max) {
			report_too_large(path, diags);
			return NULL;
		}
		expected = (size_t)st.st_size;
	}
	return read_all(fd, path, expected, max, ret_size, diags);
}

const struct source *sources_load(struct sources *sources, const char *path, struct diags *diags)
{
	bool standard = !strcmp(path, "-");
	const char *name = standard ? "<stdin>" : path;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct block *block;
	size_t size;
	uint32_t max;

	if (fd < 0) {
		diag_error(diags, "file-open", LOC_NONE, "cannot open `%s`: %s", name, strerror(errno));
		return NULL;
	}
	next_base(sources, &max);
	block = read_fd(fd, name, max, &size, diags);
	if (!standard)
		close(fd);
	return block ? append(sources, name, 1, block, size) : NULL;
}

const struct source *sources_add(struct sources *sources, const char *path, const char *text, size_t size,
				 struct diags *diags)
{
	uint32_t max;

	next_base(sources, &max);
	if (size > max) {
		report_too_large(path, diags);
		return NULL;
	}
	if (size && !check_no_nul(path, text, 0, size, diags))
		return NULL;
	return sources_add_excerpt(sources, path, 1, text, size);
}

const struct source *sources_add_excerpt(struct sources *sources, const char *path, uint32_t row, const char *text,
					 size_t size)
{
	struct block *block;
	uint32_t max;

	next_base(sources, &max);
	if (size > max)
		return NULL;
	block = block_new(size);
	if (size)
		memcpy(block->text, text, size);
	return append(sources, path, row, block, size);
}

void sources_remove_last(struct sources *sources)
{
	const struct source *last = &sources->files.at[--sources->files.n];

	free(last->path);
	block_free(block_of(last->text));
}

void sources_free(struct sources *sources)
{
	while (sources->files.n)
		sources_remove_last(sources);
	vec_free(&sources->files);
}

const struct source *source_at(const struct sources *sources, uint32_t offset)
{
	uint32_t low = 0, high = sources->files.n;

	if (!high || offset == UINT32_MAX)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (sources->files.at[middle].base <= offset)
			low = middle;
		else
			high = middle;
	}
	return &sources->files.at[low];
}

const char *source_text(const struct sources *sources, uint32_t offset)
{
	const struct source *source = source_at(sources, offset);

	if (!source || offset < source->base)
		return "";
	offset -= source->base;
	return source->text + (offset < source->size ? offset : source->size);
}
