/* How far a long run has come, for somebody at a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	const char *program;
	const char *unit;     /* what is counted, in plural */
	bool on;              /* standard error is a terminal */
	bool shown;           /* there is a line to clear */
	struct timespec next; /* when to print again */
};

/* Nothing is shown before a second has passed, and never in a pipe. */
void progress_start(struct progress *progress, const char *program, const char *unit);
void progress_show(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress); /* clears the line */

#endif
