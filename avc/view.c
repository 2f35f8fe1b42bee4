/* What the policies of a view say together. */
#include <string.h>
#include <sys/mman.h>

#include "avc/internal.h"

/* ---- access ---- */

static uint32_t to_cache(const struct class_map *map, uint32_t perms)
{
	uint32_t bits = 0;

	if (map->same)
		return perms;
	for (uint32_t i = 0; i < map->nperms; i++)
		if (map->perms[i] & perms)
			bits |= UINT32_C(1) << i;
	return bits;
}

/* What the policy does not know it grants, when that is what it wants. */
static uint32_t unknown_granted(const struct engine *engine, const struct class_map *map)
{
	return engine->policy->handle_unknown == POLICY_UNKNOWN_ALLOW ? map->unknown : 0;
}

/* One policy's part: what is granted is what all of them grant, and a denial is
 * told when one of those that deny wants it told.  ret_told: what any wants told,
 * for extended permissions, which may deny what is granted here. */
static void add_policy(const struct view_policy *p, avc_sid source, avc_sid target, uint32_t class_id,
		       struct avc_decision *ret, uint32_t *ret_told)
{
	const struct class_map *map = &p->engine->classes[class_id - 1];
	const struct engine_context *from = engine_context(p->engine, source), *to = engine_context(p->engine, target);
	struct decision d = {.auditdeny = UINT32_MAX};
	uint32_t granted = 0, told = 0;

	/* Also for a class that the policy does not have: the type may be permissive. */
	if (from && to) {
		decide_access(p->engine->decider, p->bools, &from->context, &to->context, map->value, &d);
		granted = (to_cache(map, d.allowed) | unknown_granted(p->engine, map)) & map->all;
	}
	ret->granted &= granted;
	ret->allowed &= d.flags & DECISION_PERMISSIVE ? UINT32_MAX : granted;
	ret->auditallow |= to_cache(map, d.auditallow) & map->all;
	if (!(d.flags & DECISION_NEVERAUDIT))
		told = to_cache(map, d.auditdeny) | map->unknown;
	ret->auditdeny |= told & ~granted;
	*ret_told |= told;
}

void view_decide(const struct view *view, avc_sid source, avc_sid target, uint32_t class_id, struct avc_decision *ret)
{
	uint32_t all = view->at[0].engine->classes[class_id - 1].all, told = 0;

	*ret = (struct avc_decision){.allowed = UINT32_MAX, .granted = UINT32_MAX};
	for (uint32_t i = 0; i < view->n; i++)
		add_policy(&view->at[i], source, target, class_id, ret, &told);
	/* Bits that are no permission of the class nobody grants, so they are told. */
	ret->auditdeny |= (told & ret->granted) | ~all;
	if (view->permissive)
		ret->allowed = UINT32_MAX;
}

/* ---- extended permissions ---- */

static void grant_all(uint32_t perms[8])
{
	memset(perms, 0xff, 8 * sizeof *perms);
}

/* Whether the type's denials are not refused. */
static bool is_permissive(const struct policy *policy, uint32_t type)
{
	return policy->types.at[type].permissive;
}

/* A policy without a rule for the permission leaves it to the permission itself. */
static void add_policy_xperms(const struct view_policy *p, const struct policy_context *from,
			      const struct policy_context *to, uint32_t class, enum avc_xperm kind, uint8_t driver,
			      struct xperms *ret)
{
	const struct decider *decider = p->engine->decider;
	enum xperm_base base = kind == AVC_IOCTL ? XPERM_BASE_IOCTL : XPERM_BASE_NLMSG;
	bool permissive = is_permissive(p->engine->policy, from->type);
	struct xperm_drivers drivers;
	struct xperm_decision d = {0};

	decide_xperm_drivers(decider, p->bools, from->type, to->type, class, &drivers);
	if (!(drivers.bases & base))
		return;
	if (xperm_test(drivers.drivers, driver)) {
		ret->ruled = true;
		decide_xperms(decider, p->bools, from->type, to->type, class, base, driver, &d);
	}
	for (uint32_t i = 0; i < 8; i++) {
		ret->granted[i] &= d.allowed[i];
		ret->allowed[i] &= permissive ? UINT32_MAX : d.allowed[i];
		ret->auditallow[i] |= d.auditallow[i];
		ret->dontaudit[i] |= d.dontaudit[i];
	}
}

/* Contexts and classes that are not valid have no permission that could have
 * numbers: view_decide() says so. */
void view_decide_xperms(const struct view *view, avc_sid source, avc_sid target, uint32_t class_id,
			enum avc_xperm kind, uint8_t driver, struct xperms *ret)
{
	grant_all(ret->allowed);
	grant_all(ret->granted);
	for (uint32_t i = 0; i < view->n; i++) {
		const struct engine *engine = view->at[i].engine;
		const struct engine_context *from = engine_context(engine, source), *to = engine_context(engine, target);
		uint32_t class = engine->classes[class_id - 1].value;

		if (from && to && class)
			add_policy_xperms(&view->at[i], &from->context, &to->context, class, kind, driver, ret);
	}
	if (view->permissive)
		grant_all(ret->allowed);
}

/* ---- making and freeing ---- */

void view_free(struct view *view)
{
	if (!view)
		return;
	table_free(atomic_load_explicit(&view->decisions, memory_order_relaxed));
	table_free(atomic_load_explicit(&view->xperms, memory_order_relaxed));
	for (uint32_t i = 0; i < view->n; i++) {
		bool_state_free(view->at[i].bools);
		if (!--view->at[i].engine->refs)
			engine_free(view->at[i].engine);
	}
	munmap(view, sizeof *view);
}
