#include <stdio.h>

#include "base/diag.h"
#include "base/source.h"
#include "cli/query.h"
#include "kernel/profile.h"

static const char selinuxfs[] = "/sys/fs/selinux";

static bool probe(const char *directory, const char *log, struct buffer *out)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct kernel_profile profile = {0};
	const struct source *source = log ? sources_load(&sources, log, &diags) : NULL;
	bool good = (!log || source) && kernel_profile_probe(&profile, directory, source, &diags);

	if (good)
		kernel_profile_write(&profile, out);
	diags_print(&diags, &sources, query_program, 0, stderr);
	kernel_profile_free(&profile);
	diags_free(&diags);
	sources_free(&sources);
	return good;
}

enum query_status query_kernel_main(int argc, char **argv)
{
	static const struct option long_options[] = {{"log", required_argument, NULL, 'l'}, {0}};
	const char *log = NULL;
	struct buffer out = {0};
	enum query_status status = QUERY_FAILED;
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option != 'l')
			return QUERY_FAILED; /* getopt_long() said why */
		log = optarg;
	}
	if (argc - optind > 1)
		return query_complain("kernel-profile takes one directory", NULL);
	if (probe(optind < argc ? argv[optind] : selinuxfs, log, &out)) {
		fwrite(out.at, 1, out.n, stdout);
		status = query_finish(QUERY_DONE);
	}
	buffer_free(&out);
	return status;
}
