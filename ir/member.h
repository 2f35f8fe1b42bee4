/* Notes of the last finding that say by which statements types are in
 * attributes.  Private to ir/. */
#ifndef IR_MEMBER_H
#define IR_MEMBER_H

#include <stdint.h>

#include "base/source.h"
#include "parser/ast.h"

struct compile;

/* What a finding has said so far; start with a zeroed one for each. */
enum { MAX_MEMBER_NOTES = 10 };
struct noted {
	uint32_t n;
	struct { uint32_t member, attr; } pairs[MAX_MEMBER_NOTES];
};

/* How a type that a set holds by an attribute is in that: one note, or one for
 * each step when the attribute has it from another; else none. */
void note_membership(struct compile *c, struct ast_names names, uint32_t type, struct noted *noted);

/* The first statement that puts one into the other; LOC_NONE: no one does. */
struct loc membership_loc(struct compile *c, uint32_t member, uint32_t attr);

void members_free(struct compile *c);

#endif
