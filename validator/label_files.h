/* Label files against policies: file_contexts, and what else names contexts
 * around a policy. */
#ifndef VALIDATOR_LABEL_FILES_H
#define VALIDATOR_LABEL_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "security/security.h"

struct label_policy {
	const char *name; /* for findings; NULL: there is only one */
	const struct security *security;
};

struct label_options {
	const char *as;    /* every file named is of this kind; NULL: as its name says */
	const char *list;  /* a file with further paths, one a line; NULL: none; "-" is standard input */
	const char *match; /* a path: tell which entries of file_contexts match it, and which wins; or NULL */
	bool no_includes;  /* files that setrans.conf includes are not read */
};

/* Whether there is a kind of that name. */
bool label_kind_known(const char *name);
/* Kinds in order, for lists: name and patterns; false behind the last one. */
bool label_kind_at(uint32_t i, const char **ret_name, const char **ret_patterns);

/* An entry that matches the path of options->match. */
struct label_match {
	struct loc loc;      /* of its line */
	const char *context; /* no NUL behind it */
	uint32_t context_len;
	const char *types;   /* the files it is for, such as `directory` */
	bool wins;           /* for some type of file */
	const char *why;     /* it wins or loses */
};

struct label_result {
	VEC(uint32_t) files;             /* that were checked: indexes in sources->files */
	VEC(struct label_match) matches; /* the one that is looked at first comes first */
	char *looked_up; /* the path that stands for options->match by a substitution; NULL: itself */
};

/* Checks the files at the paths against all of the policies.  A directory
 * stands for all files below it whose names are those of a kind; a file that is
 * named must be of one.  Everything wrong is recorded, with places in sources. */
void label_files_check(const char *const *paths, uint32_t npaths, const struct label_options *options,
		       const struct label_policy *policies, uint32_t npolicies, struct sources *sources,
		       struct diags *diags, struct label_result *ret_result);
void label_result_free(struct label_result *result);

#endif
