/* Files of `key = value`, with the value in quotes or not: the contexts of
 * containers, the types and contexts that daemons take.
 *
 * Readers: libvirt (virConf) and the containers libraries for lxc_contexts,
 * OpenRC's runscript, sshd, snapperd, systemd. */
#include <string.h>

#include "base/near.h"
#include "validator/app_contexts.h"
#include "validator/label_kind.h"

struct key {
	enum app_key_role role;
	const char *name;
	bool type;     /* the value is a type, not a context */
	bool required; /* whoever reads the file gives up without it */
};

static const struct key keys[] = {
	{APP_LXC, "process", false, true},
	{APP_LXC, "content", false, true},
	{APP_LXC, "file", false, true},
	{APP_LXC, "ro_file", false, false},
	{APP_LXC, "engine", false, false},
	{APP_LXC, "init_process", false, false},
	{APP_LXC, "kvm_process", false, false},
	{APP_LXC, "sandbox_kvm_process", false, false},
	{APP_LXC, "sandbox_lxc_process", false, false},
	{APP_OPENRC, "run_init", true, true},
	{APP_OPENSSH, "privsep_preauth", true, true},
	{APP_SNAPPERD, "snapperd_data", false, true},
	{APP_SYSTEMD, "runtime", false, true},
};

enum { KEYS = sizeof keys / sizeof *keys };

struct line { struct span name, value; }; /* text NULL: not yet seen */

struct reader {
	struct label_run *run;
	enum app_key_role role;
	struct line first[KEYS];
	bool seen[KEYS]; /* with a value or not */
};

static void report_unknown(struct reader *r, struct span name)
{
	struct diags *diags = r->run->diags;
	struct near near;

	diag_warning(diags, "app-key", name.loc, "nobody reads the key `%.*s` of this file", SPAN_ARGS(name));
	near_init(&near, name.text, name.len);
	for (uint32_t i = 0; i < KEYS; i++)
		if (keys[i].role == r->role)
			near_try(&near, keys[i].name, strlen(keys[i].name));
	near_hint(&near, diags);
}

/* Readers take the last line of a key, or the first; Fedora ships one line twice. */
static void check_twice(struct reader *r, uint32_t key, struct span name, struct span value)
{
	struct diags *diags = r->run->diags;
	const struct line *first = &r->first[key];

	if (!first->name.text) {
		r->first[key] = (struct line){name, value};
		return;
	}
	if (span_equal(first->value, value))
		diag_warning(diags, "app-key", name.loc, "`%.*s` is given twice, with the same value", SPAN_ARGS(name));
	else
		diag_error(diags, "app-key", name.loc, "`%.*s` is given twice: `%.*s` there, `%.*s` here", SPAN_ARGS(name),
			   SPAN_ARGS(first->value), SPAN_ARGS(value));
	diag_note(diags, first->name.loc, "it is given here first");
}

static uint32_t find_key(const struct reader *r, struct span name)
{
	uint32_t i = 0;

	while (i < KEYS && (keys[i].role != r->role || !span_is(name, keys[i].name)))
		i++;
	return i;
}

/* Without its quotes; what is behind them is left. */
static bool take_value(struct reader *r, struct span *rest, struct span *ret_value)
{
	char quote = rest->len ? rest->text[0] : '\0';
	const char *end;
	uint32_t len;

	if (quote != '"' && quote != '\'')
		return line_word(rest, ret_value);
	end = memchr(rest->text + 1, quote, rest->len - 1);
	if (!end) {
		diag_error(r->run->diags, "app-syntax", rest->loc, "the quotes are not closed");
		return false;
	}
	len = (uint32_t)(end - rest->text);
	*ret_value = span_part(*rest, 1, len - 1);
	*rest = span_part(*rest, len + 1, rest->len - len - 1);
	return true;
}

static void read_line(struct reader *r, struct span line)
{
	struct label_run *run = r->run;
	const char *equals = memchr(line.text, '=', line.len);
	uint32_t len = equals ? (uint32_t)(equals - line.text) : 0, key;
	struct span name, value;

	name = span_trim(span_part(line, 0, len));
	if (!name.len) {
		diag_error(run->diags, "app-syntax", span_trim(line).loc, "the line is not `key = value`");
		return;
	}
	line = span_trim(span_part(line, len + 1, line.len - len - 1));
	key = find_key(r, name);
	if (key == KEYS)
		report_unknown(r, name);
	else
		r->seen[key] = true;
	if (!line.len)
		label_missing(run, name, "value");
	if (!line.len || !take_value(r, &line, &value))
		return;
	if (key < KEYS)
		check_twice(r, key, name, value);
	if (key < KEYS ? keys[key].type : !memchr(value.text, ':', value.len))
		label_name(run, SECURITY_TYPE, value);
	else
		label_context(run, value);
	line = span_trim(line);
	if (line.len && line.text[0] != '#')
		label_extra(run, line);
}

static void check_file(struct label_run *run, const struct label_file *file)
{
	uint32_t base = label_source(run, file)->base;
	struct reader r = {.run = run, .role = file->kind->role};
	struct lines lines;
	struct span line;

	lines_begin(&lines, label_source(run, file));
	while (lines_next_words(&lines, &line))
		read_line(&r, line);
	for (uint32_t i = 0; i < KEYS; i++)
		if (keys[i].role == r.role && keys[i].required && !r.seen[i])
			diag_error(run->diags, "app-key", (struct loc){base, base}, "there is no `%s` in the file", keys[i].name);
}

void label_check_app_keys(struct label_run *run, const struct label_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		check_file(run, &files[i]);
}
