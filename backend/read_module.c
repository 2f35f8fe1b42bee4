/* A module image to struct module: header and the order of sections
 * (policydb-format.md 15). */
#include <string.h>

#include "backend/magic.h"
#include "backend/module.h"
#include "backend/read.h"

/* ---- header ---- */

static void read_magic(struct reader *r)
{
	uint32_t magic = get_u32(r);

	if (r->failed || magic == MODULE_MAGIC)
		return;
	if (magic == POLICY_MAGIC)
		refuse(r, "a kernel policy, not a module");
	else if (magic == PACKAGE_MAGIC)
		refuse(r, "a package, not a module");
	else
		refuse(r, "not a module: the magic number is 0x%08x", (unsigned)magic);
}

static void read_identifier(struct reader *r)
{
	size_t size = strlen(MODULE_IDENTIFIER);
	uint32_t len = get_u32(r);
	const unsigned char *p;

	if (!r->failed && len != size)
		refuse(r, "not a module: an identifier of %u bytes", (unsigned)len);
	p = get_bytes(r, size);
	if (p && memcmp(p, MODULE_IDENTIFIER, size) != 0)
		refuse(r, "not a module: an unknown identifier");
}

static void read_type(struct reader *r)
{
	uint32_t type = get_u32(r);

	if (!r->failed && type != MODULE_BASE && type != MODULE_NOT_BASE)
		refuse(r, "a module of the kind %u", (unsigned)type);
	r->module->base = type == MODULE_BASE;
}

static void read_version(struct reader *r)
{
	uint32_t version = get_u32(r);

	if (r->failed)
		return;
	r->features = features_of_module(r->module->base, version);
	if (r->features)
		return;
	refuse(r, "module version %u is not known: those from %u to %u are", (unsigned)version,
	       (unsigned)module_oldest(), (unsigned)module_newest());
	if (version > module_newest())
		diag_hint(r->diags, "compile the module again for a version that both sides know, with `-c %u` or less",
			  (unsigned)module_newest());
}

static void read_name(struct reader *r)
{
	if (r->module->base)
		return;
	r->module->name = get_text(r, get_u32(r));
	r->module->version = get_text(r, get_u32(r));
}

static bool read_header(struct reader *r)
{
	r->section = "header";
	read_magic(r);
	read_identifier(r);
	read_type(r);
	read_version(r);
	if (r->failed)
		return false;
	read_config(r);
	read_table_counts(r);
	read_name(r);
	if (can(r, FEATURE_CAPABILITIES))
		get_set(r, &r->policy->capabilities);
	return !r->failed;
}

/* ---- scopes ---- */

enum { SCOPE_SIZE = 12 };

/* Ids are in no order, but for the declaring one, which is last. */
static struct module_values read_ids(struct reader *r)
{
	uint32_t n = get_count(r, 4), *at = arena_alloc(&r->module->arena, n * sizeof *at);

	for (uint32_t i = 0; i < n; i++)
		at[i] = get_u32(r);
	return (struct module_values){at, n};
}

static void read_scopes(struct reader *r)
{
	r->section = "scopes";
	for (int table = 0; table < MODULE_TABLES && !r->failed; table++) {
		get_module_list(r, &r->module->scopes[table], SCOPE_SIZE);
		for (uint32_t i = 0; i < r->module->scopes[table].n && !r->failed; i++) {
			struct module_scope *scope = &r->module->scopes[table].at[i];

			scope->name = get_text(r, get_u32(r));
			scope->kind = get_u32(r);
			scope->decls = read_ids(r);
		}
	}
}

/* ---- the whole ---- */

static void read_labels(struct reader *r)
{
	r->section = "labels";
	read_ocontexts(r);
	r->section = "genfs";
	read_genfs(r);
}

static void read_sections(struct reader *r)
{
	static void (*const sections[])(struct reader *r) = {
		read_module_symbols, read_blocks, read_scopes, read_labels, read_old_range_transitions,
	};

	for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !r->failed; i++)
		sections[i](r);
	if (!r->failed && left(r))
		diag_warning(r->diags, "trailing-bytes", LOC_NONE, "`%s`: %zu bytes behind the module", r->path, left(r));
}

struct module *module_read(const void *image, size_t size, const char *path, uint32_t *ret_version, struct diags *diags)
{
	struct module *module = module_new();
	struct reader r;

	reader_begin(&r, image, size, path, diags);
	r.module = module;
	r.policy = module->policy;
	if (read_header(&r))
		read_sections(&r);
	reader_end(&r);
	if (r.failed) {
		module_free(module);
		return NULL;
	}
	if (ret_version)
		*ret_version = r.features->version;
	return module;
}
