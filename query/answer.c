/* The query language of the kernel harness. */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "ir/text.h"
#include "query/server.h"
#include "security/context.h"

enum { MAX_WORDS = 6 };

/* The words of a line, and the contexts in it. */
struct request {
	struct server *server;
	char *word[MAX_WORDS];
	int n;
	uint32_t class;
	struct policy_context first, second, third;
	struct buffer *out;
};

/* ---- parts ---- */

static bool read_context(const struct request *r, int word, struct policy_context *ret)
{
	return context_parse(r->server->security, r->word[word], strlen(r->word[word]), ret, NULL);
}

/* Source, target and class; 0 or an errno.  The class is looked up first, as it
 * is in the kernel harness. */
static int read_triple(struct request *r)
{
	r->class = policy_find_class(r->server->policy, r->word[3]);
	if (!r->class)
		return ENOENT;
	return read_context(r, 1, &r->first) && read_context(r, 2, &r->second) ? 0 : EINVAL;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* In place, it only gets shorter.  A NUL that is written so ends the name. */
static bool decode_name(char *name)
{
	char *to = name;

	for (const char *at = name; *at; at++) {
		if (*at == '%') {
			int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);

			if (low < 0)
				return false;
			*to++ = (char)(high << 4 | low);
			at += 2;
		} else {
			*to++ = (char)(*at == '+' ? ' ' : *at);
		}
	}
	*to = '\0';
	return true;
}

/* ---- queries ---- */

static int answer_access(struct request *r)
{
	struct decision d;
	int error = read_triple(r);

	if (error)
		return error;
	decide_access(r->server->decider, r->server->state, &r->first, &r->second, r->class, &d);
	text_printf(r->out, "%08x %08x %08x %x", d.allowed, d.auditallow, d.auditdeny, d.flags);
	return 0;
}

static int answer_context(struct request *r)
{
	if (!read_context(r, 1, &r->first))
		return EINVAL;
	text_context(r->out, r->server->policy, &r->first);
	return 0;
}

/* An invalid result is what a permissive kernel gives, too. */
static int compute(struct request *r, enum policy_av_kind kind)
{
	struct policy_context result = {0};
	int error = read_triple(r);

	if (!error && r->n > 4 && !decode_name(r->word[4]))
		error = EINVAL;
	if (!error && compute_context(r->server->decider, r->server->state, kind, &r->first, &r->second, r->class,
				      r->n > 4 ? r->word[4] : NULL, &result) == COMPUTE_NO_RANGE)
		error = EINVAL;
	if (!error)
		text_context(r->out, r->server->policy, &result);
	policy_context_free(&result);
	return error;
}

static int answer_create(struct request *r)
{
	return compute(r, AV_TRANSITION);
}

static int answer_member(struct request *r)
{
	return compute(r, AV_MEMBER);
}

static int answer_relabel(struct request *r)
{
	return compute(r, AV_CHANGE);
}

static int answer_validatetrans(struct request *r)
{
	int error = read_triple(r);

	if (!error && !read_context(r, 4, &r->third))
		error = EINVAL;
	if (error)
		return error;
	if (!decide_transition(r->server->decider, &r->first, &r->second, r->class, &r->third, NULL))
		return EPERM;
	text_put(r->out, "ok");
	return 0;
}

static int answer_class(struct request *r)
{
	uint32_t value = policy_find_class(r->server->policy, r->word[1]);
	const struct policy_class *class = &r->server->policy->classes.at[value];

	if (!value)
		return ENOENT;
	text_printf(r->out, "%u", value);
	for (uint32_t i = 0; i < class->nperms; i++)
		if (class->perms[i])
			text_printf(r->out, " %u:%s", i + 1, class->perms[i]);
	return 0;
}

static int answer_bool(struct request *r)
{
	uint32_t value = policy_find_bool(r->server->policy, r->word[1]);
	int on;

	if (!value)
		return ENOENT;
	on = bool_state_get(r->server->state, value);
	text_printf(r->out, "%d %d", on, on);
	return 0;
}

static int answer_setbool(struct request *r)
{
	uint32_t value = policy_find_bool(r->server->policy, r->word[1]);

	if (!value)
		return ENOENT;
	if (strcmp(r->word[2], "0") && strcmp(r->word[2], "1"))
		return EINVAL;
	bool_state_set(r->server->state, value, r->word[2][0] == '1');
	text_put(r->out, "ok");
	return 0;
}

static const struct {
	const char *name;
	int least, most; /* words, with the name */
	int (*answer)(struct request *r);
} queries[] = {
	{"access", 4, 4, answer_access},
	{"context", 2, 2, answer_context},
	{"create", 4, 5, answer_create},
	{"member", 4, 4, answer_member},
	{"relabel", 4, 4, answer_relabel},
	{"validatetrans", 5, 5, answer_validatetrans},
	{"class", 2, 2, answer_class},
	{"bool", 2, 2, answer_bool},
	{"setbool", 3, 3, answer_setbool},
};

/* ---- lines ---- */

static void split(struct request *r, char *line)
{
	char *rest, *word;

	for (word = strtok_r(line, " \t\r", &rest); word && r->n < MAX_WORDS; word = strtok_r(NULL, " \t\r", &rest))
		r->word[r->n++] = word;
}

static void put_error(struct buffer *out, int error)
{
	const char *name = error == EPERM ? "EPERM" : error == ENOENT ? "ENOENT" : "EINVAL";

	text_printf(out, "error %s", name);
}

bool server_answer(struct server *server, char *line, struct buffer *ret_answer)
{
	struct request r = {.server = server, .out = ret_answer};

	split(&r, line);
	if (!r.n || r.word[0][0] == '#')
		return false;
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		int error;

		if (strcmp(r.word[0], queries[i].name) || r.n < queries[i].least || r.n > queries[i].most)
			continue;
		error = queries[i].answer(&r);
		if (error)
			put_error(ret_answer, error);
		policy_context_free(&r.first);
		policy_context_free(&r.second);
		policy_context_free(&r.third);
		return true;
	}
	text_put(ret_answer, "error not-a-query");
	return true;
}
