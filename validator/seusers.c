/* seusers: lines `LOGIN:USER:RANGE` that say which SELinux user, with which
 * range, a login gets.
 *
 * As libselinux reads it (getseuserbyname): blanks before the login are skipped,
 * none inside; the first line of a login counts; `%GROUP` is for members of a
 * group, `__default__` for whoever has no other.  What is wrong here is seen
 * only when somebody logs in. */
#include <string.h>

#include "base/atom.h"
#include "base/vec.h"
#include "ir/policy.h"
#include "validator/label_kind.h"

struct seusers {
	struct label_run *run;
	struct atoms logins;
	VEC(struct span) first; /* by login */
	bool has_default;
};

/* Up to the first colon, with the rest behind it; the whole when there is none. */
static struct span take_field(struct span *line)
{
	const char *colon = memchr(line->text, ':', line->len);
	uint32_t len = colon ? (uint32_t)(colon - line->text) : line->len, skip = len + (colon != NULL);
	struct span field = span_part(*line, 0, len);

	*line = span_part(*line, skip, line->len - skip);
	return field;
}

static void report_syntax(struct seusers *s, struct span at, const char *text)
{
	diag_error(s->run->diags, "seusers-syntax", at.loc, "%s", text);
	diag_hint(s->run->diags, "a line is `login:user:range`, or `login:user` in a policy without MLS");
}

static bool check_blank(struct seusers *s, struct span field)
{
	struct span rest = field, word;

	if (line_word(&rest, &word) && word.len == field.len)
		return true;
	report_syntax(s, field, field.len ? "a blank stands in a name, and is taken as a part of it" : "a name is missing");
	return false;
}

static void check_duplicate(struct seusers *s, struct span login)
{
	struct diags *diags = s->run->diags;
	uint32_t known = s->first.n, atom = atom_intern(&s->logins, login.text, login.len);

	if (atom >= known) {
		while (s->first.n <= atom)
			*vec_push(&s->first) = login;
		return;
	}
	diag_error(diags, "seusers-duplicate", login.loc, "login `%.*s` has a line already, and this one is never used",
		   SPAN_ARGS(login));
	diag_note(diags, s->first.at[atom].loc, "it is here first");
	diag_hint(diags, "one of the two can go");
}

static void check_no_range(struct seusers *s, struct span login)
{
	struct label_run *run = s->run;

	for (uint32_t i = 0; i < run->npolicies; i++) {
		if (!security_policy(run->policies[i].security)->mls)
			continue;
		run->diags->under = run->policies[i].name;
		diag_error(run->diags, "level-missing", login.loc, "login `%.*s` has no range, which a policy with MLS needs",
			   SPAN_ARGS(login));
		run->diags->under = NULL;
	}
}

static void check_range(struct seusers *s, struct span user, struct span range, bool known)
{
	if (known)
		label_user_range(s->run, user, range);
	else
		label_range(s->run, range);
}

static void read_line(struct seusers *s, struct span line)
{
	struct span login, user, range;
	bool has_range, known;

	line = span_trim(line);
	if (!memchr(line.text, ':', line.len)) {
		report_syntax(s, line, "the line has no user");
		return;
	}
	login = take_field(&line);
	has_range = memchr(line.text, ':', line.len) != NULL;
	user = take_field(&line);
	if (!has_range) {
		line = user;
		line_word(&line, &user);
	}
	if (!check_blank(s, login) || !check_blank(s, user))
		return;
	s->has_default |= span_is(login, "__default__");
	check_duplicate(s, login);
	known = label_name(s->run, SECURITY_USER, user);
	if (has_range && line_word(&line, &range))
		check_range(s, user, range, known);
	else if (has_range)
		report_syntax(s, login, "the range is missing behind the colon");
	else
		check_no_range(s, login);
	label_extra(s->run, span_trim(line));
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct seusers s = {.run = run};
	uint32_t base = label_source(run, file)->base;
	struct lines lines;
	struct span line;

	atoms_init(&s.logins);
	*vec_push(&s.first) = (struct span){0}; /* of no login */
	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&s, line);
	if (!s.has_default) {
		diag_remark(run->diags, "seusers-default", (struct loc){base, base}, "there is no line for `__default__`");
		diag_hint(run->diags, "a login that has no line gets the SELinux user of its own name, if there is one");
	}
	atoms_free(&s.logins);
	vec_free(&s.first);
}

void label_check_seusers(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
