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

/* The same without the flush, for what the next step of a build reads.  Only when
 * the machine crashes before the disk has it can the file be empty, and its
 * readers say so; to wait for the disk would take longer than all else. */
bool output_write_passing(const char *path, const void *bytes, size_t size, struct diags *diags);

#endif
