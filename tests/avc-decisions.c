/* avc-decisions [-s SEED] [-n COUNT] [-x PAIRS] IMAGE...
 *
 * Asks the access vector cache over the images together, and each image alone,
 * the same random questions, changing a boolean now and then.  The cache must say
 * what a slow and obvious reference makes of the single answers: permission by
 * permission, by their names.  Each question is put twice, so that the second
 * answer comes from the cache.  First the numbers of classes and permissions are
 * those of the first image, then they are shuffled.
 *
 * -x: for so many pairs all 65,536 numbers of ioctl are asked about.
 *
 * Exit status: 0 all answers equal, 1 not, 2 wrong use. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avc/policy-avc.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "cli/load.h"
#include "ir/text.h"
#include "query/server.h"
#include "security/context.h"
#include "tests/ask.h"

enum { SHOWN = 5 };

struct wish { uint32_t questions, pairs; uint64_t seed; };

/* One image, and the contexts of the present question in its own numbers. */
struct single {
	struct policy *policy;
	struct server server;
	struct policy_context source, target;
	bool valid;
};

struct run {
	struct single at[AVC_MAX_POLICIES];
	uint32_t n;
	struct avc *avc;
	struct avc_thread *thread;
	struct avc_class *classes; /* by number of the cache - 1 */
	uint32_t nclasses;
	struct avc_event event;    /* the last that was told */
	uint32_t events;
	struct ask ask;
	uint32_t asked, granted, different;
};

/* ---- numbers ---- */

static void shuffle_perms(struct ask *ask, struct avc_class *class, uint32_t n)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = ask_below(ask, i);
		const char *kept = class->perms[i - 1];

		class->perms[i - 1] = class->perms[j];
		class->perms[j] = kept;
	}
}

/* With a class and a permission that no image has.  The names are the policy's. */
static void name_classes(struct run *r, bool shuffled)
{
	const struct policy *policy = r->at[0].policy;

	r->nclasses = policy->classes.n + 1;
	r->classes = mem_zalloc(r->nclasses, sizeof *r->classes);
	for (uint32_t v = 1; v <= policy->classes.n; v++) {
		const struct policy_class *class = &policy->classes.at[v];
		struct avc_class *named = &r->classes[v - 1];
		uint32_t n = class->nperms;

		named->name = class->name;
		memcpy(named->perms, class->perms, n * sizeof *named->perms);
		if (n < AVC_MAX_PERMS)
			named->perms[n++] = "unheard-of";
		if (shuffled)
			shuffle_perms(&r->ask, named, n);
	}
	r->classes[r->nclasses - 1] = (struct avc_class){"unheard-of", {"hear", NULL}};
	for (uint32_t i = r->nclasses; shuffled && i > 1; i--) {
		uint32_t j = ask_below(&r->ask, i);
		struct avc_class kept = r->classes[i - 1];

		r->classes[i - 1] = r->classes[j];
		r->classes[j] = kept;
	}
}

/* ---- the reference ---- */

/* What one image says of one permission. */
struct verdict { bool granted, permissive, auditallow, told; };

static struct verdict verdict_of(const struct single *s, const char *class_name, const char *perm_name)
{
	uint32_t class = policy_find_class(s->policy, class_name);
	uint32_t perm = class ? policy_find_perm(&s->policy->classes.at[class], perm_name) : 0;
	struct decision d;
	struct verdict v;

	if (!s->valid)
		return (struct verdict){.told = true};
	decide_access(s->server.decider, s->server.state, &s->source, &s->target, class, &d);
	v = (struct verdict){d.allowed & perm, d.flags & DECISION_PERMISSIVE, d.auditallow & perm, d.auditdeny & perm};
	if (!perm) {
		v.granted = s->policy->handle_unknown == POLICY_UNKNOWN_ALLOW;
		v.told = !(d.flags & DECISION_NEVERAUDIT);
	}
	return v;
}

/* All of them must grant; a denial is told when one that denies wants it told. */
static void reference(const struct run *r, const struct avc_class *class, uint32_t bit, struct avc_decision *ret)
{
	const char *perm = class->perms[bit];
	bool granted = true, allowed = true, auditallow = false, told_denied = false, told = false;

	for (uint32_t i = 0; i < r->n; i++) {
		struct verdict v = verdict_of(&r->at[i], class->name, perm);

		granted = granted && v.granted;
		allowed = allowed && (v.granted || v.permissive);
		auditallow = auditallow || v.auditallow;
		told_denied = told_denied || (!v.granted && v.told);
		told = told || v.told;
	}
	ret->granted |= (uint32_t)granted << bit;
	ret->allowed |= (uint32_t)allowed << bit;
	ret->auditallow |= (uint32_t)auditallow << bit;
	ret->auditdeny |= (uint32_t)(granted ? told : told_denied) << bit;
}

/* ---- questions ---- */

static void show(const struct run *r, avc_sid source, avc_sid target, const struct avc_class *class, const char *what,
		 const struct avc_decision *cache, const struct avc_decision *want)
{
	if (r->different > SHOWN)
		return;
	printf("%s: %s %s %s: allowed %08x granted %08x auditallow %08x auditdeny %08x, not %08x %08x %08x %08x\n", what,
	       avc_sid_to_context(r->thread, source), avc_sid_to_context(r->thread, target), class->name, cache->allowed,
	       cache->granted, cache->auditallow, cache->auditdeny, want->allowed, want->granted, want->auditallow,
	       want->auditdeny);
}

static void compare_access(struct run *r, avc_sid source, avc_sid target, uint32_t class_id)
{
	const struct avc_class *class = &r->classes[class_id - 1];
	struct avc_decision want = {0}, cache;
	uint32_t perms = 0;

	for (uint32_t bit = 0; bit < AVC_MAX_PERMS && class->perms[bit]; bit++) {
		reference(r, class, bit, &want);
		perms |= UINT32_C(1) << bit;
	}
	for (int again = 0; again < 2; again++) {
		int answer = avc_has_perm_noaudit(r->thread, source, target, class_id, perms, &cache);
		bool same = (cache.allowed & perms) == want.allowed && cache.granted == want.granted &&
			    cache.auditallow == want.auditallow && (cache.auditdeny & perms) == want.auditdeny &&
			    (answer == 0) == !(perms & ~want.allowed);

		r->asked++;
		r->granted += cache.granted != 0;
		r->different += !same;
		if (!same)
			show(r, source, target, class, again ? "from the cache" : "decided", &cache, &want);
	}
}

static bool read_context(struct single *s, const char *text, struct policy_context *ret)
{
	return context_parse(s->server.security, text, strlen(text), ret, NULL);
}

/* In the numbers of each; the cache takes what is valid in all. */
static bool put_contexts(struct run *r, const char *source, const char *target, avc_sid *ret_source, avc_sid *ret_target)
{
	bool valid = true, taken;

	for (uint32_t i = 0; i < r->n; i++) {
		struct single *s = &r->at[i];

		s->valid = read_context(s, source, &s->source);
		s->valid = read_context(s, target, &s->target) && s->valid;
		valid = valid && s->valid;
	}
	taken = !avc_context_to_sid(r->thread, source, ret_source);
	taken = !avc_context_to_sid(r->thread, target, ret_target) && taken;
	if (taken != valid) {
		r->different++;
		printf("%s, %s: %s\n", source, target, valid ? "not taken" : "not valid everywhere");
	}
	return taken && valid;
}

static void set_bool(struct run *r)
{
	const struct policy *policy = r->at[0].policy;
	const char *name;
	bool on, other;

	if (!policy->bools.n || ask_below(&r->ask, 100))
		return;
	name = policy->bools.at[1 + ask_below(&r->ask, policy->bools.n)].name;
	on = ask_below(&r->ask, 2);
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t value = policy_find_bool(r->at[i].policy, name);

		if (value)
			bool_state_set(r->at[i].server.state, value, on);
	}
	if (avc_set_bools(r->avc, &name, &on, 1) || avc_get_bool(r->thread, name, &other) || other != on)
		r->different++;
}

/* A random question, now and then about the class that no image has; the class is
 * 0 when an image does not have the contexts. */
static uint32_t next_question(struct run *r, avc_sid *ret_source, avc_sid *ret_target)
{
	struct buffer source = {0}, target = {0};
	uint32_t class_id = 0;
	struct question q;

	set_bool(r);
	ask_question(&r->ask, &q);
	text_context(&source, r->at[0].policy, &q.source);
	text_context(&target, r->at[0].policy, &q.target);
	if (put_contexts(r, text_of(&source), text_of(&target), ret_source, ret_target))
		class_id = avc_class_id(r->avc, ask_below(&r->ask, 50) ? r->at[0].policy->classes.at[q.class].name : "unheard-of");
	buffer_free(&source);
	buffer_free(&target);
	question_free(&q);
	return class_id;
}

/* ---- extended permissions ---- */

static void on_audit(void *data, const struct avc_event *event)
{
	struct run *r = data;

	r->event = *event;
	r->events++;
}

/* Whether one image lets the number pass, and when not, whether it refuses it. */
static void verdict_of_number(const struct single *s, const char *class_name, uint16_t number, bool *granted, bool *refused)
{
	struct verdict v = verdict_of(s, class_name, "ioctl");
	uint32_t class = policy_find_class(s->policy, class_name);

	if (v.granted && s->valid && class)
		v.granted = decide_xperm(s->server.decider, s->server.state, s->source.type, s->target.type, class,
					 XPERM_BASE_IOCTL, number);
	*granted = *granted && v.granted;
	*refused = *refused || (!v.granted && !v.permissive);
}

static void compare_numbers(struct run *r, avc_sid source, avc_sid target, uint32_t class_id)
{
	const struct avc_class *class = &r->classes[class_id - 1];
	uint32_t ioctl = avc_perm_bit(r->avc, class_id, "ioctl");

	for (uint32_t number = 0; ioctl && number <= UINT16_MAX; number++) {
		bool granted = true, refused = false, same;
		int answer;

		for (uint32_t i = 0; i < r->n; i++)
			verdict_of_number(&r->at[i], class->name, (uint16_t)number, &granted, &refused);
		r->events = 0;
		answer = avc_has_xperm(r->thread, source, target, class_id, ioctl, AVC_IOCTL, (uint16_t)number, NULL);
		same = answer == (refused ? -EACCES : 0) &&
		       (!r->events || ((r->event.denied == 0) == granted && r->event.refused == refused &&
				       r->event.number == (int)number));
		r->asked++;
		r->granted += granted;
		r->different += !same;
		if (!same && r->different <= SHOWN)
			printf("ioctl 0x%x: %s %s %s: answer %d, granted %d, refused %d\n", number,
			       avc_sid_to_context(r->thread, source), avc_sid_to_context(r->thread, target), class->name,
			       answer, granted, refused);
	}
}

/* Types and class of a rule, by preference of one for numbers. */
static uint32_t pick_pair(struct run *r, uint32_t *ret_source, uint32_t *ret_target)
{
	const struct server *server = &r->at[0].server;
	struct xperm_drivers drivers = {0};
	uint32_t class = 0;

	for (uint32_t i = 0; i < 20000 && !drivers.bases; i++)
		if (ask_rule(&r->ask, ret_source, ret_target, &class))
			decide_xperm_drivers(server->decider, server->state, *ret_source, *ret_target, class, &drivers);
	return class;
}

static void ask_numbers(struct run *r)
{
	const struct policy *policy = r->at[0].policy;
	struct buffer source = {0}, target = {0};
	struct question q = {0};
	uint32_t types[2];
	avc_sid sids[2];

	set_bool(r);
	q.class = pick_pair(r, &types[0], &types[1]);
	if (!q.class)
		return;
	ask_context(&r->ask, types[0], false, &q.source);
	ask_context(&r->ask, types[1], true, &q.target);
	text_context(&source, policy, &q.source);
	text_context(&target, policy, &q.target);
	if (put_contexts(r, text_of(&source), text_of(&target), &sids[0], &sids[1]))
		compare_numbers(r, sids[0], sids[1], avc_class_id(r->avc, policy->classes.at[q.class].name));
	buffer_free(&source);
	buffer_free(&target);
	question_free(&q);
}

/* ---- a run ---- */

static bool open_cache(struct run *r, const struct avc_image *images)
{
	const struct avc_options options = {
		.classes = r->classes, .nclasses = r->nclasses, .audit = on_audit, .callback_data = r,
	};
	char *error = NULL;

	if (avc_open(&r->avc, images, r->n, &options, &error)) {
		fprintf(stderr, "%s", error ? error : "avc-decisions: no reason\n");
		free(error);
		return false;
	}
	r->thread = avc_thread_new(r->avc);
	return r->thread != NULL;
}

static void ask_all(struct run *r, const struct wish *wish)
{
	avc_sid source, target;

	for (uint32_t i = 0; i < wish->questions; i++) {
		uint32_t class_id = next_question(r, &source, &target);

		if (class_id)
			compare_access(r, source, target, class_id);
	}
	for (uint32_t i = 0; i < wish->pairs; i++)
		ask_numbers(r);
}

/* The policies are the caller's. */
static bool compare(struct policy *const *policies, const struct avc_image *images, uint32_t n, const struct wish *wish,
		    bool shuffled)
{
	struct run r = {.n = n};
	bool good;

	for (uint32_t i = 0; i < n; i++) {
		r.at[i].policy = policies[i];
		server_open(&r.at[i].server, policies[i]);
	}
	ask_init(&r.ask, policies[0], wish->seed);
	name_classes(&r, shuffled);
	good = open_cache(&r, images);
	if (good)
		ask_all(&r, wish);
	printf("%u policies, %s: seed %llu, %u answers, %u with something granted, %u differ\n", n,
	       shuffled ? "numbers of its own" : "numbers of the first", (unsigned long long)wish->seed, r.asked, r.granted,
	       r.different);
	avc_thread_free(r.thread);
	avc_close(r.avc);
	free(r.classes);
	ask_free(&r.ask);
	for (uint32_t i = 0; i < n; i++) {
		policy_context_free(&r.at[i].source);
		policy_context_free(&r.at[i].target);
		server_close(&r.at[i].server);
	}
	return good && !r.different && r.granted && r.granted < r.asked;
}

static bool run(char **paths, uint32_t n, const struct wish *wish)
{
	static const struct load_options options = {.program = "avc-decisions"};
	struct policy *policies[AVC_MAX_POLICIES] = {0};
	struct avc_image images[AVC_MAX_POLICIES] = {{0}};
	bool good = true;
	uint32_t version;

	for (uint32_t i = 0; i < n; i++) {
		images[i] = (struct avc_image){.path = paths[i]};
		policies[i] = load_policy(paths[i], &options, &version);
		good = good && policies[i];
	}
	good = good && compare(policies, images, n, wish, false) && compare(policies, images, n, wish, true);
	for (uint32_t i = 0; i < n; i++)
		policy_free(policies[i]);
	return good;
}

int main(int argc, char **argv)
{
	struct wish wish = {.questions = 1000, .pairs = 1, .seed = 1};
	int option;

	while ((option = getopt(argc, argv, "s:n:x:")) != -1) {
		switch (option) {
		case 's': wish.seed = strtoull(optarg, NULL, 10); break;
		case 'n': wish.questions = (uint32_t)strtoul(optarg, NULL, 10); break;
		case 'x': wish.pairs = (uint32_t)strtoul(optarg, NULL, 10); break;
		default: return 2;
		}
	}
	if (argc - optind < 1 || argc - optind > AVC_MAX_POLICIES) {
		fprintf(stderr, "usage: avc-decisions [-s SEED] [-n COUNT] [-x PAIRS] IMAGE...\n");
		return 2;
	}
	return run(argv + optind, (uint32_t)(argc - optind), &wish) ? 0 : 1;
}
