/* Opening, closing, and every change of policies and booleans. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "avc/internal.h"
#include "base/memory.h"

/* Defaults, and what is taken for more: a table doubles, and its size must fit 32 bits. */
enum { MAX_ENTRIES = 1 << 18, MOST_ENTRIES = 1 << 30 };
enum { MAX_SIDS = 1 << 20, TRACE_EVENTS = 1024, MAX_TRACE_EVENTS = 1 << 24 };
enum { FIRST_DECISIONS = 512, FIRST_XPERMS = 64, MAX_ERRORS = 20 };

/* ---- views ---- */

/* A mapping, as tables are. */
static struct view *view_new(const struct avc *avc, bool permissive)
{
	struct view *before = atomic_load_explicit(&avc->view, memory_order_relaxed);
	struct view *view = mmap(NULL, sizeof *view, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (view == MAP_FAILED)
		mem_exhausted();
	atomic_init(&view->decisions, table_new(FIRST_DECISIONS, sizeof(struct avc_decision)));
	atomic_init(&view->xperms, table_new(FIRST_XPERMS, sizeof(struct xperms)));
	view->generation = before ? before->generation + 1 : 1;
	view->permissive = permissive;
	return view;
}

static void view_add(struct view *view, struct engine *engine, struct bool_state *bools)
{
	engine->refs++;
	view->at[view->n++] = (struct view_policy){engine, bools};
}

/* Of the same policies with the same booleans. */
static struct view *view_copy(const struct avc *avc, bool permissive)
{
	const struct view *before = atomic_load_explicit(&avc->view, memory_order_relaxed);
	struct view *view = view_new(avc, permissive);

	for (uint32_t i = 0; i < before->n; i++)
		view_add(view, before->at[i].engine, bool_state_copy(before->at[i].bools));
	return view;
}

/* With the lock: makes the view the present one, waits until no check sees the
 * one before, and frees that. */
static void publish(struct avc *avc, struct view *view)
{
	struct view *before = atomic_exchange_explicit(&avc->view, view, memory_order_acq_rel);

	wait_for_sections(avc);
	view_free(before);
	tables_free(avc->retired);
	avc->retired = NULL;
}

static void tell_changed(struct avc *avc, uint64_t generation)
{
	if (avc->changed)
		avc->changed(avc->callback_data, generation);
}

/* ---- policies ---- */

struct engines {
	struct engine *at[AVC_MAX_POLICIES];
	uint32_t n;
};

static void engines_free(struct engines *engines)
{
	for (uint32_t i = 0; i < engines->n; i++)
		engine_free(engines->at[i]);
}

/* The first policy read names the classes when nobody else did. */
static bool engines_load(struct engines *engines, struct class_names *names, bool named, const struct avc_image *images,
			 uint32_t n, struct diags *diags)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *path = images[i].path ? images[i].path : "policy";
		struct engine *engine = engine_new(&images[i], diags);

		if (!engine)
			continue;
		engines->at[engines->n++] = engine;
		if (!named)
			class_names_of(names, engine->policy);
		named = true;
		engine_map(engine, names, path, diags);
	}
	return !diags->errors;
}

static char *error_text(const struct diags *diags)
{
	struct sources sources = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	diags_print(diags, &sources, "policy-avc", MAX_ERRORS, out);
	fclose(out);
	return text;
}

/* Loads all or nothing. */
static int load(struct engines *ret, struct class_names *names, bool named, const struct avc_image *images, uint32_t n,
		char **ret_error)
{
	struct diags diags = {0};
	bool good;

	if (ret_error)
		*ret_error = NULL;
	if (!n || n > AVC_MAX_POLICIES)
		return -EINVAL;
	good = engines_load(ret, names, named, images, n, &diags);
	if (!good && ret_error)
		*ret_error = error_text(&diags);
	if (!good)
		engines_free(ret);
	diags_free(&diags);
	return good ? 0 : -EINVAL;
}

/* With the lock. */
static struct view *view_of(const struct avc *avc, const struct engines *engines, bool permissive)
{
	struct view *view = view_new(avc, permissive);
	uint32_t sids = atomic_load_explicit(&avc->sids.n, memory_order_relaxed);

	for (uint32_t i = 0; i < engines->n; i++) {
		for (avc_sid sid = 1; sid <= sids; sid++)
			engine_add_context(engines->at[i], sid, sids_text(&avc->sids, sid));
		view_add(view, engines->at[i], bool_state_new(engines->at[i]->decider));
	}
	return view;
}

int avc_reload(struct avc *avc, const struct avc_image *images, uint32_t nimages, char **ret_error)
{
	struct engines engines = {0};
	struct view *view;
	uint64_t generation;
	int error = load(&engines, &avc->names, true, images, nimages, ret_error);

	if (error)
		return error;
	pthread_mutex_lock(&avc->lock);
	view = view_of(avc, &engines, atomic_load_explicit(&avc->view, memory_order_relaxed)->permissive);
	generation = view->generation;
	publish(avc, view);
	pthread_mutex_unlock(&avc->lock);
	tell_changed(avc, generation);
	return 0;
}

/* ---- booleans ---- */

static bool set_bool(struct view *view, const char *name, bool value)
{
	bool found = false;

	for (uint32_t i = 0; i < view->n; i++) {
		uint32_t boolean = policy_find_bool(view->at[i].engine->policy, name);

		if (boolean)
			bool_state_set(view->at[i].bools, boolean, value);
		found = found || boolean;
	}
	return found;
}

int avc_set_bools(struct avc *avc, const char *const *names, const bool *values, uint32_t n)
{
	struct view *view;
	uint64_t generation;
	bool found = true;

	pthread_mutex_lock(&avc->lock);
	view = view_copy(avc, atomic_load_explicit(&avc->view, memory_order_relaxed)->permissive);
	generation = view->generation;
	for (uint32_t i = 0; i < n; i++)
		found = set_bool(view, names[i], values[i]) && found;
	if (found)
		publish(avc, view);
	else
		view_free(view);
	pthread_mutex_unlock(&avc->lock);
	if (!found)
		return -ENOENT;
	tell_changed(avc, generation);
	return 0;
}

int avc_get_bool(struct avc_thread *thread, const char *name, bool *ret_value)
{
	const struct view *view;
	uint32_t boolean = 0;

	section_begin();
	view = present_view(thread->avc);
	for (uint32_t i = 0; i < view->n && !boolean; i++) {
		boolean = policy_find_bool(view->at[i].engine->policy, name);
		if (boolean)
			*ret_value = bool_state_get(view->at[i].bools, boolean);
	}
	section_end(thread->avc);
	return boolean ? 0 : -ENOENT;
}

void avc_set_permissive(struct avc *avc, bool permissive)
{
	struct view *view;
	uint64_t generation;

	pthread_mutex_lock(&avc->lock);
	view = view_copy(avc, permissive);
	generation = view->generation;
	publish(avc, view);
	pthread_mutex_unlock(&avc->lock);
	tell_changed(avc, generation);
}

uint64_t avc_generation(const struct avc *avc)
{
	uint64_t generation;

	section_begin();
	generation = present_view(avc)->generation;
	section_end(avc);
	return generation;
}

/* ---- the whole ---- */

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
	return value ? value : otherwise;
}

static uint32_t ring_size(uint32_t events)
{
	uint32_t size = 2 * TRACE_BLOCK;

	while (size < events && size < MAX_TRACE_EVENTS)
		size *= 2;
	return size;
}

static bool classes_fit(const struct avc_options *options)
{
	return !options->classes || options->nclasses <= POLICY_MAX_SYMBOLS;
}

int avc_open(struct avc **ret_avc, const struct avc_image *images, uint32_t nimages, const struct avc_options *options,
	     char **ret_error)
{
	static const struct avc_options defaults;
	const struct avc_options *o = options ? options : &defaults;
	struct engines engines = {0};
	struct avc *avc;
	int error;

	if (ret_error)
		*ret_error = NULL;
	if (!classes_fit(o))
		return -EINVAL;
	avc = aligned_alloc(CACHE_LINE, sizeof *avc);
	if (!avc)
		return -ENOMEM;
	memset(avc, 0, sizeof *avc);
	if (o->classes)
		class_names_copy(&avc->names, o->classes, o->nclasses);
	error = load(&engines, &avc->names, o->classes != NULL, images, nimages, ret_error);
	if (error) {
		arena_free(&avc->names.arena);
		free(avc);
		return error;
	}
	avc->audit = o->audit;
	avc->changed = o->changed;
	avc->callback_data = o->callback_data;
	avc->max_entries = or_default(o->max_entries, MAX_ENTRIES);
	if (avc->max_entries > MOST_ENTRIES)
		avc->max_entries = MOST_ENTRIES;
	avc->trace_events = ring_size(or_default(o->trace_events, TRACE_EVENTS));
	sids_init(&avc->sids, or_default(o->max_sids, MAX_SIDS));
	pthread_mutex_init(&avc->lock, NULL);
	atomic_init(&avc->view, view_of(avc, &engines, o->permissive));
	*ret_avc = avc;
	return 0;
}

void avc_close(struct avc *avc)
{
	if (!avc)
		return;
	view_free(atomic_load_explicit(&avc->view, memory_order_relaxed));
	tables_free(avc->retired);
	sids_free(&avc->sids);
	arena_free(&avc->names.arena);
	pthread_mutex_destroy(&avc->lock);
	free(avc);
}
