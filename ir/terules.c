/* type_transition, type_member and type_change without a name (language.md
 * 9.14): always over types, one result for a key. */
#include <stdlib.h>

#include "ir/internal.h"
#include "ir/member.h"

static const uint16_t te_kinds[] = {
	[AST_TRANSITION] = AV_TRANSITION, [AST_MEMBER] = AV_MEMBER, [AST_CHANGE] = AV_CHANGE,
};

/* A key with its result and where it came from. */
struct entry {
	uint64_t key;             /* class, source, target, kind: 16 bits each */
	struct destination to;
	const struct ast_terule *from;
	uint32_t result;
};

typedef VEC(struct entry) entries;

static void add_entry(entries *list, const struct ast_terule *from, struct destination to, uint32_t source, uint32_t target,
		      uint32_t class, uint32_t result)
{
	uint64_t key = (uint64_t)class << 48 | (uint64_t)source << 32 | (uint64_t)target << 16 | te_kinds[from->kind];

	*vec_push(list) = (struct entry){key, to, from, result};
}

static void add_entries(struct compile *c, entries *list, const struct ast_terule *a, const struct symbol *result)
{
	struct destination to = destination_of(c, a->place);
	struct operand sources = type_operand(c, a->sources), targets = type_operand(c, a->targets);
	struct class_list classes = classes_of(c, a->classes, a->block);
	bool self = type_set_self(c, a->targets) & SET_SELF;

	if (to.dropped || !sources.n || (!targets.n && !self) || !symbol_in_policy(c, result, a->result, a->block))
		return;
	for (uint32_t k = 0; k < classes.n; k++)
		for (uint32_t s = 0; s < sources.n; s++) {
			for (uint32_t t = 0; t < targets.n; t++)
				add_entry(list, a, to, sources.at[s], targets.at[t], classes.at[k], result->value);
			if (self)
				add_entry(list, a, to, sources.at[s], sources.at[s], classes.at[k], result->value);
		}
}

const struct symbol *te_result(struct compile *c, const struct ast_terule *a)
{
	const struct symbol *s = symbol_use(c, SYM_TYPE, a->result, a->block);

	if (!s || s->flavour == FLAVOUR_PLAIN)
		return s;
	diag_error(c->diags, "attribute-as-type", ast_name_loc(c->atoms, a->result),
		   "`%s` is an attribute, and the new type must be a type", name_text(c, a->result.atom));
	return NULL;
}

/* ---- conflicts ---- */

/* By key; unconditional rules first, then by node and list, then by place. */
static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	uint32_t node_a = a->to.node + 1, node_b = b->to.node + 1; /* unconditional: 0 */

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (node_a != node_b)
		return node_a < node_b ? -1 : 1;
	if (a->to.no != b->to.no)
		return a->to.no ? 1 : -1;
	return a->from->loc.begin < b->from->loc.begin ? -1 : a->from->loc.begin > b->from->loc.begin;
}

static void note_members(struct compile *c, const struct entry *e, struct noted *noted)
{
	note_membership(c, e->from->sources, e->key >> 32 & 0xffff, noted);
	note_membership(c, e->from->targets, e->key >> 16 & 0xffff, noted);
}

/* Two statements that contradict each other: of all keys the first one. */
struct conflict {
	const struct entry *first, *second; /* by place */
	uint32_t keys;
	uint32_t next; /* of the same second statement, + 1 */
};

struct conflicts {
	VEC(struct conflict) list;
	uint32_t *of; /* by second statement: conflict + 1, or 0 */
};

static void add_conflict(struct compile *c, struct conflicts *all, const struct entry *a, const struct entry *b)
{
	const struct entry *first = a->from->loc.begin < b->from->loc.begin ? a : b, *second = first == a ? b : a;
	size_t statement = (size_t)(second->from - c->ast->terules.at);
	uint32_t i;

	if (!all->of)
		all->of = arena_zalloc(&c->arena, c->ast->terules.n, sizeof *all->of);
	for (i = all->of[statement]; i; i = all->list.at[i - 1].next)
		if (all->list.at[i - 1].first->from == first->from)
			break;
	if (i) {
		all->list.at[i - 1].keys++;
		return;
	}
	*vec_push(&all->list) = (struct conflict){first, second, 1, all->of[statement]};
	all->of[statement] = all->list.n;
}

static void report_conflict(struct compile *c, const struct conflict *conflict)
{
	static const char *const names[] = {"type_transition", "type_member", "type_change"};
	const struct entry *first = conflict->first, *second = conflict->second;
	const struct policy *p = c->policy;
	const char *source = p->types.at[first->key >> 32 & 0xffff].name, *target = p->types.at[first->key >> 16 & 0xffff].name;
	const char *class = p->classes.at[first->key >> 48].name, *name = names[first->from->kind];
	struct noted noted = {0};

	if (first->result != second->result)
		diag_error(c->diags, "type-rule-conflict", second->from->loc,
			   "conflicting %s of `%s` `%s`:`%s`: the result is `%s`, and elsewhere `%s`", name,
			   source, target, class, p->types.at[second->result].name, p->types.at[first->result].name);
	else
		diag_error(c->diags, "type-rule-conflict", second->from->loc,
			   "the %s of `%s` `%s`:`%s` stands in a conditional and once more outside of it", name,
			   source, target, class);
	note_members(c, second, &noted);
	diag_note(c->diags, first->from->loc, "the other rule is here, with the result `%s`", p->types.at[first->result].name);
	note_members(c, first, &noted);
	if (conflict->keys > 1)
		diag_note(c->diags, LOC_NONE, "the two rules meet in %u more combinations of types and class", conflict->keys - 1);
}

static bool same_list(const struct entry *a, const struct entry *b)
{
	return a->to.node == b->to.node && a->to.no == b->to.no;
}

/* A key stands in the unconditional rules or in one conditional; either branch
 * may have it, with its own result. */
static bool agree(const struct entry *a, const struct entry *b)
{
	return a->to.node == b->to.node && (a->to.no != b->to.no || a->result == b->result);
}

static void keep_entries(struct compile *c, const entries *list, struct conflicts *conflicts)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const struct entry *e = &list->at[i], *before = e - 1;

		if (i && e->key == before->key && !agree(before, e)) {
			add_conflict(c, conflicts, before, e);
			continue;
		}
		if (i && e->key == before->key && same_list(before, e))
			continue;
		add_rule(c, e->to, (enum policy_av_kind)(e->key & 0xffff), e->key >> 32 & 0xffff, e->key >> 16 & 0xffff,
			 (uint32_t)(e->key >> 48), e->result);
	}
}

void lower_te_rules(struct compile *c)
{
	entries list = {0};
	struct conflicts conflicts = {0};

	for (uint32_t i = 0; i < c->ast->terules.n; i++) {
		const struct ast_terule *a = &c->ast->terules.at[i];
		const struct symbol *result;

		if (a->filename.atom)
			continue; /* filename.c */
		result = te_result(c, a);
		classes_of(c, a->classes, a->block);
		if (check_rule_sets(c, a->sources, a->targets, a->block, false) && result && c->live[a->block])
			add_entries(c, &list, a, result);
	}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, compare_entries);
	keep_entries(c, &list, &conflicts);
	for (uint32_t i = 0; i < conflicts.list.n; i++)
		report_conflict(c, &conflicts.list.at[i]);
	vec_free(&conflicts.list);
	vec_free(&list);
}
