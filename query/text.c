#include "query/text.h"

#include <stdlib.h>
#include <string.h>

#include "ir/dump.h"
#include "ir/text.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void put_names(struct buffer *b, const char **names, uint32_t n)
{
	if (n == 1) {
		text_put(b, names[0]);
		return;
	}
	if (n)
		qsort(names, n, sizeof *names, by_name);
	text_put(b, "{");
	for (uint32_t i = 0; i < n; i++) {
		text_put(b, " ");
		text_put(b, names[i]);
	}
	text_put(b, " }");
}

void put_perms(struct buffer *b, const struct policy_class *class, uint32_t mask)
{
	const char *names[POLICY_MAX_PERMS];
	uint32_t n = 0;

	for (uint32_t i = 0; i < class->nperms && i < POLICY_MAX_PERMS; i++) {
		if (mask >> i & 1 && class->perms[i])
			names[n++] = class->perms[i];
	}
	put_names(b, names, n);
}

static uint32_t run_end(const struct ebitmap *values, uint32_t at)
{
	while (ebitmap_test(values, at + 1))
		at++;
	return at;
}

void put_xperms(struct buffer *b, uint8_t specified, const struct ebitmap *values)
{
	uint32_t first = ebitmap_first(values), end;
	bool braces = first == EBITMAP_NONE || run_end(values, first) != ebitmap_last(values);

	text_put(b, specified == XPERM_NLMSG ? "nlmsg" : "ioctl");
	if (braces)
		text_put(b, " {");
	for (uint32_t v = first; v != EBITMAP_NONE; v = ebitmap_next(values, end)) {
		end = run_end(values, v);
		text_printf(b, " 0x%04x", v);
		if (end > v)
			text_printf(b, "-0x%04x", end);
	}
	if (braces)
		text_put(b, " }");
}

void put_rule(struct buffer *b, const struct policy *p, const struct policy_rule *r)
{
	struct ebitmap values = {0};

	text_printf(b, "%s ", text_rule_word(r->kind));
	dump_triple(b, p, r->source, r->target, r->class);
	if (r->kind & AV_AV) {
		put_perms(b, &p->classes.at[r->class], r->kind == AV_AUDITDENY ? ~r->data : r->data);
	} else if (r->kind & AV_TE) {
		dump_type(b, p, r->data);
	} else {
		xperm_values(&p->xperms.at[r->data], &values);
		put_xperms(b, p->xperms.at[r->data].specified, &values);
		ebitmap_free(&values);
	}
}
