/* How two levels, or two ranges, relate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/validate.h"
#include "ir/text.h"
#include "security/context.h"
#include "security/level.h"

/* What two ranges are to each other; a level is the range of itself. */
enum range_relation { RANGE_EQ, RANGE_CONTAINS, RANGE_CONTAINED, RANGE_OVERLAPS, RANGE_DISJOINT };

static const char *const range_relations[] = {
	[RANGE_EQ] = "eq", [RANGE_CONTAINS] = "contains", [RANGE_CONTAINED] = "contained", [RANGE_OVERLAPS] = "overlaps",
	[RANGE_DISJOINT] = "disjoint",
};

struct comparison {
	const struct policy *policy;
	bool levels;               /* both are single levels */
	const char *relation;
	struct policy_range a, b;
	bool has_lower, has_upper; /* the bounds are levels, or ranges, of the policy */
	struct policy_range lower, upper;
};

static enum range_relation relate_ranges(const struct policy_range *a, const struct policy_range *b)
{
	if (policy_range_equal(a, b))
		return RANGE_EQ;
	if (range_contains(a, b))
		return RANGE_CONTAINS;
	if (range_contains(b, a))
		return RANGE_CONTAINED;
	return range_overlaps(a, b) ? RANGE_OVERLAPS : RANGE_DISJOINT;
}

static bool is_level(const struct policy_range *range)
{
	return policy_level_equal(&range->low, &range->high);
}

static bool valid_range(const struct policy *policy, const struct policy_range *range)
{
	return level_valid(policy, &range->low) && level_valid(policy, &range->high) &&
	       policy_level_dominates(&range->high, &range->low);
}

/* Of levels the greatest lower and the least upper bound; of ranges what is in
 * both, and the least one that holds both. */
static void find_bounds(struct comparison *c)
{
	level_glb(&c->a.low, &c->b.low, c->levels ? &c->lower.low : &c->upper.low);
	level_lub(&c->a.high, &c->b.high, &c->upper.high);
	if (c->levels) {
		policy_level_copy(&c->lower.high, &c->lower.low);
		policy_level_copy(&c->upper.low, &c->upper.high);
	} else {
		level_lub(&c->a.low, &c->b.low, &c->lower.low);
		level_glb(&c->a.high, &c->b.high, &c->lower.high);
	}
	c->has_lower = valid_range(c->policy, &c->lower);
	c->has_upper = valid_range(c->policy, &c->upper);
}

static void compare(struct comparison *c)
{
	c->levels = is_level(&c->a) && is_level(&c->b);
	c->relation = c->levels ? level_relation_name(level_compare(&c->a.low, &c->b.low))
				: range_relations[relate_ranges(&c->a, &c->b)];
	find_bounds(c);
}

/* ---- answers ---- */

static const char *lower_key(const struct comparison *c) { return c->levels ? "glb" : "intersection"; }
static const char *upper_key(const struct comparison *c) { return c->levels ? "lub" : "span"; }

static void print_range(const struct comparison *c, const char *before, const struct policy_range *range, bool there)
{
	struct buffer text = {0};

	if (there)
		text_range(&text, c->policy, range);
	else
		text_put(&text, "none");
	printf("%s%s", before, text_of(&text));
	buffer_free(&text);
}

static void print_text(const struct comparison *c)
{
	print_range(c, "", &c->a, true);
	printf(" %s", c->relation);
	print_range(c, " ", &c->b, true);
	printf("\n%s", lower_key(c));
	print_range(c, " ", &c->lower, c->has_lower);
	printf("\n%s", upper_key(c));
	print_range(c, " ", &c->upper, c->has_upper);
	putchar('\n');
}

static void put_range(json_t *object, const char *key, const struct comparison *c, const struct policy_range *range,
		      bool there)
{
	struct buffer text = {0};

	text_range(&text, c->policy, range);
	json_put(object, key, there ? json_new_text((const char *)text.at, text.n) : json_null());
	buffer_free(&text);
}

static void print_json(const struct comparison *c)
{
	json_t *answer = json_new_object();

	put_range(answer, "a", c, &c->a, true);
	put_range(answer, "b", c, &c->b, true);
	json_put_string(answer, "relation", c->relation);
	put_range(answer, lower_key(c), c, &c->lower, c->has_lower);
	put_range(answer, upper_key(c), c, &c->upper, c->has_upper);
	json_print(answer, stdout);
}

/* ---- the command ---- */

/* What else is true when a relation is: eq levels dominate each other. */
static bool is_relation(const struct comparison *c, const char *wanted)
{
	static const char *const of_equal[] = {"dom", "domby", "contains", "contained"};
	bool equal = !strcmp(c->relation, "eq");

	for (size_t i = 0; equal && i < sizeof of_equal / sizeof *of_equal; i++)
		if (!strcmp(wanted, of_equal[i]))
			return true;
	if (!strcmp(wanted, "overlaps"))
		return range_overlaps(&c->a, &c->b);
	/* A level is a range, too. */
	if (!strcmp(wanted, "contains"))
		return range_contains(&c->a, &c->b);
	if (!strcmp(wanted, "contained"))
		return range_contains(&c->b, &c->a);
	if (!strcmp(wanted, "disjoint"))
		return !range_overlaps(&c->a, &c->b);
	return !strcmp(c->relation, wanted);
}

static bool known_relation(const char *name)
{
	for (int r = LEVEL_EQ; r <= LEVEL_INCOMP; r++)
		if (!strcmp(name, level_relation_name((enum level_relation)r)))
			return true;
	for (size_t i = 0; i < sizeof range_relations / sizeof *range_relations; i++)
		if (!strcmp(name, range_relations[i]))
			return true;
	return false;
}

/* One of the two texts; false when it is no range, which is recorded. */
static bool read_range(struct validate *v, const struct security *security, const char *name, const char *text,
		       struct policy_range *ret)
{
	struct context_faults faults;
	bool good = range_parse(security, text, strlen(text), ret, &faults);
	const struct source *source;

	if (!faults.n)
		return good;
	source = sources_add_excerpt(&v->sources, name, 1, text, strlen(text));
	context_faults_report(security, &faults,
			      source ? (struct loc){source->base, source->base + source->size} : LOC_NONE, &v->diags);
	return good;
}

static enum validate_status run(struct validate *v, const char *wanted, char **texts)
{
	const struct policy *policy = v->policies.at[0].policy;
	struct security *security = security_new(policy);
	struct comparison c = {.policy = policy};
	enum validate_status status = VALIDATE_FINDINGS;
	bool good = read_range(v, security, "argument 1", texts[0], &c.a);

	good &= read_range(v, security, "argument 2", texts[1], &c.b);
	if (good) {
		compare(&c);
		(v->findings.format == DIAG_JSON ? print_json : print_text)(&c);
		status = !wanted || is_relation(&c, wanted) ? VALIDATE_GOOD : VALIDATE_FINDINGS;
	}
	policy_range_free(&c.a);
	policy_range_free(&c.b);
	policy_range_free(&c.lower);
	policy_range_free(&c.upper);
	security_free(security);
	return status;
}

enum validate_status validate_compare_main(struct validate *v, int argc, char **argv)
{
	enum { OPT_IS = OPT_COMMAND };
	static const struct option long_options[] = {VALIDATE_OPTIONS, {"is", required_argument, NULL, OPT_IS}, {0}};
	const char *wanted = NULL;
	int option;

	while ((option = getopt_long(argc, argv, VALIDATE_LETTERS, long_options, NULL)) != -1) {
		if (option == OPT_IS)
			wanted = optarg;
		else if (!validate_option(v, option))
			return VALIDATE_FAILED;
	}
	if (wanted && !known_relation(wanted))
		return validate_complain("--is takes eq, dom, domby, incomp, contains, contained, overlaps or disjoint", wanted);
	if (argc - optind != 2)
		return validate_complain("compare takes two levels or ranges", NULL);
	if (v->policies.n > 1)
		return validate_complain("compare takes one policy", NULL);
	*vec_push(&v->inputs) = "compare";
	if (validate_load(v, false) != LOAD_GOOD)
		return VALIDATE_FAILED;
	if (!v->policies.at[0].policy->mls)
		return validate_complain("the policy has no levels, it is not MLS", v->policies.at[0].path);
	return run(v, wanted, argv + optind);
}
