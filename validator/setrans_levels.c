/* Levels and categories of setrans.conf, where the daemon wants numbers. */
#include <string.h>

#include "ir/policy.h"
#include "validator/setrans.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of a letter and digits, or 0. */
static uint32_t numbered(struct span text, uint32_t at, char letter)
{
	uint32_t end = at + 1;

	if (at >= text.len || text.text[at] != letter)
		return 0;
	while (end < text.len && is_digit(text.text[end]))
		end++;
	return end - at > 1 ? end - at : 0;
}

/* The number of a name, up to one that no set has. */
static uint32_t number_of(struct span name)
{
	uint32_t number = 0;

	for (uint32_t i = 1; i < name.len && number < 1000000; i++)
		number = number * 10 + (uint32_t)(name.text[i] - '0');
	return number;
}

static bool check_limit(struct setrans *s, struct span name)
{
	if (number_of(name) < SETRANS_CATS)
		return true;
	diag_error(s->run->diags, "setrans-category-limit", name.loc,
		   "category `%.*s` is beyond those of the translation daemon, which end at `c%d`", SPAN_ARGS(name),
		   SETRANS_CATS - 1);
	return false;
}

static bool check_category(struct setrans *s, struct span name)
{
	return check_limit(s, name) && label_name(s->run, SECURITY_CAT, name);
}

/* ---- categories ---- */

/* One category, or two with a dot; its length, 0 when it is none. */
static uint32_t take_categories(struct setrans *s, struct span text, uint32_t at, bool *right)
{
	uint32_t low = numbered(text, at, 'c'), high;
	struct span first = span_part(text, at, low), last;

	if (!low)
		return 0;
	*right &= check_category(s, first);
	if (at + low == text.len || text.text[at + low] != '.')
		return low;
	high = numbered(text, at + low + 1, 'c');
	if (!high)
		return 0;
	last = span_part(text, at + low + 1, high);
	*right &= check_category(s, last);
	if (number_of(first) > number_of(last)) {
		diag_error(s->run->diags, "setrans-syntax", span_part(text, at, low + 1 + high).loc,
			   "the category range runs backwards, and has no category in it");
		*right = false;
	}
	return low + 1 + high;
}

bool setrans_categories(struct setrans *s, struct span text, bool inverse)
{
	uint32_t at = 0;
	bool right = true;

	while (at < text.len) {
		uint32_t len;

		while (inverse && at < text.len && text.text[at] == '~')
			at++;
		len = take_categories(s, text, at, &right);
		if (!len || (at + len < text.len && text.text[at + len] != ',')) {
			setrans_fatal(s, span_part(text, at + len, text.len - at - len),
				      len ? "a comma is wanted between categories" : "a category as `c1`, or a range as `c1.c3`, is wanted");
			return false;
		}
		at += len + 1;
	}
	return right;
}

void setrans_sensitivity(struct setrans *s, struct span text)
{
	uint32_t len = numbered(text, 0, 's');

	if (len == text.len)
		label_name(s->run, SECURITY_SENS, text);
	else
		setrans_fatal(s, text, "a sensitivity as `s1` is wanted");
}

/* ---- levels ---- */

/* A category that the daemon cannot have, in a text that may be any level. */
static bool check_limits(struct setrans *s, struct span text)
{
	bool right = true;

	for (uint32_t i = 1; i < text.len; i++) {
		uint32_t len = strchr(":,.", text.text[i - 1]) ? numbered(text, i, 'c') : 0;

		if (len)
			right &= check_limit(s, span_part(text, i, len));
	}
	return right;
}

/* The daemon reads levels of a Base itself, and other lines as a text. */
static bool check_base(struct setrans *s, struct span text)
{
	uint32_t len = numbered(text, 0, 's');

	if (len && (len == text.len || text.text[len] == ':'))
		return true;
	setrans_fatal(s, text, "a level behind Base is `s1` or `s1:c0.c3`, by numbers and no range");
	return false;
}

bool setrans_level(struct setrans *s, struct span text)
{
	if (!check_limits(s, text))
		return false;
	if (s->base)
		return check_base(s, text) && label_level(s->run, text);
	return label_range(s->run, text);
}
