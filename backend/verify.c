/* A second opinion on an image: libsepol reads it back. */
#include <sepol/debug.h>
#include <sepol/handle.h>
#include <sepol/policydb.h>
#include <string.h>

#include "backend/policydb.h"
#include "base/memory.h"

enum { VERSION_AT = 16 }; /* behind magic, length and identifier */
enum { MAX_MESSAGES = 8, MESSAGE_SIZE = 256 };

struct messages {
	char text[MAX_MESSAGES][MESSAGE_SIZE];
	uint32_t n; /* said, also those over the limit */
};

/* libsepol tells the innermost reason first. */
__attribute__((format(printf, 3, 4)))
static void keep_message(void *data, sepol_handle_t *handle, const char *fmt, ...)
{
	struct messages *messages = data;
	char *text;
	va_list args;

	if (sepol_msg_get_level(handle) != SEPOL_MSG_ERR || messages->n++ >= MAX_MESSAGES)
		return;
	text = messages->text[messages->n - 1];
	va_start(args, fmt);
	vsnprintf(text, MESSAGE_SIZE, fmt, args);
	va_end(args);
	text[strcspn(text, "\n")] = '\0';
}

static uint32_t version_of(const struct buffer *image)
{
	const unsigned char *p = image->at + VERSION_AT;

	if (image->n < VERSION_AT + 4)
		return 0;
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool is_known(uint32_t version)
{
	return version >= (uint32_t)sepol_policy_kern_vers_min() && version <= (uint32_t)sepol_policy_kern_vers_max();
}

static bool read_image(const struct buffer *image, struct messages *messages)
{
	sepol_handle_t *handle = sepol_handle_create();
	sepol_policy_file_t *file = NULL;
	sepol_policydb_t *policydb = NULL;
	bool ok;

	if (!handle || sepol_policy_file_create(&file) || sepol_policydb_create(&policydb))
		mem_exhausted();
	sepol_msg_set_callback(handle, keep_message, messages);
	sepol_policy_file_set_handle(file, handle);
	sepol_policy_file_set_mem(file, (char *)image->at, image->n);
	ok = sepol_policydb_read(policydb, file) == 0;
	sepol_policydb_free(policydb);
	sepol_policy_file_free(file);
	sepol_handle_destroy(handle);
	return ok;
}

static void report(const struct messages *messages, struct diags *diags)
{
	uint32_t kept = messages->n < MAX_MESSAGES ? messages->n : MAX_MESSAGES;

	diag_error(diags, "verify", LOC_NONE, "libsepol refuses the image%s%s", kept ? ": " : "",
		   kept ? messages->text[0] : "");
	for (uint32_t i = 1; i < kept; i++)
		diag_note(diags, LOC_NONE, "then: %s", messages->text[i]);
}

bool policydb_verify(const struct buffer *image, struct diags *diags)
{
	struct messages messages = {.n = 0};
	uint32_t version = version_of(image);

	if (version && !is_known(version)) {
		diag_warning(diags, "verify", LOC_NONE,
			     "the installed libsepol knows versions %d to %d: version %u was not read back",
			     sepol_policy_kern_vers_min(), sepol_policy_kern_vers_max(), version);
		return true;
	}
	if (read_image(image, &messages))
		return true;
	report(&messages, diags);
	return false;
}
