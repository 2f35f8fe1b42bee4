#include "cli/load.h"

#include <stdio.h>
#include <string.h>

#include "backend/policydb.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

enum { MAX_ERRORS = 20 };

/* The magic number of a policy, little-endian. */
static bool is_binary(const struct buffer *file)
{
	static const unsigned char magic[] = {0x8c, 0xff, 0x7c, 0xf9};

	return file->n >= sizeof magic && !memcmp(file->at, magic, sizeof magic);
}

/* A line starts with a sensitivity statement: then levels are meant. */
static bool has_mls(const struct buffer *file)
{
	static const char word[] = "sensitivity";
	const unsigned char *at = file->at, *end = file->at + file->n;

	while (at && (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
		const unsigned char *before = at;

		while (before > file->at && (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		at += sizeof word - 1;
		if ((before == file->at || before[-1] == '\n') && at < end && (*at == ' ' || *at == '\t'))
			return true;
	}
	return false;
}

static struct policy *compile(const struct source *source, struct sources *sources, const struct ir_options *options,
			      struct diags *diags)
{
	struct policy *policy;
	struct atoms atoms;
	struct ast ast;

	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	parse_policy(&ast, sources, source, &atoms, diags);
	policy = ir_compile(&ast, sources, &atoms, options, diags, NULL, NULL);
	ast_free(&ast);
	atoms_free(&atoms);
	return policy;
}

static struct policy *load_source(const char *path, const struct buffer *file, const struct load_options *o,
				  struct policy_places *places, struct sources *sources, struct diags *diags)
{
	struct ir_options options = {
		.target = o->xen ? POLICY_XEN : POLICY_SELINUX, .mls = o->mls || has_mls(file), .no_neverallow = true,
		.places = places,
	};
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	const struct source *source = sources_add(sources, name, (const char *)file->at, file->n, diags);

	return source ? compile(source, sources, &options, diags) : NULL;
}

static struct policy *load_binary(const char *path, const struct buffer *file, uint32_t *ret_version, struct diags *diags)
{
	struct policy *policy = policydb_read(file->at, file->n, path, ret_version, diags);

	if (policy && policy_validate(policy, *ret_version, diags))
		return policy;
	policy_free(policy);
	return NULL;
}

struct policy *load_from_bytes(const char *path, const struct buffer *file, const struct load_options *options,
			       uint32_t *ret_version, struct policy_places *ret_places, struct sources *sources,
			       struct diags *diags)
{
	*ret_version = 0;
	if (is_binary(file))
		return load_binary(path, file, ret_version, diags);
	return load_source(path, file, options, ret_places, sources, diags);
}

struct policy *load_policy(const char *path, const struct load_options *options, uint32_t *ret_version)
{
	struct policy *policy = NULL;
	struct sources sources = {0};
	struct buffer file = {0};
	struct diags diags = {0};

	*ret_version = 0;
	if (file_load(path, &file, &diags))
		policy = load_from_bytes(path, &file, options, ret_version, NULL, &sources, &diags);
	/* Of a policy that compiles, only the answer is wanted. */
	if (!policy)
		diags_print(&diags, &sources, options->program, MAX_ERRORS, stderr);
	buffer_free(&file);
	diags_free(&diags);
	sources_free(&sources);
	return policy;
}
