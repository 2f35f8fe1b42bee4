/* Faults of contexts in words. */
#include <string.h>

#include "base/near.h"
#include "ir/text.h"
#include "security/context.h"
#include "security/level.h"

enum {
	LISTED = 8,      /* names in a hint */
	LONGEST = 4096,  /* part of a text that is shown */
};

struct report {
	const struct policy *policy;
	const struct security *security;
	const struct context_faults *faults;
	const struct context_fault *fault;
	const char *check, *text; /* of the fault: its part of the text */
	int len;
	struct loc loc;
	struct diags *diags;
	struct buffer left, right, list; /* pieces of messages */
};

static const char *const fault_checks[] = {
	[FAULT_BLANK] = "context-blank",
	[FAULT_FIELD_MISSING] = "context-field-missing",
	[FAULT_FIELD_EMPTY] = "context-field-empty",
	[FAULT_USER_UNKNOWN] = "unknown-user",
	[FAULT_ROLE_UNKNOWN] = "unknown-role",
	[FAULT_TYPE_UNKNOWN] = "unknown-type",
	[FAULT_TYPE_ATTRIBUTE] = "attribute-as-type",
	[FAULT_ROLE_OF_USER] = "context-role",
	[FAULT_TYPE_OF_ROLE] = "context-type",
	[FAULT_LEVEL_MISSING] = "level-missing",
	[FAULT_LEVEL_UNWANTED] = "level-unwanted",
	[FAULT_LEVEL_EMPTY] = "level-empty",
	[FAULT_SENS_UNKNOWN] = "unknown-sensitivity",
	[FAULT_LEVEL_TRANSLATED] = "level-translated",
	[FAULT_SENS_IS_CAT] = "category-as-level",
	[FAULT_CAT_EMPTY] = "category-empty",
	[FAULT_CAT_UNKNOWN] = "unknown-category",
	[FAULT_CAT_NO_LETTER] = "category-number",
	[FAULT_CAT_IS_SENS] = "level-as-category",
	[FAULT_CAT_DASH] = "category-dash",
	[FAULT_CAT_COLON] = "category-colon",
	[FAULT_CAT_DOTS] = "category-dots",
	[FAULT_CAT_REVERSED] = "reversed-range",
	[FAULT_CAT_RANGE_OF_ONE] = "category-range-of-one",
	[FAULT_CAT_TWICE] = "category-twice",
	[FAULT_CAT_OF_SENS] = "invalid-level",
	[FAULT_RANGE_FOR_LEVEL] = "range-for-level",
	[FAULT_RANGE_INVERTED] = "invalid-range",
	[FAULT_RANGE_OF_USER] = "context-range",
	[FAULT_VALUE] = "context-value",
};

static const char *const field_names[] = {
	[CONTEXT_USER] = "user", [CONTEXT_ROLE] = "role", [CONTEXT_TYPE] = "type", [CONTEXT_LOW] = "low level",
	[CONTEXT_HIGH] = "high level",
};

#define ERROR(r, ...) diag_error((r)->diags, (r)->check, (r)->loc, __VA_ARGS__)
#define HINT(r, ...) diag_hint((r)->diags, __VA_ARGS__)

/* ---- pieces ---- */

static int shown(size_t len)
{
	return len < LONGEST ? (int)len : LONGEST;
}

static const char *level_in(struct buffer *b, const struct report *r, const struct policy_level *level)
{
	b->n = 0;
	text_level(b, r->policy, level);
	return text_of(b);
}

static const char *range_in(struct buffer *b, const struct report *r, const struct policy_range *range)
{
	b->n = 0;
	text_range(b, r->policy, range);
	return text_of(b);
}

/* One more name of a list in backquotes; those over LISTED only as dots. */
static void list_add(struct buffer *list, uint32_t *n, const char *name)
{
	if (*n < LISTED)
		text_printf(list, "%s`%s`", *n ? ", " : "", name);
	else if (*n == LISTED)
		text_put(list, ", ...");
	++*n;
}

static const char *cat_name(const struct report *r, uint32_t value)
{
	return value - 1 < r->policy->cats.n ? r->policy->cats.at[value].name : "?";
}

static const char *sens_name(const struct report *r, uint32_t value)
{
	return r->policy->sens.at[value].name;
}

/* Bytes before the first of some characters, len when there is none. */
static int until(const char *text, int len, const char *characters)
{
	int i = 0;

	while (i < len && (!text[i] || !strchr(characters, text[i])))
		i++;
	return i;
}

/* A letter and digits, as `c1024`: then near names are no help, the last one is. */
static bool is_numbered(const char *text, int len)
{
	for (int i = 1; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return len > 1 && text[0] >= 'a' && text[0] <= 'z';
}

/* ---- names ---- */

#define TRY_SYMBOLS(near, symbols) \
	do { \
		for (uint32_t v = 1; v <= (symbols).n; v++) \
			if ((symbols).at[v].name) \
				near_try(near, (symbols).at[v].name, strlen((symbols).at[v].name)); \
	} while (0)

#define TRY_ALIASES(near, aliases) \
	do { \
		for (uint32_t i = 0; i < (aliases).n; i++) \
			near_try(near, (aliases).at[i].name, strlen((aliases).at[i].name)); \
	} while (0)

static void try_types(struct near *near, const struct policy *p)
{
	for (uint32_t v = 1; v <= p->types.n; v++)
		if (p->types.at[v].kind == POLICY_TYPE && p->types.at[v].name)
			near_try(near, p->types.at[v].name, strlen(p->types.at[v].name));
	TRY_ALIASES(near, p->type_aliases);
}

static void hint_near(struct report *r, enum security_kind kind)
{
	const struct policy *p = r->policy;
	struct near near;

	near_init(&near, r->text, (size_t)r->len);
	switch (kind) {
	case SECURITY_USER: TRY_SYMBOLS(&near, p->users); break;
	case SECURITY_ROLE: TRY_SYMBOLS(&near, p->roles); break;
	case SECURITY_TYPE: try_types(&near, p); break;
	case SECURITY_SENS: TRY_SYMBOLS(&near, p->sens); TRY_ALIASES(&near, p->sens_aliases); break;
	case SECURITY_CAT: TRY_SYMBOLS(&near, p->cats); TRY_ALIASES(&near, p->cat_aliases); break;
	}
	near_hint(&near, r->diags);
}

static void report_unknown(struct report *r, enum security_kind kind)
{
	static const char *const words[] = {
		[SECURITY_USER] = "user", [SECURITY_ROLE] = "role", [SECURITY_TYPE] = "type",
		[SECURITY_SENS] = "sensitivity", [SECURITY_CAT] = "category",
	};

	ERROR(r, "unknown %s `%.*s`", words[kind], r->len, r->text);
	for (int other = SECURITY_USER; other < SECURITY_KINDS; other++) {
		if (other != (int)kind && security_find(r->security, (enum security_kind)other, r->text, (size_t)r->len)) {
			HINT(r, "`%.*s` is a %s", r->len, r->text, words[other]);
			return;
		}
	}
	if (kind == SECURITY_SENS && is_numbered(r->text, r->len))
		HINT(r, "the highest sensitivity is `%s`", sens_name(r, r->policy->sens.n));
	else if (kind == SECURITY_SENS && until(r->text, r->len, ".,-") < r->len)
		HINT(r, "a range is two levels with one `-` between");
	else if (kind == SECURITY_CAT && is_numbered(r->text, r->len) && r->policy->cats.n)
		HINT(r, "the last category is `%s`", cat_name(r, r->policy->cats.n));
	else
		hint_near(r, kind);
}

/* ---- fields ---- */

static void hint_form(struct report *r)
{
	HINT(r, "a context is `user:role:type%s`", r->policy->mls ? ":level" : "");
}

static void report_blank(struct report *r)
{
	if (r->text[0] == ' ')
		ERROR(r, "a blank stands in the text, and no context or level has one");
	else
		ERROR(r, "the control character 0x%02x stands in the text, and no context or level has one",
		      (unsigned char)r->text[0]);
}

/* What stands where the field should be, when it is the next one. */
static void report_field_missing(struct report *r)
{
	const struct context_faults *f = r->faults;
	const char *next = f->text + r->fault->begin;
	int rest = shown(f->len - r->fault->begin), len = until(next, rest, ":-");

	if (len && r->fault->a == CONTEXT_TYPE)
		ERROR(r, "the context has no type: `%.*s` is a level", rest, next);
	else if (len)
		ERROR(r, "the context has no %s: `%.*s` is a %s", field_names[r->fault->a], len, next,
		      field_names[r->fault->a + 1]);
	else
		ERROR(r, "the context has no %s", field_names[r->fault->a]);
	hint_form(r);
}

static void report_field_empty(struct report *r)
{
	ERROR(r, "the %s of the context is empty", field_names[r->fault->a]);
	hint_form(r);
}

static void report_attribute(struct report *r)
{
	ERROR(r, "`%s` is an attribute, and a context needs a type", r->policy->types.at[r->fault->a].name);
}

static void report_role_of_user(struct report *r)
{
	const struct policy_user *user = &r->policy->users.at[r->fault->a];
	uint32_t n = 0;

	ERROR(r, "user `%s` does not have role `%s`", user->name, r->policy->roles.at[r->fault->b].name);
	ebitmap_for_each(&user->roles, bit)
		if (bit < r->policy->roles.n && r->policy->roles.at[bit + 1].name)
			list_add(&r->list, &n, r->policy->roles.at[bit + 1].name);
	if (n)
		HINT(r, "roles of `%s`: %s", user->name, text_of(&r->list));
}

static void report_type_of_role(struct report *r)
{
	const struct policy *p = r->policy;
	const char *type = p->types.at[r->fault->b].name;
	uint32_t n = 0;

	ERROR(r, "role `%s` does not have type `%s`", p->roles.at[r->fault->a].name, type);
	for (uint32_t v = 1; v <= p->roles.n; v++)
		if (p->roles.at[v].name && ebitmap_test(&p->roles.at[v].types, r->fault->b - 1))
			list_add(&r->list, &n, p->roles.at[v].name);
	if (n)
		HINT(r, "roles that have `%s`: %s", type, text_of(&r->list));
	else
		HINT(r, "no role has `%s`; files and other objects have the role `object_r`", type);
}

/* ---- levels ---- */

static void report_level_missing(struct report *r)
{
	ERROR(r, "the context has no level, which a policy with MLS needs");
	if (r->policy->sens.n)
		HINT(r, "the lowest is `%s`", sens_name(r, 1));
}

static void report_level_unwanted(struct report *r)
{
	ERROR(r, "a level is given, and the policy has no MLS");
}

static void report_level_empty(struct report *r)
{
	ERROR(r, "a level begins with a sensitivity, and none stands here");
}

static void report_translated(struct report *r)
{
	ERROR(r, "`%.*s` is no sensitivity: a translated name cannot stand for a level here", r->len, r->text);
	HINT(r, "write the level that setrans.conf translates; the sensitivities are `%s` to `%s`", sens_name(r, 1),
	     sens_name(r, r->policy->sens.n));
}

/* Two categories that a dash was meant to join. */
static void hint_joined(struct report *r, const char *low, int low_len, const char *high, int high_len)
{
	HINT(r, "for both categories write `%.*s,%.*s`, for all from one to the other `%.*s.%.*s`", low_len, low, high_len, high,
	     low_len, low, high_len, high);
}

/* The category before the dash of `s0:c1-c2`; an empty one when there is none. */
static const char *cat_before(const struct report *r, int *ret_len)
{
	const char *end = r->text, *begin;

	*ret_len = 0;
	if (r->fault->field != CONTEXT_HIGH || end - r->faults->text < 2)
		return end;
	begin = --end;
	while (begin > r->faults->text && !strchr(":,.", begin[-1]))
		begin--;
	if (security_find(r->security, SECURITY_CAT, begin, (size_t)(end - begin)))
		*ret_len = (int)(end - begin);
	return begin;
}

static void report_category_as_level(struct report *r)
{
	int before_len, len = until(r->text, r->len, ".,");
	const char *before = cat_before(r, &before_len);

	if (before_len) {
		ERROR(r, "`%.*s` behind `-` is no level but a category", r->len, r->text);
		hint_joined(r, before, before_len, r->text, len);
		return;
	}
	ERROR(r, "a level begins with a sensitivity, and `%s` is a category", cat_name(r, r->fault->a));
	HINT(r, "write `%s:%.*s`", sens_name(r, 1), r->len, r->text);
}

static void report_not_of_sens(struct report *r)
{
	const struct policy_sens *sens = &r->policy->sens.at[r->fault->a];
	struct policy_level all = {r->fault->a, sens->cats};

	ERROR(r, "category `%s` cannot go with sensitivity `%s`", cat_name(r, r->fault->b), sens->name);
	if (ebitmap_empty(&sens->cats))
		HINT(r, "`%s` goes with no category", sens->name);
	else
		HINT(r, "the most that it can have is `%s`", level_in(&r->left, r, &all));
}

/* ---- categories ---- */

static void report_category_empty(struct report *r)
{
	char before = r->text[-1]; /* a category has something before it */

	ERROR(r, "a category is missing behind `%c`", before);
	if (before == ':')
		HINT(r, "a level without categories ends with its sensitivity");
}

static void report_category_number(struct report *r)
{
	ERROR(r, "`%.*s` is no category: the letter is missing", r->len, r->text);
	if (r->fault->a)
		HINT(r, "did you mean `c%.*s`?", r->len, r->text);
	else if (r->policy->cats.n)
		HINT(r, "`c%.*s` does not exist either: the last category is `%s`", r->len, r->text,
		     cat_name(r, r->policy->cats.n));
}

static void report_level_as_category(struct report *r)
{
	ERROR(r, "`%.*s` is a sensitivity, and a category must stand here", r->len, r->text);
	HINT(r, "a range of levels has a `-`, a range of categories a `.`");
}

static void report_dash(struct report *r)
{
	int at = until(r->text, r->len, "-");

	ERROR(r, "`%.*s` is no category: a `-` stands only between two levels, once", r->len, r->text);
	if (at + 1 < r->len)
		hint_joined(r, r->text, at, r->text + at + 1, r->len - at - 1);
	HINT(r, "libsepol ignores what follows the `-`, kernels refuse it");
}

static void report_colon(struct report *r)
{
	ERROR(r, "`%.*s` is no category: a `:` stands only before the first one", r->len, r->text);
	HINT(r, "between categories write `,`");
}

static void report_dots(struct report *r)
{
	int first = until(r->text, r->len, "."), last = r->len;

	while (last > first && r->text[last - 1] != '.')
		last--;
	ERROR(r, "the category range `%.*s` has more than one `.`", r->len, r->text);
	HINT(r, "all from the first to the last are `%.*s.%.*s`", first, r->text, r->len - last, r->text + last);
}

static void report_reversed(struct report *r)
{
	ERROR(r, "category range `%.*s` runs backwards", r->len, r->text);
	HINT(r, "write `%s.%s`; kernels and libsepol refuse it as it stands", cat_name(r, r->fault->b),
	     cat_name(r, r->fault->a));
}

static void report_range_of_one(struct report *r)
{
	ERROR(r, "category range `%.*s` has one category, and needs two", r->len, r->text);
	HINT(r, "write `%s`; kernels and libsepol refuse it as it stands", cat_name(r, r->fault->a));
}

static void report_twice(struct report *r)
{
	diag_warning(r->diags, r->check, r->loc, "category `%s` is in the level already", cat_name(r, r->fault->a));
}

/* ---- ranges ---- */

static void report_range_for_level(struct report *r)
{
	ERROR(r, "a range stands where one level is wanted");
}

/* Why a level does not dominate another. */
static const char *why_below(struct report *r, const struct policy_level *high, const struct policy_level *low)
{
	uint32_t cat = ebitmap_first(&low->cats);

	r->list.n = 0;
	if (low->sens > high->sens) {
		text_printf(&r->list, "sensitivity `%s` is above `%s`", sens_name(r, low->sens), sens_name(r, high->sens));
		return text_of(&r->list);
	}
	while (cat != EBITMAP_NONE && ebitmap_test(&high->cats, cat))
		cat = ebitmap_next(&low->cats, cat);
	text_printf(&r->list, "it lacks category `%s`", cat_name(r, cat + 1));
	return text_of(&r->list);
}

static void report_inverted(struct report *r)
{
	const struct policy_level *low = r->faults->low, *high = r->faults->high;

	ERROR(r, "the high level `%s` does not dominate the low level `%s`: %s", level_in(&r->left, r, high),
	      level_in(&r->right, r, low), why_below(r, high, low));
	if (policy_level_dominates(low, high))
		HINT(r, "the low level stands first: write `%s-%s`", text_of(&r->left), text_of(&r->right));
}

static void report_range_of_user(struct report *r)
{
	const struct policy_user *user = &r->policy->users.at[r->fault->a];
	const struct policy_range range = {*r->faults->low, *r->faults->high};

	ERROR(r, "range `%s` is not within that of user `%s`, which is `%s`", range_in(&r->left, r, &range), user->name,
	      range_in(&r->right, r, &user->range));
	if (!policy_level_dominates(&user->range.high, &range.high))
		HINT(r, "the high level of the user is too low: %s", why_below(r, &user->range.high, &range.high));
	if (!policy_level_dominates(&range.low, &user->range.low))
		HINT(r, "the low level of the range is too low: %s", why_below(r, &range.low, &user->range.low));
}

static void report_value(struct report *r)
{
	ERROR(r, "the %s of the context is none of the policy's", field_names[r->fault->a]);
}

/* ---- all ---- */

static void report_fault(struct report *r)
{
	switch (r->fault->kind) {
	case FAULT_BLANK: report_blank(r); break;
	case FAULT_FIELD_MISSING: report_field_missing(r); break;
	case FAULT_FIELD_EMPTY: report_field_empty(r); break;
	case FAULT_USER_UNKNOWN: report_unknown(r, SECURITY_USER); break;
	case FAULT_ROLE_UNKNOWN: report_unknown(r, SECURITY_ROLE); break;
	case FAULT_TYPE_UNKNOWN: report_unknown(r, SECURITY_TYPE); break;
	case FAULT_TYPE_ATTRIBUTE: report_attribute(r); break;
	case FAULT_ROLE_OF_USER: report_role_of_user(r); break;
	case FAULT_TYPE_OF_ROLE: report_type_of_role(r); break;
	case FAULT_LEVEL_MISSING: report_level_missing(r); break;
	case FAULT_LEVEL_UNWANTED: report_level_unwanted(r); break;
	case FAULT_LEVEL_EMPTY: report_level_empty(r); break;
	case FAULT_SENS_UNKNOWN: report_unknown(r, SECURITY_SENS); break;
	case FAULT_LEVEL_TRANSLATED: report_translated(r); break;
	case FAULT_SENS_IS_CAT: report_category_as_level(r); break;
	case FAULT_CAT_EMPTY: report_category_empty(r); break;
	case FAULT_CAT_UNKNOWN: report_unknown(r, SECURITY_CAT); break;
	case FAULT_CAT_NO_LETTER: report_category_number(r); break;
	case FAULT_CAT_IS_SENS: report_level_as_category(r); break;
	case FAULT_CAT_DASH: report_dash(r); break;
	case FAULT_CAT_COLON: report_colon(r); break;
	case FAULT_CAT_DOTS: report_dots(r); break;
	case FAULT_CAT_REVERSED: report_reversed(r); break;
	case FAULT_CAT_RANGE_OF_ONE: report_range_of_one(r); break;
	case FAULT_CAT_TWICE: report_twice(r); break;
	case FAULT_CAT_OF_SENS: report_not_of_sens(r); break;
	case FAULT_RANGE_FOR_LEVEL: report_range_for_level(r); break;
	case FAULT_RANGE_INVERTED: report_inverted(r); break;
	case FAULT_RANGE_OF_USER: report_range_of_user(r); break;
	case FAULT_VALUE: report_value(r); break;
	}
}

void context_faults_report(const struct security *security, const struct context_faults *faults, struct loc loc,
			   struct diags *diags)
{
	struct report r = {.policy = security_policy(security), .security = security, .faults = faults, .diags = diags};
	bool exact = loc_known(loc) && faults->text && loc.end - loc.begin == faults->len;

	for (uint32_t i = 0; i < faults->n; i++) {
		const struct context_fault *f = &faults->at[i];

		r.fault = f;
		r.check = fault_checks[f->kind];
		r.text = faults->text ? faults->text + f->begin : "";
		r.len = shown(f->end - f->begin);
		r.loc = exact ? (struct loc){loc.begin + f->begin, loc.begin + f->end} : loc;
		r.list.n = 0;
		report_fault(&r);
	}
	if (faults->more)
		diag_note(diags, loc, "%u further faults of this text are not listed", faults->more);
	buffer_free(&r.left);
	buffer_free(&r.right);
	buffer_free(&r.list);
}
