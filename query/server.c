#include "query/server.h"

#include <string.h>

void server_open(struct server *ret_server, const struct policy *policy)
{
	struct server *s = ret_server;

	*s = (struct server){.policy = policy, .security = security_new(policy)};
	s->decider = decider_new(s->security);
	s->state = bool_state_new(s->decider);
	s->labels = labels_new(s->security);
}

void server_close(struct server *server)
{
	labels_free(server->labels);
	bool_state_free(server->state);
	decider_free(server->decider);
	security_free(server->security);
	*server = (struct server){0};
}

uint32_t server_class(const struct server *server, const char *name)
{
	const struct policy *policy = server->policy;

	for (uint32_t v = 1; v <= policy->classes.n; v++)
		if (policy->classes.at[v].name && !strcmp(policy->classes.at[v].name, name))
			return v;
	return 0;
}

uint32_t server_perm(const struct server *server, uint32_t class, const char *name)
{
	const struct policy_class *c = &server->policy->classes.at[class];

	for (uint32_t i = 0; i < c->nperms; i++)
		if (c->perms[i] && !strcmp(c->perms[i], name))
			return UINT32_C(1) << i;
	return 0;
}

uint32_t server_bool(const struct server *server, const char *name)
{
	const struct policy *policy = server->policy;

	for (uint32_t v = 1; v <= policy->bools.n; v++)
		if (policy->bools.at[v].name && !strcmp(policy->bools.at[v].name, name))
			return v;
	return 0;
}
