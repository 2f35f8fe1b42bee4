/* questions [-s SEED] [-a COUNT] [-n COUNT] POLICY
 *
 * Prints random questions about a policy, in the language of kernel/init.c and
 * of policy-query batch: -a about access, and -n each of create, member,
 * relabel and validatetrans.  Now and then a boolean changes, and some contexts
 * are not valid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cli/load.h"
#include "ir/text.h"
#include "tests/ask.h"

struct wish { uint32_t access, others; uint64_t seed; };

static void put_context(struct buffer *b, const struct policy *policy, const struct policy_context *context)
{
	text_put(b, " ");
	text_context(b, policy, context);
}

/* A context with another role or user than it may have is most often wrong. */
static void spoil(struct ask *ask, struct policy_context *context)
{
	if (ask_below(ask, 50))
		return;
	if (ask_below(ask, 2))
		context->user = 1 + ask_below(ask, ask->policy->users.n);
	else
		context->role = 1 + ask_below(ask, ask->policy->roles.n);
}

static void put_class(struct buffer *b, const struct policy *policy, uint32_t class)
{
	text_printf(b, " %s", policy->classes.at[class].name);
}

static void put_bool(struct ask *ask, struct buffer *b)
{
	const struct policy *policy = ask->policy;
	uint32_t value;

	if (!policy->bools.n || ask_below(ask, 100))
		return;
	value = 1 + ask_below(ask, policy->bools.n);
	text_printf(b, "setbool %s %u\n", policy->bools.at[value].name, ask_below(ask, 2));
}

static void put_access(struct ask *ask, struct buffer *b)
{
	struct question q;

	put_bool(ask, b);
	ask_question(ask, &q);
	spoil(ask, &q.source);
	text_put(b, "access");
	put_context(b, ask->policy, &q.source);
	put_context(b, ask->policy, &q.target);
	put_class(b, ask->policy, q.class);
	text_put(b, "\n");
	question_free(&q);
}

/* selinuxfs wants blanks and the like as %XX. */
static void put_name(struct buffer *b, const char *name)
{
	text_put(b, " ");
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		text_printf(b, c <= ' ' || c >= 0x7f || c == '%' || c == '+' ? "%%%02x" : "%c", c);
	}
}

/* Types and class of a transition, and its name if it has one. */
static const char *pick_transition(struct ask *ask, uint32_t *source, uint32_t *target, uint32_t *class)
{
	const struct policy *policy = ask->policy;

	if (policy->filename_trans.n && !ask_below(ask, 3)) {
		const struct policy_filename_trans *t = &policy->filename_trans.at[ask_below(ask, policy->filename_trans.n)];

		*source = 1 + ebitmap_first(&t->sources);
		*target = t->target;
		*class = t->class;
		return t->name;
	}
	if (policy->range_trans.n && !ask_below(ask, 3)) {
		const struct policy_range_trans *t = &policy->range_trans.at[ask_below(ask, policy->range_trans.n)];

		*source = t->source;
		*target = t->target;
		*class = t->class;
		return NULL;
	}
	/* Of the rules picked at random some are transitions. */
	for (int i = 0; i < 50; i++) {
		const struct policy_rule *r = policy->rules.n ? &policy->rules.at[ask_below(ask, policy->rules.n)] : NULL;

		if (r && r->kind & AV_TE) {
			*source = r->source;
			*target = r->target;
			*class = r->class;
			break;
		}
	}
	return NULL;
}

static void put_compute(struct ask *ask, struct buffer *b, const char *query)
{
	uint32_t source = ask_type(ask), target = ask_type(ask), class = ask_class(ask);
	const char *name = ask_below(ask, 4) ? pick_transition(ask, &source, &target, &class) : NULL;
	struct policy_context s, t;

	put_bool(ask, b);
	ask_context(ask, source, false, &s);
	ask_context(ask, target, ask_below(ask, 4) > 0, &t);
	spoil(ask, &t);
	text_put(b, query);
	put_context(b, ask->policy, &s);
	put_context(b, ask->policy, &t);
	put_class(b, ask->policy, class);
	if (name && !strcmp(query, "create"))
		put_name(b, name);
	text_put(b, "\n");
	policy_context_free(&s);
	policy_context_free(&t);
}

/* Most classes have no rule, so those that have are asked about more often. */
static uint32_t validatetrans_class(struct ask *ask)
{
	uint32_t class = ask_class(ask);

	for (int i = 0; i < 200 && !ask->policy->classes.at[class].validatetrans.n; i++)
		class = ask_class(ask);
	return class;
}

static void put_validatetrans(struct ask *ask, struct buffer *b)
{
	struct policy_context before, after, task;

	ask_context(ask, ask_type(ask), true, &before);
	ask_context(ask, ask_below(ask, 2) ? before.type : ask_type(ask), true, &after);
	ask_context(ask, ask_type(ask), false, &task);
	if (ask_below(ask, 2))
		policy_range_copy(&after.range, &before.range);
	spoil(ask, &task);
	text_put(b, "validatetrans");
	put_context(b, ask->policy, &before);
	put_context(b, ask->policy, &after);
	put_class(b, ask->policy, validatetrans_class(ask));
	put_context(b, ask->policy, &task);
	text_put(b, "\n");
	policy_context_free(&before);
	policy_context_free(&after);
	policy_context_free(&task);
}

static void print_questions(const struct policy *policy, const struct wish *wish)
{
	struct buffer b = {0};
	struct ask ask;

	ask_init(&ask, policy, wish->seed);
	for (uint32_t i = 0; i < wish->access; i++)
		put_access(&ask, &b);
	for (uint32_t i = 0; i < wish->others; i++) {
		put_compute(&ask, &b, "create");
		put_compute(&ask, &b, "member");
		put_compute(&ask, &b, "relabel");
		put_validatetrans(&ask, &b);
	}
	for (uint32_t v = 1; v <= policy->classes.n; v++)
		text_printf(&b, "class %s\n", policy->classes.at[v].name);
	fwrite(b.at, 1, b.n, stdout);
	buffer_free(&b);
	ask_free(&ask);
}

int main(int argc, char **argv)
{
	static const struct load_options options = {.program = "questions"};
	struct wish wish = {.access = 1000, .others = 200, .seed = 1};
	struct policy *policy;
	uint32_t version;
	int option;

	while ((option = getopt(argc, argv, "s:a:n:")) != -1) {
		switch (option) {
		case 's': wish.seed = strtoull(optarg, NULL, 10); break;
		case 'a': wish.access = (uint32_t)strtoul(optarg, NULL, 10); break;
		case 'n': wish.others = (uint32_t)strtoul(optarg, NULL, 10); break;
		default: return 2;
		}
	}
	if (argc - optind != 1) {
		fprintf(stderr, "usage: questions [-s SEED] [-a COUNT] [-n COUNT] POLICY\n");
		return 2;
	}
	policy = load_policy(argv[optind], &options, &version);
	if (!policy)
		return 1;
	print_questions(policy, &wish);
	policy_free(policy);
	return 0;
}
