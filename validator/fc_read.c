/* Lines of file_contexts: an expression, perhaps a file type, a context. */
#include <string.h>

#include "validator/fc.h"
#include "validator/regex.h"

enum { MAX_SUBS = 1023 }; /* libselinux reads lines of substitutions into so many bytes */

/* ---- the type ---- */

static bool find_type(struct span word, uint8_t *ret_type)
{
	for (uint8_t type = FC_REG; type < FC_TYPES; type++) {
		if (span_is(word, fc_type_flag(type))) {
			*ret_type = type;
			return true;
		}
	}
	return false;
}

static bool read_type(struct fc_set *set, struct span word, uint8_t *ret_type)
{
	struct diags *diags = set->run->diags;

	if (find_type(word, ret_type))
		return true;
	diag_error(diags, "fc-file-type", word.loc, "`%.*s` is no file type", SPAN_ARGS(word));
	if (word.len > 2 && memchr(word.text, ':', word.len))
		diag_hint(diags, "the context comes last, and a comment has a line of its own");
	else
		diag_hint(diags, "the types are --, -d, -l, -c, -b, -s and -p; without one all files are meant");
	return false;
}

/* ---- the expression ---- */

static bool is_placeholder(struct span at)
{
	return span_starts(at, "%{USERNAME}") || span_starts(at, "%{USERID}");
}

/* What genhomedircon replaces, in a file where it does not. */
static void check_placeholders(struct fc_set *set, struct span regex, enum fc_role role)
{
	struct diags *diags = set->run->diags;

	for (uint32_t i = 0; i + 1 < regex.len; i++) {
		struct span rest = span_part(regex, i, regex.len - i);
		const char *close;

		if (rest.text[0] != '%' || rest.text[1] != '{')
			continue;
		close = memchr(rest.text, '}', rest.len);
		rest.loc.end = rest.loc.begin + (close ? (uint32_t)(close - rest.text) + 1 : 2);
		if (role != FC_TEMPLATE && is_placeholder(rest)) {
			diag_error(diags, "fc-placeholder", rest.loc, "a placeholder in a file that is no template");
			diag_hint(diags, "such lines belong into homedir_template, out of which genhomedircon makes "
				  "file_contexts.homedirs");
		} else if (role == FC_TEMPLATE && !is_placeholder(rest)) {
			diag_error(diags, "fc-placeholder", rest.loc, "no such placeholder");
			diag_hint(diags, "there are %%{USERNAME} and %%{USERID}");
		}
	}
}

static bool is_merge(struct span regex)
{
	return span_starts(regex, "<<<<<<<") || span_starts(regex, "=======") || span_starts(regex, ">>>>>>>");
}

static const char *leftover_of(struct span regex)
{
	if (is_merge(regex))
		return "a merge";
	if (regex.len > 1 && (regex.text[0] == '+' || regex.text[0] == '-') &&
	    (regex.text[1] == '/' || regex.text[1] == '+' || regex.text[1] == '-' || span_starts(regex, "+HOME_") ||
	     span_starts(regex, "-HOME_")))
		return "a diff";
	return NULL;
}

/* An expression may begin with what is not a path, such as `(/usr)?/bin`; one
 * that begins with another plain byte than a slash matches nothing. */
static bool check_start(struct fc_set *set, struct span regex, enum fc_role role)
{
	struct diags *diags = set->run->diags;
	bool template = span_starts(regex, "HOME_DIR") || span_starts(regex, "HOME_ROOT");
	const char *leftover = leftover_of(regex);

	if (template && role == FC_TEMPLATE)
		return true;
	if (!leftover && !template && strchr("/.([^\\", regex.text[0]))
		return true;
	diag_error(diags, "fc-path-start", span_part(regex, 0, leftover ? 1 : regex.len).loc,
		   "the path does not start with `/`%s, so no file matches it",
		   role == FC_TEMPLATE ? ", HOME_DIR or HOME_ROOT" : "");
	if (leftover)
		diag_hint(diags, "this looks like a left-over of %s", leftover);
	else if (template)
		diag_hint(diags, "HOME_DIR and HOME_ROOT mean something in homedir_template only");
	return false;
}

/* What compiles and does not mean what it seems to. */
static void check_meaning(struct fc_set *set, struct span regex)
{
	struct diags *diags = set->run->diags;
	uint32_t bar = fc_regex_alternation(regex.text, regex.len);
	const char *slashes = memmem(regex.text, regex.len, "//", 2);

	if (bar < regex.len) {
		diag_warning(diags, "fc-alternation", span_part(regex, bar, 1).loc,
			     "the `|` stands in no group: what is before it need not be the end of a path, and what is "
			     "behind it need not be the begin");
		diag_hint(diags, "put the alternatives into parentheses");
	}
	if (slashes) {
		diag_warning(diags, "fc-slashes", span_part(regex, (uint32_t)(slashes - regex.text), 2).loc,
			     "two slashes in a row match nothing: paths are looked up with one");
	} else if (regex.len > 1 && regex.text[regex.len - 1] == '/') {
		diag_warning(diags, "fc-slashes", span_part(regex, regex.len - 1, 1).loc,
			     "a path that ends in a slash matches nothing: directories are looked up without it");
	}
}

static void read_regex(struct fc_set *set, struct fc_entry *entry)
{
	struct span regex = entry->regex;

	entry->broken = true;
	if (!label_word(set->run, regex) || !check_start(set, regex, entry->role))
		return;
	if (!regex_check(set->run, regex))
		return;
	entry->broken = false;
	check_placeholders(set, regex, entry->role);
	check_meaning(set, regex);
	fc_regex_fixed(&set->arena, entry);
}

/* ---- the context ---- */

/* Of a template ROLE is replaced as well; what comes out cannot be known. */
static bool is_known_later(const struct fc_entry *entry)
{
	return entry->role == FC_TEMPLATE &&
	       memmem(entry->context_text.text, entry->context_text.len, "ROLE", 4) != NULL;
}

static void read_context(struct fc_set *set, struct fc_entry *entry)
{
	struct span text = entry->context_text;

	entry->context = FC_WRONG;
	if (span_is(text, "<<none>>"))
		entry->context = FC_NO_CONTEXT;
	else if (label_word(set->run, text) && !is_known_later(entry) && !label_macro(set->run, text))
		entry->context = label_context(set->run, text);
	/* As checkfc of Android has it. */
	if (set->android && entry->context != FC_WRONG && entry->context != FC_NO_CONTEXT)
		label_context_attribute(set->run, entry->context, text, "fs_type dev_type file_type", "android-type");
}

/* ---- a line ---- */

static void read_line(struct fc_set *set, struct span line, enum fc_role role)
{
	struct fc_entry entry = {.role = (uint8_t)role};
	struct span words[3];
	uint32_t n = line_words(&line, words, 3);

	if (label_macro(set->run, words[0]))
		return;
	entry.regex = words[0];
	/* The words of a merge are no fields; else a path alone still can be wrong. */
	if (n < 2 && !is_merge(words[0]))
		label_missing(set->run, words[0], "context");
	if (n < 2 || is_merge(words[0])) {
		read_regex(set, &entry);
		return;
	}
	entry.context_text = words[n - 1];
	if (n == 3 && !read_type(set, words[1], &entry.type)) {
		if (!memchr(words[1].text, ':', words[1].len))
			read_context(set, &entry);
		entry.context = FC_WRONG; /* of what, is not known */
		read_regex(set, &entry);
		return;
	}
	if (n == 2 && find_type(words[1], &entry.type)) {
		label_missing(set->run, words[1], "context");
		read_regex(set, &entry);
		return;
	}
	label_extra(set->run, line);
	read_regex(set, &entry);
	read_context(set, &entry);
	*vec_push(&set->entries) = entry;
}

void fc_read(struct fc_set *set, const struct source *source, enum fc_role role)
{
	struct lines lines;
	struct span line;

	lines_begin(&lines, source);
	while (lines_next_words(&lines, &line))
		read_line(set, line, role);
}

/* ---- substitutions ---- */

static void read_sub(struct fc_set *set, struct span line, enum fc_role role)
{
	struct diags *diags = set->run->diags;
	struct span words[2];
	uint32_t len = line.len, n = line_words(&line, words, 2);

	if (len >= MAX_SUBS) {
		diag_error(diags, "label-too-long", words[0].loc, "a line of %u bytes; libselinux takes up to %d", len,
			   MAX_SUBS - 1);
		return;
	}
	if (n < 2) {
		label_missing(set->run, words[0], "path");
		return;
	}
	label_extra(set->run, line);
	for (uint32_t i = 0; i < 2; i++) {
		if (words[i].text[0] != '/') {
			diag_error(diags, "fc-path-start", words[i].loc, "the path does not start with `/`");
			return;
		}
	}
	if (words[0].len > 1 && words[0].text[words[0].len - 1] == '/') {
		diag_warning(diags, "fc-slashes", span_part(words[0], words[0].len - 1, 1).loc,
			     "a path that ends in a slash stands for nothing below it");
		diag_hint(diags, "write it without the slash");
		return;
	}
	*vec_push(&set->subs) = (struct fc_sub){words[0], words[1], (uint8_t)role};
}

void fc_read_subs(struct fc_set *set, const struct source *source, enum fc_role role)
{
	struct lines lines;
	struct span line;

	lines_begin(&lines, source);
	while (lines_next_words(&lines, &line))
		read_sub(set, line, role);
}
