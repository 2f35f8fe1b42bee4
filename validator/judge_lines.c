/* Many texts: blocks of lines go around in a ring.  The thread that called
 * reads a block, others judge it, and the first one prints it when it is its
 * turn; with one thread it does all in turn. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "validator/judge_internal.h"

enum {
	BLOCK_BYTES = 256 * 1024,
	LINE_BYTES = 16 * 1024 * 1024, /* a longer line is refused */
};

struct bad_line { size_t begin, len; uint32_t row; enum judge_verdict verdict; };

struct block {
	char *text;
	size_t n, cap;   /* whole lines, but for the last one of the file */
	uint32_t row, rows; /* of the first line; lines */
	struct buffer out;
	VEC(struct bad_line) bad;
	bool judged;
};

struct lines_run {
	const struct judge *judge;
	const char *name;
	int fd;
	bool interactive; /* whoever waits for the answers to what came so far gets them */
	struct judge_worker reporter; /* for findings, in the thread that called */
	/* What was read behind the last newline. */
	struct buffer rest;
	bool end, failed, skipping; /* skipping: to the end of a line that is too long */
	uint32_t row;
	uint64_t done; /* lines */

	struct block *ring;
	uint32_t nblocks;
	/* Numbers of blocks since the begin: those from printed to taken are being
	 * judged or done, those from taken to filled wait.  Block i is in ring[i % nblocks]. */
	uint64_t printed, taken, filled;
	bool closing;
	pthread_mutex_t lock;
	pthread_cond_t has_work, has_result;
};

static uint32_t add_rows(uint32_t row, uint32_t rows)
{
	return rows > UINT32_MAX - row ? UINT32_MAX : row + rows;
}

/* ---- reading ---- */

static void refuse_line(struct lines_run *r)
{
	diag_error(r->judge->diags, "line-too-long", LOC_NONE, "line %u of `%s` has more than %d MiB", (unsigned)r->row,
		   r->name, LINE_BYTES >> 20);
	r->row = add_rows(r->row, 1);
	r->skipping = true;
}

/* Bytes read, 0 at the end. */
static size_t read_some(struct lines_run *r, char *at, size_t n)
{
	for (;;) {
		ssize_t got = read(r->fd, at, n);

		if (got >= 0)
			return (size_t)got;
		if (errno == EINTR)
			continue;
		diag_error(r->judge->diags, "file-read", LOC_NONE, "cannot read `%s`: %s", r->name, strerror(errno));
		r->failed = true;
		return 0;
	}
}

static void reserve(struct block *b, size_t cap)
{
	if (b->cap >= cap)
		return;
	b->text = mem_resize(b->text, cap);
	b->cap = cap;
}

/* Only the first line of a block can be: what is read at once is shorter. */
static bool is_too_long(const struct block *b)
{
	return b->n > LINE_BYTES && !memchr(b->text, '\n', LINE_BYTES + 1);
}

/* Of a line that is too long, what is left of it. */
static void skip_line(struct lines_run *r, struct block *b)
{
	char *newline = memchr(b->text, '\n', b->n);

	if (!newline) {
		b->n = 0;
		return;
	}
	b->n -= (size_t)(newline + 1 - b->text);
	memmove(b->text, newline + 1, b->n);
	r->skipping = false;
}

/* Fills a block with whole lines; false at the end of the file. */
static bool fill(struct lines_run *r, struct block *b)
{
	char *last = NULL;

	reserve(b, r->rest.n + BLOCK_BYTES);
	if (r->rest.n)
		memcpy(b->text, r->rest.at, r->rest.n);
	b->n = r->rest.n;
	r->rest.n = 0;
	while (!last && !r->end) {
		size_t got;

		if (b->cap - b->n < BLOCK_BYTES)
			reserve(b, b->cap * 2);
		got = read_some(r, b->text + b->n, BLOCK_BYTES);
		r->end = !got;
		b->n += got;
		if (!r->skipping && is_too_long(b))
			refuse_line(r);
		if (r->skipping)
			skip_line(r, b);
		last = b->n ? memrchr(b->text, '\n', b->n) : NULL;
	}
	if (last) {
		size_t whole = (size_t)(last + 1 - b->text);

		buffer_put(&r->rest, b->text + whole, b->n - whole);
		b->n = whole;
	}
	return b->n > 0;
}

static void count_rows(struct lines_run *r, struct block *b)
{
	b->row = r->row;
	b->rows = 0;
	for (const char *p = b->text, *end = b->text + b->n; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		b->rows++;
	r->row = add_rows(r->row, b->rows);
}

/* ---- judging ---- */

static void judge_block(struct judge_worker *worker, struct block *b)
{
	const char *end = b->text + b->n, *next;
	uint32_t row = b->row;

	b->out.n = 0;
	b->bad.n = 0;
	for (const char *line = b->text; line < end; line = next, row = add_rows(row, 1)) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t len = (size_t)((newline ? newline : end) - line);
		enum judge_verdict verdict;

		next = newline ? newline + 1 : end;
		if (!len || *line == '#')
			continue;
		verdict = judge_one(worker, line, len, &b->out);
		if (verdict != VERDICT_GOOD)
			*vec_push(&b->bad) = (struct bad_line){(size_t)(line - b->text), len, row, verdict};
	}
}

static void print_block(struct lines_run *r, struct block *b)
{
	const struct judge *judge = r->judge;

	if (b->out.n)
		fwrite(b->out.at, 1, b->out.n, judge->out);
	if (r->interactive)
		fflush(judge->out);
	for (uint32_t i = 0; i < b->bad.n; i++) {
		const struct bad_line *bad = &b->bad.at[i];

		judge_report(&r->reporter, bad->verdict, r->name, bad->row, b->text + bad->begin, bad->len);
	}
	r->done += b->rows;
	if (judge->progress)
		judge->progress(judge->progress_data, r->done);
}

/* ---- one thread ---- */

static void run_alone(struct lines_run *r)
{
	struct judge_worker worker = {.judge = r->judge};
	struct block *b = &r->ring[0];

	while (fill(r, b)) {
		count_rows(r, b);
		judge_block(&worker, b);
		print_block(r, b);
	}
	judge_worker_free(&worker);
}

/* ---- many ---- */

static void *work(void *data)
{
	struct lines_run *r = data;
	struct judge_worker worker = {.judge = r->judge};

	pthread_mutex_lock(&r->lock);
	for (;;) {
		struct block *b;

		while (r->taken == r->filled && !r->closing)
			pthread_cond_wait(&r->has_work, &r->lock);
		if (r->taken == r->filled)
			break;
		b = &r->ring[r->taken++ % r->nblocks];
		pthread_mutex_unlock(&r->lock);
		judge_block(&worker, b);
		pthread_mutex_lock(&r->lock);
		b->judged = true;
		pthread_cond_signal(&r->has_result);
	}
	pthread_mutex_unlock(&r->lock);
	judge_worker_free(&worker);
	return NULL;
}

/* Waits for the oldest block and prints it. */
static void print_oldest(struct lines_run *r)
{
	struct block *b = &r->ring[r->printed % r->nblocks];

	pthread_mutex_lock(&r->lock);
	while (!b->judged)
		pthread_cond_wait(&r->has_result, &r->lock);
	pthread_mutex_unlock(&r->lock);
	b->judged = false;
	print_block(r, b);
	r->printed++;
}

static void feed(struct lines_run *r)
{
	for (;;) {
		struct block *b = &r->ring[r->filled % r->nblocks];

		if (r->filled - r->printed == r->nblocks)
			print_oldest(r);
		if (!fill(r, b))
			break;
		count_rows(r, b);
		pthread_mutex_lock(&r->lock);
		r->filled++;
		pthread_cond_signal(&r->has_work);
		pthread_mutex_unlock(&r->lock);
	}
	while (r->printed < r->filled)
		print_oldest(r);
}

static void run_threads(struct lines_run *r, uint32_t threads)
{
	pthread_t *ids = mem_zalloc(threads, sizeof *ids);
	uint32_t n = 0;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->has_work, NULL);
	pthread_cond_init(&r->has_result, NULL);
	while (n < threads && !pthread_create(&ids[n], NULL, work, r))
		n++;
	if (n)
		feed(r);
	else
		run_alone(r);
	pthread_mutex_lock(&r->lock);
	r->closing = true;
	pthread_cond_broadcast(&r->has_work);
	pthread_mutex_unlock(&r->lock);
	for (uint32_t i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	pthread_cond_destroy(&r->has_work);
	pthread_cond_destroy(&r->has_result);
	pthread_mutex_destroy(&r->lock);
	free(ids);
}

bool judge_lines(const struct judge *judge, int fd, const char *name, uint32_t threads)
{
	struct lines_run r = {
		.judge = judge, .name = name, .fd = fd, .reporter = {.judge = judge}, .row = 1,
		.nblocks = threads > 1 ? threads * 2 : 1,
	};
	struct stat st;

	r.interactive = fstat(fd, &st) || !S_ISREG(st.st_mode);
	r.ring = mem_zalloc(r.nblocks, sizeof *r.ring);
	if (threads > 1)
		run_threads(&r, threads);
	else
		run_alone(&r);
	for (uint32_t i = 0; i < r.nblocks; i++) {
		free(r.ring[i].text);
		buffer_free(&r.ring[i].out);
		vec_free(&r.ring[i].bad);
	}
	free(r.ring);
	buffer_free(&r.rest);
	judge_worker_free(&r.reporter);
	return !r.failed;
}
