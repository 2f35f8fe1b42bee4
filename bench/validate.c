/* validate IMAGE: contexts and levels judged by security/, against libsepol, in
 * turns, under a policy with MLS.  Prints the medians of nanoseconds of
 * processor time for one, and the ratio to libsepol's. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "cli/load.h"
#include "ir/text.h"
#include "security/context.h"
#include "security/level.h"
#include "tests/sepol-contexts.h"

enum { RUNS = 21, CONTEXTS = 256, RUN_NS = 4000000 };

static double processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *times)
{
	qsort(times, RUNS, sizeof *times, by_size);
	return times[RUNS / 2];
}

/* What is measured, and what it is measured on. */
struct subject {
	const struct policy *policy;
	const struct security *security;
	char *texts[CONTEXTS];
	size_t lens[CONTEXTS];
	struct policy_level levels[CONTEXTS];
	struct policy_context context; /* filled again and again */
	struct context_faults faults;
};

typedef uint32_t (*judge_fn)(struct subject *s); /* judges all once; how many are valid */

static uint32_t ours(struct subject *s)
{
	uint32_t valid = 0;

	for (int i = 0; i < CONTEXTS; i++)
		valid += context_parse(s->security, s->texts[i], s->lens[i], &s->context, &s->faults);
	return valid;
}

static uint32_t theirs(struct subject *s)
{
	uint32_t valid = 0;

	for (int i = 0; i < CONTEXTS; i++)
		valid += sepol_is_valid(s->texts[i]);
	return valid;
}

static uint32_t levels(struct subject *s)
{
	uint32_t valid = 0;

	for (int i = 0; i < CONTEXTS; i++)
		valid += level_valid(s->policy, &s->levels[i]);
	return valid;
}

/* Nanoseconds for one, over as many rounds as take RUN_NS. */
static double time_of(struct subject *s, judge_fn judge, uint32_t want)
{
	double start = processor_ns(), time;
	uint32_t rounds = 0;

	do {
		if (judge(s) != want) {
			fputs("validate: not valid\n", stderr);
			exit(1);
		}
		rounds++;
		time = processor_ns() - start;
	} while (time < RUN_NS);
	return time / rounds / CONTEXTS;
}

static void report(struct subject *s, const char *what, judge_fn mine, judge_fn other)
{
	double a[RUNS], b[RUNS], fast, slow;

	for (int i = 0; i < RUNS; i++) {
		a[i] = time_of(s, mine, CONTEXTS);
		if (other)
			b[i] = time_of(s, other, CONTEXTS);
	}
	fast = median(a);
	printf("%-24s %9.1f ns, %7.2f million/s", what, fast, 1e3 / fast);
	if (other) {
		slow = median(b);
		printf("; libsepol %9.1f ns, %7.3f million/s; %6.1f times", slow, 1e3 / slow, slow / fast);
	}
	putchar('\n');
}

/* The contexts of as many types, as files have them: user and role of the first
 * initial SID are not object_r's, so the role is. */
static void make_texts(struct subject *s, const char *range)
{
	struct policy_context probe = {0};
	uint32_t type = 0, user = 0;

	for (int i = 0; i < CONTEXTS; i++) {
		struct buffer b = {0};

		do {
			type = type % s->policy->types.n + 1;
			user = user % s->policy->users.n + 1;
			b.n = 0;
			text_printf(&b, "%s:object_r:%s:%s", s->policy->users.at[user].name, s->policy->types.at[type].name,
				    range);
		} while (s->policy->types.at[type].kind != POLICY_TYPE ||
			 !context_parse(s->security, text_of(&b), b.n, &probe, NULL));
		free(s->texts[i]);
		s->lens[i] = b.n;
		s->texts[i] = (char *)b.at;
	}
	policy_context_free(&probe);
}

/* Processes: role, type and range are asked for. */
static void make_process_texts(struct subject *s)
{
	uint32_t user = 0;

	for (int i = 0; i < CONTEXTS; i++) {
		struct policy_context c = {0};
		struct buffer b = {0};

		do {
			user = user % s->policy->users.n + 1;
			c.user = user;
			c.role = ebitmap_last(&s->policy->users.at[user].roles) + 1;
		} while (!c.role || c.role > s->policy->roles.n || ebitmap_empty(&s->policy->roles.at[c.role].types));
		c.type = ebitmap_first(&s->policy->roles.at[c.role].types) + 1;
		c.range = s->policy->users.at[user].range;
		text_context(&b, s->policy, &c);
		text_of(&b);
		free(s->texts[i]);
		s->lens[i] = b.n;
		s->texts[i] = (char *)b.at;
	}
}

/* Sets of the highest sensitivity: every so many categories of it. */
static void make_levels(struct subject *s, uint32_t step)
{
	uint32_t sens = s->policy->sens.n, n = ebitmap_last(&s->policy->sens.at[sens].cats) + 1;

	for (int i = 0; i < CONTEXTS; i++) {
		ebitmap_free(&s->levels[i].cats);
		s->levels[i].sens = sens;
		for (uint32_t cat = step > 1 ? (uint32_t)i % step : 0; step && cat < n; cat += step)
			ebitmap_set(&s->levels[i].cats, cat);
	}
}

static void measure(struct subject *s)
{
	struct buffer range = {0};
	struct policy_range whole = {{1, {0}}, {s->policy->sens.n, s->policy->sens.at[s->policy->sens.n].cats}};

	make_texts(s, s->policy->sens.at[1].name);
	report(s, "object, lowest level", ours, theirs);
	text_range(&range, s->policy, &whole);
	make_texts(s, text_of(&range));
	report(s, "object, whole range", ours, theirs);
	make_process_texts(s);
	report(s, "process, user's range", ours, theirs);
	make_levels(s, 0);
	report(s, "level, no category", levels, NULL);
	make_levels(s, 1);
	report(s, "level, all categories", levels, NULL);
	make_levels(s, 100);
	report(s, "level, one in a hundred", levels, NULL);
	buffer_free(&range);
}

int main(int argc, char **argv)
{
	static struct subject s;
	static const struct load_options options = {.program = "validate"};
	struct policy *policy;
	struct security *security;
	uint32_t version;

	if (argc != 2) {
		fputs("usage: validate IMAGE\n", stderr);
		return 2;
	}
	policy = load_policy(argv[1], &options, &version);
	if (!policy || !policy->mls) {
		fputs("validate: needs a policy with MLS\n", stderr);
		return 2;
	}
	security = security_new(policy);
	s.policy = policy;
	s.security = security;
	if (!sepol_load(argv[1])) {
		fputs("validate: libsepol does not load it\n", stderr);
		return 2;
	}
	measure(&s);
	for (int i = 0; i < CONTEXTS; i++) {
		free(s.texts[i]);
		ebitmap_free(&s.levels[i].cats);
	}
	policy_context_free(&s.context);
	security_free(security);
	policy_free(policy);
	return 0;
}
