/* Sets against a bit-by-bit model, with the loops of each level. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ebitmap/ebitmap.h"
#include "ebitmap/encoding.h"
#include "ebitmap/words.h"

void suite_ebitmap(void);

enum { BITS = 2500, ROUNDS = 1500 };

struct random {
	uint64_t seed, state;
};

static struct random random_start(void)
{
	const char *given = getenv("TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);

	return (struct random){seed, seed};
}

/* splitmix64 */
static uint64_t random_next(struct random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint32_t random_below(struct random *r, uint32_t n)
{
	return (uint32_t)(random_next(r) % n);
}

static bool is_canonical(const struct ebitmap *e)
{
	if (!e->n)
		return !e->words && !e->first;
	return e->words && e->words[0] && e->words[e->n - 1];
}

struct model {
	bool in[BITS];
};

static bool same(const struct ebitmap *e, const struct model *m)
{
	uint32_t count = 0, next = ebitmap_first(e), last = EBITMAP_NONE;

	if (!is_canonical(e))
		return false;
	for (uint32_t i = 0; i < BITS; i++) {
		if (ebitmap_test(e, i) != m->in[i])
			return false;
		if (!m->in[i])
			continue;
		if (next != i)
			return false;
		next = ebitmap_next(e, i);
		last = i;
		count++;
	}
	return next == EBITMAP_NONE && ebitmap_last(e) == last && ebitmap_count(e) == count &&
	       ebitmap_empty(e) == !count;
}

/* A set of one of the shapes that policies have, with its model. */
static void random_set(struct random *r, struct ebitmap *e, struct model *m)
{
	uint32_t shape = random_below(r, 6), base, n;

	ebitmap_free(e);
	memset(m, 0, sizeof *m);
	switch (shape) {
	case 0: /* empty */
		return;
	case 1: /* sparse */
		n = 1 + random_below(r, 8);
		base = 0;
		break;
	case 2: /* every second one or so */
		n = BITS;
		base = 0;
		break;
	case 3: /* skewed: a cluster at the end */
		n = 1 + random_below(r, 40);
		base = BITS - 100;
		break;
	case 4: /* a cluster and an outlier */
		n = 30;
		base = random_below(r, BITS - 64);
		ebitmap_set(e, BITS - 1);
		m->in[BITS - 1] = true;
		break;
	default: { /* a range */
		uint32_t low = random_below(r, BITS), high = low + random_below(r, BITS - low);

		ebitmap_set_range(e, low, high);
		for (uint32_t i = low; i <= high; i++)
			m->in[i] = true;
		return;
	}
	}
	while (n--) {
		uint32_t bit = base + random_below(r, shape == 4 ? 64 : BITS - base);

		ebitmap_set(e, bit);
		m->in[bit] = true;
	}
}

static bool check_binary(uint32_t op, struct ebitmap *a, struct model *ma, const struct ebitmap *b,
			 const struct model *mb)
{
	static void (*const operations[])(struct ebitmap *, const struct ebitmap *) = {
		ebitmap_or, ebitmap_and, ebitmap_andnot, ebitmap_xor, ebitmap_copy,
	};

	operations[op](a, b);
	for (uint32_t i = 0; i < BITS; i++) {
		const bool results[] = {
			ma->in[i] || mb->in[i], ma->in[i] && mb->in[i], ma->in[i] && !mb->in[i],
			ma->in[i] != mb->in[i], mb->in[i],
		};

		ma->in[i] = results[op];
	}
	return same(a, ma) && same(b, mb);
}

static bool check_unary(struct random *r, uint32_t op, struct ebitmap *a, struct model *m)
{
	uint32_t bit = random_below(r, BITS), high = bit + random_below(r, BITS - bit);

	switch (op) {
	case 0:
		ebitmap_set(a, bit);
		m->in[bit] = true;
		break;
	case 1:
		ebitmap_clear(a, bit);
		m->in[bit] = false;
		break;
	case 2:
		ebitmap_set_range(a, bit, high);
		for (uint32_t i = bit; i <= high; i++)
			m->in[i] = true;
		break;
	case 3: /* of a set that may reach over the size */
		ebitmap_complement(a, bit);
		for (uint32_t i = 0; i < BITS; i++)
			m->in[i] = i < bit && !m->in[i];
		break;
	case 4: /* back to what has few words */
		while (ebitmap_count(a) > 1) {
			bit = random_below(r, 2) ? ebitmap_first(a) : ebitmap_last(a);
			ebitmap_clear(a, bit);
			m->in[bit] = false;
			if (!is_canonical(a))
				return false;
		}
		break;
	default:
		break;
	}
	return same(a, m);
}

/* The bound where b ends, close to it, and far away. */
static bool check_contains(const struct ebitmap *a, const struct ebitmap *b, bool within)
{
	uint32_t last = ebitmap_last(b);

	if (last == EBITMAP_NONE)
		return ebitmap_contains(a, b, 0);
	return ebitmap_contains(a, b, last) == within && ebitmap_contains(a, b, last | 63) == within &&
	       ebitmap_contains(a, b, EBITMAP_NONE) == within && (!last || !ebitmap_contains(a, b, last - 1)) &&
	       (last < 64 || !ebitmap_contains(a, b, last / 64 * 64 - 1)) && (!last || !ebitmap_contains(a, b, 0));
}

static bool check_questions(const struct ebitmap *a, const struct model *ma, const struct ebitmap *b,
			    const struct model *mb)
{
	bool equal = true, subset = true, intersects = false;
	uint32_t distance = 0;
	int order = 0;

	for (uint32_t i = 0; i < BITS; i++) {
		equal &= ma->in[i] == mb->in[i];
		subset &= !ma->in[i] || mb->in[i];
		intersects |= ma->in[i] && mb->in[i];
		distance += ma->in[i] != mb->in[i];
		if (ma->in[i] != mb->in[i])
			order = ma->in[i] ? 1 : -1;
	}
	if (equal && ebitmap_hash(a) != ebitmap_hash(b))
		return false;
	return ebitmap_equal(a, b) == equal && ebitmap_subset(a, b) == subset &&
	       ebitmap_intersects(a, b) == intersects && ebitmap_distance(a, b) == distance &&
	       check_contains(b, a, subset) && ebitmap_compare(a, b) == order &&
	       ebitmap_compare(b, a) == -order;
}

static bool round_passes(struct random *r)
{
	struct ebitmap a = {0}, b = {0};
	struct model ma, mb;
	bool passes;

	random_set(r, &a, &ma);
	random_set(r, &b, &mb);
	passes = same(&a, &ma) && same(&b, &mb) && check_questions(&a, &ma, &b, &mb);
	for (int i = 0; passes && i < 4; i++) {
		if (random_below(r, 2))
			passes = check_binary(random_below(r, 5), &a, &ma, &b, &mb);
		else
			passes = check_unary(r, random_below(r, 5), &a, &ma);
		passes = passes && check_questions(&a, &ma, &b, &mb) && check_questions(&b, &mb, &a, &ma);
	}
	ebitmap_free(&a);
	ebitmap_free(&b);
	return passes && is_canonical(&a);
}

static void test_random(void)
{
	struct random r = random_start();
	const struct words *level;

	for (uint32_t l = 0; (level = words_level(l)); l++) {
		uint32_t i = 0;

		words_choose(level);
		while (i < ROUNDS && round_passes(&r))
			i++;
		if (i < ROUNDS)
			fprintf(stderr, "test_ebitmap: round %u of level %s failed, TEST_SEED=%llu\n", i, level->name,
				(unsigned long long)r.seed);
		CU_ASSERT_EQUAL(i, ROUNDS);
	}
	words_choose(NULL);
}

static void test_empty(void)
{
	struct ebitmap e = {0}, other = {0};

	CU_ASSERT_TRUE(ebitmap_empty(&e));
	CU_ASSERT_EQUAL(ebitmap_first(&e), EBITMAP_NONE);
	CU_ASSERT_EQUAL(ebitmap_last(&e), EBITMAP_NONE);
	CU_ASSERT_EQUAL(ebitmap_next(&e, 0), EBITMAP_NONE);
	CU_ASSERT_EQUAL(ebitmap_count(&e), 0);
	CU_ASSERT_FALSE(ebitmap_test(&e, 0));
	CU_ASSERT_TRUE(ebitmap_equal(&e, &other));
	CU_ASSERT_TRUE(ebitmap_subset(&e, &other));
	CU_ASSERT_TRUE(ebitmap_contains(&e, &other, 0));
	ebitmap_set(&other, 70);
	CU_ASSERT_TRUE(ebitmap_contains(&other, &e, 0));
	CU_ASSERT_FALSE(ebitmap_contains(&e, &other, 100));
	CU_ASSERT_EQUAL(ebitmap_distance(&e, &other), 1);
	ebitmap_clear(&other, 70);
	CU_ASSERT_FALSE(ebitmap_intersects(&e, &other));
	CU_ASSERT_EQUAL(ebitmap_compare(&e, &other), 0);
	ebitmap_clear(&e, 5);
	ebitmap_or(&e, &other);
	ebitmap_and(&e, &other);
	ebitmap_andnot(&e, &other);
	ebitmap_xor(&e, &other);
	ebitmap_copy(&e, &other);
	ebitmap_complement(&e, 0);
	ebitmap_set_range(&e, 2, 1);
	CU_ASSERT_TRUE(is_canonical(&e) && ebitmap_empty(&e));
	ebitmap_free(&e);
}

/* Both arguments the same set. */
static void test_aliasing(void)
{
	struct ebitmap e = {0}, before = {0};

	ebitmap_set_range(&e, 100, 300);
	ebitmap_copy(&before, &e);
	ebitmap_or(&e, &e);
	ebitmap_and(&e, &e);
	ebitmap_copy(&e, &e);
	CU_ASSERT_TRUE(ebitmap_equal(&e, &before));
	CU_ASSERT_TRUE(ebitmap_subset(&e, &e));
	ebitmap_xor(&e, &e);
	CU_ASSERT_TRUE(is_canonical(&e) && ebitmap_empty(&e));
	ebitmap_copy(&e, &before);
	ebitmap_andnot(&e, &e);
	CU_ASSERT_TRUE(is_canonical(&e) && ebitmap_empty(&e));
	ebitmap_free(&before);
}

static void test_high_bits(void)
{
	struct ebitmap e = {0};

	ebitmap_set(&e, UINT32_MAX - 1);
	CU_ASSERT_EQUAL(e.n, 1);
	CU_ASSERT_TRUE(ebitmap_test(&e, UINT32_MAX - 1));
	CU_ASSERT_FALSE(ebitmap_test(&e, 0));
	CU_ASSERT_EQUAL(ebitmap_first(&e), UINT32_MAX - 1);
	CU_ASSERT_EQUAL(ebitmap_last(&e), UINT32_MAX - 1);
	CU_ASSERT_EQUAL(ebitmap_next(&e, 3), UINT32_MAX - 1);
	CU_ASSERT_EQUAL(ebitmap_next(&e, UINT32_MAX - 1), EBITMAP_NONE);
	ebitmap_clear(&e, UINT32_MAX - 1);
	CU_ASSERT_TRUE(is_canonical(&e));
}

static void test_word_edges(void)
{
	static const uint32_t bits[] = {0, 1, 62, 63, 64, 65, 127, 128, 191, 192};
	struct ebitmap e = {0};
	uint32_t n = 0;

	for (size_t i = sizeof bits / sizeof bits[0]; i--;) /* grows at the front */
		ebitmap_set(&e, bits[i]);
	ebitmap_for_each(&e, bit) {
		CU_ASSERT_EQUAL(bit, bits[n]);
		n++;
	}
	CU_ASSERT_EQUAL(n, sizeof bits / sizeof bits[0]);
	CU_ASSERT_EQUAL(ebitmap_next(&e, 66), 127);
	ebitmap_complement(&e, 193);
	CU_ASSERT_EQUAL(ebitmap_count(&e), 193 - n);
	CU_ASSERT_EQUAL(ebitmap_first(&e), 2);
	ebitmap_free(&e);
	ebitmap_complement(&e, 64);
	CU_ASSERT_TRUE(e.n == 1 && e.words[0] == UINT64_MAX);
	ebitmap_complement(&e, 64);
	CU_ASSERT_TRUE(is_canonical(&e) && ebitmap_empty(&e));
}

/* ---- the form of a policy image ---- */

enum { IMAGE_MAX = EBITMAP_HEAD_SIZE + (BITS / 64 + 1) * EBITMAP_NODE_SIZE };

static bool survives_image(const struct ebitmap *e, unsigned char *image, size_t *ret_size)
{
	unsigned char again[IMAGE_MAX];
	uint32_t members[BITS], n = 0;
	struct ebitmap_nodes nodes;
	struct ebitmap back = {0};
	bool same;

	*ret_size = (size_t)(ebitmap_encode(e, image) - image);
	ebitmap_for_each(e, bit)
		members[n++] = bit + 7;
	if (ebitmap_encode_members(members, n, 7, again) != again + *ret_size || memcmp(image, again, *ret_size))
		return false;
	if (*ret_size > ebitmap_encoded_size(e->n) || ebitmap_nodes_open(&nodes, image, *ret_size) != EBITMAP_GOOD ||
	    ebitmap_nodes_span(&nodes) != e->n)
		return false;
	ebitmap_decode(&nodes, &back);
	same = ebitmap_equal(e, &back) && is_canonical(&back);
	ebitmap_free(&back);
	return same;
}

/* Cut off anywhere, or with a byte changed: refused, or another set that is right. */
static bool survives_damage(struct random *r, unsigned char *image, size_t size)
{
	uint32_t at = random_below(r, (uint32_t)size);
	unsigned char *copy = malloc(at ? at : 1), again[IMAGE_MAX];
	struct ebitmap_nodes nodes;
	struct ebitmap back = {0};
	enum ebitmap_fault fault;
	bool ok = true;

	memcpy(copy, image, at); /* nothing can be read behind its end */
	fault = ebitmap_nodes_open(&nodes, copy, at);
	free(copy);
	if (fault != (at < EBITMAP_HEAD_SIZE ? EBITMAP_NO_HEAD : EBITMAP_NO_NODES))
		return false;
	image[at] ^= (unsigned char)(1 + random_below(r, 255));
	if (ebitmap_nodes_open(&nodes, image, size) == EBITMAP_GOOD && ebitmap_nodes_span(&nodes) < 10000) {
		size_t n;

		ebitmap_decode(&nodes, &back);
		n = EBITMAP_HEAD_SIZE + nodes.n * (size_t)EBITMAP_NODE_SIZE;
		ok = is_canonical(&back) && ebitmap_encode(&back, again) == again + n && !memcmp(again, image, n);
		ebitmap_free(&back);
	}
	return ok;
}

static void test_image(void)
{
	struct random r = random_start();
	unsigned char image[IMAGE_MAX];
	struct ebitmap e = {0};
	struct model m;
	uint32_t i;

	for (i = 0; i < ROUNDS; i++) {
		size_t size;

		random_set(&r, &e, &m);
		if (!survives_image(&e, image, &size) || !survives_damage(&r, image, size))
			break;
	}
	if (i < ROUNDS)
		fprintf(stderr, "test_ebitmap: image %u failed, TEST_SEED=%llu\n", i, (unsigned long long)r.seed);
	CU_ASSERT_EQUAL(i, ROUNDS);
	ebitmap_free(&e);
}

static void expect_fault(enum ebitmap_fault fault, uint64_t value, size_t at, unsigned char byte)
{
	unsigned char image[36] = {64, 0, 0, 0, 128, 0, 0, 0, 2, 0, 0, 0, [20] = 1, [24] = 64, [35] = 0x80};
	struct ebitmap_nodes nodes;

	CU_ASSERT_EQUAL(ebitmap_nodes_open(&nodes, image, sizeof image), EBITMAP_GOOD);
	image[at] = byte;
	CU_ASSERT_EQUAL(ebitmap_nodes_open(&nodes, image, sizeof image), fault);
	CU_ASSERT_EQUAL(nodes.value, value);
}

static void test_faults(void)
{
	expect_fault(EBITMAP_WIDTH, 32, 0, 32);
	expect_fault(EBITMAP_NO_END, 2, 4, 0);
	expect_fault(EBITMAP_WRONG_END, 128, 4, 192);
	expect_fault(EBITMAP_WRONG_END, 64, 8, 1);
	expect_fault(EBITMAP_NO_NODES, 3, 8, 3);
	expect_fault(EBITMAP_NO_NODES, 0x80000002, 11, 0x80);
	expect_fault(EBITMAP_ORDER, 1, 12, 1);
	expect_fault(EBITMAP_ORDER, 64, 12, 64); /* and the second no later */
	expect_fault(EBITMAP_ORDER, 0, 24, 0);
	expect_fault(EBITMAP_EMPTY_WORD, 0, 20, 0);
	expect_fault(EBITMAP_EMPTY_WORD, 64, 35, 0);
	expect_fault(EBITMAP_WRONG_END, 0xff000080, 27, 0xff);
}

void suite_ebitmap(void)
{
	CU_pSuite suite = CU_add_suite("ebitmap", NULL, NULL);

	CU_add_test(suite, "empty set", test_empty);
	CU_add_test(suite, "both arguments the same", test_aliasing);
	CU_add_test(suite, "highest bits", test_high_bits);
	CU_add_test(suite, "word edges", test_word_edges);
	CU_add_test(suite, "form of an image", test_image);
	CU_add_test(suite, "faults of an image", test_faults);
	CU_add_test(suite, "random sets against a model", test_random);
}
