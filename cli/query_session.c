#include "cli/query_session.h"

#include <string.h>

#include "base/near.h"
#include "security/context.h"

bool session_option(struct session *session, int option)
{
	if (option != 'B')
		return query_option(&session->common, option);
	*vec_push(&session->bools) = optarg;
	return true;
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
	value = server_bool(&s->server, name);
	if (!on && !off) {
		query_complain("--bool takes NAME=0 or NAME=1", text);
	} else if (!value) {
		struct near near;

		diag_error(&s->diags, "unknown-bool", LOC_NONE, "the policy has no boolean `%s`", name);
		near_init(&near, name, strlen(name));
		for (uint32_t v = 1; v <= s->policy->bools.n; v++)
			if (s->policy->bools.at[v].name)
				near_try(&near, s->policy->bools.at[v].name, strlen(s->policy->bools.at[v].name));
		near_hint(&near, &s->diags);
	} else {
		bool_state_set(s->server.state, value, on);
	}
	return value && (on || off);
}

bool session_open(struct session *session, const char *path)
{
	uint32_t version;
	bool good = true;

	session->policy = load_policy(path, &session->common.load, &version);
	if (!session->policy)
		return false;
	server_open(&session->server, session->policy);
	for (uint32_t i = 0; i < session->bools.n && good; i++)
		good = set_bool(session, session->bools.at[i]);
	return good;
}

void session_close(struct session *session)
{
	if (session->diags.list.n)
		diags_print(&session->diags, &session->sources, query_program, 0, stderr);
	diags_free(&session->diags);
	sources_free(&session->sources);
	if (session->policy)
		server_close(&session->server);
	policy_free(session->policy);
	vec_free(&session->bools);
}

uint32_t session_class_at(struct session *session, const char *name, struct loc loc)
{
	const struct policy *policy = session->policy;
	uint32_t value = server_class(&session->server, name);
	struct near near;

	if (value)
		return value;
	diag_error(&session->diags, "unknown-class", loc, "the policy has no class `%s`", name);
	near_init(&near, name, strlen(name));
	for (uint32_t v = 1; v <= policy->classes.n; v++)
		if (policy->classes.at[v].name)
			near_try(&near, policy->classes.at[v].name, strlen(policy->classes.at[v].name));
	near_hint(&near, &session->diags);
	return 0;
}

uint32_t session_perm_at(struct session *session, uint32_t class, const char *name, struct loc loc)
{
	const struct policy_class *c = &session->policy->classes.at[class];
	uint32_t mask = server_perm(&session->server, class, name);
	struct near near;

	if (mask)
		return mask;
	diag_error(&session->diags, "unknown-permission", loc, "class `%s` has no permission `%s`", c->name, name);
	near_init(&near, name, strlen(name));
	for (uint32_t i = 0; i < c->nperms; i++)
		if (c->perms[i])
			near_try(&near, c->perms[i], strlen(c->perms[i]));
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

uint32_t session_perm(struct session *session, uint32_t class, const char *name)
{
	return session_perm_at(session, class, name, LOC_NONE);
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
