/* secolor.conf: the colours in which users, roles, types and levels are shown.
 *
 * As mcstransd reads it (mcscolor.c): `color NAME = #RRGGBB`, and `user`, `role`,
 * `type` or `range`, a pattern, ` = ` and two colours, that of the text and that
 * behind it.  A name must be defined before it is used.  The first line that
 * matches counts.  Lines that are not right are skipped. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/atom.h"
#include "base/memory.h"
#include "base/near.h"
#include "ir/policy.h"
#include "validator/first_match.h"

enum rule { RULE_USER, RULE_ROLE, RULE_TYPE, RULE_RANGE, RULE_COLOR };
enum {
	RULES = RULE_COLOR + 1,
	MAX_PATTERN = 4095, /* of mcstransd */
};

static const char *const rules[] = {"user", "role", "type", "range", "color"};

struct colors {
	struct label_run *run;
	struct atoms names;
	VEC(struct loc) defined; /* by name */
	struct first_match match;
};

static void report_syntax(struct colors *c, struct span at, const char *text)
{
	diag_error(c->run->diags, "secolor-syntax", at.loc, "%s", text);
	diag_hint(c->run->diags, "a line is `color NAME = #RRGGBB`, or `user`, `role`, `type` or `range`, a pattern, ` = ` and two colours");
}

/* ---- colours ---- */

static uint32_t hex_digits(struct span text)
{
	uint32_t n = 0;

	while (n + 1 < text.len && strchr("0123456789abcdefABCDEF", text.text[n + 1]))
		n++;
	return n;
}

static bool check_value(struct colors *c, struct span value)
{
	struct diags *diags = c->run->diags;
	uint32_t digits = hex_digits(value);

	if (value.text[0] != '#' || !digits) {
		diag_error(diags, "secolor-color", value.loc, "`%.*s` is no colour", SPAN_ARGS(value));
		diag_hint(diags, "a colour is `#` and six hexadecimal digits");
		return false;
	}
	if (digits != 6 || value.len != 7)
		diag_warning(diags, "secolor-color", value.loc, "a colour has six digits, `#RRGGBB`; this is read as another one");
	return true;
}

static void check_use(struct colors *c, struct span name)
{
	struct diags *diags = c->run->diags;
	struct near near;

	if (name.text[0] == '#') {
		check_value(c, name);
		return;
	}
	if (atom_find(&c->names, name.text, name.len))
		return;
	diag_error(diags, "secolor-color", name.loc, "no line before this one defines the colour `%.*s`", SPAN_ARGS(name));
	near_init(&near, name.text, name.len);
	for (uint32_t i = 1; i < c->names.n; i++)
		near_try(&near, atom_text(&c->names, i), atom_len(&c->names, i));
	near_hint(&near, diags);
}

static void define(struct colors *c, struct span name, struct span value)
{
	uint32_t known = c->names.n, atom;

	if (!check_value(c, value))
		return;
	atom = atom_intern(&c->names, name.text, name.len);
	if (atom == known) {
		*vec_push(&c->defined) = name.loc;
		return;
	}
	diag_warning(c->run->diags, "secolor-color", name.loc, "the colour `%.*s` is defined already", SPAN_ARGS(name));
	diag_note(c->run->diags, c->defined.at[atom], "here; lines from now on get the later one");
}

/* ---- patterns ---- */

#define MATCHES(symbols, pattern) \
	do { \
		for (uint32_t v = 1; v <= (symbols).n; v++) \
			if ((symbols).at[v].name && !fnmatch(pattern, (symbols).at[v].name, 0)) \
				return true; \
	} while (0)

static bool matches_type(const struct policy *policy, const char *pattern)
{
	for (uint32_t v = 1; v <= policy->types.n; v++)
		if (policy->types.at[v].kind == POLICY_TYPE && policy->types.at[v].name &&
		    !fnmatch(pattern, policy->types.at[v].name, 0))
			return true;
	return false;
}

static bool matches_some(const struct policy *policy, enum rule rule, const char *pattern)
{
	if (rule == RULE_USER)
		MATCHES(policy->users, pattern);
	else if (rule == RULE_ROLE)
		MATCHES(policy->roles, pattern);
	else
		return matches_type(policy, pattern);
	return false;
}

static void check_pattern(struct colors *c, enum rule rule, struct span pattern)
{
	struct label_run *run = c->run;
	char *text = mem_alloc((size_t)pattern.len + 1);

	memcpy(text, pattern.text, pattern.len);
	text[pattern.len] = '\0';
	for (uint32_t i = 0; i < run->npolicies; i++) {
		if (matches_some(security_policy(run->policies[i].security), rule, text))
			continue;
		run->diags->under = run->policies[i].name;
		diag_warning(run->diags, "secolor-pattern", pattern.loc, "no %s matches `%.*s`", rules[rule], SPAN_ARGS(pattern));
		run->diags->under = NULL;
	}
	free(text);
}

/* ---- lines ---- */

static uint32_t find_rule(struct colors *c, struct span word)
{
	struct near near;

	near_init(&near, word.text, word.len);
	for (uint32_t i = 0; i < RULES; i++) {
		if (span_is(word, rules[i]))
			return i;
		near_try(&near, rules[i], strlen(rules[i]));
	}
	diag_error(c->run->diags, "secolor-syntax", word.loc, "a line begins with `color`, `user`, `role`, `type` or `range`");
	near_hint(&near, c->run->diags);
	return RULES;
}

/* A blank stands before the `=`, and may stand behind it. */
static bool take_equals(struct colors *c, struct span pattern, struct span *line)
{
	*line = span_trim(*line);
	if (span_starts(*line, "=")) {
		*line = span_part(*line, 1, line->len - 1);
		return true;
	}
	report_syntax(c, pattern, memchr(pattern.text, '=', pattern.len) ?
		      "a blank is wanted before `=`, which is taken as a part of the pattern" : "`=` is wanted behind this");
	return false;
}

static void read_line(struct colors *c, struct span line)
{
	struct span word, pattern, values[2];
	uint32_t rule, n;

	line_word(&line, &word);
	rule = find_rule(c, word);
	if (rule == RULES)
		return;
	if (!line_word(&line, &pattern)) {
		label_missing(c->run, word, rule == RULE_COLOR ? "name" : "pattern");
		return;
	}
	if (pattern.len > MAX_PATTERN) {
		report_syntax(c, pattern, "the pattern is too long");
		return;
	}
	if (!take_equals(c, pattern, &line))
		return;
	n = line_words(&line, values, 2);
	if (rule == RULE_COLOR && n == 1) {
		define(c, pattern, values[0]);
	} else if (rule == RULE_COLOR) {
		report_syntax(c, n ? values[1] : pattern, n ? "a colour has one value, and the line is skipped for more" : "a value is wanted");
	} else if (n < 2) {
		report_syntax(c, n ? values[0] : pattern, "two colours are wanted, that of the text and that behind it");
	} else {
		check_use(c, values[0]);
		check_use(c, values[1]);
		label_extra(c->run, line);
		if (rule == RULE_RANGE)
			label_range(c->run, pattern);
		else
			check_pattern(c, (enum rule)rule, pattern);
		first_match_add(&c->match, c->run, rule, pattern, rule == RULE_RANGE);
	}
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct colors c = {.run = run};
	struct lines lines;
	struct span line;

	atoms_init(&c.names);
	*vec_push(&c.defined) = LOC_NONE; /* of no name */
	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&c, line);
	atoms_free(&c.names);
	vec_free(&c.defined);
	first_match_free(&c.match);
}

void label_check_secolor(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
