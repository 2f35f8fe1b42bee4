/* Private to backend/: how often a policy has what a feature holds. */
#ifndef BACKEND_NEEDS_H
#define BACKEND_NEEDS_H

#include <stdint.h>

#include "backend/features.h"
#include "ir/policy.h"

/* What a policy has of a feature; 0 for features that hold nothing that it can
 * do without. */
uint32_t feature_uses(const struct policy *policy, enum feature feature);

#endif
