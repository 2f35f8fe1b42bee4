/* struct policy to a policydb image: header, maps, and the order of sections
 * (policydb-format.md 2). */
#include "backend/magic.h"
#include "backend/policydb.h"
#include "backend/write.h"

static void write_header(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, POLICY_MAGIC);
	put_string(w, policy->target == POLICY_XEN ? "XenFlask" : "SE Linux");
	put_u32(w, w->features->version);
	put_u32(w, (policy->mls ? CONFIG_MLS : 0) | policy->handle_unknown);
	put_u32(w, w->features->symbols);
	put_u32(w, w->features->ocontexts);
}

static void write_capabilities(struct writer *w)
{
	put_ebitmap(w, &w->policy->capabilities);
}

/* In the maps of the header, and only there, the bit is the value itself. */
static void write_permissive_map(struct writer *w)
{
	struct ebitmap map = {0};

	for (uint32_t v = 1; v <= w->policy->types.n; v++)
		if (w->policy->types.at[v].kind == POLICY_TYPE && w->policy->types.at[v].permissive)
			ebitmap_set(&map, v);
	put_ebitmap(w, &map);
	ebitmap_free(&map);
}

static void write_neveraudit_map(struct writer *w)
{
	struct ebitmap map = {0};

	for (uint32_t v = 1; v <= w->policy->types.n; v++)
		if (w->policy->types.at[v].kind == POLICY_TYPE && w->policy->types.at[v].neveraudit)
			ebitmap_set(&map, v);
	put_ebitmap(w, &map);
	ebitmap_free(&map);
}

static const struct section {
	void (*write)(struct writer *w);
	uint32_t needs; /* features */
} sections[] = {
	{write_header, 0},
	{write_capabilities, FEATURE_CAPABILITIES},
	{write_permissive_map, FEATURE_PERMISSIVE_MAP},
	{write_neveraudit_map, FEATURE_NEVERAUDIT_MAP},
	{write_symbol_tables, 0},
	{write_avtab, 0},
	{write_conditionals, FEATURE_BOOLS},
	{write_role_transitions, 0},
	{write_role_allows, 0},
	{write_filename_transitions, FEATURE_FILENAME_TRANS},
	{write_ocontexts, 0},
	{write_genfs, 0},
	{write_range_transitions, FEATURE_MLS},
	{write_attribute_map, FEATURE_ATTRIBUTE_MAP},
};

static void write_sections(struct writer *w)
{
	for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !w->failed; i++)
		if ((w->features->has & sections[i].needs) == sections[i].needs)
			sections[i].write(w);
	check_size(w);
}

bool policydb_write(const struct policy *policy, uint32_t version, struct buffer *image, struct diags *diags)
{
	struct writer w = {.policy = policy, .image = image, .diags = diags};
	size_t start = image->n;

	w.features = features_find(policy->target, version);
	if (!w.features) {
		diag_error(diags, "unknown-version", LOC_NONE, "there is no version %u of the format for %s", version,
			   policy->target == POLICY_XEN ? "Xen" : "SELinux");
		return false;
	}
	w.process = policy_process_class(policy);
	check_downgrade(&w);
	if (w.failed)
		return false;
	if (!has(&w, FEATURE_AVTAB_COMPACT))
		w.expander = expander_new(policy);
	write_sections(&w);
	expander_free(w.expander);
	if (w.failed)
		image->n = start;
	return !w.failed;
}
