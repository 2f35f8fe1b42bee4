/* avc [--table] [--svg DIRECTORY] [--checks N] [--rounds N] POLICY...: what a
 * check that the cache answers costs.
 *
 *   threads   no check, a cache without a lock, spinlock, readers-writer lock, RCU; 1 to 32
 *             threads with N checks each, as in the study of 2004
 *   pairs     by the number of cached pairs, asked for at random
 *   stacking  one policy, and two
 *   tracing   compiled out, off, on
 *
 * Medians; kinds take turns in each round, so that what disturbs one disturbs
 * all.  A second POLICY is stacked on the first, else that one twice.  --svg draws
 * the first two with gnuplot.  With --table follow validity of levels and labels of
 * ports and nodes: programs of their own measure them, ebitmap and decide beside this
 * one. */
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "ir/text.h"
#include "bench/locked.h"

enum { MAX_ROUNDS = 51, MAX_SIDS = 1024, MAX_KINDS = 5, NTHREADS = 6, NPAIRS = 6 };

static const uint32_t thread_counts[NTHREADS] = {1, 2, 4, 8, 16, 32};
static const uint32_t pair_counts[NPAIRS] = {1, 10, 100, 1000, 10000, 100000};

/* avc.c once more, without tracing. */
int untraced_has_perm(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id,
		      uint32_t requested, void *data);

/* ---- a cache that has all the answers ---- */

struct pair { avc_sid source, target; uint32_t requested; };

struct bench {
	uint32_t checks, rounds;
	const char *svg;
	struct avc *avc, *stacked;
	struct pair *pairs; /* all cached in both */
	uint32_t npairs, class_id;
	struct locked locked;
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, uint32_t n)
{
	qsort(values, n, sizeof *values, compare);
	return values[n / 2];
}

/* Contexts of objects: any type may have one. */
static uint32_t find_sids(struct avc_thread *thread, const struct policy *policy, avc_sid *ret)
{
	char text[512];
	uint32_t n = 0, user = 1;

	while (user < policy->users.n && !policy->users.at[user].name)
		user++;
	for (uint32_t v = 1; v <= policy->types.n && n < MAX_SIDS; v++) {
		const struct policy_type *type = &policy->types.at[v];

		if (type->kind != POLICY_TYPE || !type->name)
			continue;
		snprintf(text, sizeof text, "%s:object_r:%s%s%s", policy->users.at[user].name, type->name,
			 policy->mls ? ":" : "", policy->mls ? policy->sens.at[1].name : "");
		if (!avc_context_to_sid(thread, text, &ret[n]))
			n++;
	}
	return n;
}

/* What a pair is granted and not to be audited is asked for: the usual check. */
static uint32_t warm(struct avc_thread *thread, uint32_t class_id, struct pair *pair)
{
	struct avc_decision d;

	avc_has_perm_noaudit(thread, pair->source, pair->target, class_id, 0, &d);
	return d.granted & ~d.auditallow;
}

static void fill(struct bench *b, const struct policy *policy)
{
	struct avc_thread *thread = avc_thread_new(b->avc), *other = avc_thread_new(b->stacked);
	avc_sid sids[MAX_SIDS], stacked[MAX_SIDS];
	uint32_t n = find_sids(thread, policy, sids), m = find_sids(other, policy, stacked);
	uint32_t want = pair_counts[NPAIRS - 1];

	b->class_id = avc_class_id(b->avc, "file");
	if (n != m || !n || !b->class_id) {
		fputs("avc: the policies need class file and the same types\n", stderr);
		exit(1);
	}
	b->npairs = n * n < want ? n * n : want;
	b->pairs = mem_alloc(b->npairs * sizeof *b->pairs);
	for (uint32_t i = 0; i < b->npairs; i++) {
		struct pair *pair = &b->pairs[i];
		uint32_t both;

		*pair = (struct pair){sids[i % n], sids[i / n % n], 0};
		both = warm(thread, b->class_id, pair) & warm(other, b->class_id, pair);
		pair->requested = both & -both;
	}
	avc_thread_free(thread);
	avc_thread_free(other);
	locked_init(&b->locked, b->avc);
}

/* ---- loops ---- */

typedef int check(struct bench *b, struct avc_thread *thread, const struct pair *pair);

__attribute__((noinline)) static int no_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	(void)b, (void)thread;
	__asm__ volatile("" : : "r"(pair) : "memory");
	return 0;
}

static int plain_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	return plain_has_perm(&b->locked, thread, pair->source, pair->target, b->class_id, pair->requested);
}

static int spin_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	return spin_has_perm(&b->locked, thread, pair->source, pair->target, b->class_id, pair->requested);
}

static int rwlock_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	return rwlock_has_perm(&b->locked, thread, pair->source, pair->target, b->class_id, pair->requested);
}

static int rcu_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	return avc_has_perm(thread, pair->source, pair->target, b->class_id, pair->requested, NULL);
}

static int untraced_check(struct bench *b, struct avc_thread *thread, const struct pair *pair)
{
	return untraced_has_perm(thread, pair->source, pair->target, b->class_id, pair->requested, NULL);
}

/* Nanoseconds of processor time for a check of one of the first n pairs, n a
 * power of ten; in turn, or at random. */
static double time_checks(struct bench *b, struct avc *avc, check *one, uint32_t n, bool at_random)
{
	struct avc_thread *thread = avc_thread_new(avc);
	uint64_t x = 88172645463325252;
	uint32_t refused = 0;
	double begin, end;

	begin = now(CLOCK_THREAD_CPUTIME_ID);
	for (uint32_t i = 0, at = 0; i < b->checks; i++) {
		refused += one(b, thread, &b->pairs[at]) != 0;
		if (at_random) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			at = (uint32_t)((x >> 32) * n >> 32);
		} else {
			at = at + 1 < n ? at + 1 : 0;
		}
	}
	end = now(CLOCK_THREAD_CPUTIME_ID);
	avc_thread_free(thread);
	if (refused) {
		fputs("avc: a check was refused\n", stderr);
		exit(1);
	}
	return (end - begin) / b->checks;
}

/* ---- threads ---- */

static const struct { const char *name; check *one; } kinds[MAX_KINDS] = {
	{"no check", no_check}, {"no lock", plain_check}, {"spinlock", spin_check}, {"rwlock", rwlock_check},
	{"RCU", rcu_check},
};

struct job {
	struct bench *bench;
	check *one;
	pthread_barrier_t *start;
	double begin, end, cpu;
};

static void *work(void *data)
{
	struct job *job = data;

	pthread_barrier_wait(job->start);
	job->begin = now(CLOCK_MONOTONIC);
	job->cpu = time_checks(job->bench, job->bench->avc, job->one, job->bench->npairs < 100 ? 1 : 100, false);
	job->end = now(CLOCK_MONOTONIC);
	return NULL;
}

/* Seconds from the first start to the last end; ret_cpu gets the mean time of a check. */
static double time_threads(struct bench *b, check *one, uint32_t n, double *ret_cpu)
{
	pthread_t threads[32];
	struct job jobs[32];
	pthread_barrier_t start;
	double begin = 0, end = 0, cpu = 0;

	pthread_barrier_init(&start, NULL, n);
	for (uint32_t i = 0; i < n; i++) {
		jobs[i] = (struct job){.bench = b, .one = one, .start = &start};
		if (pthread_create(&threads[i], NULL, work, &jobs[i])) {
			fputs("avc: cannot start a thread\n", stderr);
			exit(1);
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		begin = !i || jobs[i].begin < begin ? jobs[i].begin : begin;
		end = jobs[i].end > end ? jobs[i].end : end;
		cpu += jobs[i].cpu;
	}
	pthread_barrier_destroy(&start);
	*ret_cpu = cpu / n;
	return (end - begin) * 1e-9;
}

struct threads_result { double seconds[MAX_KINDS][NTHREADS], cpu[MAX_KINDS][NTHREADS]; };

static void run_threads(struct bench *b, struct threads_result *ret)
{
	static double seconds[MAX_KINDS][NTHREADS][MAX_ROUNDS], cpu[MAX_KINDS][NTHREADS][MAX_ROUNDS];

	for (uint32_t r = 0; r < b->rounds; r++)
		for (uint32_t t = 0; t < NTHREADS; t++)
			for (uint32_t k = 0; k < MAX_KINDS; k++)
				seconds[k][t][r] = time_threads(b, kinds[k].one, thread_counts[t], &cpu[k][t][r]);
	for (uint32_t t = 0; t < NTHREADS; t++)
		for (uint32_t k = 0; k < MAX_KINDS; k++) {
			ret->seconds[k][t] = median(seconds[k][t], b->rounds);
			ret->cpu[k][t] = median(cpu[k][t], b->rounds);
		}
}

static void print_threads(const struct bench *b, const struct threads_result *result)
{
	printf("%u checks a thread: seconds in all (nanoseconds of processor time for one)\n\n| threads |", b->checks);
	for (uint32_t k = 0; k < MAX_KINDS; k++)
		printf(" %s |", kinds[k].name);
	printf("\n|--:|--:|--:|--:|--:|--:|\n");
	for (uint32_t t = 0; t < NTHREADS; t++) {
		printf("| %u |", thread_counts[t]);
		for (uint32_t k = 0; k < MAX_KINDS; k++)
			printf(" %.4f (%.1f) |", result->seconds[k][t], result->cpu[k][t]);
		printf("\n");
	}
	printf("\n");
}

/* ---- pairs ---- */

static void run_pairs(struct bench *b, double ret[2][NPAIRS])
{
	static double plain[NPAIRS][MAX_ROUNDS], rcu[NPAIRS][MAX_ROUNDS];

	for (uint32_t r = 0; r < b->rounds; r++)
		for (uint32_t p = 0; p < NPAIRS && pair_counts[p] <= b->npairs; p++) {
			rcu[p][r] = time_checks(b, b->avc, rcu_check, pair_counts[p], true);
			plain[p][r] = time_checks(b, b->avc, plain_check, pair_counts[p], true);
		}
	for (uint32_t p = 0; p < NPAIRS && pair_counts[p] <= b->npairs; p++) {
		ret[0][p] = median(rcu[p], b->rounds);
		ret[1][p] = median(plain[p], b->rounds);
	}
}

static void print_pairs(const struct bench *b, double result[2][NPAIRS])
{
	printf("Pairs asked for at random: nanoseconds for one check\n\n| cached pairs | RCU | no lock |\n|--:|--:|--:|\n");
	for (uint32_t p = 0; p < NPAIRS && pair_counts[p] <= b->npairs; p++)
		printf("| %u | %.1f | %.1f |\n", pair_counts[p], result[0][p], result[1][p]);
	printf("\n");
}

/* ---- stacking and tracing ---- */

enum { UNTRACED, OFF, ON, STACKED, LOOP, VARIANTS, SLICES = 20 };

static double time_variant(struct bench *b, uint32_t variant, uint32_t n)
{
	static check *const checks[VARIANTS] = {untraced_check, rcu_check, rcu_check, rcu_check, no_check};
	struct avc *avc = variant == STACKED ? b->stacked : b->avc;
	double time;

	avc_trace(avc, variant == ON);
	time = time_checks(b, avc, checks[variant], n, false);
	avc_trace(avc, false);
	return time;
}

/* The differences are small: so rounds are short, each is compared within itself,
 * and the median is that of the ratios. */
static void run_variants(struct bench *b)
{
	enum { ROWS = 4 };
	static const struct { const char *name, *against; uint32_t variant, base; } rows[ROWS] = {
		{"tracing compiled out", "", UNTRACED, UNTRACED}, {"tracing off", "that", OFF, UNTRACED},
		{"tracing on", "off", ON, OFF}, {"two policies", "one", STACKED, OFF},
	};
	static double times[VARIANTS][SLICES * MAX_ROUNDS], ratios[SLICES * MAX_ROUNDS];
	double time[VARIANTS], ratio[ROWS];
	struct bench slice = *b;
	uint32_t n = b->npairs < 100 ? 1 : 100, rounds = SLICES * b->rounds;

	slice.checks = b->checks / SLICES ? b->checks / SLICES : 1;
	for (uint32_t r = 0; r < rounds; r++)
		for (uint32_t i = 0; i < VARIANTS; i++) {
			uint32_t variant = (i + r) % VARIANTS;

			times[variant][r] = time_variant(&slice, variant, n);
		}
	for (uint32_t i = 0; i < ROWS; i++) {
		for (uint32_t r = 0; r < rounds; r++)
			ratios[r] = times[rows[i].variant][r] / times[rows[i].base][r];
		ratio[i] = median(ratios, rounds);
	}
	for (uint32_t i = 0; i < VARIANTS; i++)
		time[i] = median(times[i], rounds);
	printf("One thread, %u pairs in turn: nanoseconds for one check, of which the loop itself takes %.1f\n\n", n, time[LOOP]);
	printf("| | ns | against |\n|---|--:|--:|\n| %s | %.2f | |\n", rows[0].name, time[UNTRACED]);
	for (uint32_t i = 1; i < ROWS; i++)
		printf("| %s | %.2f | %+.1f %% of %s |\n", rows[i].name, time[rows[i].variant], (ratio[i] - 1) * 100, rows[i].against);
	printf("\n");
}

/* ---- drawing ---- */

static FILE *plot_begin(const char *directory, const char *name, const char *title, const char *x, const char *y)
{
	FILE *plot = popen("gnuplot", "w");

	if (!plot)
		return NULL;
	fprintf(plot, "set terminal svg size 640,400 font 'sans,12'\nset output '%s/%s.svg'\nset title '%s'\n"
		      "set xlabel '%s'\nset ylabel '%s'\nset logscale x\nset key left top\nset grid\n",
		directory, name, title, x, y);
	return plot;
}

static bool draw_threads(const struct bench *b, const struct threads_result *result)
{
	FILE *plot = plot_begin(b->svg, "avc-threads", "Time of one cached check by number of threads", "threads",
				"ns of processor time");

	if (!plot)
		return false;
	fprintf(plot, "set logscale y\nplot");
	for (uint32_t k = 0; k < MAX_KINDS; k++)
		fprintf(plot, "%s '-' with linespoints title '%s'", k ? "," : "", kinds[k].name);
	fprintf(plot, "\n");
	for (uint32_t k = 0; k < MAX_KINDS; k++) {
		for (uint32_t t = 0; t < NTHREADS; t++)
			fprintf(plot, "%u %g\n", thread_counts[t], result->cpu[k][t]);
		fprintf(plot, "e\n");
	}
	return !pclose(plot);
}

static bool draw_pairs(const struct bench *b, double result[2][NPAIRS])
{
	FILE *plot = plot_begin(b->svg, "avc-pairs", "Time of one cached check by number of cached pairs",
				"cached pairs, asked for at random", "ns");

	if (!plot)
		return false;
	fprintf(plot, "set yrange [0:]\nplot '-' with linespoints title 'RCU', '-' with linespoints title 'no lock'\n");
	for (uint32_t k = 0; k < 2; k++) {
		for (uint32_t p = 0; p < NPAIRS && pair_counts[p] <= b->npairs; p++)
			fprintf(plot, "%u %g\n", pair_counts[p], result[k][p]);
		fprintf(plot, "e\n");
	}
	return !pclose(plot);
}

/* ---- the run ---- */

static void run(struct bench *b)
{
	static struct threads_result threads;
	double pairs[2][NPAIRS];

	run_threads(b, &threads);
	print_threads(b, &threads);
	run_pairs(b, pairs);
	print_pairs(b, pairs);
	run_variants(b);
	if (b->svg && !(draw_threads(b, &threads) && draw_pairs(b, pairs)))
		fputs("avc: gnuplot failed\n", stderr);
}

static struct avc *open_cache(const struct avc_image *images, uint32_t n)
{
	struct avc_options options = {.max_entries = 1 << 20};
	struct avc *avc = NULL;
	char *error = NULL;

	if (avc_open(&avc, images, n, &options, &error)) {
		fprintf(stderr, "%s", error ? error : "avc: cannot open\n");
		exit(1);
	}
	return avc;
}

static struct policy *read_names(const char *path)
{
	struct buffer image = {0};
	struct diags diags = {0};
	struct policy *policy = file_load(path, &image, &diags) ? policydb_read(image.at, image.n, path, NULL, &diags) : NULL;

	if (!policy) {
		fprintf(stderr, "avc: cannot read %s\n", path);
		exit(1);
	}
	buffer_free(&image);
	diags_free(&diags);
	return policy;
}

static uint32_t number(const char *text, uint32_t most)
{
	unsigned long n = strtoul(text, NULL, 10);

	return n < 1 ? 1 : n < most ? (uint32_t)n : most;
}

/* ---- the programs beside this one ---- */

extern char **environ;

static bool run_beside(const char *self, const char *name, const char *policy)
{
	const char *slash = strrchr(self, '/');
	struct buffer path = {0};
	const char *arguments[3] = {NULL, policy};
	int status = -1;
	pid_t pid;

	text_printf(&path, "%.*s%s", slash ? (int)(slash + 1 - self) : 0, self, name);
	arguments[0] = text_of(&path);
	printf("%s\n\n```\n", name);
	fflush(stdout);
	if (!posix_spawnp(&pid, arguments[0], NULL, NULL, (char **)arguments, environ))
		waitpid(pid, &status, 0);
	if (status)
		fprintf(stderr, "avc: %s failed\n", arguments[0]);
	printf("```\n\n");
	buffer_free(&path);
	return !status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"table", no_argument, NULL, 't'}, {"svg", required_argument, NULL, 's'},
		{"checks", required_argument, NULL, 'c'}, {"rounds", required_argument, NULL, 'r'}, {0},
	};
	struct bench b = {.checks = 500000, .rounds = 9};
	struct avc_image images[2];
	struct policy *policy;
	bool table = false, good = true;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 't': table = true; break;
		case 's': b.svg = optarg; break;
		case 'c': b.checks = number(optarg, 100000000); break;
		case 'r': b.rounds = number(optarg, MAX_ROUNDS); break;
		default: return 2;
		}
	}
	if (optind == argc || argc - optind > 2) {
		fputs("usage: avc [--table] [--svg DIRECTORY] [--checks N] [--rounds N] POLICY [POLICY]\n", stderr);
		return 2;
	}
	images[0] = (struct avc_image){.path = argv[optind]};
	images[1] = (struct avc_image){.path = argv[argc - 1]};
	policy = read_names(argv[optind]);
	b.avc = open_cache(images, 1);
	b.stacked = open_cache(images, 2);
	fill(&b, policy);
	run(&b);
	avc_close(b.avc);
	avc_close(b.stacked);
	policy_free(policy);
	free(b.pairs);
	if (table)
		good = run_beside(argv[0], "ebitmap", NULL) & run_beside(argv[0], "decide", argv[optind]);
	return good ? 0 : 1;
}
