#include "tests/avc_fixture.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/policydb.h"
#include "tests/security_fixture.h"

static const char head[] =
	"class file\nclass process\n"
	"sid kernel\n"
	"class file { read write ioctl }\nclass process { fork }\n"
	"attribute domain;\n"
	"type ta, domain; type tb; type tc; type td; type tp, domain;\n"
	"permissive tp;\n"
	"bool b1 false;\n"
	"role ra; role ra types { ta tb tc td tp };\n"
	"allow ta self:process fork;\n";

static const char tail[] = "user ua roles ra;\nsid kernel ua:ra:ta\n";

struct buffer avc_image_of(const char *rules, enum policy_unknown unknown)
{
	struct buffer text = {0}, image = {0};
	struct diags diags = {0};
	struct policy *policy;

	buffer_put(&text, head, sizeof head - 1);
	buffer_put(&text, rules, strlen(rules));
	buffer_put(&text, tail, sizeof tail);
	policy = security_compile((const char *)text.at, false);
	CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
	policy->handle_unknown = unknown;
	CU_ASSERT_FATAL(policydb_write(policy, 33, &image, &diags));
	diags_free(&diags);
	policy_free(policy);
	buffer_free(&text);
	return image;
}

struct avc *avc_over(const struct buffer *images, uint32_t n, const struct avc_options *options)
{
	struct avc_image list[AVC_MAX_POLICIES];
	struct avc *avc = NULL;
	char *error = NULL;

	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct avc_image){"test", images[i].at, images[i].n};
	if (avc_open(&avc, list, n, options, &error))
		printf("\n%s", error ? error : "no reason\n");
	free(error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(avc);
	return avc;
}

avc_sid avc_sid_of(struct avc_thread *thread, const char *type)
{
	char context[64];
	avc_sid sid = 0;

	snprintf(context, sizeof context, "ua:ra:%s", type);
	CU_ASSERT_EQUAL(avc_context_to_sid(thread, context, &sid), 0);
	return sid;
}
