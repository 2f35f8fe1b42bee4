/* Modules in the AST, linked, and as struct module: what golden cases do not
 * show. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "base/source.h"
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/pairs.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "tests/suites.h"

static const char base_text[] =
	"class c1\nclass process\nsid kernel\nclass c1 { p1 p2 p3 }\nclass process { transition }\n"
	"attribute a1;\ntype ta;\ntype tb, a1;\nrole ra;\nrole ra types { ta tb };\nallow ta tb:c1 p1;\n"
	"optional {\n\trequire { type za; }\n\tallow ta za:c1 p1;\n} else {\n\tallow tb ta:c1 p2;\n}\n"
	"user ua roles ra;\nsid kernel ua:ra:ta\n";

struct work {
	struct sources sources;
	struct atoms atoms;
	struct ast ast;
	struct diags diags;
};

static void work_begin(struct work *w)
{
	*w = (struct work){0};
	atoms_init(&w->atoms);
	lexer_intern_keywords(&w->atoms);
	ast_init(&w->ast);
}

static void work_end(struct work *w)
{
	diags_free(&w->diags);
	ast_free(&w->ast);
	atoms_free(&w->atoms);
	sources_free(&w->sources);
}

static bool parse(struct work *w, const char *name, const char *text, enum parse_form form)
{
	const struct source *source = sources_add(&w->sources, name, text, strlen(text), &w->diags);

	return parse_source(&w->ast, form, &w->sources, source, &w->atoms, &w->diags);
}

static struct policy *link(struct work *w)
{
	struct ir_options options = {0};

	return ir_compile(&w->ast, &w->sources, &w->atoms, &options, &w->diags, NULL, NULL);
}

static bool has_check(const struct diags *diags, const char *check)
{
	for (uint32_t i = 0; i < diags->list.n; i++)
		if (diags->list.at[i].check && !strcmp(diags->list.at[i].check, check))
			return true;
	return false;
}

/* ---- pairs ---- */

static void test_pairs(void)
{
	enum { MANY = 20000 };
	struct pairs pairs = {0};

	CU_ASSERT_PTR_NULL(pairs_get(&pairs, pair_key(1, 1)));
	for (uint32_t i = 0; i < MANY; i++)
		*pairs_put(&pairs, pair_key(i % 100 + 1, i / 100)) = i;
	CU_ASSERT_EQUAL(pairs.n, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		const uint32_t *value = pairs_get(&pairs, pair_key(i % 100 + 1, i / 100));

		CU_ASSERT(value && *value == i);
	}
	CU_ASSERT_PTR_NULL(pairs_get(&pairs, pair_key(101, 0)));
	*pairs_put(&pairs, pair_key(1, 0)) += 7;
	CU_ASSERT_EQUAL(*pairs_get(&pairs, pair_key(1, 0)), 7);
	CU_ASSERT_EQUAL(pairs.n, MANY);
	pairs_free(&pairs);
}

/* ---- parser ---- */

static void test_header(void)
{
	struct work w;
	const struct ast_module *module;

	work_begin(&w);
	CU_ASSERT(parse(&w, "app.te", "module app 1.02.3;\nrequire { class c1 p1; }\n", PARSE_EITHER));
	module = &w.ast.modules.at[0];
	CU_ASSERT(module->is_module && !module->from_image);
	CU_ASSERT_STRING_EQUAL(atom_text(&w.atoms, module->name.atom), "app");
	CU_ASSERT_STRING_EQUAL(atom_text(&w.atoms, module->version), "1.02.3");
	CU_ASSERT_STRING_EQUAL(module->path, "app.te");
	work_end(&w);
	work_begin(&w);
	CU_ASSERT(parse(&w, "base.conf", base_text, PARSE_EITHER));
	CU_ASSERT(!w.ast.modules.at[0].is_module);
	work_end(&w);
}

static void test_blocks_of_modules(void)
{
	struct work w;
	uint32_t app;

	work_begin(&w);
	parse(&w, "base.conf", base_text, PARSE_POLICY);
	app = ast_add_module(&w.ast);
	CU_ASSERT(parse(&w, "app.te", "module app 1;\nrequire { type ta; }\noptional {\n\trequire { type tz; }\n\toptional {\n"
		  "\t\trequire { type ty; }\n\t}\n}\n", PARSE_MODULE));
	CU_ASSERT_EQUAL(app, 1);
	CU_ASSERT_EQUAL(w.ast.blocks.n, 3 + 3);
	for (uint32_t b = 0; b < w.ast.blocks.n; b++) {
		uint32_t module = w.ast.blocks.at[b].module, root = ast_root(&w.ast, b);

		CU_ASSERT_EQUAL(module, b >= 3);
		CU_ASSERT_EQUAL(root, module ? 3 : 0);
		CU_ASSERT_EQUAL(ast_is_root(&w.ast, b), b == root);
	}
	CU_ASSERT_EQUAL(w.ast.blocks.at[5].parent, 4);
	work_end(&w);
}

/* What a binary module says of its blocks cannot always be source of people. */
static void test_text_of_image(void)
{
	static const char text[] =
		"module app 1;\nrequire { type ta, tb; class c1 { p1 }; }\n"
		"optional {\n\trequire { type nope; }\n\tallow ta nope:c1 p1;\n} else {\n\trequire { attribute a1; }\n\tallow ta a1:c1 p1;\n}\n"
		"optional {\n\trequire { type ta; }\n} else {\n}\n";
	struct policy *policy;
	struct work w;

	for (int image = 0; image < 2; image++) {
		work_begin(&w);
		parse(&w, "base.conf", base_text, PARSE_POLICY);
		ast_add_module(&w.ast);
		CU_ASSERT_EQUAL(parse(&w, "app", text, image ? PARSE_IMAGE : PARSE_MODULE), image);
		policy = link(&w);
		CU_ASSERT_EQUAL(policy != NULL, image);
		policy_free(policy);
		work_end(&w);
	}
}

/* ---- linking ---- */

static const char app_text[] =
	"module app 1;\nrequire { type ta; class c1 { p1 p3 }; }\ntype za;\nallow za ta:c1 *;\n";

static const struct policy_type *type_of(const struct policy *policy, const char *name)
{
	for (uint32_t v = 1; v <= policy->types.n; v++)
		if (!strcmp(policy->types.at[v].name, name))
			return &policy->types.at[v];
	return NULL;
}

static void test_link(void)
{
	struct policy *policy;
	struct work w;
	uint32_t mask = 0;

	work_begin(&w);
	parse(&w, "base.conf", base_text, PARSE_POLICY);
	ast_add_module(&w.ast);
	CU_ASSERT(parse(&w, "app.te", app_text, PARSE_MODULE));
	policy = link(&w);
	CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
	CU_ASSERT_PTR_NOT_NULL(type_of(policy, "za"));
	CU_ASSERT_EQUAL(policy->rules.n, 3); /* the base's own, its first branch, and that of the module */
	for (uint32_t i = 0; i < policy->rules.n; i++)
		if (!strcmp(policy->types.at[policy->rules.at[i].source].name, "za"))
			mask = policy->rules.at[i].data;
	CU_ASSERT_EQUAL(mask, 1 | 4); /* p1 and p3: what the module requires */
	policy_free(policy);
	work_end(&w);
}

/* Each module is told of the names that it lacks. */
static void test_two_faulty(void)
{
	static const char *const names[] = {"app.te", "web.te"};
	static const char *const texts[] = {
		"module app 1;\nrequire { class c1 p1; type ta; }\nallow ta tb:c1 p1;\nallow tb ta:c1 p1;\n",
		"module web 1;\nrequire { class c1 p1; type ta; }\nallow ta tb:c1 p1;\n",
	};
	struct work w;

	work_begin(&w);
	parse(&w, "base.conf", base_text, PARSE_POLICY);
	for (int i = 0; i < 2; i++) {
		ast_add_module(&w.ast);
		parse(&w, names[i], texts[i], PARSE_MODULE);
	}
	CU_ASSERT_PTR_NULL(link(&w));
	CU_ASSERT_EQUAL(w.diags.errors, 2);
	CU_ASSERT(has_check(&w.diags, "not-required"));
	work_end(&w);
}

/* ---- struct module ---- */

static const struct module_scope *scope_of(const struct module *module, enum module_table table, const char *name)
{
	for (uint32_t i = 0; i < module->scopes[table].n; i++)
		if (!strcmp(module->scopes[table].at[i].name, name))
			return &module->scopes[table].at[i];
	return NULL;
}

static struct module *module_from(struct work *w, const char *text)
{
	struct ir_options options = {0};

	parse(w, "source", text, PARSE_EITHER);
	return ir_compile_module(&w->ast, &w->sources, &w->atoms, &options, &w->diags);
}

static void test_struct_module(void)
{
	static const char text[] =
		"module app 1.0;\nrequire { type ta; attribute a1; role ra; class c1 { p1 p2 }; }\n"
		"type za alias zb;\ntypeattribute za a1;\n"
		"optional {\n\trequire { type tc; class c1 p3; }\n\ttypeattribute tc a1;\n\trole ra types tc;\n\tallow tc self:c1 p3;\n"
		"} else {\n\tallow za { a1 -ta }:c1 ~p1;\n}\n";
	const struct module_decl *first, *other;
	const struct module_scope *scope;
	struct module *m;
	struct work w;

	work_begin(&w);
	m = module_from(&w, text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT(!m->base);
	CU_ASSERT_STRING_EQUAL(m->version, "1.0");
	CU_ASSERT_EQUAL(m->blocks.n, 2);
	CU_ASSERT_EQUAL(module_decls(m), 3);
	first = &m->blocks.at[1].decls.at[0];
	other = &m->blocks.at[1].decls.at[1];
	CU_ASSERT(first->id == 2 && other->id == 3 && !first->enabled);
	scope = scope_of(m, MODULE_TYPES, "ta");
	CU_ASSERT(scope && scope->kind == MODULE_REQUIRED && scope->decls.n == 1 && scope->decls.at[0] == 1);
	scope = scope_of(m, MODULE_TYPES, "zb");
	CU_ASSERT(scope && scope->kind == MODULE_DECLARED);
	scope = scope_of(m, MODULE_CLASSES, "c1");
	CU_ASSERT(scope && scope->kind == MODULE_REQUIRED && scope->decls.n == 2);
	/* The first branch requires what the module does, and tc; the other only the former. */
	CU_ASSERT_EQUAL(ebitmap_count(&first->required.tables[MODULE_TYPES]), 3);
	CU_ASSERT_EQUAL(ebitmap_count(&other->required.tables[MODULE_TYPES]), 2);
	CU_ASSERT(first->required.perms.n == 1 && first->required.perms.at[0] == 7);
	CU_ASSERT(other->required.perms.n == 1 && other->required.perms.at[0] == 3);
	CU_ASSERT(first->types.n == 1 && first->types.at[0].attribute && first->types.at[0].types.n == 1);
	CU_ASSERT(first->roles.n == 1 && first->roles.at[0].types.types.n == 1);
	CU_ASSERT(first->rules.n == 1 && first->rules.at[0].flags == MODULE_RULE_SELF && !first->rules.at[0].targets.types.n);
	CU_ASSERT(other->rules.n == 1 && other->rules.at[0].targets.negset.n == 1);
	CU_ASSERT_EQUAL(other->rules.at[0].perms.at[0].data, 2 | 4); /* all that the module requires anywhere, less p1 */
	CU_ASSERT_EQUAL(w.diags.errors, 0);
	module_free(m);
	work_end(&w);
}

/* A base is judged as the policy that it makes alone, and keeps all blocks. */
static void test_struct_base(void)
{
	struct module *m;
	struct work w;

	work_begin(&w);
	m = module_from(&w, base_text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT(m->base && !m->name);
	CU_ASSERT_EQUAL(m->blocks.n, 2);
	CU_ASSERT(!m->blocks.at[1].decls.at[0].enabled && m->blocks.at[1].decls.at[1].enabled);
	CU_ASSERT_EQUAL(m->blocks.at[1].decls.at[0].rules.n, 1);
	CU_ASSERT_EQUAL(m->policy->rules.n, 0);
	CU_ASSERT_EQUAL(m->policy->sids.n, 1);
	module_free(m);
	work_end(&w);
	work_begin(&w);
	CU_ASSERT_PTR_NULL(module_from(&w, "module app 1;\ntype ta;\n"));
	CU_ASSERT(has_check(&w.diags, "no-require"));
	work_end(&w);
}

void suite_link(void)
{
	CU_pSuite suite = CU_add_suite("link", NULL, NULL);

	CU_add_test(suite, "pairs", test_pairs);
	CU_add_test(suite, "header", test_header);
	CU_add_test(suite, "blocks of modules", test_blocks_of_modules);
	CU_add_test(suite, "text of an image", test_text_of_image);
	CU_add_test(suite, "link", test_link);
	CU_add_test(suite, "two faulty modules", test_two_faulty);
	CU_add_test(suite, "struct module", test_struct_module);
	CU_add_test(suite, "struct module of a base", test_struct_base);
}
