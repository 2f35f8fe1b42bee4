/* Which names policy source can spell: an image that was not made from source
 * may have others.  The words of the language are those of the scanner. */
#include <string.h>

#include "backend/text_out.h"
#include "base/atom.h"
#include "lexer/lexer.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters, digits, _ and -, with single dots between them. */
bool conf_is_name(const char *name)
{
	if (!is_letter(*name))
		return false;
	for (const char *p = name + 1; *p; p++) {
		if (*p == '.')
			p++;
		if (!is_letter(*p) && !is_digit(*p) && *p != '_' && *p != '-')
			return false;
	}
	return true;
}

/* Letters and digits, at least one letter. */
static bool is_plain_word(const char *name)
{
	bool letter = false;

	for (const char *p = name; *p; p++) {
		if (!is_letter(*p) && !is_digit(*p))
			return false;
		letter = letter || is_letter(*p);
	}
	return letter;
}

/* Few names begin and end as a keyword does: bits of the first letter, by the last. */
struct checker {
	struct text_out *t;
	struct atoms words;
	uint32_t ends[32];
};

static void note_ends(struct checker *c)
{
	for (uint32_t i = 1; i < c->words.n; i++) {
		const char *word = atom_text(&c->words, i);

		c->ends[word[atom_len(&c->words, i) - 1] & 31] |= UINT32_C(1) << (*word & 31);
	}
}

static bool is_keyword(const struct checker *c, const char *name, size_t len)
{
	return len && c->ends[name[len - 1] & 31] >> (*name & 31) & 1 && atom_find(&c->words, name, len);
}

static void check_name(struct checker *c, const char *what, const char *name, bool dots)
{
	if (!name)
		return;
	if (is_keyword(c, name, strlen(name)))
		text_fail(c->t, "%s `%s`, whose name is a keyword", what, name);
	else if (!conf_is_name(name) || (!dots && strchr(name, '.')))
		text_fail(c->t, "%s `%s`", what, name);
}

static void check_table(struct checker *c, const struct text_table *table, bool dots)
{
	for (uint32_t i = 0; i < table->norder; i++)
		check_name(c, table->what, table->names[table->order[i]], dots);
}

static void check_aliases(struct checker *c, const char *what, const struct policy_alias *at, uint32_t n, bool dots)
{
	for (uint32_t i = 0; i < n; i++)
		check_name(c, what, at[i].name, dots);
}

static void check_perms(struct checker *c, const char *const *perms, uint32_t n)
{
	for (uint32_t i = 0; i < n && i < POLICY_MAX_PERMS; i++)
		check_name(c, "permission", perms[i], true);
}

bool conf_check_names(struct text_out *t)
{
	const struct policy *p = t->policy;
	struct checker c = {.t = t};

	atoms_init(&c.words);
	lexer_intern_keywords(&c.words);
	note_ends(&c);
	for (uint32_t v = 1; v <= p->commons.n; v++) {
		check_name(&c, "common", p->commons.at[v].name, true);
		check_perms(&c, p->commons.at[v].perms, p->commons.at[v].nperms);
	}
	for (uint32_t v = 1; v <= p->classes.n; v++)
		check_perms(&c, p->classes.at[v].perms, p->classes.at[v].nperms);
	check_table(&c, &t->classes, true);
	check_table(&c, &t->types, true);
	check_table(&c, &t->roles, true);
	check_table(&c, &t->users, true);
	check_table(&c, &t->bools, false);
	check_table(&c, &t->sens, false);
	check_table(&c, &t->cats, false);
	check_aliases(&c, "type alias", p->type_aliases.at, p->type_aliases.n, true);
	check_aliases(&c, "sensitivity alias", p->sens_aliases.at, p->sens_aliases.n, false);
	check_aliases(&c, "category alias", p->cat_aliases.at, p->cat_aliases.n, false);
	atoms_free(&c.words);
	return !t->failed;
}

bool conf_is_fs_name(const char *name, bool xattr)
{
	return conf_is_name(name) || (xattr && is_plain_word(name));
}

bool conf_is_interface_name(const char *name)
{
	size_t len = strlen(name);

	if (conf_is_name(name) || is_plain_word(name))
		return true;
	if (len > 16 || len < 1 || (len == 1 && !is_letter(*name) && !is_digit(*name)) || *name == '_')
		return false;
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*?_") == len;
}
