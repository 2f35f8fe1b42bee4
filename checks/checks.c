#include "checks/checks.h"

#include <stddef.h>

/* The texts, one behind the other.  A table of pointers would have to be
 * relocated each time that a program starts, and few runs look at it. */
static const struct texts {
	char none;
#define TEXT(id, text) char id[sizeof text];
#define CHECK(level, demotable, ...)
#include "checks/table.inc"
#undef TEXT
#undef CHECK
} texts = {
	'\0',
#define TEXT(id, text) text,
#define CHECK(level, demotable, ...)
#include "checks/table.inc"
#undef TEXT
#undef CHECK
};

enum { NO_TEXT };

struct row {
	uint8_t level; /* enum check_level */
	bool demotable;
	uint32_t name, summary, text, bad, good, program, flags; /* offsets in texts, or NO_TEXT */
};

static const struct row rows[] = {
#define AT(id) offsetof(struct texts, id)
#define TEXT(id, text)
#define CHECK(...) {__VA_ARGS__},
#include "checks/table.inc"
#undef TEXT
#undef CHECK
#undef AT
};

static const char *text_at(uint32_t offset)
{
	return offset == NO_TEXT ? NULL : (const char *)&texts + offset;
}

static struct check row_check(uint32_t i)
{
	const struct row *row = &rows[i];

	return (struct check){
		.name = text_at(row->name),
		.level = (enum check_level)row->level,
		.demotable = row->demotable,
		.summary = text_at(row->summary),
		.text = row->text == NO_TEXT ? "" : text_at(row->text),
		.bad = text_at(row->bad),
		.good = text_at(row->good),
		.program = text_at(row->program),
		.flags = text_at(row->flags),
	};
}

struct check_table checks_all(void)
{
	return (struct check_table){row_check, sizeof rows / sizeof *rows};
}
