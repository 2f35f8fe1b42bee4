/* Sets as a binary policy has them: little-endian, the width of a word (64),
 * the bit after the last word, the number of nodes, then the nodes, each the
 * first bit of a word that is not zero and the word (policydb.c of the kernel,
 * ebitmap_read and ebitmap_write).
 *
 * Bytes are untrusted until ebitmap_nodes_open() took them. */
#ifndef EBITMAP_ENCODING_H
#define EBITMAP_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ebitmap/ebitmap.h"

enum { EBITMAP_HEAD_SIZE = 12, EBITMAP_NODE_SIZE = 12 };

/* ---- writing ---- */

/* The most bytes that a set of so many words or members takes. */
static inline size_t ebitmap_encoded_size(size_t n)
{
	return EBITMAP_HEAD_SIZE + n * EBITMAP_NODE_SIZE;
}

/* Both return the end.  Members ascend; first is the one that is bit 0. */
unsigned char *ebitmap_encode(const struct ebitmap *e, unsigned char *to);
unsigned char *ebitmap_encode_members(const uint32_t *members, size_t n, uint32_t first, unsigned char *to);

/* ---- reading ---- */

/* What is wrong; value says with what. */
enum ebitmap_fault {
	EBITMAP_GOOD,
	EBITMAP_NO_HEAD,    /* the bytes end within it */
	EBITMAP_WIDTH,      /* value: of a word */
	EBITMAP_NO_END,     /* value: number of nodes of a set that ends at bit 0 */
	EBITMAP_NO_NODES,   /* value: number of nodes, more than the bytes hold */
	EBITMAP_ORDER,      /* value: first bit of a word that is not behind the last, or no multiple of 64 */
	EBITMAP_EMPTY_WORD, /* value: its first bit */
	EBITMAP_WRONG_END,  /* value: the bit after the last word; end says another */
};

struct ebitmap_nodes {
	const unsigned char *at;
	uint32_t n;
	uint32_t end;   /* the bit after the last word, as the head says */
	uint64_t value; /* of a fault */
};

/* Looks at all that the set says of itself, and at no byte behind size. */
enum ebitmap_fault ebitmap_nodes_open(struct ebitmap_nodes *ret, const unsigned char *at, size_t size);

/* A word of nodes without fault, never 0. */
uint64_t ebitmap_nodes_word(const struct ebitmap_nodes *nodes, uint32_t i, uint32_t *ret_first_bit);

/* The words that the set will have.  With members far apart they are many more
 * than the nodes: who decodes what others wrote sets a bound to them. */
uint32_t ebitmap_nodes_span(const struct ebitmap_nodes *nodes);
void ebitmap_decode(const struct ebitmap_nodes *nodes, struct ebitmap *ret);

#endif
