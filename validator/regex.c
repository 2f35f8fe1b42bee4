/* Expressions of label files, by PCRE2. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "validator/regex.h"

#include <pcre2.h>
#include <string.h>

#include "base/memory.h"

enum {
	MAX_REGEX = 4096,   /* libselinux refuses this length since 3.9 */
	MAX_GROUPS = 100,   /* PCRE2 nests 250 */
	MATCH_STEPS = 10000,
};

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* With a backslash before it such a byte stands for itself. */
static bool is_escapable(char c)
{
	return c > ' ' && c < 0x7f && !is_word(c);
}

/* ---- plain ones ---- */

/* Past a class of single bytes and of ranges between letters or digits; NULL
 * where it is anything else. */
static const char *skip_class(const char *p, const char *end)
{
	const char *first;

	/* `[:a:]` is a named class that stands in no other: an error. */
	if (p < end && strchr(":.=", *p))
		return NULL;
	if (p < end && *p == '^')
		p++;
	for (first = p; p < end && *p != ']'; p++) {
		if (*p == '[' || *p == '\\' || *p <= ' ' || *p >= 0x7f)
			return NULL;
		if (*p != '-' || p == first || p + 1 == end || p[1] == ']')
			continue;
		if (!is_word(p[-1]) || !is_word(p[1]) || p[-1] > p[1] || (p - first > 1 && p[-2] == '-'))
			return NULL;
	}
	return p < end && p > first ? p + 1 : NULL;
}

bool regex_plain(const char *text, uint32_t len)
{
	const char *p = text, *end = text + len;
	uint32_t groups = 0;
	bool atom = false; /* what a quantifier can follow */

	if (len >= MAX_REGEX)
		return false;
	while (p < end) {
		char c = *p++;

		switch (c) {
		case '\\':
			if (p == end || !is_escapable(*p++))
				return false;
			atom = true;
			break;
		case '[':
			p = skip_class(p, end);
			if (!p)
				return false;
			atom = true;
			break;
		case '(':
			/* Behind it may stand `?` and `*` with meanings of their own. */
			if (groups++ == MAX_GROUPS)
				return false;
			atom = false;
			break;
		case ')':
			if (!groups--)
				return false;
			atom = true;
			break;
		case '|':
			atom = false;
			break;
		case '?': case '*': case '+':
			if (!atom)
				return false;
			atom = false;
			break;
		case '^': case '$': case '{': case '}': case ']':
			return false;
		default:
			if (c <= ' ' || c >= 0x7f)
				return false;
			atom = true;
		}
	}
	return !groups;
}

/* ---- with PCRE2 ---- */

struct regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

static pcre2_code *compile(struct span regex, int *ret_error, size_t *ret_offset)
{
	char *anchored = mem_alloc((size_t)regex.len + 2);
	pcre2_code *code;

	anchored[0] = '^';
	memcpy(anchored + 1, regex.text, regex.len);
	anchored[regex.len + 1] = '$';
	code = pcre2_compile((PCRE2_SPTR)anchored, (size_t)regex.len + 2, PCRE2_DOTALL, ret_error, ret_offset, NULL);
	free(anchored);
	return code;
}

/* The byte that an offset of PCRE2 is about: the last one it looked at. */
static struct span faulty(struct span regex, size_t offset)
{
	uint32_t at = offset > 2 ? (uint32_t)(offset - 2) : 0; /* one for the anchor */

	if (at >= regex.len)
		at = regex.len - 1;
	return span_part(regex, at, 1);
}

static bool check_length(struct label_run *run, struct span regex)
{
	if (regex.len < MAX_REGEX)
		return true;
	diag_error(run->diags, "label-too-long", regex.loc, "the expression has %u bytes; libselinux takes up to %d",
		   regex.len, MAX_REGEX - 1);
	return false;
}

static pcre2_code *compile_or_report(struct label_run *run, struct span regex)
{
	PCRE2_UCHAR text[256];
	size_t offset;
	int error;
	pcre2_code *code = compile(regex, &error, &offset);

	if (code)
		return code;
	if (pcre2_get_error_message(error, text, sizeof text) < 0)
		text[0] = '\0';
	diag_error(run->diags, "label-regex", faulty(regex, offset).loc, "the expression `%.*s` does not compile: %s",
		   SPAN_ARGS(regex), (const char *)text);
	return NULL;
}

bool regex_check(struct label_run *run, struct span regex)
{
	pcre2_code *code;

	if (!check_length(run, regex))
		return false;
	if (regex_plain(regex.text, regex.len))
		return true;
	code = compile_or_report(run, regex);
	pcre2_code_free(code);
	return code != NULL;
}

struct regex *regex_new(struct label_run *run, struct span regex)
{
	pcre2_code *code = check_length(run, regex) ? compile_or_report(run, regex) : NULL;
	struct regex *new;

	if (!code)
		return NULL;
	new = mem_alloc(sizeof *new);
	*new = (struct regex){code, pcre2_match_data_create(1, NULL), pcre2_match_context_create(NULL)};
	if (!new->data || !new->limits)
		mem_exhausted();
	pcre2_set_match_limit(new->limits, MATCH_STEPS);
	return new;
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_match_data_free(regex->data);
	pcre2_match_context_free(regex->limits);
	pcre2_code_free(regex->code);
	free(regex);
}

bool regex_matches(const struct regex *regex, const char *text, size_t len)
{
	return pcre2_match(regex->code, (PCRE2_SPTR)text, len, 0, 0, regex->data, regex->limits) >= 0;
}
