/* Errors of syntax: what they say, and how parsing goes on behind them so that
 * one fault is one message. */
#include <stdio.h>
#include <string.h>

#include "parser/internal.h"

/* ---- the text around a place ---- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       c == '.';
}

static const char *text_at(const struct parse *p, uint32_t offset)
{
	return p->source->text + (offset - p->source->base);
}

static bool is_first_on_line(const struct parse *p, uint32_t offset)
{
	const char *at = text_at(p, offset);

	while (at > p->source->text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\f'))
		at--;
	return at == p->source->text || at[-1] == '\n';
}

/* ---- keywords that begin statements ---- */

enum starter { STARTS_NOTHING, STARTS_ALSO, STARTS_ONLY };

static const uint16_t only_starters[] = {
	TOKEN_CONSTRAIN,	TOKEN_VALIDATETRANS,   TOKEN_MLSCONSTRAIN, TOKEN_MLSVALIDATETRANS,
	TOKEN_DEFAULT_USER,	TOKEN_DEFAULT_ROLE,    TOKEN_DEFAULT_TYPE, TOKEN_DEFAULT_RANGE,
	TOKEN_TYPEALIAS,	TOKEN_TYPEATTRIBUTE,   TOKEN_TYPEBOUNDS,   TOKEN_EXPANDATTRIBUTE,
	TOKEN_ROLEATTRIBUTE,	TOKEN_ATTRIBUTE_ROLE,  TOKEN_NEVERAUDIT,   TOKEN_POLICYCAP,
	TOKEN_TYPE_TRANSITION,	TOKEN_TYPE_MEMBER,     TOKEN_TYPE_CHANGE,  TOKEN_ROLE_TRANSITION,
	TOKEN_RANGE_TRANSITION, TOKEN_ALLOW,	       TOKEN_AUDITALLOW,   TOKEN_AUDITDENY,
	TOKEN_DONTAUDIT,	TOKEN_NEVERALLOW,      TOKEN_ALLOWXPERM,   TOKEN_AUDITALLOWXPERM,
	TOKEN_DONTAUDITXPERM,	TOKEN_NEVERALLOWXPERM, TOKEN_FS_USE_XATTR, TOKEN_FS_USE_TASK,
	TOKEN_FS_USE_TRANS,	TOKEN_GENFSCON,	       TOKEN_PORTCON,	   TOKEN_NETIFCON,
	TOKEN_NODECON,		TOKEN_PIRQCON,	       TOKEN_IOMEMCON,	   TOKEN_IOPORTCON,
	TOKEN_PCIDEVICECON,	TOKEN_DEVICETREECON,   TOKEN_IBPKEYCON,	   TOKEN_IBENDPORTCON,
};

/* Words that could as well stand in the middle of a statement, or be meant as
 * names. */
static const uint16_t also_starters[] = {
	TOKEN_CLASS,	 TOKEN_SID,	   TOKEN_COMMON, TOKEN_SENSITIVITY, TOKEN_CATEGORY,  TOKEN_LEVEL,
	TOKEN_DOMINANCE, TOKEN_TYPE,	   TOKEN_ROLE,	 TOKEN_USER,	    TOKEN_ATTRIBUTE, TOKEN_BOOL,
	TOKEN_TUNABLE,	 TOKEN_PERMISSIVE, TOKEN_IF,	 TOKEN_OPTIONAL,    TOKEN_REQUIRE,   TOKEN_MODULE,
};

#define IS_IN(list, token) is_in(list, sizeof(list) / sizeof *(list), token)

static bool is_in(const uint16_t *list, size_t n, int token)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i] == token)
			return true;
	}
	return false;
}

static bool is_keyword(int token)
{
	return token > TOKEN_BEFORE_FIRST && token <= TOKEN_GLBLUB;
}

static enum starter starter(int token)
{
	if (!is_keyword(token))
		return STARTS_NOTHING;
	if (IS_IN(only_starters, token))
		return STARTS_ONLY;
	return IS_IN(also_starters, token) ? STARTS_ALSO : STARTS_NOTHING;
}

/* ---- messages ---- */

enum { TOKEN_SHOWN = 60 };

struct list {
	char *text;
	size_t size, len;
	uint32_t n, of;
};

static void put(struct list *list, const char *text, int len, bool quote)
{
	const char *glue = !list->n ? ", expected " : list->n + 1 < list->of ? ", " : " or ";

	list->n++;
	if (list->len < list->size)
		list->len += (size_t)snprintf(list->text + list->len, list->size - list->len, "%s%s%.*s%s", glue,
					      quote ? "`" : "", len, text, quote ? "`" : "");
}

static void put_word(struct list *list, bool wanted, const char *text)
{
	if (wanted)
		put(list, text, (int)strlen(text), false);
}

/* ", expected ..." or nothing, when that would be a long list. */
static void describe_expected(const struct expected *e, char *text, size_t size)
{
	uint32_t general = (uint32_t)e->statement + e->name + e->comparison + e->constraint;
	struct list list = {text, size, 0, 0, general + e->nothers};

	text[0] = '\0';
	if (list.of >= MAX_EXPECTED)
		return;
	put_word(&list, e->statement, "a statement");
	put_word(&list, e->name, e->set ? "a name or a set" : "a name");
	put_word(&list, e->comparison, "a comparison");
	put_word(&list, e->constraint, "a constraint");
	for (uint32_t i = 0; i < e->nothers; i++)
		put(&list, e->others[i].text, e->others[i].len, e->others[i].quote);
}

static void report_token(struct parse *p, int token, struct loc loc, const char *expected)
{
	uint32_t len = loc.end - loc.begin;

	if (token == TOKEN_EOF) {
		diag_error(p->diags, "syntax", loc, "unexpected end of file%s", expected);
		if (p->frames.n > 1)
			diag_note(p->diags, top_frame(p)->open, "the block that is open here has no end");
		return;
	}
	diag_error(p->diags, "syntax", loc, "unexpected `%.*s%s`%s", (int)(len > TOKEN_SHOWN ? TOKEN_SHOWN : len),
		   text_at(p, loc.begin), len > TOKEN_SHOWN ? "..." : "", expected);
}

/* Whether the word before is a number. */
static bool follows_number(const struct parse *p, struct loc loc)
{
	const char *end = text_at(p, loc.begin), *begin = end;

	while (begin > p->source->text && begin[-1] != '-' && is_word(begin[-1]))
		begin--;
	return begin < end && *begin >= '0' && *begin <= '9';
}

/* For what is wrong in a way that is known. */
static void hint_token(struct parse *p, int token, struct loc loc, const struct expected *expected)
{
	const char *hint = NULL;

	if (token == TOKEN_IPV6_ADDR || token == TOKEN_IPV6_CIDR || token == TOKEN_BEFORE_FIRST)
		hint = "this reads as an IPv6 address: put spaces around the colons of a context or class";
	else if (token == TOKEN_NETIFNAME)
		hint = "this reads as the name of a network interface: put a space before `*`";
	else if (token == TOKEN_ELSE && expected->statement)
		hint = "`else` stands directly behind the block of an `optional` or `if`";
	else if (token == '-' && !expected->name && follows_number(p, loc))
		hint = "a range of numbers stands in braces, like `{ 1-5 }`";
	else if (token == '*' && expected->xperm)
		hint = "all numbers are `{ 0-0xffff }`; where no rule names any, the permission itself covers all";
	else if (token == TOKEN_IDENTIFIER && expected->xperm)
		hint = "the language has no names for these numbers: write the value, or define a macro of m4 for it";
	if (hint)
		diag_hint(p->diags, "%s", hint);
}

static void report_macro(struct parse *p, struct loc loc)
{
	diag_error(p->diags, "unexpanded-macro", loc, "`%.*s(...)` looks like a macro call that was not expanded",
		   (int)(loc.end - loc.begin), text_at(p, loc.begin));
	diag_hint(p->diags, "is the interface or macro defined, and is its file on the command line of m4?");
}

/* The word before a parenthesis, when it begins a line: for `sid a` and the
 * like, a macro call in the next line looks like the rest of the statement. */
static bool find_call(const struct parse *p, struct loc paren, struct loc *ret_name)
{
	const char *end = text_at(p, paren.begin), *begin;

	while (end > p->source->text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (begin = end; begin > p->source->text && is_word(begin[-1]);)
		begin--;
	ret_name->begin = p->source->base + (uint32_t)(begin - p->source->text);
	ret_name->end = p->source->base + (uint32_t)(end - p->source->text);
	return begin < end && is_first_on_line(p, ret_name->begin) &&
	       atom_find(p->atoms, begin, (size_t)(end - begin)) > 2 * (TOKEN_GLBLUB - TOKEN_BEFORE_FIRST);
}

/* The colon is the token in hand: the byte behind it is put back for a moment. */
static void hint_range(struct parse *p, struct loc word, const char *dash, struct loc colon)
{
	uint32_t at = word.begin + (uint32_t)(dash - text_at(p, word.begin));
	char *behind = p->source->text + (colon.end - p->source->base), now = *behind, text[160];

	if (!now)
		*behind = lexer_held_byte(p->lexer);
	ast_spaced_range(p->sources, word.begin, at, true, text, sizeof text);
	*behind = now;
	diag_hint(p->diags, "the dash of a range stands between spaces: write `%s`", text);
}

/* `c0-s2:c1`: the word before the colon is meant as the middle of a range. */
static bool report_glued_range(struct parse *p, struct loc colon)
{
	const char *end = text_at(p, colon.begin), *begin = end, *dash;
	struct loc loc;

	while (begin > p->source->text && is_word(begin[-1]))
		begin--;
	dash = memchr(begin, '-', (size_t)(end - begin));
	if (!dash || dash == begin || dash + 1 == end)
		return false;
	loc = (struct loc){colon.begin - (uint32_t)(end - begin), colon.begin};
	diag_error(p->diags, "syntax", loc, "`%.*s` is one name, and no `:` can follow it here", (int)(end - begin),
		   begin);
	hint_range(p, loc, dash, colon);
	return true;
}

void report_unexpected(struct parse *p, int token, struct loc loc, const struct expected *expected)
{
	char text[256];
	struct loc name;

	p->at_macro = token == TOKEN_IDENTIFIER && expected->statement;
	if (p->at_macro)
		return; /* until the next token is known */
	if (token == '(' && find_call(p, loc, &name)) {
		report_macro(p, name);
		return;
	}
	if (token == ':' && report_glued_range(p, loc))
		return;
	if (is_keyword(token) && expected->name && !(starter(token) && is_first_on_line(p, loc.begin))) {
		report_keyword(p, token, loc);
		return;
	}
	describe_expected(expected, text, sizeof text);
	report_token(p, token, loc, text);
	hint_token(p, token, loc, expected);
}

/* ---- going on ---- */

struct skip {
	struct parse *p;
	int token; /* the lookahead */
	union token_value *value;
	struct loc *loc;
	uint32_t before;       /* braces open in the part before the error */
	uint32_t blocks, sets; /* opened since; sets are the inner ones */
	bool after_brace;      /* the last token was `{`, not known of which kind */
};

static void advance(struct skip *s)
{
	if (s->token == TOKEN_IDENTIFIER)
		*vec_push(&s->p->ast->skipped_names) = s->value->atom;
	s->token = lexer_next(s->p->lexer, s->value, s->loc);
}

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

/* The part of the statement before the error: its names, and how many braces
 * are open.  All braces before p->balanced are closed. */
static uint32_t read_back(struct parse *p, uint32_t from, uint32_t to)
{
	const char *at, *end = text_at(p, to);
	uint32_t open = 0;

	for (at = text_at(p, from > p->balanced ? from : p->balanced); at < end; at++) {
		const char *word = at;

		if (*at == '#') {
			at = line_end(at, end);
		} else if (*at == '"') {
			const char *quote = memchr(at + 1, '"', (size_t)(line_end(at + 1, end) - at - 1));

			at = quote ? quote : at;
		} else if (*at == '{') {
			open++;
		} else if (*at == '}') {
			open -= open > 0;
		} else if (is_word(*at) && *at != '-') {
			atom_t atom;

			while (at + 1 < end && is_word(at[1]))
				at++;
			atom = atom_find(p->atoms, word, (size_t)(at + 1 - word));
			if (atom)
				*vec_push(&p->ast->skipped_names) = atom;
		}
	}
	return open;
}

/* Whether parsing can go on at the lookahead. */
static bool can_resume(const struct skip *s)
{
	enum starter starts = starter(s->token);
	bool first;

	if (!starts || s->blocks)
		return false;
	first = is_first_on_line(s->p, s->loc->begin);
	if (s->before || s->sets)
		return first && starts == STARTS_ONLY; /* a set that was not closed */
	return first || starts == STARTS_ONLY;
}

/* `}`: whether the list of statements ends here. */
static bool close_brace(struct skip *s)
{
	if (s->sets)
		s->sets--;
	else if (s->blocks)
		s->blocks--;
	else if (s->before)
		s->before--;
	else
		return true;
	return false;
}

/* To the end of the statement; may_stop: the lookahead itself may be where to
 * go on. */
static void skip_statement(struct skip *s, bool may_stop)
{
	for (;; advance(s), may_stop = true) {
		if (s->after_brace) {
			bool block = starter(s->token) || s->token == ';' || s->token == '}';

			if (block)
				s->blocks++;
			else
				s->sets++;
			s->after_brace = false;
		}
		if (s->token == TOKEN_EOF || (may_stop && can_resume(s)))
			return;
		if (s->token == '{')
			s->after_brace = true;
		if (s->token == ';' && !s->blocks) {
			advance(s);
			return;
		}
		if (s->token == ';')
			s->sets = 0;
		if (s->token == '}' && close_brace(s)) {
			if (s->p->frames.n == 1 && !s->p->in_require)
				advance(s);
			return;
		}
	}
}

/* From `(` to behind the `)`, and a `;` there. */
static void skip_call(struct skip *s)
{
	uint32_t open = 0;

	do {
		open += s->token == '(';
		open -= s->token == ')';
		advance(s);
		if (starter(s->token) == STARTS_ONLY && is_first_on_line(s->p, s->loc->begin))
			return;
	} while (open && s->token != TOKEN_EOF);
	if (s->token == ';')
		advance(s);
}

/* An identifier where a statement begins: what it is shows the next token. */
static void skip_identifier(struct skip *s)
{
	struct loc name = *s->loc;
	struct expected expected = {.statement = true};
	char text[64];

	advance(s);
	if (s->token == '(') {
		report_macro(s->p, name);
		skip_call(s);
	} else {
		describe_expected(&expected, text, sizeof text);
		report_token(s->p, TOKEN_IDENTIFIER, name, text);
		hint_keyword(s->p, name);
		skip_statement(s, true);
	}
}

void forget_parts(struct parse *p)
{
	p->items.n = p->cexpr.n = p->cond.n = p->xranges.n = 0;
	p->ncontexts = 0;
	p->nest = 0;
}

bool recover(struct parse *p, uint32_t nframes, struct loc error, int *token, union token_value *value, struct loc *loc)
{
	struct skip s = {.p = p, .token = *token, .value = value, .loc = loc};
	bool had_token = *token >= 0;
	struct loc call;

	if (*token == TOKEN_EOF)
		return false;
	forget_parts(p);
	p->frames.n = nframes;
	p->order.skipped = true;
	top_frame(p)->nstatements++;
	s.before = read_back(p, error.begin, had_token ? loc->begin : loc->end);
	if (p->too_deep) { /* what was opened last is a block */
		s.before = 0;
		s.blocks = 1;
		p->too_deep = false;
	}
	if (!had_token)
		advance(&s);
	if (p->at_macro)
		skip_identifier(&s);
	else if (s.token == '(' && find_call(p, *loc, &call))
		skip_call(&s);
	else
		skip_statement(&s, loc->begin != p->resumed);
	p->at_macro = false;
	p->resumed = loc->begin;
	*token = s.token;
	return true;
}
