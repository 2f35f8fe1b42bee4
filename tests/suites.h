/* What tests/main.c calls: each function makes its suite and adds its tests. */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#define SUITE(name) void suite_##name(void);
#include "tests/suites.def"
#undef SUITE

#endif
