/* Labels of things that have none of their own (language.md 10): the list of
 * their kinds, initial SIDs, and what the kinds share. */
#include "ir/labels.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/names.h"

/* ---- shared ---- */

bool labels_fit_target(struct compile *c, enum policy_target target, const char *statement, struct loc first)
{
	bool xen = target == POLICY_XEN;

	if (c->options->target == target)
		return true;
	diag_error(c->diags, "wrong-target", first, "%s is a statement of policies for %s, and the target is %s", statement,
		   xen ? "Xen" : "SELinux", xen ? "SELinux" : "Xen");
	return false;
}

struct loc label_number_loc(const struct compile *c, uint32_t begin)
{
	const char *text = source_text(c->sources, begin);
	uint32_t n = 0;

	while (isalnum((unsigned char)text[n]))
		n++;
	return (struct loc){begin, begin + n};
}

static bool number_fits(struct compile *c, uint64_t number, uint32_t begin, uint64_t max, const char *what)
{
	if (number <= max)
		return true;
	diag_error(c->diags, "number-too-large", label_number_loc(c, begin),
		   "%s %" PRIu64 " is above %" PRIu64 ", the highest there is", what, number, max);
	return false;
}

bool label_span_fits(struct compile *c, const struct ast_span *span, uint64_t max, const char *what)
{
	bool fits = number_fits(c, span->low, span->low_begin, max, what);

	if (span->high != span->low)
		fits &= number_fits(c, span->high, span->high_begin, max, what);
	if (fits && span->low > span->high) {
		diag_error(c->diags, "reversed-range",
			   (struct loc){span->low_begin, label_number_loc(c, span->high_begin).end},
			   "%s range %" PRIu64 "-%" PRIu64 " runs backwards", what, span->low, span->high);
		return false;
	}
	return fits;
}

struct span_text label_span_text(uint64_t low, uint64_t high)
{
	struct span_text text;

	if (low == high)
		snprintf(text.at, sizeof text.at, "%" PRIu64, low);
	else
		snprintf(text.at, sizeof text.at, "%" PRIu64 "-%" PRIu64, low, high);
	return text;
}

struct span_text label_span_hex(uint64_t low, uint64_t high)
{
	struct span_text text;

	if (low == high)
		snprintf(text.at, sizeof text.at, "0x%" PRIx64, low);
	else
		snprintf(text.at, sizeof text.at, "0x%" PRIx64 "-0x%" PRIx64, low, high);
	return text;
}

void label_entries_add(struct label_entries *e, struct span span, struct loc loc)
{
	*vec_push(&e->spans) = span;
	*vec_push(&e->locs) = loc;
}

void label_entries_judge(struct label_entries *e)
{
	e->verdicts = mem_zalloc(e->spans.n, sizeof *e->verdicts);
	spans_judge(e->spans.at, e->spans.n, e->verdicts);
}

void label_entries_free(struct label_entries *e)
{
	vec_free(&e->spans);
	vec_free(&e->locs);
	free(e->verdicts);
}

void label_report_duplicate(struct compile *c, const struct label_entries *e, uint32_t i, const char *what,
			    const char *name)
{
	diag_error(c->diags, "duplicate-label", e->locs.at[i], "%s `%s` is labelled a second time", what, name);
	diag_note(c->diags, e->locs.at[e->verdicts[i].same], "the first label is given here");
}

void label_names_judge(struct compile *c, struct label_entries *e, const char *what)
{
	label_entries_judge(e);
	for (uint32_t i = 0; i < e->spans.n; i++)
		if (e->verdicts[i].same != SPAN_NONE)
			label_report_duplicate(c, e, i, what, name_text(c, (atom_t)e->spans.at[i].group));
}

/* ---- initial SIDs ---- */

/* The number by which the kernel, or Xen, knows a name; 0: it does not. */
static uint32_t known_number(enum policy_target target, const char *name)
{
	for (uint32_t number = 1; number <= initial_sid_count(target); number++) {
		const char *known = initial_sid_name(target, number);

		if (known && !strcmp(known, name))
			return number;
	}
	return 0;
}

/* Numbers follow the order of the declarations, and an image holds no names:
 * a known name at another number labels something else. */
static void check_sid_order(struct compile *c)
{
	enum policy_target target = c->options->target;

	for (uint32_t i = 1; i < c->symbols[SYM_SID].at.n; i++) {
		const struct symbol *s = &c->symbols[SYM_SID].at.at[i];
		uint32_t number = known_number(target, name_text(c, s->name));

		if (!number || number == s->value)
			continue;
		diag_warning(c->diags, "sid-order", s->loc, "initial SID `%s` is number %u here, and %s knows it by number %u",
			     name_text(c, s->name), s->value, target == POLICY_XEN ? "Xen" : "the kernel", number);
		diag_hint(c->diags, "numbers follow the order of the sid declarations");
	}
}

/* Readers of an image refuse numbers above those that they know; Xen's own
 * policy has one more all the same. */
static void report_sid_number(struct compile *c, const struct ast_sid_context *a, uint32_t number)
{
	uint32_t max = initial_sid_count(c->options->target);
	struct loc loc = ast_name_loc(c->atoms, a->name);

	if (c->options->target != POLICY_XEN) {
		diag_error(c->diags, "too-many-sids", loc, "initial SID `%s` is number %u, and the highest that can be used is %u",
			   name_text(c, a->name.atom), number, max);
		return;
	}
	diag_warning(c->diags, "too-many-sids", loc, "initial SID `%s` is number %u: some readers refuse a policy with more than %u",
		     name_text(c, a->name.atom), number, max);
}

/* What a SID number has got so far. */
struct labelled_sid {
	const struct ast_sid_context *ast; /* NULL: no context */
	bool good;
	struct policy_context context;
};

/* By number, from the highest down; those without a context are left out. */
static void keep_sids(struct compile *c, const struct labelled_sid *by_number, uint32_t n)
{
	struct policy *p = c->policy;

	p->sids.at = arena_zalloc(&p->arena, n, sizeof *p->sids.at);
	for (uint32_t number = n; number-- > 1;)
		if (by_number[number].good)
			p->sids.at[p->sids.n++] = (struct policy_sid){number, by_number[number].context};
}

static void lower_sids(struct compile *c)
{
	uint32_t n = c->symbols[SYM_SID].at.n;
	struct labelled_sid *by_number = arena_zalloc(&c->arena, n, sizeof *by_number);
	bool counted = false;

	check_sid_order(c);
	for (uint32_t i = 0; i < c->ast->sid_contexts.n; i++) {
		const struct ast_sid_context *a = &c->ast->sid_contexts.at[i];
		const struct symbol *s = symbol_use(c, SYM_SID, a->name, AST_GLOBAL);
		struct labelled_sid *sid;

		if (!s || !s->value || s->value >= n)
			continue;
		sid = &by_number[s->value];
		if (sid->ast) {
			diag_error(c->diags, "duplicate-label", a->loc, "initial SID `%s` is labelled a second time",
				   name_text(c, s->name));
			diag_note(c->diags, sid->ast->loc, "the first label is given here");
			continue;
		}
		sid->ast = a;
		sid->good = context_of(c, &a->context, &sid->context);
		if (!counted && s->value > initial_sid_count(c->options->target)) {
			report_sid_number(c, a, s->value);
			counted = true;
		}
	}
	keep_sids(c, by_number, n);
}

void lower_labels(struct compile *c)
{
	lower_sids(c);
	lower_fs_uses(c);
	lower_genfs(c);
	lower_ports(c);
	lower_netifs(c);
	lower_nodes(c);
	lower_xen(c);
	lower_ibpkeys(c);
	lower_ibendports(c);
}
