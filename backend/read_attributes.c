/* The type-attribute map (policydb-format.md 10.3), turned round: the types of
 * each attribute.  Two passes over its rows: the first checks them and finds
 * how far the types of each attribute reach, the second fills the sets. */
#include "backend/read.h"

enum { MAP_UNIT = 64 };

/* By value of an attribute: the first and the last type. */
struct reach { uint32_t first, last; };

static bool is_kind(const struct reader *r, uint32_t value, enum policy_type_kind kind)
{
	return r->policy->types.at[value].kind == kind;
}

/* Before attributes had names in an image, what a row refers to is one. */
static bool is_attribute(struct reader *r, uint32_t value)
{
	if (is_kind(r, value, POLICY_GAP) && !can(r, FEATURE_ATTRIBUTE_NAMES))
		r->policy->types.at[value].kind = POLICY_ATTRIBUTE;
	return is_kind(r, value, POLICY_ATTRIBUTE);
}

static void check_bit(struct reader *r, uint32_t type, uint32_t value, struct reach *reach)
{
	if (value > r->policy->types.n)
		refuse(r, "type value %u has the attribute %u above %u", (unsigned)type, (unsigned)value,
		       (unsigned)r->policy->types.n);
	else if (value == type)
		return;
	else if (!is_kind(r, type, POLICY_TYPE))
		refuse(r, "value %u has the attribute %u and is no type", (unsigned)type, (unsigned)value);
	else if (!is_attribute(r, value))
		refuse(r, "type value %u has %u for an attribute, which is none", (unsigned)type, (unsigned)value);
	else if (!reach[value].first)
		reach[value] = (struct reach){type, type};
	else
		reach[value].last = type;
}

static void check_row(struct reader *r, struct ebitmap_nodes nodes, uint32_t type, struct reach *reach)
{
	bool own = false;

	for (uint32_t i = 0; i < nodes.n && !r->failed; i++) {
		uint32_t start;

		for (uint64_t map = ebitmap_nodes_word(&nodes, i, &start); map; map &= map - 1) {
			uint32_t value = start + (uint32_t)__builtin_ctzll(map) + 1;

			own |= value == type;
			check_bit(r, type, value, reach);
		}
	}
	if (r->failed)
		return;
	if (own && !is_kind(r, type, POLICY_TYPE) && !is_attribute(r, type))
		refuse(r, "value %u is no type and has a row", (unsigned)type);
	else if (!own && is_kind(r, type, POLICY_TYPE))
		refuse(r, "the row of type `%s` is without itself", r->policy->types.at[type].name);
	else if (!own && is_kind(r, type, POLICY_ATTRIBUTE))
		r->policy->types.at[type].expand = true;
}

static void fill_row(struct reader *r, struct ebitmap_nodes nodes, uint32_t type)
{
	for (uint32_t i = 0; i < nodes.n; i++) {
		uint32_t start;

		for (uint64_t map = ebitmap_nodes_word(&nodes, i, &start); map; map &= map - 1) {
			uint32_t value = start + (uint32_t)__builtin_ctzll(map) + 1;

			if (value != type)
				ebitmap_set(&r->policy->types.at[value].types, type - 1);
		}
	}
}

/* An attribute with types in spite of an empty row is one to keep. */
static void make_sets(struct reader *r, const struct reach *reach)
{
	for (uint32_t v = 1; v <= r->policy->types.n && !r->failed; v++) {
		struct policy_type *type = &r->policy->types.at[v];

		if (!reach[v].first)
			continue;
		type->expand = false;
		make_set(r, &type->types, (reach[v].first - 1) / MAP_UNIT, (reach[v].last - 1) / MAP_UNIT);
	}
}

void read_attribute_map(struct reader *r)
{
	const unsigned char *begin = r->at;
	uint32_t n = r->policy->types.n;
	struct reach *reach = arena_zalloc(&r->policy->arena, (size_t)n + 1, sizeof *reach);

	for (uint32_t v = 1; v <= n && !r->failed; v++)
		check_row(r, get_nodes(r), v, reach);
	make_sets(r, reach);
	if (r->failed)
		return;
	r->at = begin;
	for (uint32_t v = 1; v <= n; v++)
		fill_row(r, get_nodes(r), v);
}
