/* Files of types, one a line: customizable_types, which setfiles leaves alone,
 * and securetty_types, of the terminals that newrole takes for secure.
 *
 * As libselinux reads them: no comments, which as lines of their own do no harm;
 * in customizable_types the whole line is the type, blanks and all. */
#include "base/atom.h"
#include "base/vec.h"
#include "validator/app_contexts.h"
#include "validator/label_kind.h"

struct types {
	struct label_run *run;
	struct atoms names;
	VEC(struct loc) first; /* by name */
};

static void check_duplicate(struct types *types, struct span name)
{
	struct diags *diags = types->run->diags;
	uint32_t known = types->names.n, atom = atom_intern(&types->names, name.text, name.len);

	if (atom == known) {
		*vec_push(&types->first) = name.loc;
		return;
	}
	diag_warning(diags, "type-listed-twice", name.loc, "type `%.*s` is in the list already", SPAN_ARGS(name));
	diag_note(diags, types->first.at[atom], "here");
}

static void read_line(struct types *types, struct span line, enum app_type_role role)
{
	struct label_run *run = types->run;
	struct span word;

	if (role == APP_CUSTOMIZABLE) {
		if (!label_only_word(run, line, &word))
			return;
		if (line.len != word.len) {
			diag_error(run->diags, "label-blank", span_part(line, 0, line.len - word.len).loc,
				   "the blank before `%.*s` is read as a part of it", SPAN_ARGS(word));
			return;
		}
	} else {
		line_word(&line, &word);
		label_extra(run, span_trim(line));
	}
	if (label_name(run, SECURITY_TYPE, word))
		check_duplicate(types, word);
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	struct types types = {.run = run};
	struct lines lines;
	struct span line;

	atoms_init(&types.names);
	*vec_push(&types.first) = LOC_NONE; /* of no name */
	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&types, line, file->kind->role);
	atoms_free(&types.names);
	vec_free(&types.first);
}

void label_check_app_types(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
