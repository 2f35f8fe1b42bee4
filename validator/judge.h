/* Contexts, levels and ranges as text, one or many: judged under policies and
 * written in their canonical form. */
#ifndef VALIDATOR_JUDGE_H
#define VALIDATOR_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/source.h"
#include "security/security.h"

enum judge_kind { JUDGE_CONTEXT, JUDGE_LEVEL, JUDGE_RANGE };

struct judge_policy {
	const struct security *security;
	const char *under; /* as findings name it; NULL: they need not */
};

struct judge {
	enum judge_kind kind;
	const struct judge_policy *policies; /* at least one; the canonical form is that of the first */
	uint32_t npolicies;
	bool quiet; /* print no canonical forms */
	bool json;  /* print each text as an object: `text` and, when it is valid, `canonical` */
	FILE *out;
	struct sources *sources; /* get the texts that are not valid */
	struct diags *diags;
	void (*progress)(void *data, uint64_t lines); /* called now and then from the thread of judge_lines(); or NULL */
	void *progress_data;
};

/* Judges one text, which findings name as a file. */
void judge_text(const struct judge *judge, const char *name, const char *text, size_t len);

/* Judges each line of what fd reads; empty ones and those that begin with `#`
 * are skipped.  Lines are read, judged by that many threads, and printed in
 * their order in blocks: the memory does not depend on how many there are.  Of
 * findings over the limit (DIAG_KEEP) one is counted for each line.  False,
 * with an error, when the file cannot be read. */
bool judge_lines(const struct judge *judge, int fd, const char *name, uint32_t threads);

#endif
