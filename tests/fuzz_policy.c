/* A policy source through all rooms, for libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "backend/policydb.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/source.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compile(const struct ast *ast, const struct sources *sources, struct atoms *atoms, bool mls,
		    struct diags *diags)
{
	struct ir_options options = {.target = POLICY_SELINUX, .mls = mls};
	struct policy *policy = ir_compile(ast, sources, atoms, &options, diags, NULL, NULL);
	struct buffer image = {0};

	if (policy)
		policydb_write(policy, policydb_newest(options.target), &image, diags);
	buffer_free(&image);
	policy_free(policy);
}

static void print(const struct diags *diags, const struct sources *sources)
{
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		return;
	diags_print(diags, sources, "fuzz-policy", 0, out);
	fclose(out);
}

/* The first byte says whether the policy has levels. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct atoms atoms;
	struct ast ast;
	const struct source *source;

	if (!size)
		return 0;
	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	source = sources_add(&sources, "input", (const char *)data + 1, size - 1, &diags);
	if (source && parse_policy(&ast, &sources, source, &atoms, &diags))
		compile(&ast, &sources, &atoms, data[0] & 1, &diags);
	print(&diags, &sources);
	ast_free(&ast);
	atoms_free(&atoms);
	diags_free(&diags);
	sources_free(&sources);
	return 0;
}
