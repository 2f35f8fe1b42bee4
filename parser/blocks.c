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
		.module = p->ast->modules.n - 1,
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
	if (is_cond_frame(&frame)) {
		p->closed = ast_cond_of(frame.place);
		p->ast->conds.at[p->closed].loc.end = brace.end;
		return;
	}
	p->closed = frame.block;
	p->ast->blocks.at[frame.block].loc.end = brace.end;
	if (!frame.nstatements && p->form != PARSE_IMAGE)
		diag_error(p->diags, "syntax", (struct loc){frame.open.begin, brace.end},
			   "an optional block has one statement or more");
	else if (frame.kind == FRAME_OPTIONAL)
		check_requires(p, frame.block, frame.open);
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
	if (!p->require_here)
		return;
	*vec_push(&p->ast->requires) = (struct ast_require){top_frame(p)->block, kind, name, perms};
	p->ast->blocks.at[top_frame(p)->block].requires = true;
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

bool open_module(struct parse *p, struct loc keyword)
{
	if (top_frame(p)->nstatements || p->in_module)
		return true; /* judged by place_statement() */
	if (p->form != PARSE_POLICY) {
		p->in_module = p->ast->modules.at[p->ast->modules.n - 1].is_module = true;
		return true;
	}
	p->ast->incomplete = true;
	diag_error(p->diags, "module-source", keyword, "this is module source, and a policy or base is wanted");
	diag_hint(p->diags, "module-compile compiles it, and `policy-compile --link BASE MODULE...` links it; what the reference policy "
			    "writes as `policy_module(...)` is left out of monolithic builds");
	return false;
}

/* The version stays what it is in the source: 1.0 is not 1.00. */
void add_module(struct parse *p, struct loc loc, struct ast_name name, struct loc version)
{
	struct ast_module *module = &p->ast->modules.at[p->ast->modules.n - 1];

	if (!place_statement(p, ST_MODULE, loc))
		return;
	module->loc = loc;
	module->name = name;
	module->version = atom_intern(p->atoms, source_text(p->sources, version.begin), version.end - version.begin);
}

/* After errors a requirement may be what was not understood. */
void check_requires(struct parse *p, uint32_t block, struct loc where)
{
	if (!p->in_module || p->form == PARSE_IMAGE || p->ast->blocks.at[block].requires || p->diags->errors != p->errors)
		return;
	diag_error(p->diags, "no-require", where, "this %s requires nothing",
		   ast_is_root(p->ast, block) ? "module" : "optional block of a module");
	diag_hint(p->diags, "%s: name what it uses and does not declare in `require { ... }`",
		  ast_is_root(p->ast, block) ? "even a module that is complete in itself requires something, such as a class"
					     : "without a requirement it could never be off, and needs to be no optional");
}
