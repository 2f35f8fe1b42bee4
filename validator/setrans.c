#include "validator/setrans.h"

#include <string.h>

#include "base/near.h"

static const char *const keywords[] = {
	"Base", "Default", "Domain", "Include", "Join", "ModifierGroup", "Prefix", "Suffix", "Whitespace",
};

enum { KEYWORDS = sizeof keywords / sizeof *keywords };

void setrans_fatal(struct setrans *s, struct span at, const char *text)
{
	diag_error(s->run->diags, "setrans-syntax", at.loc, "%s", text);
	diag_hint(s->run->diags, "the translation daemon gives the whole file up for it, and does not start");
}

/* ---- lines of a level or modifier ---- */

/* Letters alone, which no level or category is. */
static bool is_word(struct span key)
{
	for (uint32_t i = 0; i < key.len; i++)
		if (!((key.text[i] | 0x20) >= 'a' && (key.text[i] | 0x20) <= 'z'))
			return false;
	return true;
}

static void report_keyword(struct setrans *s, struct span key)
{
	struct near near;

	diag_error(s->run->diags, "setrans-syntax", key.loc, "`%.*s` is no keyword, and no level", SPAN_ARGS(key));
	near_init(&near, key.text, key.len);
	for (uint32_t i = 0; i < KEYWORDS; i++)
		near_try(&near, keywords[i], strlen(keywords[i]));
	near_hint(&near, s->run->diags);
}

static void read_word(struct setrans *s, struct span raw, struct span name)
{
	const char *dash = memchr(name.text, '-', name.len);

	if (dash)
		setrans_fatal(s, span_part(name, (uint32_t)(dash - name.text), 1), "a modifier has no `-` in its name");
	if (setrans_categories(s, raw, true) && !dash)
		setrans_add_word(s, raw, name);
}

static void read_name(struct setrans *s, struct span raw, struct span name)
{
	if (is_word(raw))
		report_keyword(s, raw);
	else if (s->group)
		read_word(s, raw, name);
	else if (setrans_level(s, raw))
		setrans_add(s, raw, name);
}

/* ---- keywords ---- */

static bool needs_group(struct span key)
{
	static const char *const names[] = {"Whitespace", "Join", "Prefix", "Suffix", "Default"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(key, names[i]))
			return true;
	return false;
}

static void begin_domain(struct setrans *s)
{
	s->domain++;
	s->group = 0;
}

static void read_assignment(struct setrans *s, struct span line, struct span key, struct span value)
{
	if (span_is(key, "Domain")) {
		begin_domain(s);
		return;
	}
	if (!s->domain)
		begin_domain(s);
	if (span_is(key, "Include")) {
		setrans_include(s, line, value);
	} else if (span_is(key, "Base")) {
		s->base = true;
	} else if (span_is(key, "ModifierGroup")) {
		s->group = ++s->groups;
		s->base = false;
	} else if (!needs_group(key)) {
		read_name(s, key, value);
	} else if (!s->group) {
		setrans_fatal(s, key, "this belongs to a modifier, and no ModifierGroup is before it");
	} else if (span_is(key, "Default")) {
		setrans_categories(s, value, true);
	}
}

static void read_constraint(struct setrans *s, struct span left, struct span right)
{
	if (left.text[0] == 's')
		setrans_sensitivity(s, left);
	else if (left.text[0] == 'c')
		setrans_categories(s, left, true);
	else
		setrans_fatal(s, left, "a constraint begins with a sensitivity or with categories");
	setrans_categories(s, right, true);
}

/* Blanks that the daemon takes off; what it keeps is a part of a name. */
static struct span trim(struct span span)
{
	uint32_t begin = 0, end = span.len;

	while (begin < end && strchr("\t ", span.text[begin]))
		begin++;
	while (end > begin && strchr("\t \r", span.text[end - 1]))
		end--;
	return span_part(span, begin, end - begin);
}

static void read_line(struct setrans *s, struct span line)
{
	const char *comment = memchr(line.text, '#', line.len);
	struct span left, right;
	uint32_t at = 0;

	if (comment)
		line = span_part(line, 0, (uint32_t)(comment - line.text));
	line = trim(line);
	if (!line.len)
		return;
	while (at < line.len && !strchr("=!>", line.text[at]))
		at++;
	if (at == line.len) {
		setrans_fatal(s, line, "the line has no `=`, `!` or `>`");
		return;
	}
	left = trim(span_part(line, 0, at));
	right = trim(span_part(line, at + 1, line.len - at - 1));
	if (!left.len || !right.len)
		setrans_fatal(s, span_part(line, at, 1), left.len ? "there is nothing behind this" : "there is nothing before this");
	else if (line.text[at] == '=')
		read_assignment(s, line, left, right);
	else
		read_constraint(s, left, right);
}

void setrans_read(struct setrans *s, uint32_t source, struct loc include)
{
	struct lines lines;
	struct span line;

	*vec_push(&s->stack) = (struct setrans_frame){source, include};
	lines_begin(&lines, &s->run->sources->files.at[source]);
	while (lines_next(&lines, &line))
		read_line(s, line);
	s->stack.n--;
}

/* ---- files ---- */

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct setrans s = {.run = run};

	atoms_init(&s.levels);
	atoms_init(&s.names);
	atoms_init(&s.words);
	setrans_read(&s, file->source, LOC_NONE);
	atoms_free(&s.levels);
	atoms_free(&s.names);
	atoms_free(&s.words);
	vec_free(&s.files);
	vec_free(&s.stack);
	vec_free(&s.entries);
	vec_free(&s.by_name);
	vec_free(&s.by_level);
	vec_free(&s.by_word);
}

void label_check_setrans(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
