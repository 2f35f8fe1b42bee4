/* Private to backend/: how each kind of file, and each section of a package,
 * begins (policydb-format.md 2.1, 15.1, 16). */
#ifndef BACKEND_MAGIC_H
#define BACKEND_MAGIC_H

#include <stdint.h>

#define POLICY_MAGIC UINT32_C(0xf97cff8c)
#define MODULE_MAGIC UINT32_C(0xf97cff8d)
#define PACKAGE_MAGIC UINT32_C(0xf97cff8f)

#define FILE_CONTEXTS_MAGIC UINT32_C(0xf97cff90)
#define SEUSERS_MAGIC UINT32_C(0x097cff91)
#define USER_EXTRA_MAGIC UINT32_C(0x097cff92)
#define NETFILTER_MAGIC UINT32_C(0x097cff93)

#define MODULE_IDENTIFIER "SE Linux Module"

enum { MODULE_BASE = 1, MODULE_NOT_BASE = 2 }; /* types of modules */

enum { CONFIG_MLS = 1, CONFIG_UNKNOWN = 6 };

#endif
