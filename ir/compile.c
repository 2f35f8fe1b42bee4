/* The passes, in their order: the way from AST to struct policy. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"
#include "ir/member.h"
#include "ir/module.h"

static void check_rules_exist(struct compile *c)
{
	if (!c->policy->rules.n)
		diag_error(c->diags, "no-rules", LOC_NONE,
			   "the policy has no allow or type rule outside of conditionals, and kernels refuse such a policy");
}

static void lower_symbols(struct compile *c)
{
	mls_check_declared(c);
	lower_types(c);
	sets_init(c);
	lower_roles(c);
	lower_users(c);
	lower_defaults(c);
}

static void lower_statements(struct compile *c)
{
	assembly_init(c);
	lower_conds(c);
	lower_av_rules(c);
	lower_xperm_rules(c);
	lower_te_rules(c);
	lower_filename_trans(c);
	lower_role_rules(c);
	lower_range_transitions(c);
	lower_constraints(c);
	lower_labels(c);
}

static void expand(struct compile *c)
{
	if (c->form == COMPILE_MODULE)
		return;
	assemble_rules(c);
	check_rules_exist(c);
}

static void check(struct compile *c)
{
	if (c->form == COMPILE_MODULE) {
		check_hierarchy(c);
		return;
	}
	if (c->options->no_neverallow)
		return;
	check_hierarchy(c);
	check_bounds(c);
	check_neverallows(c);
}

static void finish(struct compile *c)
{
	if (c->module) {
		if (c->options->places)
			find_places(c, c->options->places);
		fill_module(c);
		return;
	}
	if (c->options->optimize)
		policy_optimise(c->policy);
	if (c->options->sort)
		policy_sort_labels(c->policy);
	if (c->options->canonical)
		policy_canonicalise(c->policy);
	if (c->options->places)
		find_places(c, c->options->places);
}

/* A stage needs the ones before it without errors: after a wrong declaration
 * every use of it would be reported, too. */
static const struct pass {
	const char *name;
	void (*run)(struct compile *c);
	bool needs_clean; /* no error so far, but for warnings that are to be errors */
} passes[] = {
	{"declare", declare, false},
	{"resolve", resolve, false},
	{"number", number, false},
	{"symbols", lower_symbols, false},
	{"lower", lower_statements, false},
	{"expand", expand, true},
	{"check", check, true},
	{"finish", finish, true},
};

static void compile_free(struct compile *c)
{
	for (uint32_t v = 0; c->roles && v <= c->symbols[SYM_ROLE].nvalues; v++) {
		ebitmap_free(&c->roles[v].members);
		ebitmap_free(&c->roles[v].direct_types);
	}
	for (uint32_t v = 0; c->users && v <= c->symbols[SYM_USER].nvalues; v++)
		ebitmap_free(&c->users[v].direct_roles);
	for (uint32_t v = 0; c->types && v <= c->symbols[SYM_TYPE].nvalues; v++)
		ebitmap_free(&c->types[v].global_types);
	for (uint32_t i = 0; i < c->neverallows.n; i++) {
		ebitmap_free(&c->neverallows.at[i].sources);
		ebitmap_free(&c->neverallows.at[i].targets);
		ebitmap_free(&c->neverallows.at[i].values);
	}
	vec_free(&c->neverallows);
	vec_free(&c->xperms);
	origins_free(c);
	members_free(c);
	assembly_free(c);
	sets_free(c);
	symbols_free(c);
	arena_free(&c->arena);
}

static bool run_passes(struct compile *c, ir_pass_hook hook, void *hook_data)
{
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
		const struct pass *pass = &passes[i];

		if (c->fatal || (pass->needs_clean && c->diags->errors > c->diags->promoted))
			return false;
		pass->run(c);
		if (hook)
			hook(hook_data, pass->name);
	}
	return !c->diags->errors;
}

struct ir_kept {
	struct compile compile;
	struct ir_options options;
};

static struct ir_kept *keep(const struct compile *c)
{
	struct ir_kept *kept = mem_alloc(sizeof *kept);

	kept->compile = *c;
	kept->options = *c->options;
	kept->options.places = NULL;
	kept->options.kept = NULL;
	kept->compile.options = &kept->options;
	return kept;
}

void ir_kept_free(struct ir_kept *kept)
{
	if (kept)
		compile_free(&kept->compile);
	free(kept);
}

void ir_note_rules(struct ir_kept *kept, struct diags *diags, uint32_t source, uint32_t target, uint32_t class,
		   uint32_t perms, bool xperm)
{
	kept->compile.diags = diags;
	note_origins(&kept->compile, source, target, class, perms, xperm);
}

static enum compile_form form_of(const struct ast *ast)
{
	if (ast->modules.n > 1)
		return COMPILE_LINK;
	return ast->modules.at[0].is_module ? COMPILE_MODULE : COMPILE_POLICY;
}

/* The policy that comes of it, or NULL; with module, it is filled as well. */
static struct policy *compile(const struct ast *ast, const struct sources *sources, struct atoms *atoms,
			      const struct ir_options *options, struct diags *diags, struct module *module,
			      ir_pass_hook hook, void *hook_data)
{
	struct compile c = {
		.form = form_of(ast),
		.module = module,
		.ast = ast,
		.sources = sources,
		.atoms = atoms,
		.options = options,
		.diags = diags,
		.policy = policy_new(),
	};
	struct policy *policy = c.policy;
	bool good;

	c.fatal = ast->incomplete;
	diags->werror = options->warnings_are_errors;
	policy->target = options->target;
	policy->handle_unknown = options->handle_unknown;
	policy->mls = options->mls;
	/* Names that the passes look for become atoms before the tables by atom are made. */
	atom_intern(atoms, "object_r", strlen("object_r"));
	c.self = atom_find(atoms, "self", strlen("self"));
	symbols_init(&c);
	good = run_passes(&c, hook, hook_data);
	count_faulty_uses(&c);
	if (good && options->kept)
		*options->kept = keep(&c);
	else
		compile_free(&c);
	if (good)
		return policy;
	policy_free(policy);
	return NULL;
}

struct policy *ir_compile(const struct ast *ast, const struct sources *sources, struct atoms *atoms,
			  const struct ir_options *options, struct diags *diags, ir_pass_hook hook, void *hook_data)
{
	return compile(ast, sources, atoms, options, diags, NULL, hook, hook_data);
}

struct module *ir_compile_module(const struct ast *ast, const struct sources *sources, struct atoms *atoms,
				 const struct ir_options *options, struct diags *diags)
{
	struct module *module = module_new();
	struct policy *policy = compile(ast, sources, atoms, options, diags, module, NULL, NULL);

	if (!policy) {
		module_free(module);
		return NULL;
	}
	policy_free(module->policy);
	module->policy = policy;
	return module;
}
