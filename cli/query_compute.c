/* create, member, relabel: the context of what is new; validatetrans: whether
 * an object's context may change. */
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "ir/text.h"
#include "security/context.h"

/* ---- create, member, relabel ---- */

static void print_context(const struct session *s, const char *text, bool valid)
{
	json_t *object;

	if (!s->common.json) {
		printf("%s\n", text);
		return;
	}
	object = json_new_object();
	json_put(object, "context", json_new_text(text, strlen(text)));
	json_put(object, "valid", json_boolean(valid));
	json_print(object, stdout);
}

/* The faults mark their parts of the context, which becomes a source for that. */
static void report_invalid(struct session *s, const char *text)
{
	struct context_faults faults;
	struct policy_context again = {0};
	const struct source *source;
	size_t len = strlen(text);

	diag_error(&s->diags, "computed-context", LOC_NONE,
		   "the computed context `%s` is not valid, and an enforcing kernel refuses to make it (EACCES)", text);
	source = sources_add(&s->sources, "<computed>", text, len, &s->diags);
	if (source && !context_parse(s->server.security, text, len, &again, &faults))
		context_faults_report(s->server.security, &faults, (struct loc){source->base, source->base + (uint32_t)len},
				      &s->diags);
	policy_context_free(&again);
}

static void report_no_range(struct session *s)
{
	diag_error(&s->diags, "computed-context", LOC_NONE,
		   "the ranges have no sensitivity in common, and the class computes its range from both (default_range glblub)");
}

static enum query_status answer_computed(struct session *s, enum policy_av_kind kind, const struct policy_context *source,
					 const struct policy_context *target, uint32_t class, const char *name)
{
	struct policy_context result = {0};
	struct buffer text = {0};
	enum compute_result got = compute_context(s->server.decider, s->server.state, kind, source, target, class, name,
						  &result);

	if (got == COMPUTE_NO_RANGE) {
		report_no_range(s);
	} else {
		text_context(&text, s->policy, &result);
		print_context(s, text_of(&text), got == COMPUTE_VALID);
		if (got == COMPUTE_INVALID)
			report_invalid(s, text_of(&text));
	}
	buffer_free(&text);
	policy_context_free(&result);
	return query_finish(got == COMPUTE_VALID ? QUERY_DONE : QUERY_EMPTY);
}

static enum query_status compute_words(struct session *s, enum policy_av_kind kind, char **word, int n)
{
	struct policy_context source = {0}, target = {0};
	enum query_status status = QUERY_FAILED;
	uint32_t class = session_class(s, word[2]);
	bool good = session_context(s, "<source>", word[0], &source);

	good = session_context(s, "<target>", word[1], &target) && good;
	if (good && class)
		status = answer_computed(s, kind, &source, &target, class, n > 3 ? word[3] : NULL);
	policy_context_free(&source);
	policy_context_free(&target);
	return status;
}

static enum query_status create_words(struct session *s, char **word, int n)
{
	return compute_words(s, AV_TRANSITION, word, n);
}

static enum query_status member_words(struct session *s, char **word, int n)
{
	return compute_words(s, AV_MEMBER, word, n);
}

static enum query_status relabel_words(struct session *s, char **word, int n)
{
	return compute_words(s, AV_CHANGE, word, n);
}

enum query_status query_create_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "create takes a policy, two contexts, a class, and a file name or none",
		.least = 3, .most = 4, .run = create_words,
	};

	return session_main(&command, argc, argv);
}

enum query_status query_member_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "member takes a policy, two contexts, a class", .least = 3, .most = 3, .run = member_words,
	};

	return session_main(&command, argc, argv);
}

enum query_status query_relabel_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "relabel takes a policy, two contexts, a class", .least = 3, .most = 3, .run = relabel_words,
	};

	return session_main(&command, argc, argv);
}

/* ---- validatetrans ---- */

static enum query_status answer_transition(struct session *s, const struct policy_context *before,
					   const struct policy_context *after, uint32_t class,
					   const struct policy_context *task)
{
	struct explain_source source = session_source(s);
	struct answer a = {.class = class};
	uint32_t failed;
	bool allowed = decide_transition(s->server.decider, before, after, class, task, &failed);

	if (!allowed)
		explain_transition(&s->server, &source, before, after, class, task, failed, &a.why);
	*vec_push(allowed ? &a.allowed : &a.denied) = "validatetrans";
	if (s->common.json) {
		answer_print_json(s, &a, true, stdout);
	} else {
		puts(allowed ? "allowed" : "denied");
		answer_print_reasons(s, &a, stdout);
	}
	answer_free(&a);
	return query_finish(allowed ? QUERY_DONE : QUERY_EMPTY);
}

static enum query_status validatetrans_words(struct session *s, char **word, int n)
{
	struct policy_context before = {0}, after = {0}, task = {0};
	enum query_status status = QUERY_FAILED;
	uint32_t class = session_class(s, word[2]);
	bool good = session_context(s, "<old>", word[0], &before);

	(void)n;
	good = session_context(s, "<new>", word[1], &after) && good;
	good = session_context(s, "<task>", word[3], &task) && good;
	if (good && class)
		status = answer_transition(s, &before, &after, class, &task);
	policy_context_free(&before);
	policy_context_free(&after);
	policy_context_free(&task);
	return status;
}

enum query_status query_validatetrans_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "validatetrans takes a policy, the old and the new context, a class, and the context of the process",
		.least = 4, .most = 4, .explaining = true, .run = validatetrans_words,
	};

	return session_main(&command, argc, argv);
}
