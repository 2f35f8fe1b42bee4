/* What is known of a check by its name.  base/ knows the form only; the table
 * is in checks/. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* NOTE: it reports no fault; MIXED: its faults are errors and its doubts warnings. */
enum check_level { CHECK_NOTE, CHECK_WARNING, CHECK_ERROR, CHECK_MIXED };

struct check {
	const char *name;
	enum check_level level;
	bool demotable;      /* an error with a safe lesser meaning */
	const char *summary; /* one line, no full stop */
	const char *text;    /* paragraphs, may be empty; lines end in newlines */
	const char *bad;     /* statements that it reports, or NULL */
	const char *good;    /* and some that it does not */
	const char *program; /* that has the check, with its command; NULL: policy-compile */
	const char *flags;   /* options that the examples need, or NULL */
};

/* By name, ascending. */
struct check_table {
	struct check (*get)(uint32_t i); /* i < n; its texts stay */
	uint32_t n;
};

bool check_find(struct check_table table, const char *name, struct check *ret_check);

#endif
