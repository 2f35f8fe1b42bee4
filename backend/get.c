/* The cursor of the reader, and the building blocks of the format (4). */
#include <stdlib.h>
#include <string.h>

#include "backend/read.h"
#include "base/memory.h"

enum { MAP_UNIT = 64 };

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

static bool check_nodes(struct reader *r, struct nodes nodes, uint32_t high)
{
	uint64_t next = 0; /* lowest start bit that may follow */

	for (uint32_t i = 0; i < nodes.n; i++) {
		const unsigned char *p = nodes.at + (size_t)i * NODE_SIZE;
		uint32_t start = load_u32(p);

		if (start % MAP_UNIT || start < next) {
			refuse(r, "a set with a word at bit %u out of order", (unsigned)start);
			return false;
		}
		if (!load_u64(p + 4)) {
			refuse(r, "a set with an empty word at bit %u", (unsigned)start);
			return false;
		}
		next = (uint64_t)start + MAP_UNIT;
	}
	if (next != high)
		refuse(r, "a set that ends at bit %u instead of %u", (unsigned)next, (unsigned)high);
	else if (high > POLICY_MAX_SYMBOLS + 1)
		refuse(r, "a set that goes up to bit %u", (unsigned)high);
	return !r->failed;
}

struct nodes get_nodes(struct reader *r)
{
	const unsigned char *p = get_bytes(r, SET_SIZE);
	struct nodes nodes = {0};

	if (!p)
		return nodes;
	if (load_u32(p) != MAP_UNIT) {
		refuse(r, "a set with words of %u bits", (unsigned)load_u32(p));
		return nodes;
	}
	nodes.n = load_u32(p + 8);
	if (nodes.n && !load_u32(p + 4)) {
		refuse(r, "an empty set with %u words", (unsigned)nodes.n);
		return (struct nodes){0};
	}
	if (nodes.n > left(r) / NODE_SIZE) {
		refuse(r, "a set of %u words cannot be in the %zu bytes left", (unsigned)nodes.n, left(r));
		return (struct nodes){0};
	}
	nodes.at = get_bytes(r, (size_t)nodes.n * NODE_SIZE);
	return check_nodes(r, nodes, load_u32(p + 4)) ? nodes : (struct nodes){0};
}

bool make_set(struct reader *r, struct ebitmap *ret_set, uint32_t first, uint32_t last)
{
	size_t size = ((size_t)last - first + 1) * sizeof *ret_set->words;

	if (size > r->budget) {
		refuse(r, "sets of members that lie too far apart");
		return false;
	}
	r->budget -= size;
	*ret_set = (struct ebitmap){.words = mem_zalloc(1, size), .first = first, .n = last - first + 1};
	return true;
}

void get_set(struct reader *r, struct ebitmap *ret_set)
{
	struct nodes nodes = get_nodes(r);
	uint32_t first, last;

	*ret_set = (struct ebitmap){0};
	if (!nodes.n)
		return;
	first = load_u32(nodes.at) / MAP_UNIT;
	last = load_u32(nodes.at + (size_t)(nodes.n - 1) * NODE_SIZE) / MAP_UNIT;
	if (!make_set(r, ret_set, first, last))
		return;
	for (uint32_t i = 0; i < nodes.n; i++) {
		const unsigned char *p = nodes.at + (size_t)i * NODE_SIZE;

		ret_set->words[load_u32(p) / MAP_UNIT - first] = load_u64(p + 4);
	}
}

/* ---- levels and contexts ---- */

void get_level(struct reader *r, struct policy_level *ret_level)
{
	ret_level->sens = get_u32(r);
	get_set(r, &ret_level->cats);
}

static void copy_set(struct reader *r, struct ebitmap *to, const struct ebitmap *from)
{
	if (from->n && make_set(r, to, from->first, from->first + from->n - 1))
		memcpy(to->words, from->words, from->n * sizeof *from->words);
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
