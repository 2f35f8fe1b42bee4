/* default_contexts, the like for one user (contexts/users/USER), default_type.
 *
 * As libselinux reads them (get_ordered_context_list): a line is the role and
 * type of a login program and those that a session may get from it, the better
 * ones first.  The first line of a program counts; a context that is not valid
 * for the user who logs in is left out; the level is that of the program. */
#include "validator/login_contexts.h"

#include <string.h>

#include "base/atom.h"
#include "base/vec.h"
#include "ir/policy.h"
#include "validator/partial.h"

/* Where a role with a type was last, and in which line. */
struct seen { struct loc loc; uint32_t line; };

struct contexts {
	struct label_run *run;
	struct span user;    /* whose file it is; text NULL: everybody's */
	struct atoms names;
	VEC(struct seen) from, to; /* by name */
	VEC(uint32_t) told;        /* by name and policy: the finding about a role that is not the user's, plus 1 */
	uint32_t line;
};

static struct span role_type(struct span word, const struct partial *partial)
{
	return span_part(word, 0, partial->role.len + 1 + partial->type.len);
}

/* ---- whose they are ---- */

static bool somebody_has(const struct policy *policy, uint32_t role)
{
	for (uint32_t v = 1; v <= policy->users.n; v++)
		if (policy->users.at[v].name && ebitmap_test(&policy->users.at[v].roles, role - 1))
			return true;
	return false;
}

/* The user whose file it is, or somebody, has the role.  Of an unknown user
 * check_name() tells. */
static bool has_role(const struct contexts *c, const struct security *security, struct span role)
{
	const struct policy *policy = security_policy(security);
	uint32_t value = security_find(security, SECURITY_ROLE, role.text, role.len), user;

	if (!c->user.text)
		return somebody_has(policy, value);
	user = security_find(security, SECURITY_USER, c->user.text, c->user.len);
	return !user || ebitmap_test(&policy->users.at[user].roles, value - 1);
}

static void report_role(struct contexts *c, uint32_t policy, struct span role)
{
	struct label_run *run = c->run;

	run->diags->under = run->policies[policy].name;
	if (c->user.text)
		diag_warning(run->diags, "contexts-user", role.loc,
			     "user `%.*s` does not have role `%.*s`, and never gets this context", SPAN_ARGS(c->user),
			     SPAN_ARGS(role));
	else
		diag_warning(run->diags, "contexts-user", role.loc, "no user has role `%.*s`, and nobody gets this context",
			     SPAN_ARGS(role));
	run->diags->under = NULL;
}

/* A role is told once in a file, with the number of its further uses. */
static void check_user(struct contexts *c, struct span role)
{
	struct label_run *run = c->run;
	uint32_t first = atom_intern(&c->names, role.text, role.len) * run->npolicies;

	while (c->told.n < first + run->npolicies)
		*vec_push(&c->told) = 0;
	for (uint32_t i = 0; i < run->npolicies; i++) {
		uint32_t *told = &c->told.at[first + i];

		if (has_role(c, run->policies[i].security, role))
			continue;
		if (*told) {
			diag_again(run->diags, *told - 1, 1);
			continue;
		}
		report_role(c, i, role);
		*told = diag_last(run->diags) + 1;
	}
}

/* The file of a user that no policy has; told once under each. */
static void check_name(struct contexts *c, const struct source *source)
{
	struct label_run *run = c->run;
	struct loc begin = {source->base, source->base};

	for (uint32_t i = 0; i < run->npolicies; i++) {
		if (security_find(run->policies[i].security, SECURITY_USER, c->user.text, c->user.len))
			continue;
		run->diags->under = run->policies[i].name;
		diag_warning(run->diags, "contexts-user", begin, "there is no user `%.*s`, and the file is never read",
			     SPAN_ARGS(c->user));
		run->diags->under = NULL;
	}
}

/* ---- lines ---- */

static struct seen *find_seen(struct contexts *c, bool from, struct span name)
{
	atom_t atom = atom_intern(&c->names, name.text, name.len);

	while (c->from.n <= atom) {
		*vec_push(&c->from) = (struct seen){LOC_NONE, 0};
		*vec_push(&c->to) = (struct seen){LOC_NONE, 0};
	}
	return from ? &c->from.at[atom] : &c->to.at[atom];
}

static void check_from(struct contexts *c, struct span name)
{
	struct diags *diags = c->run->diags;
	struct seen *seen = find_seen(c, true, name);

	if (seen->line) {
		diag_warning(diags, "contexts-unused", name.loc, "the line is never used: `%.*s` has one already",
			     SPAN_ARGS(name));
		diag_note(diags, seen->loc, "this one");
		return;
	}
	*seen = (struct seen){name.loc, c->line};
}

static void check_to(struct contexts *c, struct span name)
{
	struct diags *diags = c->run->diags;
	struct seen *seen = find_seen(c, false, name);

	if (seen->line == c->line) {
		diag_warning(diags, "contexts-unused", name.loc, "`%.*s` is in the line already", SPAN_ARGS(name));
		diag_note(diags, seen->loc, "here");
		return;
	}
	*seen = (struct seen){name.loc, c->line};
}

static void read_contexts(struct contexts *c, struct span line)
{
	struct label_run *run = c->run;
	struct span word, next;
	struct partial partial;
	bool any = false;

	line_word(&line, &word);
	if (label_macro(run, word))
		return;
	if (partial_split(run, word, &partial) && partial_judge(run, &partial))
		check_from(c, role_type(word, &partial));
	while (line_word(&line, &next)) {
		if (next.text[0] == '#') {
			label_extra(run, span_trim((struct span){next.text, next.len + line.len,
								 {next.loc.begin, line.loc.end}}));
			break;
		}
		any = true;
		if (!partial_split(run, next, &partial) || !partial_judge(run, &partial))
			continue;
		check_user(c, partial.role);
		check_to(c, role_type(next, &partial));
	}
	if (!any)
		label_missing(run, word, "context for the session");
}

/* One type for each role, for programs that are asked for a role alone; what
 * stands behind the colon is the type, whatever it is. */
static void read_type(struct contexts *c, struct span line)
{
	struct label_run *run = c->run;
	struct span word;
	struct partial partial;

	label_only_word(run, line, &word);
	if (!partial_split(run, word, &partial))
		return;
	if (partial.range.text) {
		diag_error(run->diags, "partial-context", partial.range.loc, "a level stands behind the type, and is taken as a part of it");
		partial.range.text = NULL;
	}
	if (partial_judge(run, &partial))
		check_from(c, partial.role);
}

/* ---- files ---- */

static struct span user_of(const char *path)
{
	static const char suffix[] = "_default_contexts";
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name), suffix_len = sizeof suffix - 1;

	if (len > suffix_len && !strcmp(name + len - suffix_len, suffix))
		len -= suffix_len;
	return (struct span){name, (uint32_t)len, LOC_NONE};
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	const struct source *source = label_source(run, file);
	struct contexts c = {.run = run};
	struct lines lines;
	struct span line;

	atoms_init(&c.names);
	if (file->kind->role == LOGIN_USER_CONTEXTS && source->path[0] != '<') {
		c.user = user_of(source->path);
		check_name(&c, source);
	}
	lines_begin(&lines, source);
	while (lines_next_words(&lines, &line)) {
		c.line++;
		if (file->kind->role == LOGIN_TYPE)
			read_type(&c, line);
		else
			read_contexts(&c, line);
	}
	atoms_free(&c.names);
	vec_free(&c.from);
	vec_free(&c.to);
	vec_free(&c.told);
}

void label_check_login_contexts(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
