/* policy_write_conf: policy.conf, its sections in their order (language.md 5.1).
 *
 * The text says less than an image in these points: handle_unknown stands in
 * a comment, for it is an option of the compiler, as are MLS, target and
 * version; initial SIDs have the names that go with their numbers; attributes
 * of images before version 24 get names. */
#include "backend/text.h"
#include "backend/text_out.h"

void conf_put_capability(struct text_out *t, const char *name)
{
	text_printf(t->out, "policycap %s;\n", name);
}

static void put_sections(struct text_out *t)
{
	const struct policy *p = t->policy;

	text_printf(t->out, "# handle_unknown %s\n", text_unknown(p->handle_unknown));
	conf_put_classes(t);
	conf_put_sids(t);
	conf_put_access_vectors(t);
	conf_put_defaults(t);
	if (p->mls) {
		conf_put_mls(t);
		say_constraints(t, true);
	}
	each_capability(t, conf_put_capability);
	conf_put_types(t);
	say_rules(t);
	say_filename_transitions(t);
	say_range_transitions(t);
	say_conditionals(t);
	conf_put_roles(t);
	say_role_transitions(t);
	say_role_allows(t);
	conf_put_users(t);
	say_constraints(t, false);
	say_labels(t);
}

/* checkpolicy takes lines of up to 8190 bytes.  All statements may go on in the
 * next one, behind a comma too. */
enum { LINE_MAX_BYTES = 8000, LINE_BREAK = 6000 };

static void put_broken(struct buffer *out, const unsigned char *line, size_t len)
{
	size_t begin = out->n;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		bool full = !quoted && out->n - begin > LINE_BREAK;

		quoted ^= line[i] == '"';
		buffer_put(out, full && line[i] == ' ' ? (const unsigned char *)"\n" : &line[i], 1);
		if (full && line[i] == ',')
			buffer_put(out, "\n", 1);
		if (out->at[out->n - 1] == '\n')
			begin = out->n;
	}
}

void conf_break_lines(struct buffer *out, size_t start)
{
	struct buffer all = {0};
	size_t done = start, line = start;

	for (const unsigned char *end; line < out->n; line = (size_t)(end - out->at)) {
		end = memchr(out->at + line, '\n', out->n - line);
		end = end ? end + 1 : out->at + out->n;
		if ((size_t)(end - out->at) - line <= LINE_MAX_BYTES)
			continue;
		buffer_put(&all, out->at + done, line - done);
		done = (size_t)(end - out->at);
		put_broken(&all, out->at + line, done - line);
	}
	if (!all.n)
		return;
	buffer_put(&all, out->at + done, out->n - done);
	out->n = start;
	buffer_put(out, all.at, all.n);
	buffer_free(&all);
}

bool policy_write_conf(const struct policy *policy, struct buffer *out, struct diags *diags)
{
	size_t start = out->n;
	struct text_out t;
	bool good;

	text_out_init(&t, policy, TEXT_CONF, out, diags);
	if (conf_check_names(&t)) {
		name_empty_sets(&t);
		name_empty_users(&t);
		put_sections(&t);
		conf_break_lines(out, start);
	}
	good = !t.failed;
	text_out_free(&t);
	return good;
}
