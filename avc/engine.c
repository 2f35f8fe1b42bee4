/* One policy: read, its classes under the numbers of the cache, its contexts
 * under the cache's sids. */
#include <stdlib.h>
#include <string.h>

#include "avc/internal.h"
#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "security/context.h"

/* ---- names ---- */

void class_names_copy(struct class_names *names, const struct avc_class *classes, uint32_t n)
{
	names->n = n;
	names->at = arena_zalloc(&names->arena, n, sizeof *names->at);
	for (uint32_t i = 0; i < n; i++) {
		names->at[i].name = arena_strndup(&names->arena, classes[i].name, strlen(classes[i].name));
		for (uint32_t j = 0; j < AVC_MAX_PERMS && classes[i].perms[j]; j++)
			names->at[i].perms[j] = arena_strndup(&names->arena, classes[i].perms[j],
							      strlen(classes[i].perms[j]));
	}
}

static const char *copy_or_blank(struct arena *arena, const char *name)
{
	return name ? arena_strndup(arena, name, strlen(name)) : "";
}

/* A gap in the numbers of a policy gets a name that nothing has. */
void class_names_of(struct class_names *names, const struct policy *policy)
{
	names->n = policy->classes.n;
	names->at = arena_zalloc(&names->arena, names->n, sizeof *names->at);
	for (uint32_t v = 1; v <= names->n; v++) {
		const struct policy_class *class = &policy->classes.at[v];

		names->at[v - 1].name = copy_or_blank(&names->arena, class->name);
		for (uint32_t j = 0; j < class->nperms; j++)
			names->at[v - 1].perms[j] = copy_or_blank(&names->arena, class->perms[j]);
	}
}

/* ---- classes ---- */

static void map_class(struct class_map *map, const struct policy *policy, const struct avc_class *names)
{
	map->value = policy_find_class(policy, names->name);
	map->same = map->value != 0;
	for (; map->nperms < AVC_MAX_PERMS && names->perms[map->nperms]; map->nperms++) {
		uint32_t bit = UINT32_C(1) << map->nperms;
		uint32_t perm = map->value ? policy_find_perm(&policy->classes.at[map->value], names->perms[map->nperms]) : 0;

		map->perms[map->nperms] = perm;
		map->all |= bit;
		map->same = map->same && perm == bit;
		if (!perm)
			map->unknown |= bit;
	}
}

/* A blank name is a gap, which nothing asks for. */
static void refuse_unknown(const struct class_map *map, const struct avc_class *names, const char *path,
			   struct diags *diags)
{
	if (!map->value && *names->name)
		diag_error(diags, "unknown-class", LOC_NONE,
			   "%s: class `%s` is unknown, and the policy wants unknown classes refused", path, names->name);
	for (uint32_t i = 0; map->value && i < map->nperms; i++)
		if (map->unknown >> i & 1 && *names->perms[i])
			diag_error(diags, "unknown-permission", LOC_NONE,
				   "%s: class `%s` has no permission `%s`, and the policy wants unknown ones refused",
				   path, names->name, names->perms[i]);
}

bool engine_map(struct engine *engine, const struct class_names *names, const char *path, struct diags *diags)
{
	uint32_t errors = diags->errors;

	engine->classes = mem_zalloc(names->n, sizeof *engine->classes);
	for (uint32_t i = 0; i < names->n; i++) {
		map_class(&engine->classes[i], engine->policy, &names->at[i]);
		if (engine->policy->handle_unknown == POLICY_UNKNOWN_REJECT)
			refuse_unknown(&engine->classes[i], &names->at[i], path, diags);
	}
	return diags->errors == errors;
}

/* ---- contexts ---- */

bool engine_add_context(struct engine *engine, avc_sid sid, const char *text)
{
	struct engine_context *chunk = atomic_load_explicit(&engine->chunks[sid / SID_CHUNK], memory_order_relaxed);
	struct engine_context *context;

	if (!chunk) {
		chunk = mem_zalloc(SID_CHUNK, sizeof *chunk);
		atomic_store_explicit(&engine->chunks[sid / SID_CHUNK], chunk, memory_order_release);
	}
	context = &chunk[sid % SID_CHUNK];
	context->valid = context_parse(engine->security, text, strlen(text), &context->context, NULL);
	return context->valid;
}

const struct engine_context *engine_context(const struct engine *engine, avc_sid sid)
{
	const struct engine_context *chunk =
		sid < SID_CHUNK * SID_CHUNKS ?
		atomic_load_explicit(&engine->chunks[sid / SID_CHUNK], memory_order_acquire) : NULL;

	return chunk && chunk[sid % SID_CHUNK].valid ? &chunk[sid % SID_CHUNK] : NULL;
}

static void free_contexts(struct engine *engine)
{
	for (uint32_t i = 0; i < SID_CHUNKS; i++) {
		struct engine_context *chunk = atomic_load_explicit(&engine->chunks[i], memory_order_relaxed);

		for (uint32_t j = 0; chunk && j < SID_CHUNK; j++)
			policy_context_free(&chunk[j].context);
		free(chunk);
	}
}

/* ---- the policy ---- */

static struct policy *read_image(const void *bytes, size_t size, const char *path, struct diags *diags)
{
	uint32_t version;
	struct policy *policy = policydb_read(bytes, size, path, &version, diags);

	if (policy && !policy_validate(policy, version, diags)) {
		policy_free(policy);
		return NULL;
	}
	return policy;
}

struct engine *engine_new(const struct avc_image *image, struct diags *diags)
{
	const char *path = image->path ? image->path : "policy";
	struct buffer file = {0};
	struct policy *policy = NULL;
	struct engine *engine = NULL;

	if (image->bytes)
		policy = read_image(image->bytes, image->size, path, diags);
	else if (file_load(path, &file, diags))
		policy = read_image(file.at, file.n, path, diags);
	buffer_free(&file);
	if (policy) {
		engine = mem_zalloc(1, sizeof *engine);
		engine->policy = policy;
		engine->security = security_new(policy);
		engine->decider = decider_new(engine->security);
	}
	return engine;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	free_contexts(engine);
	free(engine->classes);
	decider_free(engine->decider);
	security_free(engine->security);
	policy_free(engine->policy);
	free(engine);
}
