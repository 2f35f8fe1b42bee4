#include "cli/stats.h"

#include <sys/resource.h>
#include <time.h>

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void stats_start(struct stats *stats)
{
	*stats = (struct stats){.last = processor_seconds()};
}

void stats_pass(void *data, const char *name)
{
	struct stats *stats = data;
	double now = processor_seconds();

	if (stats->n == STATS_MAX_PASSES)
		return;
	stats->passes[stats->n].name = name;
	stats->passes[stats->n++].seconds = now - stats->last;
	stats->last = now;
}

static void print_counts(const struct policy *p, FILE *out)
{
	uint32_t conditional = 0;

	for (uint32_t i = 0; i < p->conds.n; i++)
		conditional += p->conds.at[i].yes.n + p->conds.at[i].no.n;
	fprintf(out, "classes %u, roles %u, types and attributes %u, users %u, booleans %u\n", p->classes.n, p->roles.n,
		p->types.n, p->users.n, p->bools.n);
	fprintf(out, "rules %u, in %u conditionals %u, filename transitions %u, range transitions %u\n", p->rules.n,
		p->conds.n, conditional, p->filename_trans.n, p->range_trans.n);
}

void stats_print(const struct stats *stats, const struct policy *policy, const struct sources *sources, FILE *out)
{
	double total = 0;
	struct rusage usage;

	for (uint32_t i = 0; i < stats->n; i++) {
		fprintf(out, "%-10s %8.2f ms\n", stats->passes[i].name, stats->passes[i].seconds * 1e3);
		total += stats->passes[i].seconds;
	}
	getrusage(RUSAGE_SELF, &usage);
	fprintf(out, "%-10s %8.2f ms processor time, peak memory %.1f MiB\n", "total", total * 1e3,
		(double)usage.ru_maxrss / 1024);
	for (uint32_t i = 0; i < sources->files.n; i++)
		fprintf(out, "source %s: %u bytes\n", sources->files.at[i].path, sources->files.at[i].size);
	if (policy)
		print_counts(policy, out);
}
