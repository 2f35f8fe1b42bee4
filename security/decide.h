/* Decisions: what a kernel answers when it is asked with a policy loaded.
 *
 * A decider is the rules of one policy, indexed.  It never changes, so any
 * number of threads may ask it.  The states of booleans are apart: many states
 * may exist over one decider, and a state that is not being set may be read by
 * any number of threads too.
 *
 * Contexts are numeric ones whose values the policy has, valid or not, as
 * context_parse() makes them; classes are values, and 0 is none that the policy
 * has.  Nothing here allocates but where the text says so.
 *
 * Facts: the kernel's security/selinux/ss/services.c, mls.c and avc.c, compared
 * with a running kernel by tests/decisions.sh. */
#ifndef SECURITY_DECIDE_H
#define SECURITY_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"
#include "security/security.h"

/* ---- the rules ---- */

struct decider;

/* The security, and its policy, must outlive it.  Never NULL. */
struct decider *decider_new(const struct security *security);
void decider_free(struct decider *decider);
size_t decider_memory(const struct decider *decider); /* bytes, the policy itself not counted */

/* ---- booleans ---- */

struct bool_state;

/* With the policy's defaults.  The decider must outlive it. */
struct bool_state *bool_state_new(const struct decider *decider);
struct bool_state *bool_state_copy(const struct bool_state *state);
void bool_state_free(struct bool_state *state);

/* boolean: a value, 1 .. policy->bools.n. */
bool bool_state_get(const struct bool_state *state, uint32_t boolean);
void bool_state_set(struct bool_state *state, uint32_t boolean, bool on);
/* Whether the expression of conditional i holds. */
bool bool_state_cond(const struct bool_state *state, uint32_t cond);

/* ---- access ---- */

/* Of struct decision; the numbers are the kernel's. */
enum { DECISION_PERMISSIVE = 1, DECISION_NEVERAUDIT = 2 };

struct decision {
	uint32_t allowed;    /* permissions, by value - 1 */
	uint32_t auditallow; /* of those, to be audited when granted */
	uint32_t auditdeny;  /* to be audited when denied */
	uint32_t flags;      /* of the source type */
};

/* For class 0 (or one that the policy does not have) handle_unknown decides:
 * with allow all is allowed, else nothing. */
void decide_access(const struct decider *decider, const struct bool_state *state, const struct policy_context *source,
		   const struct policy_context *target, uint32_t class, struct decision *ret);

/* By the rules of types alone: no constraints, roles, bounds or flags. */
void decide_by_types(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		     uint32_t target_type, uint32_t class, struct decision *ret);

/* The rules behind that: all of the class that are about the two types, of any
 * kind, those of branches that are off as well. */
#define DECIDE_ALWAYS UINT32_MAX

struct rule_found {
	struct policy_rule rule;
	uint32_t cond; /* conditional, or DECIDE_ALWAYS */
	bool no;       /* of its false branch */
	bool active;
};

typedef void (*rule_found_fn)(void *data, const struct rule_found *found);
void decide_find_rules(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		       uint32_t target_type, uint32_t class, rule_found_fn found, void *data);

/* Permissions that allow a change of role, of the class for which they count;
 * 0 for any other class. */
uint32_t decide_role_perms(const struct decider *decider, uint32_t class);
/* Whether a rule allows the change of role. */
bool decide_role_allowed(const struct decider *decider, uint32_t from, uint32_t to);

/* ---- extended permissions ---- */

enum xperm_base { XPERM_BASE_IOCTL = 1, XPERM_BASE_NLMSG = 2 };

/* For which drivers (the high byte of the number) there are rules. */
struct xperm_drivers {
	uint8_t bases;       /* of enum xperm_base; 0: no rule, the permission itself decides */
	uint32_t drivers[8]; /* as a set of 256 */
};

/* The functions (the low byte) of one driver. */
struct xperm_decision {
	uint32_t allowed[8], auditallow[8], dontaudit[8];
};

void decide_xperm_drivers(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
			  uint32_t target_type, uint32_t class, struct xperm_drivers *ret);
void decide_xperms(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		   uint32_t target_type, uint32_t class, enum xperm_base base, uint8_t driver,
		   struct xperm_decision *ret);

static inline bool xperm_test(const uint32_t set[8], uint8_t bit)
{
	return set[bit / 32] >> bit % 32 & 1;
}

/* Whether the rules let a number pass, once the permission itself is allowed. */
bool decide_xperm(const struct decider *decider, const struct bool_state *state, uint32_t source_type,
		  uint32_t target_type, uint32_t class, enum xperm_base base, uint16_t number);

/* ---- contexts of new things ---- */

enum compute_result {
	COMPUTE_VALID,
	COMPUTE_INVALID,  /* computed, but not valid: an enforcing kernel refuses it (EACCES) */
	COMPUTE_NO_RANGE, /* glblub of ranges without a common level (EINVAL); nothing computed */
};

/* kind: AV_TRANSITION (create), AV_MEMBER or AV_CHANGE (relabel); name is the
 * last part of the path, for create, or NULL.  The result is the caller's, also
 * an invalid one (policy_context_free). */
enum compute_result compute_context(const struct decider *decider, const struct bool_state *state,
				    enum policy_av_kind kind, const struct policy_context *source,
				    const struct policy_context *target, uint32_t class, const char *name,
				    struct policy_context *ret);

/* Whether the object that is `before` may become `after`, when a process that
 * is `task` changes it.  ret_failed, if given, gets the index of the first
 * statement in the class's validatetrans that is false. */
bool decide_transition(const struct decider *decider, const struct policy_context *before,
		       const struct policy_context *after, uint32_t class, const struct policy_context *task,
		       uint32_t *ret_failed);

#endif
