/* module_write_conf: a module as the source that makes it. */
#include "backend/conf_module.h"
#include "backend/text.h"

/* ---- blocks ---- */

static void put_branch(struct module_text *m, const struct module_decl *decl, bool is_else)
{
	put_requirements(m, decl, !is_else && !m->module->base);
	put_declarations(m, decl, "");
	put_statements(m, decl, "");
	put_module_users(m, decl, "");
}

/* All optional blocks stand side by side. */
static void put_optionals(struct module_text *m)
{
	for (uint32_t b = 1; b < m->module->blocks.n; b++) {
		const struct module_block *block = &m->module->blocks.at[b];

		for (uint32_t i = 0; i < block->decls.n; i++) {
			say(&m->t, i ? "} else {\n" : "optional {\n");
			put_branch(m, &block->decls.at[i], i);
		}
		say(&m->t, block->decls.n ? "}\n" : "");
		if (block->decls.n > 2)
			text_fail(&m->t, "an optional block with %u branches", (unsigned)block->decls.n);
	}
}

/* ---- a module that is no base ---- */

static bool is_version(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && (!text[digits] || (text[digits] == '.' &&
					     !text[digits + strspn(text + digits, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.")]));
}

static void put_module(struct module_text *m)
{
	const struct module *module = m->module;

	if (!conf_is_name(module->name) || (!is_version(module->version) && !conf_is_name(module->version)))
		text_fail(&m->t, "module `%s` of version `%s`", module->name, module->version);
	text_printf(m->t.out, "module %s %s;\n", module->name, module->version);
	put_requirements(m, m->global, true);
	put_declarations(m, m->global, "");
	put_statements(m, m->global, "");
	put_optionals(m);
	put_module_users(m, m->global, "");
}

/* ---- a base ---- */

static void put_base(struct module_text *m)
{
	struct text_out *t = &m->t;

	text_printf(t->out, "# handle_unknown %s\n", text_unknown(t->policy->handle_unknown));
	conf_put_classes(t);
	conf_put_sids(t);
	conf_put_access_vectors(t);
	conf_put_defaults(t);
	if (t->policy->mls) {
		conf_put_mls(t);
		say_constraints(t, true);
	}
	each_capability(t, conf_put_capability);
	conf_put_empty_sets(t);
	put_requirements(m, m->global, false);
	put_declarations(m, m->global, "");
	put_statements(m, m->global, "");
	put_optionals(m);
	put_module_users(m, m->global, "");
	say_constraints(t, false);
	say_labels(t);
}

/* ---- the whole ---- */

static bool write_conf(const struct module *module, bool apart, struct buffer *out, struct diags *diags)
{
	size_t start = out->n;
	struct module_text m;

	module_text_init(&m, module, module->base ? TEXT_BASE : TEXT_MODULE, out, diags);
	m.apart = apart;
	if (conf_check_names(&m.t)) {
		name_empty_sets(&m.t);
		(module->base ? put_base : put_module)(&m);
		/* A line of class names is a comment, and for no compiler of others. */
		if (!apart)
			conf_break_lines(out, start);
	}
	module_text_free(&m);
	return !m.t.failed;
}

bool module_write_conf(const struct module *module, struct buffer *out, struct diags *diags)
{
	return write_conf(module, false, out, diags);
}

bool module_write_conf_apart(const struct module *module, struct buffer *out, struct diags *diags)
{
	return write_conf(module, true, out, diags);
}
