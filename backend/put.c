#include <string.h>

#include "backend/write.h"
#include "ebitmap/encoding.h"

void put_u32(struct writer *w, uint32_t v)
{
	buffer_u32(w->image, v);
}

void put_text(struct writer *w, const char *text)
{
	buffer_put(w->image, text, strlen(text));
}

void put_string(struct writer *w, const char *text)
{
	size_t len = strlen(text);

	put_u32(w, (uint32_t)len);
	buffer_put(w->image, text, len);
}

void put_ebitmap(struct writer *w, const struct ebitmap *set)
{
	unsigned char *p = store_begin(w->image, ebitmap_encoded_size(set->n));

	store_end(w->image, ebitmap_encode(set, p));
}

void put_members(struct writer *w, const uint32_t *members, size_t n, uint32_t first)
{
	unsigned char *p = store_begin(w->image, ebitmap_encoded_size(n));

	store_end(w->image, ebitmap_encode_members(members, n, first, p));
}

void put_level(struct writer *w, const struct policy_level *level)
{
	put_u32(w, level->sens);
	put_ebitmap(w, &level->cats);
}

void put_range(struct writer *w, const struct policy_range *range)
{
	bool single = policy_level_equal(&range->low, &range->high);

	put_u32(w, single ? 1 : 2);
	put_u32(w, range->low.sens);
	if (!single)
		put_u32(w, range->high.sens);
	put_ebitmap(w, &range->low.cats);
	if (!single)
		put_ebitmap(w, &range->high.cats);
}

void put_context(struct writer *w, const struct policy_context *context)
{
	put_u32(w, context->user);
	put_u32(w, context->role);
	put_u32(w, context->type);
	if (has(w, FEATURE_MLS))
		put_range(w, &context->range);
}

size_t list_begin(struct writer *w)
{
	size_t list = w->image->n;

	put_u32(w, 0);
	return list;
}

void list_end(struct writer *w, size_t list, size_t n)
{
	buffer_set_u32(w->image, list, (uint32_t)n);
}

void check_size(struct writer *w)
{
	if (w->failed || w->image->n <= UINT32_MAX)
		return;
	diag_error(w->diags, "image-too-large", LOC_NONE, "the image at version %u is over 4 GiB",
		   (unsigned)w->features->version);
	w->failed = true;
}
