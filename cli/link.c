#include "cli/link.h"

#include <string.h>

#include "backend/module.h"
#include "backend/text.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/file.h"
#include "cli/load_module.h"
#include "ir/ir.h"
#include "ir/module_require.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

struct linker {
	const struct options *o;
	struct ir_options ir;
	enum parse_form form; /* of the file at hand */
	struct module *binary; /* that it is the source of, or NULL */
	struct sources *sources;
	struct diags *diags;
	struct atoms atoms;
	struct ast ast;
};

static const char *path_of(const struct linker *l, uint32_t module)
{
	return l->o->inputs[module];
}

/* How a base handles what is unknown is in its file, and an option overrules it. */
static void take_base(struct linker *l, const struct module *module)
{
	if (module->base && !l->o->unknown_given)
		l->ir.handle_unknown = module->policy->handle_unknown;
}

static bool agrees_on_mls(struct linker *l, const char *path, const struct module *module)
{
	if (module->policy->mls == l->ir.mls)
		return true;
	diag_error(l->diags, "wrong-mls", LOC_NONE, "`%s` is %s, and -M is %s", path,
		   module->policy->mls ? "an MLS module" : "no MLS module", l->ir.mls ? "given" : "not given");
	return false;
}

/* A binary module becomes the source that makes it: from there all are alike. */
static const struct source *add_binary(struct linker *l, const char *path, const struct buffer *file)
{
	const struct source *source = NULL;
	struct buffer text = {0};
	uint32_t version;
	struct module *module = load_module(path, file, &version, NULL, l->diags);

	if (module && agrees_on_mls(l, path, module) && module_write_conf_apart(module, &text, l->diags)) {
		take_base(l, module);
		source = sources_add(l->sources, path, (const char *)text.at, text.n, l->diags);
		l->form = PARSE_IMAGE;
	}
	l->binary = module;
	buffer_free(&text);
	return source;
}

static const struct source *add_file(struct linker *l, const char *path)
{
	const struct source *source = NULL;
	struct buffer file = {0};

	if (file_load(path, &file, l->diags)) {
		enum image_kind kind = image_kind(file.at, file.n);

		if (kind == IMAGE_MODULE || kind == IMAGE_PACKAGE)
			source = add_binary(l, path, &file);
		else if (kind == IMAGE_POLICY)
			diag_error(l->diags, "link-base", LOC_NONE, "`%s` is a kernel policy: nothing can be linked to it any more", path);
		else
			source = sources_add(l->sources, strcmp(path, "-") ? path : "<stdin>", (const char *)file.at, file.n,
					     l->diags);
	}
	buffer_free(&file);
	return source;
}

/* Each file is a module of its own in the AST. */
static bool parse_input(struct linker *l, uint32_t input)
{
	const struct source *source;
	bool parsed;

	l->form = input ? PARSE_MODULE : PARSE_EITHER;
	l->binary = NULL;
	source = add_file(l, path_of(l, input));
	if (source && input)
		ast_add_module(&l->ast);
	parsed = source && parse_source(&l->ast, l->form, l->sources, source, &l->atoms, l->diags);
	if (parsed && l->binary)
		module_require_classes(l->binary, source, &l->atoms, &l->ast);
	module_free(l->binary);
	return source != NULL;
}

static bool check_base(struct linker *l)
{
	const struct ast_module *first = &l->ast.modules.at[0];

	if (!first->is_module)
		return true;
	diag_error(l->diags, "link-base", first->loc, "`%s` is module `%s`, and the first of what is linked must be the base",
		   path_of(l, 0), atom_text(&l->atoms, first->name.atom));
	diag_hint(l->diags, "the base has the classes, users and initial SIDs; the reference policy's `make base` makes it");
	return false;
}

/* The name of a module is what tells people which one is meant. */
static bool check_names(struct linker *l)
{
	const struct ast *ast = &l->ast;
	bool good = true;

	for (uint32_t i = 1; i < ast->modules.n; i++)
		for (uint32_t k = 1; k < i; k++) {
			const struct ast_module *a = &ast->modules.at[k], *b = &ast->modules.at[i];

			if (!b->name.atom || a->name.atom != b->name.atom)
				continue;
			diag_error(l->diags, "duplicate-module", b->loc, "module `%s` is given twice: as `%s` and as `%s`",
				   atom_text(&l->atoms, b->name.atom), path_of(l, k), path_of(l, i));
			diag_note(l->diags, a->loc, "the other one is here");
			good = false;
		}
	return good;
}

struct policy *link_inputs(const struct options *o, struct sources *sources, struct diags *diags, struct stats *stats)
{
	struct linker l = {.o = o, .ir = o->ir, .sources = sources, .diags = diags};
	struct policy *policy = NULL;
	bool good = true;

	atoms_init(&l.atoms);
	lexer_intern_keywords(&l.atoms);
	ast_init(&l.ast);
	for (uint32_t i = 0; i < o->ninputs; i++)
		good = parse_input(&l, i) && good;
	stats_pass(stats, "parse");
	/* What parsed is checked in any case: one run reports all. */
	if (good && check_base(&l) && check_names(&l))
		policy = ir_compile(&l.ast, sources, &l.atoms, &l.ir, diags, stats_pass, stats);
	ast_free(&l.ast);
	atoms_free(&l.atoms);
	return policy;
}
