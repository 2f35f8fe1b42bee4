#include <string.h>

#include "base/json_out.h"
#include "ir/text.h"
#include "validator/judge_internal.h"

static bool parse(struct judge_worker *w, uint32_t policy, const char *text, size_t len)
{
	const struct security *security = w->judge->policies[policy].security;

	switch (w->judge->kind) {
	case JUDGE_LEVEL: return level_parse(security, text, len, &w->context.range.low, &w->faults);
	case JUDGE_RANGE: return range_parse(security, text, len, &w->context.range, &w->faults);
	default: return context_parse(security, text, len, &w->context, &w->faults);
	}
}

static void put_canonical(const struct judge_worker *w, struct buffer *out)
{
	const struct policy *policy = security_policy(w->judge->policies[0].security);

	switch (w->judge->kind) {
	case JUDGE_LEVEL: text_level(out, policy, &w->context.range.low); return;
	case JUDGE_RANGE: text_range(out, policy, &w->context.range); return;
	default: text_context(out, policy, &w->context); return;
	}
}

/* The form that was appended last, in JSON in its place. */
static void wrap_json(struct buffer *out, size_t begin, const char *text, size_t len, bool good)
{
	json_t *value = json_new_object();
	char *line;

	json_put(value, "text", json_new_text(text, len));
	if (good)
		json_put(value, "canonical", json_new_text((const char *)out->at + begin, out->n - begin));
	out->n = begin;
	line = json_dumps(value, JSON_COMPACT);
	text_put(out, line);
	free(line);
	json_decref(value);
}

enum judge_verdict judge_one(struct judge_worker *w, const char *text, size_t len, struct buffer *out)
{
	const struct judge *judge = w->judge;
	enum judge_verdict verdict = VERDICT_GOOD;
	size_t begin = out->n;

	for (uint32_t i = 0; i < judge->npolicies; i++) {
		bool good = parse(w, i, text, len);

		if (!good)
			verdict = VERDICT_BAD;
		else if (w->faults.n && verdict == VERDICT_GOOD)
			verdict = VERDICT_DOUBT;
		if (good && !i && !judge->quiet)
			put_canonical(w, out);
	}
	if (verdict == VERDICT_BAD)
		out->n = begin;
	if (judge->json && !judge->quiet)
		wrap_json(out, begin, text, len, verdict != VERDICT_BAD);
	if (out->n > begin)
		buffer_u8(out, '\n');
	return verdict;
}

void judge_report(struct judge_worker *w, enum judge_verdict verdict, const char *name, uint32_t row,
		  const char *text, size_t len)
{
	const struct judge *judge = w->judge;
	uint32_t *count = verdict == VERDICT_BAD ? &judge->diags->errors : &judge->diags->warnings;
	uint32_t recorded = judge->diags->list.n;
	const struct source *source = NULL;
	struct loc loc = LOC_NONE;

	if (*count >= DIAG_KEEP) {
		if (*count < UINT32_MAX)
			++*count;
		return;
	}
	source = sources_add_excerpt(judge->sources, name, row, text, len);
	if (source)
		loc = (struct loc){source->base, source->base + source->size};
	for (uint32_t i = 0; i < judge->npolicies; i++) {
		parse(w, i, text, len);
		judge->diags->under = judge->policies[i].under;
		context_faults_report(judge->policies[i].security, &w->faults, loc, judge->diags);
	}
	judge->diags->under = NULL;
	if (source && judge->diags->list.n == recorded) /* warnings that nobody wants */
		sources_remove_last(judge->sources);
}

void judge_worker_free(struct judge_worker *worker)
{
	policy_context_free(&worker->context);
}

void judge_text(const struct judge *judge, const char *name, const char *text, size_t len)
{
	struct judge_worker worker = {.judge = judge};
	struct buffer out = {0};
	enum judge_verdict verdict = judge_one(&worker, text, len, &out);

	if (out.n)
		fwrite(out.at, 1, out.n, judge->out);
	if (verdict != VERDICT_GOOD)
		judge_report(&worker, verdict, name, 1, text, len);
	buffer_free(&out);
	judge_worker_free(&worker);
}
