#include "cli/number.h"

#include <errno.h>
#include <stdlib.h>

static bool parse(const char *text, int base, uint64_t most, uint64_t *ret_number)
{
	unsigned long long number;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, base);
	if (*end || errno || number > most)
		return false;
	*ret_number = number;
	return true;
}

bool parse_number(const char *text, uint32_t *ret_number)
{
	uint64_t number;

	if (!parse(text, 10, INT32_MAX, &number))
		return false;
	*ret_number = (uint32_t)number;
	return true;
}

bool parse_c_number(const char *text, uint64_t most, uint64_t *ret_number)
{
	return parse(text, 0, most, ret_number);
}
