/* package_write_cil: the label files of a package as CIL.
 *
 *	/run/app -d u:r:t:s0-s1:c0.c3     (filecon "/run/app" dir (u r t ((s0) (s1 ((range c0 c3))))))
 *	root:root:s0                      (selinuxuser root root ((s0) (s0)))
 *	user root prefix sysadm;          (userprefix root sysadm)
 *
 * The lines are taken apart and not looked up: secilc does that. */
#include <string.h>

#include "backend/package.h"
#include "backend/text.h"
#include "backend/text_out.h"

struct labels {
	struct buffer *out;
	struct diags *diags;
	const struct source *source; /* the section */
	bool mls;
	bool failed;
};

struct word { const char *at; size_t n; };

enum { MAX_WORDS = 4 };

/* ---- words ---- */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Of a line, up to one more than there can be. */
static uint32_t split(struct word line, struct word ret_words[MAX_WORDS + 1])
{
	const char *at = line.at, *end = line.at + line.n;
	uint32_t n = 0;

	while (n <= MAX_WORDS) {
		const char *begin;

		while (at < end && is_blank(*at))
			at++;
		if (at == end)
			break;
		for (begin = at; at < end && !is_blank(*at);)
			at++;
		ret_words[n++] = (struct word){begin, (size_t)(at - begin)};
	}
	return n;
}

static bool equals(struct word word, const char *text)
{
	return word.n == strlen(text) && !memcmp(word.at, text, word.n);
}

/* Takes off what stands before the first c, or all. */
static struct word take_until(struct word *rest, char c)
{
	const char *found = memchr(rest->at, c, rest->n);
	size_t n = found ? (size_t)(found - rest->at) : rest->n;
	struct word taken = {rest->at, n};

	*rest = (struct word){rest->at + n + (found != NULL), rest->n - n - (found != NULL)};
	return taken;
}

static struct loc loc_of(const struct labels *l, struct word word)
{
	uint32_t begin = l->source->base + (uint32_t)(word.at - l->source->text);

	return (struct loc){begin, begin + (uint32_t)word.n};
}

static void refuse(struct labels *l, struct word word, const char *what)
{
	diag_error(l->diags, "package-line", loc_of(l, word), "%s", what);
	l->failed = true;
}

static void put(struct labels *l, const char *text)
{
	buffer_put(l->out, text, strlen(text));
}

/* CIL takes most characters in a name, and checks the name itself. */
static void put_name(struct labels *l, const char *before, struct word name)
{
	bool good = name.n > 0;

	for (size_t i = 0; i < name.n; i++)
		good = good && name.at[i] > ' ' && name.at[i] < 0x7f && !strchr("()\";\\", name.at[i]);
	if (!good)
		refuse(l, name, "not a name");
	put(l, before);
	buffer_put(l->out, name.at, name.n);
}

/* ---- levels ---- */

static void put_level(struct labels *l, struct word level)
{
	bool first = true;

	put_name(l, "(", take_until(&level, ':'));
	while (level.n) {
		struct word high = take_until(&level, ','), whole = high, low = take_until(&high, '.');
		bool range = low.n < whole.n;

		put(l, first ? " (" : " ");
		first = false;
		put_name(l, range ? "(range " : "", low);
		if (range) {
			put_name(l, " ", high);
			put(l, ")");
		}
	}
	put(l, first ? ")" : "))");
}

/* Without MLS it does not matter what levels there are. */
static void put_range(struct labels *l, struct word range)
{
	struct word low;

	if (!l->mls) {
		put(l, " (systemlow systemlow)");
		return;
	}
	low = take_until(&range, '-');
	put(l, " (");
	put_level(l, low);
	put(l, " ");
	put_level(l, range.n ? range : low);
	put(l, ")");
}

/* ---- the sections ---- */

static void put_context(struct labels *l, struct word context)
{
	struct word rest = context;

	if (equals(context, "<<none>>")) {
		put(l, " ()");
		return;
	}
	put_name(l, " (", take_until(&rest, ':'));
	put_name(l, " ", take_until(&rest, ':'));
	put_name(l, " ", take_until(&rest, ':'));
	if (l->mls && !rest.n) {
		refuse(l, context, "a context without a level, and the module is MLS");
		return;
	}
	put_range(l, rest);
	put(l, ")");
}

static void put_file_context(struct labels *l, struct word line, const struct word *words, uint32_t n)
{
	const char *kind = n == 3 ? cil_file_kind(words[1].at, words[1].n) : "any";

	if (n != 2 && n != 3) {
		refuse(l, line, "a line of file contexts has a path, a kind of file or none, and a context");
		return;
	}
	if (!kind) {
		refuse(l, words[1], "not a kind of file: `--`, `-b`, `-c`, `-d`, `-l`, `-p` or `-s`");
		return;
	}
	if (memchr(words[0].at, '"', words[0].n))
		refuse(l, words[0], "CIL cannot say this: a path with a quote");
	put(l, "(filecon \"");
	buffer_put(l->out, words[0].at, words[0].n);
	put(l, "\" ");
	put(l, kind);
	put_context(l, words[n - 1]);
	put(l, ")\n");
}

static void put_seuser(struct labels *l, struct word line, const struct word *words, uint32_t n)
{
	struct word rest = words[0], name = take_until(&rest, ':'), user = take_until(&rest, ':');

	if (n != 1 || !user.n || (l->mls && !rest.n)) {
		refuse(l, line, l->mls ? "a line of seusers is NAME:USER:RANGE" : "a line of seusers is NAME:USER");
		return;
	}
	if (equals(name, "__default__"))
		put(l, "(selinuxuserdefault");
	else
		put_name(l, "(selinuxuser ", name);
	put_name(l, " ", user);
	put_range(l, rest);
	put(l, ")\n");
}

static void put_user_extra(struct labels *l, struct word line, const struct word *words, uint32_t n)
{
	struct word prefix = n == 4 ? words[3] : (struct word){0};

	if (prefix.n < 2 || prefix.at[prefix.n - 1] != ';' || !equals(words[0], "user") || !equals(words[2], "prefix")) {
		refuse(l, line, "a line of user_extra is `user NAME prefix PREFIX;`");
		return;
	}
	prefix.n--;
	put_name(l, "(userprefix ", words[1]);
	put_name(l, " ", prefix);
	put(l, ")\n");
}

typedef void put_line(struct labels *l, struct word line, const struct word *words, uint32_t n);

static void put_section(struct labels *l, put_line *put_one)
{
	struct word rest = {l->source->text, l->source->size};

	while (rest.n) {
		struct word line = take_until(&rest, '\n'), words[MAX_WORDS + 1];
		uint32_t n = split(line, words);

		if (n && *words[0].at != '#')
			put_one(l, line, words, n);
	}
}

static const struct source *add_section(const struct package_part *part, enum package_section section, const char *path,
					struct sources *sources, struct diags *diags)
{
	const struct source *source;
	struct buffer name = {0};

	text_printf(&name, "%s:%s", path, package_section_key(section));
	source = sources_add(sources, text_of(&name), (const char *)part->at, part->n, diags);
	buffer_free(&name);
	return source;
}

bool package_write_cil(const struct package *package, const char *path, bool mls, struct sources *sources,
		       struct buffer *out, struct diags *diags)
{
	static put_line *const writers[PACKAGE_SECTIONS] = {
		[PACKAGE_FILE_CONTEXTS] = put_file_context, [PACKAGE_SEUSERS] = put_seuser,
		[PACKAGE_USER_EXTRA] = put_user_extra,
	};
	struct labels l = {.out = out, .diags = diags, .mls = mls};

	for (enum package_section s = 0; s < PACKAGE_SECTIONS; s++) {
		if (!writers[s] || !package->parts[s].at)
			continue;
		l.source = add_section(&package->parts[s], s, path, sources, diags);
		if (l.source)
			put_section(&l, writers[s]);
		else
			l.failed = true;
	}
	if (package->parts[PACKAGE_NETFILTER].at)
		diag_warning(diags, "lost-in-text", LOC_NONE, "CIL cannot say this, and it is left out: the netfilter contexts of `%s`",
			     path);
	return !l.failed;
}
