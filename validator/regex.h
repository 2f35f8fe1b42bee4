/* The expressions of label files: those of PCRE2, between `^` and `$`, with a dot
 * that matches newlines as well.  Private to validator/. */
#ifndef VALIDATOR_REGEX_H
#define VALIDATOR_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "validator/label_kind.h"

/* Whether PCRE2 surely compiles the text: literals, dots, simple classes and
 * groups, single quantifiers.  False: ask it. */
bool regex_plain(const char *text, uint32_t len);

/* Whether an expression compiles; reports why it does not. */
bool regex_check(struct label_run *run, struct span regex);

/* For matching; NULL when it does not compile, which is reported. */
struct regex *regex_new(struct label_run *run, struct span regex);
void regex_free(struct regex *regex); /* NULL is fine */
/* Whether the whole text matches; false as well when that takes too long. */
bool regex_matches(const struct regex *regex, const char *text, size_t len);

#endif
