#include "validator/first_match.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	MAX_EARLIER = 1000, /* lines that a line is compared with */
	MAX_PATTERN = 1000, /* bytes; of longer ones only the same one is found */
};

struct match_line {
	uint32_t kind;
	bool plain;
	struct span pattern;
	char *text; /* of the pattern, with a NUL */
};

static bool has_wildcard(const char *text)
{
	return strpbrk(text, "*?[\\") != NULL;
}

/* All that the later one matches the earlier one does, for sure. */
static bool covers(const struct match_line *earlier, const struct match_line *later)
{
	if (!strcmp(earlier->text, "*") || span_equal(earlier->pattern, later->pattern))
		return true;
	if (earlier->plain || earlier->pattern.len > MAX_PATTERN || later->pattern.len > MAX_PATTERN)
		return false;
	return !has_wildcard(later->text) && !fnmatch(earlier->text, later->text, 0);
}

void first_match_add(struct first_match *match, struct label_run *run, uint32_t kind, struct span pattern, bool plain)
{
	uint32_t n = match->lines.n, i = n > MAX_EARLIER ? n - MAX_EARLIER : 0;
	struct match_line line = {kind, plain, pattern, mem_alloc((size_t)pattern.len + 1)};

	memcpy(line.text, pattern.text, pattern.len);
	line.text[pattern.len] = '\0';
	while (i < n && (match->lines.at[i].kind != kind || !covers(&match->lines.at[i], &line)))
		i++;
	*vec_push(&match->lines) = line;
	if (i == n)
		return;
	diag_warning(run->diags, "line-shadowed", pattern.loc, "the line is never used: an earlier one matches all of `%.*s`",
		     SPAN_ARGS(pattern));
	diag_note(run->diags, match->lines.at[i].pattern.loc, "this one");
}

void first_match_free(struct first_match *match)
{
	for (uint32_t i = 0; i < match->lines.n; i++)
		free(match->lines.at[i].text);
	vec_free(&match->lines);
}
