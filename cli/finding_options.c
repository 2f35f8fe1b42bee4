#include "cli/finding_options.h"

#include <stdio.h>
#include <string.h>

#include "checks/checks.h"
#include "cli/number.h"

bool usage_complain(const char *program, const char *what, const char *value)
{
	fprintf(stderr, "%s: error: %s%s%s [usage]\n", program, what, value ? ": " : "", value ? value : "");
	return false;
}

static bool wrong(const struct finding_options *o, const char *what, const char *value)
{
	return usage_complain(o->program, what, value);
}

static bool parse_format(struct finding_options *o, const char *text)
{
	static const char *const names[] = {
		[DIAG_TEXT] = "text", [DIAG_JSON] = "json", [DIAG_SARIF] = "sarif", [DIAG_JUNIT] = "junit",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!strcmp(text, names[i])) {
			o->format = (enum diag_format)i;
			return true;
		}
	}
	return wrong(o, "--format takes text, json, sarif or junit", text);
}

static bool parse_colour(struct finding_options *o, const char *text)
{
	if (!text || !strcmp(text, "always"))
		o->colour = COLOUR_ALWAYS;
	else if (!strcmp(text, "auto"))
		o->colour = COLOUR_AUTO;
	else if (!strcmp(text, "never"))
		o->colour = COLOUR_NEVER;
	else
		return wrong(o, "--color takes auto, always or never", text);
	return true;
}

static bool parse_check(const struct finding_options *o, const char *name, struct check *ret_check)
{
	return check_find(checks_all(), name, ret_check) || wrong(o, "there is no such check (see --list-checks)", name);
}

/* The words before the name of a check in -W, and what they ask for. */
static const struct { const char *prefix; enum diag_level level; } wishes[] = {
	{"no-error=", DIAG_WARNING},
	{"error=", DIAG_ERROR},
	{"no-", DIAG_SILENT},
};

/* Some checks begin with no- themselves: a name is a name first. */
static enum diag_level take_wish(const char **text)
{
	struct check check;

	for (size_t i = 0; i < sizeof wishes / sizeof *wishes && !check_find(checks_all(), *text, &check); i++) {
		size_t len = strlen(wishes[i].prefix);

		if (!strncmp(*text, wishes[i].prefix, len)) {
			*text += len;
			return wishes[i].level;
		}
	}
	return DIAG_DEFAULT;
}

static bool parse_wish(struct finding_options *o, const char *text)
{
	enum diag_level level = take_wish(&text);
	struct check check;

	if (!parse_check(o, text, &check))
		return false;
	if (level == DIAG_SILENT && check.level == CHECK_ERROR)
		return wrong(o, "-W no-NAME silences warnings, and this check gives errors", text);
	if (level == DIAG_WARNING && check.demotable)
		level = DIAG_DEMOTED;
	if (level == DIAG_WARNING && check.level == CHECK_ERROR)
		return wrong(o, "-W no-error=NAME: the errors of this check have no lesser meaning and stay errors", text);
	*vec_push(&o->settings) = (struct diag_setting){check.name, level};
	return true;
}

bool finding_option(struct finding_options *o, int option, const char *value)
{
	struct check check;

	switch (option) {
	case OPT_MAX_ERRORS:
		return parse_number(value, &o->max_errors) || wrong(o, "--max-errors takes a number", value);
	case OPT_FORMAT:
		return parse_format(o, value);
	case OPT_COLOUR:
		return parse_colour(o, value);
	case OPT_EXPLAIN:
		o->explain = value;
		return parse_check(o, value, &check);
	case 'W':
		return parse_wish(o, value);
	case OPT_DIAGNOSTICS: o->diagnostics = value; return true;
	case OPT_LIST_CHECKS: o->list_checks = true; return true;
	default: return false;
	}
}

void finding_options_apply(const struct finding_options *o, struct diags *diags)
{
	for (uint32_t i = 0; i < o->settings.n; i++)
		diags_set(diags, o->settings.at[i].check, o->settings.at[i].level);
}

void finding_options_free(struct finding_options *options)
{
	vec_free(&options->settings);
}
