/* Findings: recorded by every room, printed once, by the CLI.
 *
 * A finding has a severity, a stable check name, a place and a text; notes
 * (other places, reasons) and hints (ways out) belong to the finding recorded
 * last.  Texts start in lower case and have no full stop; names from the
 * policy stand in `backquotes`. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/vec.h"

enum severity { SEV_HINT, SEV_NOTE, SEV_WARNING, SEV_ERROR };

struct diag {
	enum severity severity;
	const char *check; /* a literal; NULL for notes and hints */
	struct loc loc;    /* LOC_NONE: about no place in a source */
	const char *text;  /* in the arena */
	uint32_t order;    /* as recorded */
	uint32_t nnotes;   /* notes and hints that follow */
};

struct diags {
	struct arena arena;
	VEC(struct diag) list;
	uint32_t errors, warnings; /* all found, also those over the limit */
	bool werror;               /* source warnings are errors (-E) */
	bool dropping;             /* the finding recorded last was over the limit */
};

/* Findings over this number are counted and not kept. */
enum { DIAG_KEEP = 10000 };

#define DIAG_FMT(f, a) __attribute__((format(printf, f, a)))

void diag_error(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...) DIAG_FMT(4, 5);
void diag_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...) DIAG_FMT(4, 5);
/* A warning of the kind that -E makes an error: about the source, and one that
 * checkpolicy's parser gives as well.  What only we warn about is no reason to
 * refuse a policy that builds today. */
void diag_source_warning(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...) DIAG_FMT(4, 5);
void diag_note(struct diags *diags, struct loc loc, const char *fmt, ...) DIAG_FMT(3, 4);
void diag_hint(struct diags *diags, const char *fmt, ...) DIAG_FMT(2, 3);
void diags_free(struct diags *diags);

/* Prints all findings in order of their places, those without place first,
 * repeats once; max_errors 0 prints all, else the errors after that many are
 * counted in a last line. */
void diags_print(const struct diags *diags, const struct sources *sources, const char *program,
		 uint32_t max_errors, FILE *out);

#endif
