/* A file that appears whole or not at all: written to a temporary beside the
 * target, flushed to the disk, checked, then renamed over it. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct diags;

/* Writes size bytes to path; "-" is standard output, and a path that exists
 * and is no regular file (a device, a pipe) is written in place.  On failure
 * records an error; the old file is then as it was. */
bool output_write(const char *path, const void *bytes, size_t size, struct diags *diags);

#endif
