/* module_write_cil: a module as CIL.
 *
 * The form is that of libsepol's hll compiler for packages, whose base declares
 * the attributes cil_gen_require: what a block requires and may not use is added
 * to them.  Optional blocks stand side by side: in CIL a block is off when a
 * name in it is not there, and each of ours names all that it requires. */
#include "backend/cil_module.h"
#include "backend/text.h"

/* ---- blocks ---- */

/* False: the branch says nothing. */
static bool put_branch(struct cil_module *c, const struct module_decl *decl, const char *indent)
{
	size_t start = c->m.t.out->n;
	bool said;

	c->decl = decl;
	c->indent = indent;
	atoms_init(&c->sets);
	cil_put_declarations(c);
	cil_put_statements(c);
	said = c->m.t.out->n > start;
	if (said || is_global(c))
		cil_put_requirements(c);
	c->nsets += c->sets.n - 1;
	atoms_free(&c->sets);
	ebitmap_free(&c->used_bools);
	ebitmap_or(&c->users, &decl->declared.tables[MODULE_USERS]);
	return said;
}

static void put_optional(struct cil_module *c, const struct module_decl *decl)
{
	size_t start = c->m.t.out->n;

	text_printf(c->m.t.out, "(optional %s_optional_%u\n", c->name, decl->id);
	if (put_branch(c, decl, "    "))
		say(&c->m.t, ")\n");
	else
		c->m.t.out->n = start;
}

/* CIL has no way to say that a block is off. */
static void put_optionals(struct cil_module *c)
{
	for (uint32_t b = 1; b < c->m.module->blocks.n; b++) {
		const struct module_block *block = &c->m.module->blocks.at[b];

		if (block->decls.n)
			put_optional(c, &block->decls.at[0]);
		for (uint32_t i = 1; i < block->decls.n; i++)
			text_fail_at(&c->m.t, block->decls.at[i].loc, "the else branch of optional block %u", block->decls.at[0].id);
	}
}

/* ---- the whole ---- */

static void put_base(struct cil_module *c)
{
	struct text_out *t = &c->m.t;

	cil_put_head(t);
	say(t, "(typeattribute cil_gen_require)\n"
	       "(roleattribute cil_gen_require)\n"
	       "(role object_r)\n");
	cil_put_empty_sets(t);
}

static void put_all(struct cil_module *c)
{
	struct text_out *t = &c->m.t;

	if (c->m.module->base)
		put_base(c);
	cil_put_capabilities(t);
	put_branch(c, c->m.global, "");
	put_optionals(c);
	if (c->has_macro)
		text_printf(t->out, "(macro %s_nothing ())\n", c->name);
	if (!c->m.module->base)
		return;
	say_constraints(t, false);
	say_labels(t);
}

/* CIL has dots between the names of blocks. */
static const char *name_for(struct cil_module *c)
{
	const char *name = c->m.module->base ? "base" : c->m.module->name;
	char *own = arena_strndup(&c->m.arena, name, strlen(name));

	for (char *p = own; *p; p++)
		if (*p == '.')
			*p = '_';
	return own;
}

bool module_write_cil(const struct module *module, const struct sources *marks, struct buffer *out, struct diags *diags)
{
	struct cil_module c = {.marks = marks};

	module_text_init(&c.m, module, module->base ? TEXT_CIL_BASE : TEXT_CIL_MODULE, out, diags);
	c.name = name_for(&c);
	if (cil_check_names(&c.m.t)) {
		name_empty_sets(&c.m.t);
		put_all(&c);
	}
	buffer_free(&c.set_text);
	ebitmap_free(&c.users);
	module_text_free(&c.m);
	return !c.m.t.failed;
}
