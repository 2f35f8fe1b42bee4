/* The value of a set, worked out once however often the set is written
 * (language.md 8): the AST keeps equal sets once, so an answer is found again
 * by the id of the set. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/internal.h"

enum { CHECKED_TYPES = 1, CHECKED_ROLES = 2, FAULTY_CLASSES = 4 };

struct mask {
	uint32_t names, class; /* class 0: a free slot */
	uint32_t mask;         /* of the permissions named */
	bool star, complement;
	bool failed;           /* an item is none, or not of that class */
	bool told;             /* reported, for a policy */
};

struct set_memo {
	uint8_t *checked;          /* by set: every name known and visible everywhere in the module of */
	uint32_t *checked_in;      /* by set: this index */
	struct operand *rule, *type;         /* by set; at NULL: not yet worked out */
	struct operand *rule_one, *type_one; /* by type value, for sets of one name */
	struct class_list *classes;          /* by set */
	uint16_t *type_values;     /* type_values[v] is v: a list of one */
	uint32_t *class_values;
	struct mask *masks;        /* open addressing */
	uint32_t nmasks, mask_slots;
	struct ebitmap all_types;  /* live types, no attributes */
};

void sets_init(struct compile *c)
{
	struct set_memo *m = arena_zalloc(&c->arena, 1, sizeof *m);
	uint32_t nsets = c->ast->sets.n, ntypes = c->symbols[SYM_TYPE].nvalues, nclasses = c->symbols[SYM_CLASS].nvalues;

	m->checked = arena_zalloc(&c->arena, nsets, sizeof *m->checked);
	m->checked_in = arena_zalloc(&c->arena, nsets, sizeof *m->checked_in);
	m->rule = arena_zalloc(&c->arena, nsets, sizeof *m->rule);
	m->type = arena_zalloc(&c->arena, nsets, sizeof *m->type);
	m->classes = arena_zalloc(&c->arena, nsets, sizeof *m->classes);
	m->rule_one = arena_zalloc(&c->arena, ntypes + 1, sizeof *m->rule_one);
	m->type_one = arena_zalloc(&c->arena, ntypes + 1, sizeof *m->type_one);
	m->type_values = arena_alloc(&c->arena, (ntypes + 1) * sizeof *m->type_values);
	for (uint32_t v = 0; v <= ntypes; v++)
		m->type_values[v] = (uint16_t)v;
	m->class_values = arena_alloc(&c->arena, (nclasses + 1) * sizeof *m->class_values);
	for (uint32_t v = 0; v <= nclasses; v++)
		m->class_values[v] = v;
	m->mask_slots = 1024;
	m->masks = mem_zalloc(m->mask_slots, sizeof *m->masks);
	for (uint32_t v = 1; v <= c->policy->types.n; v++)
		if (c->policy->types.at[v].kind == POLICY_TYPE)
			ebitmap_set(&m->all_types, v - 1);
	c->memo = m;
}

void sets_free(struct compile *c)
{
	if (!c->memo)
		return;
	free(c->memo->masks);
	ebitmap_free(&c->memo->all_types);
}

/* ---- types ---- */

static void report_form(struct compile *c, struct ast_names names, const char *what)
{
	diag_error(c->diags, "set-form", (struct loc){names.begin, names.begin + 1}, "%s is not allowed here", what);
}

static void report_item_form(struct compile *c, struct ast_names names, atom_t item, const char *what)
{
	diag_error(c->diags, "set-form", item_loc(c, names, item), "%s is not allowed here", what);
}

/* The word self in a set: which uses are allowed depends on the position. */
static bool check_self(struct compile *c, struct ast_names names, const struct ast_set *set, uint32_t item,
		       unsigned allowed, unsigned *seen)
{
	unsigned is = item & AST_MINUS ? SET_NOT_SELF : SET_SELF;

	if (is == SET_NOT_SELF && set->complement) {
		report_item_form(c, names, c->self, "`-self` inside of `~{ }`");
		return false;
	}
	if (is == SET_NOT_SELF && !(allowed & SET_NOT_SELF)) {
		report_item_form(c, names, c->self, "`-self`");
		return false;
	}
	*seen |= is;
	if (*seen == (SET_SELF | SET_NOT_SELF)) {
		report_item_form(c, names, c->self, "`self` together with `-self`");
		return false;
	}
	return true;
}

/* Visible in all blocks of a module, by its own name. */
static bool visible_in_module(const struct compile *c, atom_t item, uint32_t block)
{
	const struct symbol *s = symbol_find(c, SYM_TYPE, item);

	return s && symbol_visible(c, s, ast_root(c->ast, block));
}

/* All items; reports every fault.  *ret_global: no item depends on the block. */
static bool check_type_items(struct compile *c, struct ast_names names, uint32_t block, unsigned allowed, bool *ret_global)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);
	unsigned seen = 0;
	bool good = true;

	if ((set.star || set.complement) && !(allowed & SET_STAR)) {
		report_form(c, names, set.star ? "`*`" : "`~`");
		good = false;
	}
	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;
		struct symbol *s;

		if (item == c->self && (allowed & SET_SELF)) {
			good &= check_self(c, names, &set, set.items[i], allowed, &seen);
			*ret_global = false;
			continue;
		}
		s = symbol_use_item(c, SYM_TYPE, names, item, block);
		good &= s != NULL;
		*ret_global &= s && visible_in_module(c, item, block);
	}
	return good;
}

bool check_type_set(struct compile *c, struct ast_names names, uint32_t block, unsigned allowed)
{
	bool global = true, good;
	uint8_t *checked;
	uint32_t set;

	if (!(names.id & AST_SET)) {
		const struct symbol *s = symbol_find(c, SYM_TYPE, names.id);

		if (s && symbol_visible(c, s, block))
			return true;
		return check_type_items(c, names, block, allowed, &global);
	}
	set = names.id & ~AST_SET;
	checked = &c->memo->checked[set];
	if ((*checked & CHECKED_TYPES) && c->memo->checked_in[set] == module_of(c, block))
		return true;
	good = check_type_items(c, names, block, allowed, &global);
	if (good && global && !c->ast->sets.at[set].star && !c->ast->sets.at[set].complement) {
		*checked |= CHECKED_TYPES;
		c->memo->checked_in[set] = module_of(c, block);
	}
	return good;
}

unsigned type_set_self(const struct compile *c, struct ast_names names)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	if (!c->self)
		return 0;
	for (uint32_t i = 0; i < set.n; i++) {
		if (set.items[i] == (c->self | AST_MINUS))
			return SET_NOT_SELF;
		if (set.items[i] == c->self)
			return set.complement ? SET_SELF | SET_NOT_SELF : SET_SELF;
	}
	return 0;
}

/* The symbol of a checked item, aliases resolved; NULL for self and for what
 * exists nowhere. */
static const struct symbol *type_item(const struct compile *c, uint32_t item)
{
	const struct symbol *s = symbol_find(c, SYM_TYPE, item & ~AST_MINUS);

	if (s && s->flavour == FLAVOUR_ALIAS)
		s = &c->symbols[SYM_TYPE].at.at[s->primary];
	return s && s->value ? s : NULL;
}

/* The same for a rule that is on.  In the else branch of an optional within one
 * that is off it may name what the policy has not: that counts for nothing. */
static const struct symbol *live_item(const struct compile *c, uint32_t item)
{
	const struct symbol *s = type_item(c, item);

	return s && s->live ? s : NULL;
}

static void add_types(const struct compile *c, const struct symbol *s, bool global_only, struct ebitmap *types)
{
	if (s->flavour == FLAVOUR_ATTRIBUTE)
		ebitmap_or(types, global_only ? &c->types[s->value].global_types : &c->policy->types.at[s->value].types);
	else
		ebitmap_set(types, s->value - 1);
}

void type_parts(struct compile *c, struct ast_names names, bool global_only, struct ebitmap *plus, struct ebitmap *minus)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = global_only ? type_item(c, set.items[i]) : live_item(c, set.items[i]);

		if (s)
			add_types(c, s, global_only, set.items[i] & AST_MINUS ? minus : plus);
	}
}

void types_of(struct compile *c, struct ast_names names, bool global_only, struct ebitmap *ret_types)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);
	struct ebitmap minus = {0}, all = {0};

	ebitmap_free(ret_types);
	type_parts(c, names, global_only, ret_types, &minus);
	ebitmap_andnot(ret_types, &minus);
	ebitmap_free(&minus);
	if (set.star || set.complement) {
		ebitmap_copy(&all, &c->memo->all_types);
		ebitmap_andnot(&all, ret_types);
		ebitmap_free(ret_types);
		*ret_types = all;
	}
}

static struct operand list_of(struct compile *c, const struct ebitmap *types)
{
	uint32_t n = ebitmap_count(types), i = 0;
	uint16_t *at = arena_alloc(&c->arena, n * sizeof *at + 1); /* never NULL: NULL means not yet */

	ebitmap_for_each(types, bit)
		at[i++] = (uint16_t)(bit + 1);
	return (struct operand){at, n};
}

static struct operand work_out_types(struct compile *c, struct ast_names names)
{
	struct ebitmap types = {0};
	struct operand list;

	types_of(c, names, false, &types);
	list = list_of(c, &types);
	ebitmap_free(&types);
	return list;
}

struct operand type_operand(struct compile *c, struct ast_names names)
{
	struct operand *memo;

	if (names.id & AST_SET) {
		memo = &c->memo->type[names.id & ~AST_SET];
	} else {
		const struct symbol *s = live_item(c, names.id);

		if (!s)
			return (struct operand){0};
		if (s->flavour == FLAVOUR_PLAIN)
			return (struct operand){&c->memo->type_values[s->value], 1};
		memo = &c->memo->type_one[s->value];
	}
	if (!memo->at)
		*memo = work_out_types(c, names);
	return *memo;
}

static bool stays_symbolic(const struct compile *c, const struct symbol *s)
{
	return s->flavour != FLAVOUR_ATTRIBUTE || !c->policy->types.at[s->value].expand;
}

static struct operand work_out_rule(struct compile *c, const struct ast_set *set)
{
	struct ebitmap values = {0};
	struct operand list;

	for (uint32_t i = 0; i < set->n; i++) {
		const struct symbol *s = live_item(c, set->items[i]);

		if (s && stays_symbolic(c, s))
			ebitmap_set(&values, s->value - 1);
		else if (s)
			add_types(c, s, false, &values);
	}
	list = list_of(c, &values);
	ebitmap_free(&values);
	return list;
}

static bool has_subtraction(const struct compile *c, const struct ast_set *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (set->items[i] & AST_MINUS && live_item(c, set->items[i]))
			return true;
	return false;
}

struct operand rule_operand(struct compile *c, struct ast_names names)
{
	const struct ast_set *set;
	struct operand *memo;

	if (!(names.id & AST_SET)) {
		const struct symbol *s = live_item(c, names.id);

		if (!s)
			return (struct operand){0};
		if (stays_symbolic(c, s))
			return (struct operand){&c->memo->type_values[s->value], 1};
		return type_operand(c, names);
	}
	set = &c->ast->sets.at[names.id & ~AST_SET];
	if (set->star || set->complement || has_subtraction(c, set))
		return type_operand(c, names);
	memo = &c->memo->rule[names.id & ~AST_SET];
	if (!memo->at)
		*memo = work_out_rule(c, set);
	return *memo;
}

/* ---- roles ---- */

bool check_role_set(struct compile *c, struct ast_names names, uint32_t block)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);
	bool good = true;

	if (set.star || set.complement) {
		report_form(c, names, set.star ? "`*`" : "`~`");
		return false;
	}
	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;

		if (set.items[i] & AST_MINUS) {
			report_item_form(c, names, item, "subtraction of a role");
			good = false;
		} else {
			good &= symbol_use_item(c, SYM_ROLE, names, item, block) != NULL;
		}
	}
	return good;
}

void roles_of(struct compile *c, struct ast_names names, struct ebitmap *ret_roles)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	ebitmap_free(ret_roles);
	for (uint32_t i = 0; i < set.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_ROLE, set.items[i] & ~AST_MINUS);

		if (!s || !s->value)
			continue;
		if (s->flavour == FLAVOUR_ATTRIBUTE)
			ebitmap_or(ret_roles, &c->roles[s->value].members);
		else if (s->live)
			ebitmap_set(ret_roles, s->value - 1);
	}
}

/* ---- classes ---- */

/* Visibility is judged for each use, see check_classes(). */
static struct class_list work_out_classes(struct compile *c, struct ast_names names, const struct ast_set *set)
{
	struct class_list list = {arena_alloc(&c->arena, set->n * sizeof *list.at + 1), 0};
	struct ebitmap seen = {0};

	if (set->star || set->complement)
		report_form(c, names, set->star ? "`*` as a class" : "`~` as a class");
	for (uint32_t i = 0; i < set->n; i++) {
		atom_t item = set->items[i] & ~AST_MINUS;
		const struct symbol *s = symbol_find(c, SYM_CLASS, item);

		if (set->items[i] & AST_MINUS)
			report_item_form(c, names, item, "subtraction of a class");
		if (!s)
			c->memo->checked[names.id & ~AST_SET] |= FAULTY_CLASSES;
		if (!s || set->items[i] & AST_MINUS || ebitmap_test(&seen, s->value))
			continue;
		ebitmap_set(&seen, s->value);
		list.at[list.n++] = s->value;
	}
	ebitmap_free(&seen);
	return list;
}

/* In a policy all classes are visible everywhere. */
static bool classes_need_check(const struct compile *c, struct ast_names names)
{
	return c->form != COMPILE_POLICY || c->memo->checked[names.id & ~AST_SET] & FAULTY_CLASSES;
}

/* The classes without those that are not visible, or that a rule which is on
 * cannot have since no base declares them: in the else branch of an optional
 * within one that is off. */
static struct class_list check_classes(struct compile *c, struct ast_names names, const struct ast_set *set,
				       struct class_list list, uint32_t block)
{
	struct class_list good = {NULL, 0};
	bool all = true;

	for (uint32_t i = 0; i < set->n; i++)
		if (!(set->items[i] & AST_MINUS))
			all &= symbol_use_item(c, SYM_CLASS, names, set->items[i], block) != NULL;
	for (uint32_t i = 0; i < list.n; i++)
		all &= !c->live[block] || list.at[i] <= c->policy->classes.n;
	if (all)
		return list;
	good.at = arena_alloc(&c->arena, list.n * sizeof *good.at + 1);
	for (uint32_t i = 0; i < list.n; i++) {
		const struct symbol *s = symbol_find(c, SYM_CLASS, c->class_names[list.at[i]]);

		if (symbol_visible(c, s, block) && (!c->live[block] || s->value <= c->policy->classes.n))
			good.at[good.n++] = list.at[i];
	}
	return good;
}

static struct class_list class_of(struct compile *c, struct ast_names names, uint32_t block)
{
	const struct symbol *s = symbol_find(c, SYM_CLASS, names.id);

	if (!s || !symbol_visible(c, s, block))
		s = symbol_use_item(c, SYM_CLASS, names, names.id, block);
	if (!s || (c->live[block] && s->value > c->policy->classes.n))
		return (struct class_list){0};
	return (struct class_list){&c->memo->class_values[s->value], 1};
}

struct class_list classes_of(struct compile *c, struct ast_names names, uint32_t block)
{
	const struct ast_set *set;
	struct class_list *memo;

	if (!(names.id & AST_SET))
		return class_of(c, names, block);
	set = &c->ast->sets.at[names.id & ~AST_SET];
	memo = &c->memo->classes[names.id & ~AST_SET];
	if (!memo->at)
		*memo = work_out_classes(c, names, set);
	return classes_need_check(c, names) ? check_classes(c, names, set, *memo, block) : *memo;
}

/* ---- permissions ---- */

static struct mask work_out_mask(struct compile *c, struct ast_names names, uint32_t class)
{
	struct mask m = {.names = names.id, .class = class};
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		uint32_t bit = set.items[i] & AST_MINUS ? 0 : perm_bit(c, class, set.items[i]);

		m.failed |= !bit;
		m.mask |= bit;
	}
	m.star = set.star;
	m.complement = set.complement;
	return m;
}

/* Where the module requires the class, and what of it. */
static void note_required_class(struct compile *c, uint32_t class, uint32_t block)
{
	for (uint32_t i = 0; i < c->ast->requires.n; i++) {
		const struct ast_require *a = &c->ast->requires.at[i];

		if (a->kind == AST_REQUIRE_CLASS && a->name.atom == c->class_names[class] &&
		    module_of(c, a->block) == module_of(c, block)) {
			diag_note(c->diags, ast_name_loc(c->atoms, a->name), "the class is required here, without it");
			return;
		}
	}
}

/* The permission is there, or may be, but the module has not said so. */
static void report_unrequired_perm(struct compile *c, struct ast_names names, uint32_t class, atom_t item, uint32_t block)
{
	diag_error(c->diags, "unknown-permission", item_loc(c, names, item),
		   "permission `%s` of class `%s` is used in %s, which does not require it", name_text(c, item),
		   class_text(c, class), module_text(c, block));
	note_required_class(c, class, block);
	if (c->form == COMPILE_LINK && !perm_bit(c, class, item)) {
		diag_note(c->diags, LOC_NONE, "the base does not define it");
		suggest_perm(c, class, item);
	} else {
		diag_hint(c->diags, "add `require { class %s { %s }; }`", class_text(c, class), name_text(c, item));
	}
}

static bool in_module(const struct compile *c, uint32_t block)
{
	return c->form == COMPILE_MODULE || module_of(c, block);
}

/* A module is told of each permission once: it lacks one line. */
static void report_perm(struct compile *c, struct ast_names names, uint32_t class, atom_t item, uint32_t block)
{
	if (in_module(c, block)) {
		if (perm_is_new(c, class, item, block))
			report_unrequired_perm(c, names, class, item, block);
		return;
	}
	diag_error(c->diags, "unknown-permission", item_loc(c, names, item),
		   "permission `%s` is not defined for class `%s`", name_text(c, item), class_text(c, class));
	suggest_perm(c, class, item);
}

static void report_perms(struct compile *c, struct ast_names names, uint32_t class, uint32_t known, uint32_t block)
{
	uint32_t one;
	struct ast_set set = ast_set_of(c->ast, names, &one);

	for (uint32_t i = 0; i < set.n; i++) {
		atom_t item = set.items[i] & ~AST_MINUS;

		if (set.items[i] & AST_MINUS)
			report_item_form(c, names, item, "subtraction of a permission");
		else if (!(perm_bit(c, class, item) & known))
			report_perm(c, names, class, item, block);
	}
}

static uint32_t mask_slot(const struct set_memo *m, uint32_t names, uint32_t class)
{
	uint64_t key = ((uint64_t)names << 16 ^ class) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(key >> 32) & (m->mask_slots - 1);

	while (m->masks[i].class && (m->masks[i].names != names || m->masks[i].class != class))
		i = (i + 1) & (m->mask_slots - 1);
	return i;
}

static void grow_masks(struct set_memo *m)
{
	struct mask *old = m->masks;
	uint32_t n = m->mask_slots;

	m->mask_slots = n * 2;
	m->masks = mem_zalloc(m->mask_slots, sizeof *m->masks);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].class)
			m->masks[mask_slot(m, old[i].names, old[i].class)] = old[i];
	free(old);
}

static struct mask *mask_of(struct compile *c, struct ast_names names, uint32_t class)
{
	struct set_memo *m = c->memo;
	uint32_t i = mask_slot(m, names.id, class);

	if (m->masks[i].class)
		return &m->masks[i];
	if (m->nmasks++ * 2 > m->mask_slots) {
		grow_masks(m);
		i = mask_slot(m, names.id, class);
	}
	m->masks[i] = work_out_mask(c, names, class);
	return &m->masks[i];
}

bool perms_of(struct compile *c, struct ast_names names, uint32_t class, uint32_t block, uint32_t *ret_mask)
{
	struct mask *m = mask_of(c, names, class);
	uint32_t known = known_perms(c, class, block);
	bool good = !m->failed && !(m->mask & ~known);

	*ret_mask = m->star || m->complement ? known & ~m->mask : m->mask;
	if (!good && !m->told)
		report_perms(c, names, class, known, block);
	m->told |= !good && !in_module(c, block);
	return good;
}
