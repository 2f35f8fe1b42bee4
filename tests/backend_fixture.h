/* Small policies made by hand for the tests of the policydb writer, and the
 * looking at what it makes of them. */
#ifndef TESTS_BACKEND_FIXTURE_H
#define TESTS_BACKEND_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/policy.h"

/* A gap below 20 must not be the first: libsepol 3.5 to 3.11 would refuse all. */
enum { TD = 1, A1, TA, TC, TB, A2, NTYPES = A2 };
enum { OBJECT_R = 1, RA, RB, NROLES = RB };
enum { C1 = 1, FILE_CLASS, DIR_CLASS, PROCESS, NCLASSES = PROCESS };
enum { P1 = 1, P2 = 2 };
enum { B2 = 1, B1, NBOOLS = B1 };

void *fixture_zeroed(struct policy *policy, uint32_t n, size_t size);
void *fixture_grown(struct policy *policy, const void *at, uint32_t n, size_t size);
struct ebitmap fixture_set(uint32_t n, const uint32_t *values);

#define SYMBOLS(policy, table, count) \
	((policy)->table.at = fixture_zeroed(policy, (count) + 1, sizeof *(policy)->table.at), (policy)->table.n = (count))
#define ADD(policy, list, ...) \
	((list)->at = fixture_grown(policy, (list)->at, (list)->n, sizeof *(list)->at), (list)->at[(list)->n++] = __VA_ARGS__)
#define SET(...) \
	fixture_set(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

/* User ua with the role and type, at the lowest level. */
struct policy_context fixture_context(const struct policy *policy, uint32_t role, uint32_t type);

/* `allow ta tb:c1 p1;` and what must be there. */
struct policy *fixture_small(enum policy_target target, bool mls);
/* All that every version of the target takes, at least with a warning. */
struct policy *fixture_full(enum policy_target target, bool mls);

/* if (b1 && !b2) { allow ta tb:c1 p1; } else { allow ta tc:c1 p1; } */
struct policy_cond *fixture_add_cond(struct policy *policy);
void fixture_add_filename_trans(struct policy *policy);
void fixture_add_labels(struct policy *policy);
void fixture_add_xen_labels(struct policy *policy);
/* t1 == { a1 tc } */
struct policy_cexpr fixture_type_names(void);
void fixture_add_constraint(struct policy *policy, uint32_t perms, bool validatetrans);
void fixture_add_xperm_rule(struct policy *policy, policy_rules *rules, struct policy_xperms xperms);

/* ---- writing, and looking at what came out ---- */

struct run {
	struct buffer image;
	struct diags diags;
	bool ok;
};

struct run run_at(const struct policy *policy, uint32_t version);
void run_end(struct run *run);

/* Writes, and wants so many warnings and an image that libsepol reads. */
struct run run_good(const struct policy *policy, uint32_t version, uint32_t warnings);
void expect_good(const struct policy *policy, uint32_t version, uint32_t warnings);
/* Writes, and wants no image and one error of the check. */
void expect_error(const struct policy *policy, uint32_t version, const char *check);

/* Number of places where the bytes, in hexadecimal with free blanks, stand. */
uint32_t run_count_hex(const struct run *run, const char *hex);
bool run_starts_with_hex(const struct run *run, const char *hex);
bool run_has_text(const struct run *run, const char *text);

#define EMPTY_SET "40000000 00000000 00000000"

#endif
