/* corrupt [-t SECONDS] [-o DIR] [-s] [-w] {small|large|bogus}:IMAGE...
 *
 * Damages images in systematic ways and reads each result: no crash, no hang,
 * memory bounded by a small multiple of the image; what is accepted must be
 * stable when written and read again.  libsepol reads the same bytes, and where
 * it decides otherwise there must be a reason in the tables of reasons.
 *
 *   small:IMAGE  cut at every byte; every byte set to 0x00, 0xff and flipped
 *   large:IMAGE  each 32-bit word of the first 4 KiB, and those at 2,000 places
 *                drawn at random from a fixed seed, set to 0, 1, 0x7fffffff and
 *                0xffffffff
 *   bogus:IMAGE  as it is: must be refused with a message
 *
 *   -t SECONDS   time for each image (default 10): the cases are taken in a
 *                mixed order, those that are left then are not tried; those of
 *                the second half of the time are not shown to libsepol
 *   -o DIR       where to leave the images of the cases that fail
 *   -s           print how many cases have each reason for a difference
 *   -w           without libsepol: it cannot run under every sanitizer
 *
 * Exit status: 0 all well, 1 not, 2 wrong use. */
#include <errno.h>
#include <sepol/debug.h>
#include <sepol/handle.h>
#include <sepol/policydb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backend/package.h"
#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "tests/corrupt.h"

#if defined(__SANITIZE_ADDRESS__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0 /* address space is not reserved in terabytes: it can be limited */
#endif

enum { OUR_SECONDS = 10, THEIR_SECONDS = 1, BATCH = 512, TEXT = RESULT_TEXT };
/* Address space that reading may take: per byte of image, and beside. */
enum { OUR_MEMORY_PER_BYTE = 64, OUR_MEMORY_BESIDE = 48 << 20 };
enum { THEIR_MEMORY_PER_BYTE = 256, THEIR_MEMORY_BESIDE = 256 << 20 };

/* Of policies: where a reader of ours and libsepol decide differently, and why. */
static struct reason reasons[] = {
	{false, false, "control character", "names have none; libsepol has the check after 3.11", 0},
	{false, false, "an empty set with", "libsepol does not look at the count of an empty set", 0},
	{false, false, "invalid-symbol: role `object_r`", "libsepol knows object_r and skips what an image says of it", 0},
	{false, false, "has the default_", "libsepol keeps eight bits of a default", 0},
	{false, false, "and the policy is not MLS", "libsepol does not look at levels of a policy without MLS", 0},
	{false, false, "has the properties", "libsepol does not look at unknown properties of types", 0},
	{false, false, "alias mark", "libsepol takes any mark but 0 for that of an alias", 0},
	{false, false, "has bounds", "libsepol does not look at bounds of aliases", 0},
	{false, false, "for an attribute, which is none", "libsepol lets a type have types for attributes", 0},
	{false, false, "is without itself", "libsepol adds a type to its row of the attribute map", 0},
	{false, false, "invalid-label: port", "libsepol keeps 16 bits of a port and eight of a protocol", 0},
	{false, false, "a rule of the kinds", "before version 20 libsepol does not look at unknown kinds", 0},
	{false, true, "invalid-", "libsepol before 3.5 does not validate what it has read", 0},
	{false, true, "values up to", "libsepol before 3.5 takes any size for a table", 0},
	{false, true, "has the value", "libsepol before 3.5 lets permissions share a value", 0},
	{false, true, "entries cannot be in", "libsepol before 3.5 does not look at counts", 0},
	{false, true, "and is no type", "libsepol before 3.5 does not look at rows of the attribute map", 0},
	{false, true, "is not the level", "libsepol before 3.5 does not look at the categories of aliases", 0},
	{false, true, "with the state", "libsepol before 3.5 does not look at states of conditionals", 0},
	{true, false, "Invalid constraint expr", "after 3.11 libsepol takes bits beyond the permissions, as we do", 0},
	{false, false, "unknown configuration bits", "libsepol does not look at unknown bits", 0},
};

enum { REASONS = sizeof reasons / sizeof reasons[0] };

/* ---- damage ---- */

enum { FIRST_BYTES = 4096, PLACES = 2000, WORD_VALUES = 4, BYTE_VALUES = 3 };

enum damage_kind { SMALL, LARGE, BOGUS };

struct image {
	const char *path;
	unsigned char *at;
	size_t size;
	enum damage_kind kind;
	const struct readers *readers;
};

static uint32_t scramble(uint32_t n)
{
	uint64_t h = (n + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (uint32_t)(h >> 32);
}

static size_t first_words(const struct image *image)
{
	return (image->size < FIRST_BYTES ? image->size : FIRST_BYTES) / 4;
}

static uint32_t count_cases(const struct image *image)
{
	if (image->kind == BOGUS)
		return 1;
	if (image->kind == SMALL)
		return (uint32_t)image->size * (1 + BYTE_VALUES);
	return (uint32_t)(first_words(image) + PLACES) * WORD_VALUES;
}

/* Damages the bytes, a copy of the image; returns their new size.  what gets
 * at most TEXT bytes about it. */
static size_t damage_small(const struct image *image, uint32_t i, unsigned char *bytes, char *what)
{
	size_t at = i / (1 + BYTE_VALUES);

	switch (i % (1 + BYTE_VALUES)) {
	case 0:
		snprintf(what, TEXT, "cut at byte %zu", at);
		return at;
	case 1:
		bytes[at] = 0;
		break;
	case 2:
		bytes[at] = 0xff;
		break;
	default:
		bytes[at] = (unsigned char)~bytes[at];
		break;
	}
	snprintf(what, TEXT, "byte %zu set to 0x%02x", at, bytes[at]);
	return image->size;
}

static size_t damage_large(const struct image *image, uint32_t i, unsigned char *bytes, char *what)
{
	static const uint32_t values[WORD_VALUES] = {0, 1, INT32_MAX, UINT32_MAX};
	uint32_t place = i / WORD_VALUES, value = values[i % WORD_VALUES];
	size_t at = place < first_words(image) ? (size_t)place * 4 : scramble(place) % (image->size - 3);

	for (int byte = 0; byte < 4; byte++)
		bytes[at + byte] = (unsigned char)(value >> 8 * byte);
	snprintf(what, TEXT, "word at byte %zu set to 0x%x", at, (unsigned)value);
	return image->size;
}

static size_t damage(const struct image *image, uint32_t i, unsigned char *bytes, char *what)
{
	memcpy(bytes, image->at, image->size);
	snprintf(what, TEXT, "as it is");
	if (image->kind == BOGUS)
		return image->size;
	return (image->kind == SMALL ? damage_small : damage_large)(image, i, bytes, what);
}

/* ---- one case, in a child ---- */

/* What a child tells before it dies. */
struct shared {
	volatile uint32_t index; /* cases of the batch that are done */
	volatile bool theirs;    /* whose reading it died in */
	struct result results[BATCH];
};

static bool same_again(const struct policy *policy, uint32_t version, struct diags *diags)
{
	struct buffer first = {0}, second = {0};
	struct policy *again = NULL;
	bool same = false;

	if (policydb_write(policy, version, &first, diags))
		again = policydb_read(first.at, first.n, "written", NULL, diags);
	if (again && policy_validate(again, version, diags) && policydb_write(again, version, &second, diags))
		same = first.n == second.n && memcmp(first.at, second.at, first.n) == 0;
	policy_free(again);
	buffer_free(&first);
	buffer_free(&second);
	return same;
}

/* The bytes stand at the end of a mapping of their own, so that a read behind
 * them does not pass unseen. */
static void read_ours(const unsigned char *bytes, size_t size, struct result *result)
{
	struct diags diags = {0};
	uint32_t version;
	struct policy *policy = policydb_read(bytes, size, "image", &version, &diags);

	if (!policy || !policy_validate(policy, version, &diags))
		result->ours = REFUSED;
	else
		result->ours = same_again(policy, version, &diags) ? ACCEPTED : UNSTABLE;
	keep_error(result, &diags);
	policy_free(policy);
	diags_free(&diags);
}

void keep_error(struct result *result, const struct diags *diags)
{
	for (uint32_t i = 0; i < diags->list.n && !result->text[0]; i++)
		if (diags->list.at[i].severity == SEV_ERROR)
			snprintf(result->text, TEXT, "%s: %s", diags->list.at[i].check, diags->list.at[i].text);
	if (result->ours == REFUSED && !result->text[0])
		result->ours = UNSTABLE; /* no image is refused without a word */
}

__attribute__((format(printf, 3, 4)))
void keep_message(void *data, sepol_handle_t *handle, const char *fmt, ...)
{
	struct result *result = data;
	va_list args;

	(void)handle;
	if (result->their[0])
		return;
	va_start(args, fmt);
	vsnprintf(result->their, TEXT, fmt, args);
	va_end(args);
}

static void read_theirs(const unsigned char *bytes, size_t size, struct result *result)
{
	sepol_handle_t *handle = sepol_handle_create();
	sepol_policy_file_t *file = NULL;
	sepol_policydb_t *policydb = NULL;

	if (!handle || sepol_policy_file_create(&file) || sepol_policydb_create(&policydb))
		_exit(3);
	sepol_debug(0);
	sepol_msg_set_callback(handle, keep_message, result);
	sepol_policy_file_set_handle(file, handle);
	sepol_policy_file_set_mem(file, (char *)bytes, size);
	result->theirs = sepol_policydb_read(policydb, file) == 0 ? ACCEPTED : REFUSED;
	sepol_policydb_free(policydb);
	sepol_policy_file_free(file);
	sepol_handle_destroy(handle);
}

/* Whether libsepol has ever heard of the version of the image. */
static bool is_theirs(const unsigned char *bytes, size_t size)
{
	enum { VERSION_AT = 16 };
	int version = size > VERSION_AT ? bytes[VERSION_AT] : 0;

	return !policydb_version_known(POLICY_SELINUX, (uint32_t)version) ||
	       (version >= sepol_policy_kern_vers_min() && version <= sepol_policy_kern_vers_max());
}

static const struct readers policy_readers = {read_ours, read_theirs, is_theirs, reasons, REASONS};

/* By how the undamaged image begins. */
static const struct readers *find_readers(const struct image *image)
{
	switch (image_kind(image->at, image->size)) {
	case IMAGE_MODULE:
		return &module_readers;
	case IMAGE_PACKAGE:
		return &package_readers;
	default:
		return &policy_readers;
	}
}

static size_t address_space(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(unsigned seconds, size_t memory)
{
	struct rlimit space;

	alarm(seconds);
	if (SHADOWED || getrlimit(RLIMIT_AS, &space))
		return;
	space.rlim_cur = address_space() + memory;
	setrlimit(RLIMIT_AS, &space);
}

struct options {
	double seconds;
	const char *out;
	bool summary, alone; /* without libsepol */
};

struct run {
	const struct options *options;
	const struct image *image;
	struct shared *shared;
	unsigned char *bytes; /* the end of a mapping; behind it nothing can be read */
	size_t room;
	double end, their_end; /* when time is up, and when we stop asking libsepol */
};

/* Moves the damaged image to the end of the room. */
static const unsigned char *lay_out(const struct run *run, uint32_t i, size_t *ret_size)
{
	char what[TEXT];
	unsigned char *bytes = run->bytes + run->room - run->image->size;

	*ret_size = damage(run->image, i, bytes, what);
	memmove(run->bytes + run->room - *ret_size, bytes, *ret_size);
	return run->bytes + run->room - *ret_size;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run_case(const struct run *run, uint32_t i, struct result *result)
{
	size_t size;
	const unsigned char *bytes = lay_out(run, i, &size);

	run->shared->theirs = false;
	limit(OUR_SECONDS, run->image->size * OUR_MEMORY_PER_BYTE + OUR_MEMORY_BESIDE);
	run->image->readers->ours(bytes, size, result);
	if (run->options->alone || seconds() > run->their_end || !run->image->readers->is_theirs(bytes, size))
		return;
	run->shared->theirs = true;
	limit(THEIR_SECONDS, run->image->size * THEIR_MEMORY_PER_BYTE + THEIR_MEMORY_BESIDE);
	run->image->readers->theirs(bytes, size, result);
}

/* ---- all cases ---- */

struct tally {
	uint32_t cases, accepted, failed;
	uint32_t compared, crashed; /* libsepol */
};

static const struct reason *find_reason(const struct readers *readers, const struct result *result, bool old)
{
	const char *text = result->ours == ACCEPTED ? result->their : result->text;

	for (size_t i = 0; i < readers->nreasons; i++) {
		struct reason *reason = &readers->reasons[i];

		if ((reason->we_accept == (result->ours == ACCEPTED)) && (!reason->old || old) &&
		    strstr(text, reason->text)) {
			reason->count++;
			return reason;
		}
	}
	return NULL;
}

static void save_case(const struct run *run, uint32_t i)
{
	const char *name;
	char path[512];
	size_t size;
	const unsigned char *bytes = lay_out(run, i, &size);
	FILE *f;

	if (!run->options->out)
		return;
	name = strrchr(run->image->path, '/');
	snprintf(path, sizeof path, "%s/%s.%u", run->options->out, name ? name + 1 : run->image->path, (unsigned)i);
	f = fopen(path, "wb");
	if (f) {
		fwrite(bytes, 1, size, f);
		fclose(f);
	}
}

static void fail(const struct run *run, struct tally *tally, uint32_t i, const char *how, const struct result *result)
{
	unsigned char *copy = malloc(run->image->size);
	char what[TEXT];

	damage(run->image, i, copy, what);
	free(copy);
	tally->failed++;
	save_case(run, i);
	printf("corrupt: %s: case %u, %s: %s\n", run->image->path, (unsigned)i, what, how);
	if (result->text[0])
		printf("  we: %s\n", result->text);
	if (result->their[0])
		printf("  libsepol: %s\n", result->their);
}

static void judge(const struct run *run, struct tally *tally, uint32_t i, const struct result *result)
{
	bool old = sepol_policy_kern_vers_max() < SEPOL_VALIDATES_SURELY;
	bool differs = result->theirs != NO_VERDICT && result->theirs != result->ours;

	tally->cases++;
	tally->accepted += result->ours == ACCEPTED;
	tally->compared += result->theirs != NO_VERDICT;
	if (result->ours == UNSTABLE)
		fail(run, tally, i, "not the same when written and read again", result);
	else if (run->image->kind == BOGUS && result->ours != REFUSED)
		fail(run, tally, i, "it must be refused", result);
	else if (run->image->kind != BOGUS && differs && !find_reason(run->image->readers, result, old))
		fail(run, tally, i, result->ours == ACCEPTED ? "libsepol refuses it" : "libsepol accepts it", result);
}

/* What a child left behind that did not get to its end: the case it died in. */
static void judge_death(const struct run *run, struct tally *tally, uint32_t i, int status,
			const struct result *result)
{
	char how[TEXT];

	if (run->shared->theirs) {
		tally->crashed++;
		tally->cases++;
		return;
	}
	if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "signal %d%s", WTERMSIG(status),
			 WTERMSIG(status) == SIGALRM ? ", no end" : "");
	else
		snprintf(how, sizeof how, "exit status %d: a sanitizer, or memory", WEXITSTATUS(status));
	tally->cases++;
	fail(run, tally, i, how, result);
}

/* Cases in the order of a stride that has no divisor in common with their number. */
static uint32_t nth_case(uint32_t n, uint32_t count)
{
	return (uint32_t)((uint64_t)n * 2654435761u % count);
}

/* In the child: cases from begin on, while there is time and room for results. */
static _Noreturn void run_batch(const struct run *run, uint32_t begin, uint32_t count)
{
	for (uint32_t i = begin; i < count && i - begin < BATCH && seconds() < run->end; i++) {
		run_case(run, nth_case(i, count), &run->shared->results[i - begin]);
		run->shared->index = i - begin + 1;
	}
	_exit(0);
}

/* Returns the number of cases that are done with. */
static uint32_t judge_batch(const struct run *run, struct tally *tally, uint32_t begin, uint32_t count)
{
	uint32_t done;
	pid_t child;
	int status;

	memset(run->shared, 0, sizeof *run->shared);
	fflush(NULL);
	child = fork();
	if (child == 0)
		run_batch(run, begin, count);
	if (child < 0 || waitpid(child, &status, 0) != child)
		exit(2);
	done = run->shared->index;
	for (uint32_t i = 0; i < done; i++)
		judge(run, tally, nth_case(begin + i, count), &run->shared->results[i]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return done;
	judge_death(run, tally, nth_case(begin + done, count), status, &run->shared->results[done]);
	return done + 1;
}

static bool run_image(struct run *run)
{
	uint32_t count = count_cases(run->image);
	struct tally tally = {0};

	run->end = seconds() + run->options->seconds;
	run->their_end = seconds() + run->options->seconds / 2;
	for (uint32_t i = 0; i < count && seconds() < run->end;)
		i += judge_batch(run, &tally, i, count);
	printf("corrupt: %s, %zu bytes: %u of %u cases, %u accepted, %u compared with libsepol, which crashed in %u, %u failed\n",
	       run->image->path, run->image->size, (unsigned)tally.cases, (unsigned)count, (unsigned)tally.accepted,
	       (unsigned)tally.compared, (unsigned)tally.crashed, (unsigned)tally.failed);
	return !tally.failed;
}

/* ---- the images ---- */

static bool find_kind(struct image *image, const char *argument)
{
	static const char *const kinds[] = {[SMALL] = "small:", [LARGE] = "large:", [BOGUS] = "bogus:"};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strncmp(argument, kinds[i], strlen(kinds[i])) == 0) {
			image->kind = (enum damage_kind)i;
			image->path = argument + strlen(kinds[i]);
			return true;
		}
	}
	fprintf(stderr, "corrupt: %s: none of small:, large: and bogus:\n", argument);
	return false;
}

static bool load(struct image *image, const char *argument)
{
	FILE *f;
	long size;

	if (!find_kind(image, argument))
		return false;
	f = fopen(image->path, "rb");
	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 4) {
		fprintf(stderr, "corrupt: %s: %s\n", image->path, f ? "too small" : strerror(errno));
		return false;
	}
	rewind(f);
	image->size = (size_t)size;
	image->at = malloc(image->size);
	if (!image->at || fread(image->at, 1, image->size, f) != image->size)
		return false;
	fclose(f);
	image->readers = find_readers(image);
	return true;
}

static void *map(size_t size, int flags)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static bool corrupt(const struct options *options, struct shared *shared, const char *argument)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct image image;
	struct run run = {.options = options, .image = &image, .shared = shared};
	bool ok;

	if (!load(&image, argument))
		exit(2);
	run.room = (image.size + page - 1) / page * page;
	run.bytes = map(run.room + page, MAP_PRIVATE);
	mprotect(run.bytes + run.room, page, PROT_NONE);
	ok = run_image(&run);
	munmap(run.bytes, run.room + page);
	free(image.at);
	return ok;
}

static void print_reasons(const struct readers *readers)
{
	for (size_t i = 0; i < readers->nreasons; i++)
		printf("corrupt: %6u cases that only %s: %s\n", (unsigned)readers->reasons[i].count,
		       readers->reasons[i].we_accept ? "we accept" : "libsepol accepts", readers->reasons[i].why);
}

int main(int argc, char **argv)
{
	struct options options = {.seconds = 10};
	struct shared *shared = map(sizeof *shared, MAP_SHARED);
	bool ok = true;
	int option;

	while ((option = getopt(argc, argv, "t:o:sw")) != -1) {
		switch (option) {
		case 't': options.seconds = strtod(optarg, NULL); break;
		case 'o': options.out = optarg; break;
		case 's': options.summary = true; break;
		case 'w': options.alone = true; break;
		default: return 2;
		}
	}
	if (optind == argc) {
		fputs("usage: corrupt [-t SECONDS] [-o DIR] [-s] [-w] {small|large|bogus}:IMAGE...\n", stderr);
		return 2;
	}
	for (int i = optind; i < argc; i++)
		ok &= corrupt(&options, shared, argv[i]);
	if (options.summary) {
		print_reasons(&policy_readers);
		print_reasons(&module_readers); /* packages have the same */
	}
	return !ok;
}
