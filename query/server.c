#include "query/server.h"

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

