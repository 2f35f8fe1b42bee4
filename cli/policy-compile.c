/* policy-compile: policy source → IR → checked → binary policydb.
 *
 * The map: options, then load, parse, compile, write, verify, rename.  Options,
 * exit codes and the form of -V are checkpolicy's. */
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backend/policydb.h"
#include "base/atom.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/output.h"
#include "base/source.h"
#include "cli/stats.h"
#include "ir/ir.h"
#include "lexer/lexer.h"
#include "parser/parser.h"

static const char program[] = "policy-compile";

enum { DEFAULT_MAX_ERRORS = 20 };

struct options {
	struct ir_options ir;
	const char *input, *output; /* output NULL: check only */
	uint32_t version;           /* 0: the newest of the target */
	uint32_t max_errors;
	bool verify, stats, dump_ir;
	bool show_version, show_help;
};

enum { OPT_CANONICAL = 256, OPT_VERIFY, OPT_STATS, OPT_DUMP_IR, OPT_MAX_ERRORS };

static const struct option long_options[] = {
	{"binary", no_argument, NULL, 'b'},
	{"conf", no_argument, NULL, 'F'},
	{"cil", no_argument, NULL, 'C'},
	{"debug", no_argument, NULL, 'd'},
	{"handle-unknown", required_argument, NULL, 'U'},
	{"mls", no_argument, NULL, 'M'},
	{"disable-neverallow", no_argument, NULL, 'N'},
	{"output", required_argument, NULL, 'o'},
	{"sort", no_argument, NULL, 'S'},
	{"target", required_argument, NULL, 't'},
	{"optimize", no_argument, NULL, 'O'},
	{"werror", no_argument, NULL, 'E'},
	{"version", no_argument, NULL, 'V'},
	{"line-marker-for-allow", no_argument, NULL, 'L'},
	{"help", no_argument, NULL, 'h'},
	{"canonical", no_argument, NULL, OPT_CANONICAL},
	{"verify", no_argument, NULL, OPT_VERIFY},
	{"stats", no_argument, NULL, OPT_STATS},
	{"dump-ir", no_argument, NULL, OPT_DUMP_IR},
	{"max-errors", required_argument, NULL, OPT_MAX_ERRORS},
	{0},
};

static void print_usage(void)
{
	printf("usage: %s [options] [input]\n"
	       "\n"
	       "Compiles SELinux policy source (default policy.conf, - for standard input).\n"
	       "\n"
	       "  -o, --output FILE          write the binary policy (- for standard output);\n"
	       "                             without it the policy is only checked\n"
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
	       "  -V, --version              print the policy versions\n"
	       "  -h, --help                 print this help\n",
	       program, DEFAULT_MAX_ERRORS);
}

static bool complain(const char *what, const char *value)
{
	fprintf(stderr, "%s: error: %s%s%s [usage]\n", program, what, value ? ": " : "", value ? value : "");
	return false;
}

static bool parse_number(const char *text, uint32_t *ret_number)
{
	unsigned long n;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	n = strtoul(text, &end, 10);
	if (*end || n > INT32_MAX)
		return false;
	*ret_number = (uint32_t)n;
	return true;
}

static bool parse_unknown(const char *text, enum policy_unknown *ret_unknown)
{
	static const struct { const char *name; enum policy_unknown value; } values[] = {
		{"deny", POLICY_UNKNOWN_DENY}, {"reject", POLICY_UNKNOWN_REJECT}, {"allow", POLICY_UNKNOWN_ALLOW},
	};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		if (!strcasecmp(text, values[i].name)) {
			*ret_unknown = values[i].value;
			return true;
		}
	}
	return complain("--handle-unknown takes deny, reject or allow", text);
}

static bool parse_target(const char *text, enum policy_target *ret_target)
{
	if (!strcasecmp(text, "selinux"))
		*ret_target = POLICY_SELINUX;
	else if (!strcasecmp(text, "xen"))
		*ret_target = POLICY_XEN;
	else
		return complain("--target takes selinux or xen", text);
	return true;
}

static bool parse_option(struct options *o, int option)
{
	switch (option) {
	case 'U':
		return parse_unknown(optarg, &o->ir.handle_unknown);
	case 't':
		return parse_target(optarg, &o->ir.target);
	case 'c':
		return parse_number(optarg, &o->version) && o->version ? true : complain("-c takes a policy version", optarg);
	case OPT_MAX_ERRORS:
		return parse_number(optarg, &o->max_errors) ? true : complain("--max-errors takes a number", optarg);
	case 'M': o->ir.mls = true; return true;
	case 'N': o->ir.no_neverallow = true; return true;
	case 'E': o->ir.warnings_are_errors = true; return true;
	case 'O': o->ir.optimize = true; return true;
	case 'S': o->ir.sort = true; return true;
	case 'o': o->output = optarg; return true;
	case 'V': o->show_version = true; return true;
	case OPT_CANONICAL: o->ir.canonical = true; return true;
	case OPT_VERIFY: o->verify = true; return true;
	case OPT_STATS: o->stats = true; return true;
	case OPT_DUMP_IR: o->dump_ir = true; return true;
	case 'h': o->show_help = true; return true;
	case 'b': return complain("this version reads policy source only; -b (binary input) is not supported", NULL);
	case 'F': return complain("this version does not write policy source (-F)", NULL);
	case 'C': return complain("this version does not write CIL (-C)", NULL);
	case 'L': return complain("--line-marker-for-allow goes with -C, which this version does not have", NULL);
	case 'd': return complain("there is no interactive menu (-d)", NULL);
	default:
		print_usage();
		return false;
	}
}

/* False: exit with status 1. */
static bool parse_arguments(struct options *o, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "bFCdU:MNo:St:OEVLhc:", long_options, NULL)) != -1)
		if (!parse_option(o, option))
			return false;
	if (o->show_help || argc - optind > 1) {
		print_usage();
		return false;
	}
	o->input = optind < argc ? argv[optind] : "policy.conf";
	if (o->dump_ir && o->output && !strcmp(o->output, "-"))
		return complain("--dump-ir and -o - both want standard output", NULL);
	return true;
}

static uint32_t or_never(uint32_t version)
{
	return version ? version : UINT32_MAX;
}

/* When nothing is written, no version is too old. */
static void set_limits(struct options *o)
{
	if (!o->output && !o->verify)
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

static bool dump(const struct policy *policy)
{
	struct buffer text = {0};
	bool good;

	ir_dump(policy, &text);
	good = fwrite(text.at, 1, text.n, stdout) == text.n && !fflush(stdout);
	buffer_free(&text);
	return good || complain("cannot write to standard output", NULL);
}

static bool emit(const struct options *o, const struct policy *policy, struct diags *diags, struct stats *stats)
{
	struct buffer image = {0};
	bool good = true;

	if (o->dump_ir)
		good = dump(policy);
	if (o->output || o->verify) {
		good = good && policydb_write(policy, o->version, &image, diags);
		stats_pass(stats, "write");
	}
	if (good && o->verify) {
		good = policydb_verify(&image, diags);
		stats_pass(stats, "verify");
	}
	if (good && o->output) {
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

static int run(const struct options *o)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct stats stats;
	struct policy *policy;
	bool good;

	stats_start(&stats);
	policy = compile(o, &sources, &diags, &stats);
	good = policy && emit(o, policy, &diags, &stats);
	diags_print(&diags, &sources, program, o->max_errors, stderr);
	if (o->stats)
		stats_print(&stats, policy, &sources, stderr);
	policy_free(policy);
	diags_free(&diags);
	sources_free(&sources);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct options options = {.max_errors = DEFAULT_MAX_ERRORS};

	signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, to be reported */
	if (!parse_arguments(&options, argc, argv) || !check_version(&options))
		return 1;
	if (options.show_version) {
		printf("%u (compatibility range %u-%u)\n", options.version, policydb_newest(options.ir.target),
		       policydb_oldest(options.ir.target));
		return 0;
	}
	return run(&options);
}
