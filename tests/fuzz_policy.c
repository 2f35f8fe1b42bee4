/* A policy source through all rooms, for libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "backend/module.h"
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

/* For a module to be linked to. */
static const char base_text[] =
	"class c1\nclass process\nsid kernel\nclass c1 { p1 p2 ioctl }\nclass process { transition }\n"
	"attribute a1;\ntype ta;\ntype tb, a1;\nrole ra;\nrole ra types { ta tb };\nbool b1 true;\nallow ta tb:c1 p1;\n"
	"optional {\n\trequire { type tc; }\n\tallow ta tc:c1 p2;\n}\nuser ua roles ra;\nsid kernel ua:ra:ta\n";

static void add_base(struct ast *ast, struct sources *sources, struct atoms *atoms, struct diags *diags)
{
	const struct source *source = sources_add(sources, "base", base_text, sizeof base_text - 1, diags);

	parse_policy(ast, sources, source, atoms, diags);
	ast_add_module(ast);
}

static void compile_module(const struct ast *ast, const struct sources *sources, struct atoms *atoms, bool mls,
			   struct diags *diags)
{
	struct ir_options options = {.target = POLICY_SELINUX, .mls = mls};
	struct module *module = ir_compile_module(ast, sources, atoms, &options, diags);
	struct buffer image = {0};

	if (module)
		module_write(module, module_newest(), NULL, &image, diags);
	buffer_free(&image);
	module_free(module);
}

static void print(const struct diags *diags, const struct sources *sources)
{
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		return;
	diags_print(diags, sources, "fuzz-policy", 0, out);
	fclose(out);
}

/* The first byte says whether the policy has levels, and whether a module is to
 * be linked rather than to become a binary module. */
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
	if (data[0] & 2)
		add_base(&ast, &sources, &atoms, &diags);
	source = sources_add(&sources, "input", (const char *)data + 1, size - 1, &diags);
	if (source && parse_source(&ast, data[0] & 2 ? PARSE_MODULE : PARSE_EITHER, &sources, source, &atoms, &diags)) {
		if (ast.modules.at[0].is_module)
			compile_module(&ast, &sources, &atoms, data[0] & 1, &diags);
		else
			compile(&ast, &sources, &atoms, data[0] & 1, &diags);
	}
	print(&diags, &sources);
	ast_free(&ast);
	atoms_free(&atoms);
	diags_free(&diags);
	sources_free(&sources);
	return 0;
}
