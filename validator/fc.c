/* file_contexts and what libselinux reads beside it. */
#include "validator/fc.h"

#include <string.h>

static const struct {
	const char *flag, *name;
} types[FC_TYPES] = {
	[FC_ANY] = {"", "file of any type"},
	[FC_REG] = {"--", "regular file"},
	[FC_DIR] = {"-d", "directory"},
	[FC_LNK] = {"-l", "symbolic link"},
	[FC_CHR] = {"-c", "character device"},
	[FC_BLK] = {"-b", "block device"},
	[FC_SOCK] = {"-s", "socket"},
	[FC_FIFO] = {"-p", "named pipe"},
};

const char *fc_type_flag(enum fc_type type)
{
	return types[type].flag;
}

const char *fc_type_name(enum fc_type type)
{
	return types[type].name;
}

bool fc_types_meet(uint8_t a, uint8_t b)
{
	return a == b || a == FC_ANY || b == FC_ANY;
}

static void read_role(struct fc_set *set, const struct label_file *files, uint32_t n, enum fc_role role)
{
	for (uint32_t i = 0; i < n; i++) {
		if (files[i].kind->role != role)
			continue;
		if (role == FC_SUBS || role == FC_SUBS_DIST)
			fc_read_subs(set, label_source(set->run, &files[i]), role);
		else
			fc_read(set, label_source(set->run, &files[i]), role);
	}
}

void label_check_file_contexts(struct label_run *run, const struct label_file *files, uint32_t n)
{
	struct fc_set set = {.run = run, .android = label_attribute_known(run, "property_type")};

	for (enum fc_role role = FC_BASE; role <= FC_SUBS; role++)
		read_role(&set, files, n, role);
	fc_check_duplicates(&set);
	fc_check_shadowed(&set);
	fc_check_order(&set);
	fc_check_substituted(&set);
	fc_check_homedirs(&set);
	fc_check_genfs(&set);
	fc_check_levels(&set);
	if (run->options->match)
		fc_explain_path(&set, run->options->match);
	vec_free(&set.entries);
	vec_free(&set.subs);
	arena_free(&set.arena);
}
