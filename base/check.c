#include "base/check.h"

#include <string.h>

bool check_find(struct check_table table, const char *name, struct check *ret_check)
{
	uint32_t low = 0, high = table.n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order;

		*ret_check = table.get(middle);
		order = strcmp(name, ret_check->name);
		if (!order)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}
