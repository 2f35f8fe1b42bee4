/* scan FILE...: the scanner alone, for comparison with a whole compile.
 * Prints processor time for loading and for scanning, and the tokens. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"
#include "lexer/lexer.h"

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned long count_tokens(const struct source *source, struct atoms *atoms, struct diags *diags)
{
	struct lexer *lexer = lexer_new(source, atoms, diags);
	union token_value value;
	unsigned long n = 0;
	struct loc loc;

	while (lexer_next(lexer, &value, &loc) != TOKEN_EOF)
		n++;
	lexer_free(lexer);
	return n;
}

static int scan(const char *path)
{
	struct sources sources = {0};
	struct diags diags = {0};
	struct atoms atoms;
	double start = processor_seconds(), loaded;
	const struct source *source = sources_load(&sources, path, &diags);
	int status = 1;

	loaded = processor_seconds();
	if (source) {
		unsigned long n;

		atoms_init(&atoms);
		lexer_intern_keywords(&atoms);
		n = count_tokens(source, &atoms, &diags);
		printf("%s: load %.1f ms, scan %.1f ms, %lu tokens, %u names\n", path, (loaded - start) * 1e3,
		       (processor_seconds() - loaded) * 1e3, n, atoms.n - 1);
		atoms_free(&atoms);
		status = diags.errors > 0;
	}
	diags_print(&diags, &sources, "scan", 20, stderr);
	diags_free(&diags);
	sources_free(&sources);
	return status;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc < 2) {
		fputs("usage: scan FILE...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		status |= scan(argv[i]);
	return status;
}
