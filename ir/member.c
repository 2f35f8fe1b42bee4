/* By which statements a type is in an attribute: found again from the AST when
 * a message wants to know. */
#include "ir/member.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"

/* A type or attribute put into an attribute by a statement that is on. */
struct edge { uint32_t member, attr; struct loc loc; };

struct member_index {
	VEC(struct edge) edges; /* by member, attribute, place */
	uint32_t nvalues;
};

static int compare_edges(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	if (a->attr != b->attr)
		return a->attr < b->attr ? -1 : 1;
	return a->loc.begin < b->loc.begin ? -1 : a->loc.begin > b->loc.begin;
}

static const struct symbol *type_symbol(const struct compile *c, atom_t name)
{
	const struct symbol *s = symbol_find(c, SYM_TYPE, name);

	if (s && s->flavour == FLAVOUR_ALIAS)
		s = &c->symbols[SYM_TYPE].at.at[s->primary];
	return s && s->value ? s : NULL;
}

static void add_edges(const struct compile *c, struct member_index *index, struct ast_name name, struct ast_names attrs,
		      uint32_t block, struct loc loc)
{
	const struct symbol *member = c->live[block] ? type_symbol(c, name.atom) : NULL;
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, attrs, &one);

	for (uint32_t i = 0; member && i < set.n; i++) {
		const struct symbol *attr = type_symbol(c, set.items[i] & ~AST_MINUS);

		if (attr)
			*vec_push(&index->edges) = (struct edge){member->value, attr->value, loc};
	}
}

static struct member_index *members_of(struct compile *c)
{
	struct member_index *index = c->members;

	if (index)
		return index;
	index = arena_zalloc(&c->arena, 1, sizeof *index);
	index->nvalues = c->symbols[SYM_TYPE].nvalues;
	for (uint32_t i = 0; i < c->ast->types.n; i++) {
		const struct ast_type *a = &c->ast->types.at[i];

		add_edges(c, index, a->name, a->attrs, a->block, a->loc);
	}
	for (uint32_t i = 0; i < c->ast->typeattributes.n; i++) {
		const struct ast_typeattribute *a = &c->ast->typeattributes.at[i];

		add_edges(c, index, a->name, a->attrs, a->block, a->loc);
	}
	if (index->edges.n)
		qsort(index->edges.at, index->edges.n, sizeof *index->edges.at, compare_edges);
	return c->members = index;
}

void members_free(struct compile *c)
{
	if (c->members)
		vec_free(&c->members->edges);
}

/* The first edge of a member. */
static uint32_t first_edge(const struct member_index *index, uint32_t member)
{
	uint32_t low = 0, high = index->edges.n;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (index->edges.at[middle].member < member)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct loc membership_loc(struct compile *c, uint32_t member, uint32_t attr)
{
	const struct member_index *index = members_of(c);

	for (uint32_t i = first_edge(index, member); i < index->edges.n && index->edges.at[i].member == member; i++)
		if (index->edges.at[i].attr == attr)
			return index->edges.at[i].loc;
	return LOC_NONE;
}

/* ---- notes ---- */

static const char *value_name(const struct compile *c, uint32_t value)
{
	const char *name = value && value <= c->policy->types.n ? c->policy->types.at[value].name : NULL;

	return name ? name : "?";
}

static bool is_noted(struct noted *noted, uint32_t member, uint32_t attr)
{
	for (uint32_t i = 0; i < noted->n; i++)
		if (noted->pairs[i].member == member && noted->pairs[i].attr == attr)
			return true;
	if (noted->n == MAX_MEMBER_NOTES)
		return true;
	noted->pairs[noted->n].member = member;
	noted->pairs[noted->n++].attr = attr;
	return false;
}

/* The shortest way from a type up to an attribute: into[v] becomes the attribute
 * that v is in, on the way; false when there is none. */
static bool find_way(const struct member_index *index, uint32_t type, uint32_t attr, uint32_t *into)
{
	uint32_t *from = mem_zalloc((size_t)index->nvalues + 1, sizeof *from);
	VEC(uint32_t) queue = {0};
	bool found = false;

	*vec_push(&queue) = type;
	from[type] = type;
	for (uint32_t at = 0; at < queue.n && !found; at++) {
		uint32_t member = queue.at[at];

		for (uint32_t i = first_edge(index, member); i < index->edges.n && index->edges.at[i].member == member; i++) {
			uint32_t outer = index->edges.at[i].attr;

			if (from[outer])
				continue;
			from[outer] = member;
			*vec_push(&queue) = outer;
			found |= outer == attr;
		}
	}
	for (uint32_t v = attr; found && v != type; v = from[v])
		into[from[v]] = v;
	vec_free(&queue);
	free(from);
	return found;
}

static void note_member(struct compile *c, uint32_t type, uint32_t attr, struct noted *noted)
{
	const struct member_index *index = members_of(c);
	uint32_t *into;

	if (c->diags->dropping || type > index->nvalues || attr > index->nvalues)
		return;
	into = mem_zalloc((size_t)index->nvalues + 1, sizeof *into);
	if (find_way(index, type, attr, into))
		for (uint32_t v = type; v != attr; v = into[v])
			if (!is_noted(noted, v, into[v]))
				diag_note(c->diags, membership_loc(c, v, into[v]), "`%s` is in `%s` by this statement",
					  value_name(c, v), value_name(c, into[v]));
	free(into);
}

static bool names_directly(const struct compile *c, const struct ast_set *set, uint32_t type)
{
	for (uint32_t i = 0; i < set->n; i++) {
		const struct symbol *s = set->items[i] & AST_MINUS ? NULL : type_symbol(c, set->items[i]);

		if (s && s->value == type)
			return true;
	}
	return false;
}

void note_membership(struct compile *c, struct ast_names names, uint32_t type, struct noted *noted)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	if (c->diags->dropping || set.complement || names_directly(c, &set, type))
		return;
	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = set.items[i] & AST_MINUS ? NULL : type_symbol(c, set.items[i]);

		if (!s || s->flavour != FLAVOUR_ATTRIBUTE || s->value > c->policy->types.n ||
		    !ebitmap_test(&c->policy->types.at[s->value].types, type - 1))
			continue;
		note_member(c, type, s->value, noted);
		return;
	}
}
