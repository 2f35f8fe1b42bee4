#include <stdio.h>
#include <string.h>

#include "base/source.h"
#include "cli/query.h"
#include "query/query.h"

struct rules_options {
	struct query_options common;
	struct rule_query query;
	bool count;
};

/* Kinds are options of their own, from here on. */
enum { OPT_ALL_PERMS = 256, OPT_DIRECT, OPT_COUNT, OPT_KIND = 512 };

/* The number of the bit stays within an int. */
#define KIND(name, kind) {name, no_argument, NULL, OPT_KIND + kind}

static const struct option long_options[] = {
	QUERY_OPTIONS,
	KIND("allow", QUERY_ALLOW),
	KIND("auditallow", QUERY_AUDITALLOW),
	KIND("dontaudit", QUERY_DONTAUDIT),
	KIND("allowxperm", QUERY_ALLOWXPERM),
	KIND("auditallowxperm", QUERY_AUDITALLOWXPERM),
	KIND("dontauditxperm", QUERY_DONTAUDITXPERM),
	KIND("type_trans", QUERY_TYPE_TRANSITION),
	KIND("type_member", QUERY_TYPE_MEMBER),
	KIND("type_change", QUERY_TYPE_CHANGE),
	KIND("role_allow", QUERY_ROLE_ALLOW),
	KIND("role_trans", QUERY_ROLE_TRANSITION),
	KIND("range_trans", QUERY_RANGE_TRANSITION),
	{"source", required_argument, NULL, 's'},
	{"target", required_argument, NULL, 't'},
	{"class", required_argument, NULL, 'c'},
	{"perms", required_argument, NULL, 'p'},
	{"default", required_argument, NULL, 'D'},
	{"bool", required_argument, NULL, 'b'},
	{"all-perms", no_argument, NULL, OPT_ALL_PERMS},
	{"direct", no_argument, NULL, OPT_DIRECT},
	{"count", no_argument, NULL, OPT_COUNT},
	{0},
};

/* Cuts a list of the command line into its names. */
static bool add_names(query_names *names, char *list)
{
	char *name;

	while ((name = strsep(&list, ",")) != NULL) {
		if (*name)
			*vec_push(names) = name;
	}
	if (!names->n)
		query_complain("a list of names is empty", NULL);
	return names->n > 0;
}

static bool set_direct(struct rule_query *q, const char *end)
{
	if (!strcmp(end, "s"))
		q->source_direct = true;
	else if (!strcmp(end, "t"))
		q->target_direct = true;
	else
		query_complain("there are -ds and -dt", end);
	return q->source_direct || q->target_direct;
}

static bool parse_option(struct rules_options *o, int option)
{
	struct rule_query *q = &o->query;

	if (option >= OPT_KIND) {
		q->kinds |= (uint32_t)(option - OPT_KIND);
		return true;
	}
	switch (option) {
	case 'A': q->kinds |= QUERY_ALLOW | QUERY_ALLOWXPERM; return true;
	case 'T': q->kinds |= QUERY_TYPE_TRANSITION; return true;
	case 's': q->source = optarg; return true;
	case 't': q->target = optarg; return true;
	case 'D': q->result = optarg; return true;
	case 'd': return set_direct(q, optarg);
	case 'c': return add_names(&q->classes, optarg);
	case 'p': return add_names(&q->perms, optarg);
	case 'b': return add_names(&q->bools, optarg);
	case OPT_ALL_PERMS: q->all_perms = true; return true;
	case OPT_DIRECT: q->source_direct = q->target_direct = true; return true;
	case OPT_COUNT: o->count = true; return true;
	default: return query_option(&o->common, option);
	}
}

static bool check_options(const struct rules_options *o)
{
	const struct rule_query *q = &o->query;
	uint32_t roles = q->kinds & QUERY_ROLE_KINDS;
	const char *wrong = !q->kinds                         ? "rules takes at least one kind of rule, like -A"
			    : roles && roles != q->kinds      ? "kinds of role rules are not mixed with others"
			    : roles && q->perms.n + q->bools.n ? "role rules have no permissions and no booleans"
			    : q->all_perms && !q->perms.n     ? "--all-perms goes with -p"
			    : o->common.json                  ? "rules prints text only"
							      : NULL;

	if (wrong)
		query_complain(wrong, NULL);
	return !wrong;
}

static enum query_status print_rules(const struct rules_options *o, const struct policy *policy)
{
	struct sources sources = {0};
	struct buffer lines = {0};
	struct diags diags = {0};
	uint32_t n;
	bool good = query_rules(policy, &o->query, &lines, &n, &diags);

	diags_print(&diags, &sources, query_program, 0, stderr);
	if (good && o->count)
		printf("%u\n", n);
	else if (good && lines.n)
		fwrite(lines.at, 1, lines.n, stdout);
	buffer_free(&lines);
	diags_free(&diags);
	return good ? query_finish(n ? QUERY_DONE : QUERY_EMPTY) : QUERY_FAILED;
}

static enum query_status run(struct rules_options *o, const char *path)
{
	enum query_status status;
	uint32_t version;
	struct policy *policy = load_policy(path, &o->common.load, &version);

	if (!policy)
		return QUERY_FAILED;
	status = print_rules(o, policy);
	policy_free(policy);
	return status;
}

enum query_status query_rules_main(int argc, char **argv)
{
	struct rules_options o = {.common = {.load = {.program = query_program}}};
	enum query_status status = QUERY_FAILED;
	bool good = true;
	int option;

	while (good && (option = getopt_long(argc, argv, "Mhs:t:c:p:D:b:d:AT", long_options, NULL)) != -1)
		good = parse_option(&o, option);
	if (good && argc - optind != 1)
		query_complain("rules takes one policy", NULL);
	else if (good && check_options(&o))
		status = run(&o, argv[optind]);
	vec_free(&o.query.classes);
	vec_free(&o.query.perms);
	vec_free(&o.query.bools);
	return status;
}
