#include "base/check.h"

#include <stdlib.h>
#include <string.h>

static int compare_name(const void *name, const void *check)
{
	return strcmp(name, ((const struct check *)check)->name);
}

const struct check *check_find(struct check_table table, const char *name)
{
	return table.n ? bsearch(name, table.at, table.n, sizeof *table.at, compare_name) : NULL;
}
