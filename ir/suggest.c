/* Ways out for names that were not found: hints of the finding recorded last.
 * A search goes over all names of a kind, so there is one only for findings
 * that are kept, and only for the first ones. */
#include <string.h>

#include "base/buffer.h"
#include "base/near.h"
#include "ir/internal.h"
#include "ir/text.h"

enum {
	MAX_SEARCHES = 100,
	MAX_LISTED = 16, /* names of a kind that are all told when none is near */
	MAX_CLASSES = 4,
};

static bool may_search(struct compile *c)
{
	return !c->diags->dropping && c->searches++ < MAX_SEARCHES;
}

static bool is_candidate(const struct compile *c, const struct symbol *s, uint32_t block)
{
	return (s->declared || c->form == COMPILE_MODULE) && (block == ANY_BLOCK || symbol_visible(c, s, block));
}

/* The name is there, as something else. */
static bool note_other_kind(struct compile *c, enum symbol_kind kind, atom_t name)
{
	static const uint8_t kinds[] = {
		SYM_TYPE, SYM_ROLE, SYM_USER, SYM_BOOL, SYM_CLASS, SYM_COMMON, SYM_SENS, SYM_CAT, SYM_SID
	};

	for (uint32_t i = 0; i < sizeof kinds; i++) {
		const struct symbol *s = kinds[i] == kind ? NULL : symbol_find(c, kinds[i], name);

		if (!s || !s->declared)
			continue;
		diag_note(c->diags, s->loc, "`%s` is declared as %s", name_text(c, name), symbol_kind_text(s));
		return true;
	}
	return false;
}

/* Sensitivities and categories have short names, so all near ones are; where
 * they are few, they are told. */
static void hint_all(struct compile *c, enum symbol_kind kind)
{
	const struct symbols *table = &c->symbols[kind];
	struct buffer text = {0};
	uint32_t n = 0;

	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];

		if (!s->declared || s->flavour == FLAVOUR_ALIAS)
			continue;
		if (n++ == MAX_LISTED)
			break;
		text_printf(&text, "%s`%s`", n > 1 ? ", " : "", name_text(c, s->name));
	}
	if (n && n <= MAX_LISTED)
		diag_hint(c->diags, "%s: %s", kind == SYM_SENS ? "the sensitivities are" : "the categories are", text_of(&text));
	else if (n)
		diag_hint(c->diags, "%s: %s and more", kind == SYM_SENS ? "the sensitivities are" : "the categories are",
			  text_of(&text));
	buffer_free(&text);
}

void suggest_symbol(struct compile *c, enum symbol_kind kind, const char *text, size_t len, uint32_t block)
{
	const struct symbols *table = &c->symbols[kind];
	atom_t atom = atom_find(c->atoms, text, len);
	struct near near;
	bool other;

	if (!may_search(c))
		return;
	other = atom && note_other_kind(c, kind, atom);
	near_init(&near, text, len);
	for (uint32_t i = 1; i < table->at.n; i++) {
		const struct symbol *s = &table->at.at[i];

		if (is_candidate(c, s, block))
			near_try(&near, name_text(c, s->name), atom_len(c->atoms, s->name));
	}
	if (!near.n && !other && (kind == SYM_SENS || kind == SYM_CAT) && !memchr(text, '-', len)) /* else it is a glued range */
		hint_all(c, kind);
	near_hint(&near, c->diags);
}

/* The classes that have the permission which this one has not. */
static void hint_classes(struct compile *c, atom_t perm)
{
	const struct policy *p = c->policy;
	struct buffer text = {0};
	uint32_t n = 0;

	for (uint32_t class = 1; class <= p->classes.n; class++) {
		uint32_t i = 0;

		while (i < p->classes.at[class].nperms && c->class_perms[class][i] != perm)
			i++;
		if (i < p->classes.at[class].nperms && n++ < MAX_CLASSES)
			text_printf(&text, "%s`%s`", n > 1 ? ", " : "", p->classes.at[class].name);
	}
	if (n > MAX_CLASSES)
		text_printf(&text, " and %u more", n - MAX_CLASSES);
	if (n)
		diag_hint(c->diags, "`%s` is a permission of %s %s", name_text(c, perm), n == 1 ? "class" : "the classes",
			  text_of(&text));
	buffer_free(&text);
}

void suggest_perm(struct compile *c, uint32_t class, atom_t perm)
{
	uint32_t n = class_nperms(c, class);
	struct near near;

	if (!may_search(c))
		return;
	near_init(&near, name_text(c, perm), atom_len(c->atoms, perm));
	for (uint32_t i = 0; i < n; i++)
		near_try(&near, name_text(c, c->class_perms[class][i]), atom_len(c->atoms, c->class_perms[class][i]));
	near_hint(&near, c->diags);
	if (!near.n)
		hint_classes(c, perm);
}

bool suggest_text(struct compile *c, atom_t name, const char *const *names, uint32_t n)
{
	struct near near;

	near_init(&near, name_text(c, name), atom_len(c->atoms, name));
	for (uint32_t i = 0; i < n; i++)
		near_try(&near, names[i], strlen(names[i]));
	near_hint(&near, c->diags);
	return near.n;
}
