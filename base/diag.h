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
#include "base/check.h"
#include "base/source.h"
#include "base/vec.h"

/* A remark is a finding that is no fault, told as a note. */
enum severity { SEV_HINT, SEV_NOTE, SEV_REMARK, SEV_WARNING, SEV_ERROR };

struct diag {
	enum severity severity;
	const char *check; /* a literal; NULL for notes and hints */
	struct loc loc;    /* LOC_NONE: about no place in a source */
	const char *text;  /* in the arena */
	const char *under; /* the policy that it is found under, or NULL */
	uint32_t order;    /* as recorded */
	uint32_t nnotes;   /* notes and hints that follow */
	uint32_t again;    /* further uses with the same fault, told as a number */
};

/* What the user wants of one check in place of what it is. */
enum diag_level {
	DIAG_DEFAULT, /* as if nothing had been said */
	DIAG_SILENT,  /* its warnings are not recorded */
	DIAG_WARNING, /* its warnings stay warnings, also with -E */
	DIAG_ERROR,   /* its warnings are errors */
	DIAG_DEMOTED, /* its errors are warnings: whoever reports it asks diag_demoted() and goes on */
};

struct diag_setting {
	const char *check;
	enum diag_level level;
};

struct diags {
	struct arena arena;
	VEC(struct diag) list;
	VEC(struct diag_setting) settings;
	uint32_t errors, warnings, remarks; /* all found, also those over the limit */
	uint32_t promoted;         /* of the errors, those that are warnings by nature */
	/* Where one thing is judged by several policies: the one that findings
	 * are about now, which each of them says in a note; outlives diags. */
	const char *under;
	bool werror;               /* source warnings are errors (-E) */
	bool dropping;             /* the finding recorded last is not kept: over the limit, or silent */
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
/* What a report was asked for, and no fault: -W can make it one. */
void diag_remark(struct diags *diags, const char *check, struct loc loc, const char *fmt, ...) DIAG_FMT(4, 5);
void diag_note(struct diags *diags, struct loc loc, const char *fmt, ...) DIAG_FMT(3, 4);
void diag_hint(struct diags *diags, const char *fmt, ...) DIAG_FMT(2, 3);
/* Moves all findings of one behind those of the other, which leaves the first
 * empty; settings stay where they are. */
void diags_move(struct diags *to, struct diags *from);
void diags_free(struct diags *diags);

/* Of two settings of a check the later one counts.  The name must outlive diags. */
void diags_set(struct diags *diags, const char *check, enum diag_level level);
/* Whether the errors of the check are to be warnings, with their lesser meaning. */
bool diag_demoted(const struct diags *diags, const char *check);
/* Whether warnings of the check are not recorded: work for them can be saved. */
bool diag_silenced(const struct diags *diags, const char *check);

/* The finding recorded last, for diag_again(); DIAG_NONE when it is not kept. */
#define DIAG_NONE UINT32_MAX
uint32_t diag_last(const struct diags *diags);
/* n further uses have the fault of that finding. */
void diag_again(struct diags *diags, uint32_t finding, uint32_t n);

enum diag_format { DIAG_TEXT, DIAG_JSON, DIAG_SARIF, DIAG_JUNIT };

struct diag_style {
	enum diag_format format;
	bool colour;               /* DIAG_TEXT: with the escapes of a terminal */
	const char *program;
	uint32_t max_errors;       /* 0: all; the errors after that many are counted in the end */
	struct check_table checks; /* DIAG_SARIF: the rules */
	/* DIAG_JUNIT: names of what was looked at; where nothing is found the test passes. */
	const char *const *inputs;
	uint32_t ninputs;
};

/* Prints all findings in order of their places, those without place first,
 * repeats once.  The forms of JSON and SARIF are in policy-compile(1). */
void diags_write(const struct diags *diags, const struct sources *sources, const struct diag_style *style, FILE *out);
/* The same as plain text. */
void diags_print(const struct diags *diags, const struct sources *sources, const char *program,
		 uint32_t max_errors, FILE *out);

#endif
