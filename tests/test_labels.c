/* Spans against a slow model, and the addresses and masks of nodes. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/labels.h"
#include "ir/span.h"

void suite_labels(void);

/* ---- spans ---- */

enum { ROUNDS = 400, MAX_SPANS = 60, MANY = 200000 };

/* splitmix64 */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static bool same(const struct span *a, const struct span *b)
{
	return a->group == b->group && a->low == b->low && a->high == b->high;
}

static bool holds(const struct span *a, const struct span *b) /* b lies in a */
{
	return a->group == b->group && a->low <= b->low && a->high >= b->high;
}

static bool overlaps(const struct span *a, const struct span *b)
{
	return a->group == b->group && a->low <= b->high && b->low <= a->high;
}

static bool crosses(const struct span *a, const struct span *b)
{
	return overlaps(a, b) && !holds(a, b) && !holds(b, a);
}

static bool any_before(const struct span *spans, uint32_t i, bool (*relation)(const struct span *, const struct span *))
{
	for (uint32_t k = 0; k < i; k++)
		if (relation(&spans[k], &spans[i]))
			return true;
	return false;
}

static uint32_t first_same(const struct span *spans, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (same(&spans[k], &spans[i]))
			return k;
	return SPAN_NONE;
}

/* What a verdict names must be there, be earlier, and be named when it is. */
static bool agrees(const struct span *spans, uint32_t i, uint32_t named,
		   bool (*relation)(const struct span *, const struct span *))
{
	if (named == SPAN_NONE)
		return !any_before(spans, i, relation);
	return named < i && relation(&spans[named], &spans[i]);
}

static void test_spans_model(void)
{
	uint64_t seed = (uint64_t)time(NULL), state = seed;
	uint32_t wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct span spans[MAX_SPANS];
		struct span_verdict v[MAX_SPANS];
		uint32_t n = (uint32_t)(random_next(&state) % MAX_SPANS), width = 1 + (uint32_t)(random_next(&state) % 40);

		for (uint32_t i = 0; i < n; i++) {
			spans[i].group = random_next(&state) % 3;
			spans[i].low = random_next(&state) % 40;
			spans[i].high = spans[i].low + random_next(&state) % width;
		}
		spans_judge(spans, n, v);
		for (uint32_t i = 0; i < n; i++) {
			wrong += v[i].same != first_same(spans, i);
			wrong += !agrees(spans, i, v[i].around, holds);
			wrong += !agrees(spans, i, v[i].overlap, overlaps);
			if (v[i].around == SPAN_NONE)
				wrong += !agrees(spans, i, v[i].across, crosses);
		}
	}
	if (wrong)
		printf("seed %llu\n", (unsigned long long)seed);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void test_spans_edges(void)
{
	static const struct span spans[] = {
		{UINT64_MAX, 0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, {0, 0, 0}, {0, 0, 0}, {0, 1, UINT64_MAX},
		{0, UINT64_MAX, UINT64_MAX},
	};
	struct span_verdict v[6];

	spans_judge(spans, 0, v);
	spans_judge(spans, 6, v);
	CU_ASSERT_EQUAL(v[1].around, 0);
	CU_ASSERT_EQUAL(v[2].overlap, SPAN_NONE);
	CU_ASSERT_EQUAL(v[3].same, 2);
	CU_ASSERT_EQUAL(v[4].overlap, SPAN_NONE);
	CU_ASSERT_EQUAL(v[5].around, 4);
}

/* Many equal ones, many apart, and one around them all: none may cost a walk
 * over the others. */
static void test_spans_many(void)
{
	struct span *spans = calloc(MANY, sizeof *spans);
	struct span_verdict *v = calloc(MANY, sizeof *v);

	CU_ASSERT_PTR_NOT_NULL_FATAL(spans);
	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	for (uint32_t i = 0; i < MANY; i++)
		spans[i] = i % 2 ? (struct span){0, 7, 7} : (struct span){0, 10 + i, 10 + i};
	spans[MANY - 1] = (struct span){0, 0, 2 * (uint64_t)MANY};
	spans_judge(spans, MANY, v);
	CU_ASSERT_EQUAL(v[1].same, SPAN_NONE);
	CU_ASSERT_EQUAL(v[MANY - 3].same, 1);
	CU_ASSERT_EQUAL(v[MANY - 1].around, SPAN_NONE);
	CU_ASSERT_EQUAL(v[MANY - 1].across, SPAN_NONE);
	CU_ASSERT_NOT_EQUAL(v[MANY - 1].overlap, SPAN_NONE);
	free(spans);
	free(v);
}

/* ---- nodes ---- */

static struct node_address parse(const char *address, const char *mask, bool ipv6)
{
	struct node_address node = {0};

	CU_ASSERT_EQUAL(node_parse(address, mask, ipv6, &node), NODE_GOOD);
	return node;
}

static void test_node_masks(void)
{
	struct node_address node = parse("10.1.2.3", "255.255.0.0", false);

	CU_ASSERT(!memcmp(node.address, "\x0a\x01\x02\x03", 4));
	CU_ASSERT(!memcmp(node.mask, "\xff\xff\x00\x00", 4));
	CU_ASSERT(node.host_bits);
	CU_ASSERT(!node.gap);
	CU_ASSERT(parse("0.0.0.0", "255.0.255.0", false).gap);
	CU_ASSERT(!parse("0.0.0.0", "0.0.0.0", false).gap);
	CU_ASSERT(!parse("1.2.3.4", "255.255.255.255", false).host_bits);
	CU_ASSERT(parse("::1", "ffff:0:ffff::", true).gap);
	CU_ASSERT(!parse("fe80::", "ffc0::", true).gap);
	CU_ASSERT(parse("fe80::1", "ffc0::", true).host_bits);
}

static void test_node_prefixes(void)
{
	struct node_address node = parse("10.255.2.3/12", NULL, false);

	CU_ASSERT(!memcmp(node.address, "\x0a\xf0\x00\x00", 4));
	CU_ASSERT(!memcmp(node.mask, "\xff\xf0\x00\x00", 4));
	CU_ASSERT(node.host_bits);
	CU_ASSERT(!parse("0.0.0.0/0", NULL, false).mask[0]);
	CU_ASSERT_EQUAL(parse("1.2.3.4/32", NULL, false).mask[3], 0xff);
	node = parse("2001:db8::ffff/33", NULL, true);
	CU_ASSERT_EQUAL(node.mask[3], 0xff);
	CU_ASSERT_EQUAL(node.mask[4], 0x80);
	CU_ASSERT_EQUAL(node.mask[5], 0);
	CU_ASSERT_EQUAL(node.address[15], 0);
	CU_ASSERT_EQUAL(parse("::1/128", NULL, true).address[15], 1);
}

static void test_node_faults(void)
{
	static const struct { const char *address, *mask; bool ipv6; enum node_fault fault; } bad[] = {
		{"256.0.0.1", "255.0.0.0", false, NODE_BAD_ADDRESS},
		{"1.2.3.4", "255.0.0.256", false, NODE_BAD_MASK},
		{"1.2.3.4/33", NULL, false, NODE_BAD_MASK},
		{"1.2.3.4/", NULL, false, NODE_BAD_MASK},
		{"1.2.3.4", NULL, false, NODE_BAD_MASK},
		{"1::2::3", "::", true, NODE_BAD_ADDRESS},
		{"::1", "g::", true, NODE_BAD_MASK},
		{"::/129", NULL, true, NODE_BAD_MASK},
		{"::/99999999999999999999", NULL, true, NODE_BAD_MASK},
		{"1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21:22/64", NULL, true, NODE_BAD_ADDRESS},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct node_address node;

		CU_ASSERT_EQUAL(node_parse(bad[i].address, bad[i].mask, bad[i].ipv6, &node), bad[i].fault);
	}
}

static int order(const char *a, const char *b, bool ipv6)
{
	struct node_address x = parse(ipv6 ? "::" : "0.0.0.0", a, ipv6), y = parse(ipv6 ? "::" : "0.0.0.0", b, ipv6);

	return node_compare_masks(x.mask, y.mask, ipv6);
}

static void test_node_order(void)
{
	CU_ASSERT(order("255.255.255.255", "255.255.255.0", false) < 0);
	CU_ASSERT(order("255.0.0.0", "255.255.0.0", false) > 0);
	CU_ASSERT_EQUAL(order("255.255.0.0", "255.255.0.0", false), 0);
	CU_ASSERT(order("0.0.0.1", "255.255.255.0", false) < 0); /* the last byte counts most */
	CU_ASSERT(order("ffff::", "ff00::", true) < 0);
	CU_ASSERT(order("::ffff", "ff00::", true) > 0);
}

void suite_labels(void)
{
	CU_pSuite suite = CU_add_suite("labels", NULL, NULL);

	CU_add_test(suite, "spans agree with a slow model", test_spans_model);
	CU_add_test(suite, "spans at the ends of the numbers", test_spans_edges);
	CU_add_test(suite, "many spans", test_spans_many);
	CU_add_test(suite, "node masks", test_node_masks);
	CU_add_test(suite, "node prefixes", test_node_prefixes);
	CU_add_test(suite, "node faults", test_node_faults);
	CU_add_test(suite, "node order", test_node_order);
}
