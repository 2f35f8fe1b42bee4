/* replay: records of a log, grouped and judged under this policy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/glyph.h"
#include "cli/replay.h"
#include "ir/text.h"

struct replay {
	struct session *session;
	struct arena arena;
	struct place_cursor cursor;           /* groups are told in order of their places */
	VEC(struct entry) entries;
	VEC(struct group) groups;
	uint32_t groups_of[3];                /* by verdict */
	uint32_t damaged;                     /* records that lack something */
	json_t *json;                         /* array of groups, or NULL */
};

static const char *const kind_names[] = {
	[AUDIT_DENIED] = "denied", [AUDIT_GRANTED] = "granted", [AUDIT_BOUNDS] = "bounds", [AUDIT_COMPUTED] = "computed-context",
	[AUDIT_TRANSITION] = "validatetrans", [AUDIT_BOUNDED] = "bounded-transition", [AUDIT_CONTEXT] = "context",
};

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

/* What is damaged is told: it may have been a denial. */
static void read_line(struct replay *r, const struct source *source, struct audit_span rest)
{
	struct entry entry;

	while (audit_next(&rest, &entry.record)) {
		const struct audit_span at = entry.record.at;

		entry.loc.begin = source->base + (uint32_t)(at.at - source->text);
		entry.loc.end = entry.loc.begin + (uint32_t)at.n;
		if (!entry.record.missing) {
			*vec_push(&r->entries) = entry;
			continue;
		}
		diag_warning(&r->session->diags, "replay-damaged", entry.loc, "this record has no %s, so it is not judged",
			     entry.record.missing);
		r->damaged++;
	}
}

static void read_entries(struct replay *r, const struct source *source)
{
	uint32_t at = 0;

	while (at < source->size) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		uint32_t n = (uint32_t)((end ? end : source->text + source->size) - (source->text + at));

		read_line(r, source, (struct audit_span){source->text + at, n});
		at += n + 1;
	}
}

/* ---- grouping ---- */

static int compare_spans(struct audit_span a, struct audit_span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.at, b.at, n) : 0;

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare_keys(const struct audit_record *a, const struct audit_record *b)
{
	const struct audit_span x[] = {a->source, a->target, a->class, a->context, a->raw[0], a->raw[1]};
	const struct audit_span y[] = {b->source, b->target, b->class, b->context, b->raw[0], b->raw[1]};
	int order = (a->kind > b->kind) - (a->kind < b->kind);

	for (size_t i = 0; i < sizeof x / sizeof *x && !order; i++)
		order = compare_spans(x[i], y[i]);
	return order;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_keys(&x->record, &y->record);

	return order ? order : (x->loc.begin > y->loc.begin) - (x->loc.begin < y->loc.begin);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->first->loc.begin > y->first->loc.begin) - (x->first->loc.begin < y->first->loc.begin);
}

/* NULL of none. */
static char *keep_value(struct replay *r, struct audit_span value)
{
	struct buffer b = {0};
	char *kept;

	if (!value.n)
		return NULL;
	audit_put_value(&b, value);
	kept = arena_strndup(&r->arena, text_of(&b), b.n);
	buffer_free(&b);
	return kept;
}

static bool has_text(char *const *list, uint32_t n, const char *text)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

/* The permission that an extended one belongs to, as access takes it. */
static void put_perm(struct buffer *b, const struct audit_record *record, struct audit_span perm)
{
	static const char *const bases[] = {[XPERM_BASE_IOCTL] = "ioctl", [XPERM_BASE_NLMSG] = "nlmsg"};
	const char *base = record->base ? bases[record->base] : "";

	buffer_put(b, perm.at, perm.n);
	if (perm.n == strlen(base) && !memcmp(perm.at, base, perm.n))
		text_printf(b, ":0x%04x", record->number);
}

static void add_perms(struct replay *r, struct group *g, const struct audit_record *record)
{
	struct audit_span list = record->perms, perm;

	while (audit_next_perm(&list, &perm)) {
		struct buffer b = {0};

		put_perm(&b, record, perm);
		if (!has_text(g->perms.at, g->perms.n, text_of(&b))) {
			if (g->perms.n < MAX_PERMS)
				*vec_push(&g->perms) = arena_strndup(&r->arena, text_of(&b), b.n);
			else
				g->more_perms++;
		}
		buffer_free(&b);
	}
}

static void add_comm(struct replay *r, struct group *g, struct audit_span value)
{
	char *comm = g->comms.n <= MAX_COMMS ? keep_value(r, value) : NULL;

	if (comm && !has_text(g->comms.at, g->comms.n, comm))
		*vec_push(&g->comms) = comm;
}

static struct group *add_group(struct replay *r, const struct entry *entry)
{
	const struct audit_record *record = &entry->record;
	struct group *g = vec_push(&r->groups);

	*g = (struct group){
		.first = entry, .source = keep_value(r, record->source), .target = keep_value(r, record->target),
		.class = keep_value(r, record->class), .context = keep_value(r, record->context),
		.raw = {keep_value(r, record->raw[0]), keep_value(r, record->raw[1])},
	};
	return g;
}

static void group_entries(struct replay *r)
{
	struct group *g = NULL;

	if (r->entries.n)
		qsort(r->entries.at, r->entries.n, sizeof *r->entries.at, compare_entries);
	for (uint32_t i = 0; i < r->entries.n; i++) {
		const struct entry *entry = &r->entries.at[i];

		if (!g || compare_keys(&g->first->record, &entry->record))
			g = add_group(r, entry);
		g->n++;
		g->permissive += entry->record.permissive;
		add_perms(r, g, &entry->record);
		add_comm(r, g, entry->record.comm);
	}
	if (r->groups.n)
		qsort(r->groups.at, r->groups.n, sizeof *r->groups.at, compare_groups);
}

/* ---- telling ---- */

void group_put_count(struct buffer *b, const struct group *g)
{
	static const char *const words[] = {
		[AUDIT_DENIED] = "denial", [AUDIT_GRANTED] = "grant", [AUDIT_BOUNDS] = "denial",
	};
	enum audit_kind kind = g->first->record.kind;

	text_printf(b, "%u %s%s", g->n, kind <= AUDIT_BOUNDS ? words[kind] : "record", g->n == 1 ? "" : "s");
	if (kind == AUDIT_BOUNDS)
		text_put(b, " by the bounds of its type");
	if (g->permissive)
		text_printf(b, ", %u of them in permissive mode", g->permissive);
	for (uint32_t i = 0; i < g->comms.n && i < MAX_COMMS; i++)
		text_printf(b, "%s`%s`", i ? ", " : ", by ", g->comms.at[i]);
	if (g->comms.n > MAX_COMMS)
		text_put(b, " and others");
	if (g->more_perms)
		text_printf(b, "; %u more words for permissions are left out", g->more_perms);
}

static void print_allowed(struct replay *r, const struct group *g, struct judgement *judgement)
{
	struct place p = place_of(&r->session->sources, &r->cursor, g->first->loc.begin);
	struct buffer b = {0}, shown = {0};

	text_printf(&b, "%s: %s; ", g->first->record.kind == AUDIT_GRANTED ? "allowed still" : "allowed now",
		    text_of(&judgement->text));
	group_put_count(&b, g);
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

static void put_json_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_put(object, key, json_new_text(text, strlen(text)));
}

static void keep_json(struct replay *r, const struct group *g, const struct judgement *judgement)
{
	static const char *const verdicts[] = {
		[VERDICT_DENIED] = "denied", [VERDICT_ALLOWED] = "allowed", [VERDICT_NOT_JUDGED] = "not-judged",
	};
	const struct answer *a = &judgement->access;
	json_t *object = json_new_object();

	json_put_string(object, "kind", kind_names[g->first->record.kind]);
	put_json_text(object, "source", g->source);
	put_json_text(object, "target", g->target);
	put_json_text(object, "class", g->class);
	put_json_text(object, "context", g->context);
	put_json_text(object, "raw-source", g->raw[0]);
	put_json_text(object, "raw-target", g->raw[1]);
	json_put_string(object, "verdict", verdicts[judgement->verdict]);
	put_json_names(object, "allowed", (char *const *)a->allowed.at, a->allowed.n);
	put_json_names(object, "denied", (char *const *)a->denied.at, a->denied.n);
	put_json_names(object, "comm", g->comms.at, g->comms.n);
	json_put_number(object, "records", g->n);
	json_put_number(object, "permissive", g->permissive);
	json_put_number(object, "line", place_of(&r->session->sources, &r->cursor, g->first->loc.begin).row);
	json_add(r->json, object);
}

static void judge(struct replay *r, const struct group *g)
{
	struct judgement judgement;

	replay_judge(r->session, g, &judgement);
	if (r->json)
		keep_json(r, g, &judgement);
	else if (judgement.verdict == VERDICT_ALLOWED && r->session->findings.format == DIAG_TEXT)
		print_allowed(r, g, &judgement);
	r->groups_of[judgement.verdict]++;
	judgement_free(&judgement);
}

static void print_summary(struct replay *r)
{
	if (r->session->findings.format == DIAG_TEXT) {
		printf("%u record%s in %u group%s: %u denied, %u allowed, %u not judged", r->entries.n,
		       r->entries.n == 1 ? "" : "s", r->groups.n, r->groups.n == 1 ? "" : "s",
		       r->groups_of[VERDICT_DENIED], r->groups_of[VERDICT_ALLOWED], r->groups_of[VERDICT_NOT_JUDGED]);
		if (r->damaged)
			printf("; %u damaged", r->damaged);
		putchar('\n');
	}
	if (r->json) {
		json_t *object = json_new_object();

		json_put_number(object, "records", r->entries.n);
		json_put_number(object, "damaged", r->damaged);
		json_put(object, "groups", r->json);
		json_print(object, stdout);
	}
}

static bool all_allowed(const struct replay *r)
{
	return !r->groups_of[VERDICT_DENIED] && !r->groups_of[VERDICT_NOT_JUDGED] && !r->damaged;
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
	return query_finish(all_allowed(&r) ? QUERY_DONE : QUERY_EMPTY);
}

enum query_status query_replay_main(int argc, char **argv)
{
	static const struct session_command command = {
		.usage = "replay takes a policy and a log",
		.least = 1, .most = 1, .findings = true, .explaining = true, .run = replay_file,
	};

	return session_main(&command, argc, argv);
}
