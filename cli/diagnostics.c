#include "cli/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "checks/checks.h"

static bool wants_colour(const struct finding_options *o)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->colour != COLOUR_AUTO)
		return o->colour == COLOUR_ALWAYS;
	return isatty(STDERR_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

static bool write_file(const struct finding_options *o, const struct diags *diags, const struct sources *sources,
			   const struct diag_style *style)
{
	struct diags failure = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool good;

	if (!out)
		mem_exhausted();
	diags_write(diags, sources, style, out);
	if (fclose(out))
		mem_exhausted();
	good = output_write(o->diagnostics, text, size, &failure);
	diags_print(&failure, sources, o->program, 0, stderr);
	diags_free(&failure);
	free(text);
	return good;
}

/* The findings, to where they shall go: with a file for them people still see
 * them as text. */
bool print_findings(const struct finding_options *o, const char *const *inputs, uint32_t ninputs,
		    const struct diags *diags, const struct sources *sources)
{
	struct diag_style style = {
		.format = o->format, .program = o->program, .max_errors = o->max_errors, .checks = checks_all(),
		.inputs = inputs, .ninputs = ninputs,
	};
	bool good = !o->diagnostics || write_file(o, diags, sources, &style);

	if (o->diagnostics)
		style.format = DIAG_TEXT;
	style.colour = style.format == DIAG_TEXT && wants_colour(o);
	diags_write(diags, sources, &style, stderr);
	return good;
}
