/* A policydb image through reader, validator and writer, for libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/policydb.h"
#include "base/buffer.h"
#include "base/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted must be written, read again, and then be the same. */
static void check_stable(const struct policy *policy, uint32_t version, struct diags *diags)
{
	struct buffer first = {0}, second = {0};
	struct policy *again;

	if (!policydb_write(policy, version, &first, diags))
		abort();
	again = policydb_read(first.at, first.n, "written", NULL, diags);
	if (!again || !policy_validate(again, version, diags) || !policydb_write(again, version, &second, diags))
		abort();
	if (first.n != second.n || memcmp(first.at, second.at, first.n) != 0)
		abort();
	policy_free(again);
	buffer_free(&first);
	buffer_free(&second);
}

/* At another version: what that one cannot hold is a message. */
static void write_newest(const struct policy *policy, struct diags *diags)
{
	struct buffer image = {0};

	policydb_write(policy, policydb_newest(policy->target), &image, diags);
	buffer_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diags diags = {0};
	uint32_t version;
	struct policy *policy = policydb_read(data, size, "input", &version, &diags);

	if (policy && policy_validate(policy, version, &diags)) {
		check_stable(policy, version, &diags);
		write_newest(policy, &diags);
	}
	if (!policy && !diags.errors)
		abort();
	policy_free(policy);
	diags_free(&diags);
	return 0;
}
