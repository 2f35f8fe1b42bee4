/* Nodes of the AST from what the grammar has read. */
#include <string.h>

#include "parser/internal.h"

/* ---- pieces ---- */

bool nest_in(struct parse *p, struct loc loc)
{
	if (p->frames.n + ++p->nest <= PARSE_MAX_DEPTH)
		return true;
	diag_error(p->diags, "nesting-depth", loc, "nested more than %d levels deep", PARSE_MAX_DEPTH);
	return false;
}

static struct ast_names take(struct parse *p, uint32_t begin, bool star, bool complement)
{
	uint32_t id = ast_set_id(p->ast, p->items.at, p->items.n, star, complement);

	p->items.n = 0;
	return (struct ast_names){id, begin};
}

struct ast_names item_set(struct parse *p, uint32_t begin, bool complement)
{
	return take(p, begin, false, complement);
}

struct ast_names star_set(struct parse *p, uint32_t begin)
{
	return take(p, begin, true, false);
}

uint32_t number32(struct parse *p, uint64_t number, struct loc loc)
{
	if (number <= UINT32_MAX)
		return (uint32_t)number;
	diag_error(p->diags, "number-too-large", loc, "number does not fit 32 bits");
	return 0;
}

void set_span(struct parse *p, uint64_t low, struct loc low_loc, uint64_t high, struct loc high_loc)
{
	p->span = (struct ast_span){low, high, low_loc.begin, high_loc.begin};
}

void set_range(struct parse *p, struct loc loc, struct ast_level_expr low, struct ast_level_expr high)
{
	p->range = (struct ast_range){loc, low, high};
}

void add_context(struct parse *p, struct loc loc, struct ast_name user, struct ast_name role, struct ast_name type,
		 bool has_range)
{
	struct ast_context *context = &p->contexts[p->ncontexts++];

	*context = (struct ast_context){.loc = loc, .user = user, .role = role, .type = type, .has_range = has_range};
	if (has_range)
		context->range = p->range;
}

/* The contexts of a statement are used at its end. */
static struct ast_context take_context(struct parse *p)
{
	p->ncontexts = 0;
	return p->contexts[0];
}

void add_xrange(struct parse *p, uint32_t low, uint32_t high, uint32_t begin)
{
	*vec_push(&p->xranges) = (struct ast_xrange){low, high, begin};
}

void add_cond(struct parse *p, enum ast_cond_kind kind, struct ast_name name)
{
	*vec_push(&p->cond) = (struct ast_cond_expr){kind, name};
}

/* ---- constraint expressions (language.md 6.4, policydb-format.md 5.4) ---- */

enum { USER = 1, ROLE = 2, TYPE = 4, TARGET = 8, XTARGET = 16 };
enum { L1L2 = 32, L1H2 = 64, H1L2 = 128, H1H2 = 256, L1H1 = 512, L2H2 = 1024 };
enum { OP_IS = 1, OP_IS_NOT = 2 };

static const struct {
	const char *text, *what;
	uint16_t attr; /* against names; 0 for levels */
} operands[] = {
	[OP_U1] = {"u1", "user", USER},
	[OP_U2] = {"u2", "user", USER | TARGET},
	[OP_U3] = {"u3", "user", USER | XTARGET},
	[OP_R1] = {"r1", "role", ROLE},
	[OP_R2] = {"r2", "role", ROLE | TARGET},
	[OP_R3] = {"r3", "role", ROLE | XTARGET},
	[OP_T1] = {"t1", "type", TYPE},
	[OP_T2] = {"t2", "type", TYPE | TARGET},
	[OP_T3] = {"t3", "type", TYPE | XTARGET},
	[OP_L1] = {"l1", "level", 0},
	[OP_L2] = {"l2", "level", 0},
	[OP_H1] = {"h1", "level", 0},
	[OP_H2] = {"h2", "level", 0},
};

/* All pairs that a policy can hold. */
static const struct {
	uint8_t left, right;
	uint16_t attr;
	bool ordered; /* also dom, domby, incomp */
} pairs[] = {
	{OP_U1, OP_U2, USER, false}, {OP_R1, OP_R2, ROLE, true}, {OP_T1, OP_T2, TYPE, false},
	{OP_L1, OP_L2, L1L2, true},  {OP_L1, OP_H2, L1H2, true}, {OP_H1, OP_L2, H1L2, true},
	{OP_H1, OP_H2, H1H2, true},  {OP_L1, OP_H1, L1H1, true}, {OP_L2, OP_H2, L2H2, true},
};

void add_cexpr_op(struct parse *p, enum ast_cexpr_kind kind, struct loc loc)
{
	*vec_push(&p->cexpr) = (struct ast_cexpr){.kind = (uint8_t)kind, .begin = loc.begin};
}

static void report_op(struct parse *p, struct loc loc, const char *what)
{
	diag_error(p->diags, "constraint-operand", loc, "%ss compare only by `==` and `!=`", what);
}

static void report_pair(struct parse *p, struct loc loc, enum operand left, enum operand right)
{
	const char *l = operands[left].text, *r = operands[right].text, *what = operands[left].what;

	diag_error(p->diags, "constraint-operand", loc, "`%s` and `%s` cannot be compared with each other%s", l, r,
		   operands[left].attr && *l == *r && l[1] == '2' && r[1] == '1' ? " in this order" : "");
	if (operands[left].attr && *l == *r)
		diag_hint(p->diags,
			  "`%c1` compares with `%c2`; each of them, and in validatetrans `%c3`, with %s names", *l, *l,
			  *l, what);
	else if (operands[left].attr)
		diag_hint(p->diags, "`%s` compares with %s names, or `%c1` with `%c2`", l, what, *l, *l);
	else
		diag_hint(p->diags, "levels compare in these pairs and order: `l1 l2`, `l1 h2`, `h1 l2`, `h1 h2`, "
				    "`l1 h1`, `l2 h2`");
}

void add_cexpr_pair(struct parse *p, struct loc loc, enum operand left, uint32_t op, enum operand right)
{
	struct ast_cexpr expr = {.kind = AST_CEXPR_ATTR, .op = (uint8_t)op, .begin = loc.begin};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		if (pairs[i].left != left || pairs[i].right != right)
			continue;
		expr.attr = pairs[i].attr;
		if (op > OP_IS_NOT && !pairs[i].ordered)
			report_op(p, loc, operands[left].what);
	}
	if (!expr.attr)
		report_pair(p, loc, left, right);
	*vec_push(&p->cexpr) = expr;
}

static struct ast_names check_names(struct parse *p, struct loc loc, struct ast_names names)
{
	uint32_t one;
	struct ast_set set = ast_set_of(p->ast, names, &one);

	if (!set.star && !set.complement)
		return names;
	diag_error(p->diags, "constraint-operand", loc, "`%s` cannot stand in a constraint", set.star ? "*" : "~");
	return (struct ast_names){.begin = names.begin};
}

void add_cexpr_names(struct parse *p, struct loc loc, enum operand left, uint32_t op, struct ast_names names)
{
	if (!operands[left].attr)
		diag_error(p->diags, "constraint-operand", loc, "a level cannot be compared with names");
	else if (op > OP_IS_NOT)
		report_op(p, loc, "name");
	else
		names = check_names(p, loc, names);
	*vec_push(&p->cexpr) = (struct ast_cexpr){
		.kind = AST_CEXPR_NAMES,
		.op = (uint8_t)op,
		.attr = operands[left].attr,
		.names = names,
		.begin = loc.begin,
	};
}

static void push_constraint(struct parse *p, struct ast_constraint c)
{
	c.expr = arena_copy(&p->ast->arena, p->cexpr.at, p->cexpr.n * sizeof *p->cexpr.at);
	c.nexpr = p->cexpr.n;
	p->cexpr.n = 0;
	if (keep_statement(p, c.mls ? ST_MLSCONSTRAIN : ST_CONSTRAIN, c.loc))
		*vec_push(&p->ast->constraints) = c;
}

void add_constraint(struct parse *p, struct loc loc, bool mls, struct ast_names classes, struct ast_names perms)
{
	push_constraint(p, (struct ast_constraint){.loc = loc, .mls = mls, .classes = classes, .perms = perms});
}

void add_validatetrans(struct parse *p, struct loc loc, bool mls, struct ast_names classes)
{
	push_constraint(p, (struct ast_constraint){.loc = loc, .mls = mls, .transition = true, .classes = classes});
}

/* ---- sections 1 to 6 ---- */

/* What is out of place is kept: others may name it. */
#define ADD(list, kind, ...) \
	do { \
		if (keep_statement(p, kind, loc)) \
			*vec_push(&p->ast->list) = __VA_ARGS__; \
	} while (0)

void add_class(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(classes, ST_CLASS, (struct ast_class){loc, name});
}

void add_sid(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(sids, ST_SID, (struct ast_sid){loc, name});
}

void add_common(struct parse *p, struct loc loc, struct ast_name name, struct ast_names perms)
{
	ADD(commons, ST_COMMON, (struct ast_common){loc, name, perms});
}

void add_av(struct parse *p, struct loc loc, struct ast_name name, struct ast_name inherits, struct ast_names perms)
{
	ADD(avs, ST_AV, (struct ast_av){loc, name, inherits, perms});
}

void add_default(struct parse *p, struct loc loc, uint32_t kind, struct ast_names classes, uint32_t value)
{
	ADD(defaults, ST_DEFAULT, (struct ast_default){loc, (uint8_t)kind, (uint8_t)value, classes});
}

void add_sensitivity(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases)
{
	ADD(sensitivities, ST_SENSITIVITY, (struct ast_sensitivity){loc, name, aliases});
}

void add_dominance(struct parse *p, struct loc loc, struct ast_names order)
{
	ADD(dominances, ST_DOMINANCE, (struct ast_dominance){loc, order});
}

void add_category(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases)
{
	ADD(categories, ST_CATEGORY, (struct ast_category){loc, name, aliases});
}

void add_level(struct parse *p, struct loc loc, struct ast_level_expr level)
{
	ADD(levels, ST_LEVEL, (struct ast_level){loc, level});
}

/* ---- type enforcement and roles ---- */

#define BLOCK (top_frame(p)->block)

void add_attribute(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(attributes, ST_TE, (struct ast_attribute){loc, BLOCK, name});
}

void add_type(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases, struct ast_names attrs)
{
	ADD(types, ST_TE, (struct ast_type){loc, BLOCK, name, aliases, attrs});
}

void add_typealias(struct parse *p, struct loc loc, struct ast_name name, struct ast_names aliases)
{
	ADD(typealiases, ST_TE, (struct ast_typealias){loc, BLOCK, name, aliases});
}

void add_typeattribute(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs)
{
	ADD(typeattributes, ST_TE, (struct ast_typeattribute){loc, BLOCK, name, attrs});
}

void add_expandattribute(struct parse *p, struct loc loc, struct ast_names attrs, bool value)
{
	ADD(expandattributes, ST_TE, (struct ast_expandattribute){loc, BLOCK, attrs, value});
}

void add_typebounds(struct parse *p, struct loc loc, struct ast_name parent, struct ast_names children)
{
	ADD(typebounds, ST_TE, (struct ast_typebounds){loc, BLOCK, parent, children});
}

void add_bool(struct parse *p, struct loc loc, struct ast_name name, bool value, bool tunable)
{
	ADD(bools, ST_TE, (struct ast_bool){loc, BLOCK, name, value, tunable});
}

void add_permissive(struct parse *p, struct loc loc, struct ast_name name, bool neveraudit)
{
	ADD(permissives, ST_TE, (struct ast_permissive){loc, BLOCK, name, neveraudit});
}

void add_policycap(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(policycaps, ST_POLICYCAP, (struct ast_policycap){loc, name});
}

/* Rules; one that may not stand in its conditional counts as outside of it. */
static ast_place_t place_rule(struct parse *p, enum statement kind, struct loc loc)
{
	return place_statement(p, kind, loc) ? top_frame(p)->place : 0;
}

void add_avrule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
		struct ast_names classes, struct ast_names perms)
{
	ast_place_t place = place_rule(p, kind == AST_NEVERALLOW ? ST_TE : ST_RULE, loc);

	*vec_push(&p->ast->avrules) = (struct ast_avrule){loc, BLOCK, place, kind, sources, targets, classes, perms};
}

void add_xrule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
	       struct ast_names classes, struct ast_name operation, bool complement)
{
	*vec_push(&p->ast->xrules) = (struct ast_xrule){
		.loc = loc,
		.block = BLOCK,
		.place = place_rule(p, kind == AST_NEVERALLOW ? ST_TE : ST_RULE, loc),
		.kind = kind,
		.sources = sources,
		.targets = targets,
		.classes = classes,
		.operation = operation,
		.ranges = arena_copy(&p->ast->arena, p->xranges.at, p->xranges.n * sizeof *p->xranges.at),
		.nranges = p->xranges.n,
		.complement = complement,
	};
	p->xranges.n = 0;
}

void add_terule(struct parse *p, struct loc loc, uint32_t kind, struct ast_names sources, struct ast_names targets,
		struct ast_names classes, struct ast_name result, struct ast_name filename)
{
	ast_place_t place = place_rule(p, filename.atom ? ST_FILENAME : ST_RULE, loc);

	*vec_push(&p->ast->terules) =
		(struct ast_terule){loc, BLOCK, place, kind, sources, targets, classes, result, filename};
}

void add_range_trans(struct parse *p, struct loc loc, struct ast_names sources, struct ast_names targets,
		     struct ast_names classes)
{
	ADD(range_trans, ST_TE, (struct ast_range_trans){loc, BLOCK, sources, targets, classes, p->range});
}

void add_attribute_role(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(attribute_roles, ST_TE, (struct ast_attribute_role){loc, BLOCK, name});
}

void add_role(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs)
{
	ADD(roles, ST_TE, (struct ast_role){loc, BLOCK, name, attrs});
}

void add_role_types(struct parse *p, struct loc loc, struct ast_name name, struct ast_names types)
{
	ADD(role_types, ST_TE, (struct ast_role_types){loc, BLOCK, name, types});
}

void add_roleattribute(struct parse *p, struct loc loc, struct ast_name name, struct ast_names attrs)
{
	ADD(roleattributes, ST_TE, (struct ast_roleattribute){loc, BLOCK, name, attrs});
}

void add_role_trans(struct parse *p, struct loc loc, struct ast_names roles, struct ast_names types,
		    struct ast_names classes, struct ast_name result)
{
	ADD(role_trans, ST_TE, (struct ast_role_trans){loc, BLOCK, roles, types, classes, result});
}

void add_role_allow(struct parse *p, struct loc loc, struct ast_names from, struct ast_names to)
{
	ADD(role_allows, ST_TE, (struct ast_role_allow){loc, BLOCK, from, to});
}

void add_user(struct parse *p, struct loc loc, struct ast_name name, struct ast_names roles,
	      const struct ast_level_expr *level)
{
	struct ast_user user = {.loc = loc, .block = BLOCK, .name = name, .roles = roles};

	if (level) {
		user.has_level = true;
		user.level = *level;
		user.range = p->range;
	}
	ADD(users, ST_USER, user);
}

/* ---- labelling ---- */

void add_sid_context(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(sid_contexts, ST_SID_CONTEXT, (struct ast_sid_context){loc, name, take_context(p)});
}

void add_fs_use(struct parse *p, struct loc loc, uint32_t behaviour, struct ast_name name)
{
	ADD(fs_uses, ST_FS_USE, (struct ast_fs_use){loc, behaviour, name, take_context(p)});
}

void add_genfs(struct parse *p, struct loc loc, struct ast_name fs, struct ast_name path, struct ast_name kind)
{
	ADD(genfs, ST_GENFS, (struct ast_genfs){loc, fs, path, kind, take_context(p)});
}

void add_port(struct parse *p, struct loc loc, struct ast_name protocol)
{
	ADD(ports, ST_PORT, (struct ast_port){loc, protocol, p->span, take_context(p)});
}

void add_netif(struct parse *p, struct loc loc, struct ast_name name)
{
	ADD(netifs, ST_NETIF, (struct ast_netif){loc, name, take_context(p), p->contexts[1]});
}

void add_node(struct parse *p, struct loc loc, bool ipv6, struct ast_name address, struct ast_name mask)
{
	ADD(nodes, ST_NODE, (struct ast_node){loc, ipv6, address, mask, take_context(p)});
}

void add_ibpkey(struct parse *p, struct loc loc, struct ast_name prefix)
{
	ADD(ibpkeys, ST_IBPKEY, (struct ast_ibpkey){loc, prefix, p->span, take_context(p)});
}

void add_ibendport(struct parse *p, struct loc loc, struct ast_name device)
{
	ADD(ibendports, ST_IBENDPORT, (struct ast_ibendport){loc, device, p->span, take_context(p)});
}

void add_xen(struct parse *p, struct loc loc, uint32_t kind, struct ast_name path)
{
	ADD(xens, ST_XEN, (struct ast_xen){loc, kind, p->span, path, take_context(p)});
}
