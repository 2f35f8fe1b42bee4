/* Damaged modules and packages, read by us and by libsepol. */
#include <sepol/debug.h>
#include <sepol/module.h>
#include <sepol/policydb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/module.h"
#include "backend/package.h"
#include "base/buffer.h"
#include "tests/corrupt.h"

/* Said of a module that needs more bytes than its section has, when the package
 * goes on behind it. */
#define OVERRUN "over the end of its section"

static struct reason reasons[] = {
	{false, false, "control character", "names have none; libsepol has the check after 3.11", 0},
	{false, false, "an empty set with", "libsepol does not look at the count of an empty set", 0},
	{false, false, "role `object_r`", "libsepol knows object_r and skips what an image says of it", 0},
	{false, false, "a set of permissions beyond", "libsepol does not look beyond the permissions that a class can have", 0},
	{false, false, "alias mark", "libsepol takes any mark but 0 for that of an alias", 0},
	{false, false, "none of the permissions", "libsepol looks at permissions of rules and requirements after 3.11", 0},
	{false, false, "has the default_", "libsepol keeps eight bits of a default", 0},
	{false, false, "unknown configuration bits", "libsepol does not look at unknown bits", 0},
	{false, false, "invalid-label: `image`: port", "libsepol keeps 16 bits of a port and eight of a protocol", 0},
	{false, false, "stands for the value", "libsepol lets an alias stand for itself, or for an attribute", 0},
	{false, false, "has the value", "libsepol lets an alias with a value of its own share it", 0},
	{false, false, "has the primary mark", "libsepol takes any mark but 0, and looks at none in branches", 0},
	{false, false, "of a branch has the value", "libsepol goes by the value alone", 0},
	{false, false, "and the policy is not MLS", "libsepol does not look at levels of a policy without MLS", 0},
	{false, false, OVERRUN, "libsepol reads a module on over the end of its section", 0},
	{false, false, "package version", "libsepol does not look at the version of packages", 0},
	{false, true, "invalid-", "libsepol before 3.5 does not validate what it has read", 0},
	{false, true, "values up to", "libsepol before 3.5 takes any size for a table", 0},
	{false, true, "a conditional with the state", "libsepol before 3.5 does not look at states and flags", 0},
	{false, true, "is of the kind", "libsepol before 3.5 does not look at kinds of types", 0},
	{false, true, "has the flags", "libsepol before 3.5 does not look at flags of types", 0},
	{false, true, "has types", "libsepol before 3.5 lets a type have members", 0},
	{false, true, "has bounds", "libsepol before 3.5 lets an attribute have bounds", 0},
	{false, true, "entries cannot be in", "libsepol before 3.5 does not look at counts", 0},
	{true, false, "Invalid user datum", "libsepol refuses users without levels in an MLS module, such as it requires", 0},
	{true, false, "Invalid constraint expr", "after 3.11 libsepol takes bits beyond the permissions, as we do", 0},
};

/* ---- ours ---- */

static bool same_again(const struct module *module, uint32_t version, struct diags *diags)
{
	struct buffer first = {0}, second = {0};
	struct module *again = NULL;
	bool same = false;

	if (module_write(module, version, NULL, &first, diags))
		again = module_read(first.at, first.n, "written", NULL, diags);
	if (again && module_validate(again, version, "written", diags) &&
	    module_write(again, version, NULL, &second, diags))
		same = first.n == second.n && memcmp(first.at, second.at, first.n) == 0;
	module_free(again);
	buffer_free(&first);
	buffer_free(&second);
	return same;
}

static void judge_module(const unsigned char *bytes, size_t size, struct result *result, struct diags *diags)
{
	uint32_t version;
	struct module *module = module_read(bytes, size, "image", &version, diags);

	if (!module || !module_validate(module, version, "image", diags))
		result->ours = REFUSED;
	else
		result->ours = same_again(module, version, diags) ? ACCEPTED : UNSTABLE;
	module_free(module);
}

static void read_module(const unsigned char *bytes, size_t size, struct result *result)
{
	struct diags diags = {0};

	judge_module(bytes, size, result, &diags);
	keep_error(result, &diags);
	diags_free(&diags);
}

static void note_overrun(const struct package *package, const unsigned char *bytes, size_t size, struct result *result)
{
	const struct package_part *module = &package->parts[PACKAGE_MODULE];
	size_t used = strlen(result->text);

	if (strstr(result->text, "the image ends") && module->at && module->at + module->n < bytes + size)
		snprintf(result->text + used, sizeof result->text - used, ", " OVERRUN);
}

static void read_package(const unsigned char *bytes, size_t size, struct result *result)
{
	struct diags diags = {0};
	struct package package = {0};

	if (package_read(bytes, size, "image", &package, &diags))
		judge_module(package.parts[PACKAGE_MODULE].at, package.parts[PACKAGE_MODULE].n, result, &diags);
	else
		result->ours = REFUSED;
	keep_error(result, &diags);
	note_overrun(&package, bytes, size, result);
	diags_free(&diags);
}

/* ---- libsepol's ---- */

struct peer {
	sepol_handle_t *handle;
	sepol_policy_file_t *file;
};

static void peer_open(struct peer *peer, const unsigned char *bytes, size_t size, struct result *result)
{
	peer->handle = sepol_handle_create();
	if (!peer->handle || sepol_policy_file_create(&peer->file))
		_exit(3);
	sepol_debug(0);
	sepol_msg_set_callback(peer->handle, keep_message, result);
	sepol_policy_file_set_handle(peer->file, peer->handle);
	sepol_policy_file_set_mem(peer->file, (char *)bytes, size);
}

static void peer_close(struct peer *peer)
{
	sepol_policy_file_free(peer->file);
	sepol_handle_destroy(peer->handle);
}

/* libsepol does not tell which versions of modules it knows, but that it does not
 * know one. */
static void forget_version(struct result *result)
{
	if (result->theirs != REFUSED || !strstr(result->their, "does not match my version range"))
		return;
	result->theirs = NO_VERDICT;
	result->their[0] = '\0';
}

static void read_their_module(const unsigned char *bytes, size_t size, struct result *result)
{
	sepol_policydb_t *policydb = NULL;
	struct peer peer;

	peer_open(&peer, bytes, size, result);
	if (sepol_policydb_create(&policydb))
		_exit(3);
	result->theirs = sepol_policydb_read(policydb, peer.file) == 0 ? ACCEPTED : REFUSED;
	forget_version(result);
	sepol_policydb_free(policydb);
	peer_close(&peer);
}

static void read_their_package(const unsigned char *bytes, size_t size, struct result *result)
{
	sepol_module_package_t *package = NULL;
	struct peer peer;

	peer_open(&peer, bytes, size, result);
	if (sepol_module_package_create(&package))
		_exit(3);
	result->theirs = sepol_module_package_read(package, peer.file, 0) == 0 ? ACCEPTED : REFUSED;
	forget_version(result);
	sepol_module_package_free(package);
	peer_close(&peer);
}

static bool may_know(const unsigned char *bytes, size_t size)
{
	(void)bytes, (void)size;
	return true;
}

enum { REASONS = sizeof reasons / sizeof reasons[0] };

const struct readers module_readers = {read_module, read_their_module, may_know, reasons, REASONS};
const struct readers package_readers = {read_package, read_their_package, may_know, reasons, REASONS};
