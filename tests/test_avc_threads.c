/* The access vector cache with many threads: what a hit writes, and what is
 * answered while policies change.  To be run under ThreadSanitizer, too. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "avc/internal.h"
#include "tests/avc_fixture.h"

void suite_avc_threads(void);

/* ThreadSanitizer is slow, and sees a race in few rounds. */
#ifdef AVC_TSAN
enum { HITS = 20000, CHANGES = 40 };
#else
enum { HITS = 250000, CHANGES = 200 };
#endif
enum { THREADS = 4 };

struct crew {
	struct avc *avc;
	avc_sid ta, tb;
	atomic_bool stop;
	_Atomic uint64_t checks, odd; /* answers, and those that no policy gives */
	pthread_t threads[THREADS];
};

static void crew_start(struct crew *crew, void *(*work)(void *))
{
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&crew->threads[i], NULL, work, crew), 0);
}

static void crew_join(struct crew *crew)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(crew->threads[i], NULL);
}

static void crew_find_sids(struct crew *crew)
{
	struct avc_thread *thread = avc_thread_new(crew->avc);

	crew->ta = avc_sid_of(thread, "ta");
	crew->tb = avc_sid_of(thread, "tb");
	avc_thread_free(thread);
}

/* ---- a hit writes nothing that is shared ---- */

static void *hit(void *data)
{
	struct crew *crew = data;
	struct avc_thread *thread = avc_thread_new(crew->avc);
	struct avc_decision d;

	for (int i = 0; i < HITS; i++) {
		if (avc_has_perm(thread, crew->ta, crew->tb, FILE_ID, FILE_READ, NULL))
			crew->odd++;
		if (avc_has_perm_noaudit(thread, crew->ta, crew->tb, FILE_ID, FILE_WRITE, &d) != -EACCES)
			crew->odd++;
		if (avc_has_xperm(thread, crew->ta, crew->tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, 0x8901, NULL))
			crew->odd++;
	}
	avc_thread_free(thread);
	return NULL;
}

static void protect(struct avc *avc, int how)
{
	struct view *view = atomic_load(&avc->view);
	struct table *decisions = atomic_load(&view->decisions), *xperms = atomic_load(&view->xperms);

	CU_ASSERT_EQUAL_FATAL(mprotect(decisions->mapping, decisions->size, how), 0);
	CU_ASSERT_EQUAL_FATAL(mprotect(xperms->mapping, xperms->size, how), 0);
	CU_ASSERT_EQUAL_FATAL(mprotect(view, sizeof *view, how), 0);
}

static void test_read_only(void)
{
	struct buffer image = avc_image_of("allow ta tb:file { read ioctl }; allowxperm ta tb:file ioctl 0x8901;",
					   POLICY_UNKNOWN_DENY);
	struct crew crew = {.avc = avc_over(&image, 1, NULL)};
	struct avc_thread *thread = avc_thread_new(crew.avc);

	crew_find_sids(&crew);
	avc_has_xperm(thread, crew.ta, crew.tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, 0x8901, NULL);
	avc_trace(crew.avc, true); /* traces are of each thread, too */
	protect(crew.avc, PROT_READ);
	crew_start(&crew, hit);
	crew_join(&crew);
	protect(crew.avc, PROT_READ | PROT_WRITE);
	CU_ASSERT_EQUAL(crew.odd, 0);
	avc_thread_free(thread);
	avc_close(crew.avc);
	buffer_free(&image);
}

/* ---- changes under load ---- */

/* One policy grants read and ioctl 1, the other write and ioctl 2: no answer may
 * mix them, whether it comes from a table or from rules. */
static bool is_odd(struct avc_thread *thread, const struct crew *crew, uint32_t round)
{
	struct avc_decision d;

	switch (round % 3) {
	case 0:
		avc_has_perm_noaudit(thread, crew->ta, crew->tb, FILE_ID, FILE_READ, &d);
		return d.granted != (FILE_READ | FILE_IOCTL) && d.granted != (FILE_WRITE | FILE_IOCTL);
	case 1:
		return !avc_has_perm(thread, crew->ta, crew->tb, FILE_ID, FILE_READ | FILE_WRITE, NULL);
	default: /* the one has read, the other ioctl 2 */
		return !avc_has_xperm(thread, crew->ta, crew->tb, FILE_ID, FILE_IOCTL | FILE_READ, AVC_IOCTL, 2, NULL);
	}
}

/* Other pairs come by, so that tables grow under way. */
static void *ask_until_stopped(void *data)
{
	struct crew *crew = data;
	struct avc_thread *thread = avc_thread_new(crew->avc);
	char context[32];
	avc_sid sid;

	for (uint32_t round = 0; !atomic_load_explicit(&crew->stop, memory_order_relaxed); round++) {
		snprintf(context, sizeof context, "ua:ra:n%u", round % 40);
		if (avc_context_to_sid(thread, context, &sid) || !avc_has_perm(thread, sid, crew->tb, FILE_ID, FILE_READ, NULL))
			crew->odd++;
		if (is_odd(thread, crew, round))
			crew->odd++;
		crew->checks++;
	}
	avc_thread_free(thread);
	return NULL;
}

static struct buffer image_that_grants(const char *perm, int number)
{
	struct buffer rules = {0}, image;
	char text[160];

	for (int i = 0; i < 40; i++)
		buffer_put(&rules, text, (size_t)snprintf(text, sizeof text, "type n%d; role ra types n%d;\n", i, i));
	buffer_put(&rules, text, (size_t)snprintf(text, sizeof text,
		   "allow ta tb:file { %s ioctl }; allowxperm ta tb:file ioctl %d;"
		   "if (b1) { allow ta tb:process fork; }", perm, number));
	buffer_put(&rules, "", 1);
	image = avc_image_of((const char *)rules.at, POLICY_UNKNOWN_DENY);
	buffer_free(&rules);
	return image;
}

/* Lets the crew see each state, then makes the next. */
static void change(struct crew *crew, const struct buffer images[2], int round)
{
	const struct avc_image image = {"test", images[round % 2].at, images[round % 2].n};
	const char *const name = "b1";
	const bool on = round % 4 < 2;
	uint64_t seen = crew->checks;
	struct avc_stats stats;
	char *trace = NULL;
	size_t size;
	FILE *out;

	CU_ASSERT_EQUAL(avc_reload(crew->avc, &image, 1, NULL), 0);
	CU_ASSERT_EQUAL(avc_set_bools(crew->avc, &name, &on, 1), 0);
	avc_trace(crew->avc, round % 3 == 0);
	avc_stats(crew->avc, &stats);
	out = open_memstream(&trace, &size);
	avc_trace_write(crew->avc, out, round % 2 ? AVC_TRACE_TEXT : AVC_TRACE_JSON);
	fclose(out);
	free(trace);
	while (crew->checks < seen + THREADS)
		sched_yield();
}

static void test_changes(void)
{
	struct buffer images[2] = {image_that_grants("read", 1), image_that_grants("write", 2)};
	struct crew crew = {.avc = avc_over(images, 1, &(struct avc_options){.max_entries = 64, .trace_events = 64})};

	crew_find_sids(&crew);
	crew_start(&crew, ask_until_stopped);
	for (int round = 0; round < CHANGES; round++)
		change(&crew, images, round);
	atomic_store(&crew.stop, true);
	crew_join(&crew);
	CU_ASSERT_EQUAL(crew.odd, 0);
	CU_ASSERT(crew.checks > CHANGES);
	avc_close(crew.avc);
	buffer_free(&images[0]);
	buffer_free(&images[1]);
}

void suite_avc_threads(void)
{
	CU_pSuite suite = CU_add_suite("avc, threads", NULL, NULL);

	CU_add_test(suite, "hits on a cache that cannot be written", test_read_only);
	CU_add_test(suite, "policies and booleans change under load", test_changes);
}
