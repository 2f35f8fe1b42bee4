/* libsepol on contexts: its headers and ours have the same names, and do not go
 * into one file. */
#ifndef TESTS_SEPOL_CONTEXTS_H
#define TESTS_SEPOL_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>

/* libsepol keeps one policy for all that follows; its messages are off. */
bool sepol_load(const char *path);
bool sepol_is_valid(const char *context);
/* The canonical text, to be freed; NULL when the context is not valid. */
char *sepol_text(const char *context, size_t len);

#endif
