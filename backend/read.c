/* A policydb image to struct policy: header, maps, and the order of sections
 * (policydb-format.md 2). */
#include "backend/read.h"

#include <stdlib.h>
#include <string.h>

#include "backend/magic.h"
#include "backend/policydb.h"

enum { IDENTIFIER_SIZE = 8 };
/* A set takes 8 bytes for a word that its image has 12 of, and as much for each
 * word between; real policies stay below the size of their image. */
enum { SET_BUDGET_PER_BYTE = 16, SET_BUDGET_MIN = 1 << 20 };

/* What begins with letters is source, most likely. */
static bool looks_like_text(uint32_t magic)
{
	for (int i = 0; i < 4; i++, magic >>= 8)
		if ((magic & 0xff) >= 0x7f || ((magic & 0xff) < ' ' && (magic & 0xff) != '\n' && (magic & 0xff) != '\t'))
			return false;
	return true;
}

static void read_magic(struct reader *r)
{
	uint32_t magic = get_u32(r);

	if (r->failed || magic == POLICY_MAGIC)
		return;
	if (magic == MODULE_MAGIC || magic == PACKAGE_MAGIC) {
		refuse(r, "a policy module, not a policy");
		diag_hint(r->diags, "`policy-compile --link BASE MODULE...` makes a policy of modules");
	} else {
		refuse(r, "not a policy: the magic number is 0x%08x", (unsigned)magic);
	}
	if (looks_like_text(magic))
		diag_hint(r->diags, "it looks like text, perhaps policy source, and a binary policy is wanted");
}

static void read_target(struct reader *r)
{
	uint32_t len = get_u32(r);
	const unsigned char *p;

	if (!r->failed && len != IDENTIFIER_SIZE)
		refuse(r, "not a policy: an identifier of %u bytes", (unsigned)len);
	p = get_bytes(r, IDENTIFIER_SIZE);
	if (!p)
		return;
	if (memcmp(p, "SE Linux", IDENTIFIER_SIZE) == 0)
		r->policy->target = POLICY_SELINUX;
	else if (memcmp(p, "XenFlask", IDENTIFIER_SIZE) == 0)
		r->policy->target = POLICY_XEN;
	else
		refuse(r, "not a policy: an unknown identifier");
}

static void read_version(struct reader *r)
{
	uint32_t version = get_u32(r);

	if (r->failed)
		return;
	r->features = features_find(r->policy->target, version);
	if (r->features)
		return;
	refuse(r, "version %u is not known: those of %s are %u to %u here", (unsigned)version,
	       r->policy->target == POLICY_XEN ? "Xen" : "SELinux", (unsigned)policydb_oldest(r->policy->target),
	       (unsigned)policydb_newest(r->policy->target));
	if (version > policydb_newest(r->policy->target))
		diag_hint(r->diags, "a newer compiler made it, or the number is damaged; compiled with `-c %u` it can be read here",
			  (unsigned)policydb_newest(r->policy->target));
}

void read_config(struct reader *r)
{
	uint32_t config = get_u32(r), unknown = config & CONFIG_UNKNOWN;

	if (r->failed)
		return;
	if (config & ~(uint32_t)(CONFIG_MLS | CONFIG_UNKNOWN))
		refuse(r, "unknown configuration bits in 0x%08x", (unsigned)config);
	else if (unknown == CONFIG_UNKNOWN)
		refuse(r, "unknown classes and permissions are both allowed and rejected");
	else if (config & CONFIG_MLS && !can(r, FEATURE_MLS))
		refuse(r, "version %u has no MLS", (unsigned)r->features->version);
	r->policy->mls = config & CONFIG_MLS;
	r->policy->handle_unknown = (enum policy_unknown)unknown;
}

void read_table_counts(struct reader *r)
{
	uint32_t symbols = get_u32(r), ocontexts = get_u32(r);

	if (r->failed)
		return;
	if (symbols != r->features->symbols || ocontexts != r->features->ocontexts)
		refuse(r, "%u symbol and %u label tables, version %u has %u and %u", (unsigned)symbols,
		       (unsigned)ocontexts, (unsigned)r->features->version, (unsigned)r->features->symbols,
		       (unsigned)r->features->ocontexts);
}

static bool read_header(struct reader *r)
{
	r->section = "header";
	read_magic(r);
	read_target(r);
	read_version(r);
	read_config(r);
	read_table_counts(r);
	return !r->failed;
}

static void read_capabilities(struct reader *r)
{
	get_set(r, &r->policy->capabilities);
}

static void read_permissive_map(struct reader *r)
{
	get_set(r, &r->permissive);
}

static void read_neveraudit_map(struct reader *r)
{
	get_set(r, &r->neveraudit);
}

/* The maps stand before the types that they mark. */
static void mark_types(struct reader *r)
{
	ebitmap_for_each(&r->permissive, value) {
		if (value > r->policy->types.n || r->policy->types.at[value].kind != POLICY_TYPE)
			refuse(r, "value %u is permissive and no type", (unsigned)value);
		else
			r->policy->types.at[value].permissive = true;
	}
	ebitmap_for_each(&r->neveraudit, value) {
		if (value > r->policy->types.n || r->policy->types.at[value].kind != POLICY_TYPE)
			refuse(r, "value %u is never audited and no type", (unsigned)value);
		else
			r->policy->types.at[value].neveraudit = true;
	}
}

static const struct section {
	const char *name;
	void (*read)(struct reader *r);
	uint32_t needs; /* features */
} sections[] = {
	{"policy capabilities", read_capabilities, FEATURE_CAPABILITIES},
	{"permissive types", read_permissive_map, FEATURE_PERMISSIVE_MAP},
	{"neveraudit types", read_neveraudit_map, FEATURE_NEVERAUDIT_MAP},
	{"symbols", read_symbol_tables, 0},
	{"types of the header", mark_types, 0},
	{"access vector table", read_avtab, 0},
	{"conditionals", read_conditionals, FEATURE_BOOLS},
	{"role transitions", read_role_transitions, 0},
	{"role allow rules", read_role_allows, 0},
	{"filename transitions", read_filename_transitions, FEATURE_FILENAME_TRANS},
	{"labels", read_ocontexts, 0},
	{"genfs", read_genfs, 0},
	{"range transitions", read_range_transitions, FEATURE_MLS},
	{"attribute map", read_attribute_map, FEATURE_ATTRIBUTE_MAP},
};

static void read_sections(struct reader *r)
{
	for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !r->failed; i++) {
		if ((r->features->has & sections[i].needs) != sections[i].needs)
			continue;
		r->section = sections[i].name;
		sections[i].read(r);
	}
	if (!r->failed && left(r))
		diag_warning(r->diags, "trailing-bytes", LOC_NONE, "`%s`: %zu bytes behind the policy", r->path, left(r));
	r->policy->xperms.n = r->xperms.n;
	r->policy->xperms.at = arena_copy(&r->policy->arena, r->xperms.at, r->xperms.n * sizeof *r->xperms.at);
}

void reader_begin(struct reader *r, const void *image, size_t size, const char *path, struct diags *diags)
{
	const unsigned char *begin = size ? image : (const void *)"";

	*r = (struct reader){.begin = begin, .at = begin, .end = begin + size, .path = path, .diags = diags};
	r->budget = size * SET_BUDGET_PER_BYTE + SET_BUDGET_MIN;
	atoms_init(&r->commons);
}

void reader_end(struct reader *r)
{
	ebitmap_free(&r->permissive);
	ebitmap_free(&r->neveraudit);
	atoms_free(&r->commons);
	vec_free(&r->xperms);
}

struct policy *policydb_read(const void *image, size_t size, const char *path, uint32_t *ret_version,
			     struct diags *diags)
{
	struct reader r;

	reader_begin(&r, image, size, path, diags);
	r.policy = policy_new();
	if (read_header(&r))
		read_sections(&r);
	reader_end(&r);
	if (r.failed) {
		policy_free(r.policy);
		return NULL;
	}
	if (ret_version)
		*ret_version = r.features->version;
	return r.policy;
}
