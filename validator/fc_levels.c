/* Labels that no process can give, under the constraints of a policy. */
#include <stdlib.h>

#include "base/memory.h"
#include "ir/dump.h"
#include "ir/text.h"
#include "validator/fc.h"
#include "validator/relabel.h"

struct levels {
	struct fc_set *set;
	struct relabel relabel;
	uint32_t policy;
	uint8_t *known; /* by context and class: 0 not asked, else the obstacle + 1 */
};

/* The classes are in the order of the types. */
_Static_assert(FC_REG + RELABEL_FIFO_FILE == (int)FC_FIFO && FC_REG + RELABEL_LNK_FILE == (int)FC_LNK &&
	       FC_REG + RELABEL_BLK_FILE == (int)FC_BLK, "file types and classes differ");

/* The range in the text of a context, behind its third colon. */
static struct span range_of(struct span context)
{
	uint32_t colons = 0;

	for (uint32_t i = 0; i < context.len; i++)
		if (context.text[i] == ':' && ++colons == 3 && i + 1 < context.len)
			return span_part(context, i + 1, context.len - i - 1);
	return context;
}

static const char *class_name(const struct levels *l, enum relabel_class class)
{
	return l->relabel.policy->classes.at[l->relabel.classes[class]].name;
}

static void note_constraint(struct levels *l, const struct policy_constraint *constraint, enum relabel_class class,
			    const char *permission)
{
	struct buffer text = {0};

	dump_expression(&text, l->relabel.policy, constraint);
	diag_note(l->set->run->diags, LOC_NONE, "the rule is `%s %s%s%s %s`", permission ? "mlsconstrain" : "mlsvalidatetrans",
		  class_name(l, class), permission ? " " : "", permission ? permission : "", text_of(&text));
	buffer_free(&text);
}

/* The first few; most rules exempt one type, or an attribute of many. */
static void put_some_types(struct buffer *b, const struct policy *policy, const struct ebitmap *types)
{
	enum { SHOWN = 4 };
	uint32_t n = 0;

	ebitmap_for_each(types, bit) {
		if (n++ == SHOWN)
			break;
		text_printf(b, "%s`%s`", n > 1 ? ", " : "", policy->types.at[bit + 1].name);
	}
	if (ebitmap_count(types) > SHOWN)
		text_printf(b, " and %u more", ebitmap_count(types) - SHOWN);
}

static void report_refused(struct levels *l, const struct fc_entry *entry, enum relabel_class class,
			   const struct relabel_reason *reason, bool by_all)
{
	struct diags *diags = l->set->run->diags;
	const struct policy_context *label = label_context_at(l->set->run, entry->context, l->policy);
	struct span range = range_of(entry->context_text);

	diag_warning(diags, "fc-level", range.loc, "no process can give this label to a %s: %s",
		     fc_type_name(FC_REG + class),
		     by_all ? "a constraint refuses it" : "constraints refuse it to all types that may");
	note_constraint(l, reason->constraint, class, "relabelto");
	if (!policy_level_equal(&label->range.low, &label->range.high))
		diag_hint(diags, "the label has a range; where the constraint wants one level, give one");
}

static void report_created(struct levels *l, const struct fc_entry *entry, enum relabel_class class,
			   const struct relabel_reason *reason)
{
	struct diags *diags = l->set->run->diags;
	const struct policy *policy = l->relabel.policy;
	struct buffer range = {0}, types = {0};
	struct span wanted = range_of(entry->context_text);

	text_range(&range, policy, &reason->created->range);
	diag_warning(diags, "fc-level", wanted.loc,
		     "no process can give this label to a %s: it is created with `%s`, and nothing may change that to `%.*s`",
		     fc_type_name(FC_REG + class), text_of(&range), SPAN_ARGS(wanted));
	text_printf(&types, "range_transition ");
	dump_type(&types, policy, reason->created->source);
	text_printf(&types, " ");
	dump_type(&types, policy, reason->created->target);
	diag_note(diags, LOC_NONE, "the level comes from `%s:%s %s`", text_of(&types), class_name(l, class), text_of(&range));
	note_constraint(l, reason->constraint, class, NULL);
	if (!ebitmap_empty(&reason->exempt)) {
		types.n = 0;
		put_some_types(&types, policy, &reason->exempt);
		diag_note(diags, LOC_NONE, "it exempts %s, which may not relabel to this type", text_of(&types));
	}
	diag_hint(diags, "write the level with which the files are created");
	buffer_free(&range);
	buffer_free(&types);
}

static void report(struct levels *l, const struct fc_entry *entry, enum relabel_class class)
{
	const struct policy_context *label = label_context_at(l->set->run, entry->context, l->policy);
	struct relabel_reason reason = {0};
	enum relabel_obstacle obstacle = relabel_obstacle(&l->relabel, class, label, &reason);

	if (obstacle == RELABEL_CREATED)
		report_created(l, entry, class, &reason);
	else
		report_refused(l, entry, class, &reason, obstacle == RELABEL_FORBIDDEN);
	ebitmap_free(&reason.exempt);
}

static bool is_refused(struct levels *l, const struct fc_entry *entry, enum relabel_class class)
{
	uint8_t *known = &l->known[(size_t)entry->context * RELABEL_CLASSES + class];

	if (!*known)
		*known = 1 + (relabel_obstacle(&l->relabel, class, label_context_at(l->set->run, entry->context, l->policy),
					       NULL) != RELABEL_POSSIBLE);
	return *known == 2;
}

/* The first type of files that cannot have the label is reported. */
static void check_entry(struct levels *l, const struct fc_entry *entry)
{
	for (enum relabel_class class = RELABEL_FILE; class <= RELABEL_FIFO_FILE; class++) {
		if (!fc_types_meet(entry->type, (uint8_t)(FC_REG + class)) || !is_refused(l, entry, class))
			continue;
		report(l, entry, class);
		return;
	}
}

static void check_policy(struct fc_set *set, uint32_t policy)
{
	struct levels l = {.set = set, .policy = policy};
	const struct policy *p = security_policy(set->run->policies[policy].security);

	if (!p->mls)
		return;
	set->run->diags->under = set->run->policies[policy].name;
	relabel_init(&l.relabel, p);
	l.known = mem_zalloc(label_context_count(set->run), RELABEL_CLASSES);
	for (uint32_t i = 0; i < set->entries.n; i++) {
		const struct fc_entry *entry = &set->entries.at[i];

		if (entry->context != FC_WRONG && entry->context != FC_NO_CONTEXT && entry->role != FC_TEMPLATE)
			check_entry(&l, entry);
	}
	free(l.known);
	relabel_free(&l.relabel);
	set->run->diags->under = NULL;
}

void fc_check_levels(struct fc_set *set)
{
	for (uint32_t i = 0; i < set->run->npolicies; i++)
		check_policy(set, i);
}
