#include "checks/checks.h"

#include <stddef.h>

static const struct check table[] = {
#include "checks/table.inc"
};

struct check_table checks_all(void)
{
	return (struct check_table){table, sizeof table / sizeof *table};
}
