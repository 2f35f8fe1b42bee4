#include "query/audit.h"

#include <string.h>

/* ---- spans ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct audit_span skip_blanks(struct audit_span s)
{
	while (s.n && is_blank(*s.at)) {
		s.at++;
		s.n--;
	}
	return s;
}

static bool begins(struct audit_span s, const char *word)
{
	size_t len = strlen(word);

	return s.n >= len && !memcmp(s.at, word, len);
}

static struct audit_span after(struct audit_span s, size_t n)
{
	return (struct audit_span){s.at + n, s.n - n};
}

/* What follows the word, whose first occurrence is looked for; at NULL: none. */
static struct audit_span find_after(struct audit_span s, const char *word)
{
	const char *at = s.n ? memmem(s.at, s.n, word, strlen(word)) : NULL;

	return at ? after(s, (size_t)(at - s.at) + strlen(word)) : (struct audit_span){0};
}

static bool is_word(struct audit_span s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.at, word, s.n);
}

/* ---- fields ---- */

/* Cuts NAME=VALUE from the front; a value in quotes runs to the next quote.
 * False at the end.  Words without a sign have an empty value. */
static bool next_field(struct audit_span *rest, struct audit_span *ret_name, struct audit_span *ret_value)
{
	struct audit_span s = skip_blanks(*rest);
	size_t n = 0;

	if (!s.n)
		return false;
	while (n < s.n && !is_blank(s.at[n]) && s.at[n] != '=')
		n++;
	*ret_name = (struct audit_span){s.at, n};
	*ret_value = (struct audit_span){0};
	s = after(s, n);
	if (s.n && *s.at == '=') {
		const char *end;

		s = after(s, 1);
		n = 0;
		end = s.n && *s.at == '"' ? memchr(s.at + 1, '"', s.n - 1) : NULL;
		if (end)
			n = (size_t)(end - s.at) + 1;
		while (n < s.n && !is_blank(s.at[n]))
			n++;
		*ret_value = (struct audit_span){s.at, n};
		s = after(s, n);
	}
	*rest = s;
	return true;
}

/* In a USER_AVC record the message as a whole is in single quotes. */
static struct audit_span without_quote(struct audit_span s)
{
	if (s.n && s.at[s.n - 1] == '\'')
		s.n--;
	return s;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Hexadecimal, with 0x or, of old kernels, without. */
static bool parse_ioctl(struct audit_span s, uint16_t *ret)
{
	uint32_t number = 0;

	if (begins(s, "0x"))
		s = after(s, 2);
	if (!s.n || s.n > 8)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int digit = hex_digit(s.at[i]);

		if (digit < 0)
			return false;
		number = number << 4 | (uint32_t)digit;
	}
	*ret = (uint16_t)number; /* the kernel judges the low half */
	return true;
}

static void take_field(struct audit_denial *d, struct audit_span name, struct audit_span value)
{
	if (is_word(name, "scontext"))
		d->source = without_quote(value);
	else if (is_word(name, "tcontext"))
		d->target = without_quote(value);
	else if (is_word(name, "tclass"))
		d->class = without_quote(value);
	else if (is_word(name, "comm"))
		d->comm = value;
	else if (is_word(name, "permissive"))
		d->permissive = is_word(without_quote(value), "1");
	else if (is_word(name, "ioctlcmd"))
		d->has_ioctl = parse_ioctl(without_quote(value), &d->ioctl);
}

bool audit_parse(const char *line, size_t n, struct audit_denial *ret)
{
	struct audit_span rest = find_after((struct audit_span){line, n}, "avc:"), name, value;
	const char *end;

	*ret = (struct audit_denial){0};
	rest = skip_blanks(rest);
	if (!rest.at || !begins(rest, "denied"))
		return false;
	rest = skip_blanks(after(rest, strlen("denied")));
	if (!rest.n || *rest.at != '{')
		return false;
	end = memchr(rest.at, '}', rest.n);
	if (!end)
		return false;
	ret->perms = (struct audit_span){rest.at + 1, (size_t)(end - rest.at) - 1};
	rest = after(rest, (size_t)(end - rest.at) + 1);
	while (next_field(&rest, &name, &value))
		take_field(ret, name, value);
	return ret->source.n && ret->target.n && ret->class.n && skip_blanks(ret->perms).n;
}

bool audit_next_perm(struct audit_span *list, struct audit_span *ret_perm)
{
	struct audit_span s = skip_blanks(*list);
	size_t n = 0;

	while (n < s.n && !is_blank(s.at[n]))
		n++;
	*ret_perm = (struct audit_span){s.at, n};
	*list = after(s, n);
	return n > 0;
}

/* auditd writes upper case, two digits for each byte. */
static bool is_hex(struct audit_span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (hex_digit(s.at[i]) < 0 || (s.at[i] >= 'a' && s.at[i] <= 'f'))
			return false;
	return s.n >= 2 && s.n % 2 == 0;
}

void audit_put_value(struct buffer *b, struct audit_span value)
{
	if (value.n >= 2 && value.at[0] == '"' && value.at[value.n - 1] == '"') {
		buffer_put(b, value.at + 1, value.n - 2);
	} else if (is_hex(value)) {
		for (size_t i = 0; i < value.n; i += 2)
			buffer_u8(b, (uint8_t)(hex_digit(value.at[i]) << 4 | hex_digit(value.at[i + 1])));
	} else {
		buffer_put(b, value.at, value.n);
	}
}
