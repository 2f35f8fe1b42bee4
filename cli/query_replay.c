/* replay: denials of a log, grouped and judged under this policy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/glyph.h"
#include "base/json_out.h"
#include "cli/query_answer.h"
#include "cli/query_session.h"
#include "ir/text.h"
#include "query/audit.h"

struct entry {
	struct audit_denial denial;
	uint32_t begin, end; /* from the permissions to the end of the line */
};

/* Denials with the same contexts and class. */
struct group {
	const struct entry *first; /* in the log */
	uint32_t n, permissive;
	char *source, *target, *class;
	VEC(char *) perms;         /* each once, in order of the log; ioctl with its number */
	uint32_t more_perms;       /* not kept */
	VEC(char *) comms;
};

struct replay {
	struct session *session;
	struct arena arena;
	struct place_cursor cursor;           /* groups are told in order of their places */
	VEC(struct entry) entries;
	VEC(struct group) groups;
	uint32_t denied, allowed, not_judged; /* groups */
	json_t *json;                         /* array of groups, or NULL */
};

/* Of a group; a log may say anything. */
enum { MAX_COMMS = 3, MAX_PERMS = 200 };

/* ---- reading ---- */

/* Logs of a machine that went down have runs of NULs. */
static const struct source *load_log(struct session *s, const char *path)
{
	const struct source *source = NULL;
	struct buffer file = {0};

	if (file_load(path, &file, &s->diags)) {
		for (size_t i = 0; i < file.n; i++)
			if (!file.at[i])
				file.at[i] = ' ';
		source = sources_add(&s->sources, strcmp(path, "-") ? path : "<stdin>", (const char *)file.at, file.n, &s->diags);
	}
	buffer_free(&file);
	return source;
}

static void read_entries(struct replay *r, const struct source *source)
{
	uint32_t at = 0;

	while (at < source->size) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		uint32_t n = (uint32_t)((end ? end : source->text + source->size) - (source->text + at));
		struct entry entry = {.end = source->base + at + n};

		if (audit_parse(source->text + at, n, &entry.denial)) {
			entry.begin = source->base + (uint32_t)(entry.denial.perms.at - source->text);
			*vec_push(&r->entries) = entry;
		}
		at += n + 1;
	}
}

/* ---- grouping ---- */

static int compare_spans(struct audit_span a, struct audit_span b)
{
	int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare_keys(const struct audit_denial *a, const struct audit_denial *b)
{
	int order = compare_spans(a->source, b->source);

	if (!order)
		order = compare_spans(a->target, b->target);
	return order ? order : compare_spans(a->class, b->class);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_keys(&x->denial, &y->denial);

	return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->first->begin > y->first->begin) - (x->first->begin < y->first->begin);
}

static char *keep_span(struct replay *r, struct audit_span span)
{
	return arena_strndup(&r->arena, span.at, span.n);
}

static bool has_text(char *const *list, uint32_t n, const char *text)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

static void add_perms(struct replay *r, struct group *g, const struct audit_denial *d)
{
	struct audit_span list = d->perms, perm;

	while (audit_next_perm(&list, &perm)) {
		struct buffer b = {0};
		bool ioctl = d->has_ioctl && perm.n == 5 && !memcmp(perm.at, "ioctl", 5);

		buffer_put(&b, perm.at, perm.n);
		if (ioctl)
			text_printf(&b, ":0x%04x", d->ioctl);
		if (!has_text(g->perms.at, g->perms.n, text_of(&b))) {
			if (g->perms.n < MAX_PERMS)
				*vec_push(&g->perms) = arena_strndup(&r->arena, text_of(&b), b.n);
			else
				g->more_perms++;
		}
		buffer_free(&b);
	}
}

static void add_comm(struct replay *r, struct group *g, struct audit_span comm)
{
	struct buffer b = {0};

	if (!comm.n || g->comms.n > MAX_COMMS)
		return;
	audit_put_value(&b, comm);
	if (!has_text(g->comms.at, g->comms.n, text_of(&b)))
		*vec_push(&g->comms) = arena_strndup(&r->arena, text_of(&b), b.n);
	buffer_free(&b);
}

static void group_entries(struct replay *r)
{
	struct group *g = NULL;

	if (r->entries.n)
		qsort(r->entries.at, r->entries.n, sizeof *r->entries.at, compare_entries);
	for (uint32_t i = 0; i < r->entries.n; i++) {
		const struct entry *entry = &r->entries.at[i];

		if (!g || compare_keys(&g->first->denial, &entry->denial)) {
			g = vec_push(&r->groups);
			*g = (struct group){.first = entry};
			g->source = keep_span(r, entry->denial.source);
			g->target = keep_span(r, entry->denial.target);
			g->class = keep_span(r, entry->denial.class);
		}
		g->n++;
		g->permissive += entry->denial.permissive;
		add_perms(r, g, &entry->denial);
		add_comm(r, g, entry->denial.comm);
	}
	if (r->groups.n)
		qsort(r->groups.at, r->groups.n, sizeof *r->groups.at, compare_groups);
}

/* ---- judging ---- */

static void put_count(struct buffer *b, const struct group *g)
{
	text_printf(b, "%u denial%s", g->n, g->n == 1 ? "" : "s");
	if (g->permissive)
		text_printf(b, ", %u of them in permissive mode", g->permissive);
	for (uint32_t i = 0; i < g->comms.n && i < MAX_COMMS; i++)
		text_printf(b, "%s`%s`", i ? ", " : ", by ", g->comms.at[i]);
	if (g->comms.n > MAX_COMMS)
		text_put(b, " and others");
	if (g->more_perms)
		text_printf(b, "; %u more words for permissions are left out", g->more_perms);
}

static void put_names(struct buffer *b, const char **names, uint32_t n)
{
	text_put(b, "{");
	for (uint32_t i = 0; i < n; i++)
		text_printf(b, " %s", names[i]);
	text_put(b, " }");
}

static const char *type_name(const struct session *s, const struct policy_context *context)
{
	return s->policy->types.at[context->type].name;
}

static void report_denied(struct replay *r, const struct group *g, const struct answer *a)
{
	struct session *s = r->session;
	struct loc loc = {g->first->begin, g->first->end};
	struct buffer b = {0};

	put_names(&b, a->denied.at, a->denied.n);
	diag_error(&s->diags, "replay-denied", loc, "`%s` is still denied %s on `%s`:`%s`", type_name(s, &a->source), text_of(&b),
		   type_name(s, &a->target), g->class);
	b.n = 0;
	put_count(&b, g);
	diag_note(&s->diags, LOC_NONE, "%s", text_of(&b));
	if (a->decision.flags & DECISION_PERMISSIVE)
		diag_note(&s->diags, LOC_NONE, "the source type is permissive, so a kernel lets it pass and audits it");
	answer_note_reasons(s, a, true);
	buffer_free(&b);
}

static void print_allowed(struct replay *r, const struct group *g, const struct answer *a)
{
	struct place p = place_of(&r->session->sources, &r->cursor, g->first->begin);
	struct buffer b = {0}, shown = {0};

	text_printf(&b, "allowed now: %s %s:%s ", type_name(r->session, &a->source), type_name(r->session, &a->target), g->class);
	put_names(&b, a->allowed.at, a->allowed.n);
	text_put(&b, "; ");
	put_count(&b, g);
	glyph_put_text(&shown, (const char *)b.at, b.n); /* names of programs may be anything */
	printf("%.*s:%u: %s\n", (int)p.file_len, p.file, p.row, text_of(&shown));
	buffer_free(&b);
	buffer_free(&shown);
}

static void put_json_names(json_t *object, const char *key, char *const *at, uint32_t n)
{
	json_t *array = json_new_array();

	for (uint32_t i = 0; i < n; i++)
		json_add(array, json_new_text(at[i], strlen(at[i])));
	json_put(object, key, array);
}

static void keep_json(struct replay *r, const struct group *g, const struct answer *a, const char *verdict)
{
	json_t *object = json_new_object();

	json_put(object, "source", json_new_text(g->source, strlen(g->source)));
	json_put(object, "target", json_new_text(g->target, strlen(g->target)));
	json_put(object, "class", json_new_text(g->class, strlen(g->class)));
	json_put_string(object, "verdict", verdict);
	put_json_names(object, "allowed", (char *const *)a->allowed.at, a->allowed.n);
	put_json_names(object, "denied", (char *const *)a->denied.at, a->denied.n);
	put_json_names(object, "comm", g->comms.at, g->comms.n);
	json_put_number(object, "denials", g->n);
	json_put_number(object, "permissive", g->permissive);
	json_put_number(object, "line", place_of(&r->session->sources, &r->cursor, g->first->begin).row);
	json_add(r->json, object);
}

static bool parse_contexts(struct replay *r, const struct group *g, struct policy_context *source,
			   struct policy_context *target)
{
	const struct audit_denial *d = &g->first->denial;
	const struct source *file = source_at(&r->session->sources, g->first->begin);
	uint32_t s = file->base + (uint32_t)(d->source.at - file->text), t = file->base + (uint32_t)(d->target.at - file->text);
	bool good = session_context_at(r->session, g->source, (struct loc){s, s + (uint32_t)d->source.n}, source);

	return session_context_at(r->session, g->target, (struct loc){t, t + (uint32_t)d->target.n}, target) && good;
}

static void judge(struct replay *r, const struct group *g)
{
	struct policy_context source = {0}, target = {0};
	struct answer a = {0};
	struct loc loc = {g->first->begin, g->first->end};

	if (!parse_contexts(r, g, &source, &target)) {
		policy_context_free(&source);
		policy_context_free(&target);
		r->not_judged++;
		if (r->json)
			keep_json(r, g, &a, "not-judged");
		return;
	}
	answer_question(r->session, &source, &target, g->class, g->perms.at, (int)g->perms.n, loc, &a);
	if (a.denied.n)
		report_denied(r, g, &a);
	else if (!r->json && r->session->findings.format == DIAG_TEXT)
		print_allowed(r, g, &a);
	if (r->json)
		keep_json(r, g, &a, a.denied.n ? "denied" : "allowed");
	*(a.denied.n ? &r->denied : &r->allowed) += 1;
	answer_free(&a);
}

static void print_summary(struct replay *r)
{
	if (r->session->findings.format == DIAG_TEXT)
		printf("%u denials in %u groups: %u still denied, %u allowed now, %u not judged\n", r->entries.n, r->groups.n,
		       r->denied, r->allowed, r->not_judged);
	if (r->json) {
		json_t *object = json_new_object();

		json_put_number(object, "denials", r->entries.n);
		json_put(object, "groups", r->json);
		json_print(object, stdout);
	}
}

static enum query_status replay_file(struct session *s, char **words, int n)
{
	const struct source *source = load_log(s, words[0]);
	struct replay r = {.session = s, .json = s->findings.format == DIAG_JSON ? json_new_array() : NULL};

	(void)n;
	if (!source)
		return QUERY_FAILED;
	s->inputs = words[0];
	read_entries(&r, source);
	group_entries(&r);
	for (uint32_t i = 0; i < r.groups.n; i++)
		judge(&r, &r.groups.at[i]);
	print_summary(&r);
	for (uint32_t i = 0; i < r.groups.n; i++) {
		vec_free(&r.groups.at[i].perms);
		vec_free(&r.groups.at[i].comms);
	}
	vec_free(&r.groups);
	vec_free(&r.entries);
	arena_free(&r.arena);
	return query_finish(r.denied || r.not_judged ? QUERY_EMPTY : QUERY_DONE);
}

enum query_status query_replay_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "replay takes a policy and a log",
		.least = 1, .most = 1, .findings = true, .explaining = true, .run = replay_file,
	};

	return session_main(&command, argc, argv);
}
