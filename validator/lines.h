/* Lines of a label file and the words in them, each with its place.
 *
 * As libselinux reads them (read_spec_entries): a line ends at a newline; words
 * are divided by the blank space of C, in which a carriage return counts; a
 * line whose first word starts with `#` is a comment, a later `#` begins none.
 * No file has NULs: sources_load() takes none. */
#ifndef VALIDATOR_LINES_H
#define VALIDATOR_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"

/* A part of a source: text as bytes, without a NUL behind it. */
struct span {
	const char *text;
	uint32_t len;
	struct loc loc;
};

struct lines {
	const char *at, *end; /* not yet read */
	uint32_t offset;      /* of at, among all sources */
};

/* Further sources may be loaded while lines are read. */
void lines_begin(struct lines *lines, const struct source *source);
/* The next line without its newline; false at the end of the file.  The last
 * line may lack its newline. */
bool lines_next(struct lines *lines, struct span *ret_line);
/* The next line that has words and is no comment. */
bool lines_next_words(struct lines *lines, struct span *ret_line);

/* Takes the first word off a line; false, with an empty word at its end, when
 * there is none. */
bool line_word(struct span *line, struct span *ret_word);
/* The first words of a line, at most max of them; what is behind them, if
 * anything, is left in the line without blank space around it. */
uint32_t line_words(struct span *line, struct span *ret_words, uint32_t max);

/* A part of a span; begin and len are within it. */
struct span span_part(struct span span, uint32_t begin, uint32_t len);
/* The span without blank space at its begin and end. */
struct span span_trim(struct span span);
bool span_is(struct span span, const char *text);
bool span_equal(struct span a, struct span b);
bool span_starts(struct span span, const char *text);
/* Index of the first byte outside of ASCII, or len. */
uint32_t span_ascii(struct span span);

/* For `%.*s` in a message: the begin of what may be as long as a file. */
enum { SPAN_SHOWN = 200 };
#define SPAN_ARGS(span) (int)((span).len < SPAN_SHOWN ? (span).len : SPAN_SHOWN), (span).text

#endif
