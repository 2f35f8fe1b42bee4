#include "backend/module_view.h"

void module_view(struct policy *ret_view, const struct module *module, struct arena *arena)
{
	*ret_view = *module->policy;
	ret_view->roles.n = module->roles.n;
	ret_view->roles.at = arena_zalloc(arena, (size_t)module->roles.n + 1, sizeof *ret_view->roles.at);
	for (uint32_t i = 1; i <= module->roles.n; i++)
		ret_view->roles.at[i].name = module->roles.at[i].name;
	ret_view->users.n = module->users.n;
	ret_view->users.at = arena_zalloc(arena, (size_t)module->users.n + 1, sizeof *ret_view->users.at);
	for (uint32_t i = 1; i <= module->users.n; i++)
		ret_view->users.at[i].name = module->users.at[i].name;
}
