/* seapp_contexts of Android: rules `key=value ...` that choose the domain of an
 * app and the type of its data, and neverallow lines that rules must not match.
 *
 * As check_seapp has it: keys without regard to case, once a line; no two rules
 * with the same inputs; a neverallow matches a rule when all its expressions
 * match values of the rule, where `""` stands for a key that the rule lacks. */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/atom.h"
#include "base/buffer.h"
#include "base/near.h"
#include "base/vec.h"
#include "validator/label_kind.h"
#include "validator/regex.h"

struct seapp;

typedef void value_check(struct seapp *seapp, struct span value);

struct key {
	const char *name;
	bool input;
	value_check *check; /* NULL: any value */
};

enum {
	MAX_KEYS = 16,
	MAX_PAIRS = 1000000, /* of a rule and a neverallow; Android has some 2,000 */
};

/* By key; text NULL: it is not there. */
struct rule {
	struct span line;
	struct span values[MAX_KEYS];
};

/* A neverallow; the expressions are NULL where there is no value, too. */
struct never {
	struct rule rule;
	struct regex *expressions[MAX_KEYS];
	bool broken;
};

struct seapp {
	struct label_run *run;
	VEC(struct rule) rules;
	VEC(struct never) never;
	struct atoms inputs;
	VEC(uint32_t) first; /* by inputs: the rule, plus 1 */
};

/* ---- values ---- */

static void wrong_value(struct seapp *seapp, struct span value, const char *what)
{
	diag_error(seapp->run->diags, "seapp-value", value.loc, "`%.*s` is not %s", SPAN_ARGS(value), what);
}

static void check_bool(struct seapp *seapp, struct span value)
{
	if (!span_is(value, "true") && !span_is(value, "false"))
		wrong_value(seapp, value, "`true` or `false`");
}

static void check_level_from(struct seapp *seapp, struct span value)
{
	static const char *const values[] = {"none", "all", "app", "user"};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (value.len == strlen(values[i]) && !strncasecmp(value.text, values[i], value.len))
			return;
	wrong_value(seapp, value, "`none`, `app`, `user` or `all`");
}

static void check_number(struct seapp *seapp, struct span value)
{
	uint64_t number = 0;
	bool digits = value.len != 0;

	for (uint32_t i = 0; i < value.len && digits; i++) {
		digits = value.text[i] >= '0' && value.text[i] <= '9' && number <= INT32_MAX;
		number = number * 10 + (uint64_t)(value.text[i] - '0');
	}
	if (!digits || number > INT32_MAX)
		wrong_value(seapp, value, "a number from 0 to 2147483647");
}

static void check_domain(struct seapp *seapp, struct span value)
{
	label_name(seapp->run, SECURITY_TYPE, value);
}

static void check_type(struct seapp *seapp, struct span value)
{
	if (label_name(seapp->run, SECURITY_TYPE, value))
		label_type_attribute(seapp->run, value, "app_data_file_type", "android-type");
}

static void check_level(struct seapp *seapp, struct span value)
{
	label_range(seapp->run, value);
}

static const struct key keys[] = {
	{"isSystemServer", true, check_bool},
	{"isEphemeralApp", true, check_bool},
	{"user", true, NULL},
	{"seinfo", true, NULL},
	{"name", true, NULL},
	{"isPrivApp", true, check_bool},
	{"minTargetSdkVersion", true, check_number},
	{"fromRunAs", true, check_bool},
	{"isIsolatedComputeApp", true, check_bool},
	{"isSdkSandboxAudit", true, check_bool},
	{"isSdkSandboxNext", true, check_bool},
	{"domain", false, check_domain},
	{"type", false, check_type},
	{"levelFromUid", false, check_bool},
	{"levelFrom", false, check_level_from},
	{"level", false, check_level},
};

enum { KEYS = sizeof keys / sizeof *keys };
_Static_assert(sizeof keys / sizeof *keys <= MAX_KEYS, "rules have room for all keys");

/* ---- lines ---- */

static void report_key(struct seapp *seapp, struct span key)
{
	struct diags *diags = seapp->run->diags;
	struct near near;

	diag_error(diags, "seapp-key", key.loc, "there is no key `%.*s`", SPAN_ARGS(key));
	near_init(&near, key.text, key.len);
	for (uint32_t i = 0; i < KEYS; i++)
		near_try(&near, keys[i].name, strlen(keys[i].name));
	near_hint(&near, diags);
}

static uint32_t find_key(struct span name)
{
	uint32_t i = 0;

	while (i < KEYS && (name.len != strlen(keys[i].name) || strncasecmp(name.text, keys[i].name, name.len) != 0))
		i++;
	return i;
}

static bool is_neverallow(struct span word)
{
	return word.len == 10 && !strncasecmp(word.text, "neverallow", 10);
}

/* False when it is no pair; a value that is wrong may stay. */
static bool read_pair(struct seapp *seapp, struct rule *rule, struct span word, bool never)
{
	struct label_run *run = seapp->run;
	const char *equals = memchr(word.text, '=', word.len);
	uint32_t len = equals ? (uint32_t)(equals - word.text) : word.len, key;
	struct span value;

	if (!equals) {
		diag_error(run->diags, "seapp-syntax", word.loc, "`%.*s` is not `key=value`", SPAN_ARGS(word));
		if (is_neverallow(word))
			diag_hint(run->diags, "neverallow must be the first word, without a blank before it");
		return false;
	}
	key = find_key(span_part(word, 0, len));
	value = span_part(word, len + 1, word.len - len - 1);
	if (key == KEYS) {
		report_key(seapp, span_part(word, 0, len));
		return false;
	}
	if (rule->values[key].text) {
		diag_error(run->diags, "seapp-key", span_part(word, 0, len).loc, "`%s` is given twice", keys[key].name);
		diag_note(run->diags, rule->values[key].loc, "it is given here first");
		return false;
	}
	rule->values[key] = value;
	if (!never && keys[key].check)
		keys[key].check(seapp, value);
	return true;
}

static bool read_pairs(struct seapp *seapp, struct span line, struct rule *rule, bool never)
{
	struct span word;
	bool good = true;

	while (line_word(&line, &word))
		good &= read_pair(seapp, rule, word, never);
	return good;
}

/* ---- rules ---- */

static bool has_values(const struct rule *rule, bool input)
{
	for (uint32_t i = 0; i < KEYS; i++)
		if (rule->values[i].text && keys[i].input == input)
			return true;
	return false;
}

/* All inputs as one text: bytes that stand in no value divide them. */
static uint32_t inputs_of(struct seapp *seapp, const struct rule *rule)
{
	struct buffer text = {0};
	atom_t atom;

	for (uint32_t i = 0; i < KEYS; i++) {
		if (!keys[i].input || !rule->values[i].text)
			continue;
		buffer_u8(&text, (uint8_t)(i + 1));
		buffer_u8(&text, '\n');
		buffer_put(&text, rule->values[i].text, rule->values[i].len);
		buffer_u8(&text, '\n');
	}
	atom = atom_intern(&seapp->inputs, (const char *)text.at, text.n);
	buffer_free(&text);
	return atom;
}

static void check_duplicate(struct seapp *seapp, const struct rule *rule)
{
	struct diags *diags = seapp->run->diags;
	uint32_t inputs = inputs_of(seapp, rule);

	while (seapp->first.n <= inputs)
		*vec_push(&seapp->first) = 0;
	if (!seapp->first.at[inputs]) {
		seapp->first.at[inputs] = seapp->rules.n; /* the one that was added last, plus 1 */
		return;
	}
	diag_error(diags, "seapp-duplicate", rule->line.loc, "a rule with the same inputs is there already");
	diag_note(diags, seapp->rules.at[seapp->first.at[inputs] - 1].line.loc, "this one");
	diag_hint(diags, "an app takes the domain of one rule: give the two different inputs, or remove one");
}

static void read_rule(struct seapp *seapp, struct span line)
{
	struct rule rule = {.line = line};

	if (!read_pairs(seapp, line, &rule, false))
		return;
	if (!has_values(&rule, true)) {
		diag_error(seapp->run->diags, "seapp-syntax", line.loc, "the rule has no input, so it is for no app");
		diag_hint(seapp->run->diags, "inputs are such as `user=_app` or `seinfo=platform`");
		return;
	}
	if (!has_values(&rule, false))
		diag_warning(seapp->run->diags, "seapp-syntax", line.loc, "the rule has no output, so it says nothing");
	*vec_push(&seapp->rules) = rule;
	check_duplicate(seapp, &rule);
}

/* ---- neverallow ---- */

static bool is_absent(struct span value)
{
	return span_is(value, "\"\"");
}

static void read_never(struct seapp *seapp, struct span line, struct span rest)
{
	struct never never = {.rule = {.line = line}};
	bool any = false;

	never.broken = !read_pairs(seapp, rest, &never.rule, true);
	for (uint32_t i = 0; i < KEYS; i++) {
		struct span value = never.rule.values[i];

		if (!value.text)
			continue;
		any = true;
		never.expressions[i] = regex_new(seapp->run, value);
		never.broken |= !never.expressions[i];
	}
	if (!any && !never.broken)
		diag_error(seapp->run->diags, "seapp-syntax", line.loc, "the neverallow has no condition");
	never.broken |= !any;
	*vec_push(&seapp->never) = never;
}

static bool never_matches(const struct never *never, const struct rule *rule)
{
	for (uint32_t i = 0; i < KEYS; i++) {
		struct span value = rule->values[i];

		if (!never->expressions[i])
			continue;
		if (!value.text ? !is_absent(never->rule.values[i])
				: !regex_matches(never->expressions[i], value.text, value.len))
			return false;
	}
	return true;
}

static void report_violation(struct seapp *seapp, const struct never *never, const struct rule *rule)
{
	struct diags *diags = seapp->run->diags;

	diag_error(diags, "seapp-neverallow", rule->line.loc, "a neverallow forbids this rule");
	diag_note(diags, never->rule.line.loc, "this one");
	for (uint32_t i = 0; i < KEYS; i++)
		if (never->expressions[i] && rule->values[i].text)
			diag_note(diags, rule->values[i].loc, "`%.*s` matches `%s=%.*s`", SPAN_ARGS(rule->values[i]),
				  keys[i].name, SPAN_ARGS(never->rule.values[i]));
		else if (never->expressions[i])
			diag_note(diags, LOC_NONE, "there is no `%s`", keys[i].name);
}

static void check_never(struct seapp *seapp)
{
	if ((uint64_t)seapp->rules.n * seapp->never.n > MAX_PAIRS) {
		diag_error(seapp->run->diags, "label-too-long", seapp->never.at[0].rule.line.loc,
			   "%u neverallow lines and %u rules are too many to hold against each other", seapp->never.n,
			   seapp->rules.n);
		return;
	}
	for (uint32_t i = 0; i < seapp->rules.n; i++)
		for (uint32_t j = 0; j < seapp->never.n; j++)
			if (!seapp->never.at[j].broken && never_matches(&seapp->never.at[j], &seapp->rules.at[i]))
				report_violation(seapp, &seapp->never.at[j], &seapp->rules.at[i]);
}

/* ---- files ---- */

static void read_line(struct seapp *seapp, struct span line)
{
	struct span rest = line, word;

	line_word(&rest, &word);
	/* check_seapp knows the word at the begin of a line only. */
	if (word.text == line.text && is_neverallow(word))
		read_never(seapp, span_trim(line), rest);
	else if (!label_macro(seapp->run, word))
		read_rule(seapp, span_trim(line));
}

void label_check_seapp(struct label_run *run, const struct label_file *files, uint32_t n)
{
	struct seapp seapp = {.run = run};

	atoms_init(&seapp.inputs);
	for (uint32_t i = 0; i < n; i++) {
		struct lines lines;
		struct span line;

		lines_begin(&lines, label_source(run, &files[i]));
		while (lines_next_words(&lines, &line))
			read_line(&seapp, line);
	}
	check_never(&seapp);
	for (uint32_t i = 0; i < seapp.never.n; i++)
		for (uint32_t j = 0; j < KEYS; j++)
			regex_free(seapp.never.at[i].expressions[j]);
	vec_free(&seapp.rules);
	vec_free(&seapp.never);
	vec_free(&seapp.first);
	atoms_free(&seapp.inputs);
}
