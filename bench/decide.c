/* decide [-n QUESTIONS] [-s SEED] IMAGE: uncached decisions, against libsepol's
 * sepol_compute_av(), in turns, on the same random questions with contexts that
 * are parsed beforehand; contexts of new things; and labels of ports and nodes,
 * against a walk along libsepol's lists.
 *
 * Prints medians of processor time for one question, their ratio, what the
 * index costs, and fails when the answers differ. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/memory.h"
#include "cli/load.h"
#include "ir/text.h"
#include "security/decide.h"
#include "security/labels.h"
#include "tests/ask.h"
#include "tests/peer.h"

enum { RUNS = 9, QUESTIONS = 20000 };

/* ---- time ---- */

static double processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times)
{
	qsort(times, RUNS, sizeof *times, compare_times);
	return times[RUNS / 2];
}

static uint32_t peer_sid_of(const struct policy *policy, const struct policy_context *context)
{
	struct buffer text = {0};
	uint32_t sid;

	text_context(&text, policy, context);
	sid = peer_sid(text_of(&text));
	if (!sid)
		fprintf(stderr, "decide: libsepol does not take %s\n", text_of(&text));
	buffer_free(&text);
	return sid;
}

/* ---- decisions ---- */

struct run {
	struct decider *decider;
	struct bool_state *state;
	struct question *questions;
	uint32_t *sids; /* two for each question */
	uint32_t n;
	struct decision *ours;
	struct peer_decision *theirs;
};

static double time_ours(struct run *r)
{
	double start = processor_ns();

	for (uint32_t i = 0; i < r->n; i++)
		decide_access(r->decider, r->state, &r->questions[i].source, &r->questions[i].target,
			      r->questions[i].class, &r->ours[i]);
	return (processor_ns() - start) / r->n;
}

static double time_theirs(struct run *r)
{
	double start = processor_ns();

	for (uint32_t i = 0; i < r->n; i++)
		peer_access(r->sids[2 * i], r->sids[2 * i + 1], r->questions[i].class, &r->theirs[i]);
	return (processor_ns() - start) / r->n;
}

static uint32_t differences(const struct run *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n; i++)
		n += r->ours[i].allowed != r->theirs[i].allowed || r->ours[i].auditallow != r->theirs[i].auditallow ||
		     r->ours[i].auditdeny != r->theirs[i].auditdeny;
	return n;
}

static bool bench_decisions(struct run *r)
{
	double ours[RUNS], theirs[RUNS], us, them;
	uint32_t allowed = 0, wrong;

	for (int i = 0; i < RUNS; i++) {
		ours[i] = time_ours(r);
		theirs[i] = time_theirs(r);
	}
	us = median(ours);
	them = median(theirs);
	for (uint32_t i = 0; i < r->n; i++)
		allowed += r->ours[i].allowed != 0;
	wrong = differences(r);
	printf("decisions: %u questions, %u with something allowed, %u differences\n", r->n, allowed, wrong);
	printf("           ours %.0f ns, libsepol %.0f ns, ratio %.0f\n", us, them, them / us);
	return !wrong;
}

/* ---- new contexts ---- */

static double time_compute(const struct run *r, enum policy_av_kind kind)
{
	double times[RUNS];

	for (int run = 0; run < RUNS; run++) {
		double start = processor_ns();

		for (uint32_t i = 0; i < r->n; i++) {
			const struct question *q = &r->questions[i];
			struct policy_context result;

			compute_context(r->decider, r->state, kind, &q->source, &q->target, q->class, NULL, &result);
			policy_context_free(&result);
		}
		times[run] = (processor_ns() - start) / r->n;
	}
	return median(times);
}

/* libsepol is not asked: it looks for a SID of the result in a list of all, which
 * takes longer than the rest. */
static void bench_compute(const struct run *r, const struct policy *policy)
{
	printf("new contexts: create %.0f ns, member %.0f ns; %u role, %u range transitions\n",
	       time_compute(r, AV_TRANSITION), time_compute(r, AV_MEMBER), policy->role_trans.n, policy->range_trans.n);
}

/* ---- ports ---- */

enum { PORT_QUESTIONS = 200000 };

static void bench_ports(const struct policy *policy, const struct labels *labels)
{
	double ours[RUNS], theirs[RUNS], us, them;
	struct ask ask = {.state = 1};
	uint32_t *asked = mem_alloc(PORT_QUESTIONS * sizeof *asked);
	uintptr_t sum = 0; /* keeps the compiler from leaving the loops out */

	for (uint32_t i = 0; i < PORT_QUESTIONS; i++)
		asked[i] = ask_below(&ask, 2 * 65536);
	for (int run = 0; run < RUNS; run++) {
		double start = processor_ns();

		for (uint32_t i = 0; i < PORT_QUESTIONS; i++)
			sum += (uintptr_t)label_port(labels, asked[i] >> 16 ? 6 : 17, (uint16_t)asked[i]).context;
		ours[run] = (processor_ns() - start) / PORT_QUESTIONS;
		start = processor_ns();
		for (uint32_t i = 0; i < PORT_QUESTIONS; i++)
			sum += peer_port_record(asked[i] >> 16 ? 6 : 17, (uint16_t)asked[i]);
		theirs[run] = (processor_ns() - start) / PORT_QUESTIONS;
	}
	us = median(ours);
	them = median(theirs);
	printf("ports: %u records; ours %.1f ns, a walk along libsepol's list %.0f ns, ratio %.0f%s\n", policy->ports.n, us,
	       them, them / us, sum ? "" : " (nothing found)");
	free(asked);
}

/* ---- nodes ---- */

/* As many as a policy with many has, as there are ports, and as nobody has. */
enum { MOST_NODES = 5000, NODE_QUESTIONS = 10000, FAMILIES = 2 };

static const uint32_t node_counts[] = {20, 487, MOST_NODES};

static const struct family {
	const char *name;
	uint32_t width, lengths[6];
} families[FAMILIES] = {
	{"IPv4", 4, {8, 16, 20, 24, 28, 32}},
	{"IPv6", 16, {32, 48, 56, 64, 96, 128}},
};

static void random_address(struct ask *ask, unsigned char *ret, uint32_t width)
{
	/* Few first bytes, so that networks lie in each other. */
	for (uint32_t i = 0; i < width; i++)
		ret[i] = (unsigned char)ask_below(ask, i < 2 ? 4 : 256);
}

/* Longer masks first, as ir/ puts them. */
static void make_nodes(struct ask *ask, const struct family *f, const struct policy_context *context, uint32_t n,
		       struct policy_node *ret_nodes)
{
	for (uint32_t i = 0; i < n; i++) {
		struct policy_node *node = &ret_nodes[i];
		uint32_t bits = f->lengths[5 - i * 6 / n];

		*node = (struct policy_node){.context = *context};
		random_address(ask, node->address, f->width);
		for (uint32_t k = 0; k < f->width; k++) {
			uint32_t here = bits < 8 * k ? 0 : bits - 8 * k > 8 ? 8 : bits - 8 * k;

			node->mask[k] = (unsigned char)(0xff00 >> here);
			node->address[k] &= node->mask[k];
		}
	}
}

/* Half of them in the network of a record. */
static void ask_nodes(struct ask *ask, const struct family *f, const struct policy_node *nodes, uint32_t n,
		      unsigned char (*ret_asked)[16])
{
	for (uint32_t i = 0; i < NODE_QUESTIONS; i++) {
		const struct policy_node *node = &nodes[ask_below(ask, n)];

		random_address(ask, ret_asked[i], f->width);
		for (uint32_t k = 0; k < f->width && i % 2; k++)
			ret_asked[i][k] = (unsigned char)((ret_asked[i][k] & ~node->mask[k]) | node->address[k]);
	}
}

static struct label label_of(const struct labels *labels, const unsigned char *address, uint32_t width)
{
	return width == 4 ? label_node(labels, address) : label_node6(labels, address);
}

static uint32_t node_differences(const struct labels *labels, const struct policy_node *nodes,
				 unsigned char (*asked)[16], uint32_t width)
{
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < NODE_QUESTIONS; i++) {
		uint32_t number = peer_node_record(asked[i], width);
		struct label ours = label_of(labels, asked[i], width);

		wrong += number ? ours.context != &nodes[number - 1].context : !ours.sid;
	}
	return wrong;
}

static bool bench_family(struct ask *ask, const struct labels *labels, const struct policy_node *nodes, uint32_t n,
			 const struct family *f)
{
	double ours[RUNS], theirs[RUNS], us, them;
	unsigned char (*asked)[16] = mem_zalloc(NODE_QUESTIONS, sizeof *asked);
	uintptr_t sum = 0;
	uint32_t wrong;

	ask_nodes(ask, f, nodes, n, asked);
	for (int run = 0; run < RUNS; run++) {
		double start = processor_ns();

		for (uint32_t i = 0; i < NODE_QUESTIONS; i++)
			sum += (uintptr_t)label_of(labels, asked[i], f->width).context;
		ours[run] = (processor_ns() - start) / NODE_QUESTIONS;
		start = processor_ns();
		for (uint32_t i = 0; i < NODE_QUESTIONS; i++)
			sum += peer_node_record(asked[i], f->width);
		theirs[run] = (processor_ns() - start) / NODE_QUESTIONS;
	}
	us = median(ours);
	them = median(theirs);
	wrong = node_differences(labels, nodes, asked, f->width);
	printf("nodes, %s: %u made-up records, %u differences; ours %.1f ns, a walk along libsepol's list %.0f ns, ratio %.0f%s\n",
	       f->name, n, wrong, us, them, them / us, sum ? "" : " (nothing found)");
	free(asked);
	return !wrong;
}

/* The policy with nodes of both families; false when libsepol does not take it. */
static bool bench_node_count(struct ask *ask, const struct policy *policy, uint32_t version, uint32_t n)
{
	struct policy_node *nodes = mem_alloc((size_t)FAMILIES * n * sizeof *nodes);
	struct policy with_nodes = *policy;
	struct buffer image = {0};
	struct diags diags = {0};
	struct security *security;
	struct labels *labels;
	bool good;

	for (uint32_t f = 0; f < FAMILIES; f++)
		make_nodes(ask, &families[f], &policy->sids.at[0].context, n, nodes + f * n);
	with_nodes.nodes.at = nodes;
	with_nodes.nodes6.at = nodes + n;
	with_nodes.nodes.n = with_nodes.nodes6.n = n;
	security = security_new(&with_nodes);
	labels = labels_new(security);
	peer_free();
	good = policydb_write(&with_nodes, version, &image, &diags) && peer_load(image.at, image.n);
	for (uint32_t f = 0; f < FAMILIES && good; f++)
		good = bench_family(ask, labels, nodes + f * n, n, &families[f]);
	labels_free(labels);
	security_free(security);
	buffer_free(&image);
	diags_free(&diags);
	free(nodes);
	return good;
}

/* Real policies have few nodes, so these are made up. */
static bool bench_nodes(const struct policy *policy, uint32_t version, uint64_t seed)
{
	struct ask ask = {.state = seed};
	bool good = true;

	for (size_t i = 0; i < sizeof node_counts / sizeof *node_counts && good; i++)
		good = bench_node_count(&ask, policy, version, node_counts[i]);
	return good;
}

/* ---- all ---- */

static bool bench(struct buffer *image, const struct policy *policy, uint32_t version, uint32_t n, uint64_t seed)
{
	struct security *security = security_new(policy);
	double start = processor_ns(), built;
	struct run r = {.n = n};
	struct labels *labels;
	struct ask ask;
	bool good;

	r.decider = decider_new(security);
	built = processor_ns();
	r.state = bool_state_new(r.decider);
	printf("index: built in %.1f ms, %zu KiB\n", (built - start) / 1e6, decider_memory(r.decider) / 1024);
	start = processor_ns();
	labels = labels_new(security);
	printf("labels: built in %.1f ms, %zu KiB\n", (processor_ns() - start) / 1e6, labels_memory(labels) / 1024);
	if (!peer_load(image->at, image->n)) {
		fprintf(stderr, "decide: libsepol does not take the image\n");
		return false;
	}
	r.questions = mem_zalloc(n, sizeof *r.questions);
	r.sids = mem_zalloc(n, 2 * sizeof *r.sids);
	r.ours = mem_zalloc(n, sizeof *r.ours);
	r.theirs = mem_zalloc(n, sizeof *r.theirs);
	ask_init(&ask, policy, seed);
	/* All before libsepol's SIDs, so that nothing lies between them. */
	for (uint32_t i = 0; i < n; i++)
		ask_question(&ask, &r.questions[i]);
	for (uint32_t i = 0; i < n; i++) {
		r.sids[2 * i] = peer_sid_of(policy, &r.questions[i].source);
		r.sids[2 * i + 1] = peer_sid_of(policy, &r.questions[i].target);
	}
	good = bench_decisions(&r);
	bench_compute(&r, policy);
	bench_ports(policy, labels);
	good = bench_nodes(policy, version, seed) && good;
	for (uint32_t i = 0; i < n; i++)
		question_free(&r.questions[i]);
	free(r.questions);
	free(r.sids);
	free(r.ours);
	free(r.theirs);
	ask_free(&ask);
	bool_state_free(r.state);
	decider_free(r.decider);
	labels_free(labels);
	security_free(security);
	peer_free();
	return good;
}

int main(int argc, char **argv)
{
	static const struct load_options options = {.program = "decide"};
	uint32_t n = QUESTIONS, version;
	uint64_t seed = 1;
	struct buffer image = {0};
	struct diags diags = {0};
	struct policy *policy;
	bool good;
	int option;

	heap_in_huge_pages(); /* as policy-query has it */
	while ((option = getopt(argc, argv, "n:s:")) != -1) {
		if (option == '?')
			return 2;
		*(option == 'n' ? &n : &(uint32_t){0}) = (uint32_t)strtoul(optarg, NULL, 10);
		if (option == 's')
			seed = strtoull(optarg, NULL, 10);
	}
	if (argc - optind != 1 || !n) {
		fprintf(stderr, "usage: decide [-n QUESTIONS] [-s SEED] IMAGE\n");
		return 2;
	}
	policy = load_policy(argv[optind], &options, &version);
	if (!policy)
		return 1;
	good = version && file_load(argv[optind], &image, &diags) && bench(&image, policy, version, n, seed);
	policy_free(policy);
	buffer_free(&image);
	diags_free(&diags);
	return good ? 0 : 1;
}
