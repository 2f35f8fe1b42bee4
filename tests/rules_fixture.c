#include "tests/rules_fixture.h"

#include <string.h>

static const struct policy_class classes[] = {
	[FILE_CLASS] = {.name = "file", .nperms = 3, .perms = {"read", "write", "ioctl"}},
	[SOCKET_CLASS] = {.name = "socket", .nperms = 3, .perms = {"send", "nlmsg", "ioctl"}},
};

void *rules_copy(struct fixture *f, const void *from, size_t size)
{
	return arena_copy(&f->p->arena, from, size);
}

static void add_types(struct fixture *f)
{
	static const char *const names[] = {[TA] = "ta", "tb", "tc", "td", "a1", "a2", "a3"};

	f->p->types.n = NTYPES;
	f->p->types.at = arena_zalloc(&f->p->arena, NTYPES + 1, sizeof *f->p->types.at);
	for (uint32_t v = 1; v <= NTYPES; v++) {
		f->p->types.at[v].name = names[v];
		f->p->types.at[v].kind = v < A1 ? POLICY_TYPE : POLICY_ATTRIBUTE;
	}
}

void rules_setup(struct fixture *f)
{
	static const struct policy_bool bools[] = {{0}, {"b1", true}, {"b2", false}};

	memset(f, 0, sizeof *f);
	f->p = policy_new();
	f->c.policy = f->p;
	f->c.ast = &f->ast;
	f->c.diags = &f->diags;
	add_types(f);
	ebitmap_set_range(&f->p->types.at[A1].types, TA - 1, TB - 1);
	ebitmap_set_range(&f->p->types.at[A2].types, TA - 1, TC - 1);
	f->p->classes.n = NCLASSES;
	f->p->classes.at = rules_copy(f, classes, sizeof classes);
	f->p->bools.n = 2;
	f->p->bools.at = rules_copy(f, bools, sizeof bools);
}

void rules_forget_neverallows(struct fixture *f)
{
	for (uint32_t i = 0; i < f->c.neverallows.n; i++) {
		ebitmap_free(&f->c.neverallows.at[i].sources);
		ebitmap_free(&f->c.neverallows.at[i].targets);
		ebitmap_free(&f->c.neverallows.at[i].values);
	}
	vec_free(&f->c.neverallows);
}

void rules_teardown(struct fixture *f)
{
	rules_forget_neverallows(f);
	origins_free(&f->c);
	arena_free(&f->c.arena);
	policy_free(f->p);
	diags_free(&f->diags);
}

void rules_set(struct fixture *f, policy_rules *list, const struct policy_rule *rules, size_t n)
{
	list->at = rules_copy(f, rules, n * sizeof *rules);
	list->n = (uint32_t)n;
}

void rules_clear(struct fixture *f)
{
	f->p->rules.n = 0;
	for (uint32_t i = 0; i < f->p->conds.n; i++)
		f->p->conds.at[i].yes.n = f->p->conds.at[i].no.n = 0;
}

void rules_add_conds(struct fixture *f)
{
	static const struct policy_cond_expr b1[] = {{COND_BOOL, 1}}, not_b2[] = {{COND_BOOL, 2}, {COND_NOT, 0}};

	f->p->conds.n = 2;
	f->p->conds.at = arena_zalloc(&f->p->arena, 2, sizeof *f->p->conds.at);
	f->p->conds.at[0].expr = rules_copy(f, b1, sizeof b1);
	f->p->conds.at[0].nexpr = 1;
	f->p->conds.at[1].expr = rules_copy(f, not_b2, sizeof not_b2);
	f->p->conds.at[1].nexpr = 2;
}

void rules_add_records(struct fixture *f)
{
	static const struct policy_xperms records[] = {
		{XPERM_IOCTL_FUNCTION, 5, {0x000c0000}},
		{XPERM_IOCTL_DRIVER, 0, {1 << 5}},
		{XPERM_NLMSG, 0, {1 << 16}},
		{XPERM_IOCTL_FUNCTION, 6, {1 << 1}},
	};

	f->p->xperms.n = 4;
	f->p->xperms.at = rules_copy(f, records, sizeof records);
}

const char *rules_finding(const struct fixture *f, uint32_t i)
{
	for (uint32_t k = 0; k < f->diags.list.n; k++) {
		if (f->diags.list.at[k].check && !i--)
			return f->diags.list.at[k].text;
	}
	return "";
}

bool rules_has_note(const struct fixture *f, const char *text)
{
	for (uint32_t i = 0; i < f->diags.list.n; i++) {
		if (!f->diags.list.at[i].check && !strcmp(f->diags.list.at[i].text, text))
			return true;
	}
	return false;
}
