#include <stdio.h>

#include "base/json_out.h"
#include "cli/query.h"
#include "query/query.h"

static void print_text(const char *path, const struct policy *policy, uint32_t version)
{
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_info(policy, counts);

	printf("Policy:         %s\n", path);
	if (version)
		printf("Version:        %u\n", version);
	printf("MLS:            %s\n", policy->mls ? "enabled" : "disabled");
	printf("Target:         %s\n", query_target_name(policy));
	printf("Handle unknown: %s\n", query_unknown_name(policy));
	for (uint32_t i = 0; i < n; i++) {
		int width = 18 - printf("%s%s:", i % 2 ? "    " : "  ", counts[i].title) + i % 2 * 2;

		printf("%*s%8u%s", width, "", counts[i].n, i % 2 || i + 1 == n ? "\n" : "");
	}
}

static void print_json(const char *path, const struct policy *policy, uint32_t version)
{
	json_t *info = json_new_object(), *values = json_new_object();
	struct query_count counts[QUERY_MAX_COUNTS];
	uint32_t n = query_info(policy, counts);

	json_put_string(info, "policy", path);
	if (version)
		json_put_number(info, "version", version);
	json_put(info, "mls", json_boolean(policy->mls));
	json_put_string(info, "target", query_target_name(policy));
	json_put_string(info, "handle_unknown", query_unknown_name(policy));
	for (uint32_t i = 0; i < n; i++)
		json_put_number(values, counts[i].key, counts[i].n);
	json_put(info, "counts", values);
	json_print(info, stdout);
}

enum query_status query_info_main(int argc, char **argv)
{
	static const struct option long_options[] = {QUERY_OPTIONS, {0}};
	struct query_options o = {.load = {.program = query_program}};
	struct policy *policy;
	uint32_t version;
	int option;

	while ((option = getopt_long(argc, argv, "Mh", long_options, NULL)) != -1) {
		if (!query_option(&o, option))
			return QUERY_FAILED;
	}
	if (argc - optind != 1)
		return query_complain("info takes one policy", NULL);
	policy = load_policy(argv[optind], &o.load, &version);
	if (!policy)
		return QUERY_FAILED;
	(o.json ? print_json : print_text)(argv[optind], policy, version);
	policy_free(policy);
	return query_finish(QUERY_DONE);
}
