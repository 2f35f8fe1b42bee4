/* A policy prepared for questions: what the offline security server asks
 * again and again, found once.
 *
 * It refers to the policy, which must outlive it and not change.  All reading
 * functions of security/ are safe in many threads at once. */
#ifndef SECURITY_SECURITY_H
#define SECURITY_SECURITY_H

#include <stddef.h>
#include <stdint.h>

struct policy;
struct security;

struct security *security_new(const struct policy *policy);
void security_free(struct security *security); /* NULL is fine */
const struct policy *security_policy(const struct security *security);

/* The kinds of names that contexts are made of. */
enum security_kind { SECURITY_USER, SECURITY_ROLE, SECURITY_TYPE, SECURITY_SENS, SECURITY_CAT };
enum { SECURITY_KINDS = SECURITY_CAT + 1 };

/* The value of a name or alias, 0 when there is none.  The value of a
 * SECURITY_TYPE may be an attribute's: see policy->types.at[value].kind. */
uint32_t security_find(const struct security *security, enum security_kind kind, const char *text, size_t len);

#endif
