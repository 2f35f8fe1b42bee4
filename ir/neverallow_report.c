/* Violations of a neverallow as findings: one for all pairs of types that the
 * same rules allow, with each of these rules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/neverallow.h"
#include "ir/text.h"

enum {
	MAX_TYPES = 6,   /* named in one message; the rest is counted */
	MAX_CLASSES = 6,
	MAX_RANGES = 16, /* of extended permissions */
	HINT_RANGES = 8,
};

/* ---- which rules allow a pair ---- */

static bool any_of(struct checker *k, struct ast_names names, bool (*has)(const struct checker *k, uint32_t value))
{
	struct operand list = rule_operand(k->c, names);

	for (uint32_t i = 0; i < list.n; i++)
		if (has(k, list.at[i]))
			return true;
	return false;
}

/* Whether a statement may reach the neverallow, by its sets alone. */
static bool may_reach(struct checker *k, const struct origin *o)
{
	if (!(origin_perms(k->c, o, k->class) & k->perms) || !any_of(k, o->sources, neverallow_has_source))
		return false;
	return k->n->self || type_set_self(k->c, o->targets) & SET_SELF || any_of(k, o->targets, neverallow_has_target);
}

static bool allows_value(struct checker *k, const struct ast_xrule *x)
{
	struct ebitmap values = {0};
	bool any;

	xrule_values(x, &values);
	any = ebitmap_intersects(&values, &k->n->values);
	ebitmap_free(&values);
	return any;
}

static void gather(struct checker *k, candidates *list, bool xperm)
{
	struct origin_list all = origins_of_class(k->c, k->class, xperm);

	list->n = 0;
	for (uint32_t i = 0; i < all.n; i++) {
		struct origin o = origin_at(k->c, all.at[i], xperm);

		if (may_reach(k, &o) && (!xperm || allows_value(k, o.x)))
			*vec_push(list) = (struct candidate){all.at[i], o};
	}
	k->work += all.n;
}

void find_candidates(struct checker *k)
{
	k->grants.n = k->limits.n = 0;
	if (!k->by_statement)
		return;
	gather(k, &k->grants, false);
	if (k->n->xperm)
		gather(k, &k->limits, true);
}

static void keep_here(struct checker *k, const candidates *list, uint32_t source)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (origin_has_source(k->c, &list->at[i].origin, source + 1))
			*vec_push(&k->here) = list->at[i];
}

void find_candidates_here(struct checker *k, uint32_t source)
{
	k->here.n = 0;
	keep_here(k, &k->grants, source);
	k->ngrants = k->here.n;
	keep_here(k, &k->limits, source);
}

/* The rules of the policy itself, where statements do not matter. */
static void add_rule_ids(struct checker *k, uint32_t target, bool records)
{
	const access_rules *rules = records ? &k->records : &k->base;
	const struct access_rule *first = records ? k->access.xallow.rules.at : k->access.allow.rules.at;

	for (uint32_t i = 0; i < rules->n; i++)
		if (rule_reaches(k, rules->at[i], target) && (!records || xperm_record_violates(k, rules->at[i])))
			*vec_push(&k->ids) = (uint32_t)(rules->at[i] - first);
}

static void find_ids(struct checker *k, uint32_t source, uint32_t target, bool records)
{
	uint32_t begin = records ? k->ngrants : 0, end = records ? k->here.n : k->ngrants;

	k->ids.n = 0;
	if (!k->by_statement) {
		add_rule_ids(k, target, records);
		return;
	}
	for (uint32_t i = begin; i < end; i++)
		if (origin_has_target(k->c, &k->here.at[i].origin, source + 1, target + 1))
			*vec_push(&k->ids) = k->here.at[i].id;
}

/* ---- violations ---- */

static bool same_ids(const struct violation *v, const uint32_t *ids, uint32_t n)
{
	return v->nids == n && (!n || !memcmp(v->ids, ids, n * sizeof *ids));
}

/* Where the violation is, or would be. */
static uint8_t *find_slot(struct checker *k, bool unlimited)
{
	uint64_t h = k->class * 2u + unlimited;
	uint8_t i;

	for (uint32_t n = 0; n < k->ids.n; n++)
		h = (h ^ k->ids.at[n]) * 0x9e3779b97f4a7c15u;
	for (i = (uint8_t)((h ^ h >> 29) >> 32); k->slots[i]; i++) {
		const struct violation *v = &k->violations.at[k->slots[i] - 1];

		if (v->class == k->class && v->unlimited == unlimited && same_ids(v, k->ids.at, k->ids.n))
			break;
	}
	return &k->slots[i];
}

static uint32_t perms_reaching(const struct checker *k, uint32_t target)
{
	uint32_t perms = 0;

	for (uint32_t i = 0; i < k->base.n; i++)
		if (rule_reaches(k, k->base.at[i], target))
			perms |= k->base.at[i]->data & k->perms;
	return perms;
}

static void new_violation(struct checker *k, uint32_t source, uint32_t target, bool unlimited)
{
	struct violation *v = vec_push(&k->violations);

	*v = (struct violation){
		.ids = arena_copy(&k->c->arena, k->ids.at, k->ids.n * sizeof *k->ids.at),
		.nids = k->ids.n,
		.unlimited = unlimited,
		.class = k->class,
		.perms = perms_reaching(k, target),
		.all_self = true,
		.source = source,
		.target = target,
	};
	if (k->n->xperm && !unlimited)
		xperm_values_of(k, target, &v->values);
}

void add_violation(struct checker *k, uint32_t source, uint32_t target)
{
	bool unlimited = k->n->xperm && row_test(k->unlimited, target);
	struct violation *v;
	uint8_t *slot;

	find_ids(k, source, target, k->n->xperm && !unlimited);
	slot = find_slot(k, unlimited);
	if (!*slot && k->violations.n == NEVERALLOW_GROUPS) {
		k->more++;
		return;
	}
	if (!*slot) {
		new_violation(k, source, target, unlimited);
		*slot = (uint8_t)k->violations.n;
	}
	v = &k->violations.at[*slot - 1];
	v->npairs++;
	v->all_self &= source == target;
	ebitmap_set(&v->sources, source);
	ebitmap_set(&v->targets, target);
}

/* ---- text ---- */

/* `a`, or { `a` `b` and 7 more }. */
static void put_types(const struct checker *k, struct buffer *b, const struct ebitmap *types)
{
	uint32_t n = ebitmap_count(types), named = 0;

	if (n > 1)
		text_put(b, "{ ");
	ebitmap_for_each(types, bit) {
		if (named++ == MAX_TYPES)
			break;
		text_printf(b, "%s`%s`", named > 1 ? " " : "", type_text(k, bit));
	}
	if (n > MAX_TYPES)
		text_printf(b, " and %u more", n - MAX_TYPES);
	if (n > 1)
		text_put(b, " }");
}

/* The pairs are all of these sources with all of these targets. */
static bool is_product(const struct violation *v)
{
	return v->npairs == (uint64_t)ebitmap_count(&v->sources) * ebitmap_count(&v->targets);
}

static void put_pair(const struct checker *k, struct buffer *b, const struct violation *v)
{
	if (is_product(v)) {
		put_types(k, b, &v->sources);
		text_put(b, " ");
		put_types(k, b, &v->targets);
	} else if (v->all_self) {
		put_types(k, b, &v->sources);
		text_put(b, " self");
	} else {
		text_printf(b, "`%s` `%s`", type_text(k, v->source), type_text(k, v->target));
	}
}

static void put_count(struct buffer *b, const struct violation *v)
{
	if (v->npairs == 1)
		return;
	if (is_product(v) || v->all_self)
		text_printf(b, " (%" PRIu64 " pairs of types)", v->npairs);
	else
		text_printf(b, ", and the same for %" PRIu64 " more pair%s of types", v->npairs - 1,
			    v->npairs == 2 ? "" : "s");
}

/* Of pairs that are no product the message names the first only. */
static void note_types(struct checker *k, const struct violation *v)
{
	struct buffer text = {0};

	if (is_product(v) || v->all_self)
		return;
	text_put(&text, "the sources are ");
	put_types(k, &text, &v->sources);
	text_put(&text, ", the targets ");
	put_types(k, &text, &v->targets);
	diag_note(k->c->diags, LOC_NONE, "%s", text_of(&text));
	buffer_free(&text);
}

static const char *class_name(const struct checker *k, uint32_t class)
{
	return k->policy->classes.at[class].name;
}

/* The same pairs by the same rules, in another class. */
static bool goes_with(const struct violation *v, const struct violation *other)
{
	return !other->told && v->unlimited == other->unlimited && v->npairs == other->npairs &&
	       same_ids(v, other->ids, other->nids) && ebitmap_equal(&v->sources, &other->sources) &&
	       ebitmap_equal(&v->targets, &other->targets) && ebitmap_equal(&v->values, &other->values);
}

/* `file` { read write }, `dir` { search }: those of violation i and of the later
 * ones that go with it. */
static void put_classes(struct checker *k, struct buffer *b, uint32_t i, bool perms)
{
	uint32_t named = 0, more = 0;

	for (uint32_t j = i; j < k->violations.n; j++) {
		struct violation *v = &k->violations.at[j];

		if (j > i && !goes_with(&k->violations.at[i], v))
			continue;
		v->told = true;
		if (named == MAX_CLASSES) {
			more++;
			continue;
		}
		text_printf(b, "%s`%s`", named++ ? ", " : "", class_name(k, v->class));
		if (perms) {
			text_put(b, " ");
			text_perms(b, &k->policy->classes.at[v->class], v->perms);
		}
	}
	if (more)
		text_printf(b, " and %u more class%s", more, more > 1 ? "es" : "");
}

/* ---- notes ---- */

static void note_conditions(struct checker *k, const struct violation *v)
{
	const struct access_table *table = k->n->xperm && !v->unlimited ? &k->access.xallow : &k->access.allow;

	for (uint32_t i = 0; i < v->nids && i < MAX_ORIGIN_NOTES; i++) {
		const struct access_rule *r = &table->rules.at[v->ids[i]];
		struct buffer perms = {0}, cond = {0};

		if (r->place) {
			text_perms(&perms, &k->policy->classes.at[v->class], table == &k->access.allow ? r->data & v->perms : v->perms);
			text_cond(&cond, k->policy, &k->policy->conds.at[access_cond(r->place)]);
			diag_note(k->c->diags, LOC_NONE, "`%s` is granted while `%s` is %s", text_of(&perms), text_of(&cond),
				  r->place & 1 ? "false" : "true");
		}
		buffer_free(&perms);
		buffer_free(&cond);
	}
}

/* What one of several statements adds: permissions of the class, or values. */
static const char *part_text(struct checker *k, const struct violation *v, const struct origin *o, struct buffer *text)
{
	struct ebitmap values = {0};

	if (v->nids < 2)
		return NULL;
	if (!o->x) {
		text_perms(text, &k->policy->classes.at[v->class], origin_perms(k->c, o, v->class) & v->perms);
		return text_of(text);
	}
	xrule_values(o->x, &values);
	ebitmap_and(&values, &v->values);
	text_values(text, &values, MAX_RANGES);
	ebitmap_free(&values);
	return text_of(text);
}

static void note_statements(struct checker *k, const struct violation *v)
{
	struct noted noted = {0};

	note_membership(k->c, k->n->source_names, v->source + 1, &noted);
	note_membership(k->c, k->n->target_names, v->target + 1, &noted);
	for (uint32_t i = 0; i < v->nids && i < MAX_ORIGIN_NOTES; i++) {
		struct origin o = origin_at(k->c, v->ids[i], k->n->xperm && !v->unlimited);
		struct buffer text = {0};

		note_origin(k->c, &o, v->source + 1, v->target + 1, part_text(k, v, &o, &text), &noted);
		buffer_free(&text);
	}
	if (v->nids > MAX_ORIGIN_NOTES)
		diag_note(k->c->diags, LOC_NONE, "%u more rules allow it", v->nids - MAX_ORIGIN_NOTES);
}

static void note_rules(struct checker *k, const struct violation *v)
{
	if (k->c->diags->dropping)
		return;
	note_types(k, v);
	if (k->by_statement)
		note_statements(k, v);
	else
		note_conditions(k, v);
}

/* ---- findings ---- */

static void hint_record(struct checker *k, const struct violation *v, const char *operation)
{
	struct ebitmap fine = {0};
	struct buffer text = {0};

	ebitmap_copy(&fine, &k->n->values);
	ebitmap_complement(&fine, 0x10000);
	text_values(&text, &fine, HINT_RANGES);
	if (ebitmap_empty(&fine))
		diag_hint(k->c->diags, "every value is never allowed: do not allow `%s`", operation);
	else
		diag_hint(k->c->diags, "to satisfy it, allow only values like `allowxperm %s %s:%s %s %s;`",
			  type_text(k, v->source), type_text(k, v->target), class_name(k, v->class), operation, text_of(&text));
	ebitmap_free(&fine);
	buffer_free(&text);
}

/* Violation i and what goes with it. */
static void report(struct checker *k, uint32_t i)
{
	const struct violation *v = &k->violations.at[i];
	const char *operation = k->n->nlmsg ? "nlmsg" : "ioctl";
	bool limited = k->n->xperm && !v->unlimited;
	struct buffer text = {0};

	put_pair(k, &text, v);
	text_put(&text, ":");
	put_classes(k, &text, i, !limited);
	if (limited) {
		text_printf(&text, " %s ", operation);
		text_values(&text, &v->values, MAX_RANGES);
	}
	if (v->unlimited)
		text_put(&text, " with no allowxperm rule that limits it, so all values are allowed");
	put_count(&text, v);
	if (k->n->xperm)
		diag_error(k->c->diags, "neverallowxperm", k->n->loc, "neverallowxperm violated: %s %s",
			   limited ? "allowxperm" : "allow", text_of(&text));
	else
		diag_error(k->c->diags, "neverallow", k->n->loc, "neverallow violated: allow %s", text_of(&text));
	note_rules(k, v);
	if (v->unlimited)
		hint_record(k, v, operation);
	buffer_free(&text);
}

static void report_more(struct checker *k)
{
	const char *check = k->n->xperm ? "neverallowxperm" : "neverallow";

	if (k->more)
		diag_error(k->c->diags, check, k->n->loc, "violated by %s%" PRIu64 " more pairs of types",
			   k->cut ? "at least " : "", k->more);
	else if (k->cut && k->violations.n)
		diag_note(k->c->diags, LOC_NONE, "there may be more pairs of types: they are not counted any more");
}

void report_uncounted(struct checker *k)
{
	diag_error(k->c->diags, k->n->xperm ? "neverallowxperm" : "neverallow", k->n->loc, "%s violated",
		   k->n->xperm ? "neverallowxperm" : "neverallow");
}

void report_violations(struct checker *k)
{
	for (uint32_t i = 0; i < k->violations.n; i++)
		if (!k->violations.at[i].told)
			report(k, i);
	report_more(k);
	for (uint32_t i = 0; i < k->violations.n; i++) {
		ebitmap_free(&k->violations.at[i].values);
		ebitmap_free(&k->violations.at[i].sources);
		ebitmap_free(&k->violations.at[i].targets);
	}
	k->violations.n = 0;
}
