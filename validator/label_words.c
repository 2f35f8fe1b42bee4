/* What is said of words in any kind of label file. */
#include <string.h>

#include "validator/label_kind.h"

enum { MAX_WORD = 65535 }; /* libselinux keeps lengths in 16 bits */

bool label_word(struct label_run *run, struct span word)
{
	uint32_t ascii = span_ascii(word);

	if (ascii < word.len) {
		diag_error(run->diags, "label-not-ascii", span_part(word, ascii, 1).loc,
			   "a byte 0x%02x that is not ASCII; libselinux refuses the whole file for it",
			   (unsigned char)word.text[ascii]);
		return false;
	}
	if (word.len < MAX_WORD)
		return true;
	diag_error(run->diags, "label-too-long", word.loc, "a word of %u bytes; libselinux takes up to %d", word.len,
		   MAX_WORD - 1);
	return false;
}

/* `ifdef(`, `gen_context(` and the end of their arguments. */
static bool is_macro(struct span word)
{
	uint32_t i = 0;

	if (span_starts(word, "')") || span_starts(word, "',") || span_is(word, "dnl"))
		return true;
	while (i < word.len && ((word.text[i] >= 'a' && word.text[i] <= 'z') || word.text[i] == '_'))
		i++;
	return i && i < word.len && word.text[i] == '(';
}

bool label_macro(struct label_run *run, struct span word)
{
	if (!is_macro(word))
		return false;
	diag_error(run->diags, "label-macro", word.loc, "a macro that m4 has not expanded");
	diag_hint(run->diags, "check the file that is built, not the sources of its modules");
	return true;
}

void label_missing(struct label_run *run, struct span word, const char *what)
{
	diag_error(run->diags, "label-field-missing", word.loc, "there is no %s behind `%.*s`", what, SPAN_ARGS(word));
}

void label_extra(struct label_run *run, struct span rest)
{
	if (!rest.len)
		return;
	diag_warning(run->diags, "label-field-extra", rest.loc, "what stands behind the last field is ignored");
	if (rest.text[0] == '#')
		diag_hint(run->diags, "a comment has a line of its own");
}

bool label_only_word(struct label_run *run, struct span line, struct span *ret_word)
{
	struct span rest;

	line_word(&line, ret_word);
	if (!line.len)
		return true;
	rest = span_trim(line);
	if (rest.len)
		diag_error(run->diags, "label-blank", rest.loc, "what follows a blank is read as a part of `%.*s`",
			   SPAN_ARGS(*ret_word));
	else
		diag_error(run->diags, "label-blank", line.loc, "%s at the end of the line is read as a part of `%.*s`",
			   line.text[line.len - 1] == '\r' ? "a carriage return" : "the blank", SPAN_ARGS(*ret_word));
	return false;
}

void label_empty(struct label_run *run, const struct label_file *file, const char *what)
{
	uint32_t base = label_source(run, file)->base;

	diag_error(run->diags, "label-file-empty", (struct loc){base, base}, "there is no %s in the file", what);
}
