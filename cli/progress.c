#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void progress_start(struct progress *progress, const char *program, const char *unit)
{
	*progress = (struct progress){.program = program, .unit = unit, .on = isatty(STDERR_FILENO)};
	clock_gettime(CLOCK_MONOTONIC, &progress->next);
	progress->next.tv_sec++;
}

void progress_show(struct progress *progress, uint64_t done)
{
	struct timespec now;

	if (!progress->on)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec < progress->next.tv_sec ||
	    (now.tv_sec == progress->next.tv_sec && now.tv_nsec < progress->next.tv_nsec))
		return;
	progress->next = now;
	progress->next.tv_sec++;
	progress->shown = true;
	fprintf(stderr, "\r%s: %" PRIu64 " %s", progress->program, done, progress->unit);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
