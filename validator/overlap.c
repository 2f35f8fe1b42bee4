/* Glushkov's automata of two expressions, walked side by side. */
#include "validator/overlap.h"

#include <string.h>

#include "validator/regex.h"

enum { MAX_DEPTH = 32, MAX_STEPS = 100000 };

/* ---- from text to positions ---- */

/* A part of an expression. */
struct part {
	uint64_t first, last;
	bool nullable;
};

struct reader {
	const char *at, *end;
	struct positions *to;
	uint32_t depth;
	bool full; /* too many positions, too deep */
};

static struct part read_choice(struct reader *r);

static void add_byte(uint64_t bytes[2], char c)
{
	bytes[(unsigned char)c / 64 & 1] |= UINT64_C(1) << (unsigned char)c % 64;
}

/* What a path may have in it and a person can read. */
static void add_any(uint64_t bytes[2])
{
	for (char c = '!'; c <= '~'; c++)
		add_byte(bytes, c);
}

/* Behind `[`; regex_plain() knows the form. */
static void read_class(struct reader *r, uint64_t bytes[2])
{
	uint64_t any[2] = {0};
	bool inverted = *r->at == '^';
	const char *first;

	r->at += inverted;
	for (first = r->at; *r->at != ']'; r->at++) {
		if (*r->at == '-' && r->at > first && r->at[1] != ']')
			for (char c = r->at[-1]; c < r->at[1]; c++)
				add_byte(bytes, c);
		else
			add_byte(bytes, *r->at);
	}
	r->at++;
	add_any(any);
	for (uint32_t i = 0; inverted && i < 2; i++)
		bytes[i] = any[i] & ~bytes[i];
}

static struct part read_byte(struct reader *r)
{
	struct positions *to = r->to;
	uint64_t bit;

	if (to->n == OVERLAP_POSITIONS) {
		r->full = true;
		r->at = r->end;
		return (struct part){0};
	}
	bit = UINT64_C(1) << to->n;
	switch (*r->at++) {
	case '.': add_any(to->bytes[to->n]); break;
	case '[': read_class(r, to->bytes[to->n]); break;
	case '\\': add_byte(to->bytes[to->n], *r->at++); break;
	default: add_byte(to->bytes[to->n], r->at[-1]);
	}
	to->n++;
	return (struct part){bit, bit, false};
}

/* Every position of next may follow every one of last. */
static void join(struct reader *r, uint64_t last, uint64_t next)
{
	for (uint32_t i = 0; i < r->to->n; i++)
		if (last >> i & 1)
			r->to->follow[i] |= next;
}

static struct part read_item(struct reader *r)
{
	struct part part;

	if (*r->at == '(') {
		r->at++;
		part = read_choice(r);
		if (r->at < r->end)
			r->at++; /* `)` */
	} else {
		part = read_byte(r);
	}
	if (r->at == r->end)
		return part;
	if (*r->at == '*' || *r->at == '+')
		join(r, part.last, part.first);
	if (*r->at == '*' || *r->at == '?')
		part.nullable = true;
	if (*r->at == '*' || *r->at == '?' || *r->at == '+')
		r->at++;
	return part;
}

static struct part read_sequence(struct reader *r)
{
	struct part all = {.nullable = true};

	while (r->at < r->end && *r->at != '|' && *r->at != ')') {
		struct part part = read_item(r);

		join(r, all.last, part.first);
		if (all.nullable)
			all.first |= part.first;
		all.last = part.nullable ? all.last | part.last : part.last;
		all.nullable &= part.nullable;
	}
	return all;
}

static struct part read_choice(struct reader *r)
{
	struct part all = {0};

	if (r->depth++ == MAX_DEPTH) {
		r->full = true;
		r->at = r->end;
	}
	for (;;) {
		struct part part = read_sequence(r);

		all.first |= part.first;
		all.last |= part.last;
		all.nullable |= part.nullable;
		if (r->at == r->end || *r->at != '|')
			break;
		r->at++;
	}
	r->depth--;
	return all;
}

bool positions_of(struct span regex, struct positions *ret)
{
	struct reader r = {regex.text, regex.text + regex.len, ret, 0, false};
	struct part part;

	if (!regex_plain(regex.text, regex.len))
		return false;
	*ret = (struct positions){0};
	part = read_choice(&r);
	ret->first = part.first;
	ret->last = part.last;
	ret->nullable = part.nullable;
	return !r.full;
}

/* ---- side by side ---- */

/* Where the two are: at a position each, or before the first one. */
enum { START = OVERLAP_POSITIONS, PLACES = OVERLAP_POSITIONS + 1, PAIRS = PLACES * PLACES };

struct walk {
	const struct positions *a, *b;
	uint16_t queue[PAIRS], from[PAIRS];
	char byte[PAIRS]; /* 0: not reached */
	uint32_t n;
};

static uint64_t next_of(const struct positions *p, uint32_t place)
{
	return place == START ? p->first : p->follow[place];
}

static bool is_end(const struct positions *p, uint32_t place)
{
	return place == START ? p->nullable : p->last >> place & 1;
}

/* A letter rather than anything else. */
static char common_byte(const uint64_t a[2], const uint64_t b[2])
{
	static const char liked[] = "xabcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	uint64_t both[2] = {a[0] & b[0], a[1] & b[1]};

	for (const char *c = liked; *c; c++)
		if (both[*c / 64] >> *c % 64 & 1)
			return *c;
	for (char c = '!'; c <= '~'; c++)
		if (both[c / 64] >> c % 64 & 1)
			return c;
	return '\0';
}

static void reach(struct walk *w, uint32_t from, uint32_t i, uint32_t j)
{
	uint32_t to = i * PLACES + j;
	char byte;

	if (w->byte[to])
		return;
	byte = common_byte(w->a->bytes[i], w->b->bytes[j]);
	if (!byte)
		return;
	w->byte[to] = byte;
	w->from[to] = (uint16_t)from;
	w->queue[w->n++] = (uint16_t)to;
}

/* The bytes on the way, from the end to the start. */
static bool write_path(const struct walk *w, uint32_t pair, char ret_path[OVERLAP_PATH])
{
	const uint32_t start = START * PLACES + START;
	uint32_t n = 0;

	for (uint32_t at = pair; at != start; at = w->from[at])
		n++;
	if (n >= OVERLAP_PATH)
		return false;
	ret_path[n] = '\0';
	for (uint32_t at = pair; at != start; at = w->from[at])
		ret_path[--n] = w->byte[at];
	return true;
}

bool overlap_find(const struct positions *a, const struct positions *b, char ret_path[OVERLAP_PATH])
{
	struct walk w = {.a = a, .b = b, .n = 1, .queue = {START * PLACES + START}};
	uint32_t steps = 0;

	for (uint32_t head = 0; head < w.n && steps < MAX_STEPS; head++) {
		uint32_t pair = w.queue[head], i = pair / PLACES, j = pair % PLACES;
		uint64_t left = next_of(a, i), right = next_of(b, j);

		if (is_end(a, i) && is_end(b, j))
			return write_path(&w, pair, ret_path);
		for (uint32_t p = 0; p < a->n; p++)
			for (uint32_t q = 0; left >> p & 1 && q < b->n; q++)
				if (right >> q & 1 && steps++ < MAX_STEPS)
					reach(&w, pair, p, q);
	}
	return false;
}
