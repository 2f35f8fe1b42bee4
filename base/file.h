/* A file as bytes. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/diag.h"

/* Appends the bytes of a file; "-" is standard input.  False after an error
 * was recorded. */
bool file_load(const char *path, struct buffer *ret, struct diags *diags);

#endif
