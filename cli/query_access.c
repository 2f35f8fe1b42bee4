/* access: what is allowed, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "ir/text.h"

static void print_perms(const char *title, const struct policy_class *class, uint32_t perms)
{
	bool any = false;

	for (uint32_t i = 0; i < class->nperms; i++) {
		if (!(perms >> i & 1) || !class->perms[i])
			continue;
		printf("%s%s", any ? " " : title, class->perms[i]);
		any = true;
	}
	if (any)
		putchar('\n');
}

static uint32_t all_perms(const struct policy_class *class)
{
	return class->nperms < 32 ? (UINT32_C(1) << class->nperms) - 1 : UINT32_MAX;
}

/* The question in full: what is granted, denied, audited. */
static void print_text(const struct session *s, const struct answer *a)
{
	const struct policy_class *class = &s->policy->classes.at[a->class];
	const struct decision *d = &a->decision;

	answer_print_lists(a, stdout);
	if (!a->class)
		return;
	print_perms("audited when allowed: ", class, d->auditallow & all_perms(class) & a->shown);
	print_perms("not audited when denied: ", class, ~d->auditdeny & all_perms(class) & a->shown);
	if (s->kernel) {
		char title[80];

		snprintf(title, sizeof title, "not checked by %s: ", s->profile.name);
		print_perms(title, class, answer_unchecked(s, a));
	}
	if (d->flags & DECISION_PERMISSIVE)
		puts("permissive: what is denied is done all the same, and audited");
	if (d->flags & DECISION_NEVERAUDIT)
		puts("neveraudit: nothing is audited");
}

static enum query_status answer_words(struct session *s, char **words, int n)
{
	struct answer a = {0};
	enum query_status status = QUERY_FAILED;

	if (answer_access(s, words, n, &a)) {
		if (s->common.json)
			answer_print_json(s, &a, s->explaining, stdout);
		else
			print_text(s, &a);
		if (!s->common.json && s->explaining)
			answer_print_reasons(s, &a, stdout);
		status = query_finish(a.denied.n || !a.allowed.n ? QUERY_EMPTY : QUERY_DONE);
	}
	answer_free(&a);
	return status;
}

enum query_status query_access_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "access takes a policy, two contexts, a class, and permissions",
		.least = 3, .explain_option = true, .run = answer_words,
	};

	return session_main(&command, argc, argv);
}
