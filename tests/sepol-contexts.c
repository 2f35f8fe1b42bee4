#include "tests/sepol-contexts.h"

#include <sepol/context.h>
#include <sepol/debug.h>
#include <sepol/policydb/services.h>
#include <sepol/sepol.h>
#include <stdio.h>

bool sepol_load(const char *path)
{
	FILE *f = fopen(path, "rb");
	bool ok;

	if (!f)
		return false;
	sepol_debug(0);
	ok = sepol_set_policydb_from_file(f) == 0;
	fclose(f);
	return ok;
}

bool sepol_is_valid(const char *context)
{
	return sepol_check_context(context) == 0;
}

char *sepol_text(const char *context, size_t len)
{
	sepol_security_context_t text = NULL;
	sepol_security_id_t sid;
	size_t size;

	if (sepol_context_to_sid(context, len + 1, &sid) || sepol_sid_to_context(sid, &text, &size))
		return NULL;
	return text;
}
