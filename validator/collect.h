/* From the paths of a user to label files that are loaded.  Private to
 * validator/. */
#ifndef VALIDATOR_COLLECT_H
#define VALIDATOR_COLLECT_H

#include "base/vec.h"
#include "validator/label_kind.h"

struct label_list {
	VEC(struct label_file) files;
};

/* The kind of a file by its path, or NULL. */
const struct label_kind *label_kind_of(const char *path, bool named);
const struct label_kind *label_kind_named(const char *name);
/* The next kind, from *at on, that has the name of this one and a suffix, or NULL. */
const struct label_kind *label_kind_companion(const struct label_kind *kind, uint32_t *at, const char **ret_suffix);

/* Loads what the paths and options->list name; what cannot be is recorded. */
void label_collect(struct label_run *run, const char *const *paths, uint32_t npaths, struct label_list *ret_list);

/* Checks the files, set by set; puts them in that order. */
void label_list_check(struct label_run *run, struct label_list *list);

#endif
