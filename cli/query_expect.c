/* expect: what a policy must allow and deny, line by line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/label_query.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "cli/query_words.h"
#include "ir/text.h"

struct expect {
	struct session *session;
	struct arena arena;
	word_list words; /* of the line */
	uint32_t n, unmet;
};

static bool syntax(struct expect *e, uint32_t word, const char *what)
{
	struct loc loc = words_span(&e->words, word < e->words.n ? word : e->words.n - 1, e->words.n - 1);

	diag_error(&e->session->diags, "expect-syntax", loc, "%s", what);
	return false;
}

/* Each line is right or is a finding. */
static void count(struct expect *e, bool met)
{
	e->n++;
	e->unmet += !met;
}

static const char *text_at(const struct expect *e, uint32_t word)
{
	return e->words.at[word].text;
}

static bool context_at(struct expect *e, uint32_t word, struct policy_context *ret)
{
	return session_context_at(e->session, text_at(e, word), e->words.at[word].loc, ret);
}

/* ---- allow, deny ---- */

/* A slip must not pass for something denied; what a named kernel checks is none. */
static bool perms_known(struct expect *e)
{
	const struct policy *policy = e->session->policy;
	const struct policy_class *class = &policy->classes.at[policy_find_class(policy, text_at(e, 3))];
	bool good = true;

	for (uint32_t i = 4; i < e->words.n; i++) {
		struct near near;
		char name[64];

		snprintf(name, sizeof name, "%.*s", (int)strcspn(text_at(e, i), ":"), text_at(e, i));
		if (policy_find_perm(class, name) || session_kernel_has(e->session, text_at(e, 3), name))
			continue;
		diag_error(&e->session->diags, "unknown-permission", e->words.at[i].loc, "class `%s` has no permission `%s`",
			   text_at(e, 3), name);
		near_perm(&near, class, name);
		near_hint(&near, &e->session->diags);
		good = false;
	}
	return good;
}

static void put_list(struct buffer *b, const char **names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		text_printf(b, "%s`%s`", i ? ", " : "", names[i]);
}

/* From the first permission that is not as expected to the last one; all, when
 * it is a part of a range. */
static struct loc span_of(const struct expect *e, const char **names, uint32_t n)
{
	uint32_t first = 0, last = e->words.n - 1;

	for (uint32_t i = 4; i < e->words.n; i++) {
		for (uint32_t k = 0; k < n; k++) {
			if (names[k] == text_at(e, i)) {
				first = first ? first : i;
				last = i;
			}
		}
	}
	return words_span(&e->words, first ? first : 4, last);
}

static void report_access(struct expect *e, const struct answer *a, bool allow)
{
	const char **names = allow ? a->denied.at : a->allowed.at;
	uint32_t n = allow ? a->denied.n : a->allowed.n;
	struct buffer b = {0};

	put_list(&b, names, n);
	diag_error(&e->session->diags, "expect-access", span_of(e, names, n), "expected to be %s, but %s: %s",
		   allow ? "allowed" : "denied", allow ? "denied" : "allowed", text_of(&b));
	if (a->decision.flags & DECISION_PERMISSIVE && allow)
		diag_note(&e->session->diags, LOC_NONE, "the source type is permissive, so a kernel lets it pass and audits it");
	answer_note_reasons(e->session, a, allow);
	buffer_free(&b);
}

static void expect_access(struct expect *e, bool allow)
{
	struct policy_context source = {0}, target = {0};
	struct session *s = e->session;
	struct answer a = {0};
	uint32_t nperms = e->words.n - 4;
	char **perms = arena_alloc(&e->arena, nperms * sizeof *perms);
	bool good = context_at(e, 1, &source);

	good = context_at(e, 2, &target) && good;
	if (!session_kernel_has(s, text_at(e, 3), NULL))
		good = session_class_at(s, text_at(e, 3), e->words.at[3].loc) && good;
	for (uint32_t i = 0; i < nperms; i++)
		perms[i] = e->words.at[4 + i].text;
	if (!good || !perms_known(e)) {
		policy_context_free(&source);
		policy_context_free(&target);
		count(e, false);
		return;
	}
	good = answer_question(s, &source, &target, text_at(e, 3), perms, (int)nperms,
			       words_span(&e->words, 4, e->words.n - 1), &a);
	if (good && (allow ? a.denied.n : a.allowed.n)) {
		report_access(e, &a, allow);
		good = false;
	}
	count(e, good);
	answer_free(&a);
}

static bool expect_allow(struct expect *e)
{
	expect_access(e, true);
	return true;
}

static bool expect_deny(struct expect *e)
{
	expect_access(e, false);
	return true;
}

/* ---- create, member, relabel ---- */

/* The index of the `=`, which stands before the last word; 0 when it does not. */
static uint32_t equals(const struct expect *e)
{
	return e->words.n > 2 && !strcmp(text_at(e, e->words.n - 2), "=") ? e->words.n - 2 : 0;
}

static void report_context(struct expect *e, enum compute_result result, const struct policy_context *got)
{
	struct session *s = e->session;
	struct loc loc = e->words.at[e->words.n - 1].loc;
	struct buffer b = {0};

	if (result == COMPUTE_NO_RANGE) {
		diag_error(&s->diags, "expect-context", loc,
			   "expected a context, but the ranges have no sensitivity in common (default_range glblub)");
		return;
	}
	text_context(&b, s->policy, got);
	diag_error(&s->diags, "expect-context", loc, "expected `%s`, but the context is `%s`", text_at(e, e->words.n - 1),
		   text_of(&b));
	if (result == COMPUTE_INVALID)
		diag_note(&s->diags, LOC_NONE, "and it is not valid, so an enforcing kernel refuses to make it");
	buffer_free(&b);
}

static bool same_context(const struct policy_context *a, const struct policy_context *b)
{
	return a->user == b->user && a->role == b->role && a->type == b->type && policy_range_equal(&a->range, &b->range);
}

static bool expect_computed(struct expect *e, enum policy_av_kind kind)
{
	struct policy_context source = {0}, target = {0}, want = {0}, got = {0};
	struct session *s = e->session;
	uint32_t sign = equals(e), class;
	enum compute_result result;
	bool good;

	if (sign != 4 && !(sign == 5 && kind == AV_TRANSITION))
		return syntax(e, 0, kind == AV_TRANSITION ? "the form is: create SOURCE TARGET CLASS [NAME] = CONTEXT"
							  : "the form is: member or relabel SOURCE TARGET CLASS = CONTEXT");
	good = context_at(e, 1, &source);
	good = context_at(e, 2, &target) && good;
	good = context_at(e, sign + 1, &want) && good;
	class = session_class_at(s, text_at(e, 3), e->words.at[3].loc);
	if (good && class) {
		result = compute_context(s->server.decider, s->server.state, kind, &source, &target, class,
					 sign == 5 ? text_at(e, 4) : NULL, &got);
		good = result == COMPUTE_VALID && same_context(&got, &want);
		if (!good)
			report_context(e, result, &got);
	}
	count(e, good && class);
	policy_context_free(&source);
	policy_context_free(&target);
	policy_context_free(&want);
	policy_context_free(&got);
	return true;
}

static bool expect_create(struct expect *e)
{
	return expect_computed(e, AV_TRANSITION);
}

static bool expect_member(struct expect *e)
{
	return expect_computed(e, AV_MEMBER);
}

static bool expect_relabel(struct expect *e)
{
	return expect_computed(e, AV_CHANGE);
}

/* ---- validatetrans ---- */

static bool check_transition(struct expect *e, const struct policy_context *before, const struct policy_context *after,
			     uint32_t class, const struct policy_context *task, bool allow)
{
	struct session *s = e->session;
	struct explain_source source = session_source(s);
	struct answer a = {.class = class};
	uint32_t failed;
	bool allowed = decide_transition(s->server.decider, before, after, class, task, &failed);

	if (allowed == allow)
		return true;
	diag_error(&s->diags, "expect-access", e->words.at[e->words.n - 1].loc, "expected to be %s, but %s",
		   allow ? "allowed" : "denied", allowed ? "allowed: every validatetrans of the class holds" : "denied");
	if (!allowed)
		explain_transition(&s->server, &source, before, after, class, task, failed, &a.why);
	answer_note_reasons(s, &a, true);
	answer_free(&a);
	return false;
}

static bool expect_validatetrans(struct expect *e)
{
	struct policy_context before = {0}, after = {0}, task = {0};
	const char *verdict = text_at(e, e->words.n - 1);
	bool allow = !strcmp(verdict, "allow"), good;
	uint32_t class;

	if (equals(e) != 5 || (!allow && strcmp(verdict, "deny") != 0))
		return syntax(e, 0, "the form is: validatetrans OLD NEW CLASS TASK = allow, or = deny");
	good = context_at(e, 1, &before);
	good = context_at(e, 2, &after) && good;
	good = context_at(e, 4, &task) && good;
	class = session_class_at(e->session, text_at(e, 3), e->words.at[3].loc);
	count(e, good && class && check_transition(e, &before, &after, class, &task, allow));
	policy_context_free(&before);
	policy_context_free(&after);
	policy_context_free(&task);
	return true;
}

/* ---- labels ---- */

static void report_label(struct expect *e, const struct label_query *q, const char *got, uint32_t sign)
{
	struct loc loc = words_span(&e->words, sign + 1, e->words.n - 1);

	if (!q->label.context) {
		diag_error(&e->session->diags, "expect-context", loc, "expected a label, but nothing in the policy labels it");
		return;
	}
	diag_error(&e->session->diags, "expect-context", loc, "expected `%.*s`, but the label is `%s`", (int)(loc.end - loc.begin),
		   source_text(&e->session->sources, loc.begin), got);
	if (q->label.sid)
		diag_note(&e->session->diags, LOC_NONE, "no record of the policy labels it: this is that of the initial SID `%s`",
			  q->label.sid);
}

/* What is expected is written as label prints it; of a file system, or an
 * interface, the context alone will do. */
static bool same_label(struct expect *e, const struct label_query *q, uint32_t sign, struct buffer *got)
{
	const struct policy_context *labels[] = {q->label.context, q->packet.context};
	bool same = true;

	if (!q->label.context)
		return false;
	label_put(got, q);
	for (uint32_t i = 0; sign + 1 + i < e->words.n && same; i++) {
		struct policy_context want = {0};

		if (i == 1 && q->behaviour)
			same = !strcmp(text_at(e, sign + 1 + i), q->behaviour);
		else
			same = labels[i] && context_at(e, sign + 1 + i, &want) && same_context(labels[i], &want);
		policy_context_free(&want);
	}
	return same;
}

static bool expect_label(struct expect *e)
{
	struct label_query q = {.session = e->session};
	uint32_t sign = 1, errors = e->session->diags.errors;
	struct buffer got = {0};
	bool good;

	while (sign < e->words.n && strcmp(text_at(e, sign), "=") != 0)
		sign++;
	if (sign < 2 || sign - 1 > LABEL_WORDS || e->words.n - sign < 2 || e->words.n - sign > 3)
		return syntax(e, 0, "the form is: label KIND WORD... = CONTEXT, as the command label has them");
	for (q.n = 0; (uint32_t)q.n + 1 < sign; q.n++) {
		q.word[q.n] = text_at(e, (uint32_t)q.n + 1);
		q.loc[q.n] = e->words.at[q.n + 1].loc;
	}
	good = label_ask(&q);
	if (!good && q.wrong)
		syntax(e, q.wrong_word == LABEL_ALL ? 0 : (uint32_t)q.wrong_word + 1, q.wrong);
	if (good) {
		good = same_label(e, &q, sign, &got);
		if (!good && errors == e->session->diags.errors)
			report_label(e, &q, text_of(&got), sign);
	}
	buffer_free(&got);
	count(e, good);
	return true;
}

/* ---- booleans ---- */

static bool set_bool(struct expect *e)
{
	const char *value = text_at(e, e->words.n - 1);
	struct near near;
	uint32_t boolean;

	if (equals(e) != 2 || (strcmp(value, "0") && strcmp(value, "1")))
		return syntax(e, 0, "the form is: bool NAME = 0, or = 1");
	boolean = policy_find_bool(e->session->policy, text_at(e, 1));
	if (boolean) {
		bool_state_set(e->session->server.state, boolean, value[0] == '1');
		return true;
	}
	diag_error(&e->session->diags, "unknown-bool", e->words.at[1].loc, "the policy has no boolean `%s`", text_at(e, 1));
	near_bool(&near, e->session->policy, text_at(e, 1));
	near_hint(&near, &e->session->diags);
	return true;
}

/* ---- lines ---- */

static const struct {
	const char *name;
	uint32_t least; /* words, with the name */
	bool (*check)(struct expect *e);
	const char *form;
} kinds[] = {
	{"allow", 5, expect_allow, "the form is: allow SOURCE TARGET CLASS PERM..."},
	{"deny", 5, expect_deny, "the form is: deny SOURCE TARGET CLASS PERM..."},
	{"create", 2, expect_create, NULL},
	{"member", 2, expect_member, NULL},
	{"relabel", 2, expect_relabel, NULL},
	{"validatetrans", 2, expect_validatetrans, NULL},
	{"label", 2, expect_label, NULL},
	{"bool", 2, set_bool, NULL},
};

static bool expect_line(struct expect *e)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(text_at(e, 0), kinds[i].name) != 0)
			continue;
		if (e->words.n < kinds[i].least)
			return syntax(e, 0, kinds[i].form ? kinds[i].form : "the line ends too early");
		return kinds[i].check(e);
	}
	return syntax(e, 0, "a line begins with allow, deny, create, member, relabel, validatetrans, label or bool");
}

static void expect_lines(struct expect *e, const struct source *source)
{
	uint32_t at = 0;

	while (at < source->size) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		uint32_t n = (uint32_t)((end ? end : source->text + source->size) - (source->text + at));

		e->words.n = 0;
		words_cut(&e->words, &e->arena, source, at, n);
		if (e->words.n)
			expect_line(e);
		arena_free(&e->arena);
		at += n + 1;
	}
}

static void print_summary(const struct expect *e)
{
	json_t *object;

	if (e->session->findings.format == DIAG_TEXT) {
		printf("%u expectations, %u not met\n", e->n, e->unmet);
	} else if (e->session->findings.format == DIAG_JSON) {
		object = json_new_object();
		json_put_number(object, "expectations", e->n);
		json_put_number(object, "unmet", e->unmet);
		json_print(object, stdout);
	}
}

static enum query_status expect_file(struct session *s, char **words, int n)
{
	const struct source *source = sources_load(&s->sources, words[0], &s->diags);
	struct expect e = {.session = s};

	(void)n;
	if (!source)
		return QUERY_FAILED;
	s->inputs = words[0];
	expect_lines(&e, source);
	print_summary(&e);
	vec_free(&e.words);
	return query_finish(s->diags.errors ? QUERY_EMPTY : QUERY_DONE);
}

enum query_status query_expect_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "expect takes a policy and a file",
		.least = 1, .most = 1, .findings = true, .explaining = true, .run = expect_file,
	};

	return session_main(&command, argc, argv);
}
