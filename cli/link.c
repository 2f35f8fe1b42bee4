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
static bool parse_binary(struct linker *l, const char *path, const struct module *module)
{
	const struct source *source = NULL;
	struct buffer text = {0};

	if (agrees_on_mls(l, path, module) && module_write_conf_apart(module, &text, l->diags))
		source = sources_add(l->sources, path, (const char *)text.at, text.n, l->diags);
	buffer_free(&text);
	if (!source)
		return false;
	take_base(l, module);
	if (parse_source(&l->ast, PARSE_IMAGE, l->sources, source, &l->atoms, l->diags))
		module_require_classes(module, source, &l->atoms, &l->ast);
	return true;
}

static bool add_binary(struct linker *l, const char *path, const struct buffer *file)
{
	uint32_t version;
	struct module *module = load_module(path, file, &version, NULL, l->diags);
	bool good = module && parse_binary(l, path, module);

	module_free(module);
	return good;
}

static bool add_source(struct linker *l, const char *path, enum parse_form form, const struct buffer *file)
{
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	const struct source *source = sources_add(l->sources, name, (const char *)file->at, file->n, l->diags);

	if (source)
		parse_source(&l->ast, form, l->sources, source, &l->atoms, l->diags);
	return source;
}

/* Each file is a module of its own in the AST. */
static bool parse_input(struct linker *l, uint32_t input)
{
	const char *path = path_of(l, input);
	struct buffer file = {0};
	bool good = false;

	if (input)
		ast_add_module(&l->ast);
	if (file_load(path, &file, l->diags)) {
		enum image_kind kind = image_kind(file.at, file.n);

		if (kind == IMAGE_MODULE || kind == IMAGE_PACKAGE)
			good = add_binary(l, path, &file);
		else if (kind == IMAGE_POLICY)
			diag_error(l->diags, "link-base", LOC_NONE, "`%s` is a kernel policy: nothing can be linked to it any more", path);
		else
			good = add_source(l, path, input ? PARSE_MODULE : PARSE_EITHER, &file);
	}
	buffer_free(&file);
	return good;
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

/* A second base as source is refused by the parser. */
static bool check_modules(struct linker *l)
{
	bool good = true;

	for (uint32_t i = 1; i < l->ast.modules.n; i++) {
		if (l->ast.modules.at[i].is_module || !l->ast.modules.at[i].from_image)
			continue;
		diag_error(l->diags, "link-base", LOC_NONE, "`%s` is a base, and only the first of what is linked can be one",
			   path_of(l, i));
		good = false;
	}
	return good;
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
	if (good && check_base(&l) && check_modules(&l) && check_names(&l))
		policy = ir_compile(&l.ast, sources, &l.atoms, &l.ir, diags, stats_pass, stats);
	ast_free(&l.ast);
	atoms_free(&l.atoms);
	return policy;
}
