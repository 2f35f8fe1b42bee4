/* dbus_contexts: the part of the configuration of D-Bus that gives names on the
 * bus a context, `<associate own="org.example.Name" context="..."/>` in
 * `<selinux>`.
 *
 * Only what is needed of XML is read: tags, their attributes, comments; the text
 * between tags counts for nothing. */
#include <string.h>

#include "base/atom.h"
#include "base/vec.h"
#include "validator/label_kind.h"

struct attribute { struct span name, value; };

enum { MAX_ATTRIBUTES = 8 };

struct tag {
	struct span name;
	bool closes; /* </name> */
	bool empty;  /* <name/> */
	uint32_t n;
	struct attribute attributes[MAX_ATTRIBUTES];
};

struct xml {
	struct label_run *run;
	struct span rest;
	VEC(struct span) open; /* names of elements around */
	struct atoms owns;
	VEC(struct loc) first; /* by own */
};

static void report(struct xml *x, struct span at, const char *text)
{
	diag_error(x->run->diags, "dbus-syntax", at.loc, "%s", text);
}

static void skip(struct xml *x, uint32_t n)
{
	x->rest = span_part(x->rest, n, x->rest.len - n);
}

/* Behind the next place of a text; false, and at the end, when there is none. */
static bool skip_past(struct xml *x, const char *text)
{
	const char *at = memmem(x->rest.text, x->rest.len, text, strlen(text));

	skip(x, at ? (uint32_t)(at - x->rest.text + (ptrdiff_t)strlen(text)) : x->rest.len);
	return at != NULL;
}

static struct span take_name(struct xml *x)
{
	uint32_t len = 0;
	struct span name;

	while (len < x->rest.len && !strchr(" \t\r\n\v\f/>=\"'<", x->rest.text[len]))
		len++;
	name = span_part(x->rest, 0, len);
	skip(x, len);
	return name;
}

static void skip_blank(struct xml *x)
{
	uint32_t n = 0;

	while (n < x->rest.len && strchr(" \t\r\n\v\f", x->rest.text[n]))
		n++;
	skip(x, n);
}

static bool take_value(struct xml *x, struct span name, struct span *ret_value)
{
	const char *end = NULL;
	uint32_t len;

	skip_blank(x);
	if (x->rest.len && x->rest.text[0] == '=') {
		skip(x, 1);
		skip_blank(x);
		if (x->rest.len && strchr("\"'", x->rest.text[0]))
			end = memchr(x->rest.text + 1, x->rest.text[0], x->rest.len - 1);
	}
	if (!end) {
		report(x, name, "the attribute has no value in quotes");
		return false;
	}
	len = (uint32_t)(end - x->rest.text);
	*ret_value = span_part(x->rest, 1, len - 1);
	skip(x, len + 1);
	return true;
}

/* Behind `<`. */
static bool take_tag(struct xml *x, struct span begin, struct tag *tag)
{
	*tag = (struct tag){.closes = x->rest.len && x->rest.text[0] == '/'};
	skip(x, tag->closes);
	tag->name = take_name(x);
	for (;;) {
		struct attribute attribute;

		skip_blank(x);
		if (span_starts(x->rest, ">") || span_starts(x->rest, "/>")) {
			tag->empty = x->rest.text[0] == '/';
			skip(x, tag->empty ? 2 : 1);
			return true;
		}
		attribute.name = take_name(x);
		if (!attribute.name.len) {
			report(x, begin, "the tag is not closed with `>`");
			return false;
		}
		if (!take_value(x, attribute.name, &attribute.value))
			return false;
		if (tag->n < MAX_ATTRIBUTES)
			tag->attributes[tag->n++] = attribute;
	}
}

/* ---- associations ---- */

static const struct span *find_attribute(const struct tag *tag, const char *name)
{
	for (uint32_t i = 0; i < tag->n; i++)
		if (span_is(tag->attributes[i].name, name))
			return &tag->attributes[i].value;
	return NULL;
}

static void check_own(struct xml *x, struct span own)
{
	struct diags *diags = x->run->diags;
	uint32_t known = x->owns.n, atom = atom_intern(&x->owns, own.text, own.len);

	if (atom == known) {
		*vec_push(&x->first) = own.loc;
	} else if (own.len) {
		diag_error(diags, "dbus-duplicate", own.loc, "the name `%.*s` has a context already", SPAN_ARGS(own));
		diag_note(diags, x->first.at[atom], "here");
	}
}

static void check_associate(struct xml *x, const struct tag *tag)
{
	const struct span *own = find_attribute(tag, "own"), *context = find_attribute(tag, "context");

	if (!x->open.n || !span_is(x->open.at[x->open.n - 1], "selinux"))
		report(x, tag->name, "an association stands only directly in `<selinux>`");
	if (!own || !own->len)
		report(x, tag->name, "the association has no `own`, the name on the bus");
	else
		check_own(x, *own);
	if (!context)
		report(x, tag->name, "the association has no `context`");
	else
		label_context(x->run, *context);
	for (uint32_t i = 0; i < tag->n; i++)
		if (!span_is(tag->attributes[i].name, "own") && !span_is(tag->attributes[i].name, "context"))
			report(x, tag->attributes[i].name, "an association has no such attribute: it has `own` and `context`");
}

/* ---- elements ---- */

static void close_element(struct xml *x, struct span name)
{
	if (x->open.n && span_equal(x->open.at[x->open.n - 1], name)) {
		x->open.n--;
		return;
	}
	report(x, name, "this ends no element, or not the one that was begun last");
	if (x->open.n)
		diag_note(x->run->diags, x->open.at[x->open.n - 1].loc, "this one was");
}

static bool read_markup(struct xml *x)
{
	struct span begin;
	struct tag tag;
	bool closed;

	begin = span_part(x->rest, 0, 1);
	if (span_starts(x->rest, "<!--"))
		closed = skip_past(x, "-->");
	else if (span_starts(x->rest, "<?"))
		closed = skip_past(x, "?>");
	else if (span_starts(x->rest, "<!"))
		closed = skip_past(x, ">");
	else {
		skip(x, 1);
		if (!take_tag(x, begin, &tag))
			return false;
		if (tag.closes) {
			close_element(x, tag.name);
			return true;
		}
		if (span_is(tag.name, "associate"))
			check_associate(x, &tag);
		if (!tag.empty)
			*vec_push(&x->open) = tag.name;
		return true;
	}
	if (!closed)
		report(x, begin, "what begins here does not end");
	return closed;
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	const struct source *source = label_source(run, file);
	struct xml x = {.run = run, .rest = {source->text, source->size, {source->base, source->base + source->size}}};
	bool good = true;

	atoms_init(&x.owns);
	*vec_push(&x.first) = LOC_NONE; /* of no name */
	while (good && x.rest.len) {
		const char *at = memchr(x.rest.text, '<', x.rest.len);

		skip(&x, at ? (uint32_t)(at - x.rest.text) : x.rest.len);
		good = !x.rest.len || read_markup(&x);
	}
	if (good && x.open.n)
		report(&x, x.open.at[x.open.n - 1], "the element does not end");
	atoms_free(&x.owns);
	vec_free(&x.first);
	vec_free(&x.open);
}

void label_check_dbus(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
