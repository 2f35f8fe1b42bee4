#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

bool file_load(const char *path, struct buffer *ret, struct diags *diags)
{
	bool standard = !strcmp(path, "-");
	FILE *file = standard ? stdin : fopen(path, "rb");
	bool good = file != NULL;
	size_t n;

	while (good) {
		buffer_reserve(ret, ret->n + CHUNK);
		n = fread(ret->at + ret->n, 1, ret->cap - ret->n, file);
		ret->n += n;
		if (!n)
			break;
	}
	if (!file)
		diag_error(diags, "file-open", LOC_NONE, "cannot open `%s`: %s", path, strerror(errno));
	else if (ferror(file))
		diag_error(diags, "file-read", LOC_NONE, "cannot read `%s`: %s", path, strerror(errno));
	good = file && !ferror(file);
	if (file && !standard)
		fclose(file);
	return good;
}
