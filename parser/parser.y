/* The grammar of language.md 6, but for the order of statements and the places
 * where they may stand: statements of all kinds form one list, and section.c
 * judges.  So one that is out of place is still read, and says what it is. */
%require "3.7"
%define api.pure full
%define api.prefix {policy_}
%define api.token.prefix {TOK_}
%define api.location.type {struct loc}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {struct parse *p}

%code requires {
#include "parser/internal.h"
}

%code {
#include <string.h>

/* Nesting is limited to PARSE_MAX_DEPTH, each level of which takes at most ten
 * places: the stack is never what ends first. */
#define YYMAXDEPTH 10000

#define YYLLOC_DEFAULT(now, rhs, n) \
	((now).begin = (n) ? YYRHSLOC(rhs, 1).begin : YYRHSLOC(rhs, 0).end, (now).end = YYRHSLOC(rhs, n).end)

static int policy_lex(POLICY_STYPE *value, struct loc *loc, struct parse *p)
{
	return lexer_next(p->lexer, &value->token, loc);
}

/* Errors come through yyreport_syntax_error(). */
static void policy_error(const struct loc *loc, struct parse *p, const char *text)
{
	diag_error(p->diags, "syntax", *loc, "%s", text);
}

/* What the words of rules stand for in the AST. */
enum { SOURCE = 1, TARGET = 2 };

#define RECOVER(nframes, error) \
	do { \
		if (!recover(p, nframes, error, &yychar, &yylval.token, &yylloc)) \
			YYABORT; \
		yyerrok; \
	} while (0)
}

%union {
	union token_value token;
	uint32_t number;
	bool flag;
	struct ast_name name;
	struct ast_names names;
	struct ast_level_expr level;
}

 /* In the order of lexer/tokens.def. */
%token COMMON "common"
%token CLASS "class"
%token CONSTRAIN "constrain"
%token VALIDATETRANS "validatetrans"
%token INHERITS "inherits"
%token SID "sid"
%token ROLE "role"
%token ROLES "roles"
%token ROLEATTRIBUTE "roleattribute"
%token ATTRIBUTE_ROLE "attribute_role"
%token TYPES "types"
%token TYPEALIAS "typealias"
%token TYPEATTRIBUTE "typeattribute"
%token TYPEBOUNDS "typebounds"
%token TYPE "type"
%token BOOL "bool"
%token TUNABLE "tunable"
%token IF "if"
%token ELSE "else"
%token ALIAS "alias"
%token ATTRIBUTE "attribute"
%token EXPANDATTRIBUTE "expandattribute"
%token TYPE_TRANSITION "type_transition"
%token TYPE_MEMBER "type_member"
%token TYPE_CHANGE "type_change"
%token ROLE_TRANSITION "role_transition"
%token RANGE_TRANSITION "range_transition"
%token SENSITIVITY "sensitivity"
%token DOMINANCE "dominance"
%token CATEGORY "category"
%token LEVEL "level"
%token RANGE "range"
%token MLSCONSTRAIN "mlsconstrain"
%token MLSVALIDATETRANS "mlsvalidatetrans"
%token USER "user"
%token NEVERALLOW "neverallow"
%token ALLOW "allow"
%token AUDITALLOW "auditallow"
%token AUDITDENY "auditdeny"
%token DONTAUDIT "dontaudit"
%token ALLOWXPERM "allowxperm"
%token AUDITALLOWXPERM "auditallowxperm"
%token DONTAUDITXPERM "dontauditxperm"
%token NEVERALLOWXPERM "neverallowxperm"
%token SOURCE "source"
%token TARGET "target"
%token SAMEUSER "sameuser"
%token MODULE "module"
%token REQUIRE "require"
%token OPTIONAL "optional"
%token OR "or"
%token AND "and"
%token NOT "not"
%token XOR "xor"
%token EQ "eq"
%token TRUE "true"
%token FALSE "false"
%token DOM "dom"
%token DOMBY "domby"
%token INCOMP "incomp"
%token IBPKEYCON "ibpkeycon"
%token IBENDPORTCON "ibendportcon"
%token PORTCON "portcon"
%token NETIFCON "netifcon"
%token NODECON "nodecon"
%token PIRQCON "pirqcon"
%token IOMEMCON "iomemcon"
%token IOPORTCON "ioportcon"
%token PCIDEVICECON "pcidevicecon"
%token DEVICETREECON "devicetreecon"
%token FS_USE_XATTR "fs_use_xattr"
%token FS_USE_TASK "fs_use_task"
%token FS_USE_TRANS "fs_use_trans"
%token GENFSCON "genfscon"
%token R1 "r1"
%token R2 "r2"
%token R3 "r3"
%token U1 "u1"
%token U2 "u2"
%token U3 "u3"
%token T1 "t1"
%token T2 "t2"
%token T3 "t3"
%token L1 "l1"
%token L2 "l2"
%token H1 "h1"
%token H2 "h2"
%token POLICYCAP "policycap"
%token PERMISSIVE "permissive"
%token NEVERAUDIT "neveraudit"
%token DEFAULT_USER "default_user"
%token DEFAULT_ROLE "default_role"
%token DEFAULT_TYPE "default_type"
%token DEFAULT_RANGE "default_range"
%token LOW_HIGH "low-high"
%token HIGH "high"
%token LOW "low"
%token GLBLUB "glblub"
%token <token.atom> PATH "a path"
%token <token.atom> QPATH "a quoted path"
%token <token.atom> FILENAME "a quoted file name"
%token <token.atom> IDENTIFIER "a name"
%token <token.number> NUMBER "a number"
%token <token.atom> FILESYSTEM "a file system name"
%token <token.atom> IPV4_CIDR "an IPv4 network"
%token <token.atom> IPV4_ADDR "an IPv4 address"
%token <token.atom> IPV6_ADDR "an IPv6 address"
%token <token.atom> IPV6_CIDR "an IPv6 network"
%token <token.atom> VERSION "a version"
%token <token.atom> NETIFNAME "an interface name"
%token EQUAL "=="
%token NOTEQUAL "!="

%type <number> stmts boolean side which av_kind xperm_kind number operand comparison
%type <flag> xperms constrain validatetrans
%type <name> fsname path ifname
%type <names> names braced_ids ids_by_comma aliases attrs cnames
%type <level> level

%left OR
%left XOR
%left AND
%precedence NOT
%left EQ EQUAL NOTEQUAL

%%

policy:
  stmts                         { end_of_policy(p); }
;

stmts:
  %empty                        { $$ = p->frames.n; }
| stmts stmt
| stmts error                   { p->in_require = false; RECOVER($1, @2); }
;

stmt:
  ';'                           { place_statement(p, ST_EMPTY, @$); }
| CLASS IDENTIFIER              { add_class(p, @$, name_at($2, @2)); }
| CLASS IDENTIFIER braced_ids   { add_av(p, @$, name_at($2, @2), no_name, $3); }
| CLASS IDENTIFIER INHERITS IDENTIFIER
                                { add_av(p, @$, name_at($2, @2), name_at($4, @4), no_names); }
| CLASS IDENTIFIER INHERITS IDENTIFIER braced_ids
                                { add_av(p, @$, name_at($2, @2), name_at($4, @4), $5); }
| SID IDENTIFIER                { add_sid(p, @$, name_at($2, @2)); }
| COMMON IDENTIFIER braced_ids  { add_common(p, @$, name_at($2, @2), $3); }

| DEFAULT_USER names side ';'   { add_default(p, @$, AST_DEFAULT_USER, $2, $3); }
| DEFAULT_ROLE names side ';'   { add_default(p, @$, AST_DEFAULT_ROLE, $2, $3); }
| DEFAULT_TYPE names side ';'   { add_default(p, @$, AST_DEFAULT_TYPE, $2, $3); }
| DEFAULT_RANGE names side which ';'
                                { add_default(p, @$, AST_DEFAULT_RANGE, $2, ($3 - SOURCE) * 3 + $4); }
| DEFAULT_RANGE names GLBLUB ';'
                                { add_default(p, @$, AST_DEFAULT_RANGE, $2, 7); }

| SENSITIVITY IDENTIFIER aliases ';'
                                { add_sensitivity(p, @$, name_at($2, @2), $3); }
| DOMINANCE IDENTIFIER          { add_dominance(p, @$, (struct ast_names){$2, @2.begin}); }
| DOMINANCE braced_ids          { add_dominance(p, @$, $2); }
| CATEGORY IDENTIFIER aliases ';'
                                { add_category(p, @$, name_at($2, @2), $3); }
| LEVEL level ';'               { add_level(p, @$, $2); }
| constrain names names cexpr ';'
                                { add_constraint(p, @$, $1, $2, $3); }
| validatetrans names cexpr ';' { add_validatetrans(p, @$, $1, $2); }

| ATTRIBUTE IDENTIFIER ';'      { add_attribute(p, @$, name_at($2, @2)); }
| TYPE IDENTIFIER aliases attrs ';'
                                { add_type(p, @$, name_at($2, @2), $3, $4); }
| TYPEALIAS IDENTIFIER ALIAS names ';'
                                { add_typealias(p, @$, name_at($2, @2), $4); }
| TYPEATTRIBUTE IDENTIFIER ids_by_comma ';'
                                { add_typeattribute(p, @$, name_at($2, @2), $3); }
| EXPANDATTRIBUTE names boolean ';'
                                { add_expandattribute(p, @$, $2, $3); }
| TYPEBOUNDS IDENTIFIER ids_by_comma ';'
                                { add_typebounds(p, @$, name_at($2, @2), $3); }
| BOOL IDENTIFIER boolean ';'   { add_bool(p, @$, name_at($2, @2), $3, false); }
| TUNABLE IDENTIFIER boolean ';'
                                { add_bool(p, @$, name_at($2, @2), $3, true); }
| PERMISSIVE IDENTIFIER ';'     { add_permissive(p, @$, name_at($2, @2), false); }
| NEVERAUDIT IDENTIFIER ';'     { add_permissive(p, @$, name_at($2, @2), true); }
| POLICYCAP IDENTIFIER ';'      { add_policycap(p, @$, name_at($2, @2)); }

| ALLOW names names ':' names names ';'
                                { add_avrule(p, @$, AST_ALLOW, $2, $3, $5, $6); }
| av_kind names names ':' names names ';'
                                { add_avrule(p, @$, $1, $2, $3, $5, $6); }
| xperm_kind names names ':' names IDENTIFIER xperms ';'
                                { add_xrule(p, @$, $1, $2, $3, $5, name_at($6, @6), $7); }
| TYPE_TRANSITION names names ':' names IDENTIFIER ';'
                                { add_terule(p, @$, AST_TRANSITION, $2, $3, $5, name_at($6, @6), no_name); }
| TYPE_TRANSITION names names ':' names IDENTIFIER FILENAME ';'
                                { add_terule(p, @$, AST_TRANSITION, $2, $3, $5, name_at($6, @6), name_at($7, @7)); }
| TYPE_MEMBER names names ':' names IDENTIFIER ';'
                                { add_terule(p, @$, AST_MEMBER, $2, $3, $5, name_at($6, @6), no_name); }
| TYPE_CHANGE names names ':' names IDENTIFIER ';'
                                { add_terule(p, @$, AST_CHANGE, $2, $3, $5, name_at($6, @6), no_name); }
| RANGE_TRANSITION names names range ';'
                                { add_range_trans(p, @$, $2, $3, no_names); }
| RANGE_TRANSITION names names ':' names range ';'
                                { add_range_trans(p, @$, $2, $3, $5); }

| ATTRIBUTE_ROLE IDENTIFIER ';' { add_attribute_role(p, @$, name_at($2, @2)); }
| ROLE IDENTIFIER attrs ';'     { add_role(p, @$, name_at($2, @2), $3); }
| ROLE IDENTIFIER TYPES names ';'
                                { add_role_types(p, @$, name_at($2, @2), $4); }
| ROLEATTRIBUTE IDENTIFIER ids_by_comma ';'
                                { add_roleattribute(p, @$, name_at($2, @2), $3); }
| ROLE_TRANSITION names names IDENTIFIER ';'
                                { add_role_trans(p, @$, $2, $3, no_names, name_at($4, @4)); }
| ROLE_TRANSITION names names ':' names IDENTIFIER ';'
                                { add_role_trans(p, @$, $2, $3, $5, name_at($6, @6)); }
| ALLOW names names ';'         { add_role_allow(p, @$, $2, $3); }
| USER IDENTIFIER ROLES names ';'
                                { add_user(p, @$, name_at($2, @2), $4, NULL); }
| USER IDENTIFIER ROLES names LEVEL level RANGE range ';'
                                { add_user(p, @$, name_at($2, @2), $4, &$6); }

| if_block
| if_block if_else
| optional_block
| optional_block optional_else
| REQUIRE '{'                   { open_require(p, @1); }
  requirements '}'              { close_require(p, @$); }
| MODULE                        { if (!open_module(p, @1)) YYABORT; }
  IDENTIFIER version ';'        { add_module(p, @$, name_at($3, @3), @4); }

| SID IDENTIFIER context        { add_sid_context(p, @$, name_at($2, @2)); }
| FS_USE_XATTR fsname context ';'
                                { add_fs_use(p, @$, 1, $2); }
| FS_USE_TRANS IDENTIFIER context ';'
                                { add_fs_use(p, @$, 2, name_at($2, @2)); }
| FS_USE_TASK IDENTIFIER context ';'
                                { add_fs_use(p, @$, 3, name_at($2, @2)); }
| GENFSCON fsname path context  { add_genfs(p, @$, $2, $3, no_name); }
| GENFSCON fsname path '-' IDENTIFIER context
                                { add_genfs(p, @$, $2, $3, name_at($5, @5)); }
| GENFSCON fsname path '-' '-' context
                                { add_genfs(p, @$, $2, $3, name_at(p->dash, @5)); }
| PORTCON IDENTIFIER span context
                                { add_port(p, @$, name_at($2, @2)); }
| NETIFCON ifname context context
                                { add_netif(p, @$, $2); }
| NODECON IPV4_ADDR IPV4_ADDR context
                                { add_node(p, @$, false, name_at($2, @2), name_at($3, @3)); }
| NODECON IPV4_CIDR context     { add_node(p, @$, false, name_at($2, @2), no_name); }
| NODECON IPV6_ADDR IPV6_ADDR context
                                { add_node(p, @$, true, name_at($2, @2), name_at($3, @3)); }
| NODECON IPV6_CIDR context     { add_node(p, @$, true, name_at($2, @2), no_name); }
| PIRQCON single context        { add_xen(p, @$, AST_PIRQ, no_name); }
| IOMEMCON span64 context       { add_xen(p, @$, AST_IOMEM, no_name); }
| IOPORTCON span context        { add_xen(p, @$, AST_IOPORT, no_name); }
| PCIDEVICECON single context   { add_xen(p, @$, AST_PCIDEVICE, no_name); }
| DEVICETREECON path context    { add_xen(p, @$, AST_DEVICETREE, $2); }
| IBPKEYCON IPV6_ADDR span context
                                { add_ibpkey(p, @$, name_at($2, @2)); }
| IBENDPORTCON IDENTIFIER single context
                                { add_ibendport(p, @$, name_at($2, @2)); }
;

 /* Names and sets of them. */

names:
  IDENTIFIER                    { $$ = (struct ast_names){$1, @1.begin}; }
| '{' elements '}'              { $$ = item_set(p, @1.begin, false); }
| '*'                           { $$ = star_set(p, @1.begin); }
| '~' IDENTIFIER                { add_item(p, $2); $$ = item_set(p, @1.begin, true); }
| '~' '{' elements '}'          { $$ = item_set(p, @1.begin, true); }
| IDENTIFIER '-' IDENTIFIER     { add_item(p, $1); add_item(p, AST_MINUS | $3); $$ = item_set(p, @1.begin, false); }
;

elements:
  IDENTIFIER                    { add_item(p, $1); }
| '-' IDENTIFIER                { add_item(p, AST_MINUS | $2); }
| nested
| elements IDENTIFIER           { add_item(p, $2); }
| elements '-' IDENTIFIER       { add_item(p, AST_MINUS | $3); }
| elements nested
;

nested:
  '{'                           { if (!nest_in(p, @1)) YYERROR; }
  elements '}'                  { nest_out(p); }
;

braced_ids:
  '{' ids '}'                   { $$ = item_set(p, @1.begin, false); }
;

ids:
  IDENTIFIER                    { add_item(p, $1); }
| ids IDENTIFIER                { add_item(p, $2); }
;

ids_by_comma:
  comma_ids                     { $$ = item_set(p, @1.begin, false); }
;

comma_ids:
  IDENTIFIER                    { add_item(p, $1); }
| comma_ids ',' IDENTIFIER      { add_item(p, $3); }
;

aliases:
  %empty                        { $$ = no_names; }
| ALIAS names                   { $$ = $2; }
;

attrs:
  %empty                        { $$ = no_names; }
| ',' ids_by_comma              { $$ = $2; }
;

 /* Words of rules. */

boolean:
  TRUE                          { $$ = true; }
| FALSE                         { $$ = false; }
;

side:
  SOURCE                        { $$ = SOURCE; }
| TARGET                        { $$ = TARGET; }
;

which:
  LOW                           { $$ = 1; }
| HIGH                          { $$ = 2; }
| LOW_HIGH                      { $$ = 3; }
;

av_kind:
  AUDITALLOW                    { $$ = AST_AUDITALLOW; }
| AUDITDENY                     { $$ = AST_AUDITDENY; }
| DONTAUDIT                     { $$ = AST_DONTAUDIT; }
| NEVERALLOW                    { $$ = AST_NEVERALLOW; }
;

xperm_kind:
  ALLOWXPERM                    { $$ = AST_ALLOW; }
| AUDITALLOWXPERM               { $$ = AST_AUDITALLOW; }
| DONTAUDITXPERM                { $$ = AST_DONTAUDIT; }
| NEVERALLOWXPERM               { $$ = AST_NEVERALLOW; }
;

constrain:
  CONSTRAIN                     { $$ = false; }
| MLSCONSTRAIN                  { $$ = true; }
;

validatetrans:
  VALIDATETRANS                 { $$ = false; }
| MLSVALIDATETRANS              { $$ = true; }
;

 /* Numbers. */

number:
  NUMBER                        { $$ = number32(p, $1, @1); }
;

single:
  number                        { set_span(p, $1, @1, $1, @1); }
;

span:
  number                        { set_span(p, $1, @1, $1, @1); }
| number '-' number             { set_span(p, $1, @1, $3, @3); }
;

span64:
  NUMBER                        { set_span(p, $1, @1, $1, @1); }
| NUMBER '-' NUMBER             { set_span(p, $1, @1, $3, @3); }
;

xperms:
  number                        { $$ = false; add_xrange(p, $1, $1, @1.begin); }
| '{' xranges '}'               { $$ = false; }
| '~' number                    { $$ = true; add_xrange(p, $2, $2, @2.begin); }
| '~' '{' xranges '}'           { $$ = true; }
;

xranges:
  xrange
| xranges xrange
;

xrange:
  number                        { add_xrange(p, $1, $1, @1.begin); }
| number '-' number             { add_xrange(p, $1, $3, @1.begin); }
| '{'                           { if (!nest_in(p, @1)) YYERROR; }
  xranges '}'                   { nest_out(p); }
;

 /* Levels and contexts. */

level:
  IDENTIFIER                    { $$ = (struct ast_level_expr){name_at($1, @1), no_names}; }
| IDENTIFIER ':' ids_by_comma   { $$ = (struct ast_level_expr){name_at($1, @1), $3}; }
;

range:
  level                         { set_range(p, @$, $1, (struct ast_level_expr){no_name, no_names}); }
| level '-' level               { set_range(p, @$, $1, $3); }
;

context:
  IDENTIFIER ':' IDENTIFIER ':' IDENTIFIER
                                { add_context(p, @$, name_at($1, @1), name_at($3, @3), name_at($5, @5), false); }
| IDENTIFIER ':' IDENTIFIER ':' IDENTIFIER ':' range
                                { add_context(p, @$, name_at($1, @1), name_at($3, @3), name_at($5, @5), true); }
;

fsname:
  IDENTIFIER                    { $$ = name_at($1, @1); }
| FILESYSTEM                    { $$ = name_at($1, @1); }
;

path:
  PATH                          { $$ = name_at($1, @1); }
| QPATH                         { $$ = name_at($1, @1); }
;

ifname:
  IDENTIFIER                    { $$ = name_at($1, @1); }
| FILESYSTEM                    { $$ = name_at($1, @1); }
| NETIFNAME                     { $$ = name_at($1, @1); }
;

 /* Conditions, in postfix. */

cond:
  IDENTIFIER                    { add_cond(p, AST_COND_BOOL, name_at($1, @1)); }
| '('                           { if (!nest_in(p, @1)) YYERROR; }
  cond ')'                      { nest_out(p); }
| NOT                           { if (!nest_in(p, @1)) YYERROR; }
  cond %prec NOT                { nest_out(p); add_cond(p, AST_COND_NOT, no_name); }
| cond OR cond                  { add_cond(p, AST_COND_OR, no_name); }
| cond XOR cond                 { add_cond(p, AST_COND_XOR, no_name); }
| cond AND cond                 { add_cond(p, AST_COND_AND, no_name); }
| cond EQ cond                  { add_cond(p, AST_COND_EQ, no_name); }
| cond EQUAL cond               { add_cond(p, AST_COND_EQ, no_name); }
| cond NOTEQUAL cond            { add_cond(p, AST_COND_NE, no_name); }
;

 /* Blocks are rules of their own: an error behind the `}` belongs to the
  * statements around. */

if_block:
  IF cond '{'                   { if (!open_cond(p, @1, @2, @3)) YYERROR; }
  stmts '}'                     { close_block(p, @6); }
;

if_else:
  ELSE '{'                      { if (!open_cond_else(p, @2)) YYERROR; }
  stmts '}'                     { close_block(p, @5); }
;

optional_block:
  OPTIONAL '{'                  { if (!open_optional(p, @1, @2)) YYERROR; }
  stmts '}'                     { close_block(p, @5); }
;

optional_else:
  ELSE '{'                      { if (!open_optional_else(p, @2)) YYERROR; }
  stmts '}'                     { close_block(p, @5); }
;

requirements:
  %empty
| requirements requirement
| requirements error            { p->nrequired++; RECOVER(p->frames.n, @2); }
;

requirement:
  CLASS IDENTIFIER names ';'    { add_require_class(p, name_at($2, @2), $3); }
| require_kind require_names ';'
;

require_kind:
  ROLE                          { p->require_kind = AST_REQUIRE_ROLE; }
| ATTRIBUTE_ROLE                { p->require_kind = AST_REQUIRE_ATTRIBUTE_ROLE; }
| TYPE                          { p->require_kind = AST_REQUIRE_TYPE; }
| ATTRIBUTE                     { p->require_kind = AST_REQUIRE_ATTRIBUTE; }
| USER                          { p->require_kind = AST_REQUIRE_USER; }
| BOOL                          { p->require_kind = AST_REQUIRE_BOOL; }
| TUNABLE                       { p->require_kind = AST_REQUIRE_TUNABLE; }
| SENSITIVITY                   { p->require_kind = AST_REQUIRE_SENSITIVITY; }
| CATEGORY                      { p->require_kind = AST_REQUIRE_CATEGORY; }
;

require_names:
  IDENTIFIER                    { add_require(p, name_at($1, @1)); }
| require_names ',' IDENTIFIER  { add_require(p, name_at($3, @3)); }
;

version:
  VERSION
| NUMBER
| IPV4_ADDR
;

 /* Constraints, in postfix. */

cexpr:
  constraint
| '('                           { if (!nest_in(p, @1)) YYERROR; }
  cexpr ')'                     { nest_out(p); }
| NOT                           { if (!nest_in(p, @1)) YYERROR; }
  cexpr %prec NOT               { nest_out(p); add_cexpr_op(p, AST_CEXPR_NOT, @1); }
| cexpr OR cexpr                { add_cexpr_op(p, AST_CEXPR_OR, @2); }
| cexpr AND cexpr               { add_cexpr_op(p, AST_CEXPR_AND, @2); }
;

constraint:
  operand comparison operand    { add_cexpr_pair(p, @$, $1, $2, $3); }
| operand comparison cnames     { add_cexpr_names(p, @$, $1, $2, $3); }
| SAMEUSER                      { add_cexpr_pair(p, @$, OP_U1, 1, OP_U2); }
| ROLE comparison               { add_cexpr_pair(p, @$, OP_R1, $2, OP_R2); }
| SOURCE ROLE cnames            { add_cexpr_names(p, @$, OP_R1, 1, $3); }
| TARGET ROLE cnames            { add_cexpr_names(p, @$, OP_R2, 1, $3); }
| SOURCE TYPE cnames            { add_cexpr_names(p, @$, OP_T1, 1, $3); }
| TARGET TYPE cnames            { add_cexpr_names(p, @$, OP_T2, 1, $3); }
;

operand:
  U1                            { $$ = OP_U1; }
| U2                            { $$ = OP_U2; }
| U3                            { $$ = OP_U3; }
| R1                            { $$ = OP_R1; }
| R2                            { $$ = OP_R2; }
| R3                            { $$ = OP_R3; }
| T1                            { $$ = OP_T1; }
| T2                            { $$ = OP_T2; }
| T3                            { $$ = OP_T3; }
| L1                            { $$ = OP_L1; }
| L2                            { $$ = OP_L2; }
| H1                            { $$ = OP_H1; }
| H2                            { $$ = OP_H2; }
;

comparison:
  EQ                            { $$ = 1; }
| EQUAL                         { $$ = 1; }
| NOTEQUAL                      { $$ = 2; }
| DOM                           { $$ = 3; }
| DOMBY                         { $$ = 4; }
| INCOMP                        { $$ = 5; }
;

cnames:
  IDENTIFIER                    { $$ = (struct ast_names){$1, @1.begin}; }
| braced_ids
| '*'                           { $$ = star_set(p, @1.begin); }
| '~' IDENTIFIER                { add_item(p, $2); $$ = item_set(p, @1.begin, true); }
| '~' '{' ids '}'               { $$ = item_set(p, @1.begin, true); }
;

%%

#define KEYWORD(name, text) _Static_assert((int)TOK_##name == (int)TOKEN_##name, "tokens in the order of tokens.def");
#define TOKEN(name, text) KEYWORD(name, text)
#include "lexer/tokens.def"
#undef KEYWORD
#undef TOKEN

/* ---- what could have come ---- */

static bool is_among(yysymbol_kind_t symbol, const yysymbol_kind_t *all, int n)
{
	for (int i = 0; i < n; i++) {
		if (all[i] == symbol)
			return true;
	}
	return false;
}

static bool is_comparison(yysymbol_kind_t symbol)
{
	return symbol == YYSYMBOL_EQ || symbol == YYSYMBOL_EQUAL || symbol == YYSYMBOL_NOTEQUAL ||
	       symbol == YYSYMBOL_DOM || symbol == YYSYMBOL_DOMBY || symbol == YYSYMBOL_INCOMP;
}

static bool is_operand(yysymbol_kind_t symbol)
{
	return symbol >= YYSYMBOL_R1 && symbol <= YYSYMBOL_H2;
}

static bool begins_constraint(yysymbol_kind_t symbol)
{
	return is_operand(symbol) || symbol == YYSYMBOL_SAMEUSER || symbol == YYSYMBOL_SOURCE ||
	       symbol == YYSYMBOL_TARGET || symbol == YYSYMBOL_ROLE || symbol == YYSYMBOL_NOT ||
	       symbol == YYTRANSLATE('(');
}

static bool begins_set(yysymbol_kind_t symbol)
{
	return symbol == YYTRANSLATE('{') || symbol == YYTRANSLATE('~') || symbol == YYTRANSLATE('*');
}

/* Whether one of the general words says it already. */
static bool is_covered(const struct expected *e, yysymbol_kind_t symbol)
{
	return symbol == YYSYMBOL_YYEOF || symbol == YYSYMBOL_YYerror || symbol == YYSYMBOL_IDENTIFIER ||
	       (e->statement && symbol != YYTRANSLATE('}') && symbol != YYSYMBOL_ELSE) ||
	       (e->set && (begins_set(symbol) || is_operand(symbol))) ||
	       (e->comparison && is_comparison(symbol)) || (e->constraint && begins_constraint(symbol));
}

static void add_other(struct expected *e, yysymbol_kind_t symbol)
{
	const char *name = yysymbol_name(symbol);
	bool is_character = *name == '\'';

	if (e->nothers == MAX_EXPECTED)
		return;
	e->others[e->nothers].text = name + is_character;
	e->others[e->nothers].len = is_character ? 1 : (int)strlen(name);
	e->others[e->nothers++].quote = symbol < YYSYMBOL_PATH || symbol > YYSYMBOL_NETIFNAME;
}

static void describe(struct expected *e, const yysymbol_kind_t *all, int n)
{
	*e = (struct expected){
		.statement = is_among(YYSYMBOL_AUDITDENY, all, n),
		.name = is_among(YYSYMBOL_IDENTIFIER, all, n),
		.comparison = is_among(YYSYMBOL_DOM, all, n),
		.constraint = is_among(YYSYMBOL_SAMEUSER, all, n),
	};
	e->set = e->name && is_among(YYTRANSLATE('*'), all, n);
	e->xperm = is_among(YYSYMBOL_NUMBER, all, n) && is_among(YYTRANSLATE('{'), all, n);
	for (int i = 0; i < n; i++) {
		if (!is_covered(e, all[i]))
			add_other(e, all[i]);
	}
}

/* The number of a token; those of its symbols run along. */
static int token_of(yysymbol_kind_t symbol)
{
	if (symbol == YYSYMBOL_YYUNDEF)
		return TOKEN_BEFORE_FIRST;
	if (symbol >= YYSYMBOL_COMMON && symbol <= YYSYMBOL_NOTEQUAL)
		return TOK_COMMON + (symbol - YYSYMBOL_COMMON);
	return symbol > YYSYMBOL_NOTEQUAL ? yysymbol_name(symbol)[1] : TOKEN_EOF;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parse *p)
{
	yysymbol_kind_t all[YYNTOKENS];
	struct expected expected;
	int n = 0;

	if (p->diags->errors < DIAG_KEEP) /* else it is only counted */
		n = yypcontext_expected_tokens(context, all, YYNTOKENS);
	describe(&expected, all, n > 0 ? n : 0);
	report_unexpected(p, token_of(yypcontext_token(context)), *yypcontext_location(context), &expected);
	return 0;
}

void parse_file(struct parse *p)
{
	policy_parse(p);
}
