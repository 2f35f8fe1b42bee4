/* Names: declared and required in blocks, found from blocks (language.md 7). */
#include <string.h>

#include "ir/internal.h"

static const char *const kind_names[SYM_KINDS] = {
	[SYM_COMMON] = "common", [SYM_CLASS] = "class", [SYM_SID] = "sid",
	[SYM_TYPE] = "type", [SYM_ROLE] = "role", [SYM_USER] = "user",
	[SYM_BOOL] = "bool", [SYM_SENS] = "sensitivity", [SYM_CAT] = "category",
};

static const char *const unknown_checks[SYM_KINDS] = {
	[SYM_COMMON] = "unknown-common", [SYM_CLASS] = "unknown-class", [SYM_SID] = "unknown-sid",
	[SYM_TYPE] = "unknown-type", [SYM_ROLE] = "unknown-role", [SYM_USER] = "unknown-user",
	[SYM_BOOL] = "unknown-bool", [SYM_SENS] = "unknown-sensitivity", [SYM_CAT] = "unknown-category",
};

static const char *flavour_text(enum symbol_kind kind, enum symbol_flavour flavour)
{
	switch (flavour) {
	case FLAVOUR_ATTRIBUTE:
		return kind == SYM_ROLE ? "role attribute" : "attribute";
	case FLAVOUR_TUNABLE:
		return "tunable";
	case FLAVOUR_ALIAS:
		return kind == SYM_TYPE ? "type alias" : kind == SYM_SENS ? "sensitivity alias" : "category alias";
	case FLAVOUR_PLAIN:
		break;
	}
	return kind_names[kind];
}

const char *symbol_kind_text(const struct symbol *s)
{
	return flavour_text(s->kind, s->flavour);
}

const char *keep_name(struct compile *c, atom_t name)
{
	return arena_strndup(&c->policy->arena, name_text(c, name), atom_len(c->atoms, name));
}

void symbols_init(struct compile *c)
{
	for (int kind = 0; kind < SYM_KINDS; kind++) {
		struct symbols *table = &c->symbols[kind];

		table->by_atom = arena_zalloc(&c->arena, c->atoms->n, sizeof *table->by_atom);
		table->reported = arena_zalloc(&c->arena, c->atoms->n, sizeof *table->reported);
		*vec_push(&table->at) = (struct symbol){.kind = (uint8_t)kind};
	}
	*vec_push(&c->scopes) = (struct scope){0};
}

void symbols_free(struct compile *c)
{
	for (int kind = 0; kind < SYM_KINDS; kind++)
		vec_free(&c->symbols[kind].at);
	vec_free(&c->scopes);
}

struct symbol *symbol_find(const struct compile *c, enum symbol_kind kind, atom_t name)
{
	const struct symbols *table = &c->symbols[kind];
	uint32_t index = table->by_atom[name];

	return index ? &table->at.at[index] : NULL;
}

/* Where the text of a set ends: behind its closing brace, or at the end of the
 * statement. */
static uint32_t set_end(const struct compile *c, uint32_t begin)
{
	const struct source *source = source_at(c->sources, begin);
	const char *text = source->text + (begin - source->base), *end = source->text + source->size, *p;
	unsigned depth = 0;

	for (p = text; p < end && *p != ';'; p++) {
		if (*p == '#')
			p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			return source->base + source->size;
		depth += *p == '{';
		if (*p == '}' && --depth == 0)
			break;
	}
	return begin + (uint32_t)(p - text);
}

/* Items are mostly asked for one after the other: try behind the last one
 * before searching the set from its start. */
struct loc item_loc(struct compile *c, struct ast_names names, atom_t item)
{
	struct loc loc = LOC_NONE;

	if (c->diags->errors >= DIAG_KEEP)
		return (struct loc){names.begin, names.begin + 1}; /* nobody will see it */
	if (c->last_set.begin != names.begin || !c->last_set.end) {
		c->last_set.begin = c->last_set.next = names.begin;
		c->last_set.end = set_end(c, names.begin);
	}
	loc = ast_find_name(c->sources, c->atoms, c->last_set.next, c->last_set.end - c->last_set.next, item);
	if (!loc_known(loc))
		loc = ast_find_name(c->sources, c->atoms, names.begin, c->last_set.end - names.begin, item);
	if (!loc_known(loc))
		return (struct loc){names.begin, names.begin + 1};
	c->last_set.next = loc.end;
	return loc;
}

static struct symbol *add_symbol(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
				 struct ast_name name)
{
	struct symbols *table = &c->symbols[kind];
	struct symbol *s = vec_push(&table->at);

	*s = (struct symbol){
		.name = name.atom,
		.kind = (uint8_t)kind,
		.flavour = (uint8_t)flavour,
		.loc = ast_name_loc(c->atoms, name),
		.first = name.begin,
	};
	table->by_atom[name.atom] = table->at.n - 1;
	return s;
}

static void add_scope(struct compile *c, struct symbol *s, uint32_t block, bool declares)
{
	if (block == AST_GLOBAL)
		s->global = true;
	*vec_push(&c->scopes) = (struct scope){.block = block, .declares = declares, .next = s->scopes};
	s->scopes = c->scopes.n - 1;
}

/* Reports at the later of two places, with a note at the earlier one. */
static void report_both(struct compile *c, const char *check, struct loc here, struct loc there,
			const char *text, const char *note)
{
	bool ordered = there.begin <= here.begin;

	diag_error(c->diags, check, ordered ? here : there, "%s", text);
	if (loc_known(there))
		diag_note(c->diags, ordered ? there : here, "%s", note);
}

static const char *join(struct compile *c, const char *a, const char *b, const char *d, const char *e)
{
	size_t na = strlen(a), nb = strlen(b), nd = strlen(d), ne = strlen(e);
	char *text = arena_alloc(&c->arena, na + nb + nd + ne + 1);

	memcpy(text, a, na);
	memcpy(text + na, b, nb);
	memcpy(text + na + nb, d, nd);
	memcpy(text + na + nb + nd, e, ne + 1);
	return text;
}

static void report_duplicate(struct compile *c, const struct symbol *s, enum symbol_flavour flavour,
			     struct loc loc)
{
	const char *now = flavour_text(s->kind, flavour), *before = symbol_kind_text(s);
	bool same = s->flavour == flavour;

	if (!loc_known(s->loc)) {
		diag_error(c->diags, "duplicate-declaration", loc, "%s `%s` is predeclared as %s", now,
			   name_text(c, s->name), before);
		return;
	}
	report_both(c, "duplicate-declaration", loc, s->loc,
		    same ? join(c, "duplicate declaration of ", now, " `", join(c, name_text(c, s->name), "`", "", ""))
			 : join(c, "`", name_text(c, s->name), "` is declared twice: as ",
				join(c, before, " and as ", now, "")),
		    "the other declaration is here");
}

static bool compatible(enum symbol_kind kind, enum symbol_flavour a, enum symbol_flavour b)
{
	return a == b || kind == SYM_BOOL ||
	       (kind != SYM_ROLE && (a == FLAVOUR_ALIAS ? b == FLAVOUR_PLAIN : b == FLAVOUR_ALIAS && a == FLAVOUR_PLAIN));
}

static bool check_flavour(struct compile *c, const struct symbol *s, enum symbol_flavour flavour, struct loc loc)
{
	if (compatible(s->kind, s->flavour, flavour))
		return true;
	report_both(c, "flavour-mismatch", loc, s->loc,
		    join(c, "`", name_text(c, s->name), "` is required or declared both as ",
			 join(c, symbol_kind_text(s), " and as ", flavour_text(s->kind, flavour), "")),
		    "the other place is here");
	return false;
}

struct symbol *symbol_declare(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name.atom);
	struct loc loc = ast_name_loc(c->atoms, name);
	bool repeatable = (kind == SYM_ROLE && flavour == FLAVOUR_PLAIN) || kind == SYM_USER;

	if (c->ast->blocks.at[block].is_else) {
		diag_error(c->diags, "declaration-in-else", loc,
			   "%s `%s` is declared in an else branch, where nothing can be declared",
			   flavour_text(kind, flavour), name_text(c, name.atom));
		return NULL;
	}
	if (s && s->declared && (!repeatable || s->flavour != flavour)) {
		report_duplicate(c, s, flavour, loc);
		return NULL;
	}
	if (s && !s->declared && !check_flavour(c, s, flavour, loc))
		return NULL;
	if (!s)
		s = add_symbol(c, kind, flavour, name);
	if (!s->declared) {
		s->declared = true;
		s->flavour = (uint8_t)flavour;
		s->loc = loc;
	}
	if (name.begin < s->first)
		s->first = name.begin;
	add_scope(c, s, block, true);
	return s;
}

struct symbol *symbol_require(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name.atom);

	if (s && !check_flavour(c, s, flavour, ast_name_loc(c->atoms, name)))
		return NULL;
	if (!s)
		s = add_symbol(c, kind, flavour, name);
	if (name.begin < s->first)
		s->first = name.begin;
	s->required = true;
	add_scope(c, s, block, false);
	return s;
}

/* A block sees what it and the blocks around it declare or require. */
static bool visible(const struct compile *c, const struct symbol *s, uint32_t block)
{
	for (;;) {
		for (uint32_t i = s->scopes; i; i = c->scopes.at[i].next)
			if (c->scopes.at[i].block == block)
				return true;
		if (block == AST_GLOBAL)
			return false;
		block = c->ast->blocks.at[block].parent;
	}
}

/* True the first time for each name. */
static bool first_report(struct compile *c, enum symbol_kind kind, atom_t name)
{
	bool *reported = &c->symbols[kind].reported[name];
	bool first = !*reported;

	*reported = true;
	return first;
}

static void report_unknown(struct compile *c, enum symbol_kind kind, atom_t name, struct loc loc)
{
	if (!ast_was_skipped(c->ast, name))
		diag_error(c->diags, unknown_checks[kind], loc, "unknown %s `%s`",
			   kind == SYM_TYPE ? "type or attribute" : kind_names[kind], name_text(c, name));
}

static void report_invisible(struct compile *c, const struct symbol *s, struct loc loc)
{
	diag_error(c->diags, "not-in-scope", loc, "%s `%s` is not within scope", symbol_kind_text(s),
		   name_text(c, s->name));
	diag_note(c->diags, s->loc, "`%s` is %s in an optional block that does not enclose this statement",
		  name_text(c, s->name), s->declared ? "declared" : "required");
}

static void report_use(struct compile *c, enum symbol_kind kind, atom_t name, struct loc loc)
{
	const struct symbol *s = symbol_find(c, kind, name);

	if (s)
		report_invisible(c, s, loc);
	else
		report_unknown(c, kind, name, loc);
}

/* The symbol as far as the block sees it, aliases resolved; else NULL. */
static struct symbol *use(const struct compile *c, enum symbol_kind kind, atom_t name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name);

	if (!s || (!s->global && !visible(c, s, block)))
		return NULL;
	return s->flavour == FLAVOUR_ALIAS ? &c->symbols[kind].at.at[s->primary] : s;
}

struct symbol *symbol_use(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block)
{
	struct symbol *s = use(c, kind, name.atom, block);

	if (!s && first_report(c, kind, name.atom))
		report_use(c, kind, name.atom, ast_name_loc(c->atoms, name));
	return s;
}

struct symbol *symbol_use_item(struct compile *c, enum symbol_kind kind, struct ast_names names, atom_t item,
			       uint32_t block)
{
	struct symbol *s = use(c, kind, item, block);

	if (!s && first_report(c, kind, item))
		report_use(c, kind, item, item_loc(c, names, item));
	return s;
}

struct symbol *symbol_use_earlier(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block)
{
	struct symbol *named = symbol_find(c, kind, name.atom);
	struct symbol *s = symbol_use(c, kind, name, block);

	if (!s || named->first <= name.begin)
		return s;
	if (first_report(c, kind, name.atom)) {
		diag_error(c->diags, "declared-later", ast_name_loc(c->atoms, name),
			   "%s `%s` is declared only later; this statement needs it before", symbol_kind_text(named),
			   name_text(c, name.atom));
		diag_note(c->diags, named->loc, "`%s` is declared here", name_text(c, name.atom));
	}
	return NULL;
}

bool symbol_in_policy(struct compile *c, const struct symbol *s, struct ast_name name, uint32_t block)
{
	if (s->live || !c->live[block])
		return true;
	diag_error(c->diags, "not-in-policy", ast_name_loc(c->atoms, name),
		   "%s `%s` is not in the policy: it is %s only in optional blocks that are off", symbol_kind_text(s),
		   name_text(c, s->name), s->declared ? "declared" : "required");
	return false;
}
