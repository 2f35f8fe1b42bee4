/* mls-validate: contexts, levels, ranges, label files and the MLS part of
 * policies, checked against policies.
 *
 * The map: a command is a word, its options, answers and exit status are in
 * its own file, the checks are in validator/ and security/. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/heap.h"
#include "checks/checks.h"
#include "cli/diagnostics.h"
#include "cli/explain.h"
#include "cli/number.h"
#include "cli/validate.h"

const char validate_program[] = "mls-validate";

static const struct {
	const char *name;
	enum validate_status (*run)(struct validate *v, int argc, char **argv);
} commands[] = {
	{"context", validate_context_main},
	{"level", validate_level_main},
	{"range", validate_range_main},
	{"compare", validate_compare_main},
	{"policy", validate_policy_main},
	{"files", validate_files_main},
	{"lattice", validate_lattice_main},
};

static void print_usage(FILE *out)
{
	fprintf(out,
		"usage: %s -p POLICY [options] COMMAND\n"
		"\n"
		"  context|level|range [-q] [-f FILE | TEXT...]\n"
		"                             valid ones in their canonical form; of others, why they\n"
		"                             are not; without a text, lines of FILE or standard input\n"
		"  compare [--is RELATION] A B\n"
		"                             how two levels or ranges relate, and their bounds\n"
		"  policy [--permission-map FILE] [--seusers FILE] [--require handle-unknown=VALUE]\n"
		"                             the MLS part of the policy itself\n"
		"  files [--as KIND] [--list FILE] [--explain PATH] [PATH]...\n"
		"                             label files, and trees of them\n"
		"  lattice [--svg]            levels and clearances as a graph, for Graphviz or drawn\n"
		"\n"
		"A policy is a binary or source, - for standard input.  Options of all commands,\n"
		"before or behind the word:\n"
		"\n"
		"  -p, --policy POLICY        the policy; given again: valid under all of them\n"
		"  -M, --mls                  source: the policy is MLS (else: if it has sensitivities)\n"
		"      --xen                  source: the target is Xen\n"
		"  -j, --jobs N               threads, default 1\n"
		"      --format text|json|sarif|junit\n"
		"                             how the findings are printed\n"
		"      --diagnostics FILE     write the findings to FILE, in the format of --format, and\n"
		"                             as text to standard error\n"
		"      --max-errors N         print at most N errors, default all\n"
		"      --color[=auto|always|never]\n"
		"                             colour the text, default on a terminal\n"
		"  -W NAME, no-NAME, error=NAME, no-error=NAME\n"
		"                             give a warning, do not, or as an error; not as an error\n"
		"      --list-checks          print the names of the checks\n"
		"      --explain NAME         print what a check means, with examples\n"
		"  -h, --help                 print this help\n"
		"\n"
		"Exit status: 0 all valid, 1 something is not, 2 wrong usage or failed.\n",
		validate_program);
}

/* ---- what commands share ---- */

enum validate_status validate_complain(const char *what, const char *value)
{
	usage_complain(validate_program, what, value);
	return VALIDATE_FAILED;
}

bool validate_option(struct validate *v, int option)
{
	enum { MAX_THREADS = 256 };

	if (is_finding_option(option))
		return finding_option(&v->findings, option, optarg);
	switch (option) {
	case 'p': *vec_push(&v->policies) = (struct validate_policy){.path = optarg}; return true;
	case 'M': v->load.mls = true; return true;
	case OPT_XEN: v->load.xen = true; return true;
	case 'j':
		if (parse_number(optarg, &v->threads) && v->threads && v->threads <= MAX_THREADS)
			return true;
		validate_complain("-j takes a number from 1 to 256", optarg);
		return false;
	default: return false; /* getopt_long() said why */
	}
}

/* Of a policy that compiles, only what it says is wanted. */
static enum validate_load load_one(struct validate *v, struct validate_policy *p, bool places)
{
	enum validate_load result = LOAD_UNREADABLE;
	struct buffer file = {0};
	struct diags diags = {.under = validate_under(v, (uint32_t)(p - v->policies.at))};
	uint32_t version;

	if (places)
		p->places = calloc(1, sizeof *p->places);
	if (file_load(p->path, &file, &diags)) {
		p->policy = load_from_bytes(p->path, &file, &v->load, &version, p->places, &v->sources, &diags);
		result = p->policy ? LOAD_GOOD : LOAD_REFUSED;
		if (version) {
			free(p->places);
			p->places = NULL;
		}
	}
	if (!p->policy)
		diags_move(&v->diags, &diags);
	buffer_free(&file);
	diags_free(&diags);
	return result;
}

enum validate_load validate_load(struct validate *v, bool places)
{
	enum validate_load worst = LOAD_GOOD;
	uint32_t standard = 0;

	for (uint32_t i = 0; i < v->policies.n; i++)
		standard += !strcmp(v->policies.at[i].path, "-");
	if (!v->policies.n || standard > 1) {
		validate_complain(standard ? "only one policy can be standard input" : "no policy is given (-p)", NULL);
		return LOAD_UNREADABLE;
	}
	finding_options_apply(&v->findings, &v->diags);
	for (uint32_t i = 0; i < v->policies.n; i++) {
		enum validate_load one = load_one(v, &v->policies.at[i], places);

		if (one > worst)
			worst = one;
	}
	return worst;
}

const char *validate_under(const struct validate *v, uint32_t policy)
{
	return v->policies.n > 1 ? v->policies.at[policy].path : NULL;
}

/* Good when all was printed to standard output. */
static enum validate_status flushed(enum validate_status status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: error: cannot write to standard output [output]\n", validate_program);
	return VALIDATE_FAILED;
}

/* ---- main ---- */

static void validate_free(struct validate *v)
{
	for (uint32_t i = 0; i < v->policies.n; i++) {
		policy_free(v->policies.at[i].policy);
		if (v->policies.at[i].places)
			policy_places_free(v->policies.at[i].places);
		free(v->policies.at[i].places);
	}
	vec_free(&v->policies);
	vec_free(&v->inputs);
	diags_free(&v->diags);
	sources_free(&v->sources);
	finding_options_free(&v->findings);
}

static enum validate_status run(struct validate *v, int argc, char **argv)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		enum validate_status status;

		if (strcmp(argv[0], commands[i].name) != 0)
			continue;
		argv[0] = (char *)validate_program; /* for messages of getopt_long() */
		optind = 0; /* starts it anew */
		status = flushed(commands[i].run(v, argc, argv));
		if (!print_findings(&v->findings, v->inputs.at, v->inputs.n, &v->diags, &v->sources))
			status = VALIDATE_FAILED;
		return status == VALIDATE_GOOD && v->diags.errors ? VALIDATE_FINDINGS : status;
	}
	return validate_complain("there is no command", argv[0]);
}

static enum validate_status act(struct validate *v, int argc, char **argv)
{
	static const struct option long_options[] = {VALIDATE_OPTIONS, {0}};
	int option;

	while ((option = getopt_long(argc, argv, "+" VALIDATE_LETTERS, long_options, NULL)) != -1)
		if (!validate_option(v, option))
			return VALIDATE_FAILED;
	if (v->findings.list_checks)
		checks_list(checks_all(), stdout);
	else if (v->findings.explain)
		check_explain(checks_all(), v->findings.explain, stdout);
	else if (optind < argc)
		return run(v, argc - optind, argv + optind);
	else
		return validate_complain("no command is given (see --help)", NULL);
	return flushed(VALIDATE_GOOD);
}

int main(int argc, char **argv)
{
	struct validate v = {
		.findings = {.program = validate_program}, .load = {.program = validate_program}, .threads = 1,
	};
	enum validate_status status = VALIDATE_GOOD;
	bool help = false;

	heap_in_huge_pages();
	signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, to be reported */
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		help |= !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
	if (help)
		print_usage(stdout);
	else
		status = act(&v, argc, argv);
	validate_free(&v);
	return (int)(help ? flushed(status) : status);
}
