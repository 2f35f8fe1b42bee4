/* What the kinds of label files share.
 *
 * A kind is a row in kinds.def and a function label_check_FAMILY() in a file
 * of its own: it gets the files that belong together, reads their lines
 * (validator/lines.h) and reports what is wrong; all of it, not the first. */
#ifndef VALIDATOR_LABEL_KIND_H
#define VALIDATOR_LABEL_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "validator/label_files.h"
#include "validator/lines.h"

struct label_contexts;
struct label_file;
struct label_run;

typedef void label_check(struct label_run *run, const struct label_file *files, uint32_t n);

struct label_kind {
	const char *name;     /* for --as */
	/* Shell patterns, divided by `|`, for the end of a path: as many components
	 * of it as the pattern has.  The first row that matches wins. */
	const char *patterns;
	bool named_only;      /* the patterns hold for files that the user names, not for those in a tree */
	label_check *check;   /* NULL: known, and not read */
	const char *family;   /* kinds that belong together have the same, and the same check */
	uint32_t role;        /* of the kind in its family */
};

struct label_file {
	const struct label_kind *kind;
	uint32_t source; /* index in run->sources->files */
	uint32_t set;    /* files of one set are checked together: those named, which is 0, and in a tree a file and its companions */
	uint32_t order;  /* as given */
};

struct label_run {
	struct sources *sources;
	struct diags *diags;
	const struct label_options *options;
	const struct label_policy *policies; /* at least one */
	uint32_t npolicies;
	struct label_contexts *contexts;
	struct label_result *result;
};

/* The checks, by family. */
#define KIND(name, patterns, family, role) label_check label_check_##family;
#define KIND_NAMED(name, patterns, family, role) label_check label_check_##family;
#define KIND_SKIPPED(name, patterns)
#include "validator/kinds.def"
#undef KIND
#undef KIND_NAMED
#undef KIND_SKIPPED

/* Good until the next file is loaded; the texts of spans stay. */
const struct source *label_source(const struct label_run *run, const struct label_file *file);

/* ---- contexts, levels and ranges in files ---- */

/* They check text against every policy of the run, record what is wrong with
 * it, at its place, and say whether it is right under all.  A check of its own
 * against one of several policies sets run->diags->under to the policy's name
 * meanwhile. */
bool label_level(struct label_run *run, struct span text);
bool label_range(struct label_run *run, struct span text); /* LOW or LOW-HIGH */
/* The number of the context, from 1, the same for the same text; 0 when it is
 * not right. */
uint32_t label_context(struct label_run *run, struct span text);
/* A context by its number, as one of the policies has it. */
const struct policy_context *label_context_at(const struct label_run *run, uint32_t context, uint32_t policy);

/* One more than the highest number. */
uint32_t label_context_count(const struct label_run *run);

/* A name alone; a type is no attribute. */
bool label_name(struct label_run *run, enum security_kind kind, struct span text);
/* What names must have of each other; they are names that all policies know. */
bool label_role_type(struct label_run *run, struct span role, struct span type);
/* Whether a range is right, and within that of a user. */
bool label_user_range(struct label_run *run, struct span user, struct span range);
/* Whether all policies have the attribute. */
bool label_attribute_known(const struct label_run *run, const char *name);
/* Whether a type has one of the attributes, divided by blanks, under every policy
 * that has any of them; else an error under the check.  The first for the type
 * of a context that is right, the second for a name that all policies know. */
bool label_context_attribute(struct label_run *run, uint32_t context, struct span text, const char *attributes,
			     const char *check);
bool label_type_attribute(struct label_run *run, struct span type, const char *attributes, const char *check);

/* ---- words ---- */

/* Whether libselinux takes the word: it is ASCII and not too long. */
bool label_word(struct label_run *run, struct span word);
/* Reports a word that is a macro of policy sources. */
bool label_macro(struct label_run *run, struct span word);
/* A line ends behind a word where something else is due. */
void label_missing(struct label_run *run, struct span word, const char *what);
/* What is left of a line behind its fields, or nothing. */
void label_extra(struct label_run *run, struct span rest);
/* Takes the first word of a line whose reader takes all up to its end for one
 * name; false, with an error, when there is more. */
bool label_only_word(struct label_run *run, struct span line, struct span *ret_word);
/* A file has nothing of what it is read for. */
void label_empty(struct label_run *run, const struct label_file *file, const char *what);

#endif
