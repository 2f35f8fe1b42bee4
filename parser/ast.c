#include "parser/ast.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 1 << 12, MAX_SETS = 0x7fffffff };

void ast_init(struct ast *ast)
{
	memset(ast, 0, sizeof *ast);
	ast->nset_slots = FIRST_SLOTS;
	ast->set_slots = mem_zalloc(ast->nset_slots, sizeof *ast->set_slots);
	ast_add_module(ast);
}

uint32_t ast_add_module(struct ast *ast)
{
	uint32_t root = ast->blocks.n, module = ast->modules.n;

	*vec_push(&ast->blocks) = (struct ast_block){.loc = LOC_NONE, .parent = root, .module = module};
	*vec_push(&ast->modules) = (struct ast_module){.loc = LOC_NONE, .root = root};
	return module;
}

static void free_declarations(struct ast *ast)
{
	vec_free(&ast->classes);
	vec_free(&ast->sids);
	vec_free(&ast->commons);
	vec_free(&ast->avs);
	vec_free(&ast->defaults);
	vec_free(&ast->sensitivities);
	vec_free(&ast->dominances);
	vec_free(&ast->categories);
	vec_free(&ast->levels);
	vec_free(&ast->constraints);
}

static void free_rules(struct ast *ast)
{
	vec_free(&ast->attributes);
	vec_free(&ast->types);
	vec_free(&ast->typealiases);
	vec_free(&ast->typeattributes);
	vec_free(&ast->expandattributes);
	vec_free(&ast->typebounds);
	vec_free(&ast->bools);
	vec_free(&ast->permissives);
	vec_free(&ast->policycaps);
	vec_free(&ast->avrules);
	vec_free(&ast->xrules);
	vec_free(&ast->terules);
	vec_free(&ast->range_trans);
	vec_free(&ast->attribute_roles);
	vec_free(&ast->roles);
	vec_free(&ast->role_types);
	vec_free(&ast->roleattributes);
	vec_free(&ast->role_trans);
	vec_free(&ast->role_allows);
	vec_free(&ast->conds);
	vec_free(&ast->requires);
	vec_free(&ast->users);
}

static void free_labels(struct ast *ast)
{
	vec_free(&ast->sid_contexts);
	vec_free(&ast->fs_uses);
	vec_free(&ast->genfs);
	vec_free(&ast->ports);
	vec_free(&ast->netifs);
	vec_free(&ast->nodes);
	vec_free(&ast->ibpkeys);
	vec_free(&ast->ibendports);
	vec_free(&ast->xens);
}

void ast_free(struct ast *ast)
{
	arena_free(&ast->arena);
	free(ast->set_slots);
	vec_free(&ast->sets);
	vec_free(&ast->blocks);
	vec_free(&ast->modules);
	vec_free(&ast->skipped_names);
	free_declarations(ast);
	free_rules(ast);
	free_labels(ast);
	memset(ast, 0, sizeof *ast);
}

/* ---- sets ---- */

static uint32_t hash_set(const uint32_t *items, uint32_t n, bool star, bool complement)
{
	uint64_t h = (uint64_t)n << 2 | (uint64_t)star << 1 | complement;

	for (uint32_t i = 0; i < n; i++)
		h = (h ^ items[i]) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

static bool set_equals(const struct ast_set *set, const uint32_t *items, uint32_t n, bool star, bool complement)
{
	return set->n == n && set->star == star && set->complement == complement &&
	       (!n || !memcmp(set->items, items, n * sizeof *items));
}

static uint32_t *free_slot(const struct ast *ast, uint32_t hash)
{
	uint32_t mask = ast->nset_slots - 1, i = hash & mask;

	while (ast->set_slots[i])
		i = (i + 1) & mask;
	return &ast->set_slots[i];
}

/* Sets fill at most half of the slots. */
static void grow_slots(struct ast *ast)
{
	if (ast->nset_slots > UINT32_MAX / 2)
		mem_exhausted();
	free(ast->set_slots);
	ast->nset_slots *= 2;
	ast->set_slots = mem_zalloc(ast->nset_slots, sizeof *ast->set_slots);
	for (uint32_t i = 0; i < ast->sets.n; i++) {
		const struct ast_set *set = &ast->sets.at[i];

		*free_slot(ast, hash_set(set->items, set->n, set->star, set->complement)) = i + 1;
	}
}

uint32_t ast_set_id(struct ast *ast, const uint32_t *items, uint32_t n, bool star, bool complement)
{
	uint32_t hash, mask = ast->nset_slots - 1, i;

	if (n == 1 && !complement && !(items[0] & AST_MINUS))
		return items[0];
	hash = hash_set(items, n, star, complement);
	for (i = hash & mask; ast->set_slots[i]; i = (i + 1) & mask) {
		uint32_t id = ast->set_slots[i] - 1;

		if (set_equals(&ast->sets.at[id], items, n, star, complement))
			return AST_SET | id;
	}
	if (ast->sets.n >= MAX_SETS)
		mem_exhausted();
	if (ast->sets.n >= ast->nset_slots / 2)
		grow_slots(ast);
	*vec_push(&ast->sets) = (struct ast_set){
		.items = arena_copy(&ast->arena, items, n * sizeof *items),
		.n = n,
		.star = star,
		.complement = complement,
	};
	*free_slot(ast, hash) = ast->sets.n;
	return AST_SET | (ast->sets.n - 1);
}

/* ---- places of names ---- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Whether the word at `at` is whole: a dot joins words, a dash in front of a
 * word is subtraction. */
static bool is_whole(const char *begin, const char *at, size_t len, const char *end)
{
	const char *before = at, *after = at + len;

	while (before > begin && before[-1] == '-')
		before--;
	if (before > begin && (is_word(before[-1]) || before[-1] == '.'))
		return false;
	if (after < end && is_word(*after))
		return false;
	return !(after + 1 < end && *after == '.' && is_word(after[1]));
}

static bool in_comment(const char *begin, const char *at)
{
	const char *line = memrchr(begin, '\n', (size_t)(at - begin));

	line = line ? line + 1 : begin;
	return memchr(line, '#', (size_t)(at - line));
}

struct loc ast_find_name(const struct sources *sources, const struct atoms *atoms, uint32_t from, uint32_t within,
			 atom_t name)
{
	const struct source *source = source_at(sources, from);
	const char *text = atom_text(atoms, name), *begin, *end, *limit, *at;
	size_t len = atom_len(atoms, name);

	if (!source || !len || from - source->base >= source->size)
		return LOC_NONE;
	begin = source->text + (from - source->base);
	end = source->text + source->size;
	limit = (size_t)(end - begin) > within + len ? begin + within + len - 1 : end;
	for (at = begin; (at = memmem(at, (size_t)(limit - at), text, len)) != NULL; at++) {
		if (is_whole(begin, at, len, end) && !in_comment(begin, at)) {
			uint32_t offset = from + (uint32_t)(at - begin);

			return (struct loc){offset, offset + (uint32_t)len};
		}
	}
	return LOC_NONE;
}

static bool is_level(char c)
{
	return is_word(c) || c == '.' || c == ',';
}

/* `c0,c1` and the sensitivity in front of the colon. */
static const char *level_begin(const char *text, const char *at)
{
	while (at > text && is_level(at[-1]))
		at--;
	if (at == text || at[-1] != ':')
		return at;
	at--;
	while (at > text && is_word(at[-1]))
		at--;
	return at;
}

void ast_spaced_range(const struct sources *sources, uint32_t begin, uint32_t dash, bool in_cats, char *text, size_t size)
{
	const struct source *source = source_at(sources, begin);
	const char *low = source->text + (begin - source->base), *at = source->text + (dash - source->base), *end = at + 1;

	if (in_cats)
		low = level_begin(source->text, low);
	while (end < source->text + source->size && (is_level(*end) || *end == ':'))
		end++;
	snprintf(text, size, "%.*s - %.*s", (int)(at - low), low, (int)(end - at - 1), at + 1);
}

bool ast_was_skipped(const struct ast *ast, atom_t name)
{
	uint32_t low = 0, high = ast->skipped_names.n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ast->skipped_names.at[middle] < name)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ast->skipped_names.n && ast->skipped_names.at[low] == name;
}
