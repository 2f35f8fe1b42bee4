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
	bool requires_unknown;
	enum policy_unknown unknown; /* the one required */
};

static bool parse_required(const char *text, struct policy_options *o)
{
	static const char name[] = "handle-unknown=";
	size_t n = sizeof name - 1;

	o->requires_unknown = !strncmp(text, name, n) && unknown_of_text(text + n, &o->unknown);
	if (!o->requires_unknown)
		validate_complain("--require takes handle-unknown=deny, reject or allow", text);
	return o->requires_unknown;
}

/* Source does not say: its compilation does. */
static bool can_require(const struct validate *v, const struct policy_options *o)
{
	for (uint32_t i = 0; o->requires_unknown && i < v->policies.n; i++) {
		if (!v->policies.at[i].places)
			continue;
		validate_complain("--require is about an image, and this policy is source", v->policies.at[i].path);
		return false;
	}
	return true;
}

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

		if (o->requires_unknown)
			policy_check_unknown(p->path, p->policy, o->unknown, &v->diags);
		v->diags.under = validate_under(v, i);
		policy_checks_run(p->policy, p->places, wanted ? &map : NULL, &v->diags);
		if (seusers)
			policy_check_logins(p->policy, p->places, seusers, &v->diags);
		v->diags.under = NULL;
	}
	permission_map_free(&map);
	return good ? VALIDATE_GOOD : VALIDATE_FAILED;
}

enum validate_status validate_policy_main(struct validate *v, int argc, char **argv)
{
	enum { OPT_MAP = OPT_COMMAND, OPT_SEUSERS, OPT_REQUIRE };
	static const struct option long_options[] = {
		VALIDATE_OPTIONS, {"permission-map", required_argument, NULL, OPT_MAP},
		{"seusers", required_argument, NULL, OPT_SEUSERS}, {"require", required_argument, NULL, OPT_REQUIRE}, {0},
	};
	struct policy_options o = {0};
	enum validate_load loaded;
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS, long_options, NULL)) != -1) {
		if (option == OPT_MAP)
			o.map = optarg;
		else if (option == OPT_SEUSERS)
			o.seusers = optarg;
		else if (option == OPT_REQUIRE ? !parse_required(optarg, &o) : !validate_option(v, option))
			return VALIDATE_FAILED;
	}
	if (optind < argc)
		return validate_complain("policy takes no argument; policies are given with -p", argv[optind]);
	loaded = validate_load(v, true);
	for (uint32_t i = 0; i < v->policies.n; i++)
		*vec_push(&v->inputs) = strcmp(v->policies.at[i].path, "-") ? v->policies.at[i].path : "<stdin>";
	if (loaded == LOAD_GOOD && !can_require(v, &o))
		return VALIDATE_FAILED;
	if (loaded == LOAD_GOOD)
		return check_all(v, &o);
	/* What keeps a policy from being loaded is what is wrong with it. */
	return loaded == LOAD_REFUSED ? VALIDATE_FINDINGS : VALIDATE_FAILED;
}
