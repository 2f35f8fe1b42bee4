/* neverallowxperm: the second question about a pair that has the base
 * permission, ioctl or nlmsg: which of its values do the allowxperm rules leave?
 *
 * A pair violates when a record that applies to it allows one of the values,
 * or when no record limits it, for then all values are allowed.  A record
 * limits an unconditional grant when it is unconditional too, and any grant
 * when both branches of a conditional have one.  A conditional grant is else
 * limited by the records of its own branch alone (language.md 14.2).  ioctl
 * and nlmsg have their own records (18, 4). */
#include <stdlib.h>
#include <string.h>

#include "ir/neverallow.h"
#include "ir/text.h"

static bool values_have(const struct ebitmap *values, uint32_t word, uint64_t mask)
{
	word -= values->first;
	return word < values->n && values->words[word] & mask;
}

void xperm_prepare(struct checker *k)
{
	for (uint32_t driver = 0; driver < 256; driver++) {
		bool any = false;

		for (uint32_t word = driver * 4; word < driver * 4 + 4; word++)
			any |= values_have(&k->n->values, word, ~UINT64_C(0));
		k->xdrivers[driver / 32] &= ~(UINT32_C(1) << driver % 32);
		k->xdrivers[driver / 32] |= (uint32_t)any << driver % 32;
	}
}

static const struct policy_xperms *record_of(const struct checker *k, const struct access_rule *r)
{
	return &k->policy->xperms.at[r->data];
}

/* Whether a record allows any of the values that are never allowed. */
static bool record_violates(const struct checker *k, const struct policy_xperms *x)
{
	bool any = false;

	for (uint32_t i = 0; i < 8; i++) {
		if (x->specified == XPERM_IOCTL_DRIVER)
			any |= (x->perms[i] & k->xdrivers[i]) != 0;
		else
			any |= values_have(&k->n->values, x->driver * 4u + i / 2, (uint64_t)x->perms[i] << i % 2 * 32);
	}
	return any;
}

/* k->records becomes those of the source, ioctl or nlmsg as the neverallow is. */
static void find_records(struct checker *k, uint32_t source)
{
	uint32_t kept = 0;

	access_rules_of(&k->access, &k->xallow, source + 1, &k->records);
	for (uint32_t i = 0; i < k->records.n; i++) {
		if ((record_of(k, k->records.at[i])->specified == XPERM_NLMSG) == k->n->nlmsg)
			k->records.at[kept++] = k->records.at[i];
	}
	k->records.n = kept;
}

/* Adds to the row the targets of the rules of one place. */
static void add_place(const struct checker *k, const access_rules *rules, uint32_t place, uint64_t *row)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		if (rules->at[i]->place == place)
			row_add(&k->access, row, rules->at[i]->target);
	}
}

static bool place_is_new(const access_rules *rules, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++) {
		if (rules->at[j]->place == rules->at[i]->place)
			return false;
	}
	return true;
}

/* row |= the targets with records in both branches of any conditional. */
static void add_both_branches(const struct checker *k, uint64_t *row)
{
	uint64_t *yes = NULL, *no = NULL;

	for (uint32_t i = 0; i < k->records.n; i++) {
		uint32_t place = k->records.at[i]->place;

		if (!place || place & 1 || !place_is_new(&k->records, i))
			continue;
		if (!yes) {
			yes = row_new(&k->access);
			no = row_new(&k->access);
		}
		row_clear(&k->access, yes);
		row_clear(&k->access, no);
		add_place(k, &k->records, place, yes);
		add_place(k, &k->records, place | 1, no);
		for (uint32_t w = 0; w < k->access.nwords; w++)
			row[w] |= yes[w] & no[w];
	}
	free(yes);
	free(no);
}

/* k->row |= the targets granted in a place and not limited for it. */
static void add_unlimited(struct checker *k, uint32_t place, const uint64_t *both)
{
	uint64_t *granted = row_new(&k->access), *limited = row_new(&k->access);

	add_place(k, &k->base, place, granted);
	add_place(k, &k->records, place, limited);
	for (uint32_t w = 0; w < k->access.nwords; w++)
		k->row[w] |= granted[w] & ~limited[w] & ~both[w];
	free(granted);
	free(limited);
}

static void add_all_unlimited(struct checker *k)
{
	uint64_t *both = row_new(&k->access);

	add_both_branches(k, both);
	for (uint32_t i = 0; i < k->base.n; i++) {
		if (place_is_new(&k->base, i))
			add_unlimited(k, k->base.at[i]->place, both);
	}
	free(both);
}

/* k->row |= the targets granted, that a record allows a value which is never
 * allowed. */
static void add_allowed(struct checker *k)
{
	uint64_t *granted = row_new(&k->access), *allowed = row_new(&k->access);

	for (uint32_t i = 0; i < k->base.n; i++)
		row_add(&k->access, granted, k->base.at[i]->target);
	for (uint32_t i = 0; i < k->records.n; i++) {
		if (record_violates(k, record_of(k, k->records.at[i])))
			row_add(&k->access, allowed, k->records.at[i]->target);
	}
	for (uint32_t w = 0; w < k->access.nwords; w++)
		k->row[w] |= granted[w] & allowed[w];
	free(granted);
	free(allowed);
}

void xperm_targets(struct checker *k, uint32_t source)
{
	row_clear(&k->access, k->row);
	find_records(k, source);
	add_all_unlimited(k);
	memcpy(k->unlimited, k->row, k->access.nwords * sizeof *k->row);
	add_allowed(k);
	keep_targets(k, k->row, source);
}

/* ---- for the finding ---- */

bool xperm_record_violates(const struct checker *k, const struct access_rule *r)
{
	return record_violates(k, record_of(k, r));
}

void xperm_values_of(const struct checker *k, uint32_t target, struct ebitmap *ret_values)
{
	for (uint32_t i = 0; i < k->records.n; i++) {
		if (rule_reaches(k, k->records.at[i], target))
			xperm_values(record_of(k, k->records.at[i]), ret_values);
	}
	ebitmap_and(ret_values, &k->n->values);
}
