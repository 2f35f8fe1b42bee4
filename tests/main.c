/* unit-tests [SUITE]...: runs the suites named, or all. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tests/suites.h"

static const struct {
	const char *name;
	void (*add)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "tests/suites.def"
#undef SUITE
};

enum { NSUITES = sizeof suites / sizeof *suites };

static bool add_suite(const char *name)
{
	for (size_t i = 0; i < NSUITES; i++) {
		if (!strcmp(suites[i].name, name)) {
			suites[i].add();
			return true;
		}
	}
	fprintf(stderr, "unit-tests: no suite %s; there are:", name);
	for (size_t i = 0; i < NSUITES; i++)
		fprintf(stderr, " %s", suites[i].name);
	fputc('\n', stderr);
	return false;
}

static bool add_suites(int n, char **names)
{
	if (!n) {
		for (size_t i = 0; i < NSUITES; i++)
			suites[i].add();
	}
	for (int i = 0; i < n; i++) {
		if (!add_suite(names[i]))
			return false;
	}
	if (CU_get_error() != CUE_SUCCESS) {
		fprintf(stderr, "unit-tests: cannot add a test: %s\n", CU_get_error_msg());
		return false;
	}
	return true;
}

/* A run of nothing is no success. */
static bool run(void)
{
	CU_basic_set_mode(CU_BRM_NORMAL);
	return CU_basic_run_tests() == CUE_SUCCESS && CU_get_number_of_tests_run() > 0 &&
	       CU_get_number_of_failure_records() == 0;
}

int main(int argc, char **argv)
{
	bool good;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	good = add_suites(argc - 1, argv + 1) && run();
	CU_cleanup_registry();
	return good ? 0 : 1;
}
