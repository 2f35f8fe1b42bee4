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

/* What a file may hold. */
enum parse_form {
	PARSE_POLICY, /* a monolithic policy or a base: the sections of language.md 5.1 */
	PARSE_MODULE, /* a module, which begins with its `module` statement */
	PARSE_EITHER, /* what the first statement says */
	PARSE_IMAGE,  /* the same, as text of a binary module, which has flat blocks: see ast_module.from_image */
};

/* Parses one loaded file into the last module of ast; atoms come from
 * lexer_intern_keywords().  Syntax errors are recorded, and parsing goes on
 * with the next statement.  False when any was found. */
bool parse_source(struct ast *ast, enum parse_form form, const struct sources *sources, const struct source *source,
		  struct atoms *atoms, struct diags *diags);

/* The same for a monolithic policy. */
bool parse_policy(struct ast *ast, const struct sources *sources, const struct source *source, struct atoms *atoms,
		  struct diags *diags);

#endif
