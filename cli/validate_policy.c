#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/validate.h"
#include "ir/text.h"
#include "validator/policy_checks.h"

/* Where the map is when nobody says: as installed, or in the source tree. */
static const char *const default_maps[] = {
	DATADIR "/policy-compile/permission-map", SRCDIR "/data/permission-map",
};

static const char *default_map(void)
{
	const char *path = NULL;

	for (size_t i = 0; !path && i < sizeof default_maps / sizeof *default_maps; i++)
		if (!access(default_maps[i], R_OK))
			path = default_maps[i];
	return path ? path : default_maps[0];
}

static bool load_map(struct validate *v, const char *path, struct permission_map *map)
{
	const struct source *source = sources_load(&v->sources, path, &v->diags);

	return source && permission_map_parse(map, source, &v->diags);
}

static bool any_wants_map(const struct validate *v)
{
	for (uint32_t i = 0; i < v->policies.n; i++)
		if (policy_checks_want_map(v->policies.at[i].policy))
			return true;
	return false;
}

struct policy_options {
	const char *map;     /* or NULL: the one that comes with the program */
	const char *seusers; /* or NULL */
};

static enum validate_status check_all(struct validate *v, const struct policy_options *o)
{
	struct permission_map map = {0};
	bool wanted = o->map || any_wants_map(v);
	bool good = !wanted || load_map(v, o->map ? o->map : default_map(), &map);
	const struct source *seusers = NULL;

	if (o->seusers) {
		seusers = sources_load(&v->sources, o->seusers, &v->diags);
		good = good && seusers;
	}

	for (uint32_t i = 0; good && i < v->policies.n; i++) {
		const struct validate_policy *p = &v->policies.at[i];

		v->diags.under = validate_under(v, i);
		policy_checks_run(p->policy, p->places, wanted ? &map : NULL, &v->diags);
		if (seusers)
			policy_check_logins(p->policy, p->places, seusers, &v->diags);
	}
	v->diags.under = NULL;
	permission_map_free(&map);
	return good ? VALIDATE_GOOD : VALIDATE_FAILED;
}

enum validate_status validate_policy_main(struct validate *v, int argc, char **argv)
{
	enum { OPT_MAP = OPT_COMMAND, OPT_SEUSERS };
	static const struct option long_options[] = {
		VALIDATE_OPTIONS, {"permission-map", required_argument, NULL, OPT_MAP},
		{"seusers", required_argument, NULL, OPT_SEUSERS}, {0},
	};
	struct policy_options o = {0};
	enum validate_load loaded;
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS, long_options, NULL)) != -1) {
		if (option == OPT_MAP)
			o.map = optarg;
		else if (option == OPT_SEUSERS)
			o.seusers = optarg;
		else if (!validate_option(v, option))
			return VALIDATE_FAILED;
	}
	if (optind < argc)
		return validate_complain("policy takes no argument; policies are given with -p", argv[optind]);
	loaded = validate_load(v, true);
	for (uint32_t i = 0; i < v->policies.n; i++)
		*vec_push(&v->inputs) = strcmp(v->policies.at[i].path, "-") ? v->policies.at[i].path : "<stdin>";
	if (loaded == LOAD_GOOD)
		return check_all(v, &o);
	/* What keeps a policy from being loaded is what is wrong with it. */
	return loaded == LOAD_REFUSED ? VALIDATE_FINDINGS : VALIDATE_FAILED;
}
