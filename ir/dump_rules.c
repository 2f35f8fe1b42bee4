/* The rules of a dump (see dump.c), in the order of struct policy:
 *
 *	allow|auditallow|dontaudit SOURCE TARGET:CLASS { PERM... };
 *	type_transition|type_member|type_change SOURCE TARGET:CLASS TYPE;
 *	allowxperm|auditallowxperm|dontauditxperm SOURCE TARGET:CLASS ioctl|nlmsg { RANGE... };
 *	if (EXPR) {          the rules of the branches follow, a tab before each
 *	} else {             only when the else branch has any
 *	}
 *	role_transition ROLE TYPE:CLASS ROLE;
 *	allow ROLE ROLE;
 *	type_transition SOURCES TARGET:CLASS TYPE "NAME";
 *	range_transition SOURCE TARGET:CLASS RANGE;
 *
 * dontaudit lists the permissions that are not audited, also where the source
 * said auditdeny. */
#include "ir/dump.h"

static void put_xperms(struct buffer *b, const struct policy_xperms *x)
{
	struct ebitmap values = {0};

	text_put(b, x->specified == XPERM_NLMSG ? "nlmsg " : "ioctl ");
	xperm_values(x, &values);
	text_values(b, &values, 0);
	ebitmap_free(&values);
}

void dump_target(struct buffer *b, const struct policy *p, uint32_t target, uint32_t class)
{
	dump_type(b, p, target);
	text_put(b, ":");
	dump_class(b, p, class);
	text_put(b, " ");
}

void dump_triple(struct buffer *b, const struct policy *p, uint32_t source, uint32_t target, uint32_t class)
{
	dump_type(b, p, source);
	text_put(b, " ");
	dump_target(b, p, target, class);
}

static void put_rule(struct buffer *b, const struct policy *p, const struct policy_rule *r)
{
	text_printf(b, "%s ", text_rule_word(r->kind));
	dump_triple(b, p, r->source, r->target, r->class);
	if (r->kind & AV_AV)
		text_perms(b, &p->classes.at[r->class], r->kind == AV_AUDITDENY ? ~r->data : r->data);
	else if (r->kind & AV_TE)
		dump_type(b, p, r->data);
	else
		put_xperms(b, &p->xperms.at[r->data]);
	text_put(b, ";\n");
}

static void put_branch(struct buffer *b, const struct policy *p, const policy_rules *rules)
{
	for (uint32_t i = 0; i < rules->n; i++) {
		text_put(b, "\t");
		put_rule(b, p, &rules->at[i]);
	}
}

static void put_cond(struct buffer *b, const struct policy *p, const struct policy_cond *cond)
{
	text_put(b, "if (");
	text_cond(b, p, cond);
	text_put(b, ") {\n");
	put_branch(b, p, &cond->yes);
	if (cond->no.n)
		text_put(b, "} else {\n");
	put_branch(b, p, &cond->no);
	text_put(b, "}\n");
}

void dump_role_trans(struct buffer *b, const struct policy *p, const struct policy_role_trans *t)
{
	text_put(b, "role_transition ");
	dump_role(b, p, t->role);
	text_put(b, " ");
	dump_type(b, p, t->type);
	text_put(b, ":");
	dump_class(b, p, t->class);
	text_put(b, " ");
	dump_role(b, p, t->result);
}

void dump_role_allow(struct buffer *b, const struct policy *p, const struct policy_role_allow *a)
{
	text_put(b, "allow ");
	dump_role(b, p, a->role);
	text_put(b, " ");
	dump_role(b, p, a->result);
}

static void put_role_rules(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->role_trans.n; i++) {
		dump_role_trans(b, p, &p->role_trans.at[i]);
		text_put(b, ";\n");
	}
	for (uint32_t i = 0; i < p->role_allows.n; i++) {
		dump_role_allow(b, p, &p->role_allows.at[i]);
		text_put(b, ";\n");
	}
}

static void put_filename_trans(struct buffer *b, const struct policy *p, const struct policy_filename_trans *t)
{
	text_put(b, "type_transition ");
	dump_set(b, p, &t->sources, dump_type);
	text_put(b, " ");
	dump_target(b, p, t->target, t->class);
	dump_type(b, p, t->result);
	text_printf(b, " \"%s\";\n", t->name);
}

static void put_range_trans(struct buffer *b, const struct policy *p, const struct policy_range_trans *t)
{
	text_put(b, "range_transition ");
	dump_triple(b, p, t->source, t->target, t->class);
	dump_range(b, p, &t->range);
	text_put(b, ";\n");
}

void dump_rules(struct buffer *b, const struct policy *p)
{
	for (uint32_t i = 0; i < p->rules.n; i++)
		put_rule(b, p, &p->rules.at[i]);
	for (uint32_t i = 0; i < p->conds.n; i++)
		put_cond(b, p, &p->conds.at[i]);
	put_role_rules(b, p);
	for (uint32_t i = 0; i < p->filename_trans.n; i++)
		put_filename_trans(b, p, &p->filename_trans.at[i]);
	for (uint32_t i = 0; i < p->range_trans.n; i++)
		put_range_trans(b, p, &p->range_trans.at[i]);
}
