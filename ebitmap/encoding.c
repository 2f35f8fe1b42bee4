#include "ebitmap/encoding.h"

#include <endian.h>
#include <string.h>

enum { WIDTH = 64 };

static uint32_t load_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return le32toh(v);
}

static uint64_t load_u64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return le64toh(v);
}

static unsigned char *store_u32(unsigned char *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof v);
	return p + sizeof v;
}

static unsigned char *store_node(unsigned char *p, uint32_t index, uint64_t word)
{
	p = store_u32(p, index * WIDTH);
	word = htole64(word);
	memcpy(p, &word, sizeof word);
	return p + sizeof word;
}

/* ---- writing ---- */

static void store_head(unsigned char *p, uint32_t end, const unsigned char *last)
{
	size_t size = (size_t)(last - p) - EBITMAP_HEAD_SIZE;

	p = store_u32(p, WIDTH);
	p = store_u32(p, end * WIDTH);
	store_u32(p, (uint32_t)(size / EBITMAP_NODE_SIZE));
}

unsigned char *ebitmap_encode(const struct ebitmap *e, unsigned char *to)
{
	unsigned char *p = to + EBITMAP_HEAD_SIZE;

	for (uint32_t i = 0; i < e->n; i++) {
		if (e->words[i])
			p = store_node(p, e->first + i, e->words[i]);
	}
	store_head(to, e->first + e->n, p);
	return p;
}

unsigned char *ebitmap_encode_members(const uint32_t *members, size_t n, uint32_t first, unsigned char *to)
{
	unsigned char *p = to + EBITMAP_HEAD_SIZE;

	for (size_t i = 0; i < n;) {
		uint32_t index = (members[i] - first) / WIDTH;
		uint64_t word = 0;

		for (; i < n && (members[i] - first) / WIDTH == index; i++)
			word |= UINT64_C(1) << (members[i] - first) % WIDTH;
		p = store_node(p, index, word);
	}
	store_head(to, n ? (members[n - 1] - first) / WIDTH + 1 : 0, p);
	return p;
}

/* ---- reading ---- */

static enum ebitmap_fault check_nodes(struct ebitmap_nodes *nodes)
{
	uint64_t next = 0; /* the lowest first bit that may follow */

	for (uint32_t i = 0; i < nodes->n; i++) {
		const unsigned char *p = nodes->at + (size_t)i * EBITMAP_NODE_SIZE;

		nodes->value = load_u32(p);
		if (nodes->value % WIDTH || nodes->value < next)
			return EBITMAP_ORDER;
		if (!load_u64(p + 4))
			return EBITMAP_EMPTY_WORD;
		next = nodes->value + WIDTH;
	}
	nodes->value = next;
	return next == nodes->end ? EBITMAP_GOOD : EBITMAP_WRONG_END;
}

enum ebitmap_fault ebitmap_nodes_open(struct ebitmap_nodes *ret, const unsigned char *at, size_t size)
{
	*ret = (struct ebitmap_nodes){0};
	if (size < EBITMAP_HEAD_SIZE)
		return EBITMAP_NO_HEAD;
	ret->value = load_u32(at);
	if (ret->value != WIDTH)
		return EBITMAP_WIDTH;
	ret->end = load_u32(at + 4);
	ret->value = ret->n = load_u32(at + 8);
	if (ret->n && !ret->end)
		return EBITMAP_NO_END;
	if (ret->n > (size - EBITMAP_HEAD_SIZE) / EBITMAP_NODE_SIZE)
		return EBITMAP_NO_NODES;
	ret->at = at + EBITMAP_HEAD_SIZE;
	return check_nodes(ret);
}

uint64_t ebitmap_nodes_word(const struct ebitmap_nodes *nodes, uint32_t i, uint32_t *ret_first_bit)
{
	const unsigned char *p = nodes->at + (size_t)i * EBITMAP_NODE_SIZE;

	*ret_first_bit = load_u32(p);
	return load_u64(p + 4);
}

uint32_t ebitmap_nodes_span(const struct ebitmap_nodes *nodes)
{
	return nodes->n ? (nodes->end - load_u32(nodes->at)) / WIDTH : 0;
}

void ebitmap_decode(const struct ebitmap_nodes *nodes, struct ebitmap *ret)
{
	*ret = (struct ebitmap){0};
	if (!nodes->n)
		return;
	ebitmap_make(ret, load_u32(nodes->at) / WIDTH, ebitmap_nodes_span(nodes));
	for (uint32_t i = 0; i < nodes->n; i++) {
		uint32_t first_bit;
		uint64_t word = ebitmap_nodes_word(nodes, i, &first_bit);

		ret->words[first_bit / WIDTH - ret->first] = word;
	}
}
