/* The expressions of file_contexts: those of PCRE2, between `^` and `$`, with
 * a dot that matches a newline as well. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <string.h>

#include "base/memory.h"
#include "validator/fc.h"

enum {
	MAX_REGEX = 4096,   /* libselinux refuses this length since 3.9 */
	MAX_GROUPS = 100,   /* PCRE2 nests 250 */
	MATCH_STEPS = 1000000,
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

bool fc_regex_plain(const char *text, uint32_t len)
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

bool fc_regex_check(struct label_run *run, struct span regex)
{
	PCRE2_UCHAR text[256];
	size_t offset;
	pcre2_code *code;
	int error;

	if (regex.len >= MAX_REGEX) {
		diag_error(run->diags, "fc-too-long", regex.loc,
			   "the expression has %u bytes; libselinux takes up to %u", regex.len, MAX_REGEX - 1);
		return false;
	}
	if (fc_regex_plain(regex.text, regex.len))
		return true;
	code = compile(regex, &error, &offset);
	if (code) {
		pcre2_code_free(code);
		return true;
	}
	if (pcre2_get_error_message(error, text, sizeof text) < 0)
		text[0] = '\0';
	diag_error(run->diags, "fc-regex", faulty(regex, offset).loc, "the expression `%.*s` does not compile: %s",
		   SPAN_ARGS(regex), (const char *)text);
	return false;
}

int fc_regex_matches(struct span regex, const char *path)
{
	pcre2_match_context *limits;
	pcre2_match_data *data;
	pcre2_code *code;
	size_t offset;
	int result;

	if (regex.len >= MAX_REGEX)
		return -1;
	code = compile(regex, &result, &offset);
	if (!code)
		return -1;
	limits = pcre2_match_context_create(NULL);
	data = pcre2_match_data_create_from_pattern(code, NULL);
	if (!limits || !data)
		mem_exhausted();
	pcre2_set_match_limit(limits, MATCH_STEPS);
	result = pcre2_match(code, (PCRE2_SPTR)path, strlen(path), 0, 0, data, limits);
	pcre2_match_data_free(data);
	pcre2_match_context_free(limits);
	pcre2_code_free(code);
	return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

/* ---- what can be told without matching ---- */

/* Past the class that begins behind `[`; a bracket that is its first member
 * does not end it, nor does that of a named class in it. */
static uint32_t class_end(const char *text, uint32_t len, uint32_t i)
{
	uint32_t first;

	if (i < len && text[i] == '^')
		i++;
	for (first = i; i < len && (text[i] != ']' || i == first); i++) {
		const char *close;

		if (text[i] == '\\') {
			i++;
		} else if (text[i] == '[' && i + 1 < len && text[i + 1] == ':') {
			close = memmem(text + i + 2, len - i - 2, ":]", 2);
			if (close)
				i = (uint32_t)(close - text) + 1;
		}
	}
	return i < len ? i + 1 : len;
}

uint32_t fc_regex_alternation(const char *text, uint32_t len)
{
	uint32_t groups = 0, i = 0;

	while (i < len) {
		char c = text[i];

		if (c == '|' && !groups)
			return i;
		if (c == '(')
			groups++;
		else if (c == ')' && groups)
			groups--;
		if (c == '[')
			i = class_end(text, len, i + 1);
		else
			i += c == '\\' ? 2 : 1;
	}
	return len;
}

/* Quoted text, comments, options: what is behind them means something else. */
static bool is_odd(const char *text, uint32_t len)
{
	for (uint32_t i = 0; i + 1 < len; i++) {
		if (text[i] == '\\' && text[i + 1] == 'Q')
			return true;
		if (text[i] == '(' && (text[i + 1] == '*' || (text[i + 1] == '?' && (i + 2 == len || text[i + 2] != ':'))))
			return true;
	}
	return false;
}

/* libselinux takes an expression without special bytes for the path itself;
 * these it sees through when a backslash is before them. */
static bool is_literal_escape(char c)
{
	return c && strchr(".^$?*+|[({])}-_,", c);
}

void fc_regex_fixed(struct arena *arena, struct fc_entry *entry)
{
	const char *text = entry->regex.text;
	uint32_t len = entry->regex.len, n = 0, i = 0, last = 0;
	char *fixed;

	entry->fixed = "";
	if (is_odd(text, len) || fc_regex_alternation(text, len) < len)
		return;
	fixed = arena_alloc(arena, len);
	while (i < len) {
		bool escaped = text[i] == '\\';

		if (escaped ? i + 1 == len || !is_literal_escape(text[i + 1]) : strchr(".^$?*+|[({])}", text[i]) != NULL)
			break;
		last = i;
		i += escaped;
		fixed[n++] = text[i++];
	}
	entry->literal = i == len;
	/* The last byte may be there no time at all. */
	if (i < len && n && strchr("?*{", text[i])) {
		n--;
		i = last;
	}
	entry->fixed = fixed;
	entry->fixed_len = n;
	entry->fixed_end = i;
}
