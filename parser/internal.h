/* What the parts of the parser share: parser.y has the grammar, actions.c
 * builds nodes, section.c knows where a statement may stand, recover.c says
 * what is wrong and goes on behind it.  Private to parser/. */
#ifndef PARSER_INTERNAL_H
#define PARSER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atom.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/vec.h"
#include "lexer/lexer.h"
#include "parser/ast.h"
#include "parser/parser.h"

/* Sections of a policy (language.md 5.1), in their order; those of the MLS
 * part apart. */
enum section {
	SECTION_NONE,
	SECTION_CLASS, SECTION_SID, SECTION_COMMON, SECTION_AV, SECTION_DEFAULT,
	SECTION_SENSITIVITY, SECTION_DOMINANCE, SECTION_CATEGORY, SECTION_LEVEL, SECTION_MLSCONSTRAIN,
	SECTION_TE, SECTION_USER, SECTION_CONSTRAIN, SECTION_SID_CONTEXT, SECTION_FS_USE, SECTION_GENFS,
	SECTION_PORT, SECTION_NETIF, SECTION_NODE, SECTION_XEN, SECTION_IBPKEY, SECTION_IBENDPORT,
	SECTION_END
};

/* Kinds of statements by where they may stand; one for each section, and
 * those of type enforcement and roles by more than that. */
enum statement {
	ST_CLASS, ST_SID, ST_COMMON, ST_AV, ST_DEFAULT,
	ST_SENSITIVITY, ST_DOMINANCE, ST_CATEGORY, ST_LEVEL, ST_MLSCONSTRAIN,
	ST_TE,        /* all but these: */
	ST_RULE,      /* also in conditionals */
	ST_FILENAME,  /* type_transition with a file name */
	ST_POLICYCAP, /* only at the top */
	ST_EMPTY,     /* a lone `;` */
	ST_USER, ST_CONSTRAIN, ST_SID_CONTEXT, ST_FS_USE, ST_GENFS,
	ST_PORT, ST_NETIF, ST_NODE, ST_XEN, ST_IBPKEY, ST_IBENDPORT,
	ST_REQUIRE, ST_MODULE
};

enum frame_kind { FRAME_TOP, FRAME_OPTIONAL, FRAME_ELSE, FRAME_COND, FRAME_COND_ELSE };

/* A list of statements that is being read. */
struct frame {
	enum frame_kind kind;
	uint32_t block;
	ast_place_t place;
	struct loc open;      /* its `{` */
	uint32_t nstatements; /* also those in error */
	bool saw_user;
	bool misplaced;       /* reported: a statement that may not stand here */
};

static inline bool is_cond_frame(const struct frame *frame)
{
	return frame->kind == FRAME_COND || frame->kind == FRAME_COND_ELSE;
}

/* A statement that came while sections before it were missing.  Either they do
 * not come at all, or the statement is out of place: the rest will show. */
struct early {
	bool is_set;
	struct loc loc;
	enum section section, before;
	uint32_t missing; /* bit set of sections */
};

struct order {
	enum section now;
	struct loc begin;           /* the first statement of it */
	uint32_t seen;              /* bit sets of sections; those with statements, */
	uint32_t missed;            /* and those missing, reported or early */
	bool skipped;               /* statements in error since begin */
	struct early early;
	enum section wrong;         /* of the last statement, when out of order */
	bool only_empty;            /* all of the section is `;`, */
	enum section before_empty;  /* behind this one */
};

struct parse {
	struct ast *ast;
	enum parse_form form;
	bool in_module;         /* the file has begun with a `module` statement */
	uint32_t errors;        /* found before this file */
	const struct sources *sources;
	const struct source *source;
	struct atoms *atoms;
	struct diags *diags;
	struct lexer *lexer;
	atom_t dash; /* `-` */

	VEC(struct frame) frames;
	uint32_t nest;          /* braces, parentheses, negations open in the statement */
	bool too_deep;          /* a block was one level too many */
	struct order order;

	/* Parts of the statement that is being read. */
	VEC(uint32_t) items;
	VEC(struct ast_cexpr) cexpr;
	VEC(struct ast_cond_expr) cond;
	VEC(struct ast_xrange) xranges;
	struct ast_range range;
	struct ast_context contexts[2];
	uint32_t ncontexts;
	struct ast_span span;
	uint32_t require_kind;  /* enum ast_require_kind */
	bool require_here;      /* requirements may stand here */
	uint32_t nrequired;

	bool in_require;
	uint64_t keywords[2];   /* declared as names, by token - TOKEN_BEFORE_FIRST: reported once */
	bool at_macro;          /* an identifier where a statement begins: not reported yet */
	uint32_t resumed;       /* where parsing went on after an error */
	uint32_t closed;        /* the block or conditional that ended last */
	uint32_t balanced;      /* end of the last block: all braces before it are closed */
};

static inline struct frame *top_frame(const struct parse *p)
{
	return &p->frames.at[p->frames.n - 1];
}

static inline struct ast_name name_at(atom_t atom, struct loc loc)
{
	return (struct ast_name){atom, loc.begin};
}

static const struct ast_name no_name = {ATOM_NONE, 0};
static const struct ast_names no_names = {ATOM_NONE, 0};

/* ---- section.c ---- */

/* A statement begins (or is read) here; false, with an error recorded, when it
 * may not stand in this place. */
bool place_statement(struct parse *p, enum statement kind, struct loc loc);
/* The same; false when the statement is no part of what is parsed, wherever it
 * stands: of a module, what only a base can say. */
bool keep_statement(struct parse *p, enum statement kind, struct loc loc);
void end_of_policy(struct parse *p);

/* ---- recover.c ---- */

enum { MAX_EXPECTED = 5 }; /* one more than are listed */

/* What the parser could have gone on with. */
struct expected {
	bool statement, name, set, comparison, constraint;
	bool xperm; /* a number or a set of numbers */
	struct {
		const char *text;
		int len;
		bool quote; /* it is written so in the source */
	} others[MAX_EXPECTED];
	uint32_t nothers;
};

/* An unexpected token; TOKEN_EOF at the end. */
void report_unexpected(struct parse *p, int token, struct loc loc, const struct expected *expected);

/* The parts of a statement that will not be made. */
void forget_parts(struct parse *p);

/* ---- keyword.c ---- */

void report_keyword(struct parse *p, int token, struct loc loc); /* one that stands for a name */
void hint_keyword(struct parse *p, struct loc loc);              /* for a word where a statement begins */

/* Skips to where parsing can go on, after an error in what begins at
 * error.begin.  token, value and loc are the parser's lookahead, token < 0 for
 * none, and become it again.  nframes: those that were open when the list of
 * statements in hand began.  False when there is nothing left to parse. */
bool recover(struct parse *p, uint32_t nframes, struct loc error, int *token, union token_value *value,
	     struct loc *loc);

/* ---- actions.c: pieces ---- */

/* One level of braces, parentheses or negation more; false with an error. */
bool nest_in(struct parse *p, struct loc loc);
static inline void nest_out(struct parse *p)
{
	p->nest--;
}

static inline void add_item(struct parse *p, uint32_t item)
{
	*vec_push(&p->items) = item;
}

struct ast_names item_set(struct parse *p, uint32_t begin, bool complement);
struct ast_names star_set(struct parse *p, uint32_t begin);
uint32_t number32(struct parse *p, uint64_t number, struct loc loc);
void set_span(struct parse *p, uint64_t low, struct loc low_loc, uint64_t high, struct loc high_loc);
void set_range(struct parse *p, struct loc loc, struct ast_level_expr low, struct ast_level_expr high);
void add_context(struct parse *p, struct loc loc, struct ast_name user, struct ast_name role, struct ast_name type,
		 bool has_range);
void add_xrange(struct parse *p, uint32_t low, uint32_t high, uint32_t begin);
void add_cond(struct parse *p, enum ast_cond_kind kind, struct ast_name name);

/* Operands of constraints as the grammar has them. */
enum operand { OP_U1, OP_U2, OP_U3, OP_R1, OP_R2, OP_R3, OP_T1, OP_T2, OP_T3, OP_L1, OP_L2, OP_H1, OP_H2 };

void add_cexpr_op(struct parse *p, enum ast_cexpr_kind kind, struct loc loc);
void add_cexpr_pair(struct parse *p, struct loc loc, enum operand left, uint32_t op, enum operand right);
void add_cexpr_names(struct parse *p, struct loc loc, enum operand left, uint32_t op, struct ast_names names);

/* ---- actions.c: statements ---- */

void add_class(struct parse *p, struct loc loc, struct ast_name name);
void add_sid(struct parse *p, struct loc loc, struct ast_name name);
void add_common(struct parse *p, struct loc loc, struct ast_name name, struct ast_names perms);
void add_av(struct parse *p, struct loc loc, struct ast_name name, struct ast_name inherits, struct ast_names perms);
void add_default(struct parse *p, struct loc loc, uint32_t kind, struct ast_names classes, uint32_t value);
void add_sensitivity(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases);
void add_dominance(struct parse *p, struct loc loc, struct ast_names order);
void add_category(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases);
void add_level(struct parse *p, struct loc loc, struct ast_level_expr level);
void add_constraint(struct parse *p, struct loc loc, bool mls, struct ast_names classes, struct ast_names perms);
void add_validatetrans(struct parse *p, struct loc loc, bool mls, struct ast_names classes);

void add_attribute(struct parse *p, struct loc loc, struct ast_name name);
void add_type(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases, struct ast_names attrs);
void add_typealias(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases);
void add_typeattribute(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs);
void add_expandattribute(struct parse *p, struct loc loc, struct ast_names attrs, bool value);
void add_typebounds(struct parse *p, struct loc loc, struct ast_name parent, struct ast_names children);
void add_bool(struct parse *p, struct loc loc, struct ast_name name, bool value, bool tunable);
void add_permissive(struct parse *p, struct loc loc, struct ast_name name, bool neveraudit);
void add_policycap(struct parse *p, struct loc loc, struct ast_name name);

void add_avrule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
		struct ast_names classes, struct ast_names perms);
void add_xrule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
	       struct ast_names classes, struct ast_name operation, bool complement);
void add_terule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
		struct ast_names classes, struct ast_name result, struct ast_name filename);
void add_range_trans(struct parse *p, struct loc loc, struct ast_names sources, struct ast_names targets,
		     struct ast_names classes);

void add_attribute_role(struct parse *p, struct loc loc, struct ast_name name);
void add_role(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs);
void add_role_types(struct parse *p, struct loc loc, struct ast_name name, struct ast_names types);
void add_roleattribute(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs);
void add_role_trans(struct parse *p, struct loc loc, struct ast_names roles, struct ast_names types,
		    struct ast_names classes, struct ast_name result);
void add_role_allow(struct parse *p, struct loc loc, struct ast_names from, struct ast_names to);
void add_user(struct parse *p, struct loc loc, struct ast_name name, struct ast_names roles,
	      const struct ast_level_expr *level);

/* Blocks: open at the `{`, close at the `}`.  False when nested too deep. */
bool open_optional(struct parse *p, struct loc keyword, struct loc brace);
bool open_optional_else(struct parse *p, struct loc brace);
bool open_cond(struct parse *p, struct loc keyword, struct loc expr, struct loc brace);
bool open_cond_else(struct parse *p, struct loc brace);
void close_block(struct parse *p, struct loc brace);

void open_require(struct parse *p, struct loc keyword);
void add_require(struct parse *p, struct ast_name name);
void add_require_class(struct parse *p, struct ast_name name, struct ast_names perms);
void close_require(struct parse *p, struct loc loc);

/* A `module` statement begins.  False when the file starts with it and is to be
 * a policy: then it is reported, and all there is. */
bool open_module(struct parse *p, struct loc keyword);
void add_module(struct parse *p, struct loc loc, struct ast_name name, struct loc version);

/* In a module, what is no else branch has a requirement; where: what is blamed. */
void check_requires(struct parse *p, uint32_t block, struct loc where);

void add_sid_context(struct parse *p, struct loc loc, struct ast_name name);
void add_fs_use(struct parse *p, struct loc loc, uint32_t behaviour, struct ast_name name);
void add_genfs(struct parse *p, struct loc loc, struct ast_name fs, struct ast_name path, struct ast_name kind);
void add_port(struct parse *p, struct loc loc, struct ast_name protocol);
void add_netif(struct parse *p, struct loc loc, struct ast_name name);
void add_node(struct parse *p, struct loc loc, bool ipv6, struct ast_name address, struct ast_name mask);
void add_ibpkey(struct parse *p, struct loc loc, struct ast_name prefix);
void add_ibendport(struct parse *p, struct loc loc, struct ast_name device);
void add_xen(struct parse *p, struct loc loc, uint32_t kind, struct ast_name path);

/* ---- parser.y ---- */

/* Reads the file of p->lexer; errors are recorded. */
void parse_file(struct parse *p);

#endif
