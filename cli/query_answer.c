#include "cli/query_answer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/number.h"
#include "ir/text.h"

/* ---- asking ---- */

/* `ioctl:0x5401` or `ioctl:0x8900-0x89ff`; false when it is no such form.  A
 * number that is none is an error. */
struct xperm { char name[8]; uint32_t base; uint32_t low, high; bool wrong; };

static bool parse_range(const char *text, uint32_t *ret_low, uint32_t *ret_high)
{
	char copy[32], *dash;
	uint64_t low, high;

	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	dash = strchr(copy, '-');
	if (dash)
		*dash++ = '\0';
	if (!parse_c_number(copy, UINT16_MAX, &low) || !parse_c_number(dash ? dash : copy, UINT16_MAX, &high) || high < low)
		return false;
	*ret_low = (uint32_t)low;
	*ret_high = (uint32_t)high;
	return true;
}

static bool parse_xperm(const char *text, struct xperm *ret)
{
	const char *colon = strchr(text, ':');

	*ret = (struct xperm){0};
	if (!colon)
		return false;
	if (!strncmp(text, "ioctl:", 6))
		ret->base = XPERM_BASE_IOCTL;
	else if (!strncmp(text, "nlmsg:", 6))
		ret->base = XPERM_BASE_NLMSG;
	else
		return false;
	snprintf(ret->name, sizeof ret->name, "%.5s", text);
	ret->wrong = !parse_range(colon + 1, &ret->low, &ret->high);
	return true;
}

static void give_unknown(const struct session *s, struct answer *a, const char *what, bool checked, const struct near *near)
{
	static const char *const words[] = {
		[POLICY_UNKNOWN_DENY] = "denied", [POLICY_UNKNOWN_ALLOW] = "allowed",
		[POLICY_UNKNOWN_REJECT] = "denied, and a kernel that knows it does not load this policy",
	};
	struct buffer b = {0};

	text_printf(&b, "%s `%s`", what, near->text);
	if (s->kernel && !s->profile.partial)
		text_printf(&b, checked ? ", which %s checks" : ", nor has %s, which never asks for it", s->profile.name);
	if (checked)
		text_printf(&b, "; what the policy does not know is %s", words[s->policy->handle_unknown]);
	for (uint32_t i = 0; i < near->n; i++)
		text_printf(&b, "%s`%s`", i ? " or " : "; did you mean ", near->names[i]);
	if (near->n)
		text_put(&b, "?");
	*vec_push(&a->why.reasons) = (struct reason){REASON_UNKNOWN, 0, 0, LOC_NONE,
						     arena_strndup(&a->why.arena, text_of(&b), b.n)};
	buffer_free(&b);
}

static void unknown_class(const struct session *s, struct answer *a, const char *name)
{
	struct near near;

	near_class(&near, s->policy, name);
	give_unknown(s, a, "the policy has no class", session_checks(s, name, NULL), &near);
}

static void unknown_perm(const struct session *s, struct answer *a, const char *name)
{
	struct near near;

	near_perm(&near, &s->policy->classes.at[a->class], name);
	give_unknown(s, a, "the class has no permission", session_checks(s, a->class_name, name), &near);
}

/* What the policy does not know, of a class or of all. */
static bool unknown_allowed(const struct session *s, const struct answer *a, const char *perm)
{
	return s->policy->handle_unknown == POLICY_UNKNOWN_ALLOW && session_checks(s, a->class_name, perm);
}

static void note_verdict(struct answer *a, const char *name, bool allowed)
{
	if (allowed)
		*vec_push(&a->allowed) = name;
	else
		*vec_push(&a->denied) = name;
}

/* Explains permissions that have the same question. */
static void explain(struct session *s, struct answer *a, const struct explain_question *q)
{
	struct explain_source source = session_source(s);

	explain_access(&s->server, &source, q, &a->why);
}

static bool xperm_allowed(const struct session *s, const struct answer *a, const struct xperm *x, uint32_t perm,
			  uint32_t number)
{
	return a->decision.allowed & perm && decide_xperm(s->server.decider, s->server.state, a->source.type, a->target.type,
							  a->class, (enum xperm_base)x->base, (uint16_t)number);
}

/* Numbers one after the other with the same answer, as one permission. */
static const char *run_name(struct answer *a, const struct xperm *x, uint32_t low, uint32_t high)
{
	char text[40];
	int n = low == high ? snprintf(text, sizeof text, "%s:0x%04x", x->name, low)
			    : snprintf(text, sizeof text, "%s:0x%04x-0x%04x", x->name, low, high);

	return arena_strndup(&a->why.arena, text, (size_t)n);
}

static bool ask_xperm(struct session *s, struct answer *a, const char *text, const struct xperm *x, struct loc loc)
{
	uint32_t perm, low, number;
	bool explained[2] = {false};

	if (x->wrong) {
		diag_error(&s->diags, "bad-number", loc, "`%s` is no extended permission", text);
		diag_hint(&s->diags, "they are numbers up to 0xffff, as in ioctl:0x5401 or ioctl:0x8900-0x89ff");
		return false;
	}
	perm = policy_find_perm(&s->policy->classes.at[a->class], x->name);
	if (!perm) {
		note_verdict(a, text, unknown_allowed(s, a, x->name));
		unknown_perm(s, a, x->name);
		return true;
	}
	a->shown |= perm;
	for (low = number = x->low; low <= x->high; low = number) {
		struct explain_question q = {&a->source, &a->target, a->class, perm, x->base, (uint16_t)low};
		bool allowed = xperm_allowed(s, a, x, perm, low);

		while (number <= x->high && xperm_allowed(s, a, x, perm, number) == allowed)
			number++;
		note_verdict(a, low == x->low && number > x->high ? text : run_name(a, x, low, number - 1), allowed);
		/* Of a range, why the first number is allowed, and the first denied. */
		if (s->explaining && !explained[allowed])
			explain(s, a, &q);
		explained[allowed] = true;
	}
	return true;
}

/* Of the permissions that the kernel checks and the policy lacks. */
static void list_unknown(const struct session *s, struct answer *a)
{
	const struct kernel_class *known = s->kernel ? kernel_profile_class(&s->profile, a->class_name) : NULL;

	for (uint32_t i = 0; known && i < known->nperms; i++)
		if (!policy_find_perm(&s->policy->classes.at[a->class], known->perms[i]) && unknown_allowed(s, a, known->perms[i]))
			*vec_push(&a->allowed) = known->perms[i];
}

/* All of the class: only what is allowed is worth a word. */
static void list_allowed(struct session *s, struct answer *a)
{
	const struct policy_class *class = &s->policy->classes.at[a->class];
	struct explain_question q = {&a->source, &a->target, a->class, 0, 0, 0};

	a->shown = UINT32_MAX;
	for (uint32_t i = 0; i < class->nperms; i++) {
		if (!class->perms[i] || !(a->decision.allowed >> i & 1))
			continue;
		*vec_push(&a->allowed) = class->perms[i];
		q.perms |= UINT32_C(1) << i;
	}
	list_unknown(s, a);
	if (s->explaining)
		explain(s, a, &q);
}

static bool ask_perms(struct session *s, struct answer *a, char **perms, int n, struct loc loc)
{
	struct explain_question q = {&a->source, &a->target, a->class, 0, 0, 0};

	for (int i = 0; i < n; i++) {
		struct xperm x;
		uint32_t mask;

		if (parse_xperm(perms[i], &x)) {
			if (!ask_xperm(s, a, perms[i], &x, loc))
				return false;
			continue;
		}
		mask = policy_find_perm(&s->policy->classes.at[a->class], perms[i]);
		note_verdict(a, perms[i], mask ? a->decision.allowed & mask : unknown_allowed(s, a, perms[i]));
		if (!mask)
			unknown_perm(s, a, perms[i]);
		q.perms |= mask;
	}
	a->shown |= q.perms;
	if (s->explaining && q.perms)
		explain(s, a, &q);
	return true;
}

bool answer_question(struct session *session, const struct policy_context *source, const struct policy_context *target,
		     const char *class_name, char **perms, int nperms, struct loc loc, struct answer *ret)
{
	ret->source = *source;
	ret->target = *target;
	ret->class_name = class_name;
	ret->class = policy_find_class(session->policy, class_name);
	decide_access(session->server.decider, session->server.state, source, target, ret->class, &ret->decision);
	if (!ret->class) {
		for (int i = 0; i < nperms; i++)
			note_verdict(ret, perms[i], unknown_allowed(session, ret, perms[i]));
		unknown_class(session, ret, class_name);
		return true;
	}
	if (!nperms) {
		list_allowed(session, ret);
		return true;
	}
	return ask_perms(session, ret, perms, nperms, loc);
}

/* As they stand in rules and logs: braces are left out. */
static int without_braces(char **perms, int n)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (strcmp(perms[i], "{") != 0 && strcmp(perms[i], "}") != 0)
			perms[kept++] = perms[i];
	return kept;
}

bool answer_access(struct session *session, char **words, int n, struct answer *ret)
{
	struct policy_context source = {0}, target = {0};
	int nperms = without_braces(words + 3, n - 3);
	bool good = session_context(session, "<source>", words[0], &source);

	good = session_context(session, "<target>", words[1], &target) && good;
	if (good)
		return answer_question(session, &source, &target, words[2], words + 3, nperms, LOC_NONE, ret);
	policy_context_free(&source);
	policy_context_free(&target);
	return false;
}

void answer_free(struct answer *answer)
{
	policy_context_free(&answer->source);
	policy_context_free(&answer->target);
	vec_free(&answer->allowed);
	vec_free(&answer->denied);
	explanation_free(&answer->why);
	*answer = (struct answer){0};
}

uint32_t answer_unchecked(const struct session *session, const struct answer *answer)
{
	const struct policy_class *class = &session->policy->classes.at[answer->class];
	uint32_t mask = 0;

	for (uint32_t i = 0; answer->class && i < class->nperms; i++)
		if (class->perms[i] && answer->shown >> i & 1 && !session_checks(session, class->name, class->perms[i]))
			mask |= UINT32_C(1) << i;
	return mask;
}

/* ---- printing ---- */

void answer_print_lists(const struct answer *answer, FILE *out)
{
	fputs("allowed:", out);
	for (uint32_t i = 0; i < answer->allowed.n; i++)
		fprintf(out, " %s", answer->allowed.at[i]);
	fputc('\n', out);
	if (!answer->denied.n)
		return;
	fputs("denied:", out);
	for (uint32_t i = 0; i < answer->denied.n; i++)
		fprintf(out, " %s", answer->denied.at[i]);
	fputc('\n', out);
}

static bool is_detail(enum reason_kind kind)
{
	return kind == REASON_TERM || kind == REASON_WAY_OUT || kind == REASON_PLACE;
}

static void put_reason(struct buffer *b, const struct session *session, const struct answer *answer,
		       const struct reason *reason)
{
	if (reason->perms && !is_detail(reason->kind)) {
		explain_put_perms(b, &session->policy->classes.at[answer->class], reason->perms);
		text_put(b, ": ");
	}
	text_put(b, reason->text);
}

typedef VEC(struct place) reason_places;

/* Where the reasons stand; a file of NULL is nowhere. */
static void find_places(const struct session *session, const struct answer *answer, reason_places *ret_places)
{
	struct place_cursor cursor = {0};

	for (uint32_t i = 0; i < answer->why.reasons.n; i++) {
		struct loc loc = answer->why.reasons.at[i].loc;

		*vec_push(ret_places) = loc_known(loc) ? place_of(&session->sources, &cursor, loc.begin) : (struct place){0};
	}
}

/* What a macro wrote several times stands several times in one place. */
static bool told_before(const struct answer *answer, const reason_places *places, uint32_t i)
{
	const struct reason *reasons = answer->why.reasons.at;
	const struct place *p = &places->at[i];

	for (uint32_t k = i; p->file && reasons[i].kind == REASON_PLACE && k && reasons[k - 1].kind == REASON_PLACE; k--) {
		const struct place *q = &places->at[k - 1];

		if (q->file && q->file_len == p->file_len && !memcmp(q->file, p->file, p->file_len) && q->line == p->line &&
		    q->col == p->col && !strcmp(reasons[k - 1].text, reasons[i].text))
			return true;
	}
	return false;
}

void answer_print_reasons(const struct session *session, const struct answer *answer, FILE *out)
{
	reason_places places = {0};
	struct buffer b = {0};

	find_places(session, answer, &places);

	if (answer->why.reasons.n)
		fputc('\n', out);
	for (uint32_t i = 0; i < answer->why.reasons.n; i++) {
		const struct reason *r = &answer->why.reasons.at[i];
		const struct place *p = &places.at[i];

		if (told_before(answer, &places, i))
			continue;
		b.n = 0;
		put_reason(&b, session, answer, r);
		fprintf(out, "%*s", (int)(4 * r->depth), "");
		if (p->file)
			fprintf(out, "%.*s:%u:%u: ", (int)p->file_len, p->file, p->line, p->col);
		fprintf(out, "%s\n", text_of(&b));
	}
	vec_free(&places);
	buffer_free(&b);
}

static json_t *json_names(const char **at, uint32_t n)
{
	json_t *array = json_new_array();

	for (uint32_t i = 0; i < n; i++)
		json_add(array, json_new_text(at[i], strlen(at[i])));
	return array;
}

static json_t *json_mask(const struct policy_class *class, uint32_t mask)
{
	json_t *array = json_new_array();

	for (uint32_t i = 0; class->name && i < class->nperms; i++)
		if (mask >> i & 1 && class->perms[i])
			json_add(array, json_new_text(class->perms[i], strlen(class->perms[i])));
	return array;
}

static json_t *json_reasons(const struct session *session, const struct answer *answer)
{
	const struct policy_class *class = &session->policy->classes.at[answer->class];
	json_t *array = json_new_array();
	reason_places places = {0};

	find_places(session, answer, &places);
	for (uint32_t i = 0; i < answer->why.reasons.n; i++) {
		const struct reason *r = &answer->why.reasons.at[i];
		const struct place *p = &places.at[i];
		json_t *object;

		if (told_before(answer, &places, i))
			continue;
		object = json_new_object();
		json_put_string(object, "kind", reason_name(r->kind));
		json_put_number(object, "depth", r->depth);
		json_put(object, "perms", json_mask(class, r->perms));
		json_put(object, "text", json_new_text(r->text, strlen(r->text)));
		if (p->file) {
			json_put(object, "file", json_new_text(p->file, p->file_len));
			json_put_number(object, "line", p->line);
			json_put_number(object, "column", p->col);
		}
		json_add(array, object);
	}
	vec_free(&places);
	return array;
}

void answer_print_json(const struct session *session, const struct answer *answer, bool explain, FILE *out)
{
	const struct policy_class *class = &session->policy->classes.at[answer->class];
	json_t *object = json_new_object();

	json_put(object, "allowed", json_names(answer->allowed.at, answer->allowed.n));
	json_put(object, "denied", json_names(answer->denied.at, answer->denied.n));
	json_put(object, "auditallow", json_mask(class, answer->decision.auditallow & answer->shown));
	json_put(object, "dontaudit", json_mask(class, ~answer->decision.auditdeny & answer->shown));
	if (session->kernel)
		json_put(object, "unchecked", json_mask(class, answer_unchecked(session, answer)));
	json_put(object, "permissive", json_boolean(answer->decision.flags & DECISION_PERMISSIVE));
	if (explain)
		json_put(object, "reasons", json_reasons(session, answer));
	json_print(object, out);
}

void answer_note_reasons(struct session *session, const struct answer *answer, bool denied)
{
	struct buffer b = {0};
	bool wanted = true; /* details go with the reason before */

	for (uint32_t i = 0; i < answer->why.reasons.n; i++) {
		const struct reason *r = &answer->why.reasons.at[i];

		if (!is_detail(r->kind))
			wanted = r->kind == REASON_UNKNOWN || (r->kind != REASON_RULE && r->kind != REASON_XPERM) == denied;
		if (!wanted)
			continue;
		b.n = 0;
		put_reason(&b, session, answer, r);
		if (r->kind == REASON_WAY_OUT)
			diag_hint(&session->diags, "%s", text_of(&b));
		else
			diag_note(&session->diags, r->loc, "%s", text_of(&b));
	}
	buffer_free(&b);
}
