/* policy-compile: policy source → IR → checked → binary policydb, or from a
 * binary policy to any form.
 *
 * The map: options, then load, parse, compile (or read), write, verify, rename.
 * Options, exit codes and the form of -V are checkpolicy's. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "backend/policydb.h"
#include "backend/text.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/output.h"
#include "base/source.h"
#include "checks/checks.h"
#include "cli/binary.h"
#include "cli/diagnostics.h"
#include "cli/explain.h"
#include "cli/link.h"
#include "cli/options.h"
#include "cli/reports.h"
#include "cli/stats.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

static bool dump(const struct policy *policy)
{
	struct buffer text = {0};
	bool good;

	ir_dump(policy, &text);
	good = fwrite(text.at, 1, text.n, stdout) == text.n && !fflush(stdout);
	buffer_free(&text);
	return good || usage_error("cannot write to standard output", NULL);
}

static bool write_form(const struct options *o, const struct policy *policy, uint32_t version, struct buffer *out,
		       struct diags *diags)
{
	if (o->conf)
		return policy_write_conf(policy, out, diags);
	if (o->cil)
		return policy_write_cil(policy, out, diags);
	return policydb_write(policy, version, out, diags);
}

static bool emit(const struct options *o, const struct policy *policy, uint32_t version, struct diags *diags,
		 struct stats *stats)
{
	struct buffer image = {0};
	bool good = true;

	if (o->dump_ir)
		good = dump(policy);
	if (o->output || o->verify || o->conf) {
		good = good && write_form(o, policy, version, &image, diags);
		stats_pass(stats, "write");
	}
	if (good && o->verify) {
		good = policydb_verify(&image, diags);
		stats_pass(stats, "verify");
	}
	if (good && !diags->errors && o->output) {
		good = output_write(o->output, image.at, image.n, diags);
		stats_pass(stats, "output");
	}
	buffer_free(&image);
	return good;
}

static struct policy *compile(const struct options *o, struct sources *sources, struct diags *diags, struct stats *stats)
{
	const struct source *source = sources_load(sources, o->input, diags);
	struct policy *policy = NULL;
	struct atoms atoms;
	struct ast ast;

	if (!source)
		return NULL;
	stats_pass(stats, "load");
	atoms_init(&atoms);
	lexer_intern_keywords(&atoms);
	ast_init(&ast);
	/* What parsed is checked in any case: one run reports all. */
	parse_policy(&ast, sources, source, &atoms, diags);
	stats_pass(stats, "parse");
	policy = ir_compile(&ast, sources, &atoms, &o->ir, diags, stats_pass, stats);
	ast_free(&ast);
	atoms_free(&atoms);
	return policy;
}

static struct policy *read_inputs(const struct options *o, struct sources *sources, uint32_t *version,
				  struct diags *diags, struct stats *stats)
{
	if (o->binary)
		return binary_read(o, version, diags, stats);
	return o->link ? link_inputs(o, sources, diags, stats) : compile(o, sources, diags, stats);
}

static int run(struct options *o)
{
	struct reports reports;
	struct sources sources = {0};
	struct diags diags = {0};
	struct stats stats;
	struct policy *policy = NULL;
	uint32_t version;
	bool good;

	good = reports_init(&reports, o, &sources, &diags);
	version = o->version;
	finding_options_apply(&o->findings, &diags);
	stats_start(&stats);
	if (good)
		policy = read_inputs(o, &sources, &version, &diags, &stats);
	if (policy) {
		reports_make(&reports, o, policy, version, &diags);
		stats_pass(&stats, "reports");
	}
	good = policy && emit(o, policy, version, &diags, &stats);
	good = good && !diags.errors;
	good &= print_findings(&o->findings, o->link ? (const char *const *)o->inputs : &o->input,
			       o->link ? o->ninputs : 1, &diags, &sources);
	if (o->stats)
		stats_print(&stats, policy, &sources, stderr);
	policy_free(policy);
	reports_free(&reports);
	diags_free(&diags);
	sources_free(&sources);
	return good ? 0 : 1;
}

static void print_version(const struct options *o)
{
	printf("%u (compatibility range %u-%u)\n", o->version, policydb_newest(o->ir.target),
	       policydb_oldest(o->ir.target));
}

static int act(struct options *o)
{
	if (o->findings.list_checks)
		checks_list(checks_all(), stdout);
	else if (o->findings.explain)
		check_explain(checks_all(), o->findings.explain, stdout);
	else if (o->show_version)
		print_version(o);
	else
		return run(o);
	return fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	heap_in_huge_pages();
	signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, to be reported */
	status = options_parse(&options, argc, argv) ? act(&options) : 1;
	options_free(&options);
	return status;
}
