/* users/local.users and system.users: users that are added to a policy when it
 * is loaded, by old systems; libselinux 3.11 still names the directory, and
 * nothing reads it.
 *
 * As libsepol read them (genusers.c, until 2025): a statement is one line,
 * `user NAME roles { ROLE ... } level LEVEL range RANGE;`, without level and
 * range in a policy without MLS; keywords in any case; blanks within level and
 * range count for nothing. */
#include <string.h>
#include <strings.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/vec.h"
#include "ir/policy.h"
#include "validator/label_kind.h"

struct users {
	struct label_run *run;
	struct atoms names;
	VEC(struct loc) first; /* by name */
};

static void report_syntax(struct users *users, struct span at, const char *wanted)
{
	diag_error(users->run->diags, "users-syntax", at.loc, "`%s` is wanted here", wanted);
	diag_hint(users->run->diags, "a line is `user NAME roles { ROLE };`, with `level LEVEL range RANGE` in a policy with MLS");
}

/* Takes a word that ends at a blank or at `{`, `}` or `;`, each of which is a word. */
static bool take_word(struct span *line, struct span *ret_word)
{
	uint32_t len = 0;

	*line = span_trim(*line);
	if (!line->len) {
		*ret_word = *line;
		return false;
	}
	if (strchr("{};", line->text[0]))
		len = 1;
	else
		while (len < line->len && !strchr("{}; \t\v\f\r", line->text[len]))
			len++;
	*ret_word = span_part(*line, 0, len);
	*line = span_part(*line, len, line->len - len);
	return true;
}

static bool is_keyword(struct span word, const char *keyword)
{
	return word.len == strlen(keyword) && !strncasecmp(word.text, keyword, word.len);
}

static bool take_keyword(struct users *users, struct span *line, const char *keyword)
{
	struct span word;

	take_word(line, &word);
	if (is_keyword(word, keyword))
		return true;
	report_syntax(users, word, keyword);
	return false;
}

static void check_name(struct users *users, struct span name)
{
	struct diags *diags = users->run->diags;
	uint32_t known = users->names.n, atom = atom_intern(&users->names, name.text, name.len);

	if (atom == known) {
		*vec_push(&users->first) = name.loc;
		return;
	}
	diag_error(diags, "users-duplicate", name.loc, "user `%.*s` has a line already", SPAN_ARGS(name));
	diag_note(diags, users->first.at[atom], "it is here first");
}

static bool read_roles(struct users *users, struct span *line)
{
	struct span word;
	bool list = false;

	while (take_word(line, &word)) {
		if (span_is(word, "}") && list)
			return true;
		if (span_is(word, "{") && !list) {
			list = true;
			continue;
		}
		if (strchr("{};", word.text[0]) || is_keyword(word, "level"))
			break;
		label_name(users->run, SECURITY_ROLE, word);
		if (!list)
			return true;
	}
	report_syntax(users, word, list ? "}" : "ROLE");
	return false;
}

/* The text of a level or range up to a place, judged without its blanks. */
static void judge(struct users *users, struct span text, bool range)
{
	struct buffer squeezed = {0};
	struct span word, rest = text, whole = span_trim(text);

	while (line_word(&rest, &word))
		buffer_put(&squeezed, word.text, word.len);
	if (!squeezed.n)
		report_syntax(users, whole, range ? "RANGE" : "LEVEL");
	else if (squeezed.n != whole.len)
		whole = (struct span){(const char *)squeezed.at, (uint32_t)squeezed.n, whole.loc};
	if (squeezed.n && range)
		label_range(users->run, whole);
	else if (squeezed.n)
		label_level(users->run, whole);
	buffer_free(&squeezed);
}

/* Up to the word, which is left in the line; false when it does not come. */
static bool take_until(struct span *line, const char *end, struct span *ret_text)
{
	struct span begin = *line, rest = *line, word;

	while (take_word(&rest, &word)) {
		uint32_t before = (uint32_t)(word.text - begin.text);

		if (is_keyword(word, end)) {
			*ret_text = span_part(begin, 0, before);
			*line = span_part(begin, before, begin.len - before);
			return true;
		}
	}
	return false;
}

static bool read_levels(struct users *users, struct span *line)
{
	struct span text;

	if (!take_keyword(users, line, "level"))
		return false;
	if (!take_until(line, "range", &text)) {
		report_syntax(users, span_trim(*line), "range");
		return false;
	}
	judge(users, text, false);
	if (!take_keyword(users, line, "range"))
		return false;
	if (!take_until(line, ";", &text)) {
		report_syntax(users, span_trim(*line), ";");
		return false;
	}
	judge(users, text, true);
	return true;
}

static bool any_mls(const struct users *users)
{
	bool mls = false;

	for (uint32_t i = 0; i < users->run->npolicies; i++)
		mls |= security_policy(users->run->policies[i].security)->mls;
	return mls;
}

static void read_line(struct users *users, struct span line)
{
	struct span name, rest, word;

	line = span_trim(line);
	if (!take_keyword(users, &line, "user"))
		return;
	if (!take_word(&line, &name) || strchr("{};", name.text[0])) {
		report_syntax(users, name, "NAME");
		return;
	}
	check_name(users, name);
	if (!take_keyword(users, &line, "roles") || !read_roles(users, &line))
		return;
	rest = line;
	if ((any_mls(users) || (take_word(&rest, &word) && !span_is(word, ";"))) && !read_levels(users, &line))
		return;
	if (take_keyword(users, &line, ";"))
		label_extra(users->run, span_trim(line));
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct users users = {.run = run};
	struct lines lines;
	struct span line;

	atoms_init(&users.names);
	*vec_push(&users.first) = LOC_NONE; /* of no name */
	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&users, line);
	atoms_free(&users.names);
	vec_free(&users.first);
}

void label_check_users(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
