#include "cli/module_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "backend/module.h"
#include "cli/compiler_options.h"
#include "cli/number.h"
#include "ir/text.h"

static const char program[] = "module-compile";

enum { OPT_REPORT = 256 };

static const struct option long_options[] = {
	COMPILER_OPTIONS,
	{"report", required_argument, NULL, OPT_REPORT},
	{0},
};

static void print_usage(void)
{
	printf("usage: %s [options] [input]\n"
	       "       %s --package -o PACKAGE -m MODULE [-f FILE] [-s FILE] [-u FILE] [-n FILE]\n"
	       "\n"
	       "Compiles the source of a base module (default policy.conf, - for standard input),\n"
	       "or with -m of a policy module, to a binary module.\n"
	       "\n"
	       "  -m                         the source is a module: it begins with `module NAME VERSION;`\n"
	       "  -o, --output FILE          write the binary module, with -m to a file of its name\n"
	       "                             (- for standard output); without it the source is only\n"
	       "                             checked\n"
	       "  -b, --binary               the input is a binary module, or a package with one\n"
	       "  -F, --conf                 write the source of the module; goes with -b\n"
	       "  -C, --cil                  write CIL\n"
	       "  -L, --line-marker-for-allow\n"
	       "                             with -C: mark the lines of allow and neverallow rules\n"
	       "  -c VERSION                 module version to write, %u to %u, default the newest;\n"
	       "                             lowest: the lowest that loses nothing\n"
	       "  -M, --mls                  the policy is MLS\n"
	       "  -U, --handle-unknown deny|reject|allow\n"
	       "                             of a base: what the kernel does with classes and\n"
	       "                             permissions that the policy does not define, default deny\n"
	       "  -E, --werror               warnings about the source are errors\n"
	       "  -N, --disable-neverallow   of a base: skip neverallow, bounds and hierarchy checks\n"
	       "      --report version       tell which version the module needs and why\n"
	       "      --max-errors N         print at most N errors, 0 for all (default %d)\n"
	       "      --format text|json|sarif|junit\n"
	       "                             how the findings are printed\n"
	       "      --diagnostics FILE     write the findings to FILE, in the format of --format, and\n"
	       "                             as text to standard error\n"
	       "      --color[=auto|always|never]\n"
	       "                             colour the text, default on a terminal\n"
	       "  -W NAME, no-NAME, error=NAME, no-error=NAME\n"
	       "                             give a warning, do not, or as an error; not as an error\n"
	       "      --list-checks          print the names of the checks\n"
	       "      --explain NAME         print what a check means, with examples\n"
	       "  -V, --version              print the module versions\n"
	       "  -h, --help                 print this help\n",
	       program, program, module_oldest(), module_newest(), DEFAULT_MAX_ERRORS);
}

static bool complain(const char *what, const char *value)
{
	return usage_complain(program, what, value);
}

static bool parse_unknown(struct module_options *o, const char *text)
{
	if (!unknown_of_text(text, &o->ir.handle_unknown))
		return complain("--handle-unknown takes deny, reject or allow", text);
	o->unknown_given = o->ir.handle_unknown != POLICY_UNKNOWN_DENY;
	return true;
}

static bool parse_version(struct module_options *o, const char *text)
{
	o->version = 0;
	if (!strcmp(text, "lowest"))
		return true;
	if (parse_number(text, &o->version) && o->version >= module_oldest() && o->version <= module_newest())
		return true;
	fprintf(stderr, "%s: error: -c takes a module version from %u to %u, or lowest: %s [usage]\n", program, module_oldest(),
		module_newest(), text);
	return false;
}

static bool parse_option(struct module_options *o, int option)
{
	if (is_finding_option(option))
		return finding_option(&o->findings, option, optarg);
	switch (option) {
	case 'U': return parse_unknown(o, optarg);
	case 'c': return parse_version(o, optarg);
	case OPT_REPORT:
		o->report_version = true;
		return !strcmp(optarg, "version") || complain("--report takes version", optarg);
	case 'M': o->ir.mls = true; return true;
	case 'N': o->ir.no_neverallow = true; return true;
	case 'E': o->ir.warnings_are_errors = true; return true;
	case 'm': o->module = true; return true;
	case 'b': o->binary = true; return true;
	case 'F': o->conf = true; return true;
	case 'o': o->output = optarg; return true;
	case 'V': o->show_version = true; return true;
	case 'h': o->show_help = true; return true;
	case 'C': o->cil = true; return true;
	case 'L': o->marks = true; return true;
	default:
		print_usage();
		return false;
	}
}

static bool check_combination(const struct module_options *o)
{
	if (o->unknown_given && o->module)
		return complain("what is unknown is handled by the base: -U does not go with -m", NULL);
	if (o->conf && !o->binary)
		return complain("-F writes the source of a binary module: it goes with -b", NULL);
	if (o->conf && o->cil)
		return complain("-F and -C exclude each other", NULL);
	if (o->marks && !o->cil)
		return complain("-L marks lines in the CIL of -C, and needs it", NULL);
	if (o->cil && !o->output)
		return complain("-C needs -o", NULL);
	if (o->binary && o->module)
		return complain("-b says of itself what it is: it does not go with -m", NULL);
	return true;
}

bool module_options_parse(struct module_options *options, int argc, char **argv)
{
	int option;

	*options = (struct module_options){
		.version = module_newest(),
		.findings = {.program = program, .max_errors = DEFAULT_MAX_ERRORS},
	};
	while ((option = getopt_long(argc, argv, "bFCU:MNmo:EVLhc:W:", long_options, NULL)) != -1)
		if (!parse_option(options, option))
			return false;
	if (options->show_help || argc - optind > 1) {
		print_usage();
		return false;
	}
	options->input = optind < argc ? argv[optind] : options->binary ? "policy" : "policy.conf";
	return check_combination(options);
}

void module_options_free(struct module_options *options)
{
	finding_options_free(&options->findings);
}
