#include "cli/load.h"

#include <stdio.h>
#include <string.h>

#include "backend/package.h"
#include "backend/policydb.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

/* Of any kind: the reader says which it does not take. */
static bool is_binary(const struct buffer *file)
{
	return image_kind(file->at, file->n) != IMAGE_OTHER;
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

static const struct source *add_source(const char *path, const struct buffer *file, struct sources *sources,
				       struct diags *diags)
{
	return sources_add(sources, strcmp(path, "-") ? path : "<stdin>", (const char *)file->at, file->n, diags);
}

static struct ir_options options_of(const struct load_options *o, const struct buffer *file, struct policy_places *places)
{
	return (struct ir_options){
		.target = o->xen ? POLICY_XEN : POLICY_SELINUX, .mls = o->mls || has_mls(file), .no_neverallow = true,
		.places = places,
	};
}

static struct policy *load_source(const char *path, const struct buffer *file, const struct load_options *o,
				  struct policy_places *places, struct sources *sources, struct diags *diags)
{
	struct ir_options options = options_of(o, file, places);
	const struct source *source = add_source(path, file, sources, diags);

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
		diags_print(&diags, &sources, options->program, LOAD_MAX_ERRORS, stderr);
	buffer_free(&file);
	diags_free(&diags);
	sources_free(&sources);
	return policy;
}

/* compile() for those who ask later. */
static struct policy *compile_keeping(const char *path, const struct buffer *file, const struct load_options *o,
				      struct load_kept *kept, struct sources *sources, struct diags *diags)
{
	struct ir_options options = options_of(o, file, &kept->places);
	const struct source *source = add_source(path, file, sources, diags);

	options.kept = &kept->rules;
	if (!source)
		return NULL;
	atoms_init(&kept->atoms);
	lexer_intern_keywords(&kept->atoms);
	ast_init(&kept->ast);
	parse_policy(&kept->ast, sources, source, &kept->atoms, diags);
	return ir_compile(&kept->ast, sources, &kept->atoms, &options, diags, NULL, NULL);
}

struct policy *load_keeping(const char *path, const struct load_options *options, struct load_kept *ret_kept,
			    struct sources *sources)
{
	struct policy *policy = NULL;
	struct buffer file = {0};
	struct diags diags = {0};
	uint32_t version;

	if (file_load(path, &file, &diags))
		policy = is_binary(&file) ? load_binary(path, &file, &version, &diags)
					  : compile_keeping(path, &file, options, ret_kept, sources, &diags);
	if (!policy)
		diags_print(&diags, sources, options->program, LOAD_MAX_ERRORS, stderr);
	buffer_free(&file);
	diags_free(&diags);
	return policy;
}

void load_kept_free(struct load_kept *kept)
{
	ir_kept_free(kept->rules);
	policy_places_free(&kept->places);
	ast_free(&kept->ast);
	atoms_free(&kept->atoms);
	*kept = (struct load_kept){0};
}
