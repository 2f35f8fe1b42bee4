#include <stdio.h>

#include "backend/package.h"
#include "base/file.h"
#include "base/json_out.h"
#include "cli/load_module.h"
#include "cli/query.h"
#include "ir/text.h"
#include "query/query.h"

/* ---- counts ---- */

/* In two columns. */
static void print_counts(const struct query_count *counts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		int width = 18 - printf("%s%s:", i % 2 ? "    " : "  ", counts[i].title) + i % 2 * 2;

		printf("%*s%8u%s", width, "", counts[i].n, i % 2 || i + 1 == n ? "\n" : "");
	}
}

static void put_counts(json_t *info, const struct query_count *counts, uint32_t n)
{
	json_t *values = json_new_object();

	for (uint32_t i = 0; i < n; i++)
		json_put_number(values, counts[i].key, counts[i].n);
	json_put(info, "counts", values);
}

/* ---- policies ---- */

static void print_text(const char *path, const struct policy *policy, uint32_t version)
{
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_info(policy, counts);

	printf("Policy:         %s\n", path);
	if (version)
		printf("Version:        %u\n", version);
	printf("MLS:            %s\n", policy->mls ? "enabled" : "disabled");
	printf("Target:         %s\n", query_target_name(policy));
	printf("Handle unknown: %s\n", text_unknown(policy->handle_unknown));
	print_counts(counts, n);
}

static void print_json(const char *path, const struct policy *policy, uint32_t version)
{
	json_t *info = json_new_object();
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_info(policy, counts);

	json_put_string(info, "policy", path);
	if (version)
		json_put_number(info, "version", version);
	json_put(info, "mls", json_boolean(policy->mls));
	json_put_string(info, "target", query_target_name(policy));
	json_put_string(info, "handle_unknown", text_unknown(policy->handle_unknown));
	put_counts(info, counts, n);
	json_print(info, stdout);
}

/* ---- modules ---- */

static void print_module_text(const char *path, const struct module *module, uint32_t version,
			      const struct package *package)
{
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_module_info(module, counts);

	printf("%s%s\n", package->parts[PACKAGE_MODULE].at ? "Package:        " : "Module:         ", path);
	for (int i = 0; i < PACKAGE_SECTIONS; i++)
		if (package->parts[i].at)
			printf("  %-20s %zu bytes\n", package_section_name((enum package_section)i), package->parts[i].n);
	if (module->base)
		printf("Name:           (base)\n");
	else
		printf("Name:           %s\nModule version: %s\n", module->name, module->version);
	printf("Version:        %u\n", version);
	printf("MLS:            %s\n", module->policy->mls ? "enabled" : "disabled");
	if (module->base)
		printf("Handle unknown: %s\n", text_unknown(module->policy->handle_unknown));
	print_counts(counts, n);
}

static void put_sections(json_t *info, const struct package *package)
{
	json_t *sections = json_new_object();

	for (int i = 0; i < PACKAGE_SECTIONS; i++)
		if (package->parts[i].at)
			json_put_number(sections, package_section_key((enum package_section)i), package->parts[i].n);
	json_put(info, "sections", sections);
}

static void print_module_json(const char *path, const struct module *module, uint32_t version,
			      const struct package *package)
{
	json_t *info = json_new_object();
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_module_info(module, counts);

	json_put_string(info, "module", path);
	if (package->parts[PACKAGE_MODULE].at)
		put_sections(info, package);
	json_put(info, "base", json_boolean(module->base));
	if (!module->base) {
		json_put_string(info, "name", module->name);
		json_put_string(info, "module_version", module->version);
	}
	json_put_number(info, "version", version);
	json_put(info, "mls", json_boolean(module->policy->mls));
	if (module->base)
		json_put_string(info, "handle_unknown", text_unknown(module->policy->handle_unknown));
	put_counts(info, counts, n);
	json_print(info, stdout);
}

/* ---- either ---- */

static bool print_module(const char *path, const struct buffer *file, bool json, struct diags *diags)
{
	struct package package;
	uint32_t version;
	struct module *module = load_module(path, file, &version, &package, diags);

	if (!module)
		return false;
	(json ? print_module_json : print_module_text)(path, module, version, &package);
	module_free(module);
	return true;
}

static bool print_policy(const char *path, const struct buffer *file, const struct query_options *o,
			 struct sources *sources, struct diags *diags)
{
	uint32_t version;
	struct policy *policy = load_from_bytes(path, file, &o->load, &version, NULL, sources, diags);

	if (!policy)
		return false;
	(o->json ? print_json : print_text)(path, policy, version);
	policy_free(policy);
	return true;
}

static bool print_file(const char *path, const struct query_options *o)
{
	struct sources sources = {0};
	struct buffer file = {0};
	struct diags diags = {0};
	bool good = file_load(path, &file, &diags);
	enum image_kind kind = good ? image_kind(file.at, file.n) : IMAGE_OTHER;

	if (kind == IMAGE_MODULE || kind == IMAGE_PACKAGE)
		good = print_module(path, &file, o->json, &diags);
	else
		good = good && print_policy(path, &file, o, &sources, &diags);
	/* Of what can be read, only the answer is wanted. */
	if (!good)
		diags_print(&diags, &sources, query_program, LOAD_MAX_ERRORS, stderr);
	buffer_free(&file);
	diags_free(&diags);
	sources_free(&sources);
	return good;
}

enum query_status query_info_main(int argc, char **argv)
{
	static const struct option long_options[] = {QUERY_OPTIONS, {0}};
	struct query_options o = {.load = {.program = query_program}};
	int option;

	while ((option = getopt_long(argc, argv, "Mh", long_options, NULL)) != -1) {
		if (!query_option(&o, option))
			return QUERY_FAILED;
	}
	if (argc - optind != 1)
		return query_complain("info takes one policy, module or package", NULL);
	return print_file(argv[optind], &o) ? query_finish(QUERY_DONE) : QUERY_FAILED;
}
