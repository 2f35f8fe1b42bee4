/* Where statements may stand: the order of the sections (language.md 5.1), and
 * what blocks and conditionals may hold (6.3). */
#include <stdio.h>
#include <string.h>

#include "parser/internal.h"

static const struct {
	enum section section;
	bool in_block, in_cond; /* in optional blocks, in conditionals */
} statements[] = {
	[ST_CLASS] = {SECTION_CLASS, false, false},
	[ST_SID] = {SECTION_SID, false, false},
	[ST_COMMON] = {SECTION_COMMON, false, false},
	[ST_AV] = {SECTION_AV, false, false},
	[ST_DEFAULT] = {SECTION_DEFAULT, false, false},
	[ST_SENSITIVITY] = {SECTION_SENSITIVITY, false, false},
	[ST_DOMINANCE] = {SECTION_DOMINANCE, false, false},
	[ST_CATEGORY] = {SECTION_CATEGORY, false, false},
	[ST_LEVEL] = {SECTION_LEVEL, false, false},
	[ST_MLSCONSTRAIN] = {SECTION_MLSCONSTRAIN, false, false},
	[ST_TE] = {SECTION_TE, true, false},
	[ST_RULE] = {SECTION_TE, true, true},
	[ST_FILENAME] = {SECTION_TE, true, false},
	[ST_POLICYCAP] = {SECTION_TE, false, false},
	[ST_EMPTY] = {SECTION_TE, true, false},
	[ST_USER] = {SECTION_USER, true, false},
	[ST_CONSTRAIN] = {SECTION_CONSTRAIN, false, false},
	[ST_SID_CONTEXT] = {SECTION_SID_CONTEXT, false, false},
	[ST_FS_USE] = {SECTION_FS_USE, false, false},
	[ST_GENFS] = {SECTION_GENFS, false, false},
	[ST_PORT] = {SECTION_PORT, false, false},
	[ST_NETIF] = {SECTION_NETIF, false, false},
	[ST_NODE] = {SECTION_NODE, false, false},
	[ST_XEN] = {SECTION_XEN, false, false},
	[ST_IBPKEY] = {SECTION_IBPKEY, false, false},
	[ST_IBENDPORT] = {SECTION_IBENDPORT, false, false},
	[ST_REQUIRE] = {SECTION_NONE, true, true},
	[ST_MODULE] = {SECTION_NONE, false, false},
};

static const struct {
	const char *title;
	bool required;
} sections[] = {
	[SECTION_CLASS] = {"class declarations", true},
	[SECTION_SID] = {"initial SID declarations", true},
	[SECTION_COMMON] = {"commons", false},
	[SECTION_AV] = {"access vectors", true},
	[SECTION_DEFAULT] = {"default rules", false},
	[SECTION_SENSITIVITY] = {"sensitivities", false},
	[SECTION_DOMINANCE] = {"dominance statements", false},
	[SECTION_CATEGORY] = {"categories", false},
	[SECTION_LEVEL] = {"levels", false},
	[SECTION_MLSCONSTRAIN] = {"MLS constraints", false},
	[SECTION_TE] = {"type enforcement and role statements", true},
	[SECTION_USER] = {"users", true},
	[SECTION_CONSTRAIN] = {"constraints", false},
	[SECTION_SID_CONTEXT] = {"initial SID contexts", true},
	[SECTION_FS_USE] = {"fs_use statements", false},
	[SECTION_GENFS] = {"genfscon statements", false},
	[SECTION_PORT] = {"portcon statements", false},
	[SECTION_NETIF] = {"netifcon statements", false},
	[SECTION_NODE] = {"nodecon statements", false},
	[SECTION_XEN] = {"Xen device contexts", false},
	[SECTION_IBPKEY] = {"ibpkeycon statements", false},
	[SECTION_IBENDPORT] = {"ibendportcon statements", false},
};

/* The statement as people call it: its first word. */
static int keyword_len(const struct parse *p, struct loc loc)
{
	const char *text = source_text(p->sources, loc.begin);

	return (int)(*text == ';' ? 1
				  : strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"));
}

#define KEYWORD_FMT "`%.*s`"
#define KEYWORD_ARGS(p, loc) keyword_len(p, loc), source_text((p)->sources, (loc).begin)

/* ---- the order of sections ---- */

#define BIT(section) (1u << (section))

_Static_assert(SECTION_END <= 32, "sections fit a word");

static const uint32_t mls_sections = BIT(SECTION_SENSITIVITY) | BIT(SECTION_DOMINANCE) | BIT(SECTION_CATEGORY) |
				     BIT(SECTION_LEVEL) | BIT(SECTION_MLSCONSTRAIN);

/* The sections that must come between the present one and the next. */
static uint32_t find_missing(const struct order *order, enum section next)
{
	bool mls = (order->seen | BIT(next)) & mls_sections;
	uint32_t missing = 0;

	for (enum section s = order->now + 1; s < next; s++) {
		if (sections[s].required || (mls && s != SECTION_CATEGORY && (mls_sections & BIT(s))))
			missing |= BIT(s);
	}
	return missing & ~order->seen & ~order->missed;
}

/* A source that is put together from files has marks where they begin. */
static void hint_no_modules(struct parse *p, struct loc loc)
{
	const char *text = p->source->text;
	bool marked = memmem(text, loc.begin - p->source->base, "\n#line ", 7) || !strncmp(text, "#line ", 6);

	diag_hint(p->diags, "types, roles and rules stand there%s",
		  marked ? ": no module file has contributed any to this policy" : ", and a policy without any is refused");
}

static void report_missing(struct parse *p, struct loc loc, enum section next, uint32_t missing)
{
	char list[512] = "";
	size_t len = 0;

	for (enum section s = SECTION_CLASS; s < SECTION_END && len < sizeof list; s++) {
		bool last = !(missing >> 1 >> s);

		if (missing & BIT(s))
			len += (size_t)snprintf(list + len, sizeof list - len, "%sno %s",
						!len   ? ""
						: last ? " and "
						       : ", ",
						sections[s].title);
	}
	p->ast->incomplete = true;
	if (next == SECTION_END)
		diag_error(p->diags, "missing-section", loc, "the policy ends with %s", list);
	else
		diag_error(p->diags, "missing-section", loc, "%s before the %s", list, sections[next].title);
	if (missing == BIT(SECTION_TE))
		hint_no_modules(p, loc);
	if (missing & mls_sections)
		diag_hint(p->diags, "the MLS part is whole or absent: sensitivities, dominance, categories, levels, "
				    "MLS constraints");
}

static void begin_section(struct parse *p, enum section section, struct loc loc)
{
	p->order.now = section;
	p->order.begin = loc;
	p->order.seen |= BIT(section);
	p->order.skipped = false;
}

static bool report_stray(struct parse *p, struct loc loc)
{
	p->order.skipped = true;
	diag_error(p->diags, "syntax", loc, "stray `;`");
	diag_hint(p->diags, "an empty statement can stand only among %s", sections[SECTION_TE].title);
	return false;
}

/* A run of statements out of order is one fault. */
static bool report_order(struct parse *p, enum section section, struct loc loc)
{
	enum section now = p->order.now;
	bool known = p->order.wrong == section;

	p->order.wrong = section;
	if (known)
		return false;
	diag_error(p->diags, "section-order", loc, KEYWORD_FMT " is out of place: %s come before %s",
		   KEYWORD_ARGS(p, loc), sections[section].title, sections[now].title);
	diag_note(p->diags, p->order.begin, "%s begin here", sections[now].title);
	return false;
}

/* What it came before is there after all. */
static void report_early(struct parse *p, enum section section, struct loc loc)
{
	struct early *early = &p->order.early;

	diag_error(p->diags, "section-order", early->loc, KEYWORD_FMT " is out of place: %s come after %s",
		   KEYWORD_ARGS(p, early->loc), sections[early->section].title, sections[section].title);
	diag_note(p->diags, loc, "%s go on here", sections[section].title);
	p->order.now = early->before;
	p->order.missed &= ~early->missing;
	early->is_set = false;
}

/* A lone `;` may be the first statement of type enforcement: that is known
 * only when the next one comes. */
static bool place_empty(struct parse *p, struct loc loc)
{
	enum section before = p->order.now;

	if (before == SECTION_TE)
		return true;
	if (before > SECTION_TE || find_missing(&p->order, SECTION_TE))
		return report_stray(p, loc);
	begin_section(p, SECTION_TE, loc);
	p->order.only_empty = true;
	p->order.before_empty = before;
	return true;
}

static void enter_section(struct parse *p, enum section section, struct loc loc)
{
	struct order *order = &p->order;
	uint32_t missing = order->skipped ? 0 : find_missing(order, section);

	order->missed |= missing;
	if (order->early.is_set && (order->early.missing & mls_sections))
		missing &= ~mls_sections; /* it is known that the part is not whole */
	if (missing && !order->early.is_set)
		order->early = (struct early){true, loc, section, order->now, missing};
	else if (missing)
		report_missing(p, loc, section, missing);
	begin_section(p, section, loc);
}

static bool place_in_section(struct parse *p, enum section section, struct loc loc)
{
	struct order *order = &p->order;

	if (order->only_empty && section < SECTION_TE) {
		report_stray(p, order->begin);
		order->seen &= ~BIT(SECTION_TE);
		order->now = order->before_empty;
	}
	order->only_empty = false;
	if (section < order->now && order->early.is_set && section >= order->early.before)
		report_early(p, section, loc);
	if (section < order->now)
		return report_order(p, section, loc);
	order->wrong = SECTION_NONE;
	if (section == SECTION_DOMINANCE && order->now == section) {
		diag_error(p->diags, "section-order", loc, "a second " KEYWORD_FMT " statement", KEYWORD_ARGS(p, loc));
		diag_note(p->diags, order->begin, "the first one is here");
		return false;
	}
	if (section > order->now)
		enter_section(p, section, loc);
	return true;
}

/* What the file should have begun with is all that can be said. */
static void report_no_module(struct parse *p, struct loc loc)
{
	p->in_module = true;
	p->ast->incomplete = true;
	p->frames.at[0].misplaced = true; /* and so is all the rest */
	diag_error(p->diags, "module-source", loc, "this is no module source: it does not begin with `module NAME VERSION;`");
	diag_hint(p->diags, "a base is compiled without -m, and is the first of what is linked");
}

static void end_of_module(struct parse *p)
{
	uint32_t module = p->ast->modules.n - 1;

	check_requires(p, p->ast->modules.at[module].root, p->ast->modules.at[module].loc);
}

void end_of_policy(struct parse *p)
{
	uint32_t end = p->source->base + p->source->size, missing;

	if (p->form == PARSE_MODULE && !p->in_module)
		report_no_module(p, (struct loc){end, end});
	if (p->in_module) {
		end_of_module(p);
		return;
	}
	if (p->order.early.is_set)
		report_missing(p, p->order.early.loc, p->order.early.section, p->order.early.missing);
	missing = p->order.skipped ? 0 : find_missing(&p->order, SECTION_END);
	if (missing)
		report_missing(p, (struct loc){end, end}, SECTION_END, missing);
}

/* ---- blocks and conditionals ---- */

static bool place_in_policy(struct parse *p, enum statement kind, struct loc loc)
{
	if (kind == ST_REQUIRE || kind == ST_MODULE) {
		diag_error(p->diags, "module-source", loc,
			   KEYWORD_FMT "%s stands only in module source, and this is a monolithic policy",
			   KEYWORD_ARGS(p, loc), kind == ST_REQUIRE ? " outside of a block" : "");
		if (kind == ST_MODULE)
			diag_hint(p->diags, "remove the statement; the reference policy writes `policy_module(...)`, which leaves it out of monolithic builds");
		else
			diag_hint(p->diags, "remove it, or put it and what needs it into an optional block");
		return false;
	}
	if (kind == ST_EMPTY)
		return place_empty(p, loc);
	return place_in_section(p, statements[kind].section, loc);
}

/* Once for a block: when its `}` is missing, all the rest of the policy seems to
 * be misplaced. */
static bool report_misplaced(struct parse *p, enum statement kind, struct loc loc, const char *where)
{
	struct frame *frame = top_frame(p);

	if (frame->misplaced)
		return false;
	frame->misplaced = true;
	diag_error(p->diags, "misplaced-statement", loc, KEYWORD_FMT "%s cannot stand in %s", KEYWORD_ARGS(p, loc),
		   kind == ST_FILENAME ? " with a file name" : "", where);
	if (frame->kind != FRAME_TOP)
		diag_note(p->diags, frame->open, "it begins here");
	else
		diag_hint(p->diags, "%s belong to the base; a module names what it uses in `require { ... }`",
			  kind == ST_POLICYCAP ? "policy capabilities" : sections[statements[kind].section].title);
	return false;
}

/* Users are the last statements of a block, and not its first; that of a module
 * begins behind its `module` statement. */
static bool place_in_block(struct parse *p, enum statement kind, struct loc loc)
{
	struct frame *frame = top_frame(p);

	if (!statements[kind].in_block)
		return report_misplaced(p, kind, loc, frame->kind == FRAME_TOP ? "a module" : "an optional block");
	if (kind == ST_USER) {
		frame->saw_user = true;
		if (frame->nstatements == (frame->kind == FRAME_TOP ? 2 : 1)) {
			diag_error(p->diags, "missing-section", loc, "no %s before the users of this block",
				   sections[SECTION_TE].title);
			return false;
		}
		return true;
	}
	if (frame->saw_user) {
		frame->saw_user = false; /* once is enough */
		diag_error(p->diags, "section-order", loc,
			   KEYWORD_FMT " is out of place: users are the last in a block", KEYWORD_ARGS(p, loc));
		return false;
	}
	return true;
}

static bool place_in_module(struct parse *p, enum statement kind, struct loc loc)
{
	if (kind != ST_MODULE)
		return place_in_block(p, kind, loc);
	if (top_frame(p)->nstatements == 1)
		return true;
	diag_error(p->diags, "module-source", loc, "a second `module` statement");
	diag_note(p->diags, p->ast->modules.at[p->ast->modules.n - 1].loc, "the first one is here");
	return false;
}

static bool place_at_top(struct parse *p, enum statement kind, struct loc loc)
{
	if (p->form == PARSE_MODULE && !p->in_module)
		report_no_module(p, loc);
	return p->in_module ? place_in_module(p, kind, loc) : place_in_policy(p, kind, loc);
}

bool keep_statement(struct parse *p, enum statement kind, struct loc loc)
{
	bool kept = statements[kind].in_block || !p->in_module;

	place_statement(p, kind, loc);
	if (!kept)
		forget_parts(p);
	return kept;
}

bool place_statement(struct parse *p, enum statement kind, struct loc loc)
{
	struct frame *frame = top_frame(p);

	frame->nstatements++;
	switch (frame->kind) {
	case FRAME_TOP:
		return place_at_top(p, kind, loc);
	case FRAME_OPTIONAL:
	case FRAME_ELSE:
		return place_in_block(p, kind, loc);
	default:
		return statements[kind].in_cond || report_misplaced(p, kind, loc, "a conditional");
	}
}
