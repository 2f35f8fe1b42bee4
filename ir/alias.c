/* Aliases of types, sensitivities and categories, and the shape of names. */
#include "ir/internal.h"

void refuse_dot(struct compile *c, struct ast_name name, const char *what)
{
	if (has_dot(c, name.atom))
		diag_error(c->diags, "dotted-name", ast_name_loc(c->atoms, name),
			   "the name of a %s cannot have a dot: `%s`", what, name_text(c, name.atom));
}

bool refuse_self(struct compile *c, struct ast_name name)
{
	if (name.atom != c->self || !c->self)
		return false;
	diag_error(c->diags, "reserved-name", ast_name_loc(c->atoms, name),
		   "`self` cannot be declared: it stands for the source of a rule");
	return true;
}

static void declare_alias(struct compile *c, enum symbol_kind kind, uint32_t primary, struct ast_name name, uint32_t block)
{
	static const char *const what[SYM_KINDS] = {
		[SYM_TYPE] = "type alias", [SYM_SENS] = "sensitivity alias", [SYM_CAT] = "category alias",
	};
	struct symbol *s;

	refuse_dot(c, name, what[kind]);
	if (kind == SYM_TYPE && refuse_self(c, name))
		return;
	s = symbol_declare(c, kind, FLAVOUR_ALIAS, name, block);
	if (s)
		s->primary = primary;
}

void declare_aliases(struct compile *c, const struct symbol *primary, struct ast_names aliases, uint32_t block)
{
	enum symbol_kind kind = primary->kind;
	uint32_t index = symbol_index(c, primary), one; /* the pointer is good until the first declaration */
	struct ast_set set = ast_set_of(c->ast, aliases, &one);

	if (set.star || set.complement)
		diag_error(c->diags, "set-form", (struct loc){aliases.begin, aliases.begin + 1},
			   "an alias list holds names only");
	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		struct loc loc = item_loc(c, aliases, item);

		if (set.items[i] & AST_MINUS)
			diag_error(c->diags, "set-form", loc, "an alias list holds names only");
		else
			declare_alias(c, kind, index, (struct ast_name){item, loc.begin}, block);
	}
}
