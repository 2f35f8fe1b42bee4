/* Contexts and sids, classes and permissions by name, and what new things get. */
#include <errno.h>
#include <string.h>

#include "avc/internal.h"
#include "base/buffer.h"
#include "ir/text.h"

/* ---- names of classes ---- */

uint32_t avc_class_id(const struct avc *avc, const char *name)
{
	for (uint32_t i = 0; *name && i < avc->names.n; i++)
		if (!strcmp(avc->names.at[i].name, name))
			return i + 1;
	return 0;
}

uint32_t avc_perm_bit(const struct avc *avc, uint32_t class_id, const char *name)
{
	const struct avc_class *class;

	if (!class_id || class_id > avc->names.n)
		return 0;
	class = &avc->names.at[class_id - 1];
	for (uint32_t i = 0; *name && i < AVC_MAX_PERMS && class->perms[i]; i++)
		if (!strcmp(class->perms[i], name))
			return UINT32_C(1) << i;
	return 0;
}

/* ---- sids ---- */

static bool valid_in(const struct view *view, avc_sid sid)
{
	for (uint32_t i = 0; i < view->n; i++)
		if (!engine_context(view->at[i].engine, sid))
			return false;
	return true;
}

/* With the lock.  What was read of a context that some policy refuses is
 * overwritten by the next one. */
static int add_sid(struct avc *avc, const char *text, size_t len, avc_sid *ret_sid)
{
	const struct view *view = atomic_load_explicit(&avc->view, memory_order_relaxed);
	avc_sid sid = sids_next(&avc->sids);
	bool valid = true;

	if (!sid)
		return -ENOSPC;
	for (uint32_t i = 0; i < view->n; i++)
		valid = engine_add_context(view->at[i].engine, sid, text) && valid;
	if (!valid)
		return -EINVAL;
	sids_add(&avc->sids, text, len);
	*ret_sid = sid;
	return 0;
}

static int known_sid(struct avc *avc, avc_sid sid, avc_sid *ret_sid)
{
	bool valid;

	section_begin();
	valid = valid_in(present_view(avc), sid);
	section_end(avc);
	if (!valid)
		return -EINVAL;
	*ret_sid = sid;
	return 0;
}

int avc_context_to_sid(struct avc_thread *thread, const char *context, avc_sid *ret_sid)
{
	struct avc *avc = thread->avc;
	size_t len = strlen(context);
	avc_sid sid = sids_find(&avc->sids, context, len);
	int error;

	if (sid)
		return known_sid(avc, sid, ret_sid);
	pthread_mutex_lock(&avc->lock);
	sid = sids_find(&avc->sids, context, len); /* another thread may have been first */
	error = sid ? 0 : add_sid(avc, context, len, ret_sid);
	pthread_mutex_unlock(&avc->lock);
	return sid ? known_sid(avc, sid, ret_sid) : error;
}

const char *avc_sid_to_context(struct avc_thread *thread, avc_sid sid)
{
	return sids_text(&thread->avc->sids, sid);
}

/* ---- what new things get ---- */

/* The text of what one policy computes; false when it is no valid context. */
static bool create_in(const struct view_policy *p, avc_sid source, avc_sid target, uint32_t class_id, const char *name,
		      struct buffer *ret)
{
	const struct engine_context *from = engine_context(p->engine, source), *to = engine_context(p->engine, target);
	struct policy_context made = {0};
	bool valid;

	if (!from || !to)
		return false;
	valid = compute_context(p->engine->decider, p->bools, AV_TRANSITION, &from->context, &to->context,
				p->engine->classes[class_id - 1].value, name, &made) == COMPUTE_VALID;
	if (valid)
		text_context(ret, p->engine->policy, &made);
	policy_context_free(&made);
	return valid;
}

static bool create_in_all(const struct view *view, avc_sid source, avc_sid target, uint32_t class_id, const char *name,
			  struct buffer *ret)
{
	struct buffer other = {0};
	bool good = create_in(&view->at[0], source, target, class_id, name, ret);

	for (uint32_t i = 1; good && i < view->n; i++) {
		other.n = 0;
		good = create_in(&view->at[i], source, target, class_id, name, &other) && other.n == ret->n &&
		       !memcmp(other.at, ret->at, ret->n);
	}
	buffer_free(&other);
	return good;
}

int avc_compute_create(struct avc_thread *thread, avc_sid source, avc_sid target, uint32_t class_id, const char *name,
		       avc_sid *ret_sid)
{
	struct avc *avc = thread->avc;
	struct buffer text = {0};
	int error = -EINVAL;
	bool good;

	if (!sids_text(&avc->sids, source) || !sids_text(&avc->sids, target) || !class_id || class_id > avc->names.n)
		return -EINVAL;
	section_begin();
	good = create_in_all(present_view(avc), source, target, class_id, name,
			     &text);
	section_end(avc);
	if (good)
		error = avc_context_to_sid(thread, text_of(&text), ret_sid);
	buffer_free(&text);
	return error;
}
