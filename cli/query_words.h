/* Lines cut into words that know their places. */
#ifndef CLI_QUERY_WORDS_H
#define CLI_QUERY_WORDS_H

#include "base/arena.h"
#include "base/source.h"
#include "base/vec.h"

struct word { char *text; struct loc loc; };
typedef VEC(struct word) word_list;

/* The words of a line of a source, n bytes at an offset, up to a word that
 * begins with #.  Braces are left out.  Texts are in the arena. */
void words_cut(word_list *ret_words, struct arena *arena, const struct source *source, uint32_t at, uint32_t n);
struct loc words_span(const word_list *words, uint32_t first, uint32_t last);

#endif
