#include "ir/module_require.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char line_start[] = "\n# class";

struct adder {
	const struct module *module;
	const struct source *source;
	struct atoms *atoms;
	struct ast *ast;
	const char *at;      /* in the text: behind the last class */
	atom_t (*perms)[POLICY_MAX_PERMS]; /* by class value; [0] is ATOM_NONE before they are looked up */
};

static atom_t intern(struct atoms *atoms, const char *name)
{
	return atom_intern(atoms, name, strlen(name));
}

static const atom_t *perms_of(struct adder *a, uint32_t class)
{
	const struct policy_class *c = &a->module->policy->classes.at[class];
	atom_t *perms = a->perms[class];

	if (perms[0])
		return perms;
	for (uint32_t i = 0; i < c->nperms; i++)
		perms[i] = intern(a->atoms, c->perms[i]);
	return perms;
}

/* A plain name is no set. */
static struct ast_names names_of(struct adder *a, uint32_t class, uint32_t mask, uint32_t begin)
{
	const atom_t *perms = perms_of(a, class);
	uint32_t items[POLICY_MAX_PERMS], n = 0;

	for (; mask; mask &= mask - 1)
		items[n++] = perms[__builtin_ctz(mask)];
	return (struct ast_names){n == 1 ? items[0] : ast_set_id(a->ast, items, n, false, false), begin};
}

static void require_class(struct adder *a, uint32_t block, uint32_t class, uint32_t mask)
{
	const char *name = a->module->policy->classes.at[class].name;
	uint32_t begin = a->source->base + (uint32_t)(a->at + 1 - a->source->text);

	*vec_push(&a->ast->requires) = (struct ast_require){
		block, AST_REQUIRE_CLASS, {intern(a->atoms, name), begin}, names_of(a, class, mask, begin),
	};
	a->at += 1 + strlen(name);
}

/* The line of the branch is the next one. */
static void require_in_branch(struct adder *a, uint32_t block, const struct module_decl *decl)
{
	const char *end = a->source->text + a->source->size;

	a->at = memmem(a->at, (size_t)(end - a->at), line_start, sizeof line_start - 1);
	if (!a->at) {
		a->at = end;
		return;
	}
	a->at += sizeof line_start - 1;
	ebitmap_for_each(&decl->required.tables[MODULE_CLASSES], bit) {
		uint32_t mask = module_required_perms(a->module, decl, bit + 1);

		if (mask)
			require_class(a, block, bit + 1, mask);
	}
}

void module_require_classes(const struct module *module, const struct source *source, struct atoms *atoms,
			    struct ast *ast)
{
	struct adder a = {.module = module, .source = source, .atoms = atoms, .ast = ast, .at = source->text};
	uint32_t block = ast->modules.at[ast->modules.n - 1].root;

	if (module->base)
		return;
	a.perms = mem_zalloc((size_t)module->policy->classes.n + 1, sizeof *a.perms);
	for (uint32_t b = 0; b < module->blocks.n; b++)
		for (uint32_t i = 0; i < module->blocks.at[b].decls.n; i++)
			require_in_branch(&a, block++, &module->blocks.at[b].decls.at[i]);
	free(a.perms);
}
