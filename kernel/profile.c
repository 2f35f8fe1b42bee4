/* Profiles: text to struct and back. */
#include "kernel/profile.h"

#include <stdio.h>
#include <string.h>

struct word {
	const char *text;
	uint32_t len;
};

struct reader {
	struct kernel_profile *profile;
	const struct source *source;
	const char *next, *end;
	struct diags *diags;
	bool good;
};

static struct loc word_loc(const struct reader *r, struct word word)
{
	uint32_t begin = r->source->base + (uint32_t)(word.text - r->source->text);

	return (struct loc){begin, begin + word.len};
}

DIAG_FMT(3, 4)
static void fail(struct reader *r, struct word word, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_error(r->diags, "kernel-profile", word_loc(r, word), "%s", text);
	r->good = false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Skips blanks and a comment; with lines also the ends of lines. */
static void skip(struct reader *r, bool lines)
{
	while (r->next < r->end) {
		if (*r->next == '#')
			while (r->next < r->end && *r->next != '\n')
				r->next++;
		else if (is_blank(*r->next) || (lines && *r->next == '\n'))
			r->next++;
		else
			break;
	}
}

/* The next word of the line (or, with lines, of the text); empty at its end. */
static struct word next_word(struct reader *r, bool lines)
{
	struct word word;

	skip(r, lines);
	word.text = r->next;
	while (r->next < r->end && !is_blank(*r->next) && *r->next != '\n' && *r->next != '#')
		r->next++;
	word.len = (uint32_t)(r->next - word.text);
	return word;
}

static bool word_is(struct word word, const char *text)
{
	return word.len == strlen(text) && !memcmp(word.text, text, word.len);
}

static const char *keep(struct reader *r, struct word word)
{
	return arena_strndup(&r->profile->arena, word.text, word.len);
}

static bool read_number(struct reader *r, uint32_t max, uint32_t *ret_number)
{
	struct word word = next_word(r, false);
	uint64_t number = 0;
	uint32_t i;

	for (i = 0; i < word.len && i < 10 && word.text[i] >= '0' && word.text[i] <= '9'; i++)
		number = number * 10 + (uint64_t)(word.text[i] - '0');
	if (word.len && i == word.len && number <= max) {
		*ret_number = (uint32_t)number;
		return true;
	}
	fail(r, word, "a number up to %u is expected", max);
	return false;
}

/* ---- statements; each stands behind its keyword ---- */

static void read_name(struct reader *r)
{
	struct word word, all = next_word(r, false);

	for (word = all; word.len; word = next_word(r, false))
		all.len = (uint32_t)(word.text + word.len - all.text);
	if (r->profile->name)
		fail(r, all, "the name of the kernel is given twice");
	if (!all.len)
		fail(r, all, "a name of the kernel is expected");
	r->profile->name = keep(r, all);
}

static void read_versions(struct reader *r)
{
	struct kernel_profile *p = r->profile;

	if (read_number(r, UINT16_MAX, &p->oldest) && read_number(r, UINT16_MAX, &p->newest) && p->oldest > p->newest)
		fail(r, (struct word){r->next, 0}, "the oldest version comes first");
}

static void read_bounds(struct reader *r)
{
	read_number(r, UINT16_MAX, &r->profile->bounds);
}

static void read_refuse(struct reader *r)
{
	struct word word = next_word(r, false);

	if (word_is(word, "port-zero"))
		r->profile->refuses_port_zero = true;
	else
		fail(r, word, "the only thing to refuse is port-zero");
}

static void read_capabilities(struct reader *r)
{
	struct word word = next_word(r, false);

	if (!word.len)
		fail(r, word, "a capability is expected");
	for (; word.len; word = next_word(r, false))
		*vec_push(&r->profile->capabilities) = keep(r, word);
}

static void read_sid(struct reader *r)
{
	struct word word;
	uint32_t number;

	if (!read_number(r, KERNEL_MAX_SIDS - 1, &number))
		return;
	word = next_word(r, false);
	if (!word.len || !number)
		fail(r, word, "a number from 1 and the name of the initial SID are expected");
	else if (r->profile->sids[number])
		fail(r, word, "initial SID %u is given twice", number);
	else
		r->profile->sids[number] = keep(r, word);
}

static void add_perm(struct reader *r, struct kernel_class *class, struct word word)
{
	const char *perm = keep(r, word);

	if (kernel_class_has(class, perm))
		fail(r, word, "permission `%s` is given twice", perm);
	else if (class->nperms == KERNEL_MAX_PERMS)
		fail(r, word, "class `%s` has more than %d permissions", class->name, KERNEL_MAX_PERMS);
	else
		class->perms[class->nperms++] = perm;
}

static void read_class(struct reader *r)
{
	struct word name = next_word(r, false), word = next_word(r, false);
	struct kernel_class class = {.name = keep(r, name)};

	if (!name.len || !word_is(word, "{")) {
		fail(r, word, "the name of a class and its permissions in braces are expected");
		return;
	}
	if (kernel_profile_class(r->profile, class.name))
		fail(r, name, "class `%s` is given twice", class.name);
	for (word = next_word(r, true); word.len && !word_is(word, "}") && r->good; word = next_word(r, true))
		add_perm(r, &class, word);
	if (!word.len)
		fail(r, word, "the permissions of class `%s` have no end", class.name);
	*vec_push(&r->profile->classes) = class;
}

static void read_classes(struct reader *r)
{
	struct word word = next_word(r, false);

	if (word_is(word, "partial"))
		r->profile->partial = true;
	else
		fail(r, word, "partial is expected");
}

static const struct {
	const char *keyword;
	void (*read)(struct reader *r);
} statements[] = {
	{"name", read_name},
	{"versions", read_versions},
	{"bounds", read_bounds},
	{"refuse", read_refuse},
	{"capability", read_capabilities},
	{"sid", read_sid},
	{"class", read_class},
	{"classes", read_classes},
};

enum { STATEMENTS = sizeof statements / sizeof statements[0] };

static void read_statement(struct reader *r, struct word keyword)
{
	struct word rest;
	size_t i = 0;

	while (i < STATEMENTS && !word_is(keyword, statements[i].keyword))
		i++;
	if (i == STATEMENTS) {
		fail(r, keyword, "this is no statement of a kernel profile");
		return;
	}
	statements[i].read(r);
	rest = next_word(r, false);
	if (r->good && rest.len)
		fail(r, rest, "the statement ends before this");
}

bool kernel_profile_parse(struct kernel_profile *ret_profile, const struct source *source, struct diags *diags)
{
	struct reader r = {
		.profile = ret_profile,
		.source = source,
		.next = source->text,
		.end = source->text + source->size,
		.diags = diags,
		.good = true,
	};

	ret_profile->bounds = UINT32_MAX;
	for (struct word word = next_word(&r, true); r.good && word.len; word = next_word(&r, true))
		read_statement(&r, word);
	if (r.good && (!ret_profile->name || !ret_profile->newest))
		fail(&r, (struct word){source->text, 0}, "a kernel profile has the statements `name` and `versions`");
	return r.good;
}

void kernel_profile_free(struct kernel_profile *profile)
{
	vec_free(&profile->classes);
	vec_free(&profile->capabilities);
	arena_free(&profile->arena);
}

const struct kernel_class *kernel_profile_class(const struct kernel_profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->classes.n; i++)
		if (!strcmp(profile->classes.at[i].name, name))
			return &profile->classes.at[i];
	return NULL;
}

bool kernel_class_has(const struct kernel_class *class, const char *perm)
{
	for (uint32_t i = 0; i < class->nperms; i++)
		if (!strcmp(class->perms[i], perm))
			return true;
	return false;
}

bool kernel_profile_has_capability(const struct kernel_profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->capabilities.n; i++)
		if (!strcmp(profile->capabilities.at[i], name))
			return true;
	return false;
}

/* ---- writing ---- */

DIAG_FMT(2, 3)
static void put(struct buffer *out, const char *fmt, ...)
{
	char text[512];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	if (len > 0)
		buffer_put(out, text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
}

static void put_class(const struct kernel_class *class, struct buffer *out)
{
	put(out, "class %s {", class->name);
	for (uint32_t i = 0; i < class->nperms; i++)
		put(out, " %s", class->perms[i]);
	put(out, " }\n");
}

void kernel_profile_write(const struct kernel_profile *profile, struct buffer *out)
{
	put(out, "name %s\nversions %u %u\n", profile->name, profile->oldest, profile->newest);
	if (profile->bounds != UINT32_MAX)
		put(out, "bounds %u\n", profile->bounds);
	if (profile->refuses_port_zero)
		put(out, "refuse port-zero\n");
	if (profile->partial)
		put(out, "classes partial\n");
	put(out, "\n");
	for (uint32_t i = 0; i < profile->capabilities.n; i++)
		put(out, "capability %s\n", profile->capabilities.at[i]);
	put(out, "\n");
	for (uint32_t number = 1; number < KERNEL_MAX_SIDS; number++)
		if (profile->sids[number])
			put(out, "sid %u %s\n", number, profile->sids[number]);
	put(out, "\n");
	for (uint32_t i = 0; i < profile->classes.n; i++)
		put_class(&profile->classes.at[i], out);
}
