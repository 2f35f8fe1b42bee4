/* Packages: a module with the label files that go with it (policydb-format.md 16). */
#ifndef BACKEND_PACKAGE_H
#define BACKEND_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/diag.h"

/* In the order in which they are written. */
enum package_section {
	PACKAGE_MODULE, PACKAGE_FILE_CONTEXTS, PACKAGE_SEUSERS, PACKAGE_USER_EXTRA, PACKAGE_NETFILTER,
	PACKAGE_SECTIONS
};

/* at NULL: the package has none; text sections are without their magic numbers. */
struct package_part { const unsigned char *at; size_t n; };

struct package { struct package_part parts[PACKAGE_SECTIONS]; };

/* "file contexts"; "file_contexts" */
const char *package_section_name(enum package_section section);
const char *package_section_key(enum package_section section);

/* What a file begins as. */
enum image_kind { IMAGE_OTHER, IMAGE_POLICY, IMAGE_MODULE, IMAGE_PACKAGE };
enum image_kind image_kind(const void *image, size_t size);

/* Finds the parts of a package, which point into the image.  False when an error
 * was recorded: it is no package, its offsets lead out of it, a section stands in
 * it twice, or there is no module.  The module is for module_read(). */
bool package_read(const void *image, size_t size, const char *path, struct package *ret_package, struct diags *diags);

/* Appends the package; there is a module.  False, with an error, when it is too large. */
bool package_write(const struct package *package, struct buffer *image, struct diags *diags);

#endif
