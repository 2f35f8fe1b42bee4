/* Names: declared and required in blocks, found from blocks (language.md 7). */
#include <stdlib.h>
#include <string.h>

#include "ir/internal.h"

/* A name was looked up in vain, and nothing was reported for it. */
#define REPORTED_NOT UINT32_MAX

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
		*vec_push(&table->at) = (struct symbol){.kind = (uint8_t)kind};
	}
	*vec_push(&c->scopes) = (struct scope){0};
}

void symbols_free(struct compile *c)
{
	for (int kind = 0; kind < SYM_KINDS; kind++)
		vec_free(&c->symbols[kind].at);
	vec_free(&c->scopes);
	vec_free(&c->faulty_names);
	vec_free(&c->faulty_uses);
	vec_free(&c->members_set);
	vec_free(&c->nested);
	pairs_free(&c->reported);
	pairs_free(&c->scope_of);
	pairs_free(&c->declared_in);
	pairs_free(&c->known_perms);
	pairs_free(&c->reported_perms);
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
				 struct ast_name name, uint32_t block)
{
	struct symbols *table = &c->symbols[kind];
	struct symbol *s = vec_push(&table->at);

	*s = (struct symbol){
		.name = name.atom,
		.kind = (uint8_t)kind,
		.flavour = (uint8_t)flavour,
		.loc = ast_name_loc(c->atoms, name),
		.block = block,
		.first = name.begin,
	};
	table->by_atom[name.atom] = table->at.n - 1;
	return s;
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

/* Of a symbol in c->scope_of, with its block. */
static uint32_t scope_key(const struct compile *c, const struct symbol *s)
{
	return symbol_index(c, s) * SYM_KINDS + s->kind;
}

/* A name of a linked module; false when the block has required it before. */
static bool note_scope(struct compile *c, const struct symbol *s, uint32_t block, uint32_t begin, bool declares)
{
	uint32_t root = ast_root(c->ast, block), *first, before;

	if (declares)
		*pairs_put(&c->declared_in, pair_key(scope_key(c, s), module_of(c, block))) = 1;
	if (c->ast->modules.at[module_of(c, block)].from_image) {
		*pairs_put(&c->scope_of, pair_key(scope_key(c, s), root)) = 1;
		if (block == root)
			return true;
	}
	first = pairs_put(&c->scope_of, pair_key(scope_key(c, s), block));
	before = *first;
	if (!before || begin + 1 < before)
		*first = begin + 1; /* 0 is none */
	return !before || declares;
}

static void add_scope(struct compile *c, struct symbol *s, uint32_t block, uint32_t begin, bool declares)
{
	if (block == AST_GLOBAL)
		s->global = true;
	if (c->form == COMPILE_LINK && !note_scope(c, s, block, begin, declares))
		return;
	*vec_push(&c->scopes) = (struct scope){.block = block, .declares = declares, .next = s->scopes};
	s->scopes = c->scopes.n - 1;
}

bool symbol_declared_in(const struct compile *c, const struct symbol *s, uint32_t block)
{
	if (c->form != COMPILE_LINK)
		return s->declared;
	return pairs_get(&c->declared_in, pair_key(scope_key(c, s), module_of(c, block))) != NULL;
}

bool symbol_in_module(const struct compile *c, const struct symbol *s, uint32_t block)
{
	if (c->form != COMPILE_LINK)
		return true;
	for (uint32_t i = s->scopes; i; i = c->scopes.at[i].next)
		if (module_of(c, c->scopes.at[i].block) == module_of(c, block))
			return true;
	return false;
}

const char *module_text(struct compile *c, uint32_t block)
{
	const struct ast_module *module = &c->ast->modules.at[module_of(c, block)];

	if (!module->name.atom)
		return module->is_module ? "this module" : "the base";
	return join(c, "module `", name_text(c, module->name.atom), "`", "");
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

/* What a require statement says for a symbol: "type", "attribute_role", ... */
static const char *require_text(const struct symbol *s)
{
	switch (s->flavour) {
	case FLAVOUR_ATTRIBUTE:
		return s->kind == SYM_ROLE ? "attribute_role" : "attribute";
	case FLAVOUR_TUNABLE:
		return "tunable";
	default:
		return kind_names[s->kind];
	}
}

/* Two modules each have their say: which ones, and what may be meant. */
static void note_modules(struct compile *c, const struct symbol *s, uint32_t block, bool duplicate)
{
	if (module_of(c, s->block) == module_of(c, block))
		return;
	diag_note(c->diags, LOC_NONE, "one is in %s, the other in %s", module_text(c, s->block), module_text(c, block));
	if (duplicate)
		diag_hint(c->diags, "declare it in one of them, and require it in the other: `require { %s %s; }`",
			  require_text(s), name_text(c, s->name));
}

static void report_duplicate(struct compile *c, const struct symbol *s, enum symbol_flavour flavour,
			     struct loc loc, uint32_t block)
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
		    same ? "the other declaration is here"
			 : join(c, "here it is declared as ", s->loc.begin <= loc.begin ? before : now, "", ""));
	note_modules(c, s, block, same);
}

static bool compatible(enum symbol_kind kind, enum symbol_flavour a, enum symbol_flavour b)
{
	return a == b || kind == SYM_BOOL ||
	       (kind != SYM_ROLE && (a == FLAVOUR_ALIAS ? b == FLAVOUR_PLAIN : b == FLAVOUR_ALIAS && a == FLAVOUR_PLAIN));
}

/* Booleans and tunables pass for each other within one module only. */
static bool check_flavour(struct compile *c, const struct symbol *s, enum symbol_flavour flavour, struct loc loc,
			  uint32_t block)
{
	if (compatible(s->kind, s->flavour, flavour) &&
	    (s->kind != SYM_BOOL || s->flavour == flavour || symbol_in_module(c, s, block)))
		return true;
	report_both(c, "flavour-mismatch", loc, s->loc,
		    join(c, "`", name_text(c, s->name), "` is required or declared both as ",
			 join(c, symbol_kind_text(s), " and as ", flavour_text(s->kind, flavour), "")),
		    "the other place is here");
	note_modules(c, s, block, false);
	return false;
}

/* The module has said something of the name, if the wrong thing: its uses are not
 * to be reported as well. */
static void see_anyway(struct compile *c, struct symbol *s, uint32_t block, uint32_t begin)
{
	if (c->form == COMPILE_LINK)
		add_scope(c, s, block, begin, false);
}

/* Role attributes are told from roles only within a module. */
static bool may_repeat(const struct compile *c, const struct symbol *s, enum symbol_flavour flavour, uint32_t block)
{
	if (s->kind == SYM_USER || (s->kind == SYM_ROLE && flavour == FLAVOUR_PLAIN))
		return true;
	return s->kind == SYM_ROLE && c->form == COMPILE_LINK && !symbol_declared_in(c, s, block);
}

struct symbol *symbol_declare(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name.atom);
	struct loc loc = ast_name_loc(c->atoms, name);
	bool repeatable = s && may_repeat(c, s, flavour, block);

	if (c->ast->blocks.at[block].is_else) {
		diag_error(c->diags, "declaration-in-else", loc,
			   "%s `%s` is declared in an else branch, where nothing can be declared",
			   flavour_text(kind, flavour), name_text(c, name.atom));
		return NULL;
	}
	if (s && s->declared && (!repeatable || s->flavour != flavour)) {
		report_duplicate(c, s, flavour, loc, block);
		see_anyway(c, s, block, name.begin);
		return NULL;
	}
	if (s && !s->declared && !check_flavour(c, s, flavour, loc, block)) {
		see_anyway(c, s, block, name.begin);
		return NULL;
	}
	if (!s)
		s = add_symbol(c, kind, flavour, name, block);
	if (!s->declared) {
		s->declared = true;
		s->flavour = (uint8_t)flavour;
		s->loc = loc;
		s->block = block;
	}
	if (name.begin < s->first)
		s->first = name.begin;
	add_scope(c, s, block, name.begin, true);
	return s;
}

struct symbol *symbol_require(struct compile *c, enum symbol_kind kind, enum symbol_flavour flavour,
			      struct ast_name name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name.atom);

	if (s && !check_flavour(c, s, flavour, ast_name_loc(c->atoms, name), block)) {
		see_anyway(c, s, block, name.begin);
		return NULL;
	}
	if (!s)
		s = add_symbol(c, kind, flavour, name, block);
	if (name.begin < s->first)
		s->first = name.begin;
	s->required = true;
	add_scope(c, s, block, name.begin, false);
	return s;
}

static bool in_scope(const struct compile *c, const struct symbol *s, uint32_t block)
{
	if (c->form == COMPILE_LINK)
		return pairs_get(&c->scope_of, pair_key(scope_key(c, s), block)) != NULL;
	for (uint32_t i = s->scopes; i; i = c->scopes.at[i].next)
		if (c->scopes.at[i].block == block)
			return true;
	return false;
}

/* A block sees what it and the blocks around it declare or require. */
static bool visible(const struct compile *c, const struct symbol *s, uint32_t block)
{
	while (!in_scope(c, s, block)) {
		if (ast_is_root(c->ast, block))
			return false;
		block = c->ast->blocks.at[block].parent;
	}
	return true;
}

/* What is before an offset, and visible from the block there. */
static bool seen_before(const struct compile *c, const struct symbol *s, uint32_t block, uint32_t begin)
{
	if (c->form != COMPILE_LINK)
		return s->first <= begin;
	for (;; block = c->ast->blocks.at[block].parent) {
		const uint32_t *first = pairs_get(&c->scope_of, pair_key(scope_key(c, s), block));

		if (first && *first - 1 <= begin)
			return true;
		if (ast_is_root(c->ast, block))
			return false;
	}
}

/* Each module is told of the names that it lacks. */
static uint64_t report_key(const struct compile *c, enum symbol_kind kind, atom_t name, uint32_t block)
{
	return pair_key(name, module_of(c, block) * SYM_KINDS + kind);
}

/* Whether the name has not been reported before.  Else the place counts as a
 * further use, once: a statement may be looked at more than once. */
static bool first_report(struct compile *c, enum symbol_kind kind, atom_t name, uint32_t begin, uint32_t block)
{
	const uint32_t *reported = pairs_get(&c->reported, report_key(c, kind, name, block));
	struct faulty_name *known;

	if (!reported)
		return true;
	if (*reported == REPORTED_NOT)
		return false;
	known = &c->faulty_names.at[*reported - 1];
	if (known->last != begin)
		*vec_push(&c->faulty_uses) = (struct faulty_use){known->finding, begin};
	known->last = begin;
	return false;
}

/* The name has been reported, unless there is nothing to say of it. */
static void set_reported(struct compile *c, enum symbol_kind kind, atom_t name, uint32_t begin, uint32_t block,
			 bool found_fault)
{
	uint32_t *reported = pairs_put(&c->reported, report_key(c, kind, name, block));
	uint32_t finding = found_fault ? diag_last(c->diags) : DIAG_NONE;

	*reported = REPORTED_NOT;
	if (finding == DIAG_NONE)
		return;
	*vec_push(&c->faulty_names) = (struct faulty_name){finding, begin};
	*vec_push(&c->faulty_uses) = (struct faulty_use){finding, begin};
	*reported = c->faulty_names.n;
}

static int compare_uses(const void *x, const void *y)
{
	const struct faulty_use *a = x, *b = y;

	if (a->finding != b->finding)
		return a->finding < b->finding ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void count_faulty_uses(struct compile *c)
{
	struct faulty_use *at = c->faulty_uses.at;

	if (!c->faulty_uses.n)
		return;
	qsort(at, c->faulty_uses.n, sizeof *at, compare_uses);
	for (uint32_t i = 1; i < c->faulty_uses.n; i++)
		if (at[i].finding == at[i - 1].finding && at[i].begin != at[i - 1].begin)
			diag_again(c->diags, at[i].finding, 1);
}

bool symbol_visible(const struct compile *c, const struct symbol *s, uint32_t block)
{
	return (s->global && !module_of(c, block)) || visible(c, s, block);
}

static void report_unknown(struct compile *c, enum symbol_kind kind, atom_t name, struct loc loc, uint32_t block)
{
	diag_error(c->diags, unknown_checks[kind], loc, "unknown %s `%s`",
		   kind == SYM_TYPE ? "type or attribute" : kind_names[kind], name_text(c, name));
	suggest_symbol(c, kind, name_text(c, name), atom_len(c->atoms, name), block);
	if (c->ast->modules.at[module_of(c, block)].is_module)
		diag_hint(c->diags, "a module declares or requires each name that it uses: `require { %s %s%s; }`",
			  kind_names[kind], name_text(c, name), kind == SYM_CLASS ? " { ... }" : "");
}

/* Another module has it. */
static void report_not_required(struct compile *c, const struct symbol *s, struct loc loc, uint32_t block)
{
	diag_error(c->diags, "not-required", loc, "%s `%s` is neither declared nor required in %s", symbol_kind_text(s),
		   name_text(c, s->name), module_text(c, block));
	diag_note(c->diags, s->loc, "%s %s it", module_text(c, s->block), s->declared ? "declares" : "requires");
	if (module_of(c, block))
		diag_hint(c->diags, "add `require { %s %s%s; }`", require_text(s), name_text(c, s->name),
			  s->kind == SYM_CLASS ? " { ... }" : "");
	else
		diag_hint(c->diags, "a base can require what modules declare in optional blocks only");
}

static void report_invisible(struct compile *c, const struct symbol *s, struct loc loc, uint32_t block)
{
	const struct ast_block *b = &c->ast->blocks.at[block];

	if (!symbol_in_module(c, s, block)) {
		report_not_required(c, s, loc, block);
		return;
	}
	diag_error(c->diags, "not-in-scope", loc, "%s `%s` is not within scope", symbol_kind_text(s),
		   name_text(c, s->name));
	diag_note(c->diags, s->loc, "`%s` is %s in an optional block that does not enclose this statement",
		  name_text(c, s->name), s->declared ? "declared" : "required");
	if (block == AST_GLOBAL)
		diag_hint(c->diags, "move the statement into an optional block with `require { %s %s; }`, or declare `%s` outside of any",
			  require_text(s), name_text(c, s->name), name_text(c, s->name));
	else
		diag_hint(c->diags, "require it %s: `require { %s %s; }`", b->is_else ? "in an optional block of its own" : "in this block",
			  require_text(s), name_text(c, s->name));
}

static void report_use(struct compile *c, enum symbol_kind kind, atom_t name, uint32_t begin, struct loc loc,
		       uint32_t block)
{
	const struct symbol *s = symbol_find(c, kind, name);

	if (s)
		report_invisible(c, s, loc, block);
	else if (!ast_was_skipped(c->ast, name))
		report_unknown(c, kind, name, loc, block);
	set_reported(c, kind, name, begin, block, s || !ast_was_skipped(c->ast, name));
}

/* The symbol as far as the block sees it, aliases resolved; else NULL. */
static struct symbol *use(const struct compile *c, enum symbol_kind kind, atom_t name, uint32_t block)
{
	struct symbol *s = symbol_find(c, kind, name);

	if (!s || !symbol_visible(c, s, block))
		return NULL;
	return s->flavour == FLAVOUR_ALIAS ? &c->symbols[kind].at.at[s->primary] : s;
}

struct symbol *symbol_use(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block)
{
	struct symbol *s = use(c, kind, name.atom, block);

	if (!s && first_report(c, kind, name.atom, name.begin, block))
		report_use(c, kind, name.atom, name.begin, ast_name_loc(c->atoms, name), block);
	return s;
}

struct symbol *symbol_use_item(struct compile *c, enum symbol_kind kind, struct ast_names names, atom_t item,
			       uint32_t block)
{
	struct symbol *s = use(c, kind, item, block);

	if (!s && first_report(c, kind, item, names.begin, block))
		report_use(c, kind, item, names.begin, item_loc(c, names, item), block);
	return s;
}

struct symbol *symbol_use_earlier(struct compile *c, enum symbol_kind kind, struct ast_name name, uint32_t block)
{
	struct symbol *named = symbol_find(c, kind, name.atom);
	struct symbol *s = symbol_use(c, kind, name, block);

	if (!s || seen_before(c, named, block, name.begin))
		return s;
	if (first_report(c, kind, name.atom, name.begin, block)) {
		diag_error(c->diags, "declared-later", ast_name_loc(c->atoms, name),
			   "%s `%s` is declared only later; this statement needs it before", symbol_kind_text(named),
			   name_text(c, name.atom));
		diag_note(c->diags, named->loc, "`%s` is declared here", name_text(c, name.atom));
		set_reported(c, kind, name.atom, name.begin, block, true);
	}
	return NULL;
}

bool symbol_in_policy(struct compile *c, const struct symbol *s, struct ast_name name, uint32_t block)
{
	if (s->live || !c->live[block])
		return true;
	if (c->module)
		return false; /* a module may still bring it in */
	diag_error(c->diags, "not-in-policy", ast_name_loc(c->atoms, name),
		   "%s `%s` is not in the policy: it is %s only in optional blocks that are off", symbol_kind_text(s),
		   name_text(c, s->name), s->declared ? "declared" : "required");
	return false;
}
