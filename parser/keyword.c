/* Keywords where they are not wanted, and words that are nearly keywords. */
#include <string.h>

#include "base/near.h"
#include "parser/internal.h"

static const char *const texts[] = {
#define KEYWORD(name, text) text,
#define TOKEN(name, text)
#include "lexer/tokens.def"
#undef KEYWORD
#undef TOKEN
};

/* Those that begin no statement: where they belong. */
static const struct {
	uint16_t first, last;
	const char *of;
} uses[] = {
	{TOKEN_INHERITS, TOKEN_INHERITS, "class statements"},
	{TOKEN_ROLES, TOKEN_ROLES, "user statements"},
	{TOKEN_TYPES, TOKEN_TYPES, "role statements"},
	{TOKEN_ELSE, TOKEN_ELSE, "conditionals and optional blocks"},
	{TOKEN_ALIAS, TOKEN_ALIAS, "declarations"},
	{TOKEN_RANGE, TOKEN_RANGE, "user statements"},
	{TOKEN_SOURCE, TOKEN_TARGET, "default rules and constraint expressions"},
	{TOKEN_SAMEUSER, TOKEN_SAMEUSER, "constraint expressions"},
	{TOKEN_OR, TOKEN_EQ, "conditions and constraint expressions"},
	{TOKEN_TRUE, TOKEN_FALSE, "boolean statements"},
	{TOKEN_DOM, TOKEN_INCOMP, "constraint expressions"},
	{TOKEN_R1, TOKEN_H2, "constraint expressions"},
	{TOKEN_LOW_HIGH, TOKEN_GLBLUB, "default_range statements"},
};

static const char *use_of(int token)
{
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		if (token >= uses[i].first && token <= uses[i].last)
			return uses[i].of;
	}
	return NULL;
}

/* ---- a keyword as a name ---- */

_Static_assert(TOKEN_GLBLUB - TOKEN_BEFORE_FIRST < 128, "keywords have a bit each in struct parse");

/* What the word before a name says that it is the name of. */
static const struct { const char *word, *what; } declared[] = {
	{"class", "a class"}, {"sid", "an initial SID"}, {"common", "a common"}, {"type", "a type"},
	{"role", "a role"}, {"user", "a user"}, {"attribute", "an attribute"}, {"attribute_role", "a role attribute"},
	{"bool", "a boolean"}, {"tunable", "a tunable"}, {"sensitivity", "a sensitivity"}, {"category", "a category"},
	{"alias", "an alias"},
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *name_of_what(const struct parse *p, uint32_t begin)
{
	const char *text = p->source->text, *end = text + (begin - p->source->base), *word;

	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (word = end; word > text && is_letter(word[-1]);)
		word--;
	for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
		if (strlen(declared[i].word) == (size_t)(end - word) && !memcmp(declared[i].word, word, (size_t)(end - word)))
			return declared[i].what;
	}
	return NULL;
}

/* Uses of what was declared under a keyword are the same mistake. */
static bool was_declared(const struct parse *p, int token)
{
	uint32_t bit = (uint32_t)(token - TOKEN_BEFORE_FIRST);

	return p->keywords[bit / 64] >> bit % 64 & 1;
}

static void note_declared(struct parse *p, int token)
{
	uint32_t bit = (uint32_t)(token - TOKEN_BEFORE_FIRST);

	p->keywords[bit / 64] |= UINT64_C(1) << bit % 64;
}

void report_keyword(struct parse *p, int token, struct loc loc)
{
	const char *of = use_of(token), *what = name_of_what(p, loc.begin);
	const char *text = p->source->text + (loc.begin - p->source->base);

	if (!what && was_declared(p, token))
		return;
	diag_error(p->diags, "keyword-as-name", loc, "`%.*s` is a keyword %s%s and cannot be %s%s",
		   (int)(loc.end - loc.begin), text, of ? "of " : "that begins a statement", of ? of : "",
		   what ? "the name of " : "used as a name", what ? what : "");
	if (what) {
		diag_hint(p->diags, "keywords are reserved everywhere: choose another name");
		note_declared(p, token);
	}
}

/* ---- nearly a keyword ---- */

void hint_keyword(struct parse *p, struct loc loc)
{
	struct near near;

	near_init(&near, p->source->text + (loc.begin - p->source->base), loc.end - loc.begin);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!use_of(TOKEN_BEFORE_FIRST + 1 + (int)i))
			near_try(&near, texts[i], strlen(texts[i]));
	}
	near_hint(&near, p->diags);
}
