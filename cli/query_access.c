/* access: what is allowed, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "ir/text.h"

struct access_options {
	struct session session;
	bool explain;
};

enum { OPT_WHY = 256 };

static bool parse_option(struct access_options *o, int option)
{
	if (option != OPT_WHY)
		return session_option(&o->session, option);
	o->explain = o->session.explaining = true;
	return true;
}

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
	if (d->flags & DECISION_PERMISSIVE)
		puts("permissive: what is denied is done all the same, and audited");
	if (d->flags & DECISION_NEVERAUDIT)
		puts("neveraudit: nothing is audited");
}

static enum query_status answer_words(struct access_options *o, char **argv, int n)
{
	struct session *s = &o->session;
	struct answer a = {0};
	enum query_status status = QUERY_FAILED;

	if (answer_access(s, argv, n, &a)) {
		if (s->common.json)
			answer_print_json(s, &a, o->explain, stdout);
		else
			print_text(s, &a);
		if (!s->common.json && o->explain)
			answer_print_reasons(s, &a, stdout);
		status = query_finish(a.denied.n || !a.allowed.n ? QUERY_EMPTY : QUERY_DONE);
	}
	answer_free(&a);
	return status;
}

enum query_status query_access_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		SESSION_OPTIONS, {"explain", no_argument, NULL, OPT_WHY}, {0},
	};
	struct access_options o = {.session = SESSION_NEW};
	enum query_status status = QUERY_FAILED;
	bool good = true;
	int option;

	while (good && (option = getopt_long(argc, argv, "Mh", long_options, NULL)) != -1)
		good = parse_option(&o, option);
	if (good && argc - optind < 4)
		query_complain("access takes a policy, two contexts, a class, and permissions", NULL);
	else if (good && session_open(&o.session, argv[optind]))
		status = answer_words(&o, argv + optind + 1, argc - optind - 1);
	session_close(&o.session);
	return status;
}
