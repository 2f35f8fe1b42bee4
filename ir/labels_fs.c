/* File systems: fs_use_* and genfscon (language.md 10.2, 10.3). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/labels.h"
#include "ir/names.h"

/* ---- fs_use ---- */

static void reverse(struct policy_fs_use *at, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		struct policy_fs_use other = at[n - 1 - i];

		at[n - 1 - i] = at[i];
		at[i] = other;
	}
}

/* An image has them last first. */
void lower_fs_uses(struct compile *c)
{
	uint32_t n = c->ast->fs_uses.n;
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "fs_use", c->ast->fs_uses.at[0].loc))
		return;
	p->fs_uses.at = arena_zalloc(&p->arena, n, sizeof *p->fs_uses.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_fs_use *a = &c->ast->fs_uses.at[i];
		struct policy_fs_use *to = &p->fs_uses.at[p->fs_uses.n];

		label_entries_add(&entries, (struct span){.group = a->name.atom}, a->loc);
		if (!context_of(c, &a->context, &to->context))
			continue;
		to->behaviour = a->behaviour;
		to->name = keep_name(c, a->name.atom);
		p->fs_uses.n++;
	}
	reverse(p->fs_uses.at, p->fs_uses.n);
	label_names_judge(c, &entries, "file system");
	label_entries_free(&entries);
}

/* ---- genfscon ---- */

/* The kind of file that a letter means. */
static const struct { char letter; const char *class; } file_kinds[] = {
	{'b', "blk_file"}, {'c', "chr_file"}, {'d', "dir"}, {'p', "fifo_file"},
	{'l', "lnk_file"}, {'s', "sock_file"}, {'-', "file"},
};

/* The class of the files meant, 0 for all kinds. */
static bool genfs_class(struct compile *c, struct ast_name kind, uint32_t *ret_class)
{
	const char *text = name_text(c, kind.atom), *class = NULL;
	const struct symbol *s;
	atom_t atom;

	*ret_class = 0;
	if (kind.atom == ATOM_NONE)
		return true;
	for (size_t i = 0; i < sizeof file_kinds / sizeof file_kinds[0]; i++)
		if (text[0] == file_kinds[i].letter && !text[1])
			class = file_kinds[i].class;
	if (!class) {
		diag_error(c->diags, "unknown-file-kind", ast_name_loc(c->atoms, kind), "unknown kind of file `-%s`", text);
		diag_hint(c->diags, "the kinds are -b, -c, -d, -p, -l, -s, and -- for plain files");
		return false;
	}
	atom = atom_find(c->atoms, class, strlen(class));
	s = atom ? symbol_find(c, SYM_CLASS, atom) : NULL;
	if (!s) {
		diag_error(c->diags, "unknown-class", ast_name_loc(c->atoms, kind),
			   "`-%s` stands for class `%s`, which is not declared", text, class);
		return false;
	}
	*ret_class = s->value;
	return true;
}

/* A statement on its way to its place. */
struct genfs {
	const struct ast_genfs *ast;
	const char *fs;
	uint32_t len; /* of the path */
	uint32_t class;
	bool good;
	struct policy_context context;
};

/* File systems by name, longer paths first, equal ones as written. */
static int compare_genfs(const void *va, const void *vb)
{
	const struct genfs *a = va, *b = vb;
	int order = a->ast->fs.atom == b->ast->fs.atom ? 0 : strcmp(a->fs, b->fs);

	if (order)
		return order;
	if (a->len != b->len)
		return a->len > b->len ? -1 : 1;
	return a->ast < b->ast ? -1 : a->ast > b->ast;
}

/* One path may have a label for each kind of file, or one for all kinds: a
 * class is a range of one number, all kinds are the range of all numbers. */
static void check_genfs_repeats(struct compile *c, const struct genfs *list, uint32_t n)
{
	struct label_entries e = {0};

	for (uint32_t i = 0; i < n; i++) {
		const struct ast_genfs *a = list[i].ast;

		label_entries_add(&e, (struct span){
			.group = (uint64_t)a->fs.atom << 32 | a->path.atom,
			.low = list[i].class,
			.high = list[i].class ? list[i].class : UINT32_MAX,
		}, a->loc);
	}
	label_entries_judge(&e);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_genfs *a = list[i].ast;

		if (e.verdicts[i].overlap == SPAN_NONE)
			continue;
		diag_error(c->diags, "duplicate-label", a->loc, "path `%s` of file system `%s` is labelled a second time%s",
			   name_text(c, a->path.atom), name_text(c, a->fs.atom),
			   list[i].class ? " for this kind of file" : "");
		diag_note(c->diags, e.locs.at[e.verdicts[i].overlap], "the first label is given here");
	}
	label_entries_free(&e);
}

/* Kernels with the capability match whole paths by pattern; the asterisk keeps
 * a path what it was, the beginning of paths. */
static const char *genfs_path(struct compile *c, atom_t path, bool wildcard)
{
	uint32_t len = atom_len(c->atoms, path);
	char *text;

	if (!wildcard)
		return keep_name(c, path);
	text = arena_zalloc(&c->policy->arena, (size_t)len + 2, 1);
	memcpy(text, name_text(c, path), len);
	text[len] = '*';
	return text;
}

static void keep_genfs(struct compile *c, const struct genfs *list, uint32_t n)
{
	struct policy *p = c->policy;
	const char *fs = NULL;
	bool wildcard;
	uint32_t bit;

	wildcard = !capability_find("genfs_seclabel_wildcard", &bit) && ebitmap_test(&p->capabilities, bit);
	p->genfs.at = arena_zalloc(&p->arena, n, sizeof *p->genfs.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_genfs *a = list[i].ast;
		struct policy_genfs *to = &p->genfs.at[p->genfs.n];

		if (!list[i].good)
			continue;
		if (!fs || strcmp(fs, list[i].fs))
			fs = keep_name(c, a->fs.atom);
		to->fs = fs;
		to->path = genfs_path(c, a->path.atom, wildcard);
		to->class = list[i].class;
		to->context = list[i].context;
		p->genfs.n++;
	}
}

void lower_genfs(struct compile *c)
{
	uint32_t n = c->ast->genfs.n, known = 0;
	struct genfs *list;

	if (!n || !labels_fit_target(c, POLICY_SELINUX, "genfscon", c->ast->genfs.at[0].loc))
		return;
	list = mem_zalloc(n, sizeof *list);
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_genfs *a = &c->ast->genfs.at[i];
		struct genfs *g = &list[known];

		*g = (struct genfs){
			.ast = a,
			.fs = name_text(c, a->fs.atom),
			.len = atom_len(c->atoms, a->path.atom),
		};
		g->good = context_of(c, &a->context, &g->context);
		if (genfs_class(c, a->kind, &g->class))
			known++;
		else if (g->good)
			policy_context_free(&g->context);
	}
	check_genfs_repeats(c, list, known);
	qsort(list, known, sizeof *list, compare_genfs);
	keep_genfs(c, list, known);
	free(list);
}
