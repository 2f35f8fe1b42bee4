/* Android: contexts of services, keys and properties, by their names. */
#include "validator/android.h"

#include <string.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/vec.h"
#include "validator/label_kind.h"

static const struct {
	const char *name, *attribute;
} roles[] = {
	[ANDROID_SERVICE] = {"service", "service_manager_type"},
	[ANDROID_HWSERVICE] = {"service", "hwservice_manager_type"},
	[ANDROID_VNDSERVICE] = {"service", "vndservice_manager_type"},
	[ANDROID_KEYSTORE2] = {"namespace", "keystore2_key_type"},
	[ANDROID_PROPERTY] = {"property", "property_type"},
};

struct entry {
	struct span name, context;
};

struct names {
	struct label_run *run;
	enum android_role role;
	struct atoms atoms;
	VEC(struct entry) first; /* by atom: where the name is first */
};

/* ---- duplicates ---- */

/* Sorts divide names that do not meet: of properties, those that are whole and
 * those that are the begin of others.  libselinux takes a service twice when it
 * has the same context both times; of properties none may be there twice. */
static void check_duplicate(struct names *names, char sort, struct entry entry)
{
	struct diags *diags = names->run->diags;
	struct span name = entry.name;
	struct buffer key = {0};
	const struct entry *first;
	atom_t atom;

	buffer_u8(&key, (uint8_t)sort);
	buffer_put(&key, name.text, name.len);
	atom = atom_intern(&names->atoms, (const char *)key.at, key.n);
	buffer_free(&key);
	while (names->first.n < atom)
		*vec_push(&names->first) = (struct entry){0};
	if (names->first.n == atom) {
		*vec_push(&names->first) = entry;
		return;
	}
	first = &names->first.at[atom];
	if (!span_equal(first->context, entry.context))
		diag_error(diags, "android-duplicate", name.loc, "%s `%.*s` has a context already: `%.*s` there, `%.*s` here",
			   roles[names->role].name, SPAN_ARGS(name), SPAN_ARGS(first->context), SPAN_ARGS(entry.context));
	else if (names->role == ANDROID_PROPERTY)
		diag_error(diags, "android-duplicate", name.loc, "property `%.*s` is there already", SPAN_ARGS(name));
	else
		diag_warning(diags, "android-duplicate", name.loc, "%s `%.*s` has this context already",
			     roles[names->role].name, SPAN_ARGS(name));
	diag_note(diags, first->name.loc, "it is here first");
	diag_hint(diags, "one of the two can go");
}

/* ---- properties ---- */

static bool is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || strchr("._-@:", c);
}

/* What init refuses to set, nobody can. */
static void check_property_name(struct names *names, struct span name)
{
	bool control = span_starts(name, "ctl."); /* `ctl.stop$adbd`: what is asked of which service */
	uint32_t len = name.len;

	if (span_is(name, "*"))
		return;
	if (name.text[len - 1] == '*')
		len--;
	for (uint32_t i = 0; i < len; i++) {
		bool doubled = name.text[i] == '.' && (!i || name.text[i - 1] == '.');

		if ((is_name_byte(name.text[i]) || (control && name.text[i] == '$')) && !doubled)
			continue;
		diag_warning(names->run->diags, "property-name", span_part(name, i, 1).loc,
			     "no property has such a name: %s", doubled ? "there is nothing before this dot"
			     : "its bytes are letters, digits and `._-@:`");
		return;
	}
}

static void check_property_type(struct names *names, struct span type, struct span rest)
{
	static const char *const simple[] = {"string", "bool", "int", "uint", "double", "size"};
	struct diags *diags = names->run->diags;

	if (span_is(type, "enum")) {
		if (!rest.len)
			label_missing(names->run, type, "value of the enumeration");
		return;
	}
	for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
		if (!span_is(type, simple[i]))
			continue;
		if (rest.len)
			diag_error(diags, "property-type", rest.loc, "a property of type %s has no values to list", simple[i]);
		return;
	}
	diag_error(diags, "property-type", type.loc, "`%.*s` is no type of a property", SPAN_ARGS(type));
	diag_hint(diags, "the types are string, bool, int, uint, double, size, and enum with its values");
}

/* Behind the context stands how the name matches, then what values there are;
 * older files have neither, and comments there. */
static char read_match(struct names *names, struct span *line)
{
	struct diags *diags = names->run->diags;
	struct span match, type;

	if (!line_word(line, &match) || match.text[0] == '#')
		return 'p';
	if (!span_is(match, "exact") && !span_is(match, "prefix")) {
		diag_error(diags, "property-match", match.loc, "`%.*s` does not say how the name matches", SPAN_ARGS(match));
		diag_hint(diags, "write `exact` for the property of that name, or `prefix` for all that begin with it");
		return 'p';
	}
	if (line_word(line, &type))
		check_property_type(names, type, span_trim(*line));
	return match.text[0];
}

/* ---- keys ---- */

static void check_namespace(struct names *names, struct span name)
{
	uint64_t number = 0;
	bool digits = true;

	for (uint32_t i = 0; i < name.len && digits; i++) {
		digits = name.text[i] >= '0' && name.text[i] <= '9' && number <= INT32_MAX;
		number = number * 10 + (uint64_t)(name.text[i] - '0');
	}
	if (!digits || number > INT32_MAX)
		diag_error(names->run->diags, "keystore2-namespace", name.loc,
			   "`%.*s` is no namespace, which is a number up to %d", SPAN_ARGS(name), INT32_MAX);
}

/* ---- lines ---- */

static void read_line(struct names *names, struct span line)
{
	struct label_run *run = names->run;
	struct span words[2];
	uint32_t n = line_words(&line, words, 2), context;
	char sort = ' ';

	if (label_macro(run, words[0]) || !label_word(run, words[0]))
		return;
	if (n < 2) {
		label_missing(run, words[0], "context");
		return;
	}
	if (names->role == ANDROID_PROPERTY) {
		check_property_name(names, words[0]);
		sort = read_match(names, &line);
	} else {
		label_extra(run, line);
	}
	if (names->role == ANDROID_KEYSTORE2)
		check_namespace(names, words[0]);
	context = label_word(run, words[1]) ? label_context(run, words[1]) : 0;
	if (context)
		label_context_attribute(run, context, words[1], roles[names->role].attribute, "android-type");
	check_duplicate(names, sort, (struct entry){words[0], words[1]});
}

static void check_role(struct label_run *run, const struct label_file *files, uint32_t n, enum android_role role)
{
	struct names names = {.run = run, .role = role};

	atoms_init(&names.atoms);
	for (uint32_t i = 0; i < n; i++) {
		struct lines lines;
		struct span line;

		if (files[i].kind->role != role)
			continue;
		lines_begin(&lines, label_source(run, &files[i]));
		while (lines_next_words(&lines, &line))
			read_line(&names, line);
	}
	atoms_free(&names.atoms);
	vec_free(&names.first);
}

void label_check_android(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (enum android_role role = ANDROID_SERVICE; role <= ANDROID_PROPERTY; role++)
		check_role(run, files, n, role);
}
