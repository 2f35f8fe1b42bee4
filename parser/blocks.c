/* Blocks, conditionals and requirements: what opens and closes. */
#include "parser/internal.h"

static bool open_frame(struct parse *p, struct frame frame)
{
	if (p->frames.n >= PARSE_MAX_DEPTH) {
		diag_error(p->diags, "nesting-depth", frame.open, "blocks nested more than %d levels deep",
			   PARSE_MAX_DEPTH);
		p->too_deep = true;
		return false;
	}
	*vec_push(&p->frames) = frame;
	return true;
}

/* A branch of an optional; its loc is completed at the `}`. */
static bool open_branch(struct parse *p, enum frame_kind kind, struct loc brace, uint32_t other)
{
	uint32_t block = p->ast->blocks.n;

	if (!open_frame(p, (struct frame){.kind = kind, .block = block, .open = brace}))
		return false;
	*vec_push(&p->ast->blocks) = (struct ast_block){
		.loc = brace,
		.parent = p->frames.at[p->frames.n - 2].block,
		.other = other,
		.is_else = kind == FRAME_ELSE,
	};
	if (other)
		p->ast->blocks.at[other].other = block;
	return true;
}

bool open_optional(struct parse *p, struct loc keyword, struct loc brace)
{
	place_statement(p, ST_TE, keyword);
	return open_branch(p, FRAME_OPTIONAL, brace, 0);
}

bool open_optional_else(struct parse *p, struct loc brace)
{
	return open_branch(p, FRAME_ELSE, brace, p->closed);
}

bool open_cond(struct parse *p, struct loc keyword, struct loc expr, struct loc brace)
{
	uint32_t block = top_frame(p)->block, cond = p->ast->conds.n;

	place_statement(p, ST_TE, keyword);
	if (!open_frame(p, (struct frame){
				   .kind = FRAME_COND,
				   .block = block,
				   .place = ast_in_cond(cond, false),
				   .open = brace,
			   }))
		return false;
	*vec_push(&p->ast->conds) = (struct ast_cond){
		.loc = keyword,
		.expr_loc = expr,
		.block = block,
		.expr = arena_copy(&p->ast->arena, p->cond.at, p->cond.n * sizeof *p->cond.at),
		.nexpr = p->cond.n,
	};
	p->cond.n = 0;
	return true;
}

bool open_cond_else(struct parse *p, struct loc brace)
{
	return open_frame(p, (struct frame){
				     .kind = FRAME_COND_ELSE,
				     .block = top_frame(p)->block,
				     .place = ast_in_cond(p->closed, true),
				     .open = brace,
			     });
}

void close_block(struct parse *p, struct loc brace)
{
	struct frame frame = *top_frame(p);

	p->frames.n--;
	p->balanced = brace.end;
	if (frame.kind == FRAME_COND || frame.kind == FRAME_COND_ELSE) {
		p->closed = ast_cond_of(frame.place);
		p->ast->conds.at[p->closed].loc.end = brace.end;
		return;
	}
	p->closed = frame.block;
	p->ast->blocks.at[frame.block].loc.end = brace.end;
	if (!frame.nstatements)
		diag_error(p->diags, "syntax", (struct loc){frame.open.begin, brace.end},
			   "an optional block has one statement or more");
}

/* ---- requirements ---- */

void open_require(struct parse *p, struct loc keyword)
{
	p->in_require = true;
	p->require_here = place_statement(p, ST_REQUIRE, keyword);
	p->nrequired = 0;
}

static void push_require(struct parse *p, uint32_t kind, struct ast_name name, struct ast_names perms)
{
	p->nrequired++;
	if (p->require_here)
		*vec_push(&p->ast->requires) = (struct ast_require){top_frame(p)->block, kind, name, perms};
}

void add_require(struct parse *p, struct ast_name name)
{
	push_require(p, p->require_kind, name, no_names);
}

void add_require_class(struct parse *p, struct ast_name name, struct ast_names perms)
{
	push_require(p, AST_REQUIRE_CLASS, name, perms);
}

void close_require(struct parse *p, struct loc loc)
{
	p->in_require = false;
	p->balanced = loc.end;
	if (!p->nrequired)
		diag_error(p->diags, "syntax", loc, "a `require` block has one requirement or more");
}

/* ---- modules ---- */

bool is_module_source(struct parse *p, struct loc keyword)
{
	if (top_frame(p)->nstatements)
		return false;
	p->ast->incomplete = true;
	diag_error(p->diags, "module-source", keyword,
		   "this is module source, and policy-compile takes a monolithic policy");
	diag_hint(p->diags, "the source of a monolithic policy has no `module` statement; the reference policy's `policy_module(...)` leaves it out");
	return true;
}
