/* Which names CIL can spell: an image may have others, and a few words that
 * policy source takes for names are operators there. */
#include "backend/text_out.h"

/* secilc takes dots with -Q only. */
static bool is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	return *name && strchr(letters, *name) && !name[strspn(name, others)];
}

/* words: names separated and enclosed by blanks. */
static bool is_one_of(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = words; (at = strstr(at, name)) != NULL; at++)
		if (at > words && at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

static void check_name(struct text_out *t, const char *what, const char *name, const char *reserved)
{
	if (!name)
		return;
	if (!is_name(name))
		text_fail(t, "%s `%s`", what, name);
	else if (is_one_of(reserved, name))
		text_fail(t, "%s `%s`, whose name is a word of the language", what, name);
}

static void check_table(struct text_out *t, const struct text_table *table, const char *reserved)
{
	for (uint32_t i = 0; i < table->norder; i++)
		check_name(t, table->what, table->names[table->order[i]], reserved);
}

static void check_aliases(struct text_out *t, const char *what, const struct policy_alias *at, uint32_t n, const char *reserved)
{
	for (uint32_t i = 0; i < n; i++)
		check_name(t, what, at[i].name, reserved);
}

static void check_perms(struct text_out *t, const char *const *perms, uint32_t n)
{
	for (uint32_t i = 0; i < n && i < POLICY_MAX_PERMS; i++)
		check_name(t, "permission", perms[i], " and or not xor all ");
}

bool cil_check_names(struct text_out *t)
{
	static const char types[] = " and or not xor all self notself other ", sets[] = " and or not xor all ";
	static const char cats[] = " and or not xor all range ", bools[] = " and or not xor eq neq ";
	const struct policy *p = t->policy;

	for (uint32_t v = 1; v <= p->commons.n; v++) {
		check_name(t, "common", p->commons.at[v].name, "");
		check_perms(t, p->commons.at[v].perms, p->commons.at[v].nperms);
	}
	for (uint32_t v = 1; v <= p->classes.n; v++)
		check_perms(t, p->classes.at[v].perms, p->classes.at[v].nperms);
	check_table(t, &t->classes, "");
	check_table(t, &t->types, types);
	check_table(t, &t->roles, sets);
	check_table(t, &t->users, sets);
	check_table(t, &t->bools, bools);
	check_table(t, &t->sens, "");
	check_table(t, &t->cats, cats);
	check_aliases(t, "type alias", p->type_aliases.at, p->type_aliases.n, types);
	check_aliases(t, "sensitivity alias", p->sens_aliases.at, p->sens_aliases.n, "");
	check_aliases(t, "category alias", p->cat_aliases.at, p->cat_aliases.n, cats);
	return !t->failed;
}
