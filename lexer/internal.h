/* What the two halves of the lexer share: lexer.l finds the tokens, lexer.c
 * judges what is rare. */
#ifndef LEXER_INTERNAL_H
#define LEXER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "lexer/lexer.h"

enum { NKEYWORDS = TOKEN_GLBLUB - TOKEN_BEFORE_FIRST };

struct lexer {
	void *scanner; /* flex's state */
	const struct source *source;
	struct atoms *atoms;
	struct diags *diags;
	bool cr_reported;
	uint32_t rejected; /* where the last error about a character is */
};

/* lexer.l */
bool scanner_open(struct lexer *lexer);
void scanner_close(struct lexer *lexer);

/* lexer.c: the value of a NUMBER, 0 with an error recorded. */
uint64_t lexer_number(struct lexer *lexer, const char *text, struct loc loc);
/* Record what is wrong with the bytes at loc: they start no token, are quoted
 * but no file name, or end a line with CR LF. */
void lexer_reject(struct lexer *lexer, struct loc loc);
void lexer_reject_quoted(struct lexer *lexer, struct loc loc);
void lexer_reject_crlf(struct lexer *lexer, struct loc loc);

#endif
