#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backend/policydb.h"
#include "checks/checks.h"
#include "cli/compiler_options.h"
#include "cli/number.h"
#include "ir/text.h"

static const char program[] = "policy-compile";

enum { OPT_CANONICAL = 256, OPT_VERIFY, OPT_STATS, OPT_DUMP_IR, OPT_REPORT, OPT_OPTIONAL_ALLOWED, OPT_KERNEL, OPT_LINK };

static const struct option long_options[] = {
	COMPILER_OPTIONS,
	{"debug", no_argument, NULL, 'd'},
	{"sort", no_argument, NULL, 'S'},
	{"target", required_argument, NULL, 't'},
	{"optimize", no_argument, NULL, 'O'},
	{"canonical", no_argument, NULL, OPT_CANONICAL},
	{"verify", no_argument, NULL, OPT_VERIFY},
	{"stats", no_argument, NULL, OPT_STATS},
	{"dump-ir", no_argument, NULL, OPT_DUMP_IR},
	{"report", required_argument, NULL, OPT_REPORT},
	{"optional-allowed", required_argument, NULL, OPT_OPTIONAL_ALLOWED},
	{"kernel", required_argument, NULL, OPT_KERNEL},
	{"link", no_argument, NULL, OPT_LINK},
	{0},
};

static void print_usage(void)
{
	printf("usage: %s [options] [input]\n"
	       "       %s [options] --link BASE [MODULE]...\n"
	       "\n"
	       "Compiles SELinux policy source (default policy.conf, - for standard input).\n"
	       "With -b, reads a binary policy (default policy) and writes it again.\n"
	       "With --link, makes one policy of a base and modules.\n"
	       "\n"
	       "  -o, --output FILE          write the binary policy (- for standard output);\n"
	       "                             without it the policy is only checked\n"
	       "  -b, --binary               the input is a binary policy\n"
	       "      --link                 the inputs are a base and modules\n"
	       "  -F, --conf                 write policy source; goes with -b\n"
	       "  -C, --cil                  write CIL\n"
	       "  -c VERSION                 policy version to write, default the newest\n"
	       "  -M, --mls                  the policy is MLS\n"
	       "  -t, --target selinux|xen   platform, default selinux\n"
	       "  -U, --handle-unknown deny|reject|allow\n"
	       "                             what the kernel does with classes and permissions\n"
	       "                             that the policy does not define, default deny\n"
	       "  -E, --werror               warnings about the source are errors\n"
	       "  -N, --disable-neverallow   skip neverallow, bounds and hierarchy checks\n"
	       "  -O, --optimize             remove redundant rules\n"
	       "  -S, --sort                 sort labelling records\n"
	       "      --canonical            make the output independent of the order of the source\n"
	       "      --verify               read the image back through libsepol first\n"
	       "      --dump-ir              print the compiled policy as text\n"
	       "      --stats                print counts, and the time of each pass\n"
	       "      --max-errors N         print at most N errors, 0 for all (default %d)\n"
	       "      --format text|json|sarif|junit\n"
	       "                             how the findings are printed\n"
	       "      --diagnostics FILE     write the findings to FILE, in the format of --format, and\n"
	       "                             as text to standard error\n"
	       "      --color[=auto|always|never]\n"
	       "                             colour the text, default on a terminal\n"
	       "  -W NAME                    give the warnings of a check (all are given by default)\n"
	       "  -W no-NAME                 do not give them\n"
	       "  -W error=NAME              make them errors\n"
	       "  -W no-error=NAME           make them warnings, also with -E; the errors of some checks, too\n"
	       "      --report optional|version\n"
	       "                             tell which optional blocks are off and why, or which\n"
	       "                             version the policy needs and why\n"
	       "      --optional-allowed FILE\n"
	       "                             symbols that optional blocks may miss\n"
	       "      --kernel PROFILE       tell what a kernel would refuse, deny or ignore\n"
	       "      --list-checks          print the names of the checks\n"
	       "      --explain NAME         print what a check means, with examples\n"
	       "  -V, --version              print the policy versions\n"
	       "  -h, --help                 print this help\n",
	       program, program, DEFAULT_MAX_ERRORS);
}

bool usage_error(const char *what, const char *value)
{
	return usage_complain(program, what, value);
}

static bool parse_unknown(const char *text, enum policy_unknown *ret_unknown)
{
	return unknown_of_text(text, ret_unknown) || usage_error("--handle-unknown takes deny, reject or allow", text);
}

static bool parse_target(const char *text, enum policy_target *ret_target)
{
	if (!strcasecmp(text, "selinux"))
		*ret_target = POLICY_SELINUX;
	else if (!strcasecmp(text, "xen"))
		*ret_target = POLICY_XEN;
	else
		return usage_error("--target takes selinux or xen", text);
	return true;
}

static bool parse_report(struct options *o, const char *text)
{
	if (!strcmp(text, "optional"))
		o->ir.report_optionals = true;
	else if (!strcmp(text, "version"))
		o->report_version = true;
	else
		return usage_error("--report takes optional or version", text);
	return true;
}

static bool parse_option(struct options *o, int option)
{
	switch (option) {
	case 'U':
		o->unknown_given = true;
		return parse_unknown(optarg, &o->ir.handle_unknown);
	case 't':
		return parse_target(optarg, &o->ir.target);
	case 'c':
		return parse_number(optarg, &o->version) && o->version ? true : usage_error("-c takes a policy version", optarg);
	case OPT_REPORT:
		return parse_report(o, optarg);
	case 'M': o->ir.mls = true; return true;
	case 'N': o->ir.no_neverallow = true; return true;
	case 'E': o->ir.warnings_are_errors = true; return true;
	case 'O': o->ir.optimize = true; return true;
	case 'S': o->ir.sort = true; return true;
	case 'o': o->output = optarg; return true;
	case 'V': o->show_version = true; return true;
	case OPT_LINK: o->link = true; return true;
	case OPT_CANONICAL: o->ir.canonical = true; return true;
	case OPT_VERIFY: o->verify = true; return true;
	case OPT_STATS: o->stats = true; return true;
	case OPT_DUMP_IR: o->dump_ir = true; return true;
	case OPT_OPTIONAL_ALLOWED: o->optional_allowed = optarg; return true;
	case OPT_KERNEL: o->kernel = optarg; return true;
	case 'h': o->show_help = true; return true;
	case 'b': o->binary = true; return true;
	case 'F': o->conf = true; return true;
	case 'C': o->cil = true; return true;
	case 'L': return usage_error("the rules of -C have been merged and have no line (-L): module-compile -C -L writes them as they stand", NULL);
	case 'd': return usage_error("there is no interactive menu (-d)", NULL);
	default:
		print_usage();
		return false;
	}
}

/* The ways of -b, -F and -C are checkpolicy's. */
static bool check_forms(const struct options *o)
{
	if (o->link && o->binary)
		return usage_error("--link finds out what is binary: -b does not go with it", NULL);
	if (o->link && !o->ninputs)
		return usage_error("--link wants a base and modules", NULL);
	if (o->conf && o->cil)
		return usage_error("-F and -C exclude each other", NULL);
	if (o->conf && !o->binary)
		return usage_error("-F goes with -b", NULL);
	if (o->cil && !o->output)
		return usage_error("-C needs -o", NULL);
	if (o->verify && (o->conf || o->cil))
		return usage_error("--verify reads an image back, and -F and -C write none", NULL);
	return true;
}

/* A check that is silent by itself speaks when it is asked to, in any way. */
static void ask_checks(struct options *o)
{
	for (uint32_t i = 0; i < o->findings.settings.n; i++)
		if (!strcmp(o->findings.settings.at[i].check, "optional-dropped") && o->findings.settings.at[i].level != DIAG_SILENT)
			o->ir.report_optionals = true;
	if (o->optional_allowed)
		o->ir.report_optionals = true;
}

static bool parse_arguments(struct options *o, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "bFCdU:MNo:St:OEVLhc:W:", long_options, NULL)) != -1)
		if (is_finding_option(option) ? !finding_option(&o->findings, option, optarg) : !parse_option(o, option))
			return false;
	if (o->show_help || (!o->link && argc - optind > 1)) {
		print_usage();
		return false;
	}
	ask_checks(o);
	if (o->kernel && o->ir.target == POLICY_XEN)
		return usage_error("--kernel is about Linux, and the target is Xen", NULL);
	o->input = optind < argc ? argv[optind] : o->binary ? "policy" : "policy.conf";
	o->inputs = argv + optind;
	o->ninputs = (uint32_t)(argc - optind);
	if (o->dump_ir && o->output && !strcmp(o->output, "-"))
		return usage_error("--dump-ir and -o - both want standard output", NULL);
	return check_forms(o);
}

static uint32_t or_never(uint32_t version)
{
	return version ? version : UINT32_MAX;
}

/* When nothing is written, no version is too old. */
static void set_limits(struct options *o)
{
	if (o->cil || (!o->output && !o->verify))
		return;
	o->ir.limits = (struct ir_limits){
		.version = o->version,
		.xperms = or_never(policydb_xperms_since(o->ir.target, false)),
		.cond_xperms = or_never(policydb_xperms_since(o->ir.target, true)),
	};
}

/* Versions are gaps and all: Xen has two. */
static bool check_version(struct options *o)
{
	enum policy_target target = o->ir.target;

	o->version_given = o->version != 0;
	if (o->binary && !o->show_version)
		return true; /* the input says which target: binary_version() */
	if (!o->version)
		o->version = policydb_newest(target);
	if (policydb_version_known(target, o->version)) {
		set_limits(o);
		return true;
	}
	fprintf(stderr, "%s: error: there is no policy version %u for %s; known are", program, o->version,
		target == POLICY_XEN ? "xen" : "selinux");
	for (uint32_t v = policydb_oldest(target); v <= policydb_newest(target); v++)
		if (policydb_version_known(target, v))
			fprintf(stderr, " %u", v);
	fputs(" [usage]\n", stderr);
	return false;
}

bool options_parse(struct options *options, int argc, char **argv)
{
	*options = (struct options){.findings = {.program = program, .max_errors = DEFAULT_MAX_ERRORS}};
	return parse_arguments(options, argc, argv) && check_version(options);
}

void options_limit_version(struct options *options, uint32_t newest)
{
	if (options->version_given || (options->version && options->version <= newest) || !policydb_version_known(options->ir.target, newest))
		return;
	options->version = newest;
	set_limits(options);
}

void options_free(struct options *options)
{
	finding_options_free(&options->findings);
}
