/* A small policy made by hand, for the tests of what ir/ does with finished
 * rules: the checks of the whole policy, -O, -S and the dump. */
#ifndef TESTS_RULES_FIXTURE_H
#define TESTS_RULES_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/internal.h"

enum { TA = 1, TB, TC, TD, A1, A2, A3, NTYPES = A3 };
enum { FILE_CLASS = 1, SOCKET_CLASS, NCLASSES = SOCKET_CLASS };
enum { READ = 1, WRITE = 2, IOCTL = 4 };          /* of class file */
enum { SEND = 1, NLMSG = 2, SOCKET_IOCTL = 4 };   /* of class socket */

/* A policy under construction and the compile around it. */
struct fixture {
	struct policy *p;
	struct ast ast;
	struct diags diags;
	struct compile c;
};

/* Types ta to td and attributes: a1 of ta and tb, a2 of ta, tb and tc, a3 of none. */
void rules_setup(struct fixture *f);
void rules_teardown(struct fixture *f);

/* Things of the policy, which die with it. */
void *rules_copy(struct fixture *f, const void *from, size_t size);
void rules_set(struct fixture *f, policy_rules *list, const struct policy_rule *rules, size_t n);
#define RULES(f, list, ...) \
	rules_set(f, list, (const struct policy_rule[]){__VA_ARGS__}, \
		  sizeof((const struct policy_rule[]){__VA_ARGS__}) / sizeof(struct policy_rule))

void rules_clear(struct fixture *f);

/* Conditionals on b1 (the first) and !b2. */
void rules_add_conds(struct fixture *f);
/* Records: 0 ioctl 0x0512 0x0513; 1 all of driver 5; 2 nlmsg 0x0010; 3 ioctl 0x0601. */
void rules_add_records(struct fixture *f);

void rules_forget_neverallows(struct fixture *f);

/* The text of finding i, "" when there are not so many. */
const char *rules_finding(const struct fixture *f, uint32_t i);
bool rules_has_note(const struct fixture *f, const char *text);

#endif
