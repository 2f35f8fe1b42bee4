#include "cli/query_words.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void keep_word(word_list *words, struct arena *arena, const struct source *source, uint32_t at, uint32_t end)
{
	while (at < end && (source->text[at] == '{' || source->text[at] == '}'))
		at++;
	while (at < end && (source->text[end - 1] == '{' || source->text[end - 1] == '}'))
		end--;
	if (at < end)
		*vec_push(words) = (struct word){arena_strndup(arena, source->text + at, end - at),
						 {source->base + at, source->base + end}};
}

void words_cut(word_list *ret_words, struct arena *arena, const struct source *source, uint32_t at, uint32_t n)
{
	uint32_t end = at + n;

	while (at < end) {
		uint32_t begin;

		while (at < end && is_blank(source->text[at]))
			at++;
		if (at < end && source->text[at] == '#')
			return;
		begin = at;
		while (at < end && !is_blank(source->text[at]))
			at++;
		keep_word(ret_words, arena, source, begin, at);
	}
}

struct loc words_span(const word_list *words, uint32_t first, uint32_t last)
{
	return (struct loc){words->at[first].loc.begin, words->at[last].loc.end};
}
