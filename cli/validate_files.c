/* mls-validate files: file_contexts and its kin. */
#include <stdio.h>

#include "base/memory.h"
#include "cli/validate.h"
#include "validator/label_files.h"

enum { OPT_AS = OPT_COMMAND, OPT_LIST, OPT_LIST_KINDS };

static void list_kinds(void)
{
	const char *name, *patterns;

	for (uint32_t i = 0; label_kind_at(i, &name, &patterns); i++)
		printf("%-28s %s\n", name, patterns);
}

/* ---- --explain PATH ---- */

static void print_matches(struct validate *v, const struct label_result *result, const char *path)
{
	struct place_cursor cursor = {0};

	if (result->looked_up)
		printf("%s is looked up as %s\n", path, result->looked_up);
	if (!result->matches.n)
		printf("%s: no entry matches\n", path);
	for (uint32_t i = 0; i < result->matches.n; i++) {
		const struct label_match *m = &result->matches.at[i];
		struct place place = place_of(&v->sources, &cursor, m->loc.begin);

		printf("%.*s:%u: %s `%.*s`, for %s: `%.*s`\n", (int)place.file_len, place.file, place.line,
		       m->wins ? "wins:" : "loses:", (int)(m->loc.end - m->loc.begin), source_text(&v->sources, m->loc.begin),
		       m->types, (int)m->context_len, m->context);
		printf("    %s\n", m->why);
	}
}

/* ---- the command ---- */

static void check(struct validate *v, const struct label_options *options, char **paths, int npaths)
{
	struct label_policy *policies = mem_zalloc(v->policies.n, sizeof *policies);
	struct label_result result;

	for (uint32_t i = 0; i < v->policies.n; i++)
		policies[i] = (struct label_policy){validate_under(v, i), security_new(v->policies.at[i].policy)};
	label_files_check((const char *const *)paths, (uint32_t)npaths, options, policies, v->policies.n, &v->sources,
			  &v->diags, &result);
	if (options->match)
		print_matches(v, &result, options->match);
	for (uint32_t i = 0; i < result.files.n; i++)
		*vec_push(&v->inputs) = v->sources.files.at[result.files.at[i]].path;
	label_result_free(&result);
	for (uint32_t i = 0; i < v->policies.n; i++)
		security_free((struct security *)policies[i].security);
	free(policies);
}

static enum validate_status run(struct validate *v, const struct label_options *options, char **paths, int npaths)
{
	if (options->as && !label_kind_known(options->as))
		return validate_complain("there is no kind of label files", options->as);
	if (!npaths && !options->list)
		return validate_complain("files takes files or directories", NULL);
	if (validate_load(v, false) != LOAD_GOOD)
		return VALIDATE_FAILED;
	check(v, options, paths, npaths);
	return VALIDATE_GOOD;
}

enum validate_status validate_files_main(struct validate *v, int argc, char **argv)
{
	static const struct option long_options[] = {
		VALIDATE_OPTIONS, {"as", required_argument, NULL, OPT_AS}, {"list", required_argument, NULL, OPT_LIST},
		{"list-kinds", no_argument, NULL, OPT_LIST_KINDS}, {0},
	};
	struct label_options options = {0};
	bool kinds = false;
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS, long_options, NULL)) != -1) {
		switch (option) {
		case OPT_AS: options.as = optarg; break;
		case OPT_LIST: options.list = optarg; break;
		case OPT_LIST_KINDS: kinds = true; break;
		case OPT_EXPLAIN:
			/* No check has a slash in its name, and every path has. */
			if (*optarg == '/') {
				options.match = optarg;
				break;
			}
			/* fall through */
		default:
			if (!validate_option(v, option))
				return VALIDATE_FAILED;
		}
	}
	if (kinds) {
		list_kinds();
		return VALIDATE_GOOD;
	}
	return run(v, &options, argv + optind, argc - optind);
}
