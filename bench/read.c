/* read IMAGE...: reading and validating an image, against libsepol, in turns.
 * Prints the medians of processor time, and their ratio. */
#include <sepol/debug.h>
#include <sepol/policydb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend/policydb.h"
#include "base/diag.h"
#include "base/memory.h"

enum { RUNS = 31 };

struct image {
	const char *path;
	char *at;
	size_t size;
};

static double processor_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool load(struct image *image)
{
	FILE *f = fopen(image->path, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
		perror(image->path);
		return false;
	}
	rewind(f);
	image->size = (size_t)size;
	image->at = mem_alloc(image->size);
	if (fread(image->at, 1, image->size, f) != image->size) {
		perror(image->path);
		return false;
	}
	fclose(f);
	return true;
}

static bool read_ours(const struct image *image, double *ret_read, double *ret_validate)
{
	struct diags diags = {0};
	double start = processor_ms(), between;
	uint32_t version;
	struct policy *policy = policydb_read(image->at, image->size, image->path, &version, &diags);
	bool ok;

	between = processor_ms();
	ok = policy && policy_validate(policy, version, &diags);
	*ret_read = between - start;
	*ret_validate = processor_ms() - between;
	if (!ok)
		diags_print(&diags, NULL, "read", 3, stderr);
	policy_free(policy);
	diags_free(&diags);
	return ok;
}

static bool read_theirs(const struct image *image, double *ret_time)
{
	sepol_policy_file_t *file;
	sepol_policydb_t *policydb;
	double start = processor_ms();
	bool ok;

	if (sepol_policy_file_create(&file) || sepol_policydb_create(&policydb))
		mem_exhausted();
	sepol_policy_file_set_mem(file, image->at, image->size);
	ok = sepol_policydb_read(policydb, file) == 0;
	*ret_time = processor_ms() - start;
	sepol_policydb_free(policydb);
	sepol_policy_file_free(file);
	return ok;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *times)
{
	qsort(times, RUNS, sizeof *times, compare);
	return times[RUNS / 2];
}

static bool measure(const char *path)
{
	double reads[RUNS], validates[RUNS], theirs[RUNS];
	struct image image = {.path = path};
	bool ok = load(&image), known = true;

	for (int i = 0; i < RUNS && ok; i++) {
		ok = read_ours(&image, &reads[i], &validates[i]);
		known = known && read_theirs(&image, &theirs[i]);
	}
	if (ok) {
		double ours = median(reads) + median(validates);

		printf("%s: read %.2f ms, validate %.2f ms", path, median(reads), median(validates));
		if (known)
			printf("; libsepol %.2f ms, %.1f times ours\n", median(theirs), median(theirs) / ours);
		else
			printf("; libsepol does not read it\n");
	}
	free(image.at);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	if (!ok)
		fputs("usage: read IMAGE...\n", stderr);
	sepol_debug(0);
	for (int i = 1; i < argc; i++)
		ok &= measure(argv[i]);
	return !ok;
}
