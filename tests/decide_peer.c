/* decide-peer [-n COUNT] [-s SEED] IMAGE
 *
 * Asks ourselves and libsepol's sepol_compute_av() the same random questions
 * about access, changing a boolean now and then.  Exit status: 0 all answers
 * equal, 1 not, 2 wrong use. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "cli/load.h"
#include "ir/text.h"
#include "query/server.h"
#include "tests/ask.h"
#include "tests/peer.h"

enum { SHOWN = 5, FORGET = 256 };

struct run {
	struct server server;
	struct ask ask;
	uint32_t allowed, different;
};

static uint32_t sid_of(const struct policy *policy, const struct policy_context *context, struct buffer *text)
{
	text->n = 0;
	text_context(text, policy, context);
	return peer_sid(text_of(text));
}

static void set_bool(struct run *r)
{
	const struct policy *policy = r->server.policy;
	uint32_t value;
	bool on;

	if (!policy->bools.n || ask_below(&r->ask, 200))
		return;
	value = 1 + ask_below(&r->ask, policy->bools.n);
	on = ask_below(&r->ask, 2);
	bool_state_set(r->server.state, value, on);
	if (!peer_set_bool(policy->bools.at[value].name, on))
		r->different++;
}

static void ask_once(struct run *r)
{
	struct buffer source = {0}, target = {0};
	struct peer_decision theirs = {0};
	struct decision ours;
	struct question q;
	bool same;

	set_bool(r);
	ask_question(&r->ask, &q);
	if (r->server.policy->types.at[q.source.type].bounds) {
		question_free(&q);
		return; /* libsepol 3.4 ends with a null pointer there; kernels are asked about bounds */
	}
	decide_access(r->server.decider, r->server.state, &q.source, &q.target, q.class, &ours);
	same = peer_access(sid_of(r->server.policy, &q.source, &source), sid_of(r->server.policy, &q.target, &target), q.class,
			   &theirs) &&
	       ours.allowed == theirs.allowed && ours.auditallow == theirs.auditallow && ours.auditdeny == theirs.auditdeny;
	r->allowed += ours.allowed != 0;
	r->different += !same;
	if (!same && r->different <= SHOWN)
		printf("access %s %s %s: ours %08x %08x %08x, libsepol %08x %08x %08x\n", text_of(&source), text_of(&target),
		       r->server.policy->classes.at[q.class].name, ours.allowed, ours.auditallow, ours.auditdeny,
		       theirs.allowed, theirs.auditallow, theirs.auditdeny);
	buffer_free(&source);
	buffer_free(&target);
	question_free(&q);
}

static bool compare(const char *path, const struct policy *policy, const struct buffer *image, uint32_t n, uint64_t seed)
{
	struct run r = {0};

	if (!peer_load(image->at, image->n)) {
		fprintf(stderr, "decide-peer: libsepol does not take %s\n", path);
		return false;
	}
	server_open(&r.server, policy);
	ask_init(&r.ask, policy, seed);
	for (uint32_t i = 0; i < n; i++) {
		ask_once(&r);
		if (i % FORGET == 0)
			r.different += !peer_forget();
	}
	printf("%s: seed %llu, %u accesses, %u with something allowed, %u differ from libsepol\n", path,
	       (unsigned long long)seed, n, r.allowed, r.different);
	ask_free(&r.ask);
	server_close(&r.server);
	peer_free();
	return !r.different;
}

int main(int argc, char **argv)
{
	static const struct load_options options = {.program = "decide-peer"};
	uint32_t n = 1000, version;
	uint64_t seed = 1;
	struct buffer image = {0};
	struct diags diags = {0};
	struct policy *policy;
	bool good;
	int option;

	while ((option = getopt(argc, argv, "n:s:")) != -1) {
		switch (option) {
		case 'n': n = (uint32_t)strtoul(optarg, NULL, 10); break;
		case 's': seed = strtoull(optarg, NULL, 10); break;
		default: return 2;
		}
	}
	if (argc - optind != 1) {
		fprintf(stderr, "usage: decide-peer [-n COUNT] [-s SEED] IMAGE\n");
		return 2;
	}
	policy = load_policy(argv[optind], &options, &version);
	good = policy && file_load(argv[optind], &image, &diags) && compare(argv[optind], policy, &image, n, seed);
	policy_free(policy);
	buffer_free(&image);
	diags_free(&diags);
	return good ? 0 : 1;
}
