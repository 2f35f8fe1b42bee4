/* The report on optional blocks that are off, and why: each names what it
 * requires in vain.  A list of what may be missing keeps a check in a build
 * quiet about what is known.
 *
 * Needs resolve.  Facts: language.md 11. */
#include <string.h>

#include "ir/internal.h"

enum { MAX_TOLD = 8 }; /* missing symbols of a block that get notes; the rest is counted */

/* `file:symbol` or `symbol`, a line each. */
struct entry {
	const char *file, *symbol; /* file NULL: any */
	uint32_t file_len, symbol_len;
	struct loc loc;
	bool used;
};

struct report {
	struct compile *c;
	VEC(struct entry) allowed;
	struct place_cursor cursor;
	uint32_t *first, *next; /* requirements by block and after each other: index + 1, 0 ends */
	VEC(uint32_t) missing;  /* requirements of the block at hand */
};

/* ---- the list ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void add_entry(struct report *r, const char *text, uint32_t len, uint32_t offset)
{
	const char *colon = NULL;
	struct entry *e;

	for (uint32_t i = len; i-- > 0 && !colon;)
		if (text[i] == ':')
			colon = text + i;
	e = vec_push(&r->allowed);
	*e = (struct entry){.symbol = text, .symbol_len = len, .loc = {offset, offset + len}};
	if (colon) {
		e->file = text;
		e->file_len = (uint32_t)(colon - text);
		e->symbol = colon + 1;
		e->symbol_len = len - e->file_len - 1;
	}
}

static void read_line(struct report *r, const char *line, const char *end, uint32_t offset)
{
	const char *begin = line, *comment = memchr(line, '#', (size_t)(end - line));

	if (comment)
		end = comment;
	while (begin < end && is_blank(*begin))
		begin++;
	while (begin < end && is_blank(end[-1]))
		end--;
	if (begin < end)
		add_entry(r, begin, (uint32_t)(end - begin), offset + (uint32_t)(begin - line));
}

static void read_list(struct report *r, struct loc list)
{
	const char *text, *end;

	if (list.begin >= list.end)
		return;
	text = source_text(r->c->sources, list.begin);
	end = text + (list.end - list.begin);
	for (const char *line = text, *stop; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		if (!stop)
			stop = end;
		read_line(r, line, stop, list.begin + (uint32_t)(line - text));
	}
}

/* The file as the source calls it, or the last parts of its path. */
static bool in_file(struct report *r, const struct entry *e, uint32_t offset)
{
	struct place place;

	if (!e->file)
		return true;
	place = place_of(r->c->sources, &r->cursor, offset);
	if (place.file_len < e->file_len || memcmp(place.file + place.file_len - e->file_len, e->file, e->file_len) != 0)
		return false;
	return place.file_len == e->file_len || place.file[place.file_len - e->file_len - 1] == '/';
}

static bool is_allowed(struct report *r, const struct ast_require *a)
{
	const char *name = name_text(r->c, a->name.atom);
	uint32_t len = atom_len(r->c->atoms, a->name.atom);
	bool allowed = false;

	for (uint32_t i = 0; i < r->allowed.n; i++) {
		struct entry *e = &r->allowed.at[i];

		if (e->symbol_len != len || memcmp(e->symbol, name, len) != 0 || !in_file(r, e, a->name.begin))
			continue;
		e->used = true;
		allowed = true;
	}
	return allowed;
}

static void report_unused(struct report *r)
{
	for (uint32_t i = 0; i < r->allowed.n; i++) {
		const struct entry *e = &r->allowed.at[i];

		if (!e->used)
			diag_warning(r->c->diags, "optional-allowed-unused", e->loc,
				     "no optional block%s%.*s is off for want of `%.*s`", e->file ? " of " : "", (int)e->file_len,
				     e->file ? e->file : "", (int)e->symbol_len, e->symbol);
	}
}

/* ---- the blocks ---- */

static void index_requirements(struct report *r)
{
	const struct compile *c = r->c;

	r->first = arena_zalloc(&r->c->arena, c->ast->blocks.n, sizeof *r->first);
	r->next = arena_zalloc(&r->c->arena, c->ast->requires.n, sizeof *r->next);
	for (uint32_t i = c->ast->requires.n; i-- > 0;) {
		uint32_t block = c->ast->requires.at[i].block;

		r->next[i] = r->first[block];
		r->first[block] = i + 1;
	}
}

static void find_missing(struct report *r, uint32_t block)
{
	r->missing.n = 0;
	for (uint32_t i = r->first[block]; i; i = r->next[i - 1])
		if (!requirement_met(r->c, &r->c->ast->requires.at[i - 1]))
			*vec_push(&r->missing) = i - 1;
}

const char *require_kind_text(const struct ast_require *a)
{
	static const char *const texts[] = {
		[AST_REQUIRE_CLASS] = "class", [AST_REQUIRE_ROLE] = "role",
		[AST_REQUIRE_ATTRIBUTE_ROLE] = "role attribute", [AST_REQUIRE_TYPE] = "type",
		[AST_REQUIRE_ATTRIBUTE] = "attribute", [AST_REQUIRE_USER] = "user", [AST_REQUIRE_BOOL] = "bool",
		[AST_REQUIRE_TUNABLE] = "tunable", [AST_REQUIRE_SENSITIVITY] = "sensitivity",
		[AST_REQUIRE_CATEGORY] = "category",
	};

	return texts[a->kind];
}

static const char *reason(const struct symbol *s)
{
	return s && s->declared ? "is declared only in optional blocks that are off" : "is not declared";
}

/* What the finding itself says of the first one is not said again. */
static void tell_missing(struct report *r, const struct ast_require *a, uint32_t block, bool first)
{
	struct compile *c = r->c;
	const struct symbol *s = required_symbol(c, a);
	struct loc loc = ast_name_loc(c->atoms, a->name);

	if (first)
		diag_note(c->diags, loc, "`%s` is required here", name_text(c, a->name.atom));
	else
		diag_note(c->diags, loc, "%s `%s` is required here, and %s", require_kind_text(a), name_text(c, a->name.atom), reason(s));
	if (s && s->declared)
		diag_note(c->diags, s->loc, "`%s` is declared here", name_text(c, a->name.atom));
	else
		suggest_symbol(c, require_kind(a), name_text(c, a->name.atom), atom_len(c->atoms, a->name.atom), block);
}

/* Blocks off for the same reason as one around them are told of as well: what
 * they hold is lost, too. */
static void report_block(struct report *r, uint32_t block, uint32_t cause)
{
	struct compile *c = r->c;
	const struct ast_block *b = &c->ast->blocks.at[block];
	const struct ast_require *a = &c->ast->requires.at[r->missing.at[0]];

	diag_warning(c->diags, "optional-dropped", b->loc, "this optional block is off: %s `%s`, which %s requires, %s",
		     require_kind_text(a), name_text(c, a->name.atom), block == cause ? "it" : "a block around it",
		     reason(required_symbol(c, a)));
	for (uint32_t i = 0; i < r->missing.n && i < MAX_TOLD; i++)
		tell_missing(r, &c->ast->requires.at[r->missing.at[i]], cause, i == 0);
	if (r->missing.n > MAX_TOLD)
		diag_note(c->diags, LOC_NONE, "%u more of its requirements are not met", r->missing.n - MAX_TOLD);
	if (block != cause)
		diag_note(c->diags, c->ast->blocks.at[cause].loc, "the block around it");
	if (b->other && c->live[b->other])
		diag_note(c->diags, c->ast->blocks.at[b->other].loc, "its else branch is on instead");
}

static void judge_block(struct report *r, uint32_t block)
{
	const struct compile *c = r->c;
	uint32_t cause = block;
	bool allowed = true;

	find_missing(r, cause);
	while (!r->missing.n && !c->ast->blocks.at[cause].is_else && !ast_is_root(c->ast, c->ast->blocks.at[cause].parent)) {
		cause = c->ast->blocks.at[cause].parent;
		find_missing(r, cause);
	}
	for (uint32_t i = 0; i < r->missing.n; i++)
		allowed = is_allowed(r, &c->ast->requires.at[r->missing.at[i]]) && allowed;
	if (!allowed)
		report_block(r, block, cause);
}

void report_optionals(struct compile *c)
{
	struct report r = {.c = c};

	read_list(&r, c->options->optionals_allowed);
	index_requirements(&r);
	for (uint32_t block = 1; block < c->ast->blocks.n; block++)
		if (!c->live[block] && !c->ast->blocks.at[block].is_else)
			judge_block(&r, block);
	report_unused(&r);
	vec_free(&r.allowed);
	vec_free(&r.missing);
}
