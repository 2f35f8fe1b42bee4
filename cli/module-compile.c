/* module-compile: module source → IR → checked → binary module.
 *
 * The map: options, then load, parse, compile (or read), write, rename.
 * Options and exit codes are checkmodule's. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "backend/module.h"
#include "backend/package.h"
#include "backend/text.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/output.h"
#include "base/source.h"
#include "checks/checks.h"
#include "cli/diagnostics.h"
#include "cli/explain.h"
#include "cli/load_module.h"
#include "cli/module_options.h"
#include "cli/package.h"
#include "ir/ir.h"
#include "ir/module.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

static struct module *compile(const struct module_options *o, struct sources *sources, struct diags *diags)
{
	const struct source *source = sources_load(sources, o->input, diags);
	struct module *module = NULL;
	struct atoms atoms;
	struct ast ast;

	if (!source)
		return NULL;
	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	/* What parsed is checked in any case: one run reports all. */
	parse_source(&ast, o->module ? PARSE_MODULE : PARSE_POLICY, sources, source, &atoms, diags);
	module = ir_compile_module(&ast, sources, &atoms, &o->ir, diags);
	ast_free(&ast);
	atoms_free(&atoms);
	return module;
}

/* The file holds what is in the package, if it is one. */
static struct module *read_binary(const struct module_options *o, struct buffer *file, struct package *package,
				  struct diags *diags)
{
	struct module *module = NULL;
	uint32_t version;

	if (file_load(o->input, file, diags))
		module = load_module(o->input, file, &version, package, diags);
	if (!module)
		return NULL;
	if (module->policy->mls == o->ir.mls)
		return module;
	diag_error(diags, "wrong-mls", LOC_NONE, "`%s` is %s, and -M is %sgiven", o->input,
		   module->policy->mls ? "an MLS module" : "no MLS module", o->ir.mls ? "" : "not ");
	module_free(module);
	return NULL;
}

/* A module is found by the name of its file. */
static bool check_name(const struct module_options *o, const struct module *module, struct diags *diags)
{
	const char *slash = strrchr(o->output, '/'), *base = slash ? slash + 1 : o->output, *dot = strrchr(base, '.');
	size_t len = dot ? (size_t)(dot - base) : strlen(base);

	/* CIL of a binary is often made for a pipe, or a place of its own. */
	if (module->base || (o->cil && o->binary) || !strcmp(o->output, "-") || (strlen(module->name) == len && !memcmp(base, module->name, len)))
		return true;
	diag_error(diags, "module-name", LOC_NONE, "module `%s` is to be written to a file named `%s`", module->name, base);
	diag_hint(diags, "the file of a module has its name: `%s%s`", module->name, dot ? dot : ".mod");
	return false;
}

/* The lowest version that holds the module without a loss. */
static uint32_t lowest_version(const struct module *module)
{
	struct policydb_need needs[POLICYDB_MAX_NEEDS];

	return module_needs(module, needs) ? needs[0].version : module_oldest();
}

static void report_version(const struct module_options *o, const struct module *module, struct diags *diags)
{
	struct policydb_need needs[POLICYDB_MAX_NEEDS];
	uint32_t n = module_needs(module, needs);

	if (n)
		diag_remark(diags, "version-needed", place_first(o->ir.places, needs[0].place),
			    "the lowest version that holds the module without a loss is %u, which came with %s",
			    needs[0].version, needs[0].what);
	else
		diag_remark(diags, "version-needed", LOC_NONE, "the lowest version, %u, holds the module without a loss",
			    module_oldest());
	for (uint32_t i = 1; i < n; i++)
		diag_note(diags, place_first(o->ir.places, needs[i].place), "version %u came with %s", needs[i].version,
			  needs[i].what);
}

static bool write_cil(const struct module_options *o, const struct module *module, const struct package *package,
		      struct sources *sources, struct buffer *out, struct diags *diags)
{
	bool good = check_name(o, module, diags) && module_write_cil(module, o->marks ? sources : NULL, out, diags);

	return package_write_cil(package, o->input, module->policy->mls, sources, out, diags) && good;
}

static bool emit(const struct module_options *o, const struct module *module, const struct package *package,
		 struct sources *sources, struct diags *diags)
{
	struct buffer image = {0};
	uint32_t version = o->version ? o->version : lowest_version(module);
	bool good;

	if (o->report_version)
		report_version(o, module, diags);
	if (!o->output)
		return true;
	if (o->conf)
		good = module_write_conf(module, &image, diags);
	else if (o->cil)
		good = write_cil(o, module, package, sources, &image, diags);
	else
		good = check_name(o, module, diags) && module_write(module, version, o->ir.places, &image, diags);
	good = good && !diags->errors && output_write_passing(o->output, image.at, image.n, diags);
	buffer_free(&image);
	return good;
}

static int run(struct module_options *o)
{
	struct policy_places places = {0};
	struct sources sources = {0};
	struct package package = {0};
	struct buffer file = {0};
	struct diags diags = {0};
	struct module *module;
	bool good;

	finding_options_apply(&o->findings, &diags);
	o->ir.places = &places;
	module = o->binary ? read_binary(o, &file, &package, &diags) : compile(o, &sources, &diags);
	good = module && emit(o, module, &package, &sources, &diags) && !diags.errors;
	good &= print_findings(&o->findings, &o->input, 1, &diags, &sources);
	module_free(module);
	buffer_free(&file);
	policy_places_free(&places);
	diags_free(&diags);
	sources_free(&sources);
	return good ? 0 : 1;
}

static int act(struct module_options *o)
{
	if (o->findings.list_checks)
		checks_list(checks_all(), stdout);
	else if (o->findings.explain)
		check_explain(checks_all(), o->findings.explain, stdout);
	else if (o->show_version)
		printf("Module versions %u-%u\n", module_oldest(), module_newest());
	else
		return run(o);
	return fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct module_options options;
	int status;

	heap_in_huge_pages();
	signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, to be reported */
	if (argc > 1 && !strcmp(argv[1], "--package"))
		return package_main(argc - 1, argv + 1);
	status = module_options_parse(&options, argc, argv) ? act(&options) : 1;
	module_options_free(&options);
	return status;
}
