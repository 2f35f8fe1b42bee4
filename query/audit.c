#include "query/audit.h"

#include <string.h>

#include "security/decide.h"

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

/* Hexadecimal, with 0x or, of old kernels, without; decimal. */
static bool parse_number(struct audit_span s, unsigned base, uint16_t *ret)
{
	uint32_t number = 0;

	if (base == 16 && begins(s, "0x"))
		s = after(s, 2);
	if (!s.n || s.n > 8)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int digit = hex_digit(s.at[i]);

		if (digit < 0 || digit >= (int)base)
			return false;
		number = number * base + (uint32_t)digit;
	}
	*ret = (uint16_t)number; /* the kernel judges the low half */
	return true;
}

/* A number that cannot be read would make a question about more than was asked:
 * ausearch -i writes the names of some. */
static void take_number(struct audit_record *r, struct audit_span value, uint8_t base)
{
	if (parse_number(without_quote(value), base == XPERM_BASE_IOCTL ? 16 : 10, &r->number))
		r->base = base;
	else
		r->missing = "number of its extended permission";
}

static const struct { const char *name; size_t offset; } contexts[] = {
	{"scontext", offsetof(struct audit_record, source)}, {"oldcontext", offsetof(struct audit_record, source)},
	{"tcontext", offsetof(struct audit_record, target)}, {"newcontext", offsetof(struct audit_record, target)},
	{"invalid_context", offsetof(struct audit_record, context)},
	{"taskcontext", offsetof(struct audit_record, context)}, {"tclass", offsetof(struct audit_record, class)},
	{"srawcon", offsetof(struct audit_record, raw[0])}, {"trawcon", offsetof(struct audit_record, raw[1])},
};

static void take_field(struct audit_record *r, struct audit_span name, struct audit_span value)
{
	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		if (is_word(name, contexts[i].name))
			*(struct audit_span *)(void *)((char *)r + contexts[i].offset) = without_quote(value);
	if (is_word(name, "comm"))
		r->comm = value;
	else if (is_word(name, "perms") && r->kind == AUDIT_BOUNDS)
		r->perms = without_quote(value);
	else if (is_word(name, "permissive"))
		r->permissive = is_word(without_quote(value), "1");
	else if (is_word(name, "ioctlcmd"))
		take_number(r, value, XPERM_BASE_IOCTL);
	else if (is_word(name, "nl-msgtype"))
		take_number(r, value, XPERM_BASE_NLMSG);
}

/* ---- records ---- */

/* Lists of permissions and contexts end before this; a line without an end takes
 * no more than linear time so. */
enum { LONGEST = 8192 };

static struct audit_span shorter(struct audit_span s)
{
	return (struct audit_span){s.at, s.n < LONGEST ? s.n : LONGEST};
}

/* Takes what stands behind the words that begin a record, up to its fields;
 * false when it is no record after all. */
typedef bool take_head(struct audit_span *rest, struct audit_record *r);

/* `denied  { read write } for`; damaged when the braces are not closed. */
static bool take_access(struct audit_span *rest, struct audit_record *r)
{
	struct audit_span s = skip_blanks(*rest);
	const char *end;

	if (begins(s, "granted"))
		r->kind = AUDIT_GRANTED;
	else if (!begins(s, "denied"))
		return false;
	*rest = s = skip_blanks(after(s, strlen(r->kind == AUDIT_GRANTED ? "granted" : "denied")));
	end = s.n && *s.at == '{' ? memchr(s.at, '}', shorter(s).n) : NULL;
	if (!end)
		return true;
	r->perms = (struct audit_span){s.at + 1, (size_t)(end - s.at) - 1};
	r->at.at = r->perms.at;
	*rest = after(s, (size_t)(end - s.at) + 1);
	return true;
}

/* Of old kernels: `invalid context CONTEXT for`. */
static bool take_old_computed(struct audit_span *rest, struct audit_record *r)
{
	struct audit_span s = skip_blanks(*rest), word;

	if (begins(s, "invalid context")) {
		s = after(s, strlen("invalid context"));
		if (audit_next_perm(&s, &word))
			r->context = word;
		*rest = s;
	}
	return true;
}

static bool take_context_before(struct audit_span s, const char *words, struct audit_record *r)
{
	const char *end = memmem(s.at, shorter(s).n, words, strlen(words));

	if (end)
		r->context = (struct audit_span){s.at, (size_t)(end - s.at)};
	return end;
}

/* Other records have such an `op`, too. */
static bool take_set(struct audit_span *rest, struct audit_record *r)
{
	(void)r;
	*rest = skip_blanks(*rest);
	return begins(*rest, "invalid_context=");
}

/* Of the kernel's log: `Context CONTEXT is not valid (left unmapped).`, as it is
 * met, or as a new policy does not know it. */
static bool take_unmapped(struct audit_span *rest, struct audit_record *r)
{
	struct audit_span s = skip_blanks(*rest);

	if (!begins(s, "Context "))
		return false;
	s = skip_blanks(after(s, strlen("Context ")));
	if (!take_context_before(s, " is not valid", r) && !take_context_before(s, " became invalid", r))
		return false;
	*rest = after(s, r->context.n);
	return true;
}

static const struct { const char *words; enum audit_kind kind; take_head *take; } heads[] = {
	{"avc:", AUDIT_DENIED, take_access},
	{"op=security_compute_sid", AUDIT_COMPUTED, NULL},
	{"op=security_compute_av", AUDIT_BOUNDS, NULL},
	{"op=security_validate_transition", AUDIT_TRANSITION, NULL},
	{"op=security_bounded_transition", AUDIT_BOUNDED, NULL},
	{"op=setxattr", AUDIT_CONTEXT, take_set},
	{"op=fscreate", AUDIT_CONTEXT, take_set},
	{"security_compute_sid:", AUDIT_COMPUTED, take_old_computed},
	{"security_validate_transition:", AUDIT_TRANSITION, NULL},
	{"SELinux:", AUDIT_CONTEXT, take_unmapped},
};

static bool take_head_at(struct audit_span *rest, size_t head, struct audit_record *ret_record)
{
	struct audit_span s = after(*rest, strlen(heads[head].words));

	*ret_record = (struct audit_record){.kind = heads[head].kind, .at = *rest};
	if (heads[head].take && !heads[head].take(&s, ret_record))
		return false;
	*rest = s;
	return true;
}

static bool take_head_here(struct audit_span *rest, struct audit_record *ret_record)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (*rest->at == heads[i].words[0] && begins(*rest, heads[i].words) && take_head_at(rest, i, ret_record))
			return true;
	return false;
}

/* The first letters of all heads: nearly all bytes of a log are none. */
static bool may_begin(char c)
{
	return c == 'a' || c == 'o' || c == 's' || c == 'S';
}

static bool find_head(struct audit_span *rest, struct audit_record *ret_record)
{
	for (; rest->n; *rest = after(*rest, 1))
		if (may_begin(*rest->at) && take_head_here(rest, ret_record))
			return true;
	return false;
}

static bool begins_record(struct audit_span s)
{
	struct audit_record r;

	return s.n && take_head_here(&s, &r);
}

/* The first part of a record of the kind that is not there. */
static const char *find_missing(const struct audit_record *r)
{
	bool access = r->kind == AUDIT_DENIED || r->kind == AUDIT_GRANTED || r->kind == AUDIT_BOUNDS;
	bool change = r->kind == AUDIT_TRANSITION || r->kind == AUDIT_BOUNDED;
	struct audit_span perms = r->perms, perm;

	if (access && !audit_next_perm(&perms, &perm))
		return "list of permissions";
	if ((r->kind == AUDIT_COMPUTED || r->kind == AUDIT_CONTEXT || r->kind == AUDIT_TRANSITION) && !r->context.n)
		return r->kind == AUDIT_TRANSITION ? "context of the task" : "invalid context";
	if (r->kind == AUDIT_CONTEXT)
		return NULL;
	if (!r->source.n)
		return change ? "old context" : "source context";
	if (!r->target.n)
		return change ? "new context" : "target context";
	return r->class.n || r->kind == AUDIT_BOUNDED ? NULL : "class";
}

/* What follows the fields may be another record: a log can lose the end of a line. */
bool audit_next(struct audit_span *rest, struct audit_record *ret_record)
{
	struct audit_span name, value;
	const char *missing;

	if (!find_head(rest, ret_record))
		return false;
	*rest = skip_blanks(*rest);
	while (!begins_record(*rest) && next_field(rest, &name, &value)) {
		take_field(ret_record, name, value);
		*rest = skip_blanks(*rest);
	}
	ret_record->at.n = (size_t)(rest->at - ret_record->at.at);
	missing = find_missing(ret_record);
	if (missing)
		ret_record->missing = missing;
	return true;
}

static bool is_separator(char c)
{
	return is_blank(c) || c == ',';
}

bool audit_next_perm(struct audit_span *list, struct audit_span *ret_perm)
{
	struct audit_span s = *list;
	size_t n = 0;

	if (!s.n) { /* it may be nowhere */
		*ret_perm = s;
		return false;
	}
	while (s.n && is_separator(*s.at))
		s = after(s, 1);
	while (n < s.n && !is_separator(s.at[n]))
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
