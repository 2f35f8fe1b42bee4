/* The access vector cache: what it answers, tells and keeps. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "avc/policy-avc.h"
#include "tests/avc_fixture.h"

void suite_avc(void);

/* One policy, one thread, and the last event told. */
struct setup {
	struct buffer image;
	struct avc *avc;
	struct avc_thread *thread;
	avc_sid ta, tb, tp;
	struct avc_event last;
	uint32_t events;
	uint64_t generation;
};

static void on_audit(void *data, const struct avc_event *event)
{
	struct setup *s = data;

	s->last = *event;
	s->events++;
}

static void on_change(void *data, uint64_t generation)
{
	((struct setup *)data)->generation = generation;
}

static void begin_with(struct setup *s, const char *rules, enum policy_unknown unknown, struct avc_options options)
{
	*s = (struct setup){.image = avc_image_of(rules, unknown)};
	options.audit = on_audit;
	options.changed = on_change;
	options.callback_data = s;
	s->avc = avc_over(&s->image, 1, &options);
	s->thread = avc_thread_new(s->avc);
	s->ta = avc_sid_of(s->thread, "ta");
	s->tb = avc_sid_of(s->thread, "tb");
	s->tp = avc_sid_of(s->thread, "tp");
}

static void begin(struct setup *s, const char *rules)
{
	begin_with(s, rules, POLICY_UNKNOWN_DENY, (struct avc_options){0});
}

static void end(struct setup *s)
{
	avc_thread_free(s->thread);
	avc_close(s->avc);
	buffer_free(&s->image);
}

static int ask(struct setup *s, avc_sid source, uint32_t requested)
{
	return avc_has_perm(s->thread, source, s->tb, FILE_ID, requested, NULL);
}

/* ---- answers ---- */

/* Twice each: from the policy, then from the cache. */
static void test_grants(void)
{
	struct setup s;

	begin(&s, "allow ta tb:file { read write };");
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), 0);
		CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ | FILE_WRITE), 0);
		CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ | FILE_IOCTL), -EACCES);
		CU_ASSERT_EQUAL(ask(&s, s.tb, FILE_READ), -EACCES);
		CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.ta, PROCESS_ID, PROCESS_FORK, NULL), 0);
	}
	end(&s);
}

static void test_names(void)
{
	struct setup s;

	begin(&s, "allow ta tb:file read;");
	CU_ASSERT_EQUAL(avc_class_id(s.avc, "file"), FILE_ID);
	CU_ASSERT_EQUAL(avc_class_id(s.avc, "process"), PROCESS_ID);
	CU_ASSERT_EQUAL(avc_class_id(s.avc, "dir"), 0);
	CU_ASSERT_EQUAL(avc_class_id(s.avc, ""), 0);
	CU_ASSERT_EQUAL(avc_perm_bit(s.avc, FILE_ID, "write"), FILE_WRITE);
	CU_ASSERT_EQUAL(avc_perm_bit(s.avc, FILE_ID, "fork"), 0);
	CU_ASSERT_EQUAL(avc_perm_bit(s.avc, 99, "read"), 0);
	end(&s);
}

static void test_own_numbers(void)
{
	static const struct avc_class classes[] = {
		{"process", {"fork", NULL}},
		{"file", {"write", "sing", "read", NULL}},
		{"opera", {"sing", NULL}},
	};
	struct setup s;

	begin_with(&s, "allow ta tb:file write;", POLICY_UNKNOWN_DENY,
		   (struct avc_options){.classes = classes, .nclasses = 3});
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 2, 1, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 2, 4, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.ta, 1, 1, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 2, 2, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 3, 1, NULL), -EACCES);
	CU_ASSERT_STRING_EQUAL(s.last.class_name, "opera");
	end(&s);

	/* What the policy does not know it lets pass. */
	begin_with(&s, "allow ta tb:file write;", POLICY_UNKNOWN_ALLOW,
		   (struct avc_options){.classes = classes, .nclasses = 3});
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 2, 2, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 3, 1, NULL), 0);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, 2, 4, NULL), -EACCES);
	end(&s);
}

static void expect_refused(const struct avc_image *image, const struct avc_options *options, const char *why)
{
	struct avc *avc = NULL;
	char *error = NULL;

	CU_ASSERT_EQUAL(avc_open(&avc, image, 1, options, &error), -EINVAL);
	CU_ASSERT_PTR_NULL(avc);
	CU_ASSERT_PTR_NOT_NULL_FATAL(error);
	if (!strstr(error, why))
		printf("\n%s: %s", why, error);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, why));
	free(error);
}

static void test_refused_policies(void)
{
	static const struct avc_class classes[] = {{"opera", {"sing", NULL}}};
	struct buffer image = avc_image_of("", POLICY_UNKNOWN_REJECT);
	struct avc *avc = NULL;

	expect_refused(&(struct avc_image){"p", image.at, image.n},
		       &(struct avc_options){.classes = classes, .nclasses = 1}, "class `opera` is unknown");
	expect_refused(&(struct avc_image){"p", image.at, image.n / 2}, NULL, "p");
	expect_refused(&(struct avc_image){"/nonexistent/policy", NULL, 0}, NULL, "cannot open `/nonexistent/policy`");
	CU_ASSERT_EQUAL(avc_open(&avc, NULL, 0, NULL, NULL), -EINVAL);
	buffer_free(&image);
}

/* Numbers that are none of the cache's: refused, told, not kept. */
static void test_strangers(void)
{
	struct avc_stats stats;
	avc_sid sid = 77;
	struct setup s;

	begin(&s, "allow ta tb:file read;");
	CU_ASSERT_EQUAL(avc_context_to_sid(s.thread, "ua:ra:nope", &sid), -EINVAL);
	CU_ASSERT_EQUAL(avc_context_to_sid(s.thread, "", &sid), -EINVAL);
	CU_ASSERT_EQUAL(sid, 77);
	CU_ASSERT_EQUAL(ask(&s, 0, FILE_READ), -EACCES);
	CU_ASSERT_EQUAL(ask(&s, 4711, FILE_READ), -EACCES);
	CU_ASSERT_EQUAL(ask(&s, UINT32_MAX, FILE_READ), -EACCES);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, 0, 0, 0, 1, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, UINT32_MAX, 1, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_has_xperm(s.thread, 0, 0, 0, 1, AVC_IOCTL, 1, NULL), -EACCES);
	CU_ASSERT_PTR_NULL(avc_sid_to_context(s.thread, 0));
	CU_ASSERT_PTR_NULL(avc_sid_to_context(s.thread, 4711));
	CU_ASSERT_STRING_EQUAL(avc_sid_to_context(s.thread, s.tb), "ua:ra:tb");
	avc_stats(s.avc, &stats);
	CU_ASSERT_EQUAL(stats.entries, 0);
	CU_ASSERT_EQUAL(s.events, 6);
	end(&s);
}

static void test_full_of_sids(void)
{
	struct setup s;
	avc_sid sid;

	begin_with(&s, "", POLICY_UNKNOWN_DENY, (struct avc_options){.max_sids = 4});
	CU_ASSERT_EQUAL(avc_context_to_sid(s.thread, "ua:ra:tc", &sid), 0);
	CU_ASSERT_EQUAL(avc_context_to_sid(s.thread, "ua:ra:td", &sid), -ENOSPC);
	CU_ASSERT_EQUAL(avc_sid_of(s.thread, "ta"), s.ta);
	end(&s);
}

/* ---- audit ---- */

static void test_audit(void)
{
	int mark;
	struct setup s;

	begin(&s, "allow ta tb:file { read write }; auditallow ta tb:file write; dontaudit ta tb:file ioctl;");
	for (int i = 0; i < 2; i++) {
		s.events = 0;
		ask(&s, s.ta, FILE_READ);
		CU_ASSERT_EQUAL(s.events, 0);
		CU_ASSERT_EQUAL(avc_has_perm(s.thread, s.ta, s.tb, FILE_ID, FILE_READ | FILE_WRITE, &mark), 0);
		CU_ASSERT_EQUAL(s.events, 1);
		CU_ASSERT_EQUAL(s.last.denied, 0);
		CU_ASSERT(!s.last.refused);
		CU_ASSERT_PTR_EQUAL(s.last.data, &mark);
		ask(&s, s.ta, FILE_IOCTL);
		CU_ASSERT_EQUAL(s.events, 1);
		ask(&s, s.tb, FILE_READ | FILE_IOCTL);
		CU_ASSERT_EQUAL(s.events, 2);
		CU_ASSERT_EQUAL(s.last.denied, FILE_READ | FILE_IOCTL);
		CU_ASSERT(s.last.refused);
		CU_ASSERT_STRING_EQUAL(s.last.source, "ua:ra:tb");
		CU_ASSERT_STRING_EQUAL(s.last.class_name, "file");
		CU_ASSERT_EQUAL(s.last.number, -1);
		avc_has_perm_noaudit(s.thread, s.tb, s.tb, FILE_ID, FILE_READ, NULL);
		CU_ASSERT_EQUAL(s.events, 2);
	}
	end(&s);
}

static void test_permissive(void)
{
	struct avc_decision d;
	struct setup s;

	begin(&s, "allow ta tb:file read;");
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(ask(&s, s.tp, FILE_WRITE), 0);
		CU_ASSERT_EQUAL(s.last.denied, FILE_WRITE);
		CU_ASSERT(!s.last.refused);
	}
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), -EACCES);
	avc_set_permissive(s.avc, true);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), 0);
	CU_ASSERT_EQUAL(avc_has_perm_noaudit(s.thread, s.ta, s.tb, FILE_ID, FILE_READ, &d), 0);
	CU_ASSERT_EQUAL(d.granted, FILE_READ);
	CU_ASSERT_EQUAL(d.allowed, UINT32_MAX);
	avc_set_permissive(s.avc, false);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), -EACCES);
	end(&s);
}

/* ---- extended permissions ---- */

static int ask_ioctl(struct setup *s, avc_sid source, uint16_t number)
{
	return avc_has_xperm(s->thread, source, s->tb, FILE_ID, FILE_IOCTL, AVC_IOCTL, number, NULL);
}

static void test_xperms(void)
{
	struct setup s;

	begin(&s, "allow { ta tb } tb:file ioctl; allowxperm ta tb:file ioctl { 0x8901-0x8903 0x5400 };"
		  "dontauditxperm ta tb:file ioctl 0x8904; dontauditxperm tp tb:file ioctl 0x8904;"
		  "allowxperm tp tb:file ioctl 0x1; allowxperm tc tb:file ioctl 0x1;");
	for (int i = 0; i < 2; i++) {
		s.events = 0;
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.ta, 0x8901), 0);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.ta, 0x5400), 0);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.tb, 0x1234), 0);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.ta, 0x8904), -EACCES);
		CU_ASSERT_EQUAL(s.events, 0);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.ta, 0x8905), -EACCES);
		CU_ASSERT_EQUAL(s.events, 1);
		CU_ASSERT_EQUAL(s.last.number, 0x8905);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.ta, 0x7700), -EACCES);
		CU_ASSERT_EQUAL(ask_ioctl(&s, s.tp, 0x8905), 0);
		CU_ASSERT_EQUAL(s.last.denied, FILE_IOCTL);
		/* The number without the permission itself is not enough. */
		CU_ASSERT_EQUAL(ask_ioctl(&s, avc_sid_of(s.thread, "tc"), 1), -EACCES);
		CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_IOCTL), 0);
	}
	end(&s);
}

/* ---- new contexts ---- */

static void test_create(void)
{
	avc_sid sid = 0;
	struct setup s;

	begin(&s, "type_transition ta tb:process tc; type_transition ta tb:file td \"x\";");
	CU_ASSERT_EQUAL(avc_compute_create(s.thread, s.ta, s.tb, PROCESS_ID, NULL, &sid), 0);
	CU_ASSERT_STRING_EQUAL(avc_sid_to_context(s.thread, sid), "ua:ra:tc");
	CU_ASSERT_EQUAL(avc_compute_create(s.thread, s.ta, s.tb, FILE_ID, "x", &sid), 0);
	CU_ASSERT_STRING_EQUAL(avc_sid_to_context(s.thread, sid), "ua:object_r:td");
	CU_ASSERT_EQUAL(avc_compute_create(s.thread, s.ta, s.tb, 9, NULL, &sid), -EINVAL);
	CU_ASSERT_EQUAL(avc_compute_create(s.thread, s.ta, 0, FILE_ID, NULL, &sid), -EINVAL);
	end(&s);
}

/* ---- changes ---- */

static void test_booleans(void)
{
	static const char *const names[] = {"b1", "nope"};
	static const bool on[] = {true, true};
	bool value = true;
	struct setup s;

	begin(&s, "if (b1) { allow ta tb:file read; } else { allow ta tb:file write; }");
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), -EACCES);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), 0);
	CU_ASSERT_EQUAL(avc_set_bools(s.avc, names, on, 2), -ENOENT);
	CU_ASSERT_EQUAL(avc_get_bool(s.thread, "b1", &value), 0);
	CU_ASSERT(!value);
	CU_ASSERT_EQUAL(s.generation, 0);
	CU_ASSERT_EQUAL(avc_set_bools(s.avc, names, on, 1), 0);
	CU_ASSERT_EQUAL(s.generation, avc_generation(s.avc));
	CU_ASSERT_EQUAL(avc_get_bool(s.thread, "b1", &value), 0);
	CU_ASSERT(value);
	CU_ASSERT_EQUAL(avc_get_bool(s.thread, "nope", &value), -ENOENT);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), 0);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), -EACCES);
	end(&s);
}

static void test_reload(void)
{
	struct buffer other = avc_image_of("allow ta tb:file write;", POLICY_UNKNOWN_DENY);
	struct avc_image image = {"other", other.at, other.n}, broken = {"broken", other.at, 10};
	uint64_t generation;
	char *error = NULL;
	struct setup s;

	begin(&s, "allow ta tb:file read; type tz; role ra types tz; allow tz tb:file read;");
	generation = avc_generation(s.avc);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), 0);
	CU_ASSERT_EQUAL(ask(&s, avc_sid_of(s.thread, "tz"), FILE_READ), 0);
	CU_ASSERT_EQUAL(avc_reload(s.avc, &broken, 1, &error), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(error);
	free(error);
	CU_ASSERT_EQUAL(avc_generation(s.avc), generation);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), 0);
	CU_ASSERT_EQUAL(avc_reload(s.avc, &image, 1, NULL), 0);
	CU_ASSERT(s.generation > generation);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_READ), -EACCES);
	CU_ASSERT_EQUAL(ask(&s, s.ta, FILE_WRITE), 0);
	/* The number stays, what it stands for is not valid any more. */
	CU_ASSERT_EQUAL(ask(&s, 4, FILE_WRITE), -EACCES);
	CU_ASSERT_STRING_EQUAL(s.last.source, "ua:ra:tz");
	CU_ASSERT_EQUAL(avc_context_to_sid(s.thread, "ua:ra:tz", &(avc_sid){0}), -EINVAL);
	end(&s);
	buffer_free(&other);
}

static void test_stacking(void)
{
	struct buffer images[2] = {
		avc_image_of("allow ta tb:file { read write }; dontaudit ta tb:file ioctl; type_transition ta tb:file tc;"
			     "allow tp tb:file read;", POLICY_UNKNOWN_DENY),
		avc_image_of("allow ta tb:file { read ioctl }; auditallow ta tb:file read; type only2;"
			     "role ra types only2;", POLICY_UNKNOWN_DENY),
	};
	struct avc *avc = avc_over(images, 2, NULL);
	struct avc_thread *thread = avc_thread_new(avc);
	avc_sid ta = avc_sid_of(thread, "ta"), tb = avc_sid_of(thread, "tb"), sid = 0;
	struct avc_decision d;

	CU_ASSERT_EQUAL(avc_has_perm_noaudit(thread, ta, tb, FILE_ID, FILE_READ, &d), 0);
	CU_ASSERT_EQUAL(d.granted, FILE_READ);
	CU_ASSERT_EQUAL(d.allowed, FILE_READ);
	CU_ASSERT_EQUAL(d.auditallow, FILE_READ);
	CU_ASSERT_EQUAL(d.auditdeny & (FILE_WRITE | FILE_IOCTL), FILE_WRITE);
	CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, FILE_ID, FILE_WRITE, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_has_perm(thread, ta, tb, FILE_ID, FILE_IOCTL, NULL), -EACCES);
	CU_ASSERT_EQUAL(avc_context_to_sid(thread, "ua:ra:only2", &sid), -EINVAL);
	CU_ASSERT_EQUAL(avc_compute_create(thread, ta, tb, FILE_ID, NULL, &sid), -EINVAL);
	CU_ASSERT_EQUAL(avc_compute_create(thread, ta, tb, PROCESS_ID, NULL, &sid), 0);
	avc_thread_free(thread);
	avc_close(avc);
	buffer_free(&images[0]);
	buffer_free(&images[1]);
}

/* ---- keeping ---- */

/* Many more pairs than the first table holds; each is found again, and a full
 * cache begins anew. */
static void ask_many(struct setup *s, const avc_sid *sids, uint32_t n)
{
	struct avc_decision d;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			for (uint32_t class_id = FILE_ID; class_id <= PROCESS_ID; class_id++) {
				int denied = avc_has_perm_noaudit(s->thread, sids[i], sids[j], class_id, 1, &d);

				CU_ASSERT_EQUAL(!denied, class_id == FILE_ID ? i == 1 && j == 2 : i == 1 && j == 1);
			}
}

static void test_growth(void)
{
	enum { TYPES = 60, PAIRS = TYPES * TYPES * 2 };
	struct buffer rules = {0};
	avc_sid sids[TYPES];
	struct avc_stats stats;
	struct setup s;
	char text[80];

	for (uint32_t i = 0; i < TYPES; i++)
		buffer_put(&rules, text, (size_t)snprintf(text, sizeof text, "type n%u; role ra types n%u;\n", i, i));
	snprintf(text, sizeof text, "allow n1 n2:file read; allow n1 self:process fork;");
	buffer_put(&rules, text, strlen(text) + 1);
	for (uint32_t limit = 0; limit < 2; limit++) {
		begin_with(&s, (const char *)rules.at, POLICY_UNKNOWN_DENY,
			   (struct avc_options){.max_entries = limit ? 1000 : 0});
		for (uint32_t i = 0; i < TYPES; i++) {
			snprintf(text, sizeof text, "n%u", i);
			sids[i] = avc_sid_of(s.thread, text);
		}
		ask_many(&s, sids, TYPES);
		ask_many(&s, sids, TYPES);
		avc_stats(s.avc, &stats);
		CU_ASSERT_EQUAL(stats.lookups, 2 * PAIRS);
		CU_ASSERT_EQUAL(stats.misses, limit ? 2 * PAIRS : PAIRS);
		CU_ASSERT_EQUAL(stats.resets > 0, limit > 0);
		CU_ASSERT(limit ? stats.entries <= 1000 : stats.entries == PAIRS);
		CU_ASSERT(stats.entries <= stats.slots / 2 + 1);
		end(&s);
	}
	buffer_free(&rules);
}

/* ---- trace ---- */

static char *trace_of(struct avc *avc, enum avc_trace_format format)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL(avc_trace_write(avc, out, format), 0);
	fclose(out);
	return text;
}

static void expect_trace(struct avc *avc, enum avc_trace_format format, const char *want)
{
	char *text = trace_of(avc, format);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, want));
	if (!strstr(text, want))
		printf("\n%s\nnot in\n%s", want, text);
	free(text);
}

static void test_trace(void)
{
	char *text;
	struct setup s;

	begin_with(&s, "allow ta tb:file read;", POLICY_UNKNOWN_DENY, (struct avc_options){.trace_events = 128});
	ask(&s, s.ta, FILE_READ);
	avc_trace(s.avc, true);
	ask(&s, s.ta, FILE_READ);
	expect_trace(s.avc, AVC_TRACE_TEXT, " thread 1 granted ua:ra:ta ua:ra:tb file { read }\n");
	ask(&s, s.tb, FILE_READ | FILE_WRITE);
	expect_trace(s.avc, AVC_TRACE_TEXT, "refused ua:ra:tb ua:ra:tb file { read write } denied { read write } miss\n");
	ask(&s, s.tp, FILE_READ);
	expect_trace(s.avc, AVC_TRACE_JSON, "\"outcome\":\"permissive\"");
	ask_ioctl(&s, s.ta, 0x8901);
	expect_trace(s.avc, AVC_TRACE_JSON, "\"number\":35073");
	/* Read once, it is gone; what does not fit is counted. */
	text = trace_of(s.avc, AVC_TRACE_TEXT);
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
	for (int i = 0; i < 1000; i++)
		ask(&s, s.ta, FILE_READ);
	expect_trace(s.avc, AVC_TRACE_TEXT, "thread 1 lost ");
	avc_trace(s.avc, false);
	ask(&s, s.ta, FILE_READ);
	text = trace_of(s.avc, AVC_TRACE_TEXT);
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
	end(&s);
}

void suite_avc(void)
{
	CU_pSuite suite = CU_add_suite("avc", NULL, NULL);

	CU_add_test(suite, "what rules grant, before and after it is cached", test_grants);
	CU_add_test(suite, "classes and permissions by name", test_names);
	CU_add_test(suite, "numbers of the object manager's own", test_own_numbers);
	CU_add_test(suite, "policies that cannot be used", test_refused_policies);
	CU_add_test(suite, "sids and classes that are none", test_strangers);
	CU_add_test(suite, "as many sids as there may be", test_full_of_sids);
	CU_add_test(suite, "what is audited", test_audit);
	CU_add_test(suite, "permissive types, and all", test_permissive);
	CU_add_test(suite, "extended permissions", test_xperms);
	CU_add_test(suite, "contexts of new things", test_create);
	CU_add_test(suite, "booleans", test_booleans);
	CU_add_test(suite, "another policy", test_reload);
	CU_add_test(suite, "two policies at once", test_stacking);
	CU_add_test(suite, "more entries than fit", test_growth);
	CU_add_test(suite, "trace", test_trace);
}
