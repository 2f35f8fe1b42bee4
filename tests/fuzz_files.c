/* A label file of any kind under a small policy, for libFuzzer: the first line
 * is the name of the kind, or its first byte chooses one. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "security/security.h"
#include "tests/security_fixture.h"
#include "validator/collect.h"
#include "validator/label_contexts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct security *policy(void)
{
	static struct security *security;

	if (!security)
		security = security_new(security_fixture(true));
	return security;
}

static const struct label_kind *choose(const char *line, size_t len)
{
	char wanted[64] = "";
	const char *name = "", *patterns;
	uint32_t n = 0, i;

	if (len < sizeof wanted)
		memcpy(wanted, line, len);
	if (label_kind_named(wanted))
		return label_kind_named(wanted);
	while (label_kind_at(n, &name, &patterns))
		n++;
	i = len ? (unsigned char)*line % n : 0;
	label_kind_at(i, &name, &patterns);
	return label_kind_named(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct label_policy policies[] = {{NULL, policy()}};
	const struct label_options options = {.match = "/srv/app", .no_includes = true};
	const char *text = (const char *)data, *newline = size ? memchr(data, '\n', size) : NULL;
	size_t line = newline ? (size_t)(newline - text) : 0, rest = newline ? size - line - 1 : 0;
	const struct label_kind *kind = newline ? choose(text, line) : NULL;
	struct label_contexts contexts;
	struct label_result result = {0};
	struct label_list list = {0};
	struct sources sources = {0};
	struct diags diags = {0};
	struct label_run run = {
		.sources = &sources, .diags = &diags, .options = &options, .policies = policies, .npolicies = 1,
		.contexts = &contexts, .result = &result,
	};

	if (!kind || !sources_add(&sources, "input", newline + 1, rest, &diags)) {
		diags_free(&diags);
		return 0;
	}
	label_contexts_init(&contexts, 1);
	*vec_push(&list.files) = (struct label_file){.kind = kind};
	label_list_check(&run, &list);
	/* Each place is in the file. */
	for (uint32_t i = 0; i < diags.list.n; i++) {
		struct loc loc = diags.list.at[i].loc;

		if (loc_known(loc) && (loc.begin > loc.end || loc.end > rest))
			abort();
	}
	label_contexts_free(&contexts);
	label_result_free(&result);
	vec_free(&list.files);
	diags_free(&diags);
	sources_free(&sources);
	return 0;
}
