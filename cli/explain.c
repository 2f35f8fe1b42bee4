#include "cli/explain.h"

#include <string.h>

static const char *level_text(const struct check *check)
{
	static const char *const texts[] = {
		[CHECK_NOTE] = "note", [CHECK_WARNING] = "warning", [CHECK_ERROR] = "error", [CHECK_MIXED] = "error or warning",
	};

	return check->demotable ? "error, demotable" : texts[check->level];
}

void checks_list(struct check_table checks, FILE *out)
{
	int width = 0;

	for (uint32_t i = 0; i < checks.n; i++) {
		int len = (int)strlen(checks.get(i).name);

		if (len > width)
			width = len;
	}
	for (uint32_t i = 0; i < checks.n; i++) {
		struct check check = checks.get(i);

		fprintf(out, "%-*s  %-16s  %s\n", width, check.name, level_text(&check), check.summary);
	}
}

static void print_example(const char *title, const char *lines, FILE *out)
{
	fprintf(out, "\n%s:\n\n", title);
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		fprintf(out, "    %.*s\n", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

void check_explain(struct check_table checks, const char *name, FILE *out)
{
	struct check check;

	if (!check_find(checks, name, &check))
		return;
	fprintf(out, "%s (%s)\n\n%s.\n", check.name, level_text(&check), check.summary);
	if (*check.text)
		fprintf(out, "\n%s", check.text);
	if (!check.bad)
		return;
	print_example("Bad", check.bad, out);
	print_example("Good", check.good, out);
	if (check.program)
		fprintf(out, "\nBoth are read by %s%s%s.\n", check.program, check.flags ? " " : "",
			check.flags ? check.flags : "");
	else if (check.flags)
		fprintf(out, "\nBoth are compiled with %s.\n", check.flags);
}
