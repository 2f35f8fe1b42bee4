/* What can be told of the expressions of file_contexts without matching them. */
#include <string.h>

#include "validator/fc.h"

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
