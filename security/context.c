#include "security/context.h"

#include <string.h>

#include "base/near.h"
#include "security/internal.h"
#include "security/level.h"

/* A text while it is read.  Positions are bytes from its begin. */
struct reader {
	const struct security *security;
	const struct policy *policy;
	const char *text;
	struct context_faults *faults; /* or NULL */
	bool bad;
	uint32_t level_begin[2], level_end[2]; /* low, high */
};

struct span { uint32_t begin, end; };

/* ---- faults ---- */

static void keep_fault(struct reader *r, enum context_fault_kind kind, enum context_field field, struct span span,
		       uint32_t a, uint32_t b)
{
	struct context_faults *faults = r->faults;

	if (!faults)
		return;
	if (faults->n == CONTEXT_KEEP)
		faults->more++;
	else
		faults->at[faults->n++] = (struct context_fault){kind, field, span.begin, span.end, a, b};
}

static void fault(struct reader *r, enum context_fault_kind kind, enum context_field field, struct span span, uint32_t a,
		  uint32_t b)
{
	r->bad = true;
	keep_fault(r, kind, field, span, a, b);
}

static struct reader reader_of(const struct security *security, const char *text, size_t len,
			       struct context_faults *faults)
{
	if (faults) {
		faults->n = faults->more = 0;
		faults->text = text;
		faults->len = len;
		faults->low = faults->high = NULL;
	}
	return (struct reader){.security = security, .policy = security->policy, .text = text, .faults = faults};
}

/* ---- names ---- */

/* The first c in a span, or its end. */
static uint32_t find_char(const struct reader *r, struct span span, char c)
{
	const char *at = memchr(r->text + span.begin, c, span.end - span.begin);

	return at ? (uint32_t)(at - r->text) : span.end;
}

static uint32_t find_name(const struct reader *r, enum security_kind kind, struct span span)
{
	return security_find(r->security, kind, r->text + span.begin, span.end - span.begin);
}

static bool is_number(const struct reader *r, struct span span)
{
	for (uint32_t i = span.begin; i < span.end; i++)
		if (r->text[i] < '0' || r->text[i] > '9')
			return false;
	return span.begin < span.end;
}

/* ---- categories ---- */

enum { CAT_WORDS = (POLICY_MAX_SYMBOLS + 63) / 64 };

/* A set under construction, the words first to end - 1 of a whole one: as the
 * outer words are never zero, an ebitmap can be made of it by a copy. */
struct cat_set {
	uint32_t first, end;
	uint64_t words[CAT_WORDS];
};

static void cover(struct cat_set *set, uint32_t first, uint32_t end)
{
	if (set->first == set->end)
		set->first = set->end = first;
	if (first < set->first) {
		memset(set->words + first, 0, (set->first - first) * sizeof *set->words);
		set->first = first;
	}
	if (end > set->end) {
		memset(set->words + set->end, 0, (end - set->end) * sizeof *set->words);
		set->end = end;
	}
}

/* Adds the bits low to high; returns one that was a member before, or
 * EBITMAP_NONE. */
static uint32_t add_cats(struct cat_set *set, uint32_t low, uint32_t high)
{
	uint32_t first = low / 64, last = high / 64, twice = EBITMAP_NONE;
	uint64_t mask = UINT64_MAX << low % 64;

	cover(set, first, last + 1);
	for (uint32_t i = first; i <= last; i++, mask = UINT64_MAX) {
		if (i == last)
			mask &= UINT64_MAX >> (63 - high % 64);
		if (set->words[i] & mask && twice == EBITMAP_NONE)
			twice = i * 64 + (uint32_t)__builtin_ctzll(set->words[i] & mask);
		set->words[i] |= mask;
	}
	return twice;
}

/* What is wrong with a text that names no category. */
static void fault_cat(struct reader *r, enum context_field field, struct span name)
{
	char guess[16] = "c";
	uint32_t len = name.end - name.begin, value;

	if (!len) {
		fault(r, FAULT_CAT_EMPTY, field, name, 0, 0);
	} else if (find_char(r, name, ':') < name.end) {
		fault(r, FAULT_CAT_COLON, field, name, 0, 0);
	} else if (find_char(r, name, '-') < name.end) {
		fault(r, FAULT_CAT_DASH, field, name, 0, 0);
	} else if (is_number(r, name) && len < sizeof guess) {
		memcpy(guess + 1, r->text + name.begin, len);
		fault(r, FAULT_CAT_NO_LETTER, field, name, security_find(r->security, SECURITY_CAT, guess, len + 1), 0);
	} else if ((value = find_name(r, SECURITY_SENS, name)) != 0) {
		fault(r, FAULT_CAT_IS_SENS, field, name, value, 0);
	} else {
		fault(r, FAULT_CAT_UNKNOWN, field, name, 0, 0);
	}
}

static uint32_t read_cat(struct reader *r, enum context_field field, struct span name)
{
	uint32_t value = find_name(r, SECURITY_CAT, name);

	if (!value)
		fault_cat(r, field, name);
	return value;
}

/* One item of a list: a category, or two with a dot between. */
static void read_item(struct reader *r, enum context_field field, struct span item, struct cat_set *set)
{
	uint32_t dot = find_char(r, item, '.'), low, high, twice;

	if (dot == item.end) {
		low = high = read_cat(r, field, item);
	} else if (find_char(r, (struct span){dot + 1, item.end}, '.') < item.end) {
		fault(r, FAULT_CAT_DOTS, field, item, 0, 0);
		return;
	} else {
		low = read_cat(r, field, (struct span){item.begin, dot});
		high = read_cat(r, field, (struct span){dot + 1, item.end});
		if (low && high && low >= high)
			fault(r, low == high ? FAULT_CAT_RANGE_OF_ONE : FAULT_CAT_REVERSED, field, item, low, high);
	}
	if (!low || low > high)
		return;
	twice = add_cats(set, low - 1, high - 1);
	if (twice != EBITMAP_NONE)
		keep_fault(r, FAULT_CAT_TWICE, field, item, twice + 1, 0);
}

static void read_cats(struct reader *r, enum context_field field, struct span list, struct cat_set *set)
{
	uint32_t comma;

	do {
		comma = find_char(r, list, ',');
		read_item(r, field, (struct span){list.begin, comma}, set);
		list.begin = comma + 1;
	} while (comma < list.end);
}

/* ---- levels ---- */

/* Letters and a number, as sensitivities are named, or such names joined. */
static bool is_numbered(const struct reader *r, struct span name)
{
	uint32_t i = name.begin;

	while (i < name.end && (unsigned char)(r->text[i] - 'a') < 26)
		i++;
	for (uint32_t k = i; k < name.end; k++)
		if (!strchr("0123456789.,-", r->text[k]) && (unsigned char)(r->text[k] - 'a') >= 26)
			return false;
	return i > name.begin && i < name.end;
}

static bool is_misspelled(const struct reader *r, struct span name)
{
	struct near near;

	near_init(&near, r->text + name.begin, name.end - name.begin);
	for (uint32_t v = 1; v <= r->policy->sens.n; v++)
		if (r->policy->sens.at[v].name)
			near_try(&near, r->policy->sens.at[v].name, strlen(r->policy->sens.at[v].name));
	for (uint32_t i = 0; i < r->policy->sens_aliases.n; i++)
		near_try(&near, r->policy->sens_aliases.at[i].name, strlen(r->policy->sens_aliases.at[i].name));
	return near.n > 0;
}

/* What is wrong with a text that names no sensitivity.  A category, or some
 * joined by the signs between categories, are taken for what they are. */
static void fault_sens(struct reader *r, enum context_field field, struct span name)
{
	uint32_t dot = find_char(r, name, '.'), comma = find_char(r, name, ',');
	uint32_t cat = find_name(r, SECURITY_CAT, (struct span){name.begin, dot < comma ? dot : comma});

	if (name.begin == name.end)
		fault(r, FAULT_LEVEL_EMPTY, field, name, 0, 0);
	else if (cat)
		fault(r, FAULT_SENS_IS_CAT, field, name, cat, 0);
	else if (is_numbered(r, name) || is_misspelled(r, name))
		fault(r, FAULT_SENS_UNKNOWN, field, name, 0, 0);
	else
		fault(r, FAULT_LEVEL_TRANSLATED, field, name, 0, 0);
}

static void read_level(struct reader *r, enum context_field field, struct span span, struct policy_level *ret)
{
	uint32_t colon = find_char(r, span, ':');
	struct span sens = {span.begin, colon};
	struct cat_set set;
	struct ebitmap view;

	r->level_begin[field - CONTEXT_LOW] = span.begin;
	r->level_end[field - CONTEXT_LOW] = span.end;
	ret->sens = find_name(r, SECURITY_SENS, sens);
	if (!ret->sens)
		fault_sens(r, field, sens);
	if (colon == span.end) {
		ebitmap_free(&ret->cats);
		return;
	}
	set.first = set.end = 0;
	read_cats(r, field, (struct span){colon + 1, span.end}, &set);
	view = (struct ebitmap){set.words + set.first, set.first, set.end - set.first};
	ebitmap_copy(&ret->cats, &view);
}

/* ---- rules for levels ---- */

static uint32_t first_missing(const struct ebitmap *cats, const struct ebitmap *of)
{
	uint32_t cat = ebitmap_first(cats);

	while (cat != EBITMAP_NONE && ebitmap_test(of, cat))
		cat = ebitmap_next(cats, cat);
	return cat + 1;
}

/* The item of the text that brought a category in, or the whole level. */
static struct span item_with(const struct reader *r, enum context_field field, uint32_t cat)
{
	struct span level = {r->level_begin[field - CONTEXT_LOW], r->level_end[field - CONTEXT_LOW]};
	uint32_t begin = find_char(r, level, ':') + 1, end, dot, low, high;

	for (; begin < level.end; begin = end + 1) {
		end = find_char(r, (struct span){begin, level.end}, ',');
		dot = find_char(r, (struct span){begin, end}, '.');
		low = high = find_name(r, SECURITY_CAT, (struct span){begin, dot});
		if (dot < end)
			high = find_name(r, SECURITY_CAT, (struct span){dot + 1, end});
		if (low <= cat && cat <= high)
			return (struct span){begin, end};
	}
	return level;
}

static void check_level(struct reader *r, enum context_field field, const struct policy_level *level)
{
	uint32_t cat;

	if (!level->sens || ebitmap_subset(&level->cats, &r->policy->sens.at[level->sens].cats))
		return;
	cat = first_missing(&level->cats, &r->policy->sens.at[level->sens].cats);
	fault(r, FAULT_CAT_OF_SENS, field, r->text ? item_with(r, field, cat) : (struct span){0, 0}, level->sens, cat);
}

/* span: that of the whole range. */
static void check_range(struct reader *r, struct span span, bool one, const struct policy_range *range)
{
	check_level(r, CONTEXT_LOW, &range->low);
	if (one)
		return;
	check_level(r, CONTEXT_HIGH, &range->high);
	if (!policy_level_dominates(&range->high, &range->low))
		fault(r, FAULT_RANGE_INVERTED, CONTEXT_LOW, span, 0, 0);
}

/* A range and the rules that it follows by itself; true when it is good. */
static bool read_range(struct reader *r, struct span span, struct policy_range *ret)
{
	uint32_t dash = find_char(r, span, '-');
	bool one = dash == span.end, before = r->bad;

	r->bad = false;
	read_level(r, CONTEXT_LOW, (struct span){span.begin, dash}, &ret->low);
	if (one)
		policy_level_copy(&ret->high, &ret->low);
	else
		read_level(r, CONTEXT_HIGH, (struct span){dash + 1, span.end}, &ret->high);
	if (!r->bad) {
		check_range(r, span, one, ret);
	} else {
		check_level(r, CONTEXT_LOW, &ret->low);
		if (!one)
			check_level(r, CONTEXT_HIGH, &ret->high);
	}
	if (r->bad)
		return false;
	r->bad = before;
	return true;
}

/* ---- fields ---- */

static const enum security_kind kinds[] = {SECURITY_USER, SECURITY_ROLE, SECURITY_TYPE};

static uint32_t read_field(struct reader *r, enum context_field field, struct span span)
{
	uint32_t value = find_name(r, kinds[field], span);

	if (!value) {
		if (span.begin == span.end)
			fault(r, FAULT_FIELD_EMPTY, field, span, field, 0);
		else
			fault(r, FAULT_USER_UNKNOWN + field, field, span, 0, 0);
	} else if (field == CONTEXT_TYPE && r->policy->types.at[value].kind != POLICY_TYPE) {
		fault(r, FAULT_TYPE_ATTRIBUTE, field, span, value, 0);
		return 0;
	}
	return value;
}

/* What user, role and type must have of each other.  Values may be 0. */
static void check_association(struct reader *r, const struct policy_context *c, struct span role, struct span type)
{
	if (c->role == OBJECT_R || !c->role)
		return;
	if (c->user && !ebitmap_test(&r->policy->users.at[c->user].roles, c->role - 1))
		fault(r, FAULT_ROLE_OF_USER, CONTEXT_ROLE, role, c->user, c->role);
	if (c->type && !ebitmap_test(&r->policy->roles.at[c->role].types, c->type - 1))
		fault(r, FAULT_TYPE_OF_ROLE, CONTEXT_TYPE, type, c->role, c->type);
}

static void check_range_of_user(struct reader *r, const struct policy_context *c, struct span span)
{
	if (c->role == OBJECT_R || !c->role || !c->user)
		return;
	if (!range_contains(&r->policy->users.at[c->user].range, &c->range))
		fault(r, FAULT_RANGE_OF_USER, CONTEXT_LOW, span, c->user, 0);
}

/* Whether the names of a text are right but for one field that is left out:
 * `user:type:s0`. */
static bool lacks(const struct reader *r, enum context_field missing, const struct span *fields, int n)
{
	uint32_t at = 0;

	if (n != (r->policy->mls ? 3 : 2))
		return false;
	for (int field = CONTEXT_USER; field <= CONTEXT_TYPE; field++) {
		if (field == (int)missing)
			continue;
		if (!find_name(r, kinds[field], fields[at++]))
			return false;
	}
	if (!r->policy->mls)
		return true;
	at = find_char(r, fields[2], '-');
	return find_name(r, SECURITY_SENS, (struct span){fields[2].begin, at});
}

/* Then that is the only fault.  Where the names are right as they stand nothing
 * is left out. */
static void look_for_missing(struct reader *r, const struct span *fields, int n)
{
	if (!r->faults || (n == 3 && find_name(r, SECURITY_TYPE, fields[2])))
		return;
	for (int missing = CONTEXT_USER; missing <= CONTEXT_TYPE; missing++) {
		uint32_t at = missing < n ? fields[missing].begin : fields[n - 1].end;

		if (!lacks(r, (enum context_field)missing, fields, n))
			continue;
		r->faults->n = r->faults->more = 0;
		fault(r, FAULT_FIELD_MISSING, (enum context_field)missing, (struct span){at, at}, (uint32_t)missing, 0);
		return;
	}
}

/* ---- entries ---- */

static void range_clear(struct policy_range *range)
{
	range->low.sens = range->high.sens = 0;
	policy_range_free(range);
}

/* A blank makes everything around it look wrong: it is the only fault then. */
static void look_for_blanks(struct reader *r, size_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)r->text[i];

		if (c > ' ' && c != 0x7f)
			continue;
		r->faults->n = r->faults->more = 0;
		fault(r, FAULT_BLANK, CONTEXT_USER, (struct span){i, i + 1}, 0, 0);
		return;
	}
}

/* The answer; a text with faults is looked at as a whole again. */
static bool finish(struct reader *r, size_t len)
{
	if (r->bad && r->faults)
		look_for_blanks(r, len);
	return !r->bad;
}

bool level_parse(const struct security *security, const char *text, size_t len, struct policy_level *ret,
		 struct context_faults *faults)
{
	struct reader r = reader_of(security, text, len, faults);
	struct span all = {0, (uint32_t)len}, level = {0, find_char(&r, all, '-')};

	if (!r.policy->mls) {
		ret->sens = 0;
		ebitmap_free(&ret->cats);
		fault(&r, FAULT_LEVEL_UNWANTED, CONTEXT_LOW, all, 0, 0);
		return false;
	}
	read_level(&r, CONTEXT_LOW, level, ret);
	check_level(&r, CONTEXT_LOW, ret);
	if (level.end < all.end)
		fault(&r, FAULT_RANGE_FOR_LEVEL, CONTEXT_LOW, (struct span){level.end, all.end}, 0, 0);
	if (faults)
		faults->low = ret;
	return finish(&r, len);
}

bool range_parse(const struct security *security, const char *text, size_t len, struct policy_range *ret,
		 struct context_faults *faults)
{
	struct reader r = reader_of(security, text, len, faults);
	struct span all = {0, (uint32_t)len};

	if (faults) {
		faults->low = &ret->low;
		faults->high = &ret->high;
	}
	if (!r.policy->mls) {
		range_clear(ret);
		fault(&r, FAULT_LEVEL_UNWANTED, CONTEXT_LOW, all, 0, 0);
		return false;
	}
	read_range(&r, all, ret);
	return finish(&r, len);
}

/* The level of a context, behind its third colon; no_level when there is none. */
static bool read_context_range(struct reader *r, bool no_level, struct span span, struct policy_range *ret)
{
	if (no_level || !r->policy->mls)
		range_clear(ret);
	if (no_level && r->policy->mls)
		fault(r, FAULT_LEVEL_MISSING, CONTEXT_LOW, span, 0, 0);
	else if (!no_level && !r->policy->mls)
		fault(r, FAULT_LEVEL_UNWANTED, CONTEXT_LOW, span, 0, 0);
	return r->policy->mls && !no_level && read_range(r, span, ret);
}

bool context_parse(const struct security *security, const char *text, size_t len, struct policy_context *ret,
		   struct context_faults *faults)
{
	struct reader r = reader_of(security, text, len, faults);
	struct span all = {0, (uint32_t)len}, fields[3];
	uint32_t values[3] = {0};
	int n = 0;
	bool ranged;

	if (faults) {
		faults->low = &ret->range.low;
		faults->high = &ret->range.high;
	}
	while (n < 3) {
		fields[n] = (struct span){all.begin, find_char(&r, all, ':')};
		values[n] = read_field(&r, (enum context_field)n, fields[n]);
		all.begin = fields[n++].end;
		if (all.begin == all.end)
			break;
		all.begin++;
	}
	ret->user = values[CONTEXT_USER];
	ret->role = values[CONTEXT_ROLE];
	ret->type = values[CONTEXT_TYPE];
	if (n < 3) {
		range_clear(&ret->range);
		fault(&r, FAULT_FIELD_MISSING, (enum context_field)n, all, (uint32_t)n, 0);
		look_for_missing(&r, fields, n);
		return finish(&r, len);
	}
	check_association(&r, ret, fields[CONTEXT_ROLE], fields[CONTEXT_TYPE]);
	ranged = read_context_range(&r, fields[CONTEXT_TYPE].end == all.end, all, &ret->range);
	if (ranged)
		check_range_of_user(&r, ret, all);
	if (r.bad)
		look_for_missing(&r, fields, n);
	return finish(&r, len);
}

/* ---- contexts that are no text ---- */

/* Whether a field has a value of the policy. */
static bool known(struct reader *r, enum context_field field, bool is)
{
	if (!is)
		fault(r, FAULT_VALUE, field, (struct span){0, 0}, field, 0);
	return is;
}

static bool known_sens(const struct policy *p, uint32_t sens)
{
	return sens - 1 < p->sens.n && p->sens.at[sens].name;
}

bool context_validate(const struct security *security, const struct policy_context *context,
		      struct context_faults *faults)
{
	struct reader r = reader_of(security, NULL, 0, faults);
	const struct policy *p = r.policy;
	const struct span nowhere = {0, 0};
	struct policy_context c = *context;

	if (faults) {
		faults->low = &context->range.low;
		faults->high = &context->range.high;
	}
	if (!known(&r, CONTEXT_USER, c.user - 1 < p->users.n && p->users.at[c.user].name))
		c.user = 0;
	if (!known(&r, CONTEXT_ROLE, c.role - 1 < p->roles.n && p->roles.at[c.role].name))
		c.role = 0;
	if (!known(&r, CONTEXT_TYPE, c.type - 1 < p->types.n && p->types.at[c.type].kind == POLICY_TYPE))
		c.type = 0;
	check_association(&r, &c, nowhere, nowhere);
	if (!p->mls)
		return !r.bad;
	if (!known(&r, CONTEXT_LOW, known_sens(p, c.range.low.sens)) ||
	    !known(&r, CONTEXT_HIGH, known_sens(p, c.range.high.sens)))
		return false;
	check_range(&r, nowhere, false, &c.range);
	check_range_of_user(&r, &c, nowhere);
	return !r.bad;
}
