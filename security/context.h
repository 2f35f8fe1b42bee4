/* Contexts, levels and ranges: from text, to text, and whether they are valid.
 *
 * The rules are the kernel's and libsepol's: the text is split at its first
 * three colons; the range at its first dash; a level at its first colon; its
 * categories at commas; a category range at its first dot.  Names may be
 * aliases.  No blank is skipped, no part may be empty.  Then the role must have
 * the type and the user the role and the range, unless the role is object_r;
 * each level must have only categories that go with its sensitivity, and the
 * high one must dominate the low one.
 *
 * Where they differ the kernel's rule is taken: libsepol stops at a dash behind
 * the categories of the high level, whatever follows (`s0-s1:c0-anything`); the
 * kernel takes it for part of a category's name, and there may be one. */
#ifndef SECURITY_CONTEXT_H
#define SECURITY_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "ir/policy.h"
#include "security/security.h"

/* Why a text or a context is not valid.  a and b are values of symbols. */
enum context_fault_kind {
	FAULT_BLANK,          /* a blank or control character; nothing else is said of the text */
	FAULT_FIELD_MISSING,  /* a: enum context_field; the span is empty, where it should be */
	FAULT_FIELD_EMPTY,    /* a: enum context_field */
	FAULT_USER_UNKNOWN,
	FAULT_ROLE_UNKNOWN,
	FAULT_TYPE_UNKNOWN,
	FAULT_TYPE_ATTRIBUTE, /* a: the attribute */
	FAULT_ROLE_OF_USER,   /* a: user, b: role, which the user does not have */
	FAULT_TYPE_OF_ROLE,   /* a: role, b: type, which the role does not have */
	FAULT_LEVEL_MISSING,  /* the policy has MLS */
	FAULT_LEVEL_UNWANTED, /* it has not */
	FAULT_LEVEL_EMPTY,    /* no sensitivity: `-s1`, `s0-`, `:c1` */
	FAULT_SENS_UNKNOWN,
	FAULT_LEVEL_TRANSLATED, /* a name as a translation of levels has them: `SystemLow` */
	FAULT_SENS_IS_CAT,    /* a: a category where a sensitivity must be: `s0:c1-c2` */
	FAULT_CAT_EMPTY,      /* nothing where a category must be: `s0:`, `s0:c1,`, `s0:c1.` */
	FAULT_CAT_UNKNOWN,
	FAULT_CAT_NO_LETTER,  /* a: the category that it becomes with a `c` before it, or 0: `s0:110` */
	FAULT_CAT_IS_SENS,    /* a: a sensitivity where a category must be: `s0:c1.s1` */
	FAULT_CAT_DASH,       /* names joined by a dash within the high level: `s0-s1:c1-c2` */
	FAULT_CAT_COLON,      /* names joined by a colon: `s0:c1:c2` */
	FAULT_CAT_DOTS,       /* more than one dot in a category range: `c0.c1.c2` */
	FAULT_CAT_REVERSED,   /* a, b: the ends of a category range that runs backwards */
	FAULT_CAT_RANGE_OF_ONE, /* a: `c0.c0`, which kernel and libsepol refuse in a context */
	FAULT_CAT_TWICE,      /* a: a category that is given again; valid, a doubt only */
	FAULT_CAT_OF_SENS,    /* a: sensitivity, b: first category that cannot go with it */
	FAULT_RANGE_FOR_LEVEL,/* a range where one level is wanted */
	FAULT_RANGE_INVERTED, /* the high level does not dominate the low one */
	FAULT_RANGE_OF_USER,  /* a: user, whose range does not contain that of the context */
	FAULT_VALUE,          /* context_validate(): a: enum context_field whose value is none of the policy's */
};
enum { FAULT_KINDS = FAULT_VALUE + 1 };

enum context_field { CONTEXT_USER, CONTEXT_ROLE, CONTEXT_TYPE, CONTEXT_LOW, CONTEXT_HIGH };

struct context_fault {
	enum context_fault_kind kind;
	enum context_field field; /* where it is */
	uint32_t begin, end;      /* bytes of the text; both 0 from context_validate() */
	uint32_t a, b;
};

/* All faults of one text, in the order of the text; those of the whole context
 * after those of its parts.  Filled anew by each call, nothing is allocated;
 * it refers to the text and to what was read. */
enum { CONTEXT_KEEP = 32 };

struct context_faults {
	uint32_t n;       /* kept */
	uint32_t more;    /* not kept */
	const char *text; /* what was judged; NULL from context_validate() */
	size_t len;
	const struct policy_level *low, *high; /* in ret; high is NULL from level_parse() */
	struct context_fault at[CONTEXT_KEEP];
};

/* Reads a text and judges it: true when the context, level or range is valid
 * under the policy.  ret is zeroed, or what an earlier call filled: its memory
 * is used again, so that a loop over many texts with one ret allocates only
 * where the number of category words changes; free it in the end
 * (policy_context_free(), policy_range_free(), ebitmap_free() of the
 * categories).  What could not be read is 0 or empty in it.  A level alone
 * means low and high.  In a policy without MLS every level and range is
 * unwanted.  faults may be NULL when only the answer is wanted. */
bool context_parse(const struct security *security, const char *text, size_t len, struct policy_context *ret,
		   struct context_faults *faults);
bool level_parse(const struct security *security, const char *text, size_t len, struct policy_level *ret,
		 struct context_faults *faults);
bool range_parse(const struct security *security, const char *text, size_t len, struct policy_range *ret,
		 struct context_faults *faults);

/* Judges a context that is no text, such as those of the policy itself; its
 * values may be anything. */
bool context_validate(const struct security *security, const struct policy_context *context,
		      struct context_faults *faults);

/* Records the findings of a judgement: an error for each fault, a warning for
 * each doubt, with the check of its kind, and the way out as a hint.  loc is
 * where the text stands; when it is as long as the text each finding marks its
 * own part, else the whole.  The text and what was read must still be there. */
void context_faults_report(const struct security *security, const struct context_faults *faults, struct loc loc,
			   struct diags *diags);

/* The canonical text of contexts is text_context(), text_level() and
 * text_range() in ir/text.h. */

#endif
