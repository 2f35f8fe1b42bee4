/* Number: the values of symbols, and the arrays of struct policy by value.
 *
 * Needs resolve; leaves names in place, everything else of the symbols empty.
 * Live symbols come first, in the order of the source; those that have no
 * place in the policy get the values behind, so that rules in blocks that are
 * off can be worked with all the same. */
#include <string.h>

#include "ir/internal.h"

/* Gives values to the declared symbols of one flavour, live or dead ones; in a
 * module alone, and to role attributes, to those that are required as well. */
static void give_values(const struct compile *c, struct symbols *table, enum symbol_flavour flavour, bool live)
{
	bool role_attributes = table == &c->symbols[SYM_ROLE] && flavour == FLAVOUR_ATTRIBUTE;
	bool required = c->form == COMPILE_MODULE || role_attributes;

	for (uint32_t i = 1; i < table->at.n; i++) {
		struct symbol *s = &table->at.at[i];

		if ((s->declared || required) && s->flavour == flavour && s->live == live)
			s->value = ++table->nvalues;
	}
}

static void number_types(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_TYPE];
	struct policy *p = c->policy;
	uint32_t naliases = 0;

	give_values(c, table, FLAVOUR_PLAIN, true);
	give_values(c, table, FLAVOUR_ATTRIBUTE, true);
	p->types.n = table->nvalues;
	give_values(c, table, FLAVOUR_PLAIN, false);
	give_values(c, table, FLAVOUR_ATTRIBUTE, false);
	if (table->nvalues > POLICY_MAX_SYMBOLS) {
		diag_error(c->diags, "too-many-types", LOC_NONE, "%u types and attributes, the limit is %u", table->nvalues,
			   POLICY_MAX_SYMBOLS);
		c->fatal = true;
		return;
	}
	p->types.at = arena_zalloc(&p->arena, p->types.n + 1, sizeof *p->types.at);
	c->types = arena_zalloc(&c->arena, table->nvalues + 1, sizeof *c->types);
	for (uint32_t i = 1; i < table->at.n; i++) {
		struct symbol *s = &table->at.at[i];

		if (s->flavour == FLAVOUR_ALIAS) {
			s->value = table->at.at[s->primary].value;
			naliases += table->at.at[s->primary].live;
		} else if (s->live) {
			p->types.at[s->value].name = keep_name(c, s->name);
			p->types.at[s->value].kind = s->flavour == FLAVOUR_ATTRIBUTE ? POLICY_ATTRIBUTE : POLICY_TYPE;
		}
	}
	p->type_aliases.at = arena_alloc(&p->arena, naliases * sizeof *p->type_aliases.at);
	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];

		if (s->flavour != FLAVOUR_ALIAS || !table->at.at[s->primary].live)
			continue;
		/* An alias lives as its type does, wherever it stands. */
		if (!s->live)
			diag_warning(c->diags, "effect-of-disabled-block", s->loc,
				     "alias `%s` stands in an optional block that is off, and takes effect all the same",
				     name_text(c, s->name));
		p->type_aliases.at[p->type_aliases.n++] = (struct policy_alias){keep_name(c, s->name), s->value};
	}
}

static void number_roles(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_ROLE];
	struct policy *p = c->policy;

	give_values(c, table, FLAVOUR_PLAIN, true); /* object_r, the first symbol, gets 1 */
	p->roles.n = table->nvalues;
	give_values(c, table, FLAVOUR_PLAIN, false);
	give_values(c, table, FLAVOUR_ATTRIBUTE, true);
	give_values(c, table, FLAVOUR_ATTRIBUTE, false);
	p->roles.at = arena_zalloc(&p->arena, p->roles.n + 1, sizeof *p->roles.at);
	c->roles = arena_zalloc(&c->arena, table->nvalues + 1, sizeof *c->roles);
	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];

		if (!s->value || s->value > p->roles.n)
			continue;
		p->roles.at[s->value].name = keep_name(c, s->name);
		ebitmap_set(&p->roles.at[s->value].dominates, s->value - 1);
	}
}

static void number_users(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_USER];
	struct policy *p = c->policy;

	give_values(c, table, FLAVOUR_PLAIN, true);
	p->users.n = table->nvalues;
	give_values(c, table, FLAVOUR_PLAIN, false);
	p->users.at = arena_zalloc(&p->arena, p->users.n + 1, sizeof *p->users.at);
	c->users = arena_zalloc(&c->arena, table->nvalues + 1, sizeof *c->users);
	for (uint32_t i = 1; i < table->at.n; i++)
		if (table->at.at[i].live)
			p->users.at[table->at.at[i].value].name = keep_name(c, table->at.at[i].name);
}

static void number_bools(struct compile *c)
{
	struct symbols *table = &c->symbols[SYM_BOOL];
	struct policy *p = c->policy;

	give_values(c, table, FLAVOUR_PLAIN, true);
	p->bools.n = table->nvalues;
	give_values(c, table, FLAVOUR_TUNABLE, true);
	give_values(c, table, FLAVOUR_PLAIN, false);
	give_values(c, table, FLAVOUR_TUNABLE, false);
	p->bools.at = arena_zalloc(&p->arena, p->bools.n + 1, sizeof *p->bools.at);
	for (uint32_t i = 0; i < c->ast->bools.n; i++) {
		const struct ast_bool *a = &c->ast->bools.at[i];
		const struct symbol *s = symbol_find(c, SYM_BOOL, a->name.atom);

		if (s && s->value && s->value <= p->bools.n)
			p->bools.at[s->value] = (struct policy_bool){keep_name(c, s->name), a->value};
	}
}

void number(struct compile *c)
{
	atom_t process = atom_find(c->atoms, "process", strlen("process"));
	const struct symbol *s = symbol_find(c, SYM_CLASS, process);

	c->process_class = s ? s->value : 0;
	number_types(c);
	number_roles(c);
	number_users(c);
	number_bools(c);
}
