/* Records of a log under this policy: what is still denied, and why. */
#include "cli/replay.h"

#include <string.h>

#include "ir/names.h"
#include "ir/text.h"
#include "security/context.h"

struct judge {
	struct session *session;
	const struct group *group;
	const struct policy *policy;
	struct judgement *to;
};

/* ---- words ---- */

static const char *type_name(const struct judge *j, const struct policy_context *context)
{
	return j->policy->types.at[context->type].name;
}

/* Where a value stands in the log, without its quotes. */
static struct loc loc_of(const struct judge *j, struct audit_span span)
{
	const struct source *file = source_at(&j->session->sources, j->group->first->loc.begin);
	uint32_t at = file->base + (uint32_t)(span.at - file->text), n = (uint32_t)span.n;
	bool quoted = n >= 2 && span.at[0] == '"' && span.at[n - 1] == '"';

	return (struct loc){at + quoted, at + n - quoted};
}

static bool context_of(struct judge *j, struct audit_span span, const char *text, struct policy_context *ret)
{
	return session_context_at(j->session, text, loc_of(j, span), ret);
}

static uint32_t class_of(struct judge *j)
{
	return session_class_at(j->session, j->group->class, loc_of(j, j->group->first->record.class));
}

static void note_count(struct judge *j)
{
	struct buffer b = {0};

	group_put_count(&b, j->group);
	diag_note(&j->session->diags, LOC_NONE, "%s", text_of(&b));
	buffer_free(&b);
}

/* Why a text is no context, as notes of the last finding. */
static void note_faults(struct judge *j, const char *text, struct loc loc)
{
	bool process = j->group->class && !strcmp(j->group->class, "process");
	struct context_faults faults;
	struct policy_context context = {0};
	struct diags notes = {0};

	if (!context_parse(j->session->server.security, text, strlen(text), &context, &faults))
		context_faults_report(j->session->server.security, &faults, loc, &notes);
	for (uint32_t i = 0; i < notes.list.n; i++) {
		if (notes.list.at[i].severity == SEV_HINT)
			diag_hint(&j->session->diags, "%s", notes.list.at[i].text);
		else
			diag_note(&j->session->diags, notes.list.at[i].loc, "%s", notes.list.at[i].text);
	}
	for (uint32_t i = 0; i < faults.n && process; i++)
		if (faults.at[i].kind == FAULT_TYPE_OF_ROLE)
			diag_hint(&j->session->diags, "or give the role the type: role %s types %s;",
				  j->policy->roles.at[faults.at[i].a].name, j->policy->types.at[faults.at[i].b].name);
	diags_free(&notes);
	policy_context_free(&context);
}

/* ---- access ---- */

/* A context that the policy of the log did not know was replaced there; if this
 * policy knows it, it is the one to judge. */
static bool side_of(struct judge *j, int side, struct policy_context *ret)
{
	const struct audit_record *record = &j->group->first->record;
	const char *raw = j->group->raw[side];

	if (raw && context_parse(j->session->server.security, raw, strlen(raw), ret, NULL))
		return true;
	return side ? context_of(j, record->target, j->group->target, ret) : context_of(j, record->source, j->group->source, ret);
}

static void note_raw(struct judge *j)
{
	static const char *const sides[] = {"source", "target"};

	for (int i = 0; i < 2; i++)
		if (j->group->raw[i])
			diag_note(&j->session->diags, LOC_NONE, "the %s was `%s`, which the policy of the log did not know", sides[i],
				  j->group->raw[i]);
}

static void put_names(struct buffer *b, const char **names, uint32_t n)
{
	text_put(b, "{");
	for (uint32_t i = 0; i < n; i++)
		text_printf(b, " %s", names[i]);
	text_put(b, " }");
}

static void report_denied(struct judge *j, const struct answer *a)
{
	struct session *s = j->session;
	struct buffer b = {0};

	put_names(&b, a->denied.at, a->denied.n);
	if (j->group->first->record.kind == AUDIT_GRANTED)
		diag_error(&s->diags, "replay-revoked", j->group->first->loc, "`%s` was granted %s on `%s`:`%s`, and is denied it now",
			   type_name(j, &a->source), text_of(&b), type_name(j, &a->target), j->group->class);
	else
		diag_error(&s->diags, "replay-denied", j->group->first->loc, "`%s` is still denied %s on `%s`:`%s`",
			   type_name(j, &a->source), text_of(&b), type_name(j, &a->target), j->group->class);
	note_count(j);
	note_raw(j);
	if (a->decision.flags & DECISION_PERMISSIVE)
		diag_note(&s->diags, LOC_NONE, "the source type is permissive, so a kernel lets it pass and audits it");
	answer_note_reasons(s, a, true);
	buffer_free(&b);
}

static enum verdict judge_access(struct judge *j)
{
	const struct group *g = j->group;
	struct policy_context source = {0}, target = {0};
	struct answer *a = &j->to->access;
	bool good = side_of(j, 0, &source);

	if (!(side_of(j, 1, &target) && good)) {
		policy_context_free(&source);
		policy_context_free(&target);
		return VERDICT_NOT_JUDGED;
	}
	answer_question(j->session, &source, &target, g->class, g->perms.at, (int)g->perms.n, g->first->loc, a);
	if (a->denied.n) {
		report_denied(j, a);
		return VERDICT_DENIED;
	}
	text_printf(&j->to->text, "%s %s:%s ", type_name(j, &a->source), type_name(j, &a->target), g->class);
	put_names(&j->to->text, a->allowed.at, a->allowed.n);
	return VERDICT_ALLOWED;
}

/* ---- contexts ---- */

static enum verdict judge_context(struct judge *j)
{
	const char *text = j->group->context;
	struct policy_context context = {0};
	bool good = context_parse(j->session->server.security, text, strlen(text), &context, NULL);

	policy_context_free(&context);
	if (good) {
		text_printf(&j->to->text, "%s is valid", text);
		return VERDICT_ALLOWED;
	}
	diag_error(&j->session->diags, "replay-context", j->group->first->loc, "`%s` is still no valid context", text);
	note_count(j);
	note_faults(j, text, loc_of(j, j->group->first->record.context));
	return VERDICT_DENIED;
}

/* A context that this policy computes in place of the one in the log. */
struct computed {
	struct buffer text; /* empty: the ranges have nothing in common */
	enum compute_result result;
	bool same;
};

static void compute(const struct judge *j, const struct policy_context *source, const struct policy_context *target,
		    uint32_t class, enum policy_av_kind kind, const char *name, struct computed *ret)
{
	const struct server *server = &j->session->server;
	struct policy_context result = {0};

	ret->text.n = 0;
	ret->result = compute_context(server->decider, server->state, kind, source, target, class, name, &result);
	if (ret->result != COMPUTE_NO_RANGE)
		text_context(&ret->text, j->policy, &result);
	ret->same = !strcmp(text_of(&ret->text), j->group->context);
	policy_context_free(&result);
}

/* The record does not tell whether something was made, a member or relabelled,
 * nor its name: what gives the context of the log is taken to be it.  Otherwise
 * what is made without a name. */
static void compute_again(const struct judge *j, const struct policy_context *source, const struct policy_context *target,
			  uint32_t class, struct computed *ret)
{
	static const enum policy_av_kind kinds[] = {AV_TRANSITION, AV_MEMBER, AV_CHANGE};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !ret->same; i++)
		compute(j, source, target, class, kinds[i], NULL, ret);
	for (uint32_t i = 0; i < j->policy->filename_trans.n && !ret->same; i++) {
		const struct policy_filename_trans *t = &j->policy->filename_trans.at[i];

		if (t->target == target->type && t->class == class && ebitmap_test(&t->sources, source->type - 1))
			compute(j, source, target, class, AV_TRANSITION, t->name, ret);
	}
	if (!ret->same)
		compute(j, source, target, class, AV_TRANSITION, NULL, ret);
}

static void report_computed(struct judge *j, const struct policy_context *source, const struct policy_context *target,
			    struct computed *c)
{
	struct session *s = j->session;

	diag_error(&s->diags, "replay-context", j->group->first->loc, "the context computed for `%s` and `%s`:`%s` is still not valid",
		   type_name(j, source), type_name(j, target), j->group->class);
	note_count(j);
	if (c->result == COMPUTE_NO_RANGE) {
		diag_note(&s->diags, LOC_NONE, "the ranges have no sensitivity in common (default_range glblub)");
		return;
	}
	if (!c->same)
		diag_note(&s->diags, LOC_NONE, "this policy computes `%s`", text_of(&c->text));
	note_faults(j, text_of(&c->text), c->same ? loc_of(j, j->group->first->record.context) : LOC_NONE);
}

static enum verdict judge_computed(struct judge *j)
{
	const struct audit_record *record = &j->group->first->record;
	struct policy_context source = {0}, target = {0};
	struct computed c = {0};
	enum verdict verdict = VERDICT_NOT_JUDGED;
	uint32_t class = class_of(j);
	bool good = context_of(j, record->source, j->group->source, &source);

	if (context_of(j, record->target, j->group->target, &target) && good && class) {
		compute_again(j, &source, &target, class, &c);
		verdict = c.result == COMPUTE_VALID ? VERDICT_ALLOWED : VERDICT_DENIED;
		if (verdict == VERDICT_DENIED)
			report_computed(j, &source, &target, &c);
		else
			text_printf(&j->to->text, "%s %s:%s makes %s", type_name(j, &source), type_name(j, &target), j->group->class,
				    text_of(&c.text));
	}
	buffer_free(&c.text);
	policy_context_free(&source);
	policy_context_free(&target);
	return verdict;
}

/* ---- changes of a context ---- */

struct change { struct policy_context before, after, task; };

static bool change_of(struct judge *j, struct change *ret)
{
	const struct audit_record *record = &j->group->first->record;
	bool good = context_of(j, record->source, j->group->source, &ret->before);

	good = context_of(j, record->target, j->group->target, &ret->after) && good;
	return record->kind == AUDIT_TRANSITION ? context_of(j, record->context, j->group->context, &ret->task) && good : good;
}

static void change_free(struct change *change)
{
	policy_context_free(&change->before);
	policy_context_free(&change->after);
	policy_context_free(&change->task);
}

static enum verdict judge_validatetrans(struct judge *j, const struct change *c, uint32_t class)
{
	struct session *s = j->session;
	struct explain_source source = session_source(s);
	struct answer a = {.class = class};
	uint32_t failed;

	if (decide_transition(s->server.decider, &c->before, &c->after, class, &c->task, &failed)) {
		text_printf(&j->to->text, "%s may change a %s from %s to %s", type_name(j, &c->task), j->group->class,
			    j->group->source, j->group->target);
		return VERDICT_ALLOWED;
	}
	diag_error(&s->diags, "replay-transition", j->group->first->loc, "`%s` may still not change a `%s` from `%s` to `%s`",
		   type_name(j, &c->task), j->group->class, j->group->source, j->group->target);
	note_count(j);
	explain_transition(&s->server, &source, &c->before, &c->after, class, &c->task, failed, &a.why);
	answer_note_reasons(s, &a, true);
	answer_free(&a);
	return VERDICT_DENIED;
}

static enum verdict judge_transition(struct judge *j)
{
	struct change change = {0};
	uint32_t class = class_of(j);
	enum verdict verdict = VERDICT_NOT_JUDGED;

	if (change_of(j, &change) && class)
		verdict = judge_validatetrans(j, &change, class);
	change_free(&change);
	return verdict;
}

/* A bound type is bounded by all parents up the chain; one that is a loop ends. */
static bool is_bounded(const struct policy *p, uint32_t type, uint32_t by)
{
	for (uint32_t i = 0; i < p->types.n && type && type != by; i++)
		type = p->types.at[type].bounds;
	return type == by;
}

/* The type at the head of the chain, which may still get a parent. */
static uint32_t highest(const struct policy *p, uint32_t type)
{
	for (uint32_t i = 0; i < p->types.n && p->types.at[type].bounds; i++)
		type = p->types.at[type].bounds;
	return type;
}

/* What lets a program with another type start under no_new_privs, or from a
 * mount with nosuid, in place of bounds. */
static bool has_nnp(const struct policy *p)
{
	uint32_t bit;

	return !capability_find("nnp_nosuid_transition", &bit) && ebitmap_test(&p->capabilities, bit);
}

/* The record does not tell which of both it was. */
static bool nnp_allowed(const struct judge *j, const struct change *c)
{
	const struct server *server = &j->session->server;
	uint32_t class = policy_find_class(j->policy, "process2");
	const struct policy_class *process2 = &j->policy->classes.at[class];
	uint32_t nnp = policy_find_perm(process2, "nnp_transition"), nosuid = policy_find_perm(process2, "nosuid_transition");
	struct decision d;

	if (!has_nnp(j->policy) || !class || !nnp || !nosuid)
		return false;
	decide_access(server->decider, server->state, &c->before, &c->after, class, &d);
	return (d.allowed & (nnp | nosuid)) == (nnp | nosuid);
}

static enum verdict judge_bounds(struct judge *j, const struct change *c)
{
	const char *before = type_name(j, &c->before), *after = type_name(j, &c->after);
	struct diags *diags = &j->session->diags;

	if (is_bounded(j->policy, c->after.type, c->before.type)) {
		text_printf(&j->to->text, "%s may change to %s, which it bounds", before, after);
		return VERDICT_ALLOWED;
	}
	if (nnp_allowed(j, c)) {
		text_printf(&j->to->text, "%s may start %s in spite of no_new_privs and nosuid (process2), but not change to it in a thread",
			    before, after);
		return VERDICT_ALLOWED;
	}
	diag_error(diags, "replay-transition", j->group->first->loc, "`%s` may still not change to `%s`, which it does not bound", before,
		   after);
	note_count(j);
	if (j->policy->types.at[c->after.type].bounds)
		diag_note(diags, LOC_NONE, "`%s` is bounded by `%s`", after,
			  j->policy->types.at[j->policy->types.at[c->after.type].bounds].name);
	diag_hint(diags, "for a program started under no_new_privs, or from a mount with nosuid: allow %s %s:process2 { nnp_transition "
		  "nosuid_transition };", before, after);
	if (!has_nnp(j->policy))
		diag_hint(diags, "that needs `policycap nnp_nosuid_transition;`, which the policy has not");
	diag_hint(diags, "for a process with threads that changes its own context: typebounds %s %s;", before,
		  j->policy->types.at[highest(j->policy, c->after.type)].name);
	return VERDICT_DENIED;
}

static enum verdict judge_bounded(struct judge *j)
{
	struct change change = {0};
	enum verdict verdict = VERDICT_NOT_JUDGED;

	if (change_of(j, &change))
		verdict = judge_bounds(j, &change);
	change_free(&change);
	return verdict;
}

/* ---- all ---- */

void replay_judge(struct session *session, const struct group *group, struct judgement *ret_judgement)
{
	static enum verdict (*const judges[])(struct judge *j) = {
		[AUDIT_DENIED] = judge_access, [AUDIT_GRANTED] = judge_access, [AUDIT_BOUNDS] = judge_access,
		[AUDIT_COMPUTED] = judge_computed, [AUDIT_TRANSITION] = judge_transition, [AUDIT_BOUNDED] = judge_bounded,
		[AUDIT_CONTEXT] = judge_context,
	};
	struct judge j = {session, group, session->policy, ret_judgement};

	*ret_judgement = (struct judgement){0};
	ret_judgement->verdict = judges[group->first->record.kind](&j);
}

void judgement_free(struct judgement *judgement)
{
	buffer_free(&judgement->text);
	answer_free(&judgement->access);
}
