/* Source text to tokens.
 *
 * Facts: language.md 4.  Blank space, comments and `#line` marks vanish in
 * one rule; a keyword is an identifier whose atom is among the first ones,
 * so the scanner's tables stay small. */
#ifndef LEXER_LEXER_H
#define LEXER_LEXER_H

#include <stdint.h>

#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"

/* Single characters are their own token number. */
enum token {
	TOKEN_EOF = 0,
	TOKEN_BEFORE_FIRST = 257,
#define KEYWORD(name, text) TOKEN_##name,
#define TOKEN(name, text) TOKEN_##name,
#include "lexer/tokens.def"
#undef KEYWORD
#undef TOKEN
	TOKEN_AFTER_LAST
};

/* What a token carries besides its kind. */
union token_value {
	atom_t atom;     /* names, paths, addresses and so on: the text without quotes */
	uint64_t number; /* NUMBER */
};

struct lexer;

/* Makes the keywords the first atoms; once for each struct atoms, before any
 * other name. */
void lexer_intern_keywords(struct atoms *atoms);

/* Scans one loaded source.  Bytes that start no token, bad digits and numbers
 * too large are recorded as errors and skipped (a number becomes 0). */
struct lexer *lexer_new(const struct source *source, struct atoms *atoms, struct diags *diags);
void lexer_free(struct lexer *lexer);

/* While a token is in hand the byte behind it is a NUL in the text; this is what
 * it was. */
char lexer_held_byte(const struct lexer *lexer);

/* The next token and its place. */
int lexer_next(struct lexer *lexer, union token_value *value, struct loc *loc);

#endif
