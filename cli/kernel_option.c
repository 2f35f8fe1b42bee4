#include "cli/kernel_option.h"

#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

/* The path of a profile: DIRECTORY/NAME when that is a file. */
static bool profile_in(const char *directory, const char *below, const char *name, struct buffer *path)
{
	path->n = 0;
	buffer_put(path, directory, strlen(directory));
	buffer_put(path, below, strlen(below));
	buffer_put(path, name, strlen(name) + 1);
	return access((const char *)path->at, R_OK) == 0;
}

static void report_unknown_profile(const char *name, struct diags *diags)
{
	diag_error(diags, "kernel-profile", LOC_NONE, "there is no file `%s`, nor a kernel profile of that name", name);
	diag_hint(diags, "--kernel takes a file, or the name of one in data/kernels or where those were installed");
}

bool kernel_load(struct kernel_profile *ret_profile, const char *name, struct sources *sources, struct diags *diags)
{
	const struct source *source;
	struct buffer path = {0};
	bool found = profile_in("", "", name, &path), plain = *name && !strchr(name, '/');

	found = found || (plain && profile_in(DATADIR, "/policy-compile/kernels/", name, &path));
	found = found || (plain && profile_in(SRCDIR, "/data/kernels/", name, &path));
	if (!found)
		report_unknown_profile(name, diags);
	source = found ? sources_load(sources, (const char *)path.at, diags) : NULL;
	buffer_free(&path);
	return source && kernel_profile_parse(ret_profile, source, diags);
}
