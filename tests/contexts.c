/*
 * contexts [-s SEED] [-n COUNT] [-k ANSWERS] IMAGE: contexts made up from the
 * names of a policy, right ones and broken ones, judged by security/.
 *
 * Without -k libsepol judges them as well, and of some that are right the
 * canonical texts are compared.  With -k they are written to standard output as
 * questions for a kernel (see kernel/init.c), and what it should answer to
 * ANSWERS.
 *
 * Exit status: 0 all equal, 1 not, 2 wrong use or failure.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cli/load.h"
#include "ir/text.h"
#include "security/context.h"
#include "tests/sepol-contexts.h"

enum {
	TEXTS_COMPARED = 2000, /* libsepol keeps every context that it writes in one list */
	SHOWN = 10,
	ASKED_LENGTH = 3000,   /* the kernel takes a page */
};

/* ---- chance ---- */

static uint64_t state;

static uint64_t chance(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(chance() % n);
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

/* A member of a set, 0-based; size when it has none. */
static uint32_t member(const struct ebitmap *set, uint32_t size)
{
	uint32_t n = ebitmap_count(set), skip;

	if (!n)
		return size;
	skip = below(n);
	ebitmap_for_each(set, bit)
		if (!skip--)
			return bit;
	return size;
}

/* ---- contexts that are right, mostly ---- */

static const struct policy *policy;

/* The name of a value, or now and then an alias of it. */
static const char *name_or_alias(const char *name, uint32_t value, const struct policy_alias *aliases, uint32_t n)
{
	if (n && one_in(4)) {
		uint32_t start = below(n);

		for (uint32_t i = 0; i < n; i++)
			if (aliases[(start + i) % n].value == value)
				return aliases[(start + i) % n].name;
	}
	return name;
}

static void put_sens(struct buffer *b, uint32_t value)
{
	text_put(b, name_or_alias(policy->sens.at[value].name, value, policy->sens_aliases.at, policy->sens_aliases.n));
}

static void put_cat(struct buffer *b, uint32_t value)
{
	text_put(b, name_or_alias(policy->cats.at[value].name, value, policy->cat_aliases.at, policy->cat_aliases.n));
}

/* A run of categories from those that a sensitivity can have, or from all. */
static void put_item(struct buffer *b, const struct policy_sens *sens)
{
	uint32_t low = one_in(20) ? below(policy->cats.n) : member(&sens->cats, policy->cats.n), high;

	if (low == policy->cats.n)
		low = below(policy->cats.n);
	put_cat(b, low + 1);
	if (!one_in(3))
		return;
	high = one_in(20) ? below(policy->cats.n) : low + below(one_in(4) ? policy->cats.n - low : 4);
	if (high >= policy->cats.n || (high <= low && !one_in(20)))
		return;
	text_put(b, ".");
	put_cat(b, high + 1);
}

static void put_level(struct buffer *b, uint32_t sens)
{
	put_sens(b, sens);
	if (!policy->cats.n || one_in(3))
		return;
	text_put(b, ":");
	put_item(b, &policy->sens.at[sens]);
	for (uint32_t more = below(4); more; more--) {
		text_put(b, ",");
		put_item(b, &policy->sens.at[sens]);
	}
}

/* All that a level of the policy can have: what a user's high level often is. */
static void put_range(struct buffer *b, const struct policy_user *user)
{
	uint32_t low = 1 + below(policy->sens.n), high = 1 + below(policy->sens.n);

	if (one_in(2)) { /* as the user has it */
		text_level(b, policy, &user->range.low);
		if (one_in(2))
			return;
		text_put(b, "-");
		if (one_in(2))
			text_level(b, policy, &user->range.high);
		else
			put_level(b, high);
		return;
	}
	if (low > high && !one_in(10)) {
		uint32_t swap = low;

		low = high;
		high = swap;
	}
	put_level(b, low);
	if (!one_in(2))
		return;
	text_put(b, "-");
	if (one_in(2)) {
		struct policy_level level = {high, policy->sens.at[high].cats};

		text_level(b, policy, &level);
	} else {
		put_level(b, high);
	}
}

static uint32_t any_type(void)
{
	uint32_t value;

	do
		value = 1 + below(policy->types.n);
	while (policy->types.at[value].kind == POLICY_GAP || !policy->types.at[value].name ||
	       (policy->types.at[value].kind == POLICY_ATTRIBUTE && !one_in(20)));
	return value;
}

static void put_context(struct buffer *b)
{
	uint32_t user = 1 + below(policy->users.n);
	uint32_t role = one_in(10) ? below(policy->roles.n) : member(&policy->users.at[user].roles, 0), type;

	if (one_in(2))
		role = 0; /* object_r */
	type = role && !one_in(10) ? member(&policy->roles.at[role + 1].types, policy->types.n) + 1 : any_type();
	if (type > policy->types.n)
		type = any_type();
	text_put(b, policy->users.at[user].name);
	text_put(b, ":");
	text_put(b, policy->roles.at[role + 1].name);
	text_put(b, ":");
	text_put(b, name_or_alias(policy->types.at[type].name, type, policy->type_aliases.at, policy->type_aliases.n));
	if (policy->mls ? one_in(50) : !one_in(50))
		return;
	text_put(b, ":");
	if (policy->mls)
		put_range(b, &policy->users.at[user]);
	else
		text_put(b, "s0");
}

/* ---- breaking them ---- */

static char any_char(void)
{
	static const char chars[] = ":::---...,,,ccss0123456789_abtru xS\t\x80$";

	return chars[below(sizeof chars - 1)];
}

/* n bytes at a place become others. */
static void replace(struct buffer *b, size_t at, size_t n, const char *with, size_t len)
{
	buffer_reserve(b, len);
	memmove(b->at + at + len, b->at + at + n, b->n - at - n);
	memcpy(b->at + at, with, len);
	b->n += len - n;
}

/* The piece of the text around a place between two separators. */
static void piece_at(const struct buffer *b, size_t at, size_t *ret_begin, size_t *ret_end)
{
	size_t begin = at, end = at;

	while (begin > 0 && !strchr(":-.,", b->at[begin - 1]))
		begin--;
	while (end < b->n && !strchr(":-.,", b->at[end]))
		end++;
	*ret_begin = begin;
	*ret_end = end;
}

static const char *any_name(void)
{
	static const char *const others[] = {"s0", "c0", "c1024", "SystemLow", "s0-s1", "s0:c0", "c0.c1", "0", "object_r", ""};

	switch (below(6)) {
	case 0: return policy->users.at[1 + below(policy->users.n)].name;
	case 1: return policy->roles.at[1 + below(policy->roles.n)].name;
	case 2: return policy->types.at[any_type()].name;
	case 3: return policy->mls ? policy->sens.at[1 + below(policy->sens.n)].name : "s0";
	case 4: return policy->cats.n ? policy->cats.at[1 + below(policy->cats.n)].name : "c0";
	default: return others[below(sizeof others / sizeof *others)];
	}
}

static void break_once(struct buffer *b)
{
	char c = any_char();
	size_t at = b->n ? below((uint32_t)b->n) : 0, begin, end;
	const char *name;

	if (!b->n) {
		buffer_put(b, &c, 1);
		return;
	}
	switch (below(8)) {
	case 0: replace(b, at, 1, "", 0); break;
	case 1: replace(b, at, 0, &c, 1); break;
	case 2: b->at[at] = (unsigned char)c; break;
	case 3: b->n = at; break;
	case 4: text_put(b, (const char *[]){"-s0", ":c0", ",c1", ".c2", "-", ":", " ", "x"}[below(8)]); break;
	case 5: /* a separator for another */
		while (at < b->n && !strchr(":-.,", b->at[at]))
			at++;
		if (at < b->n)
			b->at[at] = (unsigned char)":-.,"[below(4)];
		break;
	default: /* a name for another */
		piece_at(b, at, &begin, &end);
		name = any_name();
		replace(b, begin, end - begin, name, strlen(name));
	}
}

static void make(struct buffer *b)
{
	b->n = 0;
	put_context(b);
	if (one_in(2))
		for (uint32_t n = 1 + below(2); n; n--)
			break_once(b);
}

/* ---- libsepol ---- */

/* Where libsepol stops: at a dash behind the categories of the high level. */
static size_t libsepol_end(const char *text, size_t len)
{
	const char *at = text, *end = text + len;

	for (int colons = 0; colons < 3; colons++) {
		at = memchr(at, ':', (size_t)(end - at));
		if (!at)
			return len;
		at++;
	}
	at = memchr(at, '-', (size_t)(end - at));
	at = at ? memchr(at, ':', (size_t)(end - at)) : NULL;
	at = at ? memchr(at, '-', (size_t)(end - at)) : NULL;
	return at ? (size_t)(at - text) : len;
}

/* A member that is the last of its 64 has a next one that is not of the next 64:
 * libsepol (3.4 to 3.11) then writes a category for it that is none, or all
 * between them. */
static bool libsepol_miswrites(const struct policy_level *level)
{
	ebitmap_for_each(&level->cats, cat) {
		uint32_t next = ebitmap_next(&level->cats, cat);

		if (cat % 64 == 63 && next != EBITMAP_NONE && next / 64 > cat / 64 + 1)
			return true;
	}
	return false;
}

/* The canonical text as libsepol writes it. */
static bool same_text(const char *text, size_t len, const struct policy_context *context)
{
	struct buffer ours = {0};
	char *theirs = sepol_text(text, len);
	bool same;

	text_context(&ours, policy, context);
	same = theirs && !strcmp(theirs, text_of(&ours));
	if (!same)
		fprintf(stderr, "written `%s`, by libsepol `%s`\n", text_of(&ours), theirs ? theirs : "(nothing)");
	buffer_free(&ours);
	free(theirs);
	return same;
}

/* ---- comparing ---- */

struct counts { uint32_t asked, valid, texts, dashes, wrong; };

static uint32_t errors_in(const struct context_faults *faults)
{
	uint32_t errors = faults->more;

	for (uint32_t i = 0; i < faults->n; i++)
		errors += faults->at[i].kind != FAULT_CAT_TWICE;
	return errors;
}

static void count_wrong(struct counts *counts, const char *text, const char *what)
{
	if (counts->wrong++ < SHOWN)
		fprintf(stderr, "`%s`: %s\n", text, what);
}

/* Of a text with a second dash libsepol judges the part before it. */
static void compare(const struct security *security, const struct buffer *text, struct policy_context *context,
		    struct counts *counts)
{
	static struct context_faults faults;
	const char *at = (const char *)text->at;
	bool ours = context_parse(security, at, text->n, context, &faults), theirs = sepol_is_valid(at);
	size_t end = libsepol_end(at, text->n);

	counts->asked++;
	counts->valid += ours;
	if (ours == (errors_in(&faults) > 0))
		count_wrong(counts, at, ours ? "valid with faults" : "not valid without a fault");
	if (end < text->n) {
		counts->dashes += ours != theirs;
		ours = context_parse(security, at, end, context, NULL);
	}
	if (ours != theirs)
		count_wrong(counts, at, ours ? "valid for us only" : "valid for libsepol only");
	if (!ours || !theirs || counts->texts == TEXTS_COMPARED || libsepol_miswrites(&context->range.low) ||
	    libsepol_miswrites(&context->range.high))
		return;
	counts->texts++;
	if (!same_text(at, text->n, context))
		count_wrong(counts, at, "another text");
}

static bool compare_all(const struct security *security, const char *path, uint32_t count, uint64_t seed)
{
	struct policy_context context = {0};
	struct counts counts = {0};
	struct buffer text = {0};

	if (!sepol_load(path)) {
		fprintf(stderr, "contexts: libsepol does not load %s\n", path);
		exit(2);
	}
	for (uint32_t i = 0; i < count; i++) {
		make(&text);
		text_of(&text);
		/* libsepol has a word for no context at all, and crashes on it. */
		if (strcmp((const char *)text.at, "<<none>>") != 0)
			compare(security, &text, &context, &counts);
	}
	printf("seed %llu: %u contexts, %u valid, %u of them with equal texts; "
	       "%u otherwise for libsepol, which stops at a second dash; %u differ\n",
	       (unsigned long long)seed, counts.asked, counts.valid, counts.texts, counts.dashes, counts.wrong);
	buffer_free(&text);
	policy_context_free(&context);
	return !counts.wrong && counts.valid > count / 10 && counts.valid < count - count / 10;
}

/* ---- asking ---- */

static bool can_be_asked(const struct buffer *text)
{
	for (size_t i = 0; i < text->n; i++)
		if (text->at[i] <= ' ')
			return false;
	return text->n && text->n < ASKED_LENGTH;
}

static bool ask_all(const struct security *security, const char *answers, uint32_t count)
{
	struct policy_context context = {0};
	struct buffer text = {0}, canonical = {0};
	FILE *out = fopen(answers, "w");
	bool ok;

	if (!out) {
		perror(answers);
		exit(2);
	}
	while (count) {
		make(&text);
		if (!can_be_asked(&text))
			continue;
		count--;
		printf("context %s\n", text_of(&text));
		canonical.n = 0;
		if (context_parse(security, (const char *)text.at, text.n, &context, NULL))
			text_context(&canonical, policy, &context);
		else
			text_put(&canonical, "error EINVAL");
		fprintf(out, "%s\n", text_of(&canonical));
	}
	ok = !ferror(stdout) && !fflush(stdout) && !ferror(out);
	ok = !fclose(out) && ok;
	buffer_free(&text);
	buffer_free(&canonical);
	policy_context_free(&context);
	return ok;
}

/* ---- */

static _Noreturn void usage(void)
{
	fputs("usage: contexts [-s SEED] [-n COUNT] [-k ANSWERS] IMAGE\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct load_options options = {.program = "contexts"};
	const char *answers = NULL;
	uint32_t count = 200000, version;
	struct security *security;
	uint64_t seed = 1;
	struct policy *read;
	int option;
	bool ok;

	while ((option = getopt(argc, argv, "s:n:k:")) != -1) {
		switch (option) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'n': count = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'k': answers = optarg; break;
		default: usage();
		}
	}
	if (optind != argc - 1)
		usage();
	state = seed;
	policy = read = load_policy(argv[optind], &options, &version);
	if (!policy)
		return 2;
	security = security_new(policy);
	ok = answers ? ask_all(security, answers, count) : compare_all(security, argv[optind], count, seed);
	security_free(security);
	policy_free(read);
	return ok ? 0 : 1;
}
