#include "validator/permission_map.h"

#include <fnmatch.h>
#include <string.h>

struct parser {
	struct permission_map *map;
	struct diags *diags;
	const struct source *source;
	const char *at, *end; /* of the line */
	VEC(const char *) classes; /* of the group; its meanings are behind first */
	bool has_meaning;     /* the group has one: the next `class` begins another */
};

static const struct { const char *word; unsigned means; } statements[] = {
	{"class", 0}, {"read", MEANS_READ}, {"write", MEANS_WRITE}, {"both", MEANS_READ | MEANS_WRITE},
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; false at its end. */
static bool next_word(struct parser *p, const char **ret_word, size_t *ret_len)
{
	while (p->at < p->end && is_blank(*p->at))
		p->at++;
	*ret_word = p->at;
	while (p->at < p->end && !is_blank(*p->at))
		p->at++;
	*ret_len = (size_t)(p->at - *ret_word);
	return *ret_len > 0;
}

static bool fail(struct parser *p, const char *word, size_t len, const char *what)
{
	uint32_t begin = p->source->base + (uint32_t)(word - p->source->text);

	diag_error(p->diags, "permission-map", (struct loc){begin, begin + (uint32_t)len}, "%s", what);
	return false;
}

static void add_meanings(struct parser *p, const char *perm, unsigned means)
{
	for (uint32_t i = 0; i < p->classes.n; i++)
		*vec_push(&p->map->meanings) = (struct meaning){p->classes.at[i], perm, means};
}

static bool parse_names(struct parser *p, unsigned means, const char *word, size_t len)
{
	uint32_t n = 0;
	const char *name;
	size_t name_len;

	if (!means && p->has_meaning)
		p->classes.n = 0;
	if (means && !p->classes.n)
		return fail(p, word, len, "a meaning before the first `class`");
	p->has_meaning = means != 0;
	for (; next_word(p, &name, &name_len); n++) {
		const char *kept = arena_strndup(&p->map->arena, name, name_len);

		if (means)
			add_meanings(p, kept, means);
		else
			*vec_push(&p->classes) = kept;
	}
	return n || fail(p, word, len, "no name follows");
}

static bool parse_line(struct parser *p)
{
	const char *word, *comment = memchr(p->at, '#', (size_t)(p->end - p->at));
	size_t len;

	if (comment)
		p->end = comment;
	if (!next_word(p, &word, &len))
		return true;
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		if (strlen(statements[i].word) == len && !memcmp(statements[i].word, word, len))
			return parse_names(p, statements[i].means, word, len);
	return fail(p, word, len, "a line begins with `class`, `read`, `write` or `both`");
}

bool permission_map_parse(struct permission_map *map, const struct source *source, struct diags *diags)
{
	struct parser p = {.map = map, .diags = diags, .source = source};
	const char *end = source->text + source->size;
	bool good = true;

	for (const char *line = source->text; line < end; line = p.end + 1) {
		const char *newline = memchr(line, '\n', (size_t)(end - line)), *line_end = newline ? newline : end;

		p.at = line;
		p.end = line_end;
		good &= parse_line(&p);
		p.end = line_end;
	}
	vec_free(&p.classes);
	return good;
}

void permission_map_free(struct permission_map *map)
{
	arena_free(&map->arena);
	vec_free(&map->meanings);
}

void permission_map_masks(const struct permission_map *map, const struct policy_class *class, uint32_t *ret_read,
			  uint32_t *ret_write)
{
	*ret_read = *ret_write = 0;
	for (uint32_t i = 0; i < map->meanings.n; i++) {
		const struct meaning *m = &map->meanings.at[i];

		if (fnmatch(m->class, class->name, 0) != 0)
			continue;
		for (uint32_t bit = 0; bit < class->nperms; bit++) {
			if (!class->perms[bit] || strcmp(class->perms[bit], m->perm) != 0)
				continue;
			*ret_read |= m->means & MEANS_READ ? 1U << bit : 0;
			*ret_write |= m->means & MEANS_WRITE ? 1U << bit : 0;
		}
	}
}
