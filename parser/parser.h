/* Tokens to AST. */
#ifndef PARSER_PARSER_H
#define PARSER_PARSER_H

#include <stdbool.h>

#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"
#include "parser/ast.h"

/* Nesting deeper than this (braces, parentheses, optionals) is an error. */
enum { PARSE_MAX_DEPTH = 256 };

/* Parses one loaded file to the end of ast; atoms come from
 * lexer_intern_keywords().  Syntax errors are recorded, and parsing goes on
 * with the next statement.  False when any was found. */
bool parse_policy(struct ast *ast, const struct sources *sources, const struct source *source, struct atoms *atoms,
		  struct diags *diags);

#endif
