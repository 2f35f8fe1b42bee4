/* Properties, classes, MLS symbols, types, roles, users. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/names.h"
#include "ir/text.h"
#include "query/diff.h"
#include "query/text.h"

/* A line of printf form; its text lives as long as the comparison. */
static const char *text(struct differ *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static const char *text(struct differ *d, const char *fmt, ...)
{
	struct buffer b = {0};
	const char *kept;
	char *line;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0)
		return "";
	line = mem_alloc((size_t)len + 1);
	va_start(args, fmt);
	vsnprintf(line, (size_t)len + 1, fmt, args);
	va_end(args);
	buffer_put(&b, line, (size_t)len);
	kept = keep_text(d, &b);
	buffer_free(&b);
	free(line);
	return kept;
}

#define FOR_SIDES(side) for (enum side side = OLD; side <= NEW; side++)

/* ---- properties ---- */

void diff_properties(struct differ *d)
{
	struct lines properties = {0}, capabilities = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		line_add(&properties, side, text(d, "target %s;", query_target_name(p)));
		line_add(&properties, side, text(d, "handle_unknown %s;", text_unknown(p->handle_unknown)));
		if (p->mls)
			line_add(&properties, side, "mls;");
		ebitmap_for_each(&p->capabilities, bit) {
			const char *name = capability_name(bit);

			line_add(&capabilities, side, name ? text(d, "policycap %s;", name) : text(d, "policycap @%u;", bit));
		}
	}
	lines_diff(d, &properties, DIFF_PROPERTIES);
	lines_diff(d, &capabilities, DIFF_CAPABILITIES);
}

/* ---- classes ---- */

struct perms_change { const char *word, *name; const struct perm_names *perms; uint64_t mask; };

static void put_perms_change(struct buffer *b, struct differ *d, const void *data)
{
	const struct perms_change *c = data;

	(void)d;
	text_printf(b, "%s %s", c->word, c->name);
	if (c->mask) {
		text_put(b, " ");
		put_common_perms(b, c->perms, c->mask);
	}
	text_put(b, ";");
}

static uint64_t perms_of(const struct perm_names *names, enum side side, uint32_t n)
{
	return perm_names_mask(names, side, n >= POLICY_MAX_PERMS ? UINT32_MAX : (UINT32_C(1) << n) - 1);
}

/* A class or common that is on both sides, or on one. */
static void report_perms(struct differ *d, enum diff_section section, struct perms_change change, const uint32_t *value,
			 const uint64_t *masks)
{
	FOR_SIDES(side) {
		change.mask = masks[side] & ~masks[!side];
		if (value[side] && (change.mask || !value[!side]))
			add_change(d, section, side, 0, put_perms_change, &change);
	}
}

static void diff_commons(struct differ *d)
{
	struct lines lines = {0};

	FOR_SIDES(side) {
		for (uint32_t v = 1; v <= d->p[side]->commons.n; v++) {
			const struct policy_common *common = &d->p[side]->commons.at[v];

			if (!common->name)
				continue;
			line_add(&lines, side, text(d, "common %s;", common->name));
			for (uint32_t i = 0; i < common->nperms; i++) {
				if (common->perms[i])
					line_add(&lines, side, text(d, "common %s %s;", common->name, common->perms[i]));
			}
		}
	}
	lines_diff(d, &lines, DIFF_COMMONS);
}

static void add_defaults(struct differ *d, struct lines *lines, enum side side, const struct policy_class *class)
{
	static const char *const ends[] = {NULL, "source", "target"};
	static const char *const ranges[] = {
		NULL, "source low", "source high", "source low-high",
		"target low", "target high", "target low-high", "glblub",
	};
	const struct { const char *what; uint8_t end; } defaults[] = {
		{"user", class->default_user}, {"role", class->default_role}, {"type", class->default_type},
	};

	for (int i = 0; i < 3; i++) {
		if (defaults[i].end == 1 || defaults[i].end == 2)
			line_add(lines, side, text(d, "default_%s %s %s;", defaults[i].what, class->name, ends[defaults[i].end]));
	}
	if (class->default_range && class->default_range < sizeof ranges / sizeof *ranges)
		line_add(lines, side, text(d, "default_range %s %s;", class->name, ranges[class->default_range]));
}

void diff_classes(struct differ *d)
{
	struct lines defaults = {0};

	diff_commons(d);
	for (uint32_t i = 0; i < d->classes.n; i++) {
		const struct class_pair *pair = &d->classes.at[i];
		struct perm_names names;
		uint64_t masks[2] = {0};

		perm_names_init(&names, d, pair);
		FOR_SIDES(side) {
			const struct policy_class *class = &d->p[side]->classes.at[pair->value[side]];

			if (!pair->value[side])
				continue;
			masks[side] = perms_of(&names, side, class->nperms);
			add_defaults(d, &defaults, side, class);
		}
		report_perms(d, DIFF_CLASSES, (struct perms_change){.word = "class", .name = pair->name, .perms = &names},
			     pair->value, masks);
	}
	lines_diff(d, &defaults, DIFF_DEFAULTS);
}

/* ---- MLS ---- */

static const char *level_text(struct differ *d, enum side side, const struct policy_level *level)
{
	struct buffer b = {0};
	const char *kept;

	text_level(&b, d->p[side], level);
	kept = keep_text(d, &b);
	buffer_free(&b);
	return kept;
}

static const char *range_text(struct differ *d, enum side side, const struct policy_range *range)
{
	struct buffer b = {0};
	const char *kept;

	dump_range(&b, d->p[side], range);
	kept = keep_text(d, &b);
	buffer_free(&b);
	return kept;
}

/* Their order is their dominance. */
static const char *dominance_text(struct differ *d, enum side side)
{
	const struct policy *p = d->p[side];
	struct buffer b = {0};
	const char *kept;

	text_put(&b, "dominance {");
	for (uint32_t v = 1; v <= p->sens.n; v++) {
		if (p->sens.at[v].name)
			text_printf(&b, " %s", p->sens.at[v].name);
	}
	text_put(&b, " }");
	kept = keep_text(d, &b);
	buffer_free(&b);
	return kept;
}

static void diff_sensitivities(struct differ *d)
{
	struct lines names = {0}, levels = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t v = 1; v <= p->sens.n; v++) {
			struct policy_level level = {.sens = v, .cats = p->sens.at[v].cats};

			if (!p->sens.at[v].name)
				continue;
			line_add(&names, side, text(d, "sensitivity %s;", p->sens.at[v].name));
			line_add(&levels, side, text(d, "level %s;", level_text(d, side, &level)));
		}
		for (uint32_t i = 0; i < p->sens_aliases.n; i++) {
			const struct policy_alias *alias = &p->sens_aliases.at[i];

			line_add(&names, side, text(d, "sensitivity %s alias %s;", p->sens.at[alias->value].name, alias->name));
		}
		if (p->sens.n)
			line_add(&names, side, dominance_text(d, side));
	}
	lines_diff(d, &names, DIFF_SENSITIVITIES);
	lines_diff(d, &levels, DIFF_LEVELS);
}

static const char *category_name(const struct policy *p, uint32_t v)
{
	return p->cats.at[v].name ? p->cats.at[v].name : "@gap";
}

/* `c0.c5` says all between: so the order of categories is in what is written,
 * though in no decision.  Each is named with the one before it. */
static bool same_category_order(const struct policy *a, const struct policy *b)
{
	if (a->cats.n != b->cats.n)
		return true; /* the names differ anyway */
	for (uint32_t v = 1; v <= a->cats.n; v++) {
		if (strcmp(category_name(a, v), category_name(b, v)) != 0)
			return false;
	}
	return true;
}

static void diff_categories(struct differ *d)
{
	bool ordered = same_category_order(d->p[OLD], d->p[NEW]);
	struct lines lines = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t v = 1; v <= p->cats.n; v++) {
			if (p->cats.at[v].name)
				line_add(&lines, side, text(d, "category %s;", p->cats.at[v].name));
			if (!ordered && v > 1)
				line_add(&lines, side, text(d, "category %s follows %s", category_name(p, v), category_name(p, v - 1)));
		}
		for (uint32_t i = 0; i < p->cat_aliases.n; i++) {
			const struct policy_alias *alias = &p->cat_aliases.at[i];

			line_add(&lines, side, text(d, "category %s alias %s;", p->cats.at[alias->value].name, alias->name));
		}
	}
	lines_diff(d, &lines, DIFF_CATEGORIES);
}

void diff_mls(struct differ *d)
{
	diff_sensitivities(d);
	diff_categories(d);
}

/* ---- types ---- */

static void diff_type_symbols(struct differ *d)
{
	struct lines types = {0}, attributes = {0}, permissive = {0}, neveraudit = {0};

	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t v = 1; v <= p->types.n; v++) {
			const struct policy_type *t = &p->types.at[v];

			if (t->kind == POLICY_GAP || !t->name || t->expand)
				continue;
			line_add(t->kind == POLICY_TYPE ? &types : &attributes, side,
				 text(d, t->kind == POLICY_TYPE ? "type %s;" : "attribute %s;", t->name));
			if (t->permissive)
				line_add(&permissive, side, text(d, "permissive %s;", t->name));
			if (t->neveraudit)
				line_add(&neveraudit, side, text(d, "neveraudit %s;", t->name));
		}
		for (uint32_t i = 0; i < p->type_aliases.n; i++) {
			const struct policy_alias *alias = &p->type_aliases.at[i];

			line_add(&types, side, text(d, "typealias %s alias %s;", p->types.at[alias->value].name, alias->name));
		}
	}
	lines_diff(d, &attributes, DIFF_ATTRIBUTES);
	lines_diff(d, &permissive, DIFF_PERMISSIVE);
	lines_diff(d, &neveraudit, DIFF_NEVERAUDIT);
	lines_diff(d, &types, DIFF_TYPES);
}

/* A type that is in an attribute on one side only. */
struct joined { uint32_t type; const char *attribute; };

typedef VEC(struct joined) joinings;

struct attribute { const char *name; uint32_t set; };

typedef VEC(struct attribute) attributes;

static int by_attribute(const void *a, const void *b)
{
	return strcmp(((const struct attribute *)a)->name, ((const struct attribute *)b)->name);
}

static void list_attributes(const struct differ *d, enum side side, attributes *ret)
{
	const struct policy *p = d->p[side];

	for (uint32_t v = 1; v <= p->types.n; v++) {
		const struct policy_type *t = &p->types.at[v];

		if (t->kind == POLICY_ATTRIBUTE && t->name && !t->expand)
			*vec_push(ret) = (struct attribute){t->name, d->set_of[side][v]};
	}
	if (ret->n)
		qsort(ret->at, ret->n, sizeof *ret->at, by_attribute);
}

static void add_joined(const struct differ *d, const struct attribute *a, const struct attribute *other, joinings *ret)
{
	ebitmap_for_each(&d->sets.at[a->set], type) {
		if (!other || !ebitmap_test(&d->sets.at[other->set], type))
			*vec_push(ret) = (struct joined){type, a->name};
	}
}

static int by_type(const void *a, const void *b)
{
	const struct joined *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return strcmp(x->attribute, y->attribute);
}

/* Types that joined the same attributes are one statement. */
static void add_joinings(struct differ *d, enum side side, joinings *list, struct lines *lines)
{
	struct buffer b = {0};

	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_type);
	for (uint32_t i = 0; i < list->n;) {
		uint32_t type = list->at[i].type;
		const char *before = " ";

		b.n = 0;
		for (; i < list->n && list->at[i].type == type; i++, before = ", ")
			text_printf(&b, "%s%s", before, list->at[i].attribute);
		text_put(&b, ";");
		line_add_type(lines, side, "typeattribute ", type, keep_text(d, &b));
	}
	buffer_free(&b);
	vec_free(list);
}

static void diff_memberships(struct differ *d)
{
	attributes a[2] = {0};
	joinings joined[2] = {0};
	struct lines lines = {0};
	uint32_t i = 0, j = 0;

	list_attributes(d, OLD, &a[OLD]);
	list_attributes(d, NEW, &a[NEW]);
	while (i < a[OLD].n || j < a[NEW].n) {
		int order = i == a[OLD].n ? 1 : j == a[NEW].n ? -1 : by_attribute(&a[OLD].at[i], &a[NEW].at[j]);

		if (order || a[OLD].at[i].set != a[NEW].at[j].set) {
			if (order <= 0)
				add_joined(d, &a[OLD].at[i], order ? NULL : &a[NEW].at[j], &joined[OLD]);
			if (order >= 0)
				add_joined(d, &a[NEW].at[j], order ? NULL : &a[OLD].at[i], &joined[NEW]);
		}
		i += order <= 0;
		j += order >= 0;
	}
	add_joinings(d, OLD, &joined[OLD], &lines);
	add_joinings(d, NEW, &joined[NEW], &lines);
	lines_diff(d, &lines, DIFF_MEMBERSHIPS);
	vec_free(&a[OLD]);
	vec_free(&a[NEW]);
}

#define ADD_BOUNDS(lines, side, symbols, word) \
	do { \
		for (uint32_t v = 1; v <= (symbols).n; v++) { \
			if ((symbols).at[v].name && (symbols).at[v].bounds) \
				line_add(&(lines), side, text(d, "%s %s %s;", word, \
							      (symbols).at[(symbols).at[v].bounds].name, \
							      (symbols).at[v].name)); \
		} \
	} while (0)

static void diff_bounds(struct differ *d)
{
	struct lines lines = {0};

	FOR_SIDES(side) {
		ADD_BOUNDS(lines, side, d->p[side]->types, "typebounds");
		ADD_BOUNDS(lines, side, d->p[side]->roles, "rolebounds");
		ADD_BOUNDS(lines, side, d->p[side]->users, "userbounds");
	}
	lines_diff(d, &lines, DIFF_BOUNDS);
}

void diff_types(struct differ *d)
{
	diff_type_symbols(d);
	diff_memberships(d);
	diff_bounds(d);
}

/* ---- booleans, roles, users ---- */

static void add_role(struct differ *d, struct lines *lines, enum side side, uint32_t v, struct ebitmap *types)
{
	const struct policy_role *role = &d->p[side]->roles.at[v];

	if (!role->name)
		return;
	line_add(lines, side, text(d, "role %s;", role->name));
	common_types(d, side, &role->types, types);
	line_add_types(lines, side, text(d, "role %s types ", role->name), types, ";");
	ebitmap_for_each(&role->dominates, bit) {
		if (bit + 1 != v && d->p[side]->roles.at[bit + 1].name)
			line_add(lines, side, text(d, "role %s dominates %s;", role->name, d->p[side]->roles.at[bit + 1].name));
	}
}

static void diff_roles(struct differ *d)
{
	size_t most = (size_t)d->p[OLD]->roles.n + d->p[NEW]->roles.n + 1;
	struct ebitmap *types = mem_zalloc(most, sizeof *types), *next = types;
	struct lines lines = {0};

	FOR_SIDES(side) {
		for (uint32_t v = 1; v <= d->p[side]->roles.n; v++)
			add_role(d, &lines, side, v, next++);
	}
	lines_diff(d, &lines, DIFF_ROLES);
	while (next > types)
		ebitmap_free(--next);
	free(types);
}

static void add_user(struct differ *d, struct lines *lines, enum side side, const struct policy_user *user)
{
	const struct policy *p = d->p[side];

	line_add(lines, side, text(d, "user %s;", user->name));
	ebitmap_for_each(&user->roles, bit) {
		if (p->roles.at[bit + 1].name)
			line_add(lines, side, text(d, "user %s roles %s;", user->name, p->roles.at[bit + 1].name));
	}
	if (!d->p[OLD]->mls || !d->p[NEW]->mls)
		return;
	line_add(lines, side, text(d, "user %s level %s;", user->name, level_text(d, side, &user->level)));
	line_add(lines, side, text(d, "user %s range %s;", user->name, range_text(d, side, &user->range)));
}

void diff_roles_users(struct differ *d)
{
	struct lines users = {0}, bools = {0};

	diff_roles(d);
	FOR_SIDES(side) {
		const struct policy *p = d->p[side];

		for (uint32_t v = 1; v <= p->users.n; v++) {
			if (p->users.at[v].name)
				add_user(d, &users, side, &p->users.at[v]);
		}
		for (uint32_t v = 1; v <= p->bools.n; v++) {
			const struct policy_bool *boolean = &p->bools.at[v];

			if (boolean->name)
				line_add(&bools, side, text(d, "bool %s %s;", boolean->name, boolean->state ? "true" : "false"));
		}
	}
	lines_diff(d, &users, DIFF_USERS);
	lines_diff(d, &bools, DIFF_BOOLEANS);
}
