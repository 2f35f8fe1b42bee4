/* What damages images, for the parts that read them: each kind of file has a
 * reader of ours, libsepol's, and reasons for deciding differently. */
#ifndef TESTS_CORRUPT_H
#define TESTS_CORRUPT_H

#include <sepol/handle.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* libsepol validates what it has read from 3.5 on; one that knows this version surely does. */
enum { SEPOL_VALIDATES_SURELY = 34 };

struct reason {
	bool we_accept;   /* and libsepol does not; else the other way round */
	bool old;         /* only a libsepol that may not validate */
	const char *text; /* part of our error, or of what libsepol says first */
	const char *why;
	uint32_t count;   /* of the cases that had it */
};

enum verdict { NO_VERDICT, ACCEPTED, REFUSED, UNSTABLE };

enum { RESULT_TEXT = 256 };

struct result {
	enum verdict ours, theirs;
	char text[RESULT_TEXT];  /* why we refuse it */
	char their[RESULT_TEXT]; /* the first that libsepol says */
};

struct readers {
	void (*ours)(const unsigned char *bytes, size_t size, struct result *result);
	void (*theirs)(const unsigned char *bytes, size_t size, struct result *result);
	bool (*is_theirs)(const unsigned char *bytes, size_t size); /* libsepol knows the version */
	struct reason *reasons;
	size_t nreasons;
};

extern const struct readers module_readers, package_readers; /* corrupt_modules.c */

/* Keeps the first error; a refusal without one is a fault. */
void keep_error(struct result *result, const struct diags *diags);
/* A callback of libsepol's messages; data is the result. */
void keep_message(void *data, sepol_handle_t *handle, const char *fmt, ...) DIAG_FMT(3, 4);

#endif
