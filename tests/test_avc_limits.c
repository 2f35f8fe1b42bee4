/* The access vector cache at its limits: the most of everything, numbers that are
 * none, and things done in an order that one seldom does them in. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "avc/internal.h"
#include "base/memory.h"
#include "tests/avc_fixture.h"

void suite_avc_limits(void);

static void avc_over_rules(const char *rules, enum policy_unknown unknown, const struct avc_options *options,
			   struct avc **ret_avc, struct avc_thread **ret_thread)
{
	struct buffer image = avc_image_of(rules, unknown);

	*ret_avc = avc_over(&image, 1, options);
	*ret_thread = avc_thread_new(*ret_avc);
	CU_ASSERT_PTR_NOT_NULL_FATAL(*ret_thread);
	buffer_free(&image);
}

static void finish(struct avc *avc, struct avc_thread *thread)
{
	avc_thread_free(thread);
	avc_close(avc);
}

/* ---- the most of everything ---- */

static void test_eight_policies(void)
{
	struct buffer images[AVC_MAX_POLICIES];
	struct avc_image nine[AVC_MAX_POLICIES + 1] = {{0}};
	struct avc *avc, *none = NULL;
	struct avc_thread *thread;
	char *error = NULL;
	avc_sid ta, tb;

	/* The last does not let ta write. */
	for (uint32_t i = 0; i < AVC_MAX_POLICIES; i++) {
		images[i] = avc_image_of(i < AVC_MAX_POLICIES - 1 ? "allow ta tb:file { read write };" : "allow ta tb:file read;",
					 POLICY_UNKNOWN_DENY);
		nine[i] = (struct avc_image){"test", images[i].at, images[i].n};
	}
	nine[AVC_MAX_POLICIES] = nine[0];
	avc = avc_over(images, AVC_MAX_POLICIES, NULL);
	thread = avc_thread_new(avc);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, FILE_ID, FILE_READ, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, FILE_ID, FILE_WRITE, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_reload(avc, nine, AVC_MAX_POLICIES + 1, &error), -EINVAL);
	CU_ASSERT_PTR_NULL(error);
	CU_ASSERT_EQUAL(avc_reload(avc, nine, AVC_MAX_POLICIES - 1, &error), 0);
	CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, FILE_ID, FILE_WRITE, NULL), 0);
	CU_ASSERT_EQUAL(avc_open(&none, nine, AVC_MAX_POLICIES + 1, NULL, NULL), -EINVAL);
	CU_ASSERT_PTR_NULL(none);
	finish(avc, thread);
	for (uint32_t i = 0; i < AVC_MAX_POLICIES; i++)
		buffer_free(&images[i]);
}

/* The last bit is the one that shifts and masks get wrong. */
static void test_32_permissions(void)
{
	static const char names[AVC_MAX_PERMS - 1][4] = {
		"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7",
		"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "d0", "d1", "d2", "d3", "d4", "d5", "d6",
	};
	struct avc_class class = {.name = "file"};
	struct avc_decision d;
	struct avc_thread *thread;
	struct avc *avc;
	avc_sid ta, tb;

	for (uint32_t i = 0; i < AVC_MAX_PERMS - 1; i++)
		class.perms[i] = names[i];
	class.perms[AVC_MAX_PERMS - 1] = "write";
	avc_over_rules("allow ta tb:file write;", POLICY_UNKNOWN_ALLOW,
		       &(struct avc_options){.classes = &class, .nclasses = 1}, &avc, &thread);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	CU_ASSERT_EQUAL(avc_perm_bit(avc, 1, "write"), UINT32_C(1) << 31);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 1, UINT32_MAX, NULL), 0);
		CU_ASSERT_EQUAL(avc_has_perm(thread, tb, tb, 1, UINT32_MAX, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_perm_noaudit(thread, tb, tb, 1, UINT32_MAX >> 1, &d), 0);
		CU_ASSERT_EQUAL(d.granted, UINT32_MAX >> 1);
	}
	finish(avc, thread);
}

/* Numbers above those that a key has room for must not meet another class. */
static void test_large_classes(void)
{
	enum { TOO_MANY = POLICY_MAX_SYMBOLS + 1 };
	struct buffer image = avc_image_of("allow ta tb:file { read ioctl };", POLICY_UNKNOWN_DENY);
	const struct avc_image images = {"test", image.at, image.n};
	struct avc_class *classes = mem_zalloc(TOO_MANY, sizeof *classes);
	struct avc_options options = {.classes = classes, .nclasses = TOO_MANY};
	struct avc_thread *thread;
	struct avc *avc = NULL;
	avc_sid ta, tb;

	for (uint32_t i = 0; i < TOO_MANY; i++)
		classes[i].name = "other";
	classes[POLICY_MAX_SYMBOLS - 1] = classes[0] = (struct avc_class){"file", {"read", "ioctl", NULL}};
	CU_ASSERT_EQUAL(avc_open(&avc, &images, 1, &options, NULL), -EINVAL);
	CU_ASSERT_PTR_NULL(avc);
	options.nclasses = POLICY_MAX_SYMBOLS;
	avc = avc_over(&image, 1, &options);
	thread = avc_thread_new(avc);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 1, 1, NULL), 0);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, 1, 2, AVC_IOCTL, 5, NULL), 0);
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, POLICY_MAX_SYMBOLS, 1, NULL), 0);
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 0x10001, 1, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, 0x10001, 2, AVC_IOCTL, 5, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, 0x01000001, 2, AVC_IOCTL, 5, NULL), -EACCES);
	}
	finish(avc, thread);
	buffer_free(&image);
	free(classes);
}

/* A table of one entry, and more of everything than there can be. */
static void test_sizes(void)
{
	struct avc_stats stats;
	struct avc_thread *thread;
	struct avc *avc;
	avc_sid ta, tb;

	avc_over_rules("allow ta tb:file ioctl;", POLICY_UNKNOWN_DENY, &(struct avc_options){.max_entries = 1}, &avc, &thread);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	for (uint16_t i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, (uint16_t)(i << 8), NULL), 0);
		CU_ASSERT_EQUAL(avc_has_perm(thread, tb, ta, FILE_ID, FILE_IOCTL, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_perm(thread, tb, ta, FILE_ID, FILE_IOCTL, NULL), -EACCES);
	}
	avc_stats(avc, &stats);
	CU_ASSERT_EQUAL(stats.entries, 1);
	CU_ASSERT_EQUAL(stats.lookups, 60);
	CU_ASSERT_EQUAL(stats.misses, 40);
	CU_ASSERT(stats.resets >= 38);
	finish(avc, thread);

	avc_over_rules("allow ta tb:file read;", POLICY_UNKNOWN_DENY,
		       &(struct avc_options){.max_entries = UINT32_MAX, .max_sids = UINT32_MAX, .trace_events = 1}, &avc, &thread);
	CU_ASSERT_EQUAL(avc_has_perm(thread, avc_sid_of(thread, "ta"), avc_sid_of(thread, "tb"), FILE_ID, FILE_READ, NULL), 0);
	finish(avc, thread);
}

/* ---- numbers that are none ---- */

static void count_event(void *data, const struct avc_event *event)
{
	(void)event;
	++*(uint32_t *)data;
}

static void test_kinds(void)
{
	struct avc_thread *thread;
	struct avc *avc;
	avc_sid ta, tb;

	avc_over_rules("allow ta tb:file ioctl; allowxperm ta tb:file ioctl 1;", POLICY_UNKNOWN_DENY, NULL, &avc, &thread);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	/* 257 would end in the keys as AVC_IOCTL. */
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, (enum avc_xperm)257, 2, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, (enum avc_xperm)0, 1, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, 1, NULL), 0);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, 2, NULL), -EACCES);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, ta, tb, FILE_ID, FILE_IOCTL, AVC_NLMSG, 2, NULL), 0);
	}
	finish(avc, thread);
}

/* Told whatever the rules say, and let pass only where nothing is refused. */
static void test_permissive_strangers(void)
{
	static const struct avc_class classes[] = {{"file", {"read", NULL}}, {"opera", {"sing", NULL}}};
	uint32_t events = 0;
	const struct avc_options options = {
		.classes = classes, .nclasses = 2, .audit = count_event, .callback_data = &events,
	};
	struct avc_thread *thread;
	struct avc *avc;
	avc_sid ta, tp, tb;

	avc_over_rules("allow ta tb:file read; dontaudit ta tb:file *;", POLICY_UNKNOWN_DENY, &options, &avc, &thread);
	ta = avc_sid_of(thread, "ta");
	tb = avc_sid_of(thread, "tb");
	tp = avc_sid_of(thread, "tp");
	for (int i = 0; i < 2; i++) {
		int answer = i ? 0 : -EACCES;

		events = 0;
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 1, 2, NULL), answer);
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 2, 1, NULL), answer);
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, 3, 1, NULL), answer);
		CU_ASSERT_EQUAL(avc_has_perm(thread, ta, 99, 1, 1, NULL), answer);
		CU_ASSERT_EQUAL(avc_has_xperm(thread, 0, tb, 1, 1, AVC_IOCTL, 1, NULL), answer);
		/* A class that the policy does not have, and a type that is permissive. */
		CU_ASSERT_EQUAL(avc_has_perm(thread, tp, tb, 2, 1, NULL), 0);
		CU_ASSERT_EQUAL(events, 6);
		avc_set_permissive(avc, true);
	}
	finish(avc, thread);
}

/* ---- order ---- */

static void test_nobody_there(void)
{
	struct buffer image = avc_image_of("", POLICY_UNKNOWN_DENY);
	const struct avc_image images = {"test", image.at, image.n};
	struct avc *avc = avc_over(&image, 1, NULL);
	struct avc_stats stats;

	CU_ASSERT_EQUAL(avc_reload(avc, &images, 1, NULL), 0);
	avc_trace(avc, true);
	avc_stats(avc, &stats);
	CU_ASSERT_EQUAL(stats.generation, 2);
	avc_close(avc);
	avc_close(avc_over(&image, 1, NULL));
	avc_close(NULL);
	avc_thread_free(NULL);
	buffer_free(&image);
}

static char *trace_of(struct avc *avc)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(avc_trace_write(avc, out, AVC_TRACE_TEXT), 0);
	fclose(out);
	return text;
}

static void expect_trace(struct avc *avc, const char *want)
{
	char *text = trace_of(avc);

	CU_ASSERT(*want ? strstr(text, want) != NULL : !*text);
	if (*want ? !strstr(text, want) : *text)
		printf("\n`%s' wanted in\n%s", want, text);
	free(text);
}

static void test_late_thread(void)
{
	struct avc_thread *thread, *late;
	struct avc *avc;

	avc_over_rules("allow ta tb:file read;", POLICY_UNKNOWN_DENY, NULL, &avc, &thread);
	avc_trace(avc, true);
	late = avc_thread_new(avc);
	avc_has_perm(late, avc_sid_of(late, "ta"), avc_sid_of(late, "tb"), FILE_ID, FILE_READ, NULL);
	expect_trace(avc, " thread 2 granted ua:ra:ta ua:ra:tb file { read } miss\n");
	/* A class above 65,535 is not the one with the same low bits. */
	avc_has_perm(late, avc_sid_of(late, "ta"), avc_sid_of(late, "tb"), 0x10001, FILE_READ, NULL);
	expect_trace(avc, " refused ua:ra:ta ua:ra:tb ? { } denied { } miss\n");
	avc_thread_free(late);
	expect_trace(avc, "");
	finish(avc, thread);
}

static uint32_t lines_of(const char *text, uint32_t *ret_lost)
{
	const char *lost = strstr(text, " lost ");
	uint32_t lines = 0;

	*ret_lost = lost ? (uint32_t)strtoul(lost + strlen(" lost "), NULL, 10) : 0;
	for (; *text; text++)
		lines += *text == '\n';
	return lines - (lost != NULL);
}

/* Rings of two and four blocks, read at and beside the ends of blocks: all is there
 * but what was written over, with the block that goes next. */
static void test_ring_ends(void)
{
	static const uint32_t reads[] = {1, 62, 1, 1, 63, 64, 127, 128, 129, 130, 255, 256, 257, 1000, 64, 128};
	enum { READS = sizeof reads / sizeof *reads };

	for (uint32_t events = 128; events <= 256; events *= 2) {
		struct avc_options options = {.trace_events = events - 63}; /* rounded up */
		struct avc_thread *thread;
		struct avc *avc;
		uint32_t put = 0, lost;

		avc_over_rules("allow ta tb:file read;", POLICY_UNKNOWN_DENY, &options, &avc, &thread);
		avc_trace(avc, true);
		for (uint32_t r = 0; r < READS; r++) {
			uint32_t lines, over;
			char *text;

			for (uint32_t i = 0; i < reads[r]; i++)
				avc_has_perm(thread, avc_sid_of(thread, "ta"), avc_sid_of(thread, "tb"), FILE_ID, FILE_READ, NULL);
			put += reads[r];
			text = trace_of(avc);
			lines = lines_of(text, &lost);
			over = put < events ? 0 : (put - events) / 64 * 64 + 64;
			CU_ASSERT_EQUAL(lines + lost, reads[r]);
			CU_ASSERT_EQUAL(lost, over > put - reads[r] ? over - (put - reads[r]) : 0);
			free(text);
		}
		finish(avc, thread);
	}
}

/* As when the trace is read while a thread is between the two halves. */
static void test_half_a_check(void)
{
	struct avc_thread *thread;
	struct avc *avc;
	struct ring *ring;
	uint64_t pair;

	avc_over_rules("", POLICY_UNKNOWN_DENY, NULL, &avc, &thread);
	pair = table_pair(avc_sid_of(thread, "ta"), avc_sid_of(thread, "tb"));
	avc_trace(avc, true);
	ring = &thread->ring;
	ring_begin_block(ring, pair, FILE_ID | TRACE_DENIED | TRACE_NUMBER, FILE_READ);
	expect_trace(avc, "");
	ring_put(ring, ring_next(ring), (uint64_t)FILE_READ << 32 | 0x77, TRACE_DETAIL, 0);
	expect_trace(avc, " permissive ua:ra:ta ua:ra:tb file { read } 0x77 denied { read }\n");
	expect_trace(avc, "");
	finish(avc, thread);
}

/* A thread in its audit callback keeps nobody from reloading. */
struct pause {
	sem_t entered, changed;
	struct avc *avc;
};

static void wait_in_audit(void *data, const struct avc_event *event)
{
	struct pause *pause = data;

	CU_ASSERT_STRING_EQUAL(event->source, "ua:ra:ta");
	sem_post(&pause->entered);
	sem_wait(&pause->changed);
	CU_ASSERT_STRING_EQUAL(event->class_name, "file");
}

static void *be_refused(void *data)
{
	struct pause *pause = data;
	struct avc_thread *thread = avc_thread_new(pause->avc);

	CU_ASSERT_EQUAL(avc_has_perm(thread, avc_sid_of(thread, "ta"), avc_sid_of(thread, "tb"), FILE_ID, FILE_READ, NULL),
			-EACCES);
	avc_thread_free(thread);
	return NULL;
}

static void test_reload_in_audit(void)
{
	struct buffer before = avc_image_of("", POLICY_UNKNOWN_DENY);
	struct buffer after = avc_image_of("allow ta tb:file read;", POLICY_UNKNOWN_DENY);
	const struct avc_image image = {"after", after.at, after.n};
	struct pause pause = {0};
	struct avc_thread *thread;
	pthread_t id;

	sem_init(&pause.entered, 0, 0);
	sem_init(&pause.changed, 0, 0);
	pause.avc = avc_over(&before, 1, &(struct avc_options){.audit = wait_in_audit, .callback_data = &pause});
	thread = avc_thread_new(pause.avc);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&id, NULL, be_refused, &pause), 0);
	sem_wait(&pause.entered);
	CU_ASSERT_EQUAL(avc_reload(pause.avc, &image, 1, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(thread, avc_sid_of(thread, "ta"), avc_sid_of(thread, "tb"), FILE_ID, FILE_READ, NULL), 0);
	sem_post(&pause.changed);
	pthread_join(id, NULL);
	sem_destroy(&pause.entered);
	sem_destroy(&pause.changed);
	finish(pause.avc, thread);
	buffer_free(&before);
	buffer_free(&after);
}

void suite_avc_limits(void)
{
	CU_pSuite suite = CU_add_suite("avc, limits", NULL, NULL);

	CU_add_test(suite, "eight policies", test_eight_policies);
	CU_add_test(suite, "32 permissions", test_32_permissions);
	CU_add_test(suite, "classes above 65,535", test_large_classes);
	CU_add_test(suite, "sizes, small and large", test_sizes);
	CU_add_test(suite, "kinds of numbers that are none", test_kinds);
	CU_add_test(suite, "numbers that are none, and nothing refused", test_permissive_strangers);
	CU_add_test(suite, "a cache that nobody asks", test_nobody_there);
	CU_add_test(suite, "a thread that comes when tracing is on", test_late_thread);
	CU_add_test(suite, "rings at the ends of blocks", test_ring_ends);
	CU_add_test(suite, "the trace of half a check", test_half_a_check);
	CU_add_test(suite, "another policy while one is told", test_reload_in_audit);
}
