#include "cli/package.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "backend/module.h"
#include "backend/package.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/output.h"
#include "cli/diagnostics.h"
#include "cli/finding_options.h"

static const char program[] = "module-compile";

struct package_options {
	const char *inputs[PACKAGE_SECTIONS]; /* or NULL */
	const char *output;
	bool help;
	struct finding_options findings;
};

static void print_usage(FILE *out)
{
	fprintf(out,
		"usage: %s --package -o PACKAGE -m MODULE [-f FILE] [-s FILE] [-u FILE] [-n FILE]\n"
		"\n"
		"  -o, --outfile FILE         the package to write (- for standard output)\n"
		"  -m, --module FILE          its module, a binary\n"
		"  -f, --fc FILE              file contexts\n"
		"  -s, --seuser FILE          seusers, of a base\n"
		"  -u, --user_extra FILE      user_extra, of a base\n"
		"  -n, --nc FILE              netfilter contexts\n"
		"  -h, --help                 print this help\n"
		"\n"
		"Options about findings are those of %s; a file that is empty is left out.\n",
		program, program);
}

/* ---- options ---- */

/* Each can be given once. */
static bool take(const char **value, const char *what)
{
	if (*value)
		return usage_complain(program, "given twice", what);
	*value = optarg;
	return true;
}

static bool take_option(struct package_options *o, int option)
{
	switch (option) {
	case 'o':
		return take(&o->output, "-o");
	case 'm':
		return take(&o->inputs[PACKAGE_MODULE], "-m");
	case 'f':
		return take(&o->inputs[PACKAGE_FILE_CONTEXTS], "-f");
	case 's':
		return take(&o->inputs[PACKAGE_SEUSERS], "-s");
	case 'u':
		return take(&o->inputs[PACKAGE_USER_EXTRA], "-u");
	case 'n':
		return take(&o->inputs[PACKAGE_NETFILTER], "-n");
	case 'h':
		o->help = true;
		return true;
	default:
		return is_finding_option(option) && finding_option(&o->findings, option, optarg);
	}
}

static bool parse_options(struct package_options *o, int argc, char **argv)
{
	static const struct option long_options[] = {
		{"outfile", required_argument, NULL, 'o'}, {"module", required_argument, NULL, 'm'},
		{"fc", required_argument, NULL, 'f'}, {"seuser", required_argument, NULL, 's'},
		{"user_extra", required_argument, NULL, 'u'}, {"nc", required_argument, NULL, 'n'},
		{"help", no_argument, NULL, 'h'}, FINDING_OPTIONS, {0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "o:m:f:s:u:n:hW:", long_options, NULL)) != -1)
		if (!take_option(o, option))
			return false;
	if (o->help)
		return true;
	if (optind < argc)
		return usage_complain(program, "--package takes no further argument", argv[optind]);
	if (!o->output || !o->inputs[PACKAGE_MODULE])
		return usage_complain(program, "--package takes -o and -m", NULL);
	return true;
}

/* ---- the package ---- */

static bool check_module(const char *path, const struct buffer *file, bool only_base, struct diags *diags)
{
	uint32_t version;
	struct module *module = module_read(file->at, file->n, path, &version, diags);
	bool good = module && module_validate(module, version, path, diags);

	if (good && only_base && !module->base) {
		diag_error(diags, "base-section", LOC_NONE,
			   "`%s` is module `%s`, and only the package of a base has seusers or user_extra", path, module->name);
		good = false;
	}
	module_free(module);
	return good;
}

/* Some of a file that is empty is nothing. */
static bool load_parts(const struct package_options *o, struct buffer files[PACKAGE_SECTIONS], struct package *package,
		       struct diags *diags)
{
	bool good = true;

	for (int i = 0; i < PACKAGE_SECTIONS; i++) {
		if (!o->inputs[i])
			continue;
		good &= file_load(o->inputs[i], &files[i], diags);
		if (files[i].n)
			package->parts[i] = (struct package_part){files[i].at, files[i].n};
	}
	return good;
}

static bool make(const struct package_options *o, struct diags *diags)
{
	struct buffer files[PACKAGE_SECTIONS] = {0}, image = {0};
	struct package package = {0};
	bool good = load_parts(o, files, &package, diags), only_base;

	only_base = package.parts[PACKAGE_SEUSERS].at || package.parts[PACKAGE_USER_EXTRA].at;
	good = good && check_module(o->inputs[PACKAGE_MODULE], &files[PACKAGE_MODULE], only_base, diags) &&
	       package_write(&package, &image, diags) && output_write(o->output, image.at, image.n, diags);
	buffer_free(&image);
	for (int i = 0; i < PACKAGE_SECTIONS; i++)
		buffer_free(&files[i]);
	return good;
}

static int run(const struct package_options *o)
{
	struct sources sources = {0};
	struct diags diags = {0};
	bool good;

	finding_options_apply(&o->findings, &diags);
	good = make(o, &diags) && !diags.errors;
	good &= print_findings(&o->findings, &o->inputs[PACKAGE_MODULE], 1, &diags, &sources);
	diags_free(&diags);
	return good ? 0 : 1;
}

int package_main(int argc, char **argv)
{
	struct package_options o = {.findings = {.program = program, .max_errors = 20}};
	int status = 1;

	if (parse_options(&o, argc, argv)) {
		if (o.help)
			print_usage(stdout);
		status = o.help ? fflush(stdout) != 0 : run(&o);
	}
	finding_options_free(&o.findings);
	return status;
}
