/* The cursor of the reader, and the building blocks of the format (4). */
#include <stdlib.h>

#include "backend/read.h"

void refuse(struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (r->failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_error(r->diags, "bad-image", LOC_NONE, "`%s`: %s, byte %zu: %s", r->path, r->section,
		   (size_t)(r->at - r->begin), text);
	r->failed = true;
	r->at = r->end;
}

void refuse_end(struct reader *r, size_t len)
{
	refuse(r, "the image ends, %zu bytes are needed and %zu left", len, left(r));
}

uint32_t get_count(struct reader *r, size_t size)
{
	uint32_t n = get_u32(r);

	if (n <= left(r) / size)
		return n;
	refuse(r, "%u entries cannot be in the %zu bytes left", (unsigned)n, left(r));
	return 0;
}

const char *get_text(struct reader *r, uint32_t len)
{
	const unsigned char *p = get_bytes(r, len);

	if (!p)
		return "";
	for (uint32_t i = 0; i < len; i++) {
		if (p[i] < 0x20 || p[i] == 0x7f) {
			refuse(r, "a name with the control character 0x%02x", p[i]);
			return "";
		}
	}
	if (!len)
		refuse(r, "an empty name");
	return arena_strndup(&r->policy->arena, (const char *)p, len);
}

/* ---- sets ---- */

static void refuse_nodes(struct reader *r, const struct ebitmap_nodes *nodes, enum ebitmap_fault fault)
{
	unsigned value = (unsigned)nodes->value;

	switch (fault) {
	case EBITMAP_GOOD:
	case EBITMAP_NO_HEAD: /* get_bytes() has said so */
		break;
	case EBITMAP_WIDTH:
		refuse(r, "a set with words of %u bits", value);
		break;
	case EBITMAP_NO_END:
		refuse(r, "an empty set with %u words", value);
		break;
	case EBITMAP_NO_NODES:
		refuse(r, "a set of %u words cannot be in the %zu bytes left", value, left(r));
		break;
	case EBITMAP_ORDER:
		refuse(r, "a set with a word at bit %u out of order", value);
		break;
	case EBITMAP_EMPTY_WORD:
		refuse(r, "a set with an empty word at bit %u", value);
		break;
	case EBITMAP_WRONG_END:
		refuse(r, "a set that ends at bit %u instead of %u", value, (unsigned)nodes->end);
		break;
	}
}

struct ebitmap_nodes get_nodes(struct reader *r)
{
	const unsigned char *p = get_bytes(r, SET_SIZE);
	struct ebitmap_nodes nodes;
	enum ebitmap_fault fault;

	if (!p)
		return (struct ebitmap_nodes){0};
	fault = ebitmap_nodes_open(&nodes, p, SET_SIZE + left(r));
	if (nodes.at)
		get_bytes(r, (size_t)nodes.n * EBITMAP_NODE_SIZE);
	refuse_nodes(r, &nodes, fault);
	if (!fault && nodes.end > POLICY_MAX_SYMBOLS + 1)
		refuse(r, "a set that goes up to bit %u", (unsigned)nodes.end);
	return r->failed ? (struct ebitmap_nodes){0} : nodes;
}

static bool take_budget(struct reader *r, uint32_t words)
{
	size_t size = words * sizeof(uint64_t);

	if (size > r->budget) {
		refuse(r, "sets of members that lie too far apart");
		return false;
	}
	r->budget -= size;
	return true;
}

bool make_set(struct reader *r, struct ebitmap *ret_set, uint32_t first, uint32_t last)
{
	if (!take_budget(r, last - first + 1))
		return false;
	ebitmap_make(ret_set, first, last - first + 1);
	return true;
}

void get_set(struct reader *r, struct ebitmap *ret_set)
{
	struct ebitmap_nodes nodes = get_nodes(r);

	*ret_set = (struct ebitmap){0};
	if (nodes.n && take_budget(r, ebitmap_nodes_span(&nodes)))
		ebitmap_decode(&nodes, ret_set);
}

/* ---- levels and contexts ---- */

void get_level(struct reader *r, struct policy_level *ret_level)
{
	ret_level->sens = get_u32(r);
	get_set(r, &ret_level->cats);
}

static void copy_set(struct reader *r, struct ebitmap *to, const struct ebitmap *from)
{
	if (take_budget(r, from->n))
		ebitmap_copy(to, from);
}

void get_range(struct reader *r, struct policy_range *ret_range)
{
	uint32_t n = get_u32(r);

	if (!r->failed && n != 1 && n != 2)
		refuse(r, "a range of %u levels", (unsigned)n);
	ret_range->low.sens = ret_range->high.sens = get_u32(r);
	if (n == 2)
		ret_range->high.sens = get_u32(r);
	get_set(r, &ret_range->low.cats);
	if (n == 2)
		get_set(r, &ret_range->high.cats);
	else
		copy_set(r, &ret_range->high.cats, &ret_range->low.cats);
}

void get_context(struct reader *r, struct policy_context *ret_context)
{
	ret_context->user = get_u32(r);
	ret_context->role = get_u32(r);
	ret_context->type = get_u32(r);
	if (can(r, FEATURE_MLS))
		get_range(r, &ret_context->range);
}

size_t context_size(const struct reader *r)
{
	return 12 + (can(r, FEATURE_MLS) ? RANGE_SIZE : 0);
}
