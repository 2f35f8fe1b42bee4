/* setrans.conf: names of levels, for people.  Private to validator/.
 *
 * As mcstransd reads it (mcstrans.c): a line is `KEY=VALUE`, where the key is a
 * keyword, a level or range, or categories of a modifier, or a constraint `A!B`,
 * `A>B`; `#` begins a comment anywhere.  At the first line that is not right the
 * daemon gives up all of it, and does not start. */
#ifndef VALIDATOR_SETRANS_H
#define VALIDATOR_SETRANS_H

#include <sys/types.h>

#include "base/atom.h"
#include "base/vec.h"
#include "validator/label_kind.h"

enum {
	SETRANS_CATS = 1024,  /* categories that the daemon has */
	SETRANS_DEPTH = 32,   /* files that include each other */
	SETRANS_FILES = 1000, /* readings of included files, for us */
};

/* A name of a level or range. */
struct setrans_entry {
	struct span raw, name;
	uint32_t level; /* text in levels: as the kernel writes it, or what stands there */
	uint32_t domain;
	bool hidden;    /* it is not as the kernel writes it, and has been told */
};

/* A file that was opened. */
struct setrans_file {
	dev_t device;
	ino_t inode;
	uint32_t source;
};

/* A file that is being read. */
struct setrans_frame {
	uint32_t source;
	struct loc include; /* the line that includes it, without place for the first */
};

struct setrans {
	struct label_run *run;
	VEC(struct setrans_file) files;
	VEC(struct setrans_frame) stack;
	uint32_t includes;
	bool exhausted;           /* SETRANS_FILES is reached, and has been told */
	uint32_t domain, group;   /* numbers from 1; 0: none yet */
	uint32_t groups;          /* that were begun */
	bool base;                /* levels are those of a Base */
	struct atoms levels, names, words;
	VEC(struct setrans_entry) entries;
	VEC(uint32_t) by_name;    /* the first entry, plus 1 */
	VEC(uint32_t) by_level;   /* the first entry of the last domain, plus 1 */
	VEC(struct setrans_entry) by_word;
};

/* Reads the lines of a file, and what it includes. */
void setrans_read(struct setrans *s, uint32_t source, struct loc include);
void setrans_include(struct setrans *s, struct span line, struct span path);

/* Categories `c1,c3.c5`; `~` before one takes it away, where it may. */
bool setrans_categories(struct setrans *s, struct span text, bool inverse);
/* Whether the level or range is right; Base takes levels alone. */
bool setrans_level(struct setrans *s, struct span text);
/* `s1` before a constraint. */
void setrans_sensitivity(struct setrans *s, struct span text);

void setrans_add(struct setrans *s, struct span raw, struct span name);
void setrans_add_word(struct setrans *s, struct span raw, struct span name);

/* The daemon gives up at this line. */
void setrans_fatal(struct setrans *s, struct span at, const char *text);

#endif
