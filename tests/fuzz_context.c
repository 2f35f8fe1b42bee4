/* A text through the readers of contexts, levels and ranges, and their faults
 * through the words for them, for libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "ir/text.h"
#include "security/context.h"
#include "tests/security_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct policy *policies[2]; /* without MLS, and with it */
static struct security *securities[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	for (int mls = 0; mls < 2; mls++) {
		policies[mls] = security_fixture(mls);
		if (!policies[mls])
			abort();
		securities[mls] = security_new(policies[mls]);
	}
	return 0;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

enum what { CONTEXT, LEVEL, RANGE };

static bool parse(enum what what, const struct security *security, const char *text, size_t len,
		  struct policy_context *ret, struct context_faults *faults)
{
	if (what == LEVEL)
		return level_parse(security, text, len, &ret->range.low, faults);
	if (what == RANGE)
		return range_parse(security, text, len, &ret->range, faults);
	return context_parse(security, text, len, ret, faults);
}

static void put(enum what what, const struct security *security, const struct policy_context *context,
		struct buffer *b)
{
	b->n = 0;
	if (what == LEVEL)
		text_level(b, security_policy(security), &context->range.low);
	else if (what == RANGE)
		text_range(b, security_policy(security), &context->range);
	else
		text_context(b, security_policy(security), context);
}

static bool same(enum what what, const struct policy_context *a, const struct policy_context *b)
{
	if (what == LEVEL)
		return policy_level_equal(&a->range.low, &b->range.low);
	return a->user == b->user && a->role == b->role && a->type == b->type && policy_range_equal(&a->range, &b->range);
}

/* What is valid has a text that means the same, and is its own. */
static void check_stable(enum what what, const struct security *security, const struct policy_context *context)
{
	struct policy_context again = {0};
	struct context_faults faults;
	struct buffer first = {0}, second = {0};

	put(what, security, context, &first);
	require(parse(what, security, (const char *)first.at, first.n, &again, &faults) && !faults.n);
	require(same(what, context, &again));
	put(what, security, &again, &second);
	require(first.n == second.n && !memcmp(first.at, second.at, first.n));
	if (what == CONTEXT)
		require(context_validate(security, context, &faults) && !faults.n);
	policy_context_free(&again);
	buffer_free(&first);
	buffer_free(&second);
}

static void check_faults(const struct security *security, const struct context_faults *faults, bool valid, size_t len)
{
	uint32_t doubts = 0;
	struct diags diags = {0};

	for (uint32_t i = 0; i < faults->n; i++) {
		require(faults->at[i].begin <= faults->at[i].end && faults->at[i].end <= len);
		doubts += faults->at[i].kind == FAULT_CAT_TWICE;
	}
	context_faults_report(security, faults, (struct loc){0, (uint32_t)len}, &diags);
	require(diags.warnings == doubts && diags.errors == faults->n - doubts);
	require(faults->more || valid == (diags.errors == 0));
	diags_free(&diags);
}

/* The first byte says which policy and what the text is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policy_context context = {0};
	struct context_faults faults;
	const struct security *security;
	enum what what;
	char *text;
	bool valid;

	if (!size)
		return 0;
	security = securities[data[0] & 1];
	what = data[0] / 2 % 3;
	size--;
	text = malloc(size ? size : 1); /* no NUL behind it */
	require(text != NULL);
	memcpy(text, data + 1, size);
	valid = parse(what, security, text, size, &context, &faults);
	check_faults(security, &faults, valid, size);
	if (valid)
		check_stable(what, security, &context);
	require(parse(what, security, text, size, &context, NULL) == valid);
	policy_context_free(&context);
	free(text);
	return 0;
}
