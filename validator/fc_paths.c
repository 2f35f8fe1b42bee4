#include "validator/fc_paths.h"

void fc_paths_init(struct fc_paths *paths)
{
	*paths = (struct fc_paths){0};
	atoms_init(&paths->atoms);
}

void fc_paths_free(struct fc_paths *paths)
{
	atoms_free(&paths->atoms);
	vec_free(&paths->values);
}

uint32_t *fc_paths_add(struct fc_paths *paths, const char *path, uint32_t len)
{
	/* The empty text, the root, is atom 0. */
	atom_t atom = len ? atom_intern(&paths->atoms, path, len) : ATOM_NONE;

	while (paths->values.n <= atom)
		*vec_push(&paths->values) = 0;
	return &paths->values.at[atom];
}

uint32_t fc_paths_find(const struct fc_paths *paths, const char *path, uint32_t len)
{
	atom_t atom = len ? atom_find(&paths->atoms, path, len) : ATOM_NONE;

	if ((len && atom == ATOM_NONE) || atom >= paths->values.n)
		return 0;
	return paths->values.at[atom];
}

uint32_t path_parent(const char *path, uint32_t len)
{
	while (len && path[len - 1] != '/')
		len--;
	return len ? len - 1 : 0;
}
