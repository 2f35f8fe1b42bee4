#include "parser/parser.h"

#include <string.h>

#include "parser/internal.h"

/* Names passed over are looked up one by one (ast_was_skipped). */
static int compare_atoms(const void *a, const void *b)
{
	const atom_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void sort_skipped(struct ast *ast)
{
	if (ast->skipped_names.n)
		qsort(ast->skipped_names.at, ast->skipped_names.n, sizeof *ast->skipped_names.at, compare_atoms);
}

static void free_parts(struct parse *p)
{
	vec_free(&p->frames);
	vec_free(&p->items);
	vec_free(&p->cexpr);
	vec_free(&p->cond);
	vec_free(&p->xranges);
}

bool parse_source(struct ast *ast, enum parse_form form, const struct sources *sources, const struct source *source,
		  struct atoms *atoms, struct diags *diags)
{
	uint32_t errors = diags->errors;
	struct ast_module *module = &ast->modules.at[ast->modules.n - 1];
	struct parse p = {
		.ast = ast,
		.form = form,
		.errors = errors,
		.sources = sources,
		.source = source,
		.atoms = atoms,
		.diags = diags,
		.lexer = lexer_new(source, atoms, diags),
		.dash = atom_intern(atoms, "-", 1),
		.resumed = UINT32_MAX,
		.balanced = source->base,
	};

	module->path = source->path;
	module->from_image = form == PARSE_IMAGE;
	*vec_push(&p.frames) = (struct frame){.kind = FRAME_TOP, .block = module->root};
	parse_file(&p);
	lexer_free(p.lexer);
	sort_skipped(ast);
	free_parts(&p);
	return diags->errors == errors;
}

bool parse_policy(struct ast *ast, const struct sources *sources, const struct source *source, struct atoms *atoms,
		  struct diags *diags)
{
	return parse_source(ast, PARSE_POLICY, sources, source, atoms, diags);
}
