/* Resolve: which blocks are on (language.md 11.2), and the values of what they
 * declare.
 *
 * Every first branch starts live.  A block dies when something that it, or a
 * block around it, requires is declared in no live block; its death takes its
 * declarations away, so the search goes on from there.  What is left is the
 * greatest fixpoint: blocks that need only each other stay on. */
#include <stdlib.h>

#include "ir/internal.h"

/* The requirements of each symbol and the children of each block, as lists:
 * heads by symbol or block, links by requirement or block. */
struct resolver {
	uint32_t *live_declarations[SYM_KINDS]; /* by symbol index */
	uint32_t *requirers[SYM_KINDS];         /* by symbol index: requirement + 1 */
	uint32_t *next_requirer;                /* by requirement */
	uint32_t *children, *next_child;        /* by block; 0 ends */
	uint32_t *declared, *next_declared;     /* by block, by scope */
	uint8_t *scope_kind;                    /* by scope */
	uint32_t *scope_symbol;
	VEC(uint32_t) dying;
};

static const uint8_t require_kinds[] = {
	[AST_REQUIRE_CLASS] = SYM_CLASS, [AST_REQUIRE_ROLE] = SYM_ROLE, [AST_REQUIRE_ATTRIBUTE_ROLE] = SYM_ROLE,
	[AST_REQUIRE_TYPE] = SYM_TYPE, [AST_REQUIRE_ATTRIBUTE] = SYM_TYPE, [AST_REQUIRE_USER] = SYM_USER,
	[AST_REQUIRE_BOOL] = SYM_BOOL, [AST_REQUIRE_TUNABLE] = SYM_BOOL,
	[AST_REQUIRE_SENSITIVITY] = SYM_SENS, [AST_REQUIRE_CATEGORY] = SYM_CAT,
};

/* A role or user is there as soon as it is declared anywhere in a module: a
 * block of that module that requires it counts as one that has it (a quirk of
 * the reference compiler which decides the blocks of existing policies). */
static bool any_declaration_counts(const struct symbol *s)
{
	return s->kind == SYM_ROLE || s->kind == SYM_USER;
}

/* Whether the block of a scope has the symbol as long as it is on. */
static bool scope_counts(const struct compile *c, const struct symbol *s, uint32_t scope)
{
	if (c->scopes.at[scope].declares)
		return true;
	if (c->ast->blocks.at[c->scopes.at[scope].block].is_else)
		return false;
	return any_declaration_counts(s) && symbol_declared_in(c, s, c->scopes.at[scope].block);
}

static void index_scopes(struct compile *c, struct resolver *r)
{
	r->declared = arena_zalloc(&c->arena, c->ast->blocks.n, sizeof *r->declared);
	r->next_declared = arena_zalloc(&c->arena, c->scopes.n, sizeof *r->next_declared);
	r->scope_kind = arena_zalloc(&c->arena, c->scopes.n, sizeof *r->scope_kind);
	r->scope_symbol = arena_zalloc(&c->arena, c->scopes.n, sizeof *r->scope_symbol);
	for (uint32_t kind = 0; kind < SYM_KINDS; kind++) {
		const struct symbols *table = &c->symbols[kind];

		r->live_declarations[kind] = arena_zalloc(&c->arena, table->at.n, sizeof(uint32_t));
		r->requirers[kind] = arena_zalloc(&c->arena, table->at.n, sizeof(uint32_t));
		for (uint32_t s = 1; s < table->at.n; s++) {
			for (uint32_t i = table->at.at[s].scopes; i; i = c->scopes.at[i].next) {
				uint32_t block = c->scopes.at[i].block;

				if (!scope_counts(c, &table->at.at[s], i))
					continue;
				r->live_declarations[kind][s]++;
				r->scope_kind[i] = (uint8_t)kind;
				r->scope_symbol[i] = s;
				r->next_declared[i] = r->declared[block];
				r->declared[block] = i;
			}
		}
	}
}

static void index_requirements(struct compile *c, struct resolver *r)
{
	r->next_requirer = arena_zalloc(&c->arena, c->ast->requires.n, sizeof *r->next_requirer);
	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];
		const struct symbol *s = symbol_find(c, require_kinds[a->kind], a->name.atom);

		if (!s || c->ast->blocks.at[a->block].is_else)
			continue;
		r->next_requirer[i] = r->requirers[s->kind][symbol_index(c, s)];
		r->requirers[s->kind][symbol_index(c, s)] = i + 1;
	}
}

static void index_blocks(struct compile *c, struct resolver *r)
{
	uint32_t n = c->ast->blocks.n;

	r->children = arena_zalloc(&c->arena, n, sizeof *r->children);
	r->next_child = arena_zalloc(&c->arena, n, sizeof *r->next_child);
	for (uint32_t b = n; b-- > 1;) {
		uint32_t parent = c->ast->blocks.at[b].parent;

		if (parent == b)
			continue;
		r->next_child[b] = r->children[parent];
		r->children[parent] = b;
	}
}

/* The block and all first branches within it that inherit its requirements
 * die; an else branch is judged on its own later. */
static void condemn(struct compile *c, struct resolver *r, uint32_t block)
{
	if (!c->live[block] && !c->ast->blocks.at[block].is_else)
		return;
	c->live[block] = false;
	*vec_push(&r->dying) = block;
}

/* What stands outside of optionals cannot be off: see report_unmet(). */
static void lose_symbol(struct compile *c, struct resolver *r, uint32_t kind, uint32_t symbol)
{
	for (uint32_t i = r->requirers[kind][symbol]; i; i = r->next_requirer[i - 1])
		if (!ast_is_root(c->ast, c->ast->requires.at[i - 1].block))
			condemn(c, r, c->ast->requires.at[i - 1].block);
}

static void bury(struct compile *c, struct resolver *r, uint32_t block)
{
	for (uint32_t child = r->children[block]; child; child = r->next_child[child])
		condemn(c, r, child);
	if (c->ast->blocks.at[block].is_else)
		return; /* declares nothing */
	for (uint32_t i = r->declared[block]; i; i = r->next_declared[i])
		if (!--r->live_declarations[r->scope_kind[i]][r->scope_symbol[i]])
			lose_symbol(c, r, r->scope_kind[i], r->scope_symbol[i]);
}

enum symbol_kind require_kind(const struct ast_require *a)
{
	return require_kinds[a->kind];
}

const struct symbol *required_symbol(const struct compile *c, const struct ast_require *a)
{
	return symbol_find(c, require_kinds[a->kind], a->name.atom);
}

bool requirement_met(const struct compile *c, const struct ast_require *a)
{
	const struct symbol *s = required_symbol(c, a);

	return s && s->declared && (s->live || (any_declaration_counts(s) && symbol_declared_in(c, s, a->block)));
}

/* What another module declares in an optional block that is off, or nobody. */
static void report_unmet(struct compile *c, const struct ast_require *a, const struct symbol *s)
{
	const char *name = name_text(c, a->name.atom);

	if (!module_of(c, a->block)) {
		diag_error(c->diags, "requirement-unmet", ast_name_loc(c->atoms, a->name),
			   "`%s` is required outside of any optional block, and is not declared", name);
		return;
	}
	diag_error(c->diags, "requirement-unmet", ast_name_loc(c->atoms, a->name), "%s requires %s `%s`, which %s",
		   module_text(c, a->block), require_kind_text(a), name,
		   s && s->declared ? "is declared only in an optional block that is off"
				    : "neither the base nor any of the modules declares");
	if (s && s->declared) {
		diag_note(c->diags, s->loc, "%s declares it here", module_text(c, s->block));
		return;
	}
	suggest_symbol(c, require_kind(a), name, atom_len(c->atoms, a->name.atom), ANY_BLOCK);
	if (a->kind != AST_REQUIRE_CLASS && a->kind != AST_REQUIRE_SENSITIVITY && a->kind != AST_REQUIRE_CATEGORY)
		diag_hint(c->diags, "link the module that declares `%s` as well, or require it in an optional block", name);
}

/* Of a name that a module requires more than once, once. */
static void report_unmet_global(struct compile *c)
{
	struct pairs told = {0};

	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];
		const struct symbol *s;
		uint32_t *seen;

		if (!ast_is_root(c->ast, a->block) || (a->kind == AST_REQUIRE_CLASS && !a->block))
			continue;
		s = required_symbol(c, a);
		if (s && s->live)
			continue;
		seen = pairs_put(&told, pair_key(a->name.atom, module_of(c, a->block) * SYM_KINDS + require_kind(a)));
		if (!*seen)
			report_unmet(c, a, s);
		*seen = 1;
	}
	pairs_free(&told);
}

/* A symbol lives with one of its declarations; a role or user also when a live
 * block requires it. */
static bool lives(const struct compile *c, const struct symbol *s)
{
	for (uint32_t i = s->scopes; i; i = c->scopes.at[i].next)
		if (c->live[c->scopes.at[i].block] && scope_counts(c, s, i))
			return true;
	return false;
}

static void mark_live_symbols(struct compile *c)
{
	for (uint32_t kind = 0; kind < SYM_KINDS; kind++) {
		struct symbols *table = &c->symbols[kind];

		for (uint32_t i = 1; i < table->at.n; i++) {
			struct symbol *s = &table->at.at[i];

			s->live = s->declared && lives(c, s);
		}
	}
}

bool symbol_is_revived(const struct compile *c, const struct symbol *s)
{
	if (!s->live)
		return false;
	for (uint32_t i = s->scopes; i; i = c->scopes.at[i].next)
		if (c->scopes.at[i].declares && c->live[c->scopes.at[i].block])
			return false;
	return true;
}

static void warn_revived(struct compile *c)
{
	static const uint8_t kinds[] = {SYM_ROLE, SYM_USER};

	for (uint32_t k = 0; k < sizeof kinds; k++) {
		const struct symbols *table = &c->symbols[kinds[k]];

		for (uint32_t i = 1; i < table->at.n; i++) {
			const struct symbol *s = &table->at.at[i];

			if (!symbol_is_revived(c, s))
				continue;
			diag_warning(c->diags, "revived-symbol", s->loc,
				     "%s `%s` is declared only in optional blocks that are off, and exists because another block requires it",
				     symbol_kind_text(s), name_text(c, s->name));
		}
	}
}

void resolve(struct compile *c)
{
	struct resolver r = {0};
	uint32_t n = c->ast->blocks.n;

	c->live = arena_zalloc(&c->arena, n, sizeof *c->live);
	if (c->form == COMPILE_MODULE)
		return; /* that is for the linker to say: here only names are looked at */
	for (uint32_t b = 0; b < n; b++)
		c->live[b] = !c->ast->blocks.at[b].is_else;
	index_scopes(c, &r);
	index_requirements(c, &r);
	index_blocks(c, &r);
	for (uint32_t kind = 0; kind < SYM_KINDS; kind++)
		for (uint32_t s = 1; s < c->symbols[kind].at.n; s++)
			if (!c->symbols[kind].at.at[s].declared)
				for (uint32_t i = r.requirers[kind][s]; i; i = r.next_requirer[i - 1])
					if (!ast_is_root(c->ast, c->ast->requires.at[i - 1].block))
						condemn(c, &r, c->ast->requires.at[i - 1].block);
	while (r.dying.n)
		bury(c, &r, r.dying.at[--r.dying.n]);
	vec_free(&r.dying);
	for (uint32_t b = 1; b < n; b++)
		if (c->ast->blocks.at[b].is_else)
			c->live[b] = !c->live[c->ast->blocks.at[b].other];
	mark_live_symbols(c);
	report_unmet_global(c);
	warn_revived(c);
	if (c->options->report_optionals)
		report_optionals(c);
}
