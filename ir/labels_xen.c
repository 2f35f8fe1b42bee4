/* What Xen labels: interrupts, memory, ports, devices (language.md 10.8). */
#include "ir/labels.h"

/* The kinds that are numbers; devicetreecon is a name. */
static const struct xen_kind {
	const char *statement, *what;
	uint64_t max;
} kinds[] = {
	[AST_PIRQ] = {"pirqcon", "interrupt", 0xffff},
	[AST_IOPORT] = {"ioportcon", "I/O port", UINT32_MAX},
	[AST_IOMEM] = {"iomemcon", "I/O memory page", UINT64_MAX},
	[AST_PCIDEVICE] = {"pcidevicecon", "PCI device", UINT32_MAX},
	[AST_DEVICETREE] = {"devicetreecon", "device tree path", 0},
};

enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static const struct ast_xen *first_of_kind(const struct ast *ast, uint32_t kind)
{
	for (uint32_t i = 0; i < ast->xens.n; i++)
		if (ast->xens.at[i].kind == kind)
			return &ast->xens.at[i];
	return NULL;
}

static void check_overlaps(struct compile *c, struct label_entries *e, const struct xen_kind *kind)
{
	label_entries_judge(e);
	for (uint32_t i = 0; i < e->spans.n; i++) {
		const struct span *s = &e->spans.at[i], *other;

		if (e->verdicts[i].same != SPAN_NONE) {
			label_report_duplicate(c, e, i, kind->what, label_span_hex(s->low, s->high).at);
		} else if (e->verdicts[i].overlap != SPAN_NONE) {
			other = &e->spans.at[e->verdicts[i].overlap];
			diag_error(c->diags, "overlapping-label", e->locs.at[i], "%s range %s overlaps %s, which is labelled before",
				   kind->what, label_span_hex(s->low, s->high).at, label_span_hex(other->low, other->high).at);
			diag_note(c->diags, e->locs.at[e->verdicts[i].overlap], "the earlier label is given here");
		}
	}
}

/* The statements of one kind, in source order; how many there are. */
static uint32_t lower_spans(struct compile *c, uint32_t kind, struct policy_xen_span **ret_spans)
{
	struct policy_xen_span *to = arena_zalloc(&c->policy->arena, c->ast->xens.n, sizeof *to);
	struct label_entries entries = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->ast->xens.n; i++) {
		const struct ast_xen *a = &c->ast->xens.at[i];

		if (a->kind != kind)
			continue;
		if (label_span_fits(c, &a->span, kinds[kind].max, kinds[kind].what))
			label_entries_add(&entries, (struct span){.low = a->span.low, .high = a->span.high}, a->loc);
		if (!context_of(c, &a->context, &to[n].context))
			continue;
		to[n].low = a->span.low;
		to[n++].high = a->span.high;
	}
	check_overlaps(c, &entries, &kinds[kind]);
	label_entries_free(&entries);
	*ret_spans = to;
	return n;
}

static void lower_devicetrees(struct compile *c)
{
	struct policy *p = c->policy;
	struct label_entries entries = {0};

	p->devicetrees.at = arena_zalloc(&p->arena, c->ast->xens.n, sizeof *p->devicetrees.at);
	for (uint32_t i = 0; i < c->ast->xens.n; i++) {
		const struct ast_xen *a = &c->ast->xens.at[i];
		struct policy_devicetree *to = &p->devicetrees.at[p->devicetrees.n];

		if (a->kind != AST_DEVICETREE)
			continue;
		label_entries_add(&entries, (struct span){.group = a->path.atom}, a->loc);
		if (!context_of(c, &a->context, &to->context))
			continue;
		to->path = keep_name(c, a->path.atom);
		p->devicetrees.n++;
	}
	label_names_judge(c, &entries, kinds[AST_DEVICETREE].what);
	label_entries_free(&entries);
}

void lower_xen(struct compile *c)
{
	struct policy *p = c->policy;
	bool fit = true;

	if (!c->ast->xens.n)
		return;
	for (uint32_t kind = 0; kind < NKINDS; kind++) {
		const struct ast_xen *first = first_of_kind(c->ast, kind);

		if (first)
			fit &= labels_fit_target(c, POLICY_XEN, kinds[kind].statement, first->loc);
	}
	if (!fit)
		return;
	p->pirqs.n = lower_spans(c, AST_PIRQ, &p->pirqs.at);
	p->ioports.n = lower_spans(c, AST_IOPORT, &p->ioports.at);
	p->iomems.n = lower_spans(c, AST_IOMEM, &p->iomems.at);
	p->pcidevices.n = lower_spans(c, AST_PCIDEVICE, &p->pcidevices.at);
	lower_devicetrees(c);
}
