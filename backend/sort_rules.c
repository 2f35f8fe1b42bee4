/* Rules into their order, each key once.  Our own images are sorted; those of
 * others have the order of a hash table. */
#include <stdlib.h>
#include <string.h>

#include "backend/read.h"
#include "base/memory.h"

struct item {
	uint64_t key;
	uint32_t data; /* of the rule */
};

/* Class, source, target, kind: in the bits that they can need, so that few
 * passes sort them. */
enum { KIND_BITS = 4, VALUE_BITS = 16 };

static uint64_t key_of(const struct policy_rule *rule)
{
	uint64_t values = (uint64_t)rule->class << 2 * VALUE_BITS | (uint64_t)rule->source << VALUE_BITS | rule->target;

	return values << KIND_BITS | (uint32_t)__builtin_ctz(rule->kind);
}

static struct policy_rule rule_of(const struct item *item)
{
	uint64_t values = item->key >> KIND_BITS;

	return (struct policy_rule){
		.class = (uint16_t)(values >> 2 * VALUE_BITS),
		.source = (uint16_t)(values >> VALUE_BITS),
		.target = (uint16_t)values,
		.kind = (uint16_t)(1u << (item->key & ((1 << KIND_BITS) - 1))),
		.data = item->data,
	};
}

/* What makes several rules of extended permissions of one key. */
static uint32_t head_of(const struct reader *r, uint32_t data)
{
	return (uint32_t)r->xperms.at[data].specified << 8 | r->xperms.at[data].driver;
}

/* Each key once included. */
static bool is_sorted(const struct reader *r, const policy_rules *rules)
{
	for (uint32_t i = 1; i < rules->n; i++) {
		const struct policy_rule *rule = &rules->at[i], *last = rule - 1;
		uint64_t key = key_of(rule), last_key = key_of(last);

		if (key > last_key)
			continue;
		if (key < last_key || !(rule->kind & AV_X) || head_of(r, rule->data) <= head_of(r, last->data))
			return false;
	}
	return true;
}

/* ---- sorting by key, stable ---- */

enum { DIGIT_BITS = 11, BUCKETS = 1 << DIGIT_BITS, DIGITS = 5 };
_Static_assert(DIGITS * DIGIT_BITS >= 3 * VALUE_BITS + KIND_BITS, "a key has so many digits");

static uint32_t digit_of(uint64_t key, uint32_t digit)
{
	return key >> digit * DIGIT_BITS & (BUCKETS - 1);
}

/* Moves the items into the order of one digit. */
static void sort_digit(const struct item *from, struct item *to, uint32_t n, uint32_t digit, uint32_t *counts)
{
	uint32_t begin = 0;

	for (uint32_t i = 0; i < BUCKETS; i++) {
		uint32_t size = counts[i];

		counts[i] = begin;
		begin += size;
	}
	for (uint32_t i = 0; i < n; i++)
		to[counts[digit_of(from[i].key, digit)]++] = from[i];
}

/* Needs room for n other items. */
static void sort_many(struct item *items, struct item *room, uint32_t n)
{
	uint32_t counts[DIGITS][BUCKETS] = {{0}};
	struct item *from = items, *to = room;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t digit = 0; digit < DIGITS; digit++)
			counts[digit][digit_of(items[i].key, digit)]++;
	for (uint32_t digit = 0; digit < DIGITS; digit++) {
		struct item *sorted = to;

		if (counts[digit][digit_of(items[0].key, digit)] == n)
			continue; /* the same in all */
		sort_digit(from, to, n, digit, counts[digit]);
		to = from;
		from = sorted;
	}
	if (from != items)
		memcpy(items, from, n * sizeof *items);
}

static void sort_few(struct item *items, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct item item = items[i];
		uint32_t at = i;

		for (; at > 0 && item.key < items[at - 1].key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

enum { FEW = 48 };

static void sort_items(struct item *items, struct item *room, uint32_t n)
{
	if (n > FEW)
		sort_many(items, room, n);
	else
		sort_few(items, n);
}

/* Items of extended permissions with one key, by their heads. */
static void sort_heads(const struct reader *r, struct item *items, struct item *room, uint32_t n)
{
	uint64_t key = items[0].key;

	for (uint32_t i = 0; i < n; i++)
		items[i].key = head_of(r, items[i].data);
	sort_items(items, room, n);
	for (uint32_t i = 0; i < n; i++)
		items[i].key = key;
}

static void sort_all_heads(const struct reader *r, struct item *items, struct item *room, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && items[end].key == items[i].key; end++)
			;
		if (end - i > 1 && rule_of(&items[i]).kind & AV_X)
			sort_heads(r, items + i, room, end - i);
	}
}

/* ---- one entry a key ---- */

/* Adds what a further entry of the same key says. */
static void add_entry(struct reader *r, struct policy_rule *rule, uint32_t data, bool merge)
{
	if (rule->kind & AV_X) {
		for (int i = 0; i < 8; i++)
			r->xperms.at[rule->data].perms[i] |= r->xperms.at[data].perms[i];
		return;
	}
	if (!merge || rule->kind & AV_TE)
		refuse(r, "two rules of the kind 0x%04x for source %u, target %u, class %u", rule->kind, rule->source,
		       rule->target, rule->class);
	else if (rule->kind == AV_AUDITDENY)
		rule->data &= data;
	else
		rule->data |= data;
}

static void fold(struct reader *r, policy_rules *rules, const struct item *items, uint32_t n, bool merge)
{
	rules->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct policy_rule rule = rule_of(&items[i]), *last = rules->n ? &rules->at[rules->n - 1] : NULL;

		if (i && items[i].key == items[i - 1].key &&
		    (!(rule.kind & AV_X) || head_of(r, rule.data) == head_of(r, last->data)))
			add_entry(r, last, rule.data, merge);
		else
			rules->at[rules->n++] = rule;
	}
}

void sort_rules(struct reader *r, policy_rules *rules, bool merge)
{
	struct item few[FEW], *items = few, *block = NULL;
	uint32_t n = rules->n;

	if (r->failed || is_sorted(r, rules))
		return;
	if (n > FEW)
		items = block = mem_alloc(2 * (size_t)n * sizeof *items);
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct item){key_of(&rules->at[i]), rules->at[i].data};
	sort_items(items, items + n, n);
	sort_all_heads(r, items, items + n, n);
	fold(r, rules, items, n, merge);
	free(block);
}
