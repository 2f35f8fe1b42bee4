/* The commands context, level and range. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/progress.h"
#include "cli/validate.h"
#include "validator/judge.h"

struct text_options {
	const char *file; /* or NULL: standard input, when there are no arguments */
	bool quiet;
};

static void show_progress(void *data, uint64_t lines)
{
	progress_show(data, lines);
}

/* ---- what is judged ---- */

static enum validate_status judge_arguments(struct validate *v, const struct judge *judge, char **arguments, int n)
{
	static const char *const inputs[] = {
		[JUDGE_CONTEXT] = "context", [JUDGE_LEVEL] = "level", [JUDGE_RANGE] = "range",
	};
	char name[32];

	*vec_push(&v->inputs) = inputs[judge->kind];
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "argument %d", i + 1);
		judge_text(judge, name, arguments[i], strlen(arguments[i]));
	}
	return VALIDATE_GOOD;
}

static enum validate_status judge_file(struct validate *v, struct judge *judge, const char *path)
{
	bool standard = !strcmp(path, "-"), good;
	const char *name = standard ? "<stdin>" : path;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct progress progress;

	if (fd < 0) {
		diag_error(&v->diags, "file-open", LOC_NONE, "cannot open `%s`: %s", path, strerror(errno));
		return VALIDATE_FAILED;
	}
	*vec_push(&v->inputs) = name;
	progress_start(&progress, validate_program, "lines");
	judge->progress = show_progress;
	judge->progress_data = &progress;
	good = judge_lines(judge, fd, name, v->threads);
	progress_end(&progress);
	if (!standard)
		close(fd);
	return good ? VALIDATE_GOOD : VALIDATE_FAILED;
}

/* ---- policies ---- */

static bool prepare(struct validate *v, struct judge_policy *policies, enum judge_kind kind)
{
	for (uint32_t i = 0; i < v->policies.n; i++) {
		const struct validate_policy *p = &v->policies.at[i];

		if (kind != JUDGE_CONTEXT && !p->policy->mls) {
			validate_complain("the policy has no levels, it is not MLS", p->path);
			return false;
		}
		policies[i].security = security_new(p->policy);
		policies[i].under = validate_under(v, i);
	}
	return true;
}

static enum validate_status run(struct validate *v, enum judge_kind kind, const struct text_options *o,
				char **arguments, int n)
{
	enum validate_status status = VALIDATE_FAILED;
	struct judge_policy *policies;

	if (validate_load(v, false) != LOAD_GOOD)
		return VALIDATE_FAILED;
	policies = mem_zalloc(v->policies.n, sizeof *policies);
	if (prepare(v, policies, kind)) {
		struct judge judge = {
			.kind = kind, .policies = policies, .npolicies = v->policies.n, .quiet = o->quiet,
			.json = v->findings.format == DIAG_JSON, .out = stdout,
			.sources = &v->sources, .diags = &v->diags,
		};

		status = n ? judge_arguments(v, &judge, arguments, n) : judge_file(v, &judge, o->file ? o->file : "-");
	}
	for (uint32_t i = 0; i < v->policies.n; i++)
		security_free((struct security *)policies[i].security);
	free(policies);
	return status;
}

/* ---- the commands ---- */

static bool policy_is_standard(const struct validate *v)
{
	for (uint32_t i = 0; i < v->policies.n; i++)
		if (!strcmp(v->policies.at[i].path, "-"))
			return true;
	return false;
}

static enum validate_status text_main(struct validate *v, enum judge_kind kind, int argc, char **argv)
{
	static const struct option long_options[] = {
		VALIDATE_OPTIONS, {"file", required_argument, NULL, 'f'}, {"quiet", no_argument, NULL, 'q'}, {0},
	};
	struct text_options o = {0};
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS "f:q", long_options, NULL)) != -1) {
		if (option == 'f')
			o.file = optarg;
		else if (option == 'q')
			o.quiet = true;
		else if (!validate_option(v, option))
			return VALIDATE_FAILED;
	}
	if (o.file && optind < argc)
		return validate_complain("there are arguments and a file (-f); give one or the other", NULL);
	if (optind == argc && (!o.file || !strcmp(o.file, "-")) && policy_is_standard(v))
		return validate_complain("the policy and the lines cannot both be standard input", NULL);
	return run(v, kind, &o, argv + optind, argc - optind);
}

enum validate_status validate_context_main(struct validate *v, int argc, char **argv)
{
	return text_main(v, JUDGE_CONTEXT, argc, argv);
}

enum validate_status validate_level_main(struct validate *v, int argc, char **argv)
{
	return text_main(v, JUDGE_LEVEL, argc, argv);
}

enum validate_status validate_range_main(struct validate *v, int argc, char **argv)
{
	return text_main(v, JUDGE_RANGE, argc, argv);
}
