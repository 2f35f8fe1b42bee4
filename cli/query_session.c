#include "cli/query_session.h"

#include <string.h>

#include "cli/diagnostics.h"
#include "cli/kernel_option.h"
#include "ir/names.h"
#include "security/context.h"

static void try_name(struct near *near, const char *name)
{
	if (name)
		near_try(near, name, strlen(name));
}

void near_class(struct near *ret_near, const struct policy *policy, const char *name)
{
	near_init(ret_near, name, strlen(name));
	for (uint32_t v = 1; v <= policy->classes.n; v++)
		try_name(ret_near, policy->classes.at[v].name);
}

void near_perm(struct near *ret_near, const struct policy_class *class, const char *name)
{
	near_init(ret_near, name, strlen(name));
	for (uint32_t i = 0; i < class->nperms; i++)
		try_name(ret_near, class->perms[i]);
}

void near_bool(struct near *ret_near, const struct policy *policy, const char *name)
{
	near_init(ret_near, name, strlen(name));
	for (uint32_t v = 1; v <= policy->bools.n; v++)
		try_name(ret_near, policy->bools.at[v].name);
}

/* NAME=0|1, or NAME=off|on as getsebool says it. */
static bool set_bool(struct session *s, const char *text)
{
	const char *end = strchr(text, '=');
	char name[256];
	uint32_t value;
	bool on, off;

	if (!end || (size_t)(end - text) >= sizeof name) {
		query_complain("--bool takes NAME=0 or NAME=1", text);
		return false;
	}
	memcpy(name, text, (size_t)(end - text));
	name[end - text] = '\0';
	on = !strcmp(end + 1, "1") || !strcmp(end + 1, "on") || !strcmp(end + 1, "true");
	off = !strcmp(end + 1, "0") || !strcmp(end + 1, "off") || !strcmp(end + 1, "false");
	value = policy_find_bool(s->policy, name);
	if (!on && !off) {
		query_complain("--bool takes NAME=0 or NAME=1", text);
	} else if (!value) {
		struct near near;

		diag_error(&s->diags, "unknown-bool", LOC_NONE, "the policy has no boolean `%s`", name);
		near_bool(&near, s->policy, name);
		near_hint(&near, &s->diags);
	} else {
		bool_state_set(s->server.state, value, on);
	}
	return value && (on || off);
}

bool session_kernel_has(const struct session *session, const char *class, const char *perm)
{
	const struct kernel_class *known = session->kernel ? kernel_profile_class(&session->profile, class) : NULL;
	char name[64];

	if (!known || !perm)
		return known != NULL;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(perm, ":"), perm);
	return kernel_class_has(known, name);
}

/* A partial profile does not have all classes of its kernel. */
bool session_checks(const struct session *session, const char *class, const char *perm)
{
	return !session->kernel || session->profile.partial || session_kernel_has(session, class, perm);
}

struct explain_source session_source(const struct session *session)
{
	return (struct explain_source){session->kept.rules, session->kept.rules ? &session->kept.places : NULL};
}

uint32_t session_class_at(struct session *session, const char *name, struct loc loc)
{
	uint32_t value = policy_find_class(session->policy, name);
	struct near near;

	if (value)
		return value;
	diag_error(&session->diags, "unknown-class", loc, "the policy has no class `%s`", name);
	near_class(&near, session->policy, name);
	near_hint(&near, &session->diags);
	return 0;
}

bool session_context_at(struct session *session, const char *text, struct loc loc, struct policy_context *ret)
{
	struct context_faults faults;

	if (context_parse(session->server.security, text, strlen(text), ret, &faults))
		return true;
	context_faults_report(session->server.security, &faults, loc, &session->diags);
	return false;
}

uint32_t session_class(struct session *session, const char *name)
{
	return session_class_at(session, name, LOC_NONE);
}

/* The argument becomes a source, so that the part that is wrong can be marked. */
bool session_context(struct session *session, const char *what, const char *text, struct policy_context *ret)
{
	size_t len = strlen(text);
	const struct source *source = sources_add(&session->sources, what, text, len, &session->diags);

	if (!source)
		return false;
	return session_context_at(session, text, (struct loc){source->base, source->base + (uint32_t)len}, ret);
}

/* ---- commands ---- */

enum { OPT_WHY = 256, OPT_KERNEL };

static const struct option answer_options[] = {
	/* The first ones, which only some commands have. */
	{"explain", no_argument, NULL, OPT_WHY},
	{"kernel", required_argument, NULL, OPT_KERNEL},
	QUERY_OPTIONS, {"bool", required_argument, NULL, 'B'}, {0},
};

/* --format is that of the findings. */
static const struct option finding_table[] = {
	{"mls", no_argument, NULL, 'M'}, {"xen", no_argument, NULL, 'X'}, {"help", no_argument, NULL, 'h'},
	{"bool", required_argument, NULL, 'B'}, {"max-errors", required_argument, NULL, OPT_MAX_ERRORS},
	{"format", required_argument, NULL, OPT_FORMAT}, {"color", optional_argument, NULL, OPT_COLOUR},
	{"diagnostics", required_argument, NULL, OPT_DIAGNOSTICS}, {"kernel", required_argument, NULL, OPT_KERNEL}, {0},
};

static const struct option *table_of(const struct session_command *command)
{
	if (command->findings)
		return finding_table;
	return answer_options + (command->explain_option ? 0 : command->kernel_option ? 1 : 2);
}

static bool take_option(struct session *session, int option)
{
	if (is_finding_option(option))
		return finding_option(&session->findings, option, optarg);
	switch (option) {
	case 'B': *vec_push(&session->bools) = optarg; return true;
	case OPT_WHY: session->explaining = true; return true;
	case OPT_KERNEL: session->kernel = optarg; return true;
	default: return query_option(&session->common, option);
	}
}

static bool take_options(struct session *session, const struct session_command *command, int argc, char **argv)
{
	const struct option *table = table_of(command);
	int option, n;

	while ((option = getopt_long(argc, argv, "Mh", table, NULL)) != -1)
		if (!take_option(session, option))
			return false;
	n = argc - optind - 1;
	if (n >= command->least && (!command->most || n <= command->most))
		return true;
	query_complain(command->usage, NULL);
	return false;
}

/* A kernel ignores the capabilities that it does not know. */
static bool open_kernel(struct session *session)
{
	struct ebitmap *capabilities = &session->policy->capabilities;

	if (!session->kernel)
		return true;
	if (session->policy->target == POLICY_XEN) {
		query_complain("--kernel is about Linux, and the target is Xen", NULL);
		return false;
	}
	if (!kernel_load(&session->profile, session->kernel, &session->sources, &session->diags))
		return false;
	for (uint32_t bit = 0; capability_name(bit); bit++)
		if (ebitmap_test(capabilities, bit) && !kernel_profile_has_capability(&session->profile, capability_name(bit)))
			ebitmap_clear(capabilities, bit);
	return true;
}

static bool open_policy(struct session *session, const char *path)
{
	uint32_t version;
	bool good;

	session->policy = session->explaining
				  ? load_keeping(path, &session->common.load, &session->kept, &session->sources)
				  : load_policy(path, &session->common.load, &version);
	if (!session->policy)
		return false;
	good = open_kernel(session);
	server_open(&session->server, session->policy);
	for (uint32_t i = 0; i < session->bools.n && good; i++)
		good = set_bool(session, session->bools.at[i]);
	return good;
}

static void free_session(struct session *session)
{
	diags_free(&session->diags);
	load_kept_free(&session->kept);
	sources_free(&session->sources);
	if (session->policy)
		server_close(&session->server);
	policy_free(session->policy);
	vec_free(&session->bools);
	kernel_profile_free(&session->profile);
	finding_options_free(&session->findings);
}

static bool print_all(const struct session *session, bool findings)
{
	if (findings && session->policy)
		return print_findings(&session->findings, &session->inputs, session->inputs ? 1 : 0, &session->diags,
				      &session->sources);
	if (session->diags.list.n)
		diags_print(&session->diags, &session->sources, query_program, 0, stderr);
	return true;
}

enum query_status session_main(const struct session_command *command, int argc, char **argv)
{
	struct session session = {
		.common = {.load = {.program = query_program}}, .findings = {.program = query_program},
		.explaining = command->explaining,
	};
	enum query_status status = QUERY_FAILED;

	if (take_options(&session, command, argc, argv) && open_policy(&session, argv[optind]))
		status = command->run(&session, argv + optind + 1, argc - optind - 1);
	if (!print_all(&session, command->findings))
		status = QUERY_FAILED;
	free_session(&session);
	return status;
}
