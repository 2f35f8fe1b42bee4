/* type_transition with a file name (language.md 9.15).
 *
 * For each (target, class, name) there is one table entry with the sources seen
 * in the source text, blocks that are off included: one key may stand once in
 * the whole source of a module.  There, attributes hold what its outermost block
 * puts into them; what other blocks and modules add is worked out for the live
 * rules, where an overlap is fine as long as the results agree. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"
#include "ir/member.h"

static const char check_repeat[] = "duplicate-filename-transition";

struct outcome {
	uint32_t result;
	struct ebitmap sources;
	const struct ast_terule *from; /* the first rule */
	uint32_t next;                 /* outcome + 1, or 0 */
};

/* A rule and its sources, as the text has them. */
struct sourced {
	const struct ast_terule *rule;
	struct ebitmap sources;
};

/* A rule that brought sources into an entry. */
struct link {
	uint32_t rule; /* index */
	bool self;     /* as its own target, by `self`; else all its sources */
	uint32_t next; /* link + 1 of the one before, or 0 */
};

struct entry {
	atom_t name;
	uint32_t target, class;
	struct ebitmap seen;
	uint32_t links;    /* link + 1 of the last rule that brought sources, or 0 */
	uint32_t outcomes; /* outcome + 1, or 0 */
};

struct table {
	VEC(struct entry) entries;
	VEC(struct outcome) outcomes;
	VEC(struct sourced) rules; /* those of the source text so far */
	VEC(struct link) links;
	uint32_t *slots, nslots; /* open addressing: entry + 1 */
	const struct ast_terule *repeat, *conflict; /* the last rule reported as such */
};

static uint32_t hash_key(atom_t name, uint32_t target, uint32_t class)
{
	uint64_t h = ((uint64_t)name << 32 ^ (uint64_t)target << 16 ^ class) * 0x9e3779b97f4a7c15u;

	return (uint32_t)((h ^ h >> 29) >> 16);
}

static uint32_t find_slot(const struct table *t, atom_t name, uint32_t target, uint32_t class)
{
	uint32_t i = hash_key(name, target, class) & (t->nslots - 1);

	for (; t->slots[i]; i = (i + 1) & (t->nslots - 1)) {
		const struct entry *e = &t->entries.at[t->slots[i] - 1];

		if (e->name == name && e->target == target && e->class == class)
			break;
	}
	return i;
}

static void grow(struct table *t)
{
	if (t->nslots > UINT32_MAX / 4)
		mem_exhausted();
	free(t->slots);
	t->nslots = t->nslots ? t->nslots * 2 : 4096;
	t->slots = mem_zalloc(t->nslots, sizeof *t->slots);
	for (uint32_t i = 0; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.at[i];

		t->slots[find_slot(t, e->name, e->target, e->class)] = i + 1;
	}
}

static struct entry *entry_of(struct table *t, atom_t name, uint32_t target, uint32_t class)
{
	uint32_t slot;

	if (t->entries.n * 2 >= t->nslots)
		grow(t);
	slot = find_slot(t, name, target, class);
	if (!t->slots[slot]) {
		*vec_push(&t->entries) = (struct entry){.name = name, .target = target, .class = class};
		t->slots[slot] = t->entries.n;
	}
	return &t->entries.at[t->slots[slot] - 1];
}

/* ---- one rule ---- */

static const char *type_name(const struct compile *c, uint32_t value)
{
	const struct symbols *table = &c->symbols[SYM_TYPE];
	uint32_t i = 1;

	while (table->at.at[i].value != value)
		i++;
	return name_text(c, table->at.at[i].name);
}

/* A rule before this one that has the source in the entry, too.  There is one:
 * each source that was seen came with a rule that is linked. */
static const struct ast_terule *find_earlier(const struct table *t, const struct entry *e, uint32_t source)
{
	const struct sourced *rule = NULL;

	for (uint32_t i = e->links; i; i = t->links.at[i - 1].next) {
		const struct link *link = &t->links.at[i - 1];

		rule = &t->rules.at[link->rule];
		if (link->self ? source == e->target : ebitmap_test(&rule->sources, source - 1))
			break;
	}
	return rule->rule;
}

static const struct symbol *result_of(const struct compile *c, const struct ast_terule *a)
{
	const struct symbol *s = symbol_find(c, SYM_TYPE, a->result.atom);

	return s && s->flavour == FLAVOUR_ALIAS ? &c->symbols[SYM_TYPE].at.at[s->primary] : s;
}

static bool same_result(const struct compile *c, const struct ast_terule *a, const struct ast_terule *b)
{
	return result_of(c, a) == result_of(c, b);
}

static void note_members(struct compile *c, const struct ast_terule *a, uint32_t source, uint32_t target,
			 struct noted *noted)
{
	note_membership(c, a->sources, source, noted);
	note_membership(c, a->targets, target, noted);
}

/* The two rules of a finding, and how the types come into them. */
static void note_rules(struct compile *c, const struct ast_terule *now, const struct ast_terule *before, uint32_t source,
		       uint32_t target)
{
	struct noted noted = {0};

	note_members(c, now, source, target, &noted);
	diag_note(c->diags, before->loc, "the other rule is here, with the result `%s`", name_text(c, before->result.atom));
	note_members(c, before, source, target, &noted);
}

/* As a warning, a repeat is one with the same result: of others, keep() finds
 * those that matter. */
static void report_repeat(struct compile *c, const struct table *t, const struct ast_terule *a, const struct entry *e,
			  uint32_t source)
{
	const struct ast_terule *before = find_earlier(t, e, source);

	if (diag_demoted(c->diags, check_repeat) && !same_result(c, a, before))
		return;
	diag_error(c->diags, check_repeat, a->loc,
		   "there already is a transition for \"%s\" of `%s` on `%s`:`%s`", name_text(c, e->name),
		   type_name(c, source), type_name(c, e->target), c->policy->classes.at[e->class].name);
	if (!c->diags->dropping)
		note_rules(c, a, before, source, e->target);
}

static const struct ast_terule *last_rule(const struct table *t, const struct entry *e)
{
	return t->rules.at[t->links.at[e->links - 1].rule].rule;
}

/* Two rules meet in many targets, as attributes do: one finding is enough for a
 * rule.  The sources are those of the last of t->rules, or one of them that
 * is the target, by `self`. */
static void see(struct compile *c, struct table *t, const struct ast_terule *a, uint32_t target, uint32_t class,
		const struct ebitmap *sources, bool self)
{
	struct entry *e = entry_of(t, a->filename.atom, target, class);

	if (e->links && module_of(c, last_rule(t, e)->block) != module_of(c, a->block)) {
		ebitmap_free(&e->seen);
		e->links = 0;
	}
	if (t->repeat != a && ebitmap_intersects(&e->seen, sources)) {
		struct ebitmap both = {0};

		ebitmap_copy(&both, sources);
		ebitmap_and(&both, &e->seen);
		report_repeat(c, t, a, e, ebitmap_first(&both) + 1);
		ebitmap_free(&both);
		t->repeat = a;
	}
	if (ebitmap_subset(sources, &e->seen))
		return;
	ebitmap_or(&e->seen, sources);
	*vec_push(&t->links) = (struct link){t->rules.n - 1, self, e->links};
	e->links = t->links.n;
}

static void conflict(struct compile *c, struct table *t, const struct ast_terule *a, const struct entry *e,
		     const struct outcome *other, const struct ebitmap *sources)
{
	struct ebitmap both = {0};
	uint32_t source;

	if (t->conflict == a)
		return;
	t->conflict = a;
	ebitmap_copy(&both, sources);
	ebitmap_and(&both, &other->sources);
	source = ebitmap_first(&both) + 1;
	ebitmap_free(&both);
	diag_error(c->diags, "filename-transition-conflict", a->loc,
		   "conflicting transitions for \"%s\" of `%s` on `%s`:`%s`: the result is `%s`, and elsewhere `%s`",
		   name_text(c, e->name), type_name(c, source), type_name(c, e->target), c->policy->classes.at[e->class].name,
		   name_text(c, a->result.atom), type_name(c, other->result));
	note_rules(c, a, other->from, source, e->target);
}

static void keep(struct compile *c, struct table *t, const struct ast_terule *a, uint32_t target, uint32_t class,
		 const struct ebitmap *sources, uint32_t result)
{
	struct entry *e = entry_of(t, a->filename.atom, target, class);
	struct outcome *same = NULL;

	for (uint32_t i = e->outcomes; i; i = t->outcomes.at[i - 1].next) {
		struct outcome *o = &t->outcomes.at[i - 1];

		if (o->result == result)
			same = o;
		else if (ebitmap_intersects(&o->sources, sources))
			conflict(c, t, a, e, o, sources);
	}
	if (!same) {
		same = vec_push(&t->outcomes);
		*same = (struct outcome){.result = result, .from = a, .next = e->outcomes};
		e->outcomes = t->outcomes.n;
	}
	ebitmap_or(&same->sources, sources);
}

/* One target; result 0: as text. */
static void put(struct compile *c, struct table *t, const struct ast_terule *a, const struct ebitmap *sources,
		uint32_t target, uint32_t result, bool self)
{
	struct class_list classes = classes_of(c, a->classes, a->block);

	for (uint32_t k = 0; k < classes.n; k++) {
		if (result)
			keep(c, t, a, target, classes.at[k], sources, result);
		else
			see(c, t, a, target, classes.at[k], sources, self);
	}
}

static void put_self(struct compile *c, struct table *t, const struct ast_terule *a, const struct ebitmap *sources,
		     const struct ebitmap *targets, uint32_t result)
{
	struct ebitmap one = {0};

	ebitmap_for_each(sources, source) {
		if (ebitmap_test(targets, source))
			continue;
		ebitmap_free(&one);
		ebitmap_set(&one, source);
		put(c, t, a, &one, source + 1, result, true);
	}
	ebitmap_free(&one);
}

static void put_targets(struct compile *c, struct table *t, const struct ast_terule *a, const struct ebitmap *sources,
			uint32_t result)
{
	struct ebitmap targets = {0};

	types_of(c, a->targets, !result, &targets);
	ebitmap_for_each(&targets, target)
		put(c, t, a, sources, target + 1, result, false);
	if (type_set_self(c, a->targets) & SET_SELF)
		put_self(c, t, a, sources, &targets, result);
	ebitmap_free(&targets);
}

/* The rule with the memberships of its module's outermost block. */
static void see_rule(struct compile *c, struct table *t, const struct ast_terule *a)
{
	struct ebitmap sources = {0};

	use_memberships(c, a->block);
	types_of(c, a->sources, true, &sources);
	if (ebitmap_empty(&sources))
		return;
	*vec_push(&t->rules) = (struct sourced){a, sources};
	put_targets(c, t, a, &sources, 0);
}

/* The rule with those of all live blocks. */
static void keep_rule(struct compile *c, struct table *t, const struct ast_terule *a, const struct symbol *result)
{
	struct ebitmap sources = {0}, targets = {0};
	bool any;

	types_of(c, a->sources, false, &sources);
	types_of(c, a->targets, false, &targets);
	any = type_set_self(c, a->targets) & SET_SELF || !ebitmap_empty(&targets);
	if (!ebitmap_empty(&sources) && any && symbol_in_policy(c, result, a->result, a->block))
		put_targets(c, t, a, &sources, result->value);
	ebitmap_free(&sources);
	ebitmap_free(&targets);
}

static void lower_one(struct compile *c, struct table *t, const struct ast_terule *a)
{
	const struct symbol *result = te_result(c, a);
	uint32_t errors;

	classes_of(c, a->classes, a->block);
	if (!check_rule_sets(c, a->sources, a->targets, a->block, false) || !result || a->place)
		return;
	errors = c->diags->errors;
	see_rule(c, t, a);
	if (c->live[a->block] && c->diags->errors == errors)
		keep_rule(c, t, a, result);
}

/* ---- the result ---- */

static int compare_results(const void *x, const void *y)
{
	const struct policy_filename_trans *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return a->result < b->result ? -1 : a->result > b->result;
}

static void keep_results(struct compile *c, struct table *t)
{
	struct policy *p = c->policy;

	p->filename_trans.at = arena_alloc(&p->arena, t->outcomes.n * sizeof *p->filename_trans.at);
	for (uint32_t i = 0; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.at[i];
		const char *name = e->outcomes ? keep_name(c, e->name) : NULL;

		for (uint32_t k = e->outcomes; k; k = t->outcomes.at[k - 1].next) {
			const struct outcome *o = &t->outcomes.at[k - 1];

			p->filename_trans.at[p->filename_trans.n++] =
				(struct policy_filename_trans){name, e->target, e->class, o->result, o->sources};
		}
	}
	if (p->filename_trans.n)
		qsort(p->filename_trans.at, p->filename_trans.n, sizeof *p->filename_trans.at, compare_results);
}

void lower_filename_trans(struct compile *c)
{
	struct table t = {0};

	for (uint32_t i = 0; i < c->ast->terules.n; i++)
		if (c->ast->terules.at[i].filename.atom)
			lower_one(c, &t, &c->ast->terules.at[i]);
	keep_results(c, &t);
	for (uint32_t i = 0; i < t.entries.n; i++)
		ebitmap_free(&t.entries.at[i].seen);
	for (uint32_t i = 0; i < t.rules.n; i++)
		ebitmap_free(&t.rules.at[i].sources);
	vec_free(&t.rules);
	vec_free(&t.links);
	vec_free(&t.entries);
	vec_free(&t.outcomes);
	free(t.slots);
}
