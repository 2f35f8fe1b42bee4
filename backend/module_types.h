/* Private to backend/: the marks of roles and types in a module
 * (policydb-format.md 15.2). */
#ifndef BACKEND_MODULE_TYPES_H
#define BACKEND_MODULE_TYPES_H

/* From version 9 on. */
enum {
	PROPERTY_PRIMARY = 1, PROPERTY_ATTRIBUTE = 2, PROPERTY_ALIAS = 4, PROPERTY_PERMISSIVE = 8, PROPERTY_NEVERAUDIT = 16
};

/* Before. */
enum { FLAVOUR_TYPE, FLAVOUR_ATTRIBUTE, FLAVOUR_ALIAS };
enum { FLAG_PERMISSIVE = 1, FLAG_EXPAND = 2, FLAG_KEEP = 4, FLAG_NEVERAUDIT = 8 };

#endif
