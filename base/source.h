/* The files of a compile and the places in them.
 *
 * All files of a compile share one space of 32-bit byte offsets; a loc is a
 * span in it.  Lines do not exist until a message is printed: place_of() then
 * finds the newline and the `#line` mark before the offset. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct diags;

struct loc {
	uint32_t begin, end; /* end is exclusive */
};

#define LOC_NONE ((struct loc){UINT32_MAX, UINT32_MAX})

static inline bool loc_known(struct loc loc)
{
	return loc.begin != UINT32_MAX;
}

/* The source buffer has SOURCE_PAD NULs after its last byte: flex wants two,
 * and word-wise reading may run over. */
enum { SOURCE_PAD = 16 };

struct source {
	char *path;     /* as the user named it; "<stdin>" for - */
	char *text;     /* size bytes and the padding, writable; owned */
	uint32_t size;
	uint32_t base;  /* offset of text[0] in the common space */
	uint32_t row;   /* of its first line: 1, but for an excerpt */
};

struct sources {
	VEC(struct source) files;
};

/* One place, for people.  file and line follow the `#line` marks; row is the
 * line in the file itself.  Columns count bytes from 1. */
struct place {
	const char *file;
	uint32_t file_len;
	uint32_t line, col;
	const struct source *source;
	uint32_t row;
	const char *text; /* the source line, text_len bytes without its newline */
	uint32_t text_len;
};

/* Reads a whole file (a pipe as well; "-" is standard input).  On failure
 * (cannot read, a directory, a NUL byte, over 4 GiB in all) records an error
 * and returns NULL.  The result is good until the next load. */
const struct source *sources_load(struct sources *sources, const char *path, struct diags *diags);
/* The same from memory; the text is copied. */
const struct source *sources_add(struct sources *sources, const char *path, const char *text,
				 size_t size, struct diags *diags);
/* Lines of a file that is not kept, from a row on, as places need them: text
 * of any bytes, copied.  NULL when there is no room; nothing is recorded. */
const struct source *sources_add_excerpt(struct sources *sources, const char *path, uint32_t row, const char *text,
					 size_t size);
void sources_remove_last(struct sources *sources); /* there must be one, and no place in it */
void sources_free(struct sources *sources);

const struct source *source_at(const struct sources *sources, uint32_t offset);
const char *source_text(const struct sources *sources, uint32_t offset);

/* Places are cheapest when asked for in ascending order: the cursor keeps the
 * last one, and only the text from there on is searched for newlines and marks.
 * Start with a zeroed one; loading another file makes it stale. */
struct place_cursor {
	struct place last;
};

struct place place_of(const struct sources *sources, struct place_cursor *cursor, uint32_t offset);

#endif
