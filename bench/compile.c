/* compile [-r RUNS] POLICY.CONF OURS PEER [OPTION...]
 *
 * Compares two compilers on one source: user and system time, wall time, peak
 * memory.  The runs alternate, so that both see the same machine; medians are
 * printed, and the ratios.  OPTIONs go to both, as does `-o` a temporary. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 99, MAX_OPTIONS = 32 };

enum measure { USER, SYSTEM, CPU, WALL, PEAK, MEASURES };

static const char *const names[MEASURES] = {"user ms", "system ms", "user + system ms", "wall ms", "peak MiB"};

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int run(const char *const *argv, double *ret)
{
	double start = now();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], (char *const *)argv);
		fprintf(stderr, "compile: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || status) {
		fprintf(stderr, "compile: %s failed\n", argv[0]);
		return -1;
	}
	ret[WALL] = now() - start;
	ret[USER] = milliseconds(usage.ru_utime);
	ret[SYSTEM] = milliseconds(usage.ru_stime);
	ret[CPU] = ret[USER] + ret[SYSTEM];
	ret[PEAK] = (double)usage.ru_maxrss / 1024;
	return 0;
}

static int compare(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

static double median(double (*samples)[MEASURES], int n, enum measure m)
{
	double values[MAX_RUNS];

	for (int i = 0; i < n; i++)
		values[i] = samples[i][m];
	qsort(values, (size_t)n, sizeof *values, compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void print(double (*ours)[MEASURES], double (*peer)[MEASURES], int runs)
{
	printf("%-18s %10s %10s %12s   (medians of %d)\n", "", "ours", "peer", "peer / ours", runs);
	for (int m = 0; m < MEASURES; m++) {
		double a = median(ours, runs, m), b = median(peer, runs, m);

		printf("%-18s %10.1f %10.1f %12.2f\n", names[m], a, b, a > 0 ? b / a : 0);
	}
}

int main(int argc, char **argv)
{
	static double ours[MAX_RUNS][MEASURES], peer[MAX_RUNS][MEASURES];
	char output[] = "/tmp/bench-compile.XXXXXX";
	const char *command[MAX_OPTIONS + 8];
	int runs = 5, status = 0, n = 0, fd;

	if (argc > 2 && !strcmp(argv[1], "-r")) {
		runs = (int)strtol(argv[2], NULL, 10);
		argv += 2;
		argc -= 2;
	}
	if (argc < 4 || argc > MAX_OPTIONS || runs < 1 || runs > MAX_RUNS) {
		fputs("usage: compile [-r RUNS] POLICY.CONF OURS PEER [OPTION...]\n", stderr);
		return 2;
	}
	fd = mkstemp(output);
	if (fd < 0) {
		perror("compile: mkstemp");
		return 1;
	}
	close(fd);
	n = 1;
	for (int i = 4; i < argc; i++)
		command[n++] = argv[i];
	command[n++] = "-o";
	command[n++] = output;
	command[n++] = argv[1];
	command[n] = NULL;
	for (int i = 0; i < runs && !status; i++) {
		command[0] = argv[2];
		status |= run(command, ours[i]);
		command[0] = argv[3];
		status |= run(command, peer[i]);
	}
	if (!status)
		print(ours, peer, runs);
	unlink(output);
	return status ? 1 : 0;
}
