/* A small policy for the tests of security/: three sensitivities with more and
 * more categories, aliases of each kind, two users, and constraints. */
#ifndef TESTS_SECURITY_FIXTURE_H
#define TESTS_SECURITY_FIXTURE_H

#include <stdbool.h>

#include "ir/policy.h"

/* With MLS or without; NULL, and findings on stderr, when it does not compile. */
struct policy *security_fixture(bool mls);
/* Any policy from its source, in the same way. */
struct policy *security_compile(const char *source, bool mls);

#endif
